// What has a tangent (dynamics/tangents.h), and the coordinates that move it.
#include "model/compile_parts.h"

// The bodies that a force element acts on: its first two attributes that name one.
static void bodies_of(const SarModel* m, int force, int body[2]) {
  const SarForceKind* kind = m->force_kind[force];
  int found = 0;
  body[0] = body[1] = GROUND;
  for (int k = 0; k < kind->nattr && found < 2; k++) {
    const SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT) continue;
    body[0] = body[1];
    body[1] = sar_force_attr(m, force, k)->index;
    found++;
  }
}

// Spring, damper and friction act on what the joint does; an actuator may.
static bool follows_motion(const SarModel* m, int joint) {
  if (!m->joint_passive[joint]) return false;
  for (int i = m->joint_vadr[joint]; i < m->joint_vadr[joint] + m->joint_nv[joint]; i++)
    if (m->dof_stiffness[i] != 0 || m->dof_damping[i] != 0 || m->dof_friction[i] != 0) return true;
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

bool sar_compile_tangents(Compile* c) {
  SarModel* m = &c->m;
  Tangents t = {.c = c};
  for (int i = 0; i < m->nforce; i++) {
    int body[2];
    if (!m->force_kind[i]->tangent) continue;
    bodies_of(m, i, body);
    if (!add_block(&t, SAR_TANGENT_FORCE, i, body)) return false;
  }
  for (int j = 0; j < m->njoint; j++) {
    if (!follows_motion(m, j)) continue;
    const int tree[2] = {j < m->nbody ? m->body_parent[j] : GROUND, j};
    const int* body = j < m->nbody ? tree : m->cut[j - m->nbody].body;
    if (!add_block(&t, SAR_TANGENT_JOINT, j, body)) return false;
  }
  m->tangent = t.blocks.items;
  m->ntangent = t.blocks.count;
  m->tangent_dof = t.dofs.items;
  m->ntangent_dof = t.dofs.count;
  return true;
}
