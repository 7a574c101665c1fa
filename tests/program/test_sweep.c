// sarrus sweep: every instance is what `sarrus run --set` gives, whatever the threads; bad requests
// are told.
#include "support/program.h"

static double at(const SarTable* t, size_t row, const char* name) {
  const int column = sar_table_find(t, name);
  if (column < 0) fail_msg("no column '%s'", name);
  return t->values[row * (size_t)t->columns + (size_t)column];
}

// Models, with two parameters and what follows from all columns of a run.
static const struct {
  const char *model, *a, *b, *more;
} cases[] = {
    {"examples/pendulum.yaml", "L", "m", "--end 1"},
    {"examples/quarter_car.yaml", "body_mass", "speed", "--end 0.5"},
    {"examples/double_pendulum.yaml", "L1", "L2", "--integrator rk4 --step 1e-3 --end 0.3"},
    {"examples/iftomm_a05_governor.yaml", "turn", "c", "--formulation lagrange --end 0.2"},
};

static void compare_rows(const SarTable* sweep, size_t* row, const SarTable* run, bool rows) {
  for (size_t i = rows ? 0 : run->rows - 1; i < run->rows; i++, (*row)++)
    for (int c = 0; c < run->columns; c++) {
      const double mine = at(sweep, *row, run->names[c]);
      const double its = run->values[i * (size_t)run->columns + (size_t)c];
      if (mine != its)
        fail_msg("%s in row %zu: %.17g, alone %.17g", run->names[c], *row, mine, its);
    }
}

static void instances_are_single_runs(void** state) {
  (void)state;
  for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
    const bool rows = k & 1;
    const char *model = cases[k / 2].model, *a = cases[k / 2].a, *b = cases[k / 2].b;
    char line[800];
    snprintf(line, sizeof line,
             "sweep %s %s --vary '%s=0.9:1.3:2' --vary %s=1.1,1.25 --digits 17 %s --out @s.csv",
             model, cases[k / 2].more, a, b, rows ? "--rows" : "");
    expect_status_of(sarrus(line), 0);
    SarTable sweep = read_table("s.csv");
    size_t row = 0;
    for (int i = 0; i < 4; i++) {
      snprintf(line, sizeof line, "run %s %s --set %s=%s --set %s=%s --digits 17 --out @r.csv",
               model, cases[k / 2].more, a, i / 2 ? "1.3" : "0.9", b, i % 2 ? "1.25" : "1.1");
      expect_status_of(sarrus(line), 0);
      SarTable run = read_table("r.csv");
      assert_int_equal((int)at(&sweep, row, "instance"), i);
      assert_int_equal((int)at(&sweep, row, "status"), 0);
      compare_rows(&sweep, &row, &run, rows);
      sar_table_clear(&run);
    }
    assert_int_equal(row, sweep.rows);
    sar_table_clear(&sweep);
  }
}

static void expect_same_files(const char* a, const char* b) {
  static char text[2][1 << 20];
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, a);
  read_all(path, text[0], sizeof text[0]);
  snprintf(path, sizeof path, "%s/%s", program_folder, b);
  read_all(path, text[1], sizeof text[1]);
  assert_true(strlen(text[0]) > 100);
  assert_string_equal(text[0], text[1]);
}

// By generated code: rows of the interpreter to rounding, without columns of work, whatever the
// threads.
static void generated_agrees(void** state) {
  (void)state;
  static const struct {
    const char *model, *vary;
  } all[] = {{"examples/cart_pole.yaml", "--vary L=0.6:1.3:3 --vary m=0.1,0.3"},
             {"examples/double_pendulum.yaml", "--random 'L1~U(0.8,1.1)x7'"},
             {"tests/models/fourbar_sizes.yaml", "--vary h=0.8:1.2:3 --vary m=1,2"}};
  char line[600], cache[200];
  snprintf(cache, sizeof cache, "%s/cache", program_folder);
  setenv("SARRUS_CACHE", cache, 1);
  unsetenv("SARRUS_GENERATED");  // which spares other tests the compiler
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    for (int how = 0; how < 3; how++) {
      snprintf(
          line, sizeof line,
          "sweep %s %s --fixed --integrator rk4 --step 1e-3 --end 0.3 --output-step 0.05 --rows "
          "--digits 17 --out @%s %s",
          all[k].model, all[k].vary,
          how == 0   ? "i.csv"
          : how == 1 ? "1.csv"
                     : "3.csv",
          how == 0   ? ""
          : how == 1 ? "--generated --threads 1"
                     : "--generated --threads 3");
      const Result* r = expect_status_of(sarrus(line), 0);
      if (how > 0) expect_has(r->out, "at a time");
    }
    expect_same_files("1.csv", "3.csv");
    SarTable code = read_table("1.csv"), run = read_table("i.csv");
    assert_int_equal(code.rows, run.rows);
    assert_int_equal(sar_table_find(&code, "energy.work"), -1);
    for (size_t i = 0; i < code.rows; i++)
      for (int c = 0; c < code.columns; c++)
        EXPECT_NEAR(code.values[i * (size_t)code.columns + (size_t)c], at(&run, i, code.names[c]),
                    1e-9);
    sar_table_clear(&code);
    sar_table_clear(&run);
  }
}

// What there is no code for runs as without the option, to the bit, and the reason is told.
static void what_has_no_code_is_told(void** state) {
  (void)state;
  const char* sweep = "sweep examples/pendulum.yaml --vary L=1:2:9 --end 1 --columns '*.q'";
  char line[400];
  snprintf(line, sizeof line, "%s --out @a.csv", sweep);
  expect_status_of(sarrus(line), 0);
  snprintf(line, sizeof line, "%s --generated --out @b.csv", sweep);
  expect_has(expect_status_of(sarrus(line), 0)->out, "steps are adaptive");
  expect_same_files("a.csv", "b.csv");
  expect_has(
      expect_status_of(sarrus("sweep examples/pendulum.yaml --vary nope=1 --generated"), 2)->err,
      "'nope'");
  expect_has(expect_status_of(sarrus("sweep examples/chain.yaml --vary n=3,4 --generated"), 2)->err,
             "changes the topology");
}

static void threads_and_seeds(void** state) {
  (void)state;
  const char* line =
      "sweep examples/quarter_car.yaml --vary k=2e4,3e4 --random 'speed~N(1,0.1)x40' --random "
      "'tyre~U(1e5,2e5)' --end 0.2 --digits 17 ";
  char with[500];
  for (int i = 1; i <= 3; i++) {
    snprintf(with, sizeof with, "%s --threads %d --out @t%d.csv", line, i, i);
    expect_has(expect_status_of(sarrus(with), 0)->out, "80 of 80");
  }
  expect_same_files("t1.csv", "t2.csv");
  expect_same_files("t1.csv", "t3.csv");
  // another seed, other values; what else is drawn does not matter
  snprintf(with, sizeof with, "%s --seed 2 --out @u.csv", line);
  expect_status_of(sarrus(with), 0);
  expect_status_of(sarrus("sweep examples/quarter_car.yaml --random 'speed~N(1,0.1)x40' --end 0.2 "
                          "--digits 17 --out @v.csv"),
                   0);
  SarTable t = read_table("t1.csv"), u = read_table("u.csv"), v = read_table("v.csv");
  double mean = 0, square = 0;
  for (size_t i = 0; i < 40; i++) {
    const double x = at(&t, i, "speed");
    assert_true(x == at(&t, i + 40, "speed"));
    assert_true(x != at(&u, i, "speed"));
    assert_true(x == at(&v, i, "speed"));
    assert_true(at(&t, i, "tyre") > 1e5 && at(&t, i, "tyre") < 2e5);
    mean += x / 40;
    square += (x - 1) * (x - 1) / 40;
  }
  // 5 standard errors: 0.1/sqrt(40) of the mean, 0.1/sqrt(80) of the deviation
  EXPECT_NEAR(mean, 1, 5 * 0.0158);
  EXPECT_NEAR(sqrt(square), 0.1, 5 * 0.0112);
  sar_table_clear(&t);
  sar_table_clear(&u);
  sar_table_clear(&v);
}

static void failures_lose_nothing(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("sweep examples/pendulum.yaml --vary L=-1:2:4 --end 0.2 --out @f.csv --json"), 4);
  expect_has(r->err, "instance 1 (L = 0)");
  expect_has(r->err, "rod has length zero");
  assert_int_equal((int)json_value(r->out, "failed", 0), 1);
  assert_int_equal((int)json_value(r->out, "done", 0), 4);
  SarTable t = read_table("f.csv");
  assert_int_equal(t.rows, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal((int)at(&t, i, "status"), i == 1 ? 3 : 0);
    assert_true(isnan(at(&t, i, "hinge.q")) == (i == 1));
  }
  sar_table_clear(&t);
}

static void lists_come_from_tables(void** state) {
  (void)state;
  write_file("list.csv", "m,k\n1,10\n2,20\n");
  write_file("bare.csv", "1\n2\n");
  expect_status_of(
      sarrus("sweep examples/pendulum.yaml --vary m=@list.csv --vary L=1:100:3:log --end 0.1 "
             "--columns '*.q' --out @l.csv"),
      0);
  SarTable t = read_table("l.csv");
  assert_int_equal(t.rows, 6);
  assert_int_equal(t.columns, 6);
  EXPECT_NEAR(at(&t, 4, "L"), 10, 1e-14);
  EXPECT_NEAR(at(&t, 4, "m"), 2, 0);
  sar_table_clear(&t);
  const Result* r = sarrus("sweep examples/pendulum.yaml --vary m=@bare.csv");
  expect_has(expect_status_of(r, 2)->err, "must name its columns");
  r = sarrus("sweep examples/pendulum.yaml --vary L=@list.csv");
  expect_has(expect_status_of(r, 2)->err, "none of this name");
}

static void bad_requests_are_told(void** state) {
  (void)state;
  static const struct {
    const char *line, *word;
  } bad[] = {
      {"sweep examples/pendulum.yaml", "nothing is varied"},
      {"sweep examples/pendulum.yaml --vary LL=1,2 --vary L=1", "no such parameter to set"},
      {"sweep examples/pendulum.yaml --vary L=1:2", "FROM:TO:COUNT"},
      {"sweep examples/pendulum.yaml --vary L=1:2:0", "COUNT"},
      {"sweep examples/pendulum.yaml --vary L=1:2:1", "both ends"},
      {"sweep examples/pendulum.yaml --vary L=-1:2:5:log", "one sign"},
      {"sweep examples/pendulum.yaml --vary L=a,b", "NAME=VALUE"},
      {"sweep examples/pendulum.yaml --vary L", "NAME=VALUE"},
      {"sweep examples/pendulum.yaml --vary L=1 --random 'L~U(1,2)x3'", "varied twice"},
      {"sweep examples/pendulum.yaml --vary L=1 --set L=2", "--set gives"},
      {"sweep examples/pendulum.yaml --vary L=nobody.csv", "not read"},
      {"sweep examples/pendulum.yaml --random 'L~N(1,-1)x3'", "not negative"},
      {"sweep examples/pendulum.yaml --random 'L~U(2,1)x3'", "FROM is beyond TO"},
      {"sweep examples/pendulum.yaml --random 'L~U(1,2)'", "how many samples"},
      {"sweep examples/pendulum.yaml --random 'L~U(1,2)x3' --random 'm~U(1,2)x4'", "the same"},
      {"sweep examples/pendulum.yaml --random 'L~P(1,2)x3'", "NAME~N(MEAN"},
      {"sweep examples/pendulum.yaml --vary L=1:2:10000 --vary m=1:2:10000", "more than"},
      {"sweep examples/pendulum.yaml --vary L=1 --rows", "--rows goes with --out"},
      {"sweep examples/pendulum.yaml --vary L=1 --threads 1.5", "whole number"},
      {"sweep examples/pendulum.yaml --vary L=1 --columns nobody", "no output"},
      {"sweep examples/chain.yaml --vary n=5,6", "changes the topology"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_has(expect_status_of(sarrus(bad[i].line), 2)->err, bad[i].word);
  // all of them at once
  const Result* r = sarrus("sweep examples/pendulum.yaml --vary LL=1 --vary mm=2");
  expect_has(expect_status_of(r, 2)->err, "'LL'");
  expect_has(r->err, "'mm'");
}

// Over one parameter, or parallel coordinates: an axis named for each, a line for each instance
// that was done.
static void sweeps_are_drawn(void** state) {
  (void)state;
  if (system("gnuplot --version >/dev/null 2>&1") != 0) skip();
  static char text[1 << 20];
  char path[200];
  snprintf(path, sizeof path, "%s/s.svg", program_folder);
  expect_status_of(sarrus("sweep examples/pendulum.yaml --vary L=1:2:5 --end 0.1 --out @s.csv"), 0);
  expect_status_of(sarrus("plot @s.csv -c hinge.q -o @s.svg"), 0);
  read_all(path, text, sizeof text);
  expect_has(text, ">L<");
  expect_has(text, "hinge.q");
  expect_status_of(
      sarrus("sweep examples/pendulum.yaml --vary L=-1:2:4 --vary m=1,2 --end 0.1 --out @s.csv"),
      4);
  expect_status_of(sarrus("plot @s.csv -c hinge.q --parallel -o @s.svg"), 0);
  read_all(path, text, sizeof text);
  expect_has(text, ">-1<");
  expect_has(text, ">to 2<");
  expect_has(text, "hinge.q");
  // a map: values of both parameters on the axes, the output above
  expect_status_of(sarrus("plot @s.csv -c hinge.q -o @s.svg"), 0);
  read_all(path, text, sizeof text);
  expect_has(text, ">L<");
  expect_has(text, ">m<");
  expect_has(text, ">hinge.q<");
  expect_lacks(text, ">to 2<");
  expect_has(expect_status_of(sarrus("plot @s.csv -c nobody -o @s.svg"), 2)->err, "no output");
  // the first instance failed, and outputs are not named
  expect_status_of(
      sarrus("sweep examples/pendulum.yaml --vary L=0:2:3 --vary m=1,2 --end 0.1 --out @s.csv"), 4);
  expect_status_of(sarrus("plot @s.csv -o @s.svg"), 0);
}

// Ctrl-C keeps what was finished: whole instances, in order.
static void interrupted_sweeps_keep_what_they_have(void** state) {
  (void)state;
  char line[600];
  snprintf(line, sizeof line,
           "cd %s && %s/sarrus sweep %s/examples/double_pendulum.yaml --vary L1=1:2:100000 --end 1 "
           "--out i.csv >o 2>e & p=$!; sleep 1.5; kill -INT $p; wait $p; test $? -eq 130",
           program_folder, SARRUS_BINARY_DIR, SARRUS_SOURCE_DIR);
  assert_int_equal(system(line), 0);
  SarTable t = read_table("i.csv");
  assert_true(t.rows > 0 && t.rows < 100000);
  for (size_t i = 0; i < t.rows; i++) assert_int_equal((int)at(&t, i, "instance"), (int)i);
  sar_table_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_are_single_runs),
      cmocka_unit_test(generated_agrees),
      cmocka_unit_test(what_has_no_code_is_told),
      cmocka_unit_test(threads_and_seeds),
      cmocka_unit_test(failures_lose_nothing),
      cmocka_unit_test(lists_come_from_tables),
      cmocka_unit_test(bad_requests_are_told),
      cmocka_unit_test(sweeps_are_drawn),
      cmocka_unit_test(interrupted_sweeps_keep_what_they_have),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
