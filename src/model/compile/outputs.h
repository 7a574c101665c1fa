// What the kinds of output share; private to src/model/compile*.c.
#pragma once
#include "model/compile/parts.h"

typedef struct OutputJob {
  Compile* c;
  const SpecOutput* spec;
  Item item;
  const char* label;  // before the dot
} OutputJob;

// Adds the column LABEL.PREFIXSUFFIX; several, of components from `from` on. False: no memory.
bool sar_add_column(OutputJob* o, SarChannelKind kind, int index, int component, V3 point,
                    const char* prefix, const char* suffix);
bool sar_add_columns(OutputJob* o, SarChannelKind kind, int index, int from, int n, V3 point,
                     const char* prefix, const char* const* suffixes);

bool sar_out_contact(OutputJob* o);   // of one body, or of one with another
bool sar_out_contacts(OutputJob* o);  // of every body that can touch
