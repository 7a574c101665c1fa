// Free joint: position p_FB (3, in F), then the unit quaternion of R_FB (4).
//
//   v = (dp/dt in F, w_FB in B),   S in B = [0 1; R' 0],   cJ = [0; -w x R'(dp/dt)]
//
// Position and velocity of the origin are given in F, so that a body in free fall has constant
// linear speeds; the angular ones are in B, where the inertia is constant.
#include "math/angle.h"
#include "math/rotvec.h"
#include "model/joint_kind.h"

static void zero(double* q) {
  v3_store(q, v3_zero());
  quat_store(q + 3, quat_identity());
}

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  M3 R = quat_to_m3(quat_load(q + 3));
  out->X_FB = (Xform){R, v3_load(q)};
  out->S[0] = (Motion){v3_zero(), v3(R.xx, R.xy, R.xz)};
  out->S[1] = (Motion){v3_zero(), v3(R.yx, R.yy, R.yz)};
  out->S[2] = (Motion){v3_zero(), v3(R.zx, R.zy, R.zz)};
  out->S[3] = (Motion){v3(1, 0, 0), v3_zero()};
  out->S[4] = (Motion){v3(0, 1, 0), v3_zero()};
  out->S[5] = (Motion){v3(0, 0, 1), v3_zero()};
  if (v) out->cJ = (Motion){v3_zero(), v3_cross(m3_tmul_v(R, v3_load(v)), v3_load(v + 3))};
}

// d(R'x) = R'x x turn,   d cJ = (R'(dp/dt) x turn) x w
static void slope(const double* param, const double* q, const double* v, const double* xi,
                  Motion dS[6], Motion* dcJ) {
  (void)param;
  const M3 R = quat_to_m3(quat_load(q + 3));
  const V3 turn = v3_load(xi + 3);
  dS[0] = (Motion){v3_zero(), v3_cross(v3(R.xx, R.xy, R.xz), turn)};
  dS[1] = (Motion){v3_zero(), v3_cross(v3(R.yx, R.yy, R.yz), turn)};
  dS[2] = (Motion){v3_zero(), v3_cross(v3(R.zx, R.zy, R.zz), turn)};
  dS[3] = dS[4] = dS[5] = motion_zero();
  if (!v) return;
  const V3 u = v3_cross(m3_tmul_v(R, v3_load(v)), turn);
  *dcJ = (Motion){v3_zero(), v3_cross(u, v3_load(v + 3))};
}

static void retract(const double* param, const double* q0, const double* xi, double* q) {
  (void)param;
  v3_store(q, v3_add(v3_load(q0), v3_load(xi)));
  quat_store(q + 3, quat_unit(quat_mul(quat_load(q0 + 3), quat_exp(v3_load(xi + 3)))));
}

static void rate(const double* param, const double* q0, const double* xi, const double* v,
                 double* xi_rate) {
  (void)param, (void)q0;
  V3 turn = rotvec_rate(v3_load(xi + 3), v3_load(v + 3));
  v3_store(xi_rate, v3_load(v));
  v3_store(xi_rate + 3, turn);
}

static void displacement(const double* param, const double* q0, const double* q, double* xi) {
  (void)param;
  V3 turn = quat_log(quat_mul(quat_conj(quat_load(q0 + 3)), quat_load(q + 3)));
  v3_store(xi, v3_sub(v3_load(q), v3_load(q0)));
  v3_store(xi + 3, turn);
}

// R_BF = R',   p_BF = -R'p,   its rate = w x R'p - R'(dp/dt),   w_BF in F = -R w
static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  Quat Q = quat_load(q + 3);
  M3 R = quat_to_m3(Q);
  V3 p = m3_tmul_v(R, v3_load(q));
  v3_store(q_other, v3_neg(p));
  quat_store(q_other + 3, quat_conj(Q));
  if (!v) return;
  V3 w = v3_load(v + 3), u = m3_tmul_v(R, v3_load(v));
  v3_store(v_other, v3_sub(v3_cross(w, p), u));
  v3_store(v_other + 3, v3_neg(m3_mul_v(R, w)));
}

static void flip_slope(const double* param, const double* q, const double* v, const double* xi,
                       double* v_change) {
  (void)param;
  const M3 R = quat_to_m3(quat_load(q + 3));
  const V3 turn = v3_load(xi + 3), w = v3_load(v + 3);
  const V3 p = m3_tmul_v(R, v3_load(q)), u = m3_tmul_v(R, v3_load(v));
  const V3 dp = v3_add_cross(m3_tmul_v(R, v3_load(xi)), p, turn);
  v3_store(v_change, v3_sub(v3_cross(w, dp), v3_cross(u, turn)));
  v3_store(v_change + 3, v3_neg(m3_mul_v(R, v3_cross(turn, w))));
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  Quat Q = quat_near(quat_from_m3(X_FB.R), quat_load(q_near + 3));
  v3_store(q, X_FB.p);
  quat_store(q + 3, Q);
}

const SarJointKind sar_joint_free = {
    .name = "free",
    .doc = "all six freedoms: position and quaternion",
    .nq = 7,
    .nv = 6,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_NONE,
    .coordinate = {SAR_LENGTH, SAR_LENGTH, SAR_LENGTH, SAR_ANGLE, SAR_ANGLE, SAR_ANGLE},
    .q_suffix = {"px", "py", "pz", "qw", "qx", "qy", "qz"},
    .v_suffix = {"vx", "vy", "vz", "wx", "wy", "wz"},
    .measure = {{.kind = SAR_TERM_ALONG, .x = 'x'},
                {.kind = SAR_TERM_ALONG, .x = 'y'},
                {.kind = SAR_TERM_ALONG, .x = 'z'}},
    .zero = zero,
    .calc = calc,
    .slope = slope,
    .retract = retract,
    .rate = rate,
    .displacement = displacement,
    .coordinates = coordinates,
    .flip = flip,
    .flip_slope = flip_slope,
};
