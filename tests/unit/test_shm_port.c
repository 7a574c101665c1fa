// The port over shared memory, with the header-only client: values pass unchanged, latest or in
// order; damaged and foreign objects are refused; who reads while it is written sees whole samples.
#include "sarrus/shm_client.h"
#include "support/ports.h"
#include "support/alloc_count.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static const char* with(char text[128], const char* name, const char* options) {
  snprintf(text, 128, "%s%s", name, options);
  return text;
}

static void values_pass_both_ways(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(11));
  for (int trial = 0; trial < test_effort(30); trial++) {
    PortWorld w;
    SarShm c;
    char name[64];
    double y[PORT_MOST], u[PORT_MOST];
    const int nu = rng_int(&rng, 20), ny = rng_int(&rng, 40);
    port_world(&w, nu, ny);
    SarPort* p = port_opened(&w, "shm", port_name(name, "pass"));
    assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
    assert_int_equal(c.inputs, nu);
    assert_int_equal(c.outputs, ny);
    assert_int_equal(c.header.period_ns, 1000000);
    for (int i = 0; i < nu; i++) assert_string_equal(sar_shm_name(&c, i, 1), w.input[i].name);
    for (int i = 0; i < ny; i++) {
      assert_int_equal(sar_shm_find(&c, w.output[i].name, 0), i);
      assert_string_equal(c.signal[nu + i].unit, w.output[i].unit);
    }
    assert_int_equal(sar_shm_find(&c, "nothing", 0), -1);
    assert_int_equal(sar_shm_latest(&c, y), SAR_SHM_NOTHING);
    for (int k = 0; k < 50; k++) {
      for (int i = 0; i < ny; i++) w.outputs[i] = rng_normal(&rng);
      port_frame(&w, p);
      assert_int_equal(sar_shm_latest(&c, y), SAR_SHM_OK);
      assert_memory_equal(y, w.outputs, sizeof(double) * (size_t)ny);
      assert_int_equal(c.last.sequence, w.frame.sequence);
      assert_true(c.last.time == w.frame.time);
      assert_int_equal(sar_shm_latest(&c, y), SAR_SHM_NOTHING);
      for (int i = 0; i < nu; i++) u[i] = rng_normal(&rng);
      assert_int_equal(sar_shm_send(&c, u), SAR_SHM_OK);
      port_frame(&w, p);
      assert_memory_equal(u, w.inputs, sizeof(double) * (size_t)nu);
    }
    const SarPortStats* s = sar_port_stats(p);
    assert_int_equal(s->sent, 100);
    assert_int_equal(s->received, 50);
    assert_int_equal(s->lost + s->garbage + s->superseded + s->timeouts + s->restarts, 0);
    assert_int_equal(s->age.count, 50);
    EXPECT_NEAR(s->age.worst, 1e-3, 1e-9);  // from frame to frame
    assert_true(sar_shm_alive(&c));
    sar_port_close(p);
    assert_false(sar_shm_alive(&c));
    while (sar_shm_latest(&c, y) == SAR_SHM_OK) {
    }
    assert_int_equal(sar_shm_wait(&c, y, 1000000), SAR_SHM_OVER);
    sar_shm_detach(&c);
    assert_int_equal(sar_shm_attach(&c, name, 0), SAR_SHM_ABSENT);
  }
}

// The reader of every sample gets all, or knows how many it missed; inputs are taken in order if
// that is asked for.
static void rings_keep_the_order(void** state) {
  (void)state;
  PortWorld w;
  SarShm c;
  char name[64], address[128];
  double y[2], u[1];
  port_world(&w, 1, 2);
  SarPort* p =
      port_opened(&w, "shm", with(address, port_name(name, "ring"), ",take=queue,ring=64"));
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
  for (int k = 0; k < 50; k++) {
    w.outputs[0] = k;
    port_frame(&w, p);
    u[0] = k;
    sar_shm_send(&c, u);
  }
  for (int k = 0; k < 50; k++) {
    assert_int_equal(sar_shm_next(&c, y), SAR_SHM_OK);
    EXPECT_NEAR(y[0], k, 0);
  }
  assert_int_equal(sar_shm_next(&c, y), SAR_SHM_NOTHING);
  assert_int_equal(c.lost, 0);
  assert_int_equal(sar_port_stats(p)->received, 49);  // one a frame, from the second on
  EXPECT_NEAR(w.inputs[0], 48, 0);
  // both rings run over: 200 samples, of which 63 can be read
  for (int k = 0; k < 200; k++) {
    w.outputs[0] = 1000 + k;
    sar_port_exchange(p, &w.frame);
  }
  int read = 0;
  while (sar_shm_next(&c, y) == SAR_SHM_OK) EXPECT_NEAR(y[0], 1000 + 200 - 63 + read++, 0);
  assert_int_equal(read, 63);
  assert_int_equal(c.lost, 200 - 63);
  const uint64_t before = sar_port_stats(p)->lost, received = sar_port_stats(p)->received;
  for (int k = 0; k < 200; k++) {
    u[0] = k;
    sar_shm_send(&c, u);
  }
  double last = 0;
  for (int k = 0; k < 100; k++) {
    port_frame(&w, p);
    if (k < 63) EXPECT_NEAR(w.inputs[0], 200 - 63 + k, 0);
    last = w.inputs[0];
  }
  EXPECT_NEAR(last, 199, 0);
  assert_int_equal(sar_port_stats(p)->lost - before, 200 - 63);
  assert_int_equal(sar_port_stats(p)->received - received, 63);
  sar_shm_detach(&c);
  sar_port_close(p);
}

static void timeouts_hold_or_fall_back(void** state) {
  (void)state;
  PortWorld w;
  SarShm c;
  char name[64], address[128];
  const double u[3] = {1, 2, 3};
  port_world(&w, 3, 1);
  w.input[2].fail_safe = true;
  w.input[2].safe = -7;
  w.inputs[0] = 0.5;
  SarPort* p =
      port_opened(&w, "shm", with(address, port_name(name, "late"), ",timeout=0.01,safe=u1:9"));
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
  assert_int_equal(c.signal[1].flags, SAR_SHM_FAIL_SAFE);
  EXPECT_NEAR(c.signal[1].safe, 9, 0);
  assert_int_equal(c.signal[0].flags, 0);
  const SarPortStats* s = sar_port_stats(p);
  for (int k = 0; k <= 10; k++) port_frame(&w, p);  // nobody has come, but there is time
  EXPECT_NEAR(w.inputs[1], 0, 0);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 0.5, 0);
  EXPECT_NEAR(w.inputs[1], 9, 0);
  EXPECT_NEAR(w.inputs[2], -7, 0);
  assert_int_equal(s->timeouts, 1);
  assert_false(s->connected);
  sar_shm_send(&c, u);
  port_frame(&w, p);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(w.inputs[i], u[i], 0);
  assert_int_equal(s->recoveries, 1);
  assert_true(s->connected);
  for (int k = 0; k < 10; k++) port_frame(&w, p);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(w.inputs[i], u[i], 0);
  for (int k = 0; k < 20; k++) port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 1, 0);  // held
  EXPECT_NEAR(w.inputs[1], 9, 0);
  EXPECT_NEAR(w.inputs[2], -7, 0);
  assert_int_equal(s->timeouts, 2);
  assert_int_equal(s->frames_stale, 1 + 20);
  sar_shm_detach(&c);
  sar_port_close(p);
}

static void what_is_not_finite_is_not_used(void** state) {
  (void)state;
  PortWorld w;
  SarShm c;
  char name[64];
  double u[2] = {1, 2};
  port_world(&w, 2, 1);
  SarPort* p = port_opened(&w, "shm", port_name(name, "nan"));
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
  sar_shm_send(&c, u);
  port_frame(&w, p);
  u[0] = 5;
  u[1] = (double)NAN;
  sar_shm_send(&c, u);
  port_frame(&w, p);
  u[1] = (double)INFINITY;
  sar_shm_send(&c, u);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 1, 0);
  EXPECT_NEAR(w.inputs[1], 2, 0);
  assert_int_equal(sar_port_stats(p)->garbage, 2);
  sar_shm_detach(&c);
  sar_port_close(p);
}

// A driver that dies at any word of a sample: the newest whole one stays in force, and the next
// driver goes on there.
static void half_a_sample_is_not_used(void** state) {
  (void)state;
  enum { INPUTS = 5 };
  for (int words = 0; words < SAR_SHM_SAMPLE_WORDS + INPUTS; words++) {
    PortWorld w;
    SarShm c;
    char name[64];
    double u[INPUTS] = {1, 2, 3, 4, 5};
    port_world(&w, INPUTS, 1);
    SarPort* p = port_opened(&w, "shm", port_name(name, "half"));
    assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
    sar_shm_send(&c, u);
    port_frame(&w, p);
    const uint64_t number = c.live->input_head + 1;
    uint64_t* slot =
        (uint64_t*)(void*)(c.base + c.header.input_ring +
                           (number & (c.header.input_slots - 1)) * c.header.input_bytes);
    slot[0] = 2 * number - 1;
    for (int i = 1; i < words; i++) slot[i] = 0x4000000000000000 + (uint64_t)i;
    sar_shm_detach(&c);
    port_frame(&w, p);
    for (int i = 0; i < INPUTS; i++) EXPECT_NEAR(w.inputs[i], i + 1, 0);
    assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
    for (int i = 0; i < INPUTS; i++) u[i] = 10 * i;
    port_pause(1e-6);
    sar_shm_send(&c, u);
    port_frame(&w, p);
    for (int i = 0; i < INPUTS; i++) EXPECT_NEAR(w.inputs[i], 10 * i, 0);
    assert_int_equal(sar_port_stats(p)->received, 2);
    assert_int_equal(sar_port_stats(p)->garbage, 0);
    assert_int_equal(sar_port_stats(p)->restarts, 1);
    sar_shm_detach(&c);
    sar_port_close(p);
  }
}

// Any bytes in place of what a driver writes, and of the description: the runner goes on, and a
// client that comes then sees that something is wrong.
static void damage_does_no_harm(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(12));
  for (int trial = 0; trial < test_effort(100); trial++) {
    PortWorld w;
    SarShm c, late;
    char name[64];
    port_world(&w, 3, 4);
    SarPort* p = port_opened(&w, "shm", port_name(name, "damage"));
    assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
    for (int k = 0; k < 200; k++) {
      const bool anywhere = k % 2;
      const size_t from = anywhere ? 0 : c.header.input_ring;
      const size_t range = anywhere ? 4096 : c.header.bytes - from;
      c.base[from + (size_t)rng_int(&rng, (int)range)] = (unsigned char)rng_next(&rng);
      if (k % 3 == 0) c.live->input_head = (uint64_t)rng_next(&rng) << rng_int(&rng, 33);
      if (k % 5 == 0) c.live->input_head += 1;
      port_frame(&w, p);
      for (int i = 0; i < 3; i++) assert_true(isfinite(w.inputs[i]));
    }
    // the description: one bit
    sar_shm_detach(&c);
    sar_port_close(p);
    for (int i = 0; i < 3; i++) w.input[i].port = NULL;
    p = port_opened(&w, "shm", name);
    assert_int_equal(sar_shm_attach(&c, name, 0), SAR_SHM_OK);
    const int place = rng_int(&rng, 8) ? rng_int(&rng, 128) : 256 + rng_int(&rng, 7 * 128);
    c.base[place] ^= (unsigned char)(1 << rng_int(&rng, 8));
    assert_int_equal(sar_shm_attach(&late, name, 0), SAR_SHM_WRONG);
    sar_shm_detach(&c);
    sar_port_close(p);
  }
}

static void names_and_owners_are_kept_apart(void** state) {
  (void)state;
  PortWorld w;
  SarPort *p, *other;
  SarError err;
  char name[64];
  const char* const wrong[] = {
      "",           "../x",      "a/b",         "-x",          "x,speed=1",   "x,timeout=0",
      "x,timeout",  "x,safe=u0", "x,safe=u7:1", "x,inputs=z*", "x,take=some", "x,ring=-1",
      "x,outputs=z"};
  port_world(&w, 2, 2);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sar_error_init(&err);
    EXPECT_STATUS(sar_port_open("shm", wrong[i], &w.layout, &p, &err), SAR_BAD_ARGUMENT);
    assert_null(p);
    assert_int_equal(err.errors, 1);
    assert_null(w.input[0].port);
  }
  sar_error_init(&err);
  EXPECT_STATUS(sar_port_open("smoke", "x", &w.layout, &p, &err), SAR_BAD_ARGUMENT);
  p = port_opened(&w, "shm", port_name(name, "owner"));
  assert_ptr_equal(w.input[0].port, p);
  EXPECT_STATUS(sar_port_open("shm", name, &w.layout, &other, &err), SAR_BAD_ARGUMENT);
  // a second port drives nothing, because all inputs have one
  other = port_opened(&w, "shm", port_name(name, "second"));
  assert_int_equal(sar_port_inputs(other), 0);
  sar_port_close(other);
  sar_port_close(p);
}

// A runner that is killed leaves its object; the next one takes its place, and its driver sees that
// it is gone.
static void killed_runner_is_replaced(void** state) {
  (void)state;
  PortWorld w;
  SarShm c;
  char name[64];
  port_world(&w, 1, 1);
  port_name(name, "killed");
  const pid_t child = fork();
  if (child == 0) {
    SarPort* p = port_opened(&w, "shm", name);
    for (;;) {
      port_frame(&w, p);
      port_pause(1e-3);
    }
  }
  double y[1];
  for (int i = 0; i < 5000 && sar_shm_attach(&c, name, 1) != SAR_SHM_OK; i++) port_pause(1e-3);
  assert_int_equal(sar_shm_wait(&c, y, 2000000000), SAR_SHM_OK);
  // while it lives nobody takes its name
  SarPort* p;
  EXPECT_STATUS(sar_port_open("shm", name, &w.layout, &p, NULL), SAR_BAD_ARGUMENT);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  while (sar_shm_latest(&c, y) == SAR_SHM_OK) {
  }
  assert_int_equal(sar_shm_wait(&c, y, 1000000), SAR_SHM_OVER);
  sar_shm_detach(&c);
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_ABSENT);  // what it left is not a run
  p = port_opened(&w, "shm", name);
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
  sar_shm_detach(&c);
  sar_port_close(p);
}

// ---- reading while it is written ----

typedef struct Race {
  char name[64];
  int stop;
  long read, torn;
} Race;

// All values of a sample are its number.
static void* read_fast(void* arg) {
  Race* r = arg;
  SarShm c;
  double y[PORT_MOST];
  if (sar_shm_attach(&c, r->name, 0) != SAR_SHM_OK) return NULL;
  while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
    if (sar_shm_latest(&c, y) != SAR_SHM_OK) continue;
    __atomic_fetch_add(&r->read, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < c.outputs; i++) r->torn += y[i] != (double)c.last.sequence;
  }
  sar_shm_detach(&c);
  return NULL;
}

static void readers_see_whole_samples(void** state) {
  (void)state;
  PortWorld w;
  Race race = {.stop = 0};
  pthread_t reader;
  char address[128];
  port_world(&w, 0, PORT_MOST);
  port_name(race.name, "race");
  SarPort* p = port_opened(&w, "shm", with(address, race.name, ",ring=8"));
  pthread_create(&reader, NULL, read_fast, &race);
  const int frames = test_effort(400000);
  for (int k = 0; k < frames; k++) {
    for (int i = 0; i < PORT_MOST; i++) w.outputs[i] = (double)(w.frame.sequence + 1);
    port_frame(&w, p);
  }
  for (int k = 0; k < 2000 && !__atomic_load_n(&race.read, __ATOMIC_RELAXED); k++) port_pause(1e-3);
  __atomic_store_n(&race.stop, 1, __ATOMIC_RELEASE);
  pthread_join(reader, NULL);
  assert_true(race.read > 0);
  assert_int_equal(race.torn, 0);
  sar_port_close(p);
}

static void exchange_allocates_nothing(void** state) {
  (void)state;
  PortWorld w;
  SarShm c;
  char name[64];
  double y[PORT_MOST], u[PORT_MOST] = {0};
  port_world(&w, 10, 20);
  SarPort* p = port_opened(&w, "shm", port_name(name, "alloc"));
  assert_int_equal(sar_shm_attach(&c, name, 1), SAR_SHM_OK);
  alloc_count_reset();
  for (int k = 0; k < 1000; k++) {
    port_frame(&w, p);
    if (sar_shm_latest(&c, y) == SAR_SHM_OK) sar_shm_send(&c, u);
  }
  assert_int_equal(alloc_count(), 0);
  sar_shm_detach(&c);
  sar_port_close(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_pass_both_ways),
      cmocka_unit_test(rings_keep_the_order),
      cmocka_unit_test(timeouts_hold_or_fall_back),
      cmocka_unit_test(what_is_not_finite_is_not_used),
      cmocka_unit_test(half_a_sample_is_not_used),
      cmocka_unit_test(damage_does_no_harm),
      cmocka_unit_test(names_and_owners_are_kept_apart),
      cmocka_unit_test(killed_runner_is_replaced),
      cmocka_unit_test(readers_see_whole_samples),
      cmocka_unit_test(exchange_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
