// Co-simulation: a communication step is as many steps of the model's own integrator as it takes.
#include "fmi/runtime/instance.h"

#include <math.h>

static const double ROUNDING = 1e-9;  // of a step: what sums of times may be off by

static SarFmuStatus check(const SarFmu* f, const SarFmuStep* step) {
  const double off = fabs(step->t - f->d->t);
  if (!isfinite(step->t) || !isfinite(step->h) || step->h < 0)
    return sar_fmu_say(f, FMU_ERROR, "a step of %g s from t = %g is none", step->h, step->t);
  if (off > ROUNDING * fmax(fabs(step->t), step->h))
    return sar_fmu_say(f, FMU_ERROR, "a step begins at t = %.17g, and the model is at t = %.17g",
                       step->t, f->d->t);
  return FMU_OK;
}

SarFmuStatus sar_fmu_do_step(SarFmu* f, SarFmuStep* step) {
  step->event = step->early = false;
  if (f->mode != FMU_STEPPING)
    return sar_fmu_say(f, FMU_ERROR, "a step can be made in step mode only");
  if (!sar_fmu_ready(f) || check(f, step) != FMU_OK) return FMU_ERROR;
  const double end = step->t + step->h;  // exact where h is a difference of two times (Sterbenz)
  const long events = sar_event_count(f->s);
  SarStatus st = SAR_OK;
  f->pause = step->may_return || step->after;
  sar_fmu_touch(f);
  while (st == SAR_OK && f->d->t < end && !step->early) {
    st = sar_advance(f->s, end);
    if (st == SAR_STOPPED && f->pause) st = SAR_OK;
    if (st != SAR_OK) break;
    step->event = sar_event_count(f->s) > events;
    const bool asked = step->after && step->after(step->context, f->d->t);
    step->early = f->d->t < end && ((step->may_return && step->event) || asked);
  }
  f->pause = 0;
  sar_fmu_tell_events(f);
  if (st == SAR_OK) return FMU_OK;
  f->mode = FMU_ENDED;
  return sar_fmu_step_failed(f, st);
}
