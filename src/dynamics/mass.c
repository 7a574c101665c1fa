// Sparse factors M = L'D L of the mass matrix and what is solved with them: the branches of the
// tree are the sparsity (branch-induced, no fill-in), so that one row of nv integers is all the
// bookkeeping there is.
//
// Source: Featherstone 2008, section 6.5 (LTDL).
#include "dynamics/mass.h"

size_t sar_mass_entries(const SarModel* m) {
  size_t entries = 0;
  for (int i = 0; i < m->nv; i++)
    for (int k = i; k >= 0; k = m->dof_parent[k]) entries++;
  return entries;
}

// y -= s x: rows are short, and lie apart
static inline void subtract(size_t n, double s, const double* x, double* y) {
  const L4 all = l4_all(s);
  for (; n >= 4; n -= 4, x += 4, y += 4) l4_store(y, l4_mul_sub(all, l4_load(x), l4_load(y)));
  if (n == 0) return;
  y[0] -= s * x[0];
  if (n == 1) return;
  y[1] -= s * x[1];
  if (n == 3) y[2] -= s * x[2];
}

SarStatus sar_mass_factor(const SarModel* m, const SarData* d, double* mass) {
  const size_t* row = d->mass_row;
  for (int k = m->nv - 1; k >= 0; k--) {
    double* K = mass + row[k];
    const size_t n = row[k + 1] - row[k];
    if (!(K[0] > 0)) return isnan(K[0]) ? SAR_NOT_FINITE : SAR_SINGULAR;
    const double inv = 1 / K[0];
    // M_ij -= M_ki M_kj / D_k for all ancestors i of k and j of i; the tail of row k has row i's
    // columns
    int i = m->dof_parent[k];
    for (size_t s = 1; s < n; s++, i = m->dof_parent[i]) {
      subtract(n - s, inv * K[s], &K[s], mass + row[i]);
    }
    for (size_t s = 1; s < n; s++) K[s] *= inv;
  }
  return SAR_OK;
}

void sar_mass_solve(const SarModel* m, const SarData* d, const double* factor, double* x) {
  const size_t* row = d->mass_row;
  const int* parent = m->dof_parent;
  for (int k = m->nv - 1; k >= 0; k--) {  // x <- L^-T x
    const double* L = factor + row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) x[i] -= *++L * x[k];
  }
  for (int k = 0; k < m->nv; k++) {  // x <- L^-1 D^-1 x
    const double* L = factor + row[k];
    double sum = x[k] / L[0];
    for (int i = parent[k]; i >= 0; i = parent[i]) sum -= *++L * x[i];
    x[k] = sum;
  }
}

SarStatus sar_crba_accel(const SarModel* m, SarData* d, double* mass) {
  sar_crba(m, d, mass);
  SAR_TRY(sar_mass_factor(m, d, mass));
  double* bias = d->dof_work;
  sar_rnea(m, d, NULL, bias);
  for (int i = 0; i < m->nv; i++) d->a[i] = d->tau[i] - bias[i];
  sar_mass_solve(m, d, mass, d->a);
  return SAR_OK;
}
