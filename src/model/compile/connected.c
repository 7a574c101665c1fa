// Bodies that nothing connects with the rest of the model: allowed, for a body may fly, but most
// often a joint was forgotten.
//
// Bodies and ground fall into groups that joints of the file, constraints or forces connect. A
// group without ground, beside others, is remarked on, unless a body of it is said to fly by the
// velocity it is given, or may touch others.
#include "model/compile/parts.h"

// The group of a body is the end of a chain of other members; ground is number 0, bodies of the
// tree follow.
static int group_of(int* member, int body) {
  int i = body + 1;
  while (member[i] != i) i = member[i] = member[member[i]];
  return i;
}

static void connect(int* member, int a, int b) {
  const int first = group_of(member, a), second = group_of(member, b);
  if (first < second)
    member[second] = first;
  else
    member[first] = second;
}

static int tree_of(const Compile* c, int body) { return body < 0 ? GROUND : c->body[body].tree; }

static void connect_by_joints(const Compile* c, int* member) {
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (p->spec) connect(member, tree_of(c, p->body[0]), tree_of(c, p->body[1]));
  }
  for (int b = 0; b < c->nbody; b++) {
    const SpecBody* s = c->body[b].spec;
    if (sar_given(s->velocity) || sar_given(s->angular_velocity))
      connect(member, GROUND, c->body[b].tree);
  }
}

// Both bodies of a force; a force on one body comes from outside.
static void connect_by_forces(const Compile* c, int* member) {
  const SarModel* m = &c->m;
  for (int i = 0; i < m->nforce; i++) {
    const SarForceKind* kind = m->force_kind[i];
    int body[2] = {GROUND, GROUND}, count = 0;
    for (int k = 0; k < kind->nattr && count < 2; k++) {
      const SarAttrType type = kind->attr[k].type;
      if (type == SAR_ATTR_BODY || type == SAR_ATTR_POINT)
        body[count++] = m->force_attr[i * SAR_FORCE_MAX_ATTR + k].index;
    }
    connect(member, body[0], body[1]);
  }
}

// All bodies that a row of a constraint measures.
static void connect_by_constraints(const Compile* c, int* member) {
  const SarModel* m = &c->m;
  for (int i = 0; i < m->npair; i++) connect(member, m->pair[i].body[0], m->pair[i].body[1]);
  for (int k = 0, first = 0; k < m->nterm; k++) {
    if (m->term[k].row != m->term[first].row) first = k;
    const SarTerm *t = &m->term[k], *s = &m->term[first];
    connect(member, t->pair < 0 ? m->dof_body[t->dof] : m->pair[t->pair].body[1],
            s->pair < 0 ? m->dof_body[s->dof] : m->pair[s->pair].body[1]);
  }
}

bool sar_compile_connected(Compile* c) {
  const SarModel* m = &c->m;
  int* member = SAR_ARENA_ARRAY(&c->arena, int, m->nbody_all + 1);
  int groups = 0;
  if (!member) return false;
  for (int i = 0; i <= m->nbody_all; i++) member[i] = i;
  connect_by_joints(c, member);
  connect_by_forces(c, member);
  connect_by_constraints(c, member);
  for (int b = 0; b < c->nbody; b++)
    if (sar_touches(&c->body[b].spec->touch)) connect(member, GROUND, c->body[b].tree);
  for (int b = 0; b < m->nbody; b++) groups += group_of(member, b) == b + 1;
  for (int b = 0; b < m->nbody; b++)
    if (group_of(member, b) == 0) {
      groups++;
      break;
    }
  if (groups < 2) return true;
  for (int b = 0; b < m->nbody; b++) {
    if (group_of(member, b) != b + 1) continue;
    const Item item = c->body[c->body_at[b]].item;
    sar_remark(
        c, item, item.loc,
        "give it a joint; if it is to fly, a 'velocity' or a 'free' joint to ground",
        "disconnected: no joint, constraint or force connects it with the rest of the model");
  }
  return true;
}
