// Solutions with the factors of small sparse systems (static_lu.h).
//
// Rows of L with the same columns, up to six, and rows of U of one group are packed column by column after every
// factorisation, so that a solution is a sum of columns times numbers, with as many running sums as there are rows:
//
//   forward    y_I = x_I - L_IK y_K over the columns K to the left, then y_I = L_II^-1 y_I, column by column
//   backward   y_I = U_II^-1 (y_I - U_IJ y_J)                   U_II^-1 from the factorisation
#include "linalg/lanes.h"
#include "linalg/static_lu.h"

#define INLINED static inline __attribute__((always_inline))
enum { MOST = SAR_STATIC_LU_GROUP, PAIRS = MOST / 2 };

static int pairs_of(int rows) { return (rows + 1) / 2; }

static int columns_of(const SarLuRun* run, int runs) {
  int sum = 0;
  for (int k = 0; k < runs; k++) sum += run[k].count;
  return sum;
}

// ---- packing -------------------------------------------------------------------------------------

// Column c of a row at to[c * wide].
static void spread(const double* from, int count, double* to, size_t wide) {
  for (int c = 0; c < count; c++) to[(size_t)c * wide] = from[c];
}

void sar_static_lu_pack(SarStaticLu* p) {
  for (int k = 0; k < p->lower_count; k++) {
    const SarLuPiece* l = &p->lower[k];
    const int left = columns_of(p->left + l->run, l->runs);
    const size_t wide = 2 * (size_t)pairs_of(l->rows);
    for (int r = 0; r < l->rows; r++)
      spread(p->value + p->start[l->first + r], left + r, p->packed + l->at + r, wide);
  }
  for (int k = 0; k < p->upper_count; k++) {
    const SarLuPiece* u = &p->upper[k];
    const int beyond = columns_of(p->tail + u->run, u->runs);
    const size_t wide = 2 * (size_t)pairs_of(u->rows);
    for (int r = 0; r < u->rows; r++) {
      const int i = u->first + r;
      double* to = p->packed + u->at + r;
      spread(p->value + p->diag[i] + (u->rows - r), beyond, to, wide);
      spread(p->inverse + (size_t)i * MOST, u->rows - r, to + (size_t)(beyond + r) * wide, wide);
    }
  }
}

// ---- solving -------------------------------------------------------------------------------------

// sum += columns times y. Here and below `rows` is a constant where a function is called, so that loops over rows are
// unrolled (this file is compiled with -O3).
INLINED const double* add_columns(const int rows, const double* column, const double* y, int count,
                                  SarLanes sum[PAIRS]) {
  const int pairs = pairs_of(rows);
  for (int t = 0; t < count; t++, column += 2 * pairs) {
    const SarLanes of = {y[t], y[t]};
    for (int k = 0; k < pairs; k++) sum[k] += sar_lanes(column + 2 * k) * of;
  }
  return column;
}

INLINED const double* add_runs(const int rows, const double* column, const SarLuRun* run, int runs,
                               const double* y, SarLanes sum[PAIRS]) {
  for (const SarLuRun* end = run + runs; run < end; run++)
    column = add_columns(rows, column, y + run->to, run->count, sum);
  return column;
}

INLINED void forward(const int rows, const SarStaticLu* p, const SarLuPiece* l, const double* x) {
  const int pairs = pairs_of(rows), *at = p->row_at + l->first;
  SarLanes sum[PAIRS] = {{0}};
  double* y = p->y + l->first;
  const double* L = add_runs(rows, p->packed + l->at, p->left + l->run, l->runs, p->y, sum);
  for (int r = 0; r < rows; r++) y[r] = x[at[r]] - sum[r / 2][r % 2];
  for (int c = 0; c + 1 < rows; c++)
    for (int r = c + 1; r < rows; r++) y[r] -= L[c * 2 * pairs + r] * y[c];
}

INLINED void backward(const int rows, const SarStaticLu* p, const SarLuPiece* u, double* x) {
  const int* at = p->col_at + u->first;
  SarLanes sum[PAIRS] = {{0}}, solved[PAIRS] = {{0}};
  double* y = p->y + u->first;
  const double* U = add_runs(rows, p->packed + u->at, p->tail + u->run, u->runs, p->y, sum);
  for (int r = 0; r < rows; r++) y[r] -= sum[r / 2][r % 2];
  add_columns(rows, U, y, rows, solved);
  for (int r = 0; r < rows; r++) x[at[r]] = y[r] = solved[r / 2][r % 2];
}

void sar_static_lu_solve(const SarStaticLu* p, double* x) {
  for (int k = 0; k < p->lower_count; k++) {
    const SarLuPiece* l = &p->lower[k];
    switch (l->rows) {
      case 1: forward(1, p, l, x); break;
      case 2: forward(2, p, l, x); break;
      case 3: forward(3, p, l, x); break;
      case 4: forward(4, p, l, x); break;
      case 5: forward(5, p, l, x); break;
      default: forward(6, p, l, x);
    }
  }
  for (int k = p->upper_count - 1; k >= 0; k--) {
    const SarLuPiece* u = &p->upper[k];
    switch (u->rows) {
      case 1: backward(1, p, u, x); break;
      case 2: backward(2, p, u, x); break;
      case 3: backward(3, p, u, x); break;
      case 4: backward(4, p, u, x); break;
      case 5: backward(5, p, u, x); break;
      default: backward(6, p, u, x);
    }
  }
}
