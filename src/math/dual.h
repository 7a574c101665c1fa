// Dual numbers (forward-mode automatic differentiation): a value and its derivative along one
// direction, for numbers and for 3-vectors. All static inline.
//
//   (x, d) with x + d e, e^2 = 0:   f(x + d e) = f(x) + f'(x) d e
//
// Exact: no step, no cancellation. At a kink the derivative is that of the branch that holds.
#pragma once
#include "math/vec.h"

typedef struct Dual {
  double x, d;
} Dual;

typedef struct D3 {
  V3 x, d;
} D3;

static inline Dual dual(double x, double d) { return (Dual){x, d}; }
static inline Dual dual_of(double x) { return (Dual){x, 0}; }
static inline Dual dual_add(Dual a, Dual b) { return (Dual){a.x + b.x, a.d + b.d}; }
static inline Dual dual_sub(Dual a, Dual b) { return (Dual){a.x - b.x, a.d - b.d}; }
static inline Dual dual_neg(Dual a) { return (Dual){-a.x, -a.d}; }
static inline Dual dual_scale(double s, Dual a) { return (Dual){s * a.x, s * a.d}; }
static inline Dual dual_mul(Dual a, Dual b) { return (Dual){a.x * b.x, a.d * b.x + a.x * b.d}; }
static inline Dual dual_div(Dual a, Dual b) {
  const double q = a.x / b.x;
  return (Dual){q, (a.d - q * b.d) / b.x};
}
static inline Dual dual_sqrt(Dual a) {
  const double s = sqrt(a.x);
  return (Dual){s, a.d == 0 ? 0 : 0.5 * a.d / s};
}
static inline Dual dual_atan2(Dual y, Dual x) {
  return (Dual){atan2(y.x, x.x), (x.x * y.d - y.x * x.d) / (x.x * x.x + y.x * y.x)};
}

static inline D3 d3(V3 x, V3 d) { return (D3){x, d}; }
static inline D3 d3_of(V3 x) { return (D3){x, v3_zero()}; }
static inline D3 d3_add(D3 a, D3 b) { return (D3){v3_add(a.x, b.x), v3_add(a.d, b.d)}; }
static inline D3 d3_sub(D3 a, D3 b) { return (D3){v3_sub(a.x, b.x), v3_sub(a.d, b.d)}; }
static inline D3 d3_neg(D3 a) { return (D3){v3_neg(a.x), v3_neg(a.d)}; }
static inline D3 d3_scale(Dual s, D3 a) {
  return (D3){v3_scale(s.x, a.x), v3_axpy(s.d, a.x, v3_scale(s.x, a.d))};
}
static inline D3 d3_axpy(Dual s, D3 a, D3 b) { return d3_add(d3_scale(s, a), b); }  // s a + b
static inline Dual d3_dot(D3 a, D3 b) {
  return (Dual){v3_dot(a.x, b.x), v3_dot(a.d, b.x) + v3_dot(a.x, b.d)};
}
static inline D3 d3_cross(D3 a, D3 b) {
  return (D3){v3_cross(a.x, b.x), v3_add_cross(v3_cross(a.d, b.x), a.x, b.d)};
}
static inline Dual d3_norm(D3 a) { return dual_sqrt(d3_dot(a, a)); }
static inline D3 d3_unit(D3 a) { return d3_scale(dual_div(dual_of(1), d3_norm(a)), a); }
static inline Dual d3_x(D3 a) { return (Dual){a.x.x, a.d.x}; }
static inline Dual d3_y(D3 a) { return (Dual){a.x.y, a.d.y}; }
static inline Dual d3_z(D3 a) { return (Dual){a.x.z, a.d.z}; }
static inline D3 d3_from(Dual x, Dual y, Dual z) { return (D3){{x.x, y.x, z.x}, {x.d, y.d, z.d}}; }
// R c for a rotation R that turns by theta (in the axes of the result), and R' c, theta in the axes
// of c.
static inline D3 d3_turn(M3 R, V3 theta, D3 c) {
  const V3 x = m3_mul_v(R, c.x);
  return (D3){x, v3_add_cross(m3_mul_v(R, c.d), theta, x)};
}
static inline D3 d3_turn_back(M3 R, V3 theta, D3 c) {
  return (D3){m3_tmul_v(R, c.x), m3_tmul_v(R, v3_sub_cross(c.d, theta, c.x))};
}
