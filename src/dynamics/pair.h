// What positions and rates of constraints share.
#pragma once
#include "model/data.h"

static const Xform PAIR_GROUND = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static inline const Xform* pair_pose(const SarData* d, int body) {  // X_GB
  return body < 0 ? &PAIR_GROUND : &d->body_X_GB[body];
}
