// Functions that generated code brings along: C text, with the model's name for a prefix.
#pragma once
#include "codegen/emit.h"

// What of it the code calls.
typedef struct SarRuntime {
  bool op[SAR_OP_COUNT];  // operations of functions.def and tables
  bool sincos;            // of arrays
  bool sincos_one;        // of one value
  bool turns;             // quaternions are integrated
  bool single;            // float: sine and cosine are libm's
} SarRuntime;

void sar_runtime_write(SarWriter* w, const char* model, const SarRuntime* uses);
