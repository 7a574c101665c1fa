// Does a step near a singular position keep the energy? (judge.h)
//
// Where constraints hold some motion hardly at all, what is computed for it is error over grip: a
// step may throw the mechanism onto another branch, and the projection after it takes the motion
// out that does not fit, with its energy. The audit E - E(0) - work sees that whatever the cause. A
// step of order p makes an error of
//
//   C (h w)^(p+1) K
//
// K the largest kinetic energy so far (at rest, what forces would make of it) and w the quickest
// rate of the motion: how fast joints turn, and how fast accelerations changed in the step before
// (that of a stiff spring, say). A single step that is off by SHARE (h w)^p of it, or by more than
// error control was asked for, has lost what no order explains: SAR_SINGULAR. h is the length of
// the steps, also for one that was cut short by a row of output: it begins with what longer ones
// left. Only steps that their formulation knows to be near a singular position are judged
// (index1/singular.c, implicit/ahead.c), so a coarse step elsewhere is the user's choice as before.
// Of impulses steps are judged in which nothing hits, sticks or is driven by them.
//
// K and w are state: whether a step is refused must not depend on who made the steps before.
#include "dynamics/tree.h"
#include "formulations/implicit/scheme.h"
#include "sim/judge.h"

#include <math.h>

static const double SHARE = 10;        // of (h w)^p
static const double MOST = 0.25;       // of K: more is no error of any order
static const double TOLERANCES = 100;  // that a step with error control may be off by
static const double ROUNDING = 1e-9;   // of K
static const double DIGITS = 1e-11;    // of the energies that K is a difference of
static const double HIGHEST = 4;  // order: stages that are led by what is expected have no more
enum { KINETIC, PACE, FORCE, FIELDS };  // of s->usual

void sar_judge_declare(SarSim* s) {
  if (s->m->nrow > 0) sar_state_doubles(s, "judge", &s->usual, FIELDS);
}

SarStatus sar_judge_begin(SarSim* s) {
  SarEnergy e;
  s->judged = s->near_singular;
  s->balanced = 0;
  if (s->judged && s->let_go > 0) {
    s->worst = s->let_go - 1;
    return SAR_SINGULAR;
  }
  if (!s->judged) return SAR_OK;
  SAR_TRY(sar_energy(s->d, &e));
  s->energy_error = e.error;
  return SAR_OK;
}

// The largest of the coordinates of x, lengths in units of the mechanism; which one.
static double largest(const SarSim* s, const double* x, const double* less, int* which) {
  const SarModel* m = s->m;
  double most = 0;
  for (int i = 0; i < m->nv; i++) {
    const int b = m->dof_body[i];
    const bool length = m->joint_kind[b]->coordinate[i - m->joint_vadr[b]] == SAR_LENGTH;
    const double size = fabs(x[i] - (less ? less[i] : 0)) / (length ? s->size : 1);
    if (size > most) most = size, *which = i;
  }
  return most;
}

// How fast joints turn [1/s].
static double turning(const SarSim* s) {
  int unused;
  return fmax(largest(s, s->d->v, NULL, &unused), largest(s, s->start.v, NULL, &unused));
}

// How fast accelerations changed in this step [1/s].
static double changing(const SarSim* s) {
  const double h = s->d->t - s->start.t, speed = turning(s);
  int unused;
  return speed > 0 && h > 0 ? sqrt(largest(s, s->d->a, s->start.a, &unused) / (h * speed)) : 0;
}

// The largest acceleration at the start that is to be believed.
static double forced(const SarSim* s) {
  int unused;
  const double before = s->usual[FORCE];
  return before > 0 && !s->restart ? before : largest(s, s->start.a, NULL, &unused);
}

// The quickest rate of the motion [1/s]. How fast accelerations change is that of the step before,
// which this one cannot have spoilt; its own where that was not judged.
static double pace(const SarSim* s) {
  const double before = s->usual[PACE] > 0 ? s->usual[PACE] : changing(s);
  return fmax(fmax(turning(s), sqrt(forced(s))), before);
}

// For the next step. One that was cut short does not count beside longer ones: accelerations of
// implicit steps carry the rounding of positions over h^2, near a singular position over the lever
// as well, and would pass for a quick motion.
static void keep_pace(SarSim* s) {
  const double h = s->d->t - s->start.t;
  int unused;
  if (!s->adaptive && h < SAR_CUT_SHORT * s->options.step && s->usual[PACE] > 0) return;
  s->usual[PACE] = changing(s);
  s->usual[FORCE] = largest(s, s->d->a, NULL, &unused);
}

// The share of K that the step may be off by.
static double allowed(SarSim* s) {
  if (s->adaptive) return TOLERANCES * (s->options.rtol + s->options.atol) + ROUNDING;
  const double x = fmin(s->options.step * pace(s), 1);
  return fmin(SHARE * pow(x, fmin(s->integrator->order, HIGHEST)), MOST) + ROUNDING;
}

// The sizes of the terms of the account: what its rounding is a share of. At rest K is nothing but
// that.
static double terms(const SarSim* s, const SarEnergy* e) {
  double mass = 0;
  for (int b = 0; b < s->m->nbody; b++) mass += s->m->body_inertia[b].m;
  const double weight = mass * v3_norm(s->m->gravity) * s->size;
  return e->kinetic + fabs(e->potential) + fabs(e->work) + weight;
}

// From rest K is what this very step has made, h^2 a' M a / 2, and every order is off by a share of
// it: all of it by Euler's rule. What orders are shares of then is the energy at which the motion
// would be as quick as its forces, with speeds a / w, w^2 the largest acceleration: T(a) / w^2.
static double forced_energy(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  int unused;
  const double largest_a = largest(s, s->start.a, NULL, &unused), w2 = fmin(largest_a, forced(s));
  if (!(w2 > 0)) return 0;
  for (int i = 0; i < m->nv; i++) {  // exchanged, then back
    const double v = d->v[i];
    d->v[i] = s->start.a[i], s->start.a[i] = v;
  }
  sar_update_velocities(m, d);
  const double T = sar_kinetic_energy(m, d);
  for (int i = 0; i < m->nv; i++) {
    const double a = d->v[i];
    d->v[i] = s->start.a[i], s->start.a[i] = a;
  }
  sar_update_velocities(m, d);
  const double believed = w2 / largest_a;
  return believed * believed * T / w2;
}

SarStatus sar_judge_end(SarSim* s) {
  if (s->m->nrow == 0) return SAR_OK;
  SarEnergy e = {.kinetic = sar_kinetic_energy(s->m, s->d)};
  if (s->judged) SAR_TRY(sar_energy(s->d, &e));
  s->usual[KINETIC] = fmax(s->usual[KINETIC], e.kinetic);
  if (!s->judged) {
    s->usual[PACE] = s->usual[FORCE] = 0;
    return SAR_OK;
  }
  const double off = fabs(e.error + s->balanced - s->energy_error);
  const double share = allowed(s), digits = DIGITS * terms(s, &e);
  const bool explained = off <= share * s->usual[KINETIC] + digits ||
                         (!s->adaptive && off <= share * forced_energy(s) + digits);
  keep_pace(s);
  if (explained) return SAR_OK;
  largest(s, s->d->v, s->start.v, &s->worst);
  s->lost = off / s->usual[KINETIC];
  s->tried = s->d->t - s->start.t;
  return SAR_SINGULAR;
}
