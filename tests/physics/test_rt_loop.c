// The loop of real-time runs on the system's own clock: which calls of the system it makes, what it
// takes of memory, where it ends. How long anything takes is not judged here: machines are busy.
#include "support/alloc_count.h"
#include "support/model_file.h"

#include "realtime/couple.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* const models[] = {"pendulum.yaml",   "stack.yaml",        "gripper.yaml",
                                     "iltis.yaml",      "tiltrotor.yaml",    "double_fourbar.yaml",
                                     "puma_rotor.yaml", "sampled_servo.yaml"};
enum { MODELS = sizeof models / sizeof *models };

static SarRtOptions quiet_options(double rate, double end) {
  SarRtOptions o = sar_rt_options();
  o.rate = rate;
  o.end = end;
  o.policy = SAR_RT_CATCH_UP;
  o.behind = 1e9;
  o.scheduling = SAR_RT_AS_IS;
  return o;
}

// ---- system calls -------------------------------------------------------------------------------

#define ALLOW(call)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// From here on this thread may look at the clock, sleep by it, ask what it has used, and end the
// process. Anything else ends the process by SIGSYS.
static void forbid_system_calls(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(clock_gettime),
      ALLOW(clock_nanosleep),
      ALLOW(getrusage),
      ALLOW(exit_group),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  const struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(77);
}

static void filtered(void* context, bool begins) {
  (void)context;
  if (begins)
    forbid_system_calls();
  else
    _exit(0);  // whatever follows makes calls of its own
}

static SarStatus forbidden_exchange(void* context, const SarRtFrame* frame) {
  (void)context;
  if (frame->number == 20) (void)syscall(SYS_getppid);
  return SAR_OK;
}

// The exit status of a run under the filter; 1000 + signal where one ended it.
static int under_filter(const char* model, const SarRtOptions* o) {
  const pid_t child = fork();
  if (child == 0) {
    SarError err;
    SarModel* m = NULL;
    SarRealtime* rt = NULL;
    char path[512];
    sar_error_init(&err);
    if (sar_model_load(model_path(path, sizeof path, model), NULL, &m, &err) != SAR_OK) _exit(2);
    if (sar_rt_new(m, o, &rt, &err) != SAR_OK) _exit(3);
    _exit(sar_rt_run(rt, &err) == SAR_OK ? 4 : 5);
  }
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// Models with loops, tyres, rotors, contact and sampled control; with outputs and without; all
// policies.
static void only_clock_calls_in_the_loop(void** state) {
  (void)state;
  skip_if_sanitized();
  SarRtOptions o = quiet_options(1000, 1);
  o.on_loop = filtered;
  o.exchange = forbidden_exchange;
  const int control = under_filter("pendulum.yaml", &o);
  if (control == 77) skip();  // no filters on this system
  if (control != 1000 + SIGSYS) fail_msg("the filter let a call through: %d", control);
  for (int i = 0; i < MODELS; i++) {
    o = quiet_options(i == 6 ? 400 : 1000, 0.15);
    o.on_loop = filtered;
    o.policy = (SarRtPolicy[]){SAR_RT_SKIP, SAR_RT_SLIP, SAR_RT_DEGRADE, SAR_RT_CATCH_UP}[i % 4];
    const int status = under_filter(models[i], &o);
    if (status != 0)
      fail_msg("%s: %d (%d: a system call that is not allowed)", models[i], status, 1000 + SIGSYS);
  }
}

// ---- the same of coupled simulators -------------------------------------------------------------

static atomic_int loops_ended;

// The last of the two loops to end ends the process; the other sleeps by the clock until then.
static void filtered_pair(void* context, bool begins) {
  const struct timespec nap = {.tv_nsec = 1000000};
  sar_couple_on_loop(context, begins);
  if (begins) {
    forbid_system_calls();
    return;
  }
  if (atomic_fetch_add(&loops_ended, 1) == 1) _exit(0);
  for (;;) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
}

static void only_clock_calls_in_coupled_loops(void** state) {
  (void)state;
  skip_if_sanitized();
  const pid_t child = fork();
  if (child == 0) {
    SarError err;
    SarCouple* c = NULL;
    SarRtOptions rt = quiet_options(0, 0);
    SarCoupleOptions o = sar_couple_options();
    sar_error_init(&err);
    rt.rate = 1000;
    o.rt = &rt;
    o.end = 0.2;
    if (sar_couple_load(SARRUS_SOURCE_DIR "/examples/coupled/cart_and_swing.yaml", NULL, &c,
                        &err) != SAR_OK ||
        sar_couple_open(c, &o, &err) != SAR_OK)
      _exit(2);
    for (int k = 0; k < 2; k++) sar_couple_realtime(c, k)->o.on_loop = filtered_pair;
    if (sar_couple_start(c, &err) != SAR_OK) _exit(3);
    sar_couple_wait(c, -1);
    _exit(4);
  }
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("ended with %x", status);
}

// ---- memory -------------------------------------------------------------------------------------

static void count_allocations(void* context, bool begins) {
  long* made = context;
  if (begins)
    alloc_count_reset();
  else
    *made = alloc_count();
}

// Frames and states as they should be, nothing taken from the heap, no page fetched.
static void no_memory_is_taken_in_the_loop(void** state) {
  (void)state;
  skip_if_sanitized();
  for (int i = 0; i < MODELS; i++) {
    SarError err;
    SarRealtime* rt;
    SarRtReport r;
    long made = -1;
    SarModel* m = model_file(models[i], NULL);
    SarRtOptions o = quiet_options(i == 6 ? 400 : 1000, 0.15);
    sar_error_init(&err);
    o.on_loop = count_allocations;
    o.context = &made;
    EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
    EXPECT_OK(sar_rt_run(rt, &err));
    EXPECT_OK(sar_rt_report(rt, &r));
    assert_int_equal(made, 0);
    assert_int_equal(r.allocations, 0);
    if (r.page_faults != 0) fail_msg("%s: %ld page faults", models[i], r.page_faults);
    assert_true(r.time == 0.15);
    assert_int_equal(r.frames, i == 6 ? 60 : 150);
    sar_rt_free(rt);
    sar_model_free(m);
  }
}

// ---- the same motion ----------------------------------------------------------------------------

static void the_motion_is_that_of_a_run(void** state) {
  (void)state;
  for (int i = 0; i < MODELS; i++) {
    if (!test_takes((size_t)i, 4)) continue;
    SarError err;
    SarRealtime* rt;
    SarRun* run;
    SarModel* m = model_file(models[i], NULL);
    SarRtReport r;
    SarRtOptions o = quiet_options(1000, 0.2);
    sar_error_init(&err);
    EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
    EXPECT_OK(sar_rt_run(rt, &err));
    EXPECT_OK(sar_rt_report(rt, &r));
    SarSimOptions sim = sar_sim_options();
    SarRunOptions ro = sar_run_options();
    sim.step = r.ladder[0].step;
    sim.adaptive = SAR_STEPS_FIXED;
    ro.sim = &sim;
    ro.end = 0.2;
    ro.output_step = 1e-3;
    EXPECT_OK_OR(sar_run(m, &ro, &run, &err), &err);
    assert_int_equal(r.steps, sar_run_report(run)->stats->steps);
    if (sar_state_hash(sar_run_data(run)) != sar_state_hash(sar_rt_data(rt)))
      fail_msg("%s departs from a run with the same steps", models[i]);
    sar_run_free(run);
    sar_rt_free(rt);
    sar_model_free(m);
  }
}

// ---- slow on purpose ----------------------------------------------------------------------------

typedef struct Burner {
  long frames;
  double seconds;
} Burner;

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// An exchange that takes two periods of CPU time in every tenth frame.
static SarStatus burn(void* context, const SarRtFrame* frame) {
  Burner* b = context;
  const double from = cpu_now();
  b->frames++;
  while (frame->number % 10 == 5 && cpu_now() < from + b->seconds) continue;
  return SAR_OK;
}

// Whatever else was late on a busy machine: those ten frames are overruns, by the exchange.
static void a_slow_exchange_is_found_out(void** state) {
  (void)state;
  SarModel* m = model_file("pendulum.yaml", NULL);
  for (int policy = SAR_RT_SKIP; policy <= SAR_RT_SLIP; policy++) {
    SarError err;
    SarRealtime* rt;
    SarRtReport r;
    Burner b = {.seconds = 0.01};
    SarRtOptions o = quiet_options(200, 0.5);
    sar_error_init(&err);
    o.policy = (SarRtPolicy)policy;
    o.exchange = burn;
    o.context = &b;
    EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
    EXPECT_OK(sar_rt_run(rt, &err));
    EXPECT_OK(sar_rt_report(rt, &r));
    assert_int_equal(b.frames, 100);
    assert_true(r.time == 0.5);
    assert_true(r.overruns >= 10);
    // a page or a wake-up that was late too may share the blame, in a few
    assert_true(r.overruns_by[SAR_RT_IO] >= 5);
    assert_true(r.times[SAR_RT_EXCHANGE].worst >= 0.01);
    if (policy == SAR_RT_SKIP) assert_true(r.skipped >= 10 && r.slipped == 0);
    if (policy == SAR_RT_SLIP) assert_true(r.skipped == 0 && r.slipped >= 10 * 0.004);
    assert_true(r.elapsed >= 0.5 - 0.005);
    sar_rt_free(rt);
  }
  sar_model_free(m);
}

// A function of the model that burns CPU time in the step: the engine's own.
static int slow_law(void* context, double t, const double* in, double* states, double* out) {
  const double from = cpu_now();
  (void)context, (void)t, (void)states;
  while (cpu_now() < from + 0.015) continue;
  out[0] = in[0];
  return 0;
}

static void a_slow_step_is_found_out(void** state) {
  (void)state;
  const char* text =
      "bodies: {arm: {rod: [[0, 0, 0], [0.8, 0, 0]], mass: 4}}\n"
      "joints: {shoulder: {revolute: [ground, arm], axis: [0, -1, 0], force: torque}}\n"
      "signals: {torque: {call: [shoulder.q], function: slow, period: 0.1}}\n"
      "simulation: {integrator: semi-implicit}\n";
  const SarUserFunction slow = {"slow", 1, 0, 1, slow_law, NULL};
  const SarLoadOptions load = {.functions = &slow, .function_count = 1};
  SarModel* m = model_text_with(text, &load);
  SarError err;
  SarRealtime* rt;
  SarRtReport r;
  SarRtOptions o = quiet_options(100, 0.5);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
  EXPECT_OK(sar_rt_run(rt, &err));
  EXPECT_OK(sar_rt_report(rt, &r));
  assert_true(r.overruns_by[SAR_RT_COMPUTATION] >= 4);
  assert_true(r.times[SAR_RT_STEP_CPU].worst >= 0.015);
  sar_rt_free(rt);
  sar_model_free(m);
}

// ---- from other threads -------------------------------------------------------------------------

static void reports_while_it_runs_and_stops(void** state) {
  (void)state;
  SarError err;
  SarRealtime* rt;
  SarRtReport r = {0}, before;
  SarModel* m = model_file("pendulum.yaml", NULL);
  SarRtOptions o = quiet_options(1000, (double)INFINITY);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
  EXPECT_OK(sar_rt_start(rt, &err));
  assert_int_equal(sar_rt_start(rt, &err), SAR_BAD_ARGUMENT);  // once
  for (int i = 0; i < 20; i++) {
    before = r;
    EXPECT_OK(sar_rt_report(rt, &r));
    assert_true(r.running && r.frames >= before.frames && r.status == SAR_OK);
    assert_int_equal(r.times[SAR_RT_STEP_CPU].count, r.frames);
    assert_false(sar_rt_wait(rt, 0.002));
  }
  assert_null(sar_rt_data(rt));
  sar_rt_stop(rt);
  assert_true(sar_rt_wait(rt, -1));
  EXPECT_OK(sar_rt_report(rt, &r));
  assert_false(r.running);
  assert_true(r.frames > 0);
  EXPECT_NEAR(r.time, (double)r.frames * 1e-3, 1e-9);
  double from[2000];
  long count[2000], sum = 0;
  const int n = sar_rt_histogram(rt, SAR_RT_STEP_CPU, from, count, 2000);
  for (int i = 0; i < n; i++) sum += count[i];
  assert_int_equal(sum, r.frames);
  sar_rt_free(rt);
  sar_model_free(m);
}

// ---- rehearsal ----------------------------------------------------------------------------------

static void a_rehearsal_leaves_no_trace(void** state) {
  (void)state;
  SarError err;
  SarRealtime* rt;
  SarRtRehearsal p;
  SarModel* m = model_file("stack.yaml", NULL);
  SarRtOptions o = quiet_options(200, 0.3);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
  const unsigned long long before = sar_state_hash(sar_rt_data(rt));
  EXPECT_OK(sar_rt_rehearse(rt, 3, 2, &p, &err));
  assert_true(sar_state_hash(sar_rt_data(rt)) == before);
  assert_int_equal(p.frames, 60);
  assert_true(p.cpu_worst >= p.cpu_median && p.cpu_median > 0);
  EXPECT_NEAR(p.margin, p.period / p.cpu_worst, 1e-6 * p.margin);
  EXPECT_NEAR(p.rate_safe, 1 / (2 * p.cpu_worst), 1e-6 * p.rate_safe);
  EXPECT_OK(sar_rt_run(rt, &err));  // and the run is still to be had
  sar_rt_free(rt);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_clock_calls_in_the_loop),
      cmocka_unit_test(only_clock_calls_in_coupled_loops),
      cmocka_unit_test(no_memory_is_taken_in_the_loop),
      cmocka_unit_test(the_motion_is_that_of_a_run),
      cmocka_unit_test(a_slow_exchange_is_found_out),
      cmocka_unit_test(a_slow_step_is_found_out),
      cmocka_unit_test(reports_while_it_runs_and_stops),
      cmocka_unit_test(a_rehearsal_leaves_no_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
