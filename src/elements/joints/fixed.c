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
    .row = {{SAR_TERM_ALONG, 'x'},
            {SAR_TERM_ALONG, 'y'},
            {SAR_TERM_ALONG, 'z'},
            {SAR_TERM_PERPENDICULAR, 'x', 'y'},
            {SAR_TERM_PERPENDICULAR, 'y', 'z'},
            {SAR_TERM_PERPENDICULAR, 'z', 'x'}},
    .nrow = 6,
    .calc = calc,
};
