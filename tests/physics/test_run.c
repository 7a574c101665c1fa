// A whole run: frames at the right times, figures that add up, results kept up to a failure.
#include "support/model_file.h"

#include "model/sim.h"

enum { MAX_FRAMES = 2000 };

typedef struct Frames {
  int count, stop_at;
  double time[MAX_FRAMES], q[MAX_FRAMES];
  double progress;
  int progress_calls;
  // what came of the run
  SarStatus status;
  SarRun* run;
  SarRunReport report;
  SarError err;
} Frames;

static SarStatus keep(void* context, const double* values, int count) {
  Frames* f = context;
  assert_true(count >= 2);
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
  snprintf(text, sizeof text,
           "sarrus: 1\nbodies: {a: {rod: [[0,0,0],[0,0,-1]], mass: 1}}\n"
           "joints: {h: {revolute: [ground, a], axis: y, position: 1, damping: 0.1%s}}\n"
           "simulation: {end: 2, output_step: 0.03}\n",
           extra);
  return model_parse(text, NULL);
}

// Runs and keeps the frames; the one numbered `stop_at` ends the run, 0: none does.
static const Frames* run(const SarModel* m, const SarSimOptions* sim, double end, int stop_at) {
  static Frames f;
  SarRunOptions o = sar_run_options();
  o.sim = sim;
  o.end = end;
  o.context = &f;
  o.on_row = keep;
  o.on_progress = progress;
  sar_run_free(f.run);
  memset(&f, 0, sizeof f);
  sar_error_init(&f.err);
  f.stop_at = stop_at;
  f.status = sar_run(m, &o, &f.run, &f.err);
  if (f.run) f.report = *sar_run_report(f.run);
  return &f;
}

static void frames_come_at_output_times(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  for (int k = 0; sar_integrator(k); k++) {
    if (!sar_integrator(k)->step) continue;
    SarSimOptions o = sar_sim_options();
    o.integrator = sar_integrator(k)->name;
    const Frames* f = run(m, &o, 0, 0);
    const SarRunReport report = f->report;
    EXPECT_OK_OR(f->status, &f->err);
    assert_true(report.reason[0] != 0);  // `auto` says why
    assert_int_equal(f->count, 68);      // 0, 0.03, ..., 1.98, 2
    for (int i = 0; i < 67; i++) assert_true(f->time[i] == i * 0.03);
    assert_true(f->time[67] == 2 && f->progress == 1);
    assert_true(f->progress_calls <= 202);
    assert_true(report.end_time == 2 && report.end_wanted == 2);
    assert_int_equal(report.status, SAR_OK);
    assert_string_equal(report.trouble, "");
    assert_true(report.stats->steps >= 67 && report.stats->calls > 0 && report.cpu_s >= 0);
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
  SarModel* m = model_parse(text, NULL);
  SarSimOptions o = sar_sim_options();
  o.integrator = "rk4";
  o.step = 7e-4;
  const Frames* f = run(m, &o, 3, 0);
  EXPECT_OK_OR(f->status, &f->err);
  assert_int_equal(f->report.stats->steps, (long)ceil(3 / 7e-4));
  assert_true(f->time[f->count - 1] == 3);
  sar_model_free(m);
}

static void keeps_what_came_before_a_failure(void** state) {
  (void)state;
  SarModel* m = pendulum(", force: \"t < 1 ? 0 : sqrt(0.5 - t)\"");
  const SarSimOptions o = sar_sim_options();
  const Frames* f = run(m, &o, 0, 0);
  assert_int_equal(f->status, SAR_NOT_FINITE);
  assert_int_equal(f->report.status, f->status);
  assert_true(f->report.end_time == 1);  // the kink was landed on, and nothing leads on from there
  assert_non_null(strstr(f->report.trouble, "at t = 1"));
  assert_non_null(strstr(f->report.trouble, "'h'"));
  assert_true(f->time[f->count - 1] == 1);
  sar_model_free(m);
}

static void a_frame_may_end_the_run(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  const SarSimOptions o = sar_sim_options();
  const Frames* f = run(m, &o, 0, 5);
  EXPECT_STATUS(f->status, SAR_NO_FILE);
  assert_int_equal(f->count, 5);
  sar_model_free(m);
}

static void bad_options_begin_nothing(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  SarSimOptions o = sar_sim_options();
  o.integrator = "nothing";
  const Frames* f = run(m, &o, 0, 0);
  EXPECT_STATUS(f->status, SAR_BAD_ARGUMENT);
  assert_null(f->run);
  assert_true(f->err.errors > 0);
  sar_model_free(m);
}

// Both formulations, the same motion.
static void formulations_agree(void** state) {
  (void)state;
  SarModel* m = pendulum("");
  double end[2];
  for (int k = 0; k < 2; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = sar_formulation(k)->name;
    const Frames* f = run(m, &o, 0, 0);
    EXPECT_OK_OR(f->status, &f->err);
    assert_string_equal(f->report.formulation, sar_formulation(k)->name);
    assert_string_equal(f->report.reason, "");
    end[k] = f->q[f->count - 1];
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
