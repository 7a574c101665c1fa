// M^-1 X and M^-1 with the branch-induced sparse factors M = L'D L: L^-T from the tips inwards,
// without work on the zeros of the tree's sparsity, then L^-1 D^-1 from the root outwards; vectors
// of four columns, as many at once as registers hold. Of M^-1, which is symmetric, the columns from
// the diagonal on.
//
// Source of the factors: Featherstone 2008, section 6.5.
#include "dynamics/mass_columns.h"

#ifdef __AVX__
enum { WIDEST = 12 };  // of sixteen registers
#define EACH_WIDTH(CASE) \
  CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#else
enum { WIDEST = 6 };  // a vector is two registers
#define EACH_WIDTH(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#endif

// ---- the tree's sparsity ------------------------------------------------------------------------

static bool begins_limb(const SarModel* m, int k) {
  return k == 0 || m->dof_parent[k] != k - 1 || sar_dof_end(m, k) != sar_dof_end(m, k - 1);
}

// Is any of the four columns of vector v an ancestor or a descendant of coordinate k?
static bool is_related(const SarModel* m, int k, int v) {
  for (int j = 4 * v; j < 4 * v + 4; j++)
    if (j >= k ? j < sar_dof_end(m, k) : k < sar_dof_end(m, j)) return true;
  return false;
}

// The next span of related columns from vector v on, gaps of up to two vectors in it: work on a few
// zeros costs less than one more span. Returns the vector behind it, -1 if there is none.
static int next_span(const SarModel* m, int k, int v, SarColumnSpan* span) {
  const int all = m->nv / 4;
  while (v < all && !is_related(m, k, v)) v++;
  if (v >= all) return -1;
  *span = (SarColumnSpan){4 * v, 0};
  for (int last = v; v < all && v - last <= 2 && v < span->column / 4 + WIDEST; v++) {
    if (!is_related(m, k, v)) continue;
    last = v;
    span->lanes = v + 1 - span->column / 4;
  }
  return span->column / 4 + span->lanes;
}

static int count_limbs(const SarModel* m, size_t* spans) {
  int limbs = 0;
  *spans = 0;
  for (int k = 0; k < m->nv; k++) {
    SarColumnSpan span;
    if (!begins_limb(m, k)) continue;
    limbs++;
    for (int v = next_span(m, k, 0, &span); v >= 0; v = next_span(m, k, v, &span)) ++*spans;
  }
  return limbs;
}

static void find_limbs(const SarModel* m, SarMassColumns* c) {
  int l = 0, spans = 0;
  for (int k = 0; k < m->nv; k++) {
    if (!begins_limb(m, k)) continue;
    c->first[l] = k;
    c->end[l] = sar_dof_end(m, k);
    c->span_at[l++] = spans;
    int v = 0;
    while ((v = next_span(m, k, v, &c->span[spans])) >= 0) spans++;
  }
  c->first[l] = m->nv;
  c->span_at[l] = spans;
}

void sar_mass_columns_init(const SarModel* m, SarMassColumns* c, SarBlock* b) {
  size_t spans;
  c->limbs = count_limbs(m, &spans);
  SAR_PIECE(b, c->first, c->limbs + 1);
  SAR_PIECE(b, c->end, c->limbs);
  SAR_PIECE(b, c->span_at, c->limbs + 1);
  SAR_PIECE(b, c->span, spans + 1);  // one more is tried and left
  SAR_PIECE(b, c->run, m->nv);
  if (!b->memory) return;
  find_limbs(m, c);
  for (int k = 0; k < m->nv; k++)
    c->run[k] = k > 0 && m->dof_parent[k] == k - 1 ? c->run[k - 1] : k;
}

// ---- vectors of columns -------------------------------------------------------------------------

void sar_zero(size_t n, double* x) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
#pragma GCC unroll 4
    for (size_t k = 0; k < 16; k += 4) l4_store(&x[i + k], l4_zero());
    __asm__("" ::: "memory");  // a call would cost more than it does for a few rows
  }
  for (; i < n; i++) x[i] = 0;
}

// Columns of one row: `lanes` vectors, a constant where it counts.
typedef struct Panel {
  L4 x[WIDEST];
} Panel;

LANES_INLINE Panel panel_load(const double* x, const int lanes) {
  Panel p;
#pragma GCC unroll 12
  for (int i = 0; i < lanes; i++) p.x[i] = l4_load(x + 4 * i);
  return p;
}
LANES_INLINE void panel_store(double* x, const Panel* p, const int lanes) {
#pragma GCC unroll 12
  for (int i = 0; i < lanes; i++) l4_store(x + 4 * i, p->x[i]);
}
LANES_INLINE void panel_scale(double s, Panel* p, const int lanes) {
  const L4 all = l4_all(s);
#pragma GCC unroll 12
  for (int i = 0; i < lanes; i++) p->x[i] = l4_mul(all, p->x[i]);
}
LANES_INLINE void panel_subtract(double s, const double* x, Panel* p, const int lanes) {
  const L4 all = l4_all(s);
  __asm__("" : "+r"(x));  // one address for all lanes, not one each
#pragma GCC unroll 12
  for (int i = 0; i < lanes; i++) p->x[i] = l4_mul_sub(all, l4_load(x + 4 * i), p->x[i]);
}

// ---- the two sweeps -----------------------------------------------------------------------------

// What both need.
typedef struct Solve {
  const double* factor;
  const size_t* at;
  const int *parent, *run;
  size_t nv;
  double sign;
} Solve;

// Rows first ... last - 1 in the columns from x on.
typedef struct Rows {
  int first, last, end;  // end: that of their subtrees
  double* x;
} Rows;

// L^-T: takes off what the descendants leave, from the last row to the first
LANES_INLINE void gather_lanes(const Solve* s, Rows r, const int lanes) {
  for (int i = r.last - 1; i >= r.first; i--) {
    const size_t *at = &s->at[i + 2], *end = &s->at[r.end + 1];
    const double* L = s->factor - (s->at[i + 1] - s->at[i]);  // entry of row k: L[at[k + 1]]
    double *row = r.x + (size_t)i * s->nv, *below = row;
    if (at == end) continue;
    __asm__("" : "+r"(L));  // one address, not a sum of two in the loop
    Panel p = panel_load(row, lanes);
    do panel_subtract(L[*at], below += s->nv, &p, lanes);
    while (++at < end);
    panel_store(row, &p, lanes);
  }
}

static void gather(const Solve* s, Rows r, int lanes) {
#define CASE(n) \
  case n: gather_lanes(s, r, n); break;
  switch (lanes) { EACH_WIDTH(CASE) }
#undef CASE
}

// L^-1 D^-1, from the first row to the last; their ancestors are done
LANES_INLINE void finish_lanes(const Solve* s, Rows r, const int lanes) {
  for (int k = r.first; k < r.last; k++) {
    const double* L = s->factor + s->at[k];
    double* row = r.x + (size_t)k * s->nv;
    Panel p = panel_load(row, lanes);
    panel_scale(s->sign / L[0], &p, lanes);
    for (int i = s->parent[k]; i >= 0;) {
      const int stop = s->run[i];
      const double* above = r.x + (size_t)i * s->nv;
      for (; i >= stop; i--, above -= s->nv) panel_subtract(*++L, above, &p, lanes);
      i = s->parent[stop];
    }
    panel_store(row, &p, lanes);
  }
}

static void finish(const Solve* s, Rows r, int lanes) {
#define CASE(n) \
  case n: finish_lanes(s, r, n); break;
  switch (lanes) { EACH_WIDTH(CASE) }
#undef CASE
}

// Both for a single column: the last few, which do not fill a vector.
static void solve_column(const Solve* s, double* x) {
  const size_t nv = s->nv;
  for (int k = (int)nv - 1; k >= 0; k--) {
    const double *L = s->factor + s->at[k], y = x[(size_t)k * nv];
    if (y == 0) continue;
    for (int i = s->parent[k]; i >= 0; i = s->parent[i]) x[(size_t)i * nv] -= *++L * y;
  }
  for (int k = 0; k < (int)nv; k++) {
    const double* L = s->factor + s->at[k];
    double sum = s->sign * x[(size_t)k * nv] / L[0];
    for (int i = s->parent[k]; i >= 0; i = s->parent[i]) sum -= *++L * x[(size_t)i * nv];
    x[(size_t)k * nv] = sum;
  }
}

static int at_most(int lanes) { return lanes < WIDEST ? lanes : WIDEST; }

void sar_mass_solve_tree(const SarModel* m, const SarData* d, const SarMassColumns* c,
                         const double* factor, double* X) {
  const Solve s = {factor, d->mass_row, m->dof_parent, c->run, (size_t)m->nv, -1};
  const int vectors = m->nv / 4;
  for (int l = c->limbs - 1; l >= 0; l--)
    for (int k = c->span_at[l]; k < c->span_at[l + 1]; k++)
      gather(&s, (Rows){c->first[l], c->first[l + 1], c->end[l], X + c->span[k].column},
             c->span[k].lanes);
  for (int v = 0; v < vectors; v += WIDEST)
    finish(&s, (Rows){0, m->nv, m->nv, X + 4 * v}, at_most(vectors - v));
  for (int j = 4 * vectors; j < m->nv; j++) solve_column(&s, X + j);
}

// ---- the inverse --------------------------------------------------------------------------------

// Rows before the diagonal, by symmetry: all but what is in its own vector; blocks of four by four.
static void mirror(size_t nv, double* X) {
  const size_t whole = nv / 4 * 4;
  for (size_t j = 0; j < whole; j += 4) {
    const double* from = X + j * nv;
    size_t i = j + 4;
    for (; i + 4 <= nv; i += 4)
      l4_store_turned(&X[i * nv + j], nv, l4_load(from + i), l4_load(from + nv + i),
                      l4_load(from + 2 * nv + i), l4_load(from + 3 * nv + i));
    for (; i < nv; i++)
      for (size_t k = 0; k < 4; k++) X[i * nv + j + k] = from[k * nv + i];
  }
}

// From the identity: L^-T has nothing before the diagonal, and of M^-1 rows are finished from the
// vector of their diagonal on.
void sar_mass_inverse(const SarModel* m, const SarData* d, const SarMassColumns* c,
                      const double* factor, double* inverse) {
  const Solve s = {factor, d->mass_row, m->dof_parent, c->run, (size_t)m->nv, 1};
  const size_t nv = (size_t)m->nv;
  const int vectors = m->nv / 4;
  sar_zero(nv * nv, inverse);
  for (size_t i = 0; i < nv; i++) inverse[i * nv + i] = 1;
  for (int l = c->limbs - 1; l >= 0; l--) {
    const int last = (c->end[l] + 3) / 4 < vectors ? (c->end[l] + 3) / 4 : vectors;
    for (int v = c->first[l] / 4; v < last; v += WIDEST)
      gather(&s, (Rows){c->first[l], c->first[l + 1], c->end[l], inverse + 4 * v},
             at_most(last - v));
  }
  for (int k = 0; k < 4 * vectors; k += 4)
    for (int v = k / 4; v < vectors; v += WIDEST)
      finish(&s, (Rows){k, k + 4, m->nv, inverse + 4 * v}, at_most(vectors - v));
  for (int j = 4 * vectors; j < m->nv; j++) solve_column(&s, inverse + j);
  mirror(nv, inverse);
}
