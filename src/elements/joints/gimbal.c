// Ideal gimbal: a homokinetic (constant-velocity) joint of two shafts along z of F and B, which may
// tilt against each other and turn at the same speed. q1 = theta about y, then q2 = phi about x,
// then theta about y again: two half-angle Cardan joints back to back (Morandini, Masarati,
// Mantegazza 2005, eqs. 6-12).
//
//   R_FB = Ry(q1) Rx(q2) Ry(q1),  as unit quaternion
//     (cos(q2/2) cos q1, sin(q2/2), cos(q2/2) sin q1, 0)
//   w_FB in B = a v1 + b v2,      a = (s1 s2, 1 + c2, -c1 s2),   b = (c1, 0, s1)
//
// The family is all rotations whose axis is perpendicular to z: the quaternion has no z. So beside
// the three rows of a ball joint one equation is enough, R_yx - R_xy = 4 w z = 0, where eqs. 6-12
// have five with theta and phi as unknowns. It is regular short of a tilt of half a turn, where w =
// 0.
//
// a . b = 0 and |b| = 1, but |a| = 2 cos(q2/2): the axes are `stretched`.
// Turned round, R_BF = R_FB' has the same form: the angles change their signs.
#include "math/angle.h"
#include "math/hypot.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

// z along the shaft, x the axis of phi
static M3 frame(V3 axis, V3 axis2) { return m3_from_cols(axis2, v3_cross(axis, axis2), axis); }

typedef struct Angles {
  double c1, s1, c2, s2;
} Angles;

static Angles angles_of(const double* q) {
  Angles g;
  sar_sincos(q[0], &g.s1, &g.c1);
  sar_sincos(q[1], &g.s2, &g.c2);
  return g;
}

static V3 axis_a(Angles g) { return v3(g.s1 * g.s2, 1 + g.c2, -g.c1 * g.s2); }
static V3 axis_b(Angles g) { return v3(g.c1, 0, g.s1); }

// a' and b' for rates x of the angles
static V3 rate_a(Angles g, const double* x) {
  return v3(g.c1 * g.s2 * x[0] + g.s1 * g.c2 * x[1], -g.s2 * x[1],
            g.s1 * g.s2 * x[0] - g.c1 * g.c2 * x[1]);
}
static V3 rate_b(Angles g, const double* x) { return v3_scale(x[0], v3(-g.s1, 0, g.c1)); }

static Motion turning(V3 w) { return (Motion){w, v3_zero()}; }

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  const Angles g = angles_of(q);
  const M3 Ry = m3_rot_y(g.c1, g.s1);
  out->X_FB = (Xform){m3_mul(Ry, m3_mul(m3_rot_x(g.c2, g.s2), Ry)), v3_zero()};
  out->S[0] = turning(axis_a(g));
  out->S[1] = turning(axis_b(g));
  if (v) out->cJ = turning(v3_axpy(v[0], rate_a(g, v), v3_scale(v[1], rate_b(g, v))));
}

// cJ = v1 a'(v) + v2 b'(v), bilinear in two rates: its change along xi has their second derivatives
static void slope(const double* param, const double* q, const double* v, const double* xi,
                  Motion dS[6], Motion* dcJ) {
  (void)param;
  const Angles g = angles_of(q);
  dS[0] = turning(rate_a(g, xi));
  dS[1] = turning(rate_b(g, xi));
  if (!v) return;
  const double x11 = v[0] * xi[0], x22 = v[1] * xi[1], x12 = v[0] * xi[1] + v[1] * xi[0];
  const V3 a = v3(-g.s1 * g.s2 * (x11 + x22) + g.c1 * g.c2 * x12, -g.c2 * x22,
                  g.c1 * g.s2 * (x11 + x22) + g.s1 * g.c2 * x12);
  const V3 b = v3_scale(-x11, axis_b(g));
  *dcJ = turning(v3_axpy(v[0], a, v3_scale(v[1], b)));
}

static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  for (int i = 0; i < 2; i++) q_other[i] = -q[i];
  for (int i = 0; v && i < 2; i++) v_other[i] = -v[i];
}

static Quat quaternion_of(const double* q) {
  double c1, s1, c, s;
  sar_sincos(q[0], &s1, &c1);
  sar_sincos(0.5 * q[1], &s, &c);
  return (Quat){c * c1, s, c * s1, 0};
}

// Of the two signs of the quaternion the nearer one, and cos(phi/2) of the sign it had.
static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  const Quat near = quaternion_of(q_near), Q = quat_near(quat_from_m3(X_FB.R), near);
  double c, s;
  sar_sincos(0.5 * q_near[1], &s, &c);
  const double sign = c < 0 ? -1 : 1;
  q[0] = angle_near(atan2(sign * Q.y, sign * Q.w), q_near[0]);
  q[1] = 2 * angle_near(atan2(Q.x, sign * sar_hypot(Q.w, Q.y)), 0.5 * q_near[1]);
}

const SarJointKind sar_joint_gimbal = {
    .name = "gimbal",
    .doc = "constant-velocity joint: two shafts that tilt and turn alike (homokinetic)",
    .nq = 2,
    .nv = 2,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_ANGLE, SAR_ANGLE},
    .stretched = true,
    .q_suffix = {"q1", "q2"},
    .v_suffix = {"v1", "v2"},
    .frame = frame,
    // the origins coincide, y . x' = x . y'
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'x', .less_other = true}},
    .nrow = 4,
    .calc = calc,
    .slope = slope,
    .coordinates = coordinates,
    .flip = flip,
};
