// Accelerations as one function of the state, for the formulation `generated`: compiled C where
// there is a compiler, else the same equations as a tape. Open trees by articulated bodies; models
// with constraints by the augmented Lagrangian (lagrange.c) with weights of the rows that are
// given.
#pragma once
#include "base/error.h"
#include "model/data.h"

typedef struct SarKernel SarKernel;

// SAR_NOT_OFFERED: something of the model has no equations in symbols; `note` names it. Otherwise
// the note says why there is no compiled code, or is "". $SARRUS_GENERATED = tape: no compiler is
// asked for.
SarStatus sar_kernel_new(const SarModel* m, SarKernel** out, char* note, size_t size);
void sar_kernel_free(SarKernel* k);

// Of models with constraints: weights of the rows (nrow), and what brings q and v back (nv each).
typedef struct SarKernelRows {
  const double* weight;
  double *back_q, *back_v;
} SarKernelRows;

// t, q, v, z, input, tau_host of d -> a, z_rate, work_rate, with constraints lambda, Phi, Phi_dot
// and Psi too. Allocates nothing. False: not finite, or too near to a singular position. rows: NULL
// for open trees.
bool sar_kernel_eval(SarKernel* k, SarData* d, const SarKernelRows* rows);
