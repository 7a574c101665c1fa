// Measured quantities (sensors): what expressions may use of the state. One slot each.
#include "dynamics/applied.h"
#include "dynamics/states.h"
#include "math/sequence.h"

static double component(V3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

// a coordinate of a joint as the file counts it
static double joint_measure(const SarModel* m, const SarData* d, const SarMeasure* s) {
  const double *q = &d->q[m->joint_qadr[s->index]], *v = &d->v[m->joint_vadr[s->index]];
  double q_file[SAR_JOINT_MAX_NQ], v_file[SAR_JOINT_MAX_NV];
  if (!m->joint_turned[s->index])
    return s->kind == SAR_MEASURE_Q ? q[s->component] : v[s->component];
  sar_joint_flip(m, s->index, q, v, q_file, v_file);
  return s->kind == SAR_MEASURE_Q ? q_file[s->component] : v_file[s->component];
}

// a quantity of a body point in ground axes; ground itself stands still
static V3 body_measure(const SarData* d, const SarMeasure* s) {
  if (s->index < 0) return s->kind == SAR_MEASURE_POINT ? s->point : v3_zero();
  Xform X_GB = d->body_X_GB[s->index];
  Motion V = d->body_V[s->index];
  if (s->kind == SAR_MEASURE_POINT) return x_point(X_GB, s->point);
  if (s->kind == SAR_MEASURE_OMEGA) return m3_mul_v(X_GB.R, V.w);
  return m3_mul_v(X_GB.R, v3_add(V.v, v3_cross(V.w, s->point)));
}

static double orientation(const SarModel* m, const SarData* d, int holder, int i) {
  const int body = sar_holder_body(m, holder);
  const M3 R_BU = sar_holder_X_BU(m, holder).R;
  double q[4];
  quat_store(q, quat_from_m3(body < 0 ? R_BU : m3_mul(d->body_X_GB[body].R, R_BU)));
  return q[i];
}

static double rotation_angle(const SarModel* m, const SarData* d, int holder, int component) {
  const int body = sar_holder_body(m, holder);
  const M3 R_BU = sar_holder_X_BU(m, holder).R;
  double angle[3];
  sar_rotation_angles(body < 0 ? R_BU : m3_mul(d->body_X_GB[body].R, R_BU),
                      sar_sequence[component / 3], angle);
  return angle[component % 3];
}

static double measure(const SarModel* m, const SarData* d, const SarMeasure* s) {
  switch (s->kind) {
    case SAR_MEASURE_Q:
    case SAR_MEASURE_V: return joint_measure(m, d, s);
    case SAR_MEASURE_QUAT: return orientation(m, d, s->index, s->component);
    case SAR_MEASURE_ANGLE: return rotation_angle(m, d, s->index, s->component);
    case SAR_MEASURE_HELD: return d->held[s->index];
    default: return component(body_measure(d, s), s->component);
  }
}

void sar_update_measures(const SarModel* m, SarData* d) {
  d->slot[0] = d->t;
  for (int i = 0; i < m->ninput; i++) d->slot[m->slot_input + i] = d->input[i];
  if (m->nz > 0 || m->ndiscrete > 0) sar_put_states(m, d);
  for (int i = 0; i < m->nmeasure; i++) d->slot[m->measure[i].slot] = measure(m, d, &m->measure[i]);
}
