// What has a tangent (dynamics/tangents.h), and the coordinates that move it.
#include "model/compile/parts.h"

static void bodies_of_joint(const SarModel* m, int joint, int body[2]) {
  const bool cut = joint >= m->nbody;
  body[0] = cut ? m->cut[joint - m->nbody].body[0] : m->body_parent[joint];
  body[1] = cut ? m->cut[joint - m->nbody].body[1] : joint;
}

// The bodies that a force element acts on: its first two attributes that name one, or its joint's.
static void bodies_of(const SarModel* m, int force, int body[2]) {
  const SarForceKind* kind = m->force_kind[force];
  int found = 0;
  body[0] = body[1] = GROUND;
  if (kind->joint_tangent) bodies_of_joint(m, sar_force_attr(m, force, 0)->index, body);
  for (int k = 0; k < kind->nattr && found < 2; k++) {
    const SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT) continue;
    body[0] = body[1];
    body[1] = sar_force_attr(m, force, k)->index;
    if (sar_is_knot(m, body[1])) body[1] = GROUND;
    found++;
  }
}

static bool has_partials(const Compile* c, int slot) {
  for (int k = 0; k < c->partials.count; k++)
    if (c->partials.items[k].slot == slot) return true;
  return false;
}

static bool force_follows(const Compile* c, int force) {
  const SarModel* m = &c->m;
  const SarForceKind* kind = m->force_kind[force];
  if (!kind->controlled) return kind->tangent || kind->joint_tangent;
  for (int k = 0; k < kind->nattr; k++) {
    const SarAttrType type = kind->attr[k].type;
    const int n = type == SAR_ATTR_SCALAR ? 1 : type == SAR_ATTR_VECTOR ? 3 : 0;
    const int slot = sar_force_attr(m, force, k)->index;
    for (int i = 0; slot >= 0 && i < n; i++)
      if (has_partials(c, slot + i)) return true;
  }
  return false;
}

// Spring, damper and friction act on what the joint does; an actuator may.
static bool joint_follows(const Compile* c, int joint) {
  const SarModel* m = &c->m;
  if (!m->joint_passive[joint]) return false;
  for (int i = m->joint_vadr[joint]; i < m->joint_vadr[joint] + m->joint_nv[joint]; i++)
    if (m->dof_stiffness[i] != 0 || m->dof_damping[i] != 0 || m->dof_friction[i] != 0 ||
        (m->dof_force_slot[i] >= 0 && has_partials(c, m->dof_force_slot[i])))
      return true;
  return false;
}

typedef struct Tangents {
  Compile* c;
  SAR_LIST(SarTangentBlock) blocks;
  IntList dofs;
} Tangents;

// False: no memory. A force within one rigid group moves nothing: no block.
static bool add_block(Tangents* t, SarTangentSource source, int index, const int body[2]) {
  SarTangentBlock b = {.source = source, .index = index, .adr = t->dofs.count};
  b.body[0] = body[0], b.body[1] = body[1];
  b.a_first = body[0] < body[1];
  if (!sar_add_between(t->c, &t->dofs, body[0], body[1], &b.num_first)) return false;
  b.num = t->dofs.count - b.adr;
  if (b.num == 0) return true;
  SarTangentBlock* place = SAR_LIST_ADD(&t->c->arena, &t->blocks);
  if (!place) return false;
  *place = b;
  return true;
}

// Does a force element act between two joints?
static bool couples(const SarModel* m, int force) {
  const SarForceKind* kind = m->force_kind[force];
  return kind->coupled_tangent && sar_force_attr(m, force, kind->coupled)->given;
}

// One coordinate of each joint, rising. (Others than those of the tree the kind refuses.)
static bool add_coupled(Tangents* t, int force) {
  const SarModel* m = &t->c->m;
  const int coupled = m->force_kind[force]->coupled;
  const int joint[2] = {sar_force_attr(m, force, 0)->index,
                        sar_force_attr(m, force, coupled)->index};
  SarTangentBlock b = {.source = SAR_TANGENT_COUPLED, .index = force, .adr = t->dofs.count};
  b.num = 2, b.body[0] = b.body[1] = GROUND;
  for (int k = 0; k < 2; k++)
    if (joint[k] < 0 || joint[k] >= m->nbody || m->joint_nv[joint[k]] != 1) return true;
  for (int k = 0; k < 2; k++) {
    int* dof = SAR_LIST_ADD(&t->c->arena, &t->dofs);
    if (!dof) return false;
    *dof = m->joint_vadr[(joint[0] < joint[1]) == (k == 0) ? joint[0] : joint[1]];
  }
  SarTangentBlock* place = SAR_LIST_ADD(&t->c->arena, &t->blocks);
  if (!place) return false;
  *place = b;
  return true;
}

// What bodies around knots feel of each other (networks.c).
static bool add_network(Tangents* t, int network) {
  const SarNetwork* n = &t->c->m.network[network];
  const SarTangentBlock b = {.source = SAR_TANGENT_NETWORK,
                             .index = network,
                             .adr = t->dofs.count,
                             .num = n->num_dof,
                             .body = {GROUND, GROUND}};
  if (n->num_dof == 0) return true;
  for (int i = 0; i < n->num_dof; i++) {
    int* dof = SAR_LIST_ADD(&t->c->arena, &t->dofs);
    if (!dof) return false;
    *dof = t->c->m.network_dof[n->dof_adr + i];
  }
  SarTangentBlock* place = SAR_LIST_ADD(&t->c->arena, &t->blocks);
  if (!place) return false;
  *place = b;
  return true;
}

// The tangent of a force on knots is that of its network.
static bool is_of_network(const SarModel* m, int force) {
  for (int i = 0; i < m->nnetwork_force; i++)
    if (m->network_force[i].force == force) return true;
  return false;
}

bool sar_compile_tangents(Compile* c) {
  SarModel* m = &c->m;
  Tangents t = {.c = c};
  for (int i = 0; i < m->nforce; i++) {
    int body[2];
    if (!force_follows(c, i) || is_of_network(m, i)) continue;
    if (couples(m, i)) {
      if (!add_coupled(&t, i)) return false;
      continue;
    }
    bodies_of(m, i, body);
    if (!add_block(&t, SAR_TANGENT_FORCE, i, body)) return false;
  }
  for (int j = 0; j < m->njoint; j++) {
    int body[2];
    if (!joint_follows(c, j)) continue;
    bodies_of_joint(m, j, body);
    if (!add_block(&t, SAR_TANGENT_JOINT, j, body)) return false;
  }
  for (int i = 0; i < m->nnetwork; i++)
    if (!add_network(&t, i)) return false;
  m->tangent = t.blocks.items;
  m->ntangent = t.blocks.count;
  m->tangent_dof = t.dofs.items;
  m->ntangent_dof = t.dofs.count;
  return true;
}
