// Many right-hand sides at once with the sparse factors of the mass matrix (mass.h, M = L'D L): panels of columns
// in registers, and no work on the zeros of the tree's sparsity in the first sweep.
#include "dynamics/tree_derivatives.h"

enum { WIDE = 24, MIDDLE = 12, NARROW = 4 };

// Columns are taken in panels of one of these widths, widest first; the last few one by one.
static int width_of(int left) {
  return left >= WIDE ? WIDE : left >= MIDDLE ? MIDDLE : left >= NARROW ? NARROW : 1;
}

int sar_mass_panels(const SarModel* m) {
  int panels = 0;
  for (int j = 0; j < m->nv; j += width_of(m->nv - j)) panels++;
  return panels;
}

// Ancestors, themselves and descendants of the columns; rising.
static int find_rows(const SarModel* m, const SarTreeDerivatives* w, int first, int width,
                     int* row) {
  int count = 0;
  for (int i = 0; i < m->nv; i++) {
    bool found = false;
    for (int j = first; j < first + width; j++)
      found = found || i == j || (i < j && j < w->end[i]) || (i > j && i < w->end[j]);
    if (found) row[count++] = i;
  }
  return count;
}

void sar_mass_panels_init(const SarModel* m, SarTreeDerivatives* w) {
  for (int j = 0, panel = 0; j < m->nv; j += width_of(m->nv - j), panel++)
    w->related_num[panel] = find_rows(m, w, j, width_of(m->nv - j), &w->related[panel * m->nv]);
  for (int i = 0; i < m->nv; i++) w->every[i] = i;
}

void sar_zero(size_t n, double* x) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    l4_store(&x[i], l4_zero());
    __asm__("" ::: "memory");  // a call would cost more than it does for a few rows
  }
  for (; i < n; i++) x[i] = 0;
}

// Columns of one row, in up to six vectors: `lanes`, a constant.
typedef struct Panel {
  L4 x[6];
} Panel;

LANES_INLINE Panel panel_load(const double* x, const int lanes) {
  Panel p;
#pragma GCC unroll 6
  for (int i = 0; i < lanes; i++) p.x[i] = l4_load(x + 4 * i);
  return p;
}
LANES_INLINE void panel_store(double* x, const Panel* p, const int lanes) {
#pragma GCC unroll 6
  for (int i = 0; i < lanes; i++) l4_store(x + 4 * i, p->x[i]);
}
LANES_INLINE void panel_subtract(double s, const double* x, Panel* p, const int lanes) {
  const L4 all = l4_all(s);
  __asm__("" : "+r"(x));  // one address for all lanes, not one each
#pragma GCC unroll 6
  for (int i = 0; i < lanes; i++) p->x[i] = l4_mul_sub(all, l4_load(x + 4 * i), p->x[i]);
}

// X <- M^-1 sign X in the columns from x on; row: those that are not zero; rows before `first` are solved already
LANES_INLINE void solve_panel(const SarModel* m, const SarData* d, const double* factor,
                              const int* restrict end, const int* restrict row, int rows, int first,
                              double sign, double* x, const int lanes) {
  const size_t *at = d->mass_row, nv = (size_t)m->nv;
  const int* parent = m->dof_parent;
  for (int s = rows - 1; s >= 0; s--) {  // L^-T: what the descendants leave
    const int i = row[s], last = end[i];
    const double* L = factor - (at[i + 1] - at[i]);  // entry of row k: L[at[k + 1]]
    if (s + 1 == rows || row[s + 1] >= last) continue;
    Panel p = panel_load(&x[(size_t)i * nv], lanes);
    for (int t = s + 1; t < rows && row[t] < last; t++) {
      const size_t k = (size_t)row[t];
      panel_subtract(L[at[k + 1]], &x[k * nv], &p, lanes);
    }
    panel_store(&x[(size_t)i * nv], &p, lanes);
  }
  for (int k = first; k < m->nv; k++) {  // L^-1 D^-1
    const double* L = factor + at[k];
    const L4 scale = l4_all(sign / L[0]);
    Panel p = panel_load(&x[(size_t)k * nv], lanes);
#pragma GCC unroll 6
    for (int i = 0; i < lanes; i++) p.x[i] = l4_mul(scale, p.x[i]);
    for (int i = parent[k]; i >= 0; i = parent[i])
      panel_subtract(*++L, &x[(size_t)i * nv], &p, lanes);
    panel_store(&x[(size_t)k * nv], &p, lanes);
  }
}

// The same for a single column.
static void solve_column(const SarModel* m, const SarData* d, const double* factor, double sign,
                         double* x) {
  const size_t *at = d->mass_row, nv = (size_t)m->nv;
  const int* parent = m->dof_parent;
  for (int k = m->nv - 1; k >= 0; k--) {
    const double *L = factor + at[k], y = x[(size_t)k * nv];
    if (y == 0) continue;
    for (int i = parent[k]; i >= 0; i = parent[i]) x[(size_t)i * nv] -= *++L * y;
  }
  for (int k = 0; k < m->nv; k++) {
    const double* L = factor + at[k];
    double sum = sign * x[(size_t)k * nv] / L[0];
    for (int i = parent[k]; i >= 0; i = parent[i]) sum -= *++L * x[(size_t)i * nv];
    x[(size_t)k * nv] = sum;
  }
}

static void solve_columns(const SarModel* m, const SarData* d, const double* factor,
                          const SarTreeDerivatives* w, int j, const int* row, int num, int first,
                          double sign, double* X) {
  const int* end = w->end;
  switch (width_of(m->nv - j)) {
    case WIDE: solve_panel(m, d, factor, end, row, num, first, sign, X + j, WIDE / 4); break;
    case MIDDLE: solve_panel(m, d, factor, end, row, num, first, sign, X + j, MIDDLE / 4); break;
    case NARROW: solve_panel(m, d, factor, end, row, num, first, sign, X + j, NARROW / 4); break;
    default: solve_column(m, d, factor, sign, X + j);
  }
}

void sar_mass_solve_tree(const SarModel* m, const SarData* d, const double* factor,
                         SarTreeDerivatives* w, double* X) {
  for (int j = 0, panel = 0; j < m->nv; j += width_of(m->nv - j), panel++)
    solve_columns(m, d, factor, w, j, &w->related[panel * m->nv], w->related_num[panel], 0, -1, X);
}

// By symmetry the rows before a panel are known from the columns before it; of L^-T, which goes from the tips
// inwards, nothing but the panel's own rows is needed then.
void sar_mass_inverse(const SarModel* m, const SarData* d, const double* factor,
                      SarTreeDerivatives* w, double* inverse) {
  const size_t nv = (size_t)m->nv;
  sar_zero(nv * nv, inverse);
  for (size_t i = 0; i < nv; i++) inverse[i * nv + i] = 1;
  for (int j = 0; j < m->nv; j += width_of(m->nv - j)) {
    const int width = width_of(m->nv - j);
    for (int i = 0; width > 1 && i < j; i++)
      for (int k = j; k < j + width; k++)
        inverse[(size_t)i * nv + (size_t)k] = inverse[(size_t)k * nv + (size_t)i];
    solve_columns(m, d, factor, w, j, &w->every[j], width, j, 1, inverse);
  }
}
