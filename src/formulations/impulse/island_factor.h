// Sparse block Cholesky factor of a symmetric positive definite matrix with 6x6 blocks, one row of
// blocks for each body of an island: K = M + J' G J of Newton's method on contacts (direct.h).
//
// Bodies are eliminated in an order of least degree, so a stack has no fill at all. The pattern
// follows from who touches whom; what it would cost is known before a number is computed.
#pragma once
#include "base/block.h"
#include "model/model.h"

#include <stdbool.h>

enum { SAR_BODY_BLOCK = 36 };

typedef struct SarIslandFactor {
  int n, most;               // bodies, room
  int used, room;            // blocks below the diagonal
  double flops;              // of one factorisation
  int *order, *place;        // n: body at a place of the order, and back
  int *start, *row;          // n + 1, room: blocks of a place's column, and their bodies
  double *diagonal, *below;  // n and room blocks, by rows
  // scratch of the ordering: neighbours as linked lists, bodies in lists by degree
  int *head, *degree, *next_of_degree, *last_of_degree, *first_of_degree, *stamp, *slot;
  int *to, *next;  // cells of the neighbours' lists
  int cells;
  // pairs of bodies that the pattern is asked for, and those that it was made from: it follows from
  // them alone, and is kept while they stay
  int (*asked)[2], (*known)[2];  // 2 * room
  int pairs, known_pairs, known_n;
  bool full, ordered;  // there was no room for all that are asked; for the pattern
} SarIslandFactor;

// Takes its pieces of a block, for so many bodies.
void sar_island_factor_init(SarIslandFactor* p, int bodies, SarBlock* b);
// An empty pattern for n bodies; then pairs that touch; then the order. False: no room, or a factor
// would cost more than so many flops.
void sar_island_factor_clear(SarIslandFactor* p, int n);
void sar_island_factor_pair(SarIslandFactor* p, int a, int b);
bool sar_island_factor_order(SarIslandFactor* p, double most);

// All blocks to zero; the block of two bodies, of which *turned tells that it stands for (b, a).
void sar_island_factor_zero(SarIslandFactor* p);
double* sar_island_factor_block(SarIslandFactor* p, int a, int b, bool* turned);
// K = L L'. False: it is not positive definite.
bool sar_island_factor_run(SarIslandFactor* p);
// x <- K^-1 x; x: six numbers for each body.
void sar_island_factor_solve(const SarIslandFactor* p, double* x);
