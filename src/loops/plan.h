// Parts of the plan: the order of blocks.
#pragma once
#include "loops/loops.h"

typedef struct SarLoopOrder {
  int n;
  const bool* entry;  // n x n: does row i have coordinate k?
  int* row_of;        // n: row that a coordinate is matched with
  int* block;         // n: of a row, in the order of solution
  int blocks;
  // scratch
  bool *seen, *on_stack;
  int *index, *low, *stack;
  int counter, depth;
} SarLoopOrder;

// False: there is no matching, the matrix is singular whatever its numbers.
bool sar_loop_order(SarLoopOrder* o);
