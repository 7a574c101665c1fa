// A run that goes on in another model with the same names: between two frames, by the loop's own
// thread, which takes memory for it and is late by as much. What was kept to compute frames again
// is of the old model and is let go.
#include "realtime/again.h"
#include "realtime/couple.h"
#include "sim/carry.h"

SarStatus sar_rt_change(SarRealtime* rt, const SarModel* m, SarError* err) {
  SarRung* rung = &rt->rung[0];
  SarData* d = NULL;
  SarSim* s = NULL;
  if (rt->rungs != 1) return SAR_NOT_OFFERED;
  const SarStatus st = sar_carry_on(m, rt->d, &rt->sim, &d, &s, err);
  if (st != SAR_OK) return st;
  // the report counts on
  const SarStats *then = &rung->before, *now = &rung->s->stats;
  const long steps = now->steps - then->steps,
             unsettled = now->unsettled_steps - then->unsettled_steps;
  sar_again_free(rt->again);
  rt->again = NULL;
  sar_sim_free(rung->s);
  sar_data_free(rt->d);
  rt->m = m;
  rt->d = d;
  rung->s = s;
  rung->before = s->stats;
  rung->before.steps -= steps;
  rung->before.unsettled_steps -= unsettled;
  return SAR_OK;
}

SarStatus sar_couple_change(SarMember* me, SarModel* m, SarError* err) {
  if (me->rt) SAR_TRY(sar_rt_change(me->rt, m, err));
  sar_model_free(me->m);
  me->m = m;
  return SAR_OK;
}
