// Recorded inputs: columns by name over time, held or in straight lines, against a search from the
// first row on.
#include "output/table.h"
#include "support/ports.h"

static char folder[64];

static const char* write_table(char path[128], const char* name, int columns,
                               const char* const* names, const double* rows, int count) {
  SarTable t;
  EXPECT_OK(sar_table_init(&t, names, columns));
  for (int i = 0; i < count; i++) EXPECT_OK(sar_table_add(&t, rows + i * columns));
  snprintf(path, 128, "%s/%s", folder, name);
  EXPECT_OK(sar_table_save(&t, path, 17, NULL));
  sar_table_clear(&t);
  return path;
}

static double searched(const double* rows, int columns, int count, int column, double t,
                       bool hold) {
  int i = 0;
  while (i + 1 < count && rows[(i + 1) * columns] <= t) i++;
  const double *a = rows + i * columns, *b = a + columns;
  if (hold || i + 1 == count || t <= a[0]) return a[column];
  return a[column] + (t - a[0]) / (b[0] - a[0]) * (b[column] - a[column]);
}

static void columns_are_played_by_name(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(51));
  static const char* const names[] = {"u3", "time", "other", "u1"};  // time is wherever it is
  for (int trial = 0; trial < test_effort(40); trial++) {
    enum { ROWS = 50 };
    PortWorld w;
    double rows[ROWS * 4], by_time[ROWS * 4], t = rng_uniform(&rng, -0.1, 0.1);
    char path[128], address[200];
    const bool hold = trial % 2, hdf5 = trial % 4 >= 2;
    const int count = 1 + rng_int(&rng, ROWS);
    for (int i = 0; i < count; i++) {
      by_time[4 * i] = rows[4 * i + 1] = t;
      by_time[4 * i + 1] = rows[4 * i] = rng_normal(&rng);
      by_time[4 * i + 2] = rows[4 * i + 2] = rng_normal(&rng);
      by_time[4 * i + 3] = rows[4 * i + 3] = rng_normal(&rng);
      if (rng_int(&rng, 5)) t += rng_uniform(&rng, 0, 0.01);  // else a jump
    }
#ifndef SARRUS_HAVE_HDF5
    write_table(path, "played.csv", 4, names, rows, count);
    (void)hdf5;
#else
    write_table(path, hdf5 ? "played.h5" : "played.csv", 4, names, rows, count);
#endif
    port_world(&w, 5, 2);
    snprintf(address, sizeof address, "%s%s", path, hold ? ",between=hold" : "");
    SarPort* p = port_opened(&w, "file", address);
    assert_int_equal(sar_port_inputs(p), 2);
    assert_ptr_equal(w.input[1].port, p);
    assert_ptr_equal(w.input[3].port, p);
    assert_null(w.input[0].port);
    w.inputs[0] = 5;
    w.frame.time = -0.05;
    for (int k = 0; k < 600; k++) {
      port_frame(&w, p);
      EXPECT_NEAR(w.inputs[3], searched(by_time, 4, count, 1, w.frame.time, hold), 1e-12);
      EXPECT_NEAR(w.inputs[1], searched(by_time, 4, count, 3, w.frame.time, hold), 1e-12);
      EXPECT_NEAR(w.inputs[0], 5, 0);
    }
    assert_int_equal(sar_port_stats(p)->timeouts, 1);  // the file is over
    sar_port_close(p);
  }
}

static void files_can_be_repeated(void** state) {
  (void)state;
  static const char* const names[] = {"time", "u0"};
  const double rows[] = {0, 0, 0.01, 1, 0.02, 0};
  PortWorld w;
  char path[128], address[200];
  write_table(path, "triangle.csv", 2, names, rows, 3);
  port_world(&w, 1, 0);
  snprintf(address, sizeof address, "%s,end=repeat", path);
  SarPort* p = port_opened(&w, "file", address);
  for (int k = 0; k < 500; k++) {
    port_frame(&w, p);
    const double phase = fmod(w.frame.time, 0.02);
    EXPECT_NEAR(w.inputs[0], 1 - fabs(phase - 0.01) / 0.01, 1e-9);
  }
  assert_int_equal(sar_port_stats(p)->frames_stale, 0);
  sar_port_close(p);
}

static void wrong_files_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"time,x\n0,1\n", "no column is named"},
      {"x,u0\n0,1\n", "no column 'time'"},
      {"time,u0\n", "no rows"},
      {"time,u0\n1,1\n0,1\n", "does not follow"},
      {"time,u0\n0,nan\n", "no value of an input"},
      {"time,u0\nnan,1\n", "does not follow"},
      {"time,u0\n0,hello\n", "expected a number"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    PortWorld w;
    SarPort* p;
    SarError err;
    char path[128], message[1024];
    sar_error_init(&err);
    port_world(&w, 1, 1);
    snprintf(path, sizeof path, "%s/wrong.csv", folder);
    FILE* f = fopen(path, "w");
    fputs(wrong[i].text, f);
    fclose(f);
    EXPECT_STATUS(sar_port_open("file", path, &w.layout, &p, &err), SAR_BAD_ARGUMENT);
    assert_null(p);
    sar_error_format(&err, 0, message, sizeof message);
    if (!strstr(message, wrong[i].message)) fail_msg("%s", message);
  }
}

static int begin(void** state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sarrus-file-port-XXXXXX");
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
      cmocka_unit_test(columns_are_played_by_name),
      cmocka_unit_test(files_can_be_repeated),
      cmocka_unit_test(wrong_files_are_refused),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
