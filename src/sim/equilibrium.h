// Static equilibrium: positions at which nothing moves.
#pragma once
#include "model/sim.h"

typedef struct SarEquilibrium {
  int freedom;    // degrees of freedom
  int redundant;  // constraints that follow from others: reactions are not unique, the shortest are
                  // taken
  int iterations;
  double force;     // largest generalised force that is left [N m or N]
  int unstable;     // directions that the mechanism leaves along,
  int indifferent;  // and those along which nothing holds it
  // nv: the first `freedom` are squares of the natural frequencies about the position [rad^2/s^2],
  // rising, without dampers; a negative one is a direction of instability. Where forces have no
  // potential (motors under control, say) they are real parts: signs, not frequencies. States are
  // held.
  double* omega2;
  double floor;  // omega2 up to this size is rounding
} SarEquilibrium;

typedef struct SarEquilibriumOptions {
  int max_iterations;
  bool settle;  // leaves an unstable equilibrium and looks for a stable one
} SarEquilibriumOptions;

// Moves d of `s` from where it is to an equilibrium at the present time, drives standing still,
// rates of states zero; v and a become zero, lambda and everything that depends on them as in rest.
// out->omega2 is the caller's. SAR_NOT_CONVERGED with a message when there is none nearby. What
// keeps the present position from being one: forces (nv) that constraints do not carry, v being
// zero; the largest of all forces seen; rates of states are in d.
SarStatus sar_equilibrium_left(SarSim* s, double* force, double* largest, SarError* err);
SarStatus sar_equilibrium_find(SarSim* s, const SarEquilibriumOptions* o, SarEquilibrium* out,
                               SarError* err);
// Is every direction held where d rests, however soft beside the stiffest (positive definite K)?
// d->q stays, v is zero afterwards.
SarStatus sar_equilibrium_holds(SarSim* s, bool* firm, SarError* err);
