// Motion at constant velocities (flight.h): the torque-free rigid body (Euler's equations) by the
// exponential map of rotations.
//
// A free body without others on it needs no equation of motion between impulses: its mass centre
// moves straight on, and L = R I w stays:
//
//   R' = R exp(h w_m),   w' = I^-1 R'' L,   w_m = w + (h / 2) I^-1 (I w x w)
//
// so that both momenta are kept to rounding whatever the step, and flight without rotation is
// exact. w_m is the speed halfway, to first order: the turn is right to second order. What the
// energy L w / 2 is then off by, to third order, a turn along its gradient takes away:
//
//   R' <- R' exp(x),   x = (E - w L / 2) g / |g|^2,   g = w x L
//                      (Newton's step; L, w, g in body axes)
#include "formulations/impulse/flight.h"

#include "math/rotvec.h"

#include <math.h>
#include <string.h>

static const double SLOW = 1e-5;       // rad in a step: its cube is nothing
static const double ROUNDING = 4e-16;  // of the energy

bool sar_is_single_body(const SarModel* m, int b) {
  return m->body_parent[b] < 0 && m->body_subtree[b] == 1 && m->joint_nv[b] == 6 &&
         m->joint_nq[b] == 7 && m->dof_armature[m->joint_vadr[b] + 3] == 0;
}

static V3 s3_solve(S3 I, V3 b) {
  const V3 x = {I.xx, I.xy, I.xz}, y = {I.xy, I.yy, I.yz}, z = {I.xz, I.yz, I.zz};
  const V3 yz = v3_cross(y, z), zx = v3_cross(z, x), xy = v3_cross(x, y);
  const double volume = v3_dot(x, yz);
  return v3_scale(1 / volume, v3(v3_dot(yz, b), v3_dot(zx, b), v3_dot(xy, b)));
}

// Inertia about the mass centre c: I - m (c'c 1 - c c')
static S3 about_centre(const Inertia* I, V3 c) {
  const double cc = v3_dot(c, c), w = I->m;
  return (S3){I->I.xx - w * (cc - c.x * c.x), I->I.xy + w * c.x * c.y,
              I->I.xz + w * c.x * c.z,        I->I.yy - w * (cc - c.y * c.y),
              I->I.yz + w * c.y * c.z,        I->I.zz - w * (cc - c.z * c.z)};
}

enum { NEWTON = 3 };  // steps to rounding

// Turns the body so that its energy is E again; L (ground axes) stays. Where w is along L nothing
// turns it, nor need it.
static Quat keep_energy(const S3* I, V3 L, double E, double most, Quat Q) {
  for (int i = 0; i < NEWTON; i++) {
    const V3 l = m3_tmul_v(quat_to_m3(Q), L), w = s3_solve(*I, l), g = v3_cross(w, l);
    const double off = E - 0.5 * v3_dot(w, l), gg = v3_dot(g, g);
    if (fabs(off) <= ROUNDING * E) break;
    if (!(fabs(off) <= most * sqrt(gg))) break;
    Q = quat_unit(quat_mul(Q, quat_exp(v3_scale(off / gg, g))));
  }
  return Q;
}

static bool is_zero(const double* v) {
  for (int i = 0; i < 6; i++)
    if (v[i] != 0) return false;
  return true;
}

static void fly(const SarModel* m, int b, double h, const double* u, double* q, double* v) {
  if (is_zero(v) && (!u || is_zero(u))) return;  // it stays, to the last bit
  const Inertia* I = &m->body_inertia[b];
  const V3 c = v3_scale(1 / I->m, I->h), w = v3_load(v + 3);
  const S3 centre = about_centre(I, c);
  const Quat Q = quat_load(q + 3);
  const M3 R = quat_to_m3(Q);
  const V3 L = s3_mul_v(centre, w);
  const V3 middle = v3_axpy(0.5 * h, s3_solve(centre, v3_cross(L, w)), w);
  V3 speed = v3_add(v3_load(v), m3_mul_v(R, v3_cross(w, c))), moved = speed;
  if (u) moved = v3_add(moved, v3_add(v3_load(u), m3_mul_v(R, v3_cross(v3_load(u + 3), c))));
  const V3 place = v3_axpy(h, moved, v3_add(v3_load(q), m3_mul_v(R, c)));
  const double turn = h * v3_norm(w);
  Quat Q1 = quat_unit(quat_mul(Q, quat_exp(v3_scale(h, middle))));
  if (turn > SLOW) Q1 = keep_energy(&centre, m3_mul_v(R, L), 0.5 * v3_dot(w, L), 0.1 * turn, Q1);
  if (u) Q1 = quat_unit(quat_mul(Q1, quat_exp(v3_scale(h, v3_load(u + 3)))));
  const M3 R1 = quat_to_m3(Q1);
  const V3 w1 = s3_solve(centre, m3_tmul_v(R1, m3_mul_v(R, L)));
  v3_store(q, v3_sub(place, m3_mul_v(R1, c)));
  quat_store(q + 3, Q1);
  v3_store(v, v3_sub(speed, m3_mul_v(R1, v3_cross(w1, c))));
  v3_store(v + 3, w1);
}

// w' = I^-1 (I w x w); the origin turns about the mass centre: v' = -R (w' x c + w x (w x c))
void sar_drift_accelerations(const SarModel* m, const double* q, const double* v, double* a) {
  memset(a, 0, (size_t)m->nv * sizeof *a);
  for (int b = 0; b < m->nbody; b++) {
    if (!sar_is_single_body(m, b)) continue;
    const Inertia* I = &m->body_inertia[b];
    const int adr = m->joint_vadr[b];
    const V3 c = v3_scale(1 / I->m, I->h), w = v3_load(&v[adr + 3]);
    const S3 centre = about_centre(I, c);
    const V3 turn = s3_solve(centre, v3_cross(s3_mul_v(centre, w), w));
    const V3 swing = v3_add(v3_cross(turn, c), v3_cross(w, v3_cross(w, c)));
    v3_store(&a[adr], v3_neg(m3_mul_v(quat_to_m3(quat_load(&q[m->joint_qadr[b] + 3])), swing)));
    v3_store(&a[adr + 3], turn);
  }
}

static void retract(const SarModel* m, int joint, double h, const double* v, const double* u,
                    double* q) {
  double base[SAR_JOINT_MAX_NQ], xi[SAR_JOINT_MAX_NV];
  memcpy(base, q, (size_t)m->joint_nq[joint] * sizeof *q);
  for (int i = 0; i < m->joint_nv[joint]; i++) xi[i] = h * (u ? v[i] + u[i] : v[i]);
  m->joint_kind[joint]->retract(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], base, xi, q);
}

void sar_drift(const SarSim* s, double h, const double* u, double* q, double* v) {
  const SarModel* m = s->m;
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    double *at = &q[p->qadr], *speed = &v[p->vadr];
    const double* pseudo = u ? &u[p->vadr] : NULL;
    if (p->joint >= 0 && sar_is_single_body(m, p->joint))
      fly(m, p->joint, h, pseudo, at, speed);
    else if (p->joint >= 0)
      retract(m, p->joint, h, speed, pseudo, at);
    else
      for (int i = 0; i < p->nv; i++) at[i] += h * (u ? speed[i] + pseudo[i] : speed[i]);
  }
}
