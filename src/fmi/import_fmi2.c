// Calls of an FMU of version 2.0.
#include "fmi/fmi2.h"
#include "fmi/import_parts.h"

#include "base/alloc.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

static const char* const SYMBOLS[] = {"fmi2GetVersion",
                                      "fmi2GetTypesPlatform",
                                      "fmi2Instantiate",
                                      "fmi2FreeInstance",
                                      "fmi2Reset",
                                      "fmi2SetupExperiment",
                                      "fmi2EnterInitializationMode",
                                      "fmi2ExitInitializationMode",
                                      "fmi2SetReal",
                                      "fmi2GetReal",
                                      "fmi2DoStep",
                                      NULL};
static const char* const MORE[] = {"fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate", NULL};

// In the order of their names.
typedef struct Functions {
  Fmi2GetVersion* version;
  Fmi2GetTypesPlatform* platform;
  Fmi2Instantiate* instantiate;
  Fmi2FreeInstance* free;
  Fmi2Plain* reset;
  Fmi2SetupExperiment* setup;
  Fmi2Plain *enter, *leave;
  Fmi2SetReal* set;
  Fmi2GetReal* get;
  Fmi2DoStep* step;
  Fmi2GetState* save;
  Fmi2SetState* restore;
  Fmi2GetState* drop;
  Fmi2Callbacks callbacks;
} Functions;

static const Functions* of(const SarImported* fmu) { return fmu->functions; }

// What is not worse than a warning has worked.
static bool is_good(const SarImported* fmu, Fmi2Status status, const char* what) {
  if (status == FMI2_OK || status == FMI2_WARNING) return true;
  sar_import_say(fmu, "%s: status %d", what, (int)status);
  return false;
}

static void take_log(void* environment, const char* instance, Fmi2Status status,
                     const char* category, const char* format, ...) {
  char text[600];
  va_list args;
  (void)instance, (void)category;
  if (status == FMI2_OK || !format) return;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sar_import_say(environment, "%s", text);
}

static void* take_memory(size_t count, size_t size) {
  return size > 0 && count > SIZE_MAX / size ? NULL : sar_alloc(count * size);
}

static bool fits(SarImported* fmu) {
  const char *version = of(fmu)->version(), *platform = of(fmu)->platform();
  return version && strcmp(version, "2.0") == 0 && platform && strcmp(platform, "default") == 0;
}

// Resources are named by an address; characters that it cannot have are written by their numbers.
static bool address_of(const char* folder, char* out, size_t size) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~";
  size_t n = (size_t)sar_snprintf(out, size, "file://");
  for (; *folder && n + 4 < size; folder++)
    n += (size_t)sar_snprintf(out + n, size - n, strchr(plain, *folder) ? "%c" : "%%%02X",
                              (unsigned char)*folder);
  sar_snprintf(out + n, size - n, "/resources");
  return !*folder && n + sizeof "/resources" < size;
}

static bool make(SarImported* fmu, const char* name) {
  char resources[4096];
  Functions* f = fmu->functions;
  f->callbacks = (Fmi2Callbacks){
      .logger = take_log, .allocate = take_memory, .release = sar_free, .environment = fmu};
  if (!address_of(fmu->folder, resources, sizeof resources)) return false;
  fmu->instance = f->instantiate(name, FMI2_CO_SIMULATION, fmu->description.token, resources,
                                 &f->callbacks, 0, 0);
  return fmu->instance != NULL;
}

static void end(SarImported* fmu) { of(fmu)->free(fmu->instance); }

static bool reset(SarImported* fmu) {
  return is_good(fmu, of(fmu)->reset(fmu->instance), "fmi2Reset");
}

static bool enter(SarImported* fmu, double t) {
  return is_good(fmu, of(fmu)->setup(fmu->instance, 0, 0, t, 0, 0), "fmi2SetupExperiment") &&
         is_good(fmu, of(fmu)->enter(fmu->instance), "fmi2EnterInitializationMode");
}

static bool leave(SarImported* fmu) {
  return is_good(fmu, of(fmu)->leave(fmu->instance), "fmi2ExitInitializationMode");
}

static bool set(SarImported* fmu, const unsigned* vr, int n, const double* value) {
  return n == 0 || is_good(fmu, of(fmu)->set(fmu->instance, vr, (size_t)n, value), "fmi2SetReal");
}

static bool get(SarImported* fmu, const unsigned* vr, int n, double* value) {
  return n == 0 || is_good(fmu, of(fmu)->get(fmu->instance, vr, (size_t)n, value), "fmi2GetReal");
}

static bool step(SarImported* fmu, double t, double h) {
  return is_good(fmu, of(fmu)->step(fmu->instance, t, h, 0), "fmi2DoStep");
}

static bool save(SarImported* fmu, void** state) {
  return is_good(fmu, of(fmu)->save(fmu->instance, state), "fmi2GetFMUstate");
}

static bool restore(SarImported* fmu, void* state) {
  return is_good(fmu, of(fmu)->restore(fmu->instance, state), "fmi2SetFMUstate");
}

static void drop(SarImported* fmu, void** state) { of(fmu)->drop(fmu->instance, state); }

const SarImportOps sar_import_ops2 = {.symbols = SYMBOLS,
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
