// The positive semidefinite part of a small matrix.
#pragma once

enum { SAR_SEMIDEFINITE_MAX = 6 };

// Of A (n x n, n <= 6) only the symmetric part is kept, and of that what has no negative
// eigenvalue: the nearest positive semidefinite matrix in the Frobenius norm. A matrix that is one
// stays as it is.
void sar_semidefinite_part(int n, double* A);
