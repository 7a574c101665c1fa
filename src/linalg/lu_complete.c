// LU with complete pivoting (Golub and Van Loan, section 3.4.8): 2/3 n^3 operations and n^3 / 3
// comparisons, which are done on the fly: the update of a row also finds its largest entry. Rows
// that have nothing in the pivot's column are left alone.
//
// Own code because LAPACK's dgetc2 is for square matrices and replaces small pivots where this must
// stop. Ties go to the first row, then the first column, so the order is the same everywhere.
#include "linalg/lu_complete.h"

#include <math.h>

// column of the largest entry of x[from .. to)
static int largest(const double* x, int from, int to) {
  int best = from;
  for (int j = from + 1; j < to; j++)
    if (fabs(x[j]) > fabs(x[best])) best = j;
  return best;
}

static void swap_int(int* x, int i, int j) {
  int held = x[i];
  x[i] = x[j], x[j] = held;
}

static void swap_rows(int n, double* A, int i, int j) {
  for (int k = 0; k < n; k++) {
    double x = A[i * n + k];
    A[i * n + k] = A[j * n + k];
    A[j * n + k] = x;
  }
}

static void swap_columns(int rows, int n, double* A, int i, int j) {
  for (int k = 0; k < rows; k++) {
    double x = A[k * n + i];
    A[k * n + i] = A[k * n + j];
    A[k * n + j] = x;
  }
}

// other[from .. n) -= factor pivot_row[from .. n); returns the size of the largest entry
static double update(double* other, const double* pivot_row, double factor, int from, int n) {
  double even = 0, odd = 0;  // two, so that one maximum need not wait for the last
  int j = from;
  for (; j + 1 < n; j += 2) {
    double x = other[j] - factor * pivot_row[j], y = other[j + 1] - factor * pivot_row[j + 1];
    other[j] = x, other[j + 1] = y;
    x = fabs(x), y = fabs(y);
    even = x > even ? x : even, odd = y > odd ? y : odd;
  }
  if (j < n) {
    other[j] -= factor * pivot_row[j];
    even = fabs(other[j]) > even ? fabs(other[j]) : even;
  }
  return even > odd ? even : odd;
}

int sar_lu_complete(int rows, int columns, double* A, double floor, int* row, int* column,
                    double* size) {
  int n = columns, most = rows < n ? rows : n;
  for (int j = 0; j < n; j++) column[j] = j;
  for (int i = 0; i < rows; i++) {
    row[i] = i;
    size[i] = n > 0 ? fabs(A[i * n + largest(&A[i * n], 0, n)]) : 0;
  }
  for (int k = 0; k < most; k++) {
    int best_row = largest(size, k, rows);
    if (!(size[best_row] > floor)) return k;
    int best_column = largest(&A[best_row * n], k, n);
    if (best_row != k) {
      swap_rows(n, A, k, best_row);
      swap_int(row, k, best_row);
      size[best_row] = size[k];
    }
    if (best_column != k) {
      swap_columns(rows, n, A, k, best_column);
      swap_int(column, k, best_column);
    }
    const double* pivot_row = &A[k * n];
    double inverse = 1 / pivot_row[k];
    for (int i = k + 1; i < rows; i++) {
      double* other = &A[i * n];
      if (other[k] == 0) continue;  // and its largest entry stays
      double factor = other[k] *= inverse;
      size[i] = update(other, pivot_row, factor, k + 1, n);
    }
  }
  return most;
}
