// Paper 000's hybrid: index-3 augmented Lagrangian with projections of velocities and
// accelerations, in relative coordinates, implicit in positions.
//
// Unknown: the displacement x of the step. Newton on the equations of motion at its end,
//
//   f = M a + Psi' lambda - Q = 0,   T = M + (v_x C + K + Psi' alpha Psi) / a_x
//   T dx = -(f + Psi' alpha Phi) / a_x,   lambda += alpha (Phi + Psi dx),
//     again with Phi + Psi dx for Phi
//
// This is the augmented Lagrangian with its multipliers updated by what Phi will be: alpha times
// the Phi that is found after the increment would carry its square, which a large alpha makes a
// large force. The second line is repeated, with conjugate gradients near singular positions
// (dynamics/saddle.h), until Psi dx = -Phi: what an iteration leaves is then Newton's alone, and
// shrinks at the same rate at any position.
//
// with a_x = da/dx and v_x = dv/dx of the integrator. M and the bias come from the tree
// recursively, C and K are the damping and stiffness of the applied forces; how M, the bias and Psi
// change with x is left out: that costs an iteration or two a step, and T stays symmetric and
// definite at any position.
//
// T is factored once a step, and again only where increments shrink slowly (newton.c). Where T is
// from an earlier iteration, so is the Psi beside alpha: a difference of the two, times alpha,
// would be a force of its own.
//
// Positions satisfy Phi = 0 then, velocities and accelerations do not: they are projected with the
// same T (project.c), and multipliers are corrected likewise.
//
// alpha: the multiplier iteration takes away all but 1 / (1 + g) of a violation in each pass, g the
// eigenvalue of Psi M^-1 Psi' alpha / a_x in its direction. A fixed alpha makes g fall with h^2 and
// with the units: with alpha = 1e7 and h = 1 ms the double four-bar has g = 2 at its best
// positions. So by default alpha / a_x is 1e8 over the row's own diagonal (augmented.h), the row as
// long as it usually is: the same g for any step and any units, and a row that vanishes at a
// singular position loses its grip there.
//
// Source: Cuadrado, Dopico, Gonzalez and Naya 2003, secs. 2 and 3.
#include "base/block.h"
#include "formulations/implicit/relative.h"

#include <string.h>

static const double CLOSED = 1e-10;
static const double KEEP = 0.01;  // a factor costs less than an iteration
static const double FORGETTING = 0.8;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  SarRelative p;
  SarBlock b = sar_block(NULL, sizeof p);
  sar_relative_layout(&p, m, NULL, true, &b);
  return b.used;
}

static SarStatus factor(SarRelative* p, SarSim* s) {
  const SarStepRates* to = &p->rates;
  const double gain_C = to->v / to->a;
  const SarStepGains gains = {gain_C, 1 / to->a, s->options.penalty, s->row_size, gain_C};
  return sar_augmented_factor_step(&p->system, s->m, s->d, &gains);
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  SarRelative* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  sar_relative_layout(p, s->m, s->row_order, true, &b);
  sar_relative_declare(p, s);
  sar_ahead_declare(&p->ahead, s);
  sar_relative_declare_rate(p, s);
  p->ops = (SarRelativeOps){.move = sar_relative_move,
                            .factor = factor,
                            .residual = sar_relative_residual,
                            .closed = CLOSED,
                            .closed_a = CLOSED,
                            .multipliers = true,
                            .keep = KEEP,
                            .forgetting = FORGETTING};
  return SAR_OK;
}

static SarStatus accel(SarSim* s) {
  SarRelative* p = s->formulation_state;
  return sar_relative_accel(p, s);
}

static SarStatus step(SarSim* s) {
  SarRelative* p = s->formulation_state;
  const size_t bytes = (size_t)s->m->nrow * sizeof(double);
  int iterations;
  sar_relative_begin(p, s);
  if (bytes > 0) memcpy(s->d->lambda, p->multiplier, bytes);
  SAR_TRY(sar_relative_iterate(p, s, &iterations));
  sar_stiction_freeze(&p->stiction, s->m, s->d);
  if (bytes > 0) {
    memcpy(p->multiplier, s->d->lambda, bytes);
    sar_relative_project(p, s);
  }
  return sar_relative_finish(p, s, iterations);
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
