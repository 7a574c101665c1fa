// Parts of generated derivatives: NAME_acceleration_derivatives (generate.h).
#pragma once
#include "codegen/bordered.h"
#include "codegen/generate.h"
#include "codegen/slopes_text.h"

extern const char* const SAR_ALONG[SYM_WAYS];  // "q", "v", ...: suffixes of what is filled in

// Outputs of straight-line code, in the order in which they are wanted.
typedef struct SarDerivativeOutputs {
  SarGeneration* g;
  SarAssign* assign;
  int n, more;
} SarDerivativeOutputs;

// Constraints or parameters: the bordered system (derivatives_bordered.c).
bool sar_derivatives_are_bordered(const SarGeneration* g);
int sar_derivatives_columns(const SarGeneration* g, int way);
// What the tree leaves for its loops: before accelerations are known, and after.
void sar_derivatives_tree_first(SarDerivativeOutputs* o, const SymSlopes* w);
void sar_derivatives_tree_second(SarDerivativeOutputs* o, const SymSlopes* w);
int sar_derivatives_homes(const SymSlopes* w);
const char* sar_derivatives_symbol(void* generation, const char* name);
bool sar_derivatives_deep(const SarModel* m);
bool sar_derivatives_emit_bordered(SarGeneration* g);
