// Steps that the null-space methods share: the equations of motion projected onto the motions that
// the constraints allow (Maggi, Kane).
//
//   V    n x f, null space of Psi: Psi V = 0, f = n - rank degrees of freedom
//   c    particular solution: Psi c = gamma (least squares)
//   a = c + V z,   (V' M V) z = V'(F - M c)                 (eqs. 11-13, Maggi)
//
// c stands beside V in the basis, so that one product with M and one with V' give both sides.
#include "formulations/index1/index1.h"

#include "base/error.h"
#include "linalg/spd.h"

#include <math.h>
#include <string.h>

SarStatus sar_index1_rank(SarIndex1* p) {
  SAR_TRY(sar_rows_factor(&p->rows, p->Psi, p->tol, &p->dense));
  p->rank = p->rows.rank;
  return SAR_OK;
}

void sar_index1_particular(SarIndex1* p) {
  sar_rows_redundant(&p->rows, p->rows.QR, p->n);
  sar_rows_solve(&p->rows, p->gamma, p->y);
}

void sar_index1_orthonormal(SarIndex1* p) {
  int n = p->n, r = p->rank, f = n - r;
  memset(p->basis, 0, sizeof(double) * (size_t)n * (size_t)(f + 1));
  for (int j = 0; j < f; j++) p->basis[j * n + r + j] = 1;
  memcpy(&p->basis[f * n], p->y, sizeof(double) * (size_t)r);
  sar_q_mul(n, f + 1, r, p->rows.QR, p->rows.tau, p->basis);
}

static double unit_of(const SarIndex1* p, int j) { return p->unit ? p->unit[j] : 1; }

void sar_index1_even(SarIndex1* p) {
  const int n = p->n;
  for (int k = 0; k < p->m; k++) {
    double *row = &p->other[k * n], square = 0;
    for (int j = 0; j < n; j++) {
      row[j] = p->Psi[k * n + j] * unit_of(p, j);
      square += row[j] * row[j];
    }
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int j = 0; j < n; j++) row[j] *= scale;
  }
}

void sar_index1_square(SarIndex1* p) {
  const int n = p->n;
  sar_index1_even(p);
  memset(p->square, 0, sizeof(double) * (size_t)n * (size_t)n);
  sar_gram_add(n, p->m, 1, p->other, n, p->square, n);  // Psi by rows is Psi' by columns
}

void sar_index1_take_basis(SarIndex1* p, const double* K) {
  const int n = p->n;
  for (int k = 0; k < n - p->rank; k++)
    for (int j = 0; j < n; j++) p->basis[k * n + j] = unit_of(p, j) * K[k * n + j];
}

void sar_index1_particular_column(SarIndex1* p) {
  int n = p->n, r = p->rank;
  double* c = &p->basis[(n - r) * n];
  memset(c, 0, sizeof(double) * (size_t)n);
  memcpy(c, p->y, sizeof(double) * (size_t)r);
  sar_q_mul(n, 1, r, p->rows.QR, p->rows.tau, c);
}

// massed = M [V c], reduced = V' massed, x = V'(F - M c)
static void project(SarIndex1* p) {
  int n = p->n, f = n - p->rank;
  sar_matmul(n, f + 1, n, p->M, n, p->basis, n, p->massed, n);
  sar_matmul_t(f, f + 1, n, p->basis, n, p->massed, n, p->reduced, f);
  memcpy(p->x, &p->reduced[f * f], sizeof(double) * (size_t)f);
  sar_matvec_t(n, f, 1, p->basis, n, p->F, -1, p->x);
}

// a = c + V z, residual = F - M c - M V z
static SarStatus expand(SarIndex1* p, const double* z) {
  int n = p->n, f = n - p->rank;
  memcpy(p->a, &p->basis[f * n], sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++) p->residual[i] = p->F[i] - p->massed[f * n + i];
  sar_matvec(n, f, 1, p->basis, n, z, 1, p->a);
  sar_matvec(n, f, -1, p->massed, n, z, 1, p->residual);
  return SAR_OK;
}

SarStatus sar_index1_reduced(SarIndex1* p) {
  int f = p->n - p->rank;
  project(p);
  if (!sar_spd_factor(f, p->reduced, SAR_INDEX1_MASS_TOL)) return sar_index1_reduced_pinv(p);
  sar_spd_solve(f, p->reduced, p->x);
  return expand(p, p->x);
}

// Takes out of a what lies in the span of the columns of V X, X f x count: motions without inertia.
static void shorten(SarIndex1* p, int count, const double* X) {
  int n = p->n, f = n - p->rank;
  double *D = p->other, *y = p->y, *G = p->reduced;  // over X, once D is there
  sar_matmul(n, count, f, p->basis, n, X, f, D, n);
  sar_gram_t(count, n, D, n, G, count);
  sar_mirror_upper(count, G, count);  // row by row for the Cholesky factor
  if (!sar_spd_factor(count, G, 0)) return;
  sar_matvec_t(n, count, 1, D, n, p->a, 0, y);
  sar_spd_solve(count, G, y);
  sar_matvec(n, count, -1, D, n, y, 1, p->a);
}

// z = (V' M V)+ V'(F - M c) by eigenvectors. Directions without inertia need a balanced force, and
// get no acceleration: of all solutions the shortest.
SarStatus sar_index1_reduced_pinv(SarIndex1* p) {
  int f = p->n - p->rank;
  double *X = p->reduced, *values = p->other, *z = p->y, force = 0, inertia = 0;
  project(p);
  for (int i = 0; i < f; i++) inertia += p->reduced[i * f + i];
  for (int i = 0; i < f; i++) {
    double Mc = p->reduced[f * f + i];
    force += fabs(p->x[i] + Mc) + fabs(Mc);  // V'F and V'Mc, before they cancel
  }
  if (!isfinite(force) || !isfinite(inertia)) return SAR_NOT_FINITE;
  SAR_TRY(sar_eigen(f, X, values, &p->dense));
  double least = f > 0 ? SAR_INDEX1_MASS_TOL * fabs(values[f - 1]) : 0;
  int without = 0;
  for (int j = 0; j < f; j++) {
    double component = 0;
    for (int i = 0; i < f; i++) component += X[j * f + i] * p->x[i];
    if (values[j] > least) {
      z[j] = component / values[j];
    } else if (values[j] >= -least && fabs(component) <= 1e-9 * force) {
      z[j] = 0, without++;  // eigenvalues rise: these come first
    } else {
      return SAR_SINGULAR;
    }
  }
  sar_matvec(f, f, 1, X, f, z, 0, p->x);
  SAR_TRY(expand(p, p->x));
  if (without > 0) shorten(p, without, X);
  return SAR_OK;
}

void sar_index1_multipliers(SarIndex1* p) {
  memcpy(p->x, p->residual, sizeof(double) * (size_t)p->n);
  sar_q_mul_t(p->n, 1, p->rank, p->rows.QR, p->rows.tau, p->x);
  sar_rows_solve_t(&p->rows, p->x, p->lambda);
}

SarStatus sar_index1_factor_mass(SarIndex1* p) {
  memcpy(p->vectors, p->M, sizeof(double) * (size_t)p->n * (size_t)p->n);
  return sar_spd_factor(p->n, p->vectors, SAR_INDEX1_MASS_TOL) ? SAR_OK : SAR_SINGULAR;
}

SarStatus sar_index1_check(const SarIndex1* p) {
  for (int i = 0; i < p->n; i++)
    if (!isfinite(p->a[i])) return SAR_NOT_FINITE;
  for (int i = 0; i < p->m; i++)
    if (!isfinite(p->lambda[i])) return SAR_NOT_FINITE;
  return SAR_OK;
}
