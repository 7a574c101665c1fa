// Paper 000's fully recursive method: accelerations of articulated bodies, O(n), loops closed by
// forces, and the implicit step solved by fixed-point iteration.
//
//   a = ABA(Q - Psi' lambda),   x <- x + (a - a(x)) / a_x,   a(x): what the scheme makes of x
//
// No tangent is formed, so stiff forces must be slow compared with the step: the iteration contracts by
// h^2/4 times the largest eigenvalue of M^-1 K. Loops would be infinitely stiff; their multipliers are
// therefore corrected in every iteration by what takes the violation away,
//
//   (D + s) dlambda = a_x Phi + Psi (a - a(x)),     D = Psi M^-1 Psi'
//
// D from one articulated-body solution for each row, s a share 1e-8 of its diagonal, which redundant rows
// and singular positions need and which the iteration takes out again (augmented Lagrangian). In the
// iteration as published a fixed penalty stands in the place of D, and steps must be short.
//
// Sources: Cuadrado et al. 2003, sec. 4.4; Featherstone 2008, ch. 7. Cost: O(n nrow) an iteration.
#include "base/pieces.h"
#include "dynamics/projection.h"
#include "formulations/implicit/relative.h"
#include "linalg/envelope.h"

#include <math.h>
#include <string.h>

static const double SOFT = 1e-8;
enum { PROJECTIONS = 3 };

typedef struct Recursive {
  SarRelative step;
  double* response;  // nrow x nv: M^-1 Psi', row by row
  SarEnvelope D;     // nrow x nrow, all of it
  double* tau;       // nv: joint forces, without those of the loops
  double* a;         // nv: accelerations of the scheme
} Recursive;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  return sar_rounded(sizeof(Recursive)) + sar_relative_size(m, false) + sar_doubles(nrow * nv) +
         sar_doubles(nrow * (nrow + 1) / 2) + sar_doubles(nrow) + 2 * sar_doubles(nv) +
         sar_rounded(nrow * sizeof(int)) + sar_rounded(nrow * sizeof(size_t));
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  const size_t nv = (size_t)s->m->nv, nrow = (size_t)s->m->nrow;
  unsigned char* at = s->formulation_state;
  Recursive* p = sar_cut(&at, sizeof *p);
  sar_relative_cut(&p->step, s, false, &at);
  sar_relative_declare(&p->step, s);
  p->response = sar_cut(&at, nrow * nv * sizeof(double));
  p->D.n = s->m->nrow;
  p->D.value = sar_cut(&at, nrow * (nrow + 1) / 2 * sizeof(double));
  p->D.inverse = sar_cut(&at, nrow * sizeof(double));
  p->tau = sar_cut(&at, nv * sizeof(double));
  p->a = sar_cut(&at, nv * sizeof(double));
  p->D.first = sar_cut(&at, nrow * sizeof(int));
  p->D.adr = sar_cut(&at, nrow * sizeof(size_t));
  for (size_t i = 0; i < nrow; i++) {
    p->D.first[i] = 0;
    p->D.adr[i] = i * (i + 1) / 2;
  }
  return SAR_OK;
}

static SarStatus accel(SarSim* s) {
  Recursive* p = s->formulation_state;
  return sar_relative_accel(&p->step, s);
}

// d->a = ABA(tau - Psi' lambda)
static SarStatus articulated(Recursive* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->tau, p->tau, (size_t)m->nv * sizeof *d->tau);
  sar_constraint_add_transposed(m, d, -1, d->lambda, d->tau);
  return sar_aba(m, d);
}

// M^-1 Psi' as differences: accelerations are linear in the joint forces. d->a is kept.
static SarStatus responses(Recursive* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double* a = p->step.r;
  memcpy(a, d->a, (size_t)m->nv * sizeof *a);
  for (int row = 0; row < m->nrow; row++) {
    double* response = &p->response[row * m->nv];
    for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++) d->tau[m->row_dof[k]] += d->Psi[k];
    SAR_TRY(sar_aba(m, d));
    for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++) d->tau[m->row_dof[k]] -= d->Psi[k];
    for (int i = 0; i < m->nv; i++) response[i] = d->a[i] - a[i];
    double* D = p->D.value + p->D.adr[row];
    for (int other = 0; other <= row; other++) {
      D[other] = 0;
      for (int k = m->row_adr[other]; k < m->row_adr[other + 1]; k++)
        D[other] += d->Psi[k] * response[m->row_dof[k]];
    }
    D[row] = D[row] > 0 ? (1 + SOFT) * D[row] : 1;  // rows that are off
  }
  memcpy(d->a, a, (size_t)m->nv * sizeof *a);
  return sar_envelope_factor(&p->D) ? SAR_OK : SAR_SINGULAR;
}

// x -= M^-1 Psi' e
static void take_off(const Recursive* p, const SarModel* m, const double* e, double* x) {
  for (int row = 0; row < m->nrow; row++)
    for (int i = 0; i < m->nv; i++) x[i] -= e[row] * p->response[row * m->nv + i];
}

// e = Psi x + b
static void row_values(const SarSim* s, const double* x, double factor, const double* b,
                       double* e) {
  sar_constraint_multiply(s->m, s->d, x, e);
  for (int k = 0; k < s->m->nrow; k++) e[k] += factor * b[k];
}

static SarStatus improve(Recursive* p, SarSim* s, double* moved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double *r = p->step.r, *e = p->step.e;
  memcpy(p->a, d->a, (size_t)m->nv * sizeof *p->a);
  memcpy(p->tau, d->tau, (size_t)m->nv * sizeof *p->tau);
  SarStatus st = articulated(p, s);
  if (st == SAR_OK && m->nrow > 0) st = responses(p, s);
  // models without inertia are refused before: forces have grown beyond all bounds
  if (st != SAR_OK) return st == SAR_SINGULAR ? SAR_NOT_CONVERGED : st;
  for (int i = 0; i < m->nv; i++) r[i] = d->a[i] - p->a[i];
  row_values(s, r, p->step.rates.a, d->Phi, e);
  sar_envelope_solve(&p->D, e);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += e[k];
  take_off(p, m, e, r);
  for (int i = 0; i < m->nv; i++) p->step.x[i] += r[i] /= p->step.rates.a;
  *moved = sar_largest(m->nv, r, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

static SarStatus iterate(Recursive* p, SarSim* s, int* iterations) {
  int unused;
  double moved = HUGE_VAL, before = HUGE_VAL;
  for (*iterations = 0;; ++*iterations) {
    sar_relative_move(&p->step, s);
    sar_relative_evaluate(s);
    if (sar_relative_is_converged(&p->step, s, moved, before) &&
        sar_largest(s->m->nrow, s->d->Phi, &unused) <= s->options.newton_tolerance)
      return SAR_OK;
    if (*iterations == s->options.max_iterations) return SAR_NOT_CONVERGED;
    before = moved;
    SAR_TRY(improve(p, s, &moved));
  }
}

// Velocities, then accelerations onto the constraints, by what moves least mass.
static void project(Recursive* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double *r = p->step.r, *e = p->step.e;
  sar_update_constraint_rates(m, d);
  if (s->projection) s->projection->drift = sar_violation(m, d);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    row_values(s, d->v, 1, d->Phi_t, e);
    sar_envelope_solve(&p->D, e);
    take_off(p, m, e, d->v);
  }
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_constraint_rates(m, d);
  memcpy(r, d->a, (size_t)m->nv * sizeof *r);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    row_values(s, d->a, -1, d->gamma, e);
    sar_envelope_solve(&p->D, e);
    take_off(p, m, e, d->a);
  }
  for (int i = 0; i < m->nv; i++) p->step.A[i] += p->step.rates.a_to_A * (d->a[i] - r[i]);
}

// Multipliers that go with the projected velocities: ABA(Q - Psi' lambda) keeps the constraints.
static SarStatus correct_multipliers(Recursive* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double *r = p->step.r, *e = p->step.e;
  memcpy(r, d->a, (size_t)m->nv * sizeof *r);
  memcpy(p->tau, d->tau, (size_t)m->nv * sizeof *p->tau);
  SAR_TRY(articulated(p, s));
  row_values(s, d->a, -1, d->gamma, e);
  sar_envelope_solve(&p->D, e);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += e[k];
  memcpy(d->a, r, (size_t)m->nv * sizeof *r);
  memcpy(d->tau, p->tau, (size_t)m->nv * sizeof *p->tau);
  return SAR_OK;
}

static SarStatus step(SarSim* s) {
  Recursive* p = s->formulation_state;
  const size_t bytes = (size_t)s->m->nrow * sizeof(double);
  int iterations;
  sar_relative_begin(&p->step, s);
  if (bytes > 0) memcpy(s->d->lambda, p->step.multiplier, bytes);
  SAR_TRY(iterate(p, s, &iterations));
  if (bytes > 0) memcpy(p->step.multiplier, s->d->lambda, bytes);
  if (s->m->nrow > 0) {
    project(p, s);
    SAR_TRY(correct_multipliers(p, s));
  }
  sar_relative_finish(&p->step, s, iterations);
  return SAR_OK;
}

const SarFormulation sar_formulation_recursive = {
    .name = "recursive",
    .doc = "implicit, articulated bodies, fixed-point iteration; for forces that are not stiff",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003; Featherstone 2008",
    .shape = SAR_SHAPE_STEP,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .regroup = sar_relative_regroup,
    .accel = accel,
    .step = step,
};
