// Accelerations of a model with constraints by any method of the index-1 family (family.h).
//
//   M a + Psi' lambda = F,   Psi a = gamma;      F = tau - bias, everything at t, q, v
//
// M comes from composite bodies and the bias from Newton-Euler, so models in relative and in
// absolute coordinates go the same way. Rows are handed over with independent ones first
// (s->row_order), and their rank counts as at most that of the mechanism: away from the exact
// position redundant rows are not quite redundant, and none of them may be taken for a constraint
// of its own.
#include "formulations/index1/family.h"

#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "base/block.h"

#include <math.h>
#include <string.h>

// A row that has shrunk to this share of its usual length says nothing any more: the direction of
// what is left is rounding, and methods that scale rows would blow it up.
static const double VANISHED = 1e-6;

// The rank is known, so all this has to do is keep zeros from being divided by.
static const double RANK_TOL = 1e-10;

// An explicit step is stable up to about 2 / rate, and rounding of Phi counts rate^2 times. Without
// a step to go by: the upper end of what is usual (Uchida and McPhee 2012, section 2.2: 1 to 20).
static double stable_rate(const SarSim* s) {
  return s->adaptive ? 20 : fmin(0.1 / s->options.step, 100);
}

// As options say: of `baumgarte` alpha and beta, of `penalty` zeta omega and omega; else critical
// damping.
static void set_rates(const SarSim* s, SarIndex1Run* run) {
  const SarSimOptions* o = &s->options;
  const bool penalty = o->omega > 0 || o->zeta > 0, given = o->alpha > 0 || o->beta > 0;
  const double rate = stable_rate(s);
  run->alpha = run->beta = 0;
  if (!s->formulation->stabilised) return;
  run->beta = penalty ? (o->omega > 0 ? o->omega : rate) : given ? o->beta : rate;
  run->alpha = penalty ? (o->zeta > 0 ? o->zeta : 1) * run->beta : given ? o->alpha : rate;
}

void sar_index1_run_layout(SarIndex1Run* run, const SarModel* m, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  double* doubles;
  int* ints;
  SAR_PIECE(b, run->M, nv * nv);
  SAR_PIECE(b, run->Psi, nv * nrow);
  SAR_PIECE(b, run->gamma, nrow);
  SAR_PIECE(b, run->F, nv);
  SAR_PIECE(b, run->expected, nv);
  SAR_PIECE(b, run->unit, nv);
  SAR_PIECE(b, run->q, m->nq);
  SAR_PIECE(b, run->v, nv);
  SAR_PIECE(b, run->y, nv + nrow);
  SAR_PIECE(b, doubles, sar_rows_doubles(nv, nrow));
  SAR_PIECE(b, ints, nrow);
  SAR_PIECE(b, run->pivots, 2 * nrow);
  SAR_PIECE(b, run->span, 2 * nrow);
  void* work = SAR_BYTES(b, sar_index1_work_size(m->nv, m->nrow));
  if (!b->memory) return;
  SarIndex1* p = &run->problem;
  sar_dof_units(m, run->unit);
  sar_rows_init(&run->strong, m->nv, m->nrow, doubles, ints);
  sar_index1_init(p, m->nv, m->nrow, work);
  p->M = run->M;
  p->Psi = run->Psi;
  p->gamma = run->gamma;
  p->F = run->F;
  p->unit = run->unit;
  p->tol = RANK_TOL;
}

void sar_index1_run_declare(SarIndex1Run* run, SarSim* s) {
  SarIndex1* p = &run->problem;
  set_rates(s, run);
  run->stops = s->formulation->stabilised;
  run->first = NULL;
  p->rho = s->options.rho;
  p->counted = s->options.rho > 0 && s->options.max_iterations > 0;
  if (p->counted) p->max_iterations = s->options.max_iterations;
  if (run->stops) sar_state_ints(s, "first", &run->first, s->m->nrow, 1);
  sar_state_ints(s, "near", &run->near, 1, 1 + s->m->nv);
  sar_state_doubles(s, "grip", &run->grip, 1);
  sar_state_doubles(s, "seen", &run->seen, SAR_GRIP_SEEN);
  sar_state_doubles(s, "before", &run->before, s->m->nv);
  sar_state_doubles(s, "length", &run->length, 1);
}

size_t sar_index1_state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  SarIndex1Run run;
  SarBlock b = sar_block(NULL, sizeof run);
  sar_index1_run_layout(&run, m, &b);
  return b.used;
}

SarStatus sar_index1_start(SarSim* s, SarError* err) {
  (void)err;
  SarIndex1Run* run = s->formulation_state;
  SarBlock b = sar_block(run, sizeof *run);
  sar_index1_run_layout(run, s->m, &b);
  sar_index1_run_declare(run, s);
  return SAR_OK;
}

void sar_index1_run_adopt(SarSim* s, SarIndex1Run* run) {
  SarIndex1* p = &run->problem;
  p->m = p->rows.m = run->strong.m = s->freedom.rows;
  p->rows.rank_max = run->strong.rank_max = s->freedom.rank;
  run->strong.first = run->first;
  sar_index1_mark(s, *run->near);
}

void sar_index1_run_regroup(SarSim* s, SarIndex1Run* run) {
  *run->near = s->freedom.rank_here < s->freedom.rank;
  run->seen[SAR_GRIP_LARGEST] = run->seen[SAR_GRIP_TURNED] = *run->length = *run->grip = 0;
  for (int k = 0; run->first && k < s->m->nrow; k++) run->first[k] = 0;
  sar_index1_run_adopt(s, run);
}

void sar_index1_adopt(SarSim* s) { sar_index1_run_adopt(s, s->formulation_state); }

void sar_index1_regroup(SarSim* s) { sar_index1_run_regroup(s, s->formulation_state); }

void sar_index1_fill_Psi(const SarSim* s, double* Psi) {
  const SarModel* m = s->m;
  const size_t nv = (size_t)m->nv;
  memset(Psi, 0, (size_t)s->freedom.rows * nv * sizeof *Psi);
  for (int k = 0; k < s->freedom.rows; k++) {
    const int i = s->row_order[k];
    double* row = &Psi[(size_t)k * nv];
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) row[m->row_dof[e]] = s->d->Psi[e];
  }
}

static void assemble(SarSim* s, SarIndex1Run* run) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  sar_crba_dense(m, d, run->M);
  sar_rnea(m, d, NULL, run->F);
  for (int i = 0; i < m->nv; i++) run->F[i] = d->tau[i] - run->F[i];

  sar_index1_fill_Psi(s, run->Psi);
  for (int k = 0; k < s->freedom.rows; k++) run->gamma[k] = d->gamma[s->row_order[k]];
}

// Where others hold what a row held, a latch at the position where it is declared say, one that
// vanishes is left out.
static void drop_vanished(const SarSim* s, SarIndex1Run* run) {
  const size_t nv = (size_t)s->m->nv;
  for (int k = 0; k < s->freedom.rows; k++) {
    double* row = &run->Psi[(size_t)k * nv];
    const double least = VANISHED * s->row_size[s->row_order[k]];
    double square = 0;
    for (size_t j = 0; j < nv; j++) square += row[j] * row[j];
    if (!(square < least * least)) continue;
    memset(row, 0, nv * sizeof *row);
    run->gamma[k] = 0;
  }
}

// gamma <- gamma - 2 alpha Phi' - beta^2 Phi
static void stabilise(const SarSim* s, SarIndex1Run* run) {
  const SarData* d = s->d;
  for (int k = 0; k < s->freedom.rows; k++) {
    const int i = s->row_order[k];
    sar_index1_stabilise(1, &run->gamma[k], &d->Phi[i], &d->Phi_dot[i], run->alpha, run->beta,
                         &run->gamma[k]);
  }
}

static SarStatus solve_near(SarSim* s, SarIndex1Run* run, SarIndex1Solve* solve) {
  run->problem.rows.first = NULL;
  if (solve == sar_index1_qr) return sar_index1_strong_qr(s, run);
  sar_index1_strengthen(s, run);
  const SarStatus st = solve(&run->problem);
  sar_index1_return(s, run);
  return st;
}

// Linear problem that was assembled: its rows as they are, or made strong.
static SarStatus solve_rows(SarSim* s, SarIndex1Run* run, SarIndex1Solve* solve) {
  SarData* d = s->d;
  SarIndex1* p = &run->problem;
  if (run->alpha > 0 || run->beta > 0) stabilise(s, run);
  if (s->freedom.rank < s->freedom.rows) drop_vanished(s, run);
  p->rows.first = run->first;
  SAR_TRY(*run->near ? solve_near(s, run, solve) : solve(p));
  memcpy(d->a, p->a, (size_t)s->m->nv * sizeof *d->a);
  for (int k = 0; k < s->freedom.rows; k++) d->lambda[s->row_order[k]] = p->lambda[k];
  sar_update_constraint_work(s->m, d);
  return SAR_OK;
}

SarStatus sar_index1_evaluate(SarSim* s, SarIndex1Run* run, SarIndex1Solve* solve) {
  // off the constraints redundant rows contradict each other
  const bool close = *run->near || s->freedom.rank < s->freedom.rows;
  if (close) SAR_TRY(sar_index1_close(s, run));
  assemble(s, run);
  if (close) sar_index1_reopen(s, run);
  if (s->freedom.rows == 0) return sar_aba(s->m, s->d);  // all are off: a tree
  return solve_rows(s, run, solve);
}

SarStatus sar_index1_accel(SarSim* s) {
  return sar_index1_evaluate(s, s->formulation_state, s->formulation->accelerations.solve);
}
