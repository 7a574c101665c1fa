// Redundant constraints and degrees of freedom (mobility): which rows of Psi are independent.
//
// Rows in units of their usual length are taken in the order of the file, drives last, and one that
// lies within TOL of the span of those before it is redundant: so of two that say the same the
// later one is named, and a drive only ever loses to joints and to earlier drives. Neighbours of
// the position may have more of them: a singular position is one where that is so.
//
// Mostly all rows are independent by far, which their Gram matrix tells at less cost: its Cholesky
// factor L in the same order has the distance of each row from the span of those before it on its
// diagonal, to the root of the rounding. Rows of mechanisms share coordinates with few others, so
// it is factored inside its envelope (linalg/envelope.h). Only where one is nearer than SURE are
// they decomposed (QR), which is dense and has all digits.
//
// Source: Golub and Van Loan, Matrix Computations (2013), sec. 5.3.8, for what the normal equations
// lose.
#include "dynamics/tree.h"
#include "linalg/envelope.h"
#include "linalg/householder.h"
#include "linalg/spd.h"
#include "sim/assemble_work.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 8, TRIALS = 6, MOST_TRIALS = 40 };

static const double TOL = 1e-6;
// distance of a row that its Gram matrix tells: 1e-8 is far above rounding
static const double SURE = 1e-4;
static const double NEARBY = 0.02;   // where rows are counted again: rad, sizes of the mechanism
static const double CLOSED = 1e-13;  // where rows lose their grip: off by no more than TOL
static const double CLEAR = 0.05;    // grip, of the way to there, of what has come away
static const double NO_INERTIA = 1e-13;  // of a pivot of the mass matrix, over its diagonal entry

static void fill_row(const SarModel* m, const SarData* d, double size, int row, double* to) {
  memset(to, 0, (size_t)m->nv * sizeof *to);
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) to[m->row_dof[e]] = d->Psi[e] / size;
}

static double random_share(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 8388608.0 - 1;
}

void sar_disturb(Assembly* a, double size, unsigned* seed) {
  const SarModel* m = a->m;
  for (int i = 0; i < m->nv; i++)
    a->x[i] = a->held[i] ? 0 : size * random_share(seed) * sar_dof_unit(m, i, a->p.length);
  sar_projection_move(m, a->x, a->d->q);
}

// The length of a row; in units of the mechanism, where a length of its size counts as a radian
// does.
static double length_of(const Assembly* a, int row, bool units) {
  const SarModel* m = a->m;
  double square = 0;
  for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) {
    const double x = a->d->Psi[e] * (units ? sar_dof_unit(m, m->row_dof[e], a->p.length) : 1);
    square += x * x;
  }
  return sqrt(square);
}

// The longest of each row at the position and at some others, open or not.
void sar_size_rows(Assembly* a) {
  const SarModel* m = a->m;
  const size_t bytes = (size_t)m->nq_all * sizeof(double);
  unsigned seed = 1;
  memcpy(a->kept, a->d->q, bytes);
  sar_gates_open(m, a->d);  // of rows that are off too: they may come
  double* span = a->d->row_span;
  for (int i = 0; i < m->nrow; i++) a->row_size[i] = span[i] = 0;
  for (int sample = 0; sample < SAMPLES; sample++) {
    if (sample > 0) sar_disturb(a, 3, &seed);
    sar_open_positions(a);
    for (int i = 0; i < m->nrow; i++) {
      a->row_size[i] = fmax(a->row_size[i], length_of(a, i, false));
      span[i] = fmax(span[i], length_of(a, i, true));
    }
    memcpy(a->d->q, a->kept, bytes);
  }
  for (int i = 0; i < m->nrow; i++)
    if (!(a->row_size[i] > 0)) a->row_size[i] = span[i] = 1;
  sar_gates_apply(m, a->d);
  sar_open_positions(a);
}

// The envelope of the Gram matrix of the rows in w->order: row k begins at the first that has one
// of its coordinates. Memory is that of the dense rows; false: it would not do.
static bool lay_out_gram(const SarModel* m, int on, const RankWork* w, SarEnvelope* e) {
  const size_t room = (size_t)on * (size_t)m->nv, tail = (size_t)on + (size_t)m->nv;
  size_t used = 0;
  if (room < tail) return false;
  *e = (SarEnvelope){.n = on, .first = w->length, .value = w->rows, .inverse = w->tau};
  e->adr = (size_t*)(void*)(w->rows + room - (size_t)on);
  int* seen = (int*)(void*)(w->rows + room - tail);  // the first row with each coordinate
  for (int i = 0; i < m->nv; i++) seen[i] = on;
  for (int k = 0; k < on; k++) {
    int first = k;
    for (int at = m->row_adr[w->order[k]]; at < m->row_adr[w->order[k] + 1]; at++) {
      int* before = &seen[m->row_dof[at]];
      if (*before > k) *before = k;
      if (*before < first) first = *before;
    }
    e->first[k] = first;
    e->adr[k] = used - (size_t)first;
    used += (size_t)(k - first + 1);
  }
  return used + tail <= room;
}

// Is every row of w->order farther than `least` from the span of those before it? True is sure,
// false is not.
static bool are_apart(const SarModel* m, const SarData* d, const double* row_size, int on,
                      double least, const RankWork* w) {
  SarEnvelope e;
  if (!lay_out_gram(m, on, w, &e)) return false;
  for (int k = 0; k < on; k++) {
    const int row = w->order[k];
    fill_row(m, d, row_size[row], row, w->work);
    for (int i = e.first[k]; i <= k; i++) {
      const int other = w->order[i];
      double sum = 0;
      for (int at = m->row_adr[other]; at < m->row_adr[other + 1]; at++)
        sum += d->Psi[at] * w->work[m->row_dof[at]];
      e.value[e.adr[k] + (size_t)i] = sum / row_size[other];
    }
  }
  if (!sar_envelope_factor(&e)) return false;
  for (int k = 0; k < on; k++)
    if (!(1 > least * e.inverse[k])) return false;
  return true;
}

int sar_count_rows(const SarModel* m, const SarData* d, const double* row_size, double least,
                   const RankWork* w) {
  const double tol = fmax(TOL, least);
  const int on = d->nactive;
  int count = 0, rank = on;
  for (int drive = 0; drive < 2; drive++)
    for (int k = 0; k < on; k++) {
      const int i = d->active_row[k];
      if ((int)m->constraint[m->row[i].constraint].drive == drive) w->order[count++] = i;
    }
  if (!are_apart(m, d, row_size, on, fmax(SURE, 2 * tol), w)) {
    for (int k = 0; k < on; k++)
      fill_row(m, d, row_size[w->order[k]], w->order[k], &w->rows[(size_t)k * (size_t)m->nv]);
    rank = sar_qr_in_order(m->nv, on, w->rows, tol, w->pivot, w->tau, w->work, w->length);
    for (int k = 0; k < on; k++) w->pivot[k] = w->order[w->pivot[k]];
    memcpy(w->order, w->pivot, (size_t)on * sizeof *w->order);
  }
  for (int i = 0; i < m->nrow; i++)
    if (!d->row_on[i]) w->order[count++] = i;
  return rank;
}

// Where loops can be closed in more ways than one, closing may end where these meet, which is no
// neighbour: rows are not independent there, or only as far as loops are open. A part of the
// mechanism may have come away from there nevertheless: then the next trials begin where it did,
// and go less far.
static void count_nearby(Assembly* a, SarFreedom* out, int* row_order) {
  const SarModel* m = a->m;
  const size_t bytes = (size_t)m->nq * sizeof(double), rows = (size_t)m->nrow * sizeof(int);
  double size = NEARBY;
  unsigned seed = 1;
  int most = sar_count_rows(m, a->d, a->row_size, CLEAR * size, &a->rank), found = 0;
  memcpy(a->kept, a->d->q, bytes);
  for (int trial = 0; trial < MOST_TRIALS && found < TRIALS && out->rank < out->rows; trial++) {
    sar_disturb(a, size, &seed);
    const bool closed = sar_close_nearby(a) <= CLOSED;
    const int rank = sar_count_rows(m, a->d, a->row_size, closed ? 0 : CLEAR * size, &a->rank);
    if (closed && rank > out->rank) {
      out->rank = rank;
      memcpy(row_order, a->rank.order, rows);
    }
    if (!closed && rank > most) {
      most = rank;
      size = fmax(0.3 * size, 0.1 * NEARBY);
      memcpy(a->kept, a->d->q, bytes);
    }
    found += closed;
    memcpy(a->d->q, a->kept, bytes);
  }
}

void sar_find_rows(Assembly* a, SarFreedom* out, int* row_order) {
  const SarModel* m = a->m;
  const size_t bytes = (size_t)m->nq * sizeof(double);
  sar_size_rows(a);
  out->rows = a->d->nactive;
  out->rank = out->rank_here = sar_count_rows(m, a->d, a->row_size, 0, &a->rank);
  memcpy(row_order, a->rank.order, (size_t)m->nrow * sizeof *row_order);
  memcpy(a->from, a->d->q, bytes);
  count_nearby(a, out, row_order);
  memcpy(a->d->q, a->from, bytes);
  sar_open_positions(a);
  sar_crba_dense(m, a->d, a->G);
  const int definite = sar_spd_factor_while(m->nv, a->G, NO_INERTIA);
  out->massless = definite < m->nv ? 1 + definite : 0;
}

// Gram and Schmidt with pivoting: the row that is farthest from the span of those chosen is next,
// and what lies along it is taken out of the others.
void sar_strong_rows(const SarModel* m, const SarData* d, const double* row_size, int rank,
                     const RankWork* w, int* keep) {
  const size_t n = (size_t)m->nv;
  for (int i = 0; i < m->nrow; i++) keep[i] = 0;
  for (int k = 0; k < d->nactive; k++) {
    const int i = d->active_row[k];
    fill_row(m, d, row_size[i], i, &w->rows[(size_t)k * n]);
  }
  for (int chosen = 0; chosen < rank; chosen++) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < d->nactive; k++) {
      const double* row = &w->rows[(size_t)k * n];
      double square = 0;
      for (size_t j = 0; j < n; j++) square += row[j] * row[j];
      if (keep[d->active_row[k]] || !(square > most)) continue;
      most = square;
      best = k;
    }
    if (best < 0) return;
    const double* along = &w->rows[(size_t)best * n];
    keep[d->active_row[best]] = 1;
    for (int k = 0; k < d->nactive; k++) {
      double *row = &w->rows[(size_t)k * n], product = 0;
      if (keep[d->active_row[k]]) continue;
      for (size_t j = 0; j < n; j++) product += row[j] * along[j];
      for (size_t j = 0; j < n; j++) row[j] -= product / most * along[j];
    }
  }
}
