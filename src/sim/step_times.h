// How long the steps of a run take: count, median and worst, in a memory that does not grow with
// the run.
#pragma once

enum { SAR_TIME_OCTAVES = 40, SAR_TIME_SHARES = 32 };

// A histogram over the logarithm of the time, from 2^-30 s on, each octave in 32 equal bins: the
// median is right to 2 %.
typedef struct SarStepTimes {
  long count;
  long late;        // of them over the deadline
  double deadline;  // s; 0: none
  double worst;     // s
  double worst_at;  // simulated time at the end of that step [s]
  double clock;     // what reading the clock takes [s]: not part of any step
  long bin[SAR_TIME_OCTAVES * SAR_TIME_SHARES];
} SarStepTimes;

// Empty, and measures the clock.
void sar_step_times_init(SarStepTimes* h, double deadline);
// A step that ended at t, `seconds` between two readings of the clock.
void sar_step_times_add(SarStepTimes* h, double seconds, double t);
// s; 0 without steps.
double sar_step_times_median(const SarStepTimes* h);
// The time that this share of them stays below (a percentile), 0 .. 1.
double sar_step_times_share(const SarStepTimes* h, double share);
double sar_step_times_from(int bin);  // s; where a bin begins
