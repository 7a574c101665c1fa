// Parts of the plan: the order of blocks, and links that are aimed.
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

// Is a link between ball joints among the unknowns of the block?
bool sar_loop_find_aim(const SarModel* m, const SarLoopBlock* k, SarLoopAim* out);
// Turns the link in q towards where its end belongs; pose: nbody, at q. False: it would be a large turn.
bool sar_loop_aim(const SarModel* m, const SarLoopAim* aim, const Xform* pose, double* q);

// False: there is no matching, the matrix is singular whatever its numbers.
bool sar_loop_order(SarLoopOrder* o);
