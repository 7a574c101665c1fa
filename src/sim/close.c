// Closing loops: Gauss-Newton in the metric of the mass matrix, damped.
//
//   (M + J' w J) x = -J' w r                 r: residuals of constraints, of given cut coordinates
//                                            and of initial equations
//
// as in dynamics/projection.c, but from far away: held coordinates are left out, steps are bounded
// and halved until the residual falls, and where that does not help the weights are lowered
// (Levenberg and Marquardt).
#include "dynamics/cut_joints.h"
#include "dynamics/inertia_floor.h"
#include "linalg/spd.h"
#include "sim/assemble_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 100, HALVINGS = 10, VELOCITY_ITERATIONS = 10, REFINEMENTS = 2, PASSES = 3 };

static const double GRIP = 1e8, LEAST_GRIP = 1e-2;
static const double CLOSED = 4 * DBL_EPSILON;
static const double ROUNDING = 1e-12;  // of entries of a row, over the largest
static const double LONGEST = 0.5;     // of a step: rad, or sizes of the mechanism
static const double DOUBT = 10;        // grip, over how far loops are open, that is believed

// ---- residuals ----------------------------------------------------------------------------------

static bool is_length(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  return m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
}

double sar_residual_unit(const Assembly* a, int i) {
  const SarModel* m = a->m;
  if (i < m->nrow) return a->p.unit[i];
  if (i >= m->nrow + a->given) return fmin(1, a->p.length);  // angles or lengths, nobody knows
  return is_length(m, a->given_dof[i - m->nrow]) ? a->p.length : 1;
}

static double largest(const Assembly* a) {
  double most = 0;
  for (int i = 0; i < a->m->nrow + a->given + a->wishes; i++) {
    const double size = fabs(a->residual[i]) / sar_residual_unit(a, i);
    if (!(size <= most)) most = size;
  }
  return most;
}

static double square_sum(const Assembly* a) {
  double sum = 0;
  for (int i = 0; i < a->m->nrow + a->given + a->wishes; i++) {
    const double size = a->residual[i] / sar_residual_unit(a, i);
    sum += size * size;
  }
  return sum;
}

// how far a cut's coordinate is from its given value
static double given_error(const Assembly* a, int dof) {
  const SarModel* m = a->m;
  const int j = m->dof_body[dof], q = m->joint_qadr[j], k = dof - m->joint_vadr[j];
  const SarJointKind* kind = m->joint_kind[j];
  double xi[SAR_JOINT_MAX_NV];
  sar_joint_displacement(kind, &m->joint_param[j * SAR_JOINT_MAX_PARAM], &m->q0[q], &a->d->q[q],
                         xi);
  return xi[k];
}

double sar_open_positions(Assembly* a) {
  const SarModel* m = a->m;
  sar_position_violation(m, a->d, &a->p);
  memcpy(a->residual, a->d->Phi, (size_t)m->nrow * sizeof *a->residual);
  if (a->given > 0) sar_update_cut_positions(m, a->d);
  for (int i = 0; i < a->given; i++)
    a->residual[m->nrow + i] = given_error(a, a->given_dof[i]) - a->lag[i];
  if (a->wishes > 0) sar_open_wishes(a, &a->residual[m->nrow + a->given]);
  for (int i = 0; i < a->wishes; i++) a->residual[m->nrow + a->given + i] -= a->lag[a->given + i];
  return largest(a);
}

double sar_open_velocities(Assembly* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  sar_velocity_violation(m, d, &a->p);
  memcpy(a->residual, d->Phi_dot, (size_t)m->nrow * sizeof *a->residual);
  if (a->given > 0) sar_update_cut_joints(m, d);
  for (int i = 0; i < a->given; i++)
    a->residual[m->nrow + i] = d->v[a->given_dof[i]] - m->v0[a->given_dof[i]];
  if (a->wishes > 0) sar_open_wishes(a, &a->residual[m->nrow + a->given]);
  return largest(a);
}

// ---- one correction -----------------------------------------------------------------------------

// Column by column: the cuts' velocities for a unit velocity of the tree.
static void update_given_rows(Assembly* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  const size_t nv = (size_t)m->nv;
  if (a->given == 0) return;
  memcpy(a->x, d->v, nv * sizeof *a->x);
  memset(d->v, 0, nv * sizeof *d->v);
  for (size_t j = 0; j < nv; j++) {
    d->v[j] = 1;
    sar_update_kinematics(m, d);
    sar_update_cut_joints(m, d);
    d->v[j] = 0;
    for (int i = 0; i < a->given; i++) a->given_row[(size_t)i * nv + j] = d->v[a->given_dof[i]];
  }
  memcpy(d->v, a->x, nv * sizeof *a->x);
  sar_update_kinematics(m, d);
  sar_update_cut_joints(m, d);
}

// Square of what a row of `num` entries at the coordinates dof (NULL: 0, 1, ...) is in unit
// motions. 0: a row of held motions but for rounding: nothing that may move can close it, and a
// weight of one over rounding would try with 1e16 rad/s.
static double square_of(const Assembly* a, const double* row, const int* dof, int num) {
  double square = 0, loose = 0, whole = 0;
  for (int e = 0; e < num; e++) {
    const int i = dof ? dof[e] : e;
    const double part = row[e] * (is_length(a->m, i) ? a->p.length : 1);
    whole = fmax(whole, fabs(part));
    if (a->held[i]) continue;
    loose = fmax(loose, fabs(part));
    square += row[e] * row[e] * a->scale[i] * a->scale[i];
  }
  return loose > ROUNDING * whole ? square : 0;
}

typedef void EachRow(Assembly* a, const double* row, const int* dof, int num, double weight,
                     double* residual);

// G += w row row'
static void add_row(Assembly* a, const double* row, const int* dof, int num, double weight,
                    double* residual) {
  const size_t nv = (size_t)a->m->nv;
  (void)residual;
  for (int e = 0; e < num; e++) {
    const int i = dof ? dof[e] : e;
    if (a->held[i] || row[e] == 0) continue;
    const double left = weight * row[e] * a->scale[i];
    for (int f = 0; f < num; f++) {
      const int j = dof ? dof[f] : f;
      if (j >= i && !a->held[j]) a->G[(size_t)i * nv + (size_t)j] += left * row[f] * a->scale[j];
    }
  }
}

// row x
static double along(const Assembly* a, const double* row, const int* dof, int num) {
  double sum = 0;
  for (int e = 0; e < num; e++) {
    const int i = dof ? dof[e] : e;
    if (!a->held[i]) sum += row[e] * a->scale[i] * a->x[i];
  }
  return sum;
}

// more -= w (r + row x) row'
static void add_left(Assembly* a, const double* row, const int* dof, int num, double weight,
                     double* residual) {
  const double left = weight * (*residual + along(a, row, dof, num));
  for (int e = 0; e < num; e++) {
    const int i = dof ? dof[e] : e;
    if (!a->held[i]) a->more[i] -= left * row[e] * a->scale[i];
  }
}

// r += row x
static void take_off(Assembly* a, const double* row, const int* dof, int num, double weight,
                     double* residual) {
  (void)weight;
  *residual += along(a, row, dof, num);
}

static void for_constraint(Assembly* a, int k, double grip, EachRow* each) {
  const SarModel* m = a->m;
  const int at = m->row_adr[k], num = m->row_adr[k + 1] - at;
  const double* row = &a->d->Psi[at];
  const double square = square_of(a, row, &m->row_dof[at], num);
  if (square > 0) each(a, row, &m->row_dof[at], num, grip / square, &a->residual[k]);
}

static bool same_place(const SarInitial* a, const SarInitial* b) {
  return a->at.file == b->at.file && a->at.line == b->at.line && a->at.column == b->at.column;
}

// Components of one vector equation ({point: ..., value: [...]}) have one weight, so that it does
// not depend on the directions of the axes which way is taken from a singular position (an arm
// stretched out).
static double square_of_wish(const Assembly* a, int wish) {
  const SarModel* m = a->m;
  const double* rows = &a->given_row[(size_t)a->given * (size_t)m->nv];
  double most = 0;
  for (int i = 0; i < a->wishes; i++)
    if (same_place(&m->initial[a->wish[i]], &m->initial[a->wish[wish]]))
      most = fmax(most, square_of(a, &rows[(size_t)i * (size_t)m->nv], NULL, m->nv));
  return most;
}

static void for_given(Assembly* a, int k, double grip, EachRow* each) {
  const double* row = &a->given_row[(size_t)k * (size_t)a->m->nv];
  const double own = square_of(a, row, NULL, a->m->nv);
  if (!(own > 0)) return;
  const double square = k < a->given ? own : square_of_wish(a, k - a->given);
  each(a, row, NULL, a->m->nv, grip / square, &a->residual[a->m->nrow + k]);
}

// Rolling allows every position, so that nonholonomic rows count for velocities only.
static void for_rows(Assembly* a, bool positions, double grip, EachRow* each) {
  for (int k = 0; k < a->m->nrow; k++)
    if (!positions || !a->m->row[k].nonholonomic) for_constraint(a, k, grip, each);
  for (int k = 0; k < a->given + a->wishes; k++) for_given(a, k, grip, each);
}

// more = -J' w (r + J x) - M x. The factor leaves the mass matrix in the lower triangle of G.
static void unbalanced(Assembly* a, bool positions, double grip) {
  const size_t nv = (size_t)a->m->nv;
  for (size_t i = 0; i < nv; i++) a->more[i] = -a->inertia[i] * a->x[i];
  for (size_t i = 0; i < nv; i++) {
    const double* M = &a->G[i * nv];
    for (size_t j = 0; j < i; j++) a->more[i] -= M[j] * a->x[j], a->more[j] -= M[j] * a->x[i];
  }
  for_rows(a, positions, grip, add_left);
}

// x of the residuals as they are. Rounding of w r leaves eps w r / M along motions that are free,
// in the eighth digit of the residuals: seen beside M alone it is taken away (iterative
// refinement).
static void solve(Assembly* a, bool positions, double grip) {
  memset(a->x, 0, (size_t)a->m->nv * sizeof *a->x);
  for (int i = 0; i <= REFINEMENTS; i++) {
    unbalanced(a, positions, grip);
    sar_spd_solve(a->m->nv, a->G, a->more);
    for (int j = 0; j < a->m->nv; j++) a->x[j] += a->more[j];
  }
}

// x: the correction, of positions or of velocities. What a finite weight leaves, further passes
// take (augmented Lagrangian): the way is the one of least mass, whatever the weights. False: the
// matrix has no factors.
static bool correction(Assembly* a, bool positions, double grip) {
  const SarModel* m = a->m;
  const size_t nv = (size_t)m->nv, residuals = (size_t)(m->nrow + a->given + a->wishes);
  if (a->wishes > 0) sar_update_wish_rows(a, &a->given_row[(size_t)a->given * nv]);
  update_given_rows(a);
  sar_crba_dense(m, a->d, a->G);
  for (size_t j = 0; j < nv; j++) a->scale[j] = a->G[j * nv + j];
  sar_inertia_floor(m, a->scale);
  for (size_t j = 0; j < nv; j++) a->scale[j] = 1 / sqrt(a->scale[j]);
  for (size_t i = 0; i < nv; i++)
    for (size_t j = i; j < nv; j++) {
      double* upper = &a->G[i * nv + j];
      *upper = a->held[i] || a->held[j] ? i == j : a->scale[i] * a->scale[j] * *upper;
      a->G[j * nv + i] = *upper;
    }
  for (size_t j = 0; j < nv; j++) a->inertia[j] = a->G[j * nv + j];
  for_rows(a, positions, grip, add_row);
  // motions without inertia that no constraint holds either stay as they are
  for (size_t j = 0; j < nv; j++) a->G[j * nv + j] += 1e-12;
  if (!sar_spd_factor(m->nv, a->G, 0)) return false;
  memset(a->sum, 0, nv * sizeof *a->sum);
  memcpy(a->open, a->residual, residuals * sizeof *a->open);
  for (int pass = 0; pass < (grip == GRIP ? PASSES : 1); pass++) {
    solve(a, positions, grip);
    for (size_t j = 0; j < nv; j++) a->sum[j] += a->x[j];
    for_rows(a, positions, grip, take_off);
  }
  memcpy(a->residual, a->open, residuals * sizeof *a->open);
  for (size_t j = 0; j < nv; j++) a->x[j] = a->scale[j] * a->sum[j];
  return true;
}

// ---- positions ----------------------------------------------------------------------------------

static void bound_step(Assembly* a) {
  const double longest = sar_assembly_longest(a);
  for (int j = 0; j < a->m->nv && longest > LONGEST; j++) a->x[j] *= LONGEST / longest;
}

// Along x, halved until the residual falls. False: it does not, and nothing has moved.
static bool step_along(Assembly* a, double* open) {
  const size_t bytes = (size_t)a->m->nq * sizeof *a->q;
  const double before = square_sum(a);
  double length = 1;
  memcpy(a->q, a->d->q, bytes);
  for (int i = 0; i <= HALVINGS; i++) {
    sar_assembly_move(a);
    const double now = sar_open_positions(a);
    if (square_sum(a) < (1 - 0.1 * length) * before) {
      *open = now;
      return true;
    }
    memcpy(a->d->q, a->q, bytes);
    for (int j = 0; j < a->m->nv; j++) a->x[j] *= 0.5;
    length *= 0.5;
  }
  *open = sar_open_positions(a);
  return false;
}

static double close_positions(Assembly* a, bool near) {
  double grip = GRIP, open = sar_open_positions(a);
  for (int i = 0; i < ITERATIONS && open > CLOSED; i++) {
    if (near) grip = fmin(grip, 1 / (DOUBT * DOUBT * open * open));
    const bool found = correction(a, true, grip);
    if (found) bound_step(a);
    if (found && step_along(a, &open)) {
      grip = fmin(GRIP, 100 * grip);
      continue;
    }
    grip *= 0.01;
    if (grip < LEAST_GRIP || open < 1e-13) break;
  }
  return open;
}

double sar_close_positions(Assembly* a) { return close_positions(a, false); }

// Where loops are open by e, rows that are redundant are independent by about as much and
// contradict each other by about as much too: a correction that believed them would go a way of 1.
// So grips below DOUBT e (roots of 1/w) are not believed.
double sar_close_nearby(Assembly* a) { return close_positions(a, true); }

// ---- velocities ---------------------------------------------------------------------------------

double sar_close_velocities(Assembly* a) {
  SarData* d = a->d;
  double open = sar_open_velocities(a);
  for (int i = 0; i < VELOCITY_ITERATIONS && open > CLOSED; i++) {
    if (!correction(a, false, GRIP)) break;
    for (int j = 0; j < a->m->nv; j++) d->v[j] += a->x[j];
    const double now = sar_open_velocities(a);
    const bool slow = !(now < 0.5 * open);
    open = now;
    if (slow) break;
  }
  return open;
}
