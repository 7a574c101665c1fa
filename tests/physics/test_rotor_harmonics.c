// Harmonics of a rotor's blades over the last revolution, against blades that are driven by known
// ones. Random rotors: how many blades, which way they turn, where aft is, a shaft that leans,
// steps that do not fit the revolution.
#include "support/run.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const char* const QUANTITY[] = {"flap", "lag", "pitch"};
static const char* const HARMONIC[] = {"0", "1c", "1s", "2c", "2s"};

typedef struct Rotor {
  int blades;
  double way, speed, aft;  // aft: azimuth of x
  double amount[3][5];
} Rotor;

static Rotor random_rotor(uint64_t seed) {
  Rng r = rng_seed(seed);
  Rotor x = {.blades = 2 + rng_int(&r, 4),
             .way = rng_int(&r, 2) ? 1 : -1,
             .speed = rng_uniform(&r, 20, 50),
             .aft = rng_uniform(&r, -PI, PI)};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 5; k++) x.amount[i][k] = rng_uniform(&r, -0.1, 0.1);
  return x;
}

// Drives of one quantity of blade b, whose azimuth is psi; the lag turns about the thrust axis
// against the way of the rotor.
static int add_drive(char* to, size_t size, const Rotor* x, int i, int b, const char* psi) {
  const double* a = x->amount[i];
  return snprintf(to, size,
                  "  d%s%d: {motion: %s%d, value: \"%.17g*(%.17g + %.17g*cos(%s) + %.17g*sin(%s) + "
                  "%.17g*cos(2*(%s)) + %.17g*sin(2*(%s)))\"}\n",
                  QUANTITY[i], b, QUANTITY[i], b,
                  i == 1   ? -x->way
                  : i == 0 ? 1.0
                           : x->way,
                  a[0], a[1], psi, a[2], psi, a[3], psi, a[4], psi);
}

// Hinges lag, flap, pitch on a hub whose shaft leans; blade b points at angle 2 pi b/n on the hub.
// The span axis is x of the blade, the leading edge on the side that it turns to.
static SarModel* make(const Rotor* x) {
  static char text[16000];
  char *t = text, *end = text + sizeof text;
  t += snprintf(t, (size_t)(end - t),
                "sarrus: 1\ngravity: [0, 0, 0]\nparameters: {W: %.17g}\nbodies:\n"
                "  mast: {mass: 1, inertia: [1, 1, 1]}\n  hub: {mass: 1, inertia: [1, 1, 1]}\n",
                x->way * x->speed);
  for (int b = 0; b < x->blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  c%d: {mass: 1, inertia: [1, 1, 1]}\n  s%d: {mass: 1, inertia: [1, 1, 1]}\n"
                  "  b%d: {mass: 1, inertia: [1, 1, 1]}\n",
                  b, b, b);
  t += snprintf(
      t, (size_t)(end - t),
      "joints:\n  lean: {fixed: [ground, mast], origin: {at: [1, 2, 3], rpy: [0.3, -0.2, "
      "0.7]}}\n  shaft: {revolute: [mast, hub], origin: {at: [0, 0, 0]}, axis: z, speed: W}\n");
  for (int b = 0; b < x->blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  lag%d: {revolute: [hub, c%d], origin: {rpy: [0, 0, %.17g]}, axis: z}\n"
                  "  flap%d: {revolute: [c%d, s%d], origin: {at: [0.3, 0, 0]}, axis: -y}\n"
                  "  pitch%d: {revolute: [s%d, b%d], origin: {at: [0, 0, 0]}, axis: x}\n",
                  b, b, 2 * PI * b / x->blades, b, b, b, b, b, b);
  t += snprintf(t, (size_t)(end - t), "constraints:\n  turn: {motion: shaft, value: W*t}\n");
  for (int b = 0; b < x->blades; b++) {
    char psi[120];
    // from aft to the blade, the way it turns
    snprintf(psi, sizeof psi, "%.17g*(W*t + %.17g)", x->way, 2 * PI * b / x->blades - x->aft);
    for (int i = 0; i < 3; i++) t += add_drive(t, (size_t)(end - t), x, i, b, psi);
  }
  t += snprintf(t, (size_t)(end - t), "forces:\n");
  for (int b = 0; b < x->blades; b++)
    t +=
        snprintf(t, (size_t)(end - t),
                 "  air%d: {strips: b%d, lead: %s, root: 0.5, tip: 2, chord: 0.1, inflow: rotor}\n"
                 "  tip%d: {strips: b%d, lead: %s, root: 2, tip: 2.2, chord: 0.1, inflow: rotor}\n",
                 b, b, x->way > 0 ? "y" : "-y", b, b, x->way > 0 ? "y" : "-y");
  snprintf(
      t, (size_t)(end - t),
      "  rotor: {rotor: hub, radius: 2.2, inflow: none, airframe: mast, aft: [%.17g, %.17g, 0]}\n"
      "outputs: [{force: rotor}, {force: rotor, with: harmonics}, {name: held, value: "
      "rotor.flap_1c}]\n",
      cos(x->aft), sin(x->aft));
  return model_parse(text, NULL);
}

static void harmonics_of_driven_blades(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(12); k++) {
    const uint64_t seed = test_seed(400) + (uint64_t)k;
    const Rotor x = random_rotor(seed);
    SarSimOptions o = run_options("lagrange", 2 * PI / x.speed / 71.3);
    o.integrator = "rk4";
    o.adaptive = 0;
    Run r = run_open(make(&x), &o);
    run_advance(&r, 1.3 * 2 * PI / x.speed);
    for (int i = 0; i < 3; i++)
      for (int h = 0; h < 5; h++) {
        char column[32];
        snprintf(column, sizeof column, "rotor.%s_%s", QUANTITY[i], HARMONIC[h]);
        const double got = run_output(&r, column), want = x.amount[i][h];
        // cubic interpolation over steps of 5 deg: (0.088)^4/384 of the fourth derivative of the
        // second harmonic
        if (!(fabs(got - want) <= 1e-6))
          fail_msg("seed %llu: %s is %.9g, not %.9g", (unsigned long long)seed, column, got, want);
      }
    run_close(&r);
  }
}

// Loads that vary with the azimuth: their mean over a revolution, by a sum over many instants.
static void mean_loads(void** state) {
  (void)state;
  const Rotor x = random_rotor(7);
  const double period = 2 * PI / x.speed;
  enum { N = 360 };
  SarSimOptions o = run_options("lagrange", period / 90);
  o.integrator = "rk4";
  o.adaptive = 0;
  Run r = run_open(make(&x), &o);
  double thrust = 0, mx = 0, most = 0;
  run_advance(&r, period);
  for (int i = 0; i < N; i++) {
    run_advance(&r, period * (1 + (i + 1.0) / N));
    const double T = run_output(&r, "rotor.thrust");
    thrust += T / N;
    mx += run_output(&r, "rotor.mx") / N;
    most = fmax(most, fabs(T));
  }
  EXPECT_NEAR(run_output(&r, "rotor.thrust_0"), thrust, 2e-3 * most);
  EXPECT_NEAR(run_output(&r, "rotor.mx_0"), mx, 4e-3 * most);
  run_close(&r);
}

// Expressions may use them, as they were where the last step ended; what is no rotor has none.
static void they_are_quantities(void** state) {
  (void)state;
  const Rotor x = random_rotor(11);
  const SarSimOptions o = run_options("lagrange", 2e-3);
  Run r = run_open(make(&x), &o);
  run_advance(&r, 0.5);
  EXPECT_NEAR(run_output(&r, "held"), run_output(&r, "rotor.flap_1c"), 1e-12);
  run_close(&r);
  static const char TEXT[] =
      "sarrus: 1\nbodies: {a: {mass: 1}}\njoints: {j: {prismatic: [ground, a], axis: z}}\n"
      "forces: {s: {spring_damper: [ground, a], stiffness: 1, length: 1}}\n"
      "outputs: [{force: s, with: harmonics}]\n";
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  assert_int_equal(sar_model_parse(TEXT, strlen(TEXT), "yaml", "text.yaml", NULL, &m, &err),
                   SAR_BAD_MODEL);
  assert_int_equal(err.errors, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(harmonics_of_driven_blades),
      cmocka_unit_test(mean_loads),
      cmocka_unit_test(they_are_quantities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
