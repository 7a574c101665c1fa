// How the value of an expression follows what it measures: derivatives taken when the model was
// compiled, for tangents. They are there for actuators and controlled forces, with respect to
// quantities of their own joint or body (SarForceKind.controlled).
#pragma once
#include "model/data.h"

// The first partial derivative of the value in `slot`; those of one slot follow each other.
static inline int sar_first_partial(const SarModel* m, int slot) {
  int low = 0, high = m->npartial;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (m->partial[middle].slot < slot)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
static inline bool sar_is_partial(const SarModel* m, int k, int slot) {
  return k < m->npartial && m->partial[k].slot == slot;
}
static inline const SarMeasure* sar_partial_measure(const SarModel* m, int k) {
  return &m->measure[m->partial_measure[k]];
}
// Its value. Needs sar_update_forces.
static inline double sar_partial_value(const SarModel* m, SarData* d, int k) {
  const SarExprEntry* e = &m->partial[k];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

// Adds -d value/d q_i and -d value/d v_i, for a joint's own coordinate i (of the file), to *k and
// *c. Negative ones are left out: see SarBodyTangent. q_i: where velocities are the rates of
// positions.
static inline void sar_add_coordinate_partials(const SarModel* m, SarData* d, int slot, int joint,
                                               int i, double* k, double* c) {
  double of_q = 0, of_v = 0;
  const bool plain = m->joint_nq[joint] == m->joint_nv[joint];
  for (int p = sar_first_partial(m, slot); sar_is_partial(m, p, slot); p++) {
    const SarMeasure* of = sar_partial_measure(m, p);
    if (of->index != joint || of->component != i) continue;
    if (of->kind == SAR_MEASURE_Q && plain) of_q -= sar_partial_value(m, d, p);
    if (of->kind == SAR_MEASURE_V) of_v -= sar_partial_value(m, d, p);
  }
  if (of_q > 0) *k += of_q;
  if (of_v > 0) *c += of_v;
}
