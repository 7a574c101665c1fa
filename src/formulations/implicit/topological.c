// Paper 000's semi-recursive method: coordinate partitioning, loops by a second velocity projection
// onto independent coordinates (the matrix R).
//
// The constraints are solved for as many dependent coordinates u as they have independent rows; w
// are the others:
//
//   Phi(u, w) = 0 by Newton,   u' = R w' - Psi_u^-1 Phi_t,   u'' = R w'' + Psi_u^-1 gamma,
//   R = -Psi_u^-1 Psi_w
//
// and what is left are equations of motion of w alone, V = [R; 1]:
//
//   f = V' (M a - Q) = 0,     T dw = -f / a_x,   T = V' (M + (v_x C + K) / a_x) V
//
// with the scheme between w, w' and w''. Constraints hold to rounding at all levels, and no
// projection is needed. Where Psi_u becomes singular u no longer follows from w. At a singular
// position of the mechanism that happens whatever the choice of w, so by default the run ends there
// with a message; with `reselect` the choice is looked at before every step, and the position
// stepped over.
//
// Detection of that: formulations/partitioning.h.
//
// Source: Cuadrado et al. 2003, sec. 2.
#include "base/block.h"
#include "dynamics/projection.h"
#include "formulations/implicit/relative.h"
#include "formulations/partitioning.h"
#include "linalg/envelope.h"

#include <math.h>
#include <string.h>

static const double FLAT = 1e-3;    // of a pivot, over its value at the start of the step
static const double WEAK = 0.1;     // smallest pivot of scaled rows: choose again
static const double SOLVED = 1e-3;  // dependent coordinates, over the tolerance of Newton's method
enum { SOLUTIONS = 12 };

typedef struct Topological {
  SarRelative step;
  SarPartitioning split;
  double* R;      // independent x rank
  double *v, *y;  // nv: a column of V, of M V
  SarEnvelope T;  // of the independent coordinates
} Topological;

static int independent(const Topological* p, const SarSim* s) { return s->m->nv - p->split.rank; }

static void lay_out(Topological* p, const SarModel* m, const int* row_order, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  sar_relative_layout(&p->step, m, row_order, true, b);
  sar_partitioning_layout(&p->split, m, p->step.unit, b);
  SAR_PIECE(b, p->T.first, nv);
  SAR_PIECE(b, p->R, nrow * nv);
  SAR_PIECE(b, p->v, nv);
  SAR_PIECE(b, p->y, nv);
  SAR_PIECE(b, p->T.inverse, nv);
  SAR_PIECE(b, p->T.value, nv * (nv + 1) / 2);
  SAR_PIECE(b, p->T.adr, nv);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Topological p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, NULL, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Topological* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, s->row_order, &b);
  sar_relative_declare(&p->step, s);
  sar_partitioning_declare(&p->split, s);
  for (size_t i = 0; i < (size_t)s->m->nv; i++) {
    p->T.first[i] = 0;
    p->T.adr[i] = i * (i + 1) / 2;
  }
  return SAR_OK;
}

static void adopt(SarSim* s) {
  Topological* p = s->formulation_state;
  sar_partitioning_adopt(&p->split, s);
  p->T.n = independent(p, s);
}

static SarStatus accel(SarSim* s) {
  Topological* p = s->formulation_state;
  return sar_relative_accel(&p->step, s);
}

// The coordinates of the coming step, where d is evaluated, and the order of elimination.
static void choose(SarSim* s) {
  Topological* p = s->formulation_state;
  const bool first = s->restart;
  for (int k = 0; first && k < s->m->nv; k++) p->split.column[k] = k;
  if (p->split.rank == 0) return;
  const double least = first ? 0 : sar_partitioning_choose(&p->split, s, false);
  if (first || (s->options.reselect && least < WEAK)) sar_partitioning_choose(&p->split, s, true);
  sar_partitioning_keep(&p->split, s, sar_partitioning_eliminate(&p->split, s));
}

// Has a pivot passed zero in this step, or come near? Names its coordinate.
static bool is_crossed(const Topological* p, SarSim* s, double near) {
  const int which = sar_partitioning_crossed(&p->split, s, near);
  if (which >= 0) s->worst = which;
  return which >= 0;
}

// ---- the step -----------------------------------------------------------------------------------

// Dependent positions: x_u from x_w. Leaves Psi at the position found, eliminated.
static SarStatus close_loops(Topological* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const double close = SOLVED * s->options.newton_tolerance;
  for (int i = 0; i < SOLUTIONS; i++) {
    sar_relative_move(&p->step, s);
    sar_update_positions(m, d);
    sar_update_world(m, d);
    sar_update_constraints(m, d);
    if (p->split.rank == 0) return SAR_OK;
    if (!sar_partitioning_eliminate(&p->split, s)) return SAR_SINGULAR;
    sar_partitioning_take_off(&p->split, m->nv, d->Phi, p->step.x);
    double most = 0;
    for (int k = 0; k < p->split.rank; k++) {
      const double size = fabs(p->split.b[k]) / p->step.unit[p->split.column[k]];
      if (!(size <= most)) most = size, s->worst = p->split.column[k];
    }
    if (!isfinite(most)) return SAR_NOT_FINITE;
    if (most <= close) return SAR_OK;
  }
  return SAR_NOT_CONVERGED;
}

// Dependent velocities and accelerations; forces there.
static void complete(Topological* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double* e = p->step.e;
  sar_update_kinematics(m, d);
  sar_update_constraint_rates(m, d);
  if (p->split.rank > 0) sar_partitioning_take_off(&p->split, m->nv, d->Phi_dot, d->v);
  s->stats.calls++;
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_constraint_rates(m, d);
  sar_constraint_multiply(m, d, d->a, e);
  for (int k = 0; k < m->nrow; k++) e[k] -= d->gamma[k];
  if (p->split.rank > 0) sar_partitioning_take_off(&p->split, m->nv, e, d->a);
  for (int k = 0; k < p->split.rank; k++) p->step.A[p->split.column[k]] = d->a[p->split.column[k]];
}

// Column k of V = [R; 1]; R is made from the eliminated Psi.
static void column_of(Topological* p, int n, int k, double* v) {
  double* R = &p->R[k * p->split.rank];
  memset(v, 0, (size_t)n * sizeof *v);
  v[p->split.column[p->split.rank + k]] = 1;
  for (int i = 0; i < p->split.rank; i++) v[p->split.column[i]] = R[i];
}

static void make_R(Topological* p, int n) {
  for (int k = 0; k < n - p->split.rank; k++)
    sar_partitioning_column(&p->split, n, k, &p->R[k * p->split.rank]);
}

// V' x
static double along(const Topological* p, int k, const double* x) {
  double sum = x[p->split.column[p->split.rank + k]];
  for (int i = 0; i < p->split.rank; i++)
    sum += p->R[k * p->split.rank + i] * x[p->split.column[i]];
  return sum;
}

static SarStatus tangent(Topological* p, SarSim* s) {
  const SarModel* m = s->m;
  const double gain_C = p->step.rates.v / p->step.rates.a;
  const SarStepGains gains = {gain_C, 1 / p->step.rates.a, 0, NULL, gain_C};
  const int free = independent(p, s);
  sar_augmented_collect(&p->step.system, m, s->d, &gains);
  for (int j = 0; j < free; j++) {
    column_of(p, m->nv, j, p->v);
    sar_augmented_multiply(&p->step.system, m, p->v, p->y);
    for (int i = j; i < free; i++) p->T.value[p->T.adr[i] + (size_t)j] = along(p, i, p->y);
  }
  return sar_envelope_factor(&p->T) ? SAR_OK : SAR_SINGULAR;
}

// dw, and with it du = R dw
static SarStatus improve(Topological* p, SarSim* s, double* moved) {
  const SarModel* m = s->m;
  const int free = independent(p, s);
  double *x = p->step.x, *dw = p->v;
  make_R(p, m->nv);
  SAR_TRY(tangent(p, s));
  for (int k = 0; k < free; k++) dw[k] = along(p, k, p->step.r) / p->step.rates.a;
  sar_envelope_solve(&p->T, dw);
  *moved = 0;
  for (int k = 0; k < free; k++) {
    x[p->split.column[p->split.rank + k]] += dw[k];
    for (int i = 0; i < p->split.rank; i++)
      x[p->split.column[i]] += p->R[k * p->split.rank + i] * dw[k];
    const int dof = p->split.column[p->split.rank + k];
    if (!(fabs(dw[k]) / p->step.unit[dof] <= *moved))
      *moved = fabs(dw[k]) / p->step.unit[dof], s->worst = dof;
  }
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

static SarStatus iterate(Topological* p, SarSim* s, int* iterations) {
  const SarModel* m = s->m;
  double moved = HUGE_VAL, before = HUGE_VAL;
  bool switched;
  for (*iterations = 0;; ++*iterations) {
    SAR_TRY(close_loops(p, s));
    complete(p, s);
    const bool more = sar_relative_has_slipped(&p->step, s, &switched);
    memset(s->d->lambda, 0, (size_t)m->nrow * sizeof *s->d->lambda);
    sar_relative_residual(&p->step, s);
    if (!more && sar_relative_is_converged(&p->step, s, moved, before)) return SAR_OK;
    if (*iterations >= sar_stiction_iterations(&p->step.stiction, s->options.max_iterations))
      return SAR_NOT_CONVERGED;
    before = moved;
    SAR_TRY(improve(p, s, &moved));
  }
}

static SarStatus step(SarSim* s) {
  Topological* p = s->formulation_state;
  int iterations;
  if (p->split.rank > 0 && p->split.pivot[0] == 0) return SAR_SINGULAR;
  sar_relative_begin(&p->step, s);
  SarStatus st = iterate(p, s, &iterations);
  if (!s->options.reselect && is_crossed(p, s, st == SAR_OK ? FLAT : WEAK)) st = SAR_SINGULAR;
  if (st != SAR_OK) return st;
  sar_stiction_freeze(&p->step.stiction, s->m, s->d);
  sar_partitioning_multipliers(&p->split, s->m->nv, p->step.r, s->m->nrow, s->d->lambda);
  if (s->projection) s->projection->drift = sar_violation(s->m, s->d);
  return sar_relative_finish(&p->step, s, iterations);
}

const SarFormulation sar_formulation_topological = {
    .name = "topological",
    .doc = "implicit, independent relative coordinates; stops at singular positions",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003",
    .shape = SAR_SHAPE_STEP,
    .friction = SAR_FRICTION_FOUND,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .adopt = adopt,
    .regroup = adopt,
    .look = choose,
    .accel = accel,
    .implicit = {.step = step},
};
