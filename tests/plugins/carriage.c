// Carriage: displacements along x and z, no rotation.   p_FB = (q1, 0, q2),   S = [0; x z]
//
// A joint as one file and one line, see tools/check-plugins.
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param;
  out->X_FB = (Xform){m3_identity(), v3(q[0], 0, q[1])};
  out->S[0] = (Motion){v3_zero(), v3(1, 0, 0)};
  out->S[1] = (Motion){v3_zero(), v3(0, 0, 1)};
  if (v) out->cJ = motion_zero();
}

static void coordinates(const double* param, Xform X_FB, const double* q_near, double* q) {
  (void)param, (void)q_near;
  q[0] = X_FB.p.x;
  q[1] = X_FB.p.z;
}

// seen from the child, the parent moves the other way
static void flip(const double* param, const double* q, const double* v, double* q_other,
                 double* v_other) {
  (void)param;
  for (int i = 0; i < 2; i++) q_other[i] = -q[i];
  for (int i = 0; v && i < 2; i++) v_other[i] = -v[i];
}

const SarJointKind sar_joint_carriage = {
    .name = "carriage",
    .doc = "displacements along x and z without rotation",
    .nq = 2,
    .nv = 2,
    .cls = SAR_CLASS_GENERAL,
    .axes = SAR_AXES_NONE,
    .coordinate = {SAR_LENGTH, SAR_LENGTH},
    .q_suffix = {"q1", "q2"},
    .v_suffix = {"v1", "v2"},
    // the origin of B stays in the plane of x and z, the axes stay parallel
    .row = {{.kind = SAR_TERM_ALONG, .axis_a = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'x', .axis_b = 'y'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'y', .axis_b = 'z'},
            {.kind = SAR_TERM_PERPENDICULAR, .axis_a = 'z', .axis_b = 'x'}},
    .nrow = 4,
    .measure = {{.kind = SAR_TERM_ALONG, .x = 'x'}, {.kind = SAR_TERM_ALONG, .x = 'z'}},
    .calc = calc,
    .coordinates = coordinates,
    .flip = flip,
};
