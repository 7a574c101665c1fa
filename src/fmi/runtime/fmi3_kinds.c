// FMI 3.0 over an instance: what is of model exchange or of co-simulation alone, and events.
#include "fmi/runtime/fmi3_parts.h"

#include <math.h>

static Fmi3Status status_of(SarFmuStatus status) { return (Fmi3Status)status; }

// ---- events -------------------------------------------------------------------------------------

FMU_API Fmi3Status fmi3EnterEventMode(Fmi3Instance c) {
  if (!c) return FMI3_ERROR;
  if (!FMU3(c)->me && !((const Fmu3*)c)->event_mode_used)
    return status_of(sar_fmu_say(FMU3(c), FMU_ERROR, "event mode is not used by this instance"));
  FMU3(c)->mode = FMU_EVENT;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3EvaluateDiscreteStates(Fmi3Instance c) { return c ? FMI3_OK : FMI3_ERROR; }

// In co-simulation the step has done what was to be done; inputs may have changed, that is all.
FMU_API Fmi3Status fmi3UpdateDiscreteStates(Fmi3Instance c, bool* again, bool* terminate,
                                            bool* nominals_changed, bool* values_changed,
                                            bool* next_time_defined, double* next_time) {
  SarFmuEvent event = {0};
  if (!c || !again || !terminate || !nominals_changed || !values_changed || !next_time_defined ||
      !next_time)
    return FMI3_ERROR;
  SarFmuStatus st = FMU_OK;
  if (FMU3(c)->me)
    st = sar_fmu_update_discrete(FMU3(c), &event);
  else if (!sar_fmu_ready(FMU3(c)))
    st = FMU_ERROR;
  *again = *terminate = *nominals_changed = false;
  *values_changed = event.values_changed;
  *next_time_defined = event.next_time_defined;
  *next_time = event.next_time_defined ? event.next_time : (double)INFINITY;
  return status_of(st);
}

// ---- model exchange -----------------------------------------------------------------------------

static bool is_exchange(Fmi3Instance c) {
  if (!c) return false;
  if (!FMU3(c)->me) sar_fmu_say(FMU3(c), FMU_ERROR, "this is an instance for co-simulation");
  return FMU3(c)->me;
}

FMU_API Fmi3Status fmi3EnterContinuousTimeMode(Fmi3Instance c) {
  if (!is_exchange(c)) return FMI3_ERROR;
  sar_fmu_enter_continuous(FMU3(c));
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3CompletedIntegratorStep(Fmi3Instance c, bool no_way_back,
                                               bool* enter_event_mode, bool* terminate) {
  (void)no_way_back;
  if (!enter_event_mode || !terminate || !is_exchange(c)) return FMI3_ERROR;
  *terminate = false;
  return status_of(sar_fmu_step_completed(FMU3(c), enter_event_mode));
}

FMU_API Fmi3Status fmi3SetTime(Fmi3Instance c, double t) {
  return is_exchange(c) ? status_of(sar_fmu_set_time(FMU3(c), t)) : FMI3_ERROR;
}

static bool has_length(Fmi3Instance c, const double* x, size_t n, size_t wanted) {
  if (!is_exchange(c)) return false;
  if (n == wanted && (x || n == 0)) return true;
  sar_fmu_say(FMU3(c), FMU_ERROR, "there are %zu numbers, not %zu", wanted, n);
  return false;
}

static size_t states_of(Fmi3Instance c) {
  return c ? (size_t)FMU3(c)->description.num[SAR_FMI_STATE] : 0;
}

static size_t indicators_of(Fmi3Instance c) { return c ? (size_t)FMU3(c)->model->m->nswitch : 0; }

FMU_API Fmi3Status fmi3SetContinuousStates(Fmi3Instance c, const double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c)) || !sar_fmu_ready(FMU3(c))) return FMI3_ERROR;
  sar_fmu_write_states(FMU3(c), x);
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetContinuousStateDerivatives(Fmi3Instance c, double x[], size_t n) {
  return has_length(c, x, n, states_of(c)) ? status_of(sar_fmu_rates(FMU3(c), x)) : FMI3_ERROR;
}

FMU_API Fmi3Status fmi3GetEventIndicators(Fmi3Instance c, double x[], size_t n) {
  return has_length(c, x, n, indicators_of(c)) ? status_of(sar_fmu_indicators(FMU3(c), x))
                                               : FMI3_ERROR;
}

FMU_API Fmi3Status fmi3GetContinuousStates(Fmi3Instance c, double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c)) || !sar_fmu_ready(FMU3(c))) return FMI3_ERROR;
  sar_fmu_read_states(FMU3(c), x);
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetNominalsOfContinuousStates(Fmi3Instance c, double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c))) return FMI3_ERROR;
  for (size_t i = 0; i < n; i++) x[i] = 1;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetNumberOfEventIndicators(Fmi3Instance c, size_t* n) {
  if (!n || !is_exchange(c)) return FMI3_ERROR;
  *n = indicators_of(c);
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetNumberOfContinuousStates(Fmi3Instance c, size_t* n) {
  if (!n || !is_exchange(c)) return FMI3_ERROR;
  *n = states_of(c);
  return FMI3_OK;
}

// ---- co-simulation ------------------------------------------------------------------------------

FMU_API Fmi3Status fmi3EnterStepMode(Fmi3Instance c) {
  if (!c || FMU3(c)->me) return FMI3_ERROR;
  FMU3(c)->mode = FMU_STEPPING;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetOutputDerivatives(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                            const int32_t order[], double value[], size_t values) {
  (void)vr, (void)n, (void)order, (void)value, (void)values;
  if (c) sar_fmu_say(FMU3(c), FMU_ERROR, "derivatives of outputs by time are not offered");
  return FMI3_ERROR;
}

// The importer may look at a state within the step, and may ask to be back there. A time that it
// wishes for lies ahead: the steps of the integrator up to it are made, the one that passes it is
// the last.
typedef struct Watching {
  const Fmu3* c;
  bool asked;
  double until;
} Watching;

static bool after_step(void* context, double t) {
  Watching* w = context;
  bool early = false;
  double until = t;
  const bool may = w->c->early_return_allowed;
  sar_fmu_touch(w->c->f);
  w->c->intermediate(w->c->environment, t, false, true, true, may, &early, &until);
  if (early && may) w->asked = true, w->until = until;
  return w->asked && t >= w->until;
}

FMU_API Fmi3Status fmi3DoStep(Fmi3Instance instance, double t, double h, bool no_way_back,
                              bool* event, bool* terminate, bool* early, double* reached) {
  const Fmu3* c = instance;
  (void)no_way_back;
  if (!c || !event || !terminate || !early || !reached) return FMI3_ERROR;
  Watching watching = {.c = c};
  SarFmuStep step = {.t = t,
                     .h = h,
                     .may_return = c->event_mode_used && c->early_return_allowed,
                     .after = c->intermediate ? after_step : NULL,
                     .context = &watching};
  const SarFmuStatus st = sar_fmu_do_step(c->f, &step);
  *event = c->event_mode_used && step.event;
  *terminate = false;
  *early = step.early;
  *reached = c->f->s ? c->f->d->t : t;
  return status_of(st);
}
