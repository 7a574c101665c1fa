// Sums of products of powers through samples (lift.h): linear least squares by
// Householder reflections over all exponents of a small box, then again over
// the terms that count.
#include "codegen/lift.h"

#include "base/print.h"
#include "linalg/householder.h"

#include <math.h>
#include <string.h>

// Boxes of exponents, the smallest first.
static const int BOX[][2] = {{0, 1}, {0, 2}, {-1, 2}, {-1, 3}, {-2, 4}};

typedef struct Problem {
  SarArena* scratch;
  int samples, n;
  const double *x, *f;
  double scale[SAR_FIT_PARAMETERS];  // of the parameters: columns of a size
  double largest;                    // of f
} Problem;

static double power_product(const Problem* p, const SarFitTerm* t, int sample) {
  double product = 1;
  for (int k = 0; k < p->n; k++) product *= pow(p->x[sample * p->n + k] / p->scale[k], t->power[k]);
  return product;
}

// Coefficients of the terms (of scaled parameters); returns the largest error
// at a sample.
static double solve(const Problem* p, SarFit* fit) {
  const int n = p->samples, m = fit->count;
  double* A = SAR_ARENA_ARRAY(p->scratch, double, n* m);
  double* b = SAR_ARENA_ARRAY(p->scratch, double, 4 * n + 2 * m);
  int* pivot = SAR_ARENA_ARRAY(p->scratch, int, 2 * m);
  if (!A || !b || !pivot) return (double)INFINITY;
  double *tau = b + n, *work = tau + m, worst = 0;
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++) A[k * n + i] = power_product(p, &fit->term[k], i);
  memcpy(b, p->f, sizeof *b * (size_t)n);
  const int rank = sar_qr_in_order(n, m, A, 1e-11 * sqrt(n), pivot, tau, work, pivot + m);
  sar_q_mul_t(n, 1, rank, A, tau, b);
  for (int k = 0; k < m; k++) fit->term[k].coefficient = 0;
  for (int k = rank - 1; k >= 0; k--) {
    double sum = b[k];
    for (int j = k + 1; j < rank; j++) sum -= A[j * n + k] * fit->term[pivot[j]].coefficient;
    fit->term[pivot[k]].coefficient = sum / A[k * n + k];
  }
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++)
      sum += fit->term[k].coefficient * power_product(p, &fit->term[k], i);
    worst = fmax(worst, fabs(sum - p->f[i]));
  }
  return worst;
}

// All exponents of a box; false: too many of them for the samples.
static bool fill(const Problem* p, const int* box, SarFit* fit) {
  const int width = box[1] - box[0] + 1;
  double count = pow(width, p->n);
  if (count > SAR_FIT_TERMS || 1.2 * count + 6 > p->samples) return false;
  fit->count = (int)count;
  for (int k = 0; k < fit->count; k++) {
    int rest = k;
    fit->term[k] = (SarFitTerm){0};
    for (int j = 0; j < p->n; j++, rest /= width) fit->term[k].power[j] = box[0] + rest % width;
  }
  return true;
}

// Terms that count, and how well they fit alone.
static bool thin_out(const Problem* p, SarFit* fit) {
  double most = 0;
  int kept = 0;
  for (int k = 0; k < fit->count; k++) most = fmax(most, fabs(fit->term[k].coefficient));
  for (int k = 0; k < fit->count; k++)
    if (fabs(fit->term[k].coefficient) > 1e-6 * most) fit->term[kept++] = fit->term[k];
  fit->count = kept;
  return kept <= 12 && solve(p, fit) <= 1e-12 * p->largest;
}

bool sar_fit_products(SarArena* scratch, int samples, int n, const double* x, const double* f,
                      SarFit* fit) {
  Problem p = {.scratch = scratch, .samples = samples, .n = n, .x = x, .f = f};
  if (n > SAR_FIT_PARAMETERS) return false;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < samples; i++) p.scale[k] += fabs(x[i * n + k]) / samples;
    if (p.scale[k] == 0) return false;
  }
  for (int i = 0; i < samples; i++) p.largest = fmax(p.largest, fabs(f[i]));
  for (size_t level = 0; level < sizeof BOX / sizeof *BOX; level++) {
    if (!fill(&p, BOX[level], fit)) continue;
    if (!(solve(&p, fit) <= 1e-9 * p.largest) || !thin_out(&p, fit)) continue;
    for (int k = 0; k < fit->count; k++)
      for (int j = 0; j < n; j++)
        fit->term[k].coefficient /= pow(p.scale[j], fit->term[k].power[j]);
    return true;
  }
  return false;
}

// ---- coefficients -------------------------------------------------------------------------------

static bool is_near(double x, double y, double error) { return fabs(x - y) <= error * fabs(x); }

SarNode sar_lift_coefficient(SarGraph* g, double c, double error) {
  char text[32];
  for (int den = 1; den <= 12; den++)  // fifths and tenths are decimals
    if (den % 5 != 0 && is_near(c, rint(c * den) / den, error) && fabs(c) < (den > 1 ? 100 : 1e15))
      return sar_sym_rational(g, (int64_t)rint(c * den), den);
  sar_snprintf(text, sizeof text, "%.7g", c);
  for (int64_t den = 10; den <= 100000000 && is_near(c, sar_strtod(text, NULL), error); den *= 10)
    if (is_near(c, rint(c * (double)den) / (double)den, error) && fabs(c) < 1e6)
      return sar_sym_rational(g, (int64_t)rint(c * (double)den), den);
  for (int den = 13; den <= 720; den++)
    if (is_near(c, rint(c * den) / den, error) && fabs(c) < 1e3)
      return sar_sym_rational(g, (int64_t)rint(c * den), den);
  return sar_sym_number(g, c);
}
