// Spherical joint: q is the unit quaternion of R_FB, v the angular velocity w_FB in B, S = [1; 0].
//
// Local coordinates are rotation vectors: q = q0 exp(xi), so no step leaves the sphere of unit
// quaternions and nothing is singular short of a full turn.
#include "math/angle.h"
#include "math/rotvec.h"
#include "model/joint_kind.h"

static void zero(double* q) { quat_store(q, quat_identity()); }

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  out->X_FB = (Xform){quat_to_m3(quat_load(q)), v3_zero()};
  out->S[0] = (Motion){v3(1, 0, 0), v3_zero()};
  out->S[1] = (Motion){v3(0, 1, 0), v3_zero()};
  out->S[2] = (Motion){v3(0, 0, 1), v3_zero()};
  if (v) out->cJ = motion_zero();
}

static void retract(const double* param, const double* q0, const double* xi, double* q) {
  (void)param;
  quat_store(q, quat_unit(quat_mul(quat_load(q0), quat_exp(v3_load(xi)))));
}

static void rate(const double* param, const double* q0, const double* xi, const double* v,
                 double* xi_rate) {
  (void)param, (void)q0;
  v3_store(xi_rate, rotvec_rate(v3_load(xi), v3_load(v)));
}

static void displacement(const double* param, const double* q0, const double* q, double* xi) {
  (void)param;
  v3_store(xi, quat_log(quat_mul(quat_conj(quat_load(q0)), quat_load(q))));
}

// R_BF = R_FB',   w_BF in F = -R_FB w_FB
static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  Quat Q = quat_load(q);
  quat_store(q_other, quat_conj(Q));
  if (v) v3_store(v_other, v3_neg(m3_mul_v(quat_to_m3(Q), v3_load(v))));
}

static void flip_slope(const double* param, const double* q, const double* v, const double* xi,
                       double* v_change) {
  (void)param;
  const V3 turned = m3_mul_v(quat_to_m3(quat_load(q)), v3_cross(v3_load(xi), v3_load(v)));
  v3_store(v_change, v3_neg(turned));
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  quat_store(q, quat_near(quat_from_m3(X_FB.R), quat_load(q_near)));
}

const SarJointKind sar_joint_spherical = {
    .name = "spherical",
    .doc = "any rotation about a point (ball joint), by quaternion",
    .nq = 4,
    .nv = 3,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_NONE,
    .coordinate = {SAR_ANGLE, SAR_ANGLE, SAR_ANGLE},
    .q_suffix = {"qw", "qx", "qy", "qz"},
    .v_suffix = {"wx", "wy", "wz"},
    .zero = zero,
    // the origins coincide
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z'}},
    .nrow = 3,
    .calc = calc,
    .retract = retract,
    .rate = rate,
    .displacement = displacement,
    .coordinates = coordinates,
    .flip = flip,
    .flip_slope = flip_slope,
};
