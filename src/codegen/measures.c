// Measured quantities over symbols: what expressions may use of the state (dynamics/measures.c).
#include "codegen/rotation.h"
#include "codegen/symbols.h"
#include "math/sequence.h"

static SarNode component(SymV3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

static SarNode joint_measure(SarSymbols* s, const SarMeasure* what) {
  SarNode q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_symbols_flip(s, what->index, &s->q[s->m->joint_qadr[what->index]],
                   &s->v[s->m->joint_vadr[what->index]], q, v);
  return what->kind == SAR_MEASURE_Q ? q[what->component] : v[what->component];
}

static SymV3 body_measure(SarSymbols* s, const SarMeasure* what) {
  const SymV3 p = sv3_of(s->g, what->point);
  if (what->index < 0) return what->kind == SAR_MEASURE_POINT ? p : sv3_zero(s->g);
  if (what->kind == SAR_MEASURE_POINT) return sx_point(s->g, s->X_GB[what->index], p);
  if (what->kind == SAR_MEASURE_OMEGA) return sar_symbols_omega(s, what->index);
  return sar_symbols_point_velocity(s, what->index, p);
}

static SymM3 orientation(SarSymbols* s, int holder) {
  const SymM3 R_BU = sm3_of(s->g, sar_holder_X_BU(s->m, holder).R);
  return sm3_mul(s->g, sar_symbols_pose(s, sar_holder_body(s->m, holder)).R, R_BU);
}

static SarNode quaternion(SarSymbols* s, const SarMeasure* what) {
  const SymQuat q = squat_of_m3(s->g, orientation(s, what->index));
  const SarNode of[4] = {q.w, q.x, q.y, q.z};
  return of[what->component];
}

static SarNode measure(SarSymbols* s, const SarMeasure* what) {
  switch (what->kind) {
    case SAR_MEASURE_Q:
    case SAR_MEASURE_V: return joint_measure(s, what);
    case SAR_MEASURE_POINT:
    case SAR_MEASURE_SPEED:
    case SAR_MEASURE_OMEGA: return component(body_measure(s, what), what->component);
    case SAR_MEASURE_QUAT: return quaternion(s, what);
    case SAR_MEASURE_ANGLE:
      return srotation_angle(s->g, orientation(s, what->index), sar_sequence[what->component / 3],
                             what->component % 3);
    default:
      sar_symbols_refuse(s, "an expression uses a quantity of the step before");
      return s_num(s->g, 0);
  }
}

void sar_symbols_measures(SarSymbols* s) {
  const SarModel* m = s->m;
  if (m->nslot == 0) return;
  s->slot[0] = s->t;
  for (int i = 0; i < m->ninput; i++) s->slot[m->slot_input + i] = s->input[i];
  for (int i = 0; i < m->nz; i++) s->slot[m->z_slot[i]] = s->z[i];
  for (int i = 0; i < m->ndiscrete; i++) s->slot[m->discrete_slot[i]] = s->discrete[i];
  for (int i = 0; i < m->nmeasure; i++) s->slot[m->measure[i].slot] = measure(s, &m->measure[i]);
}
