// Columns of a twin, taken back to those of the model.
#pragma once
#include "support/twins/twin.h"

typedef struct TwinColumns {
  const SarModel *m, *twin;
  const Twin* t;
  int count;   // of the model
  int* at;     // the twin's column for each; -1: not compared
  int* joint;  // Q, V, A: the joint in the spec; -1: of a body of its own
} TwinColumns;

// In the twin's arena.
void columns_match(const SarModel* m, Twin* t, TwinColumns* out);
void columns_take_back(const TwinColumns* c, const double* twin_values, double* values);
