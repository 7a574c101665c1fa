// Roots by closed forms against safe root finding: bisection in longer numbers, between the roots
// that the polynomial was made from. Real roots, complex pairs, leading coefficients down to 1e-5,
// pairs of roots from far apart to one.
#include "support/test.h"

#include "loops/loops.h"

#include <math.h>

typedef struct Made {
  int degree, real;
  double root[6], a[7];
} Made;

// a <- a (x - r), or a ((x - r)^2 + i^2)
static void multiply(Made* p, const double* factor, int n) {
  double out[7] = {0};
  for (int i = 0; i <= p->degree; i++)
    for (int k = 0; k <= n; k++) out[i + k] += p->a[i] * factor[k];
  p->degree += n;
  memcpy(p->a, out, sizeof out);
}

static Made make(Rng* r, int degree, double gap) {
  Made p = {.a = {1}};
  p.root[p.real++] = rng_uniform(r, -1.5, 1.5);
  if (gap > 0) p.root[p.real] = p.root[p.real - 1] + gap, p.real++;
  while (p.real < degree) {
    if (degree - p.real >= 2 && rng_int(r, 3) == 0) break;
    // a root far away is a leading coefficient that is small against the others
    p.root[p.real++] =
        rng_uniform(r, -2, 2) * (rng_int(r, 5) == 0 ? pow(10, rng_uniform(r, 0, 5)) : 1);
  }
  for (int i = 0; i < p.real; i++) multiply(&p, (double[]){-p.root[i], 1}, 1);
  while (p.degree < degree) {
    const double x = rng_uniform(r, -2, 2), y = rng_uniform(r, 0.05, 2);
    if (degree - p.degree == 1)
      p.root[p.real++] = x, multiply(&p, (double[]){-x, 1}, 1);
    else
      multiply(&p, (double[]){x * x + y * y, -2 * x, 1}, 2);
  }
  const double lead = pow(10, rng_uniform(r, -3, 3));
  for (int i = 0; i <= degree; i++) p.a[i] *= lead;
  return p;
}

static long double value(const Made* p, long double x) {
  long double y = 0;
  for (int k = p->degree; k >= 0; k--) y = y * x + (long double)p->a[k];
  return y;
}

// Sizes of the terms of p over |p'|: what a relative error 1 of the coefficients moves the root by.
static double condition(const Made* p, double x) {
  double size = 0, slope = 0;
  for (int k = p->degree; k >= 0; k--) size = size * fabs(x) + fabs(p->a[k]);
  for (int k = p->degree; k >= 1; k--) slope = slope * x + k * p->a[k];
  return size / fabs(slope);
}

// p'^2 over the sizes of p and p'': the square of the distance to the next root, over what matters.
static double sharpness(const Made* p, double x) {
  double size = 0, slope = 0, curve = 0;
  for (int k = p->degree; k >= 0; k--) size = size * fabs(x) + fabs(p->a[k]);
  for (int k = p->degree; k >= 1; k--) slope = slope * x + k * p->a[k];
  for (int k = p->degree; k >= 2; k--) curve = curve * fabs(x) + k * (k - 1) * fabs(p->a[k]);
  return slope * slope / (size * curve);
}

// The root of the rounded coefficients between low and high; false: the sign does not change.
static bool bisect(const Made* p, long double low, long double high, double* x) {
  const bool up = value(p, high) > 0;
  if ((value(p, low) > 0) == up) return false;
  for (int i = 0; i < 120; i++) {
    const long double middle = 0.5L * (low + high);
    if ((value(p, middle) > 0) == up)
      high = middle;
    else
      low = middle;
  }
  *x = (double)(0.5L * (low + high));
  return true;
}

typedef struct Tally {
  int solved, refused;
  double worst;  // error over condition
} Tally;

static void check_roots(Rng* r, const Made* p, double bound, Tally* t) {
  for (int i = 0; i < p->real; i++) {
    double gap = 1, wanted, found;
    if (fabs(p->root[i]) > 2) continue;  // sines, cosines, lengths over the mechanism's
    for (int k = 0; k < p->real; k++)
      if (k != i) gap = fmin(gap, fabs(p->root[k] - p->root[i]));
    if (!bisect(p, (long double)(p->root[i] - 0.5 * gap), (long double)(p->root[i] + 0.5 * gap),
                &wanted))
      continue;
    const double near = wanted + rng_uniform(r, -0.3, 0.3) * gap;
    if (!sar_nearest_root(p->a, p->degree, near, &found)) {
      t->refused++;
      if (sharpness(p, wanted) > 2e-12)
        fail_msg("degree %d: refused with the next root %.1e away", p->degree, gap);
      continue;
    }
    t->solved++;
    const double off = fabs(found - wanted) / condition(p, wanted);
    if (!(off <= bound))
      fail_msg("degree %d, gap %.1e: %.17g, wanted %.17g", p->degree, gap, found, wanted);
    t->worst = fmax(t->worst, off);
  }
}

static void roots_are_those_of_bisection(void** state) {
  (void)state;
  for (int degree = 2; degree <= 4; degree++) {
    Rng r = rng_seed(test_seed((uint64_t)(40 + degree)));
    Tally t = {0};
    for (int trial = 0; trial < test_effort(20000); trial++) {
      const Made p = make(&r, degree, 0);
      check_roots(&r, &p, 1e-14, &t);
    }
    print_message("degree %d: %d roots, %.1e of the condition; %d refused\n", degree, t.solved,
                  t.worst, t.refused);
    assert_true(t.solved > 10 * t.refused);
  }
}

// Two roots that come together, from 0.1 to 1e-9: found, or refused, but never another.
static void near_double_roots(void** state) {
  (void)state;
  for (int degree = 2; degree <= 4; degree++) {
    Rng r = rng_seed(test_seed((uint64_t)(50 + degree)));
    Tally t = {0};
    for (int trial = 0; trial < test_effort(20000); trial++) {
      const Made p = make(&r, degree, pow(10, rng_uniform(&r, -9, -1)));
      check_roots(&r, &p, 1e-13, &t);
    }
    print_message("degree %d: %d near-double roots, %.1e of the condition; %d refused\n", degree,
                  t.solved, t.worst, t.refused);
  }
}

static void special_ones(void** state) {
  (void)state;
  static const struct {
    int degree;
    double a[5], near, root;
    bool found;
  } at[] = {
      {1, {-3, 2}, 0, 1.5, true},
      {2, {1, 0, 1}, 0, 0, false},       // no real root
      {2, {1, -2, 1}, 1, 1, false},      // a double one
      {3, {0, 0, 0, 1}, 0, 0, false},    // a triple one
      {3, {-8, 0, 0, 1}, 1, 2, true},    // one real
      {3, {0, -1, 0, 1}, 0.1, 0, true},  // three, one of them 0
      {3, {0, -1, 0, 1}, 0.9, 1, true},
      {4, {4, 0, -5, 0, 1}, 0.8, 1, true},  // even
      {4, {4, 0, -5, 0, 1}, -2.2, -2, true},
      {4, {1, 0, 0, 0, 1}, 0, 0, false},    // none
      {4, {1, 0, -2, 0, 1}, 1, 1, false},   // double
      {4, {0, 0, 0, -1, 1}, 0.9, 1, true},  // triple 0 and 1
      {4, {-1, 0, 0, 0, 1}, -0.9, -1, true},
  };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double x = 0;
    assert_int_equal(sar_nearest_root(at[i].a, at[i].degree, at[i].near, &x), at[i].found);
    if (at[i].found) EXPECT_NEAR(x, at[i].root, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_are_those_of_bisection),
      cmocka_unit_test(near_double_roots),
      cmocka_unit_test(special_ones),
  };
  return cmocka_run_group_tests_name("roots", tests, NULL, NULL);
}
