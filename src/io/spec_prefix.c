// Renaming and joining specs: what `include` does once a file is read, whatever its format.
#include "io/spec_prefix.h"

#include <string.h>

typedef struct Prefix {
  SarArena* arena;
  const char* text;
  const char* const* local;  // names of a law that stay: SAR_LAW_LOCALS, NULL past the last
  bool failed;
} Prefix;

static const char* joined(Prefix* p, const char* before, const char* name) {
  const char* text = sar_arena_printf(p->arena, "%s%s%s", before, p->text, name);
  if (!text) p->failed = true;
  return text;
}

// body -> PREFIXbody, ground -> ground, ground.point -> ground.PREFIXpoint
static const char* new_name(Prefix* p, const char* name) {
  if (strcmp(name, "ground") == 0) return name;
  if (strncmp(name, "ground.", 7) == 0) return joined(p, "ground.", name + 7);
  return joined(p, "", name);
}

static const char* new_symbol(void* context, const char* name) {
  Prefix* p = context;
  if (strcmp(name, "t") == 0) return name;
  for (int i = 0; p->local && i < SAR_LAW_LOCALS && p->local[i]; i++)
    if (strcmp(p->local[i], name) == 0) return name;
  return new_name(p, name);
}

static void name_(Prefix* p, SpecName* name) {
  if (name->text) name->text = new_name(p, name->text);
}

static void nums(Prefix* p, SpecNum* num, int count) {
  for (int i = 0; i < count; i++) {
    if (!num[i].expr) continue;
    num[i].expr = sar_expr_rename(p->arena, num[i].expr, new_symbol, p);
    if (!num[i].expr) p->failed = true;
  }
}

static void vec3(Prefix* p, SpecVec3* v) { nums(p, v->c, 3); }

static void pose(Prefix* p, SpecPose* x) {
  vec3(p, &x->at);
  if (x->r) nums(p, x->r, 4);
  for (int i = 0; x->axis_dir && i < 2; i++) vec3(p, &x->axis_dir[i]);
}

static void shape(Prefix* p, SpecShape* s) {
  if (s->mesh) nums(p, s->mesh->points, s->mesh->npoint);
  if (s->mesh) nums(p, s->mesh->scale, 3), nums(p, &s->mesh->parts, 1);
  nums(p, s->size, 3);
  vec3(p, &s->from);
  vec3(p, &s->to);
  pose(p, &s->pose);
  nums(p, &s->mass, 1);
  nums(p, &s->density, 1);
}

// `default` is the material of all that name none, in every file.
static void material_name(Prefix* p, SpecName* name) {
  if (name->text && strcmp(name->text, "default") != 0) name_(p, name);
}

static void groups(Prefix* p, SpecNames* names) {
  for (int i = 0; i < names->count; i++) name_(p, &names->items[i]);
}

static void heights(Prefix* p, SpecHeights* h) {
  static const char* const local[SAR_LAW_LOCALS] = {"x", "y"};
  nums(p, h->numbers, h->columns * h->rows);
  nums(p, h->x, 3);
  nums(p, h->y, 3);
  p->local = local;
  nums(p, &h->height, 1);
  p->local = NULL;
}

static void touch(Prefix* p, SpecTouch* t) {
  if (t->parts) nums(p, t->parts, 1);
  material_name(p, &t->material);
  groups(p, &t->groups);
  for (int i = 0; i < t->solids.count; i++) {
    SpecSolid* s = &t->solids.items[i];
    shape(p, &s->shape);
    vec3(p, &s->normal);
    heights(p, &s->heights);
    material_name(p, &s->material);
    groups(p, &s->groups);
  }
}

static void materials(Prefix* p, SpecMaterial* items, int count) {
  for (int i = 0; i < count; i++) {
    SpecMaterial* m = &items[i];
    SpecNum* numbers[] = {&m->friction, &m->restitution, &m->rolling,
                          &m->spinning, &m->stiffness,   &m->damping};
    material_name(p, &m->name);
    material_name(p, &m->of[0]);
    material_name(p, &m->of[1]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) nums(p, numbers[k], 1);
  }
}

static void body(Prefix* p, SpecBody* b) {
  name_(p, &b->name);
  name_(p, &b->in);
  pose(p, &b->pose);
  if (b->inertia_pose) pose(p, b->inertia_pose);
  nums(p, &b->mass, 1);
  nums(p, &b->density, 1);
  nums(p, b->inertia, 6);
  vec3(p, &b->com);
  if (b->velocity) vec3(p, b->velocity);
  if (b->angular_velocity) vec3(p, b->angular_velocity);
  if (b->along) vec3(p, b->along);
  for (int i = 0; i < b->shapes.count; i++) shape(p, &b->shapes.items[i]);
  touch(p, &b->touch);
  // points keep their names: the body's name tells them apart
  for (int i = 0; i < b->frames.count; i++) pose(p, &b->frames.items[i].pose);
}

static void gate(Prefix* p, SpecGate* g) {
  nums(p, &g->active, 1);
  nums(p, &g->from, 1);
  nums(p, &g->until, 1);
}

static void motor(Prefix* p, SpecMotor* m) {
  SpecDofs* dofs[] = {&m->speed, &m->position, &m->effort, &m->speed_limit};
  for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++) nums(p, dofs[i]->c, dofs[i]->count);
}

static void joint(Prefix* p, SpecJoint* j) {
  SpecName* names[] = {&j->name, &j->parent, &j->child, &j->at_point, &j->in, &j->mimic};
  SpecDofs* dofs[] = {&j->position, &j->speed,       &j->stiffness,  &j->rest,  &j->damping,
                      &j->friction, &j->armature,    &j->force,      &j->lower, &j->upper,
                      &j->effort,   &j->speed_limit, &j->restitution};
  SpecVec3* vectors[] = {&j->at, &j->axis, &j->axis2};
  SpecNum* numbers[] = {&j->friction_speed, &j->multiplier, &j->offset};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) name_(p, names[i]);
  for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++) nums(p, dofs[i]->c, dofs[i]->count);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) vec3(p, vectors[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) nums(p, numbers[i], 1);
  if (j->rotor) {
    nums(p, &j->rotor->inertia, 1);
    nums(p, &j->rotor->ratio, 1);
    vec3(p, &j->rotor->axis);
  }
  if (j->stribeck) nums(p, j->stribeck->breakaway.c, j->stribeck->breakaway.count);
  if (j->stribeck) nums(p, &j->stribeck->speed, 1);
  pose(p, &j->origin);
  nums(p, j->param, SAR_JOINT_MAX_PARAM);
  gate(p, &j->gate);
  if (j->motor) motor(p, j->motor);
}

static void values_(Prefix* p, SarForm form, SpecValue* values) {
  for (int i = 0; i < form.nattr; i++) {
    SpecValue* v = &values[i];
    SarAttrType type = form.attr[i].type;
    if (!v->given) continue;
    if (type != SAR_ATTR_CHOICE) name_(p, &v->name);
    p->local = type == SAR_ATTR_LAW || type == SAR_ATTR_CURVE ? form.local : NULL;
    nums(p, v->numbers, v->count);
    p->local = NULL;
    pose(p, &v->pose);
  }
}

static void force(Prefix* p, SpecForce* f) {
  name_(p, &f->name);
  values_(p, sar_force_form(f->kind), f->values);
  gate(p, &f->gate);
}

static void constraint(Prefix* p, SpecConstraint* f) {
  name_(p, &f->name);
  values_(p, sar_constraint_form(f->kind), f->values);
  gate(p, &f->gate);
}

static void road(Prefix* p, SpecRoad* x) {
  static const char* const local[SAR_LAW_LOCALS] = {"x", "y"};
  name_(p, &x->name);
  for (int i = 0; i < x->features.count; i++) {
    SpecFeature* f = &x->features.items[i];
    nums(p, f->ramp, 2);
    nums(p, f->smooth, 2);
    nums(p, f->bump, 2);
    nums(p, &f->step, 1);
    nums(p, &f->width, 1);
    nums(p, &f->height, 1);
  }
  nums(p, x->table.numbers, x->table.count);
  heights(p, &x->grid.heights);
  p->local = local;
  nums(p, &x->height, 1);
  p->local = NULL;
}

static void span(Prefix* p, SpecSpan* x) {
  if (x->numbers) nums(p, x->numbers, x->rows * (x->columns + x->table));
}

static void beam(Prefix* p, SpecBeam* b) {
  name_(p, &b->name);
  name_(p, &b->from);
  name_(p, &b->clamp);
  nums(p, b->from_at, 3);
  vec3(p, &b->to);
  vec3(p, &b->axis);
  vec3(p, &b->axis2);
  nums(p, &b->length, 1);
  nums(p, &b->radius, 1);
  SpecSpan* spans[] = {&b->curvature, &b->twist,   &b->stiffness, &b->mass,
                       &b->com,       &b->inertia, &b->damping};
  for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) span(p, spans[i]);
}

// Names of nodes are within the body's.
static void modal(Prefix* p, SpecModal* b) {
  body(p, &b->body);
  nums(p, b->position.c, b->position.count);
  nums(p, b->speed.c, b->speed.count);
  nums(p, &b->radius, 1);
}

static void parameters(Prefix* p, SpecParameter* items, int count) {
  for (int i = 0; i < count; i++) {
    name_(p, &items[i].name);
    nums(p, &items[i].value, 1);
  }
}

bool sar_spec_prefix(SarSpec* spec, SarArena* arena, const char* prefix) {
  Prefix p = {.arena = arena, .text = prefix};
  parameters(&p, spec->parameters.items, spec->parameters.count);
  parameters(&p, spec->variables.items, spec->variables.count);
  parameters(&p, spec->inputs.items, spec->inputs.count);
  for (int i = 0; i < spec->input_notes.count; i++) {
    name_(&p, &spec->input_notes.items[i].input);
    nums(&p, &spec->input_notes.items[i].least, 1);
    nums(&p, &spec->input_notes.items[i].most, 1);
  }
  for (int i = 0; i < spec->states.count; i++) {
    parameters(&p, &spec->states.items[i].rate, 1);
    nums(&p, &spec->states.items[i].start, 1);
  }
  for (int i = 0; i < spec->discrete.count; i++) {
    SpecDiscrete* x = &spec->discrete.items[i];
    SpecNum* numbers[] = {&x->period, &x->offset, &x->start, &x->rise, &x->fall};
    parameters(&p, &x->next, 1);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) nums(&p, numbers[k], 1);
  }
  groups(&p, &spec->signals);
  for (int i = 0; i < spec->positive.count; i++) {
    name_(&p, &spec->positive.items[i].signal);
    nums(&p, &spec->positive.items[i].value, 1);
  }
  for (int i = 0; i < spec->ground_frames.count; i++) {
    name_(&p, &spec->ground_frames.items[i].name);
    pose(&p, &spec->ground_frames.items[i].pose);
  }
  for (int i = 0; i < spec->bodies.count; i++) body(&p, &spec->bodies.items[i]);
  for (int i = 0; i < spec->joints.count; i++) joint(&p, &spec->joints.items[i]);
  for (int i = 0; i < spec->forces.count; i++) force(&p, &spec->forces.items[i]);
  for (int i = 0; i < spec->constraints.count; i++) constraint(&p, &spec->constraints.items[i]);
  for (int i = 0; i < spec->roads.count; i++) road(&p, &spec->roads.items[i]);
  for (int i = 0; i < spec->airfoils.count; i++) {
    name_(&p, &spec->airfoils.items[i].name);
    nums(&p, spec->airfoils.items[i].number, SAR_AIRFOIL_NUMBERS);
  }
  for (int i = 0; i < spec->beams.count; i++) beam(&p, &spec->beams.items[i]);
  for (int i = 0; i < spec->modals.count; i++) modal(&p, &spec->modals.items[i]);
  for (int i = 0; i < spec->initial.count; i++) nums(&p, &spec->initial.items[i].residual, 1);
  touch(&p, &spec->ground_touch);
  materials(&p, spec->contact.materials.items, spec->contact.materials.count);
  materials(&p, spec->contact.pairs.items, spec->contact.pairs.count);
  for (int i = 0; i < spec->contact.ignore.count; i++) {
    name_(&p, &spec->contact.ignore.items[i].of[0]);
    name_(&p, &spec->contact.ignore.items[i].of[1]);
  }
  return !p.failed;
}

// The first part takes the room it needs; after many small ones the list is moved a few times only.
#define APPEND(list)                                                                           \
  if (to->list.count == 0 && !SAR_LIST_ROOM(arena, &to->list, part->list.count)) return false; \
  for (int i = 0; i < part->list.count; i++) {                                                 \
    if (!SAR_LIST_ADD(arena, &to->list)) return false;                                         \
    to->list.items[to->list.count - 1] = part->list.items[i];                                  \
  }

// Solids of the ground keep the material and the groups that their own file gave all of them.
static bool append_ground(SpecTouch* to, SarArena* arena, const SpecTouch* part) {
  if (part->shapes) to->shapes = true, to->loc = part->loc;
  for (int i = 0; i < part->solids.count; i++) {
    SpecSolid* solid = SAR_LIST_ADD(arena, &to->solids);
    if (!solid) return false;
    *solid = part->solids.items[i];
    if (!solid->material.text) solid->material = part->material;
    if (!solid->groups.count) solid->groups = part->groups;
    SpecMesh* mesh = solid->shape.kind == SPEC_HULL ? solid->shape.mesh : NULL;
    if (mesh && mesh->file.text && !mesh->parts.expr && part->parts) mesh->parts = *part->parts;
  }
  return true;
}

bool sar_spec_append(SarSpec* to, SarArena* arena, const SarSpec* part) {
  APPEND(parameters)
  APPEND(variables)
  APPEND(inputs)
  APPEND(input_notes)
  APPEND(states)
  APPEND(discrete)
  APPEND(positive)
  APPEND(signals)
  APPEND(ground_frames)
  APPEND(bodies)
  APPEND(joints)
  APPEND(forces)
  APPEND(constraints)
  APPEND(roads)
  APPEND(airfoils)
  APPEND(beams)
  APPEND(modals)
  APPEND(initial)
  APPEND(contact.materials)
  APPEND(contact.pairs)
  APPEND(contact.ignore)
  return append_ground(&to->ground_touch, arena, &part->ground_touch);
}
