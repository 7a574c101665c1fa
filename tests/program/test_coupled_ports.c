// Ports of coupled simulators: recorded inputs, shared memory, UDP, the window; in one thread and
// in threads.
#include "support/frame_read.h"
#include "support/ports.h"
#include "support/program.h"

#include "base/clock.h"
#include "sarrus/shm_client.h"
#include "view/frame.h"
#include "view/session.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#define ARM SARRUS_SOURCE_DIR "/examples/realtime/arm.yaml"

// Two arms: the right one is led by what the left one does, the left one by nobody.
static const char PAIR[] =
    "sarrus: 1\nparameters: {stiff: 30}\ncouple:\n  rate: 200\n  end: 0.5\n  simulators:\n"
    "    left: {model: " ARM "}\n    right: {model: " ARM
    ", rate: 400}\n"
    "  exchange: {right.torque: {from: left.shoulder.q, gain: stiff}}\n";

static const char* put_file(const char* name, const char* text) {
  static char path[300];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "wb");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  fclose(f);
  return path;
}

typedef struct Pair {
  SarCouple* c;
  SarError err;
} Pair;

static SarStatus open_pair(Pair* p, const SarCouplePort* ports, int count, double end) {
  SarCoupleOptions o = sar_couple_options();
  SarRtOptions rt = sar_rt_options();
  sar_error_init(&p->err);
  EXPECT_OK_OR(sar_couple_load(put_file("pair.yaml", PAIR), NULL, &p->c, &p->err), &p->err);
  rt.scheduling = SAR_RT_AS_IS;
  rt.lock_memory = false;
  rt.policy = SAR_RT_CATCH_UP;
  rt.behind = 1e9;
  o.rt = &rt;
  o.end = end;
  o.ports = ports;
  o.port_count = count;
  return sar_couple_open(p->c, &o, &p->err);
}

static const char* gusts(void) {
  static char path[300];
  char text[8000] = "time,left.torque,right.torque,other\n";
  for (int i = 0; i <= 60; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g,%.17g,1e3,0\n", 0.01 * i,
             12 + 4 * sin(0.3 * i));
  snprintf(path, sizeof path, "%s", put_file("gusts.csv", text));
  return path;
}

// A file with columns SIMULATOR.INPUT drives what the exchange does not: the same bits in one
// thread and in two, and the left arm moves as it does alone; a column of an exchanged input is
// left alone.
static void recorded_inputs_reach_their_simulators(void** state) {
  (void)state;
  const SarCouplePort port = {NULL, "file", gusts()};
  unsigned long long hash[2][2];
  for (int threads = 0; threads < 2; threads++) {
    Pair p;
    EXPECT_OK_OR(open_pair(&p, &port, 1, 0), &p.err);
    if (threads) {
      EXPECT_OK_OR(sar_couple_start(p.c, &p.err), &p.err);
      assert_true(sar_couple_wait(p.c, -1));
    } else {
      EXPECT_OK_OR(sar_couple_run(p.c, &p.err), &p.err);
    }
    for (int k = 0; k < 2; k++)
      hash[threads][k] = sar_state_hash(sar_rt_data(sar_couple_realtime(p.c, k)));
    if (threads) {
      char text[300];
      assert_non_null(sar_rt_port_words(sar_couple_realtime(p.c, 0), 0, text, sizeof text));
      assert_null(sar_rt_port_words(sar_couple_realtime(p.c, 1), 0, text, sizeof text));
    }
    sar_couple_free(p.c);
  }
  assert_true(hash[0][0] == hash[1][0] && hash[0][1] == hash[1][1]);
  // alone
  char alone[8000], *text = alone;
  SarError err;
  SarModel* m = NULL;
  SarRealtime* rt;
  SarRtOptions o = sar_rt_options();
  sar_error_init(&err);
  read_all(gusts(), alone, sizeof alone);
  memmove(strstr(text, "left."), strstr(text, "left.") + 5, strlen(strstr(text, "left.") + 5) + 1);
  char path[300];
  snprintf(path, sizeof path, "%s", put_file("alone.csv", text));
  const SarRtPort own = {"file", path};
  EXPECT_OK_OR(sar_model_load(ARM, NULL, &m, &err), &err);
  o.rate = 200;
  o.end = 0.5;
  o.ports = &own;
  o.port_count = 1;
  o.policy = SAR_RT_CATCH_UP;
  o.behind = 1e9;
  o.scheduling = SAR_RT_AS_IS;
  EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
  EXPECT_OK_OR(sar_rt_run(rt, &err), &err);
  assert_true(sar_state_hash(sar_rt_data(rt)) == hash[0][0]);
  sar_rt_free(rt);
  sar_model_free(m);
}

// A driver in shared memory, which both objects tell their outputs.
static void shared_memory_drives_what_is_free(void** state) {
  (void)state;
  char name[64], whole[80];
  const SarCouplePort port = {NULL, "shm", port_name(name, "pair")};
  Pair p;
  SarShm left, right;
  double y[64] = {0}, z[64] = {0}, torque = 25;
  EXPECT_OK_OR(open_pair(&p, &port, 1, 1e6), &p.err);
  snprintf(whole, sizeof whole, "%s.left", name);
  assert_int_equal(sar_shm_attach(&left, whole, 1), SAR_SHM_OK);
  snprintf(whole, sizeof whole, "%s.right", name);
  assert_int_equal(sar_shm_attach(&right, whole, 0), SAR_SHM_OK);
  assert_int_equal(left.inputs, 1);
  assert_int_equal(right.inputs, 0);  // its torque is exchanged
  EXPECT_OK_OR(sar_couple_start(p.c, &p.err), &p.err);
  const int q = sar_shm_find(&left, "shoulder.q", 0);
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until;) {
    sar_shm_send(&left, &torque);
    if (sar_shm_latest(&left, y) == SAR_SHM_OK && sar_shm_latest(&right, z) == SAR_SHM_OK &&
        y[q] > 0.3)
      break;
    port_pause(1e-3);
  }
  assert_true(y[q] > 0.3);  // it falls where nobody drives
  assert_true(right.last.sequence > 0 && fabs(2 * left.last.time - right.last.time) < 1e9);
  sar_couple_stop(p.c);
  assert_true(sar_couple_wait(p.c, 30));
  assert_true(sar_get_inputs(sar_rt_data(sar_couple_realtime(p.c, 0)))[0] == torque);
  sar_shm_detach(&left);
  sar_shm_detach(&right);
  sar_couple_free(p.c);
}

static void mistakes_are_told(void** state) {
  (void)state;
  const struct {
    SarCouplePort port;
    const char* words;
  } cases[] = {
      {{"middle", "shm", "x"}, "there is no simulator 'middle'"},
      {{NULL, "udp", "7000"}, "as in 'left:7000; right:7001'"},
      {{NULL, "file", gusts()}, NULL},
      {{"left", "file", gusts()}, "no column is named as an input"},
      {{NULL, "file", "/nonexistent.csv"}, "/nonexistent.csv"},
      {{NULL, "shn", "x"}, "there is no kind of port 'shn'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pair p;
    const SarStatus st = open_pair(&p, &cases[i].port, 1, 0);
    if (!cases[i].words) {
      EXPECT_OK_OR(st, &p.err);
    } else {
      char text[900];
      assert_true(st != SAR_OK && p.err.count > 0);
      expect_has(sar_error_format(&p.err, p.err.count - 1, text, sizeof text), cases[i].words);
    }
    sar_couple_free(p.c);
  }
  put_file("pair.yaml", PAIR);
  expect_has(expect_status_of(sarrus("rt @pair.yaml --udp 7000 --scheduler none"), 2)->err,
             "say which simulator");
  expect_has(expect_status_of(sarrus("view @pair.yaml --html @pair.html"), 2)->err,
             "not for coupled models");
  expect_status_of(sarrus("view @pair.yaml --attach nobody --no-open"), 2);
}

// ---- the program --------------------------------------------------------------------------------

static pid_t launch(const char* const* arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  char out[300];
  const char* argv[32] = {"sarrus", "rt"};
  int n = 2;
  while (*arguments && n < 31) argv[n++] = *arguments++;
  snprintf(out, sizeof out, "%s/run.out", program_folder);
  if (!freopen(out, "w", stdout)) _exit(9);
  execv(SARRUS_BINARY_DIR "/sarrus", (char**)argv);
  _exit(9);
}

static void finish(pid_t child, int expected) {
  int status;
  kill(child, SIGTERM);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), expected);
}

static SarSession* attach(const char* path, const char* name) {
  const SarSessionOptions o = {.path = path, .speed = 1, .attach = name};
  SarSession* s = NULL;
  SarStatus st = SAR_NO_FILE;
  for (double until = sar_clock_wall() + 60; st == SAR_NO_FILE && sar_clock_wall() < until;
       port_pause(0.02)) {
    SarError err;
    sar_error_init(&err);
    st = sar_session_new(&o, &s, &err);
    if (st != SAR_OK && st != SAR_NO_FILE) fail_msg("%s", err.items[0].text);
  }
  EXPECT_OK(st);
  assert_true(sar_session_start(s));
  return s;
}

static double time_of_frame(SarSession* s) {
  size_t size;
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; port_pause(0.002)) {
    const unsigned char* bytes = sar_session_frame(s, &size);
    if (bytes) return frame_read(bytes, size).time;
  }
  fail_msg("no frame came");
  return 0;
}

// All in one window: a frame of each in a message, of the same time in most; what drives
// inputs already is said.
static void see_all_together(const char* path, const char* name) {
  SarSession* s = attach(path, name);
  int messages = 0, together = 0;
  size_t size;
  SarCommand c = {.kind = SAR_DO_INPUT, .name = "left.torque", .value = 0.25, .id = -1};
  char error[200];
  assert_false(sar_session_command(s, &c, error, sizeof error));  // by UDP
  snprintf(c.name, sizeof c.name, "right.torque");
  assert_false(sar_session_command(s, &c, error, sizeof error));  // by the exchange
  for (double until = sar_clock_wall() + 60; messages < 30 && sar_clock_wall() < until;
       port_pause(0.002)) {
    const unsigned char* bytes = sar_session_frame(s, &size);
    if (!bytes) continue;
    const Frame left = frame_read(bytes, size);
    const Frame right = frame_read(bytes + left.length, size - left.length);
    assert_int_equal(left.length + right.length, size);
    assert_true((left.flags & right.flags & SAR_FRAME_RUNNING) != 0);
    assert_true(fabs(left.time - right.time) < 1);
    together += fabs(left.time - right.time) < 0.0025;
    messages++;
  }
  assert_int_equal(messages, 30);
  printf("%d of %d messages have states within half a frame\n", together, messages);
  sar_session_free(s);
}

// Each simulator has its window, and all have one; ports of one are those that are named; reports
// and inputs are in the JSON.
static void windows_attach_to_each(void** state) {
  (void)state;
  char name[40], part[60], udp[20], path[300];
  snprintf(name, sizeof name, "pair%d", (int)getpid());
  snprintf(udp, sizeof udp, "left:0");
  snprintf(path, sizeof path, "%s", put_file("pair.yaml", PAIR));
  const char* const arguments[] = {path,        "--forever", "--scheduler", "none",
                                   "--no-lock", "--json",    "--watch",     name,
                                   "--udp",     udp,         NULL};
  const pid_t child = launch(arguments);
  for (int k = 0; k < 2; k++) {
    snprintf(part, sizeof part, "%s.%s", name, k ? "right" : "left");
    SarSession* s = attach(path, part);
    const double first = time_of_frame(s);
    double last = first;
    for (int i = 0; i < 20 && !(last > first); i++) last = time_of_frame(s);
    assert_true(last > first);
    sar_session_free(s);
  }
  see_all_together(path, name);
  kill(child, SIGUSR1);  // a report, and it goes on
  port_pause(0.3);
  finish(child, 0);
  static char out[60000];
  snprintf(path, sizeof path, "%s/run.out", program_folder);
  read_all(path, out, sizeof out);
  expect_has(out, "\"name\": \"torque\"");
  expect_has(out, "\"unit\": \"N m\"");
  expect_has(out, "udp 127.0.0.1:");
}

// A controller as a shared object in the loop is a function that the models call: of coupled ones
// too.
static void functions_are_for_all_models(void** state) {
  (void)state;
  char line[700];
  const char text[] =
      "sarrus: 1\ncouple: {rate: 100, end: 0.2, simulators: {a: {model: " SARRUS_SOURCE_DIR
      "/examples/functions/arm.yaml}, b: {model: " SARRUS_SOURCE_DIR
      "/examples/functions/arm.yaml}}}\n";
  snprintf(line, sizeof line,
           "cc -shared -fPIC -I%s/include -o %s/pd.so %s/examples/functions/pd.c 2>/dev/null",
           SARRUS_SOURCE_DIR, program_folder, SARRUS_SOURCE_DIR);
  if (system(line) != 0) skip();  // no compiler
  put_file("calls.yaml", text);
  expect_status_of(sarrus("rt @calls.yaml --scheduler none --functions @pd.so --policy catch-up"),
                   0);
  expect_has(expect_status_of(sarrus("rt @calls.yaml --scheduler none"), 3)->err, "--functions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_inputs_reach_their_simulators),
      cmocka_unit_test(shared_memory_drives_what_is_free),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(windows_attach_to_each),
      cmocka_unit_test(functions_are_for_all_models),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
