// The recorder of real-time runs: nothing is changed on the way, a slow disk makes nobody wait,
// what is dropped is counted and told, and a process that is killed leaves a file that opens, with
// all but the last buffer.
#define _GNU_SOURCE
#include "support/test.h"

#include "base/clock.h"
#include "output/table.h"
#include "realtime/port.h"
#include "support/alloc_count.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* const formats[] = {"csv", "h5"};
enum { FORMATS = 2 };

#ifdef SARRUS_HAVE_HDF5
static bool has(const char* format) { return format != NULL; }
#else
static bool has(const char* format) { return strcmp(format, "csv") == 0; }
#endif

static void pause_for(double seconds) {
  const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

// Column k of row i, of all sizes and signs: every bit is to come back.
static double value_of(uint64_t i, int k) {
  return k == 0 ? 1e-3 * (double)i : ldexp(sin((double)i * k + 0.1), (int)(i % 40) - 20);
}

static void fill(double* row, uint64_t i, int columns) {
  for (int k = 0; k < columns; k++) row[k] = value_of(i, k);
}

static const char* const* names_of(int columns) {
  static char text[1000][16];
  static const char* name[1000];
  assert_in_range(columns, 1, 999);
  for (int k = 0; k < columns; k++) {
    snprintf(text[k], sizeof text[k], k ? "column%d" : "time", k);
    name[k] = text[k];
  }
  return name;
}

static char folder[64];

static SarRecorder* open_at(const char* path, int columns, int rows, double flush) {
  SarRecorder* r;
  SarError err;
  sar_error_init(&err);
  const SarRecorderOptions o = {.path = path,
                                .names = names_of(columns),
                                .columns = columns,
                                .rows = rows,
                                .flush = flush,
                                .model = "test"};
  EXPECT_OK_OR(sar_recorder_open(&o, &r, &err), &err);
  return r;
}

static SarTable read_back(const char* path) {
  SarTable t;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_table_read(path, &t, &err), &err);
  return t;
}

// Every row of the table is row number time / 1e-3, whole; rows rise. Returns how many are missing.
static uint64_t expect_rows(const SarTable* t, int columns) {
  uint64_t next = 0, missing = 0;
  assert_int_equal(t->columns, columns);
  for (size_t i = 0; i < t->rows; i++) {
    const double* row = t->values + i * (size_t)columns;
    const uint64_t number = (uint64_t)(row[0] / 1e-3 + 0.5);
    if (number < next)
      fail_msg("row %zu has number %llu, after %llu", i, (unsigned long long)number,
               (unsigned long long)next);
    missing += number - next;
    next = number + 1;
    for (int k = 0; k < columns; k++)
      if (row[k] != value_of(number, k) + 0.0) fail_msg("row %zu, column %d: %g", i, k, row[k]);
  }
  return missing;
}

static void all_rows_come_back(void** state) {
  (void)state;
  const int widths[] = {1, 3, 40, 300};
  for (int k = 0; k < 4 * FORMATS; k++) {
    const char* format = formats[k % FORMATS];
    const int columns = widths[k / FORMATS];
    char path[128];
    double row[300];
    if (!has(format)) continue;
    snprintf(path, sizeof path, "%s/all%d.%s", folder, columns, format);
    SarRecorder* r = open_at(path, columns, 4096, 0.01);
    const uint64_t count = 3000;
    for (uint64_t i = 0; i < count; i++) {
      fill(row, i, columns);
      assert_true(sar_recorder_push(r, row));
    }
    SarError err;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_recorder_close(r, &err), &err);
    SarTable t = read_back(path);
    assert_int_equal(t.rows, count);
    assert_int_equal(expect_rows(&t, columns), 0);
    assert_string_equal(t.names[0], "time");
    sar_table_clear(&t);
  }
}

// A file that takes nothing: a pipe that nobody reads. The loop goes on; what has no room in the
// ring is dropped and counted; when somebody reads again, the file says how many rows are missing
// where.
static void slow_disk_makes_nobody_wait(void** state) {
  (void)state;
  char path[128], *all;
  enum { COLUMNS = 20, ROWS = 20000 };
  double row[COLUMNS];
  snprintf(path, sizeof path, "%s/pipe.csv", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  const int reader = open(path, O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  SarRecorder* r = open_at(path, COLUMNS, 512, 0.01);
  double longest = 0;
  uint64_t refused = 0;
  for (uint64_t i = 0; i < ROWS; i++) {
    const double before = sar_clock_cpu();
    fill(row, i, COLUMNS);
    refused += !sar_recorder_push(r, row);
    longest = fmax(longest, sar_clock_cpu() - before);
    if (i % 100 == 0) pause_for(1e-4);  // the other thread gets its turn
  }
  SarRecorderStats s = sar_recorder_stats(r);
  assert_true(refused > ROWS / 2);
  assert_int_equal(s.dropped, refused);
  assert_int_equal(s.pushed, ROWS - refused);
  assert_int_equal(s.most_waiting, 512);
  assert_false(s.failed);
  EXPECT_AT_MOST(longest, 0.01);  // CPU time of a push; a write takes for ever here
  // now it is read
  const size_t size = 1 << 24;
  all = malloc(size);
  size_t used = 0;
  bool pushed = false;
  for (int idle = 0; idle < 200;) {
    const ssize_t n = read(reader, all + used, size - used);
    idle = n > 0 ? 0 : idle + 1;
    if (n > 0) used += (size_t)n;
    if (n <= 0) pause_for(2e-3);
    if (idle == 100 && !pushed) {
      pushed = true;  // all that waited has been written: one more row, behind the gap
      fill(row, ROWS, COLUMNS);
      assert_true(sar_recorder_push(r, row));
    }
  }
  EXPECT_OK(sar_recorder_close(r, NULL));
  for (ssize_t n; (n = read(reader, all + used, size - used)) > 0;) used += (size_t)n;
  all[used] = '\0';
  close(reader);
  snprintf(path, sizeof path, "%s/read.csv", folder);
  FILE* f = fopen(path, "w");
  fwrite(all, 1, used, f);
  fclose(f);
  SarTable t = read_back(path);
  assert_int_equal(t.rows, ROWS - refused + 1);
  assert_int_equal(expect_rows(&t, COLUMNS), refused);
  uint64_t told = 0;
  for (const char* at = all; (at = strstr(at, "# ")); at++) told += strtoull(at + 2, NULL, 10);
  assert_int_equal(told, refused);
  sar_table_clear(&t);
  free(all);
}

static void full_disk_is_told(void** state) {
  (void)state;
  SarError err;
  sar_error_init(&err);
  if (access("/dev/full", W_OK) != 0) skip();
  char path[128];
  snprintf(path, sizeof path, "%s/full.csv", folder);
  assert_int_equal(symlink("/dev/full", path), 0);
  SarRecorder* r;
  const SarRecorderOptions o = {.path = path, .names = names_of(4), .columns = 4, .flush = 0.001};
  // the header cannot be written, and that is told at once
  EXPECT_STATUS(sar_recorder_open(&o, &r, &err), SAR_NO_FILE);
  assert_null(r);
  assert_int_equal(err.errors, 1);
}

// The disk fills up while it runs (a file that may not grow any more): rows behind it are dropped
// and counted, what was written stays.
static void disk_that_fills_up_is_told(void** state) {
  (void)state;
  enum { COLUMNS = 8, LIMIT = 1 << 16 };
  struct rlimit before, small;
  char path[128];
  double row[COLUMNS];
  SarError err;
  sar_error_init(&err);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = LIMIT;
  snprintf(path, sizeof path, "%s/limit.csv", folder);
  SarRecorder* r = open_at(path, COLUMNS, 256, 0.001);
  setrlimit(RLIMIT_FSIZE, &small);
  uint64_t i = 0;
  for (; !sar_recorder_stats(r).failed && i < 1000000; i++) {
    fill(row, i, COLUMNS);
    while (!sar_recorder_push(r, row) && !sar_recorder_stats(r).failed) pause_for(1e-4);
  }
  assert_true(sar_recorder_stats(r).failed);
  const uint64_t dropped = sar_recorder_stats(r).dropped;
  assert_false(sar_recorder_push(r, row));
  assert_int_equal(sar_recorder_stats(r).dropped, dropped + 1);
  EXPECT_STATUS(sar_recorder_close(r, &err), SAR_NO_FILE);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_int_equal(err.errors, 1);
  SarTable t = read_back(path);
  assert_true(t.rows > 200);
  assert_int_equal(expect_rows(&t, COLUMNS), 0);
  sar_table_clear(&t);
}

static void wrong_names_are_refused(void** state) {
  (void)state;
  const char* const wrong[] = {"rows.txt", "rows", "/no/such/folder/rows.csv",
                               "/no/such/folder/rows.h5"};
  for (int i = 0; i < 4; i++) {
    SarRecorder* r;
    SarError err;
    sar_error_init(&err);
    const SarRecorderOptions o = {.path = wrong[i], .names = names_of(2), .columns = 2};
    assert_true(sar_recorder_open(&o, &r, &err) != SAR_OK);
    assert_null(r);
    assert_int_equal(err.errors, 1);
  }
}

static void push_allocates_nothing(void** state) {
  (void)state;
  char path[128];
  double row[10];
  snprintf(path, sizeof path, "%s/alloc.csv", folder);
  SarRecorder* r = open_at(path, 10, 4096, 10);
  pause_for(0.02);  // the thread has begun
  fill(row, 0, 10);
  alloc_count_reset();
  for (int i = 0; i < 4000; i++) sar_recorder_push(r, row);
  pause_for(0.02);
  assert_int_equal(alloc_count(), 0);  // of either thread: CSV needs no memory
  EXPECT_OK(sar_recorder_close(r, NULL));
}

// ---- kill -9 ----

// Records rows as fast as the ring takes them until it is killed, and tells how many are safe.
static void record_for_ever(const char* path, int columns, atomic_ullong* written) {
  double row[300];
  SarRecorder* r = open_at(path, columns, 1024, 0.002);
  for (uint64_t i = 0;; i++) {
    fill(row, i, columns);
    while (!sar_recorder_push(r, row)) pause_for(1e-4);
    atomic_store(written, sar_recorder_stats(r).written + 1);
    if (i % 64 == 0) pause_for(2e-4);
  }
}

static void killed_recordings_open(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(71));
  atomic_ullong* written =
      mmap(NULL, sizeof *written, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(written != MAP_FAILED);
  const int trials = test_effort(12) < 4 ? 4 : test_effort(12);
  for (int k = 0; k < trials; k++) {
    const char* format = formats[k % FORMATS];
    const int columns = k % 4 < 2 ? 1 + rng_int(&rng, 20) : 1 + rng_int(&rng, 150);
    char path[128];
    if (!has(format)) continue;
    snprintf(path, sizeof path, "%s/killed%d.%s", folder, k, format);
    atomic_store(written, 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      record_for_ever(path, columns, written);
      _exit(0);
    }
    while (!atomic_load(written)) pause_for(1e-3);  // it has begun
    pause_for(rng_uniform(&rng, 0, 0.05));
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const uint64_t safe = atomic_load(written) - 1;
    SarTable t = read_back(path);
    if (t.rows < safe)
      fail_msg("%s: %zu rows, %llu were safe", path, t.rows, (unsigned long long)safe);
    assert_int_equal(expect_rows(&t, columns), 0);
    sar_table_clear(&t);
    unlink(path);
  }
  munmap(written, sizeof *written);
}

static int begin(void** state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sarrus-recorder-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int end(void** state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows_come_back),      cmocka_unit_test(slow_disk_makes_nobody_wait),
      cmocka_unit_test(full_disk_is_told),       cmocka_unit_test(disk_that_fills_up_is_told),
      cmocka_unit_test(wrong_names_are_refused), cmocka_unit_test(push_allocates_nothing),
      cmocka_unit_test(killed_recordings_open),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
