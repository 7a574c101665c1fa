// sarrus rt where the system refuses what it asks for: it says what it could not get and what to
// do, and runs on.
#define _GNU_SOURCE
#include "support/program.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define MODEL SARRUS_SOURCE_DIR "/examples/pendulum.yaml"

// Limits and the capabilities of what is started from here on; for a child.
static void give_up_privileges(void) {
  const struct rlimit memory = {1 << 16, 1 << 16}, none = {0, 0};
  setrlimit(RLIMIT_MEMLOCK, &memory);
  setrlimit(RLIMIT_RTPRIO, &none);
  // refused to who has none: then there is nothing to give up
  prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0);
  prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0);
}

// The program in a process without privileges; its streams as of sarrus().
static Result* without_privileges(const char* arguments) {
  static Result r;
  char out[160], err[160];
  snprintf(out, sizeof out, "%s/out", program_folder);
  snprintf(err, sizeof err, "%s/err", program_folder);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    give_up_privileges();
    _exit(sarrus(arguments)->status);
  }
  int status;
  waitpid(child, &status, 0);
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_all(out, r.out, sizeof r.out);
  read_all(err, r.err, sizeof r.err);
  return &r;
}

static void refusals_are_told_with_what_to_do(void** state) {
  (void)state;
  static const struct {
    const char *scheduler, *refused, *hint;
  } cases[] = {{"fifo", "no real-time priority (SCHED_FIFO: ", "raise 'ulimit -r'"},
               {"deadline",
                "no real-time priority (SCHED_DEADLINE: ", "a limit on priorities is not enough"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char command[300];
    snprintf(command, sizeof command,
             "rt " MODEL " --rate 200 --end 0.2 --json --scheduler %s --record @p.csv",
             cases[i].scheduler);
    const Result* r = expect_status_of(without_privileges(command), 0);
    expect_has(r->err, cases[i].refused);
    expect_has(r->err, cases[i].hint);
    expect_has(r->err, "CAP_SYS_NICE");
#ifndef SARRUS_TEST_SANITIZED  // whose run-time library answers mlockall itself, with success
    expect_has(r->err, "memory is not locked");
    expect_has(r->err, "raise 'ulimit -l'");
    expect_has(r->out, "\"memory_locked\": false");
#endif
    expect_has(r->out, "\"real_time_priority\": false");
    expect_has(r->out, "\"status\": \"ok\"");
    assert_true(json_value(r->out, "end_time", 0) == 0.2);
    assert_true(json_value(r->out, "recorded", 0) >= 2);
  }
}

// Nothing is asked for: nothing is refused.
static void what_is_not_asked_for_is_not_missed(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      without_privileges("rt " MODEL " --rate 200 --end 0.1 --scheduler none --no-lock"), 0);
  assert_string_equal(r->err, "");
}

// Where the system gives SCHED_DEADLINE it is taken, and frames are made; where it does not, that
// is told.
static void deadlines_are_kept_or_told(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("rt " MODEL " --rate 100 --end 0.3 --scheduler deadline --share 0.05 --json --core 0"),
      0);
  expect_has(r->err, "not pinned to core 0");
  const bool given = strstr(r->out, "\"real_time_priority\": true") != NULL;
  print_message("SCHED_DEADLINE is %s here\n", given ? "given" : "refused");
  if (!given) expect_has(r->err, "no real-time priority (SCHED_DEADLINE: ");
  assert_true(json_value(r->out, "end_time", 0) == 0.3 || json_value(r->out, "skipped", 0) >= 0);
}

// A core that there is not.
static void a_core_that_is_missing_is_told(void** state) {
  (void)state;
  const Result* r =
      expect_status_of(sarrus("rt " MODEL " --rate 200 --end 0.1 --core 4000 --scheduler none"), 0);
  expect_has(r->err, "not pinned to core 4000");
  expect_has(r->err, "taskset -p");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusals_are_told_with_what_to_do),
      cmocka_unit_test(what_is_not_asked_for_is_not_missed),
      cmocka_unit_test(deadlines_are_kept_or_told),
      cmocka_unit_test(a_core_that_is_missing_is_told),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
