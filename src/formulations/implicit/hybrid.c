// Paper 000's hybrid: index-3 augmented Lagrangian with projections of velocities and
// accelerations, in relative coordinates, implicit in positions.
//
// Unknown: the displacement x of the step. Newton on the equations of motion at its end,
//
//   f = M a + Psi' lambda - Q = 0,   T = M + (v_x C + K + Psi' alpha Psi) / a_x
//   T dx = -(f + Psi' alpha Phi) / a_x,   lambda += alpha (Phi + Psi dx),   again with Phi + Psi dx for Phi
//
// This is the augmented Lagrangian with its multipliers updated by what Phi will be: alpha times the Phi
// that is found after the increment would carry its square, which a large alpha makes a large force. The
// second line is repeated, with conjugate gradients near singular positions (dynamics/saddle.h), until Psi dx = -Phi:
// what an iteration leaves is then Newton's alone, and shrinks at the same rate at any position.
//
// with a_x = da/dx and v_x = dv/dx of the integrator. M and the bias come from the tree recursively, C and K
// are the damping and stiffness of the applied forces; how M, the bias and Psi change with x is left
// out: that costs an iteration or two a step, and T stays symmetric and definite at any position.
//
// T is factored once a step, and again only where increments shrink slowly. Where T is from an earlier
// iteration, so is the Psi beside alpha: a difference of the two, times alpha, would be a force of its own.
// How fast increments shrink also tells what the last one left, and changes little from step to step:
// smooth motion needs one iteration, and a second one now and then to measure the rate anew.
//
// Positions satisfy Phi = 0 then, velocities and accelerations do not: they are projected with the same T,
//
//   T dv = -Psi' (alpha / a_x) Phi',    T da = -Psi' (alpha / a_x) Phi''
//
// each pass taking away all but a share 1 / (1 + grip), and multipliers are corrected likewise.
//
// alpha: the multiplier iteration takes away all but 1 / (1 + g) of a violation in each pass, g the
// eigenvalue of Psi M^-1 Psi' alpha / a_x in its direction. A fixed alpha makes g fall with h^2 and with
// the units: with alpha = 1e7 and h = 1 ms the double four-bar has g = 2 at its best positions. So by default
// alpha / a_x is 1e8 over the row's own diagonal (augmented.h), the row as long as it usually is: the same g
// for any step and any units, and a row that vanishes at a singular position loses its grip there. Projections
// leave the velocity alone that rows hardly hold: it is the scheme's, right to its order, while what would hold
// it is as uncertain as the position over the lever.
//
// Sources: Cuadrado, Dopico, Gonzalez and Naya 2003, secs. 2 and 3; Hairer and Wanner, Solving Ordinary
// Differential Equations II (1996), sec. IV.8, for ending an iteration by its rate.
#include "base/block.h"
#include "dynamics/projection.h"
#include "dynamics/saddle.h"
#include "formulations/implicit/relative.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PROJECTIONS = 4 };
static const double CLOSED = 1e-10;    // what projections leave of velocities and accelerations
static const double KEEP = 0.01;       // increments that shrink so fast need no new factor
static const double SLIGHT = 1e-3;     // corrections of multipliers after which none is needed
static const double CAUTION = 10;      // errors that are only estimated count so many times
static const double FORGETTING = 0.8;  // exponent: a rate not measured for a step is believed less

typedef struct Hybrid {
  SarRelative step;
  double* rate;  // state: an increment over the one before, as measured last
} Hybrid;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Hybrid p;
  SarBlock b = sar_block(NULL, sizeof p);
  sar_relative_layout(&p.step, m, NULL, true, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Hybrid* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  sar_relative_layout(&p->step, s->m, s->row_order, true, &b);
  sar_relative_declare(&p->step, s);
  sar_ahead_declare(&p->step.ahead, s);
  sar_state_doubles(s, "rate", &p->rate, 1);
  return SAR_OK;
}

static SarStatus accel(SarSim* s) {
  Hybrid* p = s->formulation_state;
  return sar_relative_accel(&p->step, s);
}

// ---- iteration ----------------------------------------------------------------------------------

// One Newton iteration: dx and dlambda, added to x and lambda. moved: the largest of dx. solved: that is all of
// it, or dx only closes the loops.
//
//   T0 dx + Psi' dlambda / a_x = r / a_x,   Psi dx = -Phi,   T0: T without constraints
static SarStatus improve(Hybrid* p, SarSim* s, bool factor, double* moved, bool* solved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarStepRates* to = &p->step.rates;
  double *r = p->step.r, *e = p->step.e;
  const double gain_C = to->v / to->a;
  const SarStepGains gains = {gain_C, 1 / to->a, s->options.penalty, s->row_size, gain_C};
  if (factor) SAR_TRY(sar_augmented_factor_step(&p->step.system, m, d, &gains));
  sar_relative_residual(&p->step, s);
  for (int i = 0; i < m->nv; i++) r[i] /= to->a;
  *solved = sar_saddle_solve(&p->step.saddle, &p->step.system, m, d->Phi, r, e);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += to->a * e[k];
  for (int i = 0; i < m->nv; i++) p->step.x[i] += r[i];
  *moved = sar_largest(m->nv, r, p->step.unit, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

// Increments shrink by a factor `rate`: what the last one leaves, as an estimate to be believed.
static double left_after(double moved, double rate) {
  return rate < 1 ? CAUTION * moved * rate / (1 - rate) : HUGE_VAL;
}

// Phi and Psi where d is, no velocities and no forces.
static void evaluate_positions(SarSim* s) {
  s->stats.calls++;
  sar_update_positions(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
}

static bool is_closed(const SarSim* s) {
  return sar_relative_open(s, s->d->Phi) <= s->options.newton_tolerance;
}

// Ends with the error of x below the tolerance and d evaluated there, what is open being below it too.
// Where a projection follows, velocities and forces are left to it.
static SarStatus iterate(Hybrid* p, SarSim* s, int* iterations) {
  double moved = HUGE_VAL, before = HUGE_VAL;
  bool small = false, solved, switched = false;
  const bool friction = p->step.stiction.count > 0;
  double* rate = p->rate;
  *rate = s->restart ? 1 : pow(*rate, FORGETTING);
  for (*iterations = 0;; ++*iterations) {
    sar_relative_move(&p->step, s);
    if (small && s->m->nrow > 0 && !friction) {
      evaluate_positions(s);
      if (is_closed(s)) return SAR_OK;
      sar_update_velocities(s->m, s->d);
      sar_update_forces_again(s->m, s->d);
    } else {
      sar_relative_evaluate(s);
      const bool more = friction && sar_relative_has_slipped(&p->step, s, &switched);
      if (small && !more && is_closed(s)) return SAR_OK;
      if (switched) *rate = 1;
    }
    if (*iterations >= sar_stiction_iterations(&p->step.stiction, s->options.max_iterations))
      return SAR_NOT_CONVERGED;
    before = moved;
    SAR_TRY(improve(p, s, *iterations == 0 || !(*rate <= KEEP), &moved, &solved));
    if (*iterations > 0) *rate = switched ? 1 : fmax(moved / before, DBL_EPSILON);
    if (!solved) *rate = 1;
    small = solved && (sar_relative_is_converged(&p->step, s, moved, before) ||
                       sar_relative_is_small(&p->step, s, left_after(moved, *rate)));
  }
}

// ---- projection ---------------------------------------------------------------------------------

// The speed of the motion, and where it turns round what it gains in a step.
static double speed_of(const SarRelative* p, const SarSim* s) {
  const int nv = s->m->nv;
  int unused;
  return fmax(sar_largest(nv, s->d->v, p->unit, &unused),
              p->rates.h * sar_largest(nv, s->d->a, p->unit, &unused));
}

// v <- v - T^-1 Psi' w (Psi v + Phi_t)
static void project_velocities(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const double closed = CLOSED * speed_of(p, s);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    if (sar_relative_open(s, d->Phi_dot) <= closed) break;
    sar_augmented_correct(&p->system, m, d->Phi_dot, p->r);
    for (int i = 0; i < m->nv; i++) d->v[i] += p->r[i];
    sar_constraint_multiply(m, d, p->r, p->e);
    for (int k = 0; k < m->nrow; k++) d->Phi_dot[k] += p->e[k];
  }
}

// a <- a - T^-1 Psi' w (Psi a - gamma); two passes leave 1 / grip^2 of it, one is often enough
static void project_accelerations(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  int unused;
  const double closed = CLOSED * sar_largest(m->nv, d->a, p->unit, &unused);
  for (int pass = 0; pass < 2; pass++) {
    sar_constraint_multiply(m, d, d->a, p->e);
    for (int k = 0; k < m->nrow; k++) p->e[k] -= d->gamma[k];
    if (sar_relative_open(s, p->e) <= closed) break;
    sar_augmented_correct(&p->system, m, p->e, p->r);
    for (int i = 0; i < m->nv; i++) {
      d->a[i] += p->r[i];
      p->A[i] += p->rates.a_to_A * p->r[i];
    }
  }
}

// Multipliers of rows as torques: those of lengths are forces, and act on a lever of the mechanism's size.
static double largest_load(const SarSim* s, const double* lambda) {
  double most = 0;
  for (int k = 0; k < s->m->nrow; k++) most = fmax(most, fabs(lambda[k]) * s->row_unit[k]);
  return most;
}

// The multipliers that go with what was projected: Psi' dlambda = r as well as constraint forces can,
// r what is left of the equations of motion, linear in lambda. Those of the iteration belong to
// accelerations of the scheme, which ring where constraints prescribe the motion.
static void correct_multipliers(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double* x = p->x;  // the step's displacement is not needed any more
  sar_relative_residual(p, s);
  for (int pass = 0; pass < 2; pass++) {
    memcpy(x, p->r, (size_t)m->nv * sizeof *x);
    sar_augmented_apply(&p->system, m, x);
    sar_augmented_multiply_rows(&p->system, m, x, p->e);
    for (int k = 0; k < m->nrow; k++) d->lambda[k] += p->e[k];
    if (largest_load(s, p->e) <= SLIGHT * largest_load(s, d->lambda)) break;
    sar_constraint_add_transposed(m, d, -1, p->e, p->r);
  }
}

static void project(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_constraint_speeds(m, d);
  if (s->projection) s->projection->drift = sar_violation(m, d);
  project_velocities(p, s);
  sar_update_velocities(m, d);
  sar_update_forces_again(m, d);
  sar_update_constraint_rates(m, d);
  project_accelerations(p, s);
  correct_multipliers(p, s);
}

static SarStatus step(SarSim* s) {
  Hybrid* p = s->formulation_state;
  const size_t bytes = (size_t)s->m->nrow * sizeof(double);
  int iterations;
  sar_relative_begin(&p->step, s);
  if (bytes > 0) memcpy(s->d->lambda, p->step.multiplier, bytes);
  SAR_TRY(iterate(p, s, &iterations));
  sar_stiction_freeze(&p->step.stiction, s->m, s->d);
  if (bytes > 0) {
    memcpy(p->step.multiplier, s->d->lambda, bytes);
    project(&p->step, s);
  }
  return sar_relative_finish(&p->step, s, iterations);
}

const SarFormulation sar_formulation_hybrid = {
    .name = "hybrid",
    .doc = "implicit, relative coordinates, augmented Lagrangian; large steps, real time",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003",
    .why = "",
    .shape = SAR_SHAPE_STEP,
    .tried = SAR_TRY_TREES | SAR_TRY_LOOPS,
    .recommended = true,
    .friction = SAR_FRICTION_FOUND,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .init = sar_relative_init,
    .adopt = sar_relative_adopt,
    .regroup = sar_relative_regroup,
    .look = sar_relative_look,
    .accel = accel,
    .implicit = {.step = step},
};
