// Overruns of real-time runs: every policy does what it promises, causes are told apart, and time,
// state and what is handed out stay consistent; on a clock by script, so that nothing depends on
// the machine.
#include "support/fake_clock.h"
#include "support/model_file.h"

#include <math.h>

enum { MOST_FRAMES = 4000 };

// What the outside saw of a run.
typedef struct Seen {
  FakeClock clock;
  long frames;
  double time[MOST_FRAMES];
  long long number[MOST_FRAMES], at[MOST_FRAMES];  // ns
  FakeCost cost[MOST_FRAMES];                      // by script, frame by frame
  double period;
} Seen;

static SarStatus see(void* context, const SarRtFrame* f) {
  Seen* s = context;
  assert_in_range(s->frames, 0, MOST_FRAMES - 1);
  s->time[s->frames] = f->time;
  s->number[s->frames] = f->number;
  s->at[s->frames] = f->clock;
  s->clock.script(&s->clock, s->frames++);  // the rung may have changed since
  return fake_exchange(&s->clock, f);
}

static void as_planned(FakeClock* c, long frame) {
  const Seen* s = c->context;
  c->cost = s->cost[frame < MOST_FRAMES ? frame : MOST_FRAMES - 1];
}

typedef struct Kept {
  SarModel* m;
  SarRealtime* rt;
  SarRtReport r;
  SarStatus status;
} Kept;

static Kept keep(const char* model, Seen* s, SarRtOptions o) {
  Kept k = {.m = model_file(model, NULL)};
  SarError err;
  sar_error_init(&err);
  if (!s->clock.script) s->clock.script = as_planned;
  s->clock.context = s;
  s->period = 1 / o.rate;
  const SarRtClock clock = fake_clock(&s->clock);
  o.clock = &clock;
  o.context = s;
  o.exchange = see;
  o.scheduling = SAR_RT_AS_IS;
  o.lock_memory = false;
  EXPECT_OK_OR(sar_rt_new(k.m, &o, &k.rt, &err), &err);
  s->clock.rt = k.rt;
  k.status = sar_rt_run(k.rt, &err);
  EXPECT_OK(sar_rt_report(k.rt, &k.r));
  return k;
}

static void drop(Kept* k) {
  sar_rt_free(k->rt);
  sar_model_free(k->m);
}

static void expect_same_state_as_run(const Kept* k, const char* model, double rate, double end) {
  SarError err;
  SarRun* run;
  SarSimOptions sim = sar_sim_options();
  SarRunOptions o = sar_run_options();
  sar_error_init(&err);
  sim.adaptive = SAR_STEPS_FIXED;
  sim.step = k->r.ladder[0].step;
  o.sim = &sim;
  o.output_step = 1 / rate;
  o.end = end;
  EXPECT_OK_OR(sar_run(k->m, &o, &run, &err), &err);
  if (sar_state_hash(sar_run_data(run)) != sar_state_hash(sar_rt_data(k->rt)))
    fail_msg("%s: the state is not that of a run", model);
  sar_run_free(run);
}

// ---- causes -------------------------------------------------------------------------------------

// One thing too long at a time, of any length, in a frame that is else quick.
static void causes_are_told_apart(void** state) {
  (void)state;
  static Seen s;
  Rng random = rng_seed(test_seed(7001));
  for (int trial = 0; trial < test_effort(200); trial++) {
    s = (Seen){0};
    const SarRtCause cause = (SarRtCause)(trial % SAR_RT_BACKLOG);
    const double rate = exp(rng_uniform(&random, log(50), log(5000))), period = 1 / rate;
    const int at = 3 + (int)rng_uniform(&random, 0, 10);
    for (int i = 0; i < 40; i++)
      s.cost[i] = (FakeCost){.wake = 0.01 * period, .exchange = 0.01 * period, .cpu = 0.2 * period};
    const double much = period * rng_uniform(&random, 1.05, 9);
    FakeCost* x = &s.cost[at];
    if (cause == SAR_RT_COMPUTATION) x->cpu = much;
    if (cause == SAR_RT_WAKE) x->wake = much;
    if (cause == SAR_RT_IO) x->exchange = much;
    if (cause == SAR_RT_PREEMPTED) x->preempted = much;
    if (cause == SAR_RT_FAULT) x->faults = 3, x->preempted = much;
    SarRtOptions o = sar_rt_options();
    o.rate = rate;
    o.end = 30 * period;
    o.policy = SAR_RT_SLIP;
    Kept k = keep("pendulum.yaml", &s, o);
    EXPECT_OK(k.status);
    if (k.r.overruns != 1 || k.r.overruns_by[cause] != 1)
      fail_msg("trial %d: %ld overruns, %ld by %s", trial, k.r.overruns, k.r.overruns_by[cause],
               sar_rt_cause_name(cause));
    assert_int_equal(k.r.overrun[0].frame, at);
    assert_int_equal(k.r.overrun[0].cause, cause);
    EXPECT_NEAR(k.r.overrun[0].late, x->wake + x->exchange + x->cpu + x->preempted - period,
                1e-8 + 1e-9 * much);
    assert_int_equal(k.r.page_faults, cause == SAR_RT_FAULT ? 3 : 0);
    drop(&k);
  }
}

// ---- policies -----------------------------------------------------------------------------------

// Costs at random: most frames are quick, one in ten is too long in one way or several.
static void random_costs(Rng* random, Seen* s, double period) {
  for (int i = 0; i < MOST_FRAMES; i++) {
    FakeCost* x = &s->cost[i];
    const bool busy = rng_uniform(random, 0, 1) < 0.1;
    const double much = busy ? 2.5 : 0.2;
    *x = (FakeCost){.wake = period * rng_uniform(random, 0, busy ? much : 0.1),
                    .exchange = period * rng_uniform(random, 0, busy ? much : 0.1),
                    .cpu = period * rng_uniform(random, 0, much),
                    .preempted = period * rng_uniform(random, 0, busy ? much : 0.05)};
  }
}

// Late ends as the outside can tell: all frames' times by script, added up.
static void follow(const Seen* s, const Kept* k, SarRtPolicy policy, double behind) {
  const double period = s->period;
  double base = 0, done = 0;
  long long tick = 0, skipped = 0;
  long overruns = 0;
  const double first = 1e-9 * (double)s->at[0] - s->cost[0].wake;
  for (long i = 0; i < s->frames; i++) {
    const double due = base + (double)tick * period;
    // the beat of a slip begins where a frame ends
    const bool sleeps = i == 0 || done < due - 1e-9;
    const double began = sleeps ? due + s->cost[i].wake : done;
    EXPECT_NEAR(1e-9 * (double)s->at[i] - first, began, 1e-7);
    done = began + s->cost[i].exchange + s->cost[i].cpu + s->cost[i].preempted;
    tick++;
    const double next = base + (double)tick * period;
    if (done <= next) continue;
    overruns++;
    const bool leaves_out =
        policy == SAR_RT_SKIP || (policy == SAR_RT_CATCH_UP && done - next > behind);
    if (policy == SAR_RT_SLIP) base += done - next;
    if (!leaves_out) continue;
    const long long to = (long long)ceil((done - base) / period);
    if (to > tick) skipped += to - tick, tick = to;
  }
  assert_int_equal(k->r.overruns, overruns);
  assert_int_equal(k->r.skipped, skipped);
  EXPECT_NEAR(k->r.slipped, base, 1e-6);
}

// No policy but degrade touches the motion: every frame is made, in order, with the same steps, and
// the state is that of a plain run to the bit; what the clock shows is what follows from the costs.
static void random_overloads_leave_the_motion_alone(void** state) {
  (void)state;
  static const SarRtPolicy policies[] = {SAR_RT_SKIP, SAR_RT_SLIP, SAR_RT_CATCH_UP};
  static const char* const models[] = {"pendulum.yaml", "stack.yaml", "double_fourbar.yaml"};
  static Seen s;
  Rng random = rng_seed(test_seed(7002));
  for (int trial = 0; trial < test_effort(36); trial++) {
    s = (Seen){0};
    const double rate = trial % 2 ? 500 : 200, end = 0.4;
    random_costs(&random, &s, 1 / rate);
    SarRtOptions o = sar_rt_options();
    o.rate = rate;
    o.end = end;
    o.policy = policies[trial % 3];
    o.behind = 3 / rate;
    const char* model = models[trial / 3 % 3];
    Kept k = keep(model, &s, o);
    EXPECT_OK(k.status);
    assert_true(k.r.time == end);
    assert_int_equal(s.frames, lround(end * rate));
    for (long i = 0; i < s.frames; i++) {
      assert_int_equal(s.number[i], i);
      assert_true(s.time[i] == (double)i * (1 / rate));
    }
    long by = 0;
    for (int c = 0; c < SAR_RT_CAUSES; c++) by += k.r.overruns_by[c];
    assert_int_equal(by, k.r.overruns);
    assert_true(k.r.overruns > 0);
    follow(&s, &k, o.policy, o.behind);
    expect_same_state_as_run(&k, model, rate, end);
    drop(&k);
  }
}

static void stop_ends_where_the_overrun_was(void** state) {
  (void)state;
  static Seen s;
  s = (Seen){0};
  for (int i = 0; i < MOST_FRAMES; i++) s.cost[i].cpu = i == 17 ? 3e-3 : 1e-4;
  SarRtOptions o = sar_rt_options();
  o.rate = 1000;
  o.end = 1;
  o.policy = SAR_RT_STOP;
  Kept k = keep("pendulum.yaml", &s, o);
  assert_int_equal(k.status, SAR_STOPPED);
  assert_int_equal(k.r.frames, 18);
  EXPECT_NEAR(k.r.time, 0.018, 1e-12);
  assert_int_equal(k.r.overruns_by[SAR_RT_COMPUTATION], 1);
  if (!strstr(k.r.trouble, "frame 17 was 2e+03 us late (computation"))
    fail_msg("'%s'", k.r.trouble);
  expect_same_state_as_run(&k, "pendulum.yaml", 1000, k.r.time);
  drop(&k);
}

// ---- degrade ------------------------------------------------------------------------------------

// Frames 200 to 600 are too long with the first method; the next ones take half of it each.
static void by_rung(FakeClock* c, long frame) {
  const Seen* s = c->context;
  const int rung = c->rt ? c->rt->live.rung : 0;
  const bool hard = frame >= 200 && frame < 600;
  c->cost = (FakeCost){.cpu = s->period * (hard ? 1.5 : 0.3) / (1 << rung)};
}

static void expect_climbs_back(const char* model, const SarSimOptions* ladder, int count) {
  static Seen s;
  s = (Seen){.clock.script = by_rung};
  SarRtOptions o = sar_rt_options();
  o.rate = 200;
  o.end = 10;
  o.policy = SAR_RT_DEGRADE;
  o.calm = 0.1;
  o.ladder = ladder;
  o.ladder_count = count;
  Kept k = keep(model, &s, o);
  EXPECT_OK(k.status);
  assert_true(k.r.rungs > 1);
  assert_true(k.r.rungs_down >= 2);   // it tried to climb while it was hard
  assert_true(k.r.rungs_down <= 12);  // and waited longer and longer
  assert_int_equal(k.r.rungs_up, k.r.rungs_down);
  assert_int_equal(k.r.rung, 0);
  assert_int_equal(k.r.overruns_by[SAR_RT_COMPUTATION], k.r.rungs_down);
  assert_int_equal(k.r.skipped, 0);
  assert_true(k.r.time == 10);
  assert_true(k.r.behind == 0);
  assert_true(k.r.behind_most < 3 * s.period);
  for (long i = 1; i < s.frames; i++) {
    assert_true(s.number[i] > s.number[i - 1]);
    EXPECT_NEAR(s.time[i], (double)s.number[i] * s.period, 1e-9);
  }
  for (int i = 0; i < sar_model_nq(k.m); i++)
    assert_true(isfinite(sar_get_q(sar_rt_data(k.rt))[i]));
  drop(&k);
}

// Fewer sweeps, a longer step, another method: with contact, with loops, of a tree.
static void degrade_climbs_back(void** state) {
  (void)state;
  SarSimOptions o = sar_sim_options();
  o.max_iterations = 10;
  expect_climbs_back("stack.yaml", &o, 1);
  o = sar_sim_options();
  o.step = 1e-2;
  expect_climbs_back("double_fourbar.yaml", &o, 1);
  SarSimOptions two[2] = {sar_sim_options(), sar_sim_options()};
  two[0].integrator = two[1].integrator = "semi-implicit";
  two[1].step = 1e-2;
  expect_climbs_back("double_pendulum.yaml", two, 2);
}

// A ladder by itself: rungs are there, each was tried, none departs far.
static void a_ladder_is_found_and_tried(void** state) {
  (void)state;
  static const char* const models[] = {"stack.yaml", "car.yaml", "double_fourbar.yaml"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    static Seen s;
    s = (Seen){0};
    SarRtOptions o = sar_rt_options();
    o.rate = 200;
    o.end = 0.1;
    o.policy = SAR_RT_DEGRADE;
    Kept k = keep(models[i], &s, o);
    EXPECT_OK(k.status);
    for (int r = 1; r < k.r.rungs; r++) {
      assert_true(k.r.ladder[r].tried_median <= k.r.ladder[r - 1].tried_median);
      assert_true(k.r.ladder[r].tried_error <= 0.1);
    }
    assert_int_equal(k.r.ladder[0].frames, 20);
    expect_same_state_as_run(&k, models[i], 200, 0.1);  // the ladder left no trace
    drop(&k);
  }
}

static void options_are_checked(void** state) {
  (void)state;
  SarModel* m = model_file("pendulum.yaml", NULL);
  SarSimOptions sim = sar_sim_options();
  const struct {
    double rate, step, end;
    const char* says;
  } wrong[] = {{0, 0, 1, "the rate is 0"},
               {-5, 0, 1, "the rate is -5"},
               {(double)NAN, 0, 1, "the rate is"},
               {1000, 3e-4, 1, "does not go into a period"},
               {1000, 2e-3, 1, "does not go into a period"},
               {1000, 0, -1, ""}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    SarError err;
    SarRealtime* rt;
    SarRtOptions o = sar_rt_options();
    sar_error_init(&err);
    sim.step = wrong[i].step;
    o.sim = &sim;
    o.rate = wrong[i].rate;
    o.end = wrong[i].end;
    const SarStatus st = sar_rt_new(m, &o, &rt, &err);
    if (!wrong[i].says[0]) {  // the file's end
      EXPECT_OK(st);
      sar_rt_free(rt);
      continue;
    }
    assert_int_equal(st, SAR_BAD_ARGUMENT);
    assert_null(rt);
    assert_true(err.count > 0 && strstr(err.items[0].text, wrong[i].says));
  }
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(causes_are_told_apart),
      cmocka_unit_test(random_overloads_leave_the_motion_alone),
      cmocka_unit_test(stop_ends_where_the_overrun_was),
      cmocka_unit_test(degrade_climbs_back),
      cmocka_unit_test(a_ladder_is_found_and_tried),
      cmocka_unit_test(options_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
