// The equations of motion as a residual, for methods that solve differential-algebraic equations:
// no acceleration is computed and no mass matrix factored, so results do not rest on any
// formulation.
//
// Stabilised index 2 (Gear, Gupta and Leimkuhler), with y = (xi, v, z, lambda, mu):
//
//   xi'   - rate(q0, xi, v - Psi' mu)              = 0
//   M v'  + bias - Q + Psi' lambda                 = 0      by recursive Newton-Euler
//   z'    - rate(t, q, v, z)                       = 0      states of the user's own
//   Psi v + Phi_t                                  = 0
//   Phi                                            = 0      holonomic rows;  mu = 0  of the others
//
// mu is zero on the exact solution: it makes room for Phi = 0 beside Psi v + Phi_t = 0, so that
// neither positions nor velocities drift. Nonholonomic rows (rolling) hold speeds only and need
// none. Of redundant rows as many as are independent take part, holonomic ones first.
// Source: Gear, Gupta and Leimkuhler, J. Comp. Appl. Math. 12-13 (1985).
#pragma once
#include "base/block.h"
#include "linalg/dense.h"
#include "model/sim.h"

typedef struct SarResidualForm {
  int rows;     // that take part
  int room;     // for lambda and for mu; what is beyond `rows` is held at zero
  int* row;     // rows: which of the model's
  double* mu;   // nrow, each at its row
  double* v;    // nv: v - Psi' mu
  double* at;   // y as a vector of stage.h
  double* A;    // nv x nrow, and its QR decomposition
  double* tau;  // nrow
  int* pivot;   // nrow
  SarDenseWork dense;
} SarResidualForm;

// Takes its pieces of a block, which is zero; then: how many rows there is room for.
void sar_residual_form_layout(SarResidualForm* p, const SarModel* m, SarBlock* b);
void sar_residual_form_init(const SarSim* s, SarResidualForm* p);

// Unknowns.
int sar_residual_count(const SarModel* m, const SarResidualForm* p);

// Chooses the rows that take part: of redundant ones those farthest apart. Needs
// sar_update_constraints.
void sar_residual_choose(const SarSim* s, SarResidualForm* p);
// Would another choice have a much firmer grip by now? Likewise.
bool sar_residual_is_weak(const SarSim* s, SarResidualForm* p);
// Have the rows, however chosen, lost their grip on some motion? Likewise.
bool sar_residual_is_singular(const SarSim* s, SarResidualForm* p);
// Puts d at y, work as it was at the start of the step; evaluates it by the formulation.
SarStatus sar_residual_land(SarSim* s, SarResidualForm* p, double t, const double* y);
// y and y' of s->start, with multipliers as a formulation left them in d: a guess.
void sar_residual_first(const SarSim* s, const SarResidualForm* p, double* y, double* dy);

// r of y and y'; d is left there. False: something is not finite.
bool sar_residual_eval(SarSim* s, SarResidualForm* p, double t, const double* y, const double* dy,
                       double* r);
// column[i]: dr/dy_i + c dr/dy'_i, where r is the residual at y, y'; y and y' are changed on the
// way. moved: scratch, as long as y. False as above.
bool sar_residual_jacobian(SarSim* s, SarResidualForm* p, double t, double c, double* y, double* dy,
                           const double* r, double* moved, double** column);
