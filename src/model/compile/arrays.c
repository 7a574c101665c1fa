// All arrays of bodies, joints and coordinates, for a tree and the joints it leaves out.
//
// Frame B of a body is the outer frame of its joint. With the joint's frames X_UF in the file's
// body frames U of its two bodies, inner i and outer o (turned: the file's child is the inner one,
// and both frames are rotated by the kind's `turn`):
//   X_BU(o) = X_UF(o)^-1,   X_PF = X_BU(parent) X_UF(i)
// A body that is fixed to another lies in B of its root: X_BU = X_BU(root) X_RU.
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

static Xform turned_frame(const JointPart* p, int end) {
  const M3 turn = p->kind->turn, none = {0};
  Xform X = p->X_UF[end];
  if (p->turned && memcmp(&turn, &none, sizeof turn) != 0) X.R = m3_mul(X.R, turn);
  return X;
}

static Xform X_BU_of(const Compile* c, int body) {
  return body >= 0 ? c->body[body].X_BU : x_identity();
}

static void fill_body(Compile* c, const SarTree* tree, int i) {
  SarModel* m = &c->m;
  BodyPart* b = &c->body[tree->body[i]];
  const JointPart* p = &c->joint[tree->joint[i]];
  int inner = p->turned ? 1 : 0;
  b->tree = b->number = i;
  b->X_BU = x_inv(turned_frame(p, 1 - inner));
  m->body_parent[i] = tree->parent[i];
  m->body_X_BU[i] = b->X_BU;
  m->body_X_PF[i] = x_mul(X_BU_of(c, p->body[inner]), turned_frame(p, inner));
  m->body_holder[i] = p->body[inner] < 0 ? GROUND : c->body[p->body[inner]].number;
  m->body_inertia[i] = inertia_transform(b->X_BU, b->whole);
  m->body_name[i] = sar_intern(c, b->item.name);
  if (p->kind->cls == SAR_CLASS_GENERAL) m->has_general = true;
  if (p->kind->cls == SAR_CLASS_REVOLUTE) m->has_revolute = true;
}

// What is fixed to another, and has its number behind those of the tree.
static void fill_fixed(Compile* c, int body, int i) {
  SarModel* m = &c->m;
  BodyPart* b = &c->body[body];
  JointPart* p = &c->joint[b->fixed_by];
  if (b->knot) {
    sar_fill_knot(c, body, i);
    return;
  }
  const int holder = p->body[p->turned ? 1 : 0];
  b->number = m->nbody + i;
  b->tree = b->root < 0 ? GROUND : c->body[b->root].tree;
  b->X_BU = x_mul(X_BU_of(c, b->root), b->X_RU);
  p->tree = p->cut = p->number = -1;
  m->fixed_body[i] = b->tree;
  m->fixed_holder[i] = holder < 0 ? GROUND : c->body[holder].number;
  m->fixed_X_BU[i] = b->X_BU;
  m->fixed_mass[i] = b->inertia.m;
  m->fixed_turned[i] = p->turned;
  m->fixed_name[i] = sar_intern(c, b->item.name);
  m->fixed_joint_name[i] = sar_intern(c, p->item.name);
}

static void fill_joint(Compile* c, const JointPart* p) {
  SarModel* m = &c->m;
  int i = p->number;
  m->joint_kind[i] = p->kind;
  m->joint_class[i] = (int)p->kind->cls;
  m->joint_nq[i] = p->kind->nq;
  m->joint_nv[i] = p->kind->nv;
  m->joint_turned[i] = p->turned;
  m->joint_name[i] = sar_intern(c, p->item.name);
  memcpy(&m->joint_param[i * SAR_JOINT_MAX_PARAM], p->param, sizeof p->param);
  for (int k = 0; k < 2; k++) m->joint_X_BF[2 * i + k] = x_mul(X_BU_of(c, p->body[k]), p->X_UF[k]);
}

static void fill_coordinates(Compile* c, const JointPart* p) {
  SarModel* m = &c->m;
  JointValues v = p->value;
  if (p->turned && p->kind->flip) p->kind->flip(p->param, p->value.q, p->value.v, v.q, v.v);
  int i = p->number, nq = p->kind->nq, nv = p->kind->nv, q = m->joint_qadr[i];
  memcpy(&m->q0[q], v.q, sizeof(double) * (size_t)nq);
  memcpy(&m->q_zero[q], p->zero, sizeof(double) * (size_t)nq);
  for (int k = 0; k < nv; k++) {
    int d = m->joint_vadr[i] + k;
    m->v0[d] = v.v[k];
    m->q0_given[d] = p->q_given;
    m->v0_given[d] = p->v_given[k];
    m->dof_body[d] = i;
    m->dof_stiffness[d] = sar_law(p, LAW_STIFFNESS)[k];
    m->dof_rest[d] = sar_law(p, LAW_REST)[k];
    m->dof_damping[d] = sar_law(p, LAW_DAMPING)[k];
    m->dof_friction[d] = sar_law(p, LAW_FRICTION)[k];
    m->dof_friction_speed[d] = *sar_friction_speed(p);
    m->dof_breakaway[d] = sar_law(p, LAW_BREAKAWAY)[k];
    m->dof_stribeck_speed[d] = *sar_stribeck_speed(p);
    m->dof_force_slot[d] = -1;
    m->dof_lower[d] = sar_law(p, LAW_LOWER)[k];
    m->dof_upper[d] = sar_law(p, LAW_UPPER)[k];
    m->dof_restitution[d] = sar_law(p, LAW_RESTITUTION)[k];
    m->dof_effort[d] = sar_law(p, LAW_EFFORT)[k];
    m->dof_speed_limit[d] = sar_law(p, LAW_SPEED_LIMIT)[k];
    if (m->dof_stiffness[d] != 0 || m->dof_damping[d] != 0 || m->dof_friction[d] != 0)
      m->joint_passive[i] = 1;
  }
  if (m->joint_passive[i]) m->has_passive = true;
}

// What only the coordinates of the tree have. last_dof: the last coordinate on the way from the
// parent to ground, -1 = none.
static void fill_tree_coordinates(Compile* c, const JointPart* p, int last_dof) {
  SarModel* m = &c->m;
  double armature[SAR_JOINT_MAX_NV];
  memcpy(armature, sar_law(p, LAW_ARMATURE), sizeof *armature * (size_t)p->kind->nv);
  if (p->turned) sar_turn_armature(p, armature);
  for (int k = 0; k < p->kind->nv; k++) {
    int d = m->joint_vadr[p->number] + k;
    m->dof_armature[d] = armature[k];
    m->dof_parent[d] = k > 0 ? d - 1 : last_dof;
  }
}

// Every array of the model's table, zeroed, for the sizes known so far; later stages replace those
// whose size they find out.
static bool take_arrays(Compile* c) {
  SarModel* m = &c->m;
#define X(type, field, n, columns, doc) \
  m->field = SAR_ARENA_ARRAY(&c->arena, type, (size_t)(m->n) * (size_t)(columns));
  SAR_MODEL_ARRAYS(X)
#undef X
  return !c->arena.failed;
}

// Joint number i starts at the coordinates (q, v); both move on.
static JointPart* number_joint(Compile* c, int joint, int i, int* q, int* v) {
  JointPart* p = &c->joint[joint];
  SarModel* m = &c->m;
  p->number = i;
  p->tree = i < m->nbody ? i : -1;
  p->cut = i < m->nbody ? -1 : i - m->nbody;
  m->joint_qadr[i] = *q;
  m->joint_vadr[i] = *v;
  *q += p->kind->nq;
  *v += p->kind->nv;
  return p;
}

static void fill_cuts(Compile* c, const SarTree* tree) {
  SarModel* m = &c->m;
  int q = m->nq, v = m->nv;
  for (int k = 0; k < tree->ncut; k++) {
    JointPart* p = number_joint(c, tree->cut[k], m->nbody + k, &q, &v);
    p->turned = false;
    fill_joint(c, p);
    fill_coordinates(c, p);
    if (m->joint_passive[p->number]) m->needs_cuts = true;
    SarCut* cut = &m->cut[k];
    *cut = (SarCut){.kind = p->kind, .name = m->joint_name[p->number]};
    for (int end = 0; end < 2; end++) {
      cut->body[end] = p->body[end] < 0 ? GROUND : c->body[p->body[end]].tree;
      cut->holder[end] = p->body[end] < 0 ? GROUND : c->body[p->body[end]].number;
      cut->X_BF[end] = m->joint_X_BF[2 * p->number + end];
    }
    memcpy(cut->param, p->param, sizeof cut->param);
    if (sar_has_armature(p))
      sar_complain(c, p->item, sar_armature_loc(p),
                   "give it to a body instead, as inertia about the axis",
                   "closes a loop of joints that all have armature or a rotor; one of them must do "
                   "without");
  }
}

static bool fill_couplings(Compile* c) {
  SarModel* m = &c->m;
  m->ncoupling = 0;
  m->coupling = SAR_ARENA_ARRAY(&c->arena, SarCoupling, c->njoint + 1);
  int* follower = SAR_ARENA_ARRAY(&c->arena, int, m->njoint + 1);  // by number, 1 + part
  if (!m->coupling || !follower) return false;
  for (int j = 0; j < c->njoint; j++)
    if (c->joint[j].mimic >= 0) follower[c->joint[j].number] = j + 1;
  for (int i = 0; i < m->njoint; i++) {
    if (!follower[i]) continue;
    const JointPart* p = &c->joint[follower[i] - 1];
    m->coupling[m->ncoupling++] =
        (SarCoupling){i, c->joint[p->mimic].number, p->multiplier, p->offset};
  }
  return true;
}

// Numbers that are fine one by one may overflow together.
static void check_sizes(Compile* c) {
  if (c->spec->wrong) return;
  for (int i = 0; i < c->m.nbody; i++) {
    const Inertia* I = &c->m.body_inertia[i];
    V3 p = c->m.body_X_PF[i].p;
    const BodyPart* b = &c->body[c->body_at[i]];
    if (isfinite(p.x + p.y + p.z + I->m + I->h.x + I->h.y + I->h.z + I->I.xx + I->I.yy + I->I.zz))
      continue;
    sar_complain(c, b->item, b->item.loc, "use metres and kilograms",
                 "is too large, too heavy or too far away to compute with");
  }
}

static void count(Compile* c, const SarTree* tree) {
  SarModel* m = &c->m;
  m->nbody = tree->count;
  m->nstart = c->carried ? m->nbody : 0;
  m->nfixed = c->nbody - tree->count;
  m->ncut = tree->ncut;
  m->njoint = m->nbody + m->ncut;
  m->nknot = 0;
  for (int b = 0; b < c->nbody; b++) m->nknot += c->body[b].knot;
  m->nbody_all = m->nbody + m->nknot;
  m->nknot_dof = 3 * m->nknot;  // at most: sar_compile_knots
  m->nq = m->nv = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->nq += c->joint[tree->joint[i]].kind->nq;
    m->nv += c->joint[tree->joint[i]].kind->nv;
  }
  m->nq_all = m->nq, m->nv_all = m->nv;
  for (int k = 0; k < m->ncut; k++) {
    m->nq_all += c->joint[tree->cut[k]].kind->nq;
    m->nv_all += c->joint[tree->cut[k]].kind->nv;
  }
}

bool sar_compile_arrays(Compile* c, const SarTree* tree) {
  SarModel* m = &c->m;
  count(c, tree);
  m->has_passive = m->has_general = m->has_revolute = m->needs_cuts = false;
  int* last_dof = SAR_ARENA_ARRAY(&c->arena, int, m->nbody + 1);
  if (!take_arrays(c)) return false;
  m->nknot = m->nknot_dof = 0;  // sar_fill_knot counts them again
  int q = 0, v = 0, fixed = 0, i = 0;
  for (int k = 0; k < c->nbody; k++) {
    const int body = c->body_order[k];
    if (c->body[body].root != body) {
      fill_fixed(c, body, fixed++);
      continue;
    }
    fill_body(c, tree, i);
    JointPart* p = number_joint(c, tree->joint[i], i, &q, &v);
    fill_joint(c, p);
    fill_coordinates(c, p);
    int parent = m->body_parent[i], before = parent >= 0 ? last_dof[parent] : -1;
    last_dof[i] = m->joint_nv[i] > 0 ? v - 1 : before;
    fill_tree_coordinates(c, p, before);
    i++;
  }
  for (i = m->nbody - 1; i >= 0; i--) {
    m->body_subtree[i] += 1;
    if (m->body_parent[i] >= 0) m->body_subtree[m->body_parent[i]] += m->body_subtree[i];
  }
  check_sizes(c);
  fill_cuts(c, tree);
  return fill_couplings(c);
}
