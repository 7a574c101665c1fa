// First variation of the constraints at the level of accelerations, and of their forces
// (variation.h; letters as in constraints.c and constraint_rates.c).
//
//   Phi'' = sum coefficient (W . (A, a_u) + quadratic part) - f''      at given joint accelerations
//
// in dual numbers: how it changes along the direction, and how the forces -lambda coefficient W of
// every term do, which act on b at p_b and on a at the same place.
#include "dynamics/variation.h"

#include "base/spline.h"
#include "dynamics/vary_terms.h"

// A body with its accelerations: alpha and that of the origin, ground axes.
typedef struct VariedMotion {
  VariedBody body;
  D3 alpha, a;
} VariedMotion;

static VariedMotion motion_of(const SarModel* m, const SarData* d, const SarVariation* x, int b) {
  VariedMotion r = {.body = varied_body(d, x, b)};
  if (b < 0) return r;
  const Motion A = d->body_A[b], dA = x->body_A[b], V = d->body_V[b], dV = x->body_V[b];
  const D3 w = d3(V.w, dV.w), v = d3(V.v, dV.v);
  const D3 a = d3_add(d3(A.v, dA.v), d3_cross(w, v));
  r.alpha = d3_turn(r.body.R, r.body.turn, d3(A.w, dA.w));
  r.a = d3_add(d3_turn(r.body.R, r.body.turn, a), d3_of(m->gravity));
  return r;
}

static D3 acceleration_at(const VariedMotion* r, D3 p) {
  const D3 s = d3_sub(p, r->body.o), turning = d3_cross(r->body.w, s);
  return d3_add(d3_add(r->a, d3_cross(r->alpha, s)), d3_cross(r->body.w, turning));
}

static Dual centripetal(D3 Omega, D3 x, D3 w) {
  return dual_sub(dual_mul(d3_dot(Omega, x), d3_dot(Omega, w)),
                  dual_mul(d3_dot(Omega, Omega), d3_dot(x, w)));
}

// slope and bend of a curve at x
static void vary_track(const SarModel* m, SarData* d, SarVariation* v, int track, Dual x,
                       Dual* slope, Dual* bend) {
  const SarTrack* t = &m->track[track];
  if (t->law >= 0) {
    varied_local(m, d, v, 0, x);
    *slope = varied_program(m, d, v, &m->expr[t->law + 1]);
    *bend = varied_program(m, d, v, &m->expr[t->law + 2]);
    return;
  }
  const double* knot = &m->attr_data[t->adr];
  const SarSplinePoint g = sar_spline_at(knot, t->num, x.x);
  *slope = dual(g.slope, g.bend * x.d);
  *bend = dual(g.bend, sar_spline_third(knot, t->num, x.x) * x.d);
}

static SarVariedTerm vary_distance(const SarVariedPair* p) {
  const Dual length = d3_norm(p->gap), one = dual_of(1);
  if (!(length.x > 0)) return (SarVariedTerm){0};
  const D3 n = d3_unit(p->gap);
  const Dual speed = d3_dot(n, p->u);
  const Dual across = dual_sub(d3_dot(p->u, p->u), dual_mul(speed, speed));
  return (SarVariedTerm){.f = n, .quadratic = dual_mul(dual_div(one, length), across)};
}

static SarVariedTerm vary_angle(const SarVariedPair* p, D3 x, D3 y, D3 w) {
  const D3 w_rate = d3_cross(p->Omega, w);
  const Dual c = d3_dot(x, w), s = d3_dot(y, w), r = dual_add(dual_mul(c, c), dual_mul(s, s));
  if (!(r.x > 0)) return (SarVariedTerm){0};
  const Dual c_rate = d3_dot(x, w_rate), s_rate = d3_dot(y, w_rate);
  const Dual speed = dual_div(dual_sub(dual_mul(c, s_rate), dual_mul(s, c_rate)), r);
  const Dual bend =
      dual_sub(dual_mul(c, centripetal(p->Omega, y, w)), dual_mul(s, centripetal(p->Omega, x, w)));
  const Dual along = dual_add(dual_mul(c, c_rate), dual_mul(s, s_rate));
  const D3 n = d3_sub(d3_scale(dual_div(c, r), y), d3_scale(dual_div(s, r), x));
  return (SarVariedTerm){
      .n = d3_cross(w, n),
      .quadratic = dual_div(dual_sub(bend, dual_scale(2, dual_mul(speed, along))), r)};
}

static SarVariedTerm vary_curve(const SarModel* m, SarData* d, SarVariation* v, const SarTerm* t,
                                const SarVariedPair* p, D3 x) {
  Dual slope, bend;
  vary_track(m, d, v, t->track, d3_dot(x, p->gap), &slope, &bend);
  const Dual speed = d3_dot(x, p->u);
  return (SarVariedTerm){.f = d3_sub(varied_axis(p->a, t->y), d3_scale(slope, x)),
                         .quadratic = dual_neg(dual_mul(bend, dual_mul(speed, speed)))};
}

static SarVariedTerm vary_term(const SarModel* m, SarData* d, SarVariation* v, int k,
                               const SarVariedPair* p) {
  const SarTerm* t = &m->term[k];
  const D3 x = varied_axis(p->a, t->x);
  switch (t->kind) {
    case SAR_TERM_ALONG: return (SarVariedTerm){.f = x};
    case SAR_TERM_PERPENDICULAR: {
      const D3 w = varied_axis(p->b, d->term_w[k]);
      return (SarVariedTerm){.n = d3_cross(w, x), .quadratic = centripetal(p->Omega, x, w)};
    }
    case SAR_TERM_DISTANCE: return vary_distance(p);
    case SAR_TERM_ANGLE:
      return vary_angle(p, x, varied_axis(p->a, t->y), varied_axis(p->b, d->term_w[k]));
    case SAR_TERM_CURVE: return vary_curve(m, d, v, t, p, x);
    case SAR_TERM_ROLL: return sar_roll_vary(m, d, v, t, d->term_w[k], p);
    default: return (SarVariedTerm){0};
  }
}

static void vary_pair(const SarModel* m, SarData* d, SarVariation* x, int i) {
  const SarPair* p = &m->pair[i];
  const VariedMotion a = motion_of(m, d, x, p->body[0]), b = motion_of(m, d, x, p->body[1]);
  const D3 at = varied_point(&b.body, d->pair_b[i]);
  const SarVariedPair r = {.a = &a.body,
                           .b = &b.body,
                           .p = at,
                           .gap = d3_sub(at, varied_point(&a.body, p->point[0])),
                           .Omega = d3_sub(b.body.w, a.body.w),
                           .u = d3_sub(varied_velocity(&b.body, at), varied_velocity(&a.body, at))};
  const D3 A = d3_sub(d3_sub(b.alpha, a.alpha), d3_cross(a.body.w, r.Omega));
  const D3 a_u = d3_sub(d3_sub(acceleration_at(&b, at), acceleration_at(&a, at)),
                        d3_scale(dual_of(2), d3_cross(a.body.w, r.u)));
  D3 n = d3_of(v3_zero()), f = n;
  for (int k = p->term; k < p->term + p->terms; k++) {
    const SarTerm* t = &m->term[k];
    const SarVariedTerm W = vary_term(m, d, x, k, &r);
    const Dual linear = dual_add(d3_dot(W.n, A), d3_dot(W.f, a_u));
    const Dual s = dual_of(-d->lambda[t->row] * t->coefficient);
    const Dual speed = dual_add(d3_dot(W.n, r.Omega), d3_dot(W.f, r.u));
    x->row_speed[t->row] += t->coefficient * speed.d;
    x->row[t->row] += t->coefficient * (linear.d + W.quadratic.d);
    n = d3_axpy(s, W.n, n);
    f = d3_axpy(s, W.f, f);
  }
  vary_force_at(x, p->body[1], &b.body, at, f);
  vary_torque(x, p->body[1], &b.body, n);
  vary_force_at(x, p->body[0], &a.body, at, d3_neg(f));
  vary_torque(x, p->body[0], &a.body, d3_neg(n));
}

void sar_vary_rows(const SarModel* m, SarData* d, SarVariation* x) {
  for (int i = 0; i < m->nrow; i++) {
    const int slot = m->row[i].slot;
    const bool moves = slot >= 0 && d->row_on[i];
    x->row_speed[i] = moves ? -x->slot[slot + 1] : 0;
    x->row[i] = moves ? -x->slot[slot + 2] : 0;
  }
  for (int k = 0; k < m->ncoordinate_term; k++) {
    const SarTerm* t = &m->term[k];
    if (d->row_on[t->row]) x->row_speed[t->row] += t->coefficient * x->dv[t->dof];
  }
  for (int i = 0; i < m->npair; i++)
    if (sar_pair_is_on(m, d, i)) vary_pair(m, d, x, i);
}
