// Pivots of a symmetric positive semidefinite matrix, the largest first.
#pragma once

// P' A P = R' R, |R_kk| falling: |R_kk| of the last of `rank` pivots, 0 where it is rounding (below
// 1e-8 of the largest). Of A (n x n) the lower triangle is read, and destroyed. work: 2 n.
//
// If A = B'B, R is that of a QR decomposition of B with column pivoting, up to signs and rounding.
double sar_cholesky_pivot(int n, int rank, double* A, double* work);
