// Levenberg-Marquardt within bounds (least_squares.h). Own code of some hundred lines and not a
// library: MINPACK has no bounds, and GSL's licence would become that of the program.
//
//   (J'J + mu D^2) s = -J'r     free parameters; s cut off at the bounds; D: largest column lengths
//                               of J so far
//   mu by the ratio of gain and promise (Nielsen 1999), scaling as More 1978
//
// J is brought to n x n once (Householder): J = Q R, q = Q'r; then [R; sqrt(mu) D] s = -[q; 0] for
// any mu, so that J'J is never formed. A parameter at a bound is held while the slope points
// outwards (projected method: Kanzow, Yamashita and Fukushima 2004).
#include "analysis/least_squares.h"

#include "base/alloc.h"
#include "base/error.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { MOST = SAR_LSQ_MOST, TRIALS = 40 };
static const double ORTHOGONAL = 1e-10;  // cosine between r and every column of J
static const double FLAT = 1e-14;        // share of the sum that a step promises
static const double GAIN = 1e-4;

typedef struct Step {
  double R[MOST * MOST], q[MOST], D[MOST], g[MOST];  // R row by row
  double s[MOST], x[MOST];
  double mu, nu;
  double* r;  // at the new point
} Step;

static double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// ---- linear algebra -----------------------------------------------------------------------------

// A (rows x columns, column by column) to upper triangular form; columns: n unknowns and the right
// side.
static void triangularize(int rows, int n, int columns, double* A) {
  for (int k = 0; k < n && k < rows; k++) {
    double* v = A + k * rows;
    const double length = sqrt(dot(rows - k, v + k, v + k));
    if (length == 0) continue;
    const double alpha = v[k] > 0 ? -length : length, head = v[k] - alpha;
    const double square = length * length - alpha * v[k];  // half of |v - alpha e|^2
    v[k] = head;
    for (int j = k + 1; j < columns; j++) {
      double* c = A + j * rows;
      const double share = dot(rows - k, v + k, c + k) / square;
      for (int i = k; i < rows; i++) c[i] -= share * v[i];
    }
    v[k] = alpha;
    memset(v + k + 1, 0, (size_t)(rows - k - 1) * sizeof *v);
  }
}

// R and q of J and r, for all parameters.
static SarStatus reduce(const SarLsq* a, Step* t) {
  const size_t m = (size_t)a->m, size = m * (size_t)(a->n + 1);
  double* A = sar_alloc_brief(size * sizeof *A);
  if (!A) return SAR_NO_MEMORY;
  memcpy(A, a->J, m * (size_t)a->n * sizeof *A);
  memcpy(A + m * (size_t)a->n, a->r, m * sizeof *A);
  triangularize(a->m, a->n, a->n + 1, A);
  for (int i = 0; i < a->n; i++) {
    for (int j = 0; j < a->n; j++)
      t->R[i * a->n + j] = i <= j && i < a->m ? A[(size_t)j * m + (size_t)i] : 0;
    t->q[i] = i < a->m ? A[(size_t)a->n * m + (size_t)i] : 0;
  }
  sar_free(A);
  return SAR_OK;
}

// s of the free parameters, from [R; sqrt(mu) D] s = -[q; 0].
static void damped_step(SarLsq* a, Step* t) {
  int index[MOST], n = 0;
  for (int i = 0; i < a->n; i++)
    if (!a->bound[i]) index[n++] = i;
  const int rows = a->n + n;
  double* A = a->work;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < rows; i++)
      A[j * rows + i] = i < a->n        ? t->R[i * a->n + index[j]]
                        : i == a->n + j ? sqrt(t->mu) * t->D[index[j]]
                                        : 0;
  for (int i = 0; i < rows; i++) A[n * rows + i] = i < a->n ? -t->q[i] : 0;
  triangularize(rows, n, n + 1, A);
  memset(t->s, 0, sizeof t->s);
  for (int i = n - 1; i >= 0; i--) {
    double sum = A[n * rows + i];
    for (int j = i + 1; j < n; j++) sum -= A[j * rows + i] * t->s[index[j]];
    t->s[index[i]] = A[i * rows + i] != 0 ? sum / A[i * rows + i] : 0;
  }
}

// ---- one iteration ------------------------------------------------------------------------------

// Slopes, scales, what is held at bounds. True: r is orthogonal to what may change.
static bool look(SarLsq* a, Step* t) {
  const double size = sqrt(a->cost);
  bool optimal = true;
  for (int i = 0; i < a->n; i++) {
    const double* column = a->J + (size_t)i * (size_t)a->m;
    const double length = sqrt(dot(a->m, column, column));
    t->g[i] = dot(a->m, column, a->r);
    t->D[i] = fmax(t->D[i], length);
    a->bound[i] = (a->x[i] <= a->low[i] && t->g[i] > 0) || (a->x[i] >= a->high[i] && t->g[i] < 0);
    if (!a->bound[i] && fabs(t->g[i]) > ORTHOGONAL * length * size) optimal = false;
  }
  for (int i = 0; i < a->n; i++)
    if (t->D[i] == 0) t->D[i] = 1;
  return optimal;
}

// x + s within the bounds; what the linear model promises; how long the step is.
static double promise(const SarLsq* a, Step* t, double* length) {
  double Rs[MOST] = {0}, slope = 0;
  *length = 0;
  for (int i = 0; i < a->n; i++) {
    t->x[i] = fmin(fmax(a->x[i] + t->s[i], a->low[i]), a->high[i]);
    const double s = t->x[i] - a->x[i];
    *length = fmax(*length, fabs(s));
    slope += s * t->g[i];
    for (int k = 0; k <= i; k++) Rs[k] += t->R[k * a->n + i] * s;
  }
  return -2 * slope - dot(a->n, Rs, Rs);
}

static void move_to(SarLsq* a, Step* t, double cost) {
  memcpy(a->x, t->x, sizeof a->x);
  double* r = a->r;
  a->r = t->r;
  t->r = r;
  a->cost = cost;
  if (a->on_step) a->on_step(a->context, a->x, cost);
}

// Damping rises until a step helps. *done: there is nothing more to gain.
static SarStatus step(SarLsq* a, Step* t, bool* done) {
  for (int k = 0; k < TRIALS; k++) {
    double length;
    damped_step(a, t);
    const double promised = promise(a, t, &length);
    *done = length <= a->tolerance || fabs(promised) <= FLAT * a->cost;
    const SarStatus st = a->evaluate(a->context, t->x, t->r, NULL);
    if (st == SAR_STOPPED || st == SAR_NO_MEMORY) return st;
    const double cost = st == SAR_OK ? dot(a->m, t->r, t->r) : HUGE_VAL;
    const double ratio = isfinite(cost) ? (a->cost - cost) / promised : -1;
    if (promised > 0 && ratio > GAIN) {
      move_to(a, t, cost);
      const double x = 2 * ratio - 1;
      t->mu *= fmax(1.0 / 3, 1 - x * x * x);
      t->nu = 2;
      return SAR_OK;
    }
    if (*done) return SAR_OK;
    t->mu *= t->nu;
    t->nu *= 2;
  }
  return SAR_NOT_CONVERGED;
}

static SarStatus iterate(SarLsq* a, Step* t) {
  bool done = a->m == 0;
  SAR_TRY(a->evaluate(a->context, a->x, a->r, a->J));
  a->cost = dot(a->m, a->r, a->r);
  if (!isfinite(a->cost)) return SAR_NOT_FINITE;
  if (a->on_step) a->on_step(a->context, a->x, a->cost);
  for (a->iterations = 0; !done; a->iterations++) {
    if (look(a, t) || a->cost == 0) return SAR_OK;
    if (a->iterations == a->max_iterations) return SAR_NOT_CONVERGED;
    SAR_TRY(reduce(a, t));
    SAR_TRY(step(a, t, &done));
    SAR_TRY(a->evaluate(a->context, a->x, a->r, a->J));
  }
  look(a, t);
  return SAR_OK;
}

SarStatus sar_lsq_solve(SarLsq* a) {
  Step* t = sar_alloc(sizeof *t);
  const size_t m = (size_t)a->m + 1;
  sar_lsq_free(a);
  a->r = sar_alloc(m * sizeof *a->r);
  a->J = sar_alloc(m * (size_t)(a->n + 1) * sizeof *a->J);
  SarStatus st = t && a->r && a->J ? SAR_OK : SAR_NO_MEMORY;
  if (t) t->r = sar_alloc(m * sizeof *t->r);
  if (t && !t->r) st = SAR_NO_MEMORY;
  if (t) t->mu = 1e-3, t->nu = 2;
  if (st == SAR_OK) st = iterate(a, t);
  if (t) sar_free(t->r);
  sar_free(t);
  return st;
}

void sar_lsq_free(SarLsq* a) {
  sar_free(a->r);
  sar_free(a->J);
  a->r = a->J = NULL;
}
