// Bodies and joints of MJCF. A body hangs in its parent by its joints, one after the other, all of them in the body's
// frame where the file has it:  X_PB(q) = X_PB(file) J1(q1 - ref1) J2(q2 - ref2) ...,  so a body with several joints is a
// chain of bodies without mass, and one with none is fixed to its parent.
#include "io/mjcf.h"

#include "math/rotvec.h"

#include <math.h>
#include <string.h>

// Types of joints and the kinds they are here.
static const struct {
  const char *type, *kind;
} TYPES[] = {
    {"hinge", "revolute"}, {"slide", "prismatic"}, {"ball", "spherical"}, {"free", "free"}};
enum { HINGE, SLIDE, BALL, FREE, TYPE_COUNT };

static bool is_joint(const XmlTag* tag) {
  return sar_mjcf_is(tag, "joint") || sar_mjcf_is(tag, "freejoint");
}

static int type_of(Mjcf* m, const XmlTag* tag) {
  if (sar_mjcf_is(tag, "freejoint")) return FREE;
  const char* type = sar_mjcf_word(m, tag, "type", "hinge");
  for (int i = 0; i < TYPE_COUNT; i++)
    if (strcmp(type, TYPES[i].type) == 0) return i;
  sar_report(m->err, tag->loc, "one of hinge slide ball free", "<joint> type '%.40s'", type);
  return HINGE;
}

// ---- inertia ---------------------------------------------------------------------------------

static void read_moments(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  double I[6] = {0};
  if (sar_mjcf_numbers(m, tag, "fullinertia", 6, 6, I)) {
    // in the order of both: xx yy zz xy xz yz
  } else if (!sar_mjcf_numbers(m, tag, "diaginertia", 3, 3, I)) {
    sar_report(m->err, tag->loc, "", "<inertial> needs diaginertia or fullinertia");
    return;
  }
  if (m->compiler.boundinertia > 0)
    for (int i = 0; i < 3; i++) I[i] = fmax(I[i], m->compiler.boundinertia);
  if (m->compiler.balance && (I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0]))
    I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
  body->inertia_set = true;
  for (int i = 0; i < 6; i++) body->inertia[i] = sar_mjcf_num(m, I[i], tag->loc);
}

static void read_inertial(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  const Xform X = sar_mjcf_pose(m, tag);
  double mass = sar_mjcf_number(m, tag, "mass", (double)NAN);
  if (isnan(mass)) sar_report(m->err, tag->loc, "", "<inertial> needs mass=\"...\"");
  if (isnan(mass)) return;
  mass = fmax(mass, m->compiler.boundmass);
  body->mass = sar_mjcf_num(m, mass, tag->loc);
  body->com = sar_mjcf_vec(m, X.p, tag->loc);
  read_moments(m, tag, body);
  body->inertia_pose = SAR_ARENA_NEW(&m->spec->arena, SpecPose);
  if (body->inertia_pose)
    *body->inertia_pose = sar_mjcf_spec_pose(m, (Xform){X.R, v3_zero()}, tag->loc);
}

// Fixed to the ground, body upon body: what mass it has does not matter, and meshes without a volume do no harm.
static bool stands_still(const XmlTag* tag) {
  for (; tag && sar_mjcf_is(tag, "body"); tag = tag->parent)
    for (const XmlTag* t = tag->first; t; t = t->next)
      if (is_joint(t)) return false;
  return true;
}

static void read_mass(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  const XmlTag* inertial = sar_xml_child(tag, "inertial");
  const bool geoms = m->compiler.inertia > 0 || (m->compiler.inertia < 0 && !inertial);
  if (inertial && !geoms) read_inertial(m, inertial, body);
  sar_mjcf_geoms(m, tag, geoms && !stands_still(tag), body);
}

// ---- joints ----------------------------------------------------------------------------------

typedef struct Joint {
  const XmlTag* tag;
  int type;
  V3 anchor, axis;  // in the body's frame
  double ref;       // rad or m
} Joint;

static Joint joint_of(Mjcf* m, const XmlTag* tag) {
  double p[3] = {0}, axis[3] = {0, 0, 1};
  Joint j = {.tag = tag, .type = type_of(m, tag)};
  if (j.type != FREE) sar_mjcf_numbers(m, tag, "pos", 3, 3, p);
  if (j.type == HINGE || j.type == SLIDE) sar_mjcf_numbers(m, tag, "axis", 3, 3, axis);
  j.anchor = v3(p[0], p[1], p[2]);
  j.axis = v3(axis[0], axis[1], axis[2]);
  const double length = v3_norm(j.axis);
  if (length > 0)
    j.axis = v3_scale(1 / length, j.axis);
  else
    sar_report(m->err, tag->loc, "", "<joint> axis has no length");
  if (j.type == HINGE || j.type == SLIDE)
    j.ref = sar_mjcf_number(m, tag, "ref", 0) * (j.type == HINGE ? m->compiler.angle : 1);
  return j;
}

// Where the joint would have its body at q = 0, in the body's frame of the file, where it is at q = ref; a free body's
// coordinates are its place in the ground, X.
static Xform back_to_zero(const Joint* j, Xform X) {
  if (j->type == FREE) return x_inv(X);
  if (j->type == SLIDE) return (Xform){m3_identity(), v3_scale(-j->ref, j->axis)};
  const M3 R = quat_to_m3(quat_exp(v3_scale(-j->ref, j->axis)));
  return (Xform){R, v3_sub(j->anchor, m3_mul_v(R, j->anchor))};
}

static void read_limits(Mjcf* m, const Joint* j, double unit, SpecJoint* out) {
  double range[2];
  const bool given = sar_mjcf_numbers(m, j->tag, "range", 2, 2, range) == 2;
  if (!sar_mjcf_flag(m, j->tag, "limited", given && m->compiler.autolimits) || !given) return;
  if (range[0] >= range[1]) {
    sar_report(m->err, j->tag->loc, "", "joint '%s': range %g to %g is empty", out->name.text,
               range[0], range[1]);
    return;
  }
  if (j->type == BALL) {
    sar_warn(m->err, j->tag->loc, "", "joint '%s': the range of a ball is not taken",
             out->name.text);
    return;
  }
  out->lower = sar_mjcf_dofs(m, range[0] * unit, j->tag->loc);
  out->upper = sar_mjcf_dofs(m, range[1] * unit, j->tag->loc);
}

static void read_dynamics(Mjcf* m, const Joint* j, double unit, SpecJoint* out) {
  static const char* const names[] = {"stiffness", "damping", "frictionloss", "armature"};
  SpecDofs* const to[] = {&out->stiffness, &out->damping, &out->friction, &out->armature};
  for (int i = 0; i < 4; i++) {
    const double x = sar_mjcf_number(m, j->tag, names[i], 0);
    if (x > 0) *to[i] = sar_mjcf_dofs(m, x, j->tag->loc);
  }
  if (out->stiffness.count && j->type != BALL)
    out->rest = sar_mjcf_dofs(m, sar_mjcf_number(m, j->tag, "springref", 0) * unit, j->tag->loc);
}

// A free body begins where the file has it.
static SpecDofs place(Mjcf* m, Xform X, SarLoc loc) {
  const Quat q = quat_from_m3(X.R);
  const double x[7] = {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
  SpecNum* c = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, 7);
  for (int i = 0; c && i < 7; i++) c[i] = sar_mjcf_num(m, x[i], loc);
  return c ? (SpecDofs){c, 7, loc} : (SpecDofs){0};
}

static void add_joint(Mjcf* m, const Joint* j, Xform X, SpecName parent, SpecName child) {
  SpecJoint* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (!out) return;
  const SarLoc loc = j->tag->loc;
  const double unit = j->type == SLIDE ? 1 : m->compiler.angle;
  *out = (SpecJoint){.name = sar_mjcf_name(m, j->tag, child.text),
                     .kind = sar_joint_kind_find(TYPES[j->type].kind),
                     .parent = parent,
                     .child = child,
                     .in = child};
  out->at = sar_mjcf_vec(m, j->anchor, loc);
  // neighbours do not touch, but what hangs on the ground may touch it
  if (strcmp(parent.text, "ground") == 0) out->contact = sar_mjcf_num(m, 1, loc);
  if (j->type == FREE) out->position = place(m, X, loc);
  if (j->type == FREE) return;
  if (out->kind->axes != SAR_AXES_NONE) out->axis = sar_mjcf_vec(m, j->axis, loc);
  if (j->ref != 0) out->position = sar_mjcf_dofs(m, j->ref, loc);
  read_limits(m, j, unit, out);
  read_dynamics(m, j, unit, out);
}

static void weld(Mjcf* m, SpecName parent, SpecName child) {
  SpecJoint* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (!out) return;
  *out = (SpecJoint){.name = {sar_arena_printf(&m->spec->arena, "%s_weld", child.text), child.loc},
                     .kind = sar_joint_kind_find("fixed"),
                     .parent = parent,
                     .child = child,
                     .in = child,
                     .at = sar_mjcf_vec(m, v3_zero(), child.loc)};
}

// ---- bodies ----------------------------------------------------------------------------------

static SpecBody* add_body(Mjcf* m, SpecName name, SpecName parent, Xform X, SarLoc loc) {
  SpecBody* body = SAR_LIST_ADD(&m->spec->arena, &m->spec->bodies);
  if (!body) return NULL;
  body->name = name;
  body->pose = sar_mjcf_spec_pose(m, X, loc);
  if (parent.text && strcmp(parent.text, "ground") != 0) body->in = parent;
  return body;
}

static void read_sites(Mjcf* m, const XmlTag* tag, SarArena* a, SpecBody* body) {
  for (const XmlTag* site = tag->first; site; site = site->next) {
    if (!sar_mjcf_is(site, "site") || !sar_xml_attribute(site, "name")) continue;
    SpecFrame* frame =
        body ? SAR_LIST_ADD(a, &body->frames) : SAR_LIST_ADD(a, &m->spec->ground_frames);
    if (!frame) return;
    frame->name = sar_mjcf_name(m, site, "site");
    frame->pose = sar_mjcf_spec_pose(m, sar_mjcf_pose(m, site), site->loc);
  }
}

static void read_body(Mjcf* m, const XmlTag* tag, SpecName parent);

static void read_children(Mjcf* m, const XmlTag* tag, SpecName name) {
  for (const XmlTag* t = tag->first; t; t = t->next)
    if (sar_mjcf_is(t, "body")) read_body(m, t, name);
}

// All joints of a body but the last carry bodies without mass, which have its frame.
static void read_body(Mjcf* m, const XmlTag* tag, SpecName parent) {
  const SpecName name = sar_mjcf_name(m, tag, "body"), above = parent;
  Xform X = sar_mjcf_pose(m, tag);
  int joints = 0, number = 0;
  sar_budget_doing(m->arena.budget, "reading", tag->loc);
  for (const XmlTag* t = tag->first; t; t = t->next) joints += is_joint(t);
  for (const XmlTag* t = tag->first; t; t = t->next) {
    if (!is_joint(t)) continue;
    const Joint j = joint_of(m, t);
    const bool last = ++number == joints;
    SpecName child = name;
    if (!last) child.text = sar_arena_printf(&m->spec->arena, "%s_%d", name.text, number);
    if (!child.text || !add_body(m, child, parent, x_mul(X, back_to_zero(&j, X)), tag->loc)) return;
    add_joint(m, &j, X, parent, child);
    parent = child;
    X = x_identity();
  }
  if (joints == 0) {
    if (!add_body(m, name, parent, X, tag->loc)) return;
    weld(m, parent, name);
  }
  if (joints > 1) sar_mjcf_ignore(m, above, name);
  SpecBody* body = &m->spec->bodies.items[m->spec->bodies.count - 1];
  read_mass(m, tag, body);
  read_sites(m, tag, &m->spec->arena, body);
  read_children(m, tag, name);
}

void sar_mjcf_bodies(Mjcf* m, const XmlTag* world) {
  const SpecName ground = {"ground", world->loc};
  read_sites(m, world, &m->spec->arena, NULL);
  sar_mjcf_touch(m, world, &m->spec->ground_touch);
  read_children(m, world, ground);
}
