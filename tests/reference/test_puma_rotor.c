// The rotor of the AS330 Puma against two independent codes: in vacuo, in hover, and in forward
// flight at advance ratios 0.15 and 0.32 (flight 123). Fixed steps of RK4: 0.625 ms is a converged
// step; in vacuo half of it, because the actuators' lag of 1 ms counts where so little is asked
// for.
#include "support/reference_file.h"
#include "support/run.h"

#include "support/model_file.h"

typedef struct Condition {
  const char* name;
  SarParameter parameter[8];
  int count;
} Condition;

static const double DEG = 3.14159265358979323846 / 180;

enum { LAG, FLAP, PITCH, INDUCED, THRUST, QUANTITIES };

static SarModel* puma(const Condition* c) {
  const SarLoadOptions o = {.parameters = c->parameter, .parameter_count = c->count};
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_load(SARRUS_SOURCE_DIR "/examples/puma_rotor.yaml", &o, &m, &err), &err);
  return m;
}

static void read_out(const Run* r, double out[QUANTITIES]) {
  static const char* const column[QUANTITIES] = {"lag1.q", "flap1.q", "pitch1.q", "rotor.induced",
                                                 "rotor.thrust"};
  for (int i = 0; i < QUANTITIES; i++) out[i] = run_output(r, column[i]) / (i < 3 ? DEG : 1);
}

// Largest differences over the rows from `from` on: to the first code, then to the second.
typedef struct Differences {
  double first[QUANTITIES], second[QUANTITIES];
} Differences;

static Differences compare(const Condition* c, const char* formulation, const char* integrator,
                           double step, double from) {
  static Reference reference;
  char name[64];
  Differences d = {{0}, {0}};
  snprintf(name, sizeof name, "rotor/puma_%s", c->name);
  reference_read(name, &reference);
  SarModel* m = puma(c);
  SarSimOptions o = run_options(formulation, step);
  o.integrator = integrator;
  o.adaptive = 0;
  Run r = run_open(m, &o);
  for (int i = 1; i < reference.rows; i++) {
    const double* row = reference.value[i];
    double x[QUANTITIES];
    run_advance(&r, row[0]);
    if (row[0] < from) continue;
    read_out(&r, x);
    for (int k = 0; k < QUANTITIES; k++) {
      d.first[k] = fmax(d.first[k], fabs(x[k] - row[1 + k]));
      d.second[k] = fmax(d.second[k], fabs(x[k] - row[1 + QUANTITIES + k]));
    }
  }
  run_close(&r);
  return d;
}

static void expect(const Condition* c, const char* what, const double* got, const double* bound) {
  static const char* const quantity[QUANTITIES] = {"lag [deg]", "flap [deg]", "pitch [deg]",
                                                   "induced [m/s]", "thrust [N]"};
  for (int k = 0; k < QUANTITIES; k++) {
    if (!(got[k] <= bound[k]))
      fail_msg("%s, %s: %s differs by %g, more than %g", c->name, what, quantity[k], got[k],
               bound[k]);
  }
}

#define CONDITION(rho, a, coll, fa, lat, v, alpha)                         \
  {{"density", rho}, {"sound", a}, {"collective", coll}, {"fore_aft", fa}, \
   {"lateral", lat}, {"speed", v}, {"attitude", alpha}},                   \
      7
static Condition condition(int i) {
  const Condition all[] = {
      {"hover", CONDITION(0.49575, 306.2, 11.6 * DEG, 0, 0, 0, 0)},
      {"mu015",
       CONDITION(1.225, 340.3, 9.5 * DEG, -4 * DEG, 1.5 * DEG, 31.47949369710597, -2 * DEG)},
      {"f123",
       CONDITION(1.05, 334.29, 13.45 * DEG, -7.16 * DEG, 2.17 * DEG, 67.6959242499822, -6 * DEG)},
      {"vacuo",
       CONDITION(0, 334.29, 13.45 * DEG, -7.16 * DEG, 2.17 * DEG, 67.6959242499822, -6 * DEG)},
  };
  return all[i];
}

// Without air it is mechanics alone. The first code's own step error is 8e-6 deg; measured
// here: 1.4e-5 deg flap.
static void in_vacuo(void** state) {
  (void)state;
  const Condition c = condition(3);
  const double bound[QUANTITIES] = {2e-5, 3e-5, 2e-5, 0, 0};
  const Differences d = compare(&c, "lagrange", "rk4", 0.3125e-3, 0.02);
  expect(&c, "against minimal coordinates", d.first, bound);
}

// From the start on against the first code, whose step error there is 2e-4 deg lag and 5e-4 deg
// flap ; the periodic part against both.
static void in_the_air(void** state) {
  (void)state;
  const double start[QUANTITIES] = {3e-4, 5e-4, 1e-4, 6e-4, 5};
  const double periodic[QUANTITIES] = {2e-4, 2e-4, 2e-5, 2e-5, 1.5};
  const double stored[QUANTITIES] = {1e-3, 1e-3, 3e-3, 1e-4, 5};
  for (int i = 0; i < 3; i++) {
    if (!test_takes(i, 3)) continue;
    const Condition c = condition(i);
    const Differences all = compare(&c, "lagrange", "rk4", 0.625e-3, 0.02);
    const Differences late = compare(&c, "lagrange", "rk4", 0.625e-3, 4);
    expect(&c, "start-up", all.first, start);
    expect(&c, "periodic part against minimal coordinates", late.first, periodic);
    expect(&c, "periodic part against MBDyn", late.second, stored);
  }
}

// At 90 steps a revolution: explicit in relative coordinates; implicit, where the inflow is solved
// with the step. MBDyn's own error at this step is 0.017 deg lag, 0.10 deg flap, 0.25 deg pitch,
// 240 N.
static void at_ninety_steps_a_revolution(void** state) {
  (void)state;
  const Condition c = condition(2);
  const double order4[QUANTITIES] = {2e-4, 2e-4, 2e-5, 2e-5, 1.5};
  const double order3[QUANTITIES] = {1e-3, 2e-3, 2e-4, 5e-4, 20};
  const double order2[QUANTITIES] = {2e-3, 6e-3, 1e-3, 5e-4, 25};
  Differences d = compare(&c, "lagrange", "rk4", 2.5e-3, 4);
  expect(&c, "RK4", d.first, order4);
  d = compare(&c, "lagrange", "adams", 2.5e-3, 4);
  expect(&c, "Adams", d.first, order3);
  d = compare(&c, "hybrid", "trapezoidal", 2.5e-3, 4);
  expect(&c, "hybrid", d.first, order2);
  d = compare(&c, "lagrange", "trapezoidal", 2.5e-3, 4);
  expect(&c, "trapezoidal rule", d.first, order2);
}

// Hover: thrust by blade elements and momentum theory in closed balance at the pitch that is
// reached (22 288 N by the reference's own closed form, which has the inflow but not the flapping:
// 0.5 %).
static void hover_is_in_balance(void** state) {
  (void)state;
  const Condition c = condition(0);
  SarModel* m = puma(&c);
  SarSimOptions o = run_options("lagrange", 2.5e-3);
  o.integrator = "rk4";
  o.adaptive = 0;
  Run r = run_open(m, &o);
  run_advance(&r, 5);
  const double T = run_output(&r, "rotor.thrust"), u = run_output(&r, "rotor.induced");
  EXPECT_NEAR(T, 22288, 0.005 * 22288);
  EXPECT_NEAR(u, sqrt(T / (2 * 0.49575 * 3.14159265358979 * 7.49 * 7.49)), 1e-5);
  run_close(&r);
}

// Harmonics over the last revolution against those that MBDyn's results have over the last four,
// usual azimuth (0 over the tail: 1c is its sine, 1s minus its cosine of Omega t). Its rows do not
// divide a revolution evenly: 4e-3 deg.
static void harmonics_of_flight_123(void** state) {
  (void)state;
  static const struct {
    const char* column;
    double deg;
  } want[] = {{"rotor.flap_0", 4.12787},   {"rotor.flap_1c", 2.05932},  {"rotor.flap_1s", -1.21888},
              {"rotor.flap_2c", -0.48831}, {"rotor.flap_2s", 0.05975},  {"rotor.lag_0", 7.85269},
              {"rotor.lag_1c", -0.27247},  {"rotor.lag_1s", -0.09306},  {"rotor.pitch_0", 13.51999},
              {"rotor.pitch_1c", 1.49666}, {"rotor.pitch_1s", -7.35239}};
  const Condition c = condition(2);
  SarSimOptions o = run_options("lagrange", 2.5e-3);
  o.integrator = "rk4";
  o.adaptive = 0;
  Run r = run_open(puma(&c), &o);
  run_advance(&r, 5);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    EXPECT_NEAR(run_output(&r, want[i].column) / DEG, want[i].deg, 4e-3);
  EXPECT_NEAR(run_output(&r, "rotor.thrust_0"), 52507.5, 10);
  EXPECT_NEAR(run_output(&r, "rotor.torque_0"), 30186, 5);
  run_close(&r);
}

// Blades of beams: ten two-node elements where the reference has five three-node ones, with the
// sections of its evaluation points and the masses of its nodes. The meshes are of different kinds
// and not converged, the reference is off by 1.5e-3 deg flap and 14 N; measured here in the
// periodic part: 0.013 deg lag, 0.014 deg flap, 0.0035 deg pitch, 230 N.
static void flexible_blades(void** state) {
  (void)state;
  static const char* const paths[] = {SARRUS_SOURCE_DIR "/examples"};
  static const char* const column[] = {"lag1.q", "flap1.q", "pitch1.q", "rotor.thrust"};
  const double bound[] = {0.015, 0.016, 0.005, 300};
  const SarLoadOptions load = {
      .coordinates = "absolute", .search_paths = paths, .search_path_count = 1};
  static Reference reference;
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  EXPECT_OK_OR(
      sar_model_load(SARRUS_SOURCE_DIR "/tests/models/rotor/puma_flexible.yaml", &load, &m, &err),
      &err);
  reference_read("rotor/puma_flexible", &reference);
  SarSimOptions o = run_options("redundant", 1.25e-3);
  o.integrator = "two-step";
  o.adaptive = 0;
  Run r = run_open(m, &o);
  for (int i = 1; i < reference.rows; i++) {
    const double* row = reference.value[i];
    run_advance(&r, row[0]);
    for (int k = 0; k < 4 && row[0] >= 2; k++)
      EXPECT_NEAR(run_output(&r, column[k]) / (k < 3 ? DEG : 1), row[1 + k], bound[k]);
  }
  // the tangent knows how loads turn: few iterations
  EXPECT_AT_MOST((double)sar_stats(r.s).iterations / (double)sar_stats(r.s).steps, 3.2);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_vacuo),
      cmocka_unit_test(in_the_air),
      cmocka_unit_test(at_ninety_steps_a_revolution),
      cmocka_unit_test(hover_is_in_balance),
      cmocka_unit_test(harmonics_of_flight_123),
      cmocka_unit_test(flexible_blades),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
