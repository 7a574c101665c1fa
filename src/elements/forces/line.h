// The line between two points that springs and stops act along.
//
// Between the points:  d = p2 - p1,   length = |d|,     n = d / |d|
// Along an axis:       n fixed in the first body, length = n . d: the first point stands for a
//                      plane perpendicular to n, on which the second body slides without friction.
//
// In both cases the pull T acts as +T n on the first body and -T n on the second, on one line of
// action: between the points it joins them; along an axis it goes through the second point. The
// rate of the length is n . (velocity of p2 - velocity of the first body where the pull acts), so
// the power of both pulls is -T rate. At length 0 the line between the points has no direction: n =
// 0 there.
#pragma once
#include "elements/forces/varied.h"

// A kind that uses it has the points as its first two attributes, and these constants first.
enum { LINE_FIRST, LINE_SECOND };
enum { LINE_LENGTH, LINE_AXIS, LINE_CONSTANTS = LINE_AXIS + 3 };

typedef struct Line {
  V3 p1, p2;  // where the pull acts, in the frames of the bodies
  V3 n;       // unit vector from the first to the second, ground axes
  double length, rate;
} Line;

static inline Line calc_line(const SarModel* m, const SarData* d, int force,
                             const SarAttrValue* axis) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[LINE_FIRST].index, second = a[LINE_SECOND].index;
  Line l = {.p1 = v3_load(&m->attr_data[a[LINE_FIRST].adr]),
            .p2 = v3_load(&m->attr_data[a[LINE_SECOND].adr])};
  const Xform X_G1 = body_pose(d, first);
  const V3 to = x_point(body_pose(d, second), l.p2);
  const V3 span = v3_sub(to, x_point(X_G1, l.p1));
  if (axis->given) {
    l.n = m3_mul_v(X_G1.R, v3_load(&sar_force_constants(m, force)[LINE_AXIS]));
    l.length = v3_dot(l.n, span);
    l.p1 = m3_tmul_v(X_G1.R, v3_sub(to, X_G1.p));
  } else {
    l.length = v3_norm(span);
    l.n = l.length > 0 ? v3_scale(1 / l.length, span) : v3_zero();
  }
  l.rate = v3_dot(l.n, v3_sub(point_velocity(d, second, l.p2), point_velocity(d, first, l.p1)));
  return l;
}

// Length and axis (in B of the first body) at the design position.
static inline void prepare_line(const SarModel* m, int force, const SarAttrValue* axis,
                                double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Xform X_G1 = sar_design_pose(m, a[LINE_FIRST].index);
  const Xform X_G2 = sar_design_pose(m, a[LINE_SECOND].index);
  const V3 span = v3_sub(x_point(X_G2, v3_load(&m->attr_data[a[LINE_SECOND].adr])),
                         x_point(X_G1, v3_load(&m->attr_data[a[LINE_FIRST].adr])));
  const V3 n = v3_load(&m->attr_data[axis->adr]);
  constants[LINE_LENGTH] = axis->given ? v3_dot(n, span) : v3_norm(span);
  v3_store(&constants[LINE_AXIS], axis->given ? m3_tmul_v(X_G1.R, n) : v3_zero());
}

// The line in pictures.
static inline void look_along_line(const SarModel* m, int force, SarForceLook* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  for (int i = 0; i < 2; i++) {
    out->body[i] = a[i].index;
    out->point[i] = v3_load(&m->attr_data[a[i].adr]);
  }
  out->axis = v3_load(&sar_force_constants(m, force)[LINE_AXIS]);
}

static inline void pull_line(const SarModel* m, SarData* d, int force, const Line* l,
                             double tension) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  add_force_at(d, a[LINE_FIRST].index, l->p1, v3_scale(tension, l->n));
  add_force_at(d, a[LINE_SECOND].index, l->p2, v3_scale(-tension, l->n));
}

// The line and its pull as dual numbers.
typedef struct VariedLine {
  VariedBody body[2];
  D3 p1, p2, n;  // ground
  Dual length, rate;
} VariedLine;

static inline VariedLine vary_line(const SarModel* m, const SarData* d, const SarVariation* x,
                                   int force, const SarAttrValue* axis) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  VariedLine l = {
      .body = {varied_body(d, x, a[LINE_FIRST].index), varied_body(d, x, a[LINE_SECOND].index)}};
  l.p1 = varied_point(&l.body[0], v3_load(&m->attr_data[a[LINE_FIRST].adr]));
  l.p2 = varied_point(&l.body[1], v3_load(&m->attr_data[a[LINE_SECOND].adr]));
  const D3 span = d3_sub(l.p2, l.p1);
  if (axis->given) {
    l.n = varied_axis(&l.body[0], v3_load(&sar_force_constants(m, force)[LINE_AXIS]));
    l.length = d3_dot(l.n, span);
    l.p1 = l.p2;
  } else {
    l.length = d3_norm(span);
    l.n = l.length.x > 0 ? d3_unit(span) : d3_of(v3_zero());
  }
  const D3 u = d3_sub(varied_velocity(&l.body[1], l.p2), varied_velocity(&l.body[0], l.p1));
  l.rate = d3_dot(l.n, u);
  return l;
}

static inline void vary_pull(const SarModel* m, SarVariation* x, int force, const VariedLine* l,
                             Dual tension) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const D3 f = d3_scale(tension, l->n);
  vary_force_at(x, a[LINE_FIRST].index, &l->body[0], l->p1, f);
  vary_force_at(x, a[LINE_SECOND].index, &l->body[1], l->p2, d3_neg(f));
  vary_outputs(m, x, force, (Dual[]){l->length, l->rate, tension});
}
