// Twins of another structure: another order, joints the other way round, another spanning tree,
// bodies in two parts.
#include "support/twins/twin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- another order -----------------------------------------------------------------------------

static void shuffle(Rng* r, void* items, int count, size_t size) {
  unsigned char swap[8192], *at = items;
  for (int i = count - 1; i > 0 && size <= sizeof swap; i--) {
    const int k = rng_int(r, i + 1);
    memcpy(swap, at + (size_t)i * size, size);
    memcpy(at + (size_t)i * size, at + (size_t)k * size, size);
    memcpy(at + (size_t)k * size, swap, size);
  }
}

#define SHUFFLE(list) shuffle(j->rng, (list).items, (list).count, sizeof *(list).items)

void twin_reorder(TwinJob* j) {
  SarSpec* s = j->spec;
  SHUFFLE(s->parameters);
  SHUFFLE(s->variables);
  SHUFFLE(s->states);
  SHUFFLE(s->discrete);
  SHUFFLE(s->bodies);
  SHUFFLE(s->joints);
  SHUFFLE(s->forces);
  SHUFFLE(s->constraints);
  SHUFFLE(s->roads);
  SHUFFLE(s->airfoils);
  SHUFFLE(s->initial);
  SHUFFLE(s->contact.materials);
  SHUFFLE(s->contact.pairs);
  SHUFFLE(s->contact.ignore);
  // joints are remembered by their place in the file
  for (int i = 0; i < s->joints.count; i++)
    j->twin->joint_name[i] = sar_arena_strdup(&j->twin->arena, s->joints.items[i].name.text);
}

// ---- joints the other way round ----------------------------------------------------------------

static const SarLoc* place(const SarSpec* s, SarLoc* buf) {
  *buf = (SarLoc){s->file, 1, 1};
  return buf;
}

// `origin` places the child in the parent's frame; the same with a child that has its own place.
static void give_child_its_place(SarSpec* s, SpecJoint* p) {
  SarLoc loc;
  SpecBody* child = twin_find_body(s, p->child.text);
  child->pose = p->origin;
  child->pose.loc = *place(s, &loc);
  if (strcmp(p->parent.text, "ground") != 0) child->in = p->parent;
  if (!child->pose.at.c[0].expr) twin_set_vector(s, &child->pose.at, v3_zero());
  p->relative = false;
  p->origin = (SpecPose){0};
  p->in = p->child;
  twin_set_vector(s, &p->at, v3_zero());
}

static void negate(SarSpec* s, SpecVec3* v) {
  for (int i = 0; i < 3; i++) v->c[i] = twin_combine(s, "-X", v->c[i], v->c[i], v->c[i]);
}

static bool has_laws(const SpecJoint* p) {
  return p->stiffness.count || p->damping.count || p->friction.count || p->armature.count ||
         p->force.count || p->lower.count || p->upper.count || p->motor || p->mimic.text;
}

typedef struct Mention {
  const char* name;
  bool found;
} Mention;

static void mentioned(void* context, const char* name, SarLoc loc) {
  Mention* m = context;
  (void)loc;
  const size_t n = strlen(m->name);
  if (strncmp(name, m->name, n) == 0 && name[n] == '.') m->found = true;
}

// Does anything of the model look at the joint's coordinates?
static bool is_measured(const SarSpec* s, const char* name) {
  Mention m = {name, false};
  for (int i = 0; i < s->variables.count; i++)
    sar_expr_visit_names(s->variables.items[i].value.expr, mentioned, &m);
  for (int i = 0; i < s->states.count; i++) {
    sar_expr_visit_names(s->states.items[i].rate.value.expr, mentioned, &m);
    if (s->states.items[i].start.expr)
      sar_expr_visit_names(s->states.items[i].start.expr, mentioned, &m);
  }
  for (int i = 0; i < s->discrete.count; i++) {
    const SpecDiscrete* x = &s->discrete.items[i];
    const SarExpr* of[] = {x->next.value.expr, x->rise.expr, x->fall.expr};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
      if (of[k]) sar_expr_visit_names(of[k], mentioned, &m);
  }
  for (int i = 0; i < s->outputs.count; i++)
    if (s->outputs.items[i].expr.expr)
      sar_expr_visit_names(s->outputs.items[i].expr.expr, mentioned, &m);
  for (int i = 0; i < s->joints.count; i++) {
    const SpecDofs* f = &s->joints.items[i].force;
    for (int k = 0; k < f->count; k++) sar_expr_visit_names(f->c[k].expr, mentioned, &m);
    if (s->joints.items[i].mimic.text && strcmp(s->joints.items[i].mimic.text, name) == 0)
      m.found = true;
  }
  for (int i = 0; i < s->forces.count; i++)
    for (int k = 0; k < s->forces.items[i].kind->nattr; k++) {
      const SpecValue* v = &s->forces.items[i].values[k];
      if (v->name.text && strcmp(v->name.text, name) == 0) m.found = true;
      for (int n = 0; n < v->count; n++) sar_expr_visit_names(v->numbers[n].expr, mentioned, &m);
    }
  for (int i = 0; i < s->constraints.count; i++)
    for (int k = 0; k < s->constraints.items[i].kind->nattr; k++) {
      const SpecValue* v = &s->constraints.items[i].values[k];
      if (v->name.text && strcmp(v->name.text, name) == 0) m.found = true;
    }
  return m.found;
}

// Initial values of a joint whose coordinates change when it is turned.
static void flip_start(SarSpec* s, SpecJoint* p) {
  const SarJointKind* k = p->kind;
  double q[SAR_JOINT_MAX_NQ] = {0}, v[SAR_JOINT_MAX_NV] = {0}, xi[SAR_JOINT_MAX_NQ] = {0};
  double q2[SAR_JOINT_MAX_NQ], v2[SAR_JOINT_MAX_NV], param[SAR_JOINT_MAX_PARAM] = {0};
  if (!p->position.count && !p->speed.count) return;
  if (k->zero) k->zero(q);
  for (int i = 0; i < p->position.count; i++) xi[i] = twin_value(p->position.c[i]);
  for (int i = p->position.count; p->position.count == 1 && i < k->nv; i++) xi[i] = xi[0];
  if (p->position.count == k->nq)
    memcpy(q, xi, sizeof q);
  else if (p->position.count && k->retract) {
    double q0[SAR_JOINT_MAX_NQ];
    memcpy(q0, q, sizeof q0);
    k->retract(param, q0, xi, q);
  }
  for (int i = 0; p->speed.count && i < k->nv; i++)
    v[i] = twin_value(p->speed.c[p->speed.count == 1 ? 0 : i]);
  k->flip(param, q, v, q2, v2);
  p->position.c = SAR_ARENA_ARRAY(&s->arena, SpecNum, SAR_JOINT_MAX_NQ);
  p->position.count = k->nq;
  for (int i = 0; i < k->nq; i++) p->position.c[i] = twin_number(s, q2[i]);
  if (p->speed.count) p->speed.c = SAR_ARENA_ARRAY(&s->arena, SpecNum, SAR_JOINT_MAX_NV);
  if (p->speed.count) p->speed.count = k->nv;
  for (int i = 0; p->speed.count && i < k->nv; i++) p->speed.c[i] = twin_number(s, v2[i]);
}

// One-axis joints about the opposite axis count as before, and so do universal ones with their axes
// exchanged; all others change their coordinates, so nothing may depend on them.
static bool reverse_joint(SarSpec* s, SpecJoint* p) {
  const SarJointKind* k = p->kind;
  if (k->flip && (has_laws(p) || is_measured(s, p->name.text))) return false;
  if (p->relative) give_child_its_place(s, p);
  if (!p->at.c[0].expr && !p->at_point.text) p->at_point = p->child;  // the default: its origin
  if (k->axes != SAR_AXES_NONE && !p->axis.c[0].expr) twin_set_vector(s, &p->axis, v3(0, 0, 1));
  if (p->rotor) {
    const bool child = p->rotor->on.text && p->rotor->on.text[0] == 'c';
    if (!p->rotor->axis.c[0].expr) p->rotor->axis = p->axis;
    p->rotor->on = (SpecName){child ? "parent" : "child", p->rotor->loc};
  }
  const SpecName parent = p->parent;
  p->parent = p->child;
  p->child = parent;
  if (k->axes == SAR_AXES_ONE && !k->flip) negate(s, &p->axis);
  if (k->axes == SAR_AXES_TWO) {
    const SpecVec3 axis = p->axis;
    p->axis = p->axis2;
    p->axis2 = axis;
  }
  if (k->flip) flip_start(s, p);
  return true;
}

static bool is_joined(const SpecJoint* p, const char* body) {
  return strcmp(body, "ground") != 0 &&
         (strcmp(p->parent.text, body) == 0 || strcmp(p->child.text, body) == 0);
}

// label[i]: the first joint of all that hang together with joint i, ground being no link.
static void find_parts(const SarSpec* s, int* label) {
  const int n = s->joints.count;
  bool changed = true;
  for (int i = 0; i < n; i++) label[i] = i;
  while (changed) {
    changed = false;
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) {
        const SpecJoint *p = &s->joints.items[a], *q = &s->joints.items[b];
        if (label[b] <= label[a] || !(is_joined(q, p->parent.text) || is_joined(q, p->child.text)))
          continue;
        label[b] = label[a];
        changed = true;
      }
  }
}

// Does the part that joint i belongs to float, with a joint that is started? Which of its bodies is
// the free one, and so stays where it is and at rest at the start, follows from which of them is no
// joint's child: turned joints change it.
static bool floats_started(const SarSpec* s, const int* label, int i) {
  bool ground = false, started = false;
  for (int a = 0; a < s->joints.count; a++) {
    const SpecJoint* p = &s->joints.items[a];
    if (label[a] != label[i]) continue;
    ground =
        ground || strcmp(p->parent.text, "ground") == 0 || strcmp(p->child.text, "ground") == 0;
    started = started || p->position.count > 0 || p->speed.count > 0;
  }
  return !ground && started;
}

void twin_reverse(TwinJob* j) {
  int count = 0, *label = SAR_ARENA_ARRAY(&j->twin->arena, int, j->spec->joints.count + 1);
  find_parts(j->spec, label);
  for (int i = 0; i < j->spec->joints.count; i++) {
    SpecJoint* p = &j->spec->joints.items[i];
    if (rng_int(j->rng, 3) == 0 || floats_started(j->spec, label, i)) continue;
    j->twin->joint[i].reversed = reverse_joint(j->spec, p);
    count += j->twin->joint[i].reversed;
  }
  if (count == 0) twin_refuse(j, "no joint to reverse");
}

// ---- another spanning tree ---------------------------------------------------------------------

// Joints that are measured had better be in the tree: so some are looked at by a variable that
// nobody uses.
void twin_recut(TwinJob* j) {
  SarSpec* s = j->spec;
  int count = 0;
  for (int i = 0; i < s->joints.count; i++) {
    const SpecJoint* p = &s->joints.items[i];
    if (p->kind->nv == 0 || rng_int(j->rng, 2)) continue;
    const char* text = sar_arena_printf(&s->arena, "0 * %s.%s", p->name.text, p->kind->v_suffix[0]);
    const SarExpr* e = sar_expr_parse(&s->arena, text, strlen(text), p->name.loc, NULL);
    if (!e) continue;
    SpecParameter* v = SAR_LIST_ADD(&s->arena, &s->variables);
    v->name = (SpecName){sar_arena_printf(&s->arena, "twin_%d", i), p->name.loc};
    v->value = (SpecNum){e, p->name.loc};
    count++;
  }
  if (count == 0) twin_refuse(j, "no joint to prefer");
}

// ---- bodies in two parts -----------------------------------------------------------------------

static void take_share(SarSpec* s, SpecBody* b, double share) {
  char text[64];
  snprintf(text, sizeof text, "%.17g * X", share);
  SpecNum* numbers[] = {&b->mass, &b->density};
  for (int i = 0; i < 2; i++)
    if (numbers[i]->expr)
      *numbers[i] = twin_combine(s, text, *numbers[i], *numbers[i], *numbers[i]);
  for (int i = 0; i < 6; i++)
    if (b->inertia_set && b->inertia[i].expr)
      b->inertia[i] = twin_combine(s, text, b->inertia[i], b->inertia[i], b->inertia[i]);
  for (int i = 0; i < b->shapes.count; i++) {
    SpecShape* x = &b->shapes.items[i];
    if (x->mass.expr) x->mass = twin_combine(s, text, x->mass, x->mass, x->mass);
    if (x->density.expr) x->density = twin_combine(s, text, x->density, x->density, x->density);
  }
}

static SpecJoint* fix(SarSpec* s, const char* parent, SpecName child, const char* name) {
  SpecJoint* p = SAR_LIST_ADD(&s->arena, &s->joints);
  *p = (SpecJoint){.name = {name, child.loc}, .parent = {parent, child.loc}, .child = child};
  p->kind = sar_joint_kind_find("fixed");
  return p;
}

// The second part has the frame and a share of the mass of the first, some of the joints, and
// perhaps what touches: solids of a part that is merged must act as those of the whole. (What is
// ignored is said of names.)
static void split_body(TwinJob* j, int body) {
  SarSpec* s = j->spec;
  const double share = rng_uniform(j->rng, 0.2, 0.8);
  SpecBody* half = SAR_LIST_ADD(&s->arena, &s->bodies);
  SpecBody* whole = &s->bodies.items[body];
  *half = *whole;
  half->name.text = sar_arena_printf(&s->arena, "%s_half", whole->name.text);
  half->pose = (SpecPose){.loc = whole->name.loc};
  twin_set_vector(s, &half->pose.at, v3_zero());
  half->in = whole->name;
  SpecTouch* without =
      s->contact.ignore.count == 0 && rng_int(j->rng, 2) ? &whole->touch : &half->touch;
  *without = (SpecTouch){0};
  memset(&half->frames, 0, sizeof half->frames);
  half->velocity = half->angular_velocity = NULL;
  half->shapes.items = SAR_ARENA_ARRAY(&s->arena, SpecShape, whole->shapes.count + 1);
  for (int i = 0; i < whole->shapes.count; i++) {
    SpecShape* shape = &half->shapes.items[i];
    *shape = whole->shapes.items[i];
    if (!shape->mesh) continue;
    shape->mesh = SAR_ARENA_NEW(&s->arena, SpecMesh);
    *shape->mesh = *whole->shapes.items[i].mesh;
  }
  take_share(s, half, 1 - share);
  take_share(s, whole, share);
  for (int i = 0; i < j->twin->joints; i++) {
    SpecJoint* p = &s->joints.items[i];
    if (strcmp(p->parent.text, whole->name.text) == 0 && rng_int(j->rng, 2)) p->parent = half->name;
  }
  fix(s, whole->name.text, half->name, sar_arena_printf(&s->arena, "%s_weld", whole->name.text));
}

void twin_split(TwinJob* j) {
  const int bodies = j->spec->bodies.count;
  int count = 0;
  for (int i = 0; i < bodies; i++) {
    const SpecBody* b = &j->spec->bodies.items[i];
    const bool has_mass = b->mass.expr || b->density.expr || b->shapes.count;
    if (!has_mass || (rng_int(j->rng, 2) && !(count == 0 && i == bodies - 1))) continue;
    split_body(j, i);
    count++;
  }
  if (count == 0) twin_refuse(j, "no body has a mass");
}

void twin_add_fixed(TwinJob* j) {
  SarSpec* s = j->spec;
  SarLoc loc;
  SpecBody* b = SAR_LIST_ADD(&s->arena, &s->bodies);
  b->name = (SpecName){"twin_fixed", *place(s, &loc)};
  twin_set_pose(s, &b->pose, (Xform){m3_identity(), rng_v3(j->rng, -1, 1)});
  b->mass = twin_number(s, 1);
  for (int i = 0; i < 6; i++) b->inertia[i] = twin_number(s, i < 3);
  b->inertia_set = true;
  fix(s, "ground", b->name, "twin_weld");
}
