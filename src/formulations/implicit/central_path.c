// Primal-dual interior-point method for friction within bounds (central_path.h).
#include "formulations/implicit/central_path.h"

#include <math.h>

static const double NEAR = 1e-11;  // what is left of the smaller of a product, over its unit
// the smaller over the larger: it is known which of the two is zero
static const double CLEAR = 1e-3;
static const double NONE = 1e-13;   // both are
static const double FLOOR = 1e-17;  // mean of the products: rounding
static const double SHY = 0.99;     // of the way to a bound
static const double INSIDE = 0.05;  // of the width: f begins at least so far from its bounds
static const double LEAST = 1e-2;   // of the unit: z begins with at least so much
enum { MOST_ROUNDS = 40 };

void sar_central_path_layout(SarCentralPath* p, int n, SarBlock* b) {
  SAR_PIECE(b, p->which, n);
  SAR_PIECE(b, p->low, n);
  SAR_PIECE(b, p->high, n);
  SAR_PIECE(b, p->below, n);
  SAR_PIECE(b, p->above, n);
  SAR_PIECE(b, p->z_low, n);
  SAR_PIECE(b, p->z_high, n);
  SAR_PIECE(b, p->unit, n);
  SAR_PIECE(b, p->most, n);
  SAR_PIECE(b, p->target, n);
  SAR_PIECE(b, p->gain, n);
  p->count = 0;
}

void sar_central_path_add(SarCentralPath* p, int which, double v, double f, double low, double high,
                          double unit, double most) {
  const int i = p->count++;
  const double inside = INSIDE * (high - low);
  const double from = fmin(fmax(f, low + inside), high - inside);
  p->which[i] = which;
  p->low[i] = low;
  p->high[i] = high;
  p->below[i] = from - low;
  p->above[i] = high - from;
  p->unit[i] = unit;
  p->most[i] = most;
  p->z_low[i] = p->z_high[i] = fabs(v) + LEAST * unit;
}

double sar_central_path_force(const SarCentralPath* p, int i) {
  return p->below[i] < p->above[i] ? p->low[i] + p->below[i] : p->high[i] - p->above[i];
}

// f and v have units of their own: so have their products.
static double unit_of(const SarCentralPath* p, int i) {
  return (p->high[i] - p->low[i]) * p->unit[i];
}

// The mean of the products that shall vanish.
static double mean_product(const SarCentralPath* p) {
  double sum = 0;
  for (int i = 0; i < p->count; i++)
    sum += (p->z_low[i] * p->below[i] + p->z_high[i] * p->above[i]) / unit_of(p, i);
  return sum / (2 * p->count);
}

// The farther the last increments could be taken, the nearer to the end is aimed.
static void aim(SarCentralPath* p) {
  const double share = p->stride > 0.9 ? 0.01 : p->stride > 0.5 ? 0.1 : 0.5;
  p->mu = share * mean_product(p);
  for (int i = 0; i < p->count; i++) {
    const double below = p->below[i], above = p->above[i], mu = p->mu * unit_of(p, i);
    p->gain[i] = fmin(1 / (p->z_low[i] / below + p->z_high[i] / above), p->most[i]);
    p->target[i] = sar_central_path_force(p, i) + p->gain[i] * mu * (1 / below - 1 / above);
  }
}

void sar_central_path_begin(SarCentralPath* p) {
  p->rounds = 0;
  p->stride = 0;
  aim(p);
}

typedef struct Increment {
  double f, z_low, z_high;
} Increment;

static Increment increment(const SarCentralPath* p, int i, double v) {
  const double mu = p->mu * unit_of(p, i);
  const double f = p->target[i] - p->gain[i] * v - sar_central_path_force(p, i);
  return (Increment){f, (mu - p->z_low[i] * f) / p->below[i] - p->z_low[i],
                     (mu + p->z_high[i] * f) / p->above[i] - p->z_high[i]};
}

// How far x > 0 may go along dx.
static double way(double x, double dx, double most) {
  return dx < 0 ? fmin(most, -SHY * x / dx) : most;
}

// Is it known which of the two vanishes?
static bool is_known(double distance, double z) {
  const double less = fmin(distance, z), more = fmax(distance, z);
  return more <= NONE || (less <= NEAR && less <= CLEAR * more);
}

static bool is_there(const SarCentralPath* p) {
  if (mean_product(p) <= FLOOR) return true;
  for (int i = 0; i < p->count; i++) {
    const double width = p->high[i] - p->low[i];
    if (!is_known(p->below[i] / width, p->z_low[i] / p->unit[i]) ||
        !is_known(p->above[i] / width, p->z_high[i] / p->unit[i]))
      return false;
  }
  return p->stride > 0.9;
}

bool sar_central_path_advance(SarCentralPath* p, const double* v) {
  double stride = 1;
  for (int i = 0; i < p->count; i++) {
    const Increment d = increment(p, i, v[i]);
    stride = way(p->below[i], d.f, stride);
    stride = way(p->above[i], -d.f, stride);
    stride = way(p->z_low[i], d.z_low, stride);
    stride = way(p->z_high[i], d.z_high, stride);
  }
  for (int i = 0; i < p->count; i++) {
    const Increment d = increment(p, i, v[i]);
    p->below[i] += stride * d.f;
    p->above[i] -= stride * d.f;
    p->z_low[i] += stride * d.z_low;
    p->z_high[i] += stride * d.z_high;
  }
  p->stride = stride;
  p->rounds++;
  if (is_there(p) || p->rounds >= MOST_ROUNDS) return true;
  aim(p);
  return false;
}

int sar_central_path_side(const SarCentralPath* p, int i) {
  const double width = p->high[i] - p->low[i];
  if (p->below[i] / width < p->z_low[i] / p->unit[i]) return 1;
  return p->above[i] / width < p->z_high[i] / p->unit[i] ? -1 : 0;
}
