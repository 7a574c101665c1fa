// Joints of SDF. Their axes are directions of the joint's frame, or of the one that expressed_in
// names; links may hang together in loops.
#include "io/sdf.h"

#include "base/print.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *type, *kind;
  int axes;
} TYPES[] = {{"revolute", "revolute", 1},   {"continuous", "revolute", 1},
             {"prismatic", "prismatic", 1}, {"fixed", "fixed", 0},
             {"ball", "spherical", 0},      {"universal", "universal", 2},
             {"revolute2", "universal", 2}, {"screw", "screw", 1}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static int type_of(Sdf* s, const XmlTag* tag, const char* owner) {
  const char* known[TYPE_COUNT];
  char hint[96];
  const SpecName type = sar_urdf_name(&s->u, tag, "type", owner);
  for (int i = 0; i < TYPE_COUNT; i++) {
    known[i] = TYPES[i].type;
    if (type.text && strcmp(type.text, TYPES[i].type) == 0) return i;
  }
  if (!type.text) return -1;
  sar_text_suggest(hint, sizeof hint, type.text, known, TYPE_COUNT);
  sar_report(
      s->u.err, type.loc,
      hint[0] ? hint : "one of revolute continuous prismatic fixed ball universal revolute2 screw",
      "%s: type '%.40s' is not taken", owner, type.text);
  return -1;
}

// The link at one end.
static int end_of(Sdf* s, const XmlTag* tag, const char* which, const char* owner) {
  const XmlTag* end = sar_xml_child(tag, which);
  const char* name = sar_sdf_text(s, end);
  if (!name[0]) {
    sar_report(s->u.err, end ? end->loc : tag->loc, "", "%s: needs <%s>LINK</%s>", owner, which,
               which);
    return SDF_NONE;
  }
  return sar_sdf_link_of(s, sar_sdf_find(s, name, end->loc, owner));
}

// ---- axes ------------------------------------------------------------------------------------

// In the ground. Before version 1.7 an axis could be one of the model's frame.
static V3 read_axis(Sdf* s, const XmlTag* axis, int joint, const char* owner) {
  SpecNum x[3];
  const XmlTag* xyz = axis ? sar_xml_child(axis, "xyz") : NULL;
  const XmlAttribute* in = xyz && !s->old ? sar_xml_attribute(xyz, "expressed_in") : NULL;
  int frame = joint;
  if (in && in->value[0]) frame = sar_sdf_find(s, in->value, in->loc, owner);
  if (s->old && axis && sar_sdf_flag(s, axis, "use_parent_model_frame", false)) frame = 0;
  V3 v = v3(0, 0, 1);
  if (xyz && sar_sdf_numbers(s, axis, "xyz", owner, 3, false, x))
    v = v3(sar_urdf_value(x[0]), sar_urdf_value(x[1]), sar_urdf_value(x[2]));
  const double size = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
  if (size == 0) {
    sar_report(s->u.err, xyz->loc, "", "%s: the axis has no length", owner);
    return v3(0, 0, 1);
  }
  return m3_mul_v(sar_sdf_place(s, frame).R, v3_unit(v3_scale(1 / size, v)));
}

// ---- laws of one axis ------------------------------------------------------------------------

typedef struct Laws {
  double damping[2], friction[2], stiffness[2], rest[2], lower[2], upper[2], effort[2], speed[2];
} Laws;

static double bound(double x) { return fabs(x) >= 1e16 ? copysign((double)INFINITY, x) : x; }

static double not_negative(Sdf* s, const XmlTag* tag, const char* child, const char* owner) {
  const double x = sar_sdf_number(s, tag, child, owner, 0);
  if (!(x >= 0) || isinf(x))
    sar_report(s->u.err, tag->loc, "", "%s: <%s> must not be negative, nor infinite", owner, child);
  return x;
}

static void read_laws(Sdf* s, const XmlTag* axis, int i, const char* owner, Laws* l) {
  const XmlTag* dynamics = axis ? sar_xml_child(axis, "dynamics") : NULL;
  const XmlTag* limit = axis ? sar_xml_child(axis, "limit") : NULL;
  const double inf = (double)INFINITY;
  l->lower[i] = -inf, l->upper[i] = l->effort[i] = l->speed[i] = inf;
  if (dynamics) {
    l->damping[i] = not_negative(s, dynamics, "damping", owner);
    l->friction[i] = not_negative(s, dynamics, "friction", owner);
    l->stiffness[i] = not_negative(s, dynamics, "spring_stiffness", owner);
    l->rest[i] = sar_sdf_number(s, dynamics, "spring_reference", owner, 0);
  }
  if (!limit) return;
  l->lower[i] = bound(sar_sdf_number(s, limit, "lower", owner, -inf));
  l->upper[i] = bound(sar_sdf_number(s, limit, "upper", owner, inf));
  const double effort = sar_sdf_number(s, limit, "effort", owner, -1);
  const double speed = sar_sdf_number(s, limit, "velocity", owner, -1);
  if (effort >= 0) l->effort[i] = effort;
  if (speed >= 0) l->speed[i] = speed;
  if (l->lower[i] > l->upper[i])
    sar_report(s->u.err, limit->loc, "", "%s: lower limit %g is above upper limit %g", owner,
               l->lower[i], l->upper[i]);
}

static void put(Sdf* s, const double* x, double unless, int n, SarLoc loc, SpecDofs* out) {
  bool given = false;
  for (int i = 0; i < n; i++) given = given || x[i] != unless;
  if (given) *out = sar_sdf_dofs(s, x, n, loc);
}

static void put_laws(Sdf* s, const Laws* l, bool limited, SpecJoint* j) {
  const int n = j->kind->nv;
  const SarLoc loc = j->name.loc;
  const double inf = (double)INFINITY;
  put(s, l->damping, 0, n, loc, &j->damping);
  put(s, l->friction, 0, n, loc, &j->friction);
  put(s, l->stiffness, 0, n, loc, &j->stiffness);
  if (j->stiffness.count) put(s, l->rest, 0, n, loc, &j->rest);
  put(s, l->effort, inf, n, loc, &j->effort);
  put(s, l->speed, inf, n, loc, &j->speed_limit);
  if (!limited) return;
  put(s, l->lower, -inf, n, loc, &j->lower);
  put(s, l->upper, inf, n, loc, &j->upper);
}

// ---- the rest of a joint ---------------------------------------------------------------------

// Metres per radian: screw_thread_pitch is metres per turn, thread_pitch was radians per metre of
// the other sign.
static void read_pitch(Sdf* s, const XmlTag* tag, const char* owner, SpecJoint* j) {
  const XmlTag* old = sar_xml_child(tag, "thread_pitch");
  const double turn = 2 * 3.14159265358979323846;
  double pitch = sar_sdf_number(s, tag, "screw_thread_pitch", owner, 0) / turn;
  if (!sar_xml_child(tag, "screw_thread_pitch"))
    pitch = -1 / sar_sdf_number(s, tag, "thread_pitch", owner, 1);
  if (!isfinite(pitch))
    sar_report(s->u.err, old ? old->loc : tag->loc, "", "%s: a screw needs a finite pitch", owner);
  else
    j->param[0] = sar_sdf_num(s, pitch, tag->loc);
}

// q = multiplier (leader - reference) + offset
static void read_mimic(Sdf* s, const XmlTag* axis, const char* owner, SpecJoint* j) {
  const XmlTag* mimic = axis ? sar_xml_child(axis, "mimic") : NULL;
  const XmlAttribute* other = mimic ? sar_xml_attribute(mimic, "axis") : NULL;
  if (!mimic) return;
  if (j->kind->nv != 1 || (other && strcmp(other->value, "axis") != 0)) {
    sar_report(s->u.err, mimic->loc, "", "%s: only joints with one axis follow one another", owner);
    return;
  }
  const double times = sar_sdf_number(s, mimic, "multiplier", owner, 1);
  const double from = sar_sdf_number(s, mimic, "reference", owner, 0);
  j->mimic = sar_urdf_name(&s->u, mimic, "joint", owner);
  j->multiplier = sar_sdf_num(s, times, mimic->loc);
  j->offset =
      sar_sdf_num(s, sar_sdf_number(s, mimic, "offset", owner, 0) - times * from, mimic->loc);
}

static void check_square(Sdf* s, V3 a, V3 b, const XmlTag* tag, const char* owner) {
  if (fabs(v3_dot(a, b)) > 1e-6)
    sar_report(s->u.err, tag->loc, "", "%s: its two axes must be perpendicular", owner);
}

static void read_joint(Sdf* s, int frame) {
  const XmlTag* tag = s->frames.items[frame].tag;
  const XmlTag *axis = sar_xml_child(tag, "axis"), *axis2 = sar_xml_child(tag, "axis2");
  SpecJoint j = {.name = sar_urdf_name(&s->u, tag, "name", "joint")};
  const char* owner = sar_urdf_owner(&s->u, "joint", j.name);
  Laws laws = {.damping = {0}};
  const int type = type_of(s, tag, owner), errors = s->u.err->errors;
  const int parent = end_of(s, tag, "parent", owner), child = end_of(s, tag, "child", owner);
  if (type < 0 || !j.name.text || parent == SDF_NONE || child == SDF_NONE) return;
  if (parent == child) {
    sar_report(s->u.err, tag->loc, "", "%s: parent and child are the same", owner);
    return;
  }
  j.kind = sar_joint_kind_find(TYPES[type].kind);
  j.parent = sar_sdf_body_name(s, parent);
  j.child = sar_sdf_body_name(s, child);
  j.at = sar_sdf_vec(s, sar_sdf_place(s, frame).p, tag->loc);
  const V3 a = TYPES[type].axes ? read_axis(s, axis, frame, owner) : v3_zero();
  const V3 b = TYPES[type].axes == 2 ? read_axis(s, axis2, frame, owner) : v3_zero();
  if (TYPES[type].axes) j.axis = sar_sdf_vec(s, a, axis ? axis->loc : tag->loc);
  if (TYPES[type].axes == 2) j.axis2 = sar_sdf_vec(s, b, axis2 ? axis2->loc : tag->loc);
  if (TYPES[type].axes == 2) check_square(s, a, b, tag, owner);
  if (TYPES[type].axes > 0) read_laws(s, axis, 0, owner, &laws);
  if (TYPES[type].axes == 2) read_laws(s, axis2, 1, owner, &laws);
  if (strcmp(TYPES[type].type, "screw") == 0) read_pitch(s, tag, owner, &j);
  if (TYPES[type].axes) put_laws(s, &laws, strcmp(TYPES[type].type, "continuous") != 0, &j);
  read_mimic(s, axis, owner, &j);
  if (s->still || s->u.err->errors > errors) return;
  SpecJoint* to = SAR_LIST_ADD(&s->u.spec->arena, &s->u.spec->joints);
  if (to) *to = j;
}

void sar_sdf_joints(Sdf* s) {
  for (int i = 0; i < s->frames.count; i++)
    if (s->frames.items[i].is_joint) read_joint(s, i);
}
