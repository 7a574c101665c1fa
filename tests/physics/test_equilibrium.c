// Static equilibrium: positions, reactions and frequencies in closed form; and at every equilibrium
// found, in loops too, the equations of motion give no acceleration.
#include "support/model_file.h"

#include "base/alloc.h"
#include "dynamics/tree.h"
#include "sim/equilibrium.h"

typedef struct Rest {
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarEquilibrium e;
  SarError err;
} Rest;

static SarStatus find(SarModel* m, bool settle, Rest* r) {
  static const SarSimOptions* standard = NULL;
  const SarEquilibriumOptions o = {.max_iterations = 200, .settle = settle};
  *r = (Rest){.m = m};
  sar_error_init(&r->err);
  EXPECT_OK_OR(sar_data_new(m, &r->d, &r->err), &r->err);
  EXPECT_OK_OR(sar_sim_new(m, r->d, standard, &r->s, &r->err), &r->err);
  r->e.omega2 = sar_alloc((size_t)(m->nv + 1) * sizeof(double));
  return sar_equilibrium_find(r->s, &o, &r->e, &r->err);
}

static void release(Rest* r) {
  sar_free(r->e.omega2);
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

static const char pendulum[] =
    "bodies:\n  rod: {rod: [[0, 0, 0], [1, 0, 0]], mass: 2}\n"
    "joints:\n  hinge: {revolute: [ground, rod], axis: y%s}\n";

static void a_pendulum_hangs(void** state) {
  (void)state;
  char text[400];
  Rest r;
  double force[3], torque[3];
  snprintf(text, sizeof text, pendulum, ", position: 0.3");
  EXPECT_OK_OR(find(model_text(text), false, &r), &r.err);
  EXPECT_NEAR(r.d->q[0], asin(1.0), 1e-12);
  EXPECT_NEAR(r.e.omega2[0], 1.5 * 9.81, 1e-6);  // 3 g / 2 L; differences are good to 1e-9
  assert_int_equal(r.e.unstable + r.e.indifferent, 0);
  EXPECT_OK(sar_reaction(r.d, 0, force, torque));
  EXPECT_ARRAY_NEAR(force, ((double[]){0, 0, 2 * 9.81}), 3, 1e-12);
  EXPECT_ARRAY_NEAR(torque, ((double[]){0, 0, 0}), 3, 1e-12);
  release(&r);
}

static void an_inverted_one_stands_unless_it_shall_settle(void** state) {
  (void)state;
  char text[400];
  Rest r;
  snprintf(text, sizeof text, pendulum, ", position: -90 deg");
  EXPECT_OK_OR(find(model_text(text), false, &r), &r.err);
  EXPECT_NEAR(r.d->q[0], -asin(1.0), 1e-12);
  assert_int_equal(r.e.unstable, 1);
  EXPECT_NEAR(r.e.omega2[0], -1.5 * 9.81, 1e-6);
  release(&r);
  EXPECT_OK_OR(find(model_text(text), true, &r), &r.err);
  EXPECT_NEAR(fabs(sin(r.d->q[0])), 1, 1e-12);
  EXPECT_NEAR(sin(r.d->q[0]), 1, 1e-12);
  assert_int_equal(r.e.unstable, 0);
  release(&r);
}

static void what_nothing_holds_is_named(void** state) {
  (void)state;
  Rest r;
  EXPECT_STATUS(find(model_text("bodies:\n  ball: {sphere: 0.1, mass: 1}\n"
                                "joints:\n  fall: {prismatic: [ground, ball], axis: z}\n"),
                     false, &r),
                SAR_NOT_CONVERGED);
  assert_non_null(strstr(r.err.items[0].text, "'fall' is still pushed by -9.81 N"));
  release(&r);
}

// Two stacked parallelograms hang as two pendulums, one below the other, whose bars do not turn:
// cranks l1 = 1, l2 = 0.8 as uniform rods, couplers as points.
static void stacked_parallelograms_have_their_frequencies(void** state) {
  (void)state;
  const char* const kinds[] = {"relative", "absolute"};
  const double g = 9.81, l1 = 1, l2 = 0.8, m1 = 3, c1 = 2, m2 = 2.4, c2 = 1.5;
  const double A = m1 * l1 * l1 / 3 + (c1 + m2 + c2) * l1 * l1, B = (m2 / 2 + c2) * l1 * l2,
               C = m2 * l2 * l2 / 3 + c2 * l2 * l2;
  const double k1 = g * l1 * (m1 / 2 + c1 + m2 + c2), k2 = g * l2 * (m2 / 2 + c2);
  // (k1 - w A)(k2 - w C) = w^2 B^2
  const double a = A * C - B * B, b = k1 * C + k2 * A, root = sqrt(b * b - 4 * a * k1 * k2);
  for (int i = 0; i < 2; i++) {
    const SarLoadOptions o = {.coordinates = kinds[i]};
    Rest r;
    EXPECT_OK_OR(find(model_file("reference/S_stacked_parallelograms.yaml", &o), false, &r),
                 &r.err);
    assert_int_equal(r.e.freedom, 2);
    assert_int_equal(r.e.unstable + r.e.indifferent, 0);
    EXPECT_NEAR(r.e.omega2[0], (b - root) / (2 * a), 1e-6);
    EXPECT_NEAR(r.e.omega2[1], (b + root) / (2 * a), 1e-6);
    SarEnergy energy;
    EXPECT_OK(sar_energy(r.d, &energy));
    EXPECT_NEAR(energy.potential,
                -g * (m1 / 2 + c1 + m2 / 2 + c2) * l1 - g * (m2 / 2) * l1 - g * (m2 / 2 + c2) * l2,
                1e-10);
    release(&r);
  }
}

static void at_rest_nothing_accelerates(void** state) {
  (void)state;
  const char* const names[] = {"F_slider_crank", "F_RSSR",        "H_bricard",
                               "K_five_link",    "L_peaucellier", "I_governor_A05"};
  const char* const kinds[] = {"relative", "absolute"};
  for (size_t k = 0; k < 2 * sizeof names / sizeof *names; k++) {
    char file[100];
    const SarLoadOptions o = {.coordinates = kinds[k % 2]};
    Rest r;
    snprintf(file, sizeof file, "reference/%s.yaml", names[k / 2]);
    SarModel* m = model_file(file, &o);
    EXPECT_OK_OR(find(m, true, &r), &r.err);
    assert_int_equal(r.e.unstable, 0);
    EXPECT_OK(r.s->formulation->accel(r.s));
    // masses of about 1 kg in fields of about 10 m/s^2
    for (int i = 0; i < m->nv; i++) EXPECT_NEAR(r.d->a[i], 0, 1e-7);
    release(&r);
  }
}

// A motor under control has no potential: its stiffness is not symmetric.
static void control_has_an_equilibrium_too(void** state) {
  (void)state;
  Rest r;
  EXPECT_OK_OR(find(model_file("cart_pole.yaml", NULL), false, &r), &r.err);
  EXPECT_NEAR(r.d->q[0], 0, 1e-9);
  EXPECT_NEAR(r.d->q[1], 0, 1e-9);
  release(&r);
}

// A wheel set on its plane may stand anywhere: nothing pushes it, and rounding is no stiffness.
static void what_rolls_rests_anywhere(void** state) {
  (void)state;
  Rest r;
  EXPECT_OK_OR(find(model_file("wheel_set.yaml", NULL), false, &r), &r.err);
  assert_int_equal(r.e.freedom, 3);
  assert_int_equal(r.e.indifferent, 3);
  assert_int_equal(r.e.unstable, 0);
  release(&r);
  // a coin that leans falls: there is no rest near, and a sentence says so
  EXPECT_STATUS(find(model_file("coin.yaml", NULL), false, &r), SAR_NOT_CONVERGED);
  assert_true(r.err.errors > 0 && strstr(r.err.items[0].text, "no equilibrium found"));
  release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_hangs),
      cmocka_unit_test(an_inverted_one_stands_unless_it_shall_settle),
      cmocka_unit_test(what_nothing_holds_is_named),
      cmocka_unit_test(stacked_parallelograms_have_their_frequencies),
      cmocka_unit_test(at_rest_nothing_accelerates),
      cmocka_unit_test(what_rolls_rests_anywhere),
      cmocka_unit_test(control_has_an_equilibrium_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
