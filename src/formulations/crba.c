// Composite rigid bodies: the mass matrix, factored along the branches of the tree.
//
// O(n d) for a tree of depth d: for short chains as fast as articulated bodies, and an independent
// check of them.
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), sections 6.2 and 6.5.
#include "dynamics/mass.h"
#include "model/sim.h"

static SarStatus accel(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return sar_crba_accel(s->m, s->d, s->formulation_state);
}

// one entry for every coordinate and each of its ancestors
static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  return sar_mass_entries(m) * sizeof(double);
}

const SarFormulation sar_formulation_crba = {
    .name = "crba",
    .doc = "mass matrix of composite bodies, open trees, sparse factors",
    .ref = "Featherstone 2008, ch. 6",
    .why = "the model is an open tree",
    .shape = SAR_SHAPE_ACCEL,
    .tried = SAR_TRY_TREES,
    .state_size = state_size,
    .accel = accel,
};
