// The runner killed (kill -9) at random instants while it records: the file opens, its rows follow
// each other frame by frame, and what is missing at its end is at most the last buffer. How far the
// run was is known from its shared memory.
//   tools/run-kills 200        so many, counted and printed; the test makes a few
#include "support/ports.h"
#include "support/program.h"
#include "support/random.h"

#include "base/clock.h"
#include "sarrus/shm_client.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

enum { RATE = 1000, CLASSES = 6 };
#ifdef SARRUS_HAVE_HDF5
#define OTHER "h5"
#else
#define OTHER "csv"
#endif

static pid_t launch(const char* name, const char* file) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(9);
  execl(SARRUS_BINARY_DIR "/sarrus", "sarrus", "rt",
        SARRUS_SOURCE_DIR "/examples/realtime/arm.yaml", "--rate", "1000", "--forever", "--shm",
        name, "--record", file, "--policy", "catch-up", (char*)NULL);
  _exit(9);
}

// Attached as one who looks, once a frame was told.
static void find(SarShm* s, const char* name, double* y) {
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; port_pause(2e-3)) {
    if (sar_shm_attach(s, name, 0) != SAR_SHM_OK) continue;
    while (sar_shm_latest(s, y) != SAR_SHM_OK && sar_clock_wall() < until) port_pause(1e-3);
    return;
  }
  fail_msg("the run does not begin");
}

// Rows are the frames from the first on, each once; returns how many.
static size_t expect_whole(const char* file) {
  SarTable t = {0};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_table_read(file, &t, &err), &err);
  for (size_t i = 0; i < t.rows; i++) {
    const double time = t.values[i * (size_t)t.columns];
    if (fabs(time - (double)i / RATE) > 1e-9) fail_msg("%s: row %zu is of t = %.9g", file, i, time);
    for (int k = 0; k < t.columns; k++)
      if (!isfinite(t.values[i * (size_t)t.columns + (size_t)k]))
        fail_msg("%s: row %zu, column %d is no number", file, i, k);
  }
  const size_t rows = t.rows;
  sar_table_clear(&t);
  return rows;
}

static void killed_runs_leave_whole_files(void** state) {
  (void)state;
  static const long bound[CLASSES] = {10, 20, 50, 100, 200, 1000000};
  Rng r = rng_seed(test_seed(1909));
  const char* given = getenv("SARRUS_KILLS");
  const int kills = given ? atoi(given) : test_effort(6);
  long lost_in[CLASSES] = {0}, most = 0, rows = 0;
  for (int k = 0; k < kills; k++) {
    char name[64], what[32], file[300];
    double y[64];
    SarShm s;
    snprintf(what, sizeof what, "kill%d", k);
    port_name(name, what);
    snprintf(file, sizeof file, "%s/killed.%s", program_folder, k % 2 ? OTHER : "csv");
    remove(file);
    const pid_t child = launch(name, file);
    assert_true(child > 0);
    find(&s, name, y);
    port_pause(rng_uniform(&r, 0, 0.7));
    while (sar_shm_latest(&s, y) != SAR_SHM_OK) port_pause(1e-3);
    const long told = (long)s.last.sequence;  // before it is killed: it may have got further
    kill(child, SIGKILL);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    assert_true(WIFSIGNALED(status));
    sar_shm_detach(&s);
    const long n = (long)expect_whole(file), lost = told + 1 - n > 0 ? told + 1 - n : 0;
    int c = 0;
    while (c + 1 < CLASSES && lost > bound[c]) c++;
    lost_in[c]++;
    rows += n;
    if (lost > most) most = lost;
  }
  print_message(
      "%d kills at random instants: %d files open with whole rows (%ld in all); rows missing at "
      "the end: at most %ld;",
      kills, kills, rows, most);
  for (int c = 0; c < CLASSES; c++)
    if (lost_in[c] && c + 1 < CLASSES)
      print_message(" %ld files up to %ld", lost_in[c], bound[c]);
    else if (lost_in[c])
      print_message(" %ld files more than %ld", lost_in[c], bound[c - 1]);
  print_message("\n");
  // 0.2 s as long as the writing thread gets its turn: on a machine that does other things too it
  // may wait longer
  assert_true(most < 3 * RATE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed_runs_leave_whole_files)};
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
