// Newton's method for the trapezoidal rule.
//
//   G(v1) = v1 - v0 - h/2 (a0 + a(t1, q0 (+) xi1, v1)) = 0,   xi1 = h/2 (v0 + v1)
//   (1 - h/2 a_v - h^2/4 a_xi) dv = -G
//
// The Jacobian (a_xi, a_v) comes from differences of the accelerations, 2 nv evaluations, and is
// kept over many steps. States z are solved for at every evaluation (dynamics/states.h), so that a
// is a function of q and v, with the differences of z in it (modified Newton, Hairer and Wanner
// 1996, sec. IV.8). When that fails, a new one is formed where the end of the step is expected;
// when that fails too, as it does where dry friction begins to stick, one is formed at every
// iterate and the step along dv is halved until G shrinks (Deuflhard, Newton Methods for Nonlinear
// Problems, 2004, sec. 3.1).
#include "dynamics/projection.h"
#include "dynamics/states.h"
#include "integrators/trapezoidal.h"
#include "linalg/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 10, BISECTIONS = 40 };
enum { FEW = 5 };  // iterates with a matrix each that get to where rounding is in the way

static const double ACCURACY = 0.01;  // of the iteration, over the tolerance of the step
// Corrections that no longer shrink and are this part of the largest speed are rounding, if the
// tolerance is met.
static const double STALLED = 1e-10;
static const double FALLEN = 1e-3;  // share of the first residual at which the rest is rounding

// Is d on the other side of a kink from where the Jacobian is taken?
static bool is_across(const SarSim* s, const double* side) {
  for (int i = 0; i < s->m->nswitch; i++)
    if (side[i] * s->d->slot[s->m->switch_slot[i]] < 0) return true;
  return false;
}

// One block of the Jacobian where y1 stands, with accelerations a: column i is the change of a for
// a change of component first + i of y1. Differences are not taken across a kink: a jump would look
// like a spring without end.
static SarStatus difference(SarSim* s, double t, const double* a, int first, double* J) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv; i++) {
    double* y = &p->y1[first + i];
    double kept = *y, step = 1e-8 * (1 + fabs(kept));
    *y = kept + step;
    SarStatus st = sar_stage_rate(s, t, p->y1, NULL);
    if (st == SAR_OK && is_across(s, s->end_switch)) {
      step = -step;
      *y = kept + step;
      st = sar_stage_rate(s, t, p->y1, NULL);
    }
    *y = kept;
    if (st != SAR_OK) return st;
    for (int k = 0; k < nv; k++) J[k * nv + i] = (s->d->a[k] - a[k]) / step;
  }
  return SAR_OK;
}

// end_switch holds the switching functions where the Jacobian is taken; it is free during a step.
static SarStatus update_jacobian(SarSim* s, double t, double* a) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  *p->known = 0;
  *p->h_factored = 0;
  SAR_TRY(sar_stage_rate(s, t, p->y1, NULL));
  memcpy(a, s->d->a, (size_t)nv * sizeof *a);
  for (int i = 0; i < s->m->nswitch; i++) s->end_switch[i] = s->d->slot[s->m->switch_slot[i]];
  for (int i = 0; i < nv; i++)
    if (!isfinite(a[i])) {
      s->worst = i;
      return SAR_NOT_FINITE;
    }
  SAR_TRY(difference(s, t, a, 0, p->a_xi));
  SAR_TRY(difference(s, t, a, nv, p->a_v));
  *p->known = 1;
  p->fresh = true;
  *p->theta = 0;
  return SAR_OK;
}

// LU = 1 - h/2 (a_v + h/2 a_xi), factored
static bool factor_with(SarSim* s, double h) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv * nv; i++) p->LU[i] = -0.5 * h * (p->a_v[i] + 0.5 * h * p->a_xi[i]);
  for (int i = 0; i < nv; i++) p->LU[i * nv + i] += 1;
  return sar_lu_factor(nv, p->LU, p->pivot);
}

void sar_trapezoidal_refactor(SarSim* s) {
  const SarTrapezoidal* p = s->integrator_state;
  if (*p->h_factored > 0) factor_with(s, *p->h_factored);
}

static SarStatus factor(SarSim* s, double h) {
  const SarTrapezoidal* p = s->integrator_state;
  if (fabs(h - *p->h_factored) <= 1e-3 * h) return SAR_OK;
  *p->h_factored = factor_with(s, h) ? h : 0;
  return *p->h_factored > 0 ? SAR_OK : SAR_NOT_CONVERGED;
}

static bool is_near_singular(const SarSim* s) { return s->projection && s->projection->eager; }

// Near singular positions what the projection will take out is left out: it is mostly rounding, and
// the accelerations do not depend on it.
static SarStatus solve(SarSim* s, double* dv) {
  const SarTrapezoidal* p = s->integrator_state;
  sar_lu_solve(s->m->nv, p->LU, p->pivot, dv);
  return is_near_singular(s) ? sar_projection_filter(s->m, s->d, s->projection, dv) : SAR_OK;
}

// Largest component over its tolerance; dv is a correction or a residual, both speeds. A speed that
// passes zero has the tolerance that it had before: what shrinks must not look as if it grew.
static double size_of(SarSim* s, const double* v, const double* dv) {
  double size = 0, speed = 0;
  for (int i = 0; i < s->m->nv; i++) speed = fmax(speed, fabs(v[i]));
  for (int i = 0; i < s->m->nv; i++) {
    const double most = fmax(fabs(v[i]), fabs(s->start.v[i]));
    const double tolerance = s->options.atol + s->options.rtol * most + 8 * DBL_EPSILON * speed;
    double x = fabs(dv[i]) / tolerance;
    if (x <= size) continue;
    size = x;
    s->worst = i;
    if (isnan(x)) break;
  }
  return size;
}

// The guess of the speeds at the end: v0 + h a0.
static void guess(SarSim* s, double h) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  sar_stage_first(s, p->y1, NULL);
  for (int i = 0; i < nv; i++) {
    p->y1[nv + i] += h * s->start.a[i];
    p->y1[i] = 0.5 * h * (s->start.v[i] + p->y1[nv + i]);
  }
}

// States are solved for wherever d is evaluated: y1 gets them from there.
static void keep_states(SarSim* s) {
  const SarTrapezoidal* p = s->integrator_state;
  if (s->m->nz == 0) return;
  memcpy(p->y1 + sar_stage_states(s->m), s->d->z, (size_t)s->m->nz * sizeof(double));
}

// z = z0 + h/2 (r0 + r1): asks evaluations to solve for it.
static void hold_states(SarSim* s, double h) {
  SarData* d = s->d;
  if (s->m->nz == 0) return;
  for (int i = 0; i < s->m->nz; i++) d->z_base[i] = s->start.z[i] + 0.5 * h * s->start.z_rate[i];
  d->z_from = d->z_base;
  d->z_gain = 0.5 * h;
}

// xi1 of the speeds in y1, and minus_G = v0 - v1 + h/2 (a0 + a1) there.
static SarStatus residual(SarSim* s, double h, double t_end, double* minus_G) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  const double *v0 = s->start.v, *a0 = s->start.a, *v = p->y1 + nv;
  for (int i = 0; i < nv; i++) p->y1[i] = 0.5 * h * (v0[i] + v[i]);
  SAR_TRY(sar_stage_rate(s, t_end, p->y1, NULL));
  keep_states(s);
  for (int i = 0; i < nv; i++) minus_G[i] = v0[i] - v[i] + 0.5 * h * (a0[i] + s->d->a[i]);
  return SAR_OK;
}

static void move(SarSim* s, double h, double length, const double* dv) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv; i++) {
    p->y1[nv + i] += length * dv[i];
    p->y1[i] = 0.5 * h * (s->start.v[i] + p->y1[nv + i]);
  }
}

static bool is_rounding(const SarSim* s, const double* v, const double* dv) {
  double speed = 0, change = 0;
  for (int i = 0; i < s->m->nv; i++) {
    speed = fmax(speed, fabs(v[i]));
    change = fmax(change, fabs(dv[i]));
  }
  return change <= STALLED * speed;
}

// Modified Newton: one matrix throughout. Ends when the next correction would be small; it is not
// made, so that d is evaluated exactly where y1 is.
static SarStatus iterate(SarSim* s, double h, double t_end, double* dv, int* iterations) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  double last = 0;
  for (int it = 0; it <= s->options.max_iterations; it++) {
    SAR_TRY(residual(s, h, t_end, dv));
    SAR_TRY(solve(s, dv));
    double size = size_of(s, p->y1 + nv, dv);
    if (!isfinite(size)) return SAR_NOT_FINITE;
    if (it > 0) *p->theta = size / last;
    if (size <= ACCURACY) return SAR_OK;
    if (it > 0 && *p->theta >= 1)
      return size <= 1 && is_rounding(s, p->y1 + nv, dv) ? SAR_OK : SAR_NOT_CONVERGED;
    move(s, h, 1, dv);
    (*iterations)++;
    last = size;
  }
  return SAR_NOT_CONVERGED;
}

// Where the accelerations jump, G may pass from one sign to the other without being zero: the end
// of the step is then at the jump, held there by forces between the two (a mass that sticks). If
// Newton's correction leads across, the jump is found on the way.
static SarStatus settle_on_jump(SarSim* s, double h, double t_end, double* dv, double* G) {
  SarTrapezoidal* p = s->integrator_state;
  double low = 0, high = 1, at = 1;
  SAR_TRY(residual(s, h, t_end, G));
  for (int i = 0; i < s->m->nswitch; i++) s->end_switch[i] = s->d->slot[s->m->switch_slot[i]];
  memcpy(dv, G, (size_t)s->m->nv * sizeof *dv);
  sar_lu_solve(s->m->nv, p->LU, p->pivot, dv);
  move(s, h, 1, dv);
  SAR_TRY(residual(s, h, t_end, G));
  if (!is_across(s, s->end_switch)) return SAR_NOT_CONVERGED;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    move(s, h, middle - at, dv);
    at = middle;
    SAR_TRY(residual(s, h, t_end, G));
    if (is_across(s, s->end_switch))
      high = middle;
    else
      low = middle;
  }
  move(s, h, low - at, dv);
  return residual(s, h, t_end, G);
}

// How large the residual G is; of what is left out near singular positions nothing counts.
static double level(SarSim* s, const double* G, double* room) {
  const SarTrapezoidal* p = s->integrator_state;
  const int nv = s->m->nv;
  memcpy(room, G, (size_t)nv * sizeof *room);
  if (is_near_singular(s) && sar_projection_filter(s->m, s->d, s->projection, room) != SAR_OK)
    return (double)INFINITY;
  return size_of(s, p->y1 + nv, room);
}

// Newton with a matrix and a step length for every iterate, from the speeds at the start: `most` of
// them. If these are few, what is left then may be rounding.
static SarStatus iterate_carefully(SarSim* s, double h, double t_end, int most, double* room,
                                   int* iterations) {
  SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  double *dv = room, *G = room + nv, *next = room + 2 * nv, *a = room + 3 * nv, first = 0;
  sar_stage_first(s, p->y1, NULL);
  SAR_TRY(residual(s, h, t_end, G));
  for (int it = 0; it < most; it++) {
    SAR_TRY(update_jacobian(s, t_end, a));
    SAR_TRY(factor(s, h));
    memcpy(dv, G, (size_t)nv * sizeof *dv);
    SAR_TRY(solve(s, dv));
    double size = size_of(s, p->y1 + nv, dv);
    if (size <= ACCURACY) return residual(s, h, t_end, G);
    double length = 1, before = level(s, G, a);
    if (it == 0) first = before;
    move(s, h, 1, dv);
    SAR_TRY(residual(s, h, t_end, next));
    for (int k = 0; k < HALVINGS; k++) {
      if (level(s, next, a) <= (1 - length / 4) * before) break;
      length *= 0.5;
      move(s, h, -length, dv);
      SAR_TRY(residual(s, h, t_end, next));
    }
    memcpy(G, next, (size_t)nv * sizeof *G);
    (*iterations)++;
  }
  if (most == s->options.max_iterations) return settle_on_jump(s, h, t_end, dv, G);
  return level(s, G, a) <= FALLEN * first ? SAR_OK : SAR_NOT_CONVERGED;
}

// Heun's rule: the guess and one correction, explicit.
static SarStatus heun(SarSim* s, double h, double t_end, double* dv) {
  const SarTrapezoidal* p = s->integrator_state;
  guess(s, h);
  SAR_TRY(residual(s, h, t_end, dv));
  move(s, h, 1, dv);
  return sar_stage_rate(s, t_end, p->y1, NULL);
}

// Near singular positions rounding may keep the iteration from converging. A start that is far off,
// where the model is stiff, does so as well, and there an explicit rule would be wrong: that is
// tried first.
static SarStatus iterate_near(SarSim* s, double h, double t_end, double* room, int* iterations) {
  const int most = s->options.max_iterations < FEW ? s->options.max_iterations : FEW;
  if (iterate_carefully(s, h, t_end, most, room, iterations) == SAR_OK) return SAR_OK;
  return heun(s, h, t_end, room);
}

static SarStatus solve_step(SarSim* s, double h, double t_end, double* room) {
  SarTrapezoidal* p = s->integrator_state;
  int iterations = 0;
  SarStatus st = SAR_NOT_CONVERGED;
  p->crosses = false;
  if (*p->known) {
    guess(s, h);
    st = factor(s, h);
    if (st == SAR_OK) st = iterate(s, h, t_end, room, &iterations);
  }
  if (st != SAR_OK && !p->fresh) {
    guess(s, h);
    st = update_jacobian(s, t_end, room);
    if (st == SAR_OK) st = factor(s, h);
    if (st == SAR_OK) st = iterate(s, h, t_end, room, &iterations);
  }
  if (st != SAR_OK && s->locate) {
    guess(s, h);
    st = sar_stage_rate(s, t_end, p->y1, NULL);
    p->crosses = st == SAR_OK && sar_stage_has_switched(s);
    if (!p->crosses) st = SAR_NOT_CONVERGED;
  }
  if (st != SAR_OK && is_near_singular(s)) st = iterate_near(s, h, t_end, room, &iterations);
  if (st != SAR_OK)
    st = iterate_carefully(s, h, t_end, s->options.max_iterations, room, &iterations);
  s->stats.iterations += iterations;
  if (iterations > s->stats.iterations_max) s->stats.iterations_max = iterations;
  return st;
}

SarStatus sar_trapezoidal_solve(SarSim* s, double h, double t_end, double* room) {
  int worst = 0;
  hold_states(s, h);
  const SarStatus st = solve_step(s, h, t_end, room);
  keep_states(s);
  const SarStatus states = sar_states_release(s->m, s->d, &worst);
  if (states == SAR_OK || (st != SAR_OK && states != SAR_NOT_FINITE)) return st;
  s->worst = s->m->nv + worst;
  return states;
}
