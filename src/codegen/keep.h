// Between the parts of keeping parameters (keep.c, keep_check.c).
#pragma once
#include "codegen/generate.h"

// The terms of the equations for these values, in a graph of their own; false: there is no such
// model.
typedef bool SarKeptBuild(void* context, const double* value, SarArena* arena, SarGraph** g,
                          SarNode* output);
// Terms over the parameters against those of models with values far from those of the file.
bool sar_kept_terms_hold(const SarGeneration* g, SarKeptBuild* build, void* context,
                         SarGraph* graph, int n, const SarNode* node);

// After the terms: the solution by embedding. False: no memory.
bool sar_kept_embed(SarGeneration* g);
