// What the owners of output variables share; private to src/model/compile*.c.
#pragma once
#include "model/compile/parts.h"

typedef struct OutputJob {
  Compile* c;
  const SpecOutput* spec;
  Item item;
  const char* label;  // before the dot
} OutputJob;

// Adds the columns of all quantities that are asked for, of one owner. `at` says what it is: index,
// point, other; `holder` what quantities by holder count by. False: no memory.
bool sar_add_columns(OutputJob* o, const SarOutputOwner* of, SarChannel at, int holder);

bool sar_out_contact(OutputJob* o);   // of one body, or of one with another
bool sar_out_contacts(OutputJob* o);  // of every body that can touch
