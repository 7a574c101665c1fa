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
// rate of the motion: how fast joints turn, and how fast accelerations changed in the steps before
// (that of a stiff spring, say). Where one of those has ended with an acceleration that is wrong,
// two changes of it are large: the smallest of three counts. A single step that is off by SHARE (h
// w)^p of it, or by more than error control was asked for, has lost what no order explains:
// SAR_SINGULAR. h is the length of the steps, also for one that was cut short by a row of output:
// it begins with what longer ones left. Only steps that their formulation knows to be near a
// singular position are judged (index1/singular.c, implicit/ahead.c), so a coarse step elsewhere is
// the user's choice as before. Of impulses steps are judged in which nothing hits, sticks or is
// driven by them.
//
// K and w are state: whether a step is refused must not depend on who made the steps before.
#include "dynamics/tree.h"
#include "formulations/implicit/scheme.h"
#include "sim/judge.h"

#include <math.h>
#include <string.h>

static const double SHARE = 10;        // of (h w)^p
static const double MOST = 0.25;       // of K: more is no error of any order
static const double TOLERANCES = 100;  // that a step with error control may be off by
static const double ROUNDING = 1e-9;   // of K
static const double DIGITS = 1e-11;    // of the energies that K is a difference of
static const double HIGHEST = 4;  // order: stages that are led by what is expected have no more
enum { STEPS = 3 };               // before this one, whose accelerations tell the pace
enum { KINETIC, PACE, FORCE = PACE + STEPS, FIELDS = FORCE + STEPS };  // of s->usual

void sar_judge_declare(SarSim* s) {
  if (s->m->nrow > 0) sar_state_doubles(s, "judge", &s->usual, FIELDS);
}

// Is the account still what it was where the last step ended? Elements that remember and events
// may have changed it.
static bool is_known(const SarSim* s) {
  const SarModel* m = s->m;
  return s->end_version == s->d->version && !s->restart && !s->events && m->ndiscrete == 0 &&
         m->nknot == 0 && m->ncache_force == 0;
}

SarStatus sar_judge_begin(SarSim* s) {
  SarEnergy e;
  s->judged = s->near_singular;
  s->balanced = 0;
  if (s->restart && s->m->nrow > 0) memset(&s->usual[PACE], 0, (FIELDS - PACE) * sizeof *s->usual);
  if (s->judged && s->let_go > 0) {
    s->worst = s->let_go - 1;
    return SAR_SINGULAR;
  }
  if (!s->judged) return SAR_OK;
  if (is_known(s)) {
    s->energy_error = s->end_error;
    return SAR_OK;
  }
  SAR_TRY(sar_energy(s->d, &e));
  s->energy_error = e.error;
  return SAR_OK;
}

// The largest of the coordinates of x, lengths in units of the mechanism; which one.
static double largest(const SarSim* s, const double* x, const double* less, int* which) {
  double most = 0;
  for (int i = 0; i < s->m->nv; i++) {
    const double size = fabs(x[i] - (less ? less[i] : 0)) / s->dof_unit[i];
    if (size > most) most = size, *which = i;
  }
  return most;
}

// How fast joints turn [1/s].
static double turning(const SarSim* s) {
  int unused;
  return fmax(largest(s, s->d->v, NULL, &unused), largest(s, s->start.v, NULL, &unused));
}

// How fast accelerations changed in this step [1/s], in which joints turned with `speed`.
static double changing(const SarSim* s, double speed) {
  const double h = s->d->t - s->start.t;
  int unused;
  return speed > 0 && h > 0 ? sqrt(largest(s, s->d->a, s->start.a, &unused) / (h * speed)) : 0;
}

// The smallest that the steps before have left; `own` where there was none.
static double believed(const double* kept, double own) {
  double least = kept[0] > 0 ? kept[0] : own;
  for (int i = 1; i < STEPS && kept[i] > 0; i++) least = fmin(least, kept[i]);
  return least;
}

static void keep(double* kept, double x) {
  memmove(&kept[1], &kept[0], (STEPS - 1) * sizeof *kept);
  kept[0] = x;
}

// The largest acceleration at the start that is to be believed.
static double forced(const SarSim* s) {
  int unused;
  const double own = largest(s, s->start.a, NULL, &unused);
  return s->restart ? own : believed(&s->usual[FORCE], own);
}

// The quickest rate of the motion [1/s], of one that turns with `speed`. How fast accelerations
// change is that of steps before, which this one cannot have spoilt; its own, `change`, where there
// was none.
static double pace(const SarSim* s, double speed, double change) {
  return fmax(fmax(speed, sqrt(forced(s))), believed(&s->usual[PACE], change));
}

// For the steps to come. One that was cut short does not count beside longer ones: accelerations of
// implicit steps carry the rounding of positions over h^2, near a singular position over the lever
// as well, and would pass for a quick motion.
static void keep_pace(SarSim* s, double change) {
  const double h = s->d->t - s->start.t;
  int unused;
  if (s->adaptive || (h < SAR_CUT_SHORT * s->options.step && s->usual[PACE] > 0)) return;
  keep(&s->usual[PACE], change);
  keep(&s->usual[FORCE], largest(s, s->d->a, NULL, &unused));
}

// The share of K that the step may be off by; reach: h w, at most 1.
static double allowed(SarSim* s, double reach) {
  if (s->adaptive) return TOLERANCES * (s->options.rtol + s->options.atol) + ROUNDING;
  return fmin(SHARE * pow(reach, fmin(s->integrator->order, HIGHEST)), MOST) + ROUNDING;
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
// would be as quick as its forces, with speeds a / w, w^2 the largest acceleration: T(a) / w^2. Of
// that a step may lose SHARE (h w)^(p+1): a mechanism in motion that is hardly held somewhere has
// forces of far more energy than its own.
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

// Would sar_energy evaluate again what the step has left?
static bool is_evaluated(const SarSim* s) {
  const SarModel* m = s->m;
  return s->formulation->ends_evaluated && !s->events && m->nmodal == 0 && m->nknot == 0 &&
         m->ncache_force == 0;
}

static SarStatus account(SarSim* s, SarEnergy* e) {
  if (!is_evaluated(s)) return sar_energy(s->d, e);
  if (!s->m->needs_world) sar_update_world(s->m, s->d);
  *e = sar_energy_account(s->m, s->d);
  return isfinite(e->error) ? SAR_OK : SAR_NOT_FINITE;  // it is made of all the others
}

SarStatus sar_judge_end(SarSim* s) {
  SarEnergy e;
  if (s->m->nrow == 0) return SAR_OK;
  if (s->judged)
    SAR_TRY(account(s, &e));
  else
    e.kinetic = sar_kinetic_energy(s->m, s->d);
  s->usual[KINETIC] = fmax(s->usual[KINETIC], e.kinetic);
  // paces are of fixed steps
  const double speed = s->adaptive ? 0 : turning(s), change = s->adaptive ? 0 : changing(s, speed);
  if (!s->judged) {
    keep_pace(s, change);
    return SAR_OK;
  }
  const double off = fabs(e.error + s->balanced - s->energy_error);
  const double reach = s->adaptive ? 1 : fmin(s->options.step * pace(s, speed, change), 1);
  const double share = allowed(s, reach), digits = DIGITS * terms(s, &e);
  const bool explained = off <= share * s->usual[KINETIC] + digits ||
                         (!s->adaptive && off <= share * reach * forced_energy(s) + digits);
  keep_pace(s, change);
  s->end_error = e.error;
  s->end_version = s->d->version + 1;  // which it has when the step is finished
  if (explained) return SAR_OK;
  largest(s, s->d->v, s->start.v, &s->worst);
  s->lost = off / s->usual[KINETIC];
  s->tried = s->d->t - s->start.t;
  return SAR_SINGULAR;
}
