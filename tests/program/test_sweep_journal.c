// sarrus sweep --journal: killed at any moment and started again, by threads, processes and MPI
// ranks, it ends with the result of an undisturbed run, byte for byte; damaged journals, full disks
// and second jobs are told.
#include "support/program.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

// Short runs, two of which fail: L = 0 makes no model.
static const char SWEEP[] =
    "sweep examples/double_pendulum.yaml --vary L1=-1:2:31 --vary L2=0.5:1:20 --end 0.2 --digits "
    "17";
enum { INSTANCES = 620, FAILED = 20 };

static char* whole(const char* name, size_t* n) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("no file %s", name);
  fseek(f, 0, SEEK_END);
  *n = (size_t)ftell(f);
  rewind(f);
  char* text = malloc(*n + 1);
  assert_int_equal(fread(text, 1, *n, f), *n);
  fclose(f);
  return text;
}

static void expect_same(const char* a, const char* b) {
  size_t n, m;
  char *x = whole(a, &n), *y = whole(b, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, n);
  free(x);
  free(y);
}

static void remove_file(const char* name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  unlink(path);
}

static void make_reference(void) {
  char line[600];
  snprintf(line, sizeof line, "%s --out @whole.csv", SWEEP);
  expect_has(expect_status_of(sarrus(line), 4)->out, "620 of 620, 20 failed");
}

static void pause_for(double seconds) {
  const struct timespec t = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

// ---- ways to run it -----------------------------------------------------------------------------

static bool have_mpi(void) {
#ifdef SARRUS_TEST_SANITIZED
  return false;  // what MPI keeps to its end counts as leaks
#endif
  return access(SARRUS_BINARY_DIR "/sarrus_mpi.so", R_OK) == 0 &&
         system("mpirun --version >/dev/null 2>&1") == 0;
}

static const struct {
  const char *name, *before, *options;
} ways[] = {{"threads", "", "--threads 2"},
            {"processes", "", "--processes 2"},
            {"ranks", "mpirun -n 2 ", ""}};
enum { WAYS = 3 };

static void command_of(int way, char* command, size_t size) {
  snprintf(command, size,
           "%s%s/sarrus %s %s --journal %s/k.journal --failures %s/f.csv --out %s/k.csv --quiet "
           ">%s/out 2>>%s/err",
           ways[way].before, SARRUS_BINARY_DIR, SWEEP, ways[way].options, program_folder,
           program_folder, program_folder, program_folder, program_folder);
}

// The process of a group of its own; the group is ended as a whole.
static pid_t start(const char* command) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    char line[3200];
    snprintf(line, sizeof line, "cd %s && exec %s", SARRUS_SOURCE_DIR, command);
    execl("/bin/sh", "sh", "-c", line, (char*)NULL);
    _exit(127);
  }
  setpgid(pid, pid);
  return pid;
}

// One of the processes that compute: a child of p, or of its children (mpirun's ranks have groups
// of their own).
static pid_t find_worker(pid_t p, Rng* r) {
  char command[200], line[64];
  pid_t found[16];
  int n = 0;
  snprintf(command, sizeof command,
           "for c in $(pgrep -P %ld); do echo $c; pgrep -P $c; done 2>/dev/null", (long)p);
  FILE* f = popen(command, "r");
  while (f && fgets(line, sizeof line, f) && n < 16) {
    char name[64] = "", path[80];
    const long pid = strtol(line, NULL, 10);
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    read_all(path, name, sizeof name);
    if (strcmp(name, "sarrus\n") == 0) found[n++] = (pid_t)pid;
  }
  if (f) pclose(f);
  return n > 0 ? found[rng_int(r, n)] : 0;
}

// Seconds of an undisturbed run.
static double time_of(int way) {
  char command[2500];
  struct timespec from, to;
  remove_file("k.journal");
  command_of(way, command, sizeof command);
  clock_gettime(CLOCK_MONOTONIC, &from);
  waitpid(start(command), NULL, 0);
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

// Kills it until it comes to its end; returns how often.
static int kill_until_done(int way, bool worker, Rng* r) {
  char command[2500];
  int kills = 0;
  const double undisturbed = time_of(way);
  command_of(way, command, sizeof command);
  remove_file("k.journal");
  remove_file("k.csv");
  for (double span = 0.5 * undisturbed;; span *= 1.1) {
    const pid_t pid = start(command);
    pause_for(rng_uniform(r, 0.1 * undisturbed, span));
    const pid_t victim = worker ? find_worker(pid, r) : pid;
    const bool struck = victim > 0 && kill(worker ? victim : -victim, SIGKILL) == 0;
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 4) {
      char path[200];
      snprintf(path, sizeof path, "%s/k.csv", program_folder);
      // under mpirun a lost rank, too, may end with this status
      if (access(path, R_OK) == 0) return kills + (struck && worker);
    }
    kills += struck;
    assert_true(kills < 60);
  }
}

static void killed_runs_end_alike(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(3));
  make_reference();
  int kills = 0;
  for (int way = 0; way < WAYS; way++)
    for (int worker = 0; worker < 2; worker++) {
      if (way == 2 && !have_mpi()) continue;
      if (way == 0 && worker) continue;  // threads are not killed
      if (!test_takes((size_t)(2 * way + worker), 5)) continue;
      kills += kill_until_done(way, worker, &r);
      expect_same("whole.csv", "k.csv");
      SarTable t = read_table("whole.csv");
      assert_int_equal(t.rows, INSTANCES);
      sar_table_clear(&t);
    }
  assert_true(kills > 0);
}

// Undisturbed, all ways give the same file, in HDF5 as well.
static void all_ways_end_alike(void** state) {
  (void)state;
  char line[900];
  make_reference();
  for (int way = 0; way < WAYS; way++) {
    if (way == 2 && !have_mpi()) continue;
    char command[2500];
    remove_file("k.journal");
    command_of(way, command, sizeof command);
    int status;
    waitpid(start(command), &status, 0);
    assert_int_equal(WEXITSTATUS(status), 4);
    expect_same("whole.csv", "k.csv");
    static char text[1 << 16], path[200];
    snprintf(path, sizeof path, "%s/f.csv", program_folder);
    read_all(path, text, sizeof text);
    expect_has(text, "instance,L1,L2,status,message\n200,0,0.5,3,");
    int lines = 0;
    for (const char* c = text; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 1 + FAILED);
  }
  // a complete journal needs no runs, and gives other files of the same
  snprintf(line, sizeof line, "%s --journal @k.journal --rows --out @k.csv", SWEEP);
  expect_has(expect_status_of(sarrus(line), 2)->err, "different --rows");
  snprintf(line, sizeof line, "%s --journal @k.journal --out @k.csv --json", SWEEP);
  assert_int_equal((int)json_value(expect_status_of(sarrus(line), 4)->out, "taken_over", 0),
                   INSTANCES);
  expect_same("whole.csv", "k.csv");
}

static void rows_and_hdf5_as_well(void** state) {
  (void)state;
  const char* sweep = "sweep examples/pendulum.yaml --vary L=1:2:40 --end 0.3 --rows --quiet";
  char line[600];
  snprintf(line, sizeof line, "%s --out @a.h5", sweep);
  const Result* r = sarrus(line);
  if (r->status == 2) skip();  // without HDF5
  snprintf(line, sizeof line, "%s --processes 2 --journal @h.journal --out @b.h5", sweep);
  expect_status_of(sarrus(line), 0);
  SarTable a = read_table("a.h5"), b = read_table("b.h5");
  assert_int_equal(a.rows, b.rows);
  assert_true(a.rows > 40);
  assert_memory_equal(a.values, b.values, a.rows * (size_t)a.columns * sizeof *a.values);
  sar_table_clear(&a);
  sar_table_clear(&b);
}

// ---- what goes wrong ----------------------------------------------------------------------------

static void damage_is_told_and_mended(void** state) {
  (void)state;
  char line[900], path[200];
  Rng r = rng_seed(test_seed(4));
  make_reference();
  snprintf(line, sizeof line, "%s --journal @d.journal --out @d.csv", SWEEP);
  expect_status_of(sarrus(line), 4);
  snprintf(path, sizeof path, "%s/d.journal", program_folder);
  for (int k = 0; k < 4; k++) {
    size_t n;
    free(whole("d.journal", &n));
    if (k < 2) assert_int_equal(truncate(path, (long)n - 1 - rng_int(&r, (int)n / 2)), 0);
    FILE* f = fopen(path, "r+b");
    fseek(f, (long)n / 4 + rng_int(&r, (int)n / 8), SEEK_SET);
    if (k >= 2) fputs("hello", f);
    fclose(f);
    expect_has(expect_status_of(sarrus(line), 4)->err, k < 2 ? "cut off" : "damaged");
    expect_same("whole.csv", "d.csv");
  }
}

static void full_disks_are_told(void** state) {
  (void)state;
  char command[900], text[4000], path[200];
  make_reference();
  remove_file("full.journal");
  // in blocks of 512 bytes: the journal needs more
  snprintf(
      command, sizeof command,
      "cd %s && (ulimit -f 32; %s/sarrus %s --journal %s/full.journal --quiet >%s/out 2>%s/err)",
      SARRUS_SOURCE_DIR, SARRUS_BINARY_DIR, SWEEP, program_folder, program_folder, program_folder);
  const int status = system(command);
  assert_int_equal(WEXITSTATUS(status), 2);
  snprintf(path, sizeof path, "%s/err", program_folder);
  read_all(path, text, sizeof text);
  expect_has(text, "the same command goes on");
  snprintf(command, sizeof command, "%s --journal @full.journal --out @k.csv", SWEEP);
  const Result* r = expect_status_of(sarrus(command), 4);
  expect_has(r->out, "taken over");
  expect_same("whole.csv", "k.csv");
  expect_has(
      expect_status_of(sarrus("sweep examples/pendulum.yaml --vary L=1,2 --journal /dev/full"), 2)
          ->err,
      "must be a file");
}

static void two_jobs_are_told(void** state) {
  (void)state;
  char command[2000];
  const char* long_one = "sweep examples/double_pendulum.yaml --vary L1=1:2:100000 --end 1 --quiet";
  snprintf(command, sizeof command, "%s/sarrus %s --journal %s/two.journal >%s/o 2>%s/e",
           SARRUS_BINARY_DIR, long_one, program_folder, program_folder, program_folder);
  const pid_t first = start(command);
  size_t n = 0;
  for (int i = 0; i < 400 && n == 0; i++) {
    char path[200], head[64];
    pause_for(0.05);
    snprintf(path, sizeof path, "%s/two.journal", program_folder);
    read_all(path, head, sizeof head);
    n = strlen(head);
  }
  snprintf(command, sizeof command, "%s --journal @two.journal", long_one);
  const Result* r = sarrus(command);
  kill(-first, SIGKILL);
  waitpid(first, NULL, 0);
  expect_has(expect_status_of(r, 2)->err, "another job is writing this journal");
}

// A rank with other files, or without them, is told before anything runs.
static void ranks_must_agree(void** state) {
  (void)state;
  static const char* const others[][2] = {
      {"examples/double_pendulum.yaml --vary L1=1:2:30", "other files"},
      {"examples/pendulum.yaml --vary L=1:2:30 --end 0.1", "another program, or other files"},
      {"examples/nobody.yaml --vary L=1:2:30",
       "rank 1: examples/nobody.yaml: error: there is no such file"}};
  if (!have_mpi()) skip();
  for (int i = 0; i < 3; i++) {
    char command[1000], text[8000], path[200];
    snprintf(command, sizeof command,
             "mpirun -n 1 %s/sarrus sweep examples/pendulum.yaml --vary L=1:2:30 : -n 1 %s/sarrus "
             "sweep %s >%s/out 2>%s/err",
             SARRUS_BINARY_DIR, SARRUS_BINARY_DIR, others[i][0], program_folder, program_folder);
    int status;
    waitpid(start(command), &status, 0);
    assert_int_equal(WEXITSTATUS(status), 2);
    snprintf(path, sizeof path, "%s/err", program_folder);
    read_all(path, text, sizeof text);
    expect_has(text, others[i][1]);
  }
}

// Generated code by all ways, and from a journal that was cut off at a random place: rows are those
// of one process without a journal. Two instances fail, and what they share a batch with does not
// matter.
static void generated_code_ends_alike(void** state) {
  (void)state;
  static const char sweep[] =
      "sweep examples/double_pendulum.yaml --vary L1=-1:2:31 --vary L2=0.5:1:10 --generated "
      "--fixed --integrator rk4 --step 2e-3 --end 0.1 --digits 17 --columns '*.q,*.v' --quiet";
  char line[900], cache[200], path[200];
  size_t n;
  Rng r = rng_seed(test_seed(6));
  snprintf(cache, sizeof cache, "%s/cache", program_folder);
  snprintf(path, sizeof path, "%s/g.journal", program_folder);
  setenv("SARRUS_CACHE", cache, 1);
  unsetenv("SARRUS_GENERATED");
  snprintf(line, sizeof line, "%s --threads 1 --out @g.csv", sweep);
  expect_has(expect_status_of(sarrus(line), 4)->out, "at a time");
  for (int way = 0; way < 2; way++) {
    remove_file("g.journal");
    for (int again = 0; again < 3; again++) {
      snprintf(line, sizeof line, "%s %s --journal @g.journal --out @h.csv", sweep,
               ways[way].options);
      expect_has(expect_status_of(sarrus(line), 4)->out, "at a time");
      expect_same("g.csv", "h.csv");
      free(whole("g.journal", &n));
      assert_int_equal(truncate(path, (long)n - 1 - rng_int(&r, (int)n / 2)), 0);
    }
  }
  // the same values by the interpreter are another sweep
  snprintf(line, sizeof line,
           "sweep examples/double_pendulum.yaml --vary L1=-1:2:31 --vary L2=0.5:1:10 --fixed "
           "--integrator rk4 --step 2e-3 --end 0.1 --columns '*.q,*.v' --journal @g.journal");
  expect_has(expect_status_of(sarrus(line), 2)->err, "generated code");
}

static void bad_requests_are_told(void** state) {
  (void)state;
  write_file("some.txt", "these are notes of mine, and no journal at all, as one can see\n");
  static const struct {
    const char *line, *word;
  } bad[] = {
      {"sweep examples/pendulum.yaml --vary L=1,2 --journal @some.txt", "this is no journal"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --journal @x.csv --out @x.csv", "one file"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --journal examples/pendulum.yaml",
       "files that are read"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --journal @no/such/folder", "cannot be opened"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --processes 0", "greater than 0"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --processes 1.5", "whole number"},
      {"sweep examples/pendulum.yaml --vary L=1,2 --processes 2 --threads 2", "exclude"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_has(expect_status_of(sarrus(bad[i].line), 2)->err, bad[i].word);
}

// An instance that ends its process three times is a failed one, and the others are done.
static void what_ends_processes_is_kept(void** state) {
  (void)state;
  skip_if_sanitized();
  if (system("cc --version >/dev/null 2>&1") != 0) skip();
  write_file("bad.c",
             "#include <sarrus/sarrus.h>\n#include <signal.h>\n"
             "static int f(void* c, double t, const double* in, double* s, double* out) {\n"
             "  (void)c, (void)t, (void)s;\n  if (in[0] > 2.5) raise(SIGKILL);\n  out[0] = in[0];\n"
             "  return 0;\n}\n"
             "const SarUserFunction* sarrus_functions(void) {\n"
             "  static const SarUserFunction list[] = {{\"f\", -1, -1, -1, f, 0}, {0}};\n"
             "  return list;\n}\n");
  write_file("bad.yaml",
             "sarrus: 1\nparameters: {p: 1}\nbodies: {a: {sphere: 0.1, mass: 1}}\n"
             "joints: {j: {prismatic: [ground, a], axis: x}}\n"
             "signals: {u: {call: [p + 0*j.q], function: f, period: 0.01}}\n"
             "forces: {m: {joint_force: j, value: u}}\nsimulation: {end: 0.05}\n");
  char command[600];
  snprintf(command, sizeof command, "cc -shared -fPIC -I%s/include -o %s/bad.so %s/bad.c",
           SARRUS_SOURCE_DIR, program_folder, program_folder);
  assert_int_equal(system(command), 0);
  const Result* r = expect_status_of(
      sarrus("sweep @bad.yaml --functions @bad.so --vary p=1,2,3,1.5,1.6,1.7 --processes 2 --out "
             "@p.csv --quiet --json"),
      4);
  expect_has(r->err, "signal 9");
  assert_int_equal((int)json_value(r->out, "failed", 0), 1);
  assert_true(json_value(r->out, "workers_lost", 0) >= 3);
  SarTable t = read_table("p.csv");
  assert_int_equal(t.rows, 6);
  sar_table_clear(&t);
}

int main(void) {
  // as root in a container, with more ranks than cores
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_ways_end_alike),    cmocka_unit_test(killed_runs_end_alike),
      cmocka_unit_test(rows_and_hdf5_as_well), cmocka_unit_test(damage_is_told_and_mended),
      cmocka_unit_test(full_disks_are_told),   cmocka_unit_test(two_jobs_are_told),
      cmocka_unit_test(ranks_must_agree),      cmocka_unit_test(generated_code_ends_alike),
      cmocka_unit_test(bad_requests_are_told), cmocka_unit_test(what_ends_processes_is_kept),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
