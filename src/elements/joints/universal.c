// Universal joint (Cardan): q1 about x, fixed in F, then q2 about y, fixed in B.
//
//   R_FB = Rx(q1) Ry(q2),   w_FB in B = Ry(q2)' x v1 + y v2,   Ry(q2)' x = (cos q2, 0, sin q2)
//
// Turned round, R_BF = Ry(-q2) Rx(-q1): the axes change places and the angles their signs.
#include "math/angle.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

static M3 frame(V3 axis, V3 axis2) { return m3_from_cols(axis, axis2, v3_cross(axis, axis2)); }

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  double c1, s1, c2, s2;
  sar_sincos(q[0], &s1, &c1);
  sar_sincos(q[1], &s2, &c2);
  out->X_FB = (Xform){{c2, 0, s2, s1 * s2, c1, -s1 * c2, -c1 * s2, s1, c1 * c2}, v3_zero()};
  out->S[0] = (Motion){v3(c2, 0, s2), v3_zero()};
  out->S[1] = (Motion){v3(0, 1, 0), v3_zero()};
  if (v) out->cJ = (Motion){v3_scale(v[0] * v[1], v3(-s2, 0, c2)), v3_zero()};
}

// only the first axis moves in B, with q2
static void slope(const double* param, const double* q, const double* v, const double* xi,
                  Motion dS[6], Motion* dcJ) {
  (void)param;
  double c2, s2;
  sar_sincos(q[1], &s2, &c2);
  dS[0] = (Motion){v3_scale(xi[1], v3(-s2, 0, c2)), v3_zero()};
  dS[1] = motion_zero();
  if (v) *dcJ = (Motion){v3_scale(-xi[1] * v[0] * v[1], v3(c2, 0, s2)), v3_zero()};
}

static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  double q1 = q[0], q2 = q[1];
  q_other[0] = -q2, q_other[1] = -q1;
  if (!v) return;
  double v1 = v[0], v2 = v[1];
  v_other[0] = -v2, v_other[1] = -v1;
}

// row x of R holds q2, column y holds q1: neither is ever singular
static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  q[0] = angle_near(atan2(X_FB.R.zy, X_FB.R.yy), q_near[0]);
  q[1] = angle_near(atan2(X_FB.R.xz, X_FB.R.xx), q_near[1]);
}

const SarJointKind sar_joint_universal = {
    .name = "universal",
    .doc = "two rotations about crossing perpendicular axes, the first fixed in the parent",
    .nq = 2,
    .nv = 2,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_TWO,
    .coordinate = {SAR_ANGLE, SAR_ANGLE},
    .q_suffix = {"q1", "q2"},
    .v_suffix = {"v1", "v2"},
    .frame = frame,
    // the origins coincide, y of B is perpendicular to x of F
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'y'}},
    .nrow = 4,
    .measure = {{.kind = SAR_TERM_ANGLE, .x = 'y', .y = 'z', .w = 'y'},
                {.kind = SAR_TERM_ANGLE, .x = 'x', .y = 'z', .w = 'x', .swapped = true}},
    .calc = calc,
    .slope = slope,
    .coordinates = coordinates,
    .turn = {0, 1, 0, 1, 0, 0, 0, 0, -1},  // x <-> y, z the other way
    .flip = flip,
};
