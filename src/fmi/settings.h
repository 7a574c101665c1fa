// What an FMU of ours keeps beside its model, in resources/sarrus.txt: which file is the model, how
// it is to be read and stepped. One "key value" a line; numbers with 17 digits, so that a run in an
// FMU has the bits of one outside.
#pragma once
#include "base/arena.h"
#include "sarrus/sarrus.h"

#include <stdio.h>

#define SAR_FMI_SETTINGS "sarrus.txt"

enum { SAR_FMI_MOST_SETS = 256, SAR_FMI_MOST_PATHS = 32 };

typedef struct SarFmiSettings {
  const char* model;        // relative to the folder of resources
  const char* coordinates;  // Nullable: the file's
  bool keep_fixed;
  bool exchange;                         // it is for model exchange (too)
  const char* path[SAR_FMI_MOST_PATHS];  // search paths, likewise relative
  int paths;
  SarParameter set[SAR_FMI_MOST_SETS];
  int sets;
  SarSimOptions sim;
} SarFmiSettings;

void sar_fmi_settings_write(const SarFmiSettings* s, FILE* out);
// Texts live in the arena. SAR_BAD_MODEL with the line: it is not one of ours, or of a later
// version.
SarStatus sar_fmi_settings_read(SarArena* arena, const char* path, SarFmiSettings* out,
                                SarError* err);
