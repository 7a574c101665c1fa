// Joints of MJCF: kinds, places, limits and what acts on their coordinates. A body hangs in its
// parent by its joints, one after the other:  X_PB(q) = X_PB(file) J1(q1 - ref1) J2(q2 - ref2) ...
#include "io/mjcf.h"

#include "math/rotvec.h"

#include <string.h>

// Types of joints and the kinds they are here.
static const struct {
  const char *type, *kind;
} TYPES[] = {
    {"hinge", "revolute"}, {"slide", "prismatic"}, {"ball", "spherical"}, {"free", "free"}};

bool sar_mjcf_is_joint(const XmlTag* tag) {
  return sar_mjcf_is(tag, "joint") || sar_mjcf_is(tag, "freejoint");
}

static int type_of(Mjcf* m, const XmlTag* tag) {
  if (sar_mjcf_is(tag, "freejoint")) return MJCF_FREE;
  const char* type = sar_mjcf_word(m, tag, "type", "hinge");
  for (int i = 0; i < MJCF_JOINTS; i++)
    if (strcmp(type, TYPES[i].type) == 0) return i;
  sar_report(m->err, tag->loc, "one of hinge slide ball free", "<joint> type '%.40s'", type);
  return MJCF_HINGE;
}

MjcfJoint sar_mjcf_read_joint(Mjcf* m, const XmlTag* tag) {
  double p[3] = {0}, axis[3] = {0, 0, 1};
  MjcfJoint j = {.tag = tag, .type = type_of(m, tag)};
  if (j.type != MJCF_FREE) sar_mjcf_numbers(m, tag, "pos", 3, 3, p);
  if (j.type == MJCF_HINGE || j.type == MJCF_SLIDE) sar_mjcf_numbers(m, tag, "axis", 3, 3, axis);
  const Xform X = sar_mjcf_frame(m, tag);
  j.anchor = x_point(X, v3(p[0], p[1], p[2]));
  j.axis = m3_mul_v(X.R, v3(axis[0], axis[1], axis[2]));
  const double length = v3_norm(j.axis);
  if (length > 0)
    j.axis = v3_scale(1 / length, j.axis);
  else
    sar_report(m->err, tag->loc, "", "<joint> axis has no length");
  if (j.type == MJCF_HINGE || j.type == MJCF_SLIDE)
    j.ref = sar_mjcf_number(m, tag, "ref", 0) * (j.type == MJCF_HINGE ? m->compiler.angle : 1);
  return j;
}

// Where the joint would have its body at the coordinate q, in the body's frame of the file, where
// it is at q = ref. Balls and free bodies stay.
Xform sar_mjcf_moved_to(const MjcfJoint* j, double q) {
  if (j->type == MJCF_FREE || j->type == MJCF_BALL) return x_identity();
  if (j->type == MJCF_SLIDE) return (Xform){m3_identity(), v3_scale(q - j->ref, j->axis)};
  const M3 R = quat_to_m3(quat_exp(v3_scale(q - j->ref, j->axis)));
  return (Xform){R, v3_sub(j->anchor, m3_mul_v(R, j->anchor))};
}

// At q = 0; a free body's coordinates are its place in the ground, X.
Xform sar_mjcf_back_to_zero(const MjcfJoint* j, Xform X) {
  return j->type == MJCF_FREE ? x_inv(X) : sar_mjcf_moved_to(j, 0);
}

double sar_mjcf_springref(Mjcf* m, const MjcfJoint* j) {
  const double unit = j->type == MJCF_SLIDE ? 1 : m->compiler.angle;
  return sar_mjcf_number(m, j->tag, "springref", 0) * unit;
}

static void read_limits(Mjcf* m, const MjcfJoint* j, double unit, SpecJoint* out) {
  double range[2];
  if (m->off.limit) return;
  const bool given = sar_mjcf_numbers(m, j->tag, "range", 2, 2, range) == 2;
  if (!sar_mjcf_flag(m, j->tag, "limited", given && m->compiler.autolimits) || !given) return;
  if (range[0] >= range[1]) {
    sar_report(m->err, j->tag->loc, "", "joint '%s': range %g to %g is empty", out->name.text,
               range[0], range[1]);
    return;
  }
  if (j->type == MJCF_BALL) {
    sar_warn(m->err, j->tag->loc, "", "joint '%s': the range of a ball is not taken",
             out->name.text);
    return;
  }
  out->lower = sar_mjcf_dofs(m, range[0] * unit, j->tag->loc);
  out->upper = sar_mjcf_dofs(m, range[1] * unit, j->tag->loc);
}

static void read_force_range(Mjcf* m, const MjcfJoint* j, const SpecJoint* out) {
  double range[2];
  if (j->type == MJCF_BALL || sar_mjcf_numbers(m, j->tag, "actuatorfrcrange", 2, 2, range) != 2)
    return;
  if (!sar_mjcf_flag(m, j->tag, "actuatorfrclimited", m->compiler.autolimits)) return;
  MjcfForceRange* r = SAR_LIST_ADD(&m->arena, &m->force_ranges);
  if (r) *r = (MjcfForceRange){out->name, range[0], range[1]};
}

static void read_dynamics(Mjcf* m, const MjcfJoint* j, SpecJoint* out) {
  static const char* const names[] = {"stiffness", "damping", "frictionloss", "armature"};
  SpecDofs* const to[] = {&out->stiffness, &out->damping, &out->friction, &out->armature};
  const bool off[] = {m->off.spring, m->off.damper, m->off.friction, false};
  for (int i = 0; i < 4; i++) {
    if (off[i]) continue;
    const double x = sar_mjcf_number(m, j->tag, names[i], 0);
    if (x > 0) *to[i] = sar_mjcf_dofs(m, x, j->tag->loc);
  }
  if (out->stiffness.count && j->type != MJCF_BALL)
    out->rest = sar_mjcf_dofs(m, sar_mjcf_springref(m, j), j->tag->loc);
}

// A free body begins where the file has it.
static SpecDofs place(Mjcf* m, Xform X, SarLoc loc) {
  const Quat q = quat_from_m3(X.R);
  const double x[7] = {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
  SpecNum* c = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, 7);
  for (int i = 0; c && i < 7; i++) c[i] = sar_mjcf_num(m, x[i], loc);
  return c ? (SpecDofs){c, 7, loc} : (SpecDofs){0};
}

void sar_mjcf_add_joint(Mjcf* m, const MjcfJoint* j, Xform X, SpecName parent, SpecName child) {
  SpecJoint* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (!out) return;
  const SarLoc loc = j->tag->loc;
  const double unit = j->type == MJCF_SLIDE ? 1 : m->compiler.angle;
  *out = (SpecJoint){.name = sar_mjcf_name(m, j->tag, child.text),
                     .kind = sar_joint_kind_find(TYPES[j->type].kind),
                     .parent = parent,
                     .child = child,
                     .in = child};
  out->at = sar_mjcf_vec(m, j->anchor, loc);
  // neighbours do not touch, but what hangs on the ground may touch it
  if (strcmp(parent.text, "ground") == 0) out->contact = sar_mjcf_num(m, 1, loc);
  if (j->type == MJCF_FREE) out->position = place(m, X, loc);
  if (j->type == MJCF_FREE) return;
  MjcfRest* rest = SAR_LIST_ADD(&m->arena, &m->rests);
  if (rest) *rest = (MjcfRest){out->name, sar_mjcf_springref(m, j)};
  if (out->kind->axes != SAR_AXES_NONE) out->axis = sar_mjcf_vec(m, j->axis, loc);
  if (j->ref != 0) out->position = sar_mjcf_dofs(m, j->ref, loc);
  read_limits(m, j, unit, out);
  read_force_range(m, j, out);
  read_dynamics(m, j, out);
}
