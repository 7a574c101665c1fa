// Numbers as short rationals: the decimal that was meant, or the best approximation within a bound
// (continued fractions).
#include "loops/exact/build.h"

#include <math.h>

static const double EXACT = 1e-13;  // of a decimal with up to six places, over its size
static const double SAME = 1e-12;   // what two numbers differ by that are meant to be one

static bool is_decimal(double x, int places, double* scaled) {
  *scaled = round(x * pow(10, places));
  return fabs(x * pow(10, places) - *scaled) <= EXACT * pow(10, places) * fmax(1, fabs(x));
}

// The size of x, or one that was met before.
static double size_of(SarLoopNumbers* known, double x) {
  const double size = fabs(x);
  for (int i = 0; i < known->count; i++)
    if (fabs(size - known->size[i]) <= SAME * fmax(1, size)) return known->size[i];
  if (known->count < SAR_LOOP_NUMBERS) known->size[known->count++] = size;
  return size;
}

void sar_rational(SarLoopNumbers* known, double x, fmpq_t out) {
  double scaled;
  x = copysign(size_of(known, x), x);
  const double bound = known->bound * fmax(1, fabs(x));
  for (int places = 0; places <= 6; places++)
    if (fabs(x) < 1e9 && is_decimal(x, places, &scaled)) {
      fmpq_set_si(out, (slong)scaled, (ulong)llround(pow(10, places)));
      return;
    }
  // p/q by continued fractions until it is within the bound
  double rest = fabs(x), p0 = 0, p1 = 1, q0 = 1, q1 = 0;
  for (int i = 0; i < 40; i++) {
    const double whole = floor(rest), p = whole * p1 + p0, q = whole * q1 + q0;
    p0 = p1, p1 = p, q0 = q1, q1 = q;
    if (fabs(p / q - fabs(x)) <= bound || rest == whole || q > 1e9) break;
    rest = 1 / (rest - whole);
  }
  fmpq_set_si(out, (slong)(x < 0 ? -p1 : p1), (ulong)q1);
}
