// FMI 2.0 over an instance: what is of model exchange or of co-simulation alone.
#include "fmi/runtime/fmi2_parts.h"

static Fmi2Status status_of(SarFmuStatus status) { return (Fmi2Status)status; }

// ---- model exchange -----------------------------------------------------------------------------

static bool is_exchange(Fmi2Component c) {
  if (!c) return false;
  if (!FMU2(c)->me) sar_fmu_say(FMU2(c), FMU_ERROR, "this is an instance for co-simulation");
  return FMU2(c)->me;
}

FMU_API Fmi2Status fmi2EnterEventMode(Fmi2Component c) {
  if (!is_exchange(c)) return FMI2_ERROR;
  FMU2(c)->mode = FMU_EVENT;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2NewDiscreteStates(Fmi2Component c, Fmi2EventInfo* info) {
  SarFmuEvent event;
  if (!info || !is_exchange(c)) return FMI2_ERROR;
  const SarFmuStatus st = sar_fmu_update_discrete(FMU2(c), &event);
  *info = (Fmi2EventInfo){.values_changed = event.values_changed,
                          .next_time_defined = event.next_time_defined,
                          .next_time = event.next_time};
  return status_of(st);
}

FMU_API Fmi2Status fmi2EnterContinuousTimeMode(Fmi2Component c) {
  if (!is_exchange(c)) return FMI2_ERROR;
  sar_fmu_enter_continuous(FMU2(c));
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2CompletedIntegratorStep(Fmi2Component c, Fmi2Boolean no_way_back,
                                               Fmi2Boolean* enter_event_mode,
                                               Fmi2Boolean* terminate) {
  bool event;
  (void)no_way_back;
  if (!enter_event_mode || !terminate || !is_exchange(c)) return FMI2_ERROR;
  const SarFmuStatus st = sar_fmu_step_completed(FMU2(c), &event);
  *enter_event_mode = event;
  *terminate = 0;
  return status_of(st);
}

FMU_API Fmi2Status fmi2SetTime(Fmi2Component c, double t) {
  return is_exchange(c) ? status_of(sar_fmu_set_time(FMU2(c), t)) : FMI2_ERROR;
}

static bool has_length(Fmi2Component c, const double* x, size_t n, size_t wanted) {
  if (!is_exchange(c)) return false;
  if (n == wanted && (x || n == 0)) return true;
  sar_fmu_say(FMU2(c), FMU_ERROR, "there are %zu numbers, not %zu", wanted, n);
  return false;
}

static size_t states_of(Fmi2Component c) {
  return c ? (size_t)FMU2(c)->description.num[SAR_FMI_STATE] : 0;
}

FMU_API Fmi2Status fmi2SetContinuousStates(Fmi2Component c, const double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c)) || !sar_fmu_ready(FMU2(c))) return FMI2_ERROR;
  sar_fmu_write_states(FMU2(c), x);
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetDerivatives(Fmi2Component c, double x[], size_t n) {
  return has_length(c, x, n, states_of(c)) ? status_of(sar_fmu_rates(FMU2(c), x)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2GetEventIndicators(Fmi2Component c, double x[], size_t n) {
  const size_t wanted = c ? (size_t)FMU2(c)->model->m->nswitch : 0;
  return has_length(c, x, n, wanted) ? status_of(sar_fmu_indicators(FMU2(c), x)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2GetContinuousStates(Fmi2Component c, double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c)) || !sar_fmu_ready(FMU2(c))) return FMI2_ERROR;
  sar_fmu_read_states(FMU2(c), x);
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetNominalsOfContinuousStates(Fmi2Component c, double x[], size_t n) {
  if (!has_length(c, x, n, states_of(c))) return FMI2_ERROR;
  for (size_t i = 0; i < n; i++) x[i] = 1;
  return FMI2_OK;
}

// ---- co-simulation ------------------------------------------------------------------------------

static Fmi2Status refuse(Fmi2Component c, const char* what) {
  return c ? status_of(sar_fmu_say(FMU2(c), FMU_ERROR, "%s", what)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2SetRealInputDerivatives(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                               const int order[], const double value[]) {
  (void)vr, (void)n, (void)order, (void)value;
  return refuse(c, "inputs are held between steps: they have no derivatives");
}

FMU_API Fmi2Status fmi2GetRealOutputDerivatives(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                                const int order[], double value[]) {
  (void)vr, (void)n, (void)order, (void)value;
  return refuse(c, "derivatives of outputs by time are not offered");
}

FMU_API Fmi2Status fmi2DoStep(Fmi2Component c, double t, double h, Fmi2Boolean no_way_back) {
  SarFmuStep step = {.t = t, .h = h};
  (void)no_way_back;
  return c ? status_of(sar_fmu_do_step(FMU2(c), &step)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2CancelStep(Fmi2Component c) {
  return refuse(c, "steps are over when they return: there is none to be cancelled");
}

FMU_API Fmi2Status fmi2GetStatus(Fmi2Component c, Fmi2StatusKind kind, Fmi2Status* value) {
  if (!c || !value || kind != FMI2_DO_STEP_STATUS) return FMI2_DISCARD;
  *value = FMU2(c)->mode == FMU_ENDED ? FMI2_ERROR : FMI2_OK;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetRealStatus(Fmi2Component c, Fmi2StatusKind kind, double* value) {
  if (!c || !value || kind != FMI2_LAST_SUCCESSFUL_TIME || !FMU2(c)->s) return FMI2_DISCARD;
  *value = FMU2(c)->d->t;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetIntegerStatus(Fmi2Component c, Fmi2StatusKind kind, int* value) {
  (void)c, (void)kind, (void)value;
  return FMI2_DISCARD;
}

FMU_API Fmi2Status fmi2GetBooleanStatus(Fmi2Component c, Fmi2StatusKind kind, int* value) {
  if (!c || !value || kind != FMI2_TERMINATED) return FMI2_DISCARD;
  *value = 0;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetStringStatus(Fmi2Component c, Fmi2StatusKind kind, const char** value) {
  (void)c, (void)kind, (void)value;
  return FMI2_DISCARD;
}
