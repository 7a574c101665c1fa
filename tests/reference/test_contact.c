// Contact and friction against closed forms (P of the reference): times, positions and velocities
// within 0.5 % at a step of 1 ms, and converging with the step. A difference of positions or
// velocities is divided by the largest magnitude in its column, a difference of times by the time
// of the event.
#include "support/loop_run.h"
#include "support/world.h"

static const double GOOD = 5e-3, G = 9.81;

static World begin(const char* name, double step) {
  char file[64];
  SarSimOptions o = sar_sim_options();
  o.step = step;
  snprintf(file, sizeof file, "reference/%s.yaml", name);
  return world_of(model_file(file, NULL), &o);
}

// ---- friction -----------------------------------------------------------------------------------

// Where friction turns or lets go its force jumps, and a step has one force: first order, down to
// what the sweeps leave of the impulses (1e-6), or to what one step in which friction turns may be
// off by (4e-4), which depends on where in the step it turns: 3.6e-4, 1.3e-3 and 3.5e-4 at 2, 1 and
// 0.5 ms.
static void check_columns(const char* name, double floor) {
  static Reference r;
  double worst[3];
  reference_read(name, &r);
  for (int i = 0; i < 3; i++) {
    LoopRun run = {.name = name, .formulation = "impulse", .step = 2e-3 / (1 << i)};
    loop_run(&run, &r);
    assert_int_equal(run.status, SAR_OK);
    worst[i] = run.worst;
    print_message("step %.1f ms: off by %.1e (%s)\n", 1e3 * run.step, run.worst, run.where);
  }
  EXPECT_AT_MOST(worst[1], GOOD);
  EXPECT_AT_MOST(worst[2], fmax(worst[0] / 4, floor));
  LoopRun others[] = {
      {.name = name, .formulation = "impulse-sequential", .step = 1e-3},
      {.name = name, .formulation = "impulse-maximal", .coordinates = "absolute", .step = 1e-3}};
  for (int i = 0; i < 2; i++) {
    loop_run(&others[i], &r);
    assert_int_equal(others[i].status, SAR_OK);
    EXPECT_AT_MOST(others[i].worst, GOOD);
  }
}

// The moment at which `has_come` turns true, known to the step: within two of them.
static void check_moment(const char* name, double expected, bool (*has_come)(const double* value)) {
  const double h = 1e-3;
  World r = begin(name, h);
  double t = 0;
  while (t < 2 && !has_come(r.value)) t = world_step(&r);
  print_message("%.3f s, exact %.5f s\n", t, expected);
  EXPECT_NEAR(t, expected, fmin(2 * h, GOOD * expected));
  world_close(&r);
}

// slides_back: x, v
static bool is_turned(const double* value) { return value[1] < 0; }
static void block_slides_back(void** state) {
  (void)state;
  check_columns("P_incline_slides_back", 4e-4);
  check_moment("P_incline_slides_back", 0.440325026715891, is_turned);
}

static bool is_still(const double* value) { return value[0] > 0 && fabs(value[1]) < 1e-9; }
static void block_sticks(void** state) {
  (void)state;
  check_columns("P_incline_sticks", 1e-6);
  check_moment("P_incline_sticks", 0.557441096013688, is_still);
}

// x, v, w
static bool rolls(const double* value) {
  return value[0] > 0 && fabs(value[1] - 0.11 * value[2]) < 1e-6;
}
static void sphere_slides_then_rolls(void** state) {
  (void)state;
  check_columns("P_sphere_slide_roll", 1e-6);
  check_moment("P_sphere_slide_roll", 0.436871996505024, rolls);
}

static bool slips(const double* value) { return value[1] > 1e-6; }
static void ramp_sticks_then_slips(void** state) {
  (void)state;
  check_columns("P_stick_slip_ramp", 1e-6);
  check_moment("P_stick_slip_ramp", 0.981, slips);
}

// Held by friction, for a minute: friction that were viscous at small speeds would creep. The block
// settles for a second first.
static void held_block_does_not_creep(void** state) {
  (void)state;
  static const double steps[] = {1e-3, 5e-3};
  for (int i = 0; i < 2; i++) {
    World r = begin("P_incline_sticks", steps[i]);
    while (world_step(&r) < 1) continue;
    const double x = r.value[0];
    double crept = 0;
    while (world_step(&r) < 61) crept = fmax(crept, fabs(r.value[0] - x));
    print_message("step %.0f ms: crept by %.1e m in 60 s\n", 1e3 * steps[i], crept);
    EXPECT_AT_MOST(crept, 1e-6);
    world_close(&r);
  }
}

// ---- impacts ------------------------------------------------------------------------------------

// How long ago a ball that is now at height z with the speed vz left the ground.
static double flown(double z, double vz) { return (sqrt(vz * vz + 2 * G * z) - vz) / G; }

typedef struct Bounces {
  double time, speed;  // worst: over the impact's time, over the largest speed
  double own;          // of the first ten, over the impact's own speed
  double rest;         // when the ball lay still
} Bounces;

enum { IMPACTS = 15 };

// t_1 = sqrt(2 h / g), v_n = e^n g t_1, t_n+1 = t_n + 2 v_n / g, at rest after t_1 (1 + e) / (1 -
// e)
static Bounces bounce(double h) {
  World r = begin("P_bounce", h);
  Bounces b = {0};
  const double e = 0.7, first = sqrt(2 / G);
  double t = first, speed = e * G * first, before = 0;
  int n = 0;
  for (double now = 0; now < 3; before = r.value[1]) {
    now = world_step(&r);
    if (before < 0 && r.value[1] > 0 && n < IMPACTS) {
      const double since = flown(r.value[0], r.value[1]);
      const double off = fabs(r.value[1] + G * since - speed);
      b.time = fmax(b.time, fabs(now - since - t) / t);
      b.speed = fmax(b.speed, off / (G * first));
      if (n++ < 10) b.own = fmax(b.own, off / speed);
      t += 2 * speed / G;
      speed *= e;
    }
    if (fabs(r.value[0]) + fabs(r.value[1]) > 1e-6) b.rest = now;
  }
  assert_int_equal(n, IMPACTS);
  world_close(&r);
  print_message("step %.1f ms: times %.1e, speeds %.1e, own of ten %.1e; rest at %.4f s\n", 1e3 * h,
                b.time, b.speed, b.own, b.rest);
  EXPECT_NEAR(b.rest, first * (1 + e) / (1 - e), 10 * h);  // bounces shorter than a step are none
  return b;
}

static void ball_bounces_and_rests(void** state) {
  (void)state;
  const Bounces two = bounce(2e-3), one = bounce(1e-3), half = bounce(0.5e-3);
  EXPECT_AT_MOST(one.time, GOOD);
  EXPECT_AT_MOST(one.speed, GOOD);
  EXPECT_AT_MOST(one.own, GOOD);
  EXPECT_NEAR(one.rest, 2.5586339655858026, GOOD * 2.5586);
  EXPECT_AT_MOST(half.time, two.time / 4);
  EXPECT_AT_MOST(half.speed, two.speed / 4);
  EXPECT_AT_MOST(half.own, two.own / 2);  // ten flights: the last are 25 steps of 1 ms
}

// All samples, but speeds within a step of an impact: there they jump.
static void ball_follows_the_reference(void** state) {
  (void)state;
  static Reference ref;
  reference_read("P_bounce", &ref);
  double worst[3] = {0};
  for (int i = 0; i < 3; i++) {
    const double h = 2e-3 / (1 << i);
    World r = begin("P_bounce", h);
    for (int k = 0; k < ref.rows; k++) {
      const double* at = ref.value[k];
      EXPECT_OK(sar_advance(r.s, at[0]));
      EXPECT_OK(sar_outputs(r.s, r.value));
      worst[i] = fmax(worst[i], fabs(r.value[0] - at[1]));  // of 1 m
      const bool jumps = at[0] > 0 && at[1] < h * fabs(at[2]) && at[1] > 0;
      if (!jumps) worst[i] = fmax(worst[i], fabs(r.value[1] - at[2]) / 4.4294);
    }
    print_message("step %.1f ms: off by %.1e\n", 1e3 * h, worst[i]);
    world_close(&r);
  }
  EXPECT_AT_MOST(worst[1], GOOD);
  EXPECT_AT_MOST(worst[2], worst[0] / 4);
}

// Columns of the reference: impact, t, x, vx, vz, w; ours: x, z, vx, vz, w.
static double oblique(double h, double expected[][6], int count) {
  static const double scale[] = {0, 0, 5.4566, 2, 3.8818, 28.5714};
  World r = begin("P_oblique_bounce", h);
  double worst = 0, before = 0;
  for (int n = 0; n < count; before = r.value[3]) {
    const double now = world_step(&r), *v = r.value;
    assert_true(now < 4);
    if (!(before < 0 && v[3] > 0)) continue;
    const double since = flown(v[1], v[3]), *e = expected[n++];
    const double is[] = {0, now - since, v[0] - since * v[2], v[2], v[3] + G * since, v[4]};
    for (int k = 1; k < 6; k++)
      worst = fmax(worst, fabs(is[k] - e[k]) / (k == 1 ? e[k] : scale[k]));
  }
  world_close(&r);
  print_message("step %.1f ms: off by %.1e\n", 1e3 * h, worst);
  return worst;
}

static void ball_bounces_obliquely(void** state) {
  (void)state;
  double expected[8][6], slip;
  char line[256];
  FILE* f = fopen(SARRUS_SOURCE_DIR "/tests/reference/P_oblique_bounce.csv", "r");
  assert_non_null(f);
  int count = 0;
  while (count < 8 && fgets(line, sizeof line, f)) {
    double* e = expected[count];
    count += sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", e, e + 1, e + 2, e + 3, e + 4, e + 5,
                    &slip) == 7;
  }
  fclose(f);
  assert_int_equal(count, 8);
  const double two = oblique(2e-3, expected, count), one = oblique(1e-3, expected, count);
  EXPECT_AT_MOST(one, GOOD);
  EXPECT_AT_MOST(oblique(0.5e-3, expected, count), two / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_slides_back),          cmocka_unit_test(block_sticks),
      cmocka_unit_test(sphere_slides_then_rolls),   cmocka_unit_test(ramp_sticks_then_slips),
      cmocka_unit_test(held_block_does_not_creep),  cmocka_unit_test(ball_bounces_and_rests),
      cmocka_unit_test(ball_follows_the_reference), cmocka_unit_test(ball_bounces_obliquely),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
