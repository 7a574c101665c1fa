// Sensors of MJCF: each is the column that its name says, with the value that follows from poses,
// velocities and accelerations of the bodies; what has no counterpart is told.
#include "support/test.h"
#include "support/alloc_count.h"
#include "support/mjcf.h"
#include "support/random.h"

#include "sarrus/sarrus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 200 };

#define SCENE                                                                                   \
  "<mujoco><compiler angle='radian'/><worldbody>"                                               \
  "<body name='up' pos='0 0 1'><joint name='j' axis='0 1 0'/><joint name='k' type='slide'/>"    \
  "<inertial pos='0.1 0 -0.2' mass='2' diaginertia='0.1 0.2 0.25'/>"                            \
  "<body name='low' pos='0.2 0 -0.5'><joint name='l' axis='1 0.3 0' damping='0.2'/>"            \
  "<inertial pos='0 0.1 -0.3' mass='1' diaginertia='0.1 0.2 0.25'/>"                            \
  "<body name='cell' pos='0 0 -0.4'><site name='s' pos='0.3 0.2 0.1' quat='0.8 0.3 -0.1 0.4'/>" \
  "<inertial pos='0 0 -0.1' mass='0.5' diaginertia='0.1 0.2 0.25'/></body></body></body>"       \
  "<body name='z'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"             \
  "<site name='r' pos='0 0.1 0' quat='0.6 0.3 0.3 -0.1'/></body>"                               \
  "</worldbody><actuator><position name='act' joint='j' kp='3' gear='2'/></actuator>"

typedef struct Case {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double values[MOST];
} Case;

static Case open_case(const char* sensors) {
  static char text[8000];
  Case c = {0};
  snprintf(text, sizeof text, SCENE "<sensor>%s</sensor></mujoco>", sensors);
  c.m = good(text);
  EXPECT_OK(sar_data_new(c.m, &c.d, NULL));
  EXPECT_OK(sar_sim_new(c.m, c.d, NULL, &c.s, NULL));
  assert_in_range(sar_model_count(c.m, SAR_ITEM_OUTPUT), 1, MOST);
  return c;
}

static void close_case(Case* c) { sar_sim_free(c->s), sar_data_free(c->d), sar_model_free(c->m); }

static void shake(Case* c, Rng* rng) {
  for (int i = 0; i < sar_model_nq(c->m); i++) sar_q(c->d)[i] = rng_uniform(rng, -1, 1);
  for (int i = 0; i < sar_model_nv(c->m); i++) sar_v(c->d)[i] = rng_uniform(rng, -1, 1);
  sar_inputs(c->d)[0] = rng_uniform(rng, -2, 2);
  EXPECT_OK(sar_outputs(c->s, c->values));
}

static double column(const Case* c, const char* name) {
  const int i = sar_model_find(c->m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("there is no column '%s'", name);
  return c->values[i];
}

static void columns(const Case* c, const char* name, const char* const* suffix, int n,
                    double* out) {
  char text[100];
  for (int i = 0; i < n; i++) {
    snprintf(text, sizeof text, "%s.%s", name, suffix[i]);
    out[i] = column(c, text);
  }
}

static const char* const XYZ[] = {"x", "y", "z"};

// Pose of a site, and its velocity, by the body of the file.
typedef struct Place {
  double p[3], R[9], v[3], w[3];
} Place;

static void turn(const double R[9], const double a[3], double out[3], bool back) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int k = 0; k < 3; k++) out[i] += (back ? R[3 * k + i] : R[3 * i + k]) * a[k];
  }
}

static void matrix(const double q[4], double R[9]) {
  const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
  const double to[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, to, sizeof to);
}

static Place place_of(const Case* c, const char* body, const double at[3], const double quat[4]) {
  const int b = sar_model_find(c->m, SAR_ITEM_BODY, body);
  double o[3], R[9], own[9], p[3];
  Place out = {{0}, {0}, {0}, {0}};
  EXPECT_OK(sar_body_pose(c->d, b, o, R));
  EXPECT_OK(sar_body_velocity(c->d, b, at, out.w, out.v));
  turn(R, at, p, false);
  matrix(quat, own);
  for (int i = 0; i < 3; i++) out.p[i] = o[i] + p[i];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) out.R[3 * i + k] += R[3 * i + l] * own[3 * l + k];
  return out;
}

static Place site_s(const Case* c) {
  return place_of(c, "cell", (double[]){0.3, 0.2, 0.1}, (double[]){0.8, 0.3, -0.1, 0.4});
}
static Place site_r(const Case* c) {
  return place_of(c, "z", (double[]){0, 0.1, 0}, (double[]){0.6, 0.3, 0.3, -0.1});
}

static void expect_vector(const Case* c, const char* name, const double* expected) {
  double x[3];
  columns(c, name, XYZ, 3, x);
  EXPECT_ARRAY_NEAR(x, expected, 3, 1e-13);
}

static void frames_are_where_bodies_are(void** state) {
  (void)state;
  Case c = open_case(
      "<framepos name='p' objtype='site' objname='s'/>"
      "<framequat name='q' objtype='site' objname='s'/>"
      "<frameyaxis name='y' objtype='site' objname='s'/>"
      "<framelinvel name='v' objtype='site' objname='s'/>"
      "<frameangvel name='w' objtype='site' objname='s'/>"
      "<framepos name='pr' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<framequat name='qr' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<framezaxis name='zr' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<frameangvel name='wr' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<framelinvel name='vr' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<framepos name='com' objtype='body' objname='low'/>"
      "<framepos name='origin' objtype='xbody' objname='low'/>");
  Rng rng = rng_seed(test_seed(3));
  static const char* const Q[] = {"qw", "qx", "qy", "qz"};
  static const double one[4] = {1, 0, 0, 0};
  for (int trial = 0; trial < 20; trial++) {
    shake(&c, &rng);
    const Place s = site_s(&c), r = site_r(&c);
    double q[4], R[9], d[3], x[3], back[9] = {0};
    expect_vector(&c, "p", s.p);
    expect_vector(&c, "v", s.v);
    expect_vector(&c, "w", s.w);
    expect_vector(&c, "y", (double[]){s.R[1], s.R[4], s.R[7]});
    columns(&c, "q", Q, 4, q);
    matrix(q, R);
    EXPECT_ARRAY_NEAR(R, s.R, 9, 1e-13);
    columns(&c, "qr", Q, 4, q);
    matrix(q, R);
    for (int i = 0; i < 9; i++)
      for (int l = 0; l < 3; l++) back[i] += r.R[3 * l + i / 3] * s.R[3 * l + i % 3];
    EXPECT_ARRAY_NEAR(R, back, 9, 1e-13);
    for (int i = 0; i < 3; i++) d[i] = s.p[i] - r.p[i];
    turn(r.R, d, x, true);
    expect_vector(&c, "pr", x);
    const double spin[3] = {r.w[1] * d[2] - r.w[2] * d[1], r.w[2] * d[0] - r.w[0] * d[2],
                            r.w[0] * d[1] - r.w[1] * d[0]};
    for (int i = 0; i < 3; i++) d[i] = s.v[i] - r.v[i] - spin[i];
    turn(r.R, d, x, true);
    expect_vector(&c, "vr", x);
    for (int i = 0; i < 3; i++) d[i] = s.w[i] - r.w[i];
    turn(r.R, d, x, true);
    expect_vector(&c, "wr", x);
    expect_vector(&c, "zr", (double[]){back[2], back[5], back[8]});
    expect_vector(&c, "com", place_of(&c, "low", (double[]){0, 0.1, -0.3}, one).p);
    expect_vector(&c, "origin", place_of(&c, "low", (double[]){0, 0, 0}, one).p);
  }
  close_case(&c);
}

// The accelerometer by differences of the velocity along the motion, the force-torque sensor by the
// momentum of what hangs on it.
static void instruments_feel_the_motion(void** state) {
  (void)state;
  Case c = open_case(
      "<gyro name='g' site='s'/><velocimeter name='v' site='s'/>"
      "<accelerometer name='a' site='s'/><force name='f' site='s'/><torque name='t' site='s'/>");
  static const char* const GYRO[] = {"gyro_x", "gyro_y", "gyro_z"};
  static const char* const SPEED[] = {"speed_x", "speed_y", "speed_z"};
  static const char* const ACCEL[] = {"accel_x", "accel_y", "accel_z"};
  static const char* const FORCE[] = {"load_fx", "load_fy", "load_fz"};
  static const char* const TORQUE[] = {"load_tx", "load_ty", "load_tz"};
  Rng rng = rng_seed(test_seed(8));
  for (int trial = 0; trial < 20; trial++) {
    double g[3], v[3], a[3], f[3], t[3], x[3], before[3], after[3], sum[3];
    shake(&c, &rng);
    columns(&c, "g", GYRO, 3, g), columns(&c, "v", SPEED, 3, v), columns(&c, "a", ACCEL, 3, a);
    columns(&c, "f", FORCE, 3, f), columns(&c, "t", TORQUE, 3, t);
    const Place s = site_s(&c);
    turn(s.R, s.w, x, true);
    EXPECT_ARRAY_NEAR(g, x, 3, 1e-13);
    turn(s.R, s.v, x, true);
    EXPECT_ARRAY_NEAR(v, x, 3, 1e-13);
    // specific force of the mass centre of what hangs on the cell, its moment aside
    static const double com[3] = {0, 0, -0.1}, one[4] = {1, 0, 0, 0};
    const double h = 1e-5, mass = 0.5;
    double q[20], w[20];
    const int nq = sar_model_nq(c.m), nv = sar_model_nv(c.m);
    memcpy(q, sar_q(c.d), (size_t)nq * sizeof *q), memcpy(w, sar_v(c.d), (size_t)nv * sizeof *w);
    Place site[2], centre[2];
    for (int k = 0; k < 2; k++) {
      const double e = k ? h : -h;
      memcpy(sar_q(c.d), q, (size_t)nq * sizeof *q);
      EXPECT_OK(sar_forward_dynamics(c.d));
      for (int i = 0; i < 3; i++) {  // hinges and slides come first
        sar_q(c.d)[i] = q[i] + e * w[i] + e * e / 2 * sar_a(c.d)[i];
        before[i] = w[i] + e * sar_a(c.d)[i];
      }
      memcpy(sar_v(c.d), before, sizeof before);
      site[k] = site_s(&c), centre[k] = place_of(&c, "cell", com, one);
      memcpy(sar_v(c.d), w, (size_t)nv * sizeof *w);
    }
    memcpy(sar_q(c.d), q, (size_t)nq * sizeof *q);
    for (int i = 0; i < 3; i++) {
      after[i] = (site[1].v[i] - site[0].v[i]) / (2 * h) + (i == 2 ? 9.81 : 0);
      sum[i] = mass * ((centre[1].v[i] - centre[0].v[i]) / (2 * h) + (i == 2 ? 9.81 : 0));
    }
    turn(s.R, after, x, true);
    EXPECT_ARRAY_NEAR(a, x, 3, 1e-6);
    turn(s.R, sum, x, true);
    EXPECT_ARRAY_NEAR(f, x, 3, 1e-6);
    assert_true(fabs(t[0]) + fabs(t[1]) + fabs(t[2]) > 0);
  }
  close_case(&c);
}

static void numbers_have_their_names(void** state) {
  (void)state;
  Case c = open_case(
      "<jointpos name='angle' joint='j'/><jointvel name='speed' joint='k'/>"
      "<actuatorpos name='length' actuator='act'/><actuatorvel name='rate' actuator='act'/>"
      "<actuatorfrc name='push' actuator='act'/><clock name='now'/>"
      "<subtreecom name='com' body='up'/>");
  Rng rng = rng_seed(test_seed(5));
  static const double one[4] = {1, 0, 0, 0};
  for (int trial = 0; trial < 10; trial++) {
    shake(&c, &rng);
    const double q = column(&c, "j.q"), u = sar_inputs(c.d)[0];
    EXPECT_NEAR(column(&c, "angle"), q, 0);
    EXPECT_NEAR(column(&c, "speed"), column(&c, "k.v"), 0);
    EXPECT_NEAR(column(&c, "length"), 2 * q, 0);
    EXPECT_NEAR(column(&c, "rate"), 2 * column(&c, "j.v"), 0);
    EXPECT_NEAR(column(&c, "push"), 3 * (u - 2 * q), 1e-14 * 20);
    assert_true(column(&c, "energy.kinetic") > 0);
    const Place a = place_of(&c, "up", (double[]){0.1, 0, -0.2}, one);
    const Place b = place_of(&c, "low", (double[]){0, 0.1, -0.3}, one);
    const Place e = place_of(&c, "cell", (double[]){0, 0, -0.1}, one);
    double com[3];
    for (int i = 0; i < 3; i++) com[i] = (2 * a.p[i] + b.p[i] + 0.5 * e.p[i]) / 3.5;
    expect_vector(&c, "com", com);
  }
  close_case(&c);
}

static void what_is_not_taken_is_told(void** state) {
  (void)state;
  Case c = open_case(
      "\n<magnetometer site='s'/>\n<framexaxis name='e' objtype='body' objname='up'/>\n"
      "<touch name='p' site='s'/>\n<jointpos name='a' joint='j' cutoff='3'/>");
  assert_true(said("model.xml:2:") && said("<magnetometer> is not taken"));
  assert_true(said("model.xml:3:") && said("principal axes of a body are not taken"));
  assert_true(said("model.xml:4:") && said("nothing of its body touches"));
  assert_true(said("cutoff of <jointpos> is not taken"));
  close_case(&c);
  SarModel* m = NULL;
  static const char text[] =
      SCENE "<sensor><jointpos joint='x'/><gyro site='x'/></sensor></mujoco>";
  sar_error_init(&heard);
  assert_int_equal(sar_model_parse(text, strlen(text), "mjcf", "m.xml", NULL, &m, &heard),
                   SAR_BAD_MODEL);
  assert_true(said("there is no joint 'x'") && said("there is no site 'x'"));
}

// What presses on a body is known of the last step.
static void touch_is_what_presses(void** state) {
  (void)state;
  SarModel* m = good(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 0.5'><freejoint/><geom type='sphere' size='0.5' mass='2'/>"
      "<site name='s'/></body></worldbody><sensor><touch name='p' site='s'/></sensor></mujoco>");
  assert_true(said("all that presses on its body counts"));
  SarData* d;
  SarSim* s;
  double values[MOST];
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  for (int i = 0; i < 20; i++) EXPECT_OK(sar_step(s));
  EXPECT_OK(sar_outputs(s, values));
  EXPECT_NEAR(values[sar_model_find(m, SAR_ITEM_OUTPUT, "p")], 2 * 9.81, 1e-6);
  sar_sim_free(s), sar_data_free(d), sar_model_free(m);
}

// Tendons, actuators at sites and sensors with memory that runs out at every place.
static void memory_may_run_out(void** state) {
  (void)state;
  static const char text[] = SCENE
      "<tendon><spatial name='t' stiffness='2' damping='1'><site site='s'/><site site='r'/>"
      "<pulley divisor='2'/><site site='r'/><site site='s'/></spatial>"
      "<fixed name='f' stiffness='2' springlength='0 1'><joint joint='j' coef='2'/>"
      "<joint joint='l' coef='3'/></fixed></tendon>"
      "<actuator><motor name='u' tendon='t'/><damper name='d' site='s' kv='2' ctrlrange='0 1'"
      " gear='1 2 3 4 5 6'/><motor name='e' tendon='f'/></actuator>"
      "<sensor><tendonpos name='x' tendon='t'/><gyro name='g' site='s'/><force name='f' site='s'/>"
      "<framequat name='q' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<framelinvel name='v' objtype='site' objname='s' reftype='site' refname='r'/>"
      "<subtreecom name='c' body='up'/></sensor></mujoco>";
  SarModel* whole = good(text);
  sar_model_free(whole);
  const long stride = test_effort(1) > 1 ? 1 : 3;
  for (long n = 1;; n += stride) {
    SarModel* m = NULL;
    sar_error_init(&heard);
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = sar_model_parse(text, strlen(text), "mjcf", "m.xml", NULL, &m, &heard);
    const bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_model_free(m);
    if (!failed) break;
    if (st != SAR_NO_MEMORY && st != SAR_OK) {
      char line[400];
      fail_msg("%ld: %d %s", n, st, sar_error_format(&heard, 0, line, sizeof line));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_where_bodies_are), cmocka_unit_test(instruments_feel_the_motion),
      cmocka_unit_test(numbers_have_their_names),    cmocka_unit_test(what_is_not_taken_is_told),
      cmocka_unit_test(touch_is_what_presses),       cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
