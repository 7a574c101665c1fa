// Articulated bodies: accelerations of an open tree without a mass matrix, O(n).
//
// The default for trees: its cost per body is the same for any length of chain, and up to a dozen
// coordinates it is no slower than the mass matrix.
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1.
#include "dynamics/tree.h"
#include "model/sim.h"

static SarStatus accel(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return sar_aba(s->m, s->d);
}

const SarFormulation sar_formulation_aba = {
    .name = "aba",
    .doc = "articulated bodies, open trees, O(n)",
    .ref = "Featherstone 2008, ch. 7",
    .why = "the model is an open tree, and the cost per body does not grow with it",
    .shape = SAR_SHAPE_ACCEL,
    .tried = SAR_TRY_TREES,
    .accel = accel,
};
