// Points and directions of bodies as polynomials in the unknowns and the symbols of a block.
#pragma once
#include "loops/exact/build.h"

typedef struct SarLoopVector {
  fmpq_mpoly_struct x[3];
} SarLoopVector;

void sar_loop_vector_init(SarLoopBuilder* b, SarLoopVector* v);
void sar_loop_vector_clear(SarLoopBuilder* b, SarLoopVector* v);
void sar_loop_set_number(SarLoopBuilder* b, fmpq_mpoly_struct* f, double x);
void sar_loop_set_numbers(SarLoopBuilder* b, SarLoopVector* v, V3 x);
// f += sign g h
void sar_loop_add_product(SarLoopBuilder* b, fmpq_mpoly_struct* f, int sign,
                          const fmpq_mpoly_struct* g, const fmpq_mpoly_struct* h);
// A known quantity, one that the block has already or a new one.
void sar_loop_set_symbol(SarLoopBuilder* b, fmpq_mpoly_struct* f, SarLoopSymbol s);

// The body before the first unknown joint on the way to `body`; -2: none is unknown.
int sar_loop_first_frame(const SarLoopBuilder* b, int body);
// What is written in body e is written in the frame of the first of the block's own joints that
// stand on it; -1: it has none. From there that joint leads without numbers, so that polynomials
// are short: y^2 + z^2 of a leg about its foot, in place of (y - a)^2 + (z - b)^2 with axes askew.
int sar_loop_frame_in(const SarLoopBuilder* b, int e);
// A point or direction of a body, in that frame of e.
void sar_loop_carry(SarLoopBuilder* b, int body, V3 at, bool direction, int e, SarLoopVector* v);

// ---- rows (equations.c) -------------------------------------------------------------------------

void sar_loop_dot(SarLoopBuilder* b, const SarLoopVector* u, const SarLoopVector* v,
                  fmpq_mpoly_struct* out);
// The frame in which the rows of a pair are written.
int sar_loop_frame(const SarLoopBuilder* b, const SarPair* p);
// d = p_b - p_a in e
void sar_loop_distance(SarLoopBuilder* b, const SarPair* p, int e, SarLoopVector* d);
// How many rows of the block are of points of this pair?
int sar_loop_along_rows(const SarLoopBuilder* b, int pair);
// Do these rows say that a difference vanishes, in space or in a plane (b->normal)? Then the
// directions may be those of e: *along for this one.
bool sar_loop_is_vector(SarLoopBuilder* b, const SarTerm* t, int e, V3* along);
