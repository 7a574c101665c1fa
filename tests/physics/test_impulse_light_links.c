// Loops left to sweeps around links of next to no mass (`impulse-sequential`): strong dampers,
// stiff springs and large forces on links of 0.1 to 10 g among bodies of kilograms. Such a link
// would fly by up to 1e9 rad/s^2 if loops did not hold it, so velocities halfway, and the squares
// of them in gamma, must be those of the link that is held, whichever of the joints closes the
// loop. Random four-bars, the order of their names and hence the cut at random, are held against
// `impulse`, which solves loops directly: the same to what half the step changes in either.
#include "support/random_model.h"
#include "support/run.h"

#include <math.h>

enum { MEMBERS = 60, STEPS = 20 };

static void add_bar(ModelText* t, Rng* r, const char* name, V3 a, V3 b, bool light) {
  const double l = v3_norm(v3_sub(b, a));
  const double mass = light ? pow(10, rng_uniform(r, -4, -2)) : rng_uniform(r, 1, 30);
  const double I = mass * l * l / 12;
  model_add(t, "  %s: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, %.17g, 0]}\n", name,
            mass, I, I, I, 0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
}

static void add_joint(ModelText* t, Rng* r, int i, const char* from, const char* to, V3 at) {
  if (rng_int(r, 2)) {
    const char* other = from;
    from = to, to = other;
  }
  model_add(t, "  j%d: {revolute: [%s, %s], at: [%.17g, %.17g, 0], axis: z", i, from, to, at.x,
            at.y);
  if (rng_int(r, 2)) model_add(t, ", damping: %.17g", pow(10, rng_uniform(r, -2, 2)));
  if (rng_int(r, 3) == 0) model_add(t, ", stiffness: %.17g", pow(10, rng_uniform(r, 1, 4)));
  model_add(t, "}\n");
}

static V3 near_point(Rng* r, double x, double y) {
  return v3(x + rng_uniform(r, -0.2, 0.2), y + rng_uniform(r, -0.2, 0.2), 0);
}

// ground A --- B --- C --- D ground
static SarModel* random_fourbar(Rng* r, ModelText* t) {
  static const char LETTER[] = "abcxyz";
  const V3 A = near_point(r, 0, 0), B = near_point(r, 0.2, 0.7);
  const V3 C = near_point(r, 1.1, 0.9), D = near_point(r, 1.3, 0.1);
  const int light = rng_int(r, 3);
  char name[3][8];
  for (int i = 0; i < 3; i++) snprintf(name[i], 8, "%c%d", LETTER[rng_int(r, 6)], i);
  t->used = 0;
  model_add(t, "sarrus: 1\nplanar: xy\nbodies:\n");
  add_bar(t, r, name[0], A, B, light == 0);
  add_bar(t, r, name[1], B, C, light == 1);
  add_bar(t, r, name[2], C, D, light == 2);
  model_add(t, "joints:\n");
  add_joint(t, r, 0, "ground", name[0], A);
  add_joint(t, r, 1, name[0], name[1], B);
  add_joint(t, r, 2, name[1], name[2], C);
  add_joint(t, r, 3, name[2], "ground", D);
  model_add(t, "forces:\n  push: {force: %s, value: [%.17g, %.17g, 0]}\n", name[light],
            rng_uniform(r, -1000, 1000), rng_uniform(r, -1000, 1000));
  return model_parse(t->text, NULL);
}

// Places and velocities of the bars after STEPS steps, or as many times more of a share of them.
enum { NUMBERS = 12 };
static void run_bars(const ModelText* t, const char* formulation, double h, int share,
                     double value[NUMBERS]) {
  SarSimOptions o = run_options(formulation, h / share);
  Run a = run_open(model_parse(t->text, NULL), &o);
  if (sar_advance(a.s, STEPS * h) != SAR_OK)
    fail_msg("%s: %s\n%s", formulation, sar_sim_trouble(a.s), t->text);
  for (int b = 0; b < 3; b++) {
    double at[3], R[9], w[3], v[3];
    const double origin[3] = {0};
    int body = 0;
    for (int i = 0; i < 3; i++) {
      const char* name = sar_model_name(a.m, SAR_ITEM_BODY, i);
      if (name[1] == '0' + b) body = i;
    }
    EXPECT_OK(sar_body_pose(a.d, body, at, R));
    EXPECT_OK(sar_body_velocity(a.d, body, origin, w, v));
    value[4 * b] = at[0], value[4 * b + 1] = at[1];
    value[4 * b + 2] = v[0], value[4 * b + 3] = v[1];
  }
  run_close(&a);
}

static double apart(const double a[NUMBERS], const double b[NUMBERS], int first) {
  double most = 0;
  for (int i = 0; i < NUMBERS; i++)
    if ((i & 2) == first) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void loops_by_sweeps_hold_light_links(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(7300);
  double worst = 0;
  for (int i = 0; i < test_effort(MEMBERS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    sar_model_free(random_fourbar(&r, &t));
    const double h = pow(10, rng_uniform(&r, -4, -3));
    double direct[NUMBERS], halved[NUMBERS], sweeps[NUMBERS], finer[NUMBERS];
    run_bars(&t, "impulse", h, 1, direct);
    run_bars(&t, "impulse", h, 2, halved);
    run_bars(&t, "impulse-sequential", h, 1, sweeps);
    run_bars(&t, "impulse-sequential", h, 2, finer);
    for (int k = 0; k <= 2; k += 2) {  // places, velocities
      const double bound = 1e-5 + 10 * (apart(direct, halved, k) + apart(sweeps, finer, k));
      const double ratio = apart(direct, sweeps, k) / bound;
      worst = fmax(worst, ratio);
      if (!(ratio <= 1))
        fail_msg("seed %llu, h = %.3g: %s off by %.3g, bound %.3g\n%s", seed, h,
                 k ? "velocities" : "places", apart(direct, sweeps, k), bound, t.text);
    }
  }
  print_message("%d four-bars, worst %.2g of the bound\n", test_effort(MEMBERS), worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_by_sweeps_hold_light_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
