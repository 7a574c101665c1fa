// Coordinate partitioning with a kept order of elimination: the constraints solved for as many
// dependent coordinates u as they have independent rows; w are the independent ones.
//
//   Psi_u u' + Psi_w w' + Phi_t = 0,     u' = R w' - Psi_u^-1 Phi_t,     R = -Psi_u^-1 Psi_w
//
// Complete pivoting orders the elimination of Psi_u where a step begins. Within the step the order
// is kept, so that pivots are smooth functions of the position; one that changes its sign has
// passed zero. (The determinant would not do: two loops that fold together change its sign twice.)
//
// Nonholonomic rows hold velocities, not positions. Their pivots come last, so that what is
// eliminated before them is a partitioning of the positions by itself: the coordinates of later
// pivots are positions of their own, which only an integration gives.
//
// Source: Wehage and Haug 1982.
#pragma once
#include "base/block.h"
#include "model/sim.h"

typedef struct SarPartitioning {
  int rank;       // dependent coordinates
  int positions;  // those of holonomic rows, the first: follows from `row`
  // state, the choice for the coming step
  int* row;       // nrow: rows, those that act first
  int* column;    // nv: coordinates, dependent ones first
  double* pivot;  // nrow: `rank` of them, at the start of the step; 0: none
  // scratch
  int *order, *held;     // nv
  double* LU;            // nrow x nv: Psi in this order, Psi_u eliminated
  double* b;             // nrow
  const double* unit;    // nv: of each coordinate, the mechanism's size for lengths, 1 for angles
  const double* weight;  // nv: how readily a coordinate becomes a dependent one; NULL: all alike
} SarPartitioning;

// Takes its pieces of a block (unit: kept); declares the state.
void sar_partitioning_layout(SarPartitioning* p, const SarModel* m, const double* unit,
                             SarBlock* b);
void sar_partitioning_declare(SarPartitioning* p, SarSim* s);
// The state is another one: what follows from it.
void sar_partitioning_adopt(SarPartitioning* p, const SarSim* s);

// A choice for the coming step where d->Psi is evaluated: of all coordinates (`anew`), or only the
// order of those that are dependent. Returns the smallest pivot of rows scaled to their usual
// length; one of a holonomic row below SAR_PARTITIONING_LEAST is no pivot.
#define SAR_PARTITIONING_LEAST 1e-7
double sar_partitioning_choose(SarPartitioning* p, const SarSim* s, bool anew);
// Eliminates Psi_u in the present order. False where a pivot is not a number or nothing.
bool sar_partitioning_eliminate(SarPartitioning* p, const SarSim* s);
// The pivots of an elimination become those that the step begins with; none if it failed.
void sar_partitioning_keep(SarPartitioning* p, const SarSim* s, bool good);
// Has a pivot passed zero since, or is it below the share `near` of what it was? Its coordinate;
// -1: no.
int sar_partitioning_crossed(const SarPartitioning* p, const SarSim* s, double near);

// x_u -= Psi_u^-1 e, e in the order of the model's rows; what was taken off stays in p->b. The
// second: displacements, by holonomic rows and their coordinates alone.
void sar_partitioning_take_off(SarPartitioning* p, int nv, const double* e, double* x);
void sar_partitioning_close(SarPartitioning* p, int nv, const double* e, double* x);
// Psi_u' lambda = r_u; lambda of the other rows is zero.
void sar_partitioning_multipliers(SarPartitioning* p, int nv, const double* r, int nrow,
                                  double* lambda);
// Column k of R, `rank` numbers: what the dependent coordinates do where independent one k moves
// by 1.
void sar_partitioning_column(const SarPartitioning* p, int nv, int k, double* R);
