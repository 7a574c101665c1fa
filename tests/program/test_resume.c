// A run that is saved and resumed gives the rows of the run that was never interrupted, byte for
// byte.
#include "support/program.h"

// Models, with the options that name the method in the first part alone: the second has it from the
// file.
static const char* const runs[] = {
    "examples/double_fourbar.yaml",
    "examples/double_fourbar.yaml --formulation hybrid --integrator hht --step 2e-3",
    "examples/double_fourbar.yaml --formulation topological --step 2e-3",
    "examples/double_fourbar.yaml --coordinates absolute --integrator rk4 --step 1e-3",
    "examples/puma_pinned.yaml --formulation lagrange --integrator trapezoidal",
    "examples/acrobat.yaml",
    "examples/chain.yaml",
    "examples/dominoes.yaml",
};

typedef char Text[1 << 20];

static const char* read_text(const char* name, Text text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  read_all(path, text, sizeof(Text));
  return text;
}

// Without the method's options.
static const char* model_of(const char* run) {
  static char text[200];
  const char* absolute = strstr(run, "--coordinates absolute");
  snprintf(text, sizeof text, "%.*s %s", (int)strcspn(run, " "), run,
           absolute ? "--coordinates absolute" : "");
  return text;
}

static void rows_continue(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    char line[600];
    const char* rows = "--output-step 0.02 --digits 17 --quiet";
    snprintf(line, sizeof line, "run %s %s --end 0.6 --out @whole.csv", runs[i], rows);
    expect_status_of(sarrus(line), 0);
    snprintf(line, sizeof line, "run %s %s --end 0.3 --out @first.csv --save @x.state", runs[i],
             rows);
    expect_status_of(sarrus(line), 0);
    snprintf(line, sizeof line,
             "run %s %s --end 0.6 --out @second.csv --resume @x.state --save @x.state --json",
             model_of(runs[i]), rows);
    const Result* r = expect_status_of(sarrus(line), 0);
    EXPECT_NEAR(json_value(r->out, "start_time", 0), 0.3, 1e-12);
    static Text text[3];
    const char* whole = read_text("whole.csv", text[0]);
    const char* first = read_text("first.csv", text[1]);
    const size_t length = strlen(first);
    if (strncmp(whole, first, length) != 0) fail_msg("%s: the first part differs", runs[i]);
    const char* rest = whole + length;
    const char* second =
        strchr(read_text("second.csv", text[2]), '\n');  // behind the names of columns
    if (!second || strcmp(rest, second + 1) != 0) fail_msg("%s: rows depart", runs[i]);
  }
}

static void what_does_not_fit_is_refused(void** state) {
  (void)state;
  expect_status_of(sarrus("run examples/pendulum.yaml --end 0.2 --save @p.state --quiet"), 0);
  const Result* r = sarrus("run examples/double_pendulum.yaml --resume @p.state");
  expect_status_of(r, 2);
  expect_has(r->err, "another model");
  r = expect_status_of(sarrus("run examples/pendulum.yaml --end 0.1 --resume @p.state"), 2);
  expect_has(r->err, "later end");
  r = sarrus("run examples/pendulum.yaml --resume examples/pendulum.yaml");
  expect_has(r->err, "no saved state");
  assert_true(r->status != 0);
  write_file("m.yaml", "sarrus: 1\nbodies: {a: {box: [1, 1, 1], mass: 1}}\n");
  r = expect_status_of(sarrus("run @m.yaml --end 0.1 --save @m.yaml"), 2);
  expect_has(r->err, "not written");
  r = expect_status_of(sarrus("run examples/pendulum.yaml --resume @p.state --out @p.state"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_continue),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
