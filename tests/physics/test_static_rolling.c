// Static rolling resistance: what rolls slower than a hundredth of sqrt(g r) is stopped by 5e-4 of
// its weight, what is faster rolls on; heaps of boxes, spheres and capsules come to rest and stay.
#include "support/random_bodies.h"
#include "support/run.h"

static const double G = 9.81, SHARE = 5e-4, SLOW = 1e-2;

typedef struct Ball {
  double r, v, step;  // v: its speed
  double tilt;        // of gravity
  double spin;        // about the vertical
} Ball;

static Run ball_open(const Ball* b, double mass, double way) {
  ModelText t = {.used = 0};
  SarSimOptions o = sar_sim_options();
  const double x = cos(way), y = sin(way), w = b->v / b->r;
  model_add(&t, "sarrus: 1\ngravity: [%.17g, %.17g, %.17g]\n", G * sin(b->tilt) * x,
            G * sin(b->tilt) * y, -G * cos(b->tilt));
  model_add(&t,
            "bodies: {ball: {sphere: %.17g, mass: %.17g, at: [0, 0, %.17g], velocity: [%.17g, "
            "%.17g, 0], angular_velocity: [%.17g, %.17g, %.17g], contact: true}}\n"
            "ground: {contact: {plane: z}}\ncontact: {materials: {default: {friction: 0.4}}}\n",
            b->r, mass, b->r, b->v * x, b->v * y, -w * y, w * x, b->spin);
  o.step = b->step;
  return run_open(model_parse(t.text, NULL), &o);
}

static double speed_of(SarData* d) {
  double q[7], v[6];
  EXPECT_OK(sar_joint_get(d, 0, q, v));
  return sqrt(v[0] * v[0] + v[1] * v[1]);
}

static double gone(SarData* d) {
  double q[7], v[6];
  EXPECT_OK(sar_joint_get(d, 0, q, v));
  return sqrt(q[0] * q[0] + q[1] * q[1]);
}

// Where a ball of that size is no longer slow.
static double limit(double r) { return SLOW * sqrt(G * r) / sqrt(1.4); }

static Ball any_ball(Rng* r, double least, double most) {
  Ball b = {.r = rng_uniform(r, 0.01, 0.5), .step = rng_uniform(r, 5e-4, 1e-2)};
  b.v = rng_uniform(r, least, most) * limit(b.r);
  if (rng_int(r, 2)) b.spin = rng_uniform(r, -20, 20);
  return b;
}

static void slow_balls_stop_and_stay(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(151));
  double late = 0, far = 0, off = 0;
  for (int k = 0; k < test_effort(40); k++) {
    const Ball b = any_ball(&r, 0.05, 0.95);
    SarEnergy e;
    Run run = ball_open(&b, rng_uniform(&r, 0.1, 10), rng_uniform(&r, 0, 6));
    EXPECT_OK(sar_energy(run.d, &e));
    const double kinetic = e.kinetic, stop = sqrt(1.4) * b.v / (SHARE * G);
    run_advance(&run, 0.5 * stop);
    late = fmax(late, fabs(speed_of(run.d) - 0.5 * b.v) / (SHARE * G * b.step));
    run_advance(&run, stop + 3 * b.step);
    const double there = gone(run.d);
    far = fmax(far, fabs(there - 0.5 * b.v * stop) / (b.v * b.step));
    EXPECT_AT_MOST(speed_of(run.d), 1e-15);
    run_advance(&run, stop + 1);
    EXPECT_NEAR(gone(run.d), there, 1e-14);
    EXPECT_OK(sar_energy(run.d, &e));
    off = fmax(off, fabs(e.error) / kinetic);
    run_close(&run);
  }
  print_message("slow balls: speed within %.2f and way within %.2f of a step, books %.1e\n", late,
                far, off);
  EXPECT_AT_MOST(late, 1);
  EXPECT_AT_MOST(far, 1);
  EXPECT_AT_MOST(off, 1e-8);
}

static void others_roll_on(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(152));
  double worst = 0;
  for (int k = 0; k < test_effort(20); k++) {
    const Ball b = any_ball(&r, 1.05, 100);
    Run run = ball_open(&b, rng_uniform(&r, 0.1, 10), rng_uniform(&r, 0, 6));
    run_advance(&run, 1);
    worst = fmax(worst, fabs(speed_of(run.d) / b.v - 1));
    run_close(&run);
  }
  print_message("others: speed within %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
}

static void slopes_below_the_share_hold(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(153));
  for (int k = 0; k < test_effort(20); k++) {
    Ball b = any_ball(&r, 0, 0);
    const bool holds = k % 2 == 0;
    b.spin = 0;
    // power of gravity m g sin(tilt) v, of the resistance f m g sqrt(7/5) v
    b.tilt = sqrt(1.4) * SHARE * (holds ? rng_uniform(&r, 0, 0.95) : rng_uniform(&r, 1.05, 20));
    Run run = ball_open(&b, rng_uniform(&r, 0.1, 10), rng_uniform(&r, 0, 6));
    run_advance(&run, 2);
    if (holds) EXPECT_AT_MOST(gone(run.d), 1e-9);
    if (!holds) assert_true(speed_of(run.d) > 1e-4 * G * SHARE);
    run_close(&run);
  }
}

// ---- heaps --------------------------------------------------------------------------------------

enum { SOLIDS = 30, LAYER = 9 };

static Run heap_open(Rng* r) {
  ModelText t = {.used = 0};
  SarSimOptions o = sar_sim_options();
  model_add(&t,
            "sarrus: 1\ngravity: [0, 0, -9.81]\nground: {contact: [{plane: z}, {plane: x, at: "
            "[-0.3, 0, 0]}, {plane: -x, at: [0.3, 0, 0]}, {plane: y, at: [0, -0.3, 0]}, {plane: "
            "-y, at: [0, 0.3, 0]}]}\ncontact: {materials: {default: {friction: %.3g}}}\nbodies:\n",
            rng_uniform(r, 0.3, 1));
  for (int i = 0; i < SOLIDS; i++) {
    const int cell = i % LAYER;
    const double s = rng_uniform(r, 0.08, 0.12);
    const Quat q = rng_quat(r);
    model_add(&t, "  s%d: {at: [%.6g, %.6g, %.6g], quat: [%.6g, %.6g, %.6g, %.6g], density: 1000, ",
              i, 0.17 * (cell % 3 - 1) + rng_uniform(r, -0.01, 0.01),
              0.17 * (cell / 3 - 1) + rng_uniform(r, -0.01, 0.01), 0.12 + 0.17 * (i / LAYER), q.w,
              q.x, q.y, q.z);
    switch (i % 3) {
      case 0: model_add(&t, "box: [%.6g, %.6g, %.6g]", s, 0.8 * s, 1.2 * s); break;
      case 1: model_add(&t, "sphere: %.6g", 0.5 * s); break;
      default: model_add(&t, "capsule: {radius: %.6g, length: %.6g}", 0.35 * s, 0.8 * s); break;
    }
    model_add(&t, ", contact: true}\n");
  }
  o.step = 5e-3;
  return run_open(model_parse(t.text, NULL), &o);
}

// Heaps in which nothing moves after 15 s are where they were 10 s later; in others a ball rolls
// faster than the limit.
static void heaps_stay(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(154));
  double worst = 0;
  const int heaps = test_effort(3);
  int fast = 0;
  for (int k = 0; k < heaps; k++) {
    Run run = heap_open(&r);
    double from[SOLIDS][3], to[3], R[9], q[7], v[6], speed = 0, drift = 0;
    run_advance(&run, 15);
    for (int i = 0; i < SOLIDS; i++) {
      EXPECT_OK(sar_body_pose(run.d, i, from[i], R));
      EXPECT_OK(sar_joint_get(run.d, i, q, v));
      speed = fmax(speed, v3_norm(v3_load(v)));
    }
    run_advance(&run, 25);
    for (int i = 0; i < SOLIDS; i++) {
      EXPECT_OK(sar_body_pose(run.d, i, to, R));
      drift = fmax(drift, v3_norm(v3_sub(v3_load(to), v3_load(from[i]))));
    }
    if (speed > 1e-6)
      fast++;
    else
      worst = fmax(worst, drift);
    run_close(&run);
  }
  print_message("heaps: %d of %d at rest after 15 s, which go %.1e m in 10 s\n", heaps - fast,
                heaps, worst);
  EXPECT_AT_MOST(worst, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_balls_stop_and_stay),
      cmocka_unit_test(others_roll_on),
      cmocka_unit_test(slopes_below_the_share_hold),
      cmocka_unit_test(heaps_stay),
  };
  return cmocka_run_group_tests_name("static_rolling", tests, NULL, NULL);
}
