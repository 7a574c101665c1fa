// Columns run along memory: sums of columns where the matrix stands, dot products where its
// transpose does.
#include "linalg/matrix.h"

#include "linalg/lanes.h"

void sar_matvec(int rows, int columns, double alpha, const double* A, int ld, const double* x,
                double beta, double* y) {
  if (beta == 0) {
    for (int i = 0; i < rows; i++) y[i] = 0;
  } else if (beta != 1) {
    for (int i = 0; i < rows; i++) y[i] *= beta;
  }
  for (int j = 0; j < columns; j++)
    if (x[j] != 0) sar_add_scaled(rows, alpha * x[j], &A[j * ld], y);
}

void sar_matvec_t(int rows, int columns, double alpha, const double* A, int ld, const double* x,
                  double beta, double* y) {
  for (int j = 0; j < columns; j++) {
    double sum = alpha * sar_dot(rows, &A[j * ld], x);
    y[j] = beta == 0 ? sum : sum + beta * y[j];
  }
}

void sar_matmul(int rows, int columns, int inner, const double* A, int lda, const double* B,
                int ldb, double* C, int ldc) {
  for (int j = 0; j < columns; j++) sar_matvec(rows, inner, 1, A, lda, &B[j * ldb], 0, &C[j * ldc]);
}

void sar_matmul_t(int rows, int columns, int inner, const double* A, int lda, const double* B,
                  int ldb, double* C, int ldc) {
  for (int j = 0; j < columns; j++)
    sar_matvec_t(inner, rows, 1, A, lda, &B[j * ldb], 0, &C[j * ldc]);
}

void sar_gram_add(int n, int inner, double alpha, const double* A, int lda, double* C, int ldc) {
  for (int k = 0; k < inner; k++) {
    const double* a = &A[k * lda];
    for (int j = 0; j < n; j++)
      if (a[j] != 0) sar_add_scaled(n - j, alpha * a[j], a + j, &C[j * ldc + j]);
  }
}

void sar_gram_t(int n, int inner, const double* A, int lda, double* C, int ldc) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) C[j * ldc + i] = sar_dot(inner, &A[i * lda], &A[j * lda]);
}

void sar_mirror_lower(int n, double* C, int ld) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) C[j * ld + i] = C[i * ld + j];
}

void sar_mirror_upper(int n, double* C, int ld) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) C[i * ld + j] = C[j * ld + i];
}

// x_j known: taken out of the equations before it
static void upper(int n, int columns, const double* R, int ldr, double* B, int ldb, int unit) {
  for (int c = 0; c < columns; c++) {
    double* x = &B[c * ldb];
    for (int j = n - 1; j >= 0; j--) {
      if (x[j] == 0) continue;
      if (!unit) x[j] /= R[j * ldr + j];
      sar_add_scaled(j, -x[j], &R[j * ldr], x);
    }
  }
}

static void upper_t(int n, int columns, const double* R, int ldr, double* B, int ldb, int unit) {
  for (int c = 0; c < columns; c++) {
    double* x = &B[c * ldb];
    for (int j = 0; j < n; j++) {
      x[j] -= sar_dot(j, &R[j * ldr], x);
      if (!unit) x[j] /= R[j * ldr + j];
    }
  }
}

void sar_upper_solve(int n, int columns, const double* R, int ldr, double* B, int ldb) {
  upper(n, columns, R, ldr, B, ldb, 0);
}

void sar_upper_solve_t(int n, int columns, const double* R, int ldr, double* B, int ldb) {
  upper_t(n, columns, R, ldr, B, ldb, 0);
}

void sar_upper_unit_solve(int n, int columns, const double* R, int ldr, double* B, int ldb) {
  upper(n, columns, R, ldr, B, ldb, 1);
}

void sar_upper_unit_solve_t(int n, int columns, const double* R, int ldr, double* B, int ldb) {
  upper_t(n, columns, R, ldr, B, ldb, 1);
}

void sar_lower_solve(int n, int columns, const double* L, int ldl, double* B, int ldb) {
  for (int c = 0; c < columns; c++) {
    double* x = &B[c * ldb];
    for (int j = 0; j < n; j++) {
      if (x[j] == 0) continue;
      x[j] /= L[j * ldl + j];
      sar_add_scaled(n - j - 1, -x[j], &L[j * ldl + j + 1], x + j + 1);
    }
  }
}

void sar_lower_solve_t(int n, int columns, const double* L, int ldl, double* B, int ldb) {
  for (int c = 0; c < columns; c++) {
    double* x = &B[c * ldb];
    for (int j = n - 1; j >= 0; j--) {
      x[j] -= sar_dot(n - j - 1, &L[j * ldl + j + 1], x + j + 1);
      x[j] /= L[j * ldl + j];
    }
  }
}
