// Inputs between two samples: held, until they stay out for longer than the time-out; then held on
// or at their fail-safe values, as each of them wants. Private to io/.
#pragma once
#include "realtime/io/port_kind.h"

typedef struct SarArrivals {
  int count;
  double* value;   // of the newest sample
  double* safe;    // fail-safe value
  int64_t* since;  // when it came [ns]
  bool* known;     // has one come at all?
  bool* fail_safe;
  int64_t timeout;  // ns
  bool begun, stale, answered;
  uint64_t echo_sequence;  // the frame that the newest sample answers
} SarArrivals;

// For the inputs that the port took. `safe`: "torque:0+valve:0.2" in place of what the layout says.
// `timeout` [s].
SarStatus sar_arrivals_init(SarArrivals* a, const SarPort* p, const SarPortLayout* l,
                            double timeout, const SarPortOption* safe, SarError* err);
void sar_arrivals_free(SarArrivals* a);

static inline void sar_arrivals_set(SarArrivals* a, int i, double value, int64_t now) {
  a->value[i] = value;
  a->since[i] = now;
  a->known[i] = true;
}
// What a sample says of its way: it answers outputs of `echo_ns` and was sent at `sent_ns` (0: not
// said).
void sar_arrivals_answer(SarArrivals* a, SarPortStats* s, const SarPortFrame* frame,
                         uint64_t echo_sequence, int64_t echo_ns, int64_t sent_ns);
// Puts the inputs in force, and counts time-outs.
void sar_arrivals_apply(SarArrivals* a, SarPort* p, const SarPortFrame* frame);
