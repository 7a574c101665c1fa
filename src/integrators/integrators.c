// The list of integrators, made from integrators.def.
#include "model/sim.h"

#include <string.h>

#define SAR_INTEGRATOR(name) extern const SarIntegrator sar_integrator_##name;
#include "integrators/integrators.def"
#undef SAR_INTEGRATOR

static const SarIntegrator* const all[] = {
#define SAR_INTEGRATOR(name) &sar_integrator_##name,
#include "integrators/integrators.def"
#undef SAR_INTEGRATOR
};

enum { COUNT = sizeof all / sizeof *all };
_Static_assert((int)COUNT <= (int)SAR_MOST_METHODS, "lists of names have room for so many");

const SarIntegrator* sar_integrator(int index) {
  return index >= 0 && index < COUNT ? all[index] : NULL;
}

const SarIntegrator* sar_integrator_find(const char* name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}
