// Tendons of MJCF around geoms as expressions: the length of mjcf_wrap.c as variables of the model,
// NAME_i_... for piece i, and forces along the tangents,
//
//   u_a = -dL/da = pa a + pab b,   u_b = -dL/db = pab a + pb b     (sphere; a, b from the centre)
//   L' = -u_a . (a' - w x a) - u_b . (b' - w x b)
//
// for a cylinder with the planar part of both in the geom's axes x and y, and the slope along z.
// The tension T pulls with T u_a and T u_b at the sites, and the geom with what remains: -T (u_a +
// u_b) at its centre, and the torque -T (a x u_a + b x u_b) about it, which a sphere has none of.
#include "io/mjcf.h"

#include <string.h>

enum { SPHERE = 1, CYLINDER = 2, PLAIN = 4, SIDED = 8, ANY_SHAPE = 3, ANY_WAY = 12, ALL = 15 };

// In the order of their needs. x1 x2 x3 (y1 ...) is from the centre to a (b) in ground axes, e11
// ... e33 are the axes of a cylinder (axis, component), s1 s2 s3 the side site.
static const struct {
  int of;
  const char *name, *text;
} EQUATIONS[] = {
    {SPHERE | ANY_WAY, "a1", "x1"},
    {SPHERE | ANY_WAY, "a2", "x2"},
    {SPHERE | ANY_WAY, "a3", "x3"},
    {SPHERE | ANY_WAY, "b1", "y1"},
    {SPHERE | ANY_WAY, "b2", "y2"},
    {SPHERE | ANY_WAY, "b3", "y3"},
    {SPHERE | ANY_WAY, "aa", "a1^2 + a2^2 + a3^2"},
    {SPHERE | ANY_WAY, "bb", "b1^2 + b2^2 + b3^2"},
    {SPHERE | ANY_WAY, "ab", "a1*b1 + a2*b2 + a3*b3"},
    {SPHERE | ANY_WAY, "cc", "(a2*b3 - a3*b2)^2 + (a3*b1 - a1*b3)^2 + (a1*b2 - a2*b1)^2"},
    {SPHERE | ANY_WAY, "cross", "sqrt(cc)"},
    {SPHERE | ANY_WAY, "line", "sqrt((b1 - a1)^2 + (b2 - a2)^2 + (b3 - a3)^2)"},
    {SPHERE | SIDED, "sa", "s1*a1 + s2*a2 + s3*a3"},
    {SPHERE | SIDED, "sb", "s1*b1 + s2*b2 + s3*b3"},
    {CYLINDER | ANY_WAY, "a1", "e11*x1 + e12*x2 + e13*x3"},
    {CYLINDER | ANY_WAY, "a2", "e21*x1 + e22*x2 + e23*x3"},
    {CYLINDER | ANY_WAY, "b1", "e11*y1 + e12*y2 + e13*y3"},
    {CYLINDER | ANY_WAY, "b2", "e21*y1 + e22*y2 + e23*y3"},
    {CYLINDER | ANY_WAY, "axial", "e31*(y1 - x1) + e32*(y2 - x2) + e33*(y3 - x3)"},
    {CYLINDER | ANY_WAY, "aa", "a1^2 + a2^2"},
    {CYLINDER | ANY_WAY, "bb", "b1^2 + b2^2"},
    {CYLINDER | ANY_WAY, "ab", "a1*b1 + a2*b2"},
    {CYLINDER | ANY_WAY, "cross", "abs(a1*b2 - a2*b1)"},
    {CYLINDER | ANY_WAY, "cc", "cross^2"},
    {CYLINDER | ANY_WAY, "line", "sqrt((b1 - a1)^2 + (b2 - a2)^2)"},
    {CYLINDER | SIDED, "sa", "s1*a1 + s2*a2"},
    {CYLINDER | SIDED, "sb", "s1*b1 + s2*b2"},
    {ALL, "ta", "sqrt(max(aa - r^2, 0))"},
    {ALL, "tb", "sqrt(max(bb - r^2, 0))"},
    {ALL, "leana", "atan2(ta, r)"},
    {ALL, "leanb", "atan2(tb, r)"},
    {ALL, "turn", "atan2(cross, ab)"},
    {ALL, "arc", "turn - leana - leanb"},
    // 0 only where a, b and the centre are in one line, where no plane is given
    {ALL, "wide", "sqrt(cc + 1e-24*aa*bb)"},
    {ANY_SHAPE | PLAIN, "wraps", "aa >= r^2 and bb >= r^2 and arc > 0"},
    {ANY_SHAPE | PLAIN, "way", "1"},
    {ANY_SHAPE | PLAIN, "round", "arc"},
    {ANY_SHAPE | SIDED, "near", "mix(sa, sb, clamp((aa - ab)/line^2, 0, 1))"},
    {ANY_SHAPE | SIDED, "wraps", "aa >= r^2 and bb >= r^2 and (arc >= 0 or near < 0)"},
    {ANY_SHAPE | SIDED, "mean", "r*(sa/aa + sb/bb)"},
    {ANY_SHAPE | SIDED, "skew", "(tb*sa + ta*sb - ab*(ta*sa/aa + tb*sb/bb))/wide"},
    {ANY_SHAPE | SIDED, "nearer",
     "(mean + skew)*abs(cos((turn + leana + leanb)/2)) - (mean - skew)*abs(cos(arc/2))"},
    {ANY_SHAPE | SIDED, "way", "(arc >= 0 or -arc > 2*min(leana, leanb)) and nearer >= 0 ? 1 : -1"},
    {ANY_SHAPE | SIDED, "round",
     "way < 0 ? 2*pi - turn - leana - leanb : arc >= 0 ? arc : arc + 2*pi"},
    {ALL, "planar", "wraps ? ta + tb + r*round : line"},
    {SPHERE | ANY_WAY, "length", "planar"},
    {SPHERE | ANY_WAY, "scale", "1"},
    {CYLINDER | ANY_WAY, "length", "sqrt(planar^2 + axial^2)"},
    {CYLINDER | ANY_WAY, "scale", "planar/length"},
    {ALL, "pa", "wraps ? -scale*(ta + way*r*ab/wide)/aa : -1/length"},
    {ALL, "pb", "wraps ? -scale*(tb + way*r*ab/wide)/bb : -1/length"},
    {ALL, "pab", "wraps ? scale*way*r/wide : 1/length"},
    {SPHERE | ANY_WAY, "u1", "pa*a1 + pab*b1"},
    {SPHERE | ANY_WAY, "u2", "pa*a2 + pab*b2"},
    {SPHERE | ANY_WAY, "u3", "pa*a3 + pab*b3"},
    {SPHERE | ANY_WAY, "v1", "pab*a1 + pb*b1"},
    {SPHERE | ANY_WAY, "v2", "pab*a2 + pb*b2"},
    {SPHERE | ANY_WAY, "v3", "pab*a3 + pb*b3"},
    {CYLINDER | ANY_WAY, "ua", "pa*a1 + pab*b1"},
    {CYLINDER | ANY_WAY, "ub", "pa*a2 + pab*b2"},
    {CYLINDER | ANY_WAY, "va", "pab*a1 + pb*b1"},
    {CYLINDER | ANY_WAY, "vb", "pab*a2 + pb*b2"},
    {CYLINDER | ANY_WAY, "slope", "axial/length"},
    {CYLINDER | ANY_WAY, "u1", "ua*e11 + ub*e21 + slope*e31"},
    {CYLINDER | ANY_WAY, "u2", "ua*e12 + ub*e22 + slope*e32"},
    {CYLINDER | ANY_WAY, "u3", "ua*e13 + ub*e23 + slope*e33"},
    {CYLINDER | ANY_WAY, "v1", "va*e11 + vb*e21 - slope*e31"},
    {CYLINDER | ANY_WAY, "v2", "va*e12 + vb*e22 - slope*e32"},
    {CYLINDER | ANY_WAY, "v3", "va*e13 + vb*e23 - slope*e33"},
    {CYLINDER | ANY_WAY, "n1", "x2*u3 - x3*u2 + y2*v3 - y3*v2"},
    {CYLINDER | ANY_WAY, "n2", "x3*u1 - x1*u3 + y3*v1 - y1*v3"},
    {CYLINDER | ANY_WAY, "n3", "x1*u2 - x2*u1 + y1*v2 - y2*v1"},
};
enum { EQUATION_COUNT = sizeof EQUATIONS / sizeof *EQUATIONS };

typedef struct Piece {
  Mjcf* m;
  const MjcfTendon* t;
  const MjcfLine* line;
  int number;  // from 1
} Piece;

static Piece piece_of(Mjcf* m, const MjcfTendon* t, int i) {
  return (Piece){m, t, &t->lines.items[i], i + 1};
}

// ---- variables -------------------------------------------------------------------------------

static const char* full_name(void* context, const char* name) {
  const Piece* p = context;
  return sar_arena_printf(&p->m->spec->arena, "%s_%d_%s", p->t->name.text, p->number, name);
}

static const char* quoted(const Piece* p, const char* name) {
  const char* full = sar_arena_printf(&p->m->arena, "%s_%d_%s", p->t->name.text, p->number, name);
  return full ? sar_mjcf_quoted(p->m, full) : NULL;
}

static const char* indexed(const Piece* p, char name, int i) {
  return quoted(p, (const char[]){name, (char)('1' + i), '\0'});
}

// NAME_i_name, of a text in the names of the model, or of the equations.
static bool define(Piece* p, const char* name, const char* text, bool of_equations) {
  const SarLoc loc = p->t->tag->loc;
  const SarExpr* e = sar_mjcf_parsed(p->m, text, loc);
  if (e && of_equations) e = sar_expr_rename(&p->m->spec->arena, e, full_name, p);
  const char* suffix = sar_arena_printf(&p->m->arena, "%d_%s", p->number, name);
  return e && suffix && sar_mjcf_variable(p->m, p->t, suffix, e);
}

// From the centre to a site, in ground axes.
static bool define_place(Piece* p, char name, const MjcfSite* site) {
  for (int i = 0; i < 3; i++) {
    const char *at = sar_mjcf_part(p->m, site, "", i),
               *centre = sar_mjcf_part(p->m, &p->line->around->centre, "", i);
    const char* text = at && centre ? sar_arena_printf(&p->m->arena, "%s - %s", at, centre) : NULL;
    if (!text || !define(p, (const char[]){name, (char)('1' + i), '\0'}, text, false)) return false;
  }
  return true;
}

static bool define_axes(Piece* p) {
  const MjcfSite* centre = &p->line->around->centre;
  for (int k = 0; k < 9; k++) {
    const int axis = k / 3, i = k % 3;
    const V3 of_body = m3_mul_v(centre->X.R, v3(axis == 0, axis == 1, axis == 2));
    const char name[] = {'e', (char)('1' + axis), (char)('1' + i), '\0'};
    if (!define(p, name, sar_mjcf_turned(p->m, centre->body, of_body, i), false)) return false;
  }
  return true;
}

// In ground axes, or those of the cylinder.
static bool define_side(Piece* p) {
  const MjcfWrap* w = p->line->around;
  if (!w->cylinder) return define_place(p, 's', w->side);
  const V3 s = x_point_inv(w->centre.X, w->side->X.p);
  return define(p, "s1", sar_arena_printf(&p->m->arena, "%.17g", s.x), false) &&
         define(p, "s2", sar_arena_printf(&p->m->arena, "%.17g", s.y), false);
}

static bool define_all(Piece* p) {
  const MjcfWrap* w = p->line->around;
  const int shape = w->cylinder ? CYLINDER : SPHERE, way = w->side ? SIDED : PLAIN;
  if (!define(p, "r", sar_arena_printf(&p->m->arena, "%.17g", w->radius), false) ||
      !define_place(p, 'x', p->line->a) || !define_place(p, 'y', p->line->b) ||
      (w->cylinder && !define_axes(p)) || (w->side && !define_side(p)))
    return false;
  for (int i = 0; i < EQUATION_COUNT; i++) {
    const int of = EQUATIONS[i].of;
    if ((of & shape) && (of & way) && !define(p, EQUATIONS[i].name, EQUATIONS[i].text, true))
      return false;
  }
  return true;
}

// ---- length and rate -------------------------------------------------------------------------

// -u . (site' - centre')
static const char* rate_of_end(Piece* p, const char* sum, char u, const MjcfSite* site) {
  for (int i = 0; i < 3 && sum; i++) {
    const char *v = sar_mjcf_part(p->m, site, "v", i),
               *centre = sar_mjcf_part(p->m, &p->line->around->centre, "v", i),
               *along = indexed(p, u, i);
    sum = v && centre && along
              ? sar_arena_printf(&p->m->arena, "%s - %s*(%s - %s)", sum, along, v, centre)
              : NULL;
  }
  return sum;
}

// w . n
static const char* rate_of_turning(Piece* p, const char* sum) {
  const MjcfWrap* w = p->line->around;
  if (!w->cylinder || strcmp(w->centre.body, "ground") == 0) return sum;
  const char* body = sar_mjcf_quoted(p->m, w->centre.body);
  for (int i = 0; i < 3 && sum && body; i++)
    sum = sar_arena_printf(&p->m->arena, "%s + %s.w%c*%s", sum, body, "xyz"[i], indexed(p, 'n', i));
  return body ? sum : NULL;
}

MjcfTexts sar_mjcf_wrap_texts(Mjcf* m, const MjcfTendon* t, int i) {
  Piece p = piece_of(m, t, i);
  if (!define_all(&p)) return (MjcfTexts){0};
  const char* length = quoted(&p, "length");
  const char* rate = rate_of_end(&p, "0", 'u', p.line->a);
  rate = rate_of_turning(&p, rate_of_end(&p, rate, 'v', p.line->b));
  if (!length || !rate) return (MjcfTexts){0};
  return (MjcfTexts){
      sar_arena_printf(&m->arena, "%s/(%.17g)", length, p.line->divisor),
      sar_arena_printf(&m->arena, "(%s)/(%.17g)", rate, p.line->divisor),
  };
}

// ---- what pulls ------------------------------------------------------------------------------

// Three expressions on a body, as an element `force` or `torque`: NAME_i_part.
static void push(Piece* p, const char* kind, const char* part, const MjcfSite* at,
                 const char* const value[3]) {
  const SarLoc loc = p->t->tag->loc;
  if (strcmp(at->body, "ground") == 0) return;
  SpecForce* f = SAR_LIST_ADD(&p->m->spec->arena, &p->m->spec->forces);
  if (!f) return;
  const SpecName body = {at->body, loc};
  *f = (SpecForce){.kind = sar_force_kind_find(kind), .name = {full_name(p, part), loc}};
  f->values[0] = kind[0] == 'f' ? sar_mjcf_point_value(p->m, body, at->X.p)
                                : (SpecValue){.loc = loc, .given = true, .name = body};
  f->values[1] = (SpecValue){.loc = loc, .given = true, .count = 3};
  f->values[1].numbers = SAR_ARENA_ARRAY(&p->m->spec->arena, SpecNum, 3);
  for (int i = 0; f->values[1].numbers && i < 3; i++)
    f->values[1].numbers[i] = (SpecNum){sar_mjcf_parsed(p->m, value[i], loc), loc};
}

void sar_mjcf_wrap_pull(Mjcf* m, const MjcfTendon* t, int i, const char* force) {
  Piece p = piece_of(m, t, i);
  const MjcfWrap* w = p.line->around;
  const char *at_a[3], *at_b[3], *at_centre[3], *turning[3];
  for (int k = 0; k < 3; k++) {
    const char *u = indexed(&p, 'u', k), *v = indexed(&p, 'v', k), *n = indexed(&p, 'n', k);
    const double d = p.line->divisor;
    if (!u || !v || !n) return;
    at_a[k] = sar_arena_printf(&m->arena, "-%s/(%.17g)*%s", force, d, u);
    at_b[k] = sar_arena_printf(&m->arena, "-%s/(%.17g)*%s", force, d, v);
    at_centre[k] = sar_arena_printf(&m->arena, "%s/(%.17g)*(%s + %s)", force, d, u, v);
    turning[k] = sar_arena_printf(&m->arena, "%s/(%.17g)*%s", force, d, n);
  }
  push(&p, "force", "at_a", p.line->a, at_a);
  push(&p, "force", "at_b", p.line->b, at_b);
  push(&p, "force", "at_geom", &w->centre, at_centre);
  if (w->cylinder) push(&p, "torque", "on_geom", &w->centre, turning);
}
