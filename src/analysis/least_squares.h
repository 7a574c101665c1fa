// Nonlinear least squares within bounds: the method of Levenberg and Marquardt, and what its
// Jacobian says of the parameters.
#pragma once
#include "sarrus/sarrus.h"

enum { SAR_LSQ_MOST = 32 };  // parameters

typedef struct SarLsq {
  int n, m;  // parameters, residuals
  double low[SAR_LSQ_MOST], high[SAR_LSQ_MOST];
  void* context;
  // r(x) and, where J is not NULL, J = dr/dx, column by column. Not SAR_OK: there are no such
  // values at x, and a shorter step is tried; SAR_STOPPED ends the search.
  SarStatus (*evaluate)(void* context, const double* x, double* r, double* J);
  void (*on_step)(void* context, const double* x, double cost);  // Nullable; a better point
  double tolerance;                                              // of a step, in x
  int max_iterations;
  // in and out
  double x[SAR_LSQ_MOST];
  // out
  double *r, *J;  // at x: m, m x n; for sar_lsq_free
  double cost;    // r'r
  int iterations;
  bool bound[SAR_LSQ_MOST];  // x is at a bound, and the sum would fall beyond it
  double work[(2 * SAR_LSQ_MOST + 2) * (SAR_LSQ_MOST + 1)];
} SarLsq;

// SAR_OK: converged. SAR_NOT_CONVERGED: max_iterations, or no step helps; x is the best point in
// any case.
SarStatus sar_lsq_solve(SarLsq* a);
void sar_lsq_free(SarLsq* a);

// What J says of the parameters that are not at bounds, which are those with index[k], k = 0 ..
// free - 1.
typedef struct SarLsqStatistics {
  int free, rank;
  int index[SAR_LSQ_MOST];
  // (J'J)^-1 of the free ones; NaN in rows that are not determined
  double covariance[SAR_LSQ_MOST][SAR_LSQ_MOST];
  bool idle[SAR_LSQ_MOST];    // of all: r does not depend on it
  bool shared[SAR_LSQ_MOST];  // of all: only a combination of it with others is determined
} SarLsqStatistics;
SarStatus sar_lsq_statistics(const SarLsq* a, SarLsqStatistics* out);
