// Ideal rolling on planes over symbols (rolling.h): one holonomic row, the gap, and two
// nonholonomic ones, the slip. Letters as in dynamics/rolling.c, where the surface does not bend:
//
//   disc: rho = -r (n - (n.e) e) / |n - (n.e) e|,   rho' = Omega x rho + kappa tau,
//         tau = e x rho,   kappa N . rho = N . (Omega x tau)
//   ball: rho = -r n,   rho' = 0
//   s = u + Omega x rho,   rows N . s, t1 . s, t2 . s,   t1 = k x n / |k x n|,   t2 = n x t1
//
// A row e . s changes by W . (A, a_u) + e . (Omega x rho') + e' . s with W = (rho x e; e).
#include "codegen/rolling.h"

static SymV3 scaled_to(SarGraph* g, double length, SymV3 a) {
  return sv3_scale(g, s_div(g, s_num(g, length), sv3_norm(g, a)), a);
}

static SymV3 without(SarGraph* g, SymV3 n, SymV3 x) {  // (1 - n n') x
  return sv3_axpy(g, s_neg(g, sv3_dot(g, n, x)), n, x);
}

SymRoll sar_symbols_roll(SarGraph* g, const SarRoller* r, SymV3 N, SymV3 y, SymV3 e) {
  SymRoll out = {.N = N, .heading = r->ball ? y : e};
  out.rho =
      r->ball ? sv3_scale(g, s_num(g, -r->radius), N) : scaled_to(g, -r->radius, without(g, e, N));
  out.forward = scaled_to(g, 1, sv3_cross(g, out.heading, N));
  out.side = sv3_cross(g, N, out.forward);
  return out;
}

SymV3 sar_symbols_roll_way(const SymRoll* roll, int way) {
  return way == SAR_ROLL_GAP ? roll->N : way == SAR_ROLL_FORWARD ? roll->forward : roll->side;
}

// rho'
static SymV3 contact_rate(SarGraph* g, const SarRoller* r, const SymRoll* roll, SymV3 Omega) {
  if (r->ball) return sv3_zero(g);
  const SymV3 tau = sv3_cross(g, roll->heading, roll->rho);
  const SarNode kappa =
      s_div(g, sv3_dot(g, roll->N, sv3_cross(g, Omega, tau)), sv3_dot(g, roll->N, roll->rho));
  return sv3_axpy(g, kappa, tau, sv3_cross(g, Omega, roll->rho));
}

// e'; the normal stays
static SymV3 way_rate(SarGraph* g, const SarRoller* r, const SymRoll* roll, int way, SymV3 Omega) {
  if (way == SAR_ROLL_GAP || r->ball) return sv3_zero(g);
  const SymV3 along = sv3_cross(g, roll->heading, roll->N);
  const SymV3 rate = sv3_cross(g, sv3_cross(g, Omega, roll->heading), roll->N);
  const SarNode one_over = s_div(g, s_num(g, 1), sv3_norm(g, along));
  const SymV3 forward = sv3_scale(g, one_over, without(g, roll->forward, rate));
  return way == SAR_ROLL_FORWARD ? forward : sv3_cross(g, roll->N, forward);
}

SarNode sar_symbols_roll_quadratic(SarGraph* g, const SarRoller* r, const SymRoll* roll, int way,
                                   SymMotion rate) {
  const SymV3 s = sv3_add(g, rate.v, sv3_cross(g, rate.w, roll->rho));
  const SymV3 turning = sv3_cross(g, rate.w, contact_rate(g, r, roll, rate.w));
  return s_add(g, sv3_dot(g, sar_symbols_roll_way(roll, way), turning),
               sv3_dot(g, way_rate(g, r, roll, way, rate.w), s));
}

const char* sar_symbols_rolling(const SarModel* m) {
  for (int i = 0; i < m->nterm; i++)
    if (m->term[i].kind == SAR_TERM_ROLL && m->term[i].way != SAR_ROLL_GAP)
      return sar_text(m, m->constraint[m->row[m->term[i].row].constraint].name);
  return NULL;
}

void sar_symbols_refuse_roads(SarSymbols* s) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nterm; i++) {
    const SarTerm* t = &m->term[i];
    if (t->kind == SAR_TERM_ROLL && t->way == SAR_ROLL_GAP && m->roller[t->roller].road)
      sar_symbols_refuse(s,
                         "'%s' rolls on a road, where its point of contact is found by iteration",
                         sar_text(m, m->constraint[m->row[t->row].constraint].name));
  }
}
