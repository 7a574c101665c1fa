// Formulation `generated` with a compiler: it runs as `aba` and `lagrange` do, and its cache is
// safe against other people's files, missing compilers and two processes at once. (All other tests
// let it evaluate its tape.) Bound: the same equations in another order, over 1 s.
#include "support/program.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

static void use_cache(const char* name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  setenv("SARRUS_CACHE", path, 1);
  unsetenv("SARRUS_GENERATED");
}

// Path of the one file of the cache with this ending; NULL: there is none, or several.
static const char* cached(const char* ending) {
  static char path[600];
  int found = 0;
  DIR* folder = opendir(getenv("SARRUS_CACHE"));
  for (struct dirent* e; folder && (e = readdir(folder));) {
    const size_t n = strlen(e->d_name), m = strlen(ending);
    if (n < m || strcmp(e->d_name + n - m, ending) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", getenv("SARRUS_CACHE"), e->d_name);
    found++;
  }
  if (folder) closedir(folder);
  return found == 1 ? path : NULL;
}

// The last row of a run.
static void last_row(const char* model, const char* formulation, double* row, int* columns) {
  char arguments[400], path[300], line[1 << 16] = "";
  snprintf(arguments, sizeof arguments,
           "run %s -f %s --integrator rk4 --step 1e-3 --end 1 --out @rows.csv --force", model,
           formulation);
  expect_status_of(sarrus(arguments), 0);
  snprintf(path, sizeof path, "%s/rows.csv", program_folder);
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) continue;
  fclose(f);
  *columns = 0;
  for (char* at = line; *at && *columns < 500; at += *at == ',')
    row[(*columns)++] = strtod(at, &at);
}

static void expect_as(const char* formulation, const char* model) {
  double by_aba[500], found[500];
  int n, m;
  last_row(model, formulation, by_aba, &n);
  last_row(model, "generated", found, &m);
  assert_int_equal(n, m);
  assert_true(n > 2);
  for (int i = 0; i + 1 < n; i++) EXPECT_NEAR(found[i], by_aba[i], 1e-9 * (1 + fabs(by_aba[i])));
}

static void expect_as_aba(const char* model) { expect_as("aba", model); }

static void compiled_code_runs_as_the_interpreter(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  use_cache("cache");
  expect_as_aba("examples/double_pendulum.yaml");
  assert_non_null(cached(".so"));
  struct stat first, second;
  assert_int_equal(stat(cached(".so"), &first), 0);
  expect_as_aba("examples/double_pendulum.yaml");  // from the cache
  assert_int_equal(stat(cached(".so"), &second), 0);
  assert_true(first.st_ino == second.st_ino);
  expect_as_aba("examples/pd_arm.yaml");
}

static void compiled_loops_run_as_the_interpreter(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  use_cache("loops");
  expect_as("lagrange", "examples/double_fourbar.yaml");
  assert_non_null(cached(".so"));
  expect_as("lagrange", "examples/puma_cart.yaml");
  expect_as("lagrange", "examples/iftomm_a04_bricard.yaml");
}

static void without_a_compiler_a_tape_runs(void** state) {
  (void)state;
  use_cache("none");
  const char* path = getenv("PATH");
  char kept[4096];
  snprintf(kept, sizeof kept, "%s", path ? path : "");
  setenv("PATH", "/nowhere", 1);
  char command[700];
  snprintf(command, sizeof command, "run examples/double_pendulum.yaml -f generated --end 0.1");
  const Result* r = expect_status_of(sarrus(command), 0);
  setenv("PATH", kept, 1);
  expect_has(r->err, "evaluates a tape: no C compiler");
}

static void a_cache_of_others_is_not_used(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  use_cache("shared");
  mkdir(getenv("SARRUS_CACHE"), 0777);
  chmod(getenv("SARRUS_CACHE"), 0777);
  expect_has(expect_status_of(sarrus("run examples/pendulum.yaml -f generated --end 0.1"), 0)->err,
             "not a folder of this user alone");
  assert_null(cached(".so"));
}

static void foreign_files_are_neither_loaded_nor_replaced(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  use_cache("foreign");
  expect_status_of(sarrus("run examples/pendulum.yaml -f generated --end 0.1"), 0);
  char library[600];
  snprintf(library, sizeof library, "%s", cached(".so"));
  // another text beside it: the library is not believed
  FILE* f = fopen(cached(".c"), "a");
  fputs("// tampered\n", f);
  fclose(f);
  expect_has(expect_status_of(sarrus("run examples/pendulum.yaml -f generated --end 0.1"), 0)->err,
             "not what was put there");
  // a link in its place
  unlink(library);
  assert_int_equal(symlink("/dev/null", library), 0);
  expect_has(expect_status_of(sarrus("run examples/pendulum.yaml -f generated --end 0.1"), 0)->err,
             "not what was put there");
  struct stat s;
  assert_int_equal(lstat(library, &s), 0);
  assert_true(S_ISLNK(s.st_mode));
}

static void two_processes_at_once(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  use_cache("both");
  char command[1200];
  snprintf(command, sizeof command,
           "for i in 1 2 3; do %s/sarrus run examples/cart_pole.yaml -f generated --end 0.1 "
           ">/dev/null 2>%s/both$i & done; wait; cat %s/both?",
           SARRUS_BINARY_DIR, program_folder, program_folder);
  FILE* p = popen(command, "r");
  char text[2000];
  const size_t n = fread(text, 1, sizeof text - 1, p);
  text[n] = '\0';
  assert_int_equal(pclose(p), 0);
  assert_string_equal(text, "");
  assert_non_null(cached(".so"));
  assert_non_null(cached(".c"));
}

static void what_has_no_equations_is_interpreted(void** state) {
  (void)state;
  use_cache("tyre");
  write_file(
      "tyre.yaml",
      "sarrus: 1\nbodies: {wheel: {mass: 20, inertia: [1, 2, 1], at: [0, 0, 0.3]}}\n"
      "joints: {hub: {free: [ground, wheel]}}\n"
      "roads: {hills: {heights: 0.01*x, x: [-1, 1, 5], y: [-1, 1, 5]}}\n"
      "forces: {tyre: {tyre: wheel, radius: 0.31, stiffness: 2e5, damping: 100, road: hills}}\n");
  expect_has(expect_status_of(sarrus("run @tyre.yaml -f generated --end 0.05"), 0)->err,
             "runs as 'aba': road 'hills'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_code_runs_as_the_interpreter),
      cmocka_unit_test(compiled_loops_run_as_the_interpreter),
      cmocka_unit_test(without_a_compiler_a_tape_runs),
      cmocka_unit_test(a_cache_of_others_is_not_used),
      cmocka_unit_test(foreign_files_are_neither_loaded_nor_replaced),
      cmocka_unit_test(two_processes_at_once),
      cmocka_unit_test(what_has_no_equations_is_interpreted),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
