// Writing an FMU: the model with all its files, settings, description and the binary that runs it.
#pragma once
#include "fmi/description.h"

typedef struct SarFmiExport {
  const char* model;           // path
  const char* out;             // path of the FMU
  const char* name;            // of the model, for people
  const char* identifier;      // of C
  const SarLoadOptions* load;  // parameters, search paths, coordinates, functions
  const SarSimOptions* sim;
  const char*
      library;  // the binary: a shared object that holds the engine behind the functions of FMI
  int version;  // 2 or 3
  bool cs, me;
  bool source;  // C in place of the binary: generated equations, co-simulation alone
} SarFmiExport;

typedef struct SarFmiReport {
  int inputs, outputs, left_out, parameters, tunable, states, indicators, files;
  bool derivatives;
  char formulation[40], integrator[40];
} SarFmiReport;

// SAR_NOT_OFFERED: model exchange of what acts by impulses. SAR_BAD_MODEL: the model needs what an
// FMU cannot have with it (functions of the program's own, files at absolute places).
SarStatus sar_fmi_export(const SarFmiExport* o, SarFmiReport* report, SarError* err);
// Of these, source FMUs (pack_source.c).
SarStatus sar_fmi_export_source(const SarFmiExport* o, SarFmiReport* report, SarError* err);
// "linux64", "x86_64-linux": folder of binaries for this platform; NULL: not known.
const char* sar_fmi_platform(int version);
