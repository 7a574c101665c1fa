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

// The only term of a row; NULL: it is a sum of several.
const SarTerm* sar_loop_term(const SarModel* m, int row);
// Is the body one of a link between ball joints whose direction is unknown in the block?
bool sar_loop_find_aim(const SarModel* m, const SarLoopBlock* k, int link, SarLoopAim* out);
// Constraints of the block that may be legs, in memory of the flow: rows and unknowns.
bool sar_loop_find_legs(SarLoopFlow* f, const SarModel* m, SarLoopBlock* k);
void sar_loop_drop_leg(SarLoopBlock* k, int which);

enum { SAR_LOOP_MAX_CORE = 15 };
// Is every row of the block one of a leg, and the core no larger than that?
bool sar_loop_has_core(const SarLoopBlock* k);
// Newton's method for the core: surfaces of the legs. False: it did not converge.
bool sar_loop_solve_core(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, double* q);
// Values of the symbols of a block behind its variables, where f->pose is.
void sar_loop_read_symbols(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k,
                           const double* q, double* x);
// Turns the link in q towards where its end belongs; pose: nbody, at q. False: it would be a large
// turn.
bool sar_loop_aim(const SarModel* m, const SarLoopAim* aim, const Xform* pose, double* q);

// False: there is no matching, the matrix is singular whatever its numbers.
bool sar_loop_order(SarLoopOrder* o);
