// A world for force elements without a tree: two bodies and ground, placed and moving at will, and
// one element with random or chosen attributes. No solver, no compiler: only what an element sees.
#pragma once
#include "support/test.h"

#include "expr/expr.h"
#include "math/rotvec.h"
#include "model/data.h"

enum {
  WORLD_BODIES = 2,
  WORLD_SLOTS = 80,
  WORLD_NUMBERS = 1024,
  WORLD_LOCAL = 60,   // slots of the locals, after those that attributes take
  WORLD_SWITCH = 66,  // and those of the element's switching functions
  WORLD_JOINT_NV = 3,
  WORLD_STATES = 64
};

typedef struct World {
  SarModel m;
  SarData d;
  SarArena arena;
  int numbers;  // used in attr_data
  int slots;    // used before WORLD_LOCAL; slot 0 is t
  // model
  int parent[WORLD_BODIES], turned[WORLD_BODIES], qadr[WORLD_BODIES], vadr[WORLD_BODIES],
      joint_name[WORLD_BODIES], joint_class[WORLD_BODIES];
  double q_zero[7];
  Xform X_PF[WORLD_BODIES], X_BU[WORLD_BODIES];
  const SarJointKind* joint_kind[WORLD_BODIES];
  double param[WORLD_BODIES * SAR_JOINT_MAX_PARAM];
  const SarForceKind* force_kind[1];
  SarAttrValue attr[SAR_FORCE_MAX_ATTR];
  int zero[1];
  int constant_adr[1];
  int switch_slot[1], law_kink[2];
  SarRoad road[1];
  double attr_data[WORLD_NUMBERS];
  SarExprEntry expr[1];
  // data
  double q[7], v[6], tau[6];
  Xform X_GB[WORLD_BODIES];
  Motion V[WORLD_BODIES];
  Force F[WORLD_BODIES];
  double slot[WORLD_SLOTS], reg[256];
  double power[1], output[SAR_FORCE_MAX_OUTPUT], cache[16];
  double z[WORLD_STATES], z_rate[WORLD_STATES];
  int on[1];
} World;

static inline Xform world_random_pose(Rng* r) {
  M3 R = quat_to_m3(rng_quat(r));
  return (Xform){R, rng_v3(r, -1, 1)};
}

// Bodies anywhere, moving anyhow; joint 0 is a turned ball, joint 1 planar (for joint forces).
static inline void world_init(World* w, const SarForceKind* kind, Rng* r) {
  *w = (World){.numbers = 40, .slots = 1};  // the first numbers stay zero: absent attributes
  sar_arena_init(&w->arena);
  w->m = (SarModel){.nbody = WORLD_BODIES,
                    .nbody_all = WORLD_BODIES,
                    .nforce = 1,
                    .nv = 2 * WORLD_JOINT_NV,
                    .slot_local = WORLD_LOCAL,
                    .text = "element",
                    .ntext = 8};
  SarModel* m = &w->m;
  m->body_parent = w->parent, m->body_X_PF = w->X_PF, m->body_X_BU = w->X_BU;
  m->joint_kind = w->joint_kind, m->joint_turned = w->turned, m->joint_param = w->param;
  m->joint_class = w->joint_class, m->q_zero = w->q_zero;
  m->joint_qadr = w->qadr, m->joint_vadr = w->vadr, m->joint_name = w->joint_name;
  m->force_kind = w->force_kind, m->force_attr = w->attr, m->attr_data = w->attr_data;
  m->force_name = w->zero, m->force_output_adr = w->zero;
  m->force_constant_adr = w->constant_adr, m->expr = w->expr;
  m->force_switch = w->switch_slot, m->force_law_kink = w->law_kink, m->road = w->road;
  w->switch_slot[0] = WORLD_SWITCH;
  w->road[0].law = -1;
  m->force_cache_adr = m->force_state = m->force_order = w->zero;
  m->ncache_force = 1, m->nz = WORLD_STATES;
  SarData* d = &w->d;
  d->force_cache = w->cache, d->z = w->z, d->z_rate = w->z_rate, d->force_on = w->on, w->on[0] = 1;
  for (int i = 0; i < WORLD_STATES; i++) w->z[i] = rng_uniform(r, -1, 1);
  d->m = m, d->q = w->q, d->v = w->v, d->tau = w->tau;
  d->body_X_GB = w->X_GB, d->body_V = w->V, d->body_F = w->F;
  d->slot = w->slot, d->reg = w->reg, d->force_power = w->power, d->force_output = w->output;

  w->force_kind[0] = kind;
  w->joint_kind[0] = sar_joint_kind_find("spherical"), w->turned[0] = 1;
  w->joint_kind[1] = sar_joint_kind_find("planar");
  w->joint_class[0] = w->joint_class[1] = SAR_CLASS_GENERAL;
  w->qadr[1] = 4, w->vadr[1] = 3;
  quat_store(w->q_zero, quat_identity());
  quat_store(w->q, rng_quat(r));
  v3_store(w->q + 4, rng_v3(r, -1, 1));
  for (int i = 0; i < 6; i++) w->v[i] = rng_uniform(r, -1, 1);
  for (int b = 0; b < WORLD_BODIES; b++) {
    w->parent[b] = -1;
    w->X_PF[b] = world_random_pose(r), w->X_BU[b] = world_random_pose(r);
    w->X_GB[b] = world_random_pose(r);
    w->V[b].w = rng_v3(r, -1, 1), w->V[b].v = rng_v3(r, -1, 1);
  }
  for (int i = 0; i < SAR_FORCE_MAX_ATTR; i++) w->attr[i] = (SarAttrValue){.index = -1};
}

static inline void world_free(World* w) { sar_arena_free(&w->arena); }

static inline int world_attr(const World* w, const char* name) {
  const SarForceKind* k = w->force_kind[0];
  for (int i = 0; i < k->nattr; i++)
    if (strcmp(k->attr[i].name, name) == 0) return i;
  fail_msg("%s has no attribute %s", k->name, name);
  return -1;
}

// Gives an attribute `count` constants.
static inline void world_set(World* w, const char* name, const double* values, int count) {
  SarAttrValue* a = &w->attr[world_attr(w, name)];
  *a = (SarAttrValue){.index = -1, .adr = w->numbers, .given = true};
  for (int i = 0; i < count; i++) w->attr_data[w->numbers++] = values[i];
}
static inline void world_set_number(World* w, const char* name, double value) {
  world_set(w, name, &value, 1);
}
static inline void world_set_index(World* w, const char* name, int index) {
  int i = world_attr(w, name);
  w->attr[i].index = w->attr[i].holder = index, w->attr[i].given = true;
}
static inline void world_set_point(World* w, const char* name, int body, V3 p_B) {
  double p[3];
  v3_store(p, p_B);
  world_set(w, name, p, 3);
  world_set_index(w, name, body);
}
static inline void world_set_table(World* w, const char* name, const double* rows, int count) {
  world_set(w, name, rows, 2 * count);
  world_set_index(w, name, count);
}
// Makes an attribute vary in time: `count` slots with these values now.
static inline void world_set_slots(World* w, const char* name, const double* values, int count) {
  world_set_index(w, name, w->slots);
  for (int i = 0; i < count; i++) w->slot[w->slots++] = values[i];
}

static inline int world_local_slot(void* context, const char* name) {
  const SarForceKind* kind = context;
  for (int i = 0; i < SAR_LAW_LOCALS && kind->local[i]; i++)
    if (strcmp(kind->local[i], name) == 0) return WORLD_LOCAL + i;
  return -1;
}
static inline void world_set_law(World* w, const char* name, const char* text) {
  SarError err;
  sar_error_init(&err);
  SarLoc loc = {"law", 1, 1};
  const SarForceKind* kind = w->force_kind[0];
  SarExpr* e = sar_expr_parse(&w->arena, text, strlen(text), loc, &err);
  assert_non_null(e);
  w->expr[0].slot = -1;
  assert_true(sar_expr_compile(&w->arena, e, world_local_slot, (void*)(uintptr_t)kind, NULL, 0,
                               &w->expr[0].program, &w->m.instr, &err));
  assert_true(w->expr[0].program.registers <= 256);
  world_set_index(w, name, 0);
}

// All values set: constants from the design position.
static inline void world_prepare(World* w) {
  w->constant_adr[0] = w->numbers;
  const SarForceKind* kind = w->force_kind[0];
  w->numbers += kind->constants ? kind->constants(&w->m, 0) : kind->nconstant;
  assert_true(w->numbers <= WORLD_NUMBERS && w->slots <= WORLD_LOCAL);
  sar_forces_prepare(&w->m);
}

static inline void world_apply(World* w) {
  for (int b = 0; b < WORLD_BODIES; b++) w->F[b] = force_zero();
  for (int i = 0; i < 6; i++) w->tau[i] = 0;
  w->power[0] = (double)NAN;
  for (int i = 0; i < SAR_FORCE_MAX_OUTPUT; i++) w->output[i] = (double)NAN;
  if (w->force_kind[0]->ahead) w->force_kind[0]->ahead(&w->m, &w->d, 0);
  w->force_kind[0]->apply(&w->m, &w->d, 0);
}

static inline double world_energy(const World* w) {
  const SarForceKind* k = w->force_kind[0];
  return k->energy ? k->energy(&w->m, &w->d, 0) : 0;
}

// Every body and joint a time h further on its way, at its present velocity. (A copied world shares
// the model and all but the positions with the first.)
static inline void world_move(World* w, double h) {
  w->d.body_X_GB = w->X_GB;
  for (int b = 0; b < WORLD_BODIES; b++) {
    Xform* X = &w->X_GB[b];
    X->p = v3_axpy(h, m3_mul_v(X->R, w->V[b].v), X->p);
    X->R = m3_mul(X->R, quat_to_m3(quat_exp(v3_scale(h, w->V[b].w))));
  }
  w->d.q = w->q;
  for (int b = 0; b < WORLD_BODIES; b++) {
    double q0[SAR_JOINT_MAX_NQ], xi[SAR_JOINT_MAX_NV];
    memcpy(q0, &w->q[w->qadr[b]], (size_t)w->joint_kind[b]->nq * sizeof *q0);
    for (int i = 0; i < WORLD_JOINT_NV; i++) xi[i] = h * w->v[w->vadr[b] + i];
    sar_joint_retract(w->joint_kind[b], w->param, q0, xi, &w->q[w->qadr[b]]);
  }
}
