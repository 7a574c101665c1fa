// The parts of `lagrange` (lagrange.c), for formulations that evaluate its equations in another
// way.
#pragma once
#include "dynamics/augmented.h"
#include "dynamics/projection.h"
#include "formulations/index1/family.h"
#include "linalg/dense.h"

typedef struct SarLagrange {
  SarAugmented system;
  double *F, *x;
  double *rows, *tau;  // nv x nrow, nrow: choosing rows
  int* pivot;          // nrow
  SarDenseWork dense;
  bool has_passage;
  SarIndex1Run passage;  // past singular positions
  // of an evaluation near one by the sparse factor: the state on the constraints where it was made,
  // and what was open before; is_closed: the last one was such
  double *closed_q, *closed_v;
  SarViolation found;
  bool is_closed;
  int* alone;         // state without a passage: 1: the step begins near a singular position
  double* grip_seen;  // state: SAR_GRIP_SEEN of the grips that grip.h found
  double* clear;      // state: by how much the grip can fall before it need be looked at
  // Another way to evaluate, Nullable. It leaves a, lambda, the rates, Phi, Phi' and Psi in d, says
  // whether kinematics too (s->bare), and in back_q and back_v what brings positions and velocities
  // back. False: not here.
  bool (*quick)(SarSim* s);
  double *back_q, *back_v;  // nv
  double* weight;           // state: nrow, the weights that it takes, as the system had them
  bool is_quick;            // the last evaluation went that way: there is no factor
} SarLagrange;

// s->formulation_state begins with a SarLagrange. Its pieces, and its fields of the state; `quick`:
// with room for another way.
void sar_lagrange_layout(SarLagrange* p, const SarModel* m, const int* row_order, int rank,
                         bool quick, SarBlock* b);
void sar_lagrange_declare(SarLagrange* p, SarSim* s, bool quick);

// One evaluation by the sparse factor: the terms where d is, but for M and the bias; a and lambda
// of terms and a factor that are there.
void sar_lagrange_update(const SarModel* m, SarData* d);
SarStatus sar_lagrange_solve(SarSim* s, SarLagrange* p);
// Evaluation in a step that comes near a singular position (lagrange_near.c).
SarStatus sar_lagrange_accel_near(SarSim* s, SarLagrange* p);
// The end of such a step, where the last evaluation has been on the constraints. False: it has not.
bool sar_lagrange_land_firm(SarSim* s, SarLagrange* p);

// As a formulation has them.
void sar_lagrange_init(SarSim* s);
void sar_lagrange_adopt(SarSim* s);
void sar_lagrange_regroup(SarSim* s);
void sar_lagrange_look(SarSim* s);
SarStatus sar_lagrange_accel(SarSim* s);
void sar_lagrange_filter(SarSim* s, double* x);
SarStatus sar_lagrange_settle(SarSim* s);
