// Equilibrium with states of the user's own: forces and rates vanish together (equilibrium.c,
// letters there).
//
//   N' Q(q, x) = 0,   rate(q, x) = 0           x: the states
//
// Newton's step for both: J (dz, dx) = (r, rate), J by central differences, with lambda and N held.
// Rows and columns are scaled by their largest entries, for forces and rates have nothing in
// common; of several solutions the shortest is taken, so that what nothing determines (an integral
// of something that is zero at rest) stays where it is. There is no potential to go down: the step
// is halved until the scaled residual falls.
#include "base/alloc.h"
#include "dynamics/projection.h"
#include "linalg/matrix.h"
#include "sim/equilibrium_work.h"

#include <math.h>
#include <string.h>

static const double DIFFERENCE = 1e-5;  // of a displacement: rad, sizes of the mechanism, 1 + |x|
// of a rate that is zero, of what a displacement of 1 makes of it
static const double STILL = 1e-8;

static void evaluate_at(SarRestSearch* a, int k, double h) {
  SarData* d = a->d;
  memcpy(d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  memcpy(d->z, a->x, (size_t)a->m->nz * sizeof *a->x);
  if (k >= a->f) {
    d->z[k - a->f] += h;
    if (a->m->drives_follow && a->s->projection) {  // the motion that follows it moves along
      sar_projection_forget(a->s->projection);
      sar_project(a->m, d, a->s->projection);
    }
  } else {
    for (int i = 0; i < a->n; i++) a->dx[i] = h * a->N[k * a->n + i];
    sar_projection_move(a->m, a->dx, d->q);
  }
  sar_rest_evaluate(a);
}

// Column k of J, with `weight` times (N'(Q - Psi' lambda), rate) there added.
static void add_column(SarRestSearch* a, int k, double h, double weight) {
  const int all = a->f + a->m->nz;
  double* column = &a->J[k * all];
  evaluate_at(a, k, h);
  memcpy(a->rest, a->Q, (size_t)a->n * sizeof *a->Q);
  sar_constraint_add_transposed(a->m, a->d, -1, a->lambda, a->rest);
  sar_matvec_t(a->n, a->f, weight, a->N, a->n, a->rest, 1, column);
  for (int i = 0; i < a->m->nz; i++) column[a->f + i] += weight * a->d->z_rate[i];
}

static void scale(SarRestSearch* a) {
  const int all = a->f + a->m->nz;
  for (int i = 0; i < all; i++) {
    a->row_scale[i] = 0;
    for (int k = 0; k < all; k++) a->row_scale[i] = fmax(a->row_scale[i], fabs(a->J[k * all + i]));
    if (!(a->row_scale[i] > 0)) a->row_scale[i] = 1;
  }
  for (int k = 0; k < all; k++) {
    double most = 0;
    for (int i = 0; i < all; i++) {
      a->J[k * all + i] /= a->row_scale[i];
      most = fmax(most, fabs(a->J[k * all + i]));
    }
    a->column_scale[k] = most > 0 ? most : 1;
    for (int i = 0; i < all; i++) a->J[k * all + i] /= a->column_scale[k];
  }
}

static double residual_of(const SarRestSearch* a, int i) {
  return (i < a->f ? a->r[i] : a->d->z_rate[i - a->f]) / a->row_scale[i];
}

// The shortest solution by the eigenvectors u of J'J = sum w u u': u (u' J' residual) / w.
static SarStatus solve(SarRestSearch* a) {
  const int all = a->f + a->m->nz;
  double *u = a->JJ, *w = a->values;
  sar_matmul_t(all, all, all, a->J, all, a->J, all, u, all);
  SAR_TRY(sar_eigen(all, u, w, &a->joint));
  const double floor = w[all - 1] * SAR_REST_INDIFFERENT * SAR_REST_INDIFFERENT;
  memset(a->step, 0, (size_t)all * sizeof *a->step);
  for (int k = 0; k < all; k++, u += all) {
    if (!(w[k] > floor)) continue;
    double along = 0;
    for (int j = 0; j < all; j++) {
      double Jr = 0;
      for (int i = 0; i < all; i++) Jr += a->J[j * all + i] * residual_of(a, i);
      along += u[j] * Jr;
    }
    for (int j = 0; j < all; j++) a->step[j] += u[j] * along / w[k];
  }
  for (int j = 0; j < all; j++) a->step[j] /= a->column_scale[j];
  return SAR_OK;
}

SarStatus sar_rest_joint_step(SarRestSearch* a) {
  const SarModel* m = a->m;
  const int all = a->f + m->nz;
  memcpy(a->q, a->d->q, (size_t)m->nq_all * sizeof *a->q);
  memcpy(a->x, a->d->z, (size_t)m->nz * sizeof *a->x);
  memset(a->J, 0, (size_t)all * (size_t)all * sizeof *a->J);
  for (int k = 0; k < all; k++) {
    const double size =
        k < a->f ? 1 / sar_rest_longest(a, &a->N[k * a->n]) : 1 + fabs(a->x[k - a->f]);
    const double h = DIFFERENCE * size;
    add_column(a, k, h, -0.5 / h);
    add_column(a, k, -h, 0.5 / h);
  }
  memcpy(a->d->q, a->q, (size_t)m->nq_all * sizeof *a->q);
  memcpy(a->d->z, a->x, (size_t)m->nz * sizeof *a->x);
  sar_rest_evaluate(a);
  scale(a);
  SAR_TRY(solve(a));
  sar_matvec(a->n, a->f, 1, a->N, a->n, a->step, 0, a->dx);
  memcpy(a->dstate, a->step + a->f, (size_t)m->nz * sizeof *a->dstate);
  return SAR_OK;
}

double sar_rest_joint_residual(const SarRestSearch* a) {
  double sum = 0;
  for (int i = 0; i < a->f + a->m->nz; i++) sum += residual_of(a, i) * residual_of(a, i);
  return sqrt(sum);
}

double sar_rest_joint_size(const SarRestSearch* a) {
  double most = sar_rest_longest(a, a->dx);
  for (int i = 0; i < a->m->nz; i++) most = fmax(most, fabs(a->dstate[i]) / (1 + fabs(a->x[i])));
  return most;
}

int sar_rest_moving_state(const SarRestSearch* a) {
  for (int i = 0; i < a->m->nz; i++)
    if (!(fabs(a->d->z_rate[i]) <= STILL * a->row_scale[a->f + i] * (1 + fabs(a->d->z[i]))))
      return i;
  return -1;
}

// ---- memory -------------------------------------------------------------------------------------

void sar_rest_joint_layout(SarRestSearch* a, SarBlock* b) {
  const size_t nz = (size_t)a->m->nz, all = (size_t)a->n + nz;
  if (nz == 0) return;
  sar_dense_query((int)all, (int)all, &a->joint);
  SAR_PIECE(b, a->J, all * all);
  SAR_PIECE(b, a->JJ, all * all);
  SAR_PIECE(b, a->values, all);
  SAR_PIECE(b, a->step, all);
  SAR_PIECE(b, a->row_scale, all);
  SAR_PIECE(b, a->column_scale, all);
  SAR_PIECE(b, a->x, nz);
  SAR_PIECE(b, a->dstate, nz);
  SAR_PIECE(b, a->joint.work, a->joint.lwork);
  SAR_PIECE(b, a->joint.iwork, a->joint.liwork);
}
