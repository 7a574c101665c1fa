// What force elements over symbols are written with (elements.c, line.c, ...): attributes, forces
// on bodies, outputs.
#pragma once
#include "codegen/tangents.h"

#include <string.h>

// ---- attributes and bodies ----------------------------------------------------------------------

static inline const SarAttrValue* attr(const SarSymbols* s, int force, const char* name) {
  const SarForceKind* kind = s->m->force_kind[force];
  int i = 0;
  while (strcmp(kind->attr[i].name, name) != 0) i++;
  return sar_force_attr(s->m, force, i);
}

static inline const double* numbers(const SarSymbols* s, const SarAttrValue* a) {
  return &s->m->attr_data[a->adr];
}

static inline SarNode scalar(const SarSymbols* s, const SarAttrValue* a) {
  return a->index >= 0 ? s->slot[a->index] : s_num(s->g, *numbers(s, a));
}

static inline SymV3 vector(const SarSymbols* s, const SarAttrValue* a) {
  if (a->index < 0) return sv3_of(s->g, v3_load(numbers(s, a)));
  return (SymV3){s->slot[a->index], s->slot[a->index + 1], s->slot[a->index + 2]};
}

static inline SarNode law(SarSymbols* s, const SarAttrValue* a, SarNode x, SarNode rate) {
  s->slot[s->m->slot_local] = x;
  s->slot[s->m->slot_local + 1] = rate;
  return sar_symbols_program(s, &s->m->expr[a->index]);
}

// The slope of a law by local number `which`, at the locals.
static inline SarNode law_slope(SarSymbols* s, const SarAttrValue* a, int which, SarNode x,
                                SarNode rate) {
  s->slot[s->m->slot_local] = x;
  s->slot[s->m->slot_local + 1] = rate;
  return sar_symbols_program(s, &s->m->expr[a->index + 1 + which]);
}

static inline SarNode table(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  return sar_sym_table(s->g, SAR_OP_TABLE, x, a->index, numbers(s, a));
}

static inline SarNode table_slope(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  return sar_sym_table(s->g, SAR_OP_SLOPE, x, a->index, numbers(s, a));
}

static inline SymV3 from_file_axes(const SarSymbols* s, const SarAttrValue* a, SymV3 v) {
  const SymM3 R_BU = sm3_of(s->g, sar_holder_X_BU(s->m, a->holder).R);
  return sm3_mul_v(s->g, sar_symbols_pose(s, a->index).R, sm3_mul_v(s->g, R_BU, v));
}

static inline void add_force_at(SarSymbols* s, int body, SymV3 p_B, SymV3 f_G) {
  if (body < 0) return;
  const SymV3 f = sm3_tmul_v(s->g, s->X_GB[body].R, f_G);
  s->F[body] = sforce_add(s->g, s->F[body], (SymForce){sv3_cross(s->g, p_B, f), f});
}

static inline void add_torque(SarSymbols* s, int body, SymV3 n_G) {
  if (body < 0) return;
  const SymV3 n = sm3_tmul_v(s->g, s->X_GB[body].R, n_G);
  s->F[body].n = sv3_add(s->g, s->F[body].n, n);
}

static inline void set_outputs(SarSymbols* s, int force, const SarNode* values) {
  for (int i = 0; i < s->m->force_kind[force]->noutput; i++)
    s->force_output[s->m->force_output_adr[force] + i] = values[i];
}

static inline SarNode greater(const SarSymbols* s, SarNode a, double b) {
  return sar_sym_call(s->g, SAR_OP_GT, a, s_num(s->g, b));
}

static inline SymV3 inverse_point(const SarSymbols* s, int body, SymV3 p_G) {
  const SymXform X = sar_symbols_pose(s, body);
  return sm3_tmul_v(s->g, X.R, sv3_sub(s->g, p_G, X.p));
}

// ---- kinds in files of their own ----------------------------------------------------------------

void sar_symbols_spring_damper(SarSymbols* s, int force);
void sar_symbols_bump_stop(SarSymbols* s, int force);
void sar_symbols_joint_element(SarSymbols* s, int force);  // joint_force
void sar_symbols_joint_spring(SarSymbols* s, int force);
void sar_symbols_backlash(SarSymbols* s, int force);
void sar_symbols_torsion(SarSymbols* s, int force);
void sar_symbols_bushing(SarSymbols* s, int force);
void sar_symbols_deformable_hinge(SarSymbols* s, int force);
void sar_symbols_tyre(SarSymbols* s, int force);

// Height of a road at x, y, its slopes, and how fast it rises (elements/road.h).
typedef struct SymRoad {
  SarNode z, zx, zy, zt;
} SymRoad;
SymRoad sar_symbols_road(SarSymbols* s, int road, SarNode x, SarNode y);
