// FMI 3.0 over an instance (instance.h): life, values, states.
#include "fmi/runtime/fmi3_parts.h"

#include "base/alloc.h"

static Fmi3Status status_of(SarFmuStatus status) { return (Fmi3Status)status; }

// ---- life ---------------------------------------------------------------------------------------

FMU_API const char* fmi3GetVersion(void) { return "3.0"; }

static void say(void* owner, SarFmuStatus status, const char* category, const char* text) {
  const Fmu3* c = owner;
  if (c->log) c->log(c->environment, status_of(status), category, text);
}

static Fmi3Instance make(const Fmu3* with, SarFmuMake how) {
  Fmu3* c = sar_alloc(sizeof *c);
  if (!c) return NULL;
  *c = *with;
  how.log = (SarFmuLog){say, c};
  c->f = sar_fmu_new(&how);
  if (c->f) return c;
  sar_free(c);
  return NULL;
}

FMU_API Fmi3Instance fmi3InstantiateModelExchange(const char* name, const char* token,
                                                  const char* resources, bool visible, bool logging,
                                                  void* environment, Fmi3Log* log) {
  (void)name, (void)visible;
  return make(&(Fmu3){.environment = environment, .log = log},
              (SarFmuMake){.token = token, .resources = resources, .me = true, .logging = logging});
}

FMU_API Fmi3Instance fmi3InstantiateCoSimulation(const char* name, const char* token,
                                                 const char* resources, bool visible, bool logging,
                                                 bool event_mode_used, bool early_return_allowed,
                                                 const Fmi3Reference required[], size_t requireds,
                                                 void* environment, Fmi3Log* log,
                                                 Fmi3IntermediateUpdate* intermediate) {
  (void)name, (void)visible, (void)required, (void)requireds;
  return make(&(Fmu3){.environment = environment,
                      .log = log,
                      .intermediate = intermediate,
                      .event_mode_used = event_mode_used,
                      .early_return_allowed = early_return_allowed},
              (SarFmuMake){.token = token, .resources = resources, .logging = logging});
}

FMU_API Fmi3Instance fmi3InstantiateScheduledExecution(const char* name, const char* token,
                                                       const char* resources, bool visible,
                                                       bool logging, void* environment,
                                                       Fmi3Log* log, Fmi3ClockUpdate* clock,
                                                       Fmi3Preemption* lock,
                                                       Fmi3Preemption* unlock) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock,
      (void)unlock;
  if (log) log(environment, FMI3_ERROR, "logStatusError", "scheduled execution is not offered");
  return NULL;
}

FMU_API void fmi3FreeInstance(Fmi3Instance instance) {
  Fmu3* c = instance;
  if (!c) return;
  sar_fmu_free(c->f);
  sar_free(c);
}

FMU_API Fmi3Status fmi3SetDebugLogging(Fmi3Instance c, bool on, size_t count,
                                       const char* const categories[]) {
  (void)count, (void)categories;
  if (!c) return FMI3_ERROR;
  FMU3(c)->logging = on;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3EnterInitializationMode(Fmi3Instance c, bool tolerance_defined,
                                               double tolerance, double start, bool stop_defined,
                                               double stop) {
  (void)stop_defined, (void)stop;
  if (!c) return FMI3_ERROR;
  if (tolerance_defined && tolerance > 0) FMU3(c)->tolerance = tolerance;
  return status_of(sar_fmu_enter_initialization(FMU3(c), start));
}

// Where event mode is used, a run begins with it.
FMU_API Fmi3Status fmi3ExitInitializationMode(Fmi3Instance c) {
  if (!c) return FMI3_ERROR;
  const SarFmuStatus st = sar_fmu_exit_initialization(FMU3(c));
  if (st == FMU_OK && ((const Fmu3*)c)->event_mode_used) FMU3(c)->mode = FMU_EVENT;
  return status_of(st);
}

FMU_API Fmi3Status fmi3Terminate(Fmi3Instance c) {
  if (!c) return FMI3_ERROR;
  FMU3(c)->mode = FMU_ENDED;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3Reset(Fmi3Instance c) {
  return c ? status_of(sar_fmu_reset(FMU3(c))) : FMI3_ERROR;
}

// Nothing has a size that could be configured.
FMU_API Fmi3Status fmi3EnterConfigurationMode(Fmi3Instance c) { return c ? FMI3_OK : FMI3_ERROR; }
FMU_API Fmi3Status fmi3ExitConfigurationMode(Fmi3Instance c) { return c ? FMI3_OK : FMI3_ERROR; }

// ---- values -------------------------------------------------------------------------------------

static bool fits(Fmi3Instance c, const Fmi3Reference* vr, size_t n, const double* value,
                 size_t values) {
  if (!c) return false;
  if (n == values && (n == 0 || (vr && value))) return true;
  sar_fmu_say(FMU3(c), FMU_ERROR, "%zu values for %zu variables, each of which has one", values, n);
  return false;
}

// Event indicators are variables in FMI 3: behind all others.
static SarFmuStatus get(Fmi3Instance c, const Fmi3Reference* vr, size_t n, double* value) {
  SarFmu* f = FMU3(c);
  const unsigned first = (unsigned)f->description.count;
  for (size_t i = 0; i < n; i++) {
    const bool indicator =
        f->me && vr[i] >= first && vr[i] - first < (unsigned)f->model->m->nswitch;
    const SarFmuStatus st = indicator ? sar_fmu_indicator(f, (int)(vr[i] - first), &value[i])
                                      : sar_fmu_get(f, &vr[i], 1, &value[i]);
    if (st != FMU_OK) return st;
  }
  return FMU_OK;
}

FMU_API Fmi3Status fmi3GetFloat64(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                  double value[], size_t values) {
  if (!fits(c, vr, n, value, values)) return FMI3_ERROR;
  return status_of(get(c, vr, n, value));
}

FMU_API Fmi3Status fmi3SetFloat64(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                  const double value[], size_t values) {
  if (!fits(c, vr, n, value, values)) return FMI3_ERROR;
  return status_of(sar_fmu_set(FMU3(c), vr, n, value));
}

// ---- states -------------------------------------------------------------------------------------

FMU_API Fmi3Status fmi3GetFMUState(Fmi3Instance c, Fmi3State* state) {
  SarFmuSaved* saved;
  if (!c || !state) return FMI3_ERROR;
  const SarFmuStatus st = sar_fmu_save(FMU3(c), &saved);
  if (st != FMU_OK) return status_of(st);
  sar_fmu_saved_free(*state);  // one that is there is written over
  *state = saved;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3SetFMUState(Fmi3Instance c, Fmi3State state) {
  return c ? status_of(sar_fmu_restore(FMU3(c), state)) : FMI3_ERROR;
}

FMU_API Fmi3Status fmi3FreeFMUState(Fmi3Instance c, Fmi3State* state) {
  (void)c;
  if (!state) return FMI3_OK;
  sar_fmu_saved_free(*state);
  *state = NULL;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3SerializedFMUStateSize(Fmi3Instance c, Fmi3State state, size_t* size) {
  return c && size ? status_of(sar_fmu_saved_size(FMU3(c), state, size)) : FMI3_ERROR;
}

FMU_API Fmi3Status fmi3SerializeFMUState(Fmi3Instance c, Fmi3State state, uint8_t bytes[],
                                         size_t size) {
  return c && bytes ? status_of(sar_fmu_serialize(FMU3(c), state, bytes, size)) : FMI3_ERROR;
}

FMU_API Fmi3Status fmi3DeserializeFMUState(Fmi3Instance c, const uint8_t bytes[], size_t size,
                                           Fmi3State* state) {
  SarFmuSaved* saved;
  if (!c || !bytes || !state) return FMI3_ERROR;
  const SarFmuStatus st = sar_fmu_deserialize(FMU3(c), bytes, size, &saved);
  if (st != FMU_OK) return status_of(st);
  sar_fmu_saved_free(*state);
  *state = saved;
  return FMI3_OK;
}

FMU_API Fmi3Status fmi3GetDirectionalDerivative(Fmi3Instance c, const Fmi3Reference unknown[],
                                                size_t unknowns, const Fmi3Reference known[],
                                                size_t knowns, const double seed[], size_t seeds,
                                                double sensitivity[], size_t sensitivities) {
  if (!fits(c, known, knowns, seed, seeds) ||
      !fits(c, unknown, unknowns, sensitivity, sensitivities))
    return FMI3_ERROR;
  return status_of(sar_fmu_direction(FMU3(c), unknown, unknowns, known, knowns, seed, sensitivity));
}
