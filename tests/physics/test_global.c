// The formulation `global` on the double four-bar of Cuadrado et al. 2003, sec. 4.1, and how it
// fails.
#include "support/random.h"
#include "support/run.h"

#include "model/sim.h"

static SarSim* start(SarModel** m, SarData** d, const char* file, const SarSimOptions* o) {
  SarError err;
  SarSim* s;
  sar_error_init(&err);
  *m = model_file(file, NULL);
  EXPECT_OK_OR(sar_data_new(*m, d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(*m, *d, o, &s, &err), &err);
  return s;
}

static void finish(SarModel* m, SarData* d, SarSim* s) {
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

typedef struct Row {
  double step, error;  // s; largest energy error in 10 s [J]
} Row;

// Six coordinates, trapezoidal rule, penalty 1e9: figures of a direct transcription of the paper's
// equations, with the projections' matrix taken at the end of the step (three digits). The
// automatic penalty leads to the same motion.
static const Row TABLE_1[] = {{0.01, -0.0917}, {0.03, -0.979}, {0.05, -3.05}, {0.1, -13.6}};

// The right branch, out of every singular position: all cranks have turned alike.
static void stay_parallel(const SarModel* m, const SarData* d) {
  Xform now[8], before[8];
  M3 first = m3_identity();
  int cranks = 0;
  assert_in_range(m->nbody, 1, 8);
  sar_poses_at(m, d->q, now);
  sar_poses_at(m, m->q0, before);
  for (int b = 0; b < m->nbody; b++) {
    if (strncmp(sar_text(m, m->body_name[b]), "crank", 5) != 0) continue;
    const M3 turn = m3_mul(now[b].R, m3_transpose(before[b].R));
    if (cranks++ == 0) first = turn;
    EXPECT_NEAR(turn.xx, first.xx, 1e-6);
    EXPECT_NEAR(turn.yx, first.yx, 1e-6);
  }
  assert_int_equal(cranks, 3);
}

static double largest_error(double step, double penalty, int* iterations) {
  SarModel* m;
  SarData* d;
  SarSimOptions o = sar_sim_options();
  o.formulation = "global";
  o.integrator = "trapezoidal";
  o.step = step;
  o.penalty = penalty;
  o.max_iterations = 50;  // a fixed penalty needs many near singular positions
  SarSim* s = start(&m, &d, "reference/A_double_fourbar.yaml", &o);
  double worst = 0;
  for (int i = 0; i < (int)(10 / step + 0.5); i++) {
    SarEnergy e;
    EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_energy(d, &e));
    if (fabs(e.error) > fabs(worst)) worst = e.error;
    stay_parallel(m, d);
  }
  *iterations = sar_stats(s).iterations_max;
  EXPECT_AT_MOST(sar_stats(s).position_violation, 1e-9);
  EXPECT_AT_MOST(sar_stats(s).velocity_violation, 1e-9);
  finish(m, d, s);
  return worst;
}

static void table_1(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof TABLE_1 / sizeof *TABLE_1; i++) {
    const Row* r = &TABLE_1[i];
    int iterations;
    EXPECT_NEAR(largest_error(r->step, 1e9, &iterations), r->error, 5e-3 * fabs(r->error));
    EXPECT_NEAR(largest_error(r->step, 0, &iterations), r->error, 5e-3 * fabs(r->error));
    assert_in_range(iterations, 1, 12);  // 4, 5, 6 and 11 were found
  }
}

// A step that does not converge ends with the joint that held it up, and the state is the last good
// one.
static void failure_names_a_joint(void** state) {
  (void)state;
  SarModel* m;
  SarData* d;
  SarSimOptions o = sar_sim_options();
  o.formulation = "global";
  o.step = 0.05;
  o.max_iterations = 1;
  SarSim* s = start(&m, &d, "reference/A_double_fourbar.yaml", &o);
  const double q = d->q[0];
  assert_int_equal(sar_step(s), SAR_NOT_CONVERGED);
  assert_in_range(s->worst, 0, m->nv - 1);
  assert_non_null(strstr(sar_sim_trouble(s), "joint '"));
  EXPECT_NEAR(d->t, 0, 0);
  EXPECT_NEAR(d->q[0], q, 0);
  finish(m, d, s);
}

// Joints and constraints that switch during the run: the same motion as in relative coordinates.
// Both have the error of their rule, which is of order h^2.
static void switched_joints_agree_with_hybrid(void** state) {
  (void)state;
  static const char* const files[] = {"puma_payload.yaml", "puma_pinned.yaml"};
  static const char* const formulations[] = {"hybrid", "global"};
  for (int i = 0; i < 2; i++) {
    double q[2][32];
    for (int k = 0; k < 2; k++) {
      SarModel* m;
      SarData* d;
      SarSimOptions o = sar_sim_options();
      o.formulation = formulations[k];
      o.step = 0.005;
      SarSim* s = start(&m, &d, files[i], &o);
      assert_in_range(m->nq, 1, 32);
      EXPECT_OK(sar_advance(s, 4));
      EXPECT_AT_MOST(sar_stats(s).position_violation, 1e-9);
      memcpy(q[k], d->q, (size_t)m->nq * sizeof q[k][0]);
      if (k == 1)
        for (int j = 0; j < m->nq; j++) EXPECT_NEAR(q[1][j], q[0][j], 2e-4);
      finish(m, d, s);
    }
  }
}

// A planar four-bar with a spring and a rod, its bodies at random depths: depth does not change the
// motion in the plane, only how a rod or spring across depths is inclined, which all of these have
// alike.
static void depth_of_planar_bodies_does_not_matter(void** state) {
  (void)state;
  static const char* const MODEL =
      "planar: xz\n"
      "parameters: {a: 0, b: 0, c: 0, g: 0}\n"
      "bodies:\n"
      "  crank: {rod: [[0, a, 0], [0, a, 1]], mass: 1}\n"
      "  coupler: {rod: [[0, b, 1], [2, b, 1.5]], mass: 2}\n"
      "  rocker: {rod: [[2, c, 1.5], [1.6, c, 0]], mass: 1}\n"
      "joints:\n"
      "  A: {revolute: [ground, crank], at: [0, g, 0], axis: y, speed: 2}\n"
      "  B: {revolute: [crank, coupler], at: [0, (a + b)/2, 1], axis: y}\n"
      "  C: {revolute: [coupler, rocker], at: [2, b, 1.5], axis: y}\n"
      "  D: {revolute: [rocker, ground], at: [1.6, c, 0], axis: y}\n"
      "forces: {pull: {spring_damper: [[coupler, [1, 0.2, 1]], [ground, [0, 0, -1]]], stiffness: "
      "20}}\n";
  double expected[2] = {0};
  Rng r = rng_seed(test_seed(4));
  for (int i = 0; i < 5; i++) {
    SarParameter depth[4] = {{"a", 0}, {"b", 0}, {"c", 0}, {"g", 0}};
    for (int k = 0; i > 0 && k < 4; k++) depth[k].value = rng_uniform(&r, -3, 3);
    const SarLoadOptions load = {.parameters = depth, .parameter_count = 4};
    SarSimOptions o = sar_sim_options();
    SarData* d;
    SarSim* s;
    o.formulation = "global";
    o.step = 1e-3;
    SarModel* m = model_text_with(MODEL, &load);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    EXPECT_OK(sar_sim_new(m, d, &o, &s, NULL));
    EXPECT_OK(sar_advance(s, 0.3));
    double found[2];
    EXPECT_OK(sar_joint_get(d, sar_model_find(m, SAR_ITEM_JOINT, "A"), &found[0], &found[1]));
    if (i == 0) memcpy(expected, found, sizeof expected);
    EXPECT_ARRAY_NEAR(found, expected, 2, 1e-8);  // Newton's tolerance is 1e-9
    finish(m, d, s);
  }
}

typedef struct Text {
  char text[80];
} Text;

static Text vector(Rng* r, double far) {
  const double x = rng_uniform(r, -far, far), y = rng_uniform(r, -far, far);
  Text t;
  snprintf(t.text, sizeof t.text, "[%.9g, %.9g, %.9g]", x, y, rng_uniform(r, -far, far));
  return t;
}

// Point masses on slides on slides, turned and moved, joints declared in either direction.
static SarModel* slides(Rng* r) {
  char bodies[1024] = "", joints[2048] = "", text[4096];
  const double far = rng_int(r, 2) ? 3 : 30;
  const int n = 1 + rng_int(r, 3);
  for (int i = 0; i < n; i++) {
    char own[16], carrier[16] = "ground";
    snprintf(own, sizeof own, "b%d", i);
    if (i > 0) snprintf(carrier, sizeof carrier, "b%d", i - 1);
    const char* ends[2] = {carrier, own};
    const int first = rng_int(r, 2);
    const Text at = vector(r, far), rpy = vector(r, 3), place = vector(r, far);
    snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
             "  %s: {at: %s, rpy: %s, mass: %.9g}\n", own, at.text, rpy.text,
             rng_uniform(r, 0.1, 5));
    const Text axis = vector(r, 1);
    snprintf(joints + strlen(joints), sizeof joints - strlen(joints),
             "  j%d: {prismatic: [%s, %s], at: %s, axis: %s, position: %.9g, speed: %.9g, "
             "stiffness: %.9g, damping: %.9g}\n",
             i, ends[first], ends[!first], place.text, axis.text, rng_uniform(r, -0.5, 0.5),
             rng_uniform(r, -2, 2), rng_uniform(r, 0, 5000), rng_uniform(r, 0, 5));
  }
  snprintf(text, sizeof text, "bodies:\n%sjoints:\n%soutputs: [joints]\n", bodies, joints);
  return model_text(text);
}

// Points alone have no rotations to find: directions of natural coordinates carry no mass there.
// Steps of any length converge, and to those of another formulation by the same rule.
static void point_masses_on_slides_agree_with_hybrid(void** state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < test_effort(12); k++) {
    for (int power = 2; power <= 6; power++) {
      double q[2][3] = {{0}};
      for (int f = 0; f < 2; f++) {
        Rng r = rng_seed(test_seed(900) + (uint64_t)k);
        const SarSimOptions o = run_options(f ? "hybrid" : "global", pow(10, -power));
        Run run = run_open(slides(&r), &o);
        for (int i = 0; i < 60; i++)
          if (sar_step(run.s) != SAR_OK) fail_msg("%s", sar_sim_trouble(run.s));
        for (int i = 0; i < run.m->nq; i++) q[f][i] = run.d->q[i];
        run_close(&run);
      }
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(q[0][i] - q[1][i]));
    }
  }
  print_message("point masses on slides: %.1e m from hybrid\n", worst);
  EXPECT_AT_MOST(worst, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1),
      cmocka_unit_test(failure_names_a_joint),
      cmocka_unit_test(switched_joints_agree_with_hybrid),
      cmocka_unit_test(depth_of_planar_bodies_does_not_matter),
      cmocka_unit_test(point_masses_on_slides_agree_with_hybrid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
