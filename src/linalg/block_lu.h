// LU factors of small sparse systems by blocks of up to six pivots: what static_lu.h has found out
// about a matrix, with its groups of pivots (supernodes) as rows and columns of a sparse matrix of
// dense blocks.
//
//   L_IK = A_IK U_KK^-1,    A_IJ -= L_IK U_KJ,    D_I = L_II U_II,    U_IJ = L_II^-1 A_IJ
//                           block row by block row
//
// Bodies in space have six coordinates and joints up to six multipliers, so that blocks are nearly
// full. Each takes six by six numbers by columns, what it lacks being zero (one on the diagonal):
// then all products are the same short piece of code without branches, four lanes wide, and
// solutions read the factors as they are. Where groups are small, as those of planar mechanisms,
// the runs of static_lu.h do less, and it is left to them (sar_block_lu_new).
//
// Source: Davis, Direct Methods for Sparse Linear Systems (2006), ch. 4 and 6, for supernodes;
// Golub and Van Loan, Matrix Computations, sec. 3.2.11, for LU by blocks.
#pragma once
#include "base/arena.h"

#include <stdbool.h>

enum { SAR_LU_BLOCK = 6 };

// Of a block: its columns that may be more than zero. A rod on a joint of a chain has one row or
// column in the blocks of all bodies of that chain: such a row of L is kept as six numbers alone.
typedef struct SarLuPlace {
  int column;        // of blocks
  int first, count;  // columns within
  int row;           // the only one of it, or -1
} SarLuPlace;

typedef struct SarBlockLu {
  int count;          // block rows
  int *first, *size;  // of each: its pivots
  int *start,
      *diag;  // of each (start: one more): blocks, in rising order of columns; the one on its
              // diagonal
  SarLuPlace* block;
  int *targets, *target;  // of each block of L: where its targets begin; blocks
  int entries;
  int* place;             // of each entry: in value
  double* value;          // blocks, by columns
  double *lower, *upper;  // of each row: L_II^-1, U_II^-1
  double* y;
  bool wide;
} SarBlockLu;

// What is known of a matrix (static_lu.h): factors by rows of scalars, with their groups; places of
// entries.
typedef struct SarLuShape {
  int n, entries;
  const int *start, *column, *group_end;
  const int *entry_row, *entry_col;  // places in the order of pivots
  double cost;  // instructions of a factor and the solutions that go with it, by scalars
} SarLuShape;

// False: it would cost more by blocks, or there is no memory (arena->failed).
bool sar_block_lu_new(SarBlockLu* p, SarArena* arena, const SarLuShape* shape);
// False: a pivot is small beside its row.
bool sar_block_lu_factor(SarBlockLu* p, const double* a);
// Solves in place; equation and unknown of each pivot.
void sar_block_lu_solve(const SarBlockLu* p, const int* row_at, const int* col_at, double* x);
