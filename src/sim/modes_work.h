// What linearising (modes.c) shares with the modes of the matrix (modes_shapes.c).
#pragma once
#include "formulations/index1/index1.h"
#include "sim/modes.h"

typedef struct SarModesWork {
  SarSim* s;
  const SarModel* m;
  SarData* d;
  SarHeldContacts* held;        // NULL: the formulation's accelerations
  const SarMultiblade* blades;  // NULL: none turn
  int n, f, nz;                 // coordinates, freedoms, states
  double length, t;
  double bound;  // of |lambda| of the mechanism alone
  bool firm;     // at rest and held: no motion is free
  SarIndex1 p;
  double *Psi, *M, *zero, *force, *gamma;  // of p
  double *N, *q0, *v0, *a0, *z0, *work0;   // the state
  double *y, *rate, *across;               // a displaced state: (xi, v, x, work), its rate; f
  double *plus, *minus;                    // 2f + nz: d/dt (z, w, x) on both sides
  double *A, *vectors, *re, *im;           // (2f + nz) squared, column by column
  double *K, *K_vectors;                   // f squared: -d a/d z
  double* dense;                           // work space of the eigenvalues
  int dense_size;
} SarModesWork;

static inline int sar_modes_size(const SarModesWork* w) { return 2 * w->f + w->nz; }  // of A

// Eigenvalues and vectors of w->A, which is lost, as modes. d is at the velocities of some mode
// then.
SarStatus sar_modes_of_A(SarModesWork* w, SarModeSet* out);
