// Stiffness and damping of the applied forces over symbols (tangents.h).
#include "codegen/tangents.h"

#include "codegen/motion.h"
#include "model/partial.h"

enum { NV = SAR_JOINT_MAX_NV };

static SarNode positive(SarGraph* g, SarNode x) {
  double value;
  if (sar_node_is_number(g, x, &value)) return s_num(g, value > 0 ? value : 0);
  return sar_sym_select(g, sar_sym_call(g, SAR_OP_GT, x, s_num(g, 0)), x, s_num(g, 0));
}

// ---- notes of elements --------------------------------------------------------------------------

SymTangent* sar_symbols_tangent(SarSymbols* s, int force, SymV3 p) {
  SymTangent* t = s->tangents ? SAR_LIST_ADD(s->arena, &s->tangents->bodies) : NULL;
  if (!t) return NULL;
  *t = (SymTangent){.force = force, .p = p};
  for (int i = 0; i < SYM_DIRECTIONS; i++)
    for (int k = 0; k < SYM_DIRECTIONS; k++) t->K[i][k] = t->C[i][k] = s_num(s->g, 0);
  return t;
}

void sar_symbols_resist(SarSymbols* s, SymTangent* t, SymV3 n, SymV3 f, SarNode k, SarNode c) {
  if (!t) return;
  const int i = t->num++;
  t->B[i] = (SymMotion){n, f};
  t->K[i][i] = positive(s->g, k);
  t->C[i][i] = positive(s->g, c);
}

void sar_symbols_resist_joint(SarSymbols* s, SymCoordinateTangent t) {
  SymCoordinateTangent* place = s->tangents ? SAR_LIST_ADD(s->arena, &s->tangents->joints) : NULL;
  if (place) *place = t;
}

// ---- values that follow what they measure -------------------------------------------------------

static SarNode partial(SarSymbols* s, int k) { return sar_symbols_program(s, &s->m->partial[k]); }

// The general case takes the semidefinite part of a 6 x 6 matrix; it is at hand where each
// component of the value follows the same component of the motion of its own point.
static bool is_plain(const SarMeasure* of, int component, V3 p_B, bool turns, bool body_axes) {
  const bool here = of->point.x == p_B.x && of->point.y == p_B.y && of->point.z == p_B.z;
  const bool turning = of->kind == SAR_MEASURE_OMEGA;
  return of->component == component && !body_axes && turning == turns && (turns || here);
}

void sar_symbols_follow(SarSymbols* s, int force, const SarAttrValue* value, SymTangent* t, V3 p_B,
                        bool turns, bool body_axes) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  if (!t || value->index < 0) return;
  for (int i = 0; i < 3; i++) {
    const int slot = value->index + i;
    SarNode k = s_num(g, 0), c = k;
    for (int p = sar_first_partial(m, slot); sar_is_partial(m, p, slot); p++) {
      const SarMeasure* of = sar_partial_measure(m, p);
      if (!is_plain(of, i, p_B, turns, body_axes))
        sar_symbols_refuse(s,
                           "force '%s': its value follows the motion of its body in a way that "
                           "method 'hybrid' has no tangent for",
                           sar_text(m, m->force_name[force]));
      SarNode* to = of->kind == SAR_MEASURE_POINT ? &k : &c;
      *to = s_sub(g, *to, partial(s, p));
    }
    const SymV3 axis = sv3_of(g, v3(i == 0, i == 1, i == 2)), none = sv3_zero(g);
    sar_symbols_resist(s, t, turns ? axis : none, turns ? none : axis, k, c);
  }
}

void sar_symbols_follow_joint(SarSymbols* s, int slot, int joint, int i, SarNode* k, SarNode* c) {
  const SarModel* m = s->m;
  const bool plain = m->joint_nq[joint] == m->joint_nv[joint];
  *k = *c = s_num(s->g, 0);
  for (int p = sar_first_partial(m, slot); sar_is_partial(m, p, slot); p++) {
    const SarMeasure* of = sar_partial_measure(m, p);
    if (of->index != joint || of->component != i) continue;
    if (of->kind == SAR_MEASURE_Q && plain) *k = s_sub(s->g, *k, partial(s, p));
    if (of->kind == SAR_MEASURE_V) *c = s_sub(s->g, *c, partial(s, p));
  }
  *k = positive(s->g, *k);
  *c = positive(s->g, *c);
}

// ---- into the matrix ----------------------------------------------------------------------------

typedef struct Sum {
  SarSymbols* s;
  SarNode gain_K, gain_C;
  SarNode* T;
} Sum;

static SarNode gained(const Sum* x, SarNode k, SarNode c) {
  return s_mac(x->s->g, s_mul(x->s->g, x->gain_K, k), x->gain_C, c);
}

static void add(const Sum* x, int i, int j, SarNode value) {
  SarNode* to = &x->T[i * x->s->m->nv + j];
  *to = s_add(x->s->g, *to, value);
}

// Motion of body b at the ground point p for a unit speed of coordinate dof.
static SymMotion column(const SarSymbols* s, int dof, SymV3 p) {
  SarGraph* g = s->g;
  const int b = s->m->dof_body[dof], i = dof - s->m->joint_vadr[b];
  const SymXform X = s->X_GB[b];
  const SymV3 w = sm3_mul_v(g, X.R, s->joint[b].S[i].w);
  SymV3 v = sm3_mul_v(g, X.R, s->joint[b].S[i].v);
  if (i < 3 && sar_symbols_is_free(s, b)) {  // an axis of F, which products of rotations would hide
    const SymM3 R = s->joint[b].X_PF.R;
    const SymV3 axis = i == 0 ? sm3_col_x(R) : i == 1 ? sm3_col_y(R) : sm3_col_z(R);
    v = sm3_mul_v(g, sar_symbols_pose(s, s->m->body_parent[b]).R, axis);
  }
  return (SymMotion){w, sv3_add(g, v, sv3_cross(g, w, sv3_sub(g, p, X.p)))};
}

static const SarTangentBlock* block_of(const SarModel* m, int force) {
  for (int k = 0; k < m->ntangent; k++)
    if (m->tangent[k].source != SAR_TANGENT_JOINT && m->tangent[k].index == force)
      return &m->tangent[k];
  return NULL;
}

static void add_body(const Sum* x, const SymTangent* t) {
  SarSymbols* s = x->s;
  SarGraph* g = s->g;
  const SarTangentBlock* block = block_of(s->m, t->force);
  if (!block) return;
  const int* dof = &s->m->tangent_dof[block->adr];
  SarNode* u = SAR_ARENA_ARRAY(s->arena, SarNode, block->num * SYM_DIRECTIONS + 1);
  for (int i = 0; u && i < block->num; i++) {
    const SymMotion J = column(s, dof[i], t->p);
    const bool minus = (i < block->num_first) == block->a_first;
    for (int k = 0; k < t->num; k++) {
      const SarNode along = s_add(g, sv3_dot(g, t->B[k].w, J.w), sv3_dot(g, t->B[k].v, J.v));
      u[i * SYM_DIRECTIONS + k] = minus ? s_neg(g, along) : along;
    }
  }
  for (int i = 0; u && i < block->num; i++)
    for (int l = 0; l < t->num; l++) {
      SarNode f = s_num(g, 0);  // sum_k u_ik A_kl
      for (int k = 0; k < t->num; k++)
        f = s_mac(g, f, u[i * SYM_DIRECTIONS + k], gained(x, t->K[k][l], t->C[k][l]));
      for (int j = 0; j <= i; j++) {
        const SarNode part = s_mul(g, f, u[j * SYM_DIRECTIONS + l]);
        add(x, dof[i], dof[j], part);
        if (i != j) add(x, dof[j], dof[i], part);
      }
    }
}

// ---- joints -------------------------------------------------------------------------------------

// P[i]: speeds of the file for a unit speed i of the tree.
static void file_speeds(SarSymbols* s, int joint, SarNode P[NV][NV]) {
  SarNode q[SAR_JOINT_MAX_NQ], unit[NV];
  for (int i = 0; i < s->m->joint_nv[joint]; i++) {
    for (int k = 0; k < NV; k++) unit[k] = s_num(s->g, k == i);
    sar_symbols_flip(s, joint, &s->q[s->m->joint_qadr[joint]], unit, q, P[i]);
  }
}

static void add_coordinates(const Sum* x, const SymCoordinateTangent* t) {
  SarSymbols* s = x->s;
  SarNode P[2][NV][NV];
  const int joints = t->joint[1] < 0 ? 1 : 2;
  for (int k = 0; k < joints; k++) file_speeds(s, t->joint[k], P[k]);
  const SarNode gain = gained(x, t->k, t->c);
  for (int a = 0; a < joints; a++)
    for (int b = 0; b < joints; b++)
      for (int i = 0; i < s->m->joint_nv[t->joint[a]]; i++)
        for (int j = 0; j < s->m->joint_nv[t->joint[b]]; j++) {
          const SarNode left = s_mul(s->g, t->g[a], P[a][i][t->component[a]]);
          const SarNode right = s_mul(s->g, t->g[b], P[b][j][t->component[b]]);
          add(x, s->m->joint_vadr[t->joint[a]] + i, s->m->joint_vadr[t->joint[b]] + j,
              s_mul(s->g, gain, s_mul(s->g, left, right)));
        }
}

// Springs, dampers and actuators of joints: diagonal in the file's coordinates but for springs of
// rotations in space, x = log of the rotation, K = A'kA with dx/dt = A v (forces.c).
static void add_joint(const Sum* x, int joint) {
  SarSymbols* s = x->s;
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  const int nv = m->joint_nv[joint], adr = m->joint_vadr[joint];
  SarNode P[NV][NV], A[NV][NV];
  file_speeds(s, joint, P);
  const bool turns = sar_symbols_spring_rates(s, joint, A);
  for (int k = 0; k < nv; k++) {
    SarNode of_q = s_num(g, 0), of_v = of_q;
    if (m->dof_force_slot[adr + k] >= 0)
      sar_symbols_follow_joint(s, m->dof_force_slot[adr + k], joint, k, &of_q, &of_v);
    const SarNode spring = positive(g, s_num(g, m->dof_stiffness[adr + k]));
    const SarNode c = s_add(g, of_v, positive(g, s_num(g, m->dof_damping[adr + k])));
    const SarNode own = gained(x, turns ? of_q : s_add(g, of_q, spring), c);
    for (int i = 0; i < nv; i++)
      for (int j = 0; j < nv; j++) {
        SarNode sum = s_mul(g, s_mul(g, P[i][k], own), P[j][k]);
        if (turns)  // A[i]: column of v_i, of the file
          for (int a = 0; a < nv; a++)
            for (int b = 0; b < nv; b++)
              sum = s_mac(g, sum,
                          s_mul(g, s_mul(g, P[i][a], A[a][k]), gained(x, spring, s_num(g, 0))),
                          s_mul(g, A[b][k], P[j][b]));
        add(x, adr + i, adr + j, sum);
      }
  }
}

void sar_symbols_add_tangents(SarSymbols* s, SarNode gain_K, SarNode gain_C, SarNode* T) {
  const SarModel* m = s->m;
  const Sum x = {s, gain_K, gain_C, T};
  for (int i = 0; i < s->tangents->bodies.count; i++) add_body(&x, &s->tangents->bodies.items[i]);
  for (int i = 0; i < s->tangents->joints.count; i++)
    add_coordinates(&x, &s->tangents->joints.items[i]);
  for (int k = 0; k < m->ntangent; k++)
    if (m->tangent[k].source == SAR_TANGENT_JOINT && m->tangent[k].index < m->nbody)
      add_joint(&x, m->tangent[k].index);
}
