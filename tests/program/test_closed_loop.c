// An arm and its controller in another process, over shared memory and over UDP: the loop is
// closed, whatever the way loses, doubles, turns round or makes up, and also when the controller
// dies and comes back. Frames follow each other as fast as answers come; time-outs are counted by
// the frames' own clock.
#include "support/rig.h"

static void shm_controllers_close_the_loop(void** state) {
  (void)state;
  for (int python = 0; python < 1 + has_python(); python++) {
    Rig r;
    char name[64];
    rig_open(&r, "shm", port_name(name, python ? "python" : "c"));
    r.wall = true;
    const pid_t child = python ? start_python("--shm", name) : start_example("pd_shm", name);
    assert_true(connected(&r));
    expect_held(&r, 1e-4);
    const SarPortStats* s = sar_port_stats(r.port);
    assert_int_equal(s->lost + s->garbage + s->restarts, 0);
    assert_true(s->received > 100);
    print_histogram(python ? "shm, Python" : "shm, C", &s->turnaround);
    rig_close(&r);
    stop(child);
  }
}

static void udp_controllers_close_the_loop(void** state) {
  (void)state;
  for (int python = 0; python < 1 + has_python(); python++) {
    Rig r;
    rig_open(&r, "udp", "0");
    r.wall = true;
    const pid_t child =
        python ? start_python("--udp", port_number(&r)) : start_example("pd_udp", port_number(&r));
    assert_true(connected(&r));
    expect_held(&r, 1e-4);
    const SarPortStats* s = sar_port_stats(r.port);
    assert_int_equal(s->lost + s->garbage + s->restarts + s->duplicated + s->reordered, 0);
    assert_true(s->received > 100);
    print_histogram(python ? "udp, Python" : "udp, C", &s->turnaround);
    rig_close(&r);
    stop(child);
  }
}

// ---- a bad way ----

// The sentence names each count that is not zero, and no other.
static void expect_words(const Rig* r) {
  const SarPortStats* s = sar_port_stats(r->port);
  char text[1024], part[32];
  sar_port_words(r->port, text, sizeof text);
  assert_int_equal(strstr(text, " lost") != NULL, s->lost > 0);
  assert_int_equal(strstr(text, " twice") != NULL, s->duplicated > 0);
  assert_int_equal(strstr(text, " late") != NULL, s->reordered > 0);
  assert_int_equal(strstr(text, " not understood") != NULL, s->garbage > 0);
  assert_int_equal(strstr(text, "round trip") != NULL, s->age.count > 0);
  assert_non_null(strstr(text, "udp 127.0.0.1:"));
  assert_int_equal(strlen(sar_port_words(r->port, part, sizeof part)), sizeof part - 1);
}

static void bad_ways_are_counted_and_survived(void** state) {
  (void)state;
  static const double ways[][4] = {{0.01, 0, 0, 0}, {0.3, 0, 0, 0}, {0, 0.2, 0, 0},
                                   {0, 0, 0.3, 0},  {0, 0, 0, 0.5}, {0.3, 0.2, 0.3, 0.5}};
  for (int k = 0; k < 6; k++) {
    if (k < 5 && !test_takes((size_t)k, 5)) continue;  // the last has all of it
    Rig r;
    Way* w = shared_way();
    w->loss = ways[k][0], w->twice = ways[k][1], w->late = ways[k][2], w->made_up = ways[k][3];
    rig_open(&r, "udp", "0,timeout=0.2");
    const pid_t child = start_badly(&r, w, test_seed(900 + (uint64_t)k));
    assert_true(connected(&r));
    expect_held(&r, 1e-4);
    atomic_store(&w->stop, true);
    for (int i = 0; i < 20000 && !atomic_load(&w->done); i++) rig_frame(&r, 1e-3);
    for (int i = 0; i < 20; i++) rig_frame(&r, 1e-4);  // all that is under way
    waitpid(child, NULL, 0);
    expect_counts(sar_port_stats(r.port), w);
    expect_words(&r);
    rig_close(&r);
    munmap(w, sizeof *w);
  }
}

// The controller is killed: the torque falls back to 0 and the arm falls. Another one comes, and
// lifts it again.
static void controllers_die_and_come_back(void** state) {
  (void)state;
  for (int udp = 0; udp < 2; udp++) {
    Rig r;
    char name[64], address[128];
    port_name(name, "dies");
    snprintf(address, sizeof address, "%s,timeout=0.05,safe=torque:0", udp ? "0" : name);
    rig_open(&r, udp ? "udp" : "shm", address);
    const SarPortStats* s = sar_port_stats(r.port);
    for (int life = 0; life < 3; life++) {
      const pid_t child =
          udp ? start_example("pd_udp", port_number(&r)) : start_example("pd_shm", name);
      assert_true(connected(&r));
      expect_held(&r, 1e-4);
      stop(child);
      for (int i = 0; i < 1000; i++) rig_frame(&r, 0);
      EXPECT_NEAR(sar_inputs(r.data)[0], 0, 0);
      assert_false(s->connected);
      assert_true(angle_of(&r) < -0.5);
    }
    assert_int_equal(s->restarts, 2);
    assert_true(s->timeouts >= 3);
    assert_int_equal(s->timeouts, s->recoveries + 1);
    assert_true(s->frames_stale >= 3 * 900);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shm_controllers_close_the_loop),
      cmocka_unit_test(udp_controllers_close_the_loop),
      cmocka_unit_test(bad_ways_are_counted_and_survived),
      cmocka_unit_test(controllers_die_and_come_back),
  };
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
