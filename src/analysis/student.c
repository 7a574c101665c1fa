// Student's t distribution: probability as a finite sum (Abramowitz and Stegun 1964, 26.7.3
// and 26.7.4), inverted by bisection; beyond SUMMED degrees of freedom by the expansion about the
// normal distribution (26.7.5), which is exact to 1e-9 there.
#include "analysis/student.h"

#include <math.h>

enum { SUMMED = 400, HALVINGS = 80 };
static const double PI = 3.14159265358979323846;

// P(|T| < t)
static double within(double t, long n) {
  const double theta = atan(t / sqrt((double)n)), c = cos(theta), s = sin(theta);
  double term = n % 2 ? c : 1, sum = n == 1 ? 0 : term;
  for (long k = n % 2 ? 3 : 2; k <= n - 2; k += 2) {
    term *= c * c * (double)(k - 1) / (double)k;
    sum += term;
  }
  return n % 2 ? 2 / PI * (theta + s * sum) : s * sum;
}

// P(|X| < x) of the normal distribution, inverted.
static double normal(double probability) {
  double low = 0, high = 40;
  for (int i = 0; i < HALVINGS; i++) {
    const double x = (low + high) / 2;
    *(erf(x / sqrt(2)) < probability ? &low : &high) = x;
  }
  return (low + high) / 2;
}

double sar_student_quantile(double probability, long freedoms) {
  if (freedoms > SUMMED) {
    const double x = normal(probability), n = (double)freedoms, x2 = x * x;
    return x * (1 + (x2 + 1) / (4 * n) + ((5 * x2 + 16) * x2 + 3) / (96 * n * n) +
                (((3 * x2 + 19) * x2 + 17) * x2 - 15) / (384 * n * n * n));
  }
  double low = 0, high = 1;
  while (within(high, freedoms) < probability && high < 1e12) high *= 2;
  for (int i = 0; i < HALVINGS; i++) {
    const double t = (low + high) / 2;
    *(within(t, freedoms) < probability ? &low : &high) = t;
  }
  return (low + high) / 2;
}
