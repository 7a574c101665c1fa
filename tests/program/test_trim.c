// sarrus trim and sar_trim: averages over a period of periodic motions, against closed forms; the
// rotor of the Puma in flight 123; what is said where there is no trim.
#include "support/program.h"

#include "support/model_file.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// Masses on springs with a force a + b cos(w t) each: x has the mean a/k and the amplitude b/|k - m
// w^2 + i c w|. The force of one is a parameter, that of the other an input.
static const char masses[] =
    "sarrus: 1\ngravity: [0, 0, 0]\n"
    "parameters: {a: 1, b: %.17g, k: %.17g, c: %.17g, w: %.17g, idle: 3}\ninputs: {u: 1}\n"
    "bodies: {m1: {mass: 2}, m2: {mass: 3}}\n"
    "joints:\n"
    "  x1: {prismatic: [ground, m1], axis: x, stiffness: k, damping: c, force: a + b*cos(w*t)}\n"
    "  x2: {prismatic: [ground, m2], axis: x, stiffness: 2*k, damping: c, force: u + b*sin(w*t)}\n"
    "simulation: {integrator: rk4, step: 5e-3}\n";

typedef struct Masses {
  double b, k, c, w;
} Masses;

static Masses random_masses(Rng* r) {
  return (Masses){rng_uniform(r, 1, 3), rng_uniform(r, 30, 90), rng_uniform(r, 4, 9),
                  rng_uniform(r, 5, 9)};
}

static const char* write_masses(const Masses* x) {
  static char path[200];
  char text[1500];
  snprintf(text, sizeof text, masses, x->b, x->k, x->c, x->w);
  write_file("masses.yaml", text);
  snprintf(path, sizeof path, "%s/masses.yaml", program_folder);
  return path;
}

static double amplitude(const Masses* x, double m, double k) {
  return x->b / hypot(k - m * x->w * x->w, x->c * x->w);
}

// x1 + x2 and the mean of x1^2, which is not linear in a.
static void averages_of_driven_masses(void** state) {
  (void)state;
  int most = 0;
  for (int i = 0; i < test_effort(8); i++) {
    const uint64_t seed = test_seed(90) + (uint64_t)i;
    Rng r = rng_seed(seed);
    const Masses x = random_masses(&r);
    const double mean1 = rng_uniform(&r, 0.05, 0.2), mean2 = rng_uniform(&r, -0.2, 0.2);
    const double A = amplitude(&x, 2, x.k), square = mean1 * mean1 + 0.5 * A * A;
    char want[2][40];
    snprintf(want[0], sizeof want[0], "%.17g", mean1 + mean2);
    snprintf(want[1], sizeof want[1], "%.17g", square);
    const SarTrimUnknown unknown[] = {{.name = "a"}, {.name = "u"}};
    const SarTrimCondition condition[] = {{"x1.q + x2.q", want[0]}, {"x1.q^2", want[1]}};
    SarTrimOptions o = sar_trim_options();
    o.unknown = unknown, o.condition = condition, o.count = 2;
    o.period = "2*pi/w";
    o.tolerance = 1e-7;
    SarError err;
    SarTrim* t;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_trim(write_masses(&x), &o, &t, &err), &err);
    const SarTrimReport* f = sar_trim_report(t);
    // what the trial's tolerance leaves: 1e-7 of the sides, and transients below a fifth of that
    if (fabs(fabs(f->value[0]) - x.k * mean1) > 1e-4 * x.k * mean1)
      fail_msg("seed %llu: a = %.9g, not %.9g", (unsigned long long)seed, f->value[0], x.k * mean1);
    const double other = (mean1 + mean2 - f->value[0] / x.k) * 2 * x.k;
    EXPECT_NEAR(f->value[1], other, 1e-4 * x.k);
    EXPECT_NEAR(f->period, 2 * PI / x.w, 1e-12);
    EXPECT_NEAR(sar_get_inputs(sar_trim_data(t))[0], f->value[1], 0);
    assert_true(f->trials >= 4);
    most = f->iterations > most ? f->iterations : most;
    sar_trim_free(t);
  }
  print_message("at most %d iterations\n", most);
  EXPECT_AT_MOST(most, 20);
}

// Flight 123 of the Puma. The averages hold in a run that knows nothing of the search, by another
// method at another step.
static void flight_123(void** state) {
  (void)state;
  skip_if_spared();
  const Result* r = expect_status_of(
      sarrus("trim examples/puma_rotor.yaml --solve collective,fore_aft,lateral"
             " --to 'rotor.ct/0.091286 = 0.0695' --to 'rotor.flap_1c = 0.42 deg'"
             " --to 'rotor.flap_1s = -0.14 deg' --period '2*pi/Omega' --start 1 --step 2.5e-3"),
      0);
  expect_has(r->out, "trimmed after ");
  const char* set = strstr(r->out, "--set collective=");
  assert_non_null(set);
  char command[600];
  snprintf(command, sizeof command,
           "run examples/puma_rotor.yaml %.*s -f hybrid -i trapezoidal --step 1e-3 -o @f123.csv",
           (int)strcspn(set, "\n"), set);
  expect_status_of(sarrus(command), 0);
  SarTable t = read_table("f123.csv");
  const double* last =
      &sar_table_values(&t)[(sar_table_rows(&t) - 1) * (size_t)sar_table_columns(&t)];
  const double thrust = last[sar_table_find(&t, "rotor.thrust_0")];
  const double tip = 7.49 * 28.00206251899702, area = PI * 7.49 * 7.49;
  EXPECT_NEAR(thrust / (1.05 * area * tip * tip) / 0.091286, 0.0695, 2e-5);
  EXPECT_NEAR(last[sar_table_find(&t, "rotor.flap_1c")] * 180 / PI, 0.42, 5e-3);
  EXPECT_NEAR(last[sar_table_find(&t, "rotor.flap_1s")] * 180 / PI, -0.14, 5e-3);
  sar_table_clear(&t);
}

// The state that is kept goes on in the periodic motion.
static void the_state_is_kept(void** state) {
  (void)state;
  const Masses x = {2, 50, 6, 7};
  write_masses(&x);
  const Result* r = expect_status_of(
      sarrus("trim @masses.yaml --solve a --to 'x1.q = 0.1' -p 2*pi/w --save @m.state"), 0);
  char command[300];
  const char* set = strstr(r->out, "--set a=");
  assert_non_null(set);
  EXPECT_NEAR(strtod(set + 8, NULL), 5, 1e-3);
  snprintf(command, sizeof command, "run @masses.yaml %.*s --resume @m.state --end 60",
           (int)strcspn(set, "\n"), set);
  expect_status_of(sarrus(command), 0);
  r = expect_status_of(sarrus("trim @masses.yaml --solve a --to 'x1.q = 0.1' -p 2*pi/w --json"), 0);
  expect_has(r->out, "\"trimmed\": true");
}

static void what_is_wrong_is_said(void** state) {
  (void)state;
  const Masses x = {2, 50, 6, 7};
  write_masses(&x);
  static const struct {
    const char *arguments, *text;
    int status;
  } cases[] = {
      {"--to 'x1.q = 1' -p 1", "--solve", 2},
      {"--solve a --to 'x1.q = 1'", "--period", 2},
      {"--solve a,u --to 'x1.q = 1' -p 1", "--solve names 2, but there are 1 conditions", 2},
      {"--solve a --to 'x1.q' -p 1", "--to: expected at most 16 equations", 2},
      {"--solve a=3 --to 'x1.q = 1' -p 1", "--solve: expected limits", 2},
      {"--solve a,a --to 'x1.q = 1' --to 'x2.q = 1' -p 1", "'a' is solved for twice", 2},
      {"--solve nothing --to 'x1.q = 1' -p 1", "nothing", 3},
      {"--solve a --to 'x1.qq = 1' -p 1", "x1.qq", 3},
      {"--solve a --to 'x1.q = 0.1' -p 0", "the period is 0 s", 2},
      {"--solve idle --to 'x1.q = 0.1' -p 2*pi/w", "nothing that is solved for changes", 4},
      {"--solve a,idle --to 'x1.q = 0.1' --to 'x1.q = 0.2' -p 2*pi/w",
       "'idle' changes none of the conditions", 4},
      {"--solve a=0:2 --to 'x1.q = 0.1' -p 2*pi/w", "'a' stands at its limit 2", 4},
      {"--solve a --to 'x1.q^2 = -1' -p 2*pi/w", "is off by", 4},
      {"--solve a --to 'x1.q = 0.001*t' -p 2*pi/w --periods 20", "does not repeat", 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char command[300];
    snprintf(command, sizeof command, "trim @masses.yaml %s", cases[i].arguments);
    const Result* r = expect_status_of(sarrus(command), cases[i].status);
    expect_has(r->err, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(averages_of_driven_masses),
      cmocka_unit_test(flight_123),
      cmocka_unit_test(the_state_is_kept),
      cmocka_unit_test(what_is_wrong_is_said),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
