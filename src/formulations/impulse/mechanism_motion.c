// Energies of groups, and the motion of mechanisms: what they carry as one rigid body, and what
// moves within them (Koenig's theorem; balance.h).
#include "formulations/impulse/balance.h"

#include "dynamics/tree.h"
#include "formulations/impulse/flight.h"

#include <math.h>
#include <string.h>

// of the kinetic energy: motion within a mechanism that is rounding
static const double WEAK = 1e-9;

// ---- energies -----------------------------------------------------------------------------------

static void look(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
}

typedef struct Parts {
  double T, V;  // V: all that is potential
  double size;
} Parts;

// A free body alone: from its coordinates, without poses.
static Parts of_single(const SarModel* m, const SarData* d, int b) {
  const Inertia* I = &m->body_inertia[b];
  const double *q = &d->q[m->joint_qadr[b]], *v = &d->v[m->joint_vadr[b]];
  const V3 speed = v3_load(v), w = v3_load(v + 3);
  const M3 R = quat_to_m3(quat_load(q + 3)), R_GF = m->body_X_PF[b].R;
  const V3 first = v3_axpy(I->m, v3_load(q), m3_mul_v(R, I->h));
  const double twice = I->m * v3_dot(speed, speed) + v3_dot(w, s3_mul_v(I->I, w)) +
                       2 * v3_dot(speed, m3_mul_v(R, v3_cross(w, I->h)));
  const double V = -v3_dot(m->gravity, v3_axpy(I->m, m->body_X_PF[b].p, m3_mul_v(R_GF, first)));
  return (Parts){0.5 * twice, V, 0.5 * twice + fabs(V)};
}

static Parts of_joint(const SarModel* m, const SarData* d, int b) {
  const Inertia I = m->body_inertia[b];
  const Xform X = d->body_X_GB[b];
  double twice = power_of(d->body_V[b], inertia_mul(I, d->body_V[b]));
  for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
    twice += m->dof_armature[i] * d->v[i] * d->v[i];
  const double V = -v3_dot(m->gravity, v3_axpy(I.m, X.p, m3_mul_v(X.R, I.h)));
  const bool springs = m->joint_passive[b] && sar_joint_is_on(m, d, b);
  const double spring = springs ? sar_joint_spring_energy(m, d, b) : 0;
  return (Parts){0.5 * twice, V + spring, 0.5 * twice + fabs(V) + fabs(spring)};
}

void sar_group_energies(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d,
                        double* E) {
  if (x->trees) look(m, d);
  for (int g = 0; g < held->ngroup; g++) E[g] = x->kinetic[g] = 0;
  for (int b = 0; b < m->nbody; b++) {
    const int g = sar_group_of_body(m, held, b);
    if (g < 0 || !sar_mechanism_of(x, g)->asked) continue;
    const Parts e = sar_is_single_body(m, b) ? of_single(m, d, b) : of_joint(m, d, b);
    E[g] += e.T + e.V;
    x->kinetic[g] += e.T;
    x->size[g] += e.size;
  }
  for (int i = 0; i < m->nforce && x->plain; i++) {
    const int g = x->force_group[i];
    if (!sar_mechanism_of(x, g)->asked) continue;
    const double V = sar_force_energy(m, d, i);
    E[g] += V;
    x->size[g] += fabs(V);
  }
}

// ---- motion -------------------------------------------------------------------------------------

void sar_move_joint(const SarModel* m, int b, const double* xi, double* q) {
  double base[SAR_JOINT_MAX_NQ], *at = &q[m->joint_qadr[b]];
  memcpy(base, at, (size_t)m->joint_nq[b] * sizeof *at);
  if (m->joint_kind[b]->retract)
    m->joint_kind[b]->retract(&m->joint_param[b * SAR_JOINT_MAX_PARAM], base, xi, at);
  for (int i = 0; i < m->joint_nv[b] && !m->joint_kind[b]->retract; i++) at[i] += xi[i];
}

void sar_gather_motion(SarBalance* x, const SarHeld* held, const SarModel* m, const SarData* d,
                       const SarMechanism* only) {
  for (int b = 0; b < m->nbody; b++) {
    const int g = sar_group_of_body(m, held, b);
    if (g < 0) continue;
    SarMechanism* z = sar_mechanism_of(x, g);
    if (only ? z != only : !z->asked || z->held) continue;
    const Xform* X = &d->body_X_GB[b];
    const Inertia* I = &m->body_inertia[b];
    const Force h = inertia_mul(*I, d->body_V[b]);
    const V3 f = m3_mul_v(X->R, h.f), centre = v3_axpy(I->m, X->p, m3_mul_v(X->R, I->h));
    z->T += 0.5 * power_of(d->body_V[b], h);
    for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
      z->T += 0.5 * m->dof_armature[i] * d->v[i] * d->v[i];
    z->m += I->m;
    z->c = v3_add(z->c, centre);
    z->p = v3_add(z->p, f);
    z->L = v3_add(z->L, v3_add(m3_mul_v(X->R, h.n), v3_cross(X->p, f)));
    if (!(I->m > 0)) continue;
    const V3 c = v3_scale(1 / I->m, I->h), r = v3_scale(1 / I->m, centre);
    const S3 own = s3_rotate(X->R, s3_add(I->I, s3_scale(-I->m, s3_of_point(c))));
    z->I = s3_add(z->I, s3_add(own, s3_scale(I->m, s3_of_point(r))));
  }
}

static V3 solve(S3 J, V3 b) {
  const V3 x = {J.xx, J.xy, J.xz}, y = {J.xy, J.yy, J.yz}, z = {J.xz, J.yz, J.zz};
  const V3 yz = v3_cross(y, z), zx = v3_cross(z, x), xy = v3_cross(x, y);
  return v3_scale(1 / v3_dot(x, yz), v3(v3_dot(yz, b), v3_dot(zx, b), v3_dot(xy, b)));
}

void sar_split_motion(SarMechanism* z) {
  if (z->held) return;
  z->c = v3_scale(1 / z->m, z->c);
  z->v = v3_scale(1 / z->m, z->p);
  z->L = v3_sub(z->L, v3_cross(z->c, z->p));
  z->I = s3_add(z->I, s3_scale(-z->m, s3_of_point(z->c)));
  z->w = solve(z->I, z->L);
  const double T = z->T - 0.5 * (v3_dot(z->p, z->v) + v3_dot(z->L, z->w));
  z->T = T > WEAK * z->T ? T : 0;
}

static void scale_joint(const SarModel* m, SarData* d, int b, const SarMechanism* z) {
  double* v = &d->v[m->joint_vadr[b]];
  const int n = m->joint_nv[b];
  if (z->held || m->body_parent[b] >= 0) {
    for (int i = 0; i < n; i++) v[i] *= z->share;
    return;
  }
  const Xform* X = &d->body_X_GB[b];
  const M3 R_GF = m->body_X_PF[b].R;
  const V3 speed = m3_mul_v(R_GF, v3_load(v)), turn = m3_mul_v(X->R, v3_load(v + 3));
  const V3 rigid = v3_add(z->v, v3_cross(z->w, v3_sub(X->p, z->c)));
  const V3 go = v3_axpy(z->share, v3_sub(speed, rigid), rigid);
  const V3 w = v3_axpy(z->share, v3_sub(turn, z->w), z->w);
  v3_store(v, m3_tmul_v(R_GF, go));
  v3_store(v + 3, m3_tmul_v(X->R, w));
}

void sar_scale_motion(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    const int g = sar_group_of_body(m, held, b);
    if (g >= 0 && sar_mechanism_of(x, g)->share != 1) scale_joint(m, d, b, sar_mechanism_of(x, g));
  }
}

void sar_keep_momenta_of(SarBalance* x, const SarHeld* held, const SarModel* m, SarData* d,
                         SarMechanism* z) {
  const SarMechanism was = *z;
  *z = (SarMechanism){.I = s3_zero()};
  look(m, d);
  sar_gather_motion(x, held, m, d, z);
  const V3 c = v3_scale(1 / z->m, z->c), L = v3_sub(z->L, v3_cross(c, z->p));
  const V3 w = solve(s3_add(z->I, s3_scale(-z->m, s3_of_point(c))), v3_sub(was.L, L));
  const V3 go = v3_scale(1 / z->m, v3_sub(was.p, z->p));
  *z = was;
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_parent[b] >= 0 || sar_mechanism_of(x, sar_group_of_body(m, held, b)) != z) continue;
    double *q = &d->q[m->joint_qadr[b]], *v = &d->v[m->joint_vadr[b]];
    const Xform* X = &d->body_X_GB[b];
    const M3 R_GF = m->body_X_PF[b].R;
    const V3 speed = v3_add(go, v3_cross(w, v3_sub(X->p, c)));
    v3_store(v, v3_add(v3_load(v), m3_tmul_v(R_GF, speed)));
    v3_store(v + 3, v3_add(v3_load(v + 3), m3_tmul_v(X->R, w)));
    v3_store(q, v3_add(v3_load(q), m3_tmul_v(R_GF, v3_sub(z->c, c))));
  }
}
