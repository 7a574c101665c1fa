// docs/expressions.md says what the code does: all functions with their parameters, and values that
// hold.
#include "support/expr_fixture.h"

static char* read_doc(void) {
  static char text[65536];
  FILE* file = fopen(SARRUS_SOURCE_DIR "/docs/expressions.md", "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(n > 0 && n < sizeof text - 1);
  text[n] = '\0';
  return text;
}

static void every_function_is_documented(void** state) {
  (void)state;
  const char* doc = read_doc();
  SarFunctionDoc f;
  for (int i = 0; sar_expr_function(i, &f); i++) {
    char row[512];
    snprintf(row, sizeof row, "| `%s(%s)` | ", f.name, f.parameters);
    if (!strstr(doc, row)) fail_msg("no row %s", row);
  }
}

static void every_example_holds(void** state) {
  Fixture* f = *state;
  char* line = strstr(read_doc(), "## Examples");
  assert_non_null(line);
  int checked = 0;
  for (line = strtok(line + 3, "\n"); line && line[0] != '#'; line = strtok(NULL, "\n")) {
    char text[128];
    double expected;
    if (sscanf(line, "| `%127[^`]` | %lf |", text, &expected) != 2) continue;
    CHECK_VALUE(text, value_of(f, text), expected, 1e-15);
    checked++;
  }
  assert_true(checked >= 10);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(every_function_is_documented),
      TEST(every_example_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
