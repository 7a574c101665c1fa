// Proportional-integral step control (Gustafsson 1991; Hairer and Wanner, Solving Ordinary
// Differential Equations II, 1996, sec. IV.2).
//
//   h_next = 0.9 h (1/err)^(1/k - 0.75 beta) err_last^beta,   beta = 0.2/k
//
// The norm is the largest error over its tolerance: what is asked for holds for every coordinate,
// whatever the number of others. Work is left out: whether an account is kept must not change the
// motion.
#include "integrators/control.h"

#include "dynamics/projection.h"
#include "integrators/stage.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double WIDER = 100, WIDE = 1e-6;
static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10, FIRST_ERROR = 1e-4;

// The smallest step worth taking at time t: a few units in its last place.
static double smallest_step(double t) { return 16 * DBL_EPSILON * fabs(t) + DBL_MIN; }

// Lands on s->stop when near it, and goes half way when a full step would leave a sliver.
static void fit(const SarSim* s, SarAttempt* a) {
  double left = s->stop - s->start.t;
  if (a->h > 0.999 * left) {
    a->h = left;
    a->t_end = s->stop;
    return;
  }
  if (a->h > 0.5 * left) a->h = 0.5 * left;
  a->t_end = s->start.t + a->h;
}

SarAttempt sar_attempt_first(SarSim* s) {
  double next = s->d->clock.next;
  SarAttempt a = {.h = next > 0 ? next : s->options.step};
  if (s->d->clock.unchecked > 0) a.h = SAR_CHATTER_STEP * s->options.step;
  a.h = fmin(a.h, s->options.max_step > 0 ? s->options.max_step : SAR_LONGEST_STEP);
  a.h = fmax(a.h, smallest_step(s->start.t));
  a.proposal = a.h;
  fit(s, &a);
  s->tried = a.h;
  return a;
}

static double largest(int n, const double* x) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  return max;
}

// Takes out of the estimates what the projection will take out of the state.
static SarStatus filter(SarSim* s, double* e) {
  if (s->formulation->accelerations.filter) {
    s->formulation->accelerations.filter(s, e);
    s->formulation->accelerations.filter(s, e + s->m->nv);
    return SAR_OK;
  }
  SAR_TRY(sar_projection_filter(s->m, s->d, s->projection, e));
  return sar_projection_filter(s->m, s->d, s->projection, e + s->m->nv);
}

// The largest of states: those first, for what is not finite there makes the rest so.
static double compare_states(SarSim* s, double rtol, double atol, const double* e) {
  double worst = 0;
  const double *z0 = s->start.z, *z1 = s->d->z;
  for (int i = 0; i < s->m->nz; i++) {
    const double x = fabs(e[i]) / (atol + rtol * fmax(fabs(z0[i]), fabs(z1[i])));
    if (x <= worst) continue;
    worst = x;
    s->worst = s->m->nv + i;
    if (isnan(x)) break;
  }
  return worst;
}

// Largest estimate over its tolerance.
static double compare(SarSim* s, double h, double rtol, double atol, const double* e) {
  const SarModel* m = s->m;
  const double *q0 = s->start.q, *q1 = s->d->q, *v0 = s->start.v, *v1 = s->d->v;
  double worst = 0;
  // rounding of the largest speed reaches all others through the equations of motion: no use asking
  // for less
  double noise = 8 * DBL_EPSILON * fmax(largest(m->nv, v0), largest(m->nv, v1));
  s->worst = -1;
  if (m->nz > 0) worst = compare_states(s, rtol, atol, e + 2 * m->nv);
  if (isnan(worst)) return worst;
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    for (int i = 0; i < p->nv; i++) {
      int iv = p->vadr + i, iq = p->qadr + i;
      // positions of a joint with quaternions come first and in the order of its speeds
      bool turn = p->joint >= 0 && m->joint_kind[p->joint]->coordinate[i] == SAR_ANGLE;
      double size = turn ? 1 : fmax(fabs(q0[iq]), fabs(q1[iq]));
      double eq = fabs(e[iv]) / (atol + rtol * size + h * noise);
      double ev = fabs(e[m->nv + iv]) / (atol + rtol * fmax(fabs(v0[iv]), fabs(v1[iv])) + noise);
      double larger = eq > ev ? eq : ev;
      if (isnan(eq) || isnan(ev)) larger = (double)NAN;
      if (larger <= worst) continue;
      worst = larger;
      s->worst = iv;
      if (isnan(worst)) return worst;
    }
  }
  return worst;
}

// Errors that a projection takes out count too, but against a wider tolerance: near singular
// positions, where constraints hardly hold some motion, rounding in it would hold up the step for
// ever.
static double widened(double tolerance) { return fmax(WIDER * tolerance, WIDE); }

double sar_attempt_error(SarSim* s, double h, double* e) {
  const double rtol = s->options.rtol, atol = s->options.atol;
  if (!s->projection) return compare(s, h, rtol, atol, e);
  const double all = compare(s, h, widened(rtol), widened(atol), e);
  const int worst = s->worst;
  if (isnan(all) || filter(s, e) != SAR_OK) return (double)NAN;
  const double kept = compare(s, h, rtol, atol, e);
  if (!(all > kept)) return kept;
  s->worst = worst;
  return all;
}

static void propose(SarSim* s, const SarAttempt* a, double error, int k) {
  SarClock* c = &s->d->clock;
  double beta = 0.2 / k, last = c->error > 0 ? c->error : FIRST_ERROR;
  double factor = SAFETY * pow(fmax(error, 1e-20), 0.75 * beta - 1.0 / k) * pow(last, beta);
  // a step cut short by s->stop says little: the earlier proposal still stands
  bool cut = a->h < 0.999 * a->proposal && !a->rejected;
  c->next = a->h * fmin(fmax(factor, SHRINK), a->rejected ? 1 : GROW);
  if (cut && factor >= GROW) c->next = fmax(c->next, a->proposal);
  if (!cut) c->error = fmax(error, FIRST_ERROR);
}

// Within a step the midpoint rule takes accelerations to be constant. If they change by da along
// it, positions are off by h^2 da / 12; velocities, by what the change itself changes, are not
// looked at. Impacts do not count, forces that come with a contact do.
SarStatus sar_attempt_learn(SarSim* s, const SarAttempt* a) {
  const int nv = s->m->nv;
  const SarMark mark = sar_mark(s);
  double* e = sar_push_doubles(s, sar_stage_work(s->m));
  if (!e) return SAR_NO_SCRATCH;
  memset(e, 0, (size_t)sar_stage_work(s->m) * sizeof *e);
  const double h = s->d->t - s->start.t, longest = s->options.max_step;
  for (int i = 0; i < nv; i++) {
    e[i] = h * h * (s->d->a[i] - s->start.a[i]) / 12;
  }
  propose(s, a, compare(s, h, s->options.rtol, s->options.atol, e), 3);
  s->d->clock.next = fmin(fmax(s->d->clock.next, SAR_SHORTEST_SHARE * longest), longest);
  sar_pop(s, mark);
  return SAR_OK;
}

bool sar_attempt_is_good(SarSim* s, const SarAttempt* a, double error, int k) {
  if (s->d->clock.unchecked > 0) return isfinite(error);
  if (error <= 1) {
    propose(s, a, error, k);
    return true;
  }
  return s->locate && isfinite(error) && sar_stage_has_switched(s);
}

SarStatus sar_attempt_reject(SarSim* s, SarAttempt* a, SarStatus why, double error, int k) {
  bool finite = why == SAR_OK && isfinite(error);
  double factor = finite ? SAFETY * pow(error, -1.0 / k) : 0.1;
  double h = a->h * fmin(fmax(factor, 0.1), SAFETY);
  s->stats.rejected++;
  if (h >= smallest_step(s->start.t + h)) {
    *a = (SarAttempt){h, s->start.t + h, a->proposal, true};
    s->tried = h;
    return SAR_OK;
  }
  return why != SAR_OK ? why : finite ? SAR_STEP_TOO_SMALL : SAR_NOT_FINITE;
}
