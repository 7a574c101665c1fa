// The quantities of outputs.def by name, for those who mean a certain one; and what their files
// share.
#pragma once
#include "model/output_kind.h"
#include "model/sim.h"

#define SAR_OUTPUT(name) extern const SarOutputKind sar_output_##name;
#include "sim/outputs/outputs.def"
#undef SAR_OUTPUT

static inline bool always_past(const SarChannel* c) {
  (void)c;
  return true;
}
// SarOutputKind.past
static inline bool sar_output_is_past(const SarChannel* c) {
  return c->kind->past && c->kind->past(c);
}

static inline double v3_component(V3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
// 0..2 the force, 3..5 the torque
static inline double force_component(Force F, int i) {
  return i < 3 ? v3_component(F.f, i) : v3_component(F.n, i - 3);
}
