// Cylindrical joint: angle q1 about z and displacement q2 along it.
// R_FB = Rz(q1),   p_FB = q2 z,   S = [z 0; 0 z]
#include "math/angle.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  double c, s;
  sar_sincos(q[0], &s, &c);
  out->X_FB = (Xform){m3_rot_z(c, s), v3(0, 0, q[1])};
  out->S[0] = (Motion){v3(0, 0, 1), v3_zero()};
  out->S[1] = (Motion){v3_zero(), v3(0, 0, 1)};
  if (v) out->cJ = motion_zero();
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  q[0] = angle_near(m3_angle_z(X_FB.R), q_near[0]);
  q[1] = X_FB.p.z;
}

const SarJointKind sar_joint_cylindrical = {
    .name = "cylindrical",
    .doc = "rotation about an axis and translation along it",
    .nq = 2,
    .nv = 2,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_ANGLE, SAR_LENGTH},
    .q_suffix = {"q1", "q2"},
    .v_suffix = {"v1", "v2"},
    // the z axes coincide
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'}},
    .nrow = 4,
    .measure = {{.kind = SAR_TERM_ANGLE, .x = 'x', .y = 'y', .w = 'x'},
                {.kind = SAR_TERM_ALONG, .x = 'z'}},
    .calc = calc,
    .coordinates = coordinates,
    .turn = {1, 0, 0, 0, -1, 0, 0, 0, -1},  // half a turn about x: z points the other way
};
