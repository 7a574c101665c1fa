// Cholesky factors of sparse symmetric positive definite matrices, by panels (supernodes).
//
// Networks of loops have no order in which all rows are short: there an envelope (envelope.h) fills
// in, and an order of small fill (fill_order.h) leaves rows with gaps. Consecutive columns whose
// factor has the same rows below are a panel, stored as one dense matrix: its own rows first (a
// lower triangle, what is above is scratch), then the rows below.
//
//   A = L L',   panel s:  L_s L_s' = its own rows,   B_s = rows below,   A_ij -= sum_k B_ik B_jk
//
// All looking is done by the analysis: which rows, which panels a panel changes, and where. The
// numeric phase goes through these lists, searches nothing and allocates nothing.
//
// Sources: Liu, The multifrontal method for sparse matrix solution, SIAM Review 34 (1992), secs. 2
// to 4; Ng and Peyton, Block sparse Cholesky algorithms on advanced uniprocessor computers, SIAM J.
// Sci. Comput. 14 (1993); Davis, Direct Methods for Sparse Linear Systems (2006), ch. 4.
#pragma once
#include "base/arena.h"
#include "linalg/profile.h"

#include <stdbool.h>

typedef struct SarPanel {
  int first, width;     // columns
  int row, rows;        // those below, rising, in `row`
  int update, updates;  // of others, in `update`
  int adr;              // column k is value[adr + k (width + rows)] onwards
} SarPanel;

// Rows `from` .. `from + count` of a panel are columns of another one, which it changes.
typedef struct SarPanelUpdate {
  int panel;        // the other one
  int from, count;  // among the rows below
  int place;        // in `place`: where the rows from `from` on stand in a column of the other one
} SarPanelUpdate;

typedef struct SarPanels {
  int n, npanel, nrow, nupdate, nplace;
  int entries;  // of the factor, with what panels hold beside it
  SarPanel* panel;
  int* row;
  SarPanelUpdate* update;
  int* place;
} SarPanels;

// The factor of a matrix that is full on groups, unknown i in place[i]. False: no memory, or more
// than `most` entries.
bool sar_panels_analyse(SarPanels* p, const SarGroups* g, const int* place, double most,
                        SarArena* arena);
// What a factorisation and the solutions that follow it cost, in instructions, about.
enum { SAR_SOLUTIONS = 3 };
double sar_panels_cost(const SarPanels* p);
// Where entry (i, j), i >= j, stands; -1: nowhere.
int sar_panels_entry(const SarPanels* p, int i, int j);

// A = L L' in place, inverse (n): 1 / L_ii. False unless every pivot is positive (NaN fails).
bool sar_panels_factor(const SarPanels* p, double* value, double* inverse);
// Solves L L' x = b in place; work: n.
void sar_panels_solve(const SarPanels* p, const double* value, const double* inverse, double* work,
                      double* x);
// y += A x, of a matrix that is not factored.
void sar_panels_multiply(const SarPanels* p, const double* value, const double* x, double* y);
