// Small sparse systems, unsymmetric: LU factors with an order of pivots that is found once and used
// again (static pivoting), for the 20 to some hundred unknowns of multibody Jacobians.
//
// General sparse solvers spend most of their time on such systems with looking for things. Here all
// looking is done by the analysis: where the entries go, which of them fill in, which pivots go
// together (supernodes), and from where to where each row is taken off another, as runs of
// contiguous numbers. The numeric phase goes through these lists and searches nothing.
//
//   B = P A Q = L U,   L with ones on its diagonal, rows of L and U one behind the other
//
// P and Q come from the caller, who knows the structure of the matrix (sar_static_lu_order), or
// from the values (sar_static_lu_pivot: Markowitz' counts with threshold pivoting). A factor that
// meets a pivot which is small beside its row says so; then the values are analysed again. Nothing
// is allocated after the set-up.
//
// Sources: Morandini and Mantegazza, Using dense storage to solve small sparse linear systems, ACM
// TOMS 33 (2007), for the idea and the range; Duff, Erisman and Reid, Direct Methods for Sparse
// Matrices (1986), ch. 5 and 7; Davis, Direct Methods for Sparse Linear Systems (2006), ch. 6.
#pragma once
#include "base/arena.h"
#include "linalg/block_lu.h"

#include <stdbool.h>

enum { SAR_STATIC_LU_GROUP = 6 };  // pivots that are taken off together, at most
enum { SAR_STATIC_LU_ROWS = 3 };   // rows that they are taken off at once

// `count` pivots from `pivot` on are taken off a row: multipliers from value[at] on, then runs.
typedef struct SarLuUpdate {
  int pivot, count, at;
  int run, runs;
} SarLuUpdate;

// Consecutive entries of the pivot rows, to value[to] onwards.
typedef struct SarLuRun {
  int to, count;
} SarLuRun;

// Rows that solutions take at once: from `first` on, their columns beside as runs, packed from
// packed[at] on.
typedef struct SarLuPiece {
  int first, rows;
  int run, runs;
  int at;
} SarLuPiece;

typedef struct SarStaticLu {
  SarArena* arena;
  int n, entries;
  int *row, *col;  // of each entry, as given
  double* a;       // entries: values, the caller's to write; those of the same place add up
  // order: which equation and which unknown is in each place; that of the caller, to go back to
  int *row_at, *col_at, *home_row, *home_col;
  bool strayed;  // the present one is another
  bool wide;     // the processor has what SAR_WIDE asks for (lanes.h)
  // A by rows: entries of row r are row_entry[row_first[r] ..]
  int *row_first, *row_entry;
  // factors: row i is value[start[i] .. start[i + 1]), in the columns `column`, its pivot at
  // diag[i]
  int* from;  // of each value the first entry that is there, `entries` (which is zero) where it
              // fills in
  int more;   // further entries of the same places
  int *more_entry, *more_place;
  int *start, *diag, *column;
  // first and last pivot of its group; updates of row i from update_first, those by its own group
  // from own_first; how many rows from i on are done together
  int *group_first, *group_end, *update_first, *own_first, *together;
  int* tail_first;  // columns beyond a group, at its last pivot: runs in `tail`
  SarLuRun* tail;
  double* inverse;  // of the triangle of each group, SAR_STATIC_LU_GROUP numbers a row
  double *value, *y;
  // for solutions: rows of L with the same columns, runs of these in `left`; groups of U, runs in
  // `tail`
  int lower_count, upper_count;
  SarLuPiece *lower, *upper;
  SarLuRun* left;
  double* packed;
  SarLuUpdate* update;
  SarLuRun* run;
  int room, update_room, run_room;  // of column and value, update, run
  // scratch of the analysis
  unsigned long long* bits;
  int *row_place, *col_place;
  double* dense;  // n x n, for sar_static_lu_pivot; NULL: too large for that
  unsigned long long* pattern;
  int *row_count, *col_count;
  // by blocks of groups, where that is less work in the order that is home (block_lu.h); of the
  // last factor
  SarBlockLu* blocks;
  bool by_blocks;
} SarStaticLu;

// n unknowns, entries at (row, col), both copied. False: no memory (arena->failed).
bool sar_static_lu_new(SarStaticLu* p, SarArena* arena, int n, int entries, const int* row,
                       const int* col);
// Analysis with a given order, which is the home of the matrix from then on: place k takes equation
// row_at[k] and unknown col_at[k] (NULL: the same). Takes memory; false: there is none.
bool sar_static_lu_order(SarStaticLu* p, const int* row_at, const int* col_at);
// The order from the values in `a`, for this factor only: the next one goes home first. False:
// singular, too large (n > SAR_STATIC_LU_DENSE), or more fill than there is room for.
enum { SAR_STATIC_LU_DENSE = 800 };
bool sar_static_lu_pivot(SarStaticLu* p);
// The same, and it is the home of the matrix. Takes memory.
bool sar_static_lu_settle(SarStaticLu* p);
// a -> L, U. Where a pivot dies the order comes from the values. False: singular or not finite.
bool sar_static_lu_factor(SarStaticLu* p);
// Back to the order that is home; part of sar_static_lu_factor.
bool sar_static_lu_return(SarStaticLu* p);
// Copies the factors to where solutions read them; part of sar_static_lu_factor.
void sar_static_lu_pack(SarStaticLu* p);
// Solves A x = b in place.
void sar_static_lu_solve(const SarStaticLu* p, double* x);
