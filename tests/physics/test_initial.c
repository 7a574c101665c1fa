// initial: equations that hold at the start. What is free is found, what is given stays, what is
// too much is named.
#include "support/test.h"

#include "model/data.h"
#include "support/random.h"

static SarError err;

typedef struct Run {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double columns[64];
} Run;

static Run started(const char* text) {
  char line[1200];
  Run r = {0};
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml", NULL, &r.m, &err) != SAR_OK ||
      sar_data_new(r.m, &r.d, &err) != SAR_OK || sar_sim_new(r.m, r.d, NULL, &r.s, &err) != SAR_OK)
    fail_msg("%s\n%s", sar_error_format(&err, 0, line, sizeof line), text);
  assert_in_range(sar_model_count(r.m, SAR_ITEM_OUTPUT), 1, 64);
  EXPECT_OK(sar_outputs(r.s, r.columns));
  return r;
}

static double column(const Run* r, const char* name) {
  const int i = sar_model_find(r->m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("no column %s", name);
  return r->columns[i];
}

static void end(Run* r) { sar_sim_free(r->s), sar_data_free(r->d), sar_model_free(r->m); }

static void expect_message(const char* text, const char* message) {
  char line[1200] = "";
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml", NULL, &m, &err) == SAR_OK &&
      sar_data_new(m, &d, &err) == SAR_OK)
    assert_int_equal(sar_sim_new(m, d, NULL, &s, &err), SAR_BAD_MODEL);
  assert_null(s);
  sar_error_format(&err, 0, line, sizeof line);
  if (!strstr(line, message)) fail_msg("'%s' does not say '%s'", line, message);
  sar_data_free(d), sar_model_free(m);
}

#define ARM                                                                         \
  "sarrus: 1\nbodies:\n  upper: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}\n"           \
  "  lower: {rod: [[1, 0, 0], [1.7, 0, 0]], mass: 1, points: {tip: [1.7, 0, 0]}}\n" \
  "outputs: [joints, {point: lower.tip}]\njoints:\n"                                \
  "  elbow: {revolute: [upper, lower], at: [1, 0, 0], axis: y}\n"

// Against the closed form of the arm of two bars: cos(elbow) from the distance, speeds from J v =
// w.
static void an_arm_reaches_a_point(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(200); trial++) {
    Rng g = rng_seed(test_seed(21) + (uint64_t)trial);
    const double distance = rng_uniform(&g, 0.4, 1.6), angle = rng_uniform(&g, -3, 3);
    const double x = distance * cos(angle), z = distance * sin(angle);
    const double vx = rng_uniform(&g, -2, 2), vz = rng_uniform(&g, -2, 2);
    char text[2048];
    snprintf(text, sizeof text,
             ARM
             "  shoulder: {revolute: [ground, upper], axis: y}\n"
             "initial:\n- {point: lower.tip, value: [%.17g, 0, %.17g]}\n"
             "- lower.tip.vx == %.17g\n- lower.tip.vz - %.17g == 0\n",
             x, z, vx, vz);
    Run r = started(text);
    const double elbow = column(&r, "elbow.q");
    EXPECT_NEAR(column(&r, "lower.tip.x"), x, 1e-9);
    EXPECT_NEAR(column(&r, "lower.tip.z"), z, 1e-9);
    EXPECT_NEAR(column(&r, "lower.tip.vx"), vx, 1e-8);
    EXPECT_NEAR(column(&r, "lower.tip.vz"), vz, 1e-8);
    EXPECT_NEAR(cos(elbow), (x * x + z * z - 1 - 0.49) / (2 * 0.7), 1e-8);
    // about +y the tip moves by v = w x p: of the shoulder (z, -x), of the elbow the lower bar's
    const double q1 = column(&r, "shoulder.q"), ex = x - cos(q1), ez = z + sin(q1);
    const double det = -z * ex + x * ez;
    EXPECT_NEAR(column(&r, "shoulder.v") * det, -ex * vx - ez * vz, 1e-7);
    end(&r);
  }
}

// Distances, joint coordinates and any expression; what the file gives is not touched.
static void distances_and_expressions(void** state) {
  (void)state;
  Run r = started(ARM
                  "  shoulder: {revolute: [ground, upper], axis: y, position: -0.4, speed: 0.5}\n"
                  "points: {wall: [0.2, 0, 0]}\nvariables: {reach: lower.tip.x + lower.tip.z}\n"
                  "initial:\n- {distance: [lower.tip, ground.wall], value: 1.1}\n"
                  "- elbow.v == 2*shoulder.v + reach\n");
  const double x = column(&r, "lower.tip.x"), z = column(&r, "lower.tip.z");
  EXPECT_NEAR(hypot(x - 0.2, z), 1.1, 1e-9);
  EXPECT_NEAR(column(&r, "shoulder.q"), -0.4, 0);
  EXPECT_NEAR(column(&r, "shoulder.v"), 0.5, 0);
  EXPECT_NEAR(column(&r, "elbow.v"), 1 + x + z, 1e-8);
  // a reset comes back to what was found, and a second simulation leaves it
  const double found = r.d->q[0];
  EXPECT_OK(sar_advance(r.s, 0.3));
  sar_data_reset(r.d);
  EXPECT_NEAR(r.d->q[0], found, 0);
  end(&r);
}

#define FOUR_BAR                                                                        \
  "sarrus: 1\nbodies:\n  crank: {rod: [[0, 0, 0], [0, 0, 0.3]], mass: 1}\n"             \
  "  coupler: {rod: [[0, 0, 0.3], [1, 0, 0.8]], mass: 1, points: {p: [0.5, 0, 0.9]}}\n" \
  "  rocker: {rod: [[1, 0, 0], [1, 0, 0.8]], mass: 1}\n"                                \
  "outputs: [joints, {point: coupler.p}]\njoints:\n"                                    \
  "  B: {revolute: [crank, coupler], at: [0, 0, 0.3], axis: y}\n"                       \
  "  C: {revolute: [coupler, rocker], at: [1, 0, 0.8], axis: y}\n"                      \
  "  D: {revolute: [ground, rocker], at: [1, 0, 0], axis: y}\n"

// A loop: a point of the coupler leads back to the angle and the speed of the crank it was made
// with.
static void a_point_of_a_loop_finds_the_crank(void** state) {
  (void)state;
  double worst = 0;
  for (int trial = 0; trial < test_effort(100); trial++) {
    Rng g = rng_seed(test_seed(22) + (uint64_t)trial);
    const double q = rng_uniform(&g, -0.8, 0.8), v = rng_uniform(&g, -3, 3);
    char text[2048];
    snprintf(text, sizeof text,
             FOUR_BAR "  A: {revolute: [ground, crank], axis: y, position: %.17g, speed: %.17g}\n",
             q, v);
    Run a = started(text);
    const double x = column(&a, "coupler.p.x"), vx = column(&a, "coupler.p.vx");
    snprintf(text, sizeof text,
             FOUR_BAR
             "  A: {revolute: [ground, crank], axis: y}\n"
             "initial: [coupler.p.x == %.17g, coupler.p.vx == %.17g]\n",
             x, vx);
    Run b = started(text);
    EXPECT_NEAR(column(&b, "coupler.p.x"), x, 1e-9);
    worst = fmax(worst, fabs(column(&b, "A.q") - q));
    worst = fmax(worst, fabs(column(&b, "A.v") - v));
    end(&a), end(&b);
  }
  print_message("four-bar: crank found within %.1e rad and rad/s\n", worst);
  assert_true(worst < 1e-7);
}

// Every method starts from the same place, in both kinds of coordinates.
static void in_absolute_coordinates_too(void** state) {
  (void)state;
  Run r = started(FOUR_BAR
                  "  A: {revolute: [ground, crank], axis: y}\ninitial: [coupler.p.x == 0.55]\n"
                  "simulation: {coordinates: absolute}\n");
  EXPECT_NEAR(column(&r, "coupler.p.x"), 0.55, 1e-9);
  end(&r);
}

static void what_is_too_much_is_named(void** state) {
  (void)state;
#define HINGE "  shoulder: {revolute: [ground, upper], axis: y}\n"
  expect_message(ARM
                 "  shoulder: {revolute: [ground, upper], axis: y, position: 0.2}\n"
                 "initial:\n- {point: lower.tip, value: [1.2, 0, -0.5]}\n",
                 "m.yaml:10:3: error: initial 'lower.tip.");
  assert_non_null(strstr(err.items[0].text, "with the given positions of 'shoulder' held"));
  expect_message(ARM HINGE "initial:\n- {point: lower.tip, value: [3, 0, 0]}\n",
                 "initial 'lower.tip.x' cannot be met: it misses by -1.3");
  expect_message(ARM HINGE "initial: [lower.tip.x == 1, lower.tip.x == 1.2]\n", "cannot be met");
  assert_non_null(strstr(err.items[0].text, "beside 'lower.tip.x == 1"));
  expect_message(ARM HINGE "initial: [lower.tip.vy == 0.3]\n",
                 "initial 'lower.tip.vy == 0.3' cannot be met: it misses by -0.3");
  expect_message(ARM HINGE "initial: [elbow.v == 1]\nadjust: {elbow: {speed: 2}}\n",
                 "misses by 1 with the given speeds of 'elbow' held");
  expect_message(ARM HINGE "initial: [t == 1]\n", "is about nothing that moves");
  expect_message(ARM HINGE "initial: [elbow.a == 1]\n",
                 "last step's values are not known at the start");
#undef HINGE
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arm_reaches_a_point),
      cmocka_unit_test(distances_and_expressions),
      cmocka_unit_test(a_point_of_a_loop_finds_the_crank),
      cmocka_unit_test(in_absolute_coordinates_too),
      cmocka_unit_test(what_is_too_much_is_named),
  };
  return cmocka_run_group_tests_name("initial", tests, NULL, NULL);
}
