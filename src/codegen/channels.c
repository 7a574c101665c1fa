// Columns of the result over symbols, those that have equations: sim/outputs.c.
#include "codegen/generate.h"
#include "codegen/rotation.h"

#include <string.h>

static SarNode component_of(SymV3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

static SarNode coordinate(SarSymbols* s, const SarChannel* c, bool speed) {
  SarNode q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  if (c->index >= s->m->nbody) return SAR_NONE;
  sar_symbols_flip(s, c->index, &s->q[s->m->joint_qadr[c->index]],
                   &s->v[s->m->joint_vadr[c->index]], q, v);
  return speed ? v[c->component] : q[c->component];
}

static SarNode joint_position(SarSymbols* s, const SarChannel* c) {
  return coordinate(s, c, false);
}
static SarNode joint_velocity(SarSymbols* s, const SarChannel* c) { return coordinate(s, c, true); }

static SarNode joint_acceleration(SarSymbols* s, const SarChannel* c) {
  if (c->index >= s->m->nbody || sar_joint_is_flipped(s->m, c->index)) return SAR_NONE;
  return s->a[s->m->joint_vadr[c->index] + c->component];
}

static SarNode body_position(SarSymbols* s, const SarChannel* c) {
  const SymV3 p = sv3_of(s->g, c->point);
  return component_of(sx_point(s->g, sar_symbols_pose(s, c->index), p), c->component);
}

static SarNode body_velocity(SarSymbols* s, const SarChannel* c) {
  return component_of(sar_symbols_point_velocity(s, c->index, sv3_of(s->g, c->point)),
                      c->component);
}

static SarNode body_omega(SarSymbols* s, const SarChannel* c) {
  return component_of(sar_symbols_omega(s, c->index), c->component);
}

static SarNode body_orientation(SarSymbols* s, const SarChannel* c) {
  const SymM3 R_BU = sm3_of(s->g, sar_holder_X_BU(s->m, c->index).R);
  const SymM3 R = sar_symbols_pose(s, sar_holder_body(s->m, c->index)).R;
  const SymQuat q = squat_of_m3(s->g, sm3_mul(s->g, R, R_BU));
  const SarNode of[4] = {q.w, q.x, q.y, q.z};
  return of[c->component];
}

// (w.I w + 2 w.(h x v) + m v.v) / 2 of all bodies, and of the motors
static SarNode kinetic_energy(SarSymbols* s, const SarChannel* c) {
  SarGraph* g = s->g;
  SarNode twice = s_num(g, 0);
  if (c->component != 0) return SAR_NONE;
  for (int b = 0; b < s->m->nbody; b++) {
    const SymMotion V = {s->w[b], s->vel[b]};
    twice =
        s_add(g, twice, spower(g, V, sinertia_mul(g, sinertia_of(g, s->m->body_inertia[b]), V)));
  }
  for (int i = 0; i < s->m->nv; i++)
    twice = s_mac(g, twice, s_num(g, s->m->dof_armature[i]), s_mul(g, s->v[i], s->v[i]));
  return s_mul(g, s_num(g, 0.5), twice);
}

static SarNode force(SarSymbols* s, const SarChannel* c) {
  if (c->component == 0) return s->force_power[c->index];
  if (c->component < 3) return SAR_NONE;
  return s->force_output[s->m->force_output_adr[c->index] + c->component - 3];
}

static SarNode state(SarSymbols* s, const SarChannel* c) { return s->z[c->index]; }
static SarNode value(SarSymbols* s, const SarChannel* c) { return s->slot[c->index]; }

// Quantities of sim/outputs that have equations in symbols.
static const struct {
  const char* name;
  SarNode (*value)(SarSymbols* s, const SarChannel* c);
} quantities[] = {
    {"joint position", joint_position},
    {"joint velocity", joint_velocity},
    {"joint acceleration", joint_acceleration},
    {"body position", body_position},
    {"body velocity", body_velocity},
    {"body omega", body_omega},
    {"body orientation", body_orientation},
    {"energy", kinetic_energy},
    {"force", force},
    {"state", state},
    {"signal", value},
    {"value", value},
};

static SarNode value_of(SarSymbols* s, const SarChannel* c) {
  for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
    if (strcmp(quantities[i].name, c->kind->name) == 0) return quantities[i].value(s, c);
  return SAR_NONE;
}

void sar_generation_channels(SarGeneration* g) {
  for (int i = 0; i < g->m->nchannel; i++)
    g->channel[i] = g->o.bare ? -1 : value_of(&g->symbols, &g->m->channel[i]);
}
