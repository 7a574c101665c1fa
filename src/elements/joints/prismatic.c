// Prismatic joint: q is the displacement along z.   p_FB = q z,   S = [0; z]
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  out->X_FB = (Xform){m3_identity(), v3(0, 0, q[0])};
  out->S[0] = (Motion){v3_zero(), v3(0, 0, 1)};
  if (v) out->cJ = motion_zero();
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param, (void)q_near;
  q[0] = X_FB.p.z;
}

const SarJointKind sar_joint_prismatic = {
    .name = "prismatic",
    .doc = "translation along an axis (slider)",
    .nq = 1,
    .nv = 1,
    .cls = SAR_CLASS_PRISMATIC,
    .axes = SAR_AXES_ONE,
    .coordinate = {SAR_LENGTH},
    .q_suffix = {"q"},
    .v_suffix = {"v"},
    // the origin of B stays on z of F, the axes stay parallel
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'z', .axis_b = 'x'}},
    .nrow = 5,
    .measure = {{.kind = SAR_TERM_ALONG, .x = 'z'}},
    .calc = calc,
    .coordinates = coordinates,
    .turn = {1, 0, 0, 0, -1, 0, 0, 0, -1},  // half a turn about x: z points the other way
};
