// Functions that generated code brings along: C text, with the model's name for a prefix.
#pragma once
#include "codegen/emit.h"

// What of it the code calls.
typedef struct SarRuntime {
  bool op[SAR_OP_COUNT];  // operations of functions.def and tables
  bool sincos;            // of arrays
  bool sincos_one;        // of one value
  bool turns;             // quaternions are integrated
  bool turn_rates;        // by more than Euler's rule
  bool sincos_near;       // of vectors, without those that are far
  bool single;            // float: sine and cosine are libm's
} SarRuntime;

// family: Nullable, what families call, by their lanes (families.h).
void sar_runtime_write(SarWriter* w, const char* model, const SarRuntime* uses,
                       const SarRuntime* family);
// The branchless sine and cosine alone, NAME_sincos_near.
void sar_runtime_sincos(SarWriter* w, const char* model);
// A text with '@' for the model's name.
void sar_runtime_text(SarWriter* w, const char* model, const char* text);
