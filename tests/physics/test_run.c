// A whole run: frames at the right times, figures that add up, results kept up to a failure.
#include "support/test.h"

#include "model/sim.h"
#include "sim/run.h"

enum { MAX_FRAMES = 2000 };

typedef struct Frames {
  int count, stop_at;
  double time[MAX_FRAMES], q[MAX_FRAMES];
  double progress;
  int progress_calls;
} Frames;

static SarStatus keep(void* context, const double* values) {
  Frames* f = context;
  assert_true(f->count < MAX_FRAMES);
  f->time[f->count] = values[0];
  f->q[f->count] = values[1];
  f->count++;
  return f->count == f->stop_at ? SAR_NO_FILE : SAR_OK;
}

static void progress(void* context, double fraction) {
  Frames* f = context;
  assert_true(fraction >= f->progress && fraction <= 1);
  f->progress = fraction;
  f->progress_calls++;
}

static SarModel* pendulum(const char* extra) {
  char text[1024];
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  snprintf(text, sizeof text,
           "sarrus: 1\nbodies: {a: {rod: [[0,0,0],[0,0,-1]], mass: 1}}\n"
           "joints: {h: {revolute: [ground, a], axis: y, position: 1, damping: 0.1%s}}\n"
           "simulation: {end: 2, output_step: 0.03}\n",
           extra);
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "pendulum", NULL, &m, &err), &err);
  return m;
}

static void frames_come_at_output_times(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  for (int k = 0; sar_integrator(k); k++) {
    if (!sar_integrator(k)->step) continue;
    static Frames f;
    SarError err;
    SarRunReport report;
    SarRunHooks hooks = {.context = &f, .frame = keep, .progress = progress};
    SarRunOptions o = {.sim = sar_sim_options()};
    memset(&f, 0, sizeof f);
    sar_error_init(&err);
    o.sim.integrator = sar_integrator(k)->name;
    EXPECT_OK_OR(sar_run(m, &o, &hooks, &report, &err), &err);
    assert_true(report.reason[0] != 0);  // `auto` says why
    assert_int_equal(f.count, 68);       // 0, 0.03, ..., 1.98, 2
    for (int i = 0; i < 67; i++) assert_true(f.time[i] == i * 0.03);
    assert_true(f.time[67] == 2 && f.progress == 1);
    assert_true(f.progress_calls <= 202);
    assert_true(report.end_time == 2 && report.end_wanted == 2);
    assert_int_equal(report.status, SAR_OK);
    assert_string_equal(report.trouble, "");
    assert_true(report.stats.steps >= 67 && report.stats.calls > 0 && report.cpu_s >= 0);
    assert_true(report.work < 0);  // the damper takes
    EXPECT_NEAR(report.energy_end - report.energy_start, report.work,
                report.energy_error_max + 1e-12);
    assert_true(report.energy_error_max > 0);
  }
  sar_model_free(m);
}

// Fixed steps without an output step of their own: a whole number of steps between frames.
static void default_frames_do_not_cut_fixed_steps(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\nbodies: {a: {rod: [[0,0,0],[0,0,-1]], mass: 1}}\n"
      "joints: {h: {revolute: [ground, a], axis: y, position: 1}}\n";
  SarError err;
  SarModel* m;
  SarRunReport report;
  static Frames f;
  SarRunHooks hooks = {.context = &f, .frame = keep};
  SarRunOptions o = {.sim = sar_sim_options(), .end = 3};
  sar_error_init(&err);
  memset(&f, 0, sizeof f);
  o.sim.integrator = "rk4";
  o.sim.step = 7e-4;
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "pendulum", NULL, &m, &err), &err);
  EXPECT_OK_OR(sar_run(m, &o, &hooks, &report, &err), &err);
  assert_int_equal(report.stats.steps, (long)ceil(3 / 7e-4));
  assert_true(f.time[f.count - 1] == 3);
  sar_model_free(m);
}

static void keeps_what_came_before_a_failure(void** state) {
  (void)state;
  SarModel* m = pendulum(", force: \"t < 1 ? 0 : sqrt(0.5 - t)\"");
  SarError err;
  SarRunReport report;
  static Frames f;
  SarRunHooks hooks = {.context = &f, .frame = keep};
  SarRunOptions o = {.sim = sar_sim_options()};
  sar_error_init(&err);
  memset(&f, 0, sizeof f);
  SarStatus st = sar_run(m, &o, &hooks, &report, &err);
  assert_int_equal(st, SAR_NOT_FINITE);
  assert_int_equal(report.status, st);
  assert_true(report.end_time == 1);  // the kink was landed on, and nothing leads on from there
  assert_non_null(strstr(report.trouble, "at t = 1"));
  assert_non_null(strstr(report.trouble, "'h'"));
  assert_true(f.time[f.count - 1] == 1);
  sar_model_free(m);
}

static void a_frame_may_end_the_run(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  SarError err;
  SarRunReport report;
  static Frames f;
  SarRunHooks hooks = {.context = &f, .frame = keep};
  SarRunOptions o = {.sim = sar_sim_options()};
  sar_error_init(&err);
  memset(&f, 0, sizeof f);
  f.stop_at = 5;
  EXPECT_STATUS(sar_run(m, &o, &hooks, &report, &err), SAR_NO_FILE);
  assert_int_equal(f.count, 5);
  sar_model_free(m);
}

static void bad_options_begin_nothing(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  SarError err;
  SarRunReport report;
  SarRunOptions o = {.sim = sar_sim_options()};
  sar_error_init(&err);
  o.sim.integrator = "nothing";
  EXPECT_STATUS(sar_run(m, &o, NULL, &report, &err), SAR_BAD_ARGUMENT);
  assert_null(report.formulation);
  assert_true(err.errors > 0);
  sar_model_free(m);
}

// Both formulations, the same motion.
static void formulations_agree(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  double end[2];
  for (int k = 0; k < 2; k++) {
    static Frames f;
    SarError err;
    SarRunReport report;
    SarRunHooks hooks = {.context = &f, .frame = keep};
    SarRunOptions o = {.sim = sar_sim_options()};
    memset(&f, 0, sizeof f);
    sar_error_init(&err);
    o.sim.formulation = sar_formulation(k)->name;
    EXPECT_OK_OR(sar_run(m, &o, &hooks, &report, &err), &err);
    assert_string_equal(report.formulation, sar_formulation(k)->name);
    assert_string_equal(report.reason, "");
    end[k] = f.q[f.count - 1];
  }
  EXPECT_NEAR(end[0], end[1], 1e-12);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_come_at_output_times),
      cmocka_unit_test(default_frames_do_not_cut_fixed_steps),
      cmocka_unit_test(keeps_what_came_before_a_failure),
      cmocka_unit_test(a_frame_may_end_the_run),
      cmocka_unit_test(bad_options_begin_nothing),
      cmocka_unit_test(formulations_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
