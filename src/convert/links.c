// The tree of a compiled model as links with hinges, slides, balls and free joints. See links.h.
#include "convert/links.h"

#include "math/sincos.h"

#include <string.h>

SarLoc sar_joint_place(const Convert* c, const char* name) {
  for (int i = 0; i < c->spec->joints.count; i++)
    if (strcmp(c->spec->joints.items[i].name.text, name) == 0)
      return c->spec->joints.items[i].name.loc;
  return (SarLoc){0};
}

SarLoc sar_body_place(const Convert* c, const char* name) {
  for (int i = 0; i < c->spec->bodies.count; i++)
    if (strcmp(c->spec->bodies.items[i].name.text, name) == 0)
      return c->spec->bodies.items[i].name.loc;
  return (SarLoc){0};
}

// ---- joints ----------------------------------------------------------------------------------

// A joint as it is put together: axes in frame B of its body.
typedef struct Draft {
  Convert* c;
  Link* link;
  int joint;
  const char* name;
} Draft;

static LinkDof* add_dof(Draft* d, DofKind kind, const char* suffix, V3 axis_B, int dof, int q,
                        double ref) {
  Link* l = d->link;
  if (l->ndof == MOST_DOFS) return NULL;
  LinkDof* out = &l->dof[l->ndof++];
  const char* name = suffix ? sar_arena_printf(&d->c->arena, "%s_%s", d->name, suffix) : d->name;
  if (!name) name = "";  // no memory
  *out = (LinkDof){.kind = kind, .name = name, .ref = ref, .joint = d->joint, .dof = dof, .q = q};
  out->axis = m3_tmul_v(l->X_BL.R, axis_B);
  out->anchor = x_inv(l->X_BL).p;
  out->follows = -1;
  return out;
}

// Kinds that are their coordinates one after the other.
static bool is_product(const SarJointKind* kind) {
  static const char* const names[] = {"revolute",  "prismatic", "cylindrical",
                                      "universal", "planar",    "cartesian"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(kind->name, names[i]) == 0) return true;
  return false;
}

static void add_product(Draft* d, const SarJointKind* kind, const double* q,
                        const SarJointCalc* at) {
  const SarModel* m = d->c->model;
  for (int i = 0; i < kind->nv; i++) {
    const bool turns = kind->coordinate[i] == SAR_ANGLE;
    add_dof(d, turns ? DOF_HINGE : DOF_SLIDE, kind->nv > 1 ? kind->q_suffix[i] : NULL,
            turns ? at->S[i].w : at->S[i].v, m->joint_vadr[d->joint] + i,
            m->joint_qadr[d->joint] + i, q[i]);
  }
}

// A hinge, and a slide that follows it.
static void add_screw(Draft* d, const double* q) {
  const SarModel* m = d->c->model;
  const double pitch = m->joint_param[(size_t)d->joint * SAR_JOINT_MAX_PARAM];
  const V3 z = v3(0, 0, 1);
  add_dof(d, DOF_HINGE, NULL, z, m->joint_vadr[d->joint], m->joint_qadr[d->joint], q[0]);
  LinkDof* slide = add_dof(d, DOF_SLIDE, "advance", z, -1, -1, pitch * q[0]);
  if (slide) slide->follows = d->link->ndof - 2, slide->ratio = pitch;
}

// Ry(q1) Rx(q2) Ry(q1): three hinges, the last of which follows the first.
static void add_gimbal(Draft* d, const double* q) {
  const SarModel* m = d->c->model;
  const int v = m->joint_vadr[d->joint], at = m->joint_qadr[d->joint];
  double c1, s1, c2, s2;
  sar_sincos(q[0], &s1, &c1);
  sar_sincos(q[1], &s2, &c2);
  const M3 Ry = m3_rot_y(c1, s1), Rxy = m3_mul(m3_rot_x(c2, s2), Ry);
  add_dof(d, DOF_HINGE, "q1", m3_tmul_v(Rxy, v3(0, 1, 0)), v, at, q[0]);
  add_dof(d, DOF_HINGE, "q2", m3_tmul_v(Ry, v3(1, 0, 0)), v + 1, at + 1, q[1]);
  LinkDof* last = add_dof(d, DOF_HINGE, "q3", v3(0, 1, 0), -1, -1, q[0]);
  if (last) last->follows = d->link->ndof - 3, last->ratio = 1;
}

// Free, but not in ground: three slides and a ball.
static void add_floating(Draft* d, const SarJointKind* kind, const double* q,
                         const SarJointCalc* at) {
  const SarModel* m = d->c->model;
  const int v = m->joint_vadr[d->joint], adr = m->joint_qadr[d->joint];
  for (int i = 0; i < 3; i++)
    add_dof(d, DOF_SLIDE, kind->q_suffix[i], at->S[i].v, v + i, adr + i, q[i]);
  add_dof(d, DOF_BALL, "turn", v3(0, 0, 1), v + 3, adr + 3, 0);
}

static void add_joint(Draft* d, const SarJointKind* kind, const double* q, const SarJointCalc* at) {
  const SarModel* m = d->c->model;
  const int v = m->joint_vadr[d->joint], adr = m->joint_qadr[d->joint];
  if (is_product(kind))
    add_product(d, kind, q, at);
  else if (strcmp(kind->name, "screw") == 0)
    add_screw(d, q);
  else if (strcmp(kind->name, "gimbal") == 0)
    add_gimbal(d, q);
  else if (strcmp(kind->name, "spherical") == 0)
    add_dof(d, DOF_BALL, NULL, v3(0, 0, 1), v, adr, 0);
  else if (strcmp(kind->name, "free") == 0 && d->link->parent < 0)
    add_dof(d, DOF_FREE, NULL, v3(0, 0, 1), v, adr, 0);
  else if (strcmp(kind->name, "free") == 0)
    add_floating(d, kind, q, at);
  else if (kind->nv > 0)
    sar_lose(d->c, sar_joint_place(d->c, d->name), "joint '%s' of kind %s: held where it is",
             d->name, kind->name);
}

// ---- links -----------------------------------------------------------------------------------

static bool is_held_in_loop(const SarModel* m, int body) {
  for (int k = 0; k < m->ncut; k++)
    if (m->cut[k].body[0] == body || m->cut[k].body[1] == body) return true;
  for (int p = 0; p < m->npoint; p++)
    if (m->point[p].body == body) return true;
  return false;
}

// Without mass, with one child that moves in it: both are one link.
static bool is_joined(const SarModel* m, int b) {
  const Inertia* I = &m->body_inertia[b];
  const bool empty = I->m == 0 && I->I.xx == 0 && I->I.yy == 0 && I->I.zz == 0;
  return empty && m->body_subtree[b] > 1 && m->body_subtree[b] == 1 + m->body_subtree[b + 1] &&
         m->joint_nv[b] > 0 && m->joint_nv[b + 1] > 0 && strcmp(m->joint_kind[b]->name, "free") &&
         strcmp(m->joint_kind[b + 1]->name, "free") && !is_held_in_loop(m, b);
}

static void weigh(const SarModel* m, Link* l) {
  const Inertia* I = &m->body_inertia[l->body];
  const V3 com = I->m > 0 ? v3_scale(1 / I->m, I->h) : v3_zero();
  const S3 central = s3_add(I->I, s3_scale(-I->m, s3_of_point(com)));
  l->mass = I->m;
  l->com = x_point_inv(l->X_BL, com);
  l->inertia = s3_rotate(m3_transpose(l->X_BL.R), central);
}

// The dofs of the link before, in whose place this one is, in the frame of this one.
static void take_dofs(const Link* from, Xform X_FL, Link* to) {
  for (int i = 0; i < from->ndof && to->ndof < MOST_DOFS; i++) {
    LinkDof* d = &to->dof[to->ndof++];
    *d = from->dof[i];
    d->axis = m3_tmul_v(X_FL.R, d->axis);
    d->anchor = x_point_inv(X_FL, d->anchor);
  }
}

static void make_link(Convert* c, LinkStyle style, Links* out, int b, Link* before) {
  const SarModel* m = c->model;
  const SarJointKind* kind = m->joint_kind[b];
  const int parent = m->body_parent[b];
  double zero[SAR_JOINT_MAX_NQ];
  const double* q = style.q ? &style.q[m->joint_qadr[b]] : zero;
  SarJointCalc at;
  sar_joint_zero(kind, zero);
  Link* l = &out->items[out->count];
  *l = (Link){.name = sar_text(m, m->body_name[b]), .body = b, .X_BL = m->body_X_BU[b]};
  l->parent = before ? before->parent : parent < 0 ? -1 : out->of_body[parent];
  if (style.at_joint) l->X_BL.p = v3_zero();
  kind->calc(&m->joint_param[(size_t)b * SAR_JOINT_MAX_PARAM], q, NULL, &at);
  const Xform X_PB = x_mul(m->body_X_PF[b], at.X_FB);
  const Xform X_PU = x_mul(X_PB, l->X_BL);
  Draft d = {c, l, b, sar_text(m, m->joint_name[b])};
  if (before) {
    const Xform X_FL = x_mul(x_inv(before->X_BL), X_PU);
    l->X_PL = x_mul(before->X_PL, X_FL);
    take_dofs(before, X_FL, l);
  } else {
    l->X_PL = parent < 0 ? X_PU : x_mul(x_inv(out->items[l->parent].X_BL), X_PU);
  }
  add_joint(&d, kind, q, &at);
  weigh(m, l);
}

bool sar_links_make(Convert* c, LinkStyle style, Links* out) {
  const SarModel* m = c->model;
  *out = (Links){0};
  out->items = SAR_ARENA_ARRAY(&c->arena, Link, m->nbody + 1);
  out->of_body = SAR_ARENA_ARRAY(&c->arena, int, m->nbody + 1);
  if (c->arena.failed) return false;
  Link kept;
  bool before = false;
  for (int b = 0; b < m->nbody; b++) {
    make_link(c, style, out, b, before ? &kept : NULL);
    out->of_body[b] = out->count;
    before = style.join && is_joined(m, b) && out->items[out->count].ndof + 3 < MOST_DOFS;
    if (before)
      kept = out->items[out->count];
    else
      out->count++;
  }
  return true;
}

LinkMimic sar_link_mimic(const Convert* c, const Link* l, const LinkDof* d) {
  const SarModel* m = c->model;
  if (d->follows >= 0) return (LinkMimic){l->dof[d->follows].name, d->ratio, 0};
  LinkMimic f = {0};
  for (int i = 0; i < m->ncoupling; i++) {
    const SarCoupling* k = &m->coupling[i];
    if (k->joint != d->joint || l->ndof > 1) continue;
    f = (LinkMimic){sar_text(m, m->joint_name[k->other]), k->multiplier, k->offset};
  }
  return f;
}
