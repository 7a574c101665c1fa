// What force elements need for their exact derivatives (SarForceKind.vary): attributes, bodies and
// laws as dual numbers, and forces on bodies back. The dual counterparts of element.h; ground axes.
#pragma once
#include "elements/forces/element.h"
#include "math/dual.h"

// ---- attributes ---------------------------------------------------------------------------------
static inline Dual varied_scalar(const SarModel* m, const SarData* d, const SarVariation* x,
                                 const SarAttrValue* a) {
  return dual(attr_scalar(m, d, a), a->index >= 0 ? x->slot[a->index] : 0);
}
static inline D3 varied_vector(const SarModel* m, const SarData* d, const SarVariation* x,
                               const SarAttrValue* a) {
  return d3(attr_vector(m, d, a), a->index >= 0 ? v3_load(&x->slot[a->index]) : v3_zero());
}
// A program of the model, with what its slots change by.
static inline Dual varied_program(const SarModel* m, SarData* d, SarVariation* x,
                                  const SarExprEntry* e) {
  Dual y;
  y.d = sar_program_rate(x->rates, &e->program, &m->instr[e->instr], d->slot, x->slot, d->reg,
                         x->reg, &y.x);
  return y;
}
static inline void varied_local(const SarModel* m, SarData* d, SarVariation* x, int i, Dual value) {
  d->slot[m->slot_local + i] = value.x;
  x->slot[m->slot_local + i] = value.d;
}
static inline Dual varied_law(const SarModel* m, SarData* d, SarVariation* x, const SarAttrValue* a,
                              Dual local0, Dual local1) {
  varied_local(m, d, x, 0, local0);
  varied_local(m, d, x, 1, local1);
  return varied_program(m, d, x, &m->expr[a->index]);
}

// ---- motion -------------------------------------------------------------------------------------
typedef struct VariedBody {
  M3 R;
  V3 turn;     // of the axes
  D3 o, v, w;  // origin, its velocity, angular velocity
} VariedBody;

static inline VariedBody varied_body(const SarData* d, const SarVariation* x, int body) {
  VariedBody b = {.R = m3_identity()};
  if (body < 0) return b;
  const Motion V = d->body_V[body], dV = x->body_V[body];
  b.R = d->body_X_GB[body].R;
  b.turn = x->body_X[body].w;
  b.o = d3(d->body_X_GB[body].p, x->body_X[body].v);
  b.v = d3_turn(b.R, b.turn, d3(V.v, dV.v));
  b.w = d3_turn(b.R, b.turn, d3(V.w, dV.w));
  return b;
}
static inline D3 varied_axis(const VariedBody* b, V3 axis_B) {
  return d3_turn(b->R, b->turn, d3_of(axis_B));
}
static inline D3 varied_point(const VariedBody* b, V3 p_B) {
  return d3_add(b->o, varied_axis(b, p_B));
}
// Velocity of the point of the body that is at the ground point p now.
static inline D3 varied_velocity(const VariedBody* b, D3 p) {
  return d3_add(b->v, d3_cross(b->w, d3_sub(p, b->o)));
}

// ---- forces -------------------------------------------------------------------------------------
// Force f at the ground point p, and torque n.
static inline void vary_force_at(SarVariation* x, int body, const VariedBody* b, D3 p, D3 f) {
  if (body < 0) return;
  const D3 n_B = d3_turn_back(b->R, b->turn, d3_cross(d3_sub(p, b->o), f));
  const D3 f_B = d3_turn_back(b->R, b->turn, f);
  x->body_F[body] = force_add(x->body_F[body], (Force){n_B.d, f_B.d});
}
static inline void vary_torque(SarVariation* x, int body, const VariedBody* b, D3 n) {
  if (body < 0) return;
  x->body_F[body].n = v3_add(x->body_F[body].n, d3_turn_back(b->R, b->turn, n).d);
}
static inline void vary_outputs(const SarModel* m, SarVariation* x, int force, const Dual* values) {
  double* out = &x->force_output[m->force_output_adr[force]];
  for (int i = 0; i < m->force_kind[force]->noutput; i++) out[i] = values[i].d;
}
