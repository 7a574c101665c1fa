// Observed order of convergence of every integrator that takes fixed steps, with accelerations and
// with every formulation that is implicit in positions: halving the step divides the error by
// 2^order. On smooth spatial motion, with one-axis joints and with every kind of joint, rotations
// on their manifold among them.
#include "support/test.h"

#include "model/sim.h"

#include <stdlib.h>

static const double END = 0.5;  // s

typedef struct Case {
  SarModel* m;
  int columns;
  double *expected, *values;
} Case;

// Values of all output columns at END.
static void run(const Case* c, const SarSimOptions* o, double* values) {
  SarError err;
  SarData* d = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(c->m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(c->m, d, o, &s, &err), &err);
  SarStatus status = sar_advance(s, END);
  if (status != SAR_OK) fail_msg("%s: %s", o->integrator, sar_sim_trouble(s));
  EXPECT_OK(sar_outputs(s, values));
  sar_sim_free(s);
  sar_data_free(d);
}

static Case open_case(const char* path) {
  Case c = {0};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_load(path, NULL, &c.m, &err), &err);
  c.columns = sar_model_count(c.m, SAR_ITEM_OUTPUT);
  c.expected = calloc((size_t)c.columns, sizeof(double));
  c.values = calloc((size_t)c.columns, sizeof(double));
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri5";
  o.rtol = o.atol = 1e-13;
  run(&c, &o, c.expected);
  return c;
}

static void close_case(Case* c) {
  free(c->expected);
  free(c->values);
  sar_model_free(c->m);
}

// Impulses act within a step: their accelerations and forces are means over it, not values at its
// end.
static bool is_mean(const Case* c, const char* integrator, int column) {
  const char* name = sar_model_name(c->m, SAR_ITEM_OUTPUT, column);
  const char* last = strrchr(name, '.');
  return (sar_integrator_find(integrator)->serves & SAR_FOR_IMPULSE) && last &&
         strchr("aft", last[1]) && strncmp(name, "energy.", 7) != 0;
}

// Root of the sum of squares of all columns' errors, each relative to its size.
static double error_of(const Case* c, const char* formulation, const char* integrator, int steps) {
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.integrator = integrator;
  o.step = END / steps;
  o.adaptive = 0;
  run(c, &o, c->values);
  double sum = 0;
  for (int k = 0; k < c->columns; k++) {
    if (is_mean(c, integrator, k)) continue;
    double e = (c->values[k] - c->expected[k]) / (1 + fabs(c->expected[k]));
    sum += e * e;
  }
  return sqrt(sum);
}

// Steps small enough for the leading term of the error, large enough for it to stand above
// rounding.
static int steps_for(int order) {
  return order == 1 ? 4096 : order == 2 ? 512 : order == 4 ? 64 : 48;
}

static void check_integrator(const Case* c, const char* formulation, const SarIntegrator* g) {
  int n = steps_for(g->order);
  double e1 = error_of(c, formulation, g->name, n), e2 = error_of(c, formulation, g->name, 2 * n);
  double order = log2(e1 / e2);
  print_message("%-12s %-20s error %.1e with %d steps, order %.2f\n", formulation, g->name, e1, n,
                order);
  EXPECT_NEAR(order, g->order, 0.2);
}

static void check_case(const char* path) {
  Case c = open_case(path);
  int tested = 0;
  for (int i = 0; sar_integrator(i); i++) {
    const SarIntegrator* g = sar_integrator(i);
    if (!g->can_fix) continue;
    if (g->step) check_integrator(&c, "auto", g);
    for (int k = 0; sar_formulation(k); k++)
      if (sar_formulation(k)->shape != SAR_SHAPE_ACCEL && sar_goes_with(sar_formulation(k), g) &&
          !sar_formulation(k)->absolute &&
          ((g->serves & SAR_FOR_IMPULSE) || test_effort(10) == 10 ||
           !strcmp(g->name, "trapezoidal")))
        check_integrator(&c, sar_formulation(k)->name, g);
    tested++;
  }
  assert_in_range(tested, 4, 1000);  // at least semi-implicit, rk4, dopri5, trapezoidal
  close_case(&c);
}

static void one_axis_joints(void** state) {
  (void)state;
  check_case("tests/models/reference/C_spatial_double_pendulum.yaml");
}

// Kinds that are in the table and not in this model: unit/test_integrators.c has them all.
static void every_kind_of_joint(void** state) {
  (void)state;
  check_case("tests/models/every_joint.yaml");
}

// States that drive the mechanism and are driven by it keep the order: in error control and
// accelerations, by every implicit scheme, by impulses.
static void states_of_the_user(void** state) {
  (void)state;
  check_case("tests/models/states.yaml");
  check_case("tests/models/following_drive.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_axis_joints),
      cmocka_unit_test(every_kind_of_joint),
      cmocka_unit_test(states_of_the_user),
  };
  return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
