// Singular positions (kinematic singularities) ahead of implicit steps: are the constraints about
// to lose their grip on some motion? Steps that begin there are judged by their energy
// (sim/judge_energy.c).
#pragma once
#include "base/block.h"
#include "dynamics/grip.h"
#include "linalg/dense.h"
#include "model/sim.h"

typedef struct SarAhead {
  // state
  int* near;          // 1: the next step begins near a singular position
  double* grip_seen;  // SAR_GRIP_SEEN of the weakest row (index1/family.h)
  // where the grip was looked at last: by how much it could fall from there before it matters
  // (behind it: the grip where the run began by the geometry alone, and that of the first step),
  // the rows of Psi, and the scales that make lengths of rows comparable
  double *clear, *seen, *row_scale, *dof_scale;
  // scratch of a decomposition; NULL: the model is too large for one
  double *rows, *tau;
  int* pivot;
  SarDenseWork dense;
} SarAhead;

// Takes its pieces of a block; declares the state.
void sar_ahead_layout(SarAhead* p, const SarModel* m, SarBlock* b);
void sar_ahead_declare(SarAhead* p, SarSim* s);
// Contracts of SarFormulation.adopt, .regroup (and .init, with constraints evaluated), .look.
// system: as the step left it, factored. rests_near: beside a singular position steps are only
// judged, so that a look may serve more of them there, too.
void sar_ahead_adopt(const SarAhead* p, SarSim* s);
void sar_ahead_regroup(SarAhead* p, SarSim* s);
void sar_ahead_look(SarAhead* p, SarSim* s, const SarFactored* system, bool rests_near);
