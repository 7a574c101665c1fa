// Runs that would never end: times without sense are refused wherever they can be given, and a signal ends
// a run after the present step, whatever the output step, with the results kept.
#include "support/program.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static void put_pendulum(const char* simulation) {
  char text[600];
  snprintf(text, sizeof text,
           "sarrus: 1\nbodies: {rod: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}}\n"
           "joints: {hinge: {revolute: [ground, rod], axis: y}}\nsimulation: {%s}\n",
           simulation);
  write_file("p.yaml", text);
}

static const char* const senseless[] = {"1e-300", "1e300", "1e-18", "1e15", "5e-324", "1e308"};
enum { SENSELESS = sizeof senseless / sizeof *senseless };

static void senseless_times_in_the_file(void** state) {
  (void)state;
  static const char* const keys[] = {"end", "step", "output_step", "max_step"};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < SENSELESS; i++) {
      char simulation[64];
      snprintf(simulation, sizeof simulation, "%s: %s", keys[k], senseless[i]);
      put_pendulum(simulation);
      const Result* r = sarrus("run @p.yaml");
      if (r->status != 3 || !strstr(r->err, "p.yaml:4:") || !strstr(r->err, keys[k]))
        fail_msg("%s: status %d, %s", simulation, r->status, r->err);
    }
  put_pendulum("end: 1e6, output_step: 1e-9");
  expect_has(expect_status_of(sarrus("run @p.yaml"), 3)->err, "rows");
}

static void senseless_times_on_the_command_line(void** state) {
  (void)state;
  static const char* const keys[] = {"end", "step", "output-step", "max-step"};
  put_pendulum("end: 1");
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < SENSELESS; i++) {
      char arguments[100];
      snprintf(arguments, sizeof arguments, "run @p.yaml --%s %s --out @o.csv", keys[k],
               senseless[i]);
      const Result* r = sarrus(arguments);
      if (r->status != 2 || !r->err[0]) fail_msg("%s: status %d, %s", arguments, r->status, r->err);
    }
  expect_has(expect_status_of(sarrus("run @p.yaml --end 1e6 --output-step 1e-9"), 2)->err, "rows");
}

static double now(void) {
  struct timeval t;
  gettimeofday(&t, NULL);
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

// Starts a run with one row in a very long time; waits until it has begun.
static pid_t start(const char* method) {
  char model[200], out[200], program[300];
  snprintf(model, sizeof model, "%s/p.yaml", program_folder);
  snprintf(out, sizeof out, "%s/s.csv", program_folder);
  snprintf(program, sizeof program, "%s/sarrus", SARRUS_BINARY_DIR);
  unlink(out);
  const pid_t pid = fork();
  if (pid == 0) {
    char log[200];
    snprintf(log, sizeof log, "%s/log", program_folder);
    if (!freopen(log, "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(99);
    execl(program, "sarrus", "run", model, "--end", "1e9", "--output-step", "1e8", "--integrator",
          method, "--out", out, (char*)NULL);
    _exit(99);
  }
  usleep(500000);
  return pid;
}

// Wall time of a busy machine: the bound is wide, and shows only that the end of the run is not awaited.
static void signals_are_honoured_at_once(void** state) {
  (void)state;
  static const char* const methods[] = {"rk4", "dopri5"};
  static const int signals[] = {SIGINT, SIGTERM};
  put_pendulum("end: 1");
  for (int k = 0; k < 4; k++) {
    int status = 0;
    char log[200], text[4096];
    const pid_t pid = start(methods[k / 2]);
    assert_true(pid > 0);
    const double before = now();
    kill(pid, signals[k % 2]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const double took = now() - before;
    if (took > 5) fail_msg("%s: it took %g s", methods[k / 2], took);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[k % 2]);
    snprintf(log, sizeof log, "%s/log", program_folder);
    read_all(log, text, sizeof text);
    expect_has(text, "stopped");
    SarTable t = read_table("s.csv");
    assert_true(t.rows == 2 && t.values[t.columns] > 0);
    sar_table_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(senseless_times_in_the_file),
      cmocka_unit_test(senseless_times_on_the_command_line),
      cmocka_unit_test(signals_are_honoured_at_once),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
