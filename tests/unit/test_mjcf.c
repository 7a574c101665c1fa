// MJCF reader: a file means the mechanism that MuJoCo's reference says, which is written once more
// as YAML beside it; what is wrong or not taken is said where and how.
#include "support/test.h"
#include "support/alloc_count.h"
#include "support/mjcf.h"
#include "support/random.h"

#include "sarrus/sarrus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Accelerations of both at random states, with random inputs; coordinates are in the same order.
static void expect_same_motion(const char* mjcf, const char* yaml) {
  SarModel *a = good(mjcf), *b = good_as(yaml, "yaml");
  SarData *da, *db;
  Rng rng = rng_seed(7);
  EXPECT_OK(sar_data_new(a, &da, NULL));
  EXPECT_OK(sar_data_new(b, &db, NULL));
  assert_int_equal(sar_model_nq(a), sar_model_nq(b));
  const int nq = sar_model_nq(a), nv = sar_model_nv(a), nu = sar_model_count(a, SAR_ITEM_INPUT);
  assert_int_equal(nu, sar_model_count(b, SAR_ITEM_INPUT));
  EXPECT_ARRAY_NEAR(sar_q(da), sar_q(db), (size_t)nq, 1e-15);  // the start
  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < nq; i++) sar_q(da)[i] = sar_q(db)[i] = rng_uniform(&rng, -1, 1);
    for (int i = 0; i < nv; i++) sar_v(da)[i] = sar_v(db)[i] = rng_uniform(&rng, -1, 1);
    for (int i = 0; i < nu; i++) sar_inputs(da)[i] = sar_inputs(db)[i] = rng_uniform(&rng, -2, 2);
    EXPECT_OK(sar_forward_dynamics(da));
    EXPECT_OK(sar_forward_dynamics(db));
    for (int i = 0; i < nv; i++)
      EXPECT_NEAR(sar_a(da)[i], sar_a(db)[i], 1e-12 * (1 + fabs(sar_a(db)[i])));
  }
  sar_data_free(da), sar_data_free(db);
  sar_model_free(a), sar_model_free(b);
}

// ---- bodies and joints -----------------------------------------------------------------------

static void defaults_poses_and_shapes(void** state) {
  (void)state;
  expect_same_motion(
      "<mujoco model='arm'><compiler angle='degree'/>"
      "<default><joint damping='0.1' armature='0.02'/><geom density='500'/>"
      "  <default class='light'><geom density='200'/><joint damping='0.3'/></default></default>"
      "<worldbody><body name='upper' pos='0 0 1' euler='0 30 0'>"
      "  <joint name='shoulder' axis='0 1 0' stiffness='3' springref='10'/>"
      "  <geom type='capsule' fromto='0 0 0 0 0 -0.4' size='0.05'/>"
      "  <body name='lower' pos='0 0 -0.4' childclass='light'>"
      "    <joint name='elbow' pos='0.01 0 0' axis='0 0.6 0.8'/>"
      "    <geom type='box' pos='0 0 -0.2' size='0.02 0.03 0.2'/>"
      "    <geom class='main' type='sphere' pos='0 0 -0.4' size='0.05' mass='0.7'/>"
      "  </body></body></worldbody></mujoco>",
      "sarrus: 1\n"
      "bodies:\n"
      "  upper: {at: [0, 0, 1], rpy: [0, 30 deg, 0], density: 500, capsule: {radius: 0.05, from: "
      "[0, 0, 0], to: [0, 0, -0.4]}}\n"
      "  lower: {in: upper, at: [0, 0, -0.4], shapes: [{box: [0.04, 0.06, 0.4], at: [0, 0, -0.2], "
      "density: 200},\n"
      "          {sphere: 0.05, at: [0, 0, -0.4], mass: 0.7}]}\n"
      "joints:\n"
      "  shoulder: {revolute: [ground, upper], in: upper, at: [0, 0, 0], axis: y, damping: 0.1, "
      "armature: 0.02, stiffness: 3, rest: 10 deg}\n"
      "  elbow: {revolute: [upper, lower], in: lower, at: [0.01, 0, 0], axis: [0, 0.6, 0.8], "
      "damping: 0.3, armature: 0.02}\n");
}

// ref: the coordinate counts from elsewhere; several joints on a body.
static void reference_positions_and_chains(void** state) {
  (void)state;
  expect_same_motion(
      "<mujoco><compiler angle='radian'/><worldbody>"
      "<body name='b' pos='0.3 0 0'><joint name='x' type='slide' axis='1 0 0' ref='0.2'/>"
      "<joint name='y' pos='0 0 0.1' axis='0 1 0' ref='0.5'/>"
      "<inertial pos='0 0 -0.2' mass='2' diaginertia='0.03 0.02 0.01' quat='0.8 0.6 0 0'/></body>"
      "</worldbody></mujoco>",
      "sarrus: 1\n"
      "bodies:\n"
      "  m: {at: [0.1, 0, 0], mass: 0}\n"
      // at y = 0 the body stands turned by -0.5 about the point (0, 0, 0.1) of its frame
      "  b: {in: m, at: [0.1*sin(0.5), 0, 0.1*(1 - cos(0.5))], rpy: [0, -0.5, 0], mass: 2, com: "
      "[0, 0, -0.2],\n"
      // quat 0.8 0.6 0 0: a turn by 2 atan(0.75) about x, cos = 0.28, sin = 0.96
      "      inertia: [0.03, 0.02*0.28^2 + 0.01*0.96^2, 0.02*0.96^2 + 0.01*0.28^2, 0, 0, "
      "0.28*0.96*(0.02 - 0.01)]}\n"
      "joints:\n"
      "  x: {prismatic: [ground, m], in: m, at: [0, 0, 0], axis: x, position: 0.2}\n"
      "  y: {revolute: [m, b], in: b, at: [0, 0, 0.1], axis: y, position: 0.5}\n");
}

static void free_bodies_are_where_they_are(void** state) {
  (void)state;
  SarModel* m = good(
      "<mujoco><worldbody><body name='b' pos='1 2 3' quat='0 1 0 0'><freejoint/>"
      "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>");
  SarData* d;
  double p[3], R[9];
  const double place[7] = {1, 2, 3, 0, 1, 0, 0};
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_ARRAY_NEAR(sar_q(d), place, 7, 1e-15);
  EXPECT_OK(sar_body_pose(d, 0, p, R));
  EXPECT_ARRAY_NEAR(p, place, 3, 1e-15);
  EXPECT_NEAR(R[4], -1, 1e-15);
  sar_data_free(d);
  sar_model_free(m);
}

// Robots that another program wrote in both formats: by joints of the same names the same
// accelerations.
static void robots_are_those_of_their_urdf(void** state) {
  (void)state;
  static const char* const names[] = {"puma6", "arm7", "chain10", "chain100", "humanoid36"};
  for (int k = 0; k < 5; k++) {
    SarModel* m[2];
    SarData* d[2];
    Rng rng = rng_seed(11);
    for (int f = 0; f < 2; f++) {
      char path[400];
      snprintf(path, sizeof path, "%s/tests/reference/tree/%s.%s", SARRUS_SOURCE_DIR, names[k],
               f == 0 ? "xml" : "urdf");
      sar_error_init(&heard);
      EXPECT_OK_OR(sar_model_load(path, NULL, &m[f], &heard), &heard);
      EXPECT_OK(sar_data_new(m[f], &d[f], NULL));
    }
    assert_int_equal(sar_model_nv(m[0]), sar_model_nv(m[1]));
    SarJointInfo a, b;
    for (int j = 0; j < sar_model_count(m[0], SAR_ITEM_JOINT); j++) {
      double q[7], v[6];
      EXPECT_OK(sar_joint_info(m[0], j, &a));
      for (int i = 0; i < a.nq; i++) q[i] = rng_uniform(&rng, -1, 1);
      for (int i = 0; i < a.nv; i++) v[i] = rng_uniform(&rng, -1, 1);
      if (a.nv == 0) continue;
      EXPECT_OK(sar_joint_set(d[0], j, q, v));
      EXPECT_OK(sar_joint_set(d[1], sar_model_find(m[1], SAR_ITEM_JOINT, a.name), q, v));
    }
    EXPECT_OK(sar_forward_dynamics(d[0]));
    EXPECT_OK(sar_forward_dynamics(d[1]));
    double most = 1;
    for (int i = 0; i < sar_model_nv(m[1]); i++) most = fmax(most, fabs(sar_a(d[1])[i]));
    for (int j = 0; j < sar_model_count(m[0], SAR_ITEM_JOINT); j++) {
      EXPECT_OK(sar_joint_info(m[0], j, &a));
      if (a.nv == 0) continue;
      EXPECT_OK(sar_joint_info(m[1], sar_model_find(m[1], SAR_ITEM_JOINT, a.name), &b));
      EXPECT_ARRAY_NEAR(sar_a(d[0]) + a.vadr, sar_a(d[1]) + b.vadr, (size_t)a.nv, 1e-12 * most);
    }
    for (int f = 0; f < 2; f++) sar_data_free(d[f]), sar_model_free(m[f]);
  }
}

// ---- actuators and equality ------------------------------------------------------------------

#define SLIDER                                                              \
  "<worldbody><body name='b'><joint name='s-1' type='slide' axis='1 0 0'/>" \
  "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"

static double acceleration(const char* actuator, double q, double v, double u) {
  char text[1000];
  snprintf(text, sizeof text, "<mujoco>" SLIDER "<actuator>%s</actuator></mujoco>", actuator);
  SarModel* m = good(text);
  SarData* d;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  sar_q(d)[0] = q, sar_v(d)[0] = v;
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_INPUT); i++) sar_inputs(d)[i] = u;
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_STATE); i++) sar_states(d)[i] = 0.25;
  EXPECT_OK(sar_forward_dynamics(d));
  const double a = sar_a(d)[0];
  sar_data_free(d);
  sar_model_free(m);
  return a;
}

static void actuators_push(void** state) {
  (void)state;
  const double q = 0.3, v = -0.5, u = 1.5;
  EXPECT_NEAR(acceleration("<motor joint='s-1' gear='4'/>", q, v, u), 4 * u / 2, 1e-14);
  EXPECT_NEAR(acceleration("<motor joint='s-1' gear='4' ctrlrange='-1 1'/>", q, v, u), 4 * 1 / 2.0,
              1e-14);
  EXPECT_NEAR(acceleration("<position joint='s-1' kp='10' kv='3'/>", q, v, u),
              (10 * (u - q) - 3 * v) / 2, 1e-14);
  EXPECT_NEAR(acceleration("<position joint='s-1' kp='10' forcerange='-2 2'/>", q, v, u), 1, 1e-14);
  EXPECT_NEAR(acceleration("<velocity joint='s-1' kv='3' gear='2'/>", q, v, u),
              2 * 3 * (u - 2 * v) / 2, 1e-14);
  EXPECT_NEAR(acceleration("<damper joint='s-1' kv='3' ctrlrange='0 9'/>", q, v, u), -3 * v * u / 2,
              1e-14);
  EXPECT_NEAR(acceleration("<intvelocity joint='s-1' kp='8'/>", q, v, u), 8 * (0.25 - q) / 2,
              1e-14);
  EXPECT_NEAR(
      acceleration("<general joint='s-1' gainprm='2' biastype='affine' biasprm='1 -5 -0.5'/>", q, v,
                   u),
      (2 * u + 1 - 5 * q - 0.5 * v) / 2, 1e-14);
  EXPECT_NEAR(acceleration("<motor joint='s-1'/><motor joint='s-1' gear='3'/>", q, v, u), 4 * u / 2,
              1e-14);
}

// What joints, defaults and flags add to the laws of actuators.
static void actuators_keep_ranges(void** state) {
  (void)state;
  const double q = 0.3, v = -0.5, u = 1.5;
  EXPECT_NEAR(acceleration("<cylinder joint='s-1' diameter='2' bias='1 0 0'/>", q, v, u),
              (3.14159265358979323846 * 0.25 + 1) / 2, 1e-14);
  EXPECT_NEAR(acceleration("<motor jointinparent='s-1'/>", q, v, u), u / 2, 1e-14);
  static const char* const files[] = {
      // of the sum of both
      "<worldbody><body name='b'><joint name='j' type='slide' actuatorfrcrange='-1 2'/>",
      // the range of the joint about its middle 0.5, twice as wide: -0.5 .. 1.5, u = 4 -> 1.5
      "<worldbody><body name='b'><joint name='j' type='slide' range='0 1'/>",
      "<option gravity='0 0 0'><flag actuation='disable'/></option>"
      "<worldbody><body name='b'><joint name='j' type='slide' damping='2'/>",
      "<option><flag gravity='disable' damper='disable' clampctrl='disable'/></option>"
      "<worldbody><body name='b'><joint name='j' type='slide' damping='2'/>"};
  static const char* const actuators[] = {
      "<motor joint='j'/><motor joint='j'/>", "<position joint='j' kp='10' inheritrange='2'/>",
      "<motor joint='j'/>", "<motor joint='j' ctrlrange='0 1'/>"};
  const double expected[] = {2 / 2.0 - 9.81, 10 * 1.5 / 2 - 9.81, 0, 4 / 2.0};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco>%s<inertial pos='0 0 0' mass='2' diaginertia='1 1 "
             "1'/></body></worldbody><actuator>%s</actuator></mujoco>",
             files[k], actuators[k]);
    SarModel* m = good(text);
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    for (int i = 0; i < sar_model_count(m, SAR_ITEM_INPUT); i++) sar_inputs(d)[i] = 4;
    EXPECT_OK(sar_forward_dynamics(d));
    EXPECT_NEAR(sar_a(d)[0] + (k == 2 ? sar_v(d)[0] : 0), expected[k], 1e-13);
    sar_data_free(d);
    sar_model_free(m);
  }
}

// Frames move what stands in them; defaults of one actuator are those of others; gravcomp holds
// weight.
static void frames_defaults_and_held_weight(void** state) {
  (void)state;
  expect_same_motion(
      "<mujoco><default><motor ctrlrange='-1 1'/></default><worldbody>"
      "<frame pos='0 0 1' euler='0 0 90'><frame pos='1 0 0'><body name='b' gravcomp='0.25'>"
      "<frame pos='0 0.1 0' euler='90 0 0'><joint name='j' axis='0 0 1' pos='0 0 0.2'/>"
      "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.05'/></frame></body></frame></frame>"
      "</worldbody><actuator><position name='u' joint='j' kp='3'/></actuator></mujoco>",
      "sarrus: 1\n"
      "bodies:\n"
      "  b: {at: [0, 1, 1], rpy: [0, 0, 90 deg], density: 1000, capsule: {radius: 0.05, from: [0, "
      "0.1, 0], to: [0.3, 0.1, 0]}}\n"
      // about -y of the body, through (0, 0.1 - 0.2, 0)
      "joints: {j: {revolute: [ground, b], in: b, at: [0, -0.1, 0], axis: [0, -1, 0], force: "
      "'3*(clamp(u, -1, 1) - j.q)'}}\n"
      "inputs: {u: 0}\n"
      "forces: {g: {gravity_compensation: b, fraction: 0.25}}\n");
}

// Loops meet where the file has them, not where all coordinates are zero.
static void loops_meet_at_the_reference_position(void** state) {
  (void)state;
  static const char* const loops[] = {"<connect body1='b' body2='c' anchor='1 0 0'/>",
                                      "<connect site1='end' site2='top'/>"};
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><worldbody>"
             "<body name='a'><joint axis='0 1 0' ref='20'/><geom type='capsule' fromto='0 0 0 0 0 "
             "1' size='0.02'/>"
             "<body name='b' pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 "
             "0 0' size='0.02'/><site name='end' pos='1 0 0'/></body></body>"
             "<body name='c' pos='1 0 0'><joint name='crank' axis='0 1 0' ref='-30'/><geom "
             "type='capsule' fromto='0 0 0 0 0 1' size='0.02'/><site name='top' pos='0 0 "
             "1'/></body></worldbody><equality>%s</equality></mujoco>",
             loops[k]);
    SarModel* m = good(text);
    SarData* d;
    SarAssembly found;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    EXPECT_OK(sar_assemble(d, &found, NULL));
    assert_int_equal(found.freedoms, 1);
    EXPECT_NEAR(sar_q(d)[0], 20 * 3.14159265358979323846 / 180, 1e-9);  // nothing had to move
    sar_data_free(d);
    sar_model_free(m);
  }
}

static void equality_closes_loops(void** state) {
  (void)state;
  SarModel* m = good(
      "<mujoco><worldbody>"
      "<body name='a'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' size='0.02'/>"
      "<body name='b' pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 0 0' "
      "size='0.02'/></body></body>"
      "<body name='c' pos='1 0 0'><joint name='crank' axis='0 1 0'/><geom type='capsule' fromto='0 "
      "0 0 0 0 1' size='0.02'/></body>"
      "</worldbody><equality><connect body1='b' body2='c' anchor='1 0 0'/></equality></mujoco>");
  SarData* d;
  SarAssembly found;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_assemble(d, &found, NULL));
  assert_int_equal(found.freedoms, 1);
  sar_data_free(d);
  sar_model_free(m);
  m = good(
      "<mujoco><worldbody><body name='a'><joint name='p' axis='0 1 0'/><geom type='sphere' "
      "size='1'/></body>"
      "<body name='b'><joint name='q' axis='0 1 0'/><geom type='sphere' "
      "size='1'/></body></worldbody>"
      "<equality><joint joint1='q' joint2='p' polycoef='0 -2'/></equality></mujoco>");
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_assemble(d, &found, NULL));
  assert_int_equal(found.freedoms, 1);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- named starts ----------------------------------------------------------------------------

static void keys_are_starts(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><body name='b' pos='0 0 2'><freejoint/><geom size='0.1'/>"
      "<body name='c'><joint name='j' axis='0 1 0'/><joint name='k' type='slide'/><geom "
      "size='0.1'/>"
      "</body></body></worldbody><equality><weld body1='c' body2='b' active='false'/></equality>"
      "<actuator><motor name='m' joint='j'/><intvelocity name='i' joint='k' kp='2'/></actuator>"
      "<keyframe><key name='home' qpos='1 2 3 0 2 0 0 0.3 0.4' qvel='1 2 3 4 5 6 7 8' act='0.6' "
      "ctrl='0.7 0.8'/><key ctrl='3 4'/>\n<key name='short' qpos='1 2'/></keyframe></mujoco>";
  static const char* const names[] = {"home", "key_1"};
  static const double q[2][9] = {{1, 2, 3, 0, 1, 0, 0, 0.3, 0.4}, {0, 0, 2, 1, 0, 0, 0, 0, 0}};
  static const double v[2][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {0}};
  static const double u[2][2] = {{0.7, 0.8}, {3, 4}}, act[2] = {0.6, 0};
  for (int k = 0; k < 2; k++) {
    SarModel* m;
    SarData* d;
    const SarLoadOptions o = {.key = names[k]};
    sar_error_init(&heard);
    EXPECT_OK_OR(sar_model_parse(text, strlen(text), "mjcf", "model.xml", &o, &m, &heard), &heard);
    assert_true(said("model.xml:2:") && said("2 numbers for 9"));
    assert_int_equal(sar_model_count(m, SAR_ITEM_KEY), 2);
    assert_int_equal(sar_model_find(m, SAR_ITEM_KEY, names[k]), k);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    EXPECT_ARRAY_NEAR(sar_q(d), q[k], 9, 1e-15);
    EXPECT_ARRAY_NEAR(sar_v(d), v[k], 8, 1e-15);
    EXPECT_NEAR(sar_inputs(d)[sar_model_find(m, SAR_ITEM_INPUT, "m")], u[k][0], 1e-15);
    EXPECT_NEAR(sar_inputs(d)[sar_model_find(m, SAR_ITEM_INPUT, "i")], u[k][1], 1e-15);
    EXPECT_NEAR(sar_states(d)[0], act[k], 1e-15);
    sar_data_free(d);
    sar_model_free(m);
  }
  SarModel* m;
  const SarLoadOptions o = {.key = "hom"};
  sar_error_init(&heard);
  assert_int_equal(sar_model_parse(text, strlen(text), "mjcf", "model.xml", &o, &m, &heard),
                   SAR_BAD_MODEL);
  assert_true(said("there is no key 'hom' (did you mean 'home'?)"));
}

// In YAML what a key does not name is as in the rest of the file.
static void keys_of_yaml(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {j: {revolute: [ground, a], at: [0, 0, 0], axis: y, position: 0.5, speed: 2}}\n"
      "inputs: {u: 3}\n"
      "states: {x: {rate: u, start: 4}}\n"
      "keys:\n  up: {positions: {j: 90 deg}, states: {x: 5}}\n";
  const double q[] = {0.5, 3.14159265358979323846 / 2}, x[] = {4, 5};
  for (int k = 0; k < 2; k++) {
    SarModel* m;
    SarData* d;
    const SarLoadOptions o = {.key = k ? "up" : NULL};
    sar_error_init(&heard);
    EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "m.yaml", &o, &m, &heard), &heard);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    EXPECT_NEAR(sar_q(d)[0], q[k], 1e-15);
    EXPECT_NEAR(sar_v(d)[0], 2, 0);
    EXPECT_NEAR(sar_inputs(d)[0], 3, 0);
    EXPECT_NEAR(sar_states(d)[0], x[k], 0);
    sar_data_free(d);
    sar_model_free(m);
  }
  assert_null(
      parse("sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {jo: {spherical: "
            "[ground, a], at: [0, 0, 0]}}\nkeys:\n  up: {positions: {jp: 1, jo: [1, 2]}, inputs: "
            "{z: 1}}\n",
            "yaml"));
  assert_true(said("there is no joint 'jp' (did you mean 'jo'?)") && said("there is no input 'z'"));
  assert_true(said("'jo' takes 4 numbers, found 2"));
}

// ---- contact ---------------------------------------------------------------------------------

static int contacts(const char* second) {
  char text[1000];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><geom type='plane' size='1 1 1' contype='1' conaffinity='1'/>"
           "<body pos='0 0 0.09'><freejoint/><geom type='sphere' size='0.1' "
           "%s/></body></worldbody></mujoco>",
           second);
  SarModel* m = good(text);
  SarData* d;
  SarSim* s;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  EXPECT_OK(sar_step(s));
  const int n = sar_contact_count(d);
  sar_sim_free(s), sar_data_free(d), sar_model_free(m);
  return n;
}

static void masks_decide_who_touches(void** state) {
  (void)state;
  assert_int_equal(contacts(""), 1);
  assert_int_equal(contacts("contype='2' conaffinity='4'"), 0);
  assert_int_equal(contacts("contype='2' conaffinity='5'"), 1);
  assert_int_equal(contacts("contype='0' conaffinity='0'"), 0);
}

// ---- files, and what is wrong ----------------------------------------------------------------

static void write_file(const char* folder, const char* name, const char* text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void includes_are_their_contents(void** state) {
  (void)state;
  char folder[] = "/tmp/sarrus-mjcf-XXXXXX", path[300];
  assert_non_null(mkdtemp(folder));
  write_file(folder, "main.xml",
             "<mujoco><include file='defaults.xml'/><worldbody><include "
             "file='body.xml'/></worldbody></mujoco>");
  write_file(folder, "defaults.xml",
             "<mujocoinclude><default><geom density='10'/></default></mujocoinclude>");
  write_file(folder, "body.xml",
             "<mujocoinclude><body name='b'><freejoint/><geom type='box' size='0.5 0.5 "
             "0.5'/></body></mujocoinclude>");
  write_file(folder, "self.xml", "<mujoco><include file='self.xml'/></mujoco>");
  SarModel* m = NULL;
  sar_error_init(&heard);
  snprintf(path, sizeof path, "%s/main.xml", folder);
  EXPECT_OK_OR(sar_model_load(path, NULL, &m, &heard), &heard);
  EXPECT_NEAR(sar_body_mass(m, 0), 10, 1e-12);
  sar_model_free(m);
  sar_error_init(&heard);
  snprintf(path, sizeof path, "%s/self.xml", folder);
  assert_int_equal(sar_model_load(path, NULL, &m, &heard), SAR_BAD_MODEL);
  assert_true(said("include each other"));
  static const char* const names[] = {"main.xml", "defaults.xml", "body.xml", "self.xml"};
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void what_is_not_taken_is_told_once(void** state) {
  (void)state;
  SarModel* m = good(
      "<mujoco><worldbody><body><freejoint/><geom type='sphere' size='1'/></body></worldbody>\n"
      "<actuator><muscle/></actuator><deformable/>\n<deformable/><extension/></mujoco>");
  assert_int_equal(times_said("<deformable> is not taken (2 times)"), 1);
  assert_int_equal(times_said("model.xml:2:"), 2);
  assert_true(said("<extension> is not taken"));
  assert_int_equal(heard.errors, 0);
  sar_model_free(m);
}

static void mistakes_have_places(void** state) {
  (void)state;
  assert_null(
      parse("<mujoco><worldbody>\n<body name='a'><joint type='hing'/>\n<geom type='sphere' "
            "size='x'/></body>\n"
            "<body><joint axis='0 0 0'/><inertial mass='1'/></body></worldbody>\n"
            "<actuator><motor joint='nobody'/></actuator></mujoco>",
            "mjcf"));
  assert_true(said("model.xml:2:") && said("'hing'"));
  assert_true(said("model.xml:3:") && said("'x' is not a number"));
  assert_true(said("axis has no length") && said("diaginertia or fullinertia"));
  assert_true(said("model.xml:5:") && said("there is no joint 'nobody'"));
  assert_null(parse("<robot/>", "mjcf"));
  assert_true(said("expected <mujoco>"));
}

static void memory_may_run_out(void** state) {
  (void)state;
  static const char text[] = "<mujoco><default><geom density='2'/></default>" SLIDER
                             "<actuator><position joint='s-1' kp='3'/></actuator></mujoco>";
  for (long n = 1;; n++) {
    SarModel* m = NULL;
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = sar_model_parse(text, strlen(text), "mjcf", "m.xml", NULL, &m, NULL);
    const bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_model_free(m);
    if (!failed) break;
    assert_true(st == SAR_NO_MEMORY || st == SAR_OK);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_poses_and_shapes),
                                     cmocka_unit_test(reference_positions_and_chains),
                                     cmocka_unit_test(free_bodies_are_where_they_are),
                                     cmocka_unit_test(robots_are_those_of_their_urdf),
                                     cmocka_unit_test(actuators_push),
                                     cmocka_unit_test(actuators_keep_ranges),
                                     cmocka_unit_test(frames_defaults_and_held_weight),
                                     cmocka_unit_test(loops_meet_at_the_reference_position),
                                     cmocka_unit_test(equality_closes_loops),
                                     cmocka_unit_test(keys_are_starts),
                                     cmocka_unit_test(keys_of_yaml),
                                     cmocka_unit_test(masks_decide_who_touches),
                                     cmocka_unit_test(includes_are_their_contents),
                                     cmocka_unit_test(what_is_not_taken_is_told_once),
                                     cmocka_unit_test(mistakes_have_places),
                                     cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
