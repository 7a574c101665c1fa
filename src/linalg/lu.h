// Dense LU with partial pivoting for the small systems of implicit steps.
#pragma once
#include <stdbool.h>

// A = P L U in place, rows of A one after another; pivot[k]: the row that took the place of row k.
// False when a pivot is zero or not finite.
bool sar_lu_factor(int n, double* A, int* pivot);
// Solves A x = b in place.
void sar_lu_solve(int n, const double* LU, const int* pivot, double* x);
