// A clock by script for real-time runs: what every frame takes is decided by the test, so that
// overruns happen where it says and the machine's own haste or leisure does not matter.
#pragma once
#include "realtime/realtime.h"
#include "support/test.h"

typedef struct FakeCost {
  double wake, exchange, cpu, preempted;  // s
  long faults;
} FakeCost;

typedef struct FakeClock {
  long long now, cpu_ns;
  long faults;
  int readings;   // of the CPU clock: the second of a frame is behind its steps
  FakeCost cost;  // of the present frame
  // fills in `cost` for the frame that begins; frame: how many there were
  void (*script)(struct FakeClock* c, long frame);
  long frames;
  void* context;
  SarRealtime* rt;
} FakeClock;

static inline long long fake_ns(double seconds) { return (long long)(1e9 * seconds + 0.5); }

static inline long long fake_now(void* context) { return ((FakeClock*)context)->now; }

static inline void fake_wait(void* context, long long until) {
  FakeClock* c = context;
  if (until > c->now) c->now = until;
  c->now += fake_ns(c->cost.wake);
}

static inline long long fake_cpu(void* context) {
  FakeClock* c = context;
  if (c->readings++ % 2 == 1) {
    c->cpu_ns += fake_ns(c->cost.cpu);
    c->now += fake_ns(c->cost.cpu) + fake_ns(c->cost.preempted);
    c->faults += c->cost.faults;
    c->script(c, ++c->frames);
  }
  return c->cpu_ns;
}

static inline long fake_faults(void* context) { return ((FakeClock*)context)->faults; }

// For SarRtOptions.exchange, or from there.
static inline SarStatus fake_exchange(void* context, const SarRtFrame* frame) {
  (void)frame;
  FakeClock* c = context;
  c->now += fake_ns(c->cost.exchange);
  return SAR_OK;
}

static inline SarRtClock fake_clock(FakeClock* c) {
  c->script(c, 0);
  return (SarRtClock){c, fake_now, fake_wait, fake_cpu, fake_faults};
}
