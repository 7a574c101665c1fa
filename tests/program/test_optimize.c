// sarrus optimize: the optimum of the linear quarter car in closed form, by every method; bounds,
// conditions, resuming, and requests that cannot be.
//
// Quarter car, masses m (body) and w (wheel), M = m + w, tyre t, spring k, damper c, road of
// white-noise speed or a step (by Parseval's theorem and the integral I4 of James, Nichols and
// Phillips 1947), per unit of the step squared:
//   integral of (body acceleration)^2  = (t c + k^2 M / c) / (2 m^2)     least at c = k sqrt(M / t)
//   integral of (tyre deflection)^2    = ((m^2 w t^2 - 2 M m w t k + M^3 k^2) / c + M^2 t c) / (2
//                                      t^2 m^2)
//                                        least at k = m w t / M^2, c = sqrt(m^3 w t / M^3): sqrt(M
//                                        w / (m t))
#include "support/program.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#define MODEL "tests/models/quarter_car_linear.yaml"
#define QUICK "--end 3 --output-step 0.002 --quiet --json"

typedef struct Car {
  double m, w, t;
} Car;

static Car random_car(Rng* r) {
  const double m = rng_uniform(r, 250, 600);
  return (Car){m, rng_uniform(r, 0.08, 0.2) * m, rng_uniform(r, 300, 700) * m};
}

static double best_k(Car a) { return a.m * a.w * a.t / ((a.m + a.w) * (a.m + a.w)); }
static double best_c(Car a) {
  const double M = a.m + a.w;
  return sqrt(a.m * a.m * a.m * a.w * a.t / (M * M * M));
}

static void print_car(Car a, char* text, size_t size) {
  snprintf(text, size, "--set body_mass=%.17g --set wheel_mass=%.17g --set tyre=%.17g --set step=1",
           a.m, a.w, a.t);
}

static double parameter(const Result* r, const char* name) {
  return json_value(strstr(r->out, "\"parameters\""), name, 0);
}

// Bounds: the objective is flat at its optimum, so a method that stops at 1e-7 of the range leaves
// the square root of what the runs are exact to; spacing of rows 2 ms, tolerances of the runs 1e-8.
static void the_quarter_car_has_its_closed_form(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(5));
  for (int i = 0; i < test_effort(4); i++) {
    const Car a = random_car(&r);
    const double M = a.m + a.w, k = best_k(a), c = best_c(a);
    char car[300], line[900];
    print_car(a, car, sizeof car);
    snprintf(line, sizeof line,
             "optimize " MODEL
             " %s --minimize 'integral(tyre_load^2) / 1e6' --over k=%.6g:%.6g "
             "--over c=%.6g:%.6g:log " QUICK,
             car, 0.3 * k, 4 * k, 0.2 * c, 6 * c);
    const Result* out = expect_status_of(sarrus(line), 0);
    EXPECT_NEAR(json_value(out->out, "value", 0), a.t * a.t * sqrt(M * a.w / (a.m * a.t)) / 1e6,
                2e-5 * a.t * a.t * sqrt(M * a.w / (a.m * a.t)) / 1e6);
    EXPECT_NEAR(parameter(out, "k"), k, 2e-3 * k);
    EXPECT_NEAR(parameter(out, "c"), c, 2e-3 * c);
    assert_true(json_value(out->out, "steepness", 0) < 1e-3);
    // comfort: one parameter, another optimum
    snprintf(line, sizeof line,
             "optimize " MODEL
             " %s --set k=%.17g --minimize 'rms(ride)' --over c=%.6g:%.6g --end 9 "
             "--output-step 0.002 --quiet --json",
             car, k, 0.1 * c, 6 * c);
    out = expect_status_of(sarrus(line), 0);
    const double comfort = k * sqrt(M / a.t), least = k * sqrt(M * a.t) / (a.m * a.m);
    EXPECT_NEAR(parameter(out, "c"), comfort, 5e-3 * comfort);
    EXPECT_NEAR(json_value(out->out, "value", 0), sqrt(least / 9), 1e-4 * sqrt(least / 9));
  }
}

static void every_method_finds_it(void** state) {
  (void)state;
  static const struct {
    const char *method, *more;
    double bound;  // of the least value, as a share
  } all[] = {{"slsqp", "", 1e-5},      {"mma", "", 1e-5},       {"lbfgs", "", 1e-5},
             {"cobyla", "", 1e-5},     {"bobyqa", "", 1e-5},    {"sbplx", "", 1e-5},
             {"neldermead", "", 1e-5}, {"direct", "400", 2e-3}, {"crs", "600", 2e-3},
             {"isres", "800", 2e-2}};
  const Car a = {400, 40, 190000};
  const double least = a.t * a.t * sqrt(440 * a.w / (a.m * a.t)) * 1e-4 / 1e4;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char line[600];
    if (!test_takes(i, 5)) continue;
    snprintf(line, sizeof line,
             "optimize " MODEL
             " --minimize 'integral(tyre_load^2) / 1e4' --over k=5e3:1e5 --over c=300:9000 "
             "--method %s --evaluations %s --tolerance 1e-5 --end 2 --output-step 0.004 --quiet "
             "--json",
             all[i].method, all[i].more[0] ? all[i].more : "1000");
    // a global method ends where its runs do, unless it is sure before
    const Result* r = sarrus(line);
    if (!all[i].more[0] || r->status != 4) expect_status_of(r, 0);
    // two hundredths of a per mille are of rows every 4 ms
    EXPECT_NEAR(json_value(r->out, "value", 0), least, (2e-4 + all[i].bound) * least);
  }
}

static void bounds_and_conditions_hold(void** state) {
  (void)state;
  // softer is smoother: k ends at its bound, and it is said
  const Result* r = expect_status_of(
      sarrus("optimize " MODEL " --minimize 'rms(ride)' --over k=1e4:5e4 --over c=100:9000 --end 3 "
             "--output-step 0.002 --quiet"),
      0);
  expect_has(r->out, "at its bound");
  r = expect_status_of(sarrus("optimize " MODEL " --minimize 'rms(ride)' --over c=100:9000 "
                              "--subject-to 'c / 1000 >= 1.5' " QUICK),
                       0);
  EXPECT_NEAR(parameter(r, "c"), 1500, 0.05);
  // by both families of methods: least travel of the strut is with the stiffest, so the condition
  // holds with equality
  double value[2];
  for (int i = 0; i < 2; i++) {
    char line[400];
    snprintf(line, sizeof line,
             "optimize " MODEL
             " --minimize 'rms(ride)' --over c=100:9000 --method %s --subject-to "
             "'100 * rms(bounce.q - hop.q) <= 0.15' " QUICK,
             i ? "cobyla" : "slsqp");
    r = expect_status_of(sarrus(line), 0);
    value[i] = parameter(r, "c");
    assert_true(fabs(json_value(strstr(r->out, "\"constraints\": ["), "x", 0)) != 0);
  }
  assert_true(value[0] > 1100);
  EXPECT_NEAR(value[0], value[1], 1e-3 * value[0]);
  // what cannot be met is no optimum
  r = sarrus("optimize " MODEL
             " --minimize 'rms(ride)' --over c=100:9000 --subject-to 'rms(tyre_load) <= 0' "
             "--evaluations 60 --end 1 --quiet");
  expect_has(expect_status_of(r, 4)->out, "nothing found that meets");
}

static void maximum_is_the_other_minimum(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("optimize " MODEL " --maximize '3 - rms(ride)' --over c=100:9000 " QUICK), 0);
  const double most = json_value(r->out, "value", 0), c = parameter(r, "c");
  r = expect_status_of(sarrus("optimize " MODEL " --minimize 'rms(ride)' --over c=100:9000 " QUICK),
                       0);
  EXPECT_NEAR(3 - most, json_value(r->out, "value", 0), 1e-9);
  EXPECT_NEAR(c, parameter(r, "c"), 1e-3 * c);
}

// Killed again and again: the same optimum, to the last digit, and no run twice.
static void killed_searches_go_on(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(6));
  static char expected[1 << 14], text[1 << 14], command[1500], path[200];
  const char* line =
      "optimize " MODEL
      " --minimize 'integral(tyre_load^2)' --over k=5e3:1e5 --over c=200:10000 --method sbplx "
      "--tolerance 1e-4 --end 3 --output-step 0.002 --quiet --journal @o.journal";
  snprintf(command, sizeof command, "%s", line);
  *strstr(command, " --journal") = 0;
  const Result* out = expect_status_of(sarrus(command), 0);
  const char* from = strstr(out->out, "  least");
  assert_non_null(from);
  snprintf(expected, sizeof expected, "%s", from);
  int runs, all;
  assert_int_equal(sscanf(strstr(out->out, "runs"), "runs %d", &runs), 1);
  snprintf(command, sizeof command,
           "cd %s && exec %s/sarrus %.*s %s/o.journal >%s/o.out 2>%s/o.err", SARRUS_SOURCE_DIR,
           SARRUS_BINARY_DIR, (int)(strstr(line, "@o.") - line), line, program_folder,
           program_folder, program_folder);
  int kills = 0, status = 0;
  for (double span = 0.2; kills < 50; span *= 1.2) {
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
      execl("/bin/sh", "sh", "-c", command, (char*)NULL);
      _exit(127);
    }
    const double t = rng_uniform(&r, 0.03, span);
    const struct timespec wait = {.tv_sec = (time_t)t, .tv_nsec = (long)(1e9 * fmod(t, 1))};
    nanosleep(&wait, NULL);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status)) break;
    kills++;
  }
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  snprintf(path, sizeof path, "%s/o.out", program_folder);
  read_all(path, text, sizeof text);
  from = strstr(text, "  least");
  assert_non_null(from);
  assert_string_equal(from, expected);
  assert_int_equal(sscanf(strstr(text, "runs"), "runs %d", &all), 1);
  assert_int_equal(all, runs);
  if (kills > 0) expect_has(text, "from the journal");
}

static void failed_runs_are_worse(void** state) {
  (void)state;
  // a rod of no length is no model: the range goes through it
  const Result* r = sarrus(
      "optimize examples/pendulum.yaml --minimize '(final(hinge.q) - 0.2)^2' --over L=-0.5:2 "
      "--start L=1 --method direct --evaluations 60 --end 0.5 --quiet");
  assert_true(r->status == 4);
  r = sarrus(
      "optimize examples/pendulum.yaml --minimize 'final(hinge.q)' --over L=-1:1 --start L=0 "
      "--quiet");
  expect_has(expect_status_of(r, 3)->err, "rod has length zero");
}

static void bad_requests_are_told(void** state) {
  (void)state;
  static const struct {
    const char *line, *word;
  } bad[] = {
      {"--over c=1:2", "--minimize and --maximize"},
      {"--minimize 'rms(ride)'", "over what"},
      {"--minimize 'rms(ride)' --over c=2:1", "lower bound comes first"},
      {"--minimize 'rms(ride)' --over c=1", "NAME=LOW:HIGH"},
      {"--minimize 'rms(ride)' --over c=-1:1:log", "above 0"},
      {"--minimize 'rms(ride)' --over cc=1:2", "'cc'"},
      {"--minimize 'rms(rid)' --over c=1:2", "did you mean 'ride'"},
      {"--minimize 'rms(ride' --over c=1:2", "--minimize"},
      {"--minimize 'ride' --over c=1:2", "outside of max"},
      {"--minimize 'rms(ride) + k' --over c=1:2", "parameters of --over alone"},
      {"--minimize 'rms(ride)' --over c=1:2 --over c=1:2", "twice"},
      {"--minimize 'rms(ride)' --over c=1:2 --set c=1", "one value"},
      {"--minimize 'rms(ride)' --over c=1:2 --start k=1", "no such parameter in --over"},
      {"--minimize 'rms(ride)' --over c=1:2 --start c=3", "outside of the bounds"},
      {"--minimize 'rms(ride)' --over c=1:2 --method slsq", "did you mean 'slsqp'"},
      {"--minimize 'rms(ride)' --over c=1:2 --method bobyqa", "needs 2 parameters"},
      {"--minimize 'rms(ride)' --over c=1:2 --method lbfgs --subject-to 'c <= 1'",
       "takes no --subject-to"},
      {"--minimize 'rms(ride)' --over c=1:2 --subject-to 'c = 1'", "LEFT <= RIGHT"},
      {"--minimize 'rms(ride)' --over c=1:2 --evaluations 1.5", "whole number"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char line[400];
    snprintf(line, sizeof line, "optimize " MODEL " %s --quiet", bad[i].line);
    const Result* r = sarrus(line);
    if (r->status != 2 && r->status != 3) fail_msg("status %d: %s", r->status, line);
    expect_has(r->err, bad[i].word);
  }
}

int main(void) {
  snprintf(program_folder, sizeof program_folder, "/tmp");
  if (sarrus("optimize " MODEL " --minimize 1 --over c=1:2")->status == 2 &&
      strstr(sarrus("optimize " MODEL " --minimize 1 --over c=1:2")->err, "NLopt"))
    return 0;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_quarter_car_has_its_closed_form),
      cmocka_unit_test(every_method_finds_it),
      cmocka_unit_test(bounds_and_conditions_hold),
      cmocka_unit_test(maximum_is_the_other_minimum),
      cmocka_unit_test(killed_searches_go_on),
      cmocka_unit_test(failed_runs_are_worse),
      cmocka_unit_test(bad_requests_are_told),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
