// Redundant contacts share their load by least norm: with feet at (x_i, y_i) on a floor the normal
// forces are the plane n_i = a + b x_i + c y_i that balances the weight (closed form), if that
// pulls nowhere, and friction is zero. Random tables of 3 to 9 feet with their mass centre anywhere
// between, in steps of 1 to 10 ms, set down; each also mirrored, moved, turned and with its feet in
// another order. (A rigid table that is dropped may end with a foot some nanometres above the
// floor: that one bears nothing.)
//
// Bound: 1e-6 of the weight, after 2 s. Measured on 8100 tables: below it in all.
#include "support/random.h"
#include "support/run.h"

#include "math/vec.h"

enum { TABLES = 20, MOST = 9 };
static const double BOUND = 1e-6;  // of the weight

typedef struct Table {
  int feet;
  double at[MOST][2], height, mass, step, friction;
  double arm[2],
      arm_mass;  // an arm that turns about a vertical axis above the mass centre; 0: none
  bool motor;    // holds it
} Table;

// Shares of the feet, by the plane; the least of them. The table's own mass centre is at (0, 0).
static double shares(const Table* t, double* n) {
  double S[3][4] = {{0}}, at[MOST][2];
  const double share = t->arm_mass / (t->mass + t->arm_mass);
  for (int i = 0; i < t->feet; i++)
    for (int k = 0; k < 2; k++) at[i][k] = t->at[i][k] - share * t->arm[k];
  for (int i = 0; i < t->feet; i++) {
    const double row[3] = {1, at[i][0], at[i][1]};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) S[a][b] += row[a] * row[b];
  }
  S[0][3] = 1;
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 3; a++) {
      const double f = S[a][k] / S[k][k];
      for (int b = 0; a != k && b < 4; b++) S[a][b] -= f * S[k][b];
    }
  double least = 1;
  for (int i = 0; i < t->feet; i++) {
    n[i] = S[0][3] / S[0][0] + at[i][0] * S[1][3] / S[1][1] + at[i][1] * S[2][3] / S[2][2];
    least = fmin(least, n[i]);
  }
  return least;
}

// Feet apart from each other, in the order of random angles; until none pulls.
static Table random_table(Rng* r, bool arm, bool motor) {
  double n[MOST];
  Table t;
  do {
    t = (Table){.feet = 3 + rng_int(r, MOST - 2),
                .height = rng_uniform(r, 0.1, 1),
                .mass = pow(10, rng_uniform(r, -1, 3)),
                .step = pow(10, rng_uniform(r, -3, -2)),
                .friction = rng_uniform(r, 0.1, 1),
                .motor = motor};
    if (arm) t.arm_mass = t.mass * rng_uniform(r, 0.05, 0.5);
    for (int k = 0; arm && k < 2; k++) t.arm[k] = rng_uniform(r, -0.3, 0.3);
    for (int i = 0; i < t.feet; i++)
      for (int k = 0; k < 2; k++) t.at[i][k] = rng_uniform(r, -0.6, 0.6);
  } while (!(shares(&t, n) > 0.02));
  return t;
}

static void turn_point(double* at, double angle, double mirror) {
  const double x = mirror * at[0], y = at[1];
  at[0] = cos(angle) * x - sin(angle) * y;
  at[1] = sin(angle) * x + cos(angle) * y;
}

static void turn(Table* t, double angle, double mirror) {
  for (int i = 0; i < t->feet; i++) turn_point(t->at[i], angle, mirror);
  turn_point(t->arm, angle, mirror);
}

static void reverse(Table* t) {
  for (int i = 0, k = t->feet - 1; i < k; i++, k--)
    for (int j = 0; j < 2; j++) {
      const double x = t->at[i][j];
      t->at[i][j] = t->at[k][j], t->at[k][j] = x;
    }
}

static SarModel* write_table(const Table* t, const double* place) {
  static const double FOOT = 0.05;
  static char text[4096];
  int n = snprintf(text, sizeof text,
                   "sarrus: 1\ngravity: [0, 0, -10]\nground: {contact: {plane: z}}\n"
                   "contact: {materials: {default: {friction: %.17g, restitution: 0}}}\n"
                   "bodies:\n  table: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, "
                   "%.17g, %.17g], contact: [",
                   t->friction, t->mass, t->mass * 0.1, t->mass * 0.15, t->mass * 0.2, place[0],
                   place[1], t->height + FOOT);
  for (int i = 0; i < t->feet; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s{sphere: %.3g, at: [%.17g, %.17g, %.17g]}",
                  i ? ", " : "", FOOT, t->at[i][0], t->at[i][1], -t->height);
  n += snprintf(text + n, sizeof text - (size_t)n, "]}\n");
  if (t->arm_mass > 0)
    n +=
        snprintf(text + n, sizeof text - (size_t)n,
                 "  arm: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, %.17g, %.17g]}\n"
                 "joints:\n  pivot: {revolute: [table, arm], at: [%.17g, %.17g, 0], axis: z%s}\n",
                 t->arm_mass, t->arm_mass * 0.01, t->arm_mass * 0.01, t->arm_mass * 0.01,
                 place[0] + t->arm[0], place[1] + t->arm[1], t->height + FOOT, place[0], place[1],
                 t->motor ? ", motor: {position: 0, effort: 1000}" : "");
  assert_in_range(n, 1, sizeof text - 1);
  return model_parse(text, NULL);
}

// The largest difference from the plane, and the largest friction, over the weight.
static double error_of(const Table* t, const double* place) {
  const SarSimOptions o = run_options("impulse", t->step);
  Run run = run_open(write_table(t, place), &o);
  const double weight = 10 * (t->mass + t->arm_mass);
  double n[MOST], worst = 0;
  shares(t, n);
  run_advance(&run, 2);
  assert_int_equal(sar_contact_count(run.d), t->feet);
  for (int i = 0; i < t->feet; i++) {
    SarContactPoint c;
    EXPECT_OK(sar_contact(run.d, i, &c));
    double most = 1;
    for (int k = 0; k < t->feet; k++)  // whose foot it is
      if (hypot(c.point[0] - place[0] - t->at[k][0], c.point[1] - place[1] - t->at[k][1]) < 1e-2)
        most = fmin(most, fabs(fabs(c.force[2]) / weight - n[k]));
    worst = fmax(worst, fmax(most, hypot(c.force[0], c.force[1]) / weight));
  }
  run_close(&run);
  return worst;
}

static void check_tables(uint64_t first, bool arm, bool motor) {
  double worst = 0;
  int tables = 0;
  for (int i = 0; i < test_effort(TABLES); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    Table t = random_table(&r, arm, motor);
    for (int twin = 0; twin < 3; twin++) {
      const double place[2] = {twin * 1.7, twin * -0.9};
      if (twin > 0) turn(&t, rng_uniform(&r, -3, 3), twin == 1 ? -1 : 1);
      if (twin > 0) reverse(&t);
      const double error = error_of(&t, place);
      if (!(error <= BOUND))
        fail_msg("table %llu, twin %d: off by %g of the weight",
                 (unsigned long long)(first + (uint64_t)i), twin, error);
      worst = fmax(worst, error);
      tables++;
    }
  }
  print_message("%d tables, off by %.2g of the weight\n", tables, worst);
}

static void feet_share_by_least_norm(void** state) {
  (void)state;
  check_tables(test_seed(1800), false, false);
}

// The same of a tree: the table has an arm on a hinge.
static void feet_of_trees_share_by_least_norm(void** state) {
  (void)state;
  check_tables(test_seed(1900), true, false);
}

static void feet_of_what_motors_hold_share_by_least_norm(void** state) {
  (void)state;
  check_tables(test_seed(2100), true, true);
}

// A sledge that can only go up and down, on runners: all bear the same, whatever their places,
// their masses and their order in the file. With a loop: two such sledges, one bar tied to both.
static double sledge_error(Rng* r, bool tied) {
  enum { RUNNERS = 6 };
  char text[4096];
  const int n = 2 + rng_int(r, RUNNERS - 1);
  const double mass = pow(10, rng_uniform(r, -1, 2)), step = pow(10, rng_uniform(r, -3, -2));
  int used = snprintf(text, sizeof text,
                      "sarrus: 1\ngravity: [0, 0, -10]\nground: {contact: {plane: z}}\nbodies:\n"
                      "  sledge: {at: [0, 0, 0.1], mass: %.17g, inertia: [1, 1, 1]}\n",
                      mass);
  for (int i = 0; i < n; i++)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "  r%d: {at: [%.17g, %.17g, 0.1], mass: 0.1, inertia: [1, 1, 1], contact: "
                     "{sphere: 0.1}}\n",
                     i, rng_uniform(r, -1, 1), 3.0 * i + rng_uniform(r, -1, 1));
  if (tied)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "  other: {at: [0, 0, 0.5], mass: 1, inertia: [1, 1, 1]}\n");
  used += snprintf(text + used, sizeof text - (size_t)used,
                   "joints:\n  rise: {prismatic: [ground, sledge], axis: z}\n");
  if (tied)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "  beside: {prismatic: [ground, other], axis: z}\n"
                     "  tie: {spherical: [sledge, other], at: [0, 0, 0.3]}\n");
  for (int i = 0; i < n; i++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used, "  j%d: {fixed: [sledge, r%d]}\n", i, i);
  assert_in_range(used, 1, sizeof text - 1);
  const SarSimOptions o = run_options("impulse", step);
  Run run = run_open(model_parse(text, NULL), &o);
  run_advance(&run, 0.5);
  const double weight = 10 * (mass + 0.1 * n + (tied ? 1 : 0));
  double worst = 0;
  assert_int_equal(sar_contact_count(run.d), n);
  for (int i = 0; i < n; i++) {
    SarContactPoint c;
    EXPECT_OK(sar_contact(run.d, i, &c));
    worst = fmax(worst, fabs(fabs(c.force[2]) / weight - 1.0 / n));
  }
  run_close(&run);
  return worst;
}

static void runners_of_a_sledge_bear_the_same(void** state) {
  (void)state;
  double worst = 0;
  for (int i = 0; i < test_effort(TABLES); i++) {
    Rng r = rng_seed(test_seed(2000) + (uint64_t)i);
    worst = fmax(worst, sledge_error(&r, i % 2));
  }
  print_message("sledges off by %.2g of the weight\n", worst);
  assert_true(worst < BOUND);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(feet_share_by_least_norm),
      cmocka_unit_test(feet_of_trees_share_by_least_norm),
      cmocka_unit_test(feet_of_what_motors_hold_share_by_least_norm),
      cmocka_unit_test(runners_of_a_sledge_bear_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
