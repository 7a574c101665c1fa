// Mechanisms of one degree of freedom that pass singular positions, in closed form: where every
// link is as a function of one coordinate s that stays smooth there, and from that the motion, by
// the energy
//
//   E = I(s) s'^2 / 2 + V(s),      I s'' = -I' s'^2 / 2 - V'
//
// Nothing of the engine is used but arithmetic with frames, so this judges every formulation alike.
// At a singular position another branch crosses, on which the same energy would go on differently.
#pragma once
#include "math/rotvec.h"
#include "math/spatial.h"
#include "support/test.h"

typedef enum SingularKind {
  SINGULAR_ROW,      // parallelograms side by side: all cranks of length a; flat at s = 0 and pi
  SINGULAR_KITE,     // two bars a, two bars b > a: the short ones fall together at s = 0
  SINGULAR_CROSS,    // antiparallelogram, bars a < b: flat at s = 0 and pi
  SINGULAR_SLIDER,   // crank and rod of length a: the slider passes the crank's axis at s = pi / 2
  SINGULAR_BRICARD,  // six bars of length a along edges of a cube: one equation of its loop is
                     // always redundant
  SINGULAR_KINDS
} SingularKind;

enum { SINGULAR_MAX_ROW = 10, SINGULAR_MAX_LINKS = 22, SINGULAR_MAX_JOINTS = 31 };

typedef struct SingularLink {
  Xform X_LU;  // the body frame of the file in the link's
  V3 com;      // in the body frame, as the principal moments about it
  double mass, moment[3];
} SingularLink;

typedef struct SingularJoint {
  int link[2];
  V3 at, axis;  // in the frame of link[0]
  bool slides;
} SingularJoint;

typedef struct SingularMotion {
  SingularKind kind;
  int cells;                             // of a row
  double a, b, x[SINGULAR_MAX_ROW + 1];  // lengths; where the cranks of a row stand
  int links, joints, root;               // root: the link that is ground
  SingularLink link[SINGULAR_MAX_LINKS];
  SingularJoint joint[SINGULAR_MAX_JOINTS];
  Xform X_GR;  // where the root is
  V3 gravity;  // ground axes
} SingularMotion;

static const char* const SINGULAR_NAME[SINGULAR_KINDS] = {"row", "kite", "antiparallelogram",
                                                          "slider-crank", "Bricard"};

// ---- links in the frame of link 0 ---------------------------------------------------------------

static inline Xform flat_frame(double x, double y, double c, double s) {
  return (Xform){m3_rot_z(c, s), v3(x, y, 0)};
}

// at p, with its x axis towards q
static inline Xform flat_along(V3 p, V3 q) {
  const V3 e = v3_unit(v3_sub(q, p));
  return flat_frame(p.x, p.y, e.x, e.y);
}

static inline void place_row(const SingularMotion* k, double s, Xform* X) {
  const double c = cos(s), z = sin(s);
  for (int i = 0; i <= k->cells; i++) X[1 + i] = flat_frame(k->x[i], 0, c, z);
  for (int i = 0; i < k->cells; i++)
    X[2 + k->cells + i] = flat_frame(k->x[i] + k->a * c, k->a * z, 1, 0);
}

// crank, coupler, rocker: the tips A and C of the two that turn about O and B
static inline void place_fourbar(V3 A, V3 B, V3 C, Xform* X) {
  X[1] = flat_along(v3_zero(), A);
  X[2] = flat_along(A, C);
  X[3] = flat_along(B, C);
}

// symmetric about the line from O to C, at the angle s / 2
static inline void place_kite(const SingularMotion* k, double s, Xform* X) {
  const double c = cos(s / 2), z = sin(s / 2), across = k->a * z;
  const double along = k->a * c + sqrt(k->b * k->b - across * across);
  place_fourbar(v3(k->a * cos(s), k->a * sin(s), 0), v3(k->a, 0, 0), v3(along * c, along * z, 0),
                X);
}

// tan(r / 2) = -(b + a) / (b - a) tan(s / 2), r the angle of the rocker
static inline void place_cross(const SingularMotion* k, double s, Xform* X) {
  const double c = (k->b - k->a) * cos(s / 2), z = -(k->b + k->a) * sin(s / 2), n = c * c + z * z;
  place_fourbar(v3(k->a * cos(s), k->a * sin(s), 0), v3(k->b, 0, 0),
                v3(k->b + k->a * (c * c - z * z) / n, k->a * 2 * c * z / n, 0), X);
}

static inline void place_slider(const SingularMotion* k, double s, Xform* X) {
  const double c = cos(s), z = sin(s);
  X[1] = flat_frame(0, 0, c, z);
  X[2] = flat_frame(k->a * c, k->a * z, c, -z);
  X[3] = flat_frame(2 * k->a * c, 0, 1, 0);
}

// Corners of the cube in turn, and the axis of the joint in each: the edge before it x the edge
// behind it.
static inline V3 bricard_corner(int i) {
  static const double corner[6][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                      {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  return v3_load(corner[(i + 6) % 6]);
}

static inline V3 bricard_axis(int i) {
  const V3 at = bricard_corner(i);
  return v3_cross(v3_sub(at, bricard_corner(i - 1)), v3_sub(bricard_corner(i + 1), at));
}

// Threefold symmetric: angles between bars t1, t2 in turn, (1 + cos t1) (1 + cos t2) = 1, which is
// cos(t1 / 2) cos(t2 / 2) = 1/2: an oval about 0, s its polar angle. The cube is t1 = t2 = pi / 2.
static inline void bricard_angles(double s, double angle[2]) {
  const double c = cos(s), z = sin(s);
  double r = 1.08;
  for (int i = 0; i < 8; i++) {
    const double f = cos(r * c) * cos(r * z) - 0.5;
    r += f / (c * sin(r * c) * cos(r * z) + z * cos(r * c) * sin(r * z));
  }
  angle[0] = 2 * r * c, angle[1] = 2 * r * z;
}

static inline void place_bricard(const SingularMotion* k, double s, Xform* X) {
  double angle[2];
  bricard_angles(s, angle);
  for (int i = 0; i < 5; i++) {
    const V3 at = v3_scale(k->a, bricard_corner(i));
    const double turn = angle[i % 2] - acos(0);
    const M3 R = quat_to_m3(quat_exp(v3_scale(turn, bricard_axis(i))));
    X[i + 1] = x_mul(X[i], (Xform){R, v3_sub(at, m3_mul_v(R, at))});
  }
}

// ---- the whole in space -------------------------------------------------------------------------

// X_GL of every link.
static inline void singular_place(const SingularMotion* k, double s, Xform* X) {
  X[0] = x_identity();
  switch (k->kind) {
    case SINGULAR_ROW: place_row(k, s, X); break;
    case SINGULAR_KITE: place_kite(k, s, X); break;
    case SINGULAR_CROSS: place_cross(k, s, X); break;
    case SINGULAR_SLIDER: place_slider(k, s, X); break;
    default: place_bricard(k, s, X);
  }
  const Xform X_G0 = x_mul(k->X_GR, x_inv(X[k->root]));
  for (int i = 0; i < k->links; i++) X[i] = x_mul(X_G0, X[i]);
}

// The velocities of all links for s' = 1, by differences of fourth order: angular, and of the
// origin.
typedef struct SingularRates {
  V3 w[SINGULAR_MAX_LINKS], v[SINGULAR_MAX_LINKS];
} SingularRates;

static inline void singular_rates(const SingularMotion* k, double s, SingularRates* out) {
  static const double h = 2e-3, weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
  Xform here[SINGULAR_MAX_LINKS], X[SINGULAR_MAX_LINKS];
  singular_place(k, s, here);
  memset(out, 0, sizeof *out);
  for (int e = 0; e < 4; e++) {
    singular_place(k, s + h * (e < 2 ? e - 2 : e - 1), X);
    for (int i = 0; i < k->links; i++) {
      // dR R', whose antisymmetric part is w
      const M3 D = m3_mul(X[i].R, m3_transpose(here[i].R));
      const V3 w = v3_scale(0.5, v3(D.zy - D.yz, D.xz - D.zx, D.yx - D.xy));
      out->w[i] = v3_axpy(weight[e] / h, w, out->w[i]);
      out->v[i] = v3_axpy(weight[e] / h, v3_sub(X[i].p, here[i].p), out->v[i]);
    }
  }
}

static inline double singular_inertia(const SingularMotion* k, double s) {
  Xform X[SINGULAR_MAX_LINKS];
  SingularRates rate;
  double sum = 0;
  singular_place(k, s, X);
  singular_rates(k, s, &rate);
  for (int i = 0; i < k->links; i++) {
    const SingularLink* link = &k->link[i];
    if (i == k->root) continue;
    const V3 c = m3_mul_v(X[i].R, x_point(link->X_LU, link->com));
    const V3 v = v3_add(rate.v[i], v3_cross(rate.w[i], c));
    const V3 w = m3_tmul_v(m3_mul(X[i].R, link->X_LU.R), rate.w[i]);
    sum += link->mass * v3_dot(v, v) + link->moment[0] * w.x * w.x + link->moment[1] * w.y * w.y +
           link->moment[2] * w.z * w.z;
  }
  return sum;
}

static inline double singular_potential(const SingularMotion* k, double s) {
  Xform X[SINGULAR_MAX_LINKS];
  double sum = 0;
  singular_place(k, s, X);
  for (int i = 0; i < k->links; i++)
    if (i != k->root)
      sum -= k->link[i].mass *
             v3_dot(k->gravity, x_point(X[i], x_point(k->link[i].X_LU, k->link[i].com)));
  return sum;
}

static inline double singular_energy(const SingularMotion* k, double s, double speed) {
  return 0.5 * singular_inertia(k, s) * speed * speed + singular_potential(k, s);
}

// Derivatives by differences of fourth order.
static inline double singular_acceleration(const SingularMotion* k, double s, double speed) {
  static const double h = 2e-3, weight[2] = {8 / 12.0, -1 / 12.0};
  double dI = 0, dV = 0;
  for (int i = 0; i < 2; i++) {
    const double x = (i + 1) * h;
    dI += weight[i] / h * (singular_inertia(k, s + x) - singular_inertia(k, s - x));
    dV += weight[i] / h * (singular_potential(k, s + x) - singular_potential(k, s - x));
  }
  return -(0.5 * dI * speed * speed + dV) / singular_inertia(k, s);
}

// The motion for a time, by the classical method of Runge and Kutta. Its error and that of the
// differences: below 1e-6.
static inline void singular_advance(const SingularMotion* k, double time, double* s,
                                    double* speed) {
  static const double longest = 4e-3, angle = 0.005;  // of a step [s, rad]
  for (double left = time; left > 0;) {
    const double h = fmin(left, fmin(longest, angle / fabs(*speed)));
    left -= h;
    const double v1 = *speed, a1 = singular_acceleration(k, *s, v1);
    const double v2 = v1 + h / 2 * a1, a2 = singular_acceleration(k, *s + h / 2 * v1, v2);
    const double v3_ = v1 + h / 2 * a2, a3 = singular_acceleration(k, *s + h / 2 * v2, v3_);
    const double v4 = v1 + h * a3, a4 = singular_acceleration(k, *s + h * v3_, v4);
    *s += h / 6 * (v1 + 2 * v2 + 2 * v3_ + v4);
    *speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

// ---- where is it on its way? --------------------------------------------------------------------

// The s nearest to poses of the links (Gauss and Newton, from *s), and how far off they are then
// [m, rad]: a mechanism that has taken another branch is on no point of this one.
static inline double singular_nearest(const SingularMotion* k, const Xform* X_GL, double* s) {
  Xform X[SINGULAR_MAX_LINKS];
  SingularRates rate;
  double off = 0;
  for (int iteration = 0; iteration < 12; iteration++) {
    double down = 0, across = 0;
    off = 0;
    singular_place(k, *s, X);
    singular_rates(k, *s, &rate);
    for (int i = 0; i < k->links; i++) {
      if (i == k->root) continue;
      const M3 D = m3_mul(X_GL[i].R, m3_transpose(X[i].R));
      const V3 turn = v3_scale(0.5, v3(D.zy - D.yz, D.xz - D.zx, D.yx - D.xy));
      const V3 move = v3_sub(X_GL[i].p, X[i].p);
      down += v3_dot(turn, rate.w[i]) + v3_dot(move, rate.v[i]);
      across += v3_dot(rate.w[i], rate.w[i]) + v3_dot(rate.v[i], rate.v[i]);
      const bool back = D.xx + D.yy + D.zz < 1;  // more than a right angle
      off = fmax(off, fmax(v3_norm(move), back ? 1 : v3_norm(turn)));
    }
    const double step = down / across;
    if (fabs(step) < 1e-13) break;
    *s += fmax(-0.3, fmin(0.3, step));
  }
  return off;
}
