// Accelerations, multipliers and corrections through G = M + Psi' w Psi (augmented.h).
//
//   G a = F + Psi' w gamma,   lambda = w (Psi a - gamma)            first, right to 1 / GRIP
//   G da = F - M a - Psi' lambda - Psi' w (Psi a - gamma),   lambda += w (Psi a - gamma)   then again
//
// The second line is the multiplier iteration of the augmented Lagrangian in the form of a
// correction: what rounding the large w brought in is taken out as well. Each pass gains as many
// digits as GRIP has.
//
// Order of the coordinates: that of the tree or the reverse, whichever has the smaller envelope. The first
// suits chains of loops side by side, the second legs that meet in a platform.
//
// Sources: Bayo, Garcia de Jalon and Serna, A modified Lagrangian formulation for the dynamic analysis of
// constrained mechanical systems, CMAME 71 (1988); Golub and Greif, On solving block-structured indefinite
// linear systems, SIAM J. Sci. Comput. 24 (2003), for the conditioning.
// Cost: O(n b^2), b the width of the envelope: linear for chains.
#include "dynamics/augmented.h"

#include "dynamics/mass.h"

#include <math.h>
#include <string.h>

static const double GRIP = 1e8;             // eight digits a pass; a grip below 1e-4 is let go
static const double LEAST_INERTIA = 1e-12;  // of a coordinate, of the largest
static const double SMALL = 1e-5;  // the correction after one below this share of a is rounding
static const double SLOW =
    0.5;               // a correction that is more than this part of the last one leads nowhere
enum { PASSES = 24 };  // rows that hold with g gain a factor of 1 + GRIP g^2 in each

// ---- analysis, once ------------------------------------------------------------------------------

// The lowest coordinate that shares an entry of M or a row of Psi with i, and the highest.
static void neighbours(const SarModel* m, int i, int* low, int* high) {
  *low = *high = i;
  for (int k = i; k >= 0; k = m->dof_parent[k]) *low = k;
  const int b = m->dof_body[i], after = b + m->body_subtree[b];
  const int end = after < m->nbody ? m->joint_vadr[after] : m->nv;
  if (end - 1 > *high) *high = end - 1;
  for (int row = 0; row < m->nrow; row++) {
    const int *dof = &m->row_dof[m->row_adr[row]], num = m->row_adr[row + 1] - m->row_adr[row];
    bool here = false;
    int least = m->nv, most = 0;
    for (int k = 0; k < num; k++) {
      here = here || dof[k] == i;
      least = dof[k] < least ? dof[k] : least;
      most = dof[k] > most ? dof[k] : most;
    }
    if (!here) continue;
    *low = least < *low ? least : *low;
    *high = most > *high ? most : *high;
  }
}

typedef struct Widths {
  size_t entries[2];  // of the envelope, in the order of the tree and reversed
  double work[2];
} Widths;

static Widths widths_of(const SarModel* m) {
  Widths w = {{0, 0}, {0, 0}};
  for (int i = 0; i < m->nv; i++) {
    int low, high;
    neighbours(m, i, &low, &high);
    const size_t width[2] = {(size_t)(i - low + 1), (size_t)(high - i + 1)};
    for (int k = 0; k < 2; k++) {
      w.entries[k] += width[k];
      w.work[k] += (double)width[k] * (double)width[k];
    }
  }
  return w;
}

static size_t mass_entries(const SarModel* m) {
  size_t entries = 0;
  for (int i = 0; i < m->nv; i++)
    for (int k = i; k >= 0; k = m->dof_parent[k]) entries++;
  return entries;
}

static size_t row_products(const SarModel* m) {
  size_t products = 0;
  for (int i = 0; i < m->nrow; i++) {
    const size_t num = (size_t)(m->row_adr[i + 1] - m->row_adr[i]);
    products += num * (num + 1) / 2;
  }
  return products;
}

static void* take(unsigned char* block, size_t* at, size_t bytes) {
  void* piece = block ? block + *at : NULL;
  *at += (bytes + 63) / 64 * 64;
  return piece;
}

// Points the arrays into the block and returns their bytes; with block NULL only the latter.
static size_t lay_out(SarAugmented* p, const SarModel* m, size_t entries, unsigned char* block) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow, one = sizeof(double);
  size_t at = 0;
  p->G.n = m->nv;
  p->G.value = take(block, &at, entries * one);
  p->G.inverse = take(block, &at, nv * one);
  p->G.adr = take(block, &at, nv * sizeof(size_t));
  p->G.first = take(block, &at, nv * sizeof(int));
  p->place = take(block, &at, nv * sizeof(int));
  p->mass = take(block, &at, mass_entries(m) * one);
  p->mass_place = take(block, &at, mass_entries(m) * sizeof(int));
  p->row_place = take(block, &at, row_products(m) * sizeof(int));
  p->inertia = take(block, &at, nv * one);
  p->keep = take(block, &at, nrow * sizeof(int));
  p->weight = take(block, &at, nrow * one);
  p->scaled = take(block, &at, (size_t)m->nrow_dof * one);
  p->x = take(block, &at, nv * one);
  p->r = take(block, &at, nv * one);
  p->c = take(block, &at, nrow * one);
  p->e = take(block, &at, nrow * one);
  return at;
}

size_t sar_augmented_size(const SarModel* m) {
  const Widths w = widths_of(m);
  SarAugmented p;
  return lay_out(&p, m, w.entries[w.work[1] < w.work[0]], NULL);
}

static int entry(const SarAugmented* p, int i, int j) {
  const int a = p->place[i], b = p->place[j];
  return (int)p->G.adr[a > b ? a : b] + (a > b ? b : a);
}

void sar_augmented_init(SarAugmented* p, const SarModel* m, const int* row_order, int rank,
                        void* memory) {
  const Widths w = widths_of(m);
  const bool reversed = w.work[1] < w.work[0];
  lay_out(p, m, w.entries[reversed], memory);
  for (int i = 0; i < m->nv; i++) {
    int low, high;
    neighbours(m, i, &low, &high);
    p->place[i] = reversed ? m->nv - 1 - i : i;
    p->G.first[p->place[i]] = reversed ? m->nv - 1 - high : low;
  }
  size_t before = 0;
  for (int i = 0; i < m->nv; i++) {
    p->G.adr[i] = before - (size_t)p->G.first[i];
    before += (size_t)(i - p->G.first[i] + 1);
  }
  int* to = p->mass_place;
  for (int i = 0; i < m->nv; i++)
    for (int k = i; k >= 0; k = m->dof_parent[k]) *to++ = entry(p, i, k);
  to = p->row_place;
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++)
      for (int b = m->row_adr[row]; b <= a; b++) *to++ = entry(p, m->row_dof[a], m->row_dof[b]);
  sar_augmented_keep(p, m, row_order, rank);
}

void sar_augmented_keep(SarAugmented* p, const SarModel* m, const int* row_order, int rank) {
  for (int k = 0; k < m->nrow; k++) p->keep[row_order[k]] = k < rank;
}

// ---- factor --------------------------------------------------------------------------------------

static void add_mass(SarAugmented* p, const SarModel* m, const SarData* d) {
  const size_t n = sar_mass_size(m, d);
  double most = 0;
  for (size_t k = 0; k < n; k++) p->G.value[p->mass_place[k]] = p->mass[k];
  for (int i = 0; i < m->nv; i++) {
    p->inertia[i] = p->mass[d->mass_row[i]];
    most = p->inertia[i] > most ? p->inertia[i] : most;
  }
  const double least = LEAST_INERTIA * (most > 0 ? most : 1);
  for (int i = 0; i < m->nv; i++)
    if (!(p->inertia[i] > least)) p->inertia[i] = least;
}

static void add_rows(SarAugmented* p, const SarModel* m, const SarData* d) {
  const int* to = p->row_place;
  for (int row = 0; row < m->nrow; row++) {
    const int adr = m->row_adr[row], num = m->row_adr[row + 1] - adr, *dof = &m->row_dof[adr];
    const double* Psi = &d->Psi[adr];
    double *scaled = &p->scaled[adr], sum = 0;
    for (int k = 0; k < num; k++) sum += Psi[k] * Psi[k] / p->inertia[dof[k]];
    const double w = p->weight[row] = p->keep[row] && sum > 0 ? GRIP / sum : 0;
    for (int a = 0; a < num; a++) {
      scaled[a] = w * Psi[a];
      for (int b = 0; b <= a; b++) p->G.value[*to++] += scaled[a] * Psi[b];
    }
  }
}

SarStatus sar_augmented_factor(SarAugmented* p, const SarModel* m, SarData* d) {
  const int last = m->nv - 1;
  sar_crba(m, d, p->mass);
  memset(p->G.value, 0, (p->G.adr[last] + (size_t)m->nv) * sizeof *p->G.value);
  add_mass(p, m, d);
  add_rows(p, m, d);
  if (sar_envelope_factor(&p->G)) return SAR_OK;
  for (int i = 0; i < m->nv; i++)
    if (!isfinite(p->inertia[i])) return SAR_NOT_FINITE;
  return SAR_SINGULAR;
}

// ---- solve ---------------------------------------------------------------------------------------

// x <- G^-1 x, in the order of the tree
static void solve(SarAugmented* p, const SarModel* m, double* x) {
  if (p->place[0] == 0) {
    sar_envelope_solve(&p->G, x);
    return;
  }
  for (int i = 0; i < m->nv; i++) p->x[p->place[i]] = x[i];
  sar_envelope_solve(&p->G, p->x);
  for (int i = 0; i < m->nv; i++) x[i] = p->x[p->place[i]];
}

// x += sign Psi' w e
static void add_scaled_rows(const SarAugmented* p, const SarModel* m, double sign, const double* e,
                            double* x) {
  for (int row = 0; row < m->nrow; row++) {
    const double s = sign * e[row];
    for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++)
      x[m->row_dof[k]] += s * p->scaled[k];
  }
}

// c = Psi a - gamma
static void residuals(SarAugmented* p, const SarModel* m, const SarData* d) {
  sar_constraint_multiply(m, d, d->a, p->c);
  for (int i = 0; i < m->nrow; i++) p->c[i] -= d->gamma[i];
}

// r -= M a
static void take_off_inertia(const SarAugmented* p, const SarModel* m, const double* a, double* r) {
  const double* M = p->mass;
  for (int i = 0; i < m->nv; i++) {
    double sum = *M++ * a[i];
    for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) {
      sum += *M * a[k];
      r[k] -= *M++ * a[i];
    }
    r[i] -= sum;
  }
}

SarStatus sar_augmented_solve(SarAugmented* p, const SarModel* m, SarData* d, const double* F) {
  const size_t bytes = (size_t)m->nv * sizeof(double);
  double *a = d->a, *lambda = d->lambda, *r = p->r;
  memcpy(a, F, bytes);
  add_scaled_rows(p, m, 1, d->gamma, a);
  solve(p, m, a);
  residuals(p, m, d);
  for (int i = 0; i < m->nrow; i++) lambda[i] = p->weight[i] * p->c[i];
  double last = HUGE_VAL;
  for (int pass = 1; pass < PASSES; pass++) {
    memcpy(r, F, bytes);
    take_off_inertia(p, m, a, r);
    sar_constraint_add_transposed(m, d, -1, lambda, r);
    add_scaled_rows(p, m, -1, p->c, r);
    solve(p, m, r);
    double size = 0, change = 0;
    for (int i = 0; i < m->nv; i++) {
      a[i] += r[i];
      size = fmax(size, fabs(a[i]));
      change = fmax(change, fabs(r[i]));
    }
    // by its change: a fresh Psi a - gamma would bring its rounding, times w, into lambda
    sar_constraint_multiply(m, d, r, p->e);
    for (int i = 0; i < m->nrow; i++) {
      p->c[i] += p->e[i];
      lambda[i] += p->weight[i] * p->c[i];
    }
    // slow: rows that hold with less than 1e-4 of their grip, at a singular position, are let go
    if (!(change > SMALL * size) || !(change < SLOW * last)) break;
    last = change;
  }
  return SAR_OK;
}

void sar_augmented_correct(SarAugmented* p, const SarModel* m, const double* e, double* x) {
  memset(x, 0, (size_t)m->nv * sizeof *x);
  add_scaled_rows(p, m, -1, e, x);
  solve(p, m, x);
}
