// What the constrained formulations need of LAPACK, with all work space given by the
// caller: nothing here allocates, and errors in arguments neither print nor stop the program.
//
// Matrices are stored column by column (LAPACK's way), so a matrix kept row by row is passed as its
// transpose. `ld`: distance between the starts of two columns.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarDenseWork {
  double* work;
  int* iwork;
  int lwork, liwork;  // entries of each
} SarDenseWork;

// Sets w->lwork and w->liwork to what every function below needs for n coordinates and m rows.
void sar_dense_query(int n, int m, SarDenseWork* w);

// A P = Q R, A: n x m, diagonal of R falling in size; pivot[k]: the column (from 0) that came k-th.
void sar_qr_pivoted(int n, int m, double* A, int* pivot, double* tau, SarDenseWork* w);
// The same, but columns with pivot != 0 come first, in their order.
void sar_qr_led(int n, int m, double* A, int* pivot, double* tau, SarDenseWork* w);
// A = [T 0] Z, A: r x m upper trapezoidal, r <= m; and x <- Z x, Z' x.
void sar_rz(int r, int m, double* A, int ld, double* tau, SarDenseWork* w);
void sar_z_mul(int m, int r, const double* RZ, int ld, const double* tau, double* x,
               SarDenseWork* w);
void sar_z_mul_t(int m, int r, const double* RZ, int ld, const double* tau, double* x,
                 SarDenseWork* w);
// Left singular vectors U (n x n) and singular values, falling, of A (n x m, destroyed).
SarStatus sar_svd_left(int n, int m, double* A, double* sigma, double* U, SarDenseWork* w);
// All eigenvectors, in place, and eigenvalues, rising, of the symmetric A (lower triangle).
SarStatus sar_eigen(int n, double* A, double* values, SarDenseWork* w);
// A = K U K', U in A: real Schur form; eigenvalues re + i im in the order of U.
SarStatus sar_schur(int n, double* A, double* re, double* im, double* K, SarDenseWork* w);
// Reorders it so that the eigenvalues with select[i] != 0 come first.
SarStatus sar_schur_reorder(int n, int* select, double* U, double* K, double* re, double* im,
                            SarDenseWork* w);
// Eigenvalues re + i im and right eigenvectors of A (n x n, destroyed), by columns: of a pair,
// which stands together with im > 0 first, the two columns are real and imaginary part. work:
// sar_eigen_general_size(n) doubles.
int sar_eigen_general_size(int n);
SarStatus sar_eigen_general(int n, double* A, double* re, double* im, double* vectors, double* work,
                            int work_size);
// A = L D L' of a symmetric indefinite matrix (lower triangle), rook pivoting; solve A x = b.
void sar_ldl_factor(int n, double* A, int* pivot, SarDenseWork* w);
void sar_ldl_solve(int n, const double* LD, const int* pivot, double* x);
// Smallest size of the blocks of D: rounding for a singular matrix, because rook pivoting bounds L.
double sar_ldl_smallest(int n, const double* LD, const int* pivot);
// U'U = P' A P, A positive semidefinite (upper triangle); stops where no diagonal entry of the rest
// exceeds `floor`. Returns the rank; pivot as for QR.
int sar_cholesky_pivoted(int n, double* A, int* pivot, double floor, SarDenseWork* w);
