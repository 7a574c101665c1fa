// Warm start of caches: a step before the first one, so that its code, its data and the processor's
// branch predictors are where they will be in all others. A step of a cold program takes up to one
// and a half times as long. What the first step would evaluate where it begins is evaluated too.
#include "sim/warm.h"

#include "base/error.h"
#include "sim/events.h"
#include "sim/setup.h"

// [bytes] A state that fills the caches finds them cold in every step.
static const size_t LARGEST = (size_t)2 << 20;

SarStatus sar_warm_copy(const SarSim* s, SarData** before) {
  *before = NULL;
  // functions of the host would be called
  if (s->m->ncall > 0 || s->d->bytes > LARGEST) return SAR_OK;
  SAR_TRY(sar_data_new(s->m, before, NULL));
  return sar_data_copy(*before, s->d);
}

SarStatus sar_warm_step(SarSim* s, const SarData* before) {
  const SarStats stats = s->stats;
  sar_events_pretend(s, true);
  (void)sar_step(s);  // one that fails has run the same code
  sar_events_pretend(s, false);
  const SarStatus st = sar_data_copy(s->d, before);
  if (st == SAR_OK) (void)sar_step_prepare(s);  // the step itself tells of trouble
  s->stats = stats;
  s->trouble[0] = 0;
  return st;
}

SAR_API SarStatus sar_warm_up(SarSim* s) {
  SarData* before;
  SAR_GIVEN(s);
  SarStatus st = sar_warm_copy(s, &before);
  if (st == SAR_OK && before) st = sar_warm_step(s, before);
  sar_data_free(before);
  return st;
}
