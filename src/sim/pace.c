// Whether a run gets anywhere (pace.h).
//
// Steps that are still to come, at the mean length of the last n:  N = n (end - t) / (t - t_n).  A
// motion may be slow for a while (an impact, a start with a tiny step), so the fewer steps are
// looked at, the worse N has to be.
#include "sim/pace.h"

#include "base/print.h"

static const struct {
  long window;  // steps that are looked at
  double most;  // steps to come: more are out of reach
} PACE[SAR_PACES] = {{100000, 1e13}, {1000000, 1e10}};

void sar_pace_begin(SarPace* p, long steps, double t) {
  for (int k = 0; k < SAR_PACES; k++) {
    p->next[k] = steps + PACE[k].window;
    p->t[k] = t;
  }
}

bool sar_pace_is_hopeless(SarPace* p, long steps, double t, double end, char* text, size_t size) {
  for (int k = 0; k < SAR_PACES; k++) {
    if (steps < p->next[k]) continue;
    const double n = (double)(steps - p->next[k] + PACE[k].window), gained = t - p->t[k];
    p->next[k] = steps + PACE[k].window;
    p->t[k] = t;
    if (n * (end - t) <= PACE[k].most * gained) continue;
    sar_snprintf(
        text, size,
        "at t = %.9g: the last %.0f steps were %.3g s long on average, and the end at %g s is more "
        "than %.0e of them away: look for speeds or stiffnesses that make no sense, or take an "
        "earlier end",
        t, n, gained / n, end, PACE[k].most);
    return true;
  }
  return false;
}
