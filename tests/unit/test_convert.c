// Models in other formats are the same mechanisms: YAML in every bit, URDF and MJCF to rounding;
// and what is lost is told.
#include "support/alloc_count.h"
#include "support/folder.h"
#include "support/test.h"

#include "model/fingerprint.h"
#include "model/model.h"
#include "sarrus/sarrus.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static SarError err;

static const char* said(void) {
  static char line[1200];
  return err.count ? sar_error_format(&err, 0, line, sizeof line) : "";
}

static SarConversion* converted(const char* from, const char* to) {
  SarConversion* c = NULL;
  sar_error_init(&err);
  if (sar_convert(from, to, NULL, &c, &err) != SAR_OK) fail_msg("%s: %s", from, said());
  return c;
}

// The text as a model; files that it names are in `folder`.
static SarModel* model_of(const char* text, const char* format, const char* folder) {
  SarLoadOptions o = {.search_paths = &folder, .search_path_count = folder ? 1 : 0};
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), format, "new", &o, &m, &err) != SAR_OK)
    fail_msg("%s\n%s", said(), text);
  return m;
}

static SarModel* loaded(const char* path) {
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_load(path, NULL, &m, &err) != SAR_OK) fail_msg("%s: %s", path, said());
  return m;
}

static bool tells(const SarConversion* c, const char* part) {
  for (int i = 0; i < sar_conversion_losses(c); i++)
    if (strstr(sar_conversion_loss(c, i)->text, part)) return true;
  return false;
}

// A file of its own in the folder for temporary ones.
static const char* written(const char* text, const char* name) {
  static char path[128];
  snprintf(path, sizeof path, "/tmp/sarrus-convert-%d-%s", (int)getpid(), name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return path;
}

// ---- YAML ------------------------------------------------------------------------------------

static void expect_same_model(const char* path, const char* folder) {
  char to[400];
  snprintf(to, sizeof to, "%.*s/new.yaml", (int)(strrchr(path, '/') - path), path);
  SarConversion* c = converted(path, to);
  SarModel* a = loaded(path);
  SarModel* b = model_of(sar_conversion_text(c), "yaml", folder);
  if (sar_model_fingerprint(a) != sar_model_fingerprint(b)) fail_msg("%s is another model", path);
  sar_model_free(a), sar_model_free(b);
  sar_conversion_free(c);
}

static void all_of(const char* folder) {
  static char names[200][FOLDER_NAME];
  const int n = folder_models(folder, names, 200);
  assert_true(n > 0);
  for (int i = 0; i < n; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    SarConversion* c = NULL;
    sar_error_init(&err);
    const SarStatus st = sar_convert(path, "new.yaml", NULL, &c, &err);
    sar_conversion_free(c);
    if (st == SAR_NOT_OFFERED) continue;  // told: parts of included files
    if (st != SAR_OK) fail_msg("%s: %s", path, said());
    if (test_takes((size_t)i, 5)) expect_same_model(path, folder);
  }
}

static void yaml_is_the_same_model_bit_for_bit(void** state) {
  (void)state;
  all_of("examples");
  all_of("tests/models/reference");
}

// What is included is written of what was read: every section that can be has a writer of its own.
static void included_models_are_the_same_bit_for_bit(void** state) {
  static char names[200][FOLDER_NAME];
  const int n = folder_models("examples", names, 200);
  int compared = 0;
  char here[300], text[600];
  (void)state;
  assert_non_null(getcwd(here, sizeof here));
  for (int i = 0; i < n; i++) {
    if (!test_takes((size_t)i, 5)) continue;
    snprintf(text, sizeof text, "sarrus: 1\ninclude: ['%s/examples/%s']\n", here, names[i]);
    const char* path = written(text, "whole.yaml");
    SarModel *a = NULL, *b;
    SarConversion* c = NULL;
    sar_error_init(&err);
    if (sar_model_load(path, NULL, &a, &err) == SAR_OK &&
        sar_convert(path, "examples/new.yaml", NULL, &c, &err) == SAR_OK) {
      b = model_of(sar_conversion_text(c), "yaml", "examples");
      if (sar_conversion_losses(c) == 0 && sar_model_fingerprint(a) != sar_model_fingerprint(b))
        fail_msg("%s is another model\n%s", names[i], sar_conversion_text(c));
      compared += sar_conversion_losses(c) == 0;
      sar_model_free(b);
    }
    sar_conversion_free(c);
    sar_model_free(a);
    unlink(path);
  }
  assert_true(compared >= n / 10);
}

static void robots_are_the_same_in_yaml_bit_for_bit(void** state) {
  static const char* const names[] = {
      "examples/parts/humanoid.urdf",        "examples/parts/puma.urdf",
      "tests/reference/tree/humanoid36.xml", "tests/reference/tree/arm7.xml",
      "tests/fuzz/corpus/mjcf/arm.xml",      "tests/fuzz/corpus/sdf/arm.sdf"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) expect_same_model(names[i], ".");
}

// ---- random trees ----------------------------------------------------------------------------

typedef struct Text {
  char text[16384];
  size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->used += (size_t)vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
  va_end(args);
  assert_true(t->used < sizeof t->text);
}

// screws and gimbals become joints that follow each other: see below
static const char* const KINDS[] = {"fixed",       "revolute",  "prismatic",
                                    "cylindrical", "universal", "spherical",
                                    "planar",      "free",      "cartesian"};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

// SDF: springs, but no free bodies in others, nor laws of balls.
typedef struct Wanted {
  bool springs, sdf;
} Wanted;

static void add_joint(Text* t, Rng* r, int k, Wanted w) {
  const bool springs = w.springs;
  const char* kind = KINDS[(k + rng_int(r, 2)) % KIND_COUNT];
  if (w.sdf && strcmp(kind, "free") == 0) kind = "revolute";
  const int parent = k == 0 ? -1 : rng_int(r, k + 1) - 1;
  const V3 axis = v3_unit(rng_v3(r, -1, 1)), at = rng_v3(r, -0.5, 0.5), across = v3_perp(axis);
  const SarJointKind* of = sar_joint_kind_find(kind);
  char from[16] = "ground", to[16];
  const bool free = strcmp(kind, "free") == 0, turned = of->nv == 1 && rng_int(r, 4) == 0;
  if (parent >= 0) snprintf(from, sizeof from, "b%d", parent);
  snprintf(to, sizeof to, "b%d", k);
  add(t, "  j%d: {%s: [%s, %s], at: [%.3f, %.3f, %.3f]", k, kind, turned ? to : from,
      turned ? from : to, free ? 0 : at.x, free ? 0 : at.y, free ? 0 : at.z);
  if (of->axes != SAR_AXES_NONE) add(t, ", axis: [%.17g, %.17g, %.17g]", axis.x, axis.y, axis.z);
  if (of->axes == SAR_AXES_TWO)
    add(t, ", axis2: [%.17g, %.17g, %.17g]", across.x, across.y, across.z);
  for (int i = 0; i < of->nparam; i++)
    add(t, ", %s: %.3f", of->param[i].name, rng_uniform(r, 0.1, 0.3));
  const bool ball = w.sdf && strcmp(kind, "spherical") == 0;
  if (of->nv > 0 && !free && !ball && strcmp(kind, "gimbal") != 0)
    add(t, ", damping: %.2f", rng_uniform(r, 0.1, 0.5));
  if (springs && of->nv == 1)
    add(t, ", stiffness: %.2f, rest: 0.3%s", rng_uniform(r, 5, 20), w.sdf ? "" : ", armature: 0.1");
  add(t, "}\n");
}

static void random_tree(Text* t, Rng* r, int n, Wanted w) {
  t->used = 0;
  add(t, "sarrus: 1\nname: random\nbodies:\n");
  for (int k = 0; k < n; k++) {
    const V3 c = rng_v3(r, -0.2, 0.2);
    add(t,
        "  b%d: {mass: %.2f, com: [%.3f, %.3f, %.3f], inertia: [0.3, 0.4, 0.5, %.3f, %.3f, "
        "%.3f]}\n",
        k, rng_uniform(r, 1, 3), c.x, c.y, c.z, rng_uniform(r, -0.05, 0.05),
        rng_uniform(r, -0.05, 0.05), rng_uniform(r, -0.05, 0.05));
  }
  add(t, "joints:\n");
  for (int k = 0; k < n; k++) add_joint(t, r, k, w);
}

// Coordinates of a joint of the new model, of the old one: how many, from where, how many times.
typedef struct Part {
  int q, v, nq, nv;
  double times;
} Part;

static Part part_of(const SarModel* a, const SarModel* b, const SarJointInfo* to, int joint) {
  const char* name = sar_model_name(b, SAR_ITEM_JOINT, joint);
  char own[64];
  SarJointInfo info;
  snprintf(own, sizeof own, "%.*s", (int)strcspn(name, "_"), name);
  const int from = sar_model_find(a, SAR_ITEM_JOINT, own);
  if (from < 0 && to->nv == 0) return (Part){0};
  assert_true(from >= 0);
  EXPECT_OK(sar_joint_info(a, from, &info));
  const char* suffix = strchr(name, '_');
  Part p = {info.qadr, info.vadr, to->nq, to->nv, 1};
  if (!suffix) return p;
  const SarJointKind* kind = a->joint_kind[from];
  if (strcmp(suffix, "_turn") == 0) return (Part){info.qadr + 3, info.vadr + 3, 4, 3, 1};
  if (strcmp(suffix, "_advance") == 0) p.times = a->joint_param[(size_t)from * SAR_JOINT_MAX_PARAM];
  for (int i = 0; i < kind->nv; i++)
    if (kind->q_suffix[i] && strcmp(suffix + 1, kind->q_suffix[i]) == 0) p.q += i, p.v += i;
  return p;
}

// Accelerations of the old model and of the new one, joint by joint, at random states.
static void expect_same_motion(const char* yaml, const char* text, const char* format, Rng* r,
                               double bound) {
  SarModel *a = model_of(yaml, "yaml", NULL), *b = model_of(text, format, NULL);
  SarData *da, *db;
  EXPECT_OK(sar_data_new(a, &da, NULL));
  EXPECT_OK(sar_data_new(b, &db, NULL));
  for (int trial = 0; trial < 3; trial++) {
    for (int i = 0; i < sar_model_nq(a); i++) sar_q(da)[i] = rng_uniform(r, -1, 1);
    for (int j = 0; j < a->nbody; j++)
      if (a->joint_nq[j] > a->joint_nv[j])
        quat_store(sar_q(da) + a->joint_qadr[j] + a->joint_nq[j] - 4,
                   quat_unit(quat_load(sar_q(da) + a->joint_qadr[j] + a->joint_nq[j] - 4)));
    for (int i = 0; i < sar_model_nv(a); i++) sar_v(da)[i] = rng_uniform(r, -1, 1);
    EXPECT_OK(sar_forward_dynamics(da));
    double most = 1;
    for (int i = 0; i < sar_model_nv(a); i++) most = fmax(most, fabs(sar_a(da)[i]));
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < b->nbody; j++) {
        SarJointInfo to;
        EXPECT_OK(sar_joint_info(b, j, &to));
        const Part p = part_of(a, b, &to, j);
        for (int i = 0; pass == 0 && i < p.nq; i++)
          sar_q(db)[to.qadr + i] = p.times * sar_q(da)[p.q + i];
        for (int i = 0; i < p.nv; i++) {
          if (pass == 0) sar_v(db)[to.vadr + i] = p.times * sar_v(da)[p.v + i];
          const double want = p.times * sar_a(da)[p.v + i], got = sar_a(db)[to.vadr + i];
          if (pass == 1 && !(fabs(got - want) <= bound * most))
            fail_msg("%s: a = %.17g, not %.17g (largest %g)\n%s\n%s",
                     sar_model_name(b, SAR_ITEM_JOINT, j), got, want, most, yaml, text);
        }
      }
      if (pass == 0) EXPECT_OK(sar_forward_dynamics(db));
    }
  }
  sar_data_free(da), sar_data_free(db);
  sar_model_free(a), sar_model_free(b);
}

static void random_trees(const char* format, const char* ending, Wanted w, double bound) {
  static Text t;
  char name[32];
  Rng r = rng_seed(test_seed(31));
  snprintf(name, sizeof name, "new%s", ending);
  for (int trial = 0; trial < test_effort(60); trial++) {
    random_tree(&t, &r, 1 + rng_int(&r, 14), w);
    const char* path = written(t.text, "tree.yaml");
    SarConversion* c = converted(path, name);
    unlink(path);
    if (tells(c, "follows") || tells(c, "held where")) fail_msg("lost\n%s", t.text);
    expect_same_motion(t.text, sar_conversion_text(c), format, &r, bound);
    sar_conversion_free(c);
  }
}

static void random_trees_move_alike_in_urdf(void** state) {
  (void)state;
  random_trees("urdf", ".urdf", (Wanted){0}, 1e-9);
}

static void random_trees_move_alike_in_sdf(void** state) {
  (void)state;
  // links between the coordinates of a joint have a billionth of the least mass
  random_trees("sdf", ".sdf", (Wanted){.springs = true, .sdf = true}, 1e-7);
}

// A free body, its points and gravity; what SDF has no words for is told.
static void sdf_has_a_world(void** state) {
  (void)state;
  const char* path = written(
      "sarrus: 1\ngravity: [0, 1, -3]\nbodies:\n"
      "  a: {mass: 2, inertia: [1, 1.5, 2, 0.1, 0, 0], at: [1, 2, 3], points: {tip: [1, 0, 0]}}\n"
      "  b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}\n"
      "joints: {b: {revolute: [ground, b], at: [0, 1, 0], axis: y, armature: 2}}\n",
      "world.yaml");
  SarConversion* c = converted(path, "world.sdf");
  SarModel* m = model_of(sar_conversion_text(c), "sdf", NULL);
  unlink(path);
  assert_true(tells(c, "joint 'b': its armature") && tells(c, "it is 'b_joint'"));
  assert_int_equal(sar_model_nv(m), 7);
  EXPECT_NEAR(v3_norm(v3_sub(m->gravity, v3(0, 1, -3))), 0, 0);
  SarData* d;
  double p[3], R[9];
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, "a"), p, R));
  EXPECT_ARRAY_NEAR(p, ((double[]){1, 2, 3}), 3, 0);
  assert_true(m->npoint == 1);
  sar_data_free(d), sar_model_free(m);
  sar_conversion_free(c);
}

static void random_trees_move_alike_in_mjcf(void** state) {
  (void)state;
  random_trees("mjcf", ".xml", (Wanted){.springs = true}, 1e-9);
}

// ---- what follows others: loops, screws, gimbals ------------------------------------------------

// Speeds of MJCF stand in a keyframe: they are those of the old model, by the names of the joints.
static void take_speeds(const SarModel* a, SarData* da, const SarModel* b, SarData* db) {
  for (int j = 0; j < b->nbody; j++) {
    const int from = sar_model_find(a, SAR_ITEM_JOINT, sar_model_name(b, SAR_ITEM_JOINT, j));
    double q[7], v[6];
    if (b->joint_nv[j] != 1 || from < 0) continue;
    EXPECT_OK(sar_joint_get(da, from, q, v));
    EXPECT_OK(sar_joint_set(db, j, q, v));
  }
}

// Steps both from the start; angles and displacements of joints with one coordinate, by their
// names.
static void expect_same_run(const SarModel* a, const SarModel* b, int steps, double bound) {
  SarSimOptions o = sar_sim_options();
  SarData* d[2];
  SarSim* s[2];
  const SarModel* m[2] = {a, b};
  int compared = 0;
  double moved = 0;
  SarAssembly closed;
  o.formulation = "lagrange";
  o.integrator = "rk4";
  o.step = 1e-3;
  for (int k = 0; k < 2; k++) {
    EXPECT_OK(sar_data_new(m[k], &d[k], NULL));
    EXPECT_OK(sar_assemble(d[k], &closed, NULL));
    if (k == 1) take_speeds(a, d[0], b, d[1]);
  }
  for (int k = 0; k < 2; k++) {
    EXPECT_OK(sar_sim_new(m[k], d[k], &o, &s[k], &err));
    for (int i = 0; i < steps; i++) EXPECT_OK(sar_step(s[k]));
  }
  for (int j = 0; j < a->nbody; j++) {
    const int to = sar_model_find(b, SAR_ITEM_JOINT, sar_model_name(a, SAR_ITEM_JOINT, j));
    double x[2], v[2];
    if (a->joint_nv[j] != 1 || to < 0 || to >= b->nbody) continue;
    EXPECT_OK(sar_joint_get(d[0], j, &x[0], &v[0]));
    EXPECT_OK(sar_joint_get(d[1], to, &x[1], &v[1]));
    EXPECT_NEAR(x[1], x[0], bound);
    moved = fmax(moved, fabs(v[0]));
    compared++;
  }
  assert_true(compared > 0 && moved > 1e-3);
  for (int k = 0; k < 2; k++) sar_sim_free(s[k]), sar_data_free(d[k]);
}

static void loops_move_alike(void** state) {
  static const char* const names[] = {"iftomm_a04_bricard", "double_fourbar", "fourbar_row"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char path[100];
    snprintf(path, sizeof path, "examples/%s.yaml", names[i]);
    SarConversion* c = converted(path, "new.xml");
    SarModel *a = loaded(path), *b = model_of(sar_conversion_text(c), "mjcf", NULL);
    assert_false(tells(c, "loop"));
    expect_same_run(a, b, 200, 1e-7);
    sar_model_free(a), sar_model_free(b);
    sar_conversion_free(c);
    c = converted(path, "new.urdf");
    assert_true(tells(c, "closes a loop: URDF has trees only"));
    sar_conversion_free(c);
    c = converted(path, "new.sdf");
    a = loaded(path), b = model_of(sar_conversion_text(c), "sdf", NULL);
    assert_false(tells(c, "loop"));
    expect_same_run(a, b, 200, 1e-7);
    sar_model_free(a), sar_model_free(b);
    sar_conversion_free(c);
  }
}

static void screws_and_gimbals_move_alike(void** state) {
  static const char text[] =
      "sarrus: 1\nbodies:\n"
      "  a: {mass: 1, com: [0.1, 0, 0.2], inertia: [0.02, 0.03, 0.04]}\n"
      "  b: {mass: 2, com: [0.3, 0.1, 0], inertia: [0.05, 0.03, 0.04]}\n"
      "  c: {mass: 1, com: [0.2, 0, -0.4], inertia: [0.05, 0.03, 0.04]}\n"
      "joints:\n"
      "  s: {screw: [ground, a], at: [0, 0, 0], axis: [0.6, 0, 0.8], pitch: 0.2, position: 0.3}\n"
      "  r: {revolute: [a, b], at: [0.2, 0, 0.1], axis: [0, 0.6, 0.8], position: 0.4}\n"
      "  g: {gimbal: [b, c], at: [0.5, 0, 0.1], axis: z, position: [0.2, -0.3]}\n";
  (void)state;
  const char* path = written(text, "screw.yaml");
  SarConversion* c = converted(path, "new.xml");
  assert_int_equal(sar_conversion_losses(c), 0);
  SarModel *a = loaded(path), *b = model_of(sar_conversion_text(c), "mjcf", NULL);
  expect_same_run(a, b, 200, 1e-7);
  sar_model_free(a), sar_model_free(b);
  sar_conversion_free(c);
  unlink(path);
}

// ---- losses ----------------------------------------------------------------------------------

static void what_is_lost_is_told_once_with_its_place(void** state) {
  static const char text[] =
      "sarrus: 1\n"
      "parameters: {k: 3}\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [1, 1, 1]}\n"
      "joints:\n"
      "  j: {revolute: [ground, a], axis: y, stiffness: k, motor: {speed: 1, effort: 2}}\n"
      "forces:\n"
      "  pull: {force: a, value: [0, 0, k]}\n";
  (void)state;
  const char* path = written(text, "lost.yaml");
  SarConversion* c = converted(path, "new.urdf");
  static const char* const parts[] = {"force 'pull' (force)", "joint 'j': motor",
                                      "joint 'j': its spring", "1 parameter"};
  static const int lines[] = {8, 6, 6, 2};
  assert_int_equal(sar_conversion_losses(c), 4);
  for (int i = 0; i < 4; i++) {
    int found = 0;
    for (int k = 0; k < 4; k++)
      if (strstr(sar_conversion_loss(c, k)->text, parts[i])) {
        found++;
        assert_int_equal(sar_conversion_loss(c, k)->line, lines[i]);
      }
    assert_int_equal(found, 1);
  }
  assert_null(sar_conversion_loss(c, 4));
  assert_null(sar_conversion_loss(c, -1));
  EXPECT_STATUS(sar_conversion_write(c, path, false, &err), SAR_BAD_ARGUMENT);
  EXPECT_OK(sar_conversion_write(c, path, true, &err));
  sar_conversion_free(c);
  unlink(path);
}

static void wrong_calls_are_refused(void** state) {
  SarConversion* c = NULL;
  SarConvertOptions o = sar_convert_options();
  (void)state;
  sar_error_init(&err);
  EXPECT_STATUS(sar_convert("examples/pendulum.yaml", "new.obj", NULL, &c, &err), SAR_BAD_ARGUMENT);
  o.format = "obj";
  EXPECT_STATUS(sar_convert("examples/pendulum.yaml", NULL, &o, &c, &err), SAR_BAD_ARGUMENT);
  o.format = "yaml";
  EXPECT_STATUS(sar_convert("none.yaml", NULL, &o, &c, &err), SAR_NO_FILE);
  EXPECT_STATUS(sar_convert(NULL, NULL, &o, &c, &err), SAR_BAD_ARGUMENT);
  assert_null(c);
}

// Names of URDF keep their characters, in quotes.
static void strange_names_are_quoted(void** state) {
  static const char text[] =
      "<robot name='r: #1'><link name='base'/><link name='left-arm'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name=\"it's, {1}\" type='continuous'><parent link='base'/><child link='left-arm'/>"
      "</joint></robot>";
  (void)state;
  const char* path = written(text, "names.urdf");
  SarConversion* c = converted(path, "new.yaml");
  SarModel *a = loaded(path), *b = model_of(sar_conversion_text(c), "yaml", NULL);
  assert_true(sar_model_fingerprint(a) == sar_model_fingerprint(b));
  assert_true(sar_model_find(b, SAR_ITEM_JOINT, "it's, {1}") >= 0);
  sar_model_free(a), sar_model_free(b);
  sar_conversion_free(c);
  unlink(path);
}

// The n-th allocation fails, for each n: told, and nothing is left behind.
static void memory_may_run_out(void** state) {
  static const char* const to[] = {"new.yaml", "new.urdf", "new.xml", "new.sdf"};
  static Text t;
  Rng r = rng_seed(5);
  (void)state;
  random_tree(&t, &r, 3, (Wanted){.springs = true});
  const char* path = written(t.text, "memory.yaml");
  for (int k = 0; k < 4; k++)
    for (long n = 1;; n++) {
      SarConversion* c = NULL;
      alloc_count_reset();
      alloc_fail_at(n);
      const SarStatus st = sar_convert(path, to[k], NULL, &c, NULL);
      const bool failed = alloc_has_failed();
      alloc_fail_at(0);
      sar_conversion_free(c);
      if (!failed) break;
      assert_true(st == SAR_NO_MEMORY || st == SAR_OK);
    }
  unlink(path);
}

// Named starts and what is said of inputs go along where there is room for them, and are told where
// there is none.
static void named_starts_are_kept_or_told(void** state) {
  (void)state;
  static const char KEYFRAME[] =
      "<mujoco model=\"m\"><worldbody><body name=\"a\"><joint name=\"j\" axis=\"0 0 1\"/>"
      "<geom type=\"sphere\" size=\"0.1\"/></body></worldbody>"
      "<actuator><motor name=\"u\" joint=\"j\"/></actuator>"
      "<keyframe><key name=\"up\" qpos=\"1\" qvel=\"0.5\" ctrl=\"2\"/></keyframe></mujoco>";
  SarConversion* c = converted(written(KEYFRAME, "key.xml"), "key.yaml");
  const char* yaml = sar_conversion_text(c);
  if (!strstr(yaml, "up: {positions: {j: 1}, speeds: {j: 0.5}, inputs: {u: 2}}"))
    fail_msg("%s", yaml);
  sar_model_free(model_of(yaml, "yaml", NULL));
  sar_conversion_free(c);

  static const char INPUT[] =
      "sarrus: 1\ninclude: [sarrus-convert-part.yaml]\n"
      "inputs: {u: {value: 1, unit: N m, min: -2}}\nkeys: {low: {inputs: {u: -1}}}\n";
  char part[128];
  snprintf(part, sizeof part, "/tmp/sarrus-convert-part.yaml");
  FILE* f = fopen(part, "w");
  assert_non_null(f);
  fputs(
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {j: {revolute: [ground, a], axis: z}}\n",
      f);
  fclose(f);
  char path[128];
  snprintf(path, sizeof path, "%s", written(INPUT, "input.yaml"));
  c = converted(path, "input2.yaml");
  yaml = sar_conversion_text(c);
  if (!strstr(yaml, "u: {value: 1, unit: N m, min: -2}") || !strstr(yaml, "low: {inputs: {u: -1}}"))
    fail_msg("%s", yaml);
  sar_conversion_free(c);
  c = converted(path, "input.urdf");
  assert_true(tells(c, "key 'low'") && tells(c, "its unit and its range"));
  sar_conversion_free(c);
  unlink(part);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(yaml_is_the_same_model_bit_for_bit),
      cmocka_unit_test(included_models_are_the_same_bit_for_bit),
      cmocka_unit_test(robots_are_the_same_in_yaml_bit_for_bit),
      cmocka_unit_test(random_trees_move_alike_in_urdf),
      cmocka_unit_test(random_trees_move_alike_in_mjcf),
      cmocka_unit_test(random_trees_move_alike_in_sdf),
      cmocka_unit_test(sdf_has_a_world),
      cmocka_unit_test(loops_move_alike),
      cmocka_unit_test(screws_and_gimbals_move_alike),
      cmocka_unit_test(what_is_lost_is_told_once_with_its_place),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(strange_names_are_quoted),
      cmocka_unit_test(memory_may_run_out),
      cmocka_unit_test(named_starts_are_kept_or_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
