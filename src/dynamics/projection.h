// Coordinate projection: bringing positions and velocities back onto the constraints, by the way
// that moves least mass (mass-orthogonal):
//
//   Phi(q + dq) = 0,  dq' M dq -> min;     Psi (v + dv) + Phi_t = 0,  dv' M dv -> min
//
// Redundant rows, rows that lose their grip at singular positions and a singular M need no care:
// nothing is decided about rank.
#pragma once
#include "base/block.h"
#include "dynamics/constraints.h"

// Largest violations of the rows: |Phi| [m or rad], |Phi'| [m/s or rad/s].
typedef struct SarViolation {
  double position, velocity;
} SarViolation;

SarViolation sar_violation(const SarModel* m, const SarData* d);

typedef struct SarProjection {
  const double* row_size;
  double grip;     // of a row against the inertia it moves: what is weaker by its root is let go
  double length;   // size of the mechanism: the unit of its lengths [m]
  double* factor;  // nv x nv: Cholesky factor
  double* mass;    // nv x nv: upper triangle of M in the coordinates of the factor
  double* more;    // nv: scratch
  double* scale;   // nv: of the coordinates, so that all have the same inertia
  double* row;     // nrow_dof: Psi in these coordinates
  double* weight;  // nrow
  double* unit;    // nrow: length or 1
  double* x;       // nv
  double* r;       // nrow
  double* q;       // nq
  double open;     // by how much rows are open, a number; 0: they are closed, or nobody has looked
  bool factored;
  bool eager;          // correct rounding too: near singular positions it grows
  SarViolation drift;  // what the last projection found
} SarProjection;

// The size of the mechanism [m]: its longest lever.
double sar_mechanism_size(const SarModel* m);
// The size of the mechanism [m], and for each row the unit of its residual: that size for lengths,
// 1 for angles.
double sar_row_units(const SarModel* m, double* unit);
// The same for each coordinate of the tree (nv): displacements over it are numbers without a unit.
// Modes: what moves a node of their body by the size of the mechanism, or turns one by a radian.
double sar_dof_unit(const SarModel* m, int dof, double length);
void sar_dof_units(const SarModel* m, double* unit);

// Takes its pieces of a block.
// row_size: nrow, kept; how long each row of Psi usually is: only as long does it have its full
// grip. faint: what rows hold with less than this share of their grip is let go.
void sar_projection_init(SarProjection* p, const SarModel* m, const double* row_size, double faint,
                         SarBlock* b);

// Moves d->q and d->v; Phi, Psi, Phi_t and Phi_dot are evaluated there. SAR_NOT_CONVERGED when the
// constraints stay open by more than a millionth of their size.
SarStatus sar_project(const SarModel* m, SarData* d, SarProjection* p);
// Positions alone: d->q; Phi and Psi are evaluated there.
SarStatus sar_project_positions(const SarModel* m, SarData* d, SarProjection* p);
// Takes out of a displacement x (nv), an error of positions or velocities say, what a projection
// would take out. d is evaluated; a projection that follows saves its factor.
SarStatus sar_projection_filter(const SarModel* m, SarData* d, SarProjection* p, double* x);
// The position is a new one: factors do not hold.
static inline void sar_projection_forget(SarProjection* p) {
  p->factored = false;
  p->open = 0;
}

// Evaluates Phi and Psi (Phi_dot and gamma) at t, q (v) and returns the largest violation, that of
// lengths over the size of the mechanism.
double sar_position_violation(const SarModel* m, SarData* d, const SarProjection* p);
double sar_velocity_violation(const SarModel* m, SarData* d, const SarProjection* p);
// q <- q (+) xi
void sar_projection_move(const SarModel* m, const double* xi, double* q);
