// Numeric phase of LU by blocks (block_lu.h): products of six by six numbers, four and two lanes at
// a time.
//
// Columns are held as four numbers and two. There is a version of each function for processors with
// AVX, which has the same results, as lanes are never added up (lanes.h); others do the four in two
// halves.
#include "linalg/block_lu.h"

#include "linalg/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double DEAD = 1e-13;  // of the largest entry of its row

#define INLINED static inline __attribute__((always_inline))
enum { B = SAR_LU_BLOCK, CELLS = B * B };

// Vectors of four are never passed to functions or returned: without AVX there is no one way to do
// that.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long FourBits __attribute__((vector_size(32)));
typedef long long TwoBits __attribute__((vector_size(16)));
#define FOUR(x) (*(const Four*)(x))
#define TWO(x) (*(const SarLanes*)((x) + 4))
#define PUT_FOUR(x, v) (*(Four*)(x) = (v))
#define PUT_TWO(x, v) (*(SarLanes*)((x) + 4) = (v))
#define ALL(s) ((Four){s, s, s, s})
#define BOTH(s) ((SarLanes){s, s})
#define HALF(four) __builtin_shufflevector(four, four, 0, 1)

// ---- products -----------------------------------------------------------------------------------

// C -= L U, so many columns
INLINED void take_off(const double* L, const double* U, int columns, double* C) {
  Four l[B];
  SarLanes m[B];
  for (int k = 0; k < B; k++) l[k] = FOUR(L + k * B), m[k] = TWO(L + k * B);
  for (int j = 0; j < columns; j++, U += B, C += B) {
    Four c = FOUR(C);
    SarLanes d = TWO(C);
    for (int k = 0; k < B; k++) {
      const Four u = ALL(U[k]);
      c -= l[k] * u, d -= m[k] * HALF(u);
    }
    PUT_FOUR(C, c), PUT_TWO(C, d);
  }
}

// a . b
INLINED double dot(const double* a, const double* b) {
  const Four x = FOUR(a) * FOUR(b);
  const SarLanes y = TWO(a) * TWO(b);
  const SarLanes sum = (SarLanes){x[0], x[1]} + (SarLanes){x[2], x[3]} + y;
  return sum[0] + sum[1];
}

// A row of C -= l U; stride: from one of its columns to the next
INLINED void take_row_off(const double* l, const double* U, int columns, double* C, int stride) {
  for (int j = 0; j < columns; j++, U += B, C += stride) *C -= dot(l, U);
}

// l <- l U
INLINED void multiply_row(double* l, const double* U) {
  double out[B];
  for (int j = 0; j < B; j++) {
    out[j] = l[0] * U[j * B];
    for (int k = 1; k <= j; k++) out[j] += l[k] * U[j * B + k];
  }
  memcpy(l, out, sizeof out);
}

// A <- A U, U a triangle: column j has j + 1 numbers
INLINED void multiply_upper(double* A, const double* U) {
  Four l[B];
  SarLanes m[B];
  for (int k = 0; k < B; k++) l[k] = FOUR(A + k * B), m[k] = TWO(A + k * B);
  for (int j = 0; j < B; j++, U += B, A += B) {
    Four c = l[0] * ALL(U[0]);
    SarLanes d = m[0] * BOTH(U[0]);
    for (int k = 1; k <= j; k++) {
      const Four u = ALL(U[k]);
      c += l[k] * u, d += m[k] * HALF(u);
    }
    PUT_FOUR(A, c), PUT_TWO(A, d);
  }
}

// A <- L A, so many columns; size: the largest of each row. L has ones on its diagonal: what is
// above them in a column is zero.
INLINED void multiply_lower(const double* L, int columns, double* A, double size[B]) {
  const FourBits all_but_sign = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  const TwoBits two_but_sign = {INT64_MAX, INT64_MAX};
  Four l[B], most = FOUR(size);
  SarLanes m[B], more = TWO(size);
  for (int k = 0; k < B; k++) l[k] = FOUR(L + k * B), m[k] = TWO(L + k * B);
  for (int j = 0; j < columns; j++, A += B) {
    Four c = l[0] * ALL(A[0]);
    SarLanes d = m[0] * BOTH(A[0]);
    for (int k = 1; k < B; k++) {
      const Four a = ALL(A[k]);
      if (k < 4) c += l[k] * a;
      d += m[k] * HALF(a);
    }
    PUT_FOUR(A, c), PUT_TWO(A, d);
    const Four x = (Four)((FourBits)c & all_but_sign);
    const SarLanes y = (SarLanes)((TwoBits)d & two_but_sign);
    const FourBits above = x > most;
    const TwoBits beyond = y > more;
    most = (Four)(((FourBits)x & above) | ((FourBits)most & ~above));
    more = (SarLanes)(((TwoBits)y & beyond) | ((TwoBits)more & ~beyond));
  }
  PUT_FOUR(size, most), PUT_TWO(size, more);
}

// ---- blocks on the diagonal ---------------------------------------------------------------------

// Numbers of a column below place p.
static const int64_t BELOW[B][B] = {{0, -1, -1, -1, -1, -1}, {0, 0, -1, -1, -1, -1},
                                    {0, 0, 0, -1, -1, -1},   {0, 0, 0, 0, -1, -1},
                                    {0, 0, 0, 0, 0, -1},     {0, 0, 0, 0, 0, 0}};
typedef long long FourLoose __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long TwoLoose __attribute__((vector_size(16), aligned(8), may_alias));

// D -> U above and on its diagonal, L^-1 in `inverse`: what takes D apart is done to the identity
// as well.
INLINED void split(double* D, double* inverse) {
  static const double one[CELLS] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  memcpy(inverse, one, sizeof one);
  for (int p = 0; p + 1 < B; p++) {
    const double over = 1 / D[p * B + p];
    const Four l = (Four)((FourBits)(FOUR(D + p * B) * ALL(over)) & *(const FourLoose*)BELOW[p]);
    const SarLanes m =
        (SarLanes)((TwoBits)(TWO(D + p * B) * BOTH(over)) & *(const TwoLoose*)(BELOW[p] + 4));
    for (int j = 0; j < B; j++) {
      double* to = j > p ? D + j * B : inverse + j * B;
      const Four x = ALL(to[p]);
      PUT_FOUR(to, FOUR(to) - l * x), PUT_TWO(to, TWO(to) - m * HALF(x));
    }
  }
}

// (U^-1)_p = -sum over s of (U^-1)_s u_sp / u_pp, columns, and 1 / u_pp on the diagonal
INLINED void invert_upper(const double* U, double* inverse) {
  for (int p = 0; p < B; p++) {
    const double over = 1 / U[p * B + p];
    Four c = ALL(0.0);
    SarLanes d = BOTH(0.0);
    for (int s = 0; s < p; s++) {
      const Four x = ALL(U[p * B + s]);
      c -= FOUR(inverse + s * B) * x, d -= TWO(inverse + s * B) * HALF(x);
    }
    PUT_FOUR(inverse + p * B, c * ALL(over)), PUT_TWO(inverse + p * B, d * BOTH(over));
    inverse[p * B + p] = over;
  }
}

// Is no pivot of a row small beside what else the row has? size: of what is beyond the block.
static bool are_alive(const double* U, int count, const double* size) {
  for (int p = 0; p < count; p++) {
    double most = size[p];
    for (int j = p + 1; j < count; j++) {
      const double x = fabs(U[j * B + p]);
      most = x > most ? x : most;
    }
    const double pivot = U[p * B + p];
    if (!(fabs(pivot) > DEAD * most) || !isfinite(pivot)) return false;
  }
  return true;
}

// ---- factor -------------------------------------------------------------------------------------

INLINED void put_entries(SarBlockLu* p, const double* a) {
  double* value = p->value;
  const int* place = p->place;
  const size_t cells = (size_t)p->start[p->count] * CELLS;
  int e = 0;
  for (size_t k = 0; k < cells; k += 12) {
    PUT_FOUR(value + k, ALL(0.0)), PUT_FOUR(value + k + 4, ALL(0.0));
    PUT_FOUR(value + k + 8, ALL(0.0));
  }
  for (; e + 3 < p->entries; e += 4) {
    value[place[e]] += a[e];
    value[place[e + 1]] += a[e + 1];
    value[place[e + 2]] += a[e + 2];
    value[place[e + 3]] += a[e + 3];
  }
  for (; e < p->entries; e++) value[place[e]] += a[e];
  for (int i = 0; i < p->count; i++)
    for (int k = p->size[i]; k < B; k++) value[p->diag[i] * CELLS + k * B + k] = 1;
}

// Block e of L, and what it takes off its row.
INLINED void take_block_off(SarBlockLu* p, int e) {
  const int k = p->block[e].column, row = p->block[e].row, last = p->start[k + 1];
  const int* to = p->target + p->targets[e];
  double* L = p->value + (size_t)e * CELLS;
  if (row >= 0)
    multiply_row(L, p->upper + (size_t)k * CELLS);
  else
    multiply_upper(L, p->upper + (size_t)k * CELLS);
  for (int u = p->diag[k] + 1; u < last; u++, to++) {
    const int first = p->block[u].first, count = p->block[u].count;
    const double* U = p->value + (size_t)u * CELLS + first * B;
    double* C = p->value + (size_t)*to * CELLS;
    if (row < 0)
      take_off(L, U, count, C + first * B);
    else if (p->block[*to].row >= 0)
      take_row_off(L, U, count, C + first, 1);
    else
      take_row_off(L, U, count, C + first * B + row, B);
  }
}

INLINED bool factor_row(SarBlockLu* p, int row) {
  for (int e = p->start[row]; e < p->diag[row]; e++) take_block_off(p, e);
  double *D = p->value + (size_t)p->diag[row] * CELLS, *inverse = p->lower + (size_t)row * CELLS;
  double size[B] = {0};
  split(D, inverse);
  for (int e = p->diag[row] + 1; e < p->start[row + 1]; e++)
    multiply_lower(inverse, p->block[e].count, p->value + (size_t)e * CELLS + p->block[e].first * B,
                   size);
  if (!are_alive(D, p->size[row], size)) return false;
  invert_upper(D, p->upper + (size_t)row * CELLS);
  return true;
}

INLINED bool factor_by(SarBlockLu* p, const double* a) {
  put_entries(p, a);
  for (int row = 0; row < p->count; row++)
    if (!factor_row(p, row)) return false;
  return true;
}

static bool factor_plain(SarBlockLu* p, const double* a) { return factor_by(p, a); }
SAR_WIDE static bool factor_wide(SarBlockLu* p, const double* a) { return factor_by(p, a); }

bool sar_block_lu_factor(SarBlockLu* p, const double* a) {
  return (p->wide ? factor_wide : factor_plain)(p, a);
}

// ---- solutions ----------------------------------------------------------------------------------

// to <- M to, less the sum of blocks times their parts of y before it; by two sums each, whose
// lanes do not wait for each other
INLINED void solve_row(const SarBlockLu* p, const double* M, int from, int end, double* to) {
  Four c = ALL(0.0), c1 = ALL(0.0);
  SarLanes d = BOTH(0.0), d1 = BOTH(0.0);
  const double* A = p->value + (size_t)from * CELLS;
  for (const SarLuPlace *at = p->block + from, *last = p->block + end; at < last;
       at++, A += CELLS) {
    const double* y = p->y + (size_t)at->column * B;
    if (at->row >= 0) {
      to[at->row] -= dot(A, y);
      continue;
    }
    if (at->count == 1) {
      const double *column = A + at->first * B, x = y[at->first];
      c -= FOUR(column) * ALL(x), d -= TWO(column) * BOTH(x);
      continue;
    }
    for (int k = 0; k < B; k += 2) {
      const Four y0 = ALL(y[k]), y1 = ALL(y[k + 1]);
      c -= FOUR(A + k * B) * y0, d -= TWO(A + k * B) * HALF(y0);
      c1 -= FOUR(A + k * B + B) * y1, d1 -= TWO(A + k * B + B) * HALF(y1);
    }
  }
  c += FOUR(to), d += TWO(to);
  PUT_FOUR(to, c + c1), PUT_TWO(to, d + d1);
  c = c1 = ALL(0.0);
  d = d1 = BOTH(0.0);
  for (int k = 0; k < B; k += 2) {
    const Four y0 = ALL(to[k]), y1 = ALL(to[k + 1]);
    c += FOUR(M + k * B) * y0, d += TWO(M + k * B) * HALF(y0);
    c1 += FOUR(M + k * B + B) * y1, d1 += TWO(M + k * B + B) * HALF(y1);
  }
  PUT_FOUR(to, c + c1), PUT_TWO(to, d + d1);
}

INLINED void solve_by(const SarBlockLu* p, const int* row_at, const int* col_at, double* x) {
  for (int row = 0; row < p->count; row++) {
    double* y = p->y + (size_t)row * B;
    const int size = p->size[row], *at = row_at + p->first[row];
    y[0] = x[at[0]];
    if (size >= 5) y[1] = x[at[1]], y[2] = x[at[2]], y[3] = x[at[3]], y[4] = x[at[4]];
    for (int k = size >= 5 ? 5 : 1; k < size; k++) y[k] = x[at[k]];
    solve_row(p, p->lower + (size_t)row * CELLS, p->start[row], p->diag[row], y);
  }
  for (int row = p->count - 1; row >= 0; row--) {
    double* y = p->y + (size_t)row * B;
    solve_row(p, p->upper + (size_t)row * CELLS, p->diag[row] + 1, p->start[row + 1], y);
    const int size = p->size[row], *at = col_at + p->first[row];
    x[at[0]] = y[0];
    if (size >= 5) x[at[1]] = y[1], x[at[2]] = y[2], x[at[3]] = y[3], x[at[4]] = y[4];
    for (int k = size >= 5 ? 5 : 1; k < size; k++) x[at[k]] = y[k];
  }
}

static void solve_plain(const SarBlockLu* p, const int* row_at, const int* col_at, double* x) {
  solve_by(p, row_at, col_at, x);
}
SAR_WIDE static void solve_wide(const SarBlockLu* p, const int* row_at, const int* col_at,
                                double* x) {
  solve_by(p, row_at, col_at, x);
}

void sar_block_lu_solve(const SarBlockLu* p, const int* row_at, const int* col_at, double* x) {
  (p->wide ? solve_wide : solve_plain)(p, row_at, col_at, x);
}
