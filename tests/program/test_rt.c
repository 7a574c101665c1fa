// sarrus rt: its report, its recording, its signals, its rehearsal. Nothing here judges how fast
// the machine is.
#include "support/program.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXAMPLE SARRUS_SOURCE_DIR "/examples/"
#define QUIET " --scheduler none --policy catch-up --behind 1e6 "

// What it records is what `sarrus run` writes with the same steps, digit by digit.
static void the_recording_is_that_of_a_run(void** state) {
  (void)state;
  static const struct {
    const char *model, *step;
  } cases[] = {{"pendulum.yaml", "1e-3"},
               {"stack.yaml", "1e-3"},
               {"double_fourbar.yaml", "5e-4"},
               {"iltis.yaml", "1e-3"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char command[500];
    if (!test_takes(i, 4)) continue;
    snprintf(command, sizeof command,
             "rt " EXAMPLE "%s --rate 1000 --step %s --end 0.3 --record @rt.csv --json" QUIET,
             cases[i].model, cases[i].step);
    const Result* r = expect_status_of(sarrus(command), 0);
    assert_true(json_value(r->out, "frames", 0) == 300);
    assert_true(json_value(r->out, "recorded", 0) == 301);
    assert_true(json_value(r->out, "record_dropped", 0) == 0);
    assert_true(json_value(r->out, "allocations", 0) == 0);
    expect_has(r->out, "\"status\": \"ok\"");
    snprintf(command, sizeof command,
             "run " EXAMPLE
             "%s --fixed --step %s --end 0.3 --output-step 1e-3 --digits 17 -o @run.csv",
             cases[i].model, cases[i].step);
    expect_status_of(sarrus(command), 0);
    SarTable a = read_table("rt.csv"), b = read_table("run.csv");
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.columns, b.columns);
    if (memcmp(a.values, b.values, a.rows * (size_t)a.columns * sizeof(double)) != 0)
      fail_msg("%s: the recording differs from the run", cases[i].model);
    sar_table_clear(&a);
    sar_table_clear(&b);
  }
}

static void json_has_what_it_promises(void** state) {
  (void)state;
  static const char* const keys[] = {"steps",          "overruns",      "step_cpu_median",
                                     "step_cpu_worst", "latency_worst", "page_faults",
                                     "allocations",    "skipped",       "behind"};
  const Result* r =
      expect_status_of(sarrus("rt " EXAMPLE "pendulum.yaml --rate 500 --end 0.2 --json" QUIET), 0);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (isnan(json_value(r->out, keys[i], 0))) fail_msg("no \"%s\" in\n%s", keys[i], r->out);
  expect_has(r->out, "\"overruns_by_cause\": {");
  expect_has(r->out, "\"computation\": ");
  expect_has(r->out, "\"histogram\": [");
  r = expect_status_of(sarrus("rt " EXAMPLE "pendulum.yaml --rate 500 --end 0.2" QUIET), 0);
  expect_has(r->out, "  overruns     ");
  expect_has(r->out, "  step CPU     ");
  expect_has(r->out, "page faults, 0 allocations");
}

// ---- signals ------------------------------------------------------------------------------------

static void nap(void) {
  const struct timespec t = {.tv_nsec = 20000000};
  nanosleep(&t, NULL);
}

static bool is_there(const char* name, const char* text) {
  char path[200], found[1 << 14];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  read_all(path, found, sizeof found);
  return strstr(found, text) != NULL;
}

// The program in the background, its streams in files; a recording shows that it is up.
static pid_t launch(const char* name) {
  const pid_t child = fork();
  if (child != 0) return child;
  char out[200], err[200], record[200];
  snprintf(out, sizeof out, "%s/%s.out", program_folder, name);
  snprintf(err, sizeof err, "%s/%s.err", program_folder, name);
  snprintf(record, sizeof record, "%s/%s.csv", program_folder, name);
  if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr)) _exit(9);
  execl(SARRUS_BINARY_DIR "/sarrus", "sarrus", "rt", EXAMPLE "pendulum.yaml", "--rate", "500",
        "--forever", "--scheduler", "none", "--record", record, "--json", (char*)NULL);
  _exit(9);
}

// SIGUSR1 asks for a report, SIGINT and SIGTERM end the run with one.
static void signals_ask_and_end(void** state) {
  (void)state;
  static const int endings[] = {SIGINT, SIGTERM};
  for (int i = 0; i < 2; i++) {
    char name[20], file[30];
    static char text[1 << 16];
    snprintf(name, sizeof name, "signal%d", i);
    const pid_t child = launch(name);
    assert_true(child > 0);
    snprintf(file, sizeof file, "%s.csv", name);
    for (int k = 0; k < 3000 && !is_there(file, "time"); k++) nap();
    kill(child, SIGUSR1);
    snprintf(file, sizeof file, "%s.err", name);
    for (int k = 0; k < 3000 && !is_there(file, "context switches"); k++) nap();
    assert_true(is_there(file, ": running at t = "));
    kill(child, endings[i]);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    char path[200];
    snprintf(path, sizeof path, "%s/%s.out", program_folder, name);
    read_all(path, text, sizeof text);
    expect_has(text, "\"status\": \"stopped\"");
    assert_true(json_value(text, "frames", 0) > 0);
    assert_true(json_value(text, "recorded", 0) == json_value(text, "frames", 0) + 1);
    snprintf(file, sizeof file, "%s.csv", name);
    SarTable t = read_table(file);
    assert_true((double)t.rows == json_value(text, "recorded", 0));
    sar_table_clear(&t);
  }
}

// ---- the rest -----------------------------------------------------------------------------------

static void a_rehearsal_says_what_is_safe(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("rt " EXAMPLE "double_fourbar.yaml --rehearse --rate 1000 --end 0.3 --json"), 0);
  const double worst = json_value(r->out, "step_cpu_worst", 0);
  assert_true(worst > 0);
  EXPECT_NEAR(json_value(r->out, "margin", 0), 1e-3 / worst, 1e-6 * 1e-3 / worst);
  EXPECT_NEAR(json_value(r->out, "rate_safe", 0), 0.5 / worst, 1e-6 * 0.5 / worst);
  expect_has(r->out, "\"recommended\": \"");
  r = expect_status_of(sarrus("rt " EXAMPLE "stack.yaml --rehearse --rate 200 --end 0.1"), 0);
  expect_has(r->out, "safe up to ");
  expect_has(r->out, "  recommended  impulse");
}

static void wrong_options_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *options, *says;
  } wrong[] = {{"--rate 0", "--rate"},
               {"--policy later", "later"},
               {"--scheduler rr", "rr"},
               {"--step 3e-4", "does not go into a period of 0.001 s"},
               {"--ladder step=1e-3", "--ladder is for --policy degrade"},
               {"--policy degrade --ladder steps=1e-3", "'steps=1e-3': expected formulation"},
               {"--policy degrade --ladder step=1.5e-3", "does not fit a period"},
               {"--forever --end 2", "exclude each other"},
               {"--rehearse --forever", "a rehearsal has at most"},
               {"--priority 0", "--priority: expected a whole number from 1 to 99"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char command[300];
    snprintf(command, sizeof command, "rt " EXAMPLE "pendulum.yaml --rate 1000 %s",
             wrong[i].options);
    const Result* r = expect_status_of(sarrus(command), 2);
    expect_has(r->err, wrong[i].says);
  }
}

static void a_ladder_is_read(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("rt " EXAMPLE "double_pendulum.yaml --rate 200 --end 0.1 --json --policy degrade "
             "--ladder 'integrator=rk4; integrator=semi-implicit, step=1e-2' --behind 1e6 "
             "--scheduler none"),
      0);
  expect_has(r->out, "\"integrator\": \"rk4\"");
  expect_has(r->out, "\"integrator\": \"semi-implicit\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_recording_is_that_of_a_run),
      cmocka_unit_test(json_has_what_it_promises),
      cmocka_unit_test(signals_ask_and_end),
      cmocka_unit_test(a_rehearsal_says_what_is_safe),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(a_ladder_is_read),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
