// Real roots of a univariate polynomial: closed forms up to degree 4, then a fixed polish; above
// that a fixed number of Newton steps from where the root is expected.
//
//   degree 3   Cardano: x = t - b/3,  t^3 + p t + q = 0,  D = (q/2)^2 + (p/3)^3
//              D > 0: one real root, by the sum that does not cancel;  D <= 0: three, by Viete's
//              t = 2 sqrt(-p/3) cos(phi + 2 pi k / 3), phi from atan2(sqrt(-D), -q/2), which stays
//              accurate next to double roots where acos does not
//   degree 4   Ferrari: x = y - b/4,  y^4 + p y^2 + q y + r = (y^2 + u y + v)(y^2 - u y + w), with
//              z = u^2 the largest root of  z^3 + 2 p z^2 + (p^2 - 4 r) z - q^2 = 0;
//                next to u = 0 the
//              quadratic in y^2
//
// A polynomial whose last coefficient is larger than its first one is solved for 1/x: shifts are
// then of the size of the roots, and nothing is lost by them. The polish (Newton) takes out what is
// left of the rounding of square and cube roots.
#include "loops/loops.h"

#include <math.h>

static const double FAR = 0.5;       // longest step of a safeguarded iteration
static const double BRANCH = 1e-12;  // of p'^2 over |p| |p''|: two roots are one
static const double PAIR = 1e-4;     // imaginary parts of a pair that may be a double root
static const double LOST = 1e-7;     // of a root that the polish had to move by so much
static const double OPEN = 4e-15;    // of p over the sum of its terms' sizes
enum { STEPS = 12, POLISH = 3 };

// ---- values -------------------------------------------------------------------------------------

typedef struct Value {
  double p, slope, curve;     // p, p', p''
  double p_size, curve_size;  // sums of the sizes of their terms
} Value;

static Value value_at(const double* a, int degree, double x) {
  Value v = {0};
  for (int k = degree; k >= 0; k--) {
    v.curve = v.curve * x + 2 * v.slope;
    v.slope = v.slope * x + v.p;
    v.p = v.p * x + a[k];
    v.p_size = v.p_size * fabs(x) + fabs(a[k]);
  }
  double power = 1;
  for (int k = 2; k <= degree; k++, power *= fabs(x))
    v.curve_size += k * (k - 1) * fabs(a[k]) * power;
  return v;
}

static double polish(const double* a, int degree, double x) {
  for (int i = 0; i < POLISH; i++) {
    const Value v = value_at(a, degree, x);
    const double step = v.p / v.slope;
    // beyond half the way to the next root it would not be this one any more
    if (isfinite(step) && fabs(step * v.curve) <= 0.5 * fabs(v.slope)) x -= step;
  }
  return x;
}

// ---- closed forms: all real roots, in no order --------------------------------------------------
// A pair of roots that may be complex by rounding alone counts as a double one, which is_root
// refuses.

// a[2] != 0; shift: of the roots, which is what rounding is measured by
static int solve_2(const double* a, double shift, double* x) {
  const double half = 0.5 * a[1], square = half * half - a[2] * a[0];
  const double size = half * half + fabs(a[2] * a[0]) + a[2] * a[2] * shift * shift;
  if (square < -PAIR * PAIR * size) return 0;
  const double big = -half - copysign(sqrt(fmax(square, 0)), half);
  x[0] = big / a[2];
  x[1] = big == 0 ? x[0] : a[0] / big;
  return 2;
}

static int solve_3(const double* a, double* x) {
  const double b = a[2] / (3 * a[3]), c = a[1] / a[3], d = a[0] / a[3];
  const double third = c / 3 - b * b, half = 0.5 * d - 0.5 * b * c + b * b * b;
  const double D = half * half + third * third * third;
  if (D > 0) {
    const double t = -copysign(cbrt(fabs(half) + sqrt(D)), half);
    const double other = t == 0 ? 0 : -third / t;
    x[0] = t + other - b;
    x[1] = -0.5 * (t + other) - b;
    return fabs(t - other) > PAIR * (fabs(t) + fabs(b)) ? 1 : 2;
  }
  const double angle = atan2(sqrt(-D), -half) / 3, radius = 2 * sqrt(fmax(-third, 0));
  const double turn = 2.0943951023931954923;  // 2 pi / 3
  for (int k = 0; k < 3; k++) x[k] = radius * cos(angle + k * turn) - b;
  return 3;
}

// y^4 + p y^2 + r, next to q = 0
static int solve_even(double p, double r, double shift, double* y) {
  double square[2];
  int count = 0;
  const int n = solve_2((double[]){r, p, 1}, shift * shift, square);
  const double none = -1e-9 * (fabs(p) + sqrt(fabs(r)));
  for (int i = 0; i < n; i++) {
    if (square[i] < none) continue;
    const double root = sqrt(fmax(square[i], 0));
    y[count++] = root;
    y[count++] = -root;
  }
  return count;
}

static int solve_4(const double* a, double* x) {
  const double b = a[3] / (4 * a[4]), c = a[2] / a[4], d = a[1] / a[4], e = a[0] / a[4];
  const double b2 = b * b, p = c - 6 * b2, q = d - 2 * b * c + 8 * b2 * b;
  const double r = e - b * d + b2 * c - 3 * b2 * b2;
  const double resolvent[] = {-q * q, p * p - 4 * r, 2 * p, 1};
  double z[3], most = 0;
  const int n = solve_3(resolvent, z);
  for (int i = 0; i < n; i++) most = fmax(most, z[i]);
  most = polish(resolvent, 3, most);
  const double size = fmax(fabs(p), sqrt(fabs(r)));
  int count = 0;
  if (most <= 1e-12 * size) {
    count = solve_even(p, r, b, x);
  } else {
    const double u = sqrt(most), middle = 0.5 * (p + most), off = 0.5 * q / u;
    count = solve_2((double[]){middle - off, u, 1}, b, x);
    count += solve_2((double[]){middle + off, -u, 1}, b, x + count);
  }
  for (int i = 0; i < count; i++) x[i] -= b;
  return count;
}

// ---- the one that is meant ----------------------------------------------------------------------

// A branch point, where two roots are one, leaves it open which is which.
static bool is_root(const double* a, int degree, double x) {
  const Value v = value_at(a, degree, x);
  return isfinite(x) && fabs(v.p) <= OPEN * v.p_size &&
         v.slope * v.slope > BRANCH * v.p_size * v.curve_size;
}

// Of two roots next to each other, the nearer one: the other is at x - 2 p'/p'' to first order.
static double choose_of_pair(const double* a, int degree, double near, double x) {
  const Value v = value_at(a, degree, x);
  const double other = polish(a, degree, x - 2 * v.slope / v.curve);
  return fabs(other - near) < fabs(x - near) && is_root(a, degree, other) ? other : x;
}

static bool solve_closed(const double* a, int degree, double near, double* root) {
  double back[5], x[4];
  const bool turned = degree > 2 && fabs(a[0]) > fabs(a[degree]);
  for (int k = 0; k <= degree; k++) back[k] = turned ? a[degree - k] : a[k];
  const int count = degree == 2   ? solve_2(back, 0, x)
                    : degree == 3 ? solve_3(back, x)
                                  : solve_4(back, x);
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    const double y = turned ? 1 / x[i] : x[i];
    if (!(fabs(y - near) < least)) continue;
    least = fabs(y - near);
    *root = y;
  }
  if (!(least < HUGE_VAL)) return false;
  if (degree == 2) return is_root(a, degree, *root);
  const double before = *root;
  *root = polish(a, degree, before);
  if (fabs(*root - before) > LOST * (1 + fabs(before))) return false;
  *root = choose_of_pair(a, degree, near, *root);
  return is_root(a, degree, *root);
}

static bool iterate(const double* a, int degree, double near, double* root) {
  double x = near, last = HUGE_VAL;
  for (int i = 0; i < STEPS; i++) {
    const Value v = value_at(a, degree, x);
    double step = v.p / v.slope;
    if (!isfinite(step)) return false;
    if (fabs(step) > FAR) step = copysign(FAR, step);
    x -= step, last = step;
  }
  *root = x;
  return fabs(last) <= 1e-9 * fmax(1, fabs(x));
}

bool sar_nearest_root(const double* a, int degree, double near, double* root) {
  if (degree == 1) return *root = -a[0] / a[1], isfinite(*root);
  if (degree > 4) return iterate(a, degree, near, root);
  const bool closed = solve_closed(a, degree, near, root);
  if (degree == 2) return closed;
  // Roots of very different sizes cost the closed form digits, and it may miss one. A root that is
  // farther than Newton's step reaches may have a nearer one before it.
  const Value v = value_at(a, degree, near);
  if (closed && fabs(*root - near) <= fabs(v.p / v.slope)) return true;
  double other;
  if (!iterate(a, degree, near, &other) || !is_root(a, degree, other)) return closed;
  if (!closed || fabs(other - near) < fabs(*root - near)) *root = other;
  return true;
}
