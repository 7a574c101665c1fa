// Motion of nodes of modal bodies, and its first variation (nodes.h).
//
//   theta = sum psi_i eta_i,   S_i.w = R0' Jr(theta) psi_i,   S_i.v = R' (phi_i + sum b_ij eta_j)
//   cJ.w  = R0' (dJr/dt) u,    cJ.v  = -w x v + R' sum b_ij eta_i' eta_j',    u = sum psi_i eta_i'
//
// with (w, v) = S v in B and R = exp(theta~) R0 the axes of the node in E.
#include "dynamics/nodes.h"

// sum psi_i x_i
static V3 turn_of(const SarModel* m, const SarModalNode* n, const double* x) {
  V3 sum = v3_zero();
  for (int i = 0; i < n->num; i++) sum = v3_axpy(x[i], m->node_mode[n->mode + i].w, sum);
  return sum;
}

// sum over j of b_ij x_j
static V3 bend_along(const SarModel* m, const SarModalNode* n, int i, const double* x) {
  V3 sum = v3_zero();
  for (int j = 0; j < n->num; j++) sum = v3_axpy(x[j], m->node_bend[n->bend + sar_pair(i, j)], sum);
  return sum;
}

// sum b_ij x_i y_j
static V3 bend_of(const SarModel* m, const SarModalNode* n, const double* x, const double* y) {
  V3 sum = v3_zero();
  for (int i = 0; n->bend >= 0 && i < n->num; i++) sum = v3_axpy(x[i], bend_along(m, n, i, y), sum);
  return sum;
}

Motion sar_update_node(const SarModel* m, SarData* d, int b, bool moving) {
  const SarModalNode* n = sar_own_node(m, b);
  const double *eta = &d->q[n->q], *rate = &d->v[n->dof];
  const Motion* mode = &m->node_mode[n->mode];
  const M3 R0 = m->body_X_PF[b].R;
  const Xform X = d->body_X_PB[b] = sar_node_pose(m, n, d->q);
  const V3 theta = n->turns ? turn_of(m, n, eta) : v3_zero();
  const TurnCoefficients c = turn_coefficients(v3_dot(theta, theta));
  Motion* S = &d->node_S[n->mode];
  Motion Sv = motion_zero();
  for (int i = 0; i < n->num; i++) {
    const V3 v = n->bend < 0 ? mode[i].v : v3_add(mode[i].v, bend_along(m, n, i, eta));
    S[i].w = n->turns ? m3_tmul_v(R0, turn_rate(&c, theta, mode[i].w)) : v3_zero();
    S[i].v = m3_tmul_v(X.R, v);
    if (moving) Sv = motion_add(Sv, motion_scale(rate[i], S[i]));
  }
  if (!moving) return Sv;
  const V3 u = n->turns ? turn_of(m, n, rate) : v3_zero();
  d->body_cJ[b].w = m3_tmul_v(R0, turn_slope(&c, theta, u, u));
  d->body_cJ[b].v = v3_sub(m3_tmul_v(X.R, bend_of(m, n, rate, rate)), v3_cross(Sv.w, Sv.v));
  return Sv;
}

Motion sar_node_axis_change(const SarModel* m, const SarData* d, const SarModalNode* n,
                            const double* xi, int i) {
  const double* along = &xi[n->dof];
  const M3 R0 = m->body_X_PF[n->body].R, R = d->body_X_PB[n->body].R;
  const V3 theta = turn_of(m, n, &d->q[n->q]), turn = turn_of(m, n, along);
  const TurnCoefficients c = turn_coefficients(v3_dot(theta, theta));
  const V3 w = m3_tmul_v(R0, turn_rate(&c, theta, turn));
  Motion dS = {m3_tmul_v(R0, turn_slope(&c, theta, turn, m->node_mode[n->mode + i].w)),
               v3_neg(v3_cross(w, d->node_S[n->mode + i].v))};
  if (n->bend >= 0) dS.v = v3_add(dS.v, m3_tmul_v(R, bend_along(m, n, i, along)));
  return dS;
}

// Jr(theta) x in dual numbers
static D3 dual_turn_rate(D3 theta, D3 x) {
  const Dual t = d3_dot(theta, theta);
  const TurnCoefficients c = turn_coefficients(t.x);
  const Dual a = dual(c.a, c.a1 * t.d), b = dual(c.b, c.b1 * t.d);
  const D3 y = d3_cross(theta, x);
  return d3_add(d3_sub(x, d3_scale(a, y)), d3_scale(b, d3_cross(theta, y)));
}

// (dJr/dt) u with d theta/dt = u, likewise
static D3 dual_turn_bias(D3 theta, D3 u) {
  const Dual t = d3_dot(theta, theta), s = dual_scale(2, d3_dot(theta, u));
  const TurnCoefficients c = turn_coefficients(t.x);
  const Dual a1 = dual(c.a1, c.a2 * t.d), b1 = dual(c.b1, c.b2 * t.d), b = dual(c.b, c.b1 * t.d);
  const D3 y = d3_cross(theta, u);
  D3 sum = d3_scale(dual_scale(-1, dual_mul(a1, s)), y);
  sum = d3_add(sum, d3_scale(dual_mul(b1, s), d3_cross(theta, y)));
  return d3_add(sum, d3_scale(b, d3_cross(u, y)));
}

SarNodeChange sar_vary_node(const SarModel* m, const SarData* d, const SarModalNode* n,
                            const double* dq, const double* dv, bool accelerations) {
  const double *rate = &d->v[n->dof], *a = &d->a[n->dof];
  const M3 R0 = m->body_X_PF[n->body].R, R = d->body_X_PB[n->body].R;
  const D3 theta = d3(turn_of(m, n, &d->q[n->q]), turn_of(m, n, &dq[n->dof]));
  const D3 u = d3(turn_of(m, n, rate), turn_of(m, n, &dv[n->dof]));
  const Motion Sv = sar_node_motion(d, n, d->v);
  SarNodeChange c = {.moved = sar_node_motion(d, n, dq)};
  c.faster.w = m3_tmul_v(R0, dual_turn_rate(theta, u).d);
  // what is constant in E turns back in B
  c.faster.v = v3_sub(sar_node_motion(d, n, dv).v, v3_cross(c.moved.w, Sv.v));
  c.faster.v = v3_add(c.faster.v, m3_tmul_v(R, bend_of(m, n, &dq[n->dof], rate)));
  if (!accelerations) return c;
  const Motion Sa = sar_node_motion(d, n, d->a);
  const D3 of_a = dual_turn_rate(theta, d3_of(turn_of(m, n, a)));
  c.accelerated.w = m3_tmul_v(R0, v3_add(of_a.d, dual_turn_bias(theta, u).d));
  V3 v = v3_neg(v3_cross(c.moved.w, Sa.v));
  v = v3_add(v, m3_tmul_v(R, bend_of(m, n, &dq[n->dof], a)));
  v = v3_sub(v, v3_add(v3_cross(c.faster.w, Sv.v), v3_cross(Sv.w, c.faster.v)));
  const V3 bent = m3_tmul_v(R, bend_of(m, n, rate, rate));
  v = v3_sub(v, v3_cross(c.moved.w, bent));
  c.accelerated.v = v3_axpy(2, m3_tmul_v(R, bend_of(m, n, rate, &dv[n->dof])), v);
  return c;
}
