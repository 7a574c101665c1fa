// What actuators of MJCF work on (transmission): a joint with one axis, a tendon, or a site, with
// its length L and
//
//   joint    L = q         tau = gear force
//   tendon   L of it       F = gear force along it
//   site     L = 0         (f, n) = gear force in the axes of the site, L' its power for force 1
//
// A length is taken times the gear; the gear of a site is the wrench itself.
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

// ---- expressions -----------------------------------------------------------------------------

// A name as expressions have it: 'left-knee', with quotes within it twice.
const char* sar_mjcf_quoted(Mjcf* m, const char* name) {
  char* out = sar_arena_push(&m->arena, 2 * strlen(name) + 3);
  if (!out) return NULL;
  char* p = out;
  *p++ = '\'';
  for (; *name; name++) {
    if (*name == '\'') *p++ = '\'';
    *p++ = *name;
  }
  *p = '\'';
  return out;
}

const SarExpr* sar_mjcf_parsed(Mjcf* m, const char* text, SarLoc loc) {
  return text && text[0] ? sar_expr_parse(&m->spec->arena, text, strlen(text), loc, m->err) : NULL;
}

SpecValue sar_mjcf_value(Mjcf* m, const SarExpr* e, SarLoc loc) {
  SpecValue v = {.loc = loc, .given = true, .count = 1};
  v.numbers = SAR_ARENA_NEW(&m->spec->arena, SpecNum);
  if (v.numbers) *v.numbers = (SpecNum){e, loc};
  return v;
}

SpecValue sar_mjcf_point_value(Mjcf* m, SpecName body, V3 p) {
  SpecValue v = {.loc = body.loc, .given = true, .name = body, .count = 3};
  v.numbers = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, 3);
  if (!v.numbers) return v;
  const SpecVec3 c = sar_mjcf_vec(m, p, body.loc);
  memcpy(v.numbers, c.c, 3 * sizeof *v.numbers);
  return v;
}

// A tree as written with names in it replaced by trees.
typedef struct Replacing {
  const SarExpr *more, *sum;
} Replacing;
static const SarExpr* replace(void* context, const char* name) {
  const Replacing* r = context;
  if (strcmp(name, "actuator_force") == 0) return r->more;
  return strcmp(name, "actuator_sum") == 0 ? r->sum : NULL;
}
static const SarExpr* put(Mjcf* m, const char* text, Replacing with, SarLoc loc) {
  const SarExpr* e = sar_mjcf_parsed(m, text, loc);
  return e ? sar_expr_replace(&m->spec->arena, e, replace, &with) : NULL;
}

const SarExpr* sar_mjcf_sum(Mjcf* m, const SarExpr* sum, double factor, const SarExpr* x,
                            SarLoc loc) {
  if (!x) return sum;
  const char* text =
      sar_arena_printf(&m->arena, "%s(%.17g)*actuator_force", sum ? "actuator_sum + " : "", factor);
  return put(m, text, (Replacing){x, sum}, loc);
}

SpecJoint* sar_mjcf_joint(Mjcf* m, const char* name) {
  for (int i = 0; i < m->spec->joints.count; i++)
    if (m->spec->joints.items[i].name.text && strcmp(m->spec->joints.items[i].name.text, name) == 0)
      return &m->spec->joints.items[i];
  return NULL;
}

// Several actuators of one joint add up.
void sar_mjcf_act(Mjcf* m, SpecJoint* joint, double factor, const SarExpr* force, SarLoc loc) {
  const SarExpr* own = joint->force.count ? joint->force.c[0].expr : NULL;
  const SarExpr* sum = force ? sar_mjcf_sum(m, own, factor, force, loc) : NULL;
  if (!joint->force.count) joint->force.c = SAR_ARENA_NEW(&m->spec->arena, SpecNum);
  if (!sum || !joint->force.c) return;
  joint->force.loc = loc;
  joint->force.count = 1;
  joint->force.c[0] = (SpecNum){sum, loc};
}

// ---- what it works on ------------------------------------------------------------------------

static bool drives_joint(Mjcf* m, SpecName name, MjcfDrive* out) {
  out->joint = sar_mjcf_joint(m, name.text);
  out->name = name.text;
  if (!out->joint)
    sar_report(m->err, name.loc, "", "<%s>: there is no joint '%s'", out->tag->name, name.text);
  if (!out->joint || !out->joint->kind) return false;
  if (out->joint->kind->nv == 1) return true;
  sar_warn(m->err, out->tag->loc, "",
           "<%s>: only actuators on hinges and slides are taken: this one is left out",
           out->tag->name);
  return false;
}

static bool drives_tendon(Mjcf* m, SpecName name, MjcfDrive* out) {
  out->tendon = sar_mjcf_tendon(m, name.text);
  out->name = name.text;
  if (!out->tendon)
    sar_report(m->err, name.loc, "", "<%s>: there is no tendon '%s'", out->tag->name, name.text);
  if (!out->tendon || out->tendon->taken) return out->tendon != NULL;
  sar_warn(m->err, out->tag->loc, "", "<%s>: its tendon '%s' is not taken: it is left out",
           out->tag->name, name.text);
  return false;
}

static bool drives_site(Mjcf* m, SpecName name, MjcfDrive* out) {
  out->site = sar_mjcf_site(m, name.text);
  out->name = name.text;
  if (!out->site)
    sar_report(m->err, name.loc, "", "<%s>: there is no site '%s'", out->tag->name, name.text);
  const XmlAttribute* other = sar_mjcf_attribute(m, out->tag, "refsite");
  if (!other) return out->site != NULL;
  sar_warn(m->err, other->loc, "",
           "<%s>: an actuator between a site and a refsite is not taken: it is left out",
           out->tag->name);
  return false;
}

bool sar_mjcf_drive_find(Mjcf* m, const XmlTag* tag, MjcfDrive* out) {
  static const struct {
    const char* key;
    bool (*find)(Mjcf*, SpecName, MjcfDrive*);
  } ways[] = {{"joint", drives_joint},
              {"jointinparent", drives_joint},  // the same of one axis
              {"tendon", drives_tendon},
              {"site", drives_site}};
  *out = (MjcfDrive){.tag = tag, .gear = {1}};
  sar_mjcf_numbers(m, tag, "gear", 1, 6, out->gear);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const SpecName name = sar_mjcf_reference(m, tag, ways[i].key);
    if (name.text) return ways[i].find(m, name, out);
  }
  sar_warn(m->err, tag->loc, "",
           "<%s>: only actuators on joints, tendons and sites are taken: this one is left out",
           tag->name);
  return false;
}

// ---- its motion ------------------------------------------------------------------------------

// Component `axis` of the vector a of a body in ground axes: a + 2 w (u x a) + 2 u x (u x a), with
// its quaternion (w; u).
const char* sar_mjcf_turned(Mjcf* m, const char* body, V3 a, int axis) {
  const double x[3] = {a.x, a.y, a.z};
  const char* b = strcmp(body, "ground") == 0 ? NULL : sar_mjcf_quoted(m, body);
  if (!b) return sar_arena_printf(&m->arena, "(%.17g)", x[axis]);
  const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
  const char u[] = "xyz";
  return sar_arena_printf(
      &m->arena,
      "((%.17g)*(1 - 2*(%s.q%c^2 + %s.q%c^2)) + (%.17g)*2*(%s.q%c*%s.q%c - %s.qw*%s.q%c) + "
      "(%.17g)*2*(%s.q%c*%s.q%c + %s.qw*%s.q%c))",
      x[i], b, u[j], b, u[k], x[j], b, u[i], b, u[j], b, b, u[k], x[k], b, u[i], b, u[k], b, b,
      u[j]);
}

static V3 gear_part(const MjcfDrive* to, int first) {
  return m3_mul_v(to->site->X.R, v3(to->gear[first], to->gear[first + 1], to->gear[first + 2]));
}

// f . v + n . w for the gear's wrench (f, n).
static const char* site_rate(Mjcf* m, const MjcfDrive* to) {
  const char *body = to->site->body, *sum = "0";
  if (strcmp(body, "ground") == 0) return sum;
  const char *b = sar_mjcf_quoted(m, body), *s = sar_mjcf_quoted(m, to->site->name);
  const V3 f = gear_part(to, 0), n = gear_part(to, 3);
  for (int i = 0; i < 3 && sum && b && s; i++) {
    if (!v3_is_zero(f))
      sum = sar_arena_printf(&m->arena, "%s + %s*%s.%s.v%c", sum, sar_mjcf_turned(m, body, f, i), b,
                             s, "xyz"[i]);
    if (!v3_is_zero(n) && sum)
      sum = sar_arena_printf(&m->arena, "%s + %s*%s.w%c", sum, sar_mjcf_turned(m, body, n, i), b,
                             "xyz"[i]);
  }
  return sum ? sar_arena_printf(&m->arena, "(%s)", sum) : NULL;
}

void sar_mjcf_drive_motion(Mjcf* m, const MjcfDrive* to, MjcfActuator* a) {
  const char* q = to->joint ? sar_mjcf_quoted(m, to->joint->name.text) : "";
  if (to->site) {
    a->length = "0";
    a->rate = site_rate(m, to);
  } else if (to->tendon) {
    a->length = sar_arena_printf(&m->arena, "((%.17g)*%s)", to->gear[0], to->tendon->length);
    a->rate = sar_arena_printf(&m->arena, "((%.17g)*%s)", to->gear[0], to->tendon->rate);
  } else if (q) {
    a->length = sar_arena_printf(&m->arena, "((%.17g)*%s.q)", to->gear[0], q);
    a->rate = sar_arena_printf(&m->arena, "((%.17g)*%s.v)", to->gear[0], q);
  }
}

// ---- its force -------------------------------------------------------------------------------

// A vector times the force, as an element `force` or `torque` in the axes of the body.
static void push_site(Mjcf* m, const MjcfActuator* a, const char* kind, SpecValue target, V3 way) {
  const SarLoc loc = a->tag->loc;
  const double x[3] = {way.x, way.y, way.z};
  SpecForce* f = v3_is_zero(way) ? NULL : SAR_LIST_ADD(&m->spec->arena, &m->spec->forces);
  if (!f) return;
  *f = (SpecForce){.kind = sar_force_kind_find(kind)};
  f->name = (SpecName){sar_arena_printf(&m->spec->arena, "%s_%s", a->input, kind), loc};
  f->values[0] = target;
  f->values[1] = (SpecValue){.loc = loc, .given = true, .count = 3};
  f->values[1].numbers = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, 3);
  for (int i = 0; f->values[1].numbers && i < 3; i++)
    f->values[1].numbers[i] = (SpecNum){sar_mjcf_sum(m, NULL, x[i], a->force, loc), loc};
  f->values[2] = (SpecValue){.loc = loc, .given = true, .name = {"body", loc}};
}

void sar_mjcf_drive_act(Mjcf* m, const MjcfDrive* to, const MjcfActuator* a) {
  const SarLoc loc = a->tag->loc;
  if (to->joint) sar_mjcf_act(m, to->joint, to->gear[0], a->force, loc);
  if (to->tendon)
    to->tendon->active = sar_mjcf_sum(m, to->tendon->active, to->gear[0], a->force, loc);
  if (!to->site || strcmp(to->site->body, "ground") == 0) return;
  const SpecName body = {to->site->body, loc};
  push_site(m, a, "force", sar_mjcf_point_value(m, body, to->site->X.p), gear_part(to, 0));
  push_site(m, a, "torque", (SpecValue){.loc = loc, .given = true, .name = body}, gear_part(to, 3));
}

// actuatorfrcrange: of the sum of all actuators of a joint
void sar_mjcf_actuators_end(Mjcf* m) {
  sar_mjcf_tendons_act(m);
  for (int i = 0; i < m->force_ranges.count; i++) {
    const MjcfForceRange* r = &m->force_ranges.items[i];
    SpecJoint* joint = r->joint.text ? sar_mjcf_joint(m, r->joint.text) : NULL;
    if (!joint || !joint->force.count) continue;
    const char* text =
        sar_arena_printf(&m->arena, "clamp(actuator_sum, %.17g, %.17g)", r->low, r->high);
    const SarExpr* e =
        text ? put(m, text, (Replacing){NULL, joint->force.c[0].expr}, r->joint.loc) : NULL;
    if (e) joint->force.c[0].expr = e;
  }
}
