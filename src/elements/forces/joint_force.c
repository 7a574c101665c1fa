// Force or torque on one coordinate of a joint, in the direction of the file.
// P = value * v_component, all of it in the work account.
#include "elements/forces/varied.h"
#include "model/partial.h"

enum { JOINT, VALUE, COMPONENT };

static int component_of(const SarModel* m, const SarAttrValue* a) {  // from 0
  return (int)m->attr_data[a[COMPONENT].adr] - 1;
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const SarJointKind* kind = m->joint_kind[a[JOINT].index];
  double component = m->attr_data[a[COMPONENT].adr];
  if (component >= 1 && component <= kind->nv && component == floor(component)) return SAR_OK;
  sar_report(err, loc, kind->nv ? "" : "choose a joint that moves",
             "force '%s': component %g of joint '%s', which has %d (%s)",
             sar_text(m, m->force_name[force]), component,
             sar_text(m, m->joint_name[a[JOINT].index]), kind->nv, kind->name);
  return SAR_BAD_MODEL;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  int joint = a[JOINT].index, i = component_of(m, a);
  const double *q = &d->q[m->joint_qadr[joint]], *v = &d->v[m->joint_vadr[joint]];
  double q_file[SAR_JOINT_MAX_NQ], v_file[SAR_JOINT_MAX_NV], tau_file[SAR_JOINT_MAX_NV] = {0};
  if (sar_joint_is_on(m, d, joint)) tau_file[i] = attr_scalar(m, d, &a[VALUE]);
  sar_joint_flip(m, joint, q, v, q_file, v_file);
  sar_joint_add_force(m, joint, q, tau_file, &d->tau[m->joint_vadr[joint]]);
  d->force_power[force] = tau_file[i] * v_file[i];
  set_outputs(m, d, force, &tau_file[i]);
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int joint = a[JOINT].index, i = component_of(m, a), vadr = m->joint_vadr[joint];
  double tau[SAR_JOINT_MAX_NV] = {0}, change[SAR_JOINT_MAX_NV] = {0};
  const Dual value = varied_scalar(m, d, x, &a[VALUE]);
  if (!sar_joint_is_on(m, d, joint)) return;
  tau[i] = value.x, change[i] = value.d;
  sar_joint_vary_force(m, joint, &d->q[m->joint_qadr[joint]],
                       joint < m->nbody ? &x->dq[vadr] : NULL, tau, change, &x->tau[vadr]);
  vary_outputs(m, x, force, &value);
}

// of what the value makes of the same coordinate: diagonal
static void joint_tangent(const SarModel* m, SarData* d, int force, double* K, double* C) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int joint = a[JOINT].index, i = component_of(m, a), at = (m->joint_nv[joint] + 1) * i;
  if (a[VALUE].index < 0) return;
  sar_add_coordinate_partials(m, d, a[VALUE].index, joint, i, &K[at], &C[at]);
}

const SarForceKind sar_force_joint_force = {
    .name = "joint_force",
    .doc = "force or torque on a coordinate of a joint",
    .ref = "",
    .targets = 1,
    .attr = {{"joint", SAR_ATTR_JOINT, NULL, "whose coordinate", NULL},
             {"value", SAR_ATTR_SCALAR, NULL, "force [N] or torque [N m], may vary in time", NULL},
             {"component", SAR_ATTR_NUMBER, "1", "which velocity coordinate, from 1", NULL}},
    .nattr = 3,
    .example = "{joint_force: turning, value: 0.4*cos(4*t)}",
    .output = {"value"},  // [N or N m]
    .noutput = 1,
    .check = check,
    .apply = apply,
    .vary = vary,
    .joint_tangent = joint_tangent,
    .controlled = true,
};
