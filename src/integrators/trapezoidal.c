// Implicit trapezoidal rule: order 2, A-stable, for stiff models; fixed or adaptive steps.
//
//   xi1 = h/2 (v0 + v1),   v1 = v0 + h/2 (a0 + a(t1, q0 (+) xi1, v1))          (nv unknowns: v1)
//   z1 = z0 + h/2 (r0 + r(t1, q1, v1, z1))           states of the user's own, eliminated
//
// With the exponential as local coordinates the first equation holds for rotations too: the mean of
// the two angular velocities turns the body with an error of h^3/12 w0 x w1, no more than the
// rule's own. The equations are solved by Newton's method (trapezoidal_newton.c).
//
// Error estimate: Simpson's rule with one more evaluation in the middle, from which the trapezoidal
// rule differs by its leading error term; it is multiplied by the inverse of the Newton matrix, so
// that components that are stiff and long decayed do not hold up the step (Shampine 1984).
// The rule damps nothing at infinity: a start off the slow motion of a very stiff model rings.
// Sources: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), sec. IV.8.
#include "base/block.h"
#include "integrators/trapezoidal.h"

#include "dynamics/states.h"
#include "integrators/control.h"
#include "linalg/lu.h"

#include <string.h>

enum { ERROR_ORDER = 3 };

// Rate of convergence beyond which a new Jacobian pays.
static const double SLOW = 0.2;

static void lay_out(SarTrapezoidal* p, const SarModel* m, SarBlock* b) {
  const int n = sar_stage_size(m);
  SAR_PIECE(b, p->y0, n);
  SAR_PIECE(b, p->dy0, n);
  SAR_PIECE(b, p->y1, n);
  SAR_PIECE(b, p->dy1, n);
  SAR_PIECE(b, p->LU, (size_t)m->nv * (size_t)m->nv);
  SAR_PIECE(b, p->pivot, m->nv);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  SarTrapezoidal p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  SarTrapezoidal* p = s->integrator_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, &b);
  sar_state_doubles(s, "jacobian.a_xi", &p->a_xi, s->m->nv * s->m->nv);
  sar_state_doubles(s, "jacobian.a_v", &p->a_v, s->m->nv * s->m->nv);
  sar_state_ints(s, "jacobian.known", &p->known, 1, 1);
  sar_state_doubles(s, "jacobian.h", &p->h_factored, 1);
  sar_state_doubles(s, "jacobian.theta", &p->theta, 1);
  return SAR_OK;
}

// With d evaluated at the end: adds the work done, h/2 (power0 + power1), and settles.
static SarStatus land(SarSim* s, double h) {
  SarTrapezoidal* p = s->integrator_state;
  int nwork = s->m->nwork;
  double* work = p->y1 + sar_stage_work(s->m);
  for (int i = 0; i < nwork; i++)
    work[i] = s->start.work[i] + 0.5 * h * (s->start.power[i] + s->d->work_rate[i]);
  memcpy(s->d->work, work, (size_t)nwork * sizeof *work);
  sar_stage_first(s, p->y0, p->dy0);
  sar_stage_read_rate(s, p->y1, p->dy1);
  p->h = h;
  if (*p->theta > SLOW) *p->known = 0;
  return sar_stage_settle(s);
}

// e <- (1, -h/2; -h/2 a_xi, 1 - h/2 a_v)^-1 e
static void filter(SarSim* s, double h, double* e) {
  const SarTrapezoidal* p = s->integrator_state;
  int nv = s->m->nv;
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) e[nv + i] += 0.5 * h * p->a_xi[i * nv + k] * e[k];
  sar_lu_solve(nv, p->LU, p->pivot, e + nv);
  for (int i = 0; i < nv; i++) e[i] += 0.5 * h * e[nv + i];
  sar_states_filter(s->m, s->d, 0.5 * h, e + 2 * nv);
}

// e = Simpson - trapezoidal, filtered twice: for a component that rings with amplitude x the cubic
// through the ends gives (h lambda)^2 x / 6, and x is what it is about.
static SarStatus estimate(SarSim* s, double h, double* e, double* y, double* dy) {
  SarTrapezoidal* p = s->integrator_state;
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
  const int nz = s->m->nz;
  const double *z0 = s->start.z, *r0 = s->start.z_rate, *z1 = p->y1 + 2 * nv;
  for (int i = 0; i < nz; i++)
    y[2 * nv + i] = 0.5 * (z0[i] + z1[i]) + h / 8 * (2 * r0[i] - 2 / h * (z1[i] - z0[i]));
  SAR_TRY(sar_stage_rate(s, s->start.t + 0.5 * h, y, dy));
  for (int i = 0; i < nz; i++)  // r0 + r1 = 2/h (z1 - z0) by the rule itself
    e[2 * nv + i] = h / 6 * 4 * dy[2 * nv + i] - 2. / 3 * (z1[i] - z0[i]);
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

// room: what the solution and then the estimate of its error need
static SarStatus adaptive_step(SarSim* s, double* room) {
  int n = sar_stage_size(s->m);
  double *e = room, *y = e + sar_stage_work(s->m), *dy = y + n;
  SarTrapezoidal* p = s->integrator_state;
  SarAttempt a = sar_attempt_first(s);
  for (int i = 0; i < SAR_MAX_ATTEMPTS; i++) {
    double error = 1e3;  // if Newton fails: a tenth of the step
    SarStatus st = sar_trapezoidal_solve(s, a.h, a.t_end, room);
    if (st == SAR_OK && p->crosses) return land(s, a.h);
    if (st == SAR_OK) st = estimate(s, a.h, e, y, dy);
    if (st == SAR_OK) error = sar_attempt_error(s, a.h, e);
    if (st == SAR_OK) st = sar_stage_rate(s, a.t_end, p->y1, NULL);
    if (st == SAR_OK && sar_attempt_is_good(s, &a, error, ERROR_ORDER)) return land(s, a.h);
    SAR_TRY(sar_attempt_reject(s, &a, st, error, ERROR_ORDER));
  }
  return SAR_STEP_TOO_SMALL;
}

static SarStatus fixed_step(SarSim* s, double* room) {
  double h = s->stop - s->start.t;
  SAR_TRY(sar_trapezoidal_solve(s, h, s->stop, room));
  return land(s, h);
}

static int room_size(const SarModel* m) { return sar_stage_work(m) + 2 * sar_stage_size(m); }

static SarStatus step(SarSim* s) {
  SarTrapezoidal* p = s->integrator_state;
  if (s->restart) *p->known = 0;
  p->fresh = false;
  SarMark mark = sar_mark(s);
  double* room = sar_push_doubles(s, room_size(s->m));
  SarStatus st = !room         ? SAR_NO_SCRATCH
                 : s->adaptive ? adaptive_step(s, room)
                               : fixed_step(s, room);
  sar_pop(s, mark);
  return st;
}

// Cubic through the two ends and their rates.
static void dense(SarSim* s, double theta, double* y) {
  const SarTrapezoidal* p = s->integrator_state;
  double r = 1 - theta, h = p->h;
  double w0 = r * r * (1 + 2 * theta), w1 = theta * theta * (3 - 2 * theta);
  double d0 = h * theta * r * r, d1 = -h * theta * theta * r;
  for (int i = 0; i < sar_stage_size(s->m); i++)
    y[i] = w0 * p->y0[i] + w1 * p->y1[i] + d0 * p->dy0[i] + d1 * p->dy1[i];
}

static size_t stack_size(const SarModel* m) { return sar_doubles((size_t)room_size(m)); }

// The same rule for formulations that are implicit in positions.
static SarScheme scheme(const SarSimOptions* o) {
  (void)o;
  return (SarScheme){.beta = 0.25, .gamma = 0.5};
}

// And for those in momentum form: Crank and Nicolson.
static SarRule rule(const SarSimOptions* o) {
  (void)o;
  return (SarRule){1, true};
}

const SarIntegrator sar_integrator_trapezoidal = {
    .name = "trapezoidal",
    .doc = "implicit trapezoidal rule: fixed or adaptive steps, for stiff models",
    .ref = "Hairer and Wanner 1996, sec. IV.8; Shampine 1984",
    .order = 2,
    .serves = SAR_FOR_ACCEL | SAR_FOR_STEP | SAR_FOR_MULTISTEP,
    .usual = SAR_FOR_STEP,
    .use = SAR_USE_TRIAL | SAR_USE_STIFF,
    .can_fix = true,
    .can_adapt = true,
    .implicit = true,
    .state_size = state_size,
    .stack_size = stack_size,
    .start = start,
    .adopt = sar_trapezoidal_refactor,
    .step = step,
    .newmark = {scheme, 1, 1},
    .multistep = {rule, 1, 1},
    .dense = dense,
};
