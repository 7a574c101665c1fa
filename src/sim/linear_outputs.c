// Changes of output columns along a direction (linear_outputs.h).
#include "sim/linear_outputs.h"

#include "dynamics/nodes.h"
#include "elements/forces/varied.h"
#include "sim/outputs/outputs.h"

#include <string.h>

// A quantity and the measure that is the same.
static const struct {
  const SarOutputKind* kind;
  SarMeasureKind measure;
} MEASURED[] = {{&sar_output_joint_position, SAR_MEASURE_Q},
                {&sar_output_joint_velocity, SAR_MEASURE_V},
                {&sar_output_body_position, SAR_MEASURE_POINT},
                {&sar_output_body_velocity, SAR_MEASURE_SPEED},
                {&sar_output_body_omega, SAR_MEASURE_OMEGA},
                {&sar_output_body_orientation, SAR_MEASURE_QUAT}};
enum { MEASURES = sizeof MEASURED / sizeof *MEASURED };

// The rate of an elastic knot, or of the length of a force on one (dynamics/vary_knots.c)?
static bool is_elastic_rate(const SarModel* m, const SarChannel* c) {
  if (c->kind == &sar_output_body_velocity && sar_is_knot(m, c->index))
    return m->knot[c->index - m->nbody].state < 0;
  if (c->kind != &sar_output_force || c->component < 3) return false;
  const SarForceKind* kind = m->force_kind[c->index];
  if (strcmp(kind->output[c->component - 3], "rate") != 0) return false;
  for (int k = 0; k < kind->nattr; k++) {
    const SarAttrType type = kind->attr[k].type;
    const int body = sar_force_attr(m, c->index, k)->index;
    if ((type == SAR_ATTR_POINT || type == SAR_ATTR_BODY) && sar_is_knot(m, body) &&
        m->knot[body - m->nbody].state < 0)
      return true;
  }
  return false;
}

bool sar_linear_knows(const SarModel* m, int column) {
  const SarChannel* c = &m->channel[column];
  if (m->nknot > 0 && is_elastic_rate(m, c)) return false;
  for (int i = 0; i < MEASURES; i++)
    if (c->kind == MEASURED[i].kind) return true;
  if (c->kind == &sar_output_joint_acceleration)
    return c->index < m->nbody && !sar_joint_is_flipped(m, c->index);
  if (c->kind == &sar_output_force) return c->component >= 3;  // power, energy, work come first
  return c->kind == &sar_output_body_acceleration || c->kind == &sar_output_state ||
         c->kind == &sar_output_value;
}

void sar_vary_accelerations(SarDerivatives* w, const SarData* d) {
  const SarModel* m = w->m;
  SarVariation* x = &w->x;
  sar_vary_bodies(m, d, x, true);
  // S a' of every joint, carried outwards; body_F has room for it
  Motion* more = (Motion*)(void*)w->body_F;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    Motion A = p < 0 ? motion_zero() : x_motion_inv(d->body_X_PB[b], more[p]);
    for (int k = 0; k < m->joint_nv[b]; k++)
      A = motion_add(A, motion_scale(w->da[m->joint_vadr[b] + k], sar_joint_axis(m, d, b, k)));
    if (m->joint_class[b] == SAR_CLASS_NODE)
      A = motion_add(A, sar_node_motion(d, sar_own_node(m, b), w->da));
    more[b] = A;
    x->body_A[b] = motion_add(x->body_A[b], A);
  }
}

// a = A.v + A.w x p + w x v in B, then to ground
static V3 point_acceleration(const SarDerivatives* w, const SarData* d, const SarChannel* c) {
  if (c->index < 0) return v3_zero();
  const int b = c->index;
  const Motion V = d->body_V[b], dV = w->x.body_V[b], A = d->body_A[b], dA = w->x.body_A[b];
  const D3 p = d3_of(c->point), omega = d3(V.w, dV.w);
  const D3 v = d3_add(d3(V.v, dV.v), d3_cross(omega, p));
  const D3 a = d3_add(d3_add(d3(A.v, dA.v), d3_cross(d3(A.w, dA.w), p)), d3_cross(omega, v));
  return d3_turn(d->body_X_GB[b].R, w->x.body_X[b].w, a).d;
}

double sar_vary_column(const SarDerivatives* w, const SarData* d, const SarChannel* c) {
  const SarModel* m = w->m;
  for (int i = 0; i < MEASURES; i++) {
    if (c->kind != MEASURED[i].kind) continue;
    const SarMeasure s = {.kind = MEASURED[i].measure,
                          .index = c->index,
                          .component = c->component,
                          .point = c->point};
    return sar_vary_measure(m, d, &w->x, &s);
  }
  if (c->kind == &sar_output_body_acceleration)
    return v3_component(point_acceleration(w, d, c), c->component);
  if (c->kind == &sar_output_joint_acceleration)
    return w->da[m->joint_vadr[c->index] + c->component];
  if (c->kind == &sar_output_force)
    return w->x.force_output[m->force_output_adr[c->index] + c->component - 3];
  if (c->kind == &sar_output_state) return w->x.dz[c->index];
  return c->kind == &sar_output_value ? w->x.slot[c->index] : (double)NAN;
}
