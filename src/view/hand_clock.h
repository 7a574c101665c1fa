// A clock for real-time runs (SarRtClock) that a hand holds: it stands still, goes on by steps,
// faster or slower than the clock of the system.
//
// While it runs,  at = at + speed (system's now - since),  and stands still where it gets to
// `limit`.
#pragma once
#include "sarrus/realtime.h"

#include <pthread.h>

typedef struct SarHandClock {
  pthread_mutex_t mutex;
  long long at, since, limit;  // ns; the clock, the system's when `at` was looked at
  double speed;                // 0: the clock jumps to what somebody waits for
  bool running, held;
  bool over;  // nobody waits any longer
} SarHandClock;

void sar_hand_clock_begin(SarHandClock* p, double speed);  // stands still at 0
void sar_hand_clock_end(SarHandClock* p);
SarRtClock sar_hand_clock_clock(SarHandClock* p);
void sar_hand_clock_run(SarHandClock* p, bool running);
bool sar_hand_clock_runs(SarHandClock* p);  // and is not to stop by itself
void sar_hand_clock_speed(SarHandClock* p, double speed);
void sar_hand_clock_hold(SarHandClock* p, bool held);     // not now, whatever else was said
void sar_hand_clock_step(SarHandClock* p, long long ns);  // goes on for so long
// Before threads are stopped: whoever waits comes back. Behind it: the clock stands still.
void sar_hand_clock_let_go(SarHandClock* p, bool over);
