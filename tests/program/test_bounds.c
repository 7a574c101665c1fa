// Runs that would never end: times without sense are refused wherever they can be given, and a
// signal ends a run after the present step, whatever the output step, with the results kept.
#include "support/program.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
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

// Wall time of a busy machine: the bound is wide, and shows only that the end of the run is not
// awaited.
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
    sar_table_clear(&t);
  }
}

// Waits for a program that was started, after a signal; the seconds it took.
static double ended_by(pid_t pid, int sent) {
  int status = 0;
  const double before = now();
  kill(pid, sent);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == sent);
  return now() - before;
}

static pid_t start_in_folder(const char* const* arguments, unsigned wait_us) {
  const pid_t pid = fork();
  if (pid == 0) {
    char program[300];
    snprintf(program, sizeof program, "%s/sarrus", SARRUS_BINARY_DIR);
    if (chdir(program_folder) != 0 || !freopen("log", "w", stdout) ||
        !freopen("/dev/null", "w", stderr))
      _exit(99);
    execv(program, (char* const*)(uintptr_t)arguments);
    _exit(99);
  }
  usleep(wait_us);
  return pid;
}

// The report in JSON tells of the signal what the shell sees.
static void reports_name_the_signal(void** state) {
  (void)state;
  static const char* const run[] = {"sarrus", "run", "p.yaml", "--end", "1e6", "--json", NULL};
  static const int signals[] = {SIGINT, SIGTERM};
  put_pendulum("end: 1");
  for (int k = 0; k < 2; k++) {
    char path[200], text[8192], wanted[64];
    const pid_t pid = start_in_folder(run, 1500000);
    ended_by(pid, signals[k]);
    snprintf(path, sizeof path, "%s/log", program_folder);
    snprintf(wanted, sizeof wanted, "\"exit_status\": %d", 128 + signals[k]);
    read_all(path, text, sizeof text);
    expect_has(text, "\"status\": \"stopped\"");
    expect_has(text, wanted);
  }
}

// One step of this takes many seconds: a dense factorisation of a chain.
static void a_long_step_is_left(void** state) {
  (void)state;
  enum { BODIES = 3000 };
  char path[200];
  snprintf(path, sizeof path, "%s/chain.yaml", program_folder);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "sarrus: 1\noutputs: [energy]\nbodies:\n");
  for (int i = 0; i < BODIES; i++)
    fprintf(f, "  b%d: {rod: [[%d, 0, 0], [%d, 0, 0]], mass: 1}\n", i, i, i + 1);
  fprintf(f, "joints:\n  j0: {revolute: [ground, b0], axis: y}\n");
  for (int i = 1; i < BODIES; i++)
    fprintf(f, "  j%d: {revolute: [b%d, b%d], at: [%d, 0, 0], axis: y}\n", i, i - 1, i, i);
  fclose(f);
  static const char* const run[] = {"sarrus", "run",  "chain.yaml", "-f", "crba",  "-i",    "rk4",
                                    "--step", "1e-3", "--end",      "1",  "--out", "l.csv", NULL};
  const pid_t pid = start_in_folder(run, 0);
  char out[200], text[4096] = "";
  snprintf(out, sizeof out, "%s/l.csv", program_folder);
  for (int k = 0; k < 400 && access(out, F_OK) != 0; k++) usleep(50000);  // it has begun
  usleep(2000000);
  const double took = ended_by(pid, SIGINT);
  if (took > 2) fail_msg("it took %g s", took);
  snprintf(out, sizeof out, "%s/log", program_folder);
  read_all(out, text, sizeof text);
  expect_has(text, "stopped");
  SarTable t = read_table("l.csv");
  assert_true(t.rows >= 1 && t.values[0] == 0);
  sar_table_clear(&t);
}

// What the program takes of a processor from a signal on to its end: the same on a busy machine.
static double cpu_after(pid_t pid, int sent) {
  clockid_t clock;
  struct timespec t;
  struct rusage used;
  int status = 0;
  assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
  assert_int_equal(clock_gettime(clock, &t), 0);
  kill(pid, sent);
  assert_int_equal(wait4(pid, &status, 0, &used), pid);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == sent);
  const double all = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return all - (double)t.tv_sec - 1e-9 * (double)t.tv_nsec;
}

// Memory is given back within the tenth of a second too.
static void a_large_model_ends_at_once(void** state) {
  (void)state;
  skip_if_sanitized();
  const int n = test_effort(40000);
  char path[200];
  snprintf(path, sizeof path, "%s/flat.yaml", program_folder);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "sarrus: 1\noutputs: [energy]\nbodies:\n");
  for (int i = 0; i < n; i++)
    fprintf(f, "  b%d: {sphere: 0.1, mass: 1, at: [%d, 0, 0], velocity: [0, 0, 1]}\n", i, i);
  fclose(f);
  static const char* const run[] = {"sarrus", "run",  "flat.yaml", "-f",  "aba",   "-i",    "rk4",
                                    "--step", "1e-3", "--end",     "1e5", "--out", "f.csv", NULL};
  const pid_t pid = start_in_folder(run, 0);
  snprintf(path, sizeof path, "%s/f.csv", program_folder);
  for (int k = 0; k < 800 && access(path, F_OK) != 0; k++) usleep(50000);  // it has begun
  usleep(500000);
  const double took = cpu_after(pid, SIGTERM);
  if (took > 0.1) fail_msg("%d bodies: %g s after the signal", n, took);
}

// Speeds without sense: every step is fine, and the end out of reach.
static void an_end_out_of_reach_is_said(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(3));
  static const char* const method[] = {"dopri5", "trapezoidal --adaptive", "rk4 --step 1e-15"};
  for (int k = 0; k < 3; k++) {
    char text[600], arguments[100];
    const double speed = pow(10, rng_uniform(&rng, 15, 17));
    snprintf(text, sizeof text,
             "sarrus: 1\nbodies:\n  a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}\n"
             "  b: {rod: [[1, 0, 0], [2, 0, 0]], mass: 1}\n"
             "joints:\n  j: {revolute: [ground, a], axis: y, speed: %g}\n"
             "  k: {revolute: [a, b], at: [1, 0, 0], axis: y, speed: %g}\n",
             speed, speed);
    write_file("fast.yaml", text);
    snprintf(arguments, sizeof arguments, "run @fast.yaml --end 1 -q -i %s", method[k]);
    const Result* r = expect_status_of(sarrus(arguments), 4);
    if (!strstr(r->err, "at t = ")) fail_msg("%s: %s", arguments, r->err);
  }
}

static void analyses_keep_their_rows(void** state) {
  (void)state;
  write_file("d.yaml",
             "sarrus: 1\nplanar: xy\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
             "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 1}\n"
             "  c: {rod: [[2, 1, 0], [2, 0, 0]], mass: 1}\n"
             "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0]}\n"
             "  B: {revolute: [a, b], at: [0, 1, 0]}\n  C: {revolute: [b, c], at: [2, 1, 0]}\n"
             "  D: {revolute: [ground, c], at: [2, 0, 0]}\n"
             "constraints:\n  drive: {motion: A, value: 'sin(t)/3'}\noutputs: [joints]\n");
  static const char* const analysis[] = {"kinematics", "inverse"};
  for (int k = 0; k < 2; k++) {
    const char* const run[] = {"sarrus",  analysis[k], "d.yaml", "--points",
                               "1000000", "--out",     "k.csv",  NULL};
    const pid_t pid = start_in_folder(run, 1000000);
    const double took = ended_by(pid, k ? SIGTERM : SIGINT);
    if (took > 2) fail_msg("%s: it took %g s", analysis[k], took);
    SarTable t = read_table("k.csv");
    assert_true(t.rows > 10);
    sar_table_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(senseless_times_in_the_file),
      cmocka_unit_test(senseless_times_on_the_command_line),
      cmocka_unit_test(signals_are_honoured_at_once),
      cmocka_unit_test(reports_name_the_signal),
      cmocka_unit_test(a_long_step_is_left),
      cmocka_unit_test(analyses_keep_their_rows),
      cmocka_unit_test(a_large_model_ends_at_once),
      cmocka_unit_test(an_end_out_of_reach_is_said),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
