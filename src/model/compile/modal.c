// Modal bodies of the file as bodies and joints (model/modal.h).
//
// A modal body NAME is the body NAME, its frame, without inertia of its own; behind it hang the
// modes NAME_mode1 ..., massless bodies on joints of kind `mode`, whose springs and dampers are
// those of the modes; behind the last of them the nodes NAME_NODE, each on a joint of kind `node`
// without coordinates.
#include "base/text.h"
#include "model/compile/parts.h"
#include "model/modal_basis.h"

#include <math.h>
#include <string.h>

// ---- bodies and joints --------------------------------------------------------------------------

static SpecNum number(Compile* c, SarLoc loc, double x) {
  return (SpecNum){sar_expr_number(&c->arena, x), loc};
}

static SpecDofs dofs(Compile* c, SarLoc loc, double x) {
  SpecDofs d = {SAR_ARENA_NEW(&c->arena, SpecNum), 1, loc};
  if (d.c) *d.c = number(c, loc, x);
  return d;
}

// Of a list for all modes: the value of mode i, or nothing.
static SpecDofs one_of(const SpecDofs* all, int i) {
  if (all->count == 0) return (SpecDofs){0};
  return (SpecDofs){&all->c[all->count == 1 ? 0 : i], 1, all->loc};
}

static SpecVec3 vector(Compile* c, SarLoc loc, V3 v) {
  return (SpecVec3){{number(c, loc, v.x), number(c, loc, v.y), number(c, loc, v.z)}};
}

static bool place(Compile* c, SarLoc loc, Xform X, SpecPose* pose) {
  const Quat q = quat_from_m3(X.R);
  const double r[4] = {q.w, q.x, q.y, q.z};
  *pose = (SpecPose){.at = vector(c, loc, X.p), .rotation = SPEC_ROT_QUAT, .loc = loc};
  pose->r = SAR_ARENA_ARRAY(&c->arena, SpecNum, 4);
  for (int k = 0; pose->r && k < 4; k++) pose->r[k] = number(c, loc, r[k]);
  return pose->r != NULL;
}

static void fill_mass(Compile* c, SarLoc loc, Inertia I, SpecBody* body) {
  if (!(I.m > 0) && !(I.I.xx + I.I.yy + I.I.zz > 0)) return;
  const V3 com = I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero();
  const S3 at = s3_scale(I.m, s3_of_point(com));
  const double J[6] = {I.I.xx - at.xx, I.I.yy - at.yy, I.I.zz - at.zz,
                       I.I.xy - at.xy, I.I.xz - at.xz, I.I.yz - at.yz};
  body->mass = number(c, loc, I.m);
  body->com = vector(c, loc, com);
  body->inertia_set = true;
  for (int k = 0; k < 6; k++) body->inertia[k] = number(c, loc, J[k]);
}

static SpecJoint* add(SarSpec* s, const SarJointKind* kind, SpecName name, SpecName parent) {
  s->bodies.items[s->bodies.count++] = (SpecBody){.name = name};
  SpecJoint* joint = &s->joints.items[s->joints.count++];
  *joint =
      (SpecJoint){.name = name, .kind = kind, .parent = parent, .child = name, .relative = true};
  return joint;
}

// c = 2 zeta sqrt(k m)
static bool add_modes(Compile* c, SarSpec* s, const SpecModal* b, SpecName* last) {
  const SarModalShape* shape = b->shape;
  const int n = shape->modes;
  const SarLoc loc = b->body.name.loc;
  double* M = SAR_ARENA_ARRAY(&c->arena, double, (size_t)n*(size_t)n);
  if (!M) return false;
  sar_modal_mass(shape, M);
  *last = b->body.name;
  for (int i = 0; i < n; i++) {
    const double k = fmax(0, shape->stiffness[i * n + i]);
    const SpecName name = {sar_arena_printf(&c->arena, "%s_mode%d", b->body.name.text, i + 1), loc};
    if (!name.text) return false;
    SpecJoint* joint = add(s, &sar_joint_mode, name, *last);
    joint->stiffness = dofs(c, loc, k);
    if (shape->damping[i] != 0)
      joint->damping = dofs(c, loc, 2 * shape->damping[i] * sqrt(k * M[i * n + i]));
    joint->position = one_of(&b->position, i);
    joint->speed = one_of(&b->speed, i);
    *last = name;
  }
  return true;
}

static bool add_node(Compile* c, SarSpec* s, const SpecModal* b, SpecName last, int k) {
  const SarModalShape* shape = b->shape;
  const SarLoc loc = b->node[k].loc.line ? b->node[k].loc : b->body.name.loc;
  const SpecName name = {sar_arena_printf(&c->arena, "%s_%s", b->body.name.text, b->node[k].text),
                         loc};
  SarModalShape* own = SAR_ARENA_NEW(&c->arena, SarModalShape);
  if (!name.text || !own) return false;
  *own = (SarModalShape){.nodes = 1, .modes = shape->modes, .mode = &shape->mode[k * shape->modes]};
  if (shape->bend) own->bend = &shape->bend[k * sar_pairs(shape->modes)];
  SpecJoint* joint = add(s, &sar_joint_node, name, last);
  joint->shape = own;
  joint->param[0] = b->radius;
  fill_mass(c, loc, shape->inertia[k], &s->bodies.items[s->bodies.count - 1]);
  return place(c, loc, shape->X[k], &joint->origin);
}

static bool expand(Compile* c, SarSpec* s, const SpecModal* b) {
  SpecName last;
  s->bodies.items[s->bodies.count++] = b->body;
  if (!add_modes(c, s, b, &last)) return false;
  for (int k = 0; k < b->shape->nodes; k++)
    if (!add_node(c, s, b, last, k)) return false;
  return true;
}

bool sar_expand_modals(Compile* c) {
  int bodies = 0;
  for (int i = 0; i < c->spec->modals.count; i++) {
    const SpecModal* b = &c->spec->modals.items[i];
    if (!b->wrong) bodies += 1 + b->shape->modes + b->shape->nodes;
  }
  if (bodies == 0) return true;
  SarSpec* s = SAR_ARENA_NEW(&c->arena, SarSpec);
  if (!s) return false;
  *s = *c->spec;
  if (!SAR_LIST_COPY(&c->arena, &s->bodies, bodies) ||
      !SAR_LIST_COPY(&c->arena, &s->joints, bodies))
    return false;
  for (int i = 0; i < s->modals.count; i++)
    if (!s->modals.items[i].wrong && !expand(c, s, &s->modals.items[i])) return false;
  c->spec = s;
  return true;
}

// ---- the draft ----------------------------------------------------------------------------------

static const SarModalShape* shape_of(const Compile* c, int body) {
  const SpecJoint* spec = c->joint[c->joint_of[body]].spec;
  return spec ? spec->shape : NULL;
}

static void count(Compile* c) {
  SarModel* m = &c->m;
  m->nmodal = m->nnode = m->nnode_mode = m->nnode_bend = m->nmodal_matrix = 0;
  for (int b = 0; b < m->nbody; b++) {
    const int above = m->body_parent[b];
    if (m->joint_class[b] == SAR_CLASS_MODE)
      m->nmodal += above < 0 || m->joint_class[above] != SAR_CLASS_MODE;
    if (m->joint_class[b] != SAR_CLASS_NODE) continue;
    const SarModalShape* shape = shape_of(c, b);
    m->nnode++;
    m->nnode_mode += shape->modes;
    if (shape->bend) m->nnode_bend += sar_pairs(shape->modes);
  }
}

// The chain of modes that ends with the parent of the first node. They follow each other, because a
// mode carries nothing else.
static void fill_modal(Compile* c, int first, SarModal* g) {
  SarModel* m = &c->m;
  *g = (SarModal){.body = first,
                  .last = first,
                  .dof = m->joint_vadr[first],
                  .q = m->joint_qadr[first],
                  .matrix = m->nmodal_matrix};
  while (g->last + 1 < m->nbody && m->joint_class[g->last + 1] == SAR_CLASS_MODE &&
         m->body_parent[g->last + 1] == g->last)
    g->last++;
  g->num = g->last - first + 1;
  m->nmodal_matrix += g->num * g->num;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const bool on_mode = p >= first && p <= g->last;
    if (!on_mode || m->joint_class[b] == SAR_CLASS_NODE || b == p + 1) continue;
    const BodyPart* body = &c->body[c->body_at[b]];
    sar_complain(c, body->item, body->item.loc,
                 "attach it to the modal body or to one of its nodes",
                 "hangs on '%s', which is a mode, not a body", c->body[c->body_at[p]].item.name);
  }
}

static void fill_node(Compile* c, int b, SarModalNode* n) {
  SarModel* m = &c->m;
  const SarModalShape* shape = shape_of(c, b);
  const int modal = sar_modal_of(m, m->body_parent[b]);
  const SarModal* g = &m->modal[modal];
  *n = (SarModalNode){.body = b,
                      .modal = modal,
                      .dof = g->dof,
                      .q = g->q,
                      .num = g->num,
                      .mode = m->nnode_mode,
                      .bend = shape->bend ? m->nnode_bend : -1};
  for (int i = 0; i < shape->modes; i++) {
    m->node_mode[m->nnode_mode++] = shape->mode[i];
    n->turns = n->turns || !v3_is_zero(shape->mode[i].w);
  }
  for (int i = 0; shape->bend && i < sar_pairs(shape->modes); i++)
    m->node_bend[m->nnode_bend++] = shape->bend[i];
}

bool sar_compile_modals(Compile* c) {
  SarModel* m = &c->m;
  count(c);
  if (m->nnode == 0) return true;
  m->modal = SAR_ARENA_ARRAY(&c->arena, SarModal, m->nmodal);
  m->node = SAR_ARENA_ARRAY(&c->arena, SarModalNode, m->nnode);
  m->node_mode = SAR_ARENA_ARRAY(&c->arena, Motion, m->nnode_mode);
  m->node_bend = SAR_ARENA_ARRAY(&c->arena, V3, m->nnode_bend + 1);
  if (c->arena.failed) return false;
  m->nmodal = m->nnode = m->nnode_mode = m->nnode_bend = 0;
  for (int b = 0; b < m->nbody; b++) {
    const int above = m->body_parent[b];
    m->body_node[b] = above < 0 ? 0 : m->body_node[above];
    if (m->joint_class[b] == SAR_CLASS_MODE &&
        (above < 0 || m->joint_class[above] != SAR_CLASS_MODE))
      fill_modal(c, b, &m->modal[m->nmodal++]);
    if (m->joint_class[b] != SAR_CLASS_NODE) continue;
    fill_node(c, b, &m->node[m->nnode++]);
    m->body_node[b] = m->nnode;
  }
  return true;
}
