// Screw joint: q is the angle about z, the advance along z is h q (pitch h, metres per radian).
// R_FB = Rz(q),   p_FB = h q z,   S = [z; h z]
#include "math/angle.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

#include <stddef.h>

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  double h = param[0], c, s;
  sar_sincos(q[0], &s, &c);
  out->X_FB = (Xform){m3_rot_z(c, s), v3(0, 0, h * q[0])};
  out->S[0] = (Motion){v3(0, 0, 1), v3(0, 0, h)};
  if (v) out->cJ = motion_zero();
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  q[0] = angle_near(m3_angle_z(X_FB.R), q_near[0]);
}

const SarJointKind sar_joint_screw = {
    .name = "screw",
    .doc = "rotation about an axis with a proportional advance along it",
    .nq = 1,
    .nv = 1,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_ANGLE},
    .q_suffix = {"q"},
    .v_suffix = {"v"},
    .param = {{"pitch", NULL, "advance along the axis per radian [m/rad]"}},
    .nparam = 1,
    // the z axes coincide, the advance is h times the angle
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z', .less_turn = true},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'}},
    .nrow = 5,
    .measure = {{.kind = SAR_TERM_ANGLE, .x = 'x', .y = 'y', .w = 'x'}},
    .calc = calc,
    .coordinates = coordinates,
    .turn = {1, 0, 0, 0, -1, 0, 0, 0, -1},  // half a turn about x: z points the other way
};
