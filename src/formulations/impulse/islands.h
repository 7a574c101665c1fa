// Islands of contact: free bodies that touch each other, directly or through others, and nothing
// else. The ground is no link. What one island does is nothing to the others, so each is solved on
// its own, and ends when it is settled.
//
// A body that a row (rows.h) moves too, as one that touches a tree does, takes its whole island
// with it: those faces are left to the sweeps over all rows.
#pragma once
#include "formulations/impulse/rows.h"

typedef struct SarIsland {
  int face, faces;   // in SarIslands.face
  int body, bodies;  // in SarIslands.first
  bool rigid;        // no point is compliant
  bool shifts;       // some point has an overlap to be taken away
} SarIsland;

struct SarIslands {
  int count;
  SarIsland* island;
  int* face;  // ncontact: faces island by island; from `left` on those left to the sweeps over rows
  int left, lefts;
  int* first;      // nbody: first coordinates of the bodies, island by island
  int* node;       // nbody: place of a body within its island
  int *root, *of;  // nbody: scratch: a body that stands for its island (union-find); that island
};

// Takes its pieces of a block.
void sar_islands_init(SarIslands* p, const SarModel* m, SarBlock* b);
// All rows are made.
void sar_islands_find(SarIslands* p, const SarModel* m, SarImpulses* rows);
