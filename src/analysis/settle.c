// Settling on contacts (settle.h).
//
// Steps by impulses hold what is unilateral: contacts with Coulomb's law, limits, motors with a
// largest force, dry friction. What moves is made to stop by kinetic damping: whenever the kinetic
// energy has passed a peak, which is where an oscillation passes its equilibrium, all velocities
// become zero. What is left of an oscillation after that is the share that one step is of its
// period, so few peaks lead to rest; no damping is to be chosen.
//
// Source: Cundall 1976 (explicit finite-difference methods in geomechanics); Barnes 1999 (form
// finding).
#include "analysis/settle.h"

#include "base/alloc.h"
#include "base/error.h"
#include "dynamics/tree.h"
#include "model/room.h"

#include <math.h>
#include <string.h>

enum { AT_REST = 40 };  // steps without motion

static const double STILL = 1e-9;  // speed of a mechanism at rest; rad/s, or sizes a second
static const double SLOW = 1e-6;   // and of one that still trembles when the steps are used up

static double size_of(const SarModel* m, const SarData* d) {
  double length = 0;
  for (int b = 0; b < m->nbody; b++) length = fmax(length, v3_norm(d->body_X_GB[b].p));
  return length > 0 ? length : 1;
}

// The coordinate that moves fastest, and how fast.
static int fastest(const SarModel* m, const double* v, double length, double* speed) {
  int worst = 0;
  *speed = 0;
  for (int i = 0; i < m->nv; i++) {
    const int j = m->dof_body[i];
    const bool angle = m->joint_kind[j]->coordinate[i - m->joint_vadr[j]] == SAR_ANGLE;
    const double size = fabs(v[i]) / (angle ? 1 : length);
    if (!(size <= *speed)) *speed = size, worst = i;
  }
  return worst;
}

// M a: what the mean accelerations of the last step take.
static SarStatus force_left(SarSim* s, double* force, SarError* err) {
  const SarModel* m = s->m;
  const size_t n = (size_t)m->nv;
  SarStatus st;
  double* M = sar_take_for(m, (n * n + 1) * sizeof *M, "looking for an equilibrium", &st, err);
  if (!M) return st;
  sar_crba_dense(m, s->d, M);
  *force = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += M[i * n + k] * s->d->a[k];
    *force = fmax(*force, fabs(sum));
  }
  sar_free(M);
  return SAR_OK;
}

static SarStatus no_rest(const SarSim* s, int dof, const SarSettled* out, SarError* err) {
  const SarModel* m = s->m;
  const int j = m->dof_body[dof];
  const bool angle = m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_ANGLE;
  sar_report(err, (SarLoc){0}, "does anything hold it? start nearer, or allow more iterations",
             "it does not come to rest in %d steps: joint '%s' still moves at %.3g %s", out->steps,
             sar_text(m, m->joint_name[j]), out->speed * (angle ? 1 : size_of(m, s->d)),
             angle ? "rad/s" : "m/s");
  return SAR_NOT_CONVERGED;
}

static SarStatus settle(SarSim* s, int max_steps, SarSettled* out, SarError* err) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const double t = d->t;
  double peak = 0, most = 0;
  int still = 0, worst = 0;
  memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
  *out = (SarSettled){0};
  while (out->steps < max_steps && still < AT_REST) {
    SarEnergy e;
    SAR_TRY(sar_step(s));
    d->t = t;  // drives and expressions stand still
    SAR_TRY(sar_energy(d, &e));
    out->steps++;
    worst = fastest(m, d->v, size_of(m, d), &out->speed);
    still = out->speed <= STILL ? still + 1 : 0;
    most = out->steps % AT_REST == 1 ? out->speed : fmax(most, out->speed);
    if (still < AT_REST && e.kinetic < peak) {
      memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
      e.kinetic = 0;
    }
    peak = e.kinetic;
  }
  if (still < AT_REST && !(most <= SLOW)) return no_rest(s, worst, out, err);
  memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
  return force_left(s, &out->force, err);
}

SarStatus sar_settle(SarSim* s, int max_steps, SarSettled* out, SarError* err) {
  s->still = true;  // within steps too: what a motor wants at the end of one is what it wants now
  const SarStatus st = settle(s, max_steps, out, err);
  s->still = false;
  return st;
}
