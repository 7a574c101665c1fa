// The window on coupled simulators: all of them in one scene and one message, run by the window's
// own clock, with the numbers of the run in one thread.
#include "support/frame_read.h"
#include "support/json_check.h"
#include "support/random.h"

#include "base/clock.h"
#include "realtime/couple.h"
#include "view/frame.h"
#include "view/hand_clock.h"
#include "view/session.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

#define SWING SARRUS_SOURCE_DIR "/examples/coupled/cart_and_swing.yaml"
#define FLIGHT SARRUS_SOURCE_DIR "/examples/coupled/helicopter.yaml"

static void nap(void) {
  const struct timespec t = {.tv_nsec = 2000000};
  nanosleep(&t, NULL);
}

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

static bool command(SarSession* s, const char* text, char* error, size_t size) {
  SarCommand c;
  return sar_command_parse(text, strlen(text), &c, error, size) &&
         sar_session_command(s, &c, error, size);
}

static void tell(SarSession* s, const char* text) {
  char error[200] = "";
  if (!command(s, text, error, sizeof error)) fail_msg("%s: %s", text, error);
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

static bool wait_for_log(SarSession* s, const char* words) {
  SarNote note;
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; nap())
    while (sar_session_note(s, &note))
      if (note.kind == SAR_NOTE_LOG && strncmp(note.text, words, strlen(words)) == 0) return true;
  return false;
}

// What sar_couple_run has at the time of an exchange.
static void expect_same_numbers(const Frame* f) {
  SarCouple* c;
  SarCoupleOptions o = sar_couple_options();
  SarRtOptions rt = sar_rt_options();
  rt.scheduling = SAR_RT_AS_IS;
  rt.lock_memory = false;
  o.rt = &rt;
  o.end = f->time;
  EXPECT_OK(sar_couple_load(SWING, NULL, &c, NULL));
  EXPECT_OK(sar_couple_open(c, &o, NULL));
  EXPECT_OK(sar_couple_run(c, NULL));
  const SarMember* cart = &c->member[0];
  assert_true(cart->rt->d->t == f->time);
  assert_int_equal(cart->outputs, f->outputs);
  assert_memory_equal(cart->rt->outputs + 1, f->values, sizeof(double) * f->outputs);
  sar_couple_free(c);
}

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
  assert_true(wait_for_log(s, "pause"));
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
  assert_true(wait_for_log(s, "reset"));
  wait_for(s, 1, true);
  wait_for(s, 0.1, false);  // and runs on
  // at rest too
  tell(s, "{\"type\":\"pause\"}");
  assert_true(wait_for_log(s, "pause"));
  tell(s, "{\"type\":\"reset\"}");
  assert_true(wait_for_log(s, "reset"));
  const Pair again = wait_for(s, 0.002, true);
  assert_true(!(again.of[0].flags & SAR_FRAME_RUNNING));
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
  assert_false(command(s, "{\"type\":\"parameter\",\"name\":\"m\",\"value\":1}", error, 200));
  assert_non_null(strstr(error, "only inputs"));
  tell(s, "{\"type\":\"release\"}");
  sar_session_free(s);
  s = begin(FLIGHT, 1, true);
  wait_for(s, 0, false);
  tell(s, "{\"type\":\"input\",\"name\":\"airframe.forward\",\"value\":3}");
  assert_true(wait_for_log(s, "airframe: input forward = 3"));
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
      cmocka_unit_test(commands_go_to_their_simulator),
      cmocka_unit_test(a_held_clock_goes_as_far_as_it_is_let),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
