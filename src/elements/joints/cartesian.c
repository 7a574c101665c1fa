// Cartesian joint: three translations along the axes of F, no rotation. A body that is a point has
// it of its own.
//
//   R_FB = 1,   p_FB = (q1, q2, q3),   S = [0; 1],   cJ = 0
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  out->X_FB = (Xform){m3_identity(), v3_load(q)};
  out->S[0] = (Motion){v3_zero(), v3(1, 0, 0)};
  out->S[1] = (Motion){v3_zero(), v3(0, 1, 0)};
  out->S[2] = (Motion){v3_zero(), v3(0, 0, 1)};
  if (v) out->cJ = motion_zero();
}

// p_BF = -p_FB
static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  for (int i = 0; i < 3; i++) q_other[i] = -q[i];
  for (int i = 0; v && i < 3; i++) v_other[i] = -v[i];
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param, (void)q_near;
  v3_store(q, X_FB.p);
}

const SarJointKind sar_joint_cartesian = {
    .name = "cartesian",
    .doc = "translation in all directions, no rotation",
    .nq = 3,
    .nv = 3,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_NONE,
    .coordinate = {SAR_LENGTH, SAR_LENGTH, SAR_LENGTH},
    .q_suffix = {"px", "py", "pz"},
    .v_suffix = {"vx", "vy", "vz"},
    // the axes stay parallel
    .row = {{.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'z', .axis_b = 'x'}},
    .nrow = 3,
    .measure = {{.kind = SAR_TERM_ALONG, .x = 'x'},
                {.kind = SAR_TERM_ALONG, .x = 'y'},
                {.kind = SAR_TERM_ALONG, .x = 'z'}},
    .calc = calc,
    .coordinates = coordinates,
    .flip = flip,
};
