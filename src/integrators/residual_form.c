// Residual, Jacobian and choice of rows of the stabilised index-2 DAE (residual_form.h).
#include "integrators/residual_form.h"

#include "dynamics/constraints.h"
#include "integrators/stage.h"

#include <math.h>
#include <string.h>

static const double NUDGE = 1e-8;     // of a coordinate or velocity of size 1, for differences
static const double WEAK = 0.1;       // of the grip that the best choice of rows has
static const double SINGULAR = 3e-2;  // of the usual length of a row
static const double LAST = 1e-4;      // weight of nonholonomic rows in a choice: after all others

void sar_residual_form_layout(SarResidualForm* p, const SarModel* m, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  SAR_PIECE(b, p->row, nrow);
  SAR_PIECE(b, p->pivot, nrow);
  SAR_PIECE(b, p->mu, nrow);
  SAR_PIECE(b, p->tau, nrow);
  SAR_PIECE(b, p->v, nv);
  SAR_PIECE(b, p->at, sar_stage_size(m));
  SAR_PIECE(b, p->A, nv * nrow);
  sar_dense_query(m->nv, m->nrow, &p->dense);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
}

void sar_residual_form_init(const SarSim* s, SarResidualForm* p) {
  const SarModel* m = s->m;
  // where rows are switched on and off, more may become independent than are at the start
  const int most = m->nrow < m->nv ? m->nrow : m->nv;
  p->room = m->ngate > 0 ? most : s->freedom.rank;
}

int sar_residual_count(const SarModel* m, const SarResidualForm* p) {
  return sar_stage_work(m) + 2 * p->room;
}

// ---- rows ---------------------------------------------------------------------------------------

// Positions are held by holonomic rows alone, so none of them may give way to a nonholonomic one
// that allows the same speeds.
static double weight_of(const SarModel* m, int row) { return m->row[row].nonholonomic ? LAST : 1; }

// The rows chosen so far (or all of them), each over its usual size, as columns of A: A P = Q R.
// Returns the diagonal entry of R that says how firmly the last one of `rank` rows holds.
static double decompose(const SarSim* s, SarResidualForm* p, bool chosen, int rank) {
  const SarModel* m = s->m;
  const int count = chosen ? p->rows : m->nrow;
  memset(p->A, 0, (size_t)m->nv * (size_t)count * sizeof *p->A);
  for (int k = 0; k < count; k++) {
    const int i = chosen ? p->row[k] : k;
    const double weight = weight_of(m, i) / s->row_size[i];
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++)
      p->A[k * m->nv + m->row_dof[e]] = s->d->Psi[e] * weight;
  }
  sar_qr_pivoted(m->nv, count, p->A, p->pivot, p->tau, &p->dense);
  const int last = p->pivot[rank - 1];
  return fabs(p->A[(rank - 1) * m->nv + rank - 1]) / weight_of(m, chosen ? p->row[last] : last);
}

void sar_residual_choose(const SarSim* s, SarResidualForm* p) {
  const int rank = s->freedom.rank < p->room ? s->freedom.rank : p->room;
  const bool redundant = rank > 0 && rank < s->freedom.rows;
  if (redundant) decompose(s, p, false, rank);
  const int* order = redundant ? p->pivot : s->row_order;
  for (int k = 0; k < rank; k++) p->row[k] = order[k];
  p->rows = rank;
}

bool sar_residual_is_weak(const SarSim* s, SarResidualForm* p) {
  if (p->rows == 0 || p->rows == s->freedom.rows) return false;
  const double ours = decompose(s, p, true, p->rows);
  return ours < WEAK * decompose(s, p, false, p->rows);
}

bool sar_residual_is_singular(const SarSim* s, SarResidualForm* p) {
  return p->rows > 0 && decompose(s, p, false, p->rows) < SINGULAR;
}

// ---- residual -----------------------------------------------------------------------------------

void sar_residual_first(const SarSim* s, const SarResidualForm* p, double* y, double* dy) {
  const size_t nv = (size_t)s->m->nv, all = (size_t)sar_residual_count(s->m, p);
  memset(y, 0, all * sizeof *y);
  memset(dy, 0, all * sizeof *dy);
  memcpy(y + nv, s->start.v, nv * sizeof *y);
  memcpy(dy, s->start.v, nv * sizeof *dy);  // rate(q0, 0, v) = v
  memcpy(dy + nv, s->start.a, nv * sizeof *dy);
  for (int i = 0; i < s->m->nz; i++) {
    y[2 * nv + (size_t)i] = s->start.z[i];
    dy[2 * nv + (size_t)i] = s->start.z_rate[i];
  }
  for (int k = 0; k < p->rows; k++) y[sar_stage_work(s->m) + k] = s->d->lambda[p->row[k]];
}

static const double* as_stage(const SarSim* s, SarResidualForm* p, const double* y) {
  const size_t n = (size_t)sar_stage_work(s->m);
  memcpy(p->at, y, n * sizeof *y);
  memcpy(p->at + n, s->start.work, (size_t)s->m->nwork * sizeof *y);
  return p->at;
}

SarStatus sar_residual_land(SarSim* s, SarResidualForm* p, double t, const double* y) {
  return sar_stage_rate(s, t, as_stage(s, p, y), NULL);
}

// Everything of t, q and v that the residual is made of.
static void evaluate(SarSim* s, SarResidualForm* p, double t, const double* y) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_stage_set(s, t, as_stage(s, p, y));
  d->t = t < s->t_low ? s->t_low : t > s->t_high ? s->t_high : t;
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  if (m->nrow > 0) {
    sar_update_constraints(m, d);
    sar_update_constraint_rates(m, d);
  }
  d->t = t;
}

static void spread(const SarModel* m, const SarResidualForm* p, const double* x, double* of_rows) {
  memset(of_rows, 0, (size_t)m->nrow * sizeof *of_rows);
  for (int k = 0; k < p->rows; k++) of_rows[p->row[k]] = x[k];
}

// Does row k of those that take part hold positions? If not, there is no Phi, and mu is zero.
static bool holds_place(const SarModel* m, const SarResidualForm* p, int k) {
  return k < p->rows && !m->row[p->row[k]].nonholonomic;
}

bool sar_residual_eval(SarSim* s, SarResidualForm* p, double t, const double* y, const double* dy,
                       double* r) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const int nv = m->nv, n = sar_stage_work(m);
  const double *lambda = y + n, *mu = lambda + p->room;
  double *speed = r + n, *place = speed + p->room;  // rows of velocities, of positions
  s->stats.calls++;
  evaluate(s, p, t, y);
  spread(m, p, lambda, d->lambda);
  spread(m, p, mu, p->mu);
  memcpy(p->v, d->v, (size_t)nv * sizeof *p->v);
  sar_constraint_add_transposed(m, d, -1, p->mu, p->v);
  sar_stage_position_rate(s, y, p->v, r);
  for (int i = 0; i < nv; i++) r[i] = dy[i] - r[i];
  sar_rnea(m, d, dy + nv, r + nv);
  for (int i = 0; i < nv; i++) r[nv + i] -= d->tau[i];
  sar_constraint_add_transposed(m, d, 1, d->lambda, r + nv);
  for (int i = 0; i < m->nz; i++) r[2 * nv + i] = dy[2 * nv + i] - d->z_rate[i];
  for (int k = 0; k < p->room; k++) {
    speed[k] = k < p->rows ? d->Phi_dot[p->row[k]] : lambda[k];
    place[k] = holds_place(m, p, k) ? d->Phi[p->row[k]] : mu[k];
  }
  for (int i = 0; i < n + 2 * p->room; i++)
    if (!isfinite(r[i])) {
      s->worst = i < 2 * nv ? i % nv : i < n ? i - nv : -1;
      return false;
    }
  return true;
}

// ---- Jacobian -----------------------------------------------------------------------------------

// Columns of lambda and mu: the residual is linear in them, Psi' of d as it was evaluated last.
static void multiplier_columns(const SarSim* s, SarResidualForm* p, const double* xi,
                               double** column) {
  const SarModel* m = s->m;
  const int nv = m->nv, n = sar_stage_work(m);
  for (int k = 0; k < p->room; k++) {
    double *of_lambda = column[n + k], *of_mu = column[n + p->room + k];
    memset(of_lambda, 0, (size_t)(n + 2 * p->room) * sizeof *of_lambda);
    memset(of_mu, 0, (size_t)(n + 2 * p->room) * sizeof *of_mu);
    if (!holds_place(m, p, k)) of_mu[n + p->room + k] = 1;
    if (k >= p->rows) {
      of_lambda[n + k] = 1;
      continue;
    }
    memset(p->v, 0, (size_t)nv * sizeof *p->v);
    const int row = p->row[k];
    for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
      of_lambda[nv + m->row_dof[e]] = p->v[m->row_dof[e]] = s->d->Psi[e];
    sar_stage_position_rate(s, xi, p->v, of_mu);
  }
}

bool sar_residual_jacobian(SarSim* s, SarResidualForm* p, double t, double c, double* y, double* dy,
                           const double* r, double* moved, double** column) {
  const SarModel* m = s->m;
  const int n = sar_residual_count(m, p);
  for (int i = 0; i < sar_stage_work(m); i++) {
    const double at = y[i], rate = dy[i], step = NUDGE * (1 + fabs(at));
    y[i] = at + step;
    dy[i] = rate + c * step;
    const bool good = sar_residual_eval(s, p, t, y, dy, moved);
    y[i] = at;
    dy[i] = rate;
    if (!good) return false;
    for (int k = 0; k < n; k++) column[i][k] = (moved[k] - r[k]) / step;
  }
  evaluate(s, p, t, y);
  multiplier_columns(s, p, y, column);
  return true;
}
