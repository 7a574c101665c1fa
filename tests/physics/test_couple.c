// Coupled simulators: the same as one model to the order of the frame, the same numbers in one
// thread and in several, the energy of the exchange, and what is refused.
#include "support/model_file.h"
#include "support/random.h"

#include <math.h>

#define PAIR SARRUS_SOURCE_DIR "/examples/coupled/cart_and_swing.yaml"

typedef struct Case {
  double M, k, m, L, angle, q0;
} Case;

enum { PARAMETERS = 7 };

static void fill(const Case* x, double rate, SarParameter p[PARAMETERS]) {
  const SarParameter all[PARAMETERS] = {{"rate", rate}, {"M", x->M}, {"k", x->k},
                                        {"m", x->m},    {"L", x->L}, {"angle", x->angle},
                                        {"q0", x->q0}};
  memcpy(p, all, sizeof all);
}

static SarCouple* couple(const Case* x, double rate, SarCoupleOptions* o) {
  SarParameter p[PARAMETERS];
  fill(x, rate, p);
  const SarLoadOptions load = {.parameters = p, .parameter_count = PARAMETERS};
  SarError err;
  SarCouple* c = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_couple_load(PAIR, &load, &c, &err), &err);
  EXPECT_OK_OR(sar_couple_open(c, o, &err), &err);
  return c;
}

// Angle of the swing at the end.
static double angle_of(const SarCouple* c) {
  const SarData* d = sar_rt_data(sar_couple_realtime(c, 1));
  double q[8] = {0}, v[8] = {0};
  SarStatus st = sar_joint_get(
      (SarData*)d, sar_model_find(sar_couple_model(c, 1), SAR_ITEM_JOINT, "hinge"), q, v);
  assert_int_equal(st, SAR_OK);
  return q[0];
}

static double run_coupled(const Case* x, double rate, double end, SarCoupleReport* r) {
  SarCoupleOptions o = sar_couple_options();
  SarError err;
  sar_error_init(&err);
  o.end = end;
  SarCouple* c = couple(x, rate, &o);
  EXPECT_OK_OR(sar_couple_run(c, &err), &err);
  EXPECT_OK(sar_couple_report(c, r));
  const double angle = angle_of(c);
  sar_couple_free(c);
  return angle;
}

// The mechanism as one model.
static double run_whole(const Case* x, double end) {
  char text[1500];
  snprintf(
      text, sizeof text,
      "parameters: {M: %.17g, k: %.17g, m: %.17g, L: %.17g, angle: %.17g, q0: %.17g}\n"
      "bodies:\n"
      "  cart: {box: [0.4, 0.2, 0.1], mass: M}\n"
      "  seat: {mass: 1e-3, inertia: [1e-6, 1e-6, 1e-6]}\n"
      "  rod: {rod: [[0, 0, 0], [0, 0, -L]], mass: m}\n"
      "joints:\n"
      "  slide: {prismatic: [ground, cart], axis: x, stiffness: k, damping: 0.4, position: q0}\n"
      "  mount: {fixed: [cart, seat]}\n"
      "  hinge: {revolute: [seat, rod], axis: y, position: angle}\n",
      x->M, x->k, x->m, x->L, x->angle, x->q0);
  SarModel* m = model_text(text);
  SarError err;
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  double q[8] = {0}, v[8] = {0};
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  EXPECT_OK(sar_advance(s, end));
  EXPECT_OK(sar_joint_get(d, sar_model_find(m, SAR_ITEM_JOINT, "hinge"), q, v));
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return q[0];
}

// Members of a family: the swing is up to a third as heavy as the cart, so that what passes
// straight through dies out.
static Case random_case(Rng* r) {
  Case x = {.M = rng_uniform(r, 1, 4), .k = rng_uniform(r, 10, 200), .L = rng_uniform(r, 0.3, 1)};
  x.m = x.M * rng_uniform(r, 0.02, 0.33);
  x.angle = rng_uniform(r, -1.2, 1.2);
  x.q0 = rng_uniform(r, -0.2, 0.2);
  return x;
}

// Half the frame, half the distance from the whole and half the energy that the exchange makes.
static void coupled_is_the_whole_to_the_order_of_the_frame(void** state) {
  (void)state;
  Rng r = rng_seed(14);
  for (int n = 0; n < test_effort(6); n++) {
    const Case x = random_case(&r);
    SarCoupleReport coarse, fine;
    const double exact = run_whole(&x, 0.6);
    const double a = run_coupled(&x, 500, 0.6, &coarse) - exact,
                 b = run_coupled(&x, 2000, 0.6, &fine) - exact;
    print_message(
        "M %.2f k %.0f m %.2f L %.2f: off by %.2e and %.2e rad, energy %.2e and %.2e of %.2e J\n",
        x.M, x.k, x.m, x.L, a, b, coarse.energy, fine.energy, fine.exchanged);
    assert_true(fabs(a) < 0.05);
    // order 1: a quarter; where it crosses zero on the way the bound is what the coarse one may
    // have
    assert_true(fabs(b) < 0.35 * fabs(a) + 2e-6);
    assert_true(fine.audited &&
                fabs(fine.energy) < 0.35 * fabs(coarse.energy) + 1e-5 * fine.exchanged);
  }
}

// ---- threads ------------------------------------------------------------------------------------

static void same_state(const SarCouple* a, const SarCouple* b) {
  for (int k = 0; k < sar_couple_count(a); k++) {
    const SarData *x = sar_rt_data(sar_couple_realtime(a, k)),
                  *y = sar_rt_data(sar_couple_realtime(b, k));
    assert_non_null(x);
    assert_non_null(y);
    assert_true(sar_time(x) == sar_time(y));
    assert_true(sar_state_hash(x) == sar_state_hash(y));
  }
}

static void threads_and_one_thread_are_bit_equal(void** state) {
  (void)state;
  Rng r = rng_seed(15);
  for (int n = 0; n < test_effort(3); n++) {
    const Case x = random_case(&r);
    const double rate = n % 2 ? 400 : 1000;
    SarRtOptions rt = sar_rt_options();
    SarCoupleOptions o = sar_couple_options();
    SarCoupleReport p, q;
    SarError err;
    sar_error_init(&err);
    rt.policy = n % 3 == 0 ? SAR_RT_SKIP : n % 3 == 1 ? SAR_RT_CATCH_UP : SAR_RT_SLIP;
    rt.scheduling = SAR_RT_AS_IS;
    rt.behind = 1e9;
    o.rt = &rt;
    o.end = 0.25;
    SarCouple *one = couple(&x, rate, &o), *many = couple(&x, rate, &o);
    EXPECT_OK_OR(sar_couple_run(one, &err), &err);
    EXPECT_OK_OR(sar_couple_start(many, &err), &err);
    assert_true(sar_couple_wait(many, -1));
    EXPECT_OK(sar_couple_report(one, &p));
    EXPECT_OK(sar_couple_report(many, &q));
    assert_int_equal(q.status, SAR_OK);
    assert_true(p.energy == q.energy && p.exchanged == q.exchanged);
    same_state(one, many);
    for (int k = 0; k < 2; k++) {
      SarRtReport t;
      EXPECT_OK(sar_rt_report(sar_couple_realtime(many, k), &t));
      assert_true(t.allocations == 0);
      assert_true(t.frames == (long long)(0.25 * rate * (k + 1) + 0.5));
    }
    sar_couple_free(one);
    sar_couple_free(many);
  }
}

// One that is told to stop takes the other with it, at once or within a frame, and that is no
// failure.
static void a_stop_ends_all(void** state) {
  (void)state;
  const Case x = {2, 40, 0.3, 0.5, 0.7, 0.1};
  SarRtOptions rt = sar_rt_options();
  SarCoupleOptions o = sar_couple_options();
  SarCoupleReport p;
  SarError err;
  sar_error_init(&err);
  rt.scheduling = SAR_RT_AS_IS;
  o.rt = &rt;
  o.end = 1000;
  SarCouple* c = couple(&x, 200, &o);
  EXPECT_OK_OR(sar_couple_start(c, &err), &err);
  assert_false(sar_couple_wait(c, 0.02));
  sar_rt_stop(sar_couple_realtime(c, 1));
  assert_true(sar_couple_wait(c, -1));
  EXPECT_OK(sar_couple_report(c, &p));
  assert_int_equal(p.status, SAR_OK);
  assert_true(p.time < 1000);
  const double a = sar_time(sar_rt_data(sar_couple_realtime(c, 0))),
               b = sar_time(sar_rt_data(sar_couple_realtime(c, 1)));
  assert_true(fabs(a - b) < 2.5 / 200);
  sar_couple_free(c);
}

// ---- what is refused ----------------------------------------------------------------------------

static void degrade_is_refused(void** state) {
  (void)state;
  SarRtOptions rt = sar_rt_options();
  SarCoupleOptions o = sar_couple_options();
  SarError err;
  SarCouple* c = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_couple_load(PAIR, NULL, &c, &err), &err);
  rt.policy = SAR_RT_DEGRADE;
  o.rt = &rt;
  assert_int_equal(sar_couple_open(c, &o, &err), SAR_BAD_ARGUMENT);
  sar_couple_free(c);
}

static void a_file_that_couples_is_no_model(void** state) {
  (void)state;
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  assert_true(sar_couple_is(PAIR));
  assert_false(sar_couple_is(SARRUS_SOURCE_DIR "/examples/pendulum.yaml"));
  assert_false(sar_couple_is(SARRUS_SOURCE_DIR "/examples/nothing.yaml"));
  assert_int_equal(sar_model_load(PAIR, NULL, &m, &err), SAR_BAD_MODEL);
  assert_null(m);
  assert_non_null(strstr(err.items[0].text, "couples several models"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coupled_is_the_whole_to_the_order_of_the_frame),
      cmocka_unit_test(threads_and_one_thread_are_bit_equal),
      cmocka_unit_test(a_stop_ends_all),
      cmocka_unit_test(degrade_is_refused),
      cmocka_unit_test(a_file_that_couples_is_no_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
