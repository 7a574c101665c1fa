// The columns of a kinematic analysis.
#pragma once
#include "sim/outputs.h"

enum { SAR_SWEEP_NAME = 128 };

typedef struct SarSweepColumns {
  SarChannel* channel;
  const char** name;  // time, branch if there are several, then those of the channels
  char (*text)[SAR_SWEEP_NAME];
  int count;  // of channels
  int first;  // columns before them
} SarSweepColumns;

// The model's columns, and accelerations of all whose speeds are among them. `branches`: a column
// with the number of the branch too.
SarStatus sar_sweep_columns(const SarModel* m, bool branches, SarSweepColumns* out);
void sar_sweep_columns_free(SarSweepColumns* c);
