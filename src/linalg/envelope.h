// Cholesky factors of symmetric positive definite matrices that are full only near their diagonal.
//
// Row i is stored from its first nonzero column to the diagonal, and its factor fills no more than
// that: analysed once, factored often, inner loops over contiguous memory. Chains of loops have
// rows of the same few columns whatever their length; a small matrix is simply full.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct SarEnvelope {
  int n;
  int* first;       // n: first column of each row
  size_t* adr;      // n: entry (i, j) is value[adr[i] + j], first[i] <= j <= i
  double* value;    // lower triangle, then its factor
  double* inverse;  // n: 1 / L_ii
} SarEnvelope;

// A = L L' in place. False unless every pivot is positive (NaN fails).
bool sar_envelope_factor(SarEnvelope* e);
// Solves L L' x = b in place.
void sar_envelope_solve(const SarEnvelope* e, double* x);
