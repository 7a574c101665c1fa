// Rotors in moving bodies (gyroscopic armature; SarRotor): what they add to the recursive
// algorithms.
//
//   h = g v                              spin momentum, in axes of the carrier c
//   on the carrier:    g a + w_c x g v   (couple)
//   on the coordinate: g . A_c           A_c: angular acceleration of the carrier
//
// Source: Featherstone 2008, sec. 9.6 (geared motors), with the motor's body merged into its
// carrier.
#pragma once
#include "model/data.h"

static inline int sar_rotor_carrier(const SarModel* m, const SarRotor* r) {
  return r->on_body ? r->joint : m->body_parent[r->joint];
}

// g in B of the joint's body
static inline V3 sar_rotor_in_body(const SarData* d, const SarRotor* r) {
  return r->on_body ? r->g : m3_tmul_v(d->body_X_PB[r->joint].R, r->g);
}

// The couple that turns its spin momentum, on the carrier, in B of it; a Nullable: zero.
static inline V3 sar_rotor_couple(const SarModel* m, const SarData* d, const SarRotor* r,
                                  const double* a) {
  const int i = m->joint_vadr[r->joint];
  const V3 n = v3_cross(d->body_V[sar_rotor_carrier(m, r)].w, v3_scale(d->v[i], r->g));
  return a ? v3_axpy(a[i], r->g, n) : n;
}

// Couples of all rotors, added to F (in B of the carriers); a Nullable: zero. Needs kinematics.
void sar_add_rotor_couples(const SarModel* m, const SarData* d, const double* a, LaneForce* F);
// Forces on their coordinates, by body_A, added to tau; a as above.
void sar_add_rotor_torques(const SarModel* m, const SarData* d, const double* a, double* tau);
// Their share of the kinetic energy that armature does not have, and of the momentum: added to F.
double sar_rotor_energy(const SarModel* m, const SarData* d);
void sar_add_rotor_momenta(const SarModel* m, const SarData* d, LaneForce* F);
