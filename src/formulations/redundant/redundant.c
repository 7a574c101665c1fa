// Paper 002's redundant coordinates: free bodies in absolute coordinates and momentum form, all
// joints as constraints (index-3 DAE), implicit by two-step rules with adjustable dissipation.
//
//   P = M x',   P' + Psi' lambda = Q,   Phi = 0           at the end of the step (momenta.h)
//
// Momenta are eliminated from the system by hand, since theirs is a triangle: with P = P_known +
// gain P' and x = x_known + gain x' what is left are corrections of positions, and multipliers,
//
//   gain r = P_known - P + gain (Q - Psi' lambda) = 0
//
// solved by Newton's iteration with the analytic Jacobian of system.h, factored once a step and
// again where increments shrink slowly. Then velocities and accelerations are projected onto the
// constraints with the same factor (implicit/project.c), as `hybrid` does: without this the
// trapezoidal end of the family (rho = 1) is weakly unstable under constraints, and the velocities
// of all others are off by what one step adds. What is left out of the Jacobian: how the rest of
// the bodies turns with Psi' lambda (turning.c has each body's own part), and the inflow of rotors.
//
// Sources: Morandini, Masarati and Mantegazza, Performance improvements in real-time
// general-purpose multibody virtual experiment on rotorcraft systems, 31st European Rotorcraft
// Forum (2005); Masarati, Lanz and Mantegazza 2001 for the rules.
#include "base/arena.h"
#include "base/touch.h"
#include "dynamics/cut_joints.h"
#include "dynamics/displacement.h"
#include "formulations/implicit/relative.h"
#include "formulations/redundant/system.h"
#include "model/room.h"

#include <string.h>

static const double CLOSED = 1e-11;
static const double KEEP = 0.1;         // a factor costs more than an iteration
static const double CLOSED_A = 1e-6;    // the rule's own error is more
static const double FORGETTING = 0.95;  // the Jacobian lacks the same from step to step
static const double LEAST_RATE = 1e-4;
static const double SHARE = 1e6;  // 1e-3 of the correction, where the tolerance is 1e-9

typedef struct Redundant {
  SarRelative step;
  SarMomenta momenta;
  SarAbsoluteSystem system;
  SarArena arena;
  SarBudget budget;
  bool fresh;  // the system was factored in a step, and accelerations were not asked for since
} Redundant;

static void lay_out(Redundant* p, const SarModel* m, const int* row_order, SarBlock* b) {
  sar_relative_layout(&p->step, m, row_order, true, b);
  sar_momenta_layout(&p->momenta, m, b);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Redundant p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, NULL, &b);
  return b.used;
}

static void move(SarRelative* step, SarSim* s) {
  Redundant* p = (Redundant*)(void*)step;
  sar_momenta_move(&p->momenta, s, step->x);
  sar_expect_cuts(s, step->rates.h, s->d->q);
}

static SarStatus factor(SarRelative* step, SarSim* s) {
  Redundant* p = (Redundant*)(void*)step;
  const bool firm = step->saddle.firm && !step->saddle.redundant;
  return sar_absolute_system_factor(&p->system, s->d, p->momenta.gain, s->row_size, firm);
}

static void residual(SarRelative* step, SarSim* s) {
  Redundant* p = (Redundant*)(void*)step;
  sar_momenta_residual(&p->momenta, s, step->r);
  sar_constraint_add_transposed(s->m, s->d, -1, s->d->lambda, step->r);
  sar_absolute_system_shift(&p->system, s->d, step->rates.a, step->r);
}

static void balance(SarRelative* step, SarSim* s) {
  Redundant* p = (Redundant*)(void*)step;
  sar_momenta_balance(&p->momenta, s, step->r);
  sar_constraint_add_transposed(s->m, s->d, -1, s->d->lambda, step->r);
}

static SarStatus start(SarSim* s, SarError* err) {
  Redundant* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, s->row_order, &b);
  p->budget = sar_budget_for(s->m, 0, "ordering the equations of absolute coordinates");
  p->arena = (SarArena){.budget = &p->budget};
  sar_relative_declare(&p->step, s);
  sar_ahead_declare(&p->step.ahead, s);
  sar_relative_declare_rate(&p->step, s);
  sar_momenta_declare(&p->momenta, s);
  p->step.ops = (SarRelativeOps){.move = move,
                                 .factor = factor,
                                 .residual = residual,
                                 .balance = balance,
                                 .closed = CLOSED,
                                 .closed_a = CLOSED_A,
                                 .keep = KEEP,
                                 .forgetting = FORGETTING,
                                 .least_rate = LEAST_RATE,
                                 .share = SHARE,
                                 .leaps = true};
  const bool made = sar_absolute_system_new(&p->system, s->m, &p->momenta, &p->arena);
  p->step.factored = sar_absolute_system_view(&p->system);
  sar_arena_touch(&p->arena);
  return sar_budget_verdict(&p->budget, made ? SAR_OK : SAR_NO_MEMORY, err);
}

static void finish(SarSim* s) {
  Redundant* p = s->formulation_state;
  sar_arena_free(&p->arena);
}

static SarStatus accel(SarSim* s) {
  Redundant* p = s->formulation_state;
  p->fresh = false;
  p->step.saddle.firm = false;
  return sar_relative_accel(&p->step, s);
}

// After a step by its own factor, where a run begins by that of the accelerations.
static void look(SarSim* s) {
  Redundant* p = s->formulation_state;
  const SarFactored begin = sar_augmented_view(&p->step.system, s->m);
  // rows beside a singular position are not firm (saddle.h), and those far from one are
  sar_ahead_look(&p->step.ahead, s, p->fresh ? &p->step.factored : &begin, false);
}

static void begin(Redundant* p, SarSim* s) {
  const double h = s->stop - s->start.t;
  const SarRuleWeights w = sar_momenta_weights(&p->momenta, s, h);
  sar_relative_prepare(&p->step, s, sar_rule_rates(w.b0, h));
  sar_relative_extrapolate(&p->step, s->m->nv, p->step.r);
  sar_momenta_begin(&p->momenta, s, p->step.r);
  sar_momenta_expect(&p->momenta, s, p->step.x);
  p->step.saddle.firm = !*p->step.ahead.near && *p->step.ahead.clear > 0;
}

static SarStatus step(SarSim* s) {
  Redundant* p = s->formulation_state;
  const size_t nv = (size_t)s->m->nv, nrow = (size_t)s->m->nrow;
  int iterations;
  begin(p, s);
  if (nrow > 0) memcpy(s->d->lambda, p->step.multiplier, nrow * sizeof(double));
  SAR_TRY(sar_relative_iterate(&p->step, s, &iterations));
  sar_stiction_freeze(&p->step.stiction, s->m, s->d);
  sar_momenta_keep(&p->momenta, s, p->step.x, p->step.unit);
  memcpy(p->step.A, s->d->a, nv * sizeof(double));
  if (nrow > 0) {
    memcpy(p->step.multiplier, s->d->lambda, nrow * sizeof(double));
    sar_relative_project(&p->step, s);
  }
  if (s->adaptive) sar_momenta_estimate(&p->momenta, s);
  sar_momenta_finish(&p->momenta, s);
  p->fresh = true;
  return sar_relative_finish(&p->step, s, iterations);
}

static void error(SarSim* s, double* e) {
  const Redundant* p = s->formulation_state;
  memcpy(e, p->momenta.error, (size_t)(2 * s->m->nv + s->m->nz) * sizeof *e);
}

const SarFormulation sar_formulation_redundant = {
    .name = "redundant",
    .doc = "implicit, absolute coordinates in momentum form, multipliers for all joints; sparse",
    .ref = "Morandini, Masarati and Mantegazza 2005",
    .why = "",
    .shape = SAR_SHAPE_MULTISTEP,
    .absolute = true,
    .friction = SAR_FRICTION_FOUND,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .init = sar_relative_init,
    .adopt = sar_relative_adopt,
    .regroup = sar_relative_regroup,
    .look = look,
    .accel = accel,
    .implicit = {.step = step, .error = error},
};
