// What the two files of the tangent in natural coordinates share: system.c, system_forces.c.
#pragma once
#include "formulations/natural/system.h"

static inline double* sar_natural_entry(SarNatSystem* s, int i, int j) {  // i, j: rows of T
  return &s->T.value[i > j ? s->T.adr[i] + (size_t)j : s->T.adr[j] + (size_t)i];
}

// T += w sum f_a f_b' over the items of one row
void sar_natural_add_square(SarNatSystem* s, int dim, double w, int num, const int* item,
                            const V3* f);
// T += gain_K K + gain_C C of the applied forces, and the inertia of motors
void sar_natural_add_tangents(SarNatSystem* s, const SarNatural* p, SarData* d,
                              const SarNatGains* g);
// T += friction that holds joints. No row works against it: rows as much stronger than it as they
// are than inertia would leave nothing of the masses in double precision, and T would not be
// definite.
void sar_natural_add_holding(SarNatSystem* s, const SarNatural* p, SarData* d,
                             const SarNatGains* g);
