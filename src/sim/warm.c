// Warm start of caches: a step before the first one, so that its code, its data and the processor's
// branch predictors are where they will be in all others. A step of a cold program takes up to one
// and a half times as long.
#include "base/error.h"
#include "model/data.h"
#include "model/sim.h"

SAR_API SarStatus sar_warm_up(SarSim* s) {
  SarData* before = NULL;
  SAR_GIVEN(s);
  if (s->m->ncall > 0) return SAR_OK;  // functions of the host would be called
  SarStatus st = sar_data_new(s->m, &before, NULL);
  if (st == SAR_OK) st = sar_data_copy(before, s->d);
  if (st == SAR_OK) {
    const SarStats stats = s->stats;
    (void)sar_step(s);  // one that fails has run the same code
    st = sar_data_copy(s->d, before);
    s->stats = stats;
    s->trouble[0] = 0;
  }
  sar_data_free(before);
  return st;
}
