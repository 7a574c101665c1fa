// Overruns whose steps took too much CPU time are computed again behind the run: where the
// computation is to blame they stay its, where something else had the processor in its name they
// are told apart. The thief is a CPU clock that adds what a host would take: the rest is the
// system's.
#include "support/model_file.h"
#include "support/random.h"

#include "realtime/realtime.h"

#include <math.h>

static const char* const models[] = {"pendulum.yaml",  "gripper.yaml",        "iltis.yaml",
                                     "tiltrotor.yaml", "double_fourbar.yaml", "sampled_servo.yaml"};
enum { MODELS = sizeof models / sizeof *models, MOST = 10 };

// Steals from frames that are listed, at the second look at the CPU clock: behind the steps.
typedef struct Thief {
  const SarRtClock* system;
  long long stolen, looks;
  long frame[MOST];
  int count;
  double much;  // s
  SarRealtime* rt;
} Thief;

static Thief thief;

static long long thieves_cpu(void* context) {
  if (thief.looks++ % 2 == 1)
    for (int i = 0; i < thief.count; i++)
      if (thief.rt->live.number == thief.frame[i]) {
        const long long ns = (long long)(1e9 * thief.much), until = thief.system->now(context) + ns;
        while (thief.system->now(context) < until) continue;
        thief.stolen += ns;
      }
  return thief.system->cpu(context) + thief.stolen;
}

static SarRtOptions options(double rate, double end) {
  SarRtOptions o = sar_rt_options();
  o.rate = rate;
  o.end = end;
  o.scheduling = SAR_RT_AS_IS;
  o.lock_memory = false;
  return o;
}

// Inputs that change in every frame belong to what is computed again.
static SarStatus wave(void* context, const SarRtFrame* frame) {
  const SarModel* m = context;
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_INPUT); i++)
    frame->inputs[i] += 1e-3 * sin(0.1 * (double)frame->number + i);
  return SAR_OK;
}

static SarRtReport run(const SarModel* m, const SarRtOptions* o) {
  SarError err;
  SarRtReport r;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_rt_new(m, o, &thief.rt, &err), &err);
  thief.system = &sar_rt_system_clock;
  thief.stolen = thief.looks = 0;
  thief.rt->clock.cpu = thieves_cpu;
  EXPECT_OK_OR(sar_rt_run(thief.rt, &err), &err);
  EXPECT_OK(sar_rt_report(thief.rt, &r));
  return r;
}

// A slow rate, so that a busy machine leaves room between the frames. Whatever else was late there,
// each frame that was robbed was judged right, or was not judged because the overruns before it
// left no time to keep a state.
static void what_was_stolen_is_told(void** state) {
  (void)state;
  Rng random = rng_seed(test_seed(7301));
  int judged = 0, robbed = 0;
  for (int k = 0; k < MODELS; k++) {
    SarModel* m = model_file(models[k], NULL);
    SarRtOptions o = options(100, 1.2);
    SarSimOptions sim = sar_sim_options();
    sim.step = k == 4 ? 1e-3 : 0;
    o.sim = &sim;
    o.exchange = wave;
    o.context = m;
    thief = (Thief){.count = 3, .much = 0.025};
    for (int i = 0; i < thief.count; i++) thief.frame[i] = 10 + 35 * i + rng_int(&random, 20);
    const SarRtReport r = run(m, &o);
    long by[SAR_RT_CAUSES] = {0};
    for (int i = 0; i < r.kept; i++) {
      const SarRtOverrun* x = &r.overrun[i];
      by[x->cause]++;
      for (int f = 0; f < thief.count; f++)
        if (x->frame == thief.frame[f]) {
          robbed++;
          judged += x->cause == SAR_RT_STOLEN;
          if (x->cause != SAR_RT_STOLEN && !isnan(x->again))
            fail_msg("%s: frame %lld takes %g s and is not taken for stolen", models[k], x->frame,
                     x->again);
          if (x->cause == SAR_RT_STOLEN) assert_true(x->again > 0 && x->again <= r.period);
          assert_true(x->cause == SAR_RT_STOLEN || x->cause == SAR_RT_COMPUTATION);
        }
    }
    for (int c = 0; c < SAR_RT_CAUSES && r.overruns <= SAR_RT_KEPT_OVERRUNS; c++)
      assert_int_equal(by[c], r.overruns_by[c]);
    sar_rt_free(thief.rt);
    sar_model_free(m);
  }
  print_message("%d of %d frames that were robbed were told apart\n", judged, robbed);
  assert_int_equal(robbed, 3 * MODELS);
  assert_true(2 * judged > robbed);
}

// Steps that are too long by themselves are the engine's, whatever the machine does.
static void what_is_too_slow_stays_the_engines(void** state) {
  (void)state;
  SarModel* m = model_file("iltis.yaml", NULL);
  SarSimOptions sim = sar_sim_options();
  SarRtOptions o = options(20, 0.15);
  sim.step = 1.25e-5;  // 4000 steps in a period of 50 ms
  o.sim = &sim;
  thief = (Thief){0};
  const SarRtReport r = run(m, &o);
  assert_int_equal(r.overruns_by[SAR_RT_STOLEN], 0);
  assert_int_equal(r.overruns_by[SAR_RT_COMPUTATION], r.frames);
  assert_true(r.overrun[0].again > r.period);
  sar_rt_free(thief.rt);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_stolen_is_told),
      cmocka_unit_test(what_is_too_slow_stays_the_engines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
