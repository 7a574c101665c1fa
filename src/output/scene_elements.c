// What is between bodies: springs, dampers, stops, rods and cylinders; springs of sliding joints.
#include "output/scene.h"

#include <math.h>

static SarPart* between(SceneMaker* k, SarPartKind kind, SarPartRole role, const char* name,
                        const SarForceLook* look, double radius) {
  SarPart* p = sar_scene_part(k, kind, role, name);
  for (int e = 0; e < 2; e++) {
    p->body[e] = look->body[e];
    p->end[e] = look->point[e];
  }
  p->axis = look->axis;
  p->size[0] = radius;
  return p;
}

// How far apart the ends are at the start.
static double length_of(const SceneMaker* k, const SarForceLook* l) {
  V3 p[2];
  for (int e = 0; e < 2; e++)
    p[e] = l->body[e] < 0 ? l->point[e] : x_point(k->start[l->body[e]], l->point[e]);
  const V3 d = v3_sub(p[1], p[0]);
  const V3 n = l->body[0] < 0 ? l->axis : m3_mul_v(k->start[l->body[0]].R, l->axis);
  return v3_dot(n, n) > 0 ? fabs(v3_dot(n, d)) / v3_norm(n) : v3_norm(d);
}

// Where something hangs on the ground.
static void add_mount(SceneMaker* k, V3 at) {
  SarPart* p = sar_scene_part(k, SAR_PART_ELLIPSOID, SAR_ROLE_SUPPORT, "ground");
  p->X_BS.p = at;
  p->size[0] = p->size[1] = p->size[2] = 1.4 * k->s->unit;
}

// Coil and damper on one line: the damper stands inside. The radius follows the length and the
// thickness of the bars around.
static void add_line(SceneMaker* k, const char* name, const SarForceLook* l, int force) {
  const double length = length_of(k, l), unit = k->s->unit;
  const double r = fmin(fmax(0.11 * length, 1.2 * unit), 3.2 * unit);
  const double slim = l->coil ? 0.5 : 0.8;
  for (int e = 0; e < 2; e++)
    if (l->body[e] < 0) add_mount(k, l->point[e]);
  if (l->coil) between(k, SAR_PART_SPRING, SAR_ROLE_SPRING, name, l, r)->force = force;
  if (l->damper) between(k, SAR_PART_DAMPER, SAR_ROLE_DAMPER, name, l, slim * r)->force = force;
  if (l->stop && !l->coil)
    between(k, SAR_PART_STOP, SAR_ROLE_DAMPER, name, l, 0.7 * r)->force = force;
}

static void add_forces(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nforce; i++)
    if (k->look[i].bar > 0)
      between(k, SAR_PART_LINK, SAR_ROLE_BODY, sar_text(m, m->force_name[i]), &k->look[i],
              k->look[i].bar)
          ->force = i;
    else if (k->look[i].coil || k->look[i].damper || k->look[i].stop)
      add_line(k, sar_text(m, m->force_name[i]), &k->look[i], i);
}

// A row that keeps two points at a distance is a rod; one that drives the distance, a cylinder.
static void add_rods(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nterm; i++) {
    const SarTerm* t = &m->term[i];
    if (t->kind != SAR_TERM_DISTANCE) continue;
    const SarPair* pair = &m->pair[t->pair];
    const SarForceLook line = {.body = {pair->body[0], pair->body[1]},
                               .point = {pair->point[0], pair->point[1]}};
    const bool driven = m->row[t->row].slot >= 0;
    const int owner = m->row[t->row].constraint;
    SarPart* p =
        between(k, driven ? SAR_PART_ACTUATOR : SAR_PART_LINK, SAR_ROLE_LINK,
                sar_text(m, m->constraint[owner].name), &line, (driven ? 1.1 : 0.7) * k->s->unit);
    p->constraint = owner;
  }
}

// A sliding joint with a spring or damper. Its frames say nothing of a length: the coil goes along
// the axis from the joint on the one body to beside the mass centre of the other.
static void add_struts(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int b = 0; b < m->nbody; b++) {
    const int v = m->joint_vadr[b], parent = m->body_parent[b];
    if (m->joint_kind[b]->cls != SAR_CLASS_PRISMATIC || parent < 0 ||
        !(m->body_inertia[parent].m > 0))
      continue;
    SarForceLook l = {
        .body = {parent, b}, .coil = m->dof_stiffness[v] != 0, .damper = m->dof_damping[v] != 0};
    if (!l.coil && !l.damper) continue;
    const Xform F = m->body_X_PF[b];
    const V3 com = v3_scale(1 / m->body_inertia[parent].m, m->body_inertia[parent].h);
    const V3 axis = m3_col_z(F.R);
    l.point[0] = v3_axpy(v3_dot(axis, v3_sub(com, F.p)), axis, F.p);
    if (length_of(k, &l) > 2 * k->s->unit) add_line(k, sar_text(m, m->joint_name[b]), &l, -1);
  }
}

void sar_scene_add_elements(SceneMaker* k) {
  add_forces(k);
  add_rods(k);
  add_struts(k);
  if (k->s->m->nmodal > 0) sar_scene_add_modals(k);
}
