// Modes of the linearised equations (modes.c): eigenvalues and vectors of A, shapes in coordinates,
// shares of the kinetic energy.
#include "sim/modes_work.h"

#include "base/alloc.h"
#include "dynamics/tree.h"
#include "linalg/dense.h"
#include "linalg/matrix.h"
#include "math/hypot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-5;  // |lambda| of rigid motion, of the largest: roots of rounding
static const double SMALLER = 1e-6;   // floor of what is known to be held
static const double HOLDING = 1e-3;   // of g / size: floor where gravity alone is there to hold

typedef struct Order {
  double size, im;
  int index;
} Order;

static int by_size(const void* pa, const void* pb) {
  const Order *a = pa, *b = pb;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

// Kinetic energy of the body when the coordinates move at the speed x.
static void add_energies(SarModesWork* w, const double* x, double* share) {
  memcpy(w->d->v, x, (size_t)w->n * sizeof *x);
  sar_update_kinematics(w->m, w->d);
  for (int b = 0; b < w->m->nbody; b++) {
    const Motion V = w->d->body_V[b];
    share[b] += power_of(V, inertia_mul(w->m->body_inertia[b], V));
  }
}

static void scale_shape(int all, double* re, double* im) {
  int longest = 0;
  for (int i = 1; i < all; i++)
    if (sar_hypot(re[i], im[i]) > sar_hypot(re[longest], im[longest])) longest = i;
  const double c = re[longest], s = im[longest], square = c * c + s * s;
  for (int i = 0; i < all && square > 0; i++) {  // divided by c + i s
    const double x = (re[i] * c + im[i] * s) / square, y = (im[i] * c - re[i] * s) / square;
    re[i] = x, im[i] = y;
  }
}

// Coordinates N z and states of mode k from column `index` of the vectors (and the next, for a
// pair), turned and scaled so that the longest entry is 1, and how the kinetic energy is shared.
static void write_shape(SarModesWork* w, SarModeSet* out, int k, int index) {
  const int n = w->n, all = n + w->nz, size = sar_modes_size(w);
  double* re = &out->shape_re[(size_t)k * (size_t)all];
  double* im = &out->shape_im[(size_t)k * (size_t)all];
  double* share = &out->share[(size_t)k * (size_t)w->m->nbody];
  sar_matvec(n, w->f, 1, w->N, n, &w->vectors[index * size], 0, re);
  if (out->im[k] > 0)
    sar_matvec(n, w->f, 1, w->N, n, &w->vectors[(index + 1) * size], 0, im);
  else
    memset(im, 0, (size_t)n * sizeof *im);
  for (int i = 0; i < w->nz; i++) {
    re[n + i] = w->vectors[index * size + 2 * w->f + i];
    im[n + i] = out->im[k] > 0 ? w->vectors[(index + 1) * size + 2 * w->f + i] : 0;
  }
  memset(share, 0, (size_t)w->m->nbody * sizeof *share);
  add_energies(w, re, share);
  add_energies(w, im, share);
  double sum = 0;
  for (int b = 0; b < w->m->nbody; b++) sum += share[b];
  for (int b = 0; b < w->m->nbody && sum > 0; b++) share[b] /= sum;
  if (w->blades) {
    sar_multiblade_patterns(w->blades, re);
    sar_multiblade_patterns(w->blades, im);
  }
  scale_shape(all, re, im);
}

static double find_floor(const SarModesWork* w) {
  double top = 0;
  for (int i = 0; i < sar_modes_size(w); i++) top = fmax(top, sar_hypot(w->re[i], w->im[i]));
  const double floor = ROUNDING * (w->nz > 0 ? fmin(top, w->bound) : top);
  const double held = w->held ? HOLDING * sqrt(sar_gravity_size(w->m) / w->length) : 0;
  return fmax(w->firm ? SMALLER * floor : floor, held);
}

// Eigenvalues with Im >= 0, by size. Rounding splits a double zero (rigid motion, its place and its
// speed) into a pair that is real or not, as it happens: below the floor each eigenvalue is one of
// its own, so that the count is the same.
static int list_modes(const SarModesWork* w, double floor, Order* order) {
  int count = 0;
  for (int i = 0; i < sar_modes_size(w); i++) {
    const double size = sar_hypot(w->re[i], w->im[i]);
    if (size <= floor)
      order[count++] = (Order){size, 0, i};
    else if (w->im[i] >= 0)
      order[count++] = (Order){size, w->im[i], i};
  }
  qsort(order, (size_t)count, sizeof *order, by_size);
  return count;
}

static SarStatus write_modes(SarModesWork* w, SarModeSet* out) {
  Order* order = sar_alloc((size_t)(sar_modes_size(w) + 1) * sizeof *order);
  if (!order) return SAR_NO_MEMORY;
  out->floor = find_floor(w);
  out->count = list_modes(w, out->floor, order);
  memcpy(w->d->q, w->q0, (size_t)w->m->nq_all * sizeof *w->q0);
  for (int k = 0; k < out->count; k++) {
    out->re[k] = w->re[order[k].index];
    out->im[k] = order[k].im;
    write_shape(w, out, k, order[k].index);
  }
  sar_free(order);
  return SAR_OK;
}

// A bound of |lambda| of the mechanism alone, from the rows of w: stiff states are no measure of
// the rounding in its slow motions.
static double mechanical_bound(const SarModesWork* w) {
  const int size = sar_modes_size(w), f = w->f;
  double K = 0, C = 0;
  for (int k = 0; k < 2 * f; k++)
    for (int i = f; i < 2 * f; i++) {
      const double a = w->A[k * size + i];
      *(k < f ? &K : &C) += a * a;
    }
  return sqrt(sqrt(K)) + sqrt(C);
}

static int by_value(const void* pa, const void* pb) {
  const double a = *(const double*)pa, b = *(const double*)pb;
  return (a > b) - (a < b);
}

// -A of the accelerations against positions: without dampers and states.
static SarStatus find_omega2(SarModesWork* w, SarModeSet* out) {
  const int size = sar_modes_size(w), f = w->f;
  for (int k = 0; k < f; k++)
    for (int i = 0; i < f; i++) w->K[k * f + i] = -w->A[k * size + f + i];
  if (f == 0) return SAR_OK;
  SAR_TRY(sar_eigen_general(f, w->K, out->omega2, w->im, w->K_vectors, w->dense, w->dense_size));
  qsort(out->omega2, (size_t)f, sizeof *out->omega2, by_value);
  return SAR_OK;
}

SarStatus sar_modes_of_A(SarModesWork* w, SarModeSet* out) {
  const int size = sar_modes_size(w);
  w->bound = mechanical_bound(w);
  SAR_TRY(find_omega2(w, out));
  SAR_TRY(sar_eigen_general(size, w->A, w->re, w->im, w->vectors, w->dense, w->dense_size));
  return write_modes(w, out);
}
