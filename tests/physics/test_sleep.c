// Islands that rest: nothing changes in them any more, to the last bit, and no sweep is made; what
// touches them, the host and what is out of balance by little wakes them, or keeps them awake.
#include "support/run.h"

#include "support/random.h"

#include <math.h>

#define FLOOR "gravity: [0, 0, -9.81]\nground: {contact: {plane: z}}\n"
#define BOX(name, x, z) \
  name ": {at: [" #x ", 0, " #z "], box: [0.2, 0.2, 0.2], mass: 1, contact: true}\n"

static void assert_near(double a, double b, double most) { assert_true(fabs(a - b) <= most); }

static Run open_text(const char* text) {
  const SarSimOptions o = run_options("impulse", 5e-3);
  return run_open(model_text(text), &o);
}

static V3 place_of(Run* r, int body) {
  double p[3], R[9];
  EXPECT_OK(sar_body_pose(r->d, body, p, R));
  return v3_load(p);
}

static const char TOWER[] = FLOOR "bodies:\n  " BOX("a", 0, 0.1) "  " BOX("b", 0.02, 0.3) "  " BOX(
    "c", -0.01, 0.5) "  z: {at: [-3, 0, 0.1], sphere: 0.1, mass: 2, contact: true}\n";

// The ball lies there too.
static void rest_is_rest(void** state) {
  (void)state;
  enum { BODIES = 4, NQ = 7 * BODIES };
  Run r = open_text(TOWER);
  double q[NQ];
  run_advance(&r, 1);
  memcpy(q, sar_q(r.d), sizeof q);
  const long sweeps = (long)sar_stats(r.s).iterations;
  run_advance(&r, 11);
  assert_memory_equal(q, sar_q(r.d), sizeof q);
  assert_int_equal(sweeps, (long)sar_stats(r.s).iterations);
  double up = 0;
  SarContactPoint c;
  for (int i = 0; sar_contact(r.d, i, &c) == SAR_OK; i++)
    if (c.body[0] < 0 || c.body[1] < 0) up += fabs(c.force[2]);
  assert_near(up, 5 * 9.81, 1e-6);
  run_close(&r);
}

// A ball thrown at it later does what it does to a tower that has stood for a moment only.
static void who_is_hit_wakes(void** state) {
  (void)state;
  V3 end[2][4];
  for (int late = 0; late < 2; late++) {
    Run r = open_text(TOWER);
    run_advance(&r, late ? 2 : 0.05);
    sar_v(r.d)[3 * 6] = 3;
    run_advance(&r, late ? 4 : 2.05);
    for (int i = 0; i < 4; i++) end[late][i] = place_of(&r, i);
    run_close(&r);
  }
  assert_true(end[0][0].x > 0.05);
  for (int i = 0; i < 4; i++) assert_true(v3_norm(v3_sub(end[0][i], end[1][i])) < 1e-3);
}

// A ball rolls up to a tower that rests, with nobody touching the state.
static void a_ball_that_comes_wakes(void** state) {
  (void)state;
  Run r = open_text(TOWER);
  sar_v(r.d)[3 * 6] = 1;
  run_advance(&r, 2);  // it is on its way
  const V3 before = place_of(&r, 0);
  assert_true(place_of(&r, 3).x < -0.2);
  run_advance(&r, 6);
  assert_true(v3_norm(v3_sub(place_of(&r, 0), before)) > 1e-4);
  run_close(&r);
}

static void the_host_wakes(void** state) {
  (void)state;
  Run r = open_text(TOWER);
  run_advance(&r, 1);
  sar_q(r.d)[0] = 2;  // the lowest box is taken away
  run_advance(&r, 2);
  assert_true(place_of(&r, 1).z < 0.15);
  sar_tau(r.d)[0] = 30;  // and is pushed
  run_advance(&r, 3);
  assert_true(place_of(&r, 0).x > 3);
  run_close(&r);
}

static void a_copy_goes_on(void** state) {
  (void)state;
  Run r = open_text(TOWER), copy;
  SarError err;
  sar_v(r.d)[3 * 6] = 1;
  run_advance(&r, 2);
  const SarSimOptions o = run_options("impulse", 5e-3);
  sar_error_init(&err);
  copy.m = r.m;
  EXPECT_OK_OR(sar_data_new(r.m, &copy.d, &err), &err);
  EXPECT_OK(sar_data_copy(copy.d, r.d));
  EXPECT_OK_OR(sar_sim_new(r.m, copy.d, &o, &copy.s, &err), &err);
  run_advance(&r, 5);
  run_advance(&copy, 5);
  assert_true(sar_state_hash(r.d) == sar_state_hash(copy.d));
  sar_sim_free(copy.s);
  sar_data_free(copy.d);
  run_close(&r);
}

// A brick on a slope that friction nearly holds goes as it should, if by little.
static void what_slides_slowly_slides(void** state) {
  (void)state;
  static const double G = 9.81, LACK = 2e-5;
  for (int trial = 0; trial < test_effort(4); trial++) {
    Rng rng = rng_seed(test_seed(90) + (uint64_t)trial);
    const double slope = rng_uniform(&rng, 0.1, 0.6), T = 4;
    char text[512];
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\nground: {contact: {plane: z}}\n"
             "contact: {materials: {default: {friction: %.17g}}}\n"
             "bodies: {a: {at: [0, 0, 0.05], box: [0.4, 0.3, 0.1], mass: 1, contact: true}}\n",
             G * sin(slope), -G * cos(slope), (1 - LACK) * tan(slope));
    Run r = open_text(text);
    run_advance(&r, T);
    const double gone = 0.5 * LACK * G * sin(slope) * T * T;
    assert_near(place_of(&r, 0).x, gone, 0.02 * gone);
    run_close(&r);
  }
}

// A box on its edge, nearly over it, falls to its side.
static void what_is_out_of_balance_falls(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(4); trial++) {
    Rng rng = rng_seed(test_seed(95) + (uint64_t)trial);
    const double off = rng_uniform(&rng, 1e-6, 1e-5), a = 0.78539816339744831 + off;
    const double up = 0.1 * (cos(a) + sin(a));
    char text[512];
    snprintf(text, sizeof text,
             FLOOR
             "bodies: {a: {at: [0, 0, %.17g], quat: [%.17g, 0, %.17g, 0], "
             "box: [0.2, 0.4, 0.2], mass: 1, contact: true}}\n",
             up, cos(0.5 * a), sin(0.5 * a));
    Run r = open_text(text);
    run_advance(&r, 6);
    assert_near(place_of(&r, 0).z, 0.1, 1e-4);
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_is_rest),
      cmocka_unit_test(who_is_hit_wakes),
      cmocka_unit_test(a_ball_that_comes_wakes),
      cmocka_unit_test(the_host_wakes),
      cmocka_unit_test(a_copy_goes_on),
      cmocka_unit_test(what_slides_slowly_slides),
      cmocka_unit_test(what_is_out_of_balance_falls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
