// Solutions with the factors of small sparse systems (static_lu.h).
//
// Rows of L with the same columns, up to six, and rows of U of one group are packed column by
// column after every factorisation, so that a solution is a sum of columns times numbers, with as
// many running sums as there are rows:
//
//   forward    y_I = x_I - L_IK y_K over the columns K to the left, then y_I = L_II^-1 y_I, column
//              by column
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

// ---- packing ------------------------------------------------------------------------------------

// Columns of some rows, one behind the other: `rows` is a constant where this is called, as below.
INLINED void columns(const int rows, const double* const from[MOST], int count, double* to) {
  for (int c = 0; c < count; c++, to += 2 * pairs_of(rows))
    for (int r = 0; r < rows; r++) to[r] = from[r][c];
}

static void pack_columns(int rows, const double* const from[MOST], int count, double* to) {
  switch (rows) {
    case 1: columns(1, from, count, to); break;
    case 2: columns(2, from, count, to); break;
    case 3: columns(3, from, count, to); break;
    case 4: columns(4, from, count, to); break;
    case 5: columns(5, from, count, to); break;
    default: columns(6, from, count, to);
  }
}

// Column c of a row at to[c * wide].
static void spread(const double* from, int count, double* to, int wide) {
  for (int c = 0; c < count; c++) to[c * wide] = from[c];
}

static void pack_lower(SarStaticLu* p, const SarLuPiece* l) {
  const double* from[MOST];
  const int left = columns_of(p->left + l->run, l->runs), wide = 2 * pairs_of(l->rows);
  double *to = p->packed + l->at, *triangle = to + left * wide;
  for (int r = 0; r < l->rows; r++) from[r] = p->value + p->start[l->first + r];
  pack_columns(l->rows, from, left, to);
  for (int r = 1; r < l->rows; r++) spread(from[r] + left, r, triangle + r, wide);
}

static void pack_upper(SarStaticLu* p, const SarLuPiece* u) {
  const double* from[MOST];
  const int beyond = columns_of(p->tail + u->run, u->runs), wide = 2 * pairs_of(u->rows);
  double *to = p->packed + u->at, *triangle = to + beyond * wide;
  for (int r = 0; r < u->rows; r++) from[r] = p->value + p->diag[u->first + r] + (u->rows - r);
  pack_columns(u->rows, from, beyond, to);
  for (int r = 0; r < u->rows; r++) from[r] = p->inverse + (size_t)(u->first + r) * MOST;
  pack_columns(u->rows, from, u->rows, triangle);
}

void sar_static_lu_pack(SarStaticLu* p) {
  for (int k = 0; k < p->lower_count; k++) pack_lower(p, &p->lower[k]);
  for (int k = 0; k < p->upper_count; k++) pack_upper(p, &p->upper[k]);
}

// ---- solving ------------------------------------------------------------------------------------

// sum += columns times y. Here and below `rows` is a constant where a function is called, so that
// loops over rows are unrolled (this file is compiled with -O3).
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

// Number r of a vector in pairs, in both lanes. Lanes are named so that vectors stay in registers.
INLINED SarLanes both(const SarLanes* y, int r) {
  const SarLanes of = y[r / 2];
  return r % 2 ? (SarLanes){of[1], of[1]} : (SarLanes){of[0], of[0]};
}

INLINED void load(const int rows, const double* x, const int* at, SarLanes y[PAIRS]) {
  for (int k = 0; k < rows / 2; k++) y[k] = (SarLanes){x[at[2 * k]], x[at[2 * k + 1]]};
  if (rows % 2) y[rows / 2] = (SarLanes){x[at[rows - 1]], 0};
}

INLINED void store(const int rows, const SarLanes y[PAIRS], double* to) {
  for (int k = 0; k < rows / 2; k++) sar_lanes_store(to + 2 * k, y[k]);
  if (rows % 2) to[rows - 1] = y[rows / 2][0];
}

// y -= columns of the triangle below the diagonal, whose other numbers are zero
INLINED void lower_column(const int rows, const int c, const double* L, SarLanes y[PAIRS]) {
  if (c + 1 >= rows) return;
  const SarLanes of = both(y, c);
  for (int k = 0; k < pairs_of(rows); k++) y[k] -= sar_lanes(L + 2 * (c * pairs_of(rows) + k)) * of;
}

INLINED void forward(const int rows, const SarStaticLu* p, const SarLuPiece* l, const double* x) {
  SarLanes sum[PAIRS] = {{0}}, y[PAIRS] = {{0}};
  const double* L = add_runs(rows, p->packed + l->at, p->left + l->run, l->runs, p->y, sum);
  load(rows, x, p->row_at + l->first, y);
  for (int k = 0; k < pairs_of(rows); k++) y[k] -= sum[k];
  lower_column(rows, 0, L, y);
  lower_column(rows, 1, L, y);
  lower_column(rows, 2, L, y);
  lower_column(rows, 3, L, y);
  lower_column(rows, 4, L, y);
  store(rows, y, p->y + l->first);
}

INLINED void upper_column(const int rows, const int c, const double* U, const SarLanes y[PAIRS],
                          SarLanes solved[PAIRS]) {
  if (c >= rows) return;
  const SarLanes of = both(y, c);
  for (int k = 0; k < (c + 2) / 2; k++)
    solved[k] += sar_lanes(U + 2 * (c * pairs_of(rows) + k)) * of;
}

INLINED void backward(const int rows, const SarStaticLu* p, const SarLuPiece* u, double* x) {
  const int* at = p->col_at + u->first;
  SarLanes sum[PAIRS] = {{0}}, y[PAIRS] = {{0}}, solved[PAIRS] = {{0}};
  const double* U = add_runs(rows, p->packed + u->at, p->tail + u->run, u->runs, p->y, sum);
  for (int k = 0; k < rows / 2; k++) y[k] = sar_lanes(p->y + u->first + 2 * k);
  if (rows % 2) y[rows / 2] = (SarLanes){p->y[u->first + rows - 1], 0};
  for (int k = 0; k < pairs_of(rows); k++) y[k] -= sum[k];
  upper_column(rows, 0, U, y, solved);
  upper_column(rows, 1, U, y, solved);
  upper_column(rows, 2, U, y, solved);
  upper_column(rows, 3, U, y, solved);
  upper_column(rows, 4, U, y, solved);
  upper_column(rows, 5, U, y, solved);
  store(rows, solved, p->y + u->first);
  for (int r = 0; r < rows; r++) x[at[r]] = solved[r / 2][r % 2];
}

INLINED void solve(const SarStaticLu* p, double* x) {
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

static void solve_plain(const SarStaticLu* p, double* x) { solve(p, x); }
SAR_WIDE static void solve_wide(const SarStaticLu* p, double* x) { solve(p, x); }

void sar_static_lu_solve(const SarStaticLu* p, double* x) {
  if (p->by_blocks) {
    sar_block_lu_solve(p->blocks, p->row_at, p->col_at, x);
    return;
  }
  (p->wide ? solve_wide : solve_plain)(p, x);
}
