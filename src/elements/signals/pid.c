// PID controllers, in continuous time and sampled, with limits and anti-windup.
//
//   u = kp x + i + kd (x - f)/T,   f' = (x - f)/T           derivative of the filtered input
//   i' = ki x + (sat(u) - u)/tracking                        back-calculation where the output is
//                                                            limited
//
// sampled, with e_k = x(t_k) (backward rule for the integral, conditional by clamping):
//
//   i_k = sat(i_{k-1} + ki h e_k),   u_k = sat(kp e_k + i_k + kd (e_k - e_{k-1})/h)
#include "elements/signals/build.h"

enum { KD = 3, T = 4, LOWER = 5, UPPER = 6 };

static const char* limited(SarSignalBuild* b, int lower, const char* u) {
  const bool below = signal_given(b, lower), above = signal_given(b, lower + 1);
  SignalRule r = {.b = b};
  rule_add(&r, "%s", below && above ? "clamp(" : above ? "min(" : below ? "max(" : "(");
  rule_add(&r, "%s%s", u,
           below && above ? ", lower, upper)"
           : above        ? ", upper)"
           : below        ? ", lower)"
                          : ")");
  return rule_text(&r);
}

static void build_pid(SarSignalBuild* b) {
  static const char plain[] = "kp*x + i", derived[] = "kp*x + i + kd*(x - f)/T";
  const bool derives = signal_given(b, KD);
  const bool limits = signal_given(b, LOWER) || signal_given(b, UPPER);
  const char* u = derives ? derived : plain;
  if (derives && !signal_given(b, T)) {
    signal_wrong(b, KD, "give T, the time constant that its input is filtered with",
                 "kd needs T: no controller can differentiate what is not smooth");
    return;
  }
  signal_name(b, "i");
  if (derives) signal_name(b, "f");
  const char* value = limited(b, LOWER, u);
  SignalRule rate = {.b = b};
  rule_add(&rate, "ki*x");
  if (limits) rule_add(&rate, " + (%s - (%s))/tracking", value, u);
  signal_state(b, "i", rule_text(&rate), "start");
  if (derives) signal_state(b, "f", "(x - f)/T", "x");
  signal_value(b, value);
}

const SarSignalKind sar_signal_pid = {
    .name = "pid",
    .doc = "PID controller; where its output is limited the integral is led back",
    .key = {{"pid", SAR_SIGNAL_NUMBER, NULL, false, "input: the error"},
            {"kp", SAR_SIGNAL_NUMBER, "0", false, "proportional gain"},
            {"ki", SAR_SIGNAL_NUMBER, "0", false, "integral gain [1/s]"},
            {"kd", SAR_SIGNAL_NUMBER, "0", false, "derivative gain [s]"},
            {"T", SAR_SIGNAL_NUMBER, "", true, "time constant of the derivative's filter [s]"},
            {"lower", SAR_SIGNAL_NUMBER, "", false, "least output"},
            {"upper", SAR_SIGNAL_NUMBER, "", false, "largest output"},
            {"tracking", SAR_SIGNAL_NUMBER, "0.1", true,
             "time in which the integral is led back where the output is limited [s]"},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "integral part where a run begins"}},
    .nkey = 9,
    .example = "{pid: sin(3*t), kp: 2, ki: 5, kd: 0.1, T: 0.05, lower: -1, upper: 1}",
    .build = build_pid,
};

enum { SAMPLED_LOWER = 6 };

static void build_sampled_pid(SarSignalBuild* b) {
  signal_name(b, "error");
  signal_name(b, "i");
  signal_name(b, "before");
  signal_name(b, "sum");
  signal_sample(b, "error", "x", "0");
  signal_sample(b, "sum", limited(b, SAMPLED_LOWER, "i + ki*period*error"), "0");
  signal_delay(b, "i", "sum", "0");
  signal_delay(b, "before", "error", "0");
  signal_value(b, limited(b, SAMPLED_LOWER, "kp*error + sum + kd*(error - before)/period"));
}

const SarSignalKind sar_signal_sampled_pid = {
    .name = "sampled_pid",
    .doc = "PID controller that looks at its input once a period and holds its output",
    .key = {{"sampled_pid", SAR_SIGNAL_NUMBER, NULL, false, "input: the error"},
            {"period", SAR_SIGNAL_NUMBER, NULL, true, "time between two samples [s]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first sample [s]"},
            {"kp", SAR_SIGNAL_NUMBER, "0", false, "proportional gain"},
            {"ki", SAR_SIGNAL_NUMBER, "0", false, "integral gain [1/s]"},
            {"kd", SAR_SIGNAL_NUMBER, "0", false, "derivative gain [s]"},
            {"lower", SAR_SIGNAL_NUMBER, "", false, "least output, and least integral"},
            {"upper", SAR_SIGNAL_NUMBER, "", false, "largest of both"}},
    .nkey = 8,
    .example = "{sampled_pid: sin(3*t), period: 0.02, kp: 2, ki: 5, kd: 0.01}",
    .build = build_sampled_pid,
};
