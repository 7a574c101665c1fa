// A small driver of FMUs, apart from the importer: unpacks one, finds its functions by name, knows
// its variables by theirs.
#pragma once
#include "fmi/archive.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "fmi/import.h"
#include "support/program.h"

#include <dlfcn.h>

enum { FMU_MOST = 1200 };

typedef struct FmuVariable {
  char name[80], causality[16], variability[16];
  unsigned reference;
} FmuVariable;

typedef struct Fmu {
  char folder[200], token[64], identifier[80];
  void* library;
  FmuVariable variable[FMU_MOST];
  int variables;
  int indicators;
  char said[2000];  // by the callback
  int lines;
} Fmu;

// A function of the library, to be assigned to a pointer of its type.
#define FMU_FUNCTION(fmu, Type, symbol) \
  Type* symbol = NULL;                  \
  fmu_find(fmu, #symbol, (void*)&symbol, sizeof symbol)

static inline void fmu_find(const Fmu* f, const char* name, void* place, size_t size) {
  void* found = dlsym(f->library, name);
  if (!found) print_error("no function %s\n", name);
  assert_non_null(found);
  assert_int_equal(size, sizeof found);
  memcpy(place, (void*)&found, size);
}

static inline bool fmu_attribute(const char* tag, const char* name, char* out, size_t size) {
  char key[64];
  const char* end = strchr(tag, '>');
  snprintf(key, sizeof key, " %s=\"", name);
  const char* at = strstr(tag, key);
  out[0] = 0;
  if (!at || at > end) return false;
  at += strlen(key);
  snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
  return true;
}

// One variable a tag, as our own writer has them.
static inline void fmu_read_variables(Fmu* f, const char* text) {
  for (const char* at = text; (at = strstr(at, "valueReference=\"")); at++) {
    const char* tag = at;
    while (*tag != '<') tag--;
    if (strncmp(tag, "<ScalarVariable", 15) != 0 && strncmp(tag, "<Float64", 8) != 0) continue;
    FmuVariable* v = &f->variable[f->variables++];
    char number[20];
    assert_true(f->variables <= FMU_MOST);
    assert_true(fmu_attribute(tag, "name", v->name, sizeof v->name));
    fmu_attribute(tag, "valueReference", number, sizeof number);
    fmu_attribute(tag, "causality", v->causality, sizeof v->causality);
    fmu_attribute(tag, "variability", v->variability, sizeof v->variability);
    v->reference = (unsigned)strtoul(number, NULL, 10);
    if (strncmp(v->name, "indicators[", 11) == 0) f->indicators++;
  }
}

static inline int fmu_find_variable(const Fmu* f, const char* name) {
  for (int i = 0; i < f->variables; i++)
    if (strcmp(f->variable[i].name, name) == 0) return (int)f->variable[i].reference;
  return -1;
}

static inline unsigned fmu_reference(const Fmu* f, const char* name) {
  const int found = fmu_find_variable(f, name);
  if (found < 0) print_error("no variable '%s'\n", name);
  assert_true(found >= 0);
  return (unsigned)found;
}

// Of a source FMU: its binary, by the compiler of the system.
static inline void fmu_compile(const Fmu* f, const char* binary) {
  char path[400], command[2000];
  snprintf(path, sizeof path, "%s/sources/fmu.c", f->folder);
  FILE* file = fopen(path, "r");
  if (!file) return;
  fclose(file);
  snprintf(command, sizeof command,
           "mkdir -p $(dirname %s) && cc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -Wno-psabi "
           "-ffp-contract=off -fPIC -shared -fvisibility=hidden -o %s %s/sources/*.c -lm",
           binary, binary, f->folder);
  assert_int_equal(system(command), 0);
}

// @name.fmu of the scratch folder.
static inline void fmu_open(Fmu* f, const char* name) {
  static char text[1 << 20];
  char path[400];
  SarError err;
  memset(f, 0, sizeof *f);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_folder_make(f->folder, sizeof f->folder, &err), &err);
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  EXPECT_OK_OR(sar_archive_unpack(path, f->folder, &err), &err);
  snprintf(path, sizeof path, "%s/modelDescription.xml", f->folder);
  read_all(path, text, sizeof text);
  const bool two = strstr(text, "fmiVersion=\"2.0\"") != NULL;
  const char* root = strstr(text, "<fmiModelDescription");
  assert_true(fmu_attribute(root, two ? "guid" : "instantiationToken", f->token, sizeof f->token));
  const char* kind = strstr(text, "modelIdentifier");
  while (*kind != '<') kind--;
  fmu_attribute(kind, "modelIdentifier", f->identifier, sizeof f->identifier);
  fmu_read_variables(f, text);
  char number[20];
  if (two && fmu_attribute(root, "numberOfEventIndicators", number, sizeof number))
    f->indicators = atoi(number);
  snprintf(path, sizeof path, "%s/binaries/%s/%s.so", f->folder, two ? "linux64" : "x86_64-linux",
           f->identifier);
  fmu_compile(f, path);
  f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!f->library) print_error("%s\n", dlerror());
  assert_non_null(f->library);
}

static inline void fmu_close(Fmu* f) {
  dlclose(f->library);
  sar_folder_remove(f->folder);
}

static inline void fmu_take_line(Fmu* f, const char* text) {
  const size_t used = strlen(f->said);
  snprintf(f->said + used, sizeof f->said - used, "%s\n", text);
  f->lines++;
}

static inline void fmu_log3(void* environment, Fmi3Status status, const char* category,
                            const char* text) {
  (void)status, (void)category;
  fmu_take_line(environment, text);
}

static inline void fmu_log2(void* environment, const char* instance, Fmi2Status status,
                            const char* category, const char* format, ...) {
  char text[800];
  va_list args;
  (void)instance, (void)status, (void)category;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fmu_take_line(environment, text);
}

// An instance of FMI 3 for co-simulation or model exchange.
static inline Fmi3Instance fmu_make3(Fmu* f, bool exchange) {
  char resources[300];
  FMU_FUNCTION(f, Fmi3InstantiateCoSimulation, fmi3InstantiateCoSimulation);
  FMU_FUNCTION(f, Fmi3InstantiateModelExchange, fmi3InstantiateModelExchange);
  snprintf(resources, sizeof resources, "%s/resources/", f->folder);
  Fmi3Instance c =
      exchange ? fmi3InstantiateModelExchange("x", f->token, resources, false, true, f, fmu_log3)
               : fmi3InstantiateCoSimulation("x", f->token, resources, false, true, false, false,
                                             NULL, 0, f, fmu_log3, NULL);
  if (!c) print_error("%s\n", f->said);
  assert_non_null(c);
  return c;
}

static inline Fmi2Component fmu_make2(Fmu* f, bool exchange) {
  static Fmi2Callbacks callbacks;
  char resources[300];
  FMU_FUNCTION(f, Fmi2Instantiate, fmi2Instantiate);
  callbacks = (Fmi2Callbacks){.logger = fmu_log2, .environment = f};
  snprintf(resources, sizeof resources, "file://%s/resources", f->folder);
  Fmi2Component c = fmi2Instantiate("x", exchange ? FMI2_MODEL_EXCHANGE : FMI2_CO_SIMULATION,
                                    f->token, resources, &callbacks, 0, 1);
  if (!c) print_error("%s\n", f->said);
  assert_non_null(c);
  return c;
}
