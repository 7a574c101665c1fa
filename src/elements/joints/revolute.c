// Revolute joint: q is the angle about z.   R_FB = Rz(q),   S = [z; 0]
#include "math/angle.h"
#include "math/sincos.h"
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  double c, s;
  sar_sincos(q[0], &s, &c);
  out->X_FB = (Xform){m3_rot_z(c, s), v3_zero()};
  out->S[0] = (Motion){v3(0, 0, 1), v3_zero()};
  if (v) out->cJ = motion_zero();
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param;
  q[0] = angle_near(m3_angle_z(X_FB.R), q_near[0]);
}

const SarJointKind sar_joint_revolute = {
    .name = "revolute",
    .doc = "rotation about an axis (hinge)",
    .nq = 1,
    .nv = 1,
    .cls = SAR_CLASS_REVOLUTE,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_ANGLE},
    .q_suffix = {"q"},
    .v_suffix = {"v"},
    // the origins coincide, z of B is perpendicular to x and y of F
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'}},
    .nrow = 5,
    .measure = {{.kind = SAR_TERM_ANGLE, .x = 'x', .y = 'y', .w = 'x'}},
    .calc = calc,
    .coordinates = coordinates,
    .turn = {1, 0, 0, 0, -1, 0, 0, 0, -1},  // half a turn about x: z points the other way
};
