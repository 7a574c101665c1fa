// Sampled signals: zero-order hold, unit delay, delay by a time, noise.
//
//   delay   a shift register of n samples, time = n h; between two instants the value runs on a
//           straight line: exact at instants, of second order in h between them
//   noise   normally distributed numbers, a new one each period: a function of the seed and of how
//           many periods have passed, so that copies and runs at other steps see the same ones
#include "elements/signals/build.h"

static void build_sample(SarSignalBuild* b) {
  signal_name(b, "w");
  signal_sample(b, "w", "x", "start");
  signal_value(b, "w");
}

const SarSignalKind sar_signal_sample = {
    .name = "sample",
    .doc = "zero-order hold: its input at the last instant",
    .key = {{"sample", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"period", SAR_SIGNAL_NUMBER, NULL, true, "time between two samples [s]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first sample [s]"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "value before the first sample"}},
    .nkey = 4,
    .example = "{sample: sin(3*t), period: 0.02}",
    .build = build_sample,
};

static void build_unit_delay(SarSignalBuild* b) {
  signal_name(b, "w");
  signal_delay(b, "w", "x", "start");
  signal_value(b, "w");
}

const SarSignalKind sar_signal_unit_delay = {
    .name = "unit_delay",
    .doc = "1/z: its input at the instant before the last one",
    .key = {{"unit_delay", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"period", SAR_SIGNAL_NUMBER, NULL, true, "time between two samples [s]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first sample [s]"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "value until the second instant"}},
    .nkey = 4,
    .example = "{unit_delay: sin(3*t), period: 0.02}",
    .build = build_unit_delay,
};

enum { SAMPLES = 2 };

static void build_delay(SarSignalBuild* b) {
  double n = 10;
  if (signal_given(b, SAMPLES) && (!sar_expr_is_number(b->s->value[SAMPLES].numbers[0].expr, &n) ||
                                   n != (double)(int)n || n < 1 || n > SAR_SIGNAL_MOST - 2)) {
    signal_wrong(b, SAMPLES, "", "samples must be a whole number from 1 to %d",
                 SAR_SIGNAL_MOST - 2);
    return;
  }
  b->period = "time/samples";
  b->offset = "0";
  const char* before = "now";
  signal_name(b, "now");
  signal_name(b, "at");
  for (int k = 1; k <= (int)n; k++) signal_name(b, sar_arena_printf(&b->spec->arena, "d%d", k));
  if (b->spec->arena.failed) return;
  signal_sample(b, "now", "x", "start");
  signal_sample(b, "at", "t", "0");
  const char* last = before;
  for (int k = 1; k <= (int)n; k++) {
    signal_delay(b, b->local[k + 1], before, "start");
    last = before;
    before = b->local[k + 1];
  }
  SignalRule value = {.b = b};
  rule_add(&value, "mix(%s, %s, (t - at)*samples/time)", before, last);
  signal_value(b, rule_text(&value));
}

const SarSignalKind sar_signal_delay = {
    .name = "delay",
    .doc = "its input some time ago",
    .key = {{"delay", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"time", SAR_SIGNAL_NUMBER, NULL, true, "how long ago [s]"},
            {"samples", SAR_SIGNAL_NUMBER, "10", true,
             "taken in that time; straight lines between"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "value until that time has passed"}},
    .nkey = 4,
    .example = "{delay: sin(3*t), time: 0.1, samples: 5}",
    .build = build_delay,
};

static void build_noise(SarSignalBuild* b) {
  signal_value(b, "mean + x*gauss(floor(t/period), seed)");
}

const SarSignalKind sar_signal_noise = {
    .name = "noise",
    .doc = "normally distributed numbers, a new one each period",
    .key = {{"noise", SAR_SIGNAL_NUMBER, NULL, false, "standard deviation"},
            {"period", SAR_SIGNAL_NUMBER, NULL, true, "time that a number is held [s]"},
            {"mean", SAR_SIGNAL_NUMBER, "0", false, "mean value"},
            {"seed", SAR_SIGNAL_NUMBER, "1", false, "another seed, another sequence"}},
    .nkey = 4,
    .example = "{noise: 0.1, period: 0.02, seed: 3}",
    .build = build_noise,
};
