// modelDescription.xml of FMI 2.0 and 3.0, and buildDescription.xml of source FMUs.
#pragma once
#include "fmi/description.h"

#include <stdio.h>

typedef struct SarFmiDocument {
  const SarFmiDescription* description;
  const char* name;        // of the model
  const char* identifier;  // of C: names the binary
  bool cs, me;
  bool fixed_steps;           // its own steps are of equal length
  double end, step;           // s; of an experiment by default; 0: not said
  double tolerance;           // relative; 0: not said
  int indicators;             // event indicators
  bool derivatives;           // it has directional derivatives
  bool states;                // it can be saved, restored and serialised
  const char* const* source;  // files of a source FMU, ended by NULL; NULL: there are none
} SarFmiDocument;

void sar_fmi2_write(const SarFmiDocument* a, FILE* out);
void sar_fmi3_write(const SarFmiDocument* a, FILE* out);
void sar_fmi3_write_build(const SarFmiDocument* a, FILE* out);
