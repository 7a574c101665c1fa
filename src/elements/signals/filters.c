// Integrator and first- and second-order filters.
//
//   integrator   z' = x within (lower - z)/T .. (upper - z)/T: comes to rest at a limit, without a
//                jump of its rate, which no implicit step could meet, and leaves it as soon as x
//                turns (no windup)
//   filter       T z' = x - z                                     1/(T s + 1)
//   filter2      y'' + 2 d w y' + w^2 y = w^2 x                   w^2/(s^2 + 2 d w s + w^2)
//   lead_lag     (lead s + 1)/(lag s + 1)
#include "elements/signals/build.h"

enum { LOWER = 1, UPPER = 2 };

static void build_integrator(SarSignalBuild* b) {
  const bool lower = signal_given(b, LOWER), upper = signal_given(b, UPPER);
  signal_name(b, "z");
  signal_state(b, "z",
               lower && upper ? "clamp(x, (lower - z)/T, (upper - z)/T)"
               : upper        ? "min(x, (upper - z)/T)"
               : lower        ? "max(x, (lower - z)/T)"
                              : "x",
               "start");
  signal_value(b, "z");
}

const SarSignalKind sar_signal_integrator = {
    .name = "integrator",
    .doc = "integral of its input, within limits if they are given: it does not wind up beyond",
    .key = {{"integrator", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"lower", SAR_SIGNAL_NUMBER, "", false, "least value"},
            {"upper", SAR_SIGNAL_NUMBER, "", false, "largest value"},
            {"T", SAR_SIGNAL_NUMBER, "0.001", true,
             "time in which it comes to rest at a limit [s]"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "value where a run begins"}},
    .nkey = 5,
    .example = "{integrator: sin(3*t), upper: 0.5, start: 0.1}",
    .build = build_integrator,
};

static void build_filter(SarSignalBuild* b) {
  signal_name(b, "z");
  signal_state(b, "z", "(x - z)/T", "start");
  signal_value(b, "z");
}

const SarSignalKind sar_signal_filter = {
    .name = "filter",
    .doc = "first-order low-pass filter 1/(T s + 1)",
    .key = {{"filter", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"T", SAR_SIGNAL_NUMBER, NULL, true, "time constant [s]"},
            {"start", SAR_SIGNAL_NUMBER, "x", false, "value where a run begins; default: at rest"}},
    .nkey = 3,
    .example = "{filter: sin(3*t), T: 0.1}",
    .build = build_filter,
};

static void build_filter2(SarSignalBuild* b) {
  signal_name(b, "y");
  signal_name(b, "v");
  signal_state(b, "y", "v", "start");
  signal_state(b, "v", "frequency^2*(x - y) - 2*damping*frequency*v", "0");
  signal_value(b, "y");
}

const SarSignalKind sar_signal_filter2 = {
    .name = "filter2",
    .doc = "second-order low-pass filter",
    .key = {{"filter2", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"frequency", SAR_SIGNAL_NUMBER, NULL, true, "natural frequency [rad/s]"},
            {"damping", SAR_SIGNAL_NUMBER, "sqrt(0.5)", false, "damping ratio"},
            {"start", SAR_SIGNAL_NUMBER, "x", false, "value where a run begins; default: at rest"}},
    .nkey = 4,
    .example = "{filter2: sin(3*t), frequency: 20}",
    .build = build_filter2,
};

static void build_lead_lag(SarSignalBuild* b) {
  signal_name(b, "z");
  signal_state(b, "z", "(x - z)/lag", "start");
  signal_value(b, "z + lead*(x - z)/lag");
}

const SarSignalKind sar_signal_lead_lag = {
    .name = "lead_lag",
    .doc = "lead-lag element (lead s + 1)/(lag s + 1)",
    .key = {{"lead_lag", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"lead", SAR_SIGNAL_NUMBER, NULL, false, "time constant of the zero [s]"},
            {"lag", SAR_SIGNAL_NUMBER, NULL, true, "time constant of the pole [s]"},
            {"start", SAR_SIGNAL_NUMBER, "x", false, "value where a run begins; default: at rest"}},
    .nkey = 4,
    .example = "{lead_lag: sin(3*t), lead: 0.2, lag: 0.05}",
    .build = build_lead_lag,
};
