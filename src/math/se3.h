// Rigid motions: exponential and logarithm on SE(3), and the rates that go with them. All static
// inline.
//
//   X = exp(d),  d = (theta, rho):  R = exp(theta~),  p = Jl(theta) rho
//     (Murray, Li, Sastry 1994, app. A)
//
// d is the pose as a constant twist over a unit length: a screw motion from the first frame to the
// second. Velocities of the second frame against the first are taken at the second's origin, in
// axes of the first:
//
//   d theta/dt = Jl^-1 w,     rho = Jl^-1 p = p - theta x p/2 + c theta x (theta x p)
//   d rho/dt   = Jl^-1 v + D (d theta/dt),    D = d(Jl(theta)^-1 p)/d theta at fixed p
//
// c(t) of t = theta^2 is the coefficient of rotvec.h. A Motion holds d, a Force its dual.
#pragma once
#include "math/dual.h"
#include "math/rotvec.h"
#include "math/spatial.h"

// c = (1 - h cot h)/t, h = theta/2, with dc/dt and d2c/dt2. Below t = 0.5 by its series, whose
// coefficients are |B_2k|/(2k)! (Bernoulli numbers): what is left out is below rounding.
typedef struct LogCoefficient {
  double c, c1, c2;
} LogCoefficient;

static inline LogCoefficient log_coefficient(double t) {
  static const double A[9] = {1.0 / 12,
                              1.0 / 720,
                              1.0 / 30240,
                              1.0 / 1209600,
                              1.0 / 47900160,
                              691.0 / 1307674368000.0,
                              1.0 / 74724249600.0,
                              3617.0 / 10670622842880000.0,
                              43867.0 / 5109094217170944000.0};
  LogCoefficient k = {0, 0, 0};
  if (t < 0.5) {
    for (int i = 8; i >= 0; i--) {
      k.c2 = k.c2 * t + 2 * k.c1;
      k.c1 = k.c1 * t + k.c;
      k.c = k.c * t + A[i];
    }
    return k;
  }
  const double h = 0.5 * sqrt(t);
  double sine, cosine;
  sar_sincos(h, &sine, &cosine);
  const double cot = cosine / sine, over = 1 / (sine * sine);
  const double u_h = cot - h * over, u_hh = 2 * over * (h * cot - 1);  // of u = h cot h
  k.c = (1 - h * cot) / t;
  k.c1 = -(u_h / (8 * h) + k.c) / t;
  k.c2 = -((u_hh - u_h / h) / (64 * h * h) + 2 * k.c1) / t;
  return k;
}

static inline Xform x_exp(Motion d) {
  const double t = v3_dot(d.w, d.w), angle = sqrt(t);
  double a, b;  // Jl = 1 + a theta~ + b theta~^2
  if (t < 1e-4) {
    a = 0.5 - t * (1.0 / 24 - t / 720);
    b = 1.0 / 6 - t * (1.0 / 120 - t / 5040);
  } else {
    double sine, cosine;
    sar_sincos(0.5 * angle, &sine, &cosine);
    a = 2 * sine * sine / t;
    b = (angle - 2 * sine * cosine) / (t * angle);
  }
  const V3 turned = v3_cross(d.w, d.v);
  const V3 p = v3_add(d.v, v3_axpy(a, turned, v3_scale(b, v3_cross(d.w, turned))));
  return (Xform){quat_to_m3(quat_exp(d.w)), p};
}

// Rotations up to half a turn.
static inline Motion x_log(Xform X) {
  const V3 theta = quat_log(quat_from_m3(X.R));
  const double c = log_coefficient(v3_dot(theta, theta)).c;
  const V3 a = v3_cross(theta, X.p);
  return (Motion){theta, v3_add(X.p, v3_axpy(-0.5, a, v3_scale(c, v3_cross(theta, a))))};
}

// d/dt of the logarithm of a pose with rotation vector theta and position p that moves with w and
// v.
static inline Motion x_log_rate(V3 theta, V3 p, V3 w, V3 v) {
  const LogCoefficient k = log_coefficient(v3_dot(theta, theta));
  const V3 tw = v3_cross(theta, w), a = v3_cross(theta, p);
  const V3 e = v3_add(w, v3_axpy(-0.5, tw, v3_scale(k.c, v3_cross(theta, tw))));
  // Jl^-1 v + D e
  const V3 tv = v3_cross(theta, v), ep = v3_cross(e, p);
  V3 r = v3_add(v, v3_axpy(-0.5, v3_add(tv, ep), v3_scale(k.c, v3_cross(theta, tv))));
  r = v3_axpy(k.c, v3_add(v3_cross(e, a), v3_cross(theta, ep)), r);
  r = v3_axpy(2 * k.c1 * v3_dot(theta, e), v3_cross(theta, a), r);
  return (Motion){e, r};
}

// The transpose: moment and force at the second origin, in axes of the first, whose power is y .
// d'.
//   f = Jl^-T y_rho,   n = Jl^-T (y_theta + D' y_rho),   Jl(theta)^-T = Jl(-theta)^-1
static inline Force x_log_wrench(V3 theta, V3 p, Force y) {
  const LogCoefficient k = log_coefficient(v3_dot(theta, theta));
  const V3 a = v3_cross(theta, p), tf = v3_cross(theta, y.f);
  const V3 f = v3_add(y.f, v3_axpy(0.5, tf, v3_scale(k.c, v3_cross(theta, tf))));
  V3 n = v3_axpy(-0.5, v3_cross(p, y.f), y.n);
  n = v3_axpy(k.c, v3_sub(v3_cross(a, y.f), v3_cross(p, tf)), n);
  n = v3_axpy(2 * k.c1 * v3_dot(y.f, v3_cross(theta, a)), theta, n);
  const V3 tn = v3_cross(theta, n);
  return (Force){v3_add(n, v3_axpy(0.5, tn, v3_scale(k.c, v3_cross(theta, tn)))), f};
}

// ---- the same in dual numbers -------------------------------------------------------------------
typedef struct DualLogCoefficient {
  Dual c, c1;
} DualLogCoefficient;

static inline DualLogCoefficient dual_log_coefficient(Dual t) {
  const LogCoefficient k = log_coefficient(t.x);
  return (DualLogCoefficient){dual(k.c, k.c1 * t.d), dual(k.c1, k.c2 * t.d)};
}

// sign = -1: Jl(theta)^-1 x, sign = 1: its transpose
static inline D3 d3_log_turn(Dual c, double sign, D3 theta, D3 x) {
  const D3 a = d3_cross(theta, x);
  return d3_add(x, d3_axpy(dual_of(0.5 * sign), a, d3_scale(c, d3_cross(theta, a))));
}

static inline void d3_log_rate(D3 theta, D3 p, D3 w, D3 v, D3* theta_rate, D3* rho_rate) {
  const DualLogCoefficient k = dual_log_coefficient(d3_dot(theta, theta));
  const D3 a = d3_cross(theta, p), e = d3_log_turn(k.c, -1, theta, w), ep = d3_cross(e, p);
  D3 r = d3_axpy(dual_of(-0.5), ep, d3_log_turn(k.c, -1, theta, v));
  r = d3_axpy(k.c, d3_add(d3_cross(e, a), d3_cross(theta, ep)), r);
  const Dual g = dual_scale(2, dual_mul(k.c1, d3_dot(theta, e)));
  *theta_rate = e;
  *rho_rate = d3_axpy(g, d3_cross(theta, a), r);
}

static inline void d3_log_wrench(D3 theta, D3 p, D3 y_theta, D3 y_rho, D3* n, D3* f) {
  const DualLogCoefficient k = dual_log_coefficient(d3_dot(theta, theta));
  const D3 a = d3_cross(theta, p);
  D3 m = d3_axpy(dual_of(-0.5), d3_cross(p, y_rho), y_theta);
  m = d3_axpy(k.c, d3_sub(d3_cross(a, y_rho), d3_cross(p, d3_cross(theta, y_rho))), m);
  const Dual g = dual_scale(2, dual_mul(k.c1, d3_dot(y_rho, d3_cross(theta, a))));
  m = d3_axpy(g, theta, m);
  *f = d3_log_turn(k.c, 1, theta, y_rho);
  *n = d3_log_turn(k.c, 1, theta, m);
}
