// FMI 2.0 over an instance (instance.h): what both kinds of FMU have.
#include "fmi/runtime/fmi2_parts.h"

#include "base/alloc.h"
#include "base/print.h"
#include "fmi/runtime/uri.h"

#include <string.h>

static Fmi2Status status_of(SarFmuStatus status) { return (Fmi2Status)status; }

// ---- life ---------------------------------------------------------------------------------------

FMU_API const char* fmi2GetTypesPlatform(void) { return "default"; }
FMU_API const char* fmi2GetVersion(void) { return "2.0"; }

static void say(void* owner, SarFmuStatus status, const char* category, const char* text) {
  const Fmu2* c = owner;
  if (c->callbacks.logger)
    c->callbacks.logger(c->callbacks.environment, c->name, status_of(status), category, "%s", text);
}

FMU_API Fmi2Component fmi2Instantiate(const char* name, Fmi2Type type, const char* guid,
                                      const char* resources, const Fmi2Callbacks* callbacks,
                                      Fmi2Boolean visible, Fmi2Boolean logging) {
  char path[4096];
  (void)visible;
  Fmu2* c = sar_alloc(sizeof *c);
  if (!c) return NULL;
  if (callbacks) c->callbacks = *callbacks;
  sar_snprintf(c->name, sizeof c->name, "%s", name ? name : "");
  const bool found = resources && sar_fmu_path_of(resources, path, sizeof path);
  const SarFmuMake how = {.token = guid,
                          .resources = found ? path : NULL,
                          .me = type == FMI2_MODEL_EXCHANGE,
                          .logging = logging != 0,
                          .log = {say, c}};
  c->f = sar_fmu_new(&how);
  if (c->f) return c;
  sar_free(c);
  return NULL;
}

FMU_API void fmi2FreeInstance(Fmi2Component component) {
  Fmu2* c = component;
  if (!c) return;
  sar_fmu_free(c->f);
  sar_free(c);
}

FMU_API Fmi2Status fmi2SetDebugLogging(Fmi2Component c, Fmi2Boolean on, size_t count,
                                       const char* const categories[]) {
  (void)count, (void)categories;
  if (!c) return FMI2_ERROR;
  FMU2(c)->logging = on != 0;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2SetupExperiment(Fmi2Component c, Fmi2Boolean tolerance_defined,
                                       double tolerance, double start, Fmi2Boolean stop_defined,
                                       double stop) {
  (void)stop_defined, (void)stop;
  if (!c) return FMI2_ERROR;
  FMU2(c)->start = start;
  if (tolerance_defined && tolerance > 0) FMU2(c)->tolerance = tolerance;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2EnterInitializationMode(Fmi2Component c) {
  return c ? status_of(sar_fmu_enter_initialization(FMU2(c), FMU2(c)->start)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2ExitInitializationMode(Fmi2Component c) {
  return c ? status_of(sar_fmu_exit_initialization(FMU2(c))) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2Terminate(Fmi2Component c) {
  if (!c) return FMI2_ERROR;
  FMU2(c)->mode = FMU_ENDED;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2Reset(Fmi2Component c) {
  return c ? status_of(sar_fmu_reset(FMU2(c))) : FMI2_ERROR;
}

// ---- values -------------------------------------------------------------------------------------

FMU_API Fmi2Status fmi2GetReal(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                               double value[]) {
  return c && (n == 0 || (vr && value)) ? status_of(sar_fmu_get(FMU2(c), vr, n, value))
                                        : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2SetReal(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                               const double value[]) {
  return c && (n == 0 || (vr && value)) ? status_of(sar_fmu_set(FMU2(c), vr, n, value))
                                        : FMI2_ERROR;
}

// All variables are real numbers.
static Fmi2Status no_such(Fmi2Component c, size_t n, const char* type) {
  if (n == 0) return FMI2_OK;
  return c ? status_of(sar_fmu_say(FMU2(c), FMU_ERROR, "there are no variables of type %s", type))
           : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2GetInteger(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                  int value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Integer");
}

FMU_API Fmi2Status fmi2GetBoolean(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                  int value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Boolean");
}

FMU_API Fmi2Status fmi2GetString(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                 const char* value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "String");
}

FMU_API Fmi2Status fmi2SetInteger(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                  const int value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Integer");
}

FMU_API Fmi2Status fmi2SetBoolean(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                  const int value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Boolean");
}

FMU_API Fmi2Status fmi2SetString(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                 const char* const value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "String");
}

// ---- states -------------------------------------------------------------------------------------

FMU_API Fmi2Status fmi2GetFMUstate(Fmi2Component c, Fmi2State* state) {
  SarFmuSaved* saved;
  if (!c || !state) return FMI2_ERROR;
  const SarFmuStatus st = sar_fmu_save(FMU2(c), &saved);
  if (st != FMU_OK) return status_of(st);
  sar_fmu_saved_free(*state);  // one that is there is written over
  *state = saved;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2SetFMUstate(Fmi2Component c, Fmi2State state) {
  return c ? status_of(sar_fmu_restore(FMU2(c), state)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2FreeFMUstate(Fmi2Component c, Fmi2State* state) {
  (void)c;
  if (!state) return FMI2_OK;
  sar_fmu_saved_free(*state);
  *state = NULL;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2SerializedFMUstateSize(Fmi2Component c, Fmi2State state, size_t* size) {
  return c && size ? status_of(sar_fmu_saved_size(FMU2(c), state, size)) : FMI2_ERROR;
}

FMU_API Fmi2Status fmi2SerializeFMUstate(Fmi2Component c, Fmi2State state, char bytes[],
                                         size_t size) {
  if (!c || !bytes) return FMI2_ERROR;
  return status_of(sar_fmu_serialize(FMU2(c), state, (unsigned char*)bytes, size));
}

FMU_API Fmi2Status fmi2DeSerializeFMUstate(Fmi2Component c, const char bytes[], size_t size,
                                           Fmi2State* state) {
  SarFmuSaved* saved;
  if (!c || !bytes || !state) return FMI2_ERROR;
  const SarFmuStatus st = sar_fmu_deserialize(FMU2(c), (const unsigned char*)bytes, size, &saved);
  if (st != FMU_OK) return status_of(st);
  sar_fmu_saved_free(*state);
  *state = saved;
  return FMI2_OK;
}

FMU_API Fmi2Status fmi2GetDirectionalDerivative(Fmi2Component c, const Fmi2Reference unknown[],
                                                size_t unknowns, const Fmi2Reference known[],
                                                size_t knowns, const double seed[],
                                                double sensitivity[]) {
  if (!c || (unknowns > 0 && (!unknown || !sensitivity)) || (knowns > 0 && (!known || !seed)))
    return FMI2_ERROR;
  return status_of(sar_fmu_direction(FMU2(c), unknown, unknowns, known, knowns, seed, sensitivity));
}
