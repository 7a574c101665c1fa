// Energy of mechanisms over a step (balance.h).
#include "formulations/impulse/balance.h"

#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 2e-15;  // of the terms of an energy
// of the kinetic energy: more is not taken or given where nothing is gained
static const double MOST = 0.1;
static const double LITTLE = 1e-11;  // of impulses times speeds: what they do at rest
static const double FAST = 100;      // of what forces do in a step: T_r beyond that is taken alone

// Velocities jump at the moment of an impact, of others too, though their forces act all the time:
// what no impulse touches goes the way of the midpoint rule, h (theta - 1/2) (v1 - v0) from there.
static void straighten(SarImpulseState* p, const SarModel* m, const SarJump* jump, double* q) {
  if (jump->theta == 0.5 || jump->h == 0) return;
  for (int b = 0; b < m->nbody; b++) {
    const int g = sar_group_of_body(m, &p->held, b);
    if (g < 0 || m->joint_nv[b] == 0 || p->held.group[g].rows > 0) continue;
    if (!p->balance.known[g] || sar_mechanism_of(&p->balance, g)->touched) continue;
    if (p->search.rest && p->search.rest[b] == SAR_RESTS) continue;
    double xi[SAR_JOINT_MAX_NV];
    for (int i = 0; i < m->joint_nv[b]; i++) {
      const int k = m->joint_vadr[b] + i;
      xi[i] = jump->h * (jump->theta - 0.5) * (p->rows.v[k] - p->v0[k]);
    }
    sar_move_joint(m, b, xi, q);
  }
}

static void energies_at(SarBalance* x, const SarHeld* held, SarSim* s, const double* q,
                        const double* v, double* E) {
  memcpy(s->d->q, q, (size_t)s->m->nq_all * sizeof *q);
  memcpy(s->d->v, v, (size_t)s->m->nv * sizeof *v);
  sar_group_energies(x, held, s->m, s->d, E);
}

// Of the step: where it began, without displacements, and where it ended, where d is before and
// after.
static void find_energies(SarImpulseState* p, SarSim* s, const SarJump* jump, bool any,
                          bool lifts) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarBalance* x = &p->balance;
  for (int g = 0; g < p->held.ngroup; g++) x->size[g] = x->lift[g] = 0;
  memcpy(x->q, d->q, (size_t)m->nq_all * sizeof *x->q);
  memcpy(x->v, d->v, (size_t)m->nv * sizeof *x->v);
  if (any) energies_at(x, &p->held, s, s->start.q, s->start.v, x->before);
  if (lifts) {
    memcpy(d->q, p->q, (size_t)m->nq_all * sizeof *x->q);
    memcpy(d->v, p->rows.v, (size_t)m->nv * sizeof *x->v);
    sar_drift(s, jump->rest, NULL, d->q, d->v);
    sar_group_energies(x, &p->held, m, d, x->lift);
  }
  energies_at(x, &p->held, s, x->q, x->v, x->after);
  for (int g = 0; g < p->held.ngroup && lifts; g++) x->lift[g] = x->after[g] - x->lift[g];
}

static bool concerns(const SarMechanism* z, const SarJump* jump) {
  const bool may_gain =
      z->tree || z->pushed || (z->touched && (jump->theta != 0.5 || z->work > LITTLE * z->effort));
  return z->known && may_gain && (z->held || !z->planar);
}

static void sum_groups(SarBalance* x, int groups) {
  for (int g = 0; g < groups; g++) {
    SarMechanism* z = sar_mechanism_of(x, g);
    z->gain += x->after[g] - x->before[g];
    z->size += x->size[g];
    z->T += x->kinetic[g];
    z->lift += x->lift[g];
  }
}

static double gain_of(const SarMechanism* z) {
  return z->gain - fmin(0, z->work) - fmin(0, z->lost);
}

// What of a displacement is not paid for.
static double unpaid(const SarMechanism* z, double paid) {
  const double rest = gain_of(z) - paid;
  if (!z->pushed) return 0;
  return rest > 0 ? fmin(rest, fmax(z->lift, 0)) : fmax(rest, fmin(z->lift, 0));
}

// The share s: of r it takes what belongs to velocities,
//
//   r 2 T_r / (2 T_r + D),   D = h^2 a' M a       a: accelerations of joints, M by its diagonal
//
// for where the motion turns round T_r may be smaller than r, and velocities alone would be off by
// r / sqrt(T_r), which is of a lower order. The rest is left to displacements. What is touched has
// no room for these, and loops would open: there a gain is taken from velocities. Much more than a
// correction is taken only as far as the energy has risen: impulses on what has lost its grip, or
// jams, may do any work in the books.
static void settle(SarMechanism* z) {
  const double all = gain_of(z), most = MOST * (z->T + z->slow);
  // what a displacement took makes nothing move
  const double less = fmin(all - fmin(z->lift, 0), 0);
  const double r = all > 0 ? fmax(z->gain, fmin(all, most)) : fmax(less, -most);
  z->share = 1;
  z->left = 0;
  if (fabs(r) <= ROUNDING * z->size) return;
  const double even = FAST * z->slow < 2 * z->T ? 1 : 2 * z->T / (2 * z->T + z->slow);
  const bool stays = z->touched || z->looped;
  const double own = stays ? fmax(even * r, z->gain) : even * r;
  z->share = own < z->T ? sqrt(1 - own / z->T) : 0;
  z->left = stays ? fmax(z->gain - z->T, 0) : r - fmin(own, z->T);
}

static double sum_after(SarBalance* x, int groups, const SarMechanism* z) {
  double E = 0;
  for (int g = 0; g < groups; g++)
    if (sar_mechanism_of(x, g) == z) E += x->after[g];
  return E;
}

// Displacement of coordinate k by a share: along its acceleration, or back on the way of the step.
static double displacement(const SarImpulseState* p, const SarJump* jump, int k, bool back) {
  const double h = jump->h, theta = jump->theta;
  if (!back) return h * h * p->slope[k];
  return -h * (theta * p->v0[k] + (1 - theta) * p->rows.v[k]) - jump->rest * p->rows.u[k];
}

// Its energy after that share of a displacement.
static double energy_at(SarImpulseState* p, SarSim* s, const SarJump* jump, SarMechanism* z,
                        double share, bool back) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarBalance* x = &p->balance;
  double xi[SAR_JOINT_MAX_NV];
  memcpy(d->q, x->q, (size_t)m->nq_all * sizeof *x->q);
  memcpy(d->v, x->v, (size_t)m->nv * sizeof *x->v);
  for (int b = 0; b < m->nbody; b++) {
    const int g = sar_group_of_body(m, &p->held, b);
    if (g < 0 || sar_mechanism_of(x, g) != z) continue;
    if (!z->held && m->body_parent[b] < 0) continue;
    for (int i = 0; i < m->joint_nv[b]; i++)
      xi[i] = share * displacement(p, jump, m->joint_vadr[b] + i, back);
    sar_move_joint(m, b, xi, d->q);
  }
  if (!z->held) sar_keep_momenta_of(x, &p->held, m, d, z);
  sar_group_energies(x, &p->held, m, d, x->after);
  return sum_after(x, p->held.ngroup, z);
}

static void stay(SarImpulseState* p, const SarModel* m, const SarData* d) {
  memcpy(p->balance.q, d->q, (size_t)m->nq_all * sizeof *d->q);
  memcpy(p->balance.v, d->v, (size_t)m->nv * sizeof *d->v);
}

// Forces take or give the rest: by the secant method along what they accelerate.
static void fall(SarImpulseState* p, SarSim* s, const SarJump* jump, SarMechanism* z) {
  enum { STEPS = 8 };
  const double here = energy_at(p, s, jump, z, 0, false), target = here - z->left;
  double share = z->left / z->slow, last = 0, before = here, E = here;
  for (int k = 0; k < STEPS && fabs(share) <= 1 && share != last; k++) {
    E = energy_at(p, s, jump, z, share, false);
    if (fabs(E - target) <= ROUNDING * z->size) break;
    const double slope = (E - before) / (share - last);
    last = share, before = E;
    share -= (E - target) / slope;
  }
  if (!(fabs(E - target) < fabs(z->left))) E = energy_at(p, s, jump, z, 0, false);
  z->left = E - target;
  stay(p, s->m, s->d);
}

// What has no speed left and still more energy than it had goes back on its way, as far as it
// takes.
static void step_back(SarImpulseState* p, SarSim* s, const SarJump* jump, SarMechanism* z) {
  enum { ROUNDS = 50 };
  const double here = energy_at(p, s, jump, z, 0, true), target = here - z->left;
  const double start = energy_at(p, s, jump, z, 1, true);
  double low = 0, high = 1;
  for (int k = 0; k < ROUNDS && start < target; k++) {
    const double middle = 0.5 * (low + high), E = energy_at(p, s, jump, z, middle, true);
    *(E > target ? &low : &high) = middle;
    if (E <= target && target - E <= ROUNDING * z->size) break;
  }
  energy_at(p, s, jump, z, start < here ? high : 0, true);
  stay(p, s->m, s->d);
}

// How much accelerations do in a step.
static void weigh_forces(SarImpulseState* p, const SarModel* m, double h) {
  for (int i = 0; i < m->nv && !p->held.singles; i++) {
    SarMechanism* z = sar_mechanism_of(&p->balance, p->held.group_of[i]);
    if (!z->held && m->body_parent[m->dof_body[i]] < 0) continue;
    z->slow += h * h * p->held.mass[i] * p->slope[i] * p->slope[i];
  }
}

static bool gather(SarImpulseState* p, SarSim* s, const SarJump* jump, int contacts) {
  SarBalance* x = &p->balance;
  bool any = false, lifts = false, floats = false;
  x->trees = false;
  sar_mechanisms_find(x, &p->rows, s->m, s->d, jump, p->rest.taken, contacts);
  straighten(p, s->m, jump, s->d->q);
  for (int g = 0; g < p->held.ngroup; g++) {
    SarMechanism* z = &x->all[g];
    if (x->root[g] != g) continue;
    const bool may_gain = concerns(z, jump), lifted = z->pushed && jump->h > 0;
    z->asked = may_gain || lifted;
    any = any || may_gain;
    lifts = lifts || lifted;
    floats = floats || (may_gain && !z->held);
    x->trees = x->trees || (z->asked && z->tree);
  }
  if (!any && !lifts) return false;
  x->trees = x->trees || floats;
  find_energies(p, s, jump, any, lifts);
  sum_groups(x, p->held.ngroup);
  weigh_forces(p, s->m, jump->h);
  for (int g = 0; g < p->held.ngroup; g++)
    if (!x->all[g].held) x->all[g].T = 0;
  if (floats) sar_gather_motion(x, &p->held, s->m, s->d, NULL);
  return true;
}

// What displacements do not take is a gain: velocities pay once more.
static void pay(SarImpulseState* p, SarSim* s, SarMechanism* z) {
  SarBalance* x = &p->balance;
  z->T = z->m = 0;
  z->c = z->p = z->L = v3_zero();
  z->I = s3_zero();
  sar_gather_motion(x, &p->held, s->m, s->d, z);
  sar_split_motion(z);
  z->share = z->left < z->T ? sqrt(1 - z->left / z->T) : 0;
  z->left = fmax(z->left - z->T, 0);
  sar_scale_motion(x, &p->held, s->m, s->d);
  z->share = 1;
  stay(p, s->m, s->d);
}

static void displace(SarImpulseState* p, SarSim* s, const SarJump* jump, SarMechanism* z) {
  const double enough = ROUNDING * z->size;
  const bool falls = !z->touched && !z->looped && z->slow > 0;
  if (falls) fall(p, s, jump, z);
  if (falls && z->left > enough) pay(p, s, z);
  if (z->left > enough) step_back(p, s, jump, z);
}

void sar_balance(SarImpulseState* p, SarSim* s, const SarJump* jump, int contacts) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarBalance* x = &p->balance;
  x->overlap = x->jammed = 0;
  if (!x->any || !gather(p, s, jump, contacts)) return;
  for (int g = 0; g < p->held.ngroup; g++) {
    SarMechanism* z = &x->all[g];
    z->share = 1;
    if (x->root[g] != g) continue;
    if (!concerns(z, jump)) {
      x->overlap += z->lift;
      continue;
    }
    sar_split_motion(z);
    settle(z);
    const double paid = (1 - z->share * z->share) * z->T;
    s->balanced += paid;
    x->overlap += unpaid(z, paid);
    x->jammed += fmin(fmax(z->work, 0), fmax(paid, 0));
    z->left = jump->h == 0 ? 0 : z->left > 0 ? fmax(z->left - fmax(z->lift, 0), 0) : z->left;
  }
  sar_scale_motion(x, &p->held, m, d);
  stay(p, m, d);
  for (int g = 0; g < p->held.ngroup; g++) x->all[g].share = 1;
  for (int g = 0; g < p->held.ngroup; g++)
    if (x->root[g] == g && x->all[g].left != 0) displace(p, s, jump, &x->all[g]);
}
