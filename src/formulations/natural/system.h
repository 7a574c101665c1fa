// The tangent of an implicit step in natural coordinates, sparse and positive definite:
//
//   T = M + gain_C C + gain_K K + Phi_z' w Phi_z,       w_k = penalty gain_K, or
//                                                       GRIP / (Phi_z D^-1 Phi_z')_kk, D the
//                                                       diagonal of the rest of T
//
// analysed once, factored in every iteration; its factor serves the projections too. K and C are
// those of the applied forces, and the inertia of motors is here because it is not constant in z.
#pragma once
#include "formulations/natural/natural.h"

typedef struct SarNatSystem {
  SarEnvelope T;
  int* place;          // nitem: first row of each item
  double* weight;      // nrow: w
  double* resistance;  // nitem: D
  V3* scaled;          // entries of w Phi_z where T was factored
  double* x;           // n
} SarNatSystem;

typedef struct SarNatGains {
  double K, C;     // of stiffness and damping
  double penalty;  // 0: by inertia
} SarNatGains;

// Memory comes from the arena of p. SAR_NO_MEMORY.
SarStatus sar_natural_system_init(SarNatSystem* s, SarNatural* p);
// After sar_natural_constraints; with forces, also sar_natural_write and sar_update_forces.
SarStatus sar_natural_system_factor(SarNatSystem* s, const SarNatural* p, SarData* d,
                                    const SarNatGains* g);
// f <- T^-1 f
void sar_natural_system_solve(SarNatSystem* s, const SarNatural* p, V3* f);
// f = -T^-1 Phi_z' w e, with Phi_z of the place where T was factored. Both must be of the same
// place: w e is so large that a Phi_z from 1e-9 away would push accelerations of the double
// four-bar by 0.1 m/s^2.
void sar_natural_system_correct(SarNatSystem* s, const SarNatural* p, const double* e, V3* f);
