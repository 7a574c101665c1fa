// Products and triangular solutions of small dense matrices.
//
// Own code in place of BLAS: at two dozen unknowns two to three times faster than the reference
// library, with zeros skipped, of which constraint Jacobians and mass matrices are full.
// Matrices are stored column by column (LAPACK's way), so a matrix kept row by row is passed as its
// transpose. `ld`: distance between the starts of two columns. Outputs do not overlap inputs.
#pragma once

// y <- alpha A x + beta y, A: rows x columns; the second form with A'. beta = 0 overwrites y.
void sar_matvec(int rows, int columns, double alpha, const double* A, int ld, const double* x,
                double beta, double* y);
void sar_matvec_t(int rows, int columns, double alpha, const double* A, int ld, const double* x,
                  double beta, double* y);
// C <- A B and C <- A' B;  C: rows x columns, sum over `inner`.
void sar_matmul(int rows, int columns, int inner, const double* A, int lda, const double* B,
                int ldb, double* C, int ldc);
void sar_matmul_t(int rows, int columns, int inner, const double* A, int lda, const double* B,
                  int ldb, double* C, int ldc);
// C += alpha A A' (lower triangle) and C <- A' A (upper triangle);  C: n x n, sum over `inner`.
void sar_gram_add(int n, int inner, double alpha, const double* A, int lda, double* C, int ldc);
void sar_gram_t(int n, int inner, const double* A, int lda, double* C, int ldc);
// Copies the lower triangle to the upper, or the other way.
void sar_mirror_lower(int n, double* C, int ld);
void sar_mirror_upper(int n, double* C, int ld);

// B <- R^-1 B, R^-T B with R upper triangular; L^-1 B, L^-T B with L lower triangular; B: n x
// columns.
void sar_upper_solve(int n, int columns, const double* R, int ldr, double* B, int ldb);
void sar_upper_solve_t(int n, int columns, const double* R, int ldr, double* B, int ldb);
void sar_lower_solve(int n, int columns, const double* L, int ldl, double* B, int ldb);
void sar_lower_solve_t(int n, int columns, const double* L, int ldl, double* B, int ldb);
// The same for an R whose diagonal is one and not stored.
void sar_upper_unit_solve(int n, int columns, const double* R, int ldr, double* B, int ldb);
void sar_upper_unit_solve_t(int n, int columns, const double* R, int ldr, double* B, int ldb);
