// Rollouts of a batch: instance by instance along a sequence of controls, zero-order hold, x[k+1] =
// f(x[k], u[k]), as sampling-based control (shooting, MPPI) and learning need them. One thread
// takes an instance through all periods, so that its state stays in that core's cache, and threads
// meet once at the end.
#include "analysis/batch.h"
#include "base/error.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

// Row k of instance i in an array of n x periods x width numbers; NULL: there is no such array.
static double* row_of(const SarBatch* b, double* array, int i, int k, int width) {
  return array ? array + ((size_t)i * (size_t)b->rollout.periods + (size_t)k) * (size_t)width
               : NULL;
}

static void put(double* to, const double* from, int n) {
  if (to && from) memcpy(to, from, (size_t)n * sizeof *to);
}

static void control(const SarBatch* b, int i, int k) {
  const SarInstance* of = &b->instance[i];
  const int nu = sar_model_count(of->m, SAR_ITEM_INPUT), nv = sar_model_nv(of->m);
  if (!of->d) return;
  put(sar_inputs(of->d), row_of(b, (double*)b->rollout.inputs, i, k, nu), nu);
  put(sar_tau(of->d), row_of(b, (double*)b->rollout.tau, i, k, nv), nv);
}

static void fill(double* to, int n, double value) {
  for (int i = 0; to && i < n; i++) to[i] = value;
}

// What an instance that failed does not reach is not a number, so that nobody takes it for a
// result.
static void keep_row(const SarBatch* b, int i, int k) {
  const SarInstance* of = &b->instance[i];
  const int nq = sar_model_nq(of->m), nv = sar_model_nv(of->m);
  const int columns = sar_model_count(of->m, SAR_ITEM_OUTPUT);
  double* const q = row_of(b, b->rollout.q, i, k, nq);
  double* const v = row_of(b, b->rollout.v, i, k, nv);
  double* const y = row_of(b, b->rollout.outputs, i, k, columns);
  const bool good = of->status == SAR_OK;
  if (good) {
    put(q, sar_get_q(of->d), nq);
    put(v, sar_get_v(of->d), nv);
  } else {
    fill(q, nq, (double)NAN);
    fill(v, nv, (double)NAN);
  }
  if (y && !(good && sar_outputs(of->s, y) == SAR_OK)) fill(y, columns, (double)NAN);
}

static void rollout_task(void* context, int index) {
  SarBatch* b = context;
  const SarBatchGroup g = sar_batch_group(b, index);
  double start = (double)NAN;
  for (int i = g.first; i < g.first + g.count && isnan(start); i++)
    if (b->instance[i].d) start = sar_time(b->instance[i].d);
  for (int k = 0; k < b->rollout.periods; k++) {
    for (int i = g.first; i < g.first + g.count; i++) control(b, i, k);
    sar_batch_group_advance(b, index, start + (k + 1) * b->rollout.period);
    for (int i = g.first; i < g.first + g.count; i++) keep_row(b, i, k);
  }
}

SAR_API SarStatus sar_batch_rollout_sized(SarBatch* b, const SarRollout* r, size_t size) {
  SAR_GIVEN(b && r);
  SarRollout all;
  sar_give(&all, sizeof all, r, size);
  SAR_GIVEN(all.periods > 0 && isfinite(all.period) && all.period > 0);
  b->rollout = all;
  sar_pool_run(b->pool, sar_batch_group_count(b), rollout_task, b);
  return sar_batch_first_trouble(b);
}
