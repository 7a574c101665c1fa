// Greedy choice by modified Gram and Schmidt (apart.h); codegen/derivatives_bordered.c writes the
// same as C.
#include "linalg/apart.h"

#include <stddef.h>

static double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

int sar_rows_apart(int rows, int n, double* row, int* chosen) {
  int rank = 0;
  while (rank < rows && rank < n) {
    int best = -1;
    double most = SAR_APART_LEAST * SAR_APART_LEAST;
    for (int r = 0; r < rows; r++) {
      const double square = dot(n, &row[(size_t)r * (size_t)n], &row[(size_t)r * (size_t)n]);
      if (square > most * (1 + SAR_APART_TIE)) most = square, best = r;
    }
    if (best < 0) break;
    chosen[rank++] = best;
    double* along = &row[(size_t)best * (size_t)n];
    for (int r = 0; r < rows; r++) {
      double* other = &row[(size_t)r * (size_t)n];
      if (r == best) continue;
      const double part = dot(n, other, along) / most;
      for (int k = 0; k < n; k++) other[k] -= part * along[k];
    }
    for (int k = 0; k < n; k++) along[k] = 0;  // it is not chosen again
  }
  return rank;
}
