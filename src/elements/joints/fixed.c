// Fixed joint: B stays on F.
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param, (void)q;
  out->X_FB = x_identity();
  if (v) out->cJ = motion_zero();
}

const SarJointKind sar_joint_fixed = {
    .name = "fixed",
    .doc = "no freedom: the child is welded to the parent",
    .cls = SAR_CLASS_FIXED,
    // origins and axes coincide
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'x'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_ALONG, .axis_a = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'z', .axis_b = 'x'}},
    .nrow = 6,
    .calc = calc,
};
