// First variation of ideal rolling (vary_terms.h): rolling.c in dual numbers, letters as there.
//
// The point of contact is not searched again: how rho changes with the pose is how it moves at the
// velocities that lead there.
#include "dynamics/vary_terms.h"

#include "elements/road.h"

typedef struct Contact {
  bool ball;
  double radius;
  D3 N, rho, heading;
  Dual H[3];  // zxx, zxy, zyy
} Contact;

static D3 bend(const Dual* H, D3 x) {
  return d3_from(dual_add(dual_mul(H[0], d3_x(x)), dual_mul(H[1], d3_y(x))),
                 dual_add(dual_mul(H[1], d3_x(x)), dual_mul(H[2], d3_y(x))), dual_of(0));
}

static D3 without(D3 n, D3 x) { return d3_sub(x, d3_scale(d3_dot(n, x), n)); }

static D3 unit_rate(D3 x, D3 x_rate) {
  const Dual over = dual_div(dual_of(1), d3_norm(x));
  return d3_scale(over, without(d3_scale(over, x), x_rate));
}

// (1 - (r / |N|) (1 - n n') H)^-1 u in x and y
static D3 ball_moves(const Contact* c, D3 n, Dual scale, D3 u) {
  const Dual one = dual_of(1), zero = dual_of(0);
  const D3 a = without(n, d3_from(c->H[0], c->H[1], zero));
  const D3 b = without(n, d3_from(c->H[1], c->H[2], zero));
  const Dual xx = dual_sub(one, dual_mul(scale, d3_x(a))), xy = dual_neg(dual_mul(scale, d3_x(b)));
  const Dual yx = dual_neg(dual_mul(scale, d3_y(a))), yy = dual_sub(one, dual_mul(scale, d3_y(b)));
  const Dual det = dual_sub(dual_mul(xx, yy), dual_mul(xy, yx));
  const Dual x = dual_sub(dual_mul(yy, d3_x(u)), dual_mul(xy, d3_y(u)));
  const Dual y = dual_sub(dual_mul(xx, d3_y(u)), dual_mul(yx, d3_x(u)));
  return d3_from(dual_div(x, det), dual_div(y, det), zero);
}

// rho' for the velocities (Omega, u)
static D3 contact_rate(const Contact* c, D3 Omega, D3 u) {
  if (!c->ball) {
    const D3 s = d3_add(u, d3_cross(Omega, c->rho)), tau = d3_cross(c->heading, c->rho);
    const Dual along = dual_sub(d3_dot(c->N, d3_cross(Omega, tau)), d3_dot(tau, bend(c->H, s)));
    const Dual curve = dual_add(d3_dot(c->N, c->rho), d3_dot(tau, bend(c->H, tau)));
    return d3_axpy(dual_div(along, curve), tau, d3_cross(Omega, c->rho));
  }
  const Dual scale = dual_div(dual_of(c->radius), d3_norm(c->N));
  const D3 n = d3_unit(c->N);
  return d3_scale(scale, without(n, bend(c->H, ball_moves(c, n, scale, u))));
}

static Contact frozen(const SarRoller* r, const SarRoll* roll) {
  return (Contact){.ball = r->ball,
                   .radius = r->radius,
                   .N = d3_of(roll->way[SAR_ROLL_GAP]),
                   .rho = d3_of(roll->rho),
                   .heading = d3_of(roll->heading),
                   .H = {dual_of(roll->bend[0]), dual_of(roll->bend[1]), dual_of(roll->bend[2])}};
}

// The contact and what it changes by.
static Contact vary_contact(const SarModel* m, SarData* d, SarVariation* x, const SarTerm* t,
                            V3 w_B, const SarVariedPair* p) {
  const SarRoller* r = &m->roller[t->roller];
  const VariedBody* a = p->a;
  Contact c = frozen(r, &d->roll[t->roller]);
  // how b moves, seen from a
  const V3 carried = v3_add_cross(a->o.d, a->turn, v3_sub(p->p.x, a->o.x));
  const D3 turn = d3_of(v3_sub(p->b->turn, a->turn)), shift = d3_of(v3_sub(p->p.d, carried));
  c.rho.d = v3_add_cross(contact_rate(&c, turn, shift).x, a->turn, c.rho.x);
  c.heading = r->ball ? varied_axis(a, t->y) : varied_axis(p->b, w_B);
  if (!r->road) {
    c.N = varied_axis(a, t->x);
    return c;
  }
  const D3 P = d3_add(p->p, c.rho);
  const SarVariedRoad road = sar_road_vary(m, d, x, r->index, d3_x(P), d3_y(P));
  c.N = d3_from(dual_neg(road.zx), dual_neg(road.zy), dual_of(1));
  c.H[0] = road.zxx, c.H[1] = road.zxy, c.H[2] = road.zyy;
  return c;
}

SarVariedTerm sar_roll_vary(const SarModel* m, SarData* d, SarVariation* x, const SarTerm* t,
                            V3 w_B, const SarVariedPair* p) {
  const Contact c = vary_contact(m, d, x, t, w_B, p);
  const D3 s = d3_add(p->u, d3_cross(p->Omega, c.rho));
  const D3 rho_rate = contact_rate(&c, p->Omega, p->u);
  const D3 N_rate = d3_neg(bend(c.H, d3_add(p->u, rho_rate)));
  const D3 n = d3_unit(c.N), n_rate = unit_rate(c.N, N_rate);
  const D3 k_rate = c.ball ? d3_of(v3_zero()) : d3_cross(p->Omega, c.heading);
  const D3 across = d3_cross(c.heading, n), forward = d3_unit(across);
  const D3 forward_rate =
      unit_rate(across, d3_add(d3_cross(k_rate, n), d3_cross(c.heading, n_rate)));
  D3 way = c.N, way_rate = N_rate;
  if (t->way == SAR_ROLL_FORWARD) {
    way = forward;
    way_rate = forward_rate;
  } else if (t->way == SAR_ROLL_SIDE) {
    way = d3_cross(n, forward);
    way_rate = d3_add(d3_cross(n_rate, forward), d3_cross(n, forward_rate));
  }
  return (SarVariedTerm){
      .n = d3_cross(c.rho, way),
      .f = way,
      .quadratic = dual_add(d3_dot(way, d3_cross(p->Omega, rho_rate)), d3_dot(way_rate, s))};
}
