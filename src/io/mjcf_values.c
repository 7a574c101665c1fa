// Values in MJCF: numbers, flags, orientations in their five ways, names.
#include "io/mjcf.h"

#include "base/text.h"
#include "base/print.h"
#include "math/rotvec.h"
#include "math/sincos.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char SPACE[] = " \t\r\n";

int sar_mjcf_numbers(Mjcf* m, const XmlTag* tag, const char* name, int least, int most,
                     double* out) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  if (!a) return 0;
  int count = 0;
  const char* p = a->value;
  SarLoc loc = a->loc;
  for (;;) {
    const size_t skip = strspn(p, SPACE), length = strcspn(p + skip, SPACE);
    p += skip;
    loc.column += (int)skip;
    if (length == 0) break;
    double x = 0;
    if (!sar_text_to_double(p, length, &x) || !isfinite(x)) {
      sar_report(m->err, loc, "", "<%s> %s: '%.*s' is not a number", tag->name, name, (int)length,
                 p);
      return 0;
    }
    if (count < most) out[count] = x;
    count++;
    p += length;
    loc.column += (int)length;
  }
  if (count >= least && count <= most) return count;
  if (least == most)
    sar_report(m->err, a->loc, "", "<%s> %s: expected %d number%s, found %d", tag->name, name, most,
               most == 1 ? "" : "s", count);
  else
    sar_report(m->err, a->loc, "", "<%s> %s: expected %d to %d numbers, found %d", tag->name, name,
               least, most, count);
  return 0;
}

double sar_mjcf_number(Mjcf* m, const XmlTag* tag, const char* name, double otherwise) {
  double x;
  return sar_mjcf_numbers(m, tag, name, 1, 1, &x) ? x : otherwise;
}

bool sar_mjcf_flag(Mjcf* m, const XmlTag* tag, const char* name, bool otherwise) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  if (!a || strcmp(a->value, "auto") == 0) return otherwise;
  const bool yes = strcmp(a->value, "true") == 0 || strcmp(a->value, "enable") == 0;
  if (!yes && strcmp(a->value, "false") != 0 && strcmp(a->value, "disable") != 0)
    sar_report(m->err, a->loc, "expected true, false or auto", "<%s> %s: '%.40s'", tag->name, name,
               a->value);
  return yes;
}

int sar_mjcf_choice(Mjcf* m, const XmlTag* tag, const char* name, const char* const* words,
                    int count) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  char hint[256];
  for (int i = 0; a && i < count; i++)
    if (strcmp(a->value, words[i]) == 0) return i;
  if (a)
    sar_report(m->err, a->loc, sar_text_offer(hint, sizeof hint, a->value, words, count),
               "<%s> %s: '%.40s'", tag->name, name, a->value);
  return 0;
}

SpecNum sar_mjcf_num(Mjcf* m, double x, SarLoc loc) {
  return (SpecNum){sar_expr_number(&m->spec->arena, x), loc};
}

SpecVec3 sar_mjcf_vec(Mjcf* m, V3 v, SarLoc loc) {
  return (SpecVec3){
      {sar_mjcf_num(m, v.x, loc), sar_mjcf_num(m, v.y, loc), sar_mjcf_num(m, v.z, loc)}};
}

SpecDofs sar_mjcf_dofs(Mjcf* m, double x, SarLoc loc) {
  SpecNum* c = SAR_ARENA_NEW(&m->spec->arena, SpecNum);
  if (!c) return (SpecDofs){0};
  *c = sar_mjcf_num(m, x, loc);
  return (SpecDofs){c, 1, loc};
}

// ---- orientations ----------------------------------------------------------------------------

static V3 vec(const double* x) { return v3(x[0], x[1], x[2]); }

static V3 unit(Mjcf* m, const XmlTag* tag, const char* name, V3 v) {
  const double length = v3_norm(v);
  if (length > 0) return v3_scale(1 / length, v);
  sar_report(m->err, sar_mjcf_attribute(m, tag, name)->loc, "", "<%s> %s has no length", tag->name,
             name);
  return v3(0, 0, 1);
}

static M3 about(V3 axis, double angle) { return quat_to_m3(quat_exp(v3_scale(angle, axis))); }

M3 sar_mjcf_turn_z(V3 z) {
  const V3 up = v3(0, 0, 1), axis = v3_cross(up, z);
  const double s = v3_norm(axis), c = v3_dot(up, z);
  if (s > 1e-10) return about(v3_scale(1 / s, axis), atan2(s, c));
  return c > 0 ? m3_identity() : about(v3(1, 0, 0), 3.14159265358979323846);
}

static M3 euler(const Mjcf* m, const double* angle) {
  M3 R = m3_identity();
  for (int i = 0; i < 3; i++) {
    const char letter = m->compiler.order[i];
    const bool stays = letter >= 'A' && letter <= 'Z';
    const int k = (stays ? letter - 'A' : letter - 'a') - ('x' - 'a');
    const M3 turn = about(v3(k == 0, k == 1, k == 2), angle[i] * m->compiler.angle);
    R = stays ? m3_mul(turn, R) : m3_mul(R, turn);
  }
  return R;
}

static M3 orientation(Mjcf* m, const XmlTag* tag) {
  double x[6];
  if (sar_mjcf_numbers(m, tag, "quat", 4, 4, x)) {
    const Quat q = quat_load(x);
    if (quat_norm2(q) > 0) return quat_to_m3(quat_unit(q));
    sar_report(m->err, sar_mjcf_attribute(m, tag, "quat")->loc, "", "<%s> quat has no length",
               tag->name);
  }
  if (sar_mjcf_numbers(m, tag, "axisangle", 4, 4, x))
    return about(unit(m, tag, "axisangle", vec(x)), x[3] * m->compiler.angle);
  if (sar_mjcf_numbers(m, tag, "euler", 3, 3, x)) return euler(m, x);
  if (sar_mjcf_numbers(m, tag, "xyaxes", 6, 6, x)) {
    const V3 ex = unit(m, tag, "xyaxes", vec(x)), y = vec(x + 3);
    const V3 ey = unit(m, tag, "xyaxes", v3_sub(y, v3_scale(v3_dot(ex, y), ex)));
    return m3_from_cols(ex, ey, v3_cross(ex, ey));
  }
  if (sar_mjcf_numbers(m, tag, "zaxis", 3, 3, x))
    return sar_mjcf_turn_z(unit(m, tag, "zaxis", vec(x)));
  return m3_identity();
}

Xform sar_mjcf_frame(Mjcf* m, const XmlTag* tag) {
  const XmlTag* frame = tag->parent;
  return frame && sar_mjcf_is(frame, "frame") ? sar_mjcf_pose(m, frame) : x_identity();
}

Xform sar_mjcf_pose(Mjcf* m, const XmlTag* tag) {
  double p[3] = {0};
  sar_mjcf_numbers(m, tag, "pos", 3, 3, p);
  return x_mul(sar_mjcf_frame(m, tag), (Xform){orientation(m, tag), vec(p)});
}

SpecPose sar_mjcf_spec_pose(Mjcf* m, Xform X, SarLoc loc) {
  SpecPose out = {.at = sar_mjcf_vec(m, X.p, loc), .loc = loc};
  const Quat q = quat_from_m3(X.R);
  out.r = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, 4);
  if (!out.r) return out;
  const double x[4] = {q.w, q.x, q.y, q.z};
  for (int i = 0; i < 4; i++) out.r[i] = sar_mjcf_num(m, x[i], loc);
  out.rotation = SPEC_ROT_QUAT;
  return out;
}

// ---- names -----------------------------------------------------------------------------------

static SpecName kept(Mjcf* m, const XmlTag* tag, const XmlAttribute* a) {
  if (sar_has_controls(a->value))
    sar_report(m->err, a->loc, "leave it out", "<%s> %s must not hold control characters",
               tag->name, a->name);
  return (SpecName){sar_arena_strdup(&m->spec->arena, a->value), a->loc};
}

SpecName sar_mjcf_name(Mjcf* m, const XmlTag* tag, const char* owner) {
  const XmlAttribute* a = sar_xml_attribute(tag, "name");
  if (a && a->value[0]) return kept(m, tag, a);
  return (SpecName){sar_arena_printf(&m->spec->arena, "%s_%d", owner, ++m->unnamed), tag->loc};
}

SpecName sar_mjcf_reference(Mjcf* m, const XmlTag* tag, const char* name) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  if (!a) return (SpecName){NULL, tag->loc};
  SpecName out = kept(m, tag, a);
  if (out.text && strcmp(out.text, "world") == 0) out.text = "ground";
  return out;
}
