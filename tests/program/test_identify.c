// sarrus identify: parameters of a simulated PUMA with noise are within their own intervals as
// often as they should be; what the data do not determine is named; killed searches go on; requests
// that cannot be are told.
#include "support/program.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#define MODEL "tests/models/puma_identify.yaml"
#define OVER "--over payload=0.5:6 --over d1=1:20 --over d2=1:20 --over d3=1:20"

static const struct {
  const char* name;
  double value;
} truth[] = {{"payload", 2.5}, {"d1", 6}, {"d2", 9}, {"d3", 4}};
enum { PARAMETERS = 4 };

static SarTable simulated(void) {
  expect_status_of(sarrus("run " MODEL " --digits 17 --out @exact.csv --quiet"), 0);
  return read_table("exact.csv");
}

// Angles of the first three joints with normal noise, of another size in each column; some are
// missing.
static void measure(const SarTable* t, Rng* r, const char* name) {
  static const struct {
    const char* name;
    double noise;
  } column[] = {{"j1.q", 1e-3}, {"j2.q", 3e-4}, {"j3.q", 2e-3}};
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "time,j1.q,j2.q,j3.q\n");
  for (size_t i = 0; i < t->rows; i++) {
    fprintf(f, "%.17g", t->values[i * (size_t)t->columns]);
    for (int k = 0; k < 3; k++) {
      const double x =
          t->values[i * (size_t)t->columns + (size_t)sar_table_find(t, column[k].name)];
      const double noise = column[k].noise * rng_normal(r);
      if (rng_int(r, 50) == 0)
        fprintf(f, ",nan");
      else
        fprintf(f, ",%.17g", x + noise);
    }
    fprintf(f, "\n");
  }
  fclose(f);
}

// Intervals of 95 %: of n independent ones 0.95 n cover, with deviation sqrt(0.0475 n); those of
// one set of data depend on each other, so n is counted as the sets. Four deviations are allowed.
static void intervals_cover_what_they_should(void** state) {
  (void)state;
  SarTable t = simulated();
  Rng r = rng_seed(test_seed(8));
  const int sets = test_effort(12);
  int covered[PARAMETERS] = {0}, all = 0;
  for (int i = 0; i < sets; i++) {
    measure(&t, &r, "noisy.csv");
    const Result* out =
        expect_status_of(sarrus("identify " MODEL " --data @noisy.csv " OVER " --json --quiet"), 0);
    for (int k = 0; k < PARAMETERS; k++) {
      assert_true(json_value(out->out, "from", k) < json_value(out->out, "to", k));
      const bool in = json_value(out->out, "from", k) < truth[k].value &&
                      truth[k].value < json_value(out->out, "to", k);
      covered[k] += in;
      all += in;
      EXPECT_NEAR(json_value(out->out, "value", k), truth[k].value, 0.05 * truth[k].value);
    }
    EXPECT_NEAR(json_value(out->out, "rms", 1), 3e-4, 1e-4);
  }
  print_message("covered by %d sets: %d %d %d %d, %.3f of all\n", sets, covered[0], covered[1],
                covered[2], covered[3], all / (double)(PARAMETERS * sets));
  for (int k = 0; k < PARAMETERS; k++)
    EXPECT_NEAR(covered[k], 0.95 * sets, 4 * sqrt(0.0475 * sets) + 0.5);
  sar_table_clear(&t);
}

// From far away, and to the bit of the noise-free data.
static void exact_data_give_exact_parameters(void** state) {
  (void)state;
  SarTable t = simulated();
  sar_table_clear(&t);
  const Result* r = expect_status_of(
      sarrus("identify " MODEL " --data @exact.csv --columns 'j?.q' " OVER
             " --start payload=0.7 --start d1=2 --start d2=18 --start d3=15 --json --quiet"),
      0);
  for (int k = 0; k < PARAMETERS; k++)
    EXPECT_NEAR(json_value(r->out, "value", k), truth[k].value, 1e-5 * truth[k].value);
}

static void what_the_data_leave_open_is_named(void** state) {
  (void)state;
  write_file(
      "block.yaml",
      "sarrus: 1\nparameters: {m: 2, k: 200, c: 1, idle: 3}\ngravity: [0, 0, 0]\n"
      "bodies: {b: {mass: m}}\n"
      "joints: {s: {prismatic: [ground, b], axis: x, stiffness: k, damping: c, position: 0.1}}\n"
      "simulation: {end: 2, output_step: 0.02}\noutputs: [joints, {value: idle, name: idle}]\n");
  expect_status_of(sarrus("run @block.yaml --digits 17 --out @b.csv --quiet"), 0);
  // k/m and c/m alone are known
  const Result* r = sarrus(
      "identify @block.yaml --data @b.csv --columns s.q --over m=1:4 --over k=100:400 --over "
      "c=0.2:3 --start m=2.5 --quiet");
  expect_has(expect_status_of(r, 4)->out, "do not determine all parameters");
  expect_has(r->out, "only a combination");
  r = sarrus(
      "identify @block.yaml --data @b.csv --columns s.q --over k=100:400 --over idle=1:5 --quiet");
  expect_has(expect_status_of(r, 4)->out, "do not depend on it");
  // with the mass known all is well; a bound in the way is told
  r = sarrus(
      "identify @block.yaml --data @b.csv --columns s.q --over k=100:400 --over c=0.2:3 --start "
      "k=150 --json --quiet");
  EXPECT_NEAR(json_value(expect_status_of(r, 0)->out, "value", 0), 200, 1e-4);
  r = sarrus(
      "identify @block.yaml --data @b.csv --columns s.q --over k=210:400 --over c=0.2:3 --quiet");
  expect_has(expect_status_of(r, 0)->out, "at its bound");
  expect_has(r->out, "the model lacks something");
}

static void killed_fits_go_on(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(9));
  static char expected[1 << 14], text[1 << 14], command[1200], path[200];
  SarTable t = simulated();
  measure(&t, &r, "noisy.csv");
  sar_table_clear(&t);
  const char* line = "identify " MODEL " --data @noisy.csv " OVER
                     " --start payload=0.7 --start d2=18 --quiet --threads 1";
  const Result* out = expect_status_of(sarrus(line), 0);
  snprintf(expected, sizeof expected, "%s", strstr(out->out, "  parameter"));
  snprintf(
      command, sizeof command,
      "cd %s && exec %s/sarrus identify " MODEL " --data %s/noisy.csv " OVER
      " --start payload=0.7 --start d2=18 --quiet --threads 1 --journal %s/i.journal >%s/i.out "
      "2>%s/i.err",
      SARRUS_SOURCE_DIR, SARRUS_BINARY_DIR, program_folder, program_folder, program_folder,
      program_folder);
  int kills = 0, status = 0;
  for (double span = 0.15; kills < 60; span *= 1.15) {
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
      execl("/bin/sh", "sh", "-c", command, (char*)NULL);
      _exit(127);
    }
    const double wait = rng_uniform(&r, 0.03, span);
    nanosleep(&(struct timespec){.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * fmod(wait, 1))},
              NULL);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status)) break;
    kills++;
  }
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  snprintf(path, sizeof path, "%s/i.out", program_folder);
  read_all(path, text, sizeof text);
  assert_non_null(strstr(text, "  parameter"));
  assert_string_equal(strstr(text, "  parameter"), expected);
}

static void bad_requests_are_told(void** state) {
  (void)state;
  write_file("good.csv", "time,j1.q\n0,0\n0.1,0.01\n0.2,0.02\n0.3,0.05\n");
  write_file("misspelt.csv", "time,j1.p\n0,0\n0.1,0.01\n0.2,0.02\n");
  write_file("untimed.csv", "t,j1.q\n0,0\n0.1,0.01\n");
  write_file("back.csv", "time,j1.q\n0,0\n0.2,0.01\n0.1,0.02\n");
  write_file("nan.csv", "time,j1.q\n0,0\nnan,0.01\n0.1,0.02\n");
  write_file("empty.csv", "time,j1.q,j2.q\n0,0,nan\n0.1,1,nan\n0.2,2,nan\n");
  write_file("infinite.csv", "time,j1.q\n0,0\n0.1,inf\n0.2,1\n");
  write_file("text.csv", "time,j1.q\n0,0\n0.1,hello\n");
  write_file("short.csv", "time,j1.q\n0,0\n0.1,1\n");
  static const struct {
    const char *line, *word;
  } bad[] = {
      {"--over d1=1:2", "which data"},
      {"--data @good.csv", "over what"},
      {"--data @good.csv --over d1=2:1", "lower bound comes first"},
      {"--data @good.csv --over dd1=1:2", "'dd1'"},
      {"--data @good.csv --over d1=1:20 --confidence 1", "between 0 and 1"},
      {"--data @good.csv --over d1=1:20 --sigma j1=1", "no such column"},
      {"--data @good.csv --over d1=1:20 --sigma j1.q=0", "greater than 0"},
      {"--data @good.csv --over d1=1:20 --columns nothing", "no column is left"},
      {"--data @nobody.csv --over d1=1:20", "cannot be read"},
      {"--data @misspelt.csv --over d1=1:20", "did you mean 'j1.q'"},
      {"--data @untimed.csv --over d1=1:20", "no column of times"},
      {"--data @back.csv --over d1=1:20", "row 3: the time does not rise"},
      {"--data @nan.csv --over d1=1:20", "row 2: the time is nan"},
      {"--data @empty.csv --over d1=1:20", "column 'j2.q' has no values"},
      {"--data @infinite.csv --over d1=1:20", "is infinite"},
      {"--data @text.csv --over d1=1:20", "found 'hello'"},
      {"--data @short.csv --over d1=1:20 --over d2=1:20", "do not determine 2 parameters"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char line[400];
    snprintf(line, sizeof line, "identify " MODEL " %s --quiet", bad[i].line);
    const Result* r = sarrus(line);
    if (r->status != 2 && r->status != 3) fail_msg("status %d: %s", r->status, line);
    expect_has(r->err, bad[i].word);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_cover_what_they_should),
      cmocka_unit_test(exact_data_give_exact_parameters),
      cmocka_unit_test(what_the_data_leave_open_is_named),
      cmocka_unit_test(killed_fits_go_on),
      cmocka_unit_test(bad_requests_are_told),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
