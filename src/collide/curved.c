// Directions where a cylinder meets another core, to rounding: Newton's method on the gap by
// support points.
//
// The gap along n,  s(n) = n.(q - p),  p and q the points of a and b farthest along n and -n, is
// smooth as long as the features stay the same. On the unit sphere, with tangents e_i and g = q -
// p,
//
//   ds/de_i = e_i.g,    d2s/de_i de_j = - e_i.(H_a + H_b) e_j - s delta_ij
//
// where a vertex has H = 0 and a rim of radius r has H = (r/rho) t t',  rho = |n x axis|,  t = axis
// x n / rho. Where a feature is an edge or a straight side, both its ends are farthest: n stays
// square to it. With two such directions n is known, with one it has one freedom, without any two;
// Newton's method finds it in three or four rounds from a start that has the right features.
#include "collide/pairs.h"

enum { ROUNDS = 24 };
static const double LONGEST = 0.3;  // step [rad]

double sar_gap_along(const Core* a, const Core* b, const Xform* X, V3 n, V3* p, V3* q) {
  int ignored;
  *p = sar_core_support(a, n, &ignored);
  *q = x_point(*X, sar_core_support(b, m3_tmul_v(X->R, v3_neg(n)), &ignored));
  return v3_dot(n, v3_sub(*q, *p));
}

// e_i.H e_j of a core whose axis is the unit vector given
static void add_curvature(const Core* c, V3 axis, V3 n, const V3* e, int dim, double* H) {
  if (c->kind != CORE_CYLINDER) return;
  V3 t = v3_cross(axis, n);
  double rho2 = v3_dot(t, t);
  if (!(rho2 > 1e-24)) return;
  double factor = c->size[0] / (rho2 * sqrt(rho2));  // t below is not of unit length
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) H[2 * i + j] += factor * v3_dot(e[i], t) * v3_dot(e[j], t);
}

// (H + s 1) x = e.g, as far as s(n) can be trusted; deep inside, where the matrix has a negative
// eigenvalue, it is shifted until the step goes uphill
static void newton_step(int dim, const double* H, double s, const double* g, double* x) {
  double xx = H[0] + s, xy = dim == 1 ? 0 : H[1], yy = dim == 1 ? xx : H[3] + s;
  double middle = 0.5 * (xx + yy), half = 0.5 * (xx - yy), spread = sqrt(half * half + xy * xy);
  double size = fabs(middle) + spread, least = middle - spread;
  if (least < 1e-3 * size) xx += 0.1 * size - least, yy += 0.1 * size - least;
  double determinant = xx * yy - xy * xy;
  if (!(determinant > 0)) return;
  x[0] = (g[0] * yy - g[1] * xy) / determinant;
  x[1] = dim == 1 ? 0 : (g[1] * xx - g[0] * xy) / determinant;
  double most = fmax(fabs(x[0]), fabs(x[1]));
  if (most > LONGEST) x[0] *= LONGEST / most, x[1] *= LONGEST / most;
}

// Newton's step from n, as a tangent; `tie` is zero or what n stays square to.
static V3 uphill(const Core* a, const Core* b, const Xform* X, V3 tie, V3 n, double s, V3 g) {
  V3 e[2];
  double length = v3_norm(tie), H[4] = {0}, x[2] = {0};
  int dim = length > 0 ? 1 : 2;
  e[0] = dim == 1 ? v3_scale(1 / length, v3_cross(tie, n)) : v3_perp(n);
  e[1] = v3_cross(n, e[0]);
  double slope[2] = {v3_dot(e[0], g), v3_dot(e[1], g)};
  add_curvature(a, v3(0, 0, 1), n, e, dim, H);
  add_curvature(b, m3_col_z(X->R), n, e, dim, H);
  newton_step(dim, H, s, slope, x);
  return v3_add(v3_scale(x[0], e[0]), v3_scale(x[1], e[1]));
}

// n square to `tie` (zero: free) with the largest s nearby; steps that lead down are halved
static V3 climb(const Core* a, const Core* b, const Xform* X, V3 tie, V3 n) {
  V3 p, q;
  double s = sar_gap_along(a, b, X, n, &p, &q);
  V3 step = uphill(a, b, X, tie, n, s, v3_sub(q, p));
  for (int round = 0; round < ROUNDS; round++) {
    V3 to = v3_unit(v3_add(n, step));
    double length2 = v3_dot(step, step), higher = sar_gap_along(a, b, X, to, &p, &q);
    if (higher >= s) {
      n = to, s = higher;
      if (length2 < 1e-18) return n;  // quadratic: exact after this step
      step = uphill(a, b, X, tie, n, s, v3_sub(q, p));
    } else if (length2 < 1e-16) {
      return n;
    } else {
      step = v3_scale(0.4, step);
    }
  }
  return n;
}

// n square to both, on the side of `near`
static bool square_to(V3 d, V3 e, V3 near, V3* n) {
  V3 c = v3_cross(d, e);
  double cc = v3_dot(c, c);
  if (!(cc > 1e-16 * v3_dot(d, d) * v3_dot(e, e))) return false;
  double s = 1 / sqrt(cc);
  *n = v3_scale(v3_dot(c, near) < 0 ? -s : s, c);
  return true;
}

static bool offer(const Core* a, const Core* b, const Xform* X, V3 n, Meeting* m) {
  if (a->one_sided && v3_dot(n, a->normal[0]) < -1e-9) return false;
  V3 p, q;
  double gap = sar_gap_along(a, b, X, n, &p, &q);
  if (!(gap > m->gap)) return false;
  m->gap = gap;
  m->normal = n;
  return true;
}

// The middle of the gap where the cylinder's point is the only one farthest along n: it is exact
// where the rest of the meeting came from a loose start.
static void set_point(const Core* c, const Xform* X, double to_cylinder, Meeting* m) {
  V3 d = m3_tmul_v(X->R, v3_scale(to_cylinder, m->normal));
  double across = sqrt(d.x * d.x + d.y * d.y);
  if (c->kind != CORE_CYLINDER || across < 1e-6 || fabs(d.z) < 1e-6) return;
  int ignored;
  V3 p = x_point(*X, sar_core_support(c, d, &ignored));
  m->point = v3_axpy(0.5 * to_cylinder * m->gap, m->normal, p);
}

void sar_meet_improve(const Core* a, const Core* b, const Xform* X, const V3* tie, int ties,
                      Meeting* m) {
  V3 start = m->normal, n, axis_b = m3_col_z(X->R), axis_a = v3(0, 0, 1);
  // what the start says about itself is not to be trusted: its gap comes from a simplex, not from s
  m->gap = -HUGE_VAL;
  offer(a, b, X, start, m);
  // an end of a cylinder, flat
  if (a->kind == CORE_CYLINDER) offer(a, b, X, v3_scale(start.z < 0 ? -1 : 1, axis_a), m);
  if (b->kind == CORE_CYLINDER)
    offer(a, b, X, v3_scale(v3_dot(start, axis_b) < 0 ? -1 : 1, axis_b), m);
  bool known = false;
  for (int i = 0; i < ties; i++)
    for (int j = 0; j < i; j++)
      if (square_to(tie[i], tie[j], start, &n)) {
        offer(a, b, X, n, m);
        known = true;
      }
  for (int i = 0; i < ties && !known; i++) {
    double tt = v3_dot(tie[i], tie[i]);
    if (!(tt > 0)) continue;
    V3 flat = v3_axpy(-v3_dot(tie[i], start) / tt, tie[i], start);
    if (v3_dot(flat, flat) > 1e-6) offer(a, b, X, climb(a, b, X, tie[i], v3_unit(flat)), m);
  }
  if (ties == 0) offer(a, b, X, climb(a, b, X, v3_zero(), start), m);
  Xform here = x_identity();
  set_point(a, &here, 1, m);
  set_point(b, X, -1, m);
}
