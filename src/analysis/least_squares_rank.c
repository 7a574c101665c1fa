// What a Jacobian says of the parameters (least_squares.h): covariance, rank, and who is not
// determined.
//
//   C = S^-1 (sum over w > 0 of u u' / w) S^-1,   S^-1 J'J S^-1 = sum of w u u'
//     (S: lengths of the columns)
//
// Differences know J to some 1e-5 of it: directions with w below UNKNOWN of the largest are not
// determined, and so is no parameter with a part in one.
#include "analysis/least_squares.h"

#include "base/alloc.h"
#include "base/error.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double UNKNOWN = 1e-9, PART = 1e-2, IDLE = 1e-9;

static double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static const double* column(const SarLsq* a, int i) { return a->J + (size_t)i * (size_t)a->m; }

static void choose_free(const SarLsq* a, SarLsqStatistics* out, double* length) {
  double most = 0;
  for (int i = 0; i < a->n; i++) {
    length[i] = sqrt(dot(a->m, column(a, i), column(a, i)));
    most = fmax(most, length[i]);
  }
  for (int i = 0; i < a->n; i++) {
    out->idle[i] = !(length[i] > IDLE * most);
    if (!a->bound[i] && !out->idle[i]) out->index[out->free++] = i;
  }
}

SarStatus sar_lsq_statistics(const SarLsq* a, SarLsqStatistics* out) {
  double length[SAR_LSQ_MOST], A[SAR_LSQ_MOST * SAR_LSQ_MOST], w[SAR_LSQ_MOST];
  SarDenseWork work = {0};
  *out = (SarLsqStatistics){0};
  choose_free(a, out, length);
  const int n = out->free;
  if (n == 0) return SAR_OK;
  sar_dense_query(n, n, &work);
  work.work = sar_alloc((size_t)(work.lwork + 1) * sizeof(double));
  work.iwork = sar_alloc((size_t)(work.liwork + 1) * sizeof(int));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      A[i * n + k] = dot(a->m, column(a, out->index[i]), column(a, out->index[k])) /
                     (length[out->index[i]] * length[out->index[k]]);
  SarStatus st = work.work && work.iwork ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = sar_eigen(n, A, w, &work);
  sar_free(work.work);
  sar_free(work.iwork);
  SAR_TRY(st);
  for (int k = 0; k < n; k++) {
    const double* u = &A[k * n];
    const bool known = w[k] > UNKNOWN * w[n - 1];
    out->rank += known;
    for (int i = 0; i < n; i++) {
      if (!known && fabs(u[i]) > PART) out->shared[out->index[i]] = true;
      for (int j = 0; j < n && known; j++)
        out->covariance[i][j] +=
            u[i] * u[j] / w[k] / (length[out->index[i]] * length[out->index[j]]);
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (out->shared[out->index[i]] || out->shared[out->index[j]])
        out->covariance[i][j] = (double)NAN;
  return SAR_OK;
}
