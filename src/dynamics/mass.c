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

// ---- factors ------------------------------------------------------------------------------------

// M and how far it is factored; rows hold D L until all is done.
typedef struct Factor {
  double* mass;
  const size_t* row;
  double* inverse;  // 1/D
} Factor;

// M_ij -= M_ki M_kj / D_k over all descendants k of i and the n ancestors j from y on, y: an entry
// of row i. The tail of row k has row i's columns; in registers from k to k.
LANES_INLINE void take_off(const Factor* f, int i, int end, double* y, const int n) {
  const int lanes = n / 4, tail = n % 4;
  const size_t own = f->row[i + 1] - f->row[i];
  const double* L = f->mass - own;  // entry of row k with i: L[row[k + 1]]
  const ptrdiff_t along = y - (f->mass + f->row[i]);
  L4 four[6];
  double one[3];
#pragma GCC unroll 6
  for (int l = 0; l < lanes; l++) four[l] = l4_load(y + 4 * l);
#pragma GCC unroll 3
  for (int l = 0; l < tail; l++) one[l] = y[4 * lanes + l];
  for (int k = end - 1; k > i; k--) {
    const double *x = &L[f->row[k + 1]], s = f->inverse[k] * *x;
    const L4 all = l4_all(s);
    x += along;
#pragma GCC unroll 6
    for (int l = 0; l < lanes; l++) four[l] = l4_mul_sub(all, l4_load(x + 4 * l), four[l]);
#pragma GCC unroll 3
    for (int l = 0; l < tail; l++) one[l] -= s * x[4 * lanes + l];
  }
#pragma GCC unroll 6
  for (int l = 0; l < lanes; l++) l4_store(y + 4 * l, four[l]);
#pragma GCC unroll 3
  for (int l = 0; l < tail; l++) y[4 * lanes + l] = one[l];
}

// Row i, some of its entries at a time.
LANES_INLINE void take_off_row(const Factor* f, int i, int end) {
  enum { MOST = 24 };
#define CASE(n)                \
  case n:                      \
    take_off(f, i, end, y, n); \
    break;
#define CASES(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
  size_t left = f->row[i + 1] - f->row[i];
  for (double* y = f->mass + f->row[i]; left > 0;) {
    const size_t some = left < MOST ? left : MOST;
    switch (some) { CASES(1) CASES(5) CASES(9) CASES(13) CASES(17) CASES(21) }
    left -= some, y += some;
  }
#undef CASES
#undef CASE
}

static inline void scale(size_t n, double s, double* x) {
  const L4 all = l4_all(s);
  for (; n >= 4; n -= 4, x += 4) l4_store(x, l4_mul(all, l4_load(x)));
  for (; n > 0; n--) *x++ *= s;
}

SarStatus sar_mass_factor(const SarModel* m, SarData* d, double* mass) {
  const size_t* row = d->mass_row;
  const Factor f = {mass, row, d->dof_work};
  for (int i = m->nv - 1; i >= 0; i--) {
    const int end = sar_dof_end(m, i);
    if (end > i + 1) take_off_row(&f, i, end);
    const double D = mass[row[i]];
    if (!(D > 0)) return isnan(D) ? SAR_NOT_FINITE : SAR_SINGULAR;
    f.inverse[i] = 1 / D;
  }
  for (int k = 0; k < m->nv; k++) scale(row[k + 1] - row[k] - 1, f.inverse[k], &mass[row[k] + 1]);
  return SAR_OK;
}

// ---- solutions ----------------------------------------------------------------------------------

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
