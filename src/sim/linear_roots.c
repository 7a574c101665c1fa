// Poles and transmission zeros of a linear system.
//
//   poles: A x = s x
//   zeros: s with [A - s 1, B; C, D] singular, for as many inputs as outputs
//
// Zeros at infinity are taken off by orthogonal transformations until D can be inverted (the
// reduction of Emami-Naeini and Van Dooren, Automatica 18, 1982); what is left are the eigenvalues
// of A - B D^-1 C:
//
//   U'D = [D1; 0],  U'C = [C1; C2],  C2 V = [0 S]:
//     the last states are zero along with the outputs C2 x, so
//   that their rates are outputs of what is left:    C <- [C1; A21],  D <- [D1; B2],  A <- A11,
//                                                    B <- B1
//
// A system in which this leaves a D without inverse (no path from the inputs to an output) has no
// such list.
#include "sim/linear_outputs.h"

#include "base/alloc.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "linalg/matrix.h"
#include "model/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RANK = 1e-11;  // of the largest entry of A, B, C, D: less is rounding

// The system as it is reduced: columns one after another, `ld` apart, of [A B; C D].
typedef struct Pencil {
  int n, u, y, ld;  // states, inputs, outputs
  double *M, *other, *U, *sigma, *square;
  int* pivot;
  double floor;
  SarDenseWork dense;
} Pencil;

static double* entry(const Pencil* p, int i, int j) { return &p->M[i + j * p->ld]; }

// M <- Q' M over rows at .. at + k, Q: k x k in p->U
static void turn_rows(Pencil* p, int at, int k, int columns) {
  for (int j = 0; j < columns; j++) {
    double* x = entry(p, at, j);
    for (int i = 0; i < k; i++) {
      p->sigma[i] = 0;
      for (int l = 0; l < k; l++) p->sigma[i] += p->U[l + i * k] * x[l];
    }
    memcpy(x, p->sigma, (size_t)k * sizeof *x);
  }
}

static void turn_columns(Pencil* p, int k, int rows) {  // of the states: M <- M Q
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < k; j++) {
      p->sigma[j] = 0;
      for (int l = 0; l < k; l++) p->sigma[j] += *entry(p, i, l) * p->U[l + j * k];
    }
    for (int j = 0; j < k; j++) *entry(p, i, j) = p->sigma[j];
  }
}

// Left singular vectors of the k x c matrix in p->other; its rank. The vectors of the null space
// come last.
static SarStatus compress(Pencil* p, int k, int c, int* rank) {
  double* sigma = p->square;
  *rank = 0;
  memset(p->U, 0, (size_t)k * (size_t)k * sizeof *p->U);
  for (int i = 0; i < k; i++) p->U[i + i * k] = 1;
  if (c == 0 || k == 0) return SAR_OK;
  SAR_TRY(sar_svd_left(k, c, p->other, sigma, p->U, &p->dense));
  const int most = k < c ? k : c;
  while (*rank < most && sigma[*rank] > p->floor) ++*rank;
  return SAR_OK;
}

// One round; false: D has full row rank.
static SarStatus reduce(Pencil* p, bool* more) {
  const int n = p->n, y = p->y, u = p->u;
  int rank, left;
  for (int j = 0; j < u; j++)
    for (int i = 0; i < y; i++) p->other[i + j * y] = *entry(p, n + i, n + j);
  SAR_TRY(compress(p, y, u, &rank));
  *more = rank < y;
  if (!*more) return SAR_OK;
  turn_rows(p, n, y, n + u);
  // C2', n x (y - rank)
  for (int j = rank; j < y; j++)
    for (int i = 0; i < n; i++) p->other[i + (j - rank) * n] = *entry(p, n + j, i);
  SAR_TRY(compress(p, n, y - rank, &left));
  // the range of C2' to the end: columns of U in turn
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) p->sigma[k] = p->U[i + ((k + left) % n) * n];
    for (int k = 0; k < n; k++) p->U[i + k * n] = p->sigma[k];
  }
  turn_columns(p, n, n + y);
  turn_rows(p, 0, n, n + u);
  // rows kept .. n are the rates of the states that go, n .. n + rank D1's: they follow each other
  const int kept = n - left;
  for (int j = 0; j < u; j++)  // their columns are left out
    memmove(entry(p, 0, kept + j), entry(p, 0, n + j), (size_t)(n + rank) * sizeof(double));
  p->n = kept;
  p->y = left + rank;
  return SAR_OK;
}

static SarStatus find_zeros(Pencil* p, SarLinear* l, double* vectors, double* work, int size) {
  bool more = true;
  for (int round = 0; more; round++) {
    SAR_TRY(reduce(p, &more));
    if (round > l->nx + 1) return SAR_NOT_CONVERGED;
  }
  if (p->y != p->u) return SAR_SINGULAR;
  const int n = p->n, u = p->u;
  // A - B D^-1 C; D by rows for the factors
  for (int i = 0; i < u; i++)
    for (int j = 0; j < u; j++) p->square[i * u + j] = *entry(p, n + i, n + j);
  if (!sar_lu_factor(u, p->square, p->pivot)) return SAR_SINGULAR;
  for (int j = 0; j < n; j++) {
    memcpy(p->sigma, entry(p, n, j), (size_t)u * sizeof(double));
    sar_lu_solve(u, p->square, p->pivot, p->sigma);
    for (int i = 0; i < n; i++) {
      double sum = *entry(p, i, j);
      for (int k = 0; k < u; k++) sum -= *entry(p, i, n + k) * p->sigma[k];
      p->other[i + j * n] = sum;
    }
  }
  l->zeros = n;
  if (n == 0) return SAR_OK;
  return sar_eigen_general(n, p->other, l->zero_re, l->zero_im, vectors, work, size);
}

static void fill(Pencil* p, const SarLinear* l) {
  double most = 0;
  for (int i = 0; i < l->nx + l->ny; i++)
    for (int j = 0; j < l->nx + l->nu; j++) {
      const bool top = i < l->nx, left = j < l->nx;
      const double* from = top ? (left ? l->A : l->B) : (left ? l->C : l->D);
      const int columns = left ? l->nx : l->nu;
      const double x = from[(top ? i : i - l->nx) * columns + (left ? j : j - l->nx)];
      *entry(p, i, j) = x;
      most = fmax(most, fabs(x));
    }
  p->floor = RANK * most;
}

// ---- the whole ----------------------------------------------------------------------------------

typedef struct Root {
  double re, im;
} Root;

static int by_size(const void* pa, const void* pb) {
  const Root *a = pa, *b = pb;
  const double x = hypot(a->re, a->im), y = hypot(b->re, b->im);
  if (x != y) return x < y ? -1 : 1;
  if (a->re != b->re) return a->re < b->re ? -1 : 1;
  return (a->im < b->im) - (a->im > b->im);
}

static void sort_roots(int n, double* re, double* im, Root* root) {
  for (int i = 0; i < n; i++) root[i] = (Root){re[i], im[i]};
  qsort(root, (size_t)n, sizeof *root, by_size);
  for (int i = 0; i < n; i++) re[i] = root[i].re, im[i] = root[i].im;
}

SarStatus sar_linear_roots(const SarModel* m, SarLinear* l, SarError* err) {
  if (l->nx == 0) return SAR_OK;
  const bool square = l->nu == l->ny && l->nu > 0;
  const int n = l->nx + (square ? l->nu : 0), size = sar_eigen_general_size(n);
  const size_t all = (size_t)n * (size_t)n;
  Pencil p = {.n = l->nx, .u = l->nu, .y = l->ny, .ld = n};
  sar_dense_query(n, n, &p.dense);
  const size_t doubles = 5 * all + 3 * (size_t)n + (size_t)size + (size_t)p.dense.lwork;
  const size_t ints = (size_t)n + (size_t)p.dense.liwork;
  SarStatus st;
  double* block =
      sar_take_for(m, doubles * sizeof(double) + ints * sizeof(int), "computing poles", &st, err);
  if (!block) return st;
  double *vectors = block, *work = vectors + all;
  p.M = work + size, p.other = p.M + all, p.U = p.other + all, p.square = p.U + all;
  p.sigma = p.square + all, p.dense.work = p.sigma + 3 * n;
  p.pivot = (int*)(void*)(p.dense.work + p.dense.lwork), p.dense.iwork = p.pivot + n;
  // row by row here, column by column there: the eigenvalues of a transpose are the same
  memcpy(p.M, l->A, (size_t)l->nx * (size_t)l->nx * sizeof(double));
  st = sar_eigen_general(l->nx, p.M, l->pole_re, l->pole_im, vectors, work, size);
  if (st == SAR_OK) sort_roots(l->nx, l->pole_re, l->pole_im, (Root*)(void*)p.other);
  if (st == SAR_OK && square) {
    fill(&p, l);
    if (find_zeros(&p, l, vectors, work, size) != SAR_OK) l->zeros = -1;
    if (l->zeros > 0) sort_roots(l->zeros, l->zero_re, l->zero_im, (Root*)(void*)p.other);
  }
  sar_free(block);
  return st;
}
