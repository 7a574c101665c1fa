// Error control of the two-step rules of `redundant`: errors follow the tolerance, steps its cube
// root, and an attempt that was not good leaves no trace.
#include "support/run.h"

#include "model/sim.h"

#include <math.h>
#include <string.h>

static SarSimOptions controlled(const char* integrator, double rho, double tolerance) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "redundant";
  o.integrator = integrator;
  o.spectral_radius = rho;
  o.adaptive = 1;
  o.rtol = o.atol = tolerance;
  return o;
}

// Where a point is at the end of a run.
static V3 end_of(const char* path, const char* point, const SarSimOptions* o, double end,
                 SarStats* stats) {
  const bool absolute = o->formulation && strcmp(o->formulation, "redundant") == 0;
  const SarLoadOptions load = {.coordinates = absolute ? "absolute" : NULL};
  Run r = run_open(model_file(path, &load), o);
  double out[300], p[3];
  EXPECT_OK(sar_advance(r.s, end));
  EXPECT_OK(sar_outputs(r.s, out));
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.%c", point, "xyz"[i]);
    const int column = sar_model_find(r.m, SAR_ITEM_OUTPUT, name);
    assert_true(column >= 0);
    p[i] = out[column];
  }
  *stats = sar_stats(r.s);
  run_close(&r);
  return v3_load(p);
}

// Closed loops at speeds of thousands of radians a second (Andrews' squeezer), and a top: each
// tolerance that is ten times tighter takes off at least a factor of 3 (an error a step is h^3, of
// which there are 1/h: tolerance^(2/3) is 4.6), for at most three times the steps (10^(1/3)
// is 2.2).
static void errors_follow_the_tolerance(void** state) {
  (void)state;
  static const struct {
    const char *model, *point;
    double end, size;
  } CASES[] = {{"iftomm_a03_andrews.yaml", "F", 0.03, 0.02}, {"heavy_top.yaml", "top.tip", 0.5, 1}};
  static const struct {
    const char* integrator;
    double rho;
  } RULES[] = {{"two-step", 0}, {"two-step", 0.6}, {"trapezoidal", 1}};
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    SarStats stats;
    SarSimOptions o = sar_sim_options();
    o.integrator = "dopri5";
    o.rtol = o.atol = 1e-11;
    const V3 wanted = end_of(CASES[c].model, CASES[c].point, &o, CASES[c].end, &stats);
    for (size_t k = 0; k < sizeof RULES / sizeof *RULES; k++) {
      double first = 0, last = 0;
      long few = 0, many = 0;
      for (int digits = 3; digits <= 6; digits++) {
        o = controlled(RULES[k].integrator, RULES[k].rho, pow(10, -digits));
        const V3 is = end_of(CASES[c].model, CASES[c].point, &o, CASES[c].end, &stats);
        last = v3_norm(v3_sub(is, wanted)) / CASES[c].size;
        many = stats.steps;
        if (digits == 3) first = last, few = many;
        print_message("%s %s %.1f, 1e-%d: %ld steps, %ld not good, error %.1e\n", CASES[c].model,
                      RULES[k].integrator, RULES[k].rho, digits, stats.steps, stats.rejected, last);
        EXPECT_AT_MOST((double)stats.rejected,
                       10 + 0.15 * (double)stats.steps);  // those of the start
      }
      EXPECT_AT_MOST(last, first / 27);
      EXPECT_AT_MOST((double)many, 27 * (double)few);
      // of second order, whatever the steps are
      EXPECT_AT_MOST(1.6, log(first / last) / log((double)many / (double)few));
    }
  }
}

// A stiff spring with a damper whose vibration has died out: steps follow what is slow.
static void passes_over_stiffness(void** state) {
  (void)state;
  static const char TEXT[] =
      "sarrus: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: {block: {mass: 1, at: [1, 0, 0]}}\n"
      "forces: {k: {spring_damper: [ground, block], stiffness: 1e8, damping: 1e3, length: 1}}\n"
      "simulation: {end: 1}\n";
  SarSimOptions o = controlled("two-step", 0, 1e-4);
  Run r = run_open(model_parse(TEXT, &(SarLoadOptions){.coordinates = "absolute"}), &o);
  EXPECT_OK(sar_advance(r.s, 1));
  const SarStats stats = sar_stats(r.s);
  print_message("%ld steps, the longest of %.1e s; a vibration has %.1e s\n", stats.steps,
                stats.step_max, 2 * M_PI / 1e4);
  EXPECT_AT_MOST((double)stats.steps, 1000);
  EXPECT_AT_MOST(1e-3, stats.step_max);
  run_close(&r);
}

// Made again from a copy, a step that took several attempts is the same to the last bit.
static void attempts_leave_no_trace(void** state) {
  (void)state;
  SarSimOptions o = controlled("two-step", 0.6, 1e-5);
  o.step = 1e-2;  // far too long: many attempts
  SarModel* m = model_file("iftomm_a03_andrews.yaml", &(SarLoadOptions){.coordinates = "absolute"});
  Run r = run_open(m, &o);
  SarData* copy;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK(sar_data_new(m, &copy, &err));
  EXPECT_OK(sar_data_copy(copy, r.d));
  EXPECT_OK(sar_step(r.s));
  const double t = r.d->t, q = r.d->q[0];
  EXPECT_AT_MOST(1, (double)sar_stats(r.s).rejected);
  // the length at which it went well, at once
  o.step = t;
  SarSim* again;
  EXPECT_OK(sar_sim_new(m, copy, &o, &again, &err));
  EXPECT_OK(sar_step(again));
  EXPECT_NEAR(copy->t, t, 0);
  EXPECT_NEAR(copy->q[0], q, 0);
  EXPECT_NEAR((double)sar_stats(again).rejected, 0, 0);
  sar_sim_free(again);
  sar_data_free(copy);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_follow_the_tolerance),
                                     cmocka_unit_test(passes_over_stiffness),
                                     cmocka_unit_test(attempts_leave_no_trace)};
  return cmocka_run_group_tests_name("redundant_control", tests, NULL, NULL);
}
