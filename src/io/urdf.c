// URDF -> SarSpec (https://wiki.ros.org/urdf/XML). Each link is a body whose frame sits at its
// joint, each joint is written relative to the parent's frame, which is the spec's relative style:
// nothing is converted here.
//
//   link      -> body: inertial/origin xyz is the mass centre, its rpy turns the axes of the
//             inertia
//   joint     -> joint of the same kind; continuous = revolute, floating = free; spherical as in
//             Bullet
//   dynamics  -> damping, dry friction;  limit, mimic -> kept
//   collision -> solids that touch, where the including model asks for it (urdf_touch.c)
// visual, material, transmission, gazebo and sensor play no part in the dynamics.
#include "io/reader.h"
#include "io/urdf.h"

#include "base/print.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

// ---- links -----------------------------------------------------------------------------------

static void read_inertia(Urdf* u, const XmlTag* tag, const char* owner, SpecBody* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  body->inertia_set = true;
  for (int i = 0; i < 6; i++) {
    if (!sar_xml_attribute(tag, names[i])) {
      sar_report(u->err, tag->loc, "", "%s: <inertia> needs all of ixx ixy ixz iyy iyz izz, no %s",
                 owner, names[i]);
      return;
    }
    sar_urdf_number(u, tag, names[i], owner, &body->inertia[i]);
  }
}

static bool is_same(SpecName a, SpecName b) {
  return a.text && b.text && strcmp(a.text, b.text) == 0;
}

static bool is_fixed_to_another(const Urdf* u, SpecName link) {
  for (int j = 0; j < u->spec->joints.count; j++) {
    const SpecJoint* joint = &u->spec->joints.items[j];
    const bool fixed = joint->kind && joint->kind->nv == 0;
    if (fixed && (is_same(joint->parent, link) || is_same(joint->child, link))) return true;
  }
  return false;
}

// Moments about the axes; the compiler judges links that are fixed to others, by their sum.
static void check_moments(Urdf* u) {
  static const char* const names[3] = {"ixx", "iyy", "izz"};
  for (int b = 0; b < u->spec->bodies.count; b++) {
    const SpecBody* body = &u->spec->bodies.items[b];
    for (int i = 0; i < 3; i++)
      if (sar_urdf_value(body->inertia[i]) < 0 && !is_fixed_to_another(u, body->name))
        sar_report(u->err, body->inertia[i].loc, "", "link '%s': %s must not be negative",
                   body->name.text ? body->name.text : "", names[i]);
  }
}

static void read_inertial(Urdf* u, const XmlTag* tag, const char* owner, SpecBody* body) {
  SpecPose pose = {.loc = tag->loc};
  sar_urdf_origin(u, sar_xml_child(tag, "origin"), owner, &pose);
  body->com = pose.at;
  pose.at = (SpecVec3){0};
  if (pose.rotation != SPEC_ROT_NONE) body->inertia_pose = SAR_ARENA_NEW(&u->spec->arena, SpecPose);
  if (body->inertia_pose) *body->inertia_pose = pose;
  const XmlTag* mass = sar_xml_child(tag, "mass");
  if (mass && !sar_xml_attribute(mass, "value")) mass = NULL;
  sar_urdf_number(u, mass, "value", owner, &body->mass);
  if (!mass)
    sar_report(u->err, tag->loc, "a link without mass has no <inertial>",
               "%s: <inertial> needs <mass value=\"...\"/>", owner);
  if (sar_urdf_value(body->mass) < 0)
    sar_report(u->err, body->mass.loc, "", "%s: mass must not be negative", owner);
  const XmlTag* inertia = sar_xml_child(tag, "inertia");
  if (inertia)
    read_inertia(u, inertia, owner, body);
  else
    sar_report(u->err, tag->loc, "a point mass has zeros in it", "%s: <inertial> needs <inertia/>",
               owner);
}

static void read_link(Urdf* u, const XmlTag* tag) {
  SpecBody* body = SAR_LIST_ADD(&u->spec->arena, &u->spec->bodies);
  if (!body) return;
  body->name = sar_urdf_name(u, tag, "name", "link");
  const XmlTag* inertial = sar_xml_child(tag, "inertial");
  const char* owner = sar_urdf_owner(u, "link", body->name);
  if (inertial) read_inertial(u, inertial, owner, body);
  if (u->spec->links_touch) sar_urdf_touch(u, tag, owner, &body->touch);
}

// ---- joints ----------------------------------------------------------------------------------

// Types of URDF and the kinds they are here.
static const struct {
  const char *type, *kind;
} TYPES[] = {{"revolute", "revolute"},  {"continuous", "revolute"}, {"prismatic", "prismatic"},
             {"fixed", "fixed"},        {"floating", "free"},       {"planar", "planar"},
             {"spherical", "spherical"}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static void read_type(Urdf* u, const XmlTag* tag, const char* owner, SpecJoint* joint) {
  SpecName type = sar_urdf_name(u, tag, "type", owner);
  const char* known[TYPE_COUNT];
  for (int i = 0; i < TYPE_COUNT; i++) {
    known[i] = TYPES[i].type;
    if (type.text && strcmp(type.text, TYPES[i].type) == 0)
      joint->kind = sar_joint_kind_find(TYPES[i].kind);
  }
  if (joint->kind || !type.text) return;
  char hint[96];
  sar_text_suggest(hint, sizeof hint, type.text, known, TYPE_COUNT);
  sar_report(
      u->err, type.loc,
      hint[0] ? hint : "one of revolute continuous prismatic fixed floating planar spherical",
      "%s: unknown type '%s'", owner, type.text);
}

// <parent link="..."/> or <child link="..."/>
static SpecName read_end(Urdf* u, const XmlTag* tag, const char* which, const char* owner) {
  const XmlTag* end = sar_xml_child(tag, which);
  if (end) return sar_urdf_name(u, end, "link", owner);
  sar_report(u->err, tag->loc, "", "%s: needs <%s link=\"...\"/>", owner, which);
  return (SpecName){NULL, tag->loc};
}

static void read_axis(Urdf* u, const XmlTag* tag, const char* owner, SpecJoint* joint) {
  SarLoc loc = tag ? tag->loc : joint->name.loc;
  for (int i = 0; i < 3; i++)
    joint->axis.c[i] = (SpecNum){sar_urdf_expr(u, i == 0), loc};  // default: x
  if (!tag) return;
  sar_urdf_vector(u, tag, "xyz", owner, &joint->axis);
  double x = sar_urdf_value(joint->axis.c[0]), y = sar_urdf_value(joint->axis.c[1]),
         z = sar_urdf_value(joint->axis.c[2]);
  if (x == 0 && y == 0 && z == 0)
    sar_report(u->err, joint->axis.c[0].loc, "", "%s: the axis has no length", owner);
}

// The largest effort or velocity; one below zero means that there is none, as elsewhere.
static void read_most(Urdf* u, const XmlTag* tag, const char* name, const char* owner,
                      SpecDofs* out) {
  sar_urdf_dofs(u, tag, name, owner, false, out);
  if (out->count == 0 || sar_urdf_value(out->c[0]) >= 0) return;
  sar_warn(u->err, out->loc, "", "%s: %s %g is negative: taken as unlimited", owner, name,
           sar_urdf_value(out->c[0]));
  *out = (SpecDofs){0};
}

// Limits are kept. Position limits are 0 where not given, and unknown to continuous joints. As
// elsewhere, a lower one above the upper one means that there is none.
static void read_limit(Urdf* u, const XmlTag* tag, const char* owner, bool continuous,
                       SpecJoint* joint) {
  read_most(u, tag, "effort", owner, &joint->effort);
  read_most(u, tag, "velocity", owner, &joint->speed_limit);
  if (continuous) return;
  const SpecNum zero = {sar_urdf_expr(u, 0), tag->loc};
  sar_urdf_dofs(u, tag, "lower", owner, false, &joint->lower);
  sar_urdf_dofs(u, tag, "upper", owner, false, &joint->upper);
  if (!joint->lower.count) joint->lower = sar_urdf_one(u, zero);
  if (!joint->upper.count) joint->upper = sar_urdf_one(u, zero);
  if (!joint->lower.count || !joint->upper.count) return;  // no memory
  if (sar_urdf_value(joint->lower.c[0]) <= sar_urdf_value(joint->upper.c[0])) return;
  sar_warn(u->err, joint->lower.loc, "type=\"continuous\" says so for rotations",
           "%s: lower limit %g is above upper limit %g: taken as unlimited", owner,
           sar_urdf_value(joint->lower.c[0]), sar_urdf_value(joint->upper.c[0]));
  joint->lower = joint->upper = (SpecDofs){0};
}

static void read_joint(Urdf* u, const XmlTag* tag) {
  SpecJoint* joint = SAR_LIST_ADD(&u->spec->arena, &u->spec->joints);
  if (!joint) return;
  joint->name = sar_urdf_name(u, tag, "name", "joint");
  const char* owner = sar_urdf_owner(u, "joint", joint->name);
  read_type(u, tag, owner, joint);
  joint->parent = read_end(u, tag, "parent", owner);
  joint->child = read_end(u, tag, "child", owner);
  joint->relative = true;
  joint->origin.loc = tag->loc;
  sar_urdf_origin(u, sar_xml_child(tag, "origin"), owner, &joint->origin);
  if (!joint->kind || joint->kind->nv == 0) return;
  if (joint->kind->axes != SAR_AXES_NONE) read_axis(u, sar_xml_child(tag, "axis"), owner, joint);
  const XmlTag* dynamics = sar_xml_child(tag, "dynamics");
  if (dynamics) {
    sar_urdf_dofs(u, dynamics, "damping", owner, true, &joint->damping);
    sar_urdf_dofs(u, dynamics, "friction", owner, true, &joint->friction);
  }
  const XmlTag* limit = sar_xml_child(tag, "limit");
  bool continuous = strcmp(sar_xml_attribute(tag, "type")->value, "continuous") == 0;
  if (limit && joint->kind->nv == 1) read_limit(u, limit, owner, continuous, joint);
  const XmlTag* mimic = sar_xml_child(tag, "mimic");
  if (mimic) {
    joint->mimic = sar_urdf_name(u, mimic, "joint", owner);
    sar_urdf_number(u, mimic, "multiplier", owner, &joint->multiplier);
    sar_urdf_number(u, mimic, "offset", owner, &joint->offset);
  }
}

// ---- the robot -------------------------------------------------------------------------------

static void read_robot(Urdf* u) {
  const XmlAttribute* name = sar_xml_attribute(u->robot, "name");
  if (name) u->spec->name = (SpecName){sar_arena_strdup(&u->spec->arena, name->value), name->loc};
  if (name && sar_has_controls(name->value))
    sar_report(u->err, name->loc, "leave it out", "robot: name must not hold control characters");
  int links = 0, joints = 1;  // one more welds the root to ground
  for (const XmlTag* tag = u->robot->first; tag; tag = tag->next) {
    links += strcmp(tag->name, "link") == 0;
    joints += strcmp(tag->name, "joint") == 0;
  }
  if (!SAR_LIST_ROOM(&u->spec->arena, &u->spec->bodies, links) ||
      !SAR_LIST_ROOM(&u->spec->arena, &u->spec->joints, joints))
    return;
  for (const XmlTag* tag = u->robot->first; tag; tag = tag->next) {
    sar_budget_doing(u->arena.budget, "reading", tag->loc);
    if (strcmp(tag->name, "link") == 0) read_link(u, tag);
    if (strcmp(tag->name, "joint") == 0) read_joint(u, tag);
  }
  check_moments(u);
  if (u->spec->bodies.count == 0)
    sar_report(u->err, u->robot->loc, "", "<robot> has no <link>");
  else
    sar_urdf_connect(u);
  sar_urdf_check(u);
}

static SarStatus read_document(Urdf* u, const char* text, size_t n) {
  XmlTag* root = NULL;
  SAR_TRY(sar_xml_read(&u->arena, text, n, u->file, &root, u->err));
  if (strcmp(root->name, "robot") != 0) {
    sar_report(u->err, root->loc, "URDF, not SDF or MJCF, is read here",
               "expected <robot> as the outermost tag, found <%s>", root->name);
    return SAR_BAD_MODEL;
  }
  u->robot = root;
  read_robot(u);
  return SAR_OK;
}

SarStatus sar_read_urdf(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err) {
  SarError unheard;  // errors are counted even when nobody wants to read them
  if (!err) sar_error_init(err = &unheard);
  Urdf u = {.spec = spec, .err = err, .options = o};
  u.file = spec->file = sar_arena_strdup(&spec->arena, file ? file : "");
  if (!u.file) return SAR_NO_MEMORY;
  int errors = err->errors;
  sar_arena_beside(&u.arena, &spec->arena);
  SarStatus status = read_document(&u, text, n);
  if (u.arena.failed || spec->arena.failed)
    status = SAR_NO_MEMORY;
  else if (status == SAR_OK && err->errors > errors)
    status = SAR_BAD_MODEL;
  sar_arena_free(&u.arena);
  return status;
}
