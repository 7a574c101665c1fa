// Measured quantities in expressions are what the public interface says: bodies, named points and
// joints, these in the file's direction also when the tree runs through them backwards.
#include "support/model_file.h"

#include "dynamics/tree.h"

enum { TRIALS = 20 };

// a force whose value is three expressions: what apply reports is what they came to
static const char* TEXT =
    "sarrus: 1\n"
    "points: {p: [1, 2, 3]}\n"
    "inputs: {u: 0.5}\n"
    "variables: {second: first + t, first: u^2}\n"
    "bodies:\n"
    "  a: {at: [0.3, 0, 0.1], mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {at: [0, 0.5, 0.2], rpy: [1, 2, 3], mass: 1, inertia: [1, 1, 1], points: {tip: [0.4, "
    "0.5, 0.6]}}\n"
    "joints:\n"
    "  j1: {planar: [ground, a], at: [0.1, 0.2, 0.3], axis: [0.6, 0, 0.8]}\n"
    "  j2: {spherical: [b, a], at: [0.1, 0.2, 0.3]}\n"
    "forces:\n"
    "  f1: {force: ground, value: [b.x, b.y, b.z]}\n"
    "  f2: {force: ground, value: [b.vx, b.vy, b.vz]}\n"
    "  f3: {force: ground, value: [b.wx, b.wy, b.wz]}\n"
    "  f4: {force: ground, value: [b.tip.x, b.tip.y, b.tip.z]}\n"
    "  f5: {force: ground, value: [b.tip.vx, b.tip.vy, b.tip.vz]}\n"
    "  f6: {force: ground, value: [j1.px, j1.py, j1.q]}\n"
    "  f7: {force: ground, value: [j2.qw, j2.qx, j2.qz]}\n"
    "  f8: {force: ground, value: [j2.wx, j2.wy, j2.wz]}\n"
    "  f9: {force: ground, value: [first, second, t]}\n"
    "  g1: {force: ground, value: [b.qx, b.qy, b.qz]}\n"
    "  g2: {force: ground, value: [b.qw, 0, 0]}\n";

static const double* value_of(const SarModel* m, const SarData* d, const char* force) {
  int i = sar_model_find(m, SAR_ITEM_FORCE, force);
  assert_true(i >= 0);
  return &d->force_output[m->force_output_adr[i]];
}

static void expect_values(const SarModel* m, SarData* d) {
  const double tip[3] = {0.4, 0.5, 0.6}, origin[3] = {0, 0, 0};
  double p[3], R[9], w[3], v[3], q[SAR_JOINT_MAX_NQ], qv[SAR_JOINT_MAX_NV];
  int b = sar_model_find(m, SAR_ITEM_BODY, "b");
  int j1 = sar_model_find(m, SAR_ITEM_JOINT, "j1"), j2 = sar_model_find(m, SAR_ITEM_JOINT, "j2");
  assert_int_equal(m->joint_turned[j2], 1);

  EXPECT_OK(sar_body_pose(d, b, p, R));
  EXPECT_ARRAY_NEAR(value_of(m, d, "f1"), p, 3, 1e-14);
  for (int i = 0; i < 3; i++)
    EXPECT_NEAR(value_of(m, d, "f4")[i],
                p[i] + R[3 * i] * tip[0] + R[3 * i + 1] * tip[1] + R[3 * i + 2] * tip[2], 1e-14);
  // R v of a vector by the quaternion: v + 2 w (u x v) + 2 u x (u x v)
  const double* g = value_of(m, d, "g1");
  V3 u_B = v3_load(g), e = v3(0.3, -0.5, 0.8), t_B = v3_scale(2, v3_cross(u_B, e));
  V3 turned = v3_add(v3_axpy(value_of(m, d, "g2")[0], t_B, e), v3_cross(u_B, t_B));
  EXPECT_NEAR(turned.x, R[0] * e.x + R[1] * e.y + R[2] * e.z, 1e-14);
  EXPECT_NEAR(turned.y, R[3] * e.x + R[4] * e.y + R[5] * e.z, 1e-14);
  EXPECT_NEAR(turned.z, R[6] * e.x + R[7] * e.y + R[8] * e.z, 1e-14);
  EXPECT_OK(sar_body_velocity(d, b, origin, w, v));
  EXPECT_ARRAY_NEAR(value_of(m, d, "f2"), v, 3, 1e-13);
  EXPECT_ARRAY_NEAR(value_of(m, d, "f3"), w, 3, 1e-13);
  EXPECT_OK(sar_body_velocity(d, b, tip, w, v));
  EXPECT_ARRAY_NEAR(value_of(m, d, "f5"), v, 3, 1e-13);

  EXPECT_OK(sar_joint_get(d, j1, q, qv));
  EXPECT_ARRAY_NEAR(value_of(m, d, "f6"), q, 3, 0);
  EXPECT_OK(sar_joint_get(d, j2, q, qv));
  EXPECT_ARRAY_NEAR(value_of(m, d, "f7"), ((double[]){q[0], q[1], q[3]}), 3, 0);
  EXPECT_ARRAY_NEAR(value_of(m, d, "f8"), qv, 3, 0);
  double u = sar_inputs(d)[0], t = sar_time(d);
  EXPECT_ARRAY_NEAR(value_of(m, d, "f9"), ((double[]){u * u, u * u + t, t}), 3, 1e-15);
}

static void measures_are_what_the_interface_says(void** state) {
  (void)state;
  SarModel* m = model_parse(TEXT, NULL);
  SarData* d = NULL;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  Rng r = rng_seed(1);
  for (int trial = 0; trial < TRIALS; trial++) {
    for (int i = 0; i < m->nv; i++) d->v[i] = rng_uniform(&r, -1, 1);
    for (int b = 0; b < m->nbody; b++) {
      double* q = &d->q[m->joint_qadr[b]];
      if (m->joint_nq[b] == 4)
        quat_store(q, rng_quat(&r));
      else
        v3_store(q, rng_v3(&r, -1, 1));
    }
    sar_set_time(d, rng_uniform(&r, 0, 2));
    sar_inputs(d)[0] = rng_uniform(&r, -1, 1);
    EXPECT_OK(sar_forward_dynamics(d));
    expect_values(m, d);
  }
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(measures_are_what_the_interface_says)};
  return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
