// The section `joints`: {name: {KIND: [parent, child], ...}}. The kinds and their own attributes
// come from the registry.
#include "io/reader.h"
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

enum { MAX_KINDS = 32 };

static void read_bodies(YamlReader* r, const YamlNode* n, void* into) {
  SpecJoint* joint = into;
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "the two bodies [parent, child]", "");
    return;
  }
  sar_yaml_name(r, n->items[0], &joint->parent);
  sar_yaml_name(r, n->items[1], &joint->child);
}

static void read_at(YamlReader* r, const YamlNode* n, void* into) {
  SpecJoint* joint = into;
  if (n->kind == YAML_TEXT && !sar_yaml_is_null(n))
    sar_yaml_name(r, n, &joint->at_point);
  else if (n->kind == YAML_LIST)
    sar_yaml_vec3(r, n, &joint->at);
  else
    sar_yaml_expected(r, n, "a point [x, y, z] or body.point", "");
}

static void read_origin(YamlReader* r, const YamlNode* n, void* into) {
  SpecJoint* joint = into;
  joint->relative = true;
  sar_yaml_pose(r, n, &joint->origin);
}

static void read_mimic(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"joint", offsetof(SpecJoint, mimic), sar_yaml_name},
      {"multiplier", offsetof(SpecJoint, multiplier), sar_yaml_num},
      {"offset", offsetof(SpecJoint, offset), sar_yaml_num},
  };
  SpecJoint* joint = into;
  int before = sar_yaml_errors(r);
  YAML_INNER_FIELDS(r, n, fields, joint);
  if (!joint->mimic.text && sar_yaml_errors(r) == before)
    sar_yaml_report(r, n->loc, "as in {joint: NAME, multiplier: 2}",
                    "the joint to follow is missing");
}

static void read_motor(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"speed", offsetof(SpecMotor, speed), sar_yaml_dofs},
      {"position", offsetof(SpecMotor, position), sar_yaml_dofs},
      {"effort", offsetof(SpecMotor, effort), sar_yaml_dofs},
      {"speed_limit", offsetof(SpecMotor, speed_limit), sar_yaml_dofs},
  };
  SpecMotor* motor = SAR_ARENA_NEW(r->arena, SpecMotor);
  const int before = sar_yaml_errors(r);
  if (!motor) return;
  *(SpecMotor**)into = motor;
  motor->loc = n->loc;
  YAML_INNER_FIELDS(r, n, fields, motor);
  if (sar_yaml_errors(r) > before) return;
  if (!motor->speed.count == !motor->position.count)
    sar_yaml_report(r, n->loc, "as in {speed: 2, effort: 10}",
                    "a motor has either a speed or a position to reach");
  else if (motor->speed_limit.count && !motor->position.count)
    sar_yaml_report(r, motor->speed_limit.loc, "leave it out",
                    "'speed_limit' is for a motor that goes to a position");
}

static void read_rotor(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"inertia", offsetof(SpecRotor, inertia), sar_yaml_num},
      {"ratio", offsetof(SpecRotor, ratio), sar_yaml_num},
      {"axis", offsetof(SpecRotor, axis), sar_yaml_axis},
      {"on", offsetof(SpecRotor, on), sar_yaml_name},
  };
  SpecRotor* rotor = SAR_ARENA_NEW(r->arena, SpecRotor);
  const int before = sar_yaml_errors(r);
  if (!rotor) return;
  *(SpecRotor**)into = rotor;
  rotor->loc = n->loc;
  YAML_INNER_FIELDS(r, n, fields, rotor);
  if (!rotor->inertia.expr && sar_yaml_errors(r) == before)
    sar_yaml_report(r, n->loc, "as in {inertia: 1e-4, ratio: 100}",
                    "a rotor needs its 'inertia' about its axis");
}

static SpecStribeck* stribeck_of(YamlReader* r, SpecJoint* joint) {
  if (!joint->stribeck) joint->stribeck = SAR_ARENA_NEW(r->arena, SpecStribeck);
  return joint->stribeck;
}

static void read_breakaway(YamlReader* r, const YamlNode* n, void* into) {
  SpecStribeck* s = stribeck_of(r, into);
  if (s) sar_yaml_dofs(r, n, &s->breakaway);
}

static void read_stribeck_speed(YamlReader* r, const YamlNode* n, void* into) {
  SpecStribeck* s = stribeck_of(r, into);
  if (s) sar_yaml_num(r, n, &s->speed);
}

#define DOFS(name) \
  { #name, offsetof(SpecJoint, name), sar_yaml_dofs }
static const YamlField own[] = {
    {"at", 0, read_at},
    {"axis", offsetof(SpecJoint, axis), sar_yaml_axis},
    {"axis2", offsetof(SpecJoint, axis2), sar_yaml_axis},
    {"in", offsetof(SpecJoint, in), sar_yaml_name},
    {"origin", 0, read_origin},
    {"mimic", 0, read_mimic},
    {"contact", offsetof(SpecJoint, contact), sar_yaml_bool},
    // values, which may be adjusted later
    DOFS(position),
    DOFS(speed),
    DOFS(stiffness),
    DOFS(rest),
    DOFS(damping),
    DOFS(friction),
    {"friction_speed", offsetof(SpecJoint, friction_speed), sar_yaml_num},
    {"breakaway", 0, read_breakaway},
    {"stribeck_speed", 0, read_stribeck_speed},
    DOFS(armature),
    {"rotor", offsetof(SpecJoint, rotor), read_rotor},
    DOFS(force),
    DOFS(lower),
    DOFS(upper),
    DOFS(restitution),
    DOFS(effort),
    DOFS(speed_limit),
    {"motor", offsetof(SpecJoint, motor), read_motor},
};
#undef DOFS
enum { OWN = sizeof own / sizeof *own, FIRST_VALUE = 7 };

// What each key is, in the order above.
static const char* const DOC[] = {
    "joint point at the design position",
    "direction of the axis",
    "second direction: universal joints, x of planar ones",
    "body in whose frame these are given; default: ground",
    "{at, rpy, ...}: joint frame in the parent, where the child's frame is",
    "{joint, multiplier, offset}: follows another joint",
    "true: its two bodies touch each other all the same",
    "at the start",
    "at the start",
    "spring [N m/rad or N/m]",
    "position at which the spring is at rest",
    "viscous damper [N m s/rad or N s/m]",
    "dry friction of sliding [N m or N]",
    "speed scale of its smooth law (default 1e-3)",
    "dry friction at rest, not less than that of sliding",
    "speed about which it has fallen to that (default 10 friction_speed)",
    "reflected inertia of a motor [kg m^2 or kg]",
    "{inertia, ratio, axis, on}: rotor of a geared motor that a moving body carries",
    "force or torque on the coordinate, may vary in time",
    "limit of the coordinate",
    "limit of the coordinate",
    "share of the speed with which it comes back from a limit",
    "largest force of an actuator",
    "largest speed",
    "{speed | position, effort, speed_limit}: drives it as far as its force reaches",
};
_Static_assert(sizeof DOC / sizeof *DOC == OWN, "one line for each key");

const char* sar_joint_key(int index, const char** doc) {
  if (index < 0 || index >= OWN) return NULL;
  *doc = DOC[index];
  return own[index].name;
}

void sar_yaml_joint_values(YamlReader* r, const YamlNode* n, SpecJoint* joint) {
  sar_yaml_fields(r, n, own + FIRST_VALUE, OWN - FIRST_VALUE, joint);
}

static int kind_names(const char* names[MAX_KINDS]) {
  int count = 0;
  for (const SarJointKind* k; count < MAX_KINDS && (k = sar_joint_kind(count)); count++)
    names[count] = k->name;
  return count;
}

static void read_joint(YamlReader* r, SpecName name, const YamlNode* n) {
  const char* kinds[MAX_KINDS];
  int nkind = kind_names(kinds);
  YamlField fields[OWN + YAML_GATE_KEYS + MAX_KINDS + SAR_JOINT_MAX_PARAM];
  SpecJoint* joint = SAR_LIST_ADD(r->arena, &r->spec->joints);
  if (!joint) return;
  joint->name = name;
  joint->kind = sar_joint_kind_find("revolute");  // until the kind is known: others may refer to it
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping, as in {revolute: [parent, child]}", "");
    return;
  }
  const int kind = sar_yaml_kind(r, n, "joint", kinds, nkind, own, OWN);
  // table: keys of all joints, of the kinds, and of this kind
  int count = OWN;
  memcpy(fields, own, sizeof own);
  for (int k = 0; k < YAML_GATE_KEYS; k++) {
    fields[count] = sar_yaml_gate_fields[k];
    fields[count++].offset += offsetof(SpecJoint, gate);
  }
  for (int k = 0; k < nkind; k++) fields[count++] = (YamlField){kinds[k], 0, read_bodies};
  if (kind >= 0) joint->kind = sar_joint_kind(kind);
  for (int p = 0; p < joint->kind->nparam; p++)
    fields[count++] =
        (YamlField){joint->kind->param[p].name,
                    offsetof(SpecJoint, param) + (size_t)p * sizeof(SpecNum), sar_yaml_num};
  sar_yaml_fields(r, n, fields, count, joint);
}

void sar_yaml_joints(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind == YAML_MAP && !SAR_LIST_ROOM(r->arena, &r->spec->joints, n->count)) return;
  sar_yaml_section(r, n, "joint", read_joint);
}
