// Spanning tree, numbering, and all arrays of bodies, joints and coordinates.
//
// Frame B of a body is the outer frame of its joint. With the joint's frames X_UF in the file's body
// frames U of its two bodies, inner i and outer o (turned: the file's child is the inner one, and
// both frames are rotated by the kind's `turn`):
//   X_BU(o) = X_UF(o)^-1,   X_PF = X_BU(parent) X_UF(i)
#include "model/compile_parts.h"
#include "model/graph.h"

#include <math.h>
#include <string.h>

// ---- which joints had better stay in the tree ------------------------------------------------

static void mark_name(void* context, const char* name, SarLoc loc) {
  Compile* c = context;
  (void)loc;
  const char* dot = strrchr(name, '.');
  if (!dot) return;
  char* owner = sar_arena_strndup(&c->arena, name, (size_t)(dot - name));
  int j = owner ? sar_names_find(&c->joint_names, owner) : -1;
  if (j >= 0) c->joint[j].measured = true;
}

static void mark_in(Compile* c, SpecNum n) {
  if (n.expr) sar_expr_visit_names(n.expr, mark_name, c);
}

static void mark_measured(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->variables.count; i++) mark_in(c, s->variables.items[i].value);
  for (int i = 0; i < s->outputs.count; i++) mark_in(c, s->outputs.items[i].expr);
  for (int j = 0; j < c->njoint_spec; j++) {
    const SpecDofs* force = &c->joint[j].spec->force;
    for (int i = 0; i < force->count; i++) mark_in(c, force->c[i]);
    if (c->joint[j].mimic >= 0) c->joint[j].measured = c->joint[c->joint[j].mimic].measured = true;
  }
  for (int i = 0; i < s->forces.count; i++) {
    const SpecForce* f = &s->forces.items[i];
    for (int k = 0; k < f->kind->nattr; k++) {
      const SpecValue* v = &f->values[k];
      for (int n = 0; n < v->count; n++) mark_in(c, v->numbers[n]);
      if (f->kind->attr[k].type != SAR_ATTR_JOINT || !v->name.text) continue;
      int j = sar_names_find(&c->joint_names, v->name.text);
      if (j >= 0) c->joint[j].measured = true;
    }
  }
}

static bool has_values(const JointPart* p) {
  const SpecJoint* s = p->spec;
  return s->stiffness.count || s->damping.count || s->friction.count || s->armature.count ||
         s->force.count;
}

static bool is_one_way(const JointPart* p) {
  double ignored[SAR_JOINT_MAX_NV];
  return !sar_turn_armature(p, ignored);
}

static bool find_tree(Compile* c, SarTree* tree) {
  SarGraphJoint* joints = SAR_ARENA_ARRAY(&c->arena, SarGraphJoint, c->njoint + 1);
  const char** names = SAR_ARENA_ARRAY(&c->arena, const char*, c->nbody + 1);
  if (!joints || !names) return false;
  for (int b = 0; b < c->nbody; b++) names[b] = c->body[b].item.name;
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    joints[j] = (SarGraphJoint){
        .name = p->item.name,
        .body = {p->body[0], p->body[1]},
        .freedoms = p->kind->nv,
        .needed = p->measured || has_values(p),
        .started = p->spec->position.count || p->spec->speed.count,
        .one_way = is_one_way(p),
    };
  }
  return sar_graph_tree(&c->arena, names, c->nbody, joints, c->njoint, tree);
}

// ---- free bodies ----------------------------------------------------------------------------

// F = ground, B = U: the coordinates are the pose of the body frame; the linear speed is in ground
// axes, the angular one in body axes.
static bool add_free_joint(Compile* c, int body, SarTree* tree, int number) {
  BodyPart* b = &c->body[body];
  const SarJointKind* kind = sar_joint_kind_find("free");
  JointPart* p = &c->joint[c->njoint];
  *p = (JointPart){
      .kind = kind, .item = {"joint", b->item.name, b->item.loc}, .mimic = -1, .cut = -1};
  p->body[0] = GROUND;
  p->body[1] = body;
  p->sound = true;
  p->X_UF[0] = p->X_UF[1] = x_identity();
  for (int i = 0; i < kind->nv; i++) {
    p->value.lower[i] = -UNLIMITED;
    p->value.upper[i] = p->value.effort[i] = p->value.speed_limit[i] = UNLIMITED;
  }
  p->value.friction_speed = 1;
  v3_store(p->value.q, b->X_GU.p);
  quat_store(p->value.q + 3, quat_from_m3(b->X_GU.R));
  V3 v = sar_vector(c, &b->spec->velocity, b->item, "velocity", v3_zero());
  V3 w = sar_vector(c, &b->spec->angular_velocity, b->item, "angular_velocity", v3_zero());
  v3_store(p->value.v, v);
  v3_store(p->value.v + 3, m3_tmul_v(b->X_GU.R, w));

  int other = sar_names_find(&c->joint_names, b->item.name);
  if (other >= 0)
    sar_complain(c, c->joint[other].item, c->joint[other].item.loc, "rename the joint or the body",
                 "body '%s' is free and has a joint of its own name already", b->item.name);
  else if (!sar_names_add(&c->arena, &c->joint_names, b->item.name, c->njoint))
    return false;
  tree->joint[number] = c->njoint++;
  return true;
}

static void refuse_velocity(Compile* c, const BodyPart* b, const JointPart* carrier) {
  const SpecVec3* v = &b->spec->velocity;
  if (!sar_given(v)) v = &b->spec->angular_velocity;
  if (sar_given(v))
    sar_complain(c, b->item, v->c[0].loc, "give the joint a 'speed'",
                 "a velocity is for free bodies, but joint '%s' carries this one",
                 carrier->item.name);
}

// ---- arrays ---------------------------------------------------------------------------------

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
  JointPart* p = &c->joint[tree->joint[i]];
  int inner = p->turned ? 1 : 0;
  b->tree = p->tree = i;
  b->X_BU = x_inv(turned_frame(p, 1 - inner));
  m->body_parent[i] = tree->parent[i];
  m->body_X_BU[i] = b->X_BU;
  m->body_X_PF[i] = x_mul(X_BU_of(c, p->body[inner]), turned_frame(p, inner));
  m->body_inertia[i] = inertia_transform(b->X_BU, b->inertia);
  m->body_name[i] = sar_intern(c, b->item.name);
  m->joint_kind[i] = p->kind;
  m->joint_class[i] = (int)p->kind->cls;
  m->joint_nq[i] = p->kind->nq;
  m->joint_nv[i] = p->kind->nv;
  m->joint_turned[i] = p->turned;
  m->joint_name[i] = sar_intern(c, p->item.name);
  memcpy(&m->joint_param[i * SAR_JOINT_MAX_PARAM], p->param, sizeof p->param);
  for (int k = 0; k < 2; k++) m->joint_X_BF[2 * i + k] = x_mul(X_BU_of(c, p->body[k]), p->X_UF[k]);
  if (p->kind->cls == SAR_CLASS_GENERAL) m->has_general = true;
}

// last_dof: the last coordinate on the way from the parent to ground, -1 = none
static void fill_coordinates(Compile* c, const SarTree* tree, int i, int last_dof) {
  SarModel* m = &c->m;
  const JointPart* p = &c->joint[tree->joint[i]];
  JointValues v = p->value;
  if (p->turned) sar_turn_armature(p, v.armature);
  if (p->turned && p->kind->flip) p->kind->flip(p->param, p->value.q, p->value.v, v.q, v.v);
  int nq = p->kind->nq, nv = p->kind->nv, q = m->joint_qadr[i], adr = m->joint_vadr[i];
  memcpy(&m->q0[q], v.q, sizeof(double) * (size_t)nq);
  if (p->spec)
    sar_joint_zero(p->kind, &m->q_zero[q]);
  else
    memcpy(&m->q_zero[q], v.q, sizeof(double) * (size_t)nq);  // a free body starts as designed
  for (int k = 0; k < nv; k++) {
    int d = adr + k;
    m->v0[d] = v.v[k];
    m->dof_body[d] = i;
    m->dof_armature[d] = v.armature[k];
    m->dof_stiffness[d] = v.stiffness[k];
    m->dof_rest[d] = v.rest[k];
    m->dof_damping[d] = v.damping[k];
    m->dof_friction[d] = v.friction[k];
    m->dof_friction_speed[d] = v.friction_speed;
    m->dof_force_slot[d] = -1;
    m->dof_lower[d] = v.lower[k];
    m->dof_upper[d] = v.upper[k];
    m->dof_effort[d] = v.effort[k];
    m->dof_speed_limit[d] = v.speed_limit[k];
    if (v.stiffness[k] != 0 || v.damping[k] != 0 || v.friction[k] != 0) m->joint_passive[i] = 1;
    m->dof_parent[d] = k > 0 ? d - 1 : last_dof;
  }
  if (m->joint_passive[i]) m->has_passive = true;
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

static void fill_cuts(Compile* c, const SarTree* tree) {
  for (int k = 0; k < tree->ncut; k++) {
    JointPart* p = &c->joint[tree->cut[k]];
    SarCut* cut = &c->m.cut[k];
    *cut = (SarCut){.kind = p->kind, .name = sar_intern(c, p->item.name)};
    p->cut = k;
    p->tree = -1;
    for (int end = 0; end < 2; end++) {
      cut->body[end] = p->body[end] < 0 ? GROUND : c->body[p->body[end]].tree;
      cut->X_BF[end] = x_mul(X_BU_of(c, p->body[end]), p->X_UF[end]);
    }
    memcpy(cut->param, p->param, sizeof cut->param);
    if (has_values(p))
      sar_remark(c, p->item, p->item.loc, "let another joint of the loop be the one without them",
                 "closes a loop; its spring, damper, friction, armature and force are left out");
  }
}

static bool fill_couplings(Compile* c) {
  SarModel* m = &c->m;
  m->ncoupling = 0;
  m->coupling = SAR_ARENA_ARRAY(&c->arena, SarCoupling, c->njoint + 1);
  int* follower = SAR_ARENA_ARRAY(&c->arena, int, m->nbody + 1);  // by tree joint, 1 + part
  if (!m->coupling || !follower) return false;
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (p->mimic < 0) continue;
    if (p->tree >= 0 && c->joint[p->mimic].tree >= 0)
      follower[p->tree] = j + 1;
    else
      sar_complain(c, p->item, p->spec->mimic.loc, "open the loop at another joint",
                   "'mimic' needs both joints in the tree, but one of them closes a loop");
  }
  for (int i = 0; i < m->nbody; i++) {
    if (!follower[i]) continue;
    const JointPart* p = &c->joint[follower[i] - 1];
    m->coupling[m->ncoupling++] =
        (SarCoupling){i, c->joint[p->mimic].tree, p->multiplier, p->offset};
  }
  return true;
}

static bool fill(Compile* c, const SarTree* tree) {
  SarModel* m = &c->m;
  m->nbody = c->nbody;
  m->ncut = tree->ncut;
  for (int i = 0; i < m->nbody; i++) {
    m->nq += c->joint[tree->joint[i]].kind->nq;
    m->nv += c->joint[tree->joint[i]].kind->nv;
  }
  int* last_dof = SAR_ARENA_ARRAY(&c->arena, int, m->nbody + 1);
  if (!take_arrays(c)) return false;
  int q = 0, v = 0;
  for (int i = 0; i < m->nbody; i++) {
    fill_body(c, tree, i);
    m->joint_qadr[i] = q;
    m->joint_vadr[i] = v;
    q += m->joint_nq[i];
    v += m->joint_nv[i];
    int parent = m->body_parent[i], before = parent >= 0 ? last_dof[parent] : -1;
    last_dof[i] = m->joint_nv[i] > 0 ? v - 1 : before;
    fill_coordinates(c, tree, i, before);
  }
  for (int i = m->nbody - 1; i >= 0; i--) {
    m->body_subtree[i] += 1;
    if (m->body_parent[i] >= 0) m->body_subtree[m->body_parent[i]] += m->body_subtree[i];
  }
  fill_cuts(c, tree);
  return fill_couplings(c);
}

bool sar_compile_tree(Compile* c) {
  SarTree tree = {0};
  c->body_at = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  c->joint_at = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + c->nbody + 1);
  if (c->arena.failed) return false;
  // until the tree is known, and after errors, numbers are those of the spec
  c->njoint_at = c->njoint;
  for (int j = 0; j < c->njoint; j++) c->joint_at[j] = j;
  for (int b = 0; b < c->nbody; b++) {
    c->body[b].X_BU = x_identity();
    c->body_at[b] = b;
  }
  if (!sar_compile_sound(c)) return true;
  mark_measured(c);
  if (!find_tree(c, &tree)) return false;
  for (int i = 0; i < c->nbody; i++) {
    int j = tree.joint[i];
    if (j < 0) {
      if (!add_free_joint(c, tree.body[i], &tree, i)) return false;
      continue;
    }
    JointPart* p = &c->joint[j];
    p->turned = tree.turned[i];
    refuse_velocity(c, &c->body[tree.body[i]], p);
    if (p->turned && is_one_way(p))
      sar_complain(c, p->item, p->spec->armature.loc, "swap parent and child",
                   "the tree runs from '%s' to '%s', but the armature of a %s joint counts one way",
                   p->spec->child.text, p->spec->parent.text, p->kind->name);
  }
  if (!sar_compile_sound(c)) return true;
  c->tree_known = true;
  c->body_at = tree.body;
  c->joint_at = tree.joint;
  c->njoint_at = c->nbody;
  return fill(c, &tree) && sar_compile_massless(c);
}
