// Cholesky factors of symmetric positive definite matrices of any size.
#pragma once
#include <stdbool.h>

// A = U'U in place: upper triangle row by row, which is L = U' column by column (ld n). The strict
// lower triangle is neither read nor written. False unless every pivot exceeds `floor` times its
// diagonal entry (NaN fails).
bool sar_spd_factor(int n, double* A, double floor);
// The same; returns how many pivots there are before one fails: n if none does.
int sar_spd_factor_while(int n, double* A, double floor);
// Solves U'U x = b in place.
void sar_spd_solve(int n, const double* U, double* x);
