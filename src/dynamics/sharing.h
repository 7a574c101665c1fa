// Minimum-norm reactions: how joints share a force that redundant constraints leave undecided
// (static indeterminacy).
//
// What the joints transmit must balance the motion of every body; with A the forces on the bodies
// of unit reactions r (the components that joints do not give way to, and multipliers of other
// constraints),
//
//   A r = b,    r -> r - N N' r        N: orthonormal, A N = 0 (states of stress without any load)
//
// is the solution with the least sum of squares of forces [N] and torques [N m]. It depends neither
// on the coordinates nor on the formulation: which joints were cut, which rows hold at every
// position of the tree that is left (idle rows: a rod beside a link of the tree), and which rows a
// method kept makes no difference. A reaction is unique where N has nothing to say about it.
#pragma once
#include "base/block.h"
#include "linalg/dense.h"
#include "model/data.h"

typedef struct SarSharing {
  int reactions, equations;  // columns and rows of A
  int rank;                  // reactions - rank states of stress
  int* first;   // njoint + 1: first reaction of each joint; then those of other constraints
  int* row;     // of the latter: row of the constraint; nrow + k: number k of those left out
  Force* unit;  // what each reaction is: on the child at the joint point, ground axes
  double* A;    // A', then its QR
  double *tau, *r, *x;
  int* pivot;
  SarDenseWork dense;
  double* idle;     // nidle_row: multipliers of the rows left out
  Force* change;    // njoint: scratch
  Force* reaction;  // njoint: what the joint exerts on its child at the joint point, ground axes
} SarSharing;

// Are there constraints that follow from others, or may some do so once they are switched on? rank:
// of the rows.
bool sar_sharing_needed(const SarModel* m, int rank);
// Takes its pieces of a block.
void sar_sharing_init(SarSharing* p, const SarModel* m, SarBlock* b);

// Fills `reaction`, `idle`, and d->lambda of the constraints that are no joints. Needs
// accelerations, world poses and coordinates of the cuts.
void sar_share(SarSharing* p, const SarModel* m, SarData* d);
// Is component 0..2 (force), 3..5 (torque) of the joint's reaction determined? After sar_share.
bool sar_reaction_is_unique(SarSharing* p, const SarModel* m, const SarData* d, int joint,
                            int component);
