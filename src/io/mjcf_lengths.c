// Lengths of tendons of MJCF and their rates, as expressions of measured quantities:
//
//   L = sum c_i q_i,                  L' = sum c_i v_i
//   L = sum |d_k| / divisor,          L' = sum d_k . u_k / (divisor |d_k|)
//
// with d_k from site k to site k + 1 and u_k what it changes by; a piece between two sites of one
// body is a constant. Those of pieces around geoms are in mjcf_wrap_texts.c.
#include "io/mjcf.h"

#include <string.h>

// The rest length of a spring is that where all joints are at their springref.
static Xform body_at_springs(const Mjcf* m, const char* name) {
  const MjcfBody* body = sar_mjcf_body(m, name);
  return body ? body->spring : x_identity();
}
static V3 at_springs(const Mjcf* m, const MjcfSite* s) {
  return x_point(body_at_springs(m, s->body), s->X.p);
}

static double line_at_springs(const Mjcf* m, const MjcfLine* l) {
  const V3 a = at_springs(m, l->a), b = at_springs(m, l->b);
  const MjcfWrap* w = l->around;
  if (!w) return v3_norm(v3_sub(b, a));
  const Xform centre = x_mul(body_at_springs(m, w->centre.body), w->centre.X);
  return sar_mjcf_wrap_length(w, a, b, centre, w->side ? at_springs(m, w->side) : v3_zero());
}

double sar_mjcf_length_at_springs(const Mjcf* m, const MjcfTendon* t) {
  double sum = 0;
  for (int i = 0; i < t->terms.count; i++)
    sum += t->terms.items[i].coefficient * t->terms.items[i].springref;
  for (int i = 0; i < t->lines.count; i++)
    sum += line_at_springs(m, &t->lines.items[i]) / t->lines.items[i].divisor;
  return sum;
}

// Coordinate `axis` of a site (which ""), or of its velocity ("v"): 'body'.'site'.x
const char* sar_mjcf_part(Mjcf* m, const MjcfSite* s, const char* which, int axis) {
  const char* body = strcmp(s->body, "ground") == 0 ? "ground" : sar_mjcf_quoted(m, s->body);
  const char* name = sar_mjcf_quoted(m, s->name);
  const V3 p = s->X.p;
  if (body && body[0] == 'g')
    return which[0] ? "0"
                    : sar_arena_printf(&m->arena, "(%.17g)",
                                       axis == 0   ? p.x
                                       : axis == 1 ? p.y
                                                   : p.z);
  return body && name ? sar_arena_printf(&m->arena, "%s.%s.%s%c", body, name, which, "xyz"[axis])
                      : NULL;
}

// What is between two sites, along one axis.
static const char* between(Mjcf* m, const MjcfLine* l, const char* which, int axis) {
  const char *a = sar_mjcf_part(m, l->a, which, axis), *b = sar_mjcf_part(m, l->b, which, axis);
  return a && b ? sar_arena_printf(&m->arena, "(%s - %s)", b, a) : NULL;
}

bool sar_mjcf_is_rigid(const MjcfLine* l) {
  return strcmp(l->a->body, l->b->body) == 0 &&
         (!l->around || strcmp(l->a->body, l->around->centre.body) == 0);
}

static double rigid_length(const MjcfLine* l) {
  const MjcfWrap* w = l->around;
  if (!w) return v3_norm(v3_sub(l->b->X.p, l->a->X.p));
  const V3 side = w->side ? w->side->X.p : v3_zero();
  return sar_mjcf_wrap_length(w, l->a->X.p, l->b->X.p, w->centre.X, side);
}

static MjcfTexts line_texts(Mjcf* m, const MjcfTendon* t, int number) {
  const MjcfLine* l = &t->lines.items[number];
  const char *d[3], *v[3];
  if (sar_mjcf_is_rigid(l))
    return (MjcfTexts){sar_arena_printf(&m->arena, "(%.17g)", rigid_length(l) / l->divisor), "0"};
  if (l->around) return sar_mjcf_wrap_texts(m, t, number);
  for (int i = 0; i < 3; i++) {
    d[i] = between(m, l, "", i), v[i] = between(m, l, "v", i);
    if (!d[i] || !v[i]) return (MjcfTexts){0};
  }
  const char* length = sar_arena_printf(&m->arena, "sqrt(%s^2 + %s^2 + %s^2)", d[0], d[1], d[2]);
  if (!length) return (MjcfTexts){0};
  return (MjcfTexts){sar_arena_printf(&m->arena, "%s/(%.17g)", length, l->divisor),
                     sar_arena_printf(&m->arena, "(%s*%s + %s*%s + %s*%s)/(%.17g*%s)", d[0], v[0],
                                      d[1], v[1], d[2], v[2], l->divisor, length)};
}

static MjcfTexts term_texts(Mjcf* m, const MjcfTerm* t) {
  const char* name = sar_mjcf_quoted(m, t->joint.text);
  if (!name) return (MjcfTexts){0};
  return (MjcfTexts){sar_arena_printf(&m->arena, "(%.17g)*%s.q", t->coefficient, name),
                     sar_arena_printf(&m->arena, "(%.17g)*%s.v", t->coefficient, name)};
}

static const char* joined(Mjcf* m, const char* sum, const char* more) {
  if (!sum || !more) return NULL;
  return sum[0] ? sar_arena_printf(&m->arena, "%s + %s", sum, more) : more;
}

MjcfTexts sar_mjcf_tendon_texts(Mjcf* m, const MjcfTendon* t) {
  MjcfTexts all = {"", ""};
  for (int i = 0; i < t->terms.count + t->lines.count; i++) {
    const MjcfTexts one = i < t->terms.count ? term_texts(m, &t->terms.items[i])
                                             : line_texts(m, t, i - t->terms.count);
    all.length = joined(m, all.length, one.length);
    all.rate = joined(m, all.rate, one.rate);
  }
  return all;
}
