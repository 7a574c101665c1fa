// What a loaded FMU can do, the same for both versions.
#pragma once
#include "fmi/import.h"

typedef struct SarImportOps SarImportOps;

struct SarImported {
  SarArena arena;
  char folder[1024];  // of the unpacked files; "": none
  SarImportDescription description;
  void* library;
  const SarImportOps* ops;
  void* functions;  // of the version, found in the library
  void* instance;
  void (*say)(void* context, const char* text);
  void* context;
  void* calls;  // import_call.c
};

// All but make and load: false after a message.
struct SarImportOps {
  const char* const* symbols;  // all that must be there, ended by NULL
  const char* const* more;     // those that an FMU which keeps states must have
  size_t size;                 // of the table of functions: pointers in the order of the symbols
  bool (*fits)(SarImported* fmu);  // does the library say the version that the description says?
  bool (*make)(SarImported* fmu, const char* name);
  void (*free)(SarImported* fmu);
  bool (*reset)(SarImported* fmu);
  bool (*enter)(SarImported* fmu, double t);  // initialisation
  bool (*leave)(SarImported* fmu);
  bool (*set)(SarImported* fmu, const unsigned* vr, int n, const double* value);
  bool (*get)(SarImported* fmu, const unsigned* vr, int n, double* value);
  bool (*step)(SarImported* fmu, double t, double h);
  bool (*save)(SarImported* fmu, void** state);
  bool (*restore)(SarImported* fmu, void* state);
  void (*drop)(SarImported* fmu, void** state);
};

extern const SarImportOps sar_import_ops2, sar_import_ops3;

void sar_import_say(const SarImported* fmu, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// Frees what the calls have kept.
void sar_import_forget(SarImported* fmu);
