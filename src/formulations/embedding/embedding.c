// The embedding technique: equations of motion of the independent coordinates alone, with the
// dependent ones found from them at every evaluation.
//
//   Phi(q_d, q_i, t) = 0 solved for q_d
//   q' = B q_i' + C,      B = [-Phi_d^-1 Phi_i; 1],   C = [-Phi_d^-1 Phi_t; 0]             (eq. 11)
//   q_i'' = (B' M B)^-1 {B' F - B' M (B' q_i' + C')}                                       (eq. 10)
//
// B'q_i' + C' with time derivatives of B and C is what q'' has beside B q_i'': [Phi_d^-1 gamma; 0].
//
// The integrator carries all coordinates, but an evaluation believes the independent ones only: it
// closes the loops by moving dependent coordinates, evaluates there, and puts the state back. Where
// a step ends the state becomes the closed one, so constraints hold to rounding (or to the
// tolerance asked for) without a projection. Quaternions are moved along the local coordinates that
// are dependent.
//
// Which coordinates are independent is chosen by complete pivoting where a run begins and again
// where a step ends: where a pivot p heads for zero B grows as 1/p, and a step of order k errs by
// (h p'/p)^(k+1), with a choice that is kept until p is some steps from zero by as much whatever h.
// A flow has polynomials for one choice only, which is kept for as long as pivots are large and
// many steps from zero. The choice is state; the accelerations on the constraints do not depend on
// it. At a singular position no choice is good and the run ends there.
//
// Nonholonomic rows (rolling) make coordinates dependent in velocities; their positions are
// integrated.
//
// Source: Uchida and McPhee 2012, sec. 2.3; Wehage and Haug 1982.
#include "base/block.h"
#include "dynamics/projection.h"
#include "formulations/index1/family.h"
#include "formulations/embedding/plan.h"

#include <math.h>
#include <string.h>

static const double FLAT = 1e-3;       // of a pivot, over its value at the start of the step
static const double WEAK = 0.1;        // smallest pivot of scaled rows: leave the plan
static const double OPEN = 1e-6;       // of a row that was left out, over its unit
static const double TOLERANCE = 1e-9;  // where options leave it open: increments, over their units
static const double POLISHED = 1e-8;   // the same behind polynomials, if options ask for less
static const double FAR = 0.3;         // a coordinate from where it was, over its unit
enum { ITERATIONS = 20 };
enum { STEPS = 40 };  // the fewest from which a pivot may head for zero

typedef struct Embedding {
  SarIndex1Run run;
  SarEmbeddingKinematics how;
  SarLoopFlow* flow;  // NULL: Newton's method for all at once
  bool follows;       // the choice is that of the flow
  int* planned;       // nv: coordinates in the order that goes with it, dependent ones first
  int planned_rank;   // and how many those are
  SarPartitioning split;
  double* unit;        // nv
  double *q, *v;       // closed, as the last evaluation left them
  double *x, *r;       // nv; nrow
  SarViolation found;  // before it closed
} Embedding;

static void lay_out(Embedding* p, const SarModel* m, SarBlock* b) {
  sar_index1_run_layout(&p->run, m, b);
  SAR_PIECE(b, p->planned, m->nv);
  SAR_PIECE(b, p->unit, m->nv);
  sar_partitioning_layout(&p->split, m, p->unit, b);
  SAR_PIECE(b, p->q, m->nq);
  SAR_PIECE(b, p->v, m->nv);
  SAR_PIECE(b, p->x, m->nv);
  SAR_PIECE(b, p->r, m->nrow);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Embedding p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, &b);
  return b.used;
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  Embedding* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, s->m, &b);
  sar_index1_run_declare(&p->run, s);
  sar_dof_units(s->m, p->unit);
  sar_partitioning_declare(&p->split, s);
  p->planned_rank = s->freedom.rank;
  return sar_embedding_plan(s, p->unit, &p->how, &p->flow, p->planned, err);
}

const SarLoopFlow* sar_embedding_flow(const SarSim* s) {
  const Embedding* p = s->formulation_state;
  return p->flow;
}

bool sar_embedding_follows(const SarSim* s) {
  const Embedding* p = s->formulation_state;
  return p->follows;
}

static void finish(SarSim* s) {
  Embedding* p = s->formulation_state;
  sar_flow_free(p->flow);
}

// Are the dependent coordinates those that the flow finds?
static bool is_as_planned(const Embedding* p) {
  if (!p->flow || p->flow->dependent != p->split.positions) return false;
  for (int k = 0; k < p->split.positions; k++)
    if (p->flow->dof_block[p->split.column[k]] < 0) return false;
  return true;
}

static void adopt(SarSim* s) {
  Embedding* p = s->formulation_state;
  sar_partitioning_adopt(&p->split, s);
  sar_index1_run_adopt(s, &p->run);
  p->follows = is_as_planned(p);
}

// ---- the choice ---------------------------------------------------------------------------------

static void choose(SarSim* s, bool anew) {
  Embedding* p = s->formulation_state;
  SarPartitioning* c = &p->split;
  if (c->rank == 0) return;
  double least = anew ? 0 : sar_partitioning_choose(c, s, false);
  if (least < WEAK) least = sar_partitioning_choose(c, s, true);
  sar_partitioning_keep(c, s, least > SAR_PARTITIONING_LEAST && sar_partitioning_eliminate(c, s));
  p->follows = is_as_planned(p);
}

// Where a step ended: has a pivot fallen by so much in it that zero is only a few steps away?
static bool is_running_out(Embedding* p, SarSim* s) {
  SarPartitioning* c = &p->split;
  return !sar_partitioning_eliminate(c, s) || sar_partitioning_crossed(c, s, 1 - 1.0 / STEPS) >= 0;
}

// The coordinates in the order of the plan, or of the model. False: there is no plan for as many
// rows.
static bool begin_as_planned(Embedding* p, int nv) {
  for (int k = 0; k < nv; k++) p->split.column[k] = p->flow ? p->planned[k] : k;
  return p->flow && p->planned_rank == p->split.rank;
}

// A run begins, or rows have come or gone.
static void regroup(SarSim* s) {
  Embedding* p = s->formulation_state;
  p->split.rank = s->freedom.rank;
  sar_index1_run_regroup(s, &p->run);
  choose(s, !begin_as_planned(p, s->m->nv));
}

static void init(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
  regroup(s);
}

static void look(SarSim* s) {
  Embedding* p = s->formulation_state;
  sar_index1_run_look(s, &p->run);
  choose(s, !p->follows || is_running_out(p, s));
}

// ---- kinematics ---------------------------------------------------------------------------------

static void evaluate_positions(SarSim* s) {
  sar_update_positions(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
}

static double largest_open(const SarSim* s, const double* residual, int* which) {
  double most = 0;
  for (int i = 0; i < s->m->nrow; i++) {
    const double open = fabs(residual[i]) / s->row_unit[i];
    if (!(open <= most)) most = open, *which = i;
  }
  return most;
}

static double tolerance(const SarSim* s) {
  return s->options.newton_tolerance > 0 ? s->options.newton_tolerance : TOLERANCE;
}

static double largest(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// Eliminates where d->Psi is; a pivot that has come near zero or passed it ends the step.
static SarStatus eliminate(Embedding* p, SarSim* s) {
  const bool good = p->split.pivot[0] != 0 && sar_partitioning_eliminate(&p->split, s);
  const int crossed = good ? sar_partitioning_crossed(&p->split, s, FLAT) : p->split.column[0];
  if (crossed >= 0) s->worst = crossed;
  return crossed >= 0 ? SAR_SINGULAR : SAR_OK;
}

// Where polynomials or loop by loop bring q_d, unless that is far from where the integrator has it:
// then it is another branch.
static void follow_flow(Embedding* p, SarSim* s) {
  const SarModel* m = s->m;
  double *q = s->d->q, *x = p->x;
  if (p->how == SAR_KINEMATICS_NEWTON) {
    sar_embedding_newton(s, p->flow, tolerance(s), p->run.problem.square, p->run.problem.pivot, x);
    return;
  }
  if (p->flow->polynomials + p->flow->aimed + p->flow->torn == 0) return;
  const int failed = sar_flow_solve(p->flow, m, q);
  bool far = false;
  for (int i = 0; i < m->nv && !far; i++) {
    if (p->flow->dof_block[i] < 0) continue;
    const int j = m->dof_body[i], at = m->joint_qadr[j] + i - m->joint_vadr[j];
    if (m->joint_nq[j] == m->joint_nv[j]) far = !(fabs(q[at] - p->run.q[at]) <= FAR * p->unit[i]);
  }
  if (far) memcpy(q, p->run.q, (size_t)m->nq * sizeof *q);
  s->stats.kinematics_solved++;
  s->stats.kinematics_fallbacks += failed > 0 || far;
}

// Behind polynomials a coarse tolerance would leave what the rationals leave, squared: a step more
// is asked for.
static bool is_polished(const Embedding* p, const SarSim* s) {
  return p->follows && p->how <= SAR_KINEMATICS_BLOCK && p->flow->iterated == 0 &&
         tolerance(s) > POLISHED;
}

// q_d by Newton's method, all of them at once; from where polynomials brought them it is one step,
// and one more with the same matrix (chord) at a coarse tolerance. Leaves Phi and Psi at the
// position found, eliminated.
static SarStatus close_positions(Embedding* p, SarSim* s) {
  const SarModel* m = s->m;
  double* x = p->x;
  evaluate_positions(s);
  p->found.position = largest(m->nrow, s->d->Phi);
  if (p->follows) {
    follow_flow(p, s);
    evaluate_positions(s);
  }
  const bool polished = is_polished(p, s);
  const double enough = polished ? POLISHED : tolerance(s);
  for (int i = 0; i < ITERATIONS; i++) {
    if (!polished || i != 1) SAR_TRY(eliminate(p, s));
    memset(x, 0, (size_t)m->nv * sizeof *x);
    sar_partitioning_close(&p->split, m->nv, s->d->Phi, x);
    double most = 0;
    for (int k = 0; k < p->split.positions; k++) {
      const int dof = p->split.column[k];
      const double size = fabs(x[dof]) / p->unit[dof];
      if (!(size <= most)) most = size, s->worst = dof;
    }
    if (!isfinite(most)) return SAR_NOT_FINITE;
    sar_projection_move(m, x, s->d->q);
    evaluate_positions(s);
    if (most <= enough) return eliminate(p, s);
  }
  return SAR_NOT_CONVERGED;
}

// v_d, and everything else where q and v are.
static void close_velocities(Embedding* p, SarSim* s) {
  const SarModel* m = s->m;
  sar_update_kinematics(m, s->d);
  sar_update_constraint_speeds(m, s->d);
  p->found.velocity = largest(m->nrow, s->d->Phi_dot);
  sar_partitioning_take_off(&p->split, m->nv, s->d->Phi_dot, s->d->v);
  sar_update_velocities(m, s->d);
}

// Rows beside those that act are redundant, or the mechanism is in a position where they are not.
static SarStatus check_others(SarSim* s) {
  int which = 0;
  if (s->freedom.rank == s->freedom.rows) return SAR_OK;
  if (largest_open(s, s->d->Phi, &which) <= OPEN + 10 * tolerance(s)) return SAR_OK;
  return SAR_NOT_CONVERGED;
}

// ---- dynamics -----------------------------------------------------------------------------------

// basis = [B c],  c = [Phi_d^-1 gamma; 0]
static void fill_basis(Embedding* p, SarSim* s) {
  SarIndex1* problem = &p->run.problem;
  const int n = s->m->nv, r = p->split.rank, free = n - r;
  const int* column = p->split.column;
  memset(problem->basis, 0, sizeof(double) * (size_t)n * (size_t)(free + 1));
  for (int k = 0; k < free; k++) {
    double* b = &problem->basis[k * n];
    sar_partitioning_column(&p->split, n, k, p->x);
    for (int i = 0; i < r; i++) b[column[i]] = p->x[i];
    b[column[r + k]] = 1;
  }
  for (int i = 0; i < s->m->nrow; i++) p->r[i] = -s->d->gamma[i];
  sar_partitioning_take_off(&p->split, n, p->r, &problem->basis[free * n]);
  problem->rank = r;
}

static SarStatus solve(Embedding* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarIndex1* problem = &p->run.problem;
  sar_update_forces(m, d);
  sar_update_constraint_rates(m, d);
  sar_crba_dense(m, d, p->run.M);
  sar_rnea(m, d, NULL, p->run.F);
  for (int i = 0; i < m->nv; i++) p->run.F[i] = d->tau[i] - p->run.F[i];
  fill_basis(p, s);
  SAR_TRY(sar_index1_reduced(problem));
  sar_partitioning_multipliers(&p->split, m->nv, problem->residual, m->nrow, d->lambda);
  for (int i = 0; i < m->nv; i++)
    if (!isfinite(problem->a[i])) return SAR_NOT_FINITE;
  memcpy(d->a, problem->a, (size_t)m->nv * sizeof *d->a);
  sar_update_constraint_work(m, d);
  return SAR_OK;
}

static SarStatus evaluate(Embedding* p, SarSim* s) {
  SAR_TRY(close_positions(p, s));
  SAR_TRY(check_others(s));
  close_velocities(p, s);
  return solve(p, s);
}

// Without constraints, or with all of them off: a tree.
static SarStatus evaluate_tree(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return sar_aba(s->m, s->d);
}

static SarStatus accel(SarSim* s) {
  Embedding* p = s->formulation_state;
  SarData* d = s->d;
  const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
  if (p->split.rank == 0) return evaluate_tree(s);
  memcpy(p->run.q, d->q, nq * sizeof *d->q);
  memcpy(p->run.v, d->v, nv * sizeof *d->v);
  const SarStatus st = evaluate(p, s);
  memcpy(p->q, d->q, nq * sizeof *d->q);
  memcpy(p->v, d->v, nv * sizeof *d->v);
  sar_index1_reopen(s, &p->run);
  return st;
}

// x_d = R x_i
static void filter(SarSim* s, double* x) {
  Embedding* p = s->formulation_state;
  if (p->split.rank == 0) return;
  sar_constraint_multiply(s->m, s->d, x, p->r);
  sar_partitioning_take_off(&p->split, s->m->nv, p->r, x);
}

// The state becomes the one that the last evaluation closed.
static SarStatus settle(SarSim* s) {
  Embedding* p = s->formulation_state;
  if (p->split.rank == 0) return SAR_OK;
  s->projection->drift = p->found;
  memcpy(s->d->q, p->q, (size_t)s->m->nq * sizeof *p->q);
  memcpy(s->d->v, p->v, (size_t)s->m->nv * sizeof *p->v);
  return SAR_OK;
}

const SarFormulation sar_formulation_embedding = {
    .name = "embedding",
    .doc = "independent coordinates; dependent ones follow from them at every evaluation",
    .ref = "Uchida and McPhee 2012",
    .shape = SAR_SHAPE_ACCEL,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS,
    .closes = true,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .init = init,
    .adopt = adopt,
    .regroup = regroup,
    .look = look,
    .accel = accel,
    .accelerations = {.filter = filter, .settle = settle},
};
