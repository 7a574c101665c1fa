// Values in SDF: they are texts between tags.
#include "io/sdf.h"

#include "base/print.h"
#include "base/text.h"
#include "math/rpy.h"

#include <math.h>
#include <string.h>

static const char SPACE[] = " \t\r\n";

const char* sar_sdf_text(Sdf* s, const XmlTag* tag) {
  if (!tag || !tag->text) return "";
  const char* p = tag->text;
  size_t n = tag->text_size;
  while (n > 0 && strchr(SPACE, p[0])) p++, n--;
  while (n > 0 && strchr(SPACE, p[n - 1])) n--;
  const char* text = sar_arena_strndup(&s->u.spec->arena, p, n);
  if (text && (sar_has_controls(text) || memchr(p, '\0', n))) {
    sar_report(s->u.err, tag->loc, "leave it out", "<%s>: control characters in its text",
               tag->name);
    return "";
  }
  return text ? text : "";
}

bool sar_sdf_numbers(Sdf* s, const XmlTag* tag, const char* child, const char* owner, int n,
                     bool infinite, SpecNum* out) {
  char what[200];
  const XmlTag* t = tag ? sar_xml_child(tag, child) : NULL;
  if (!t) return false;
  sar_snprintf(what, sizeof what, "%.120s: <%.30s>", owner, child);
  return sar_urdf_parse_numbers(&s->u, sar_sdf_text(s, t), t->loc, what, n, infinite, out);
}

double sar_sdf_number(Sdf* s, const XmlTag* tag, const char* child, const char* owner,
                      double otherwise) {
  SpecNum x;
  return sar_sdf_numbers(s, tag, child, owner, 1, true, &x) ? sar_urdf_value(x) : otherwise;
}

bool sar_sdf_flag(Sdf* s, const XmlTag* tag, const char* child, bool otherwise) {
  const XmlTag* t = sar_xml_child(tag, child);
  if (!t) return otherwise;
  const char* text = sar_sdf_text(s, t);
  const bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
    sar_report(s->u.err, t->loc, "expected true or false", "<%s>: '%.40s'", child, text);
  return yes;
}

SpecNum sar_sdf_num(Sdf* s, double x, SarLoc loc) {
  return (SpecNum){sar_urdf_expr(&s->u, x), loc};
}

SpecVec3 sar_sdf_vec(Sdf* s, V3 v, SarLoc loc) {
  return (SpecVec3){{sar_sdf_num(s, v.x, loc), sar_sdf_num(s, v.y, loc), sar_sdf_num(s, v.z, loc)}};
}

SpecPose sar_sdf_spec_pose(Sdf* s, Xform X, SarLoc loc) {
  SpecPose out = {.at = sar_sdf_vec(s, X.p, loc), .loc = loc};
  const Quat q = quat_from_m3(X.R);
  const double x[4] = {q.w, q.x, q.y, q.z};
  if (q.x == 0 && q.y == 0 && q.z == 0) return out;
  out.r = SAR_ARENA_ARRAY(&s->u.spec->arena, SpecNum, 4);
  if (!out.r) return out;
  for (int i = 0; i < 4; i++) out.r[i] = sar_sdf_num(s, x[i], loc);
  out.rotation = SPEC_ROT_QUAT;
  return out;
}

SpecDofs sar_sdf_dofs(Sdf* s, const double* x, int count, SarLoc loc) {
  SpecNum* c = SAR_ARENA_ARRAY(&s->u.spec->arena, SpecNum, count);
  for (int i = 0; c && i < count; i++) c[i] = sar_sdf_num(s, x[i], loc);
  return c ? (SpecDofs){c, count, loc} : (SpecDofs){0};
}

static Quat pose_quat(Sdf* s, const XmlTag* pose, const SpecNum* x) {
  const double q[4] = {sar_urdf_value(x[6]), sar_urdf_value(x[3]), sar_urdf_value(x[4]),
                       sar_urdf_value(x[5])};
  if (quat_norm2(quat_load(q)) > 0) return quat_unit(quat_load(q));
  sar_report(s->u.err, pose->loc, "", "<pose>: a quaternion without length is no rotation");
  return quat_identity();
}

Xform sar_sdf_pose(Sdf* s, const XmlTag* pose, const char* owner) {
  SpecNum x[7] = {0};
  char what[160];
  const XmlAttribute* format = pose ? sar_xml_attribute(pose, "rotation_format") : NULL;
  const XmlAttribute* degrees = pose ? sar_xml_attribute(pose, "degrees") : NULL;
  const bool quat = format && strcmp(format->value, "quat_xyzw") == 0;
  const char* text = sar_sdf_text(s, pose);
  if (!text[0]) return x_identity();
  sar_snprintf(what, sizeof what, "%.120s: <pose>", owner);
  if (!sar_urdf_parse_numbers(&s->u, text, pose->loc, what, quat ? 7 : 6, false, x))
    return x_identity();
  const double unit =
      degrees && strcmp(degrees->value, "true") == 0 ? 3.14159265358979323846 / 180 : 1;
  const double r[3] = {unit * sar_urdf_value(x[3]), unit * sar_urdf_value(x[4]),
                       unit * sar_urdf_value(x[5])};
  const V3 p = v3(sar_urdf_value(x[0]), sar_urdf_value(x[1]), sar_urdf_value(x[2]));
  return (Xform){quat ? quat_to_m3(pose_quat(s, pose, x)) : m3_from_rpy(r), p};
}
