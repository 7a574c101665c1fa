// Following drives: a slider-crank in closed form, open trees against Newton and Euler, power
// against the change of energy, change points passed straight on, ends of the range, all
// assemblies.
#include "support/model_file.h"

#include "sim/branches.h"
#include "sim/follow.h"

typedef struct Driven {
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarFollow f;
  SarError err;
} Driven;

static void begin(SarModel* m, Driven* r) {
  *r = (Driven){.m = m};
  sar_error_init(&r->err);
  EXPECT_OK_OR(sar_data_new(m, &r->d, &r->err), &r->err);
  EXPECT_OK_OR(sar_sim_new(m, r->d, NULL, &r->s, &r->err), &r->err);
  EXPECT_OK_OR(sar_follow_new(r->s, &r->f, &r->err), &r->err);
}

static void end(Driven* r) {
  sar_follow_free(&r->f);
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

static double joint_value(Driven* r, const char* name, double* speed) {
  double q[7], v[6];
  EXPECT_OK(sar_joint_get(r->d, sar_model_find(r->m, SAR_ITEM_JOINT, name), q, v));
  if (speed) *speed = v[0];
  return q[0];
}

static int nth_drive(const SarModel* m, int n) {
  for (int c = 0; c < m->nconstraint; c++)
    if (m->constraint[c].drive && n-- == 0) return c;
  fail_msg("no such drive");
  return -1;
}

static const char slider_crank[] =
    "planar: xy\ngravity: [0, -9.81, 0]\n"
    "bodies:\n  crank: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}\n"
    "  link: {rod: [[1, 0, 0], [4, 0, 0]], mass: 2}\n"
    "  slider: {box: [0.1, 0.1, 0.1], at: [4, 0, 0], mass: 3}\n"
    "joints:\n  O: {revolute: [ground, crank], at: [0, 0, 0], axis: z}\n"
    "  A: {revolute: [crank, link], at: [1, 0, 0], axis: z}\n"
    "  B: {revolute: [link, slider], at: [4, 0, 0], axis: z}\n"
    "  P: {prismatic: [ground, slider], at: [4, 0, 0], axis: x}\n"
    "constraints:\n  drive: {motion: O, value: 2 * t + 0.3 * sin(t)}\n";

// s = cos u + sqrt(9 - sin^2 u) - 4, by differences of fourth order for its rates
static double slider(double t) {
  const double u = 2 * t + 0.3 * sin(t);
  return cos(u) + sqrt(9 - sin(u) * sin(u)) - 4;
}

static void a_slider_crank_is_where_it_must_be(void** state) {
  (void)state;
  Driven r;
  begin(model_text(slider_crank), &r);
  for (double t = 0.1; t < 7; t += 0.37) {
    const double h = 1e-3;
    double v;
    EXPECT_OK_OR(sar_follow_to(&r.f, t, &r.err), &r.err);
    EXPECT_NEAR(joint_value(&r, "P", &v), slider(t), 1e-12);
    const double rate =
        (8 * (slider(t + h) - slider(t - h)) - slider(t + 2 * h) + slider(t - 2 * h)) / (12 * h);
    EXPECT_NEAR(v, rate, 1e-10);
  }
  end(&r);
}

// What the drive puts in is what the energy gains.
static void power_is_the_rate_of_the_energy(void** state) {
  (void)state;
  Driven r;
  begin(model_text(slider_crank), &r);
  const int row = r.m->constraint[nth_drive(r.m, 0)].row;
  for (double t = 0.2; t < 7; t += 0.61) {
    const double h = 1e-3;
    SarEnergy e[4];
    EXPECT_OK_OR(sar_follow_to(&r.f, t, &r.err), &r.err);
    const double power = sar_drive_state(r.m, r.d, row).power;
    const double at[4] = {-2 * h, -h, h, 2 * h};
    for (int i = 0; i < 4; i++) {
      EXPECT_OK_OR(sar_follow_to(&r.f, t + at[i], &r.err), &r.err);
      EXPECT_OK(sar_energy(r.d, &e[i]));
    }
    const double gain = (8 * (e[2].total - e[1].total) - e[3].total + e[0].total) / (12 * h);
    EXPECT_NEAR(power, gain, 1e-7);  // of about 100 W; h^4 = 1e-12 and rounding 1e-14 / h
  }
  end(&r);
}

static void open_trees_agree_with_newton_and_euler(void** state) {
  (void)state;
  Driven r;
  begin(model_text("bodies:\n  upper: {rod: [[0, 0, 0], [0, 0, -1]], mass: 1}\n"
                   "  lower: {rod: [[0, 0, -1], [0, 0, -1.8]], mass: 0.5}\n"
                   "joints:\n  shoulder: {revolute: [ground, upper], at: [0, 0, 0], axis: y}\n"
                   "  elbow: {revolute: [upper, lower], at: [0, 0, -1], axis: x}\n"
                   "constraints:\n  m1: {motion: shoulder, value: sin(t)}\n"
                   "  m2: {motion: elbow, value: 0.5 * cos(2 * t)}\n"),
        &r);
  for (double t = 0; t < 3; t += 0.5) {
    EXPECT_OK_OR(sar_follow_to(&r.f, t, &r.err), &r.err);
    const double a[2] = {-sin(t), -2 * cos(2 * t)}, v[2] = {cos(t), -sin(2 * t)};
    double force[2], tau[2];
    for (int i = 0; i < 2; i++) {
      force[i] = sar_drive_state(r.m, r.d, r.m->constraint[nth_drive(r.m, i)].row).force;
      EXPECT_NEAR(r.d->v[i], v[i], 1e-13);
      EXPECT_NEAR(r.d->a[i], a[i], 1e-12);
    }
    EXPECT_OK(sar_inverse_dynamics(r.d, a, tau));
    EXPECT_ARRAY_NEAR(force, tau, 2, 1e-11);
  }
  end(&r);
}

static const char parallelogram[] =
    "planar: xy\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
    "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 3}\n  c: {rod: [[2, 0, 0], [2, 1, 0]], mass: 2}\n"
    "joints:\n  O: {revolute: [ground, a], at: [0, 0, 0], axis: z}\n"
    "  A: {revolute: [a, b], at: [0, 1, 0], axis: z}\n"
    "  B: {revolute: [b, c], at: [2, 1, 0], axis: z}\n"
    "  C: {revolute: [ground, c], at: [%s, 0, 0], axis: z}\n"
    "constraints:\n  drive: {motion: O, value: t}\n";

static void change_points_are_passed_straight_on(void** state) {
  (void)state;
  char text[700];
  Driven r;
  snprintf(text, sizeof text, parallelogram, "2");
  begin(model_text(text), &r);
  // at odd multiples of pi / 2 all bars are in line: the anti-parallelogram begins there
  for (int i = 1; i <= 100; i++) {
    EXPECT_OK_OR(sar_follow_to(&r.f, 0.2 * i, &r.err), &r.err);
    EXPECT_NEAR(joint_value(&r, "C", NULL), 0.2 * i, 1e-9);
  }
  double t, grip;
  EXPECT_OK_OR(sar_follow_to(&r.f, 3.5 * 3.14159, &r.err), &r.err);
  EXPECT_OK(sar_follow_least_grip(&r.f, 10.9, 11.1, &t, &grip));
  EXPECT_NEAR(t, 3.5 * 3.14159265358979, 1e-6);
  EXPECT_AT_MOST(grip, 1e-5);
  EXPECT_NEAR(r.d->t, 3.5 * 3.14159, 0);  // back where it was
  end(&r);
}

static void the_range_has_an_end(void** state) {
  (void)state;
  char text[700];
  Driven r;
  // ground 2.6, coupler sqrt(5), rocker |(0.6, -1)|: the crank stops where coupler and rocker
  // stretch
  snprintf(text, sizeof text, parallelogram, "2.6");
  begin(model_text(text), &r);
  const double reach = sqrt(4.0) + sqrt(0.36 + 1), cosine = (1 + 2.6 * 2.6 - reach * reach) / 5.2;
  EXPECT_STATUS(sar_follow_to(&r.f, -3, &r.err), SAR_OK);
  EXPECT_STATUS(sar_follow_to(&r.f, -7, &r.err), SAR_NOT_CONVERGED);
  // the crank starts at 90 degrees
  EXPECT_NEAR(cos(r.d->t + 2 * atan(1.0)), cosine, 1e-5);
  assert_int_equal(r.err.errors, 1);
  assert_non_null(strstr(r.err.items[r.err.count - 1].text, "cannot follow its drives beyond"));
  end(&r);
}

static void motion_left_free_is_refused(void** state) {
  (void)state;
  SarModel* m = model_file("double_pendulum.yaml", NULL);
  SarData* d;
  SarSim* s;
  SarFollow f;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  EXPECT_STATUS(sar_follow_new(s, &f, &err), SAR_BAD_MODEL);
  assert_non_null(strstr(err.items[0].text, "2 degrees of freedom are left free"));
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

static void a_four_bar_has_two_assemblies(void** state) {
  (void)state;
  char text[700];
  Driven r;
  SarBranches b, again;
  snprintf(text, sizeof text, parallelogram, "2.2");
  begin(model_text(text), &r);
  EXPECT_OK_OR(sar_branches_find(r.m, r.d, 60, 7, &b, &r.err), &r.err);
  assert_int_equal(b.count, 2);
  assert_true(b.found[0] > 5 && b.found[1] > 5);
  assert_int_equal(b.found[0] + b.found[1] + b.open, 61);  // trials and the model's own
  // the same seed, the same answer
  memcpy(r.d->q, b.q, (size_t)r.m->nq_all * sizeof(double));
  EXPECT_OK_OR(sar_branches_find(r.m, r.d, 60, 7, &again, &r.err), &r.err);
  assert_int_equal(again.count, 2);
  assert_int_equal(again.found[1], b.found[1]);
  sar_branches_free(&b);
  sar_branches_free(&again);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slider_crank_is_where_it_must_be),
      cmocka_unit_test(power_is_the_rate_of_the_energy),
      cmocka_unit_test(open_trees_agree_with_newton_and_euler),
      cmocka_unit_test(change_points_are_passed_straight_on),
      cmocka_unit_test(the_range_has_an_end),
      cmocka_unit_test(motion_left_free_is_refused),
      cmocka_unit_test(a_four_bar_has_two_assemblies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
