// The methods of the index-1 family among the formulations.
#pragma once
#include "formulations/index1/family.h"

// The i-th, NULL past the end. Formulations that only build on a method (Baumgarte's) do not count.
static inline const SarFormulation* index1_method(int i) {
  for (int k = 0, seen = 0; i >= 0 && sar_formulation(k); k++) {
    const SarFormulation* f = sar_formulation(k);
    bool own = f->accelerations.solve &&
               (f->accelerations.solve != sar_index1_qr || f == sar_formulation_find("qr"));
    if (own && seen++ == i) return f;
  }
  return NULL;
}
