// What `auto` takes: limits are kept, dry friction and stiff joints run in finite time, smooth
// models keep error control, and the reason is said. Random robots: chains with limits, friction,
// dampers of any size.
//
// Bounds: two seconds at the shortest step of 1e-5 s are 200000 steps, and most have 2000; a run
// with a tenth of the step differs by the order of the step times speeds of some rad/s, and by more
// where an impact at a limit falls into another step, which six joints in a row amplify: 0.05 rad
// or m after 0.3 s.
#include "support/random_model.h"
#include "support/run.h"

#include "model/sim.h"

enum { ROBOTS = 40, BODIES = 6, MOST_STEPS = 200100 };

static void add_values(ModelText* t, Rng* r) {
  if (rng_int(r, 2)) model_add(t, ", friction: %.17g", pow(10, rng_uniform(r, -2, 1)));
  if (rng_int(r, 2)) model_add(t, ", damping: %.17g", pow(10, rng_uniform(r, -3, 4)));
  if (rng_int(r, 3) == 0) model_add(t, ", stiffness: %.17g", pow(10, rng_uniform(r, 0, 6)));
  if (rng_int(r, 2))
    model_add(t, ", lower: %.17g, upper: %.17g", -rng_uniform(r, 0.1, 1), rng_uniform(r, 0.1, 1));
}

static SarModel* random_robot(Rng* r, ModelText* t) {
  const int n = 2 + rng_int(r, BODIES - 1);
  t->used = 0;
  model_add(t, "sarrus: 1\nbodies:\n");
  for (int i = 0; i < n; i++)
    model_add(t, "  b%d: {rod: [[%.3f, 0, 0], [%.3f, 0, 0]], mass: %.17g}\n", i, 0.3 * i,
              0.3 * (i + 1), rng_uniform(r, 0.2, 3));
  model_add(t, "joints:\n");
  for (int i = 0; i < n; i++) {
    const bool slides = rng_int(r, 5) == 0;
    model_add(t, "  j%d: {%s: [%s%d, b%d], at: [%.3f, 0, 0], axis: %s", i,
              slides ? "prismatic" : "revolute", i ? "b" : "ground #", i ? i - 1 : 0, i, 0.3 * i,
              rng_int(r, 2) ? "y" : "z");
    add_values(t, r);
    model_add(t, "}\n");
  }
  for (char* p = t->text; (p = strstr(p, "ground #0"));) memcpy(p, "ground   ", 9);
  model_add(t, "outputs: [joints, energy]\n");
  return model_parse(t->text, NULL);
}

static double outside(const SarModel* m, const SarData* d) {
  double most = 0;
  for (int i = 0; i < m->nv; i++)
    most = fmax(most, fmax(m->dof_lower[i] - d->q[i], d->q[i] - m->dof_upper[i]));
  return most;
}

static void robots_run_in_finite_time(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(6000);
  for (int i = 0; i < test_effort(ROBOTS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    Run a = run_open(random_robot(&r, &t), NULL);
    SarSimOptions fine = sar_sim_options();
    fine.formulation = "impulse";
    fine.step = 0.1 * a.s->options.step;
    Run b = run_open(model_parse(t.text, NULL), &fine);
    if (!a.s->reason[0]) fail_msg("seed %llu: no reason given", seed);
    run_advance(&a, 0.3);
    run_advance(&b, 0.3);
    for (int k = 0; k < a.m->nv; k++)
      if (!(fabs(a.d->q[k] - b.d->q[k]) <= 0.05))
        fail_msg("seed %llu, %s: q[%d] = %g, with fine steps %g\n%s", seed, a.s->formulation->name,
                 k, a.d->q[k], b.d->q[k], t.text);
    run_advance(&a, 2);
    if (a.s->formulation->shape == SAR_SHAPE_IMPULSE && !(outside(a.m, a.d) <= 2e-3))
      fail_msg("seed %llu: outside of its limits by %g\n%s", seed, outside(a.m, a.d), t.text);
    if (!(sar_stats(a.s).steps <= MOST_STEPS))
      fail_msg("seed %llu: %ld steps\n%s", seed, sar_stats(a.s).steps, t.text);
    run_close(&a);
    run_close(&b);
  }
}

// One joint with these values, and what is to be taken.
static void the_model_decides(void** state) {
  (void)state;
  static const struct {
    const char *values, *integrator, *formulation, *reason;
  } CASES[] = {
      {"", NULL, "aba", "open tree"},
      {", damping: 0.1, stiffness: 5", NULL, "aba", "open tree"},
      {", friction: 1, friction_speed: 0.5", NULL, "aba", "open tree"},
      {", friction: 1", NULL, "impulse", "dry friction"},
      {", lower: -1, upper: 1", NULL, "impulse", "limits"},
      {", damping: 1e5", NULL, "impulse", "stiff"},
      {", motor: {speed: 1, effort: 5}", NULL, "impulse", "motors"},
      {", friction: 1, lower: -1, upper: 1", "dopri5", "aba", "open tree"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[300];
    SarSimOptions o = sar_sim_options();
    o.integrator = CASES[i].integrator;
    snprintf(text, sizeof text,
             "sarrus: 1\nbodies: {b: {box: [1, 1, 1], mass: 1}}\n"
             "joints: {j: {revolute: [ground, b], axis: y%s}}\n",
             CASES[i].values);
    Run r = run_open(model_parse(text, NULL), &o);
    assert_string_equal(r.s->formulation->name, CASES[i].formulation);
    if (!strstr(r.s->reason, CASES[i].reason)) fail_msg("'%s': %s", CASES[i].values, r.s->reason);
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_run_in_finite_time),
      cmocka_unit_test(the_model_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
