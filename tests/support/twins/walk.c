// In the order of SarSpec; a field that is added there has to be added here.
#include "support/twins/walk.h"

static void nums(const SpecWalk* w, SpecNum* n, int count, const char* const* local) {
  for (int i = 0; w->number && i < count; i++)
    if (n[i].expr) w->number(w->context, &n[i], local);
}

static void num(const SpecWalk* w, SpecNum* n) { nums(w, n, 1, NULL); }
static void vec3(const SpecWalk* w, SpecVec3* v) { nums(w, v->c, 3, NULL); }

static void name_(const SpecWalk* w, SpecName* n) {
  if (w->name && n->text) w->name(w->context, n);
}

static void pose(const SpecWalk* w, SpecPose* x) {
  vec3(w, &x->at);
  if (x->r) nums(w, x->r, 4, NULL);
  for (int i = 0; x->axis_dir && i < 2; i++) vec3(w, &x->axis_dir[i]);
}

static void shape(const SpecWalk* w, SpecShape* s) {
  if (s->mesh) nums(w, s->mesh->points, s->mesh->npoint, NULL);
  if (s->mesh) nums(w, s->mesh->scale, 3, NULL);
  nums(w, s->size, 3, NULL);
  vec3(w, &s->from);
  vec3(w, &s->to);
  pose(w, &s->pose);
  num(w, &s->mass);
  num(w, &s->density);
}

static void groups(const SpecWalk* w, SpecNames* names) {
  for (int i = 0; i < names->count; i++) name_(w, &names->items[i]);
}

static void touch(const SpecWalk* w, SpecTouch* t) {
  static const char* const local[SAR_LAW_LOCALS] = {"x", "y"};
  groups(w, &t->groups);
  for (int i = 0; i < t->solids.count; i++) {
    SpecSolid* s = &t->solids.items[i];
    groups(w, &s->groups);
    shape(w, &s->shape);
    vec3(w, &s->normal);
    nums(w, s->heights.numbers, s->heights.columns * s->heights.rows, NULL);
    nums(w, s->heights.x, 3, NULL);
    nums(w, s->heights.y, 3, NULL);
    nums(w, &s->heights.height, 1, local);
  }
}

static void body(const SpecWalk* w, SpecBody* b) {
  name_(w, &b->name);
  name_(w, &b->in);
  pose(w, &b->pose);
  if (b->inertia_pose) pose(w, b->inertia_pose);
  num(w, &b->mass);
  num(w, &b->density);
  nums(w, b->inertia, 6, NULL);
  vec3(w, &b->com);
  if (b->velocity) vec3(w, b->velocity);
  if (b->angular_velocity) vec3(w, b->angular_velocity);
  if (b->along) vec3(w, b->along);
  for (int i = 0; i < b->shapes.count; i++) shape(w, &b->shapes.items[i]);
  touch(w, &b->touch);
  for (int i = 0; i < b->frames.count; i++) pose(w, &b->frames.items[i].pose);
}

static void gate(const SpecWalk* w, SpecGate* g) {
  num(w, &g->active);
  num(w, &g->from);
  num(w, &g->until);
}

static void motor(const SpecWalk* w, SpecMotor* m) {
  SpecDofs* dofs[] = {&m->speed, &m->position, &m->effort, &m->speed_limit};
  for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++) nums(w, dofs[i]->c, dofs[i]->count, NULL);
}

static void joint(const SpecWalk* w, SpecJoint* j) {
  SpecName* names[] = {&j->name, &j->parent, &j->child, &j->at_point, &j->in, &j->mimic};
  SpecDofs* dofs[] = {&j->position, &j->speed,       &j->stiffness,  &j->rest,  &j->damping,
                      &j->friction, &j->armature,    &j->force,      &j->lower, &j->upper,
                      &j->effort,   &j->speed_limit, &j->restitution};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) name_(w, names[i]);
  for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++) nums(w, dofs[i]->c, dofs[i]->count, NULL);
  vec3(w, &j->at);
  vec3(w, &j->axis);
  vec3(w, &j->axis2);
  num(w, &j->friction_speed);
  if (j->stribeck) num(w, &j->stribeck->speed);
  if (j->stribeck) nums(w, j->stribeck->breakaway.c, j->stribeck->breakaway.count, NULL);
  if (j->rotor) {
    num(w, &j->rotor->inertia);
    num(w, &j->rotor->ratio);
    vec3(w, &j->rotor->axis);
  }
  num(w, &j->multiplier);
  num(w, &j->offset);
  num(w, &j->contact);
  pose(w, &j->origin);
  nums(w, j->param, SAR_JOINT_MAX_PARAM, NULL);
  gate(w, &j->gate);
  if (j->motor) motor(w, j->motor);
}

static void values(const SpecWalk* w, SarForm form, SpecValue* v) {
  for (int i = 0; i < form.nattr; i++) {
    const SarAttrType type = form.attr[i].type;
    if (!v[i].given) continue;
    if (type != SAR_ATTR_CHOICE) name_(w, &v[i].name);
    nums(w, v[i].numbers, v[i].count,
         type == SAR_ATTR_LAW || type == SAR_ATTR_CURVE ? form.local : NULL);
    pose(w, &v[i].pose);
  }
}

static void road(const SpecWalk* w, SpecRoad* x) {
  static const char* const local[SAR_LAW_LOCALS] = {"x", "y"};
  name_(w, &x->name);
  for (int i = 0; i < x->features.count; i++) {
    SpecFeature* f = &x->features.items[i];
    nums(w, f->ramp, 2, NULL);
    nums(w, f->smooth, 2, NULL);
    nums(w, f->bump, 2, NULL);
    num(w, &f->step);
    num(w, &f->width);
    num(w, &f->height);
  }
  nums(w, x->table.numbers, x->table.count, NULL);
  nums(w, x->grid.heights.numbers, x->grid.heights.columns * x->grid.heights.rows, NULL);
  nums(w, x->grid.heights.x, 3, NULL);
  nums(w, x->grid.heights.y, 3, NULL);
  nums(w, &x->grid.heights.height, 1, local);
  nums(w, &x->height, 1, local);
}

static void parameters(const SpecWalk* w, SpecParameter* items, int count) {
  for (int i = 0; i < count; i++) {
    name_(w, &items[i].name);
    num(w, &items[i].value);
  }
}

static void contact(const SpecWalk* w, SpecContact* c) {
  SpecMaterial* lists[] = {c->materials.items, c->pairs.items};
  const int count[] = {c->materials.count, c->pairs.count};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < count[k]; i++) {
      SpecMaterial* m = &lists[k][i];
      num(w, &m->friction);
      num(w, &m->restitution);
      num(w, &m->rolling);
      num(w, &m->spinning);
      num(w, &m->stiffness);
      num(w, &m->damping);
    }
  for (int i = 0; i < c->ignore.count; i++) {
    name_(w, &c->ignore.items[i].of[0]);
    name_(w, &c->ignore.items[i].of[1]);
  }
  num(w, &c->max_contacts);
}

static void simulation(const SpecWalk* w, SpecSimulation* s) {
  SpecNum* numbers[] = {&s->end,  &s->step,     &s->output_step, &s->rtol,
                        &s->atol, &s->max_step, &s->adaptive};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) num(w, numbers[i]);
}

void spec_walk(SarSpec* s, const SpecWalk* w) {
  parameters(w, s->parameters.items, s->parameters.count);
  parameters(w, s->variables.items, s->variables.count);
  parameters(w, s->inputs.items, s->inputs.count);
  for (int i = 0; i < s->states.count; i++) {
    parameters(w, &s->states.items[i].rate, 1);
    num(w, &s->states.items[i].start);
  }
  for (int i = 0; i < s->discrete.count; i++) {
    SpecDiscrete* x = &s->discrete.items[i];
    SpecNum* numbers[] = {&x->period, &x->offset, &x->start, &x->rise, &x->fall};
    parameters(w, &x->next, 1);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) num(w, numbers[k]);
  }
  for (int i = 0; i < s->positive.count; i++) num(w, &s->positive.items[i].value);
  for (int i = 0; i < s->signals.count; i++) name_(w, &s->signals.items[i]);
  vec3(w, &s->gravity.uniform);
  vec3(w, &s->gravity.centre);
  vec3(w, &s->gravity.field);
  num(w, &s->gravity.mu);
  num(w, &s->gravity.potential);
  for (int i = 0; i < s->ground_frames.count; i++) pose(w, &s->ground_frames.items[i].pose);
  for (int i = 0; i < s->bodies.count; i++) body(w, &s->bodies.items[i]);
  for (int i = 0; i < s->joints.count; i++) joint(w, &s->joints.items[i]);
  for (int i = 0; i < s->forces.count; i++) {
    SpecForce* f = &s->forces.items[i];
    name_(w, &f->name);
    values(w, sar_force_form(f->kind), f->values);
    gate(w, &f->gate);
  }
  for (int i = 0; i < s->constraints.count; i++) {
    SpecConstraint* c = &s->constraints.items[i];
    name_(w, &c->name);
    values(w, sar_constraint_form(c->kind), c->values);
    gate(w, &c->gate);
  }
  for (int i = 0; i < s->roads.count; i++) road(w, &s->roads.items[i]);
  values(w, sar_air_form(), s->air);
  for (int i = 0; i < s->airfoils.count; i++) {
    name_(w, &s->airfoils.items[i].name);
    nums(w, s->airfoils.items[i].number, SAR_AIRFOIL_NUMBERS, NULL);
  }
  for (int i = 0; i < s->initial.count; i++) num(w, &s->initial.items[i].residual);
  touch(w, &s->ground_touch);
  contact(w, &s->contact);
  simulation(w, &s->simulation);
  for (int i = 0; i < s->outputs.count; i++) num(w, &s->outputs.items[i].expr);
}
