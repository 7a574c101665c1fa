// Spanning tree, and the joints of bodies that no joint carries.
#include "model/compile/parts.h"

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
  if (j < 0) return;
  c->joint[j].measured = true;
  if (c->joint[j].kind->nv == 0) c->joint[j].reported = true;  // what it carries is all it has
}

static void mark_in(Compile* c, SpecNum n) {
  if (n.expr) sar_expr_visit_names(n.expr, mark_name, c);
}

static void mark_values(Compile* c, SarForm form, const SpecValue* values) {
  for (int k = 0; k < form.nattr; k++) {
    const SpecValue* v = &values[k];
    for (int n = 0; n < v->count; n++) mark_in(c, v->numbers[n]);
    if (form.attr[k].type != SAR_ATTR_JOINT || !v->name.text) continue;
    int j = sar_names_find(&c->joint_names, v->name.text);
    if (j >= 0) c->joint[j].measured = true;
  }
}

static void mark_gate(Compile* c, const SpecGate* g) {
  mark_in(c, g->active);
  mark_in(c, g->from);
  mark_in(c, g->until);
}

static void mark_measured(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->variables.count; i++) mark_in(c, s->variables.items[i].value);
  for (int i = 0; i < s->outputs.count; i++) mark_in(c, s->outputs.items[i].expr);
  for (int i = 0; i < s->states.count; i++) {
    mark_in(c, s->states.items[i].rate.value);
    mark_in(c, s->states.items[i].start);
  }
  for (int j = 0; j < c->njoint_spec; j++) {
    const SpecDofs* force = &c->joint[j].spec->force;
    const SpecMotor* motor = c->joint[j].spec->motor;
    for (int i = 0; i < force->count; i++) mark_in(c, force->c[i]);
    for (int i = 0; motor && i < motor->speed.count; i++) mark_in(c, motor->speed.c[i]);
    for (int i = 0; motor && i < motor->position.count; i++) mark_in(c, motor->position.c[i]);
    mark_gate(c, &c->joint[j].spec->gate);
    if (c->joint[j].mimic >= 0) c->joint[j].measured = c->joint[c->joint[j].mimic].measured = true;
  }
  for (int i = 0; i < s->forces.count; i++) {
    const SpecForce* f = &s->forces.items[i];
    mark_values(c, sar_force_form(f->kind), f->values);
    mark_gate(c, &f->gate);
  }
  for (int i = 0; i < s->constraints.count; i++) {
    const SpecConstraint* f = &s->constraints.items[i];
    mark_values(c, sar_constraint_form(f->kind), f->values);
    mark_gate(c, &f->gate);
  }
}

bool sar_has_values(const JointPart* p) {
  const SpecJoint* s = p->spec;
  return s->stiffness.count || s->damping.count || s->friction.count || s->armature.count ||
         s->force.count || s->motor || s->rotor;
}

static bool is_one_way(const JointPart* p) {
  double ignored[SAR_JOINT_MAX_NV];
  return !sar_turn_armature(p, ignored);
}

static bool find_tree(Compile* c, SarTree* tree) {
  SarArena scratch;
  sar_arena_beside(&scratch, &c->arena);
  SarGraphJoint* joints = SAR_ARENA_ARRAY(&scratch, SarGraphJoint, c->njoint + 1);
  const char** names = SAR_ARENA_ARRAY(&scratch, const char*, c->nbody + 1);
  if (!joints || !names) {
    sar_arena_free(&scratch);
    return false;
  }
  for (int b = 0; b < c->nbody; b++) names[b] = c->body[b].item.name;
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    joints[j] = (SarGraphJoint){
        .name = p->item.name,
        .body = {p->body[0], p->body[1]},
        .freedoms = p->kind->nv,
        .loaded = sar_has_armature(p),
        // a free joint holds nothing: whoever writes one asks for its coordinates (mixed
        // coordinates)
        .needed = p->measured || sar_has_values(p) || p->kind->nv == 6,
        .started = p->spec->position.count || p->spec->speed.count,
        .one_way = is_one_way(p),
        .loose = sar_gate_given(&p->spec->gate),
        .inner = p->kind == &sar_joint_mode || p->kind == &sar_joint_node,
    };
  }
  const bool found = sar_graph_tree(&c->arena, names, c->nbody, joints, c->njoint, tree);
  sar_arena_free(&scratch);
  return found;
}

// ---- free bodies ----------------------------------------------------------------------------

// F = ground, B = U: the coordinates are the pose of the body frame; the linear speed is in ground
// axes, the angular one in body axes. (Planar models: a planar joint.)
static bool add_free_joint(Compile* c, int body, SarTree* tree, int number) {
  BodyPart* b = &c->body[body];
  JointPart* p = &c->joint[c->njoint];
  V3 v = sar_vector(c, b->spec->velocity, b->item, "velocity", v3_zero());
  V3 w = sar_vector(c, b->spec->angular_velocity, b->item, "angular_velocity", v3_zero());
  *p = sar_own_joint(c, body, v3_zero());
  if (b->knot) {  // in no tree: what stands for its joint has no coordinates and no name
    p->kind = sar_joint_kind_find("fixed");
    tree->joint[number] = c->njoint++;
    return true;
  }
  sar_start_own_joint(p, b->X_GU, (Motion){m3_tmul_v(b->X_GU.R, w), m3_tmul_v(b->X_GU.R, v)});
  if (p->kind->nq != 3 || p->kind->coordinate[2] == SAR_LENGTH)
    v3_store(p->value.v, v);  // free or a point: to the last bit
  for (int i = 0; i < p->kind->nv; i++)
    p->v_given[i] = sar_given(p->kind->coordinate[i] == SAR_LENGTH ? b->spec->velocity
                                                                   : b->spec->angular_velocity);

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
  const SpecVec3* v = b->spec->velocity;
  if (!sar_given(v)) v = b->spec->angular_velocity;
  if (sar_given(v))
    sar_complain(c, b->item, v->c[0].loc, "give the joint a 'speed'",
                 "a velocity is for free bodies, but joint '%s' carries this one",
                 carrier->item.name);
}

// Until the tree is known, and after errors, numbers are those of the spec.
static void number_as_given(Compile* c) {
  c->tree_known = false;
  c->njoint_order = c->njoint_spec;
  for (int j = 0; j < c->njoint_spec; j++) c->joint_order[j] = j;
  for (int b = 0; b < c->nbody; b++) {
    c->body[b].X_BU = x_identity();
    c->body_order[b] = b;
  }
}

// After errors: what is left to say without a tree.
static bool give_up(Compile* c) {
  sar_judge_inertias(c);
  return true;
}

bool sar_compile_tree(Compile* c) {
  SarTree tree = {0};
  c->body_order = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  c->joint_order = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + c->nbody + 1);
  if (c->arena.failed) return false;
  number_as_given(c);
  if (!sar_compile_sound(c)) return give_up(c);
  mark_measured(c);
  sar_find_knots(c);
  if (!find_tree(c, &tree)) return false;
  int own = 0;
  for (int i = 0; i < c->nbody; i++) own += tree.joint[i] < 0;
  if (!sar_joints_room(c, own)) return false;
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
  if (!sar_compile_sound(c)) return give_up(c);
  c->tree_known = true;
  // columns are in the order of this tree, whatever the coordinates
  c->njoint_order = c->nbody + tree.ncut;
  for (int i = 0; i < c->nbody; i++) c->body_order[i] = tree.body[i];
  for (int i = 0; i < c->nbody; i++) c->joint_order[i] = tree.joint[i];
  for (int k = 0; k < tree.ncut; k++) c->joint_order[c->nbody + k] = tree.cut[k];
  if (!sar_merge_fixed(c, &tree)) return false;
  sar_judge_inertias(c);
  if (!sar_compile_sound(c)) {
    number_as_given(c);
    return true;
  }
  if (!sar_compile_arrays(c, &tree)) return false;
  if (!sar_compile_modals(c)) return false;
  if (!sar_compile_sound(c)) return true;
  if (c->mass_known && !c->spec->wrong && !sar_compile_massless(c)) return false;
  if (!sar_compile_sound(c)) return true;
  return c->m.absolute ? sar_compile_absolute(c, &tree) : !c->mixed || sar_compile_mixed(c, &tree);
}
