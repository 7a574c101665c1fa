// Joints that the tree runs through against the direction of the file.
#include "model/model.h"

#include <string.h>

void sar_joint_flip(const SarModel* m, int joint, const double* q, const double* v, double* q_other,
                    double* v_other) {
  const SarJointKind* kind = m->joint_kind[joint];
  if (sar_joint_is_flipped(m, joint)) {
    kind->flip(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], q, v, q_other, v_other);
    return;
  }
  if (kind->nv == 0) return;
  memmove(q_other, q, (size_t)kind->nq * sizeof *q);
  if (v) memmove(v_other, v, (size_t)kind->nv * sizeof *v);
}

// v_file = J v_tree, and equal powers tau_file . v_file = tau_tree . v_tree give
// tau_tree = J' tau_file. Column i of J is the flip of the i-th unit velocity.
void sar_joint_add_force(const SarModel* m, int joint, const double* q, const double* tau_file,
                         double* tau_tree) {
  const SarJointKind* kind = m->joint_kind[joint];
  if (!sar_joint_is_flipped(m, joint)) {
    for (int i = 0; i < kind->nv; i++) tau_tree[i] += tau_file[i];
    return;
  }
  for (int i = 0; i < kind->nv; i++) {
    double unit[SAR_JOINT_MAX_NV] = {0}, q_file[SAR_JOINT_MAX_NQ], column[SAR_JOINT_MAX_NV];
    unit[i] = 1;
    kind->flip(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], q, unit, q_file, column);
    for (int k = 0; k < kind->nv; k++) tau_tree[i] += column[k] * tau_file[k];
  }
}

void sar_joint_vary_flip(const SarModel* m, int joint, const double* q, const double* v,
                         const double* xi, const double* dv, double* v_change) {
  const SarJointKind* kind = m->joint_kind[joint];
  const double* param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM];
  double q_file[SAR_JOINT_MAX_NQ], turned[SAR_JOINT_MAX_NV] = {0};
  sar_joint_flip(m, joint, q, dv, q_file, v_change);
  if (!sar_joint_is_flipped(m, joint) || !kind->flip_slope) return;
  kind->flip_slope(param, q, v, xi, turned);
  for (int i = 0; i < kind->nv; i++) v_change[i] += turned[i];
}

// tau_tree = J' tau_file: both factors change
void sar_joint_vary_force(const SarModel* m, int joint, const double* q, const double* xi,
                          const double* tau_file, const double* change_file, double* change_tree) {
  const SarJointKind* kind = m->joint_kind[joint];
  const double* param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM];
  sar_joint_add_force(m, joint, q, change_file, change_tree);
  if (!sar_joint_is_flipped(m, joint) || !kind->flip_slope) return;
  for (int i = 0; i < kind->nv; i++) {
    double unit[SAR_JOINT_MAX_NV] = {0}, column[SAR_JOINT_MAX_NV];
    unit[i] = 1;
    kind->flip_slope(param, q, unit, xi, column);
    for (int k = 0; k < kind->nv; k++) change_tree[i] += column[k] * tau_file[k];
  }
}
