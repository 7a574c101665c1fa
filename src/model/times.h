// Lengths of time that mean something: from what light takes for a micrometre to tens of thousands
// of years. What lies beyond is a slip of the keyboard, and would run for ever or not at all.
#pragma once
#include <stdbool.h>

#define SAR_SHORTEST_TIME 1e-15  // s
#define SAR_LONGEST_TIME 1e12    // s
#define SAR_MOST_ROWS 1e10       // of one run

static inline bool sar_time_is_sensible(double seconds) {
  return seconds >= SAR_SHORTEST_TIME && seconds <= SAR_LONGEST_TIME;
}
