// The symbols of a model as slots of a tape, or as arguments of a compiled function:
//   t, q (nq), v (nv), z (nz), input (ninput), tau (nv), w (ndiscrete)
#pragma once
#include "model/data.h"

int sar_symbols_slots(const SarModel* m);                   // how many
int sar_symbols_slot(const SarModel* m, const char* name);  // -1: no such symbol
void sar_symbols_load(const SarModel* m, const SarData* d, double* slot);
