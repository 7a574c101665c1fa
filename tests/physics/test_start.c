// A mechanism that drives and loops move to another place than the file's begins alike in relative
// and in absolute coordinates: the same poses, and the same speeds where the file leaves them open.
//
// Random chains with a side branch: two joints driven by up to 0.1 rad or m, some given a speed, a
// rod that is another length than it is drawn, some joints against the tree's direction. Seen:
// 2e-14.
#include "support/run.h"

#include "support/random_model.h"

#include <math.h>

enum { TRIALS = 60, BODIES = 5, COLUMNS = 200 };

static const char* const KINDS[] = {"revolute", "prismatic", "universal", "spherical",
                                    "cylindrical"};

static void add_joint(ModelText* t, Rng* r, int b, bool looped) {
  const int parent = b == 4 ? 1 : b - 1;  // the last one is a branch
  // the first two are driven, so they have one coordinate
  const char* kind = KINDS[b < 2 ? rng_int(r, 2) : rng_int(r, 5)];
  char from[16] = "ground", to[16];
  if (parent >= 0) snprintf(from, sizeof from, "b%d", parent);
  snprintf(to, sizeof to, "b%d", b);
  const bool turned = b >= 2 && rng_int(r, 3) == 0;
  model_add(t, "  j%d: {%s: [%s, %s], at: [%g, %g, %g]", b, kind, turned ? to : from,
            turned ? from : to, 0.5 * b, rng_uniform(r, -0.3, 0.3), rng_uniform(r, -0.3, 0.3));
  const double x = rng_uniform(r, -1, 1), y = rng_uniform(r, -1, 1);
  if (strcmp(kind, "spherical") != 0) model_add(t, ", axis: [%.17g, %.17g, 1]", x, y);
  if (strcmp(kind, "universal") == 0) model_add(t, ", axis2: [1, 0, %.17g]", -x);
  if (b >= 2 && !looped && strcmp(kind, "revolute") == 0 && rng_int(r, 2) == 0)
    model_add(t, ", speed: %g", rng_uniform(r, -1, 1));
  model_add(t, "}\n");
}

static void draw(ModelText* t, Rng* r, bool looped) {
  *t = (ModelText){0};
  model_add(t, "bodies:\n");
  for (int b = 0; b < BODIES; b++)
    model_add(
        t, "  b%d: {at: [%g, 0, 0], mass: %g, com: [%g, %g, 0.1], inertia: [0.1, 0.2, 0.15]}\n", b,
        0.5 * b, rng_uniform(r, 0.3, 2), rng_uniform(r, -0.2, 0.2), rng_uniform(r, -0.2, 0.2));
  model_add(t, "joints:\n");
  for (int b = 0; b < BODIES; b++) add_joint(t, r, b, looped);
  model_add(t, "constraints:\n");
  for (int k = 0; k < 2; k++)
    model_add(t, "  m%d: {motion: j%d, value: %g + %g*t}\n", k, k, rng_uniform(r, 0.02, 0.1),
              rng_uniform(r, -1, 1));
  // from b3 at [1.5, 0, 0], whose point is at [0.2, y, 0.1]
  const double drawn = sqrt(0.3 * 0.3 + 0.3 * 0.3 + 0.7 * 0.7);
  if (looped)
    model_add(t, "  rod: {rod: [[b3, [0.2, 0, 0.1]], [ground, [2, 0.3, 0.8]]], length: %g}\n",
              drawn + rng_uniform(r, -0.05, 0.05));
  model_add(t, "outputs: [bodies, joints, energy]\n");
}

static void compare_columns(const Run run[2], const char* text, int trial, double* worst) {
  double values[2][COLUMNS];
  const SarModel* m = run[0].m;
  assert_true(sar_model_count(m, SAR_ITEM_OUTPUT) <= COLUMNS);
  for (int i = 0; i < 2; i++) EXPECT_OK(sar_outputs(run[i].s, values[i]));
  for (int k = 0; k < sar_model_count(m, SAR_ITEM_OUTPUT); k++) {
    const double apart = fabs(values[0][k] - values[1][k]) / (1 + fabs(values[0][k]));
    *worst = fmax(*worst, apart);
    if (!(apart <= 1e-10))
      fail_msg("trial %d: %s is %.17g by relative, %.17g by absolute coordinates\n%s", trial,
               sar_model_name(m, SAR_ITEM_OUTPUT, k), values[0][k], values[1][k], text);
  }
}

// False: the rod is too far away, in both.
static bool compare(const char* text, int trial, double* worst) {
  static const char* const WHICH[] = {"relative", "absolute"};
  const SarSimOptions o = run_options("lagrange", 0.001);
  Run run[2];
  SarStatus st[2];
  for (int i = 0; i < 2; i++) {
    const SarLoadOptions load = {.coordinates = WHICH[i]};
    run[i] = (Run){.m = model_text_with(text, &load)};
    EXPECT_OK(sar_data_new(run[i].m, &run[i].d, NULL));
    st[i] = sar_sim_new(run[i].m, run[i].d, &o, &run[i].s, NULL);
  }
  assert_int_equal(st[0], st[1]);
  if (st[0] == SAR_OK) compare_columns(run, text, trial, worst);
  for (int i = 0; i < 2; i++) run_close(&run[i]);
  return st[0] == SAR_OK;
}

static void check_family(bool looped) {
  static ModelText text;
  double worst = 0;
  int closed = 0;
  const int trials = test_effort(TRIALS);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(1) * 1000 + (uint64_t)trial);
    draw(&text, &r, looped);
    closed += compare(text.text, trial, &worst);
  }
  print_message("%d starts of %d that close: at most %.1e apart\n", closed, trials, worst);
  assert_true(closed >= trials / 2);
}

static void driven_trees_begin_alike(void** state) {
  (void)state;
  check_family(false);
}

static void driven_loops_begin_alike(void** state) {
  (void)state;
  check_family(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(driven_trees_begin_alike),
                                     cmocka_unit_test(driven_loops_begin_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
