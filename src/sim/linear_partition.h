// Coordinate partitioning (Wehage and Haug 1982): which coordinates of a mechanism are dependent,
// and how they follow from the others.
#pragma once
#include "base/block.h"
#include "linalg/dense.h"
#include "model/sim.h"

// Rows that hold at one level, and how dependent coordinates follow from the others.
typedef struct SarLinearPartition {
  int rank;
  int *row, *dependent;  // chosen rows, dependent coordinates
  int* independent;      // nv - rank, rising
  double* Psi;           // rank x nv: chosen rows
  double* LU;            // rank x rank
  int* pivot;
} SarLinearPartition;

// Room for finding them.
typedef struct SarLinearRoom {
  double *full, *tau, *rhs;  // nv x nrow, max(nv, nrow), max(nv, nrow)
  int* order;                // max(nv, nrow)
  SarDenseWork dense;        // asked for (sar_dense_query) by max(nv, nrow) before it is laid out
} SarLinearRoom;

void sar_linear_partition_layout(SarLinearPartition* p, const SarModel* m, SarBlock* b);
void sar_linear_room_layout(SarLinearRoom* w, const SarModel* m, SarBlock* b);

// By the rows of Psi at d, which is evaluated; speeds: also those that bind velocities only.
SarStatus sar_linear_partition_find(const SarModel* m, const SarData* d, SarLinearRoom* w,
                                    SarLinearPartition* p, bool speeds);
// Completes x, whose independent entries are set: Psi x = -open, by rows (Nullable: 0).
void sar_linear_partition_complete(const SarModel* m, SarLinearRoom* w, const SarLinearPartition* p,
                                   const double* open, double* x);
