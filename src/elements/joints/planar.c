// Planar joint: position (x, y) in the plane of F and angle about its normal z.
//
//   R_FB = Rz(q3),   p_FB = (q1, q2, 0),   v = (dx/dt, dy/dt, dq3/dt) with the first two in F
//   S in B = [0 0 z; R'x R'y 0],   cJ = [0; -w x R'(dp/dt)]
#include "math/angle.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  double c, s;
  sar_sincos(q[2], &s, &c);
  out->X_FB = (Xform){m3_rot_z(c, s), v3(q[0], q[1], 0)};
  out->S[0] = (Motion){v3_zero(), v3(c, -s, 0)};
  out->S[1] = (Motion){v3_zero(), v3(s, c, 0)};
  out->S[2] = (Motion){v3(0, 0, 1), v3_zero()};
  if (!v) return;
  V3 u = v3(c * v[0] + s * v[1], c * v[1] - s * v[0], 0);
  out->cJ = (Motion){v3_zero(), v3(v[2] * u.y, -v[2] * u.x, 0)};
}

// The directions of F turn in B against the angle.
static void slope(const double* param, const double* q, const double* v, const double* xi,
                  Motion dS[6], Motion* dcJ) {
  (void)param;
  double c, s;
  sar_sincos(q[2], &s, &c);
  const double turn = xi[2];
  dS[0] = (Motion){v3_zero(), v3(-s * turn, -c * turn, 0)};
  dS[1] = (Motion){v3_zero(), v3(c * turn, -s * turn, 0)};
  dS[2] = motion_zero();
  if (!v) return;
  const V3 u = v3(c * v[0] + s * v[1], c * v[1] - s * v[0], 0);
  *dcJ = (Motion){v3_zero(), v3_scale(-turn * v[2], u)};
}

// p_BF = -R'p,   its rate = w x R'p - R'(dp/dt)
static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  double c, s, angle = q[2];
  sar_sincos(angle, &s, &c);
  double x = c * q[0] + s * q[1], y = c * q[1] - s * q[0];
  q_other[0] = -x, q_other[1] = -y, q_other[2] = -angle;
  if (!v) return;
  double w = v[2], ux = c * v[0] + s * v[1], uy = c * v[1] - s * v[0];
  v_other[0] = -w * y - ux, v_other[1] = w * x - uy, v_other[2] = -w;
}

static void flip_slope(const double* param, const double* q, const double* v, const double* xi,
                       double* v_change) {
  (void)param;
  double c, s;
  sar_sincos(q[2], &s, &c);
  const double x = c * q[0] + s * q[1], y = c * q[1] - s * q[0], turn = xi[2];
  const double dx = c * xi[0] + s * xi[1] + y * turn, dy = c * xi[1] - s * xi[0] - x * turn;
  const double ux = c * v[0] + s * v[1], uy = c * v[1] - s * v[0];
  v_change[0] = -v[2] * dy - uy * turn;
  v_change[1] = v[2] * dx + ux * turn;
  v_change[2] = 0;
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  q[0] = X_FB.p.x, q[1] = X_FB.p.y;
  q[2] = angle_near(m3_angle_z(X_FB.R), q_near[2]);
}

// z is the normal; x, the direction of q1, is in the plane
static M3 frame(V3 axis, V3 axis2) { return m3_from_cols(axis2, v3_cross(axis, axis2), axis); }

const SarJointKind sar_joint_planar = {
    .name = "planar",
    .doc = "translation in a plane and rotation about its normal",
    .nq = 3,
    .nv = 3,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_LENGTH, SAR_LENGTH, SAR_ANGLE},
    .q_suffix = {"px", "py", "q"},
    .v_suffix = {"vx", "vy", "w"},
    // the planes coincide
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'}},
    .nrow = 3,
    .measure = {{.kind = SAR_TERM_ALONG, .x = 'x'},
                {.kind = SAR_TERM_ALONG, .x = 'y'},
                {.kind = SAR_TERM_ANGLE, .x = 'x', .y = 'y', .w = 'x'}},
    .frame = frame,
    .calc = calc,
    .slope = slope,
    .coordinates = coordinates,
    .flip = flip,
    .flip_slope = flip_slope,
};
