// How much work steps with a rotor's inflow take: the loads of the blades are what costs, and the
// inflow that goes with them is iterated for in each evaluation. Random rotors whose pitch is moved
// within a few steps out of a state of their own, as by pilots, from the first step on and with
// long steps.
#include "model/force_kind.h"
#include "model/sim.h"
#include "support/run.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const char* const MODEL[] = {"uniform", "coleman", "drees",   "white_blake",
                                    "howlett", "payne",   "glauert", "pitt_peters"};
enum { MODELS = sizeof MODEL / sizeof *MODEL };

// ---- counting -----------------------------------------------------------------------------------

static const SarForceKind* counted;
static SarForceKind counting;
static int evaluations;

static void count_rates(const SarModel* m, SarData* d, int force, double* partial) {
  evaluations++;
  counted->rates(m, d, force, partial);
}

// The rotor's rates are the loads of all of its blades.
static void count_loads(SarModel* m) {
  const int rotor = sar_model_find(m, SAR_ITEM_FORCE, "rotor");
  counted = m->force_kind[rotor];
  counting = *counted;
  counting.rates = count_rates;
  m->force_kind[rotor] = &counting;
}

// ---- rotors -------------------------------------------------------------------------------------

// Rods, as heavy as their Lock number says; articulated.
static int blades_of(char* t, char* end, Rng* r, int blades, double radius, bool follows) {
  char* const begin = t;
  const double lock = rng_uniform(r, 4, 10), chord = 0.07 * radius;
  const double mass = 3 * 1.1 * 2 * PI * chord * radius * radius / lock;
  const double J = mass * radius * radius / 12;
  t += snprintf(t, (size_t)(end - t), "bodies:\n  hub: {mass: 1, inertia: [1, 1, 1]}\n");
  for (int b = 0; b < blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  s%d: {mass: 0.5, inertia: [0.1, 0.1, 0.1]}\n"
                  "  b%d: {mass: %.6g, inertia: [%.6g, %.6g, %.6g], com: [%.3g, 0, 0]}\n",
                  b, b, mass, 0.01 * J, J, 1.01 * J, 0.5 * radius);
  t += snprintf(t, (size_t)(end - t), "joints:\n  shaft: {revolute: [ground, hub], axis: z}\n");
  for (int b = 0; b < blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  flap%d: {revolute: [hub, s%d], origin: {at: [0, 0, 0], rpy: [0, 0, %.17g]}, "
                  "axis: -y}\n  pitch%d: {revolute: [s%d, b%d], origin: {at: [0.3, 0, 0]}, axis: "
                  "x}\n",
                  b, b, 2 * PI * b / blades, b, b, b);
  t += snprintf(t, (size_t)(end - t), "constraints:\n  turn: {motion: shaft, value: W*t}\n");
  const double mean = rng_uniform(r, 4, 14) * PI / 180, cyclic = rng_uniform(r, 0, 6) * PI / 180;
  for (int b = 0; b < blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  turn%d: {motion: pitch%d, value: %s*(%.4f + %.4f*sin(W*t + %.4f))}\n", b, b,
                  follows ? "stick" : "lever", mean, cyclic, 2 * PI * b / blades);
  return (int)(t - begin);
}

// Returns the length of its step: 20 to 60 a revolution.
static double random_rotor(Rng* r, const char* inflow, char* text, size_t size) {
  char *t = text, *end = text + size;
  const int blades = 2 + rng_int(r, 4);
  const double W = rng_uniform(r, 20, 50), radius = rng_uniform(r, 3, 8);
  const double step = 2 * PI / W / rng_uniform(r, 20, 60), wind = rng_uniform(r, 0, 70);
  const bool follows = rng_int(r, 2);
  const bool lags = strcmp(inflow, "pitt_peters") != 0;
  t += snprintf(t, (size_t)(end - t),
                "sarrus: 1\ngravity: [0, 0, 0]\nparameters: {W: %.17g}\n"
                "variables:\n  lever: \"t < %.17g ? 0.5*(1 - cos(pi*t/%.17g)) : 1\"\n"
                "states:\n  stick: {rate: (lever - stick)/1e-3}\n"
                "air: {density: 1.1, sound: 340, wind: [\"-%.3g*min(1, t)\", 0, 0]}\n",
                W, 5 * step, 5 * step, wind);
  t += blades_of(t, end, r, blades, radius, follows);
  t +=
      snprintf(t, (size_t)(end - t), "forces:\n  rotor: {rotor: hub, radius: %.3g, inflow: %s%s}\n",
               radius, inflow, lags ? ", memory: 0.1" : "");
  for (int b = 0; b < blades; b++)
    t += snprintf(t, (size_t)(end - t),
                  "  air%d: {strips: b%d, root: 0.5, tip: %.3g, chord: %.3g, twist: -0.05, inflow: "
                  "rotor}\n",
                  b, b, radius - 0.3, 0.07 * radius);
  assert_true(t < end);
  return step;
}

// ---- the bound ----------------------------------------------------------------------------------

// The most evaluations of the loads that one of the first steps takes.
static int most_of(const char* inflow, Rng* r) {
  enum { STEPS = 60 };
  static char text[16000];
  int most = 0;
  const double step = random_rotor(r, inflow, text, sizeof text);
  SarSimOptions o = run_options("lagrange", step);
  o.integrator = "adams";
  Run run = run_open(model_parse(text, NULL), &o);
  count_loads(run.m);
  EXPECT_OK(sar_warm_up(run.s));
  for (int i = 0; i < STEPS; i++) {
    evaluations = 0;
    if (sar_step(run.s) != SAR_OK) fail_msg("%s\n%s", sar_sim_trouble(run.s), text);
    if (evaluations > most) most = evaluations;
  }
  run_close(&run);
  return most;
}

// A step has one evaluation of the mechanism or two, most have one or two of the loads. (13 of
// these where a matrix of another place is all that leads to the inflow.)
static void no_step_asks_for_many_loads(void** state) {
  (void)state;
  Rng r = {test_seed(7301)};
  int most = 0;
  for (int trial = 0; trial < test_effort(3 * MODELS); trial++) {
    const int found = most_of(MODEL[trial % MODELS], &r);
    if (found > most) most = found;
  }
  print_message("at most %d evaluations of the loads in a step\n", most);
  EXPECT_AT_MOST(most, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_step_asks_for_many_loads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
