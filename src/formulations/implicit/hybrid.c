// Paper 000's hybrid: relative coordinates, loops by an augmented Lagrangian, implicit in positions.
//
// Unknown: the displacement x of the step. Newton on the equations of motion at its end,
//
//   f = M a + Psi' (alpha Phi + lambda*) - Q = 0,     lambda* += alpha Phi after every iteration
//   T dx = -f / a_x,   T = M + (v_x C + K + Psi' alpha Psi) / a_x
//
// with a_x = da/dx and v_x = dv/dx of the integrator. M and the bias come from the tree recursively, C and K
// are the damping and stiffness of the applied forces; how M, the bias and Psi change with x is left
// out: that costs an iteration or two a step, and T stays symmetric and definite at any position.
//
// Positions satisfy Phi = 0 then, velocities and accelerations do not: they are projected with the same T,
//
//   T dv = -Psi' (alpha / a_x) Phi',    T da = -Psi' (alpha / a_x) Phi''
//
// each pass taking away all but a share 1 / (1 + grip), and multipliers are corrected likewise.
//
// alpha: the multiplier iteration takes away all but 1 / (1 + g) of a violation in each pass, g the
// eigenvalue of Psi M^-1 Psi' alpha / a_x in its direction. A fixed alpha makes g fall with h^2 and with
// the units, and where a row loses its grip g vanishes with it: with alpha = 1e7 and h = 1 ms the double
// four-bar has g = 2 at its best positions, and hardly converges near the singular ones. So by default
// alpha / a_x is 1e8 over the row's own diagonal (augmented.h): the same g for any step and any units.
//
// Source: Cuadrado, Dopico, Gonzalez and Naya 2003, secs. 2 and 3.
#include "base/pieces.h"
#include "dynamics/projection.h"
#include "formulations/implicit/relative.h"

#include <math.h>
#include <string.h>

enum { PROJECTIONS = 4 };
static const double CLOSED = 1e-10;  // what projections leave of velocities [m/s or rad/s]

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  return sar_rounded(sizeof(SarRelative)) + sar_relative_size(m, true);
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  unsigned char* at = s->formulation_state;
  SarRelative* p = sar_cut(&at, sizeof *p);
  sar_relative_cut(p, s, true, &at);
  return SAR_OK;
}

static SarStatus accel(SarSim* s) { return sar_relative_accel(s->formulation_state, s); }

// lambda = lambda* + alpha Phi
static void push_back(SarRelative* p, const SarSim* s) {
  for (int k = 0; k < s->m->nrow; k++)
    s->d->lambda[k] = p->multiplier[k] + p->rates.a * p->system.weight[k] * s->d->Phi[k];
}

// One Newton iteration: dx, added to x. Returns the largest of it.
static SarStatus improve(SarRelative* p, SarSim* s, double* moved) {
  const SarModel* m = s->m;
  const SarStepGains gains = {p->rates.v / p->rates.a, 1 / p->rates.a, s->options.penalty};
  SAR_TRY(sar_augmented_factor_step(&p->system, m, s->d, &gains));
  push_back(p, s);
  sar_relative_residual(p, s);
  for (int i = 0; i < m->nv; i++) p->r[i] /= p->rates.a;
  sar_augmented_apply(&p->system, m, p->r);
  for (int i = 0; i < m->nv; i++) p->x[i] += p->r[i];
  *moved = sar_largest(m->nv, p->r, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

// Ends with d evaluated where x is, the last increment and what is open below the tolerance.
static SarStatus iterate(SarRelative* p, SarSim* s, int* iterations) {
  int unused;
  double moved = HUGE_VAL, before = HUGE_VAL;
  for (*iterations = 0;; ++*iterations) {
    sar_relative_move(p, s);
    sar_relative_evaluate(s);
    if (*iterations > 0) {
      push_back(p, s);
      memcpy(p->multiplier, s->d->lambda, (size_t)s->m->nrow * sizeof *p->multiplier);
    }
    if (sar_relative_is_converged(p, s, moved, before) &&
        sar_largest(s->m->nrow, s->d->Phi, &unused) <= s->options.newton_tolerance)
      return SAR_OK;
    if (*iterations == s->options.max_iterations) return SAR_NOT_CONVERGED;
    before = moved;
    SAR_TRY(improve(p, s, &moved));
  }
}

// v <- v - T^-1 Psi' w (Psi v + Phi_t)
static void project_velocities(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  int unused;
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    if (sar_largest(m->nrow, d->Phi_dot, &unused) <= CLOSED) break;
    sar_augmented_correct(&p->system, m, d->Phi_dot, p->r);
    for (int i = 0; i < m->nv; i++) d->v[i] += p->r[i];
    sar_constraint_multiply(m, d, p->r, p->e);
    for (int k = 0; k < m->nrow; k++) d->Phi_dot[k] += p->e[k];
  }
}

// a <- a - T^-1 Psi' w (Psi a - gamma); two passes leave 1 / grip^2 of it
static void project_accelerations(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  for (int pass = 0; pass < 2; pass++) {
    sar_constraint_multiply(m, d, d->a, p->e);
    for (int k = 0; k < m->nrow; k++) p->e[k] -= d->gamma[k];
    sar_augmented_correct(&p->system, m, p->e, p->r);
    for (int i = 0; i < m->nv; i++) {
      d->a[i] += p->r[i];
      p->A[i] += p->rates.a_to_A * p->r[i];
    }
  }
}

// The multipliers that go with what was projected: Psi' dlambda = r as well as constraint forces can,
// r what is left of the equations of motion. Those of the iteration belong to accelerations of the
// scheme, which ring where constraints prescribe the motion.
static void correct_multipliers(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  for (int pass = 0; pass < 2; pass++) {
    sar_relative_residual(p, s);
    sar_augmented_apply(&p->system, m, p->r);
    sar_constraint_multiply(m, d, p->r, p->e);
    for (int k = 0; k < m->nrow; k++) d->lambda[k] += p->system.weight[k] * p->e[k];
  }
}

static void project(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_constraint_rates(m, d);
  if (s->projection) s->projection->drift = sar_violation(m, d);
  project_velocities(p, s);
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_constraint_rates(m, d);
  project_accelerations(p, s);
  correct_multipliers(p, s);
}

static SarStatus step(SarSim* s) {
  SarRelative* p = s->formulation_state;
  int iterations;
  sar_relative_begin(p, s);
  SAR_TRY(iterate(p, s, &iterations));
  if (s->m->nrow > 0) project(p, s);
  sar_relative_finish(p, s, iterations);
  return SAR_OK;
}

const SarFormulation sar_formulation_hybrid = {
    .name = "hybrid",
    .doc = "implicit, relative coordinates, augmented Lagrangian; large steps, real time",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003",
    .why = "",
    .shape = SAR_SHAPE_STEP,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .regroup = sar_relative_regroup,
    .accel = accel,
    .step = step,
};
