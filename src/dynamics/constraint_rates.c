// Bilateral constraints at the levels of velocity and acceleration, Psi v + Phi_t = 0 and
// Psi a = gamma: Phi_t, Phi_dot and gamma; letters as in constraints.c.
//
// gamma = f'' - sum of term'' for zero joint accelerations, so every body on the way to a pair
// needs its acceleration then: one pass outwards.
#include "dynamics/constraints.h"

#include "dynamics/nodes.h"
#include "dynamics/pair.h"
#include "dynamics/rolling.h"
#include "dynamics/track.h"
#include "linalg/lanes.h"
#include "math/lanes.h"

static const SarBiasMotion AT_REST;

// Motion of body b from its parent's, with joint accelerations zero; r from the parent's origin to
// b's.
//
//   w = w_P + w_J,           alpha = alpha_P + (rate of w_J)
//   v = v_P + w_P x r + v_J,   a = a_P + alpha_P x r + w_P x (w_P x r + v_J) + (rate of v_J)
//
// S v = (w_J, v_J) is known in B, where its rate is cJ:  rate of w_J = cJ.w + w x w_J, the same for
// v_J. One axis: z is fixed in the parent, and the rates are w_P x w_J and w_P x v_J.
LANES_INLINE SarBiasMotion move_body(const SarModel* m, const SarData* d, int b) {
  const int parent = m->body_parent[b], i = m->joint_vadr[b];
  const Xform* X = &d->body_X_GB[b];
  const SarBiasMotion P = parent < 0 ? AT_REST : d->body_bias[parent];
  const V3 r = parent < 0 ? X->p : v3_sub(X->p, d->body_X_GB[parent].p);
  const V3 carried = v3_cross(P.w, r);
  SarBiasMotion B = {P.w, v3_add(P.v, carried), P.alpha,
                     v3_add_cross(v3_add_cross(P.a, P.alpha, r), P.w, carried)};
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED:
    case SAR_CLASS_MODE: break;
    case SAR_CLASS_REVOLUTE: {
      const V3 w_J = v3_scale(d->v[i], m3_col_z(X->R));
      B.w = v3_add(B.w, w_J);
      B.alpha = v3_add_cross(B.alpha, P.w, w_J);
      break;
    }
    case SAR_CLASS_PRISMATIC: {
      const V3 v_J = v3_scale(d->v[i], m3_col_z(X->R));
      B.v = v3_add(B.v, v_J);
      B.a = v3_add_cross(B.a, v3_scale(2, P.w), v_J);
      break;
    }
    default: {
      const Motion Sv = sar_joint_speed(m, d, b);
      const V3 w_J = m3_mul_v(X->R, Sv.w), v_J = m3_mul_v(X->R, Sv.v);
      const Motion cJ = d->body_cJ[b];
      B.w = v3_add(B.w, w_J);
      B.v = v3_add(B.v, v_J);
      B.alpha = v3_add(v3_add_cross(B.alpha, B.w, w_J), m3_mul_v(X->R, cJ.w));
      B.a = v3_add(v3_add_cross(B.a, v3_add(P.w, B.w), v_J), m3_mul_v(X->R, cJ.v));
    }
  }
  return B;
}

// velocity and acceleration of the point of a body that is at the ground point p
LANES_INLINE void point_motion(const SarBiasMotion* B, V3 origin, V3 p, V3* v, V3* a) {
  const V3 s = v3_sub(p, origin), turning = v3_cross(B->w, s);
  *v = v3_add(B->v, turning);
  *a = v3_add_cross(v3_add_cross(B->a, B->alpha, s), B->w, turning);
}

typedef struct Relative {
  Motion rate, bias;  // (Omega, u) and (A, a_u) for zero joint accelerations
} Relative;

LANES_INLINE Relative relative_motion(const SarData* d, const SarPair* p, V3 p_b) {
  const SarBiasMotion* a = p->body[0] < 0 ? &AT_REST : &d->body_bias[p->body[0]];
  const SarBiasMotion* b = p->body[1] < 0 ? &AT_REST : &d->body_bias[p->body[1]];
  V3 v_b, a_b, v_a, a_a;
  Relative r;
  point_motion(b, pair_pose(d, p->body[1])->p, p_b, &v_b, &a_b);
  point_motion(a, pair_pose(d, p->body[0])->p, p_b, &v_a, &a_a);
  r.rate = (Motion){v3_sub(b->w, a->w), v3_sub(v_b, v_a)};
  r.bias.w = v3_sub_cross(v3_sub(b->alpha, a->alpha), a->w, r.rate.w);
  r.bias.v = v3_sub_cross(v3_sub(a_b, a_a), v3_scale(2, a->w), r.rate.v);
  return r;
}

// second rate of x . w for directions fixed in a and b, without A
static double centripetal(V3 Omega, V3 x, V3 w) {
  return v3_dot(Omega, x) * v3_dot(Omega, w) - v3_dot(Omega, Omega) * v3_dot(x, w);
}

// what is quadratic in Omega and u
static inline double quadratic_part(const SarModel* m, SarData* d, const SarPair* p,
                                    const SarTerm* t, V3 w_B, V3 gap, Motion rate) {
  if (t->kind == SAR_TERM_ROLL) return sar_roll_quadratic(m, d, t, rate);
  if (t->kind == SAR_TERM_DISTANCE) {
    const double length = v3_norm(gap), speed = v3_dot(gap, rate.v) / length;
    return length > 0 ? (v3_dot(rate.v, rate.v) - speed * speed) / length : 0;
  }
  const M3 R = pair_pose(d, p->body[0])->R;
  const V3 x = m3_mul_v(R, t->x);
  if (t->kind == SAR_TERM_CURVE) {
    const SarTrackPoint g = sar_track_calc(m, d, t->track, v3_dot(x, gap));
    const double speed = v3_dot(x, rate.v);
    return -g.bend * speed * speed;
  }
  const V3 w = m3_mul_v(pair_pose(d, p->body[1])->R, w_B);
  if (t->kind == SAR_TERM_PERPENDICULAR) return centripetal(rate.w, x, w);
  const V3 y = m3_mul_v(R, t->y), w_rate = v3_cross(rate.w, w);
  const double c = v3_dot(x, w), s = v3_dot(y, w), r = c * c + s * s;
  const double c_rate = v3_dot(x, w_rate), s_rate = v3_dot(y, w_rate);
  const double speed = (c * s_rate - s * c_rate) / r;
  const double bend = c * centripetal(rate.w, y, w) - s * centripetal(rate.w, x, w);
  return r > 0 ? (bend - 2 * speed * (c * c_rate + s * s_rate)) / r : 0;
}

LANES_INLINE void update_pair_rates(const SarModel* m, SarData* d, int i) {
  const SarPair* p = &m->pair[i];
  const Relative r = relative_motion(d, p, d->pair_p[i]);
  for (int k = p->term; k < p->term + p->terms; k++) {
    const SarTerm* t = &m->term[k];
    const Force* W = &d->term_W[k];
    if (t->kind == SAR_TERM_ALONG) {  // most rows; n = 0 and nothing quadratic
      d->Phi_dot[t->row] += t->coefficient * v3_dot(r.rate.v, W->f);
      d->gamma[t->row] -= t->coefficient * v3_dot(r.bias.v, W->f);
      continue;
    }
    const double quadratic = quadratic_part(m, d, p, t, d->term_w[k], d->pair_d[i], r.rate);
    d->Phi_dot[t->row] += t->coefficient * power_of(r.rate, *W);
    d->gamma[t->row] -= t->coefficient * (power_of(r.bias, *W) + quadratic);
  }
}

void sar_update_constraint_speeds(const SarModel* m, SarData* d) {
  if (m->drives_follow) sar_update_drives(m, d);
  sar_constraint_multiply(m, d, d->v, d->Phi_dot);
  for (int i = 0; i < m->nrow; i++) {
    const int slot = m->row[i].slot;
    if (!d->row_on[i]) continue;
    d->Phi_t[i] = slot < 0 ? 0 : -d->slot[slot + 1];
    d->Phi_dot[i] += d->Phi_t[i];
  }
}

LANES_INLINE void update_rates(const SarModel* m, SarData* d) {
  if (m->drives_follow) sar_update_drives(m, d);
  for (int k = 0; k < m->npath_body; k++) {
    const int b = m->path_body[k];
    d->body_bias[b] = move_body(m, d, b);
  }
  for (int i = 0; i < m->nrow; i++) {
    const int slot = m->row[i].slot;
    if (!d->row_on[i]) continue;
    d->Phi_t[i] = d->Phi_dot[i] = slot < 0 ? 0 : -d->slot[slot + 1];
    d->gamma[i] = slot < 0 ? 0 : d->slot[slot + 2];
  }
  for (int k = 0; k < m->ncoordinate_term; k++) {
    const SarTerm* t = &m->term[k];
    if (d->row_on[t->row]) d->Phi_dot[t->row] += t->coefficient * d->v[t->dof];
  }
  for (int i = 0; i < m->npair; i++)
    if (sar_pair_is_on(m, d, i)) update_pair_rates(m, d, i);
}

SAR_WIDE static void rates_wide(const SarModel* m, SarData* d) { update_rates(m, d); }

void sar_update_constraint_rates(const SarModel* m, SarData* d) {
  if (sar_has_wide())
    rates_wide(m, d);
  else
    update_rates(m, d);
}

// The constraint forces -Psi' lambda do the power -lambda . Psi v = lambda . Phi_t.
void sar_update_constraint_work(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nwork; i++) {
    if (m->work[i].kind != SAR_WORK_CONSTRAINT) continue;
    const SarConstraint* c = &m->constraint[m->work[i].index];
    double power = 0;
    for (int k = c->row; k < c->row + c->rows; k++) power += d->lambda[k] * d->Phi_t[k];
    d->work_rate[i] = power;
  }
}
