// What a model is made of, as text for people: `sarrus info`.
#pragma once
#include "model/model.h"

// What the constraints leave of the motion, as found where a run begins.
typedef struct SarDescribeFreedom {
  int rows;               // equations that are on at the start
  int rank;               // independent ones
  const char* redundant;  // names of the others' owners
  bool singular;          // the position is a singular one
} SarDescribeFreedom;

typedef struct SarDescribeOptions {
  bool ascii;  // branches without box-drawing characters
  bool full;   // every line; else long chains and rows of like branches are shortened
  int width;   // of a line; 0: 100
  const SarDescribeFreedom* freedom;  // Nullable: not known
} SarDescribeOptions;

typedef void SarDescribeLine(void* context, const char* line);  // without line end
// Lines at most `width` characters long. `o` Nullable.
void sar_describe(const SarModel* m, const SarDescribeOptions* o, SarDescribeLine* line,
                  void* context);
