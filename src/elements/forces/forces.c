// The list of force kinds, made from forces.def.
#include "model/force_kind.h"

#include <string.h>

#define SAR_FORCE(name) extern const SarForceKind sar_force_##name;
#include "elements/forces/forces.def"
#undef SAR_FORCE

static const SarForceKind* const KINDS[] = {
#define SAR_FORCE(name) &sar_force_##name,
#include "elements/forces/forces.def"
#undef SAR_FORCE
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const SarForceKind* sar_force_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}

const SarForceKind* sar_force_kind_find(const char* name) {
  for (int i = 0; i < KIND_COUNT; i++)
    if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
  return NULL;
}
