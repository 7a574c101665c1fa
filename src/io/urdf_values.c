// Values in URDF: numbers, vectors, poses, what a message calls their owner.
#include "io/urdf.h"

#include "base/print.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static const char SPACE[] = " \t\r\n";

const SarExpr* sar_urdf_expr(Urdf* u, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const size_t place = (size_t)(bits * 0x9E3779B97F4A7C15u >> 58);  // Fibonacci hashing, 6 bits
  if (!u->number[place].expr || memcmp(&u->number[place].value, &x, sizeof x) != 0) {
    u->number[place].value = x;
    u->number[place].expr = sar_expr_number(&u->spec->arena, x);
  }
  return u->number[place].expr;
}

bool sar_urdf_parse_numbers(Urdf* u, const char* text, SarLoc loc, const char* what, int n,
                            bool infinite, SpecNum* out) {
  const char* p = text;
  const SarLoc begin = loc;
  int count = 0;
  bool good = true;
  for (;;) {
    size_t skip = strspn(p, SPACE), length = strcspn(p + skip, SPACE);
    p += skip;
    loc.column += (int)skip;
    if (length == 0) break;
    double x = 0;
    if (!sar_text_to_double(p, length, &x) || isnan(x) || (isinf(x) && !infinite)) {
      sar_report(u->err, loc, strstr(p, "${") ? "expand the file with xacro first" : "",
                 "%s: '%.*s' is not a %snumber", what, (int)length, p, isinf(x) ? "finite " : "");
      good = false;
    }
    if (count < n) out[count] = (SpecNum){sar_urdf_expr(u, x), loc};
    count++;
    p += length;
    loc.column += (int)length;
  }
  if (count != n && good)
    sar_report(u->err, begin, "", "%s: expected %d number%s, found %d", what, n, n == 1 ? "" : "s",
               count);
  return good && count == n;
}

// The n numbers of an attribute; infinite: whether inf is a number here. False if there is no such
// attribute, or (reported) if it is not that.
static bool any_numbers(Urdf* u, const XmlTag* tag, const char* name, const char* owner, int n,
                        bool infinite, SpecNum* out) {
  char what[200];
  const XmlAttribute* a = sar_xml_attribute(tag, name);
  if (!a) return false;
  sar_snprintf(what, sizeof what, "%.120s: %.30s %.30s", owner, tag->name, name);
  return sar_urdf_parse_numbers(u, a->value, a->loc, what, n, infinite, out);
}

bool sar_urdf_numbers(Urdf* u, const XmlTag* tag, const char* name, const char* owner, int n,
                      SpecNum* out) {
  return any_numbers(u, tag, name, owner, n, false, out);
}

double sar_urdf_value(SpecNum n) {
  double x = 0;
  if (n.expr) sar_expr_is_number(n.expr, &x);
  return x;
}

void sar_urdf_number(Urdf* u, const XmlTag* tag, const char* name, const char* owner,
                     SpecNum* out) {
  SpecNum x;
  if (tag && sar_urdf_numbers(u, tag, name, owner, 1, &x)) *out = x;
}

SpecDofs sar_urdf_one(Urdf* u, SpecNum x) {
  SpecNum* c = SAR_ARENA_NEW(&u->spec->arena, SpecNum);
  if (!c) return (SpecDofs){0};
  *c = x;
  return (SpecDofs){c, 1, x.loc};
}

void sar_urdf_dofs(Urdf* u, const XmlTag* tag, const char* name, const char* owner, bool positive,
                   SpecDofs* out) {
  SpecNum x;
  if (!any_numbers(u, tag, name, owner, 1, true, &x)) return;
  *out = sar_urdf_one(u, x);
  if (positive && sar_urdf_value(x) < 0)
    sar_report(u->err, x.loc, "", "%s: %s must not be negative", owner, name);
}

SpecName sar_urdf_name(Urdf* u, const XmlTag* tag, const char* name, const char* owner) {
  const XmlAttribute* a = sar_xml_attribute(tag, name);
  if (a && sar_has_controls(a->value))
    sar_report(u->err, a->loc, "leave it out", "%s: %s must not hold control characters: '%.60s'",
               owner, name, a->value);
  if (a && a->value[strspn(a->value, SPACE)] != '\0')
    return (SpecName){sar_arena_strdup(&u->spec->arena, a->value), a->loc};
  sar_report(u->err, a ? a->loc : tag->loc, "", "%s: <%s> needs a %s=\"...\"", owner, tag->name,
             name);
  return (SpecName){NULL, tag->loc};
}

void sar_urdf_vector(Urdf* u, const XmlTag* tag, const char* name, const char* owner,
                     SpecVec3* out) {
  SpecVec3 v;
  if (sar_urdf_numbers(u, tag, name, owner, 3, v.c)) *out = v;
}

void sar_urdf_origin(Urdf* u, const XmlTag* tag, const char* owner, SpecPose* out) {
  if (!tag) return;
  out->loc = tag->loc;
  sar_urdf_vector(u, tag, "xyz", owner, &out->at);
  SpecNum r[4] = {0};
  if (!sar_urdf_numbers(u, tag, "rpy", owner, 3, r)) return;
  out->r = SAR_ARENA_ARRAY(&u->spec->arena, SpecNum, 4);
  if (!out->r) return;
  memcpy(out->r, r, sizeof r);
  out->rotation = SPEC_ROT_RPY;
}

const char* sar_urdf_owner(Urdf* u, const char* what, SpecName name) {
  const char* text = sar_arena_printf(&u->arena, "%s '%s'", what, name.text ? name.text : "");
  return text ? text : what;
}
