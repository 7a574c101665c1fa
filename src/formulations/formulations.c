// The list of formulations, made from formulations.def.
#include "model/sim.h"

#include <string.h>

#define SAR_FORMULATION(name) extern const SarFormulation sar_formulation_##name;
#include "formulations/formulations.def"
#undef SAR_FORMULATION

static const SarFormulation* const all[] = {
#define SAR_FORMULATION(name) &sar_formulation_##name,
#include "formulations/formulations.def"
#undef SAR_FORMULATION
};

enum { COUNT = sizeof all / sizeof *all };
_Static_assert((int)COUNT <= (int)SAR_MOST_METHODS, "lists of names have room for so many");

const SarFormulation* sar_formulation(int index) {
  return index >= 0 && index < COUNT ? all[index] : NULL;
}

const SarFormulation* sar_formulation_find(const char* name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}
