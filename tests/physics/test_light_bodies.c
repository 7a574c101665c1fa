// Bodies with little or no inertia between others: flanges of chains and couplers of four-bar
// linkages, of any mass from 1 down to 1e-14 kg and none, in both kinds of coordinates. A body that
// light does nothing but pass forces on, so the motion is that without its mass, by every
// formulation.
//
// Bounds: error control at 1e-9 over half a second of motions of size 1 leaves some 1e-7; a body of
// mass 1e-6 beside bodies of 1 kg changes the motion by about as much, one of 1e-4 by a hundred
// times that, so those are compared with 'qr' on the same model. Fixed steps of 1 ms of order two
// leave 1e-4.
#include "support/random_model.h"
#include "support/run.h"

enum { TRIALS = 60 };

static const double END = 0.5;

static void add_light(ModelText* t, const char* name, double mass, double x, double z) {
  if (mass > 0)
    model_add(t, "  %s: {sphere: 0.2, at: [%.17g, 0, %.17g], mass: %.17g}\n", name, x, z, mass);
  else
    model_add(t, "  %s: {}\n", name);
}

static void add_joint(ModelText* t, Rng* r, const char* name, const char* kind, const char* a,
                      const char* b, double x, double z, const char* rest) {
  const bool back = rng_int(r, 2);
  model_add(t, "  %s: {%s: [%s, %s], at: [%.17g, 0, %.17g]%s}\n", name, kind, back ? b : a,
            back ? a : b, x, z, rest);
}

// Two bars and a light coupler between them.
static void four_bar(ModelText* t, Rng* r, double mass) {
  const double x = rng_uniform(r, 1.5, 2.5), a = rng_uniform(r, 0.8, 1.2);
  const double c = rng_uniform(r, 1.3, 1.6);
  model_add(t, "bodies:\n  a: {rod: [[0, 0, 0], [0, 0, %.17g]], mass: %.17g}\n", a,
            rng_uniform(r, 0.5, 2));
  add_light(t, "light", mass, x / 2, a);
  model_add(t, "  c: {rod: [[%.17g, 0, 0], [%.17g, 0, %.17g]], mass: %.17g}\njoints:\n", x, x, c,
            rng_uniform(r, 0.5, 2));
  model_add(t, "  first: {revolute: [ground, a], axis: y, speed: %.17g}\n", rng_uniform(r, -2, 2));
  add_joint(t, r, "j1", "revolute", "a", "light", 0, a, ", axis: y");
  add_joint(t, r, "j2", "revolute", "light", "c", x, c, ", axis: y");
  add_joint(t, r, "j3", "revolute", "c", "ground", x, 0, ", axis: y");
}

// A link, one to three light flanges welded on, and a tool that turns on the last of them.
static void flanges(ModelText* t, Rng* r, double mass) {
  const int count = 1 + rng_int(r, 3);
  char name[2][16] = {"link", "link"};
  model_add(t, "bodies:\n  link: {rod: [[0, 0, 0], [1, 0, 0]], mass: %.17g}\n",
            rng_uniform(r, 0.5, 2));
  for (int i = 0; i < count; i++) {
    snprintf(name[1], sizeof name[1], "light%d", i);
    add_light(t, name[1], mass, 1, 0);
  }
  model_add(t, "  tool: {box: [0.3, 0.1, 0.2], at: [1.2, 0.1, 0], mass: %.17g}\njoints:\n",
            rng_uniform(r, 0.5, 2));
  model_add(t, "  first: {revolute: [ground, link], axis: y, speed: %.17g}\n",
            rng_uniform(r, -2, 2));
  for (int i = 0; i < count; i++) {
    char joint[16];
    snprintf(joint, sizeof joint, "weld%d", i);
    snprintf(name[1], sizeof name[1], "light%d", i);
    add_joint(t, r, joint, "fixed", name[0], name[1], 1, 0, "");
    memcpy(name[0], name[1], sizeof name[0]);
  }
  add_joint(t, r, "wrist", "revolute", name[0], "tool", 1, 0, ", axis: x, speed: 1");
}

typedef struct Ending {
  SarStatus status;
  double angle, total, error;
  char said[400];
} Ending;

static Ending run(const char* text, const char* coordinates, const char* formulation, double step) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.step = step;
  o.rtol = o.atol = 1e-9;
  Run r = run_open(model_parse(text, &load), &o);
  Ending e = {.status = sar_advance(r.s, END)};
  snprintf(e.said, sizeof e.said, "%s", sar_sim_trouble(r.s));
  e.angle = run_output(&r, "first.q");
  e.total = run_output(&r, "energy.total");
  e.error = run_output(&r, "energy.error");
  run_close(&r);
  return e;
}

static void expect_same(const Ending* e, const Ending* reference, double tol, const char* what) {
  if (e->status == SAR_OK && fabs(e->angle - reference->angle) <= tol &&
      fabs(e->error) <= tol * fmax(1, fabs(reference->total)))
    return;
  fail_msg("%s: status %d (%s), first.q %.12g expected %.12g, energy error %.3g", what, e->status,
           e->said, e->angle, reference->angle, e->error);
}

static void trial(uint64_t seed) {
  static ModelText t;
  Rng r = rng_seed(seed);
  const int digits = rng_int(&r, 16);
  const double mass = digits == 15 ? 0 : pow(10, -digits);
  t.used = 0;
  model_add(&t, "sarrus: 1\n");
  if (rng_int(&r, 2))
    four_bar(&t, &r, mass);
  else
    flanges(&t, &r, mass);
  model_add(&t, "outputs: [joints, energy]\n");
  const Ending reference = run(t.text, "relative", "qr", 0);
  static const char* const COORDINATES[] = {"relative", "absolute"};
  static const struct {
    const char* name;
    double step, tol;
  } METHODS[] = {{"lagrange", 0, 1e-6}, {"qr", 0, 1e-6}, {"hybrid", 1e-3, 1e-3}};
  for (int k = 0; k < 6; k++) {
    char what[120];
    snprintf(what, sizeof what, "seed %llu, mass %g: %s, %s", (unsigned long long)seed, mass,
             METHODS[k / 2].name, COORDINATES[k % 2]);
    const Ending e = run(t.text, COORDINATES[k % 2], METHODS[k / 2].name, METHODS[k / 2].step);
    expect_same(&e, &reference, METHODS[k / 2].tol, what);
  }
}

static void light_bodies_pass_forces_on(void** state) {
  (void)state;
  const uint64_t first = test_seed(4100);
  for (int i = 0; i < test_effort(TRIALS); i++) trial(first + (uint64_t)i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(light_bodies_pass_forces_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
