// Models of MuJoCo beside MuJoCo: mjcf_bench FILE.xml...
//
// Each file is loaded as it is: does it load, and what of it is not taken? Then both engines read a
// bare copy (bare.h): accelerations at 100 random states with all constraints off, places of bodies
// and sites there, and how far loops open in a second of motion. Differences of accelerations are
// relative to the largest of the state, of places to the model's size.
#include "bare.h"

#include "model/data.h"
#include "sarrus/sarrus.h"

#include <limits.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATES = 100, MOST = 1000, MOST_STEPS = 5000 };

typedef struct Row {
  const char* path;
  bool loads;
  int lacks;
  char first[300];  // what is wrong, or the first thing that is not taken
  Bare bare;
  bool compared;
  int nv;
  double acceleration, place, ours_open, theirs_open;  // negative: not measured
  double sensor;                                       // largest difference
  int sensors;                                         // that were compared
  char why[300];
} Row;

// The name in "tendon 'NAME' ...: it is left out".
static void note_left(Row* r, const char* text) {
  const char *name = strchr(text, '\''), *end = name ? strchr(name + 1, '\'') : NULL;
  if (!end || strncmp(text, "tendon ", 7) != 0 || !strstr(text, "left out")) return;
  const size_t n = strlen(r->bare.left);
  snprintf(r->bare.left + n, sizeof r->bare.left - n, " %.*s ", (int)(end + 1 - name), name);
}

static void load_whole(Row* r) {
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  r->loads = sar_model_load(r->path, NULL, &m, &err) == SAR_OK;
  sar_model_free(m);
  r->lacks = err.dropped;
  for (int i = 0; i < err.count; i++) {
    const bool wrong = err.items[i].severity == SAR_ERROR;
    r->lacks += !wrong;
    note_left(r, err.items[i].text);
    if (wrong == r->loads || r->first[0]) continue;
    snprintf(r->first, sizeof r->first, "%d: %s", err.items[i].line, err.items[i].text);
  }
}

// ---- random states ---------------------------------------------------------------------------

static double uniform(unsigned long long* seed) {  // -1 .. 1
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void set_random(const mjModel* m, mjData* d, unsigned long long* seed) {
  for (int i = 0; i < m->nq; i++) d->qpos[i] = uniform(seed);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = uniform(seed);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = uniform(seed);
  for (int i = 0; i < m->na; i++) d->act[i] = uniform(seed);
  mj_normalizeQuat(m, d->qpos);
}

// ---- the same model in both ------------------------------------------------------------------

typedef struct Both {
  SarModel* ours;
  SarData* od;
  mjModel* theirs;
  mjData* td;
  int qadr[MOST], vadr[MOST];  // where a coordinate of theirs is in ours
  bool ordered;                // all in the same place
} Both;

static void both_free(Both* b) {
  sar_data_free(b->od), sar_model_free(b->ours);
  if (b->td) mj_deleteData(b->td);
  if (b->theirs) mj_deleteModel(b->theirs);
}

// By the names of joints; one without a name is where theirs is.
static void match(Both* b) {
  b->ordered = true;
  for (int i = 0; i < b->theirs->nq && i < MOST; i++) b->qadr[i] = i;
  for (int i = 0; i < b->theirs->nv && i < MOST; i++) b->vadr[i] = i;
  for (int j = 0; j < b->theirs->njnt; j++) {
    const char* name = mj_id2name(b->theirs, mjOBJ_JOINT, j);
    const int own = name ? sar_model_find(b->ours, SAR_ITEM_JOINT, name) : -1;
    const int q = b->theirs->jnt_qposadr[j], v = b->theirs->jnt_dofadr[j];
    SarJointInfo info;
    if (own < 0 || sar_joint_info(b->ours, own, &info) != SAR_OK) continue;
    for (int i = 0; i < info.nq && q + i < MOST; i++) b->qadr[q + i] = info.qadr + i;
    for (int i = 0; i < info.nv && v + i < MOST; i++) b->vadr[v + i] = info.vadr + i;
    b->ordered = b->ordered && info.qadr == q && info.vadr == v;
  }
}

static bool both_load(const char* path, Both* b, Row* r) {
  SarError err;
  sar_error_init(&err);
  *b = (Both){0};
  b->theirs = mj_loadXML(path, NULL, r->why, sizeof r->why);
  for (char* c = r->why; *c; c++)
    if (*c == '\n') *c = ' ';
  if (!b->theirs) return false;
  r->why[0] = '\0';
  b->td = mj_makeData(b->theirs);
  char folder[PATH_MAX];
  if (!realpath(r->path, folder)) return false;
  *strrchr(folder, '/') = '\0';
  const char* const paths[] = {folder};
  const SarLoadOptions o = {.search_paths = paths, .search_path_count = 1};
  const SarStatus st = sar_model_load(path, &o, &b->ours, &err);
  if (st != SAR_OK || sar_data_new(b->ours, &b->od, &err) != SAR_OK) {
    for (int i = 0; i < err.count && !r->why[0]; i++)
      if (err.items[i].severity == SAR_ERROR)
        snprintf(r->why, sizeof r->why, "%.290s", err.items[i].text);
    return false;
  }
  const int inputs = sar_model_count(b->ours, SAR_ITEM_INPUT);
  if (sar_model_nq(b->ours) != b->theirs->nq || inputs != b->theirs->nu)
    snprintf(r->why, sizeof r->why, "%d coordinates and %d inputs, MuJoCo has %d and %d",
             sar_model_nq(b->ours), inputs, b->theirs->nq, b->theirs->nu);
  else
    match(b);
  if (!r->why[0] && !b->ordered) snprintf(r->why, sizeof r->why, "(coordinates in another order)");
  return sar_model_nq(b->ours) == b->theirs->nq && inputs == b->theirs->nu;
}

// An actuator whose name is a joint's has another one here.
static int find_input(const SarModel* m, const char* name) {
  char other[400];
  snprintf(other, sizeof other, "%.380s_control", name);
  const int own = sar_model_find(m, SAR_ITEM_INPUT, name);
  return own >= 0 ? own : sar_model_find(m, SAR_ITEM_INPUT, other);
}

static void take_state(Both* b) {
  for (int i = 0; i < b->theirs->nq; i++) sar_q(b->od)[b->qadr[i]] = b->td->qpos[i];
  for (int i = 0; i < b->theirs->nv; i++) sar_v(b->od)[b->vadr[i]] = b->td->qvel[i];
  // ours are in the order of their names; unnamed actuators are called after what they move, in
  // both orders alike
  for (int i = 0, act = 0; i < b->theirs->nu; i++) {
    const char* name = mj_id2name(b->theirs, mjOBJ_ACTUATOR, i);
    char state[400];
    const int own = name ? find_input(b->ours, name) : -1;
    sar_inputs(b->od)[own >= 0 ? own : i] = b->td->ctrl[i];
    if (b->theirs->actuator_dyntype[i] == mjDYN_NONE) continue;
    snprintf(state, sizeof state, "%.300s_act",
             own >= 0 ? sar_model_name(b->ours, SAR_ITEM_INPUT, own) : "");
    const int z = sar_model_find(b->ours, SAR_ITEM_STATE, state);
    if (z >= 0) sar_states(b->od)[z] = b->td->act[act];
    act++;
  }
}

static double difference_of_places(Both* b) {
  double most = 0, size = 1;
  for (int i = 1; i < b->theirs->nbody; i++) {
    const char* name = mj_id2name(b->theirs, mjOBJ_BODY, i);
    const int own = name ? sar_model_find(b->ours, SAR_ITEM_BODY, name) : -1;
    double p[3], R[9];
    if (own < 0 || sar_body_pose(b->od, own, p, R) != SAR_OK) continue;
    for (int k = 0; k < 3; k++) {
      size = fmax(size, fabs(p[k]));
      most = fmax(most, fabs(p[k] - b->td->xpos[3 * i + k]));
    }
    for (int k = 0; k < 9; k++) most = fmax(most, fabs(R[k] - b->td->xmat[9 * i + k]));
  }
  for (int i = 0; i < b->theirs->nsite; i++) {
    const char* name = mj_id2name(b->theirs, mjOBJ_SITE, i);
    const int body = b->theirs->site_bodyid[i];
    const char* of = body ? mj_id2name(b->theirs, mjOBJ_BODY, body) : "ground";
    char point[400];
    snprintf(point, sizeof point, "%.190s.%.190s", of ? of : "", name ? name : "");
    const int own = sar_model_find(b->ours, SAR_ITEM_POINT, point);
    if (own < 0) continue;
    const SarPoint* of_ours = &b->ours->point[own];
    const V3 at = of_ours->body < 0 ? of_ours->X_BP.p
                                    : x_point(b->od->body_X_GB[of_ours->body], of_ours->X_BP.p);
    most = fmax(most, v3_norm(v3_sub(at, v3_load(&b->td->site_xpos[3 * i]))));
  }
  return most / size;
}

// ---- sensors ---------------------------------------------------------------------------------

enum { MOST_COLUMNS = 4000 };

// The value of column `NAME.suffix`, or NAME; false: there is none.
static bool column(const Both* b, const double* values, const char* name, const char* suffix,
                   double* value) {
  char text[400];
  snprintf(text, sizeof text, "%.300s%s%s", name, suffix[0] ? "." : "", suffix);
  const int i = sar_model_find(b->ours, SAR_ITEM_OUTPUT, text);
  if (i >= 0) *value = values[i];
  return i >= 0;
}

// Suffixes of the columns of a sensor.
static const char* const* suffixes(int type) {
  static const char* const xyz[] = {"x", "y", "z"};
  static const char* const quat[] = {"qw", "qx", "qy", "qz"};
  static const char* const omega[] = {"wx", "wy", "wz"};
  static const char* const gyro[] = {"gyro_x", "gyro_y", "gyro_z"};
  static const char* const accel[] = {"accel_x", "accel_y", "accel_z"};
  static const char* const speed[] = {"speed_x", "speed_y", "speed_z"};
  static const char* const force[] = {"load_fx", "load_fy", "load_fz"};
  static const char* const torque[] = {"load_tx", "load_ty", "load_tz"};
  static const char* const one[] = {"", "", ""};
  switch (type) {
    case mjSENS_GYRO: return gyro;
    case mjSENS_ACCELEROMETER: return accel;
    case mjSENS_VELOCIMETER: return speed;
    case mjSENS_FORCE: return force;
    case mjSENS_TORQUE: return torque;
    case mjSENS_BALLQUAT:
    case mjSENS_FRAMEQUAT: return quat;
    case mjSENS_BALLANGVEL: return omega;
    default: return type >= mjSENS_FRAMEPOS && type < mjSENS_CLOCK ? xyz : one;
  }
}

// Of one sensor, relative to its size or 1; negative: we have no such column. A quaternion and its
// opposite are one orientation.
static double difference_of_sensor(const Both* b, const double* values, int i) {
  const char* name = mj_id2name(b->theirs, mjOBJ_SENSOR, i);
  const int dim = b->theirs->sensor_dim[i];
  const double* x = &b->td->sensordata[b->theirs->sensor_adr[i]];
  const char* const* suffix = suffixes(b->theirs->sensor_type[i]);
  double most = 0, opposite = 0, size = 1;
  for (int k = 0; k < dim; k++) {
    double y;
    if (!name || dim > 4 || !column(b, values, name, suffix[k], &y)) return -1;
    most = fmax(most, fabs(x[k] - y));
    opposite = fmax(opposite, fabs(x[k] + y));
    size = fmax(size, fabs(x[k]));
  }
  return (dim == 4 ? fmin(most, opposite) : most) / size;
}

static double difference_of_sensors(Both* b, SarSim* s, Row* r) {
  static double values[MOST_COLUMNS];
  double most = 0;
  r->sensors = 0;
  if (!s || sar_model_count(b->ours, SAR_ITEM_OUTPUT) > MOST_COLUMNS ||
      sar_outputs(s, values) != SAR_OK)
    return -1;
  for (int i = 0; i < b->theirs->nsensor; i++) {
    const double one = difference_of_sensor(b, values, i);
    r->sensors += one >= 0;
    if (one > most && one > 1e-9 && getenv("MJCF_BENCH_SENSORS"))
      printf("    sensor %s: %g\n", mj_id2name(b->theirs, mjOBJ_SENSOR, i), one);
    most = fmax(most, one);
  }
  return most;
}

static double difference_of_accelerations(const Both* b) {
  double most = 0, size = 0;
  for (int i = 0; i < b->theirs->nv; i++) {
    most = fmax(most, fabs(sar_a(b->od)[b->vadr[i]] - b->td->qacc[i]));
    size = fmax(size, fabs(b->td->qacc[i]));
  }
  return size > 0 ? most / size : most;
}

static void compare_states(const char* bare, Row* r) {
  Both b;
  SarSim* s = NULL;
  unsigned long long seed = 1;
  if (both_load(bare, &b, r)) {
    r->compared = true;
    r->nv = b.theirs->nv;
    r->acceleration = r->place = 0;
    if (b.theirs->nsensor && sar_sim_new(b.ours, b.od, NULL, &s, NULL) != SAR_OK) s = NULL;
    for (int i = 0; i < STATES; i++) {
      set_random(b.theirs, b.td, &seed);
      take_state(&b);
      mj_forward(b.theirs, b.td);
      if (sar_forward_dynamics(b.od) != SAR_OK) r->acceleration = (double)NAN;
      r->acceleration = fmax(r->acceleration, difference_of_accelerations(&b));
      r->place = fmax(r->place, difference_of_places(&b));
      if (b.theirs->nsensor) r->sensor = fmax(r->sensor, difference_of_sensors(&b, s, r));
    }
  }
  sar_sim_free(s);
  both_free(&b);
}

// ---- loops -----------------------------------------------------------------------------------

// The largest distance between the two anchors of a connect constraint, by MuJoCo's table of them.
static double open_theirs(const Both* b) {
  const mjModel* m = b->theirs;
  double most = 0;
  for (int i = 0; i < m->neq; i++) {
    double p[2][3], at[3];
    if (m->eq_type[i] != mjEQ_CONNECT) continue;
    for (int k = 0; k < 2; k++) {
      const int body = k ? m->eq_obj2id[i] : m->eq_obj1id[i];
      mju_rotVecMat(at, &m->eq_data[mjNEQDATA * i + 3 * k], &b->td->xmat[9 * body]);
      mju_add3(p[k], at, &b->td->xpos[3 * body]);
    }
    most = fmax(most, mju_dist3(p[0], p[1]));
  }
  return most;
}

// The same of our bodies: their poses stand in for MuJoCo's for a moment.
static double open_ours(Both* b) {
  for (int i = 1; i < b->theirs->nbody; i++) {
    const char* name = mj_id2name(b->theirs, mjOBJ_BODY, i);
    const int own = name ? sar_model_find(b->ours, SAR_ITEM_BODY, name) : -1;
    double R[9];
    if (own < 0 || sar_body_pose(b->od, own, &b->td->xpos[3 * i], R) != SAR_OK) continue;
    memcpy(&b->td->xmat[9 * i], R, sizeof R);
  }
  return open_theirs(b);
}

// A second under gravity from the file's position, without control.
static void run_loops(const char* bare, Row* r) {
  Both b;
  SarSim* s = NULL;
  SarError err;
  sar_error_init(&err);
  if (both_load(bare, &b, r)) {
    int connects = 0;
    for (int i = 0; i < b.theirs->neq; i++) connects += b.theirs->eq_type[i] == mjEQ_CONNECT;
    SarStatus st = connects ? sar_sim_new(b.ours, b.od, NULL, &s, &err) : SAR_OK;
    if (connects) r->ours_open = st == SAR_OK ? open_ours(&b) : (double)NAN;
    for (int k = 0; k < MOST_STEPS && connects && st == SAR_OK && sar_time(b.od) < 1; k++) {
      st = sar_step(s);
      r->ours_open = st == SAR_OK ? fmax(r->ours_open, open_ours(&b)) : (double)NAN;
    }
    if (connects && st != SAR_OK)
      snprintf(r->why, sizeof r->why, "loops: %s",
               err.count ? err.items[err.count - 1].text : sar_status_text(st));
    mj_resetData(b.theirs, b.td);
    for (int k = 0; connects && b.td->time < 1; k++) {
      mj_step(b.theirs, b.td);
      r->theirs_open = fmax(r->theirs_open, open_theirs(&b));
    }
  }
  sar_sim_free(s);
  both_free(&b);
}

// ---- the table -------------------------------------------------------------------------------

static void print_number(double x) {
  if (isnan(x))
    printf(" %8s", "failed");
  else if (x < 0)
    printf(" %8s", "");
  else
    printf(" %8.1e", x);
}

static void print_row(const Row* r) {
  const char *base = r->path, *slash = strrchr(base, '/');
  while (slash && slash > r->path && slash[-1] != '/') slash--;
  printf("%-52.52s %-5s %5d %4d", slash ? slash : base, r->loads ? "yes" : "NO", r->lacks, r->nv);
  print_number(r->acceleration);
  print_number(r->place);
  print_number(r->ours_open);
  print_number(r->theirs_open);
  printf(" %4d", r->sensors);
  print_number(r->sensors ? r->sensor : -1);
  printf("  %s%s%s\n", r->bare.geoms ? "mass of geoms; " : "", r->bare.dropped, r->why);
  if (r->first[0]) printf("    %s\n", r->first);
}

static void look_at(Row* r) {
  char bare[] = "/tmp/sarrus_mjcf_XXXXXX.xml";
  const int file = mkstemps(bare, 4);
  if (file < 0) return;
  close(file);
  load_whole(r);
  if (bare_write(r->path, bare, false, &r->bare)) {
    const bool loops = r->bare.loops;
    compare_states(bare, r);
    if (loops && bare_write(r->path, bare, true, &r->bare)) run_loops(bare, r);
  }
  if (!r->why[0]) snprintf(r->why, sizeof r->why, "%s", r->bare.why);
  unlink(bare);
}

static void quiet(const char* text) { (void)text; }

int main(int argc, char** argv) {
  int loads = 0, compared = 0, near = 0, places = 0, sensors = 0, measured = 0, with_sensors = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  mju_user_warning = quiet;
  bare_learn();
  printf("MuJoCo %s, %d states each\n", mj_versionString(), STATES);
  printf("%-52s %-5s %5s %4s %8s %8s %8s %8s %4s %8s\n", "model", "loads", "lacks", "nv", "accel.",
         "places", "open", "MuJoCo's", "sens", "sensors");
  for (int i = 1; i < argc; i++) {
    Row r = {.path = argv[i],
             .acceleration = -1,
             .place = -1,
             .ours_open = -1,
             .theirs_open = -1,
             .sensor = -1};
    look_at(&r);
    print_row(&r);
    loads += r.loads, compared += r.compared;
    sensors += r.sensors, measured += r.sensors > 0 && r.sensor <= 1e-9;
    with_sensors += r.sensors > 0;
    near += r.compared && r.acceleration <= 1e-9;
    places += r.compared && r.place <= 1e-12;
  }
  printf(
      "%d files: %d load, %d compared, accelerations within 1e-9 in %d, places within 1e-12 in "
      "%d\n",
      argc - 1, loads, compared, near, places);
  printf("%d sensors in %d files, within 1e-9 in %d\n", sensors, with_sensors, measured);
  return 0;
}
