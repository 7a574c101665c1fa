// Modal analysis: small motions about a state, frequencies, damping and shapes, with loops.
#pragma once
#include "dynamics/held_contacts.h"
#include "model/sim.h"
#include "sim/multiblade.h"

// Eigenvalues lambda of the linearised equations, those with im >= 0 (of a pair, one), by rising
// |lambda|.
typedef struct SarModeSet {
  int freedom;      // degrees of freedom f
  int count;        // modes: at most 2 f and one for each state
  double *re, *im;  // count: lambda [1/s, rad/s]
  // count x (nv + nz): coordinates of the mode, then states; the longest entry is 1
  double *shape_re, *shape_im;
  double* omega2;       // freedom: squares of the natural frequencies without dampers, rising
  double* share;        // count x nbody: part of the kinetic energy that is the body's
  double acceleration;  // largest at the state: not 0 where it is no equilibrium [rad/s^2 or m/s^2]
  double floor;         // |lambda| up to this is rounding: rigid motion
  void* block;
} SarModeSet;

// Linearises about the present t, q, v, z of s->d, which satisfy the constraints; they are the same
// afterwards. SAR_NOT_CONVERGED: the neighbourhood cannot be reached. Free with sar_mode_set_free.
// held (Nullable): the equations of motion with these contacts held and without dry friction, which
// would hold everything, at a state of rest; else those of the formulation.
SarStatus sar_mode_set_find(SarSim* s, SarHeldContacts* held, SarModeSet* out, SarError* err);
// The same in multiblade coordinates (Nullable), in which shapes are then too.
SarStatus sar_mode_set_find_of(SarSim* s, SarHeldContacts* held, const SarMultiblade* blades,
                               SarModeSet* out, SarError* err);
void sar_mode_set_free(SarModeSet* modes);
