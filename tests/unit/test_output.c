// Result files: what is written is what is read, bit for bit at 17 digits; bad files are refused
// with a place.
#include "support/test.h"

#include "output/json.h"
#include "output/table.h"

#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 1300, COLUMNS = 4 };  // more rows than one block of the HDF5 writer
static const char* const names[COLUMNS] = {"time", "arm.q", "odd,\"name\"", "energy.total"};

static void temp_path(char* path, size_t size, const char* ending) {
  const char* folder = getenv("TMPDIR");
  snprintf(path, size, "%s/sarrus-test-%ld%s", folder ? folder : "/tmp", (long)getpid(), ending);
}

static double value_at(int row, int column) {
  return column == 0 ? row * 1e-3 : sin(row * 0.37 + column) * pow(10, row % 30 - 15);
}

static void round_trip(const char* ending) {
  char path[256];
  temp_path(path, sizeof path, ending);
  SarError err;
  sar_error_init(&err);
  SarWriter* w;
  EXPECT_OK_OR(sar_writer_open(path, names, COLUMNS, 17, "model.yaml", &w, &err), &err);
  static double
      written[ROWS * COLUMNS];  // computed once: the native build may round twice unequally
  for (int i = 0; i < ROWS; i++) {
    for (int c = 0; c < COLUMNS; c++) written[i * COLUMNS + c] = value_at(i, c);
    EXPECT_OK(sar_writer_row(w, &written[i * COLUMNS]));
  }
  EXPECT_OK_OR(sar_writer_close(w, &err), &err);
  SarTable t;
  EXPECT_OK_OR(sar_table_read(path, &t, &err), &err);
  assert_int_equal(t.columns, COLUMNS);
  assert_int_equal(t.rows, ROWS);
  for (int c = 0; c < COLUMNS; c++) assert_string_equal(t.names[c], names[c]);
  EXPECT_ARRAY_NEAR(t.values, written, ROWS * COLUMNS, 0);  // 17 digits restore every bit
  sar_table_clear(&t);
  unlink(path);
}

static void csv_restores_every_bit(void** state) {
  (void)state;
  round_trip(".csv");
}

static void hdf5_restores_every_bit(void** state) {
  (void)state;
#ifdef SARRUS_HAVE_HDF5
  round_trip(".h5");
#else
  SarError err;
  sar_error_init(&err);
  SarWriter* w;
  EXPECT_STATUS(sar_writer_open("x.h5", names, COLUMNS, 17, "", &w, &err), SAR_NOT_OFFERED);
  assert_null(w);
#endif
}

// text of a CSV file, and the place its message must have
static void expect_refused(const char* text, int line, const char* part) {
  char path[256];
  temp_path(path, sizeof path, "-bad.csv");
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  SarError err;
  sar_error_init(&err);
  SarTable t;
  EXPECT_STATUS(sar_table_read(path, &t, &err), SAR_BAD_ARGUMENT);
  assert_int_equal(err.errors, 1);
  assert_int_equal(err.items[0].line, line);
  assert_non_null(strstr(err.items[0].text, part));
  unlink(path);
}

static void bad_csv_is_refused_with_its_place(void** state) {
  (void)state;
  expect_refused("", 1, "empty");
  expect_refused("time,a\n0,1\n0.1,one\n", 3, "'one'");
  expect_refused("time,a\n0\n", 2, "expected 2 numbers");
  expect_refused("time,a\n0,\n", 2, "expected a number");
  expect_refused("time,a\n0,1,5\n", 2, "expected 2 numbers, found more");
}

// As spreadsheets write it: with a byte order mark, names in quotes, a comma at the end of a row.
static void csv_of_spreadsheets_is_read(void** state) {
  (void)state;
  static const char text[] = "\xEF\xBB\xBF\"time\",\"a,b\",c\r\n0,1,2,\r\n1,3,4\r\n";
  char path[256];
  temp_path(path, sizeof path, "-sheet.csv");
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  SarError err;
  sar_error_init(&err);
  SarTable t;
  EXPECT_OK(sar_table_read(path, &t, &err));
  assert_int_equal(sar_table_find(&t, "time"), 0);
  assert_int_equal(sar_table_find(&t, "a,b"), 1);
  assert_int_equal(t.rows, 2);
  assert_true(t.values[5] == 4);
  sar_table_clear(&t);
  unlink(path);
}

static void unknown_endings_are_refused(void** state) {
  (void)state;
  SarError err;
  sar_error_init(&err);
  SarWriter* w;
  EXPECT_STATUS(sar_writer_open("results.xls", names, COLUMNS, 17, "", &w, &err), SAR_BAD_ARGUMENT);
  assert_non_null(strstr(err.items[0].hint, ".csv"));
}

static void json_escapes_and_nests(void** state) {
  (void)state;
  char* text = NULL;
  size_t size = 0;
  FILE* f = open_memstream(&text, &size);
  SarJson j;
  sar_json_begin(&j, f);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "name", "a \"b\"\n\\");
  sar_json_open(&j, "list", '[');
  sar_json_number(&j, NULL, 0.1);
  sar_json_number(&j, NULL, (double)NAN);
  sar_json_close(&j, ']');
  sar_json_open(&j, "none", '[');
  sar_json_close(&j, ']');
  sar_json_bool(&j, "yes", true);
  sar_json_close(&j, '}');
  fclose(f);
  assert_string_equal(
      text,
      "{\n  \"name\": \"a \\\"b\\\"\\u000a\\\\\",\n  \"list\": [\n    0.10000000000000001,\n"
      "    null\n  ],\n  \"none\": [],\n  \"yes\": true\n}");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_restores_every_bit),
      cmocka_unit_test(hdf5_restores_every_bit),
      cmocka_unit_test(bad_csv_is_refused_with_its_place),
      cmocka_unit_test(csv_of_spreadsheets_is_read),
      cmocka_unit_test(unknown_endings_are_refused),
      cmocka_unit_test(json_escapes_and_nests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
