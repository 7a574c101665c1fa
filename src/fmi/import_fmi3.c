// Calls of an FMU of version 3.0.
#include "fmi/fmi3.h"
#include "fmi/import_parts.h"

#include "base/print.h"

#include <math.h>
#include <string.h>

static const char* const SYMBOLS[] = {"fmi3GetVersion",
                                      "fmi3InstantiateCoSimulation",
                                      "fmi3FreeInstance",
                                      "fmi3Reset",
                                      "fmi3EnterInitializationMode",
                                      "fmi3ExitInitializationMode",
                                      "fmi3SetFloat64",
                                      "fmi3GetFloat64",
                                      "fmi3DoStep",
                                      NULL};
static const char* const MORE[] = {"fmi3GetFMUState", "fmi3SetFMUState", "fmi3FreeFMUState", NULL};

// In the order of their names.
typedef struct Functions {
  Fmi3GetVersion* version;
  Fmi3InstantiateCoSimulation* instantiate;
  Fmi3FreeInstance* free;
  Fmi3Plain* reset;
  Fmi3EnterInitializationMode* enter;
  Fmi3Plain* leave;
  Fmi3SetFloat64* set;
  Fmi3GetFloat64* get;
  Fmi3DoStep* step;
  Fmi3GetState* save;
  Fmi3SetState* restore;
  Fmi3GetState* drop;
} Functions;

static const Functions* of(const SarImported* fmu) { return fmu->functions; }

static bool is_good(const SarImported* fmu, Fmi3Status status, const char* what) {
  if (status == FMI3_OK || status == FMI3_WARNING) return true;
  sar_import_say(fmu, "%s: status %d", what, (int)status);
  return false;
}

static void take_log(void* environment, Fmi3Status status, const char* category, const char* text) {
  (void)category;
  if (status != FMI3_OK && text) sar_import_say(environment, "%s", text);
}

static bool fits(SarImported* fmu) {
  const char* version = of(fmu)->version();
  return version && strncmp(version, "3.", 2) == 0;
}

static bool make(SarImported* fmu, const char* name) {
  char resources[2048];
  sar_snprintf(resources, sizeof resources, "%s/resources/", fmu->folder);
  fmu->instance = of(fmu)->instantiate(name, fmu->description.token, resources, false, false, false,
                                       false, NULL, 0, fmu, take_log, NULL);
  return fmu->instance != NULL;
}

static void end(SarImported* fmu) { of(fmu)->free(fmu->instance); }

static bool reset(SarImported* fmu) {
  return is_good(fmu, of(fmu)->reset(fmu->instance), "fmi3Reset");
}

static bool enter(SarImported* fmu, double t) {
  return is_good(fmu, of(fmu)->enter(fmu->instance, false, 0, t, false, 0),
                 "fmi3EnterInitializationMode");
}

static bool leave(SarImported* fmu) {
  return is_good(fmu, of(fmu)->leave(fmu->instance), "fmi3ExitInitializationMode");
}

static bool set(SarImported* fmu, const unsigned* vr, int n, const double* value) {
  const size_t count = (size_t)n;
  return n == 0 ||
         is_good(fmu, of(fmu)->set(fmu->instance, vr, count, value, count), "fmi3SetFloat64");
}

static bool get(SarImported* fmu, const unsigned* vr, int n, double* value) {
  const size_t count = (size_t)n;
  return n == 0 ||
         is_good(fmu, of(fmu)->get(fmu->instance, vr, count, value, count), "fmi3GetFloat64");
}

static bool step(SarImported* fmu, double t, double h) {
  bool event = false, terminate = false, early = false;
  double reached = t + h;
  if (!is_good(fmu, of(fmu)->step(fmu->instance, t, h, false, &event, &terminate, &early, &reached),
               "fmi3DoStep"))
    return false;
  const bool whole = !terminate && !early && fabs(reached - (t + h)) <= 1e-6 * h;
  if (!whole)
    sar_import_say(fmu, "at t = %.9g: the step ends at t = %.9g, before its end", t, reached);
  return whole;
}

static bool save(SarImported* fmu, void** state) {
  return is_good(fmu, of(fmu)->save(fmu->instance, state), "fmi3GetFMUState");
}

static bool restore(SarImported* fmu, void* state) {
  return is_good(fmu, of(fmu)->restore(fmu->instance, state), "fmi3SetFMUState");
}

static void drop(SarImported* fmu, void** state) { of(fmu)->drop(fmu->instance, state); }

const SarImportOps sar_import_ops3 = {.symbols = SYMBOLS,
                                      .more = MORE,
                                      .size = sizeof(Functions),
                                      .fits = fits,
                                      .make = make,
                                      .free = end,
                                      .reset = reset,
                                      .enter = enter,
                                      .leave = leave,
                                      .set = set,
                                      .get = get,
                                      .step = step,
                                      .save = save,
                                      .restore = restore,
                                      .drop = drop};
