// Nonlinear blocks: saturation, dead band, rate limit, play (backlash operator) and relay.
//
//   rate_limit   z' = (x - z)/T within -down .. up
//   play         z' = (x - z beyond +- width/2)/T: follows its input at half the width's distance
//   relay        1 from where x reaches `on` until it falls to `off` (Schmitt trigger)
#include "elements/signals/build.h"

static void build_saturation(SarSignalBuild* b) { signal_value(b, "clamp(x, lower, upper)"); }

const SarSignalKind sar_signal_saturation = {
    .name = "saturation",
    .doc = "its input, but not below lower nor above upper",
    .key = {{"saturation", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"lower", SAR_SIGNAL_NUMBER, NULL, false, "least value"},
            {"upper", SAR_SIGNAL_NUMBER, NULL, false, "largest value"}},
    .nkey = 3,
    .example = "{saturation: 2*sin(3*t), lower: -1, upper: 1.5}",
    .build = build_saturation,
};

static void build_deadband(SarSignalBuild* b) { signal_value(b, "deadzone(x, width/2)"); }

const SarSignalKind sar_signal_deadband = {
    .name = "deadband",
    .doc = "0 within the band, its input less the band outside",
    .key = {{"deadband", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"width", SAR_SIGNAL_NUMBER, NULL, true, "of the band about 0"}},
    .nkey = 2,
    .example = "{deadband: sin(3*t), width: 0.5}",
    .build = build_deadband,
};

static void build_rate_limit(SarSignalBuild* b) {
  signal_name(b, "z");
  signal_state(b, "z", "clamp((x - z)/T, -down, up)", "start");
  signal_value(b, "z");
}

const SarSignalKind sar_signal_rate_limit = {
    .name = "rate_limit",
    .doc = "follows its input no faster than it may",
    .key = {{"rate_limit", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"up", SAR_SIGNAL_NUMBER, NULL, true, "largest rate [1/s]"},
            {"down", SAR_SIGNAL_NUMBER, "up", true, "largest rate downwards [1/s]"},
            {"T", SAR_SIGNAL_NUMBER, "0.01", true,
             "time constant while the rate is not limited [s]"},
            {"start", SAR_SIGNAL_NUMBER, "x", false, "value where a run begins"}},
    .nkey = 5,
    .example = "{rate_limit: sin(3*t), up: 1, T: 0.05}",
    .build = build_rate_limit,
};

static void build_play(SarSignalBuild* b) {
  signal_name(b, "z");
  signal_state(b, "z", "deadzone(x - z, width/2)/T", "start");
  signal_value(b, "z");
}

const SarSignalKind sar_signal_play = {
    .name = "play",
    .doc = "hysteresis of a backlash: follows its input at half the width's distance",
    .key = {{"play", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"width", SAR_SIGNAL_NUMBER, NULL, true, "of the play"},
            {"T", SAR_SIGNAL_NUMBER, "0.01", true, "time constant with which it is pushed [s]"},
            {"start", SAR_SIGNAL_NUMBER, "x", false, "value where a run begins"}},
    .nkey = 4,
    .example = "{play: sin(3*t), width: 0.4, T: 0.05}",
    .build = build_play,
};

enum { ON = 1 };

static void build_relay(SarSignalBuild* b) {
  double on, off;
  if (signal_given(b, ON) && signal_given(b, ON + 1) &&
      sar_expr_is_number(b->s->value[ON].numbers[0].expr, &on) &&
      sar_expr_is_number(b->s->value[ON + 1].numbers[0].expr, &off) && !(on > off))
    signal_wrong(b, ON, "on must be above off: the relay keeps its state between them",
                 "switches on at %g and off at %g", on, off);
  signal_name(b, "on_now");
  signal_relay(b, "on_now", "x >= on", "x <= off", "start");
  signal_value(b, "mix(low, high, on_now)");
}

const SarSignalKind sar_signal_relay = {
    .name = "relay",
    .doc = "two values: high from where its input reaches `on` until it falls to `off`",
    .key = {{"relay", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"on", SAR_SIGNAL_NUMBER, NULL, false, "input at which it switches to high"},
            {"off", SAR_SIGNAL_NUMBER, NULL, false, "input at which it switches to low"},
            {"high", SAR_SIGNAL_NUMBER, "1", false, "value when on"},
            {"low", SAR_SIGNAL_NUMBER, "0", false, "value when off"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "1: it begins switched on"}},
    .nkey = 6,
    .example = "{relay: sin(3*t), on: 0.5, off: -0.5}",
    .build = build_relay,
};
