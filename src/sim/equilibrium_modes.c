// Reduced forces, tangent stiffness and natural frequencies at rest: K y = w B y on the null space
// of Psi (equilibrium.c explains the letters).
#include "dynamics/projection.h"
#include "linalg/matrix.h"
#include "linalg/spd.h"
#include "sim/equilibrium_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DIFFERENCE = 1e-5;  // for the stiffness; rad, or sizes of the mechanism
static const double NOISE = 1e-14;      // of the largest force
static const double SKEW = 1e-5;        // of a symmetric K, of its largest entry

// ---- forces and directions ----------------------------------------------------------------------

void sar_rest_evaluate(SarRestSearch* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  sar_update_constraints(m, d);
  sar_rnea(m, d, NULL, a->Q);
  for (int i = 0; i < a->n; i++) {
    a->Q[i] = d->tau[i] - a->Q[i];
    a->largest_force = fmax(a->largest_force, fabs(a->Q[i]));
  }
}

SarStatus sar_rest_reduce(SarRestSearch* a) {
  const size_t n = (size_t)a->n;
  const SarData* d = a->d;
  sar_constraint_jacobian_dense(a->m, d, a->Psi);
  for (int k = 0; k < d->nactive; k++)  // rows that are on, rising: each moves forwards or stays
    memmove(&a->Psi[(size_t)k * n], &a->Psi[(size_t)d->active_row[k] * n], n * sizeof *a->Psi);
  SAR_TRY(sar_index1_rank(&a->p));
  sar_index1_particular(&a->p);
  sar_index1_orthonormal(&a->p);
  a->f = a->n - a->p.rank;
  memcpy(a->N, a->p.basis, n * (size_t)a->f * sizeof *a->N);
  sar_matvec_t(a->n, a->f, 1, a->N, a->n, a->Q, 0, a->r);
  memcpy(a->p.residual, a->Q, n * sizeof *a->Q);
  sar_index1_multipliers(&a->p);
  for (int k = 0; k < d->nactive; k++) a->lambda[d->active_row[k]] = a->p.lambda[k];
  return SAR_OK;
}

bool sar_rest_is_length(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  return m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
}

double sar_rest_largest(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
  return most;
}

double sar_rest_longest(const SarRestSearch* a, const double* x) {
  double most = 0;
  for (int i = 0; i < a->n; i++) {
    const double size = fabs(x[i]) / (sar_rest_is_length(a->m, i) ? a->length : 1);
    if (!(size <= most)) most = size;
  }
  return most;
}

// ---- stiffness ----------------------------------------------------------------------------------

// N'(Q - Psi' lambda) at a displacement h along column k of N, added to `sum` with `sign`.
static void add_force_at(SarRestSearch* a, int k, double h, double sign, double* sum) {
  for (int i = 0; i < a->n; i++) a->dx[i] = h * a->N[k * a->n + i];
  memcpy(a->d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_projection_move(a->m, a->dx, a->d->q);
  sar_rest_evaluate(a);
  memcpy(a->rest, a->Q, (size_t)a->n * sizeof *a->Q);
  sar_constraint_add_transposed(a->m, a->d, -1, a->lambda, a->rest);
  sar_matvec_t(a->n, a->f, sign, a->N, a->n, a->rest, 1, sum);
}

// Differences know a column to the rounding of the largest force over h; where nothing is stiff,
// what is left would pass for slow modes.
static void drop_noise(const SarRestSearch* a, double h, double* column) {
  const double noise = NOISE * a->largest_force / h;
  for (int i = 0; i < a->f; i++)
    if (fabs(column[i]) <= noise) column[i] = 0;
}

// K = N' T N, T = d tau/dq of the joint forces that hold it: exact (forward mode), so that what is
// soft beside what is stiff keeps its digits.
static SarStatus exact_stiffness(SarRestSearch* a) {
  const int n = a->n, f = a->f;
  memset(a->rest, 0, (size_t)n * sizeof *a->rest);
  SAR_TRY(sar_inverse_dynamics_derivatives(a->exact, a->d, a->rest,
                                           &(SarInverseDerivatives){.tau_q = a->M}));
  for (int k = 0; k < f; k++) {
    memset(a->rest, 0, (size_t)n * sizeof *a->rest);
    for (int j = 0; j < n; j++)  // without constraints N is the identity
      for (int i = 0; a->N[k * n + j] != 0 && i < n; i++)
        a->rest[i] += a->M[i * n + j] * a->N[k * n + j];
    sar_matvec_t(n, f, 1, a->N, n, a->rest, 0, &a->K[k * f]);
  }
  return SAR_OK;
}

static void stiffness_by_differences(SarRestSearch* a) {
  const size_t f = (size_t)a->f;
  memset(a->K, 0, f * f * sizeof *a->K);
  for (int k = 0; k < a->f; k++) {
    const double h = DIFFERENCE / sar_rest_longest(a, &a->N[k * a->n]);
    add_force_at(a, k, h, -0.5 / h, &a->K[(size_t)k * f]);
    add_force_at(a, k, -h, 0.5 / h, &a->K[(size_t)k * f]);
    drop_noise(a, h, &a->K[(size_t)k * f]);
  }
}

static void update_stiffness(SarRestSearch* a) {
  const size_t f = (size_t)a->f;
  memcpy(a->q, a->d->q, (size_t)a->m->nq_all * sizeof *a->q);
  if (!a->exact || exact_stiffness(a) != SAR_OK) stiffness_by_differences(a);
  memcpy(a->d->q, a->q, (size_t)a->m->nq_all * sizeof *a->q);
  sar_rest_evaluate(a);
  double most = 0, skew = 0;
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j <= i; j++) {
      most = fmax(most, fmax(fabs(a->K[i * f + j]), fabs(a->K[j * f + i])));
      skew = fmax(skew, fabs(a->K[i * f + j] - a->K[j * f + i]));
    }
  // off the equilibrium rotations in space make it a little skew, in proportion to the force left
  a->symmetric = skew <= SKEW * most + sar_rest_largest(a->f, a->r);
  for (size_t i = 0; i < f && a->symmetric; i++)
    for (size_t j = 0; j < i; j++)
      a->K[i * f + j] = a->K[j * f + i] = 0.5 * (a->K[i * f + j] + a->K[j * f + i]);
}

// B = U'U in place of B; the unit matrix if it is singular.
static void factor_inertia(SarRestSearch* a) {
  const int n = a->n, f = a->f;
  sar_crba_dense(a->m, a->d, a->M);
  sar_matmul(n, f, n, a->M, n, a->N, n, a->N_moved, n);
  sar_matmul_t(f, f, n, a->N, n, a->N_moved, n, a->B, f);
  if (sar_spd_factor(f, a->B, 1e-12)) return;
  memset(a->B, 0, (size_t)(f * f) * sizeof *a->B);
  for (int i = 0; i < f; i++) a->B[i * f + i] = 1;
}

static int by_size(const void* pa, const void* pb) {
  const double a = *(const double*)pa, b = *(const double*)pb;
  return (a > b) - (a < b);
}

// The same without vectors, for a K that is not symmetric: real parts.
static SarStatus find_values(SarRestSearch* a) {
  SAR_TRY(sar_schur(a->f, a->Y, a->w, a->im, a->LU, &a->p.dense));
  qsort(a->w, (size_t)a->f, sizeof *a->w, by_size);
  return SAR_OK;
}

// w and Y with K y = w B y, y' B y = 1: of U^-T K U^-1.
static SarStatus find_modes(SarRestSearch* a) {
  const int f = a->f;
  factor_inertia(a);
  // B holds U row by row, which is L = U' column by column
  memcpy(a->Y, a->K, (size_t)(f * f) * sizeof *a->K);
  sar_lower_solve(f, f, a->B, f, a->Y, f);  // L^-1 K
  for (int i = 0; i < f; i++)
    for (int j = 0; j < i; j++) {
      const double held = a->Y[i * f + j];
      a->Y[i * f + j] = a->Y[j * f + i], a->Y[j * f + i] = held;
    }
  sar_lower_solve(f, f, a->B, f, a->Y, f);  // L^-1 K L^-T
  if (!a->symmetric) return find_values(a);
  SAR_TRY(sar_eigen(f, a->Y, a->w, &a->p.dense));
  sar_lower_solve_t(f, f, a->B, f, a->Y, f);
  return SAR_OK;
}

// Where soft and stiff things are together (a beam that bends a million times more easily than it
// stretches) |w| beside the largest says nothing; pivots beside their own diagonal do, in any
// units.
static void factor_stiffness(SarRestSearch* a) {
  const int f = a->f;
  for (int i = 0; i < f; i++)
    for (int j = 0; j < f; j++) a->plain[i * f + j] = 0.5 * (a->K[i * f + j] + a->K[j * f + i]);
  a->firm = f > 0 && sar_spd_factor(f, a->plain, SAR_REST_FIRM);
}

SarStatus sar_rest_modes(SarRestSearch* a) {
  update_stiffness(a);
  factor_stiffness(a);
  return find_modes(a);
}
