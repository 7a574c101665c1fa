// Accelerations of an open tree as one function of its state, for the formulation `generated`: compiled
// C where there is a compiler, else the same equations as a tape.
#pragma once
#include "base/error.h"
#include "model/data.h"

typedef struct SarKernel SarKernel;

// SAR_NOT_OFFERED: something of the model has no equations in symbols; `note` names it. Otherwise the
// note says why there is no compiled code, or is "". $SARRUS_GENERATED = tape: no compiler is asked for.
SarStatus sar_kernel_new(const SarModel* m, SarKernel** out, char* note, size_t size);
void sar_kernel_free(SarKernel* k);
// t, q, v, z, input, tau_host of d -> a, z_rate, work_rate. Allocates nothing. False: not finite.
bool sar_kernel_eval(SarKernel* k, SarData* d);
