// Elements along a line over symbols: springs, dampers and stops (elements/forces/line.h).
#include "codegen/elements.h"

typedef struct Line {
  int first, second;
  SymV3 p1, p2, n;
  SarNode length, rate;
} Line;

enum { LINE_LENGTH, LINE_AXIS };  // constants of the kinds that act along a line

static Line calc_line(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const SarAttrValue *first = attr(s, force, "first"), *second = attr(s, force, "second");
  Line l = {.first = first->index, .second = second->index};
  l.p1 = sv3_of(g, v3_load(numbers(s, first)));
  l.p2 = sv3_of(g, v3_load(numbers(s, second)));
  const SymXform X_G1 = sar_symbols_pose(s, l.first);
  const SymV3 to = sx_point(g, sar_symbols_pose(s, l.second), l.p2);
  const SymV3 span = sv3_sub(g, to, sx_point(g, X_G1, l.p1));
  if (attr(s, force, "axis")->given) {
    const V3 axis = v3_load(&sar_force_constants(s->m, force)[LINE_AXIS]);
    l.n = sm3_mul_v(g, X_G1.R, sv3_of(g, axis));
    l.length = sv3_dot(g, l.n, span);
    l.p1 = sm3_tmul_v(g, X_G1.R, sv3_sub(g, to, X_G1.p));
  } else {
    l.length = sv3_norm(g, span);
    const SarNode inverse =
        sar_sym_select(g, greater(s, l.length, 0), s_div(g, s_num(g, 1), l.length), s_num(g, 0));
    l.n = sv3_scale(g, inverse, span);
  }
  l.rate = sv3_dot(g, l.n,
                   sv3_sub(g, sar_symbols_point_velocity(s, l.second, l.p2),
                           sar_symbols_point_velocity(s, l.first, l.p1)));
  return l;
}

// k n n' + c n n' of what resists along the line, and of a stretched line that is pushed aside T /
// l (1 - n n').
static void resist_along(SarSymbols* s, int force, const Line* l, SarNode k, SarNode c,
                         SarNode tension) {
  SarGraph* g = s->g;
  const SymV3 p = sx_point(g, sar_symbols_pose(s, l->second), l->p2), none = sv3_zero(g);
  const SarNode zero = s_num(g, 0);
  SymTangent* t = sar_symbols_tangent(s, force, p);
  sar_symbols_resist(s, t, none, l->n, k, c);
  if (!t || attr(s, force, "axis")->given) return;
  const SarNode aside =
      sar_sym_select(g, greater(s, l->length, 0), s_div(g, tension, l->length), zero);
  for (int i = 0; i < 3; i++)
    sar_symbols_resist(s, t, none, sv3_of(g, v3(i == 0, i == 1, i == 2)), aside, zero);
  t->K[0][0] = s_sub(g, t->K[0][0], t->K[1][1]);
}

static void pull_line(SarSymbols* s, int force, const Line* l, SarNode tension) {
  add_force_at(s, l->first, l->p1, sv3_scale(s->g, tension, l->n));
  add_force_at(s, l->second, l->p2, sv3_scale(s->g, s_neg(s->g, tension), l->n));
  set_outputs(s, force, (SarNode[]){l->length, l->rate, tension});
}

// c0 + c1 x + c2 x^2 + ...
static SarNode polynomial(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  SarNode sum = s_num(s->g, 0);
  for (int i = a->index - 1; i >= 0; i--) sum = s_mac(s->g, s_num(s->g, numbers(s, a)[i]), sum, x);
  return sum;
}

// c1 + 2 c2 x + ...
static SarNode polynomial_slope(SarSymbols* s, const SarAttrValue* a, SarNode x) {
  SarNode sum = s_num(s->g, 0);
  for (int i = a->index - 1; i > 0; i--)
    sum = s_mac(s->g, s_num(s->g, i * numbers(s, a)[i]), sum, x);
  return sum;
}

static SarNode elastic_slope(SarSymbols* s, int force, SarNode length) {
  const SarAttrValue *rows = attr(s, force, "table"), *terms = attr(s, force, "polynomial");
  if (rows->given) return table_slope(s, rows, length);
  if (terms->given) return polynomial_slope(s, terms, length);
  return scalar(s, attr(s, force, "stiffness"));
}

static SarNode damper_slope(SarSymbols* s, int force, SarNode rate) {
  const SarAttrValue *rows = attr(s, force, "damper_table"),
                     *terms = attr(s, force, "damper_polynomial");
  if (rows->given) return table_slope(s, rows, rate);
  if (terms->given) return polynomial_slope(s, terms, rate);
  return scalar(s, attr(s, force, "damping"));
}

static SarNode elastic_tension(SarSymbols* s, int force, SarNode length) {
  const SarAttrValue *rows = attr(s, force, "table"), *terms = attr(s, force, "polynomial");
  if (rows->given) return table(s, rows, length);
  if (terms->given) return polynomial(s, terms, length);
  const SarAttrValue* at_rest = attr(s, force, "length");
  const SarNode rest = at_rest->given ? scalar(s, at_rest)
                                      : s_num(s->g, sar_force_constants(s->m, force)[LINE_LENGTH]);
  return s_mul(s->g, scalar(s, attr(s, force, "stiffness")), s_sub(s->g, length, rest));
}

static SarNode damper_tension(SarSymbols* s, int force, const Line* l) {
  const SarAttrValue *rows = attr(s, force, "damper_table"),
                     *terms = attr(s, force, "damper_polynomial"),
                     *given = attr(s, force, "damper");
  if (given->given) return law(s, given, l->length, l->rate);
  if (rows->given) return table(s, rows, l->rate);
  if (terms->given) return polynomial(s, terms, l->rate);
  return s_mul(s->g, scalar(s, attr(s, force, "damping")), l->rate);
}

static void resist_spring(SarSymbols* s, int force, const Line* l, SarNode tension) {
  const SarAttrValue *whole = attr(s, force, "law"), *damper = attr(s, force, "damper");
  const SarAttrValue* by = whole->given ? whole : damper->given ? damper : NULL;
  SarNode k = by ? law_slope(s, by, 0, l->length, l->rate) : s_num(s->g, 0);
  const SarNode c = by ? law_slope(s, by, 1, l->length, l->rate) : damper_slope(s, force, l->rate);
  if (!whole->given) k = s_add(s->g, k, elastic_slope(s, force, l->length));
  resist_along(s, force, l, k, c, tension);
}

void sar_symbols_spring_damper(SarSymbols* s, int force) {
  const Line l = calc_line(s, force);
  const SarAttrValue* whole = attr(s, force, "law");
  const bool potential = !whole->given && attr(s, force, "stiffness")->index < 0 &&
                         attr(s, force, "length")->index < 0;
  SarNode elastic = s_num(s->g, 0), other;
  if (whole->given) {
    other = law(s, whole, l.length, l.rate);
  } else {
    elastic = elastic_tension(s, force, l.length);
    other = damper_tension(s, force, &l);
  }
  const SarNode tension = s_add(s->g, elastic, other);
  pull_line(s, force, &l, tension);
  if (s->tangents) resist_spring(s, force, &l, tension);
  s->force_power[force] = s_neg(s->g, s_mul(s->g, potential ? other : tension, l.rate));
}

void sar_symbols_bump_stop(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const Line l = calc_line(s, force);
  const SarNode sign = s_num(g, attr(s, force, "side")->index == 1 ? 1 : -1);
  const SarNode k = s_num(g, *numbers(s, attr(s, force, "stiffness")));
  const SarNode c = s_num(g, *numbers(s, attr(s, force, "damping")));
  const SarNode contact = s_num(g, *numbers(s, attr(s, force, "length")));
  const SarNode x = s_mul(g, sign, s_sub(g, l.length, contact)), rate = s_mul(g, sign, l.rate);
  const SarNode push = s_mac(g, s_mul(g, k, x), c, rate);
  const SarNode touching = greater(s, x, 0);
  const SarNode pushing = sar_sym_call(g, SAR_OP_AND, touching, greater(s, push, 0));
  const SarNode tension = sar_sym_select(g, pushing, s_mul(g, sign, push), s_num(g, 0));
  pull_line(s, force, &l, tension);
  const SarNode zero = s_num(g, 0);
  if (s->tangents)
    resist_along(s, force, &l, sar_sym_select(g, pushing, k, zero),
                 sar_sym_select(g, pushing, c, zero), tension);
  const SarNode taken = sar_sym_select(g, touching, s_mul(g, s_mul(g, k, x), rate), s_num(g, 0));
  s->force_power[force] = s_msc(g, taken, tension, l.rate);
}
