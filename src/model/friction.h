// Dry friction of a joint's coordinate as a function of its speed: Coulomb friction with break-away
// (static) friction and the Stribeck effect,
//
//   F(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)          Fc = friction, Fs = breakaway, vs =
//                                                   stribeck_speed
//
// at most F(0) = Fs at rest, F(v) against the motion when it slides. Where the set-valued law is
// not taken as it is, f = -F(v) tanh(v / friction_speed) stands for it.
// Source: Armstrong-Helouvry, Dupont and Canudas de Wit, A survey of models, analysis tools and
// compensation methods for the control of machines with friction, Automatica 30 (1994), sec. 2.
#pragma once
#include "model/model.h"

static inline bool sar_friction_falls(const SarModel* m, int dof) {
  return m->dof_breakaway[dof] > m->dof_friction[dof];
}

static inline double sar_friction_at(const SarModel* m, int dof, double v) {
  const double Fc = m->dof_friction[dof];
  if (!sar_friction_falls(m, dof)) return Fc;
  const double x = v / m->dof_stribeck_speed[dof];
  return Fc + (m->dof_breakaway[dof] - Fc) * exp(-x * x);
}

// dF/dv for v >= 0; not positive
static inline double sar_friction_slope(const SarModel* m, int dof, double v) {
  if (!sar_friction_falls(m, dof)) return 0;
  const double vs = m->dof_stribeck_speed[dof], x = v / vs;
  return -2 * x / vs * (m->dof_breakaway[dof] - m->dof_friction[dof]) * exp(-x * x);
}

static inline double sar_smooth_friction(const SarModel* m, int dof, double v) {
  return -sar_friction_at(m, dof, v) * tanh(v / m->dof_friction_speed[dof]);
}
