// Adams methods of order 3: fixed steps, one evaluation each, for smooth models that are not stiff.
//
// With t1 the end, t0 the start, t-, t= the starts of the two steps before:
//
//   v1 = v0 + integral of the parabola through a0, a-, a=              explicit (Bashforth)
//   x1 = integral of the parabola through x1', x0', x-'    implicit in v1, which is known (Moulton)
//   w1 = w0 + integral of the parabola through p1, p0, p-              work by powers, likewise
//   z1' = slope of the cubic through z1, z0, z-, z=, at t1
//     states of the user's own: BDF, stiff or not
//
// (an implicit-explicit multistep method). x are local coordinates about the start, x' at the end
// by the velocity there and a displacement that is right to second order, x'- by the displacement
// back to t-. For equal steps
//
//   v1 = v0 + h/12 (23 a0 - 16 a- + 5 a=),   x1 = h/12 (5 x1' + 8 x0' - x-'),
//     z1 = (18 z0 - 9 z- + 2 z= + 6 h z1')/11
//
// Runs begin with Heun's method (states by the trapezoidal rule) and a step of order 2: their
// errors, h^3 each, are those of the whole run. After a jump, and after a step that is more than
// twice the one before, likewise. Heun's corrected end is not evaluated (PEC mode), so that such a
// step takes two evaluations: the predicted end's accelerations, which the next steps use once, are
// off by h^2. Stable for vibrations up to h w = 0.72 and decays up to 0.54/h; states at any rate.
//
// Sources: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (1993), sec. III.1
// and III.5; Ascher, Ruuth and Wetton, Implicit-explicit methods for time-dependent PDEs, SIAM J.
// Numer. Anal. 32 (1995).
#include "base/block.h"
#include "dynamics/states.h"
#include "integrators/stage.h"

#include <string.h>

static const double LONGER = 2;  // times the step before, at most

typedef struct Adams {
  // state: how many steps before there are (0 to 2), their lengths, last first; what was where they
  // began
  int* known;
  double* length;
  double *q, *v, *a, *a2, *power, *z, *z2;
} Adams;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)m, (void)o;
  return sizeof(Adams);
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Adams* p = s->integrator_state;
  const SarModel* m = s->m;
  sar_state_ints(s, "adams.known", &p->known, 1, 2);
  sar_state_doubles(s, "adams.length", &p->length, 2);
  sar_state_doubles(s, "adams.q", &p->q, m->nq);
  sar_state_doubles(s, "adams.v", &p->v, m->nv);
  sar_state_doubles(s, "adams.a", &p->a, m->nv);
  sar_state_doubles(s, "adams.a2", &p->a2, m->nv);
  sar_state_doubles(s, "adams.power", &p->power, m->nwork);
  sar_state_doubles(s, "adams.z", &p->z, m->nz);
  sar_state_doubles(s, "adams.z2", &p->z2, m->nz);
  return SAR_OK;
}

// ---- weights ------------------------------------------------------------------------------------

// Integrals from 0 to h of the polynomials of degree n - 1 that are 1 at one of the times x and 0
// at the others.
static void integrate(int n, const double* x, double h, double* w) {
  if (n == 1) {
    w[0] = h;
    return;
  }
  for (int k = 0; k < n; k++) {
    const double a = x[(k + 1) % n], b = n == 3 ? x[(k + 2) % n] : 0;
    if (n == 2)
      w[k] = h * (0.5 * h - a) / (x[k] - a);
    else
      w[k] = h * (h * (h / 3 - 0.5 * (a + b)) + a * b) / ((x[k] - a) * (x[k] - b));
  }
}

// Slopes at h of the polynomials of degree n that are 1 at h (the first) or at one of the n times
// x.
static void differentiate(int n, const double* x, double h, double* at_end, double* w) {
  *at_end = 0;
  for (int k = 0; k < n; k++) {
    *at_end += 1 / (h - x[k]);
    w[k] = 1 / (x[k] - h);
    for (int i = 0; i < n; i++)
      if (i != k) w[k] *= (h - x[i]) / (x[k] - x[i]);
  }
}

// ---- pieces of a step ---------------------------------------------------------------------------

// x'- of a joint with local coordinates of its own: by the displacement back to where the last step
// began.
static void rate_before(const SarSim* s, const Adams* p, int joint, double* rate) {
  const SarModel* m = s->m;
  const SarJointKind* kind = m->joint_kind[joint];
  const double* param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM];
  const int q = m->joint_qadr[joint], v = m->joint_vadr[joint];
  double xi[6];
  sar_joint_displacement(kind, param, s->start.q + q, p->q + q, xi);
  kind->rate(param, s->start.q + q, xi, p->v + v, rate);
}

static bool is_curved(const SarModel* m, int joint) {
  return joint >= 0 && m->joint_kind[joint]->rate != NULL;
}

// x of joints that have a rate of their own. w: weights of the end, the start, the step before.
static void turn(const SarSim* s, const Adams* p, const double w[3], double h, const double* v1,
                 double* xi) {
  const SarModel* m = s->m;
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* span = &s->span[k];
    if (!is_curved(m, span->joint)) continue;
    const int at = span->vadr;
    const double *v0 = s->start.v + at, *param = &m->joint_param[span->joint * SAR_JOINT_MAX_PARAM];
    double mean[6], end[6], before[6] = {0};
    for (int i = 0; i < span->nv; i++) mean[i] = 0.5 * h * (v0[i] + v1[at + i]);
    m->joint_kind[span->joint]->rate(param, s->start.q + span->qadr, mean, v1 + at, end);
    if (*p->known > 0) rate_before(s, p, span->joint, before);
    for (int i = 0; i < span->nv; i++) xi[at + i] = w[0] * end[i] + w[1] * v0[i] + w[2] * before[i];
  }
}

// The rule for the states, z = z_from + z_gain rate(z), and a guess.
static void lead_states(SarSim* s, const Adams* p, const double* times, double h, double* z) {
  SarData* d = s->d;
  double from = 0, w[3];
  const int n = *p->known + 1;
  if (s->m->nz == 0) return;
  differentiate(n, times, h, &from, w);
  d->z_gain = n > 1 ? 1 / from : 0.5 * h;
  for (int i = 0; i < s->m->nz; i++) {
    const double z0 = s->start.z[i], r0 = s->start.z_rate[i];
    double sum = w[0] * z0;
    if (n > 1) sum += w[1] * p->z[i];
    if (n > 2) sum += w[2] * p->z2[i];
    d->z_base[i] = n > 1 ? -d->z_gain * sum : z0 + 0.5 * h * r0;
    z[i] = d->z_base[i] + d->z_gain * r0;
  }
  d->z_from = d->z_base;
}

// Heun: accelerations at the end by a step of Euler's.
static SarStatus look_ahead(SarSim* s, double h, double* y) {
  const int nv = s->m->nv;
  for (int i = 0; i < nv; i++) {
    y[nv + i] = s->start.v[i] + h * s->start.a[i];
    y[i] = 0.5 * h * (s->start.v[i] + y[nv + i]);
  }
  SAR_TRY(sar_stage_rate(s, s->stop, y, NULL));
  for (int i = 0; i < nv; i++) y[nv + i] = s->start.v[i] + 0.5 * h * (s->start.a[i] + s->d->a[i]);
  return SAR_OK;
}

// Where prescribed motions follow states, these must be found before positions are brought onto
// them.
static SarStatus land(SarSim* s, const double* y) {
  if (s->m->nz == 0 || !s->m->drives_follow) return sar_stage_land(s, s->stop, y);
  SAR_TRY(sar_stage_rate(s, s->stop, y, NULL));
  return sar_stage_settle(s);
}

static SarStatus move(SarSim* s, Adams* p, double h, double* y) {
  const SarModel* m = s->m;
  const int nv = m->nv, n = *p->known + 1;
  const double past[3] = {0, -p->length[0], -p->length[0] - p->length[1]};
  const double ahead[3] = {h, 0, past[1]};
  double explicit[3] = {0}, implicit[3] = {0}, *v1 = y + nv;
  sar_stage_first(s, y, NULL);
  lead_states(s, p, past, h, y + sar_stage_states(m));
  if (n == 1) SAR_TRY(look_ahead(s, h, y));
  integrate(n, past, h, explicit);
  integrate(n > 1 ? 3 : 2, ahead, h, implicit);
  for (int i = 0; n > 1 && i < nv; i++)
    v1[i] = s->start.v[i] +
            explicit[0] * s -> start.a[i] + explicit[1] * p -> a[i] + explicit[2] * p -> a2[i];
  for (int i = 0; i < nv; i++)
    y[i] = implicit[0] * v1[i] + implicit[1] * s->start.v[i] + implicit[2] * p->v[i];
  turn(s, p, implicit, h, v1, y);
  SAR_TRY(n == 1 ? sar_stage_reach(s, s->stop, y) : land(s, y));
  for (int i = 0; i < m->nwork; i++)
    s->d->work[i] += implicit[0] * s->d->work_rate[i] + implicit[1] * s->start.power[i] +
                     implicit[2] * p->power[i];
  return SAR_OK;
}

static void copy(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

// The start of this step is one step before from now on.
static void remember(SarSim* s, Adams* p, double h) {
  const SarModel* m = s->m;
  copy(p->a2, p->a, m->nv);
  copy(p->z2, p->z, m->nz);
  copy(p->q, s->start.q, m->nq);
  copy(p->v, s->start.v, m->nv);
  copy(p->a, s->start.a, m->nv);
  copy(p->power, s->start.power, m->nwork);
  copy(p->z, s->start.z, m->nz);
  p->length[1] = p->length[0];
  p->length[0] = h;
  if (*p->known < 2) ++*p->known;
}

static SarStatus step(SarSim* s) {
  Adams* p = s->integrator_state;
  const double h = s->stop - s->start.t;
  const SarMark mark = sar_mark(s);
  double* y = sar_push_doubles(s, sar_stage_size(s->m));
  if (!y) return SAR_NO_SCRATCH;
  if (s->restart || h > LONGER * p->length[0]) *p->known = 0;
  s->d->z_near = SAR_STATES_NEAR;
  SarStatus st = move(s, p, h, y);
  s->d->z_near = 0;
  int worst = 0;
  const SarStatus states = sar_states_release(s->m, s->d, &worst);
  if (states == SAR_NOT_FINITE || (states != SAR_OK && st == SAR_OK)) {
    s->worst = s->m->nv + worst;
    st = states;
  }
  if (st == SAR_OK) remember(s, p, h);
  sar_pop(s, mark);
  return st;
}

static size_t stack_size(const SarModel* m) { return sar_doubles((size_t)sar_stage_size(m)); }

const SarIntegrator sar_integrator_adams = {
    .name = "adams",
    .doc = "Adams methods, BDF for states: fixed steps, order 3, one evaluation each",
    .ref = "Hairer, Norsett and Wanner 1993, sec. III.1; Ascher, Ruuth and Wetton 1995",
    .order = 3,
    .serves = SAR_FOR_ACCEL,
    .can_fix = true,
    .state_size = state_size,
    .stack_size = stack_size,
    .start = start,
    .step = step,
};
