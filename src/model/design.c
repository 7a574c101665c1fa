// The design position (all joints at zero) and what force elements take from it.
#include "model/model.h"

// at zero every B lies on its F, so X_GB is the product of the joint frames on the way to ground
Xform sar_design_pose(const SarModel* m, int body) {
  Xform X = x_identity();
  for (int b = body; b >= 0; b = m->body_parent[b]) X = x_mul(m->body_X_PF[b], X);
  return X;
}

void sar_forces_prepare(SarModel* m) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->prepare)
      m->force_kind[i]->prepare(m, i, &m->attr_data[m->force_constant_adr[i]]);
}
