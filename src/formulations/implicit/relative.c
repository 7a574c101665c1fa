// Implicit steps of the Newmark family in relative (joint) coordinates (relative.h): index 3 in
// positions,  M a + Psi' lambda = Q,  Phi = 0  at the end of the step.
#include "formulations/implicit/relative.h"

#include "base/block.h"
#include "dynamics/cut_joints.h"
#include "dynamics/displacement.h"
#include "dynamics/projection.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 3 };  // of the predictor

// Friction that holds is a force with a tangent.
static bool has_tangents(const SarModel* m, bool forces) {
  for (int i = 0; i < m->nv_all; i++) forces = forces || m->dof_friction[i] > 0;
  return forces;
}

void sar_relative_layout(SarRelative* p, const SarModel* m, const int* row_order, bool forces,
                         SarBlock* b) {
  SAR_PIECE(b, p->x, m->nv);
  SAR_PIECE(b, p->r, m->nv);
  SAR_PIECE(b, p->A, m->nv);
  SAR_PIECE(b, p->v, m->nv);
  SAR_PIECE(b, p->unit, m->nv);
  SAR_PIECE(b, p->e, m->nrow);
  SAR_PIECE(b, p->mu, m->nrow);
  if (b->memory) sar_dof_units(m, p->unit);
  sar_stiction_layout(&p->stiction, m, b);
  sar_ahead_layout(&p->ahead, m, b);
  sar_saddle_layout(&p->saddle, m, p->unit, b);
  // all rows act: multipliers of redundant ones only share the load
  sar_augmented_init(&p->system, m, has_tangents(m, forces), row_order, m->nrow, b);
  p->factored = sar_augmented_view(&p->system, m);
}

void sar_relative_declare(SarRelative* p, SarSim* s) {
  sar_state_doubles(s, "step.length", &p->h, 1);
  sar_state_doubles(s, "step.A0", &p->A0, s->m->nv);
  sar_state_doubles(s, "step.A1", &p->A1, s->m->nv);
  sar_state_doubles(s, "step.A2", &p->A2, s->m->nv);
  p->lag = NULL;
  if (sar_scheme_lags(&s->scheme)) sar_state_doubles(s, "step.lag", &p->lag, s->m->nv);
  sar_state_ints(s, "step.known", &p->known, 1, ORDERS);
  sar_state_ints(s, "step.order", &p->order, 1, ORDERS - 1);
  sar_state_doubles(s, "step.multiplier", &p->multiplier, s->m->nrow);
}

// ---- accelerations ------------------------------------------------------------------------------

// r = Q - bias
static void applied(SarRelative* p, SarSim* s) {
  sar_rnea(s->m, s->d, NULL, p->r);
  for (int i = 0; i < s->m->nv; i++) p->r[i] = s->d->tau[i] - p->r[i];
}

static SarStatus solve_accelerations(SarRelative* p, SarSim* s) {
  SAR_TRY(sar_augmented_factor(&p->system, s->m, s->d));
  applied(p, s);
  return sar_augmented_solve(&p->system, s->m, s->d, p->r);
}

// With what friction holds in the matrix. *solved false: near a singular position it may not be.
static SarStatus solve_holding(SarRelative* p, SarSim* s, bool factor, bool* solved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarStepGains gains = {.row_size = s->row_size, .gain_stick = 1};
  if (factor) SAR_TRY(sar_augmented_factor_step(&p->system, m, d, &gains));
  sar_stiction_loosen(&p->stiction, d);
  sar_update_forces_again(m, d);
  sar_stiction_tighten(&p->stiction, d);
  applied(p, s);
  for (int k = 0; k < m->nrow; k++) p->e[k] = -d->gamma[k];
  const SarFactored G = sar_augmented_view(&p->system, m);
  *solved = sar_saddle_solve(&p->saddle, &G, p->e, p->r, d->lambda);
  memcpy(d->a, p->r, (size_t)m->nv * sizeof *d->a);
  return SAR_OK;
}

static void update_cut_accelerations(SarRelative* p, SarSim* s, const double* a) {
  if (s->m->nv_all == s->m->nv) return;
  sar_rnea(s->m, s->d, a, p->r);  // body_A
  sar_update_cut_accelerations(s->m, s->d);
}

// Coordinates of all joints, the cuts' too, in d->v: how they change with da of the tree. Speeds
// are what is linear in those of the tree and knows no gravity, whose rounding the gains would make
// a force.
static void spread(SarSim* s, const double* da) {
  const size_t bytes = (size_t)s->m->nv * sizeof(double);
  memcpy(s->d->v, da, bytes);
  if (s->m->nv_all == s->m->nv) return;
  sar_update_velocities(s->m, s->d);
  sar_update_cut_joints(s->m, s->d);
}

// Iterative refinement of what solve_holding found: the weights of rows and of what sticks leave
// their rounding in multipliers and friction, some 1e-8 of the forces, which the equations of
// motion tell. By increments alone: rounding of a, times a weight, must not come in again
// (augmented.c).
//
//   (M + S' g S) da + Psi' dlambda = Q + f - M a - Psi' lambda,   Psi da = gamma - Psi a,
//     f -= g S da
//
// where gamma - Psi a is taken once.
static void refine_holding(SarRelative* p, SarSim* s) {
  enum { PASSES = 3 };
  static const double NOTHING = 1e-14;  // of a: rounding
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarFactored G = sar_augmented_view(&p->system, m);
  const size_t bytes = (size_t)m->nv * sizeof(double);
  bool solved = true;
  int unused;
  memcpy(p->v, d->v, bytes);
  for (int pass = 0; solved && pass < PASSES; pass++) {
    sar_stiction_refine_begin(&p->stiction, d);
    sar_update_forces_again(m, d);
    sar_relative_residual(p, s);
    sar_constraint_multiply(m, d, d->a, p->e);
    for (int k = 0; k < m->nrow; k++) p->e[k] = pass == 0 ? p->e[k] - d->gamma[k] : 0;
    solved = sar_saddle_solve(&p->saddle, &G, p->e, p->r, p->mu);
    for (int k = 0; solved && k < m->nrow; k++) d->lambda[k] += p->mu[k];
    for (int i = 0; solved && i < m->nv; i++) d->a[i] += p->r[i];
    spread(s, p->r);
    sar_stiction_refine_end(&p->stiction, m, d, solved);
    spread(s, p->v);
    if (sar_largest(m->nv, p->r, p->unit, &unused) <=
        NOTHING * sar_largest(m->nv, d->a, p->unit, &unused))
      break;
  }
  update_cut_accelerations(p, s, d->a);
}

// What rests stays at rest if friction can hold it (stiction.h): M a + Psi' lambda = Q + f, a = 0
// or |f| = F.
static SarStatus solve_at_rest(SarRelative* p, SarSim* s) {
  enum { ROUNDS = 120 };
  const SarModel* m = s->m;
  bool switched = true, before = true, solved = true;
  update_cut_accelerations(p, s, NULL);
  sar_stiction_aim(&p->stiction, m, s->d);
  for (int round = 0; solved && (switched || before) && round < ROUNDS; round++) {
    SAR_TRY(solve_holding(p, s, switched || round == 0, &solved));
    update_cut_accelerations(p, s, s->d->a);
    before = switched;
    switched = sar_stiction_switch_at_rest(&p->stiction, m, s->d);
  }
  if (solved && !switched) refine_holding(p, s);
  sar_stiction_freeze(&p->stiction, m, s->d);
  sar_update_forces_again(m, s->d);
  if (switched && solved) return SAR_NOT_CONVERGED;
  return solved ? SAR_OK : solve_accelerations(p, s);
}

void sar_relative_expect(SarRelative* p, const SarSim* s) {
  const SarRuleWeights w = sar_rule_weights(&s->rule, s->options.step, s->options.step);
  const SarStepRates usual = s->formulation->shape == SAR_SHAPE_MULTISTEP
                                 ? sar_rule_rates(w.b0, s->options.step)
                                 : sar_scheme_rates(&s->scheme, s->options.step);
  sar_stiction_expect(&p->stiction, s->m, usual.a / usual.v);
}

SarStatus sar_relative_accel(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_relative_evaluate(s);
  sar_update_constraint_rates(m, d);
  p->saddle.redundant = s->freedom.rank < s->freedom.rows;
  bool rests = false;
  if (d->friction == SAR_FRICTION_FOUND && p->stiction.count > 0) {
    sar_relative_expect(p, s);
    sar_stiction_begin(&p->stiction, m, d, 1, SAR_GRASP_LINEAR);
    rests = sar_stiction_rests(&p->stiction, m, d);
    if (!rests) sar_update_forces_again(m, d);
  }
  SAR_TRY(rests ? solve_at_rest(p, s) : solve_accelerations(p, s));
  sar_update_constraint_work(m, d);
  return SAR_OK;
}

SarStatus sar_relative_come_to_rest(SarRelative* p, SarSim* s) {
  SarData* d = s->d;
  const size_t bytes = (size_t)s->m->nv * sizeof(double);
  if (!sar_stiction_holds(&p->stiction)) return SAR_OK;
  memcpy(p->x, d->a, bytes);  // the step's displacement is not needed any more
  SAR_TRY(sar_relative_accel(p, s));
  for (int i = 0; i < s->m->nv; i++) p->A[i] += p->rates.a_to_A * (d->a[i] - p->x[i]);
  return SAR_OK;
}

void sar_relative_regroup(SarSim* s) {
  SarRelative* p = s->formulation_state;
  sar_ahead_regroup(&p->ahead, s);
}

void sar_relative_init(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
  sar_relative_regroup(s);
}

void sar_relative_adopt(SarSim* s) {
  const SarRelative* p = s->formulation_state;
  sar_ahead_adopt(&p->ahead, s);
}

void sar_relative_look(SarSim* s) {
  SarRelative* p = s->formulation_state;
  // steps in which dry friction sticks or lets go are judged only where they must be
  sar_ahead_look(&p->ahead, s, &p->factored, p->stiction.count == 0);
}

// ---- predictor ----------------------------------------------------------------------------------
//
// Accelerations at the end of the step, extrapolated from those of steps of the same length:
//
//   A0,   2 A0 - A1,   3 A0 - 3 A1 + A2
//
// The higher the order, the closer to a smooth motion and the farther from one that rattles; so
// that one is taken which would have been the best in the step before.

static double extrapolated(const SarRelative* p, int order, int i) {
  switch (order) {
    case 0: return p->A0[i];
    case 1: return 2 * p->A0[i] - p->A1[i];
    default: return 3 * (p->A0[i] - p->A1[i]) + p->A2[i];
  }
}

// After a step: which order would have come closest to A?
static int best_order(const SarRelative* p, int nv) {
  double off[ORDERS] = {0};
  int best = 0;
  for (int i = 0; i < nv; i++) {
    const double over = 1 / p->unit[i];
    for (int order = 0; order < *p->known; order++) {
      const double x = fabs(p->A[i] - extrapolated(p, order, i)) * over;
      off[order] = x > off[order] ? x : off[order];
    }
  }
  for (int order = 1; order < *p->known; order++)
    if (off[order] < off[best]) best = order;
  return best;
}

void sar_relative_extrapolate(const SarRelative* p, int nv, double* A) {
  for (int i = 0; i < nv; i++) A[i] = extrapolated(p, *p->order, i);
}

// Accelerations that a strong damper turns round in every step lead far from where the step can
// end, even to where points have passed each other: then velocities are all that is known.
static void predict(SarRelative* p, const SarSim* s) {
  static const double FAR = 10;  // times the way at the velocities of the start
  const int nv = s->m->nv;
  int unused;
  sar_relative_extrapolate(p, nv, p->r);
  sar_scheme_predict(&s->scheme, p->rates.h, nv, s->start.v, p->A0, p->r, p->x);
  const double way = p->rates.h * sar_largest(nv, s->start.v, p->unit, &unused);
  if (!(sar_largest(nv, p->x, p->unit, &unused) > FAR * way)) return;
  for (int i = 0; i < nv; i++) p->x[i] = p->rates.h * s->start.v[i];
}

// A becomes A0, and what was before goes one step back.
static void shift_history(SarRelative* p, size_t bytes) {
  memcpy(p->A2, p->A1, bytes);
  memcpy(p->A1, p->A0, bytes);
  memcpy(p->A0, p->A, bytes);
  if (*p->known < ORDERS) ++*p->known;
}

void sar_relative_prepare(SarRelative* p, SarSim* s, SarStepRates rates) {
  const SarModel* m = s->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  const double h = rates.h;
  const bool same_length = sar_same_length(h, *p->h);
  p->rates = rates;
  if (s->restart) {
    memcpy(p->A0, s->start.a, nv * sizeof *p->A0);
    if (nrow > 0) memcpy(p->multiplier, s->d->lambda, nrow * sizeof *p->multiplier);
  }
  if (!same_length && !s->restart && p->lag) sar_scheme_follow(h, m->nv, s->start.a, p->lag, p->A0);
  // a step of another length begins a new history
  if (!same_length || s->restart) *p->known = 1;
  if (*p->order >= *p->known) *p->order = *p->known - 1;
  p->saddle.redundant = s->freedom.rank < s->freedom.rows;
  if (s->restart) sar_stiction_keep(&p->stiction, s->d);
  sar_relative_expect(p, s);
  sar_stiction_begin(&p->stiction, m, s->d, p->rates.a / p->rates.v,
                     m->nrow > 0 ? SAR_GRASP_LOOPS : SAR_GRASP_LINEAR);
  s->d->t = fmin(s->stop, s->t_high);
}

void sar_relative_begin(SarRelative* p, SarSim* s) {
  sar_relative_prepare(p, s, sar_scheme_rates(&s->scheme, s->stop - s->start.t));
  predict(p, s);
}

bool sar_relative_has_slipped(SarRelative* p, SarSim* s, bool* switched) {
  *switched = sar_stiction_switch(&p->stiction, s->m, s->d);
  const bool more = *switched || !sar_stiction_is_still(&p->stiction, s->m, s->d);
  if (more || p->stiction.grasp != SAR_GRASP_LOOPS) sar_update_forces_again(s->m, s->d);
  return more;
}

void sar_relative_move(SarRelative* p, SarSim* s) {
  SarData* d = s->d;
  sar_displace(s, p->x, d->q);
  sar_expect_cuts(s, p->rates.h, d->q);
  sar_scheme_end(&s->scheme, p->rates.h, s->m->nv, p->x, s->start.v, s->start.a, p->A0, d->v, d->a,
                 p->A);
}

void sar_relative_evaluate(SarSim* s) {
  s->stats.calls++;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  sar_update_constraints(s->m, s->d);
}

void sar_relative_residual(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_rnea(m, d, d->a, p->r);
  for (int i = 0; i < m->nv; i++) p->r[i] = d->tau[i] - p->r[i];
  sar_constraint_add_transposed(m, d, -1, d->lambda, p->r);
}

static const double SHARE = 1e-5;     // of the accelerations: what an iteration may leave
static const double SHRINKING = 0.3;  // an increment over the one before
static const double FLOOR = 1e-13;    // rounding of positions

bool sar_relative_is_small(const SarRelative* p, const SarSim* s, double error) {
  int unused;
  if (!(error <= s->options.newton_tolerance)) return false;
  const double share = SHARE * sar_largest(s->m->nv, s->d->a, p->unit, &unused) / p->rates.a;
  return error <= fmax(share, FLOOR);
}

bool sar_relative_is_converged(const SarRelative* p, const SarSim* s, double moved, double before) {
  if (!(moved <= s->options.newton_tolerance)) return false;
  return moved > SHRINKING * before || sar_relative_is_small(p, s, moved);
}

SarStatus sar_relative_finish(SarRelative* p, SarSim* s, int iterations) {
  SAR_TRY(sar_relative_come_to_rest(p, s));
  sar_stiction_keep(&p->stiction, s->d);
  *p->order = best_order(p, s->m->nv);
  *p->h = p->rates.h;
  if (p->lag && *p->h >= SAR_CUT_SHORT * s->options.step)
    sar_scheme_keep_lag(*p->h, s->m->nv, s->d->a, p->A, p->lag);
  shift_history(p, (size_t)s->m->nv * sizeof *p->A);
  sar_relative_book(p, s, iterations);
  return SAR_OK;
}

void sar_relative_book(const SarRelative* p, SarSim* s, int iterations) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_constraint_work(m, d);
  for (int i = 0; i < m->nwork; i++)
    d->work[i] = s->start.work[i] + 0.5 * p->rates.h * (s->start.power[i] + d->work_rate[i]);
  d->t = s->stop;
  s->stats.iterations += iterations;
  if (iterations > s->stats.iterations_max) s->stats.iterations_max = iterations;
}

double sar_largest(int n, const double* x, const double* unit, int* which) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]), by = unit ? unit[i] : 1;
    if (size <= most * by) continue;  // divisions are slow, and few are larger than all before
    most = size / by, *which = i;
    if (isnan(most)) break;
  }
  return most;
}

double sar_relative_open(const SarSim* s, const double* residual) {
  int unused;
  return sar_largest(s->m->nrow, residual, s->row_unit, &unused);
}
