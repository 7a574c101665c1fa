// Does a run get anywhere? Steps that error control makes ever shorter may be accepted one by one
// and never come to the end: speeds of 1e15 rad/s ask for 1e13 steps within 1e-4 s. A run says so
// instead of going on for years.
#pragma once
#include "sarrus/sarrus.h"

#include <stdbool.h>

enum { SAR_PACES = 2 };

typedef struct SarPace {
  long next[SAR_PACES];  // number of steps at which it is looked at again
  double t[SAR_PACES];   // s; where the run was the last time
} SarPace;

// From here on; steps: those made so far.
void sar_pace_begin(SarPace* p, long steps, double t);
// After a step. True: at the pace of late the end is out of reach, and `text` says so.
bool sar_pace_is_hopeless(SarPace* p, long steps, double t, double end, char* text, size_t size);
