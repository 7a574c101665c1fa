// A histogram of step times (step_times.h).
#include "sim/step_times.h"

#include "base/clock.h"

#include <math.h>

enum { FIRST_OCTAVE = -30, READINGS = 64 };

// The least time between two readings: whatever is more was something else.
void sar_step_times_init(SarStepTimes* h, double deadline) {
  *h = (SarStepTimes){.deadline = deadline, .clock = HUGE_VAL};
  double before = sar_clock_cpu();
  for (int k = 0; k < READINGS; k++) {
    const double now = sar_clock_cpu();
    h->clock = fmin(h->clock, now - before);
    before = now;
  }
}

// seconds = share 2^octave, 1/2 <= share < 1
static int bin_of(double seconds) {
  int octave = 0;
  const double share = frexp(seconds, &octave);
  const int bin =
      (octave - FIRST_OCTAVE) * SAR_TIME_SHARES + (int)((share - 0.5) * (2 * SAR_TIME_SHARES));
  const int last = SAR_TIME_OCTAVES * SAR_TIME_SHARES - 1;
  return !(seconds > 0) || bin < 0 ? 0 : bin < last ? bin : last;
}

// the middle of a bin
static double time_of(int bin) {
  const double share = 0.5 + (bin % SAR_TIME_SHARES + 0.5) / (2.0 * SAR_TIME_SHARES);
  return ldexp(share, FIRST_OCTAVE + bin / SAR_TIME_SHARES);
}

void sar_step_times_add(SarStepTimes* h, double seconds, double t) {
  const double took = fmax(seconds - h->clock, 0);
  h->count++;
  h->bin[bin_of(took)]++;
  if (h->deadline > 0 && took > h->deadline) h->late++;
  if (took <= h->worst) return;
  h->worst = took;
  h->worst_at = t;
}

double sar_step_times_from(int bin) {
  const double share = 0.5 + bin % SAR_TIME_SHARES / (2.0 * SAR_TIME_SHARES);
  return ldexp(share, FIRST_OCTAVE + bin / SAR_TIME_SHARES);
}

// the bin in which step number share count of the sorted ones lies
double sar_step_times_share(const SarStepTimes* h, double share) {
  long below = 0;
  for (int k = 0; k < SAR_TIME_OCTAVES * SAR_TIME_SHARES; k++) {
    below += h->bin[k];
    if ((double)below > share * (double)h->count) return fmin(time_of(k), h->worst);
  }
  return h->worst;
}

double sar_step_times_median(const SarStepTimes* h) { return sar_step_times_share(h, 0.5); }
