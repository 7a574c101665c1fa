// The columns of a kinematic analysis.
#pragma once
#include "cli/cli.h"
#include "sim/outputs.h"

enum { SWEEP_NAME = 128 };

typedef struct SweepColumns {
  SarChannel* channel;
  const char** name;  // time, branch if there are several, then those of the channels
  char (*text)[SWEEP_NAME];
  int count;  // of channels
  int first;  // columns before them
} SweepColumns;

// The model's columns, and accelerations of all whose speeds are among them. `branches`: a column with
// the number of the branch too.
SarStatus sweep_columns(const SarModel* m, bool branches, SweepColumns* out);
void sweep_columns_free(SweepColumns* c);
