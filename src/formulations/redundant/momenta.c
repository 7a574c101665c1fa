// Momentum form of the equations of free bodies under constraints (Morandini, Masarati and
// Mantegazza 2005, eqs. 1 to 5), in the coordinates of a model in absolute ones:
//
//   P = M(x) x',   P' = Q(x, x', t) - Psi' lambda = F,   Phi(x, t) = 0
//
// P holds for every body the momentum m v_C and the moment of momentum about the mass centre, L = R
// I w, in axes of the frame F that stands still: where no moment acts L stays as it is, as far as
// Newton's iteration goes. Coordinates are those of the body's own joint: velocity of the origin of
// B in F, angular velocity in B; planar: two and one.
//
// The rule (model/rule.h) in a step of length h, with b0 h = gain:
//
//   P = P_known + gain F,      x = x_known + gain x'
//
// For rotations x is a rotation vector about the start of the step, in which a steady rotation is
// linear, and the step before is taken into this chart exactly. That serves the prediction, R_pred
// and w_pred with x' extrapolated; what Newton's iteration finds is a correction of it
// (updated-updated), by Gibbs-Rodrigues parameters g,
//
//   R = R_pred R_D(g),    w = R_D' w_pred + G' g',    g = gain g'
//   R_D = 1 + 4 / (4 + g'g) (g~ + g~ g~ / 2),   G = 4 / (4 + g'g) (1 + g~ / 2)        in axes of B
//
// which is of third order in h, so that terms with it may be left out of the Jacobian, where R_D
// and G are 1.
#include "formulations/redundant/momenta.h"

#include "dynamics/displacement.h"
#include "formulations/redundant/modal_bodies.h"
#include "math/rotvec.h"
#include "model/inertia.h"

#include <math.h>
#include <string.h>

static const double THIN = 1e-9;  // of the largest moment of inertia: smaller ones have no inverse

// ---- bodies -------------------------------------------------------------------------------------

static S3 inverse_of(S3 I) {
  const double a = I.yy * I.zz - I.yz * I.yz, b = I.xz * I.yz - I.xy * I.zz;
  const double c = I.xy * I.yz - I.xz * I.yy, det = I.xx * a + I.xy * b + I.xz * c;
  return (S3){a / det,
              b / det,
              c / det,
              (I.xx * I.zz - I.xz * I.xz) / det,
              (I.xy * I.xz - I.xx * I.yz) / det,
              (I.xx * I.yy - I.xy * I.xy) / det};
}

// Projection onto the axes about which there is no inertia, by the characteristic polynomial
// without their eigenvalues: (I - l2) (I - l3) / (l2 l3) for one of them, 1 - I / l3 for two.
static S3 idle_axes(S3 I, const double moment[3], int idle) {
  const S3 one = {1, 0, 0, 1, 0, 1};
  if (idle == 0) return s3_zero();
  if (idle == 3) return one;
  if (idle == 2) return s3_add(one, s3_scale(-1 / moment[2], I));
  const S3 a = s3_add(I, s3_scale(-moment[1], one)), b = s3_add(I, s3_scale(-moment[2], one));
  const M3 p = m3_mul(s3_full(a), s3_full(b));
  return s3_scale(1 / (moment[1] * moment[2]), (S3){p.xx, p.xy, p.xz, p.yy, p.yz, p.zz});
}

// inverse (pseudo-inverse) and idle of a body in space
static void invert(SarOwnBody* o) {
  double moment[3];
  int idle = 0;
  sar_principal_moments(o->inertia, moment);
  while (idle < 3 && !(moment[idle] > THIN * moment[2])) idle++;
  o->idle = idle_axes(o->inertia, moment, idle);
  o->turns = idle == 0;
  o->least = idle < 3 ? moment[idle] : 0;
  o->most = moment[2];
  const double fill = moment[2] > 0 ? moment[2] : 1;
  const S3 filled = inverse_of(s3_add(o->inertia, s3_scale(fill, o->idle)));
  o->inverse = s3_add(filled, s3_scale(-1 / fill, o->idle));
}

static SarOwnBody own_body(const SarModel* m, int b) {
  const Inertia* I = &m->body_inertia[b];
  const SarJointKind* kind = m->joint_kind[b];
  SarOwnBody o = {.joint = b,
                  .qadr = m->joint_qadr[b],
                  .vadr = m->joint_vadr[b],
                  .nv = m->joint_nv[b],
                  .mass = I->m};
  o.kind = kind->nv == 6                                       ? SAR_OWN_FREE
           : kind->nv == 3 && kind->coordinate[2] == SAR_ANGLE ? SAR_OWN_PLANAR
                                                               : SAR_OWN_POINT;
  if (I->m > 0) o.com = v3_scale(1 / I->m, I->h);
  o.inertia = s3_add(I->I, s3_scale(-I->m, s3_of_point(o.com)));
  o.weight = v3_scale(I->m, m3_tmul_v(m->body_X_PF[b].R, m->gravity));
  sar_own_modal(m, b, &o);
  if (o.kind == SAR_OWN_PLANAR) {
    o.turns = o.inertia.zz > 0;
    o.inverse.zz = o.turns ? 1 / o.inertia.zz : 0;
    o.idle.zz = !o.turns;
  } else if (o.kind == SAR_OWN_FREE) {
    invert(&o);
  }
  return o;
}

void sar_momenta_layout(SarMomenta* p, const SarModel* m, SarBlock* b) {
  double** numbers[] = {&p->v_start, &p->P1,     &p->F1, &p->P_known, &p->x_known,
                        &p->x,       &p->x_rate, &p->v,  &p->P};
  p->count = m->nbody;
  SAR_PIECE(b, p->body, m->nbody);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) SAR_PIECE(b, *numbers[k], m->nv);
  SAR_PIECE(b, p->q, m->nq);
  SAR_PIECE(b, p->error, 2 * m->nv + m->nz);
  SAR_PIECE(b, p->needed, m->nmodal > 0 ? m->nv : 0);
  for (int i = 0; b->memory && i < m->nbody; i++) p->body[i] = own_body(m, i);
}

void sar_momenta_declare(SarMomenta* p, SarSim* s) {
  const struct {
    const char* name;
    double** at;
  } fields[] = {{"before.x", &p->x2},
                {"before.rate", &p->u2},
                {"before.P", &p->P2},
                {"before.F", &p->F2},
                {"before.a", &p->a2}};
  sar_state_doubles(s, "before.length", &p->length, 1);
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    sar_state_doubles(s, fields[k].name, fields[k].at, s->m->nv);
  sar_state_doubles(s, "before.corrected", &p->corrected, s->m->nv + 1);
}

// Rotation of B in F.
static M3 rotation_of(const SarOwnBody* o, const double* q) {
  if (o->kind == SAR_OWN_FREE) return quat_to_m3(quat_load(q + o->qadr + 3));
  if (o->kind != SAR_OWN_PLANAR) return m3_identity();
  double s, c;
  sar_sincos(q[o->qadr + 2], &s, &c);
  return m3_rot_z(c, s);
}

// The same at d, whose kinematics are up to date: mostly F has the axes of ground.
static M3 present_rotation(const SarModel* m, const SarData* d, const SarOwnBody* o) {
  const M3* F = &m->body_X_PF[o->joint].R;
  if (o->kind != SAR_OWN_FREE || F->xx != 1 || F->yy != 1) return rotation_of(o, d->q);
  return d->body_X_PB[o->joint].R;
}

// The two parts of the numbers of a body.
static V3 shift_of(const SarOwnBody* o, const double* x) {
  return o->kind == SAR_OWN_PLANAR ? v3(x[0], x[1], 0) : v3_load(x);
}
static V3 turn_of(const SarOwnBody* o, const double* x) {
  return o->kind == SAR_OWN_FREE     ? v3_load(x + 3)
         : o->kind == SAR_OWN_PLANAR ? v3(0, 0, x[2])
                                     : v3_zero();
}
static void put(const SarOwnBody* o, V3 shift, V3 turn, double* x) {
  x[0] = shift.x, x[1] = shift.y;
  if (o->kind == SAR_OWN_PLANAR) {
    x[2] = turn.z;
    return;
  }
  x[2] = shift.z;
  if (o->kind == SAR_OWN_FREE) v3_store(x + 3, turn);
}

// ---- momenta and their rates --------------------------------------------------------------------

static void copy_numbers(const SarOwnBody* o, const double* from, double* to) {
  for (int k = 0; k < o->nv; k++) to[k] = from[k];
}

// P = (m (v + R (w x c)), R I w)
static void momentum(const SarOwnBody* o, M3 R, const double* v, double* P) {
  if (o->modal) {
    copy_numbers(o, v, P);
    return;
  }
  const V3 w = turn_of(o, v);
  V3 u = shift_of(o, v);
  if (!sar_own_is_central(o)) u = v3_add(u, m3_mul_v(R, v3_cross(w, o->com)));
  put(o, v3_scale(o->mass, u), m3_mul_v(R, s3_mul_v(o->inertia, w)), P);
}

// R (w x (w x c) + alpha x c): acceleration of the mass centre against the origin
static V3 lever_acceleration(const SarOwnBody* o, M3 R, V3 w, V3 alpha) {
  const V3 u = v3_add(v3_cross(w, v3_cross(w, o->com)), v3_cross(alpha, o->com));
  return m3_mul_v(R, u);
}

// F = P' = (m a_C, R (I alpha + w x I w))
static void momentum_rate(const SarOwnBody* o, M3 R, const double* v, const double* a, double* F) {
  if (o->modal) {
    copy_numbers(o, a, F);
    return;
  }
  const V3 w = turn_of(o, v), alpha = turn_of(o, a);
  const V3 n = v3_add(s3_mul_v(o->inertia, alpha), v3_cross(w, s3_mul_v(o->inertia, w)));
  V3 u = shift_of(o, a);
  if (!sar_own_is_central(o)) u = v3_add(u, lever_acceleration(o, R, w, alpha));
  put(o, v3_scale(o->mass, u), m3_mul_v(R, n), F);
}

// The other way; of what has no inertia, mean accelerations of the step.
static void accelerations(const SarMomenta* p, const SarOwnBody* o, M3 R, const double* F,
                          const double* v, double* a) {
  if (o->modal) {
    copy_numbers(o, F, a);
    return;
  }
  const V3 w = turn_of(o, v), w1 = turn_of(o, p->v_start + o->vadr);
  const V3 u1 = shift_of(o, p->v_start + o->vadr);
  V3 u = v3_scale(1 / p->h, v3_sub(shift_of(o, v), u1));
  V3 alpha = s3_mul_v(o->inverse,
                      v3_sub(m3_tmul_v(R, turn_of(o, F)), v3_cross(w, s3_mul_v(o->inertia, w))));
  if (!o->turns) alpha = v3_add(alpha, s3_mul_v(o->idle, v3_scale(1 / p->h, v3_sub(w, w1))));
  if (o->mass > 0) {
    u = v3_scale(1 / o->mass, shift_of(o, F));
    if (!sar_own_is_central(o)) u = v3_sub(u, lever_acceleration(o, R, w, alpha));
  }
  put(o, u, alpha, a);
}

// ---- the step -----------------------------------------------------------------------------------

SarRuleWeights sar_momenta_weights(const SarMomenta* p, const SarSim* s, double h) {
  return sar_rule_weights(&s->rule, h, s->restart ? 0 : *p->length);
}

// Angular velocity in the turned frame from the rate of a rotation vector: the inverse of
// rotvec_rate.
//   w = rate - (1 - cos) / theta^2 xi x rate + (theta - sin) / theta^3 xi x (xi x rate)
static V3 rotvec_velocity(V3 xi, V3 rate) {
  const double t2 = v3_dot(xi, xi);
  double b, c;
  if (t2 < 0.01) {
    b = 0.5 - t2 * (1.0 / 24 - t2 * (1.0 / 720 - t2 / 40320));
    c = 1.0 / 6 - t2 * (1.0 / 120 - t2 * (1.0 / 5040 - t2 / 362880));
  } else {
    const double t = sqrt(t2);
    double sine, cosine;
    sar_sincos(t, &sine, &cosine);
    b = (1 - cosine) / t2;
    c = (t - sine) / (t2 * t);
  }
  const V3 a = v3_cross(xi, rate);
  return v3_add(rate, v3_axpy(-b, a, v3_scale(c, v3_cross(xi, a))));
}

// x, x', q and v at the end as they are expected.
static void predict(SarMomenta* p, const SarSim* s, const double* A) {
  const double *v1 = p->v_start, *a1 = s->start.a, h = p->h;
  for (int i = 0; i < s->m->nv; i++) {
    p->x_rate[i] = v1[i] + 0.5 * h * (a1[i] + A[i]);
    p->x[i] = p->x_known[i] + p->gain * p->x_rate[i];
    p->v[i] = p->x_rate[i];
  }
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    if (o->kind != SAR_OWN_FREE) continue;
    const int i = o->vadr + 3;
    // the rate of x that goes with the angular velocity expected, about where that leads
    const V3 w = v3_load(p->x_rate + i), mean = v3_scale(0.5 * h, v3_add(w, v3_load(v1 + i)));
    const V3 rate = rotvec_rate(mean, w), x = v3_axpy(p->gain, rate, v3_load(p->x_known + i));
    v3_store(p->x_rate + i, rate);
    v3_store(p->x + i, x);
    v3_store(p->v + i, rotvec_velocity(x, rate));
  }
  sar_displace(s, p->x, p->q);
}

void sar_momenta_begin(SarMomenta* p, SarSim* s, const double* A) {
  const int nv = s->m->nv;
  const double *v1 = s->start.v, *a1 = s->start.a;
  p->h = s->stop - s->start.t;
  p->rule = sar_momenta_weights(p, s, p->h);
  p->gain = p->h * p->rule.b0;
  memcpy(p->v_start, v1, (size_t)nv * sizeof *v1);
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    const M3 R = rotation_of(o, s->start.q);
    const int i = o->vadr;
    momentum(o, R, v1 + i, p->P1 + i);
    momentum_rate(o, R, v1 + i, a1 + i, p->F1 + i);
  }
  const SarRuleWeights w = p->rule;
  for (int i = 0; i < nv; i++) {
    p->x_known[i] = w.past * p->x2[i] + p->h * (w.b1 * v1[i] + w.b2 * p->u2[i]);
    p->P_known[i] =
        p->P1[i] + w.past * (p->P2[i] - p->P1[i]) + p->h * (w.b1 * p->F1[i] + w.b2 * p->F2[i]);
  }
  predict(p, s, A);
}

// Corrections make up for the prediction's error, h^3 times a third derivative, which turns with
// the body: on a circle it is the same in every step, seen from the body. Where the last two are
// not, none is expected.
void sar_momenta_expect(const SarMomenta* p, const SarSim* s, double* x) {
  static const double SIMILAR = 2;  // lengths of steps
  const double ratio = s->restart || p->corrected[s->m->nv] == 0 ? 0 : p->h / *p->length;
  const double share = ratio < SIMILAR ? ratio * ratio * ratio : 0;
  for (int i = 0; i < s->m->nv; i++) x[i] = share * p->corrected[i];
  for (int b = 0; share > 0 && b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    if (o->kind == SAR_OWN_POINT || o->kind == SAR_OWN_PART) continue;
    double* of = x + o->vadr;
    put(o, m3_mul_v(rotation_of(o, p->q), shift_of(o, of)), turn_of(o, of), of);
  }
}

void sar_momenta_keep(SarMomenta* p, const SarSim* s, const double* x, const double* unit) {
  double size = 0, changed = 0;
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    const double* of = x + o->vadr;
    double now[6], *old = p->corrected + o->vadr;
    if (o->kind == SAR_OWN_PART)
      copy_numbers(o, of, now);
    else
      put(o, m3_tmul_v(rotation_of(o, p->q), shift_of(o, of)), turn_of(o, of), now);
    for (int k = 0; k < o->nv; k++) {
      const double over = 1 / unit[o->vadr + k], is = now[k] * over, was = old[k] * over;
      size += is * is;
      changed += (is - was) * (is - was);
      old[k] = now[k];
    }
  }
  p->corrected[s->m->nv] = !s->restart && changed < 0.25 * size;
}

// R_D as a quaternion: (1, g / 2), made a unit
static Quat gibbs(V3 g) { return quat_unit((Quat){1, 0.5 * g.x, 0.5 * g.y, 0.5 * g.z}); }

// w = R_D' w_pred + G' g'
static V3 corrected(V3 w, V3 g, V3 rate) {
  const double c = 4 / (4 + v3_dot(g, g));
  const V3 gw = v3_cross(g, w);
  V3 turned = v3_axpy(-c, gw, v3_axpy(0.5 * c, v3_cross(g, gw), w));
  return v3_add(turned, v3_scale(c, v3_axpy(-0.5, v3_cross(g, rate), rate)));
}

void sar_momenta_move(SarMomenta* p, SarSim* s, const double* x) {
  SarData* d = s->d;
  const double over = 1 / p->gain;
  double F[6];
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    const int plain = o->kind == SAR_OWN_FREE ? 3 : o->nv;
    for (int k = 0; k < plain; k++) {
      d->q[o->qadr + k] = p->q[o->qadr + k] + x[o->vadr + k];
      d->v[o->vadr + k] = p->v[o->vadr + k] + over * x[o->vadr + k];
    }
    if (o->kind == SAR_OWN_FREE) {
      const V3 g = v3_load(x + o->vadr + 3), w = v3_load(p->v + o->vadr + 3);
      quat_store(d->q + o->qadr + 3, quat_unit(quat_mul(quat_load(p->q + o->qadr + 3), gibbs(g))));
      v3_store(d->v + o->vadr + 3, corrected(w, g, v3_scale(over, g)));
    }
    const M3 R = rotation_of(o, d->q);
    momentum(o, R, d->v + o->vadr, p->P + o->vadr);
    for (int k = 0; k < o->nv; k++) F[k] = over * (p->P[o->vadr + k] - p->P_known[o->vadr + k]);
    accelerations(p, o, R, F, d->v + o->vadr, d->a + o->vadr);
  }
}

// Q + `left`, the opposite of a rate of momentum, in the coordinates of a body.
static void add_forces(const SarOwnBody* o, const SarData* d, M3 R, const double* left, double* r) {
  const Force F = d->body_F[o->joint];
  const V3 f = v3_add(o->weight, shift_of(o, left));
  V3 n = v3_add(m3_tmul_v(R, turn_of(o, left)), F.n);
  if (!sar_own_is_central(o)) n = v3_add(n, v3_cross(o->com, m3_tmul_v(R, f)));
  put(o, v3_add(f, m3_mul_v(R, F.f)), n, r);
  for (int k = 0; k < o->nv; k++) r[k] += d->tau[o->vadr + k];
}

void sar_momenta_residual(const SarMomenta* p, const SarSim* s, double* r) {
  const SarData* d = s->d;
  const double over = 1 / p->gain;
  double left[6];
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    if (o->modal) continue;
    for (int k = 0; k < o->nv; k++) left[k] = over * (p->P_known[o->vadr + k] - p->P[o->vadr + k]);
    add_forces(o, d, present_rotation(s->m, d, o), left, r + o->vadr);
  }
  sar_modal_residual(p, s, r);
}

void sar_momenta_balance(const SarMomenta* p, const SarSim* s, double* r) {
  const SarData* d = s->d;
  double left[6];
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    if (o->modal) continue;
    const M3 R = present_rotation(s->m, d, o);
    momentum_rate(o, R, d->v + o->vadr, d->a + o->vadr, left);
    for (int k = 0; k < o->nv; k++) left[k] = -left[k];
    add_forces(o, d, R, left, r + o->vadr);
  }
  sar_modal_residual(p, s, r);
}

// The start of this step, seen from its end.
void sar_momenta_finish(SarMomenta* p, SarSim* s) {
  const SarData* d = s->d;
  const size_t bytes = (size_t)s->m->nv * sizeof(double);
  memcpy(p->P2, p->P1, bytes);
  memcpy(p->F2, p->F1, bytes);
  memcpy(p->u2, p->v_start, bytes);
  memcpy(p->a2, s->start.a, bytes);
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    const int plain = o->kind == SAR_OWN_FREE ? 3 : o->nv;
    for (int k = 0; k < plain; k++)
      p->x2[o->vadr + k] = s->start.q[o->qadr + k] - d->q[o->qadr + k];
    if (o->kind != SAR_OWN_FREE) continue;
    const Quat end = quat_load(d->q + o->qadr + 3), start = quat_load(s->start.q + o->qadr + 3);
    const V3 turn = quat_log(quat_mul(quat_conj(end), start));
    v3_store(p->x2 + o->vadr + 3, turn);
    v3_store(p->u2 + o->vadr + 3, rotvec_rate(turn, v3_load(p->v_start + o->vadr + 3)));
  }
  *p->length = p->h;
}
