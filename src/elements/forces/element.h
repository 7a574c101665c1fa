// What force elements share: reading attributes, where bodies are and how they move, adding forces.
// G is ground, B a body's frame; body -1 is ground: it stands still and takes any force.
#pragma once
#include "model/data.h"

// ---- attributes ---------------------------------------------------------------------------------
static inline double attr_scalar(const SarModel* m, const SarData* d, const SarAttrValue* a) {
  return a->index >= 0 ? d->slot[a->index] : m->attr_data[a->adr];
}
static inline V3 attr_vector(const SarModel* m, const SarData* d, const SarAttrValue* a) {
  return v3_load(a->index >= 0 ? &d->slot[a->index] : &m->attr_data[a->adr]);
}
// Value of a law for the kind's locals, which go into the slots its program reads.
static inline double law_value(const SarModel* m, SarData* d, const SarAttrValue* a, double local0,
                               double local1) {
  const SarExprEntry* e = &m->expr[a->index];
  d->slot[m->slot_local] = local0;
  d->slot[m->slot_local + 1] = local1;
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}
// ---- kinks --------------------------------------------------------------------------------------
// Switching function i of those that the kind's `switches` counts.
static inline void set_switch(const SarModel* m, SarData* d, int force, int i, double g) {
  d->slot[m->force_switch[force] + i] = g;
}
// Those of the force's laws, for the locals.
static inline void set_law_switches(const SarModel* m, SarData* d, int force, double local0,
                                    double local1) {
  const int first = m->force_law_kink[2 * force], count = m->force_law_kink[2 * force + 1];
  if (count == 0) return;
  d->slot[m->slot_local] = local0;
  d->slot[m->slot_local + 1] = local1;
  for (int i = first; i < first + count; i++) {
    const SarExprEntry* e = &m->law_kink[i];
    d->slot[e->slot] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
  }
}

static inline Xform xform_load(const double* p) {
  return (Xform){{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}, v3_load(p + 9)};
}
static inline void xform_store(double* p, Xform X) {
  const M3 R = X.R;
  const double rows[9] = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
  for (int i = 0; i < 9; i++) p[i] = rows[i];
  v3_store(p + 9, X.p);
}

// ---- motion -------------------------------------------------------------------------------------
static inline Xform body_pose(const SarData* d, int body) {  // X_GB
  return body < 0 ? x_identity() : d->body_X_GB[body];
}
// A vector in the axes of the file's frame U of the body that a BODY or POINT attribute names, in
// ground axes.
static inline V3 from_file_axes(const SarModel* m, const SarData* d, const SarAttrValue* a, V3 v) {
  return m3_mul_v(body_pose(d, a->index).R, m3_mul_v(sar_holder_X_BU(m, a->holder).R, v));
}
// Velocity of the point p_B of a body, in ground axes.
static inline V3 point_velocity(const SarData* d, int body, V3 p_B) {
  if (body < 0) return v3_zero();
  Motion V = d->body_V[body];
  return m3_mul_v(d->body_X_GB[body].R, v3_add(V.v, v3_cross(V.w, p_B)));
}
static inline V3 body_omega(const SarData* d, int body) {  // ground axes
  return body < 0 ? v3_zero() : m3_mul_v(d->body_X_GB[body].R, d->body_V[body].w);
}

// ---- forces -------------------------------------------------------------------------------------
// Force f_G (ground axes) at the point p_B of a body.
static inline void add_force_at(SarData* d, int body, V3 p_B, V3 f_G) {
  if (body < 0) return;
  V3 f = m3_tmul_v(d->body_X_GB[body].R, f_G);
  d->body_F[body] = force_add(d->body_F[body], (Force){v3_cross(p_B, f), f});
}
static inline void add_torque(SarData* d, int body, V3 n_G) {
  if (body < 0) return;
  V3 n = m3_tmul_v(d->body_X_GB[body].R, n_G);
  d->body_F[body].n = v3_add(d->body_F[body].n, n);
}
static inline void set_outputs(const SarModel* m, SarData* d, int force, const double* values) {
  double* out = &d->force_output[m->force_output_adr[force]];
  for (int i = 0; i < m->force_kind[force]->noutput; i++) out[i] = values[i];
}
