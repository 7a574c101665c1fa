// Round trips at 1 kHz by the wall's clock: from the outputs of a frame to the frame that uses the
// answer of a controller in another process, over shared memory and over UDP, also where the way
// loses, doubles, delays and makes up packets. What is printed are the machine's times; what is
// asked is that the books are right and the arm is held where the way lets it.
//   SARRUS_TEST_EFFORT=20 build/tests/program_test_round_trips      six seconds of each
#include "support/rig.h"

static void until(int64_t due) {
  const struct timespec t = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) continue;
}

// Frames on the beat, however late; the answers have a period each.
static void keep_the_beat(Rig* r, int frames) {
  const int64_t begin = wall_ns();
  for (int i = 0; i < frames; i++) {
    until(begin + (int64_t)(i + 1) * PERIOD_NS);
    rig_frame(r, 0);
  }
}

static void print_trips(const Rig* r, const char* what, const char* kind) {
  const SarPortStats* s = sar_port_stats(r->port);
  char text[200];
  snprintf(text, sizeof text, "%s, %s", kind, what);
  print_histogram(text, &s->age);
  printf(
      "  %-34s %ld frames: %ld used, %ld superseded, %ld lost, %ld twice, %ld late, %ld not "
      "understood, %ld on old values\n",
      "", (long)s->frames, (long)(s->received - s->superseded), (long)s->superseded, (long)s->lost,
      (long)s->duplicated, (long)s->reordered, (long)s->garbage, (long)s->frames_stale);
}

static void a_good_way(void** state) {
  (void)state;
  static const char* const kinds[] = {"shm", "udp"};
  for (int k = 0; k < 2; k++) {
    Rig r;
    char name[64];
    rig_open(&r, kinds[k], k ? "0" : port_name(name, "trips"));
    r.wall = true;
    const pid_t child =
        k ? start_example("pd_udp", port_number(&r)) : start_example("pd_shm", name);
    assert_true(connected(&r));
    keep_the_beat(&r, test_effort(300));
    const SarPortStats* s = sar_port_stats(r.port);
    assert_int_equal(s->garbage + s->restarts + s->reordered + s->duplicated, 0);
    assert_true(s->age.count > 0 && s->received > 0);
    print_trips(&r, "C", kinds[k]);
    rig_close(&r);
    stop(child);
  }
}

static void bad_ways(void** state) {
  (void)state;
  static const struct {
    const char* what;
    double loss, twice, late, made_up;
  } ways[] = {{"1 % lost", 0.01, 0, 0, 0},
              {"30 % lost", 0.3, 0, 0, 0},
              {"20 % twice", 0, 0.2, 0, 0},
              {"30 % out of order", 0, 0, 0.3, 0},
              {"every second one garbage", 0, 0, 0, 0.5},
              {"all of that", 0.3, 0.2, 0.3, 0.5}};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    Rig r;
    Way* w = shared_way();
    w->loss = ways[k].loss, w->twice = ways[k].twice, w->late = ways[k].late;
    w->made_up = ways[k].made_up;
    rig_open(&r, "udp", "0,timeout=0.2");
    r.wall = true;
    const pid_t child = start_badly(&r, w, test_seed(930 + (uint64_t)k));
    assert_true(connected(&r));
    keep_the_beat(&r, test_effort(300));
    atomic_store(&w->stop, true);
    for (int i = 0; i < 20000 && !atomic_load(&w->done); i++) rig_frame(&r, 1e-3);
    for (int i = 0; i < 20; i++) rig_frame(&r, 1e-4);  // all that is under way
    waitpid(child, NULL, 0);
    expect_counts(sar_port_stats(r.port), w);
    print_trips(&r, ways[k].what, "udp");
    rig_close(&r);
    munmap(w, sizeof *w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_way),
      cmocka_unit_test(bad_ways),
  };
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
