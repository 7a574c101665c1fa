// The model inside an FMU: its folder of resources, with settings and parameters, from which models
// with other values of parameters are made.
#pragma once
#include "fmi/description.h"
#include "fmi/settings.h"

typedef struct SarFmiSource {
  SarArena arena;
  SarFmiSettings settings;
  SarFmiParameters parameters;  // values: those of the file and the settings
  const char* path;             // of the model
  SarLoadOptions load;          // but for the parameters
} SarFmiSource;

// sar_fmi_source_close in any case.
SarStatus sar_fmi_source_open(SarFmiSource* s, const char* resources, SarError* err);
void sar_fmi_source_close(SarFmiSource* s);
// The model with these values, one for each of the parameters.
SarStatus sar_fmi_source_load(const SarFmiSource* s, const double* value, SarModel** out,
                              SarError* err);
