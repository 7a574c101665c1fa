// Solids of a compiled model by name.
#pragma once
#include "model/model.h"
#include "support/test.h"

static inline const SarCollider* find_collider(const SarModel* m, const char* name) {
  for (int i = 0; i < m->ncollider; i++)
    if (strcmp(sar_text(m, m->collider[i].name), name) == 0) return &m->collider[i];
  fail_msg("no solid '%s'", name);
  return NULL;
}
