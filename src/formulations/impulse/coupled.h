// Stiff springs and strong dampers between branches, whose blocks do not fit the pattern of H
// (held.c): H has so many times their diagonal blocks that it bounds them. What the matrix is
// multiplied with is answered by all of it,
//
//   (H + T) y = x,   T = blocks - what H has of them
//
// by conjugate gradients with H for their preconditioner. Branches that they tie together are one
// group (groups.c), if that is not too wide; else they are left to their bounds, and lean on what
// the step before did (held.c).
#pragma once
#include "base/block.h"
#include "model/sim.h"

typedef struct SarCoupled {
  int count;                                // 0: none, or left to their bounds
  int* tangent;                             // count: rising, in m->tangent
  int* paths;                               // paths to the root that the coordinates of each are on
  double* value;                            // their blocks, lower triangles by rows
  double *x, *r, *y, *direction, *product;  // nv
  int* failed;  // in how many answers conjugate gradients did not come to their end since it was
                // set to 0
} SarCoupled;

struct SarHeld;
typedef struct SarHeldGroup SarHeldGroup;
// Paths to the root that the coordinates of a tangent are on.
int sar_count_paths(const SarModel* m, int tangent);
// From which tree to which forces between branches reach: coordinates *low to *high - 1. False:
// there are none to be taken whole.
bool sar_coupled_reach(const SarModel* m, int* low, int* high);
void sar_coupled_init(SarCoupled* p, const SarModel* m, SarBlock* b);
void sar_coupled_clear(SarCoupled* p, const SarModel* m);
// Block `tangent` += weight times values (a lower triangle by rows).
void sar_coupled_add(SarCoupled* p, const SarModel* m, int tangent, double weight,
                     const double* value);
// f += gain (whole block) a
void sar_block_pull(const SarModel* m, int tangent, double gain, const double* value,
                    const double* a, double* f);
// x <- (H + T)^-1 x of the coordinates of a group; x counts from its first.
void sar_coupled_respond(const SarCoupled* p, const struct SarHeld* held, const SarModel* m,
                         const SarData* d, const SarHeldGroup* g, double* x);
