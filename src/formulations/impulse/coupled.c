// Forces between branches by preconditioned conjugate gradients (coupled.h).
//
// H >= H + T > 0, so eigenvalues of H^-1 (H + T) are in (0, 1]: small ones belong to motions in
// which branches move together, against which H has dampers that do not act. There are as many as
// branches that forces tie together, and conjugate gradients need about so many directions, however
// strong the dampers are.
//
// With H alone, accelerations would have to lean on those of the step before, (M + 2 h C)(dv - h a)
// = h (Q - M a), and follow forces with a delay of h (1 + 2 h C / M): beside a spring whose period
// is not longer than that the motion grows without bound.
//
// Source: Golub and Van Loan, Matrix Computations, sec. 11.5.
#include "formulations/impulse/coupled.h"

#include "formulations/impulse/held.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 200, WIDEST = 300 };
// square of the error over that of the answer, in the metric of H
static const double EXACT = 1e-24;
static const double TINY = 1e-290;   // squares that are not lost
static const double SLIGHT = 1e-14;  // likewise: what may be left

static bool is_ancestor(const SarModel* m, int j, int i) {
  while (i > j) i = m->dof_parent[i];
  return i == j;
}

int sar_count_paths(const SarModel* m, int tangent) {
  const SarTangentBlock* t = &m->tangent[tangent];
  const int* dof = &m->tangent_dof[t->adr];
  int paths = 1;
  for (int i = 1; i < t->num; i++) paths += !is_ancestor(m, dof[i - 1], dof[i]);
  return paths;
}

bool sar_coupled_reach(const SarModel* m, int* low, int* high) {
  *low = m->nv, *high = 0;
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* t = &m->tangent[k];
    if (sar_count_paths(m, k) == 1) continue;
    for (int i = 0; i < t->num; i++) {
      int root = m->tangent_dof[t->adr + i];
      while (m->dof_parent[root] >= 0) root = m->dof_parent[root];
      const int end = sar_dof_end(m, root);
      if (root < *low) *low = root;
      if (end > *high) *high = end;
    }
  }
  return *high > *low && *high - *low <= WIDEST;
}

static size_t entries(const SarModel* m, int tangent) {
  const size_t n = (size_t)m->tangent[tangent].num;
  return n * (n + 1) / 2;
}

void sar_coupled_init(SarCoupled* p, const SarModel* m, SarBlock* b) {
  size_t values = 0;
  int count = 0, low, high;
  const bool whole = sar_coupled_reach(m, &low, &high);
  for (int k = 0; whole && k < m->ntangent; k++)
    if (sar_count_paths(m, k) > 1) count++, values += entries(m, k);
  const int nv = count > 0 ? m->nv : 0;
  double** vectors[] = {&p->x, &p->r, &p->y, &p->direction, &p->product};
  p->count = count;
  SAR_PIECE(b, p->tangent, count);
  SAR_PIECE(b, p->paths, count);
  SAR_PIECE(b, p->value, values);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) SAR_PIECE(b, *vectors[i], nv);
  SAR_PIECE(b, p->failed, 1);
  if (!b->memory) return;
  *p->failed = 0;
  for (int k = 0, at = 0; whole && k < m->ntangent; k++) {
    const int paths = sar_count_paths(m, k);
    if (paths > 1) p->tangent[at] = k, p->paths[at++] = paths;
  }
}

void sar_coupled_clear(SarCoupled* p, const SarModel* m) {
  size_t values = 0;
  for (int i = 0; i < p->count; i++) values += entries(m, p->tangent[i]);
  if (values > 0) memset(p->value, 0, values * sizeof *p->value);
  *p->failed = 0;
}

void sar_coupled_add(SarCoupled* p, const SarModel* m, int tangent, double weight,
                     const double* value) {
  double* to = p->value;
  for (int i = 0; p->tangent[i] != tangent; i++) to += entries(m, p->tangent[i]);
  for (size_t k = 0; k < entries(m, tangent); k++) to[k] += weight * value[k];
}

void sar_block_pull(const SarModel* m, int tangent, double gain, const double* value,
                    const double* a, double* f) {
  const int* dof = &m->tangent_dof[m->tangent[tangent].adr];
  for (int i = 0; i < m->tangent[tangent].num; i++)
    for (int j = 0; j <= i; j++, value++) {
      f[dof[i]] += gain * *value * a[dof[j]];
      if (i != j) f[dof[j]] += gain * *value * a[dof[i]];
    }
}

// y += T x, both counting from 0; of forces in the group
static void pull(const SarCoupled* p, const SarModel* m, const SarHeldGroup* g, const double* x,
                 double* y) {
  const double* value = p->value;
  for (int k = 0; k < p->count; k++) {
    const SarTangentBlock* t = &m->tangent[p->tangent[k]];
    const int* dof = &m->tangent_dof[t->adr];
    if (dof[0] < g->first || dof[0] >= g->first + g->num) {
      value += entries(m, p->tangent[k]);
      continue;
    }
    for (int i = 0; i < t->num; i++)
      for (int j = 0; j <= i; j++, value++) {
        const double T = is_ancestor(m, dof[j], dof[i]) ? (1 - p->paths[k]) * *value : *value;
        y[dof[i]] += T * x[dof[j]];
        if (i != j) y[dof[j]] += T * x[dof[i]];
      }
  }
}

// y = (H + T) x, H = L' D L, of the coordinates of a group, counting from 0.
static void multiply(const SarCoupled* p, const SarHeld* held, const SarModel* m, const SarData* d,
                     const SarHeldGroup* g, const double* x, double* y) {
  const size_t* row = d->mass_row;
  const int *parent = m->dof_parent, end = g->first + g->num;
  memcpy(y + g->first, x + g->first, (size_t)g->num * sizeof *y);
  for (int k = end - 1; k >= g->first; k--) {
    const double* L = held->factor + row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) y[k] += *++L * y[i];
    y[k] /= held->inverse_D[k];
  }
  for (int k = g->first; k < end; k++) {
    const double* L = held->factor + row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) y[i] += *++L * y[k];
  }
  pull(p, m, g, x, y);
}

static double dot(const SarHeldGroup* g, const double* a, const double* b) {
  double sum = 0;
  for (int i = g->first; i < g->first + g->num; i++) sum += a[i] * b[i];
  return sum;
}

void sar_coupled_respond(const SarCoupled* p, const SarHeld* held, const SarModel* m,
                         const SarData* d, const SarHeldGroup* g, double* x) {
  const int first = g->first, end = first + g->num;
  const size_t bytes = (size_t)g->num * sizeof *x;
  double *a = p->x, *r = p->r, *y = p->y, *z = p->direction, *Az = p->product;
  double before = 1, left = 0, size = 0;
  memcpy(r + first, x, bytes);
  memset(a + first, 0, bytes);
  memset(z + first, 0, bytes);
  for (int k = 0; k <= DIRECTIONS; k++) {
    memcpy(y + first, r + first, bytes);
    sar_held_respond_bound(held, m, d, g, y + first);
    left = dot(g, r, y);
    if (k == 0) size = left;
    if (!(left > EXACT * size + TINY)) break;
    for (int i = first; i < end; i++) z[i] = y[i] + left / before * z[i];
    before = left;
    multiply(p, held, m, d, g, z, Az);
    const double held_by = dot(g, z, Az);
    if (!(held_by > TINY)) break;  // next to nothing: its square is no number any more
    const double step = left / held_by;
    for (int i = first; i < end; i++) a[i] += step * z[i], r[i] -= step * Az[i];
    size = fmax(size, dot(g, a, x - first));
  }
  if (!(left <= SLIGHT * size + TINY)) ++*p->failed;
  memcpy(x, a + first, bytes);
}
