// Implicit trapezoidal rule: order 2, A-stable, for stiff models; fixed or adaptive steps.
//
//   xi1 = h/2 (v0 + v1),   v1 = v0 + h/2 (a0 + a(t1, q0 (+) xi1, v1))          (nv unknowns: v1)
//
// With the exponential as local coordinates the first equation holds for rotations too: the mean of
// the two angular velocities turns the body with an error of h^3/12 w0 x w1, no more than the rule's
// own. Solved by Newton's method with a Jacobian from differences of the accelerations, kept over
// many steps and formed anew when convergence slows:
//
//   (1 - h/2 a_v - h^2/4 a_xi) dv = -G(v1)
//
// Error estimate: Simpson's rule with one more evaluation in the middle, from which the trapezoidal
// rule differs by its leading error term; it is multiplied by the inverse of the Newton matrix, so
// that components that are stiff and long decayed do not hold up the step (Shampine 1984).
// The rule damps nothing at infinity: a start off the slow motion of a very stiff model rings.
// Sources: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), sec. IV.8.
#include "integrators/control.h"
#include "integrators/stage.h"
#include "linalg/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ERROR_ORDER = 3 };

// Newton's error over the tolerance of the step; rate of convergence beyond which a new Jacobian pays.
static const double ACCURACY = 0.01, SLOW = 0.2;

typedef struct Trapezoidal {
  double h;                     // of the last attempt
  double *y0, *dy0, *y1, *dy1;  // its start and end, for the dense output
  double *a_xi, *a_v;           // Jacobian of the accelerations, rows of nv
  double* LU;                   // factors of 1 - h/2 a_v - h^2/4 a_xi
  int* pivot;
  double h_factored;  // the h in LU, 0 = none
  bool known, fresh;  // there is a Jacobian; it is of this step
  double eta;         // theta / (1 - theta) of the last iteration, theta = rate of convergence
} Trapezoidal;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  size_t nv = (size_t)m->nv, n = (size_t)sar_stage_size(m);
  return sar_rounded(sizeof(Trapezoidal)) + 4 * sar_doubles(n) + 3 * sar_doubles(nv * nv) +
         sar_rounded(nv * sizeof(int));
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  unsigned char* at = s->integrator_state;
  size_t nv = (size_t)s->m->nv, bytes = sar_doubles((size_t)sar_stage_size(s->m));
  Trapezoidal* p = sar_cut(&at, sizeof *p);
  p->y0 = sar_cut(&at, bytes);
  p->dy0 = sar_cut(&at, bytes);
  p->y1 = sar_cut(&at, bytes);
  p->dy1 = sar_cut(&at, bytes);
  p->a_xi = sar_cut(&at, nv * nv * sizeof(double));
  p->a_v = sar_cut(&at, nv * nv * sizeof(double));
  p->LU = sar_cut(&at, nv * nv * sizeof(double));
  p->pivot = sar_cut(&at, nv * sizeof(int));
  p->eta = 1;
  return SAR_OK;
}

// ---- Newton ---------------------------------------------------------------------------------------

// One block of the Jacobian at the start of the step, where y1 stands: column i is the change of a
// for a change of component first + i of y.
static SarStatus difference(SarSim* s, int first, double* J) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv; i++) {
    double* y = &p->y1[first + i];
    double kept = *y, step = 1e-8 * (1 + fabs(kept));
    *y = kept + step;
    SAR_TRY(sar_stage_rate(s, s->start.t, p->y1, NULL));
    *y = kept;
    for (int k = 0; k < nv; k++) J[k * nv + i] = (s->d->a[k] - s->start.a[k]) / step;
  }
  return SAR_OK;
}

static SarStatus update_jacobian(SarSim* s) {
  Trapezoidal* p = s->integrator_state;
  p->known = false;
  p->h_factored = 0;
  sar_stage_first(s, p->y1, NULL);
  SAR_TRY(difference(s, 0, p->a_xi));
  SAR_TRY(difference(s, s->m->nv, p->a_v));
  p->known = p->fresh = true;
  p->eta = 1;
  return SAR_OK;
}

static SarStatus factor(SarSim* s, double h) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  if (fabs(h - p->h_factored) <= 1e-3 * h) return SAR_OK;
  for (int i = 0; i < nv * nv; i++) p->LU[i] = -0.5 * h * (p->a_v[i] + 0.5 * h * p->a_xi[i]);
  for (int i = 0; i < nv; i++) p->LU[i * nv + i] += 1;
  p->h_factored = sar_lu_factor(nv, p->LU, p->pivot) ? h : 0;
  return p->h_factored > 0 ? SAR_OK : SAR_SINGULAR;
}

// Largest correction over its tolerance.
static double correction_size(SarSim* s, const double* v, const double* dv) {
  double size = 0, speed = 0;
  for (int i = 0; i < s->m->nv; i++) speed = fmax(speed, fabs(v[i]));
  for (int i = 0; i < s->m->nv; i++) {
    double tolerance = s->options.atol + s->options.rtol * fabs(v[i]) + 8 * DBL_EPSILON * speed;
    double x = fabs(dv[i]) / tolerance;
    if (x <= size) continue;
    size = x;
    s->worst = i;
    if (isnan(x)) break;
  }
  return size;
}

// Iterates v1 from its guess in y1.
static SarStatus iterate(SarSim* s, double h, double t_end, double* dv, int* iterations) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  const double *v0 = s->start.v, *a0 = s->start.a;
  double *xi = p->y1, *v = p->y1 + nv, last = 0;
  double eta = pow(fmax(p->eta, DBL_EPSILON), 0.8);
  for (int it = 0; it < s->options.max_iterations; it++) {
    for (int i = 0; i < nv; i++) xi[i] = 0.5 * h * (v0[i] + v[i]);
    SAR_TRY(sar_stage_rate(s, t_end, p->y1, NULL));
    for (int i = 0; i < nv; i++) dv[i] = v0[i] - v[i] + 0.5 * h * (a0[i] + s->d->a[i]);
    sar_lu_solve(nv, p->LU, p->pivot, dv);
    for (int i = 0; i < nv; i++) v[i] += dv[i];
    (*iterations)++;
    double size = correction_size(s, v, dv);
    if (!isfinite(size)) return SAR_NOT_FINITE;
    if (it > 0) {
      double theta = size / last;
      if (theta >= 1 && size > ACCURACY) return SAR_NOT_CONVERGED;
      eta = theta < 1 ? theta / (1 - theta) : 1;
    }
    if (eta * size <= ACCURACY) {
      p->eta = it > 0 ? eta : p->eta;
      for (int i = 0; i < nv; i++) xi[i] = 0.5 * h * (v0[i] + v[i]);
      return SAR_OK;
    }
    last = size;
  }
  return SAR_NOT_CONVERGED;
}

// Solves for the end of the step: from an explicit guess with the Jacobian at hand, then with a
// fresh one, last from the speeds at the start.
static SarStatus solve(SarSim* s, double h, double t_end, double* dv) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv, iterations = 0;
  SarStatus st = SAR_NOT_CONVERGED;
  for (int attempt = p->fresh ? 1 : 0; attempt < 3 && st != SAR_OK; attempt++) {
    if (!p->known || (attempt == 1 && !p->fresh)) SAR_TRY(update_jacobian(s));
    SAR_TRY(factor(s, h));
    sar_stage_first(s, p->y1, NULL);
    for (int i = 0; i < nv && attempt < 2; i++) p->y1[nv + i] += h * s->start.a[i];
    st = iterate(s, h, t_end, dv, &iterations);
  }
  s->stats.iterations += iterations;
  if (iterations > s->stats.iterations_max) s->stats.iterations_max = iterations;
  return st;
}

// ---- steps ----------------------------------------------------------------------------------------

// Evaluates at the end and adds the work done: h/2 (power0 + power1).
static SarStatus land(SarSim* s, double h, double t_end) {
  Trapezoidal* p = s->integrator_state;
  int nwork = s->m->nwork;
  double* work = p->y1 + 2 * s->m->nv;
  sar_stage_first(s, p->y0, p->dy0);
  SAR_TRY(sar_stage_rate(s, t_end, p->y1, p->dy1));
  for (int i = 0; i < nwork; i++)
    work[i] = s->start.work[i] + 0.5 * h * (s->start.power[i] + s->d->work_rate[i]);
  memcpy(s->d->work, work, (size_t)nwork * sizeof *work);
  p->h = h;
  if (p->eta > SLOW) p->known = false;
  return SAR_OK;
}

// e <- (1, -h/2; -h/2 a_xi, 1 - h/2 a_v)^-1 e
static void filter(SarSim* s, double h, double* e) {
  const Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) e[nv + i] += 0.5 * h * p->a_xi[i * nv + k] * e[k];
  sar_lu_solve(nv, p->LU, p->pivot, e + nv);
  for (int i = 0; i < nv; i++) e[i] += 0.5 * h * e[nv + i];
}

// e = Simpson - trapezoidal, filtered twice: for a component that rings with amplitude x the cubic
// through the ends gives (h lambda)^2 x / 6, and x is what it is about.
static SarStatus estimate(SarSim* s, double h, double* e, double* y, double* dy) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  const double *v0 = s->start.v, *a0 = s->start.a, *xi1 = p->y1, *v1 = p->y1 + nv;
  double* r1 = e;  // rate of xi at the end; a1 follows from the rule itself
  sar_stage_position_rate(s, xi1, v1, r1);
  sar_stage_first(s, y, NULL);
  for (int i = 0; i < nv; i++) {
    double a1 = 2 / h * (v1[i] - v0[i]) - a0[i];
    y[i] = 0.5 * xi1[i] + h / 8 * (v0[i] - r1[i]);
    y[nv + i] = 0.5 * (v0[i] + v1[i]) + h / 8 * (a0[i] - a1);
  }
  SAR_TRY(sar_stage_rate(s, s->start.t + 0.5 * h, y, dy));
  for (int i = 0; i < nv; i++) {
    double a1 = 2 / h * (v1[i] - v0[i]) - a0[i];
    e[i] = h / 6 * (v0[i] + 4 * dy[i] + r1[i]) - xi1[i];
    e[nv + i] = h / 6 * (a0[i] + 4 * dy[nv + i] + a1) - (v1[i] - v0[i]);
  }
  filter(s, h, e);
  filter(s, h, e);
  sar_stage_set(s, s->start.t + h, p->y1);
  return SAR_OK;
}

static SarStatus adaptive_step(SarSim* s, double* e, double* y, double* dy) {
  SarAttempt a = sar_attempt_first(s);
  for (int i = 0; i < SAR_MAX_ATTEMPTS; i++) {
    double error = 1e3;  // if Newton fails: a tenth of the step
    SarStatus st = solve(s, a.h, a.t_end, e);
    if (st == SAR_OK) st = estimate(s, a.h, e, y, dy);
    if (st == SAR_OK) error = sar_attempt_error(s, a.h, e);
    if (st == SAR_OK && error <= 1) {
      sar_attempt_accept(s, &a, error, ERROR_ORDER);
      return land(s, a.h, a.t_end);
    }
    SAR_TRY(sar_attempt_reject(s, &a, st, error, ERROR_ORDER));
  }
  return SAR_STEP_TOO_SMALL;
}

static SarStatus fixed_step(SarSim* s, double* dv) {
  double h = s->stop - s->start.t;
  SAR_TRY(solve(s, h, s->stop, dv));
  return land(s, h, s->stop);
}

static SarStatus step(SarSim* s) {
  Trapezoidal* p = s->integrator_state;
  int nv = s->m->nv, n = sar_stage_size(s->m);
  if (s->restart) p->known = false;
  p->fresh = false;
  SarMark mark = sar_mark(s);
  double *e = sar_push_doubles(s, 2 * nv), *y = sar_push_doubles(s, n);
  double* dy = sar_push_doubles(s, n);
  SarStatus st = !dy ? SAR_NO_SCRATCH : s->adaptive ? adaptive_step(s, e, y, dy) : fixed_step(s, e);
  sar_pop(s, mark);
  return st;
}

// Cubic through the two ends and their rates.
static void dense(SarSim* s, double theta, double* y) {
  const Trapezoidal* p = s->integrator_state;
  double r = 1 - theta, h = p->h;
  double w0 = r * r * (1 + 2 * theta), w1 = theta * theta * (3 - 2 * theta);
  double d0 = h * theta * r * r, d1 = -h * theta * theta * r;
  for (int i = 0; i < sar_stage_size(s->m); i++)
    y[i] = w0 * p->y0[i] + w1 * p->y1[i] + d0 * p->dy0[i] + d1 * p->dy1[i];
}

static size_t stack_size(const SarModel* m) {
  return sar_doubles(2 * (size_t)m->nv) + 2 * sar_doubles((size_t)sar_stage_size(m));
}

const SarIntegrator sar_integrator_trapezoidal = {
    .name = "trapezoidal",
    .doc = "implicit trapezoidal rule: fixed or adaptive steps, for stiff models",
    .ref = "Hairer and Wanner 1996, sec. IV.8; Shampine 1984",
    .order = 2,
    .can_fix = true,
    .can_adapt = true,
    .implicit = true,
    .state_size = state_size,
    .stack_size = stack_size,
    .start = start,
    .step = step,
    .dense = dense,
};
