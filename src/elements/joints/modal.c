// Joints of modal bodies (model/modal.h): modes and nodes. How modes move a node is no matter of
// one joint's coordinates: dynamics/nodes.c.
#include "model/joint_kind.h"

static void calc(const double* param, const double* q, const double* v, SarJointCalc* out) {
  (void)param, (void)q;
  out->X_FB = x_identity();
  out->S[0] = motion_zero();
  if (v) out->cJ = motion_zero();
}

const SarJointKind sar_joint_mode = {
    .name = "mode",
    .doc = "a mode of a modal body: its coordinate deforms the body",
    .nq = 1,
    .nv = 1,
    .cls = SAR_CLASS_MODE,
    .axes = SAR_AXES_NONE,
    .coordinate = {SAR_LENGTH},
    .q_suffix = {"q"},
    .v_suffix = {"v"},
    .measure = {{.kind = SAR_TERM_COORDINATE}},
    .calc = calc,
};

const SarJointKind sar_joint_node = {
    .name = "node",
    .doc = "a node of a modal body: its modes carry it",
    .cls = SAR_CLASS_NODE,
    .axes = SAR_AXES_NONE,
    .param = {{"radius", "0", "of the bars that pictures show; 0: as others"}},
    .nparam = 1,
    .calc = calc,
};
