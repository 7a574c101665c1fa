// Strong dampers and stiff springs between branches, by impulses at steps of 10 ms: random masses
// on slides, any of them tied to any other and to ground, with and without dry friction and limits,
// in both kinds of coordinates. A passive mechanism never gains energy, and moves as small steps of
// another formulation say.
//
// Two masses with a damper of 1e5 N s/m between them and springs to ground gained 1e20 J with
// status 0, as long as such dampers leant on the step before. By `hybrid`, where such dampers turn
// velocities round in every step, a predictor that was off by 15 m and the rate of another step
// ended Newton's method too early.
#include "support/random_model.h"
#include "support/run.h"

#include <math.h>

enum { MASSES = 6 };

typedef struct Tied {
  ModelText text;
  int masses;
  bool rough;  // dry friction or limits
} Tied;

static void add_masses(Rng* r, Tied* p, bool nested) {
  model_add(&p->text, "bodies:\n");
  for (int i = 0; i < p->masses; i++)
    model_add(&p->text, "  m%d: {mass: %.17g, inertia: [1, 1, 1], at: [%d, 0, 0]}\n", i,
              pow(10, rng_uniform(r, -0.5, 0.5)), i);
  model_add(&p->text, "joints:\n");
  for (int i = 0; i < p->masses; i++) {
    // now and then a slide stands on another one: forces between the two are on one path
    const bool on_last = nested && i > 0 && rng_int(r, 3) == 0;
    char base[16];
    snprintf(base, sizeof base, on_last ? "m%d" : "ground", i - 1);
    model_add(&p->text, "  j%d: {prismatic: [%s, m%d], axis: x, speed: %.17g%s%s}\n", i, base, i,
              rng_uniform(r, -0.2, 0.2), p->rough && rng_int(r, 2) ? ", friction: 0.5" : "",
              p->rough && rng_int(r, 3) == 0 ? ", lower: -0.05, upper: 0.1" : "");
  }
}

// dampers: h c / m up to 10^strength; springs: periods of a tenth of a second and more, or of a
// step and less if stiff.
static void add_ties(Rng* r, Tied* p, double strength, bool stiff) {
  model_add(&p->text, "forces:\n");
  for (int i = 0; i < p->masses; i++)
    model_add(&p->text,
              "  g%d: {spring_damper: [[ground, [%d, 0, 0]], m%d], stiffness: %.17g, length: 10}\n",
              i, i - 10, i, pow(10, rng_uniform(r, 1, 3)));
  const int ties = 1 + rng_int(r, 2 * p->masses);
  for (int k = 0; k < ties; k++) {
    const int a = rng_int(r, p->masses), b = (a + 1 + rng_int(r, p->masses - 1)) % p->masses;
    model_add(&p->text,
              "  t%d: {spring_damper: [m%d, m%d], damping: %.17g, stiffness: %.17g, length: %d}\n",
              k, a, b, 100 * pow(10, rng_uniform(r, -2, strength)),
              rng_int(r, 2) ? pow(10, rng_uniform(r, 1, stiff ? 7 : 3)) : 0, abs(a - b));
  }
}

static void random_tied(Rng* r, Tied* p, double strength, bool stiff, bool rough) {
  p->text.used = 0;
  p->masses = 2 + rng_int(r, MASSES - 1);
  p->rough = rough;
  model_add(&p->text, "sarrus: 1\ngravity: [0, 0, 0]\n");
  add_masses(r, p, rng_int(r, 2) == 0);
  add_ties(r, p, strength, stiff);
  model_add(&p->text, "outputs: [{joint: all}, energy]\n");
}

static SarModel* tied_model(const Tied* p, bool absolute) {
  const SarLoadOptions load = {.coordinates = absolute ? "absolute" : "relative"};
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(p->text.text, p->text.used, "yaml", "tied.yaml", &load, &m, &err),
               &err);
  return m;
}

static double mechanical(Run* r) {
  SarEnergy e;
  EXPECT_OK(sar_energy(r->d, &e));
  return e.kinetic + e.potential;
}

// The most that it has above its start, over that.
static double gain_of(SarModel* m, const char* formulation, double h) {
  const SarSimOptions o = run_options(formulation, h);
  Run r = run_open(m, &o);
  const double first = mechanical(&r);
  double most = 0;
  for (int i = 0; i < 300; i++) {
    if (sar_step(r.s) != SAR_OK) fail_msg("%s", sar_sim_trouble(r.s));
    most = fmax(most, mechanical(&r) - first);
  }
  run_close(&r);
  return most / first;
}

// Stiff springs that swing within a step and limits are another matter (physics_test_stiff_limits).
static void nothing_gains_energy(void** state) {
  (void)state;
  static Tied p;
  Rng rng = rng_seed(test_seed(31));
  double worst = 0;
  for (int k = 0; k < test_effort(240); k++) {
    const bool rough = rng_int(&rng, 2) == 0, stiff = !rough && rng_int(&rng, 2) == 0;
    const bool absolute = rng_int(&rng, 3) == 0;
    random_tied(&rng, &p, rng_uniform(&rng, 0, stiff && absolute ? 3 : 6), stiff, rough);
    const char* by = rough || rng_int(&rng, 3) ? "impulse" : "hybrid";
    const double gain = gain_of(tied_model(&p, absolute), by, 0.01);
    if (gain > 1e-9)
      fprintf(stderr, "member %d, %s, %s, gains %g:\n%.*s\n", k, by,
              absolute ? "absolute" : "relative", gain, (int)p.text.used, p.text.text);
    worst = fmax(worst, gain);
  }
  print_message("tied masses at 10 ms: at most %.1e of the energy gained\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);  // the midpoint rule keeps energies that are squares
}

// Where the masses are after half a second.
static void places_of(const Tied* p, const char* formulation, const char* integrator, double h,
                      double* x) {
  SarSimOptions o = run_options(formulation, h);
  if (integrator) o.integrator = integrator;
  Run r = run_open(tied_model(p, false), &o);
  if (sar_advance(r.s, 0.5) != SAR_OK) fail_msg("%s: %s", formulation, sar_sim_trouble(r.s));
  for (int i = 0; i < p->masses; i++) {
    char name[16];
    snprintf(name, sizeof name, "j%d.q", i);
    x[i] = run_output(&r, name);
  }
  run_close(&r);
}

// Dampers of h c / m up to 10, which Runge and Kutta follow with steps of a hundredth.
static void they_move_as_small_steps_say(void** state) {
  (void)state;
  static Tied p;
  Rng rng = rng_seed(test_seed(32));
  double worst = 0;
  for (int k = 0; k < test_effort(40); k++) {
    double exact[MASSES], x[2][MASSES], size = 0, change = 0, off = 0;
    random_tied(&rng, &p, rng_uniform(&rng, 0, 1), false, false);
    places_of(&p, "aba", "rk4", 1e-4, exact);
    for (int i = 0; i < 2; i++) places_of(&p, "impulse", NULL, i ? 5e-3 : 1e-2, x[i]);
    for (int i = 0; i < p.masses; i++) {
      size = fmax(size, fabs(exact[i]));
      change = fmax(change, fabs(x[1][i] - x[0][i]));
      off = fmax(off, fabs(x[0][i] - exact[i]));
    }
    worst = fmax(worst, off / (2 * change + 1e-4 * size));
  }
  print_message("tied masses: %.2f of twice what half the step changes\n", worst);
  EXPECT_AT_MOST(worst, 1);  // of second order it is 4/3 of that change
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_gains_energy),
                                     cmocka_unit_test(they_move_as_small_steps_say)};
  return cmocka_run_group_tests_name("forces between branches by impulses", tests, NULL, NULL);
}
