// Paper 000's fully recursive method: accelerations of articulated bodies (ABA), O(n), loops closed
// by Lagrange multipliers through the Schur complement Psi M^-1 Psi', and the implicit step solved
// by fixed-point (functional) iteration.
//
//   a = ABA(Q - Psi' lambda),   x <- x + (a - a(x)) / a_x,   a(x): what the scheme makes of x
//
// No tangent is formed, so stiff forces must be slow compared with the step: the iteration
// contracts by h^2/4 times the largest eigenvalue of M^-1 K. Loops would be infinitely stiff; their
// multipliers are therefore corrected in every iteration by what takes the violation away,
//
//   Psi M^-1 Psi' dlambda = a_x Phi + Psi (a - a(x))
//
// through the sparse factor of M + Psi' w Psi, as in `hybrid`, also near singular positions
// (dynamics/saddle.h). In the iteration as published a fixed penalty stands there, and steps must
// be short.
//
// Sources: Cuadrado et al. 2003, sec. 4.4; Featherstone 2008, ch. 7. Cost: O(n b^2) an iteration, b
// the width of the factor's envelope: linear for chains of loops.
#include "base/block.h"
#include "dynamics/projection.h"
#include "dynamics/saddle.h"
#include "formulations/implicit/relative.h"

#include <math.h>
#include <string.h>

enum { PROJECTIONS = 3 };

typedef struct Recursive {
  SarRelative step;
  double* tau;  // nv: joint forces, without those of the loops
  double* a;    // nv: accelerations of the scheme; how far they are from those of the bodies
  double* mu;   // nrow
} Recursive;

static void lay_out(Recursive* p, const SarModel* m, const int* row_order, SarBlock* b) {
  sar_relative_layout(&p->step, m, row_order, false, b);
  SAR_PIECE(b, p->tau, m->nv);
  SAR_PIECE(b, p->a, m->nv);
  SAR_PIECE(b, p->mu, m->nrow);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Recursive p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, NULL, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Recursive* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, s->row_order, &b);
  sar_relative_declare(&p->step, s);
  sar_ahead_declare(&p->step.ahead, s);
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

// x -= M^-1 Psi' (Psi M^-1 Psi')^-1 e, up to what is hardly held; d->v or d->a, step.x is free by
// then
static void take_off(Recursive* p, const SarModel* m, const double* e, double* x) {
  sar_augmented_correct(&p->step.system, m, e, p->step.x);
  for (int i = 0; i < m->nv; i++) x[i] += p->step.x[i];
}

// e = Psi x + b
static void row_values(const SarSim* s, const double* x, double factor, const double* b,
                       double* e) {
  sar_constraint_multiply(s->m, s->d, x, e);
  for (int k = 0; k < s->m->nrow; k++) e[k] += factor * b[k];
}

// x and lambda by one iteration. moved: the largest increment. solved: as in hybrid.c.
static SarStatus improve(Recursive* p, SarSim* s, double* moved, bool* solved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarStepGains gains = {.row_size = s->row_size};
  double *r = p->step.r, *e = p->step.e, *a = p->a;
  memcpy(a, d->a, (size_t)m->nv * sizeof *a);
  memcpy(p->tau, d->tau, (size_t)m->nv * sizeof *p->tau);
  SarStatus st = articulated(p, s);
  if (st == SAR_OK && m->nrow > 0) st = sar_augmented_factor_step(&p->step.system, m, d, &gains);
  // models without inertia are refused before: forces have grown beyond all bounds
  if (st != SAR_OK) return st == SAR_SINGULAR ? SAR_NOT_CONVERGED : st;
  for (int i = 0; i < m->nv; i++) a[i] = (d->a[i] - a[i]) / p->step.rates.a;
  row_values(s, a, 1, d->Phi, e);
  memset(r, 0, (size_t)m->nv * sizeof *r);
  *solved = m->nrow == 0 || sar_saddle_solve(&p->step.saddle, &p->step.factored, e, r, p->mu);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += p->step.rates.a * p->mu[k];
  for (int i = 0; i < m->nv; i++) p->step.x[i] += r[i] += a[i];
  *moved = sar_largest(m->nv, r, p->step.unit, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

// The same where joints have dry friction, of which what holds is infinitely stiff too: it joins
// the loops in the matrix, and all else is left to the iteration as before.
//
//   (M + (v_x / a_x) g) dx + Psi' dlambda / a_x = (Q - M a - Psi' lambda) / a_x,   Psi dx = -Phi
static SarStatus improve_holding(Recursive* p, SarSim* s, double* moved, bool* solved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarStepRates* to = &p->step.rates;
  const SarStepGains gains = {.row_size = s->row_size, .gain_stick = to->v / to->a};
  double* r = p->step.r;
  const SarStatus st = sar_augmented_factor_step(&p->step.system, m, d, &gains);
  if (st != SAR_OK) return st == SAR_SINGULAR ? SAR_NOT_CONVERGED : st;
  sar_relative_residual(&p->step, s);
  for (int i = 0; i < m->nv; i++) r[i] /= to->a;
  *solved = sar_saddle_solve(&p->step.saddle, &p->step.factored, d->Phi, r, p->mu);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += to->a * p->mu[k];
  for (int i = 0; i < m->nv; i++) p->step.x[i] += r[i];
  *moved = sar_largest(m->nv, r, p->step.unit, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

static SarStatus iterate(Recursive* p, SarSim* s, int* iterations) {
  double moved = HUGE_VAL, before = HUGE_VAL;
  bool solved = false, switched;
  const bool friction = p->step.stiction.count > 0;
  for (*iterations = 0;; ++*iterations) {
    sar_relative_move(&p->step, s);
    sar_relative_evaluate(s);
    const bool more = sar_relative_has_slipped(&p->step, s, &switched);
    if (solved && !more && sar_relative_is_converged(&p->step, s, moved, before) &&
        sar_relative_open(s, s->d->Phi) <= s->options.newton_tolerance)
      return SAR_OK;
    if (*iterations >= sar_stiction_iterations(&p->step.stiction, s->options.max_iterations))
      return SAR_NOT_CONVERGED;
    before = moved;
    SAR_TRY(friction ? improve_holding(p, s, &moved, &solved) : improve(p, s, &moved, &solved));
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
    take_off(p, m, e, d->v);
  }
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_constraint_rates(m, d);
  memcpy(r, d->a, (size_t)m->nv * sizeof *r);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    row_values(s, d->a, -1, d->gamma, e);
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
  sar_augmented_correct(&p->step.system, m, e, p->step.x);
  sar_augmented_multiply_rows(&p->step.system, m, p->step.x, p->mu);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += p->mu[k] + p->step.system.weight[k] * e[k];
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
  sar_stiction_freeze(&p->step.stiction, s->m, s->d);
  if (bytes > 0) memcpy(p->step.multiplier, s->d->lambda, bytes);
  if (s->m->nrow > 0) {
    project(p, s);
    SAR_TRY(correct_multipliers(p, s));
  }
  return sar_relative_finish(&p->step, s, iterations);
}

const SarFormulation sar_formulation_recursive = {
    .name = "recursive",
    .doc = "implicit, articulated bodies, fixed-point iteration; for forces that are not stiff",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003; Featherstone 2008",
    .shape = SAR_SHAPE_STEP,
    .tried = SAR_TRY_TREES | SAR_TRY_LOOPS,
    .friction = SAR_FRICTION_FOUND,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .ends_evaluated = true,
    .state_size = state_size,
    .start = start,
    .init = sar_relative_init,
    .adopt = sar_relative_adopt,
    .regroup = sar_relative_regroup,
    .look = sar_relative_look,
    .accel = accel,
    .implicit = {.step = step},
};
