// Ideal rolling (rolling.h): one holonomic row, the gap, and two nonholonomic ones, the slip.
//
// All is seen from the body a that has the surface; u and Omega are the velocity of the centre C
// and the angular velocity of the roller b, H the second derivatives of the road's height z(x, y).
//
//   P = C + rho                       the point of contact
//   N = (-z_x, -z_y, 1)               across the surface; of a plane its unit normal, H = 0
//   gap = P_z - z(P_x, P_y)           of a plane N . (P - p_a)
//   s = u + Omega x rho               velocity of the roller's own point at P: the slip
//   rows: N . s, t1 . s, t2 . s       t1 = k x n / |k x n|, t2 = n x t1, n = N / |N|
//
// P is the lowest point of the roller over the surface: moving it along the rim does not change the
// gap, so that (gap)' = N . s too. A row e . s is W . (Omega, u) with W = (rho x e; e), and its
// rate is
//
//   W . (A, a_u) + e . (Omega x rho') + e' . s
//
// Disc about the axis e, tau = e x rho:  N . tau = 0,  rho' = Omega x rho + kappa tau
//   kappa (N . rho + tau' H tau) = N . (Omega x tau) - tau' H s
// Ball: rho = -r n,  rho' = -r n',  P' = u + rho':  (1 - (r / |N|) (1 - n n') H) P' = u
//
// The road must bend less than the roller does, or there is more than one lowest point.
// Source: Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), ch. I and III.
#include "dynamics/rolling.h"

#include "dynamics/pair.h"
#include "elements/road.h"

enum { NEWTON = 12 };

static const double FOUND = 1e-15;  // rad, or radii: Newton's step that ends the search

// H x: only x and y enter
static V3 bend(const double* H, V3 x) {
  return v3(H[0] * x.x + H[1] * x.y, H[1] * x.x + H[2] * x.y, 0);
}

static V3 across(const SarRoadPoint* p) { return v3(-p->zx, -p->zy, 1); }

static V3 without(V3 n, V3 x) { return v3_axpy(-v3_dot(n, x), n, x); }  // (1 - n n') x

// ---- where it touches ---------------------------------------------------------------------------

// The point of the rim of a disc that is farthest against n.
static V3 lowest_on_rim(V3 e, V3 n, double radius) {
  const V3 up = without(e, n);
  return v3_scale(-radius / v3_norm(up), up);
}

// N . tau = 0 by Newton's method in the angle along the rim, from the lowest point over a flat
// road.
static SarRoadPoint disc_on_road(const SarModel* m, const SarData* d, const SarRoller* r, V3 centre,
                                 V3 e, V3* rho) {
  SarRoadPoint road = {0};
  V3 at = lowest_on_rim(e, v3(0, 0, 1), r->radius);
  for (int i = 0; i < NEWTON; i++) {
    const V3 tau = v3_cross(e, at), P = v3_add(centre, at);
    road = sar_road_bend(m, d, r->index, P.x, P.y);
    const double H[3] = {road.zxx, road.zxy, road.zyy};
    const V3 N = across(&road);
    const double slope = v3_dot(N, tau), curve = -v3_dot(N, at) - v3_dot(tau, bend(H, tau));
    const double turn = curve > 0 ? -slope / curve : 0;
    if (fabs(turn) <= FOUND) break;
    const double half = fmax(-0.25, fmin(0.25, turn));
    at = v3_axpy(sin(half), tau, v3_scale(cos(half), at));
  }
  *rho = at;
  return road;
}

// (1 - (r / |N|) (1 - n n') H)^-1 in x and y
static void solve_ball(const double* H, V3 n, double scale, double x, double y, double* out_x,
                       double* out_y) {
  const V3 a = without(n, v3(H[0], H[1], 0)), b = without(n, v3(H[1], H[2], 0));
  const double xx = 1 - scale * a.x, xy = -scale * b.x, yx = -scale * a.y, yy = 1 - scale * b.y;
  const double det = xx * yy - xy * yx;
  *out_x = (yy * x - xy * y) / det;
  *out_y = (xx * y - yx * x) / det;
}

// C = P + r n(P) by Newton's method in x and y of P.
static SarRoadPoint ball_on_road(const SarModel* m, const SarData* d, const SarRoller* r, V3 centre,
                                 V3* rho) {
  SarRoadPoint road = {0};
  double x = centre.x, y = centre.y, dx, dy;
  V3 n = v3(0, 0, 1);
  for (int i = 0; i < NEWTON; i++) {
    road = sar_road_bend(m, d, r->index, x, y);
    const V3 N = across(&road);
    const double size = v3_norm(N), H[3] = {road.zxx, road.zxy, road.zyy};
    n = v3_scale(1 / size, N);
    solve_ball(H, n, r->radius / size, centre.x - x - r->radius * n.x,
               centre.y - y - r->radius * n.y, &dx, &dy);
    if (!(fabs(dx) + fabs(dy) > FOUND * r->radius)) break;
    x += dx;
    y += dy;
  }
  *rho = v3_scale(-r->radius, n);
  return road;
}

static double find_contact(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t,
                           V3 w_B, V3 gap) {
  const SarRoller* r = &m->roller[t->roller];
  const M3 R = pair_pose(d, p->body[0])->R;
  SarRoll* roll = &d->roll[t->roller];
  const V3 e = r->ball ? v3_zero() : m3_mul_v(pair_pose(d, p->body[1])->R, w_B);
  V3 N = m3_mul_v(R, t->x);
  double open;
  roll->bend[0] = roll->bend[1] = roll->bend[2] = 0;
  if (r->road) {
    const V3 centre = x_point(*pair_pose(d, p->body[1]), p->point[1]);
    const SarRoadPoint road = r->ball ? ball_on_road(m, d, r, centre, &roll->rho)
                                      : disc_on_road(m, d, r, centre, e, &roll->rho);
    N = across(&road);
    roll->bend[0] = road.zxx, roll->bend[1] = road.zxy, roll->bend[2] = road.zyy;
    open = centre.z + roll->rho.z - road.z;
  } else {
    roll->rho = r->ball ? v3_scale(-r->radius, N) : lowest_on_rim(e, N, r->radius);
    open = v3_dot(N, v3_add(gap, roll->rho));
  }
  const V3 n = v3_unit(N);
  roll->heading = r->ball ? m3_mul_v(R, t->y) : e;
  roll->way[SAR_ROLL_GAP] = N;
  roll->way[SAR_ROLL_FORWARD] = v3_unit(v3_cross(roll->heading, n));
  roll->way[SAR_ROLL_SIDE] = v3_cross(n, roll->way[SAR_ROLL_FORWARD]);
  return open;
}

double sar_roll_measure(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t, V3 w_B,
                        V3 gap, Force* W) {
  const double open = t->way == SAR_ROLL_GAP ? find_contact(m, d, p, t, w_B, gap) : 0;
  const SarRoll* roll = &d->roll[t->roller];
  W->f = roll->way[t->way];
  W->n = v3_cross(roll->rho, W->f);
  return open;
}

// ---- how that changes ---------------------------------------------------------------------------

// rho' for the velocities (Omega, u) and the slip s
static V3 contact_rate(const SarRoller* r, const SarRoll* roll, Motion rate, V3 s) {
  const V3 N = roll->way[SAR_ROLL_GAP];
  const double* H = roll->bend;
  if (!r->ball) {
    const V3 tau = v3_cross(roll->heading, roll->rho);
    const double along = v3_dot(N, v3_cross(rate.w, tau)) - v3_dot(tau, bend(H, s));
    const double kappa = along / (v3_dot(N, roll->rho) + v3_dot(tau, bend(H, tau)));
    return v3_axpy(kappa, tau, v3_cross(rate.w, roll->rho));
  }
  const double size = v3_norm(N);
  const V3 n = v3_scale(1 / size, N);
  V3 moved = v3_zero();  // x and y of P'
  solve_ball(H, n, r->radius / size, rate.v.x, rate.v.y, &moved.x, &moved.y);
  return v3_scale(r->radius / size, without(n, bend(H, moved)));  // -r n', N' = -H P'
}

// The rate of x / |x| where that of x is known.
static V3 unit_rate(V3 x, V3 x_rate) {
  const double size = v3_norm(x);
  return v3_scale(1 / size, without(v3_scale(1 / size, x), x_rate));
}

static V3 way_rate(const SarRoller* r, const SarRoll* roll, int way, V3 Omega, V3 N_rate) {
  const V3 N = roll->way[SAR_ROLL_GAP], n = v3_unit(N), n_rate = unit_rate(N, N_rate);
  const V3 k = roll->heading, k_rate = r->ball ? v3_zero() : v3_cross(Omega, k);
  if (way == SAR_ROLL_GAP) return N_rate;
  const V3 forward = unit_rate(v3_cross(k, n), v3_add(v3_cross(k_rate, n), v3_cross(k, n_rate)));
  if (way == SAR_ROLL_FORWARD) return forward;
  return v3_add(v3_cross(n_rate, roll->way[SAR_ROLL_FORWARD]), v3_cross(n, forward));
}

double sar_roll_quadratic(const SarModel* m, const SarData* d, const SarTerm* t, Motion rate) {
  const SarRoller* r = &m->roller[t->roller];
  const SarRoll* roll = &d->roll[t->roller];
  const V3 s = v3_add(rate.v, v3_cross(rate.w, roll->rho));
  const V3 rho_rate = contact_rate(r, roll, rate, s);
  const V3 N_rate = v3_neg(bend(roll->bend, v3_add(rate.v, rho_rate)));
  return v3_dot(roll->way[t->way], v3_cross(rate.w, rho_rate)) +
         v3_dot(way_rate(r, roll, t->way, rate.w, N_rate), s);
}
