// The window on coupled simulators: all of them in one scene and one message, run by the window's
// own clock, with the numbers of the run in one thread.
#include "support/frame_read.h"
#include "support/json_check.h"
#include "support/random.h"
#include "support/session.h"

#include "realtime/couple.h"
#include "view/frame.h"
#include "view/hand_clock.h"
#include "view/pull.h"

#include <math.h>
#include <pthread.h>

#define SWING SARRUS_SOURCE_DIR "/examples/coupled/cart_and_swing.yaml"
#define FLIGHT SARRUS_SOURCE_DIR "/examples/coupled/helicopter.yaml"

typedef struct Pair {
  Frame of[2];
} Pair;

static SarSession* begin(const char* path, double speed, bool paused) {
  SarError err;
  SarSession* s;
  sar_error_init(&err);
  const SarSessionOptions o = {.path = path, .speed = speed, .end = -1, .paused = paused};
  EXPECT_OK_OR(sar_session_new(&o, &s, &err), &err);
  assert_true(sar_session_start(s));
  return s;
}

// A message whose first frame is at `time` or later; before it where `before`.
static Pair wait_for(SarSession* s, double time, bool before) {
  size_t size;
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; nap()) {
    const unsigned char* p = sar_session_frame(s, &size);
    if (!p) continue;
    const Frame a = frame_read(p, size);
    const Frame b = frame_read(p + a.length, size - a.length);
    assert_int_equal(a.length + b.length, size);
    if ((a.time > time - 1e-9) != before) return (Pair){{a, b}};
  }
  fail_msg("no message at %g s", time);
  return (Pair){0};
}

// The times of the last message, once no more come; its frames stay good until the next one.
static Pair settled(SarSession* s, Pair last) {
  size_t size;
  for (int quiet = 0; quiet < 60; nap(), quiet++) {
    const unsigned char* p = sar_session_frame(s, &size);
    if (!p) continue;
    last.of[0] = frame_read(p, size);
    last.of[1] = frame_read(p + last.of[0].length, size - last.of[0].length);
    quiet = 0;
  }
  return last;
}

// What is done to one of the simulators in one thread: the same as the window does to it.
typedef struct Deed {
  int simulator;
  long long exchange;     // from this one on
  long long until;        // a pull ends there; 0: it does not
  const char* parameter;  // of the coupling's file; NULL: a pull
  double value;
  int body;
  double point[3], to[3];
  SarPull pull;
} Deed;

typedef struct Deeds {
  Deed* of;
  int count;
} Deeds;

static SarModel* changed_model(const Deeds* all, int simulator, long long exchange) {
  SarParameter set[8];
  SarLoadOptions load = {.parameters = set};
  SarCouple* c;
  for (int i = 0; i < all->count; i++)
    if (all->of[i].parameter && all->of[i].exchange <= exchange)
      set[load.parameter_count++] = (SarParameter){all->of[i].parameter, all->of[i].value};
  EXPECT_OK(sar_couple_load(SWING, &load, &c, NULL));
  SarModel* m = c->member[simulator].m;
  c->member[simulator].m = NULL;
  sar_couple_free(c);
  return m;
}

static void do_it(void* context, SarMember* me, long long number) {
  const Deeds* all = context;
  SarCouple* c = me->c;
  for (int i = 0; i < all->count; i++) {
    Deed* x = &all->of[i];
    if (x->simulator != me - c->member || number < x->exchange * me->frames) continue;
    const bool now = number == x->exchange * me->frames;
    if (x->parameter && now)
      EXPECT_OK(sar_couple_change(me, changed_model(all, x->simulator, x->exchange), NULL));
    if (x->parameter) continue;
    if (now) {
      assert_true(sar_pull_begin(&x->pull, me->m));
      assert_true(sar_pull_grasp(&x->pull, me->rt->d, x->body, x->point, me->rt->period));
      x->pull.to = v3_load(x->to);
    }
    if (x->until && number == x->until * me->frames) sar_pull_release(&x->pull, me->rt->d);
    if (x->pull.on) sar_pull_apply(&x->pull, me->rt->d);
  }
}

static SarCouple* one_thread(double end, const SarLoadOptions* load, const Deeds* deeds) {
  SarCouple* c;
  SarCoupleOptions o = sar_couple_options();
  SarRtOptions rt = sar_rt_options();
  rt.scheduling = SAR_RT_AS_IS;
  rt.lock_memory = false;
  o.rt = &rt;
  o.end = end;
  EXPECT_OK(sar_couple_load(SWING, load, &c, NULL));
  for (int k = 0; deeds && k < c->members; k++) {
    c->member[k].operate = do_it;
    c->member[k].hand = (void*)deeds;
  }
  EXPECT_OK(sar_couple_open(c, &o, NULL));
  EXPECT_OK(sar_couple_run(c, NULL));
  return c;
}

// What sar_couple_run has at the time of an exchange: outputs and the energy audit.
static void expect_numbers(const Frame* f, const SarLoadOptions* load, const Deeds* deeds) {
  SarCouple* c = one_thread(f->time, load, deeds);
  const SarMember* cart = &c->member[0];
  SarEnergy e;
  assert_true(cart->rt->d->t == f->time);
  assert_int_equal(cart->outputs, f->outputs);
  assert_memory_equal(cart->rt->outputs + 1, f->values, sizeof(double) * f->outputs);
  EXPECT_OK(sar_energy(cart->rt->d, &e));
  const double audit[] = {e.kinetic, e.potential, e.work, e.error};
  assert_memory_equal(audit, f->energy, sizeof audit);
  for (int i = 0; deeds && i < deeds->count; i++) sar_pull_end(&deeds->of[i].pull);
  sar_couple_free(c);
}

static void expect_same_numbers(const Frame* f) { expect_numbers(f, NULL, NULL); }

static void single_exchanges_have_the_numbers_of_one_thread(void** state) {
  (void)state;
  SarSession* s = begin(SWING, 1, true);
  const Pair first = settled(s, wait_for(s, 0, false));
  assert_true(first.of[0].time < 0.02 && !(first.of[0].flags & SAR_FRAME_RUNNING));
  tell(s, "{\"type\":\"step\",\"count\":40}");
  tell(s, "{\"type\":\"step\",\"count\":13}");
  const Pair f = settled(s, wait_for(s, first.of[0].time + 0.053, false));
  assert_true(fabs(f.of[0].time - first.of[0].time - 0.053) < 1e-9);
  assert_true(fabs(f.of[1].time - f.of[0].time) < 1e-3);
  expect_same_numbers(&f.of[0]);
  sar_session_free(s);
}

static void it_runs_pauses_and_begins_anew(void** state) {
  (void)state;
  SarSession* s = begin(SWING, 1, false);
  wait_for(s, 0.2, false);
  tell(s, "{\"type\":\"pause\"}");
  wait_for_log(s, "pause");
  for (int i = 0; i < 50; i++) nap();
  size_t size;
  while (sar_session_frame(s, &size)) continue;
  for (int i = 0; i < 50; i++) nap();
  assert_null(sar_session_frame(s, &size));  // it stands still
  tell(s, "{\"type\":\"speed\",\"value\":0}");
  tell(s, "{\"type\":\"run\"}");
  const Pair f = wait_for(s, 3, false);  // as fast as it goes
  assert_true(f.of[0].flags & SAR_FRAME_RUNNING);
  tell(s, "{\"type\":\"speed\",\"value\":1}");
  tell(s, "{\"type\":\"reset\"}");
  wait_for_log(s, "reset");
  wait_for(s, 1, true);
  wait_for(s, 0.1, false);  // and runs on
  // at rest too
  tell(s, "{\"type\":\"pause\"}");
  wait_for_log(s, "pause");
  tell(s, "{\"type\":\"reset\"}");
  wait_for_log(s, "reset");
  const Pair again = wait_for(s, 0.002, true);
  assert_true(!(again.of[0].flags & SAR_FRAME_RUNNING));
  sar_session_free(s);
}

// ---- changes of a run ---------------------------------------------------------------------------

static double earliest(const Pair* f) { return fmin(f->of[0].time, f->of[1].time); }

// Of the exchange that comes behind what is shown while the clock stands still.
static long long next_exchange(const Pair* f) {
  return (long long)floor(1000 * earliest(f) + 1e-6) + 1;
}

static Pair steps(SarSession* s, const Pair* from, int count) {
  char text[80];
  snprintf(text, sizeof text, "{\"type\":\"step\",\"count\":%d}", count);
  const double to = earliest(from) + 1e-3 * count - 1e-4;
  tell(s, text);
  return settled(s, wait_for(s, to, false));
}

// From the next exchange on the run is one with these parameters, to the bit; not before.
static void parameters_change_at_an_exchange(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(7));
  static const char* const NAME[] = {"cart.k", "cart.M", "swing.m", "swing.L"};
  static const char* const OWN[] = {"k", "M", "m", "L"};
  static const double USUAL[] = {40, 2, 0.3, 0.5};
  for (int round = 0; round < test_effort(3); round++) {
    char text[200];
    Deed deed[3] = {{0}};
    SarParameter set[3];
    SarSession* s = begin(SWING, 1, true);
    Pair f = settled(s, wait_for(s, 0, false));
    for (int i = 0; i < 3; i++) {
      const int which = (round + i) % 4;
      f = steps(s, &f, 5 + (int)rng_uniform(&r, 0, 60));
      const Deeds before = {deed, i};
      expect_numbers(&f.of[0], NULL, &before);
      set[i] = (SarParameter){OWN[which], USUAL[which] * rng_uniform(&r, 0.5, 2)};
      deed[i] = (Deed){.simulator = which / 2, .exchange = next_exchange(&f)};
      deed[i].parameter = OWN[which];
      deed[i].value = set[i].value;
      snprintf(text, sizeof text, "{\"type\":\"parameter\",\"name\":\"%s\",\"value\":%.17g}",
               NAME[which], set[i].value);
      tell(s, text);
      const Deeds with = {deed, i + 1};
      const Pair after = steps(s, &f, 1);  // made before
      expect_numbers(&after.of[0], NULL, &before);
      f = steps(s, &after, 2 + (int)rng_uniform(&r, 0, 30));
      snprintf(text, sizeof text, "%s: parameter %s = ", which < 2 ? "cart" : "swing", OWN[which]);
      EXPECT_NEAR(wait_for_log(s, text).time, 1e-3 * (double)deed[i].exchange, 1e-9);
      expect_numbers(&f.of[0], NULL, &with);
    }
    // a reset keeps them
    tell(s, "{\"type\":\"reset\"}");
    wait_for_log(s, "reset");
    f = settled(s, wait_for(s, 0.02, true));
    f = steps(s, &f, 50);
    const SarLoadOptions load = {.parameters = set, .parameter_count = 3};
    expect_numbers(&f.of[0], &load, NULL);
    sar_session_free(s);
  }
}

static bool is_shown(const Frame* f) {
  bool arrow = false;
  for (uint32_t k = 0; k < f->arrows; k++) arrow = arrow || frame_f32(f->arrow + 32 * k) == 2.0F;
  return arrow && (f->flags & SAR_FRAME_PULLED);
}

// What the audit leaves unexplained, of what moved or was put in.
static double unexplained(const Frame* f) {
  return fabs(f->energy[3]) / (fabs(f->energy[0]) + fabs(f->energy[2]));
}

// A body of either simulator is pulled at, with the numbers of one thread; the work is in the audit
// of the one that it belongs to.
static void pulls_go_to_their_simulator(void** state) {
  (void)state;
  static const struct {
    int shown, simulator, body;
  } PULLED[] = {{0, 0, 0}, {3, 1, 2}};  // the cart; the rod of the swing
  Rng r = rng_seed(test_seed(9));
  char text[300], error[200] = "";
  for (int i = 0; i < 2; i++) {
    SarSession* s = begin(SWING, 1, true);
    Pair f = settled(s, wait_for(s, 0, false));
    f = steps(s, &f, 5 + (int)rng_uniform(&r, 0, 60));
    Deed deed = {.simulator = PULLED[i].simulator,
                 .exchange = next_exchange(&f),
                 .body = PULLED[i].body,
                 .point = {0.01, 0, -0.1},
                 .to = {rng_uniform(&r, 0.3, 0.6), 0, 0.1}};
    snprintf(text, sizeof text,
             "{\"type\":\"pull\",\"body\":%d,\"point\":[0.01,0,-0.1],\"to\":[%.17g,0,0.1]}",
             PULLED[i].shown, deed.to[0]);
    tell(s, text);
    f = steps(s, &f, 80);
    const Deeds deeds = {&deed, 1};
    const Frame* own = &f.of[deed.simulator];
    assert_true(is_shown(own) && !is_shown(&f.of[1 - deed.simulator]));
    expect_numbers(&f.of[0], NULL, &deeds);
    assert_true(fabs(own->energy[2]) > 0.01);
    print_message("%g J, %g unexplained\n", own->energy[2], unexplained(own));
    assert_true(unexplained(own) < 1e-4);
    deed.until = next_exchange(&f);
    tell(s, "{\"type\":\"release\"}");
    f = steps(s, &f, 20);
    assert_false(is_shown(&f.of[deed.simulator]));
    expect_numbers(&f.of[0], NULL, &deeds);
    assert_false(
        command(s, "{\"type\":\"pull\",\"body\":1,\"point\":[0,0,0],\"to\":[0,0,0]}", error, 200));
    assert_non_null(strstr(error, "'carrier' cannot be pulled"));
    assert_false(
        command(s, "{\"type\":\"pull\",\"body\":4,\"point\":[0,0,0],\"to\":[0,0,0]}", error, 200));
    sar_session_free(s);
  }
}

// What cannot be is refused, and the run goes on as it was.
static void parameters_that_cannot_be_stay(void** state) {
  (void)state;
  char error[200] = "";
  SarSession* s = begin(SWING, 1, true);
  Pair f = settled(s, wait_for(s, 0, false));
  assert_false(command(s, "{\"type\":\"parameter\",\"name\":\"k\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "there is no parameter 'k'"));
  assert_false(command(s, "{\"type\":\"parameter\",\"name\":\"cart.x\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "there is no parameter 'x'"));
  tell(s, "{\"type\":\"parameter\",\"name\":\"cart.M\",\"value\":-3}");
  wait_for_log(s, "cart: parameter M stays 2");
  f = steps(s, &f, 20);
  expect_same_numbers(&f.of[0]);
  sar_session_free(s);
}

static void look_at_scene(void* context, const char* text, size_t size) {
  (void)context;
  char* copy = malloc(size + 1);
  assert_non_null(copy);
  memcpy(copy, text, size);
  copy[size] = 0;
  assert_true(json_is_valid(copy));
  assert_non_null(strstr(copy, "\"parts\""));
  assert_non_null(strstr(copy, "\"name\": \"cart\""));
  assert_non_null(strstr(copy, "\"name\": \"swing\""));
  assert_non_null(strstr(copy, "\"driven\": true"));
  free(copy);
}

static void commands_go_to_their_simulator(void** state) {
  (void)state;
  char error[200] = "";
  SarSession* s = begin(SWING, 1, true);
  wait_for(s, 0, false);
  sar_session_scene(s, look_at_scene, NULL);
  assert_false(command(s, "{\"type\":\"input\",\"name\":\"cart.pull\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "another port of the run drives it"));
  assert_false(command(s, "{\"type\":\"input\",\"name\":\"cart.push\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "there is no input 'push'"));
  assert_false(command(s, "{\"type\":\"input\",\"name\":\"horse.pull\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "there is no input 'horse.pull'"));
  tell(s, "{\"type\":\"release\"}");
  sar_session_free(s);
  s = begin(FLIGHT, 1, true);
  wait_for(s, 0, false);
  tell(s, "{\"type\":\"input\",\"name\":\"airframe.forward\",\"value\":3}");
  wait_for_log(s, "airframe: input forward = 3");
  sar_session_free(s);
}

// ---- the clock ----------------------------------------------------------------------------------

typedef struct Waiting {
  SarRtClock clock;
  long long until;
  atomic_bool back;
} Waiting;

static void* wait_there(void* context) {
  Waiting* w = context;
  w->clock.wait(w->clock.context, w->until);
  atomic_store(&w->back, true);
  return NULL;
}

static void a_held_clock_goes_as_far_as_it_is_let(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(5));
  SarHandClock hand;
  sar_hand_clock_begin(&hand, 1);
  const SarRtClock c = sar_hand_clock_clock(&hand);
  long long at = 0;
  for (int i = 0; i < 20; i++) {
    const long long step = 1000 + (long long)(2e6 * rng_uniform(&r, 0, 1));
    at += step;
    sar_hand_clock_step(&hand, step);
    c.wait(c.context, at);
    assert_true(c.now(c.context) == at && !sar_hand_clock_runs(&hand));
  }
  Waiting w = {.clock = c, .until = at + 1000000};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, wait_there, &w), 0);
  for (int i = 0; i < 20; i++) nap();
  assert_false(atomic_load(&w.back));  // it stands still
  sar_hand_clock_let_go(&hand, true);
  pthread_join(thread, NULL);
  sar_hand_clock_let_go(&hand, false);
  // without a speed it comes to whoever waits
  sar_hand_clock_speed(&hand, 0);
  sar_hand_clock_run(&hand, true);
  const long long far = c.now(c.context) + 3600000000000;
  c.wait(c.context, far);
  assert_true(c.now(c.context) >= far);
  sar_hand_clock_end(&hand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_exchanges_have_the_numbers_of_one_thread),
      cmocka_unit_test(it_runs_pauses_and_begins_anew),
      cmocka_unit_test(parameters_change_at_an_exchange),
      cmocka_unit_test(parameters_that_cannot_be_stay),
      cmocka_unit_test(pulls_go_to_their_simulator),
      cmocka_unit_test(commands_go_to_their_simulator),
      cmocka_unit_test(a_held_clock_goes_as_far_as_it_is_let),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
