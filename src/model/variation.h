// First variation: how everything that forces and constraints depend on changes along one direction
// of positions, velocities, states, inputs and time (directional derivatives, forward mode).
//
// dynamics/variation.h fills it from the direction; force elements add what their forces change by
// (SarForceKind.vary). Values stand in SarData, their changes here, under the same names.
#pragma once
#include "symbolic/tape.h"
#include "math/spatial.h"

// clang-format off
#define SAR_VARIATION_ARRAYS(X)                                                                         \
  /* the direction: coordinates are local ones, q = retract(q, dq) */                                   \
  X(double, dq,           nv,     "of positions")                                                       \
  X(double, dv,           nv,     "of velocities")                                                      \
  X(double, dz,           nz,     "of states")                                                          \
  X(double, input,        ninput, "of inputs")                                                          \
  /* what follows from it */                                                                            \
  X(Motion, body_X,       nbody_all, "turn of B, and shift of its origin; ground axes")                    \
  X(Motion, body_V,       nbody_all, "of V, in B")                                                         \
  X(Motion, body_A,       nbody,  "of A at the same joint accelerations, in B")                         \
  X(double, q,            nq_all, "of positions as stored: quaternions too, and those of cut joints")   \
  X(double, v,            nv_all, "of velocities, those of cut joints too")                             \
  X(double, slot,         nslot,  "of slots")                                                           \
  X(double, reg,          nregister, "scratch of the programs")                                         \
  /* what elements and joints add */                                                                    \
  X(Force,  body_F,       nbody_all, "of the applied forces on bodies and of constraint forces, in B")     \
  X(double, tau,          nv_all, "of joint forces")                                                    \
  X(double, force_output, nforce_output, "of what elements report")                                     \
  X(double, force_cache,  nforce_cache, "of what they leave for others")                                \
  X(double, z_rate,       nz,     "of the rates of states")                                             \
  X(double, row_speed,    nrow,   "of Phi' = Psi v + Phi_t")                                            \
  X(double, row,          nrow,   "of Phi'' = Psi a - gamma at the same a")
// clang-format on

typedef struct SarVariation {
  double t;  // of time
  SarRates* rates;
#define X(type, name, n, doc) type* name;
  SAR_VARIATION_ARRAYS(X)
#undef X
} SarVariation;
