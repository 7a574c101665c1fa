// Multipliers by an augmented, sparse, positive definite matrix (dynamics/augmented.h): the fast
// one for models with constraints.
//
// A step ends with an evaluation, and what it leaves (factor, Phi, Phi') is all that a projection
// needs: two solutions more bring positions and velocities back,
//
//   dq = -G^-1 Psi' w Phi,   dv = -G^-1 Psi' w Phi'
//
// so that projecting costs next to nothing. Accelerations are those of the state before the
// correction; the difference is of the size of the step's own error and returns in the next step as
// one h more, so no integrator loses its order. Where the correction is large the state is
// evaluated again.
//
// Next to a singular position this is not enough: what constraints hardly hold is let go, and what
// the correction leaves open counts over their grip. The weakest grip is estimated where a step
// ends (grip.h), and steps that may come near a singular position go the dense way of `qr`
// (index1/singular.c): stages on the constraints, motions that are hardly held led by their
// acceleration; stages that are firmly held need not (lagrange_near.c). Models of more than PASSAGE
// coordinates have no such way; there the judge of steps (sim/judge_energy.c) has the last word.
#include "formulations/lagrange.h"

#include "base/block.h"
#include "dynamics/grip.h"
#include "dynamics/projection.h"

#include <math.h>
#include <string.h>

enum { PASSAGE = 150 };  // coordinates; a dense evaluation takes some 5 ms then

// The step goes the dense way.
static bool is_near(const SarLagrange* p) { return p->has_passage && *p->passage.near; }

static int* near_of(const SarLagrange* p) { return p->has_passage ? p->passage.near : p->alone; }

void sar_lagrange_layout(SarLagrange* p, const SarModel* m, const int* row_order, int rank,
                         bool quick, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  SAR_PIECE(b, p->F, nv);
  SAR_PIECE(b, p->x, nv);
  SAR_PIECE(b, p->rows, nv * nrow);
  SAR_PIECE(b, p->tau, nrow);
  SAR_PIECE(b, p->pivot, nrow);
  sar_dense_query(m->nv, m->nrow, &p->dense);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
  p->has_passage = m->nv <= PASSAGE;
  SAR_PIECE(b, p->closed_q, p->has_passage ? m->nq : 0);
  SAR_PIECE(b, p->closed_v, p->has_passage ? nv : 0);
  if (p->has_passage) sar_index1_run_layout(&p->passage, m, b);
  SAR_PIECE(b, p->back_q, quick ? nv : 0);
  SAR_PIECE(b, p->back_v, quick ? nv : 0);
  sar_augmented_init(&p->system, m, false, row_order, rank, b);
}

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  SarLagrange p;
  SarBlock b = sar_block(NULL, sizeof p);
  sar_lagrange_layout(&p, m, NULL, 0, false, &b);
  return b.used;
}

// ---- factors where there is none ---------------------------------------------------------------

// The factor of the last evaluation; of the state as it is where that left none.
static SarStatus need_factor(SarSim* s, SarLagrange* p) {
  if (!p->is_quick) return SAR_OK;
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
  SAR_TRY(sar_augmented_factor(&p->system, s->m, s->d));
  p->is_quick = false;
  return SAR_OK;
}

// The weights of a factor, for the other way: they follow the motion where a step ends, and are
// state.
static void keep_weights(SarSim* s, SarLagrange* p) {
  if (p->quick && need_factor(s, p) == SAR_OK)
    memcpy(p->weight, p->system.weight, (size_t)s->m->nrow * sizeof *p->weight);
}

// Where there are redundant rows, those that act in the next step: the ones farthest apart. Which
// are redundant changes along the motion, and one left out for good would be missed somewhere.
static void choose_rows(SarSim* s) {
  const SarModel* m = s->m;
  SarLagrange* p = s->formulation_state;
  bool changed = false;
  if (s->freedom.rank == s->freedom.rows) return;
  memset(p->rows, 0, (size_t)m->nv * (size_t)m->nrow * sizeof *p->rows);
  for (int i = 0; i < m->nrow; i++)
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++)
      p->rows[i * m->nv + m->row_dof[e]] = s->d->Psi[e] / s->row_size[i];
  sar_qr_pivoted(m->nv, m->nrow, p->rows, p->pivot, p->tau, &p->dense);
  for (int k = 0; k < m->nrow; k++) {
    int* keep = &p->system.keep[p->pivot[k]];
    changed = changed || *keep != (k < s->freedom.rank);
    *keep = k < s->freedom.rank;
  }
  p->is_quick = p->is_quick || (changed && p->quick);  // a factor of other rows is none
  if (changed) keep_weights(s, p);
}

static const double FALLS = 4;  // of a grip for an angle of 1 rad that a joint turns, at most

// The factor of a sparse evaluation tells the grip; a dense one leaves none. A grip that was far
// from vanishing need not be looked at until joints have turned so far that it might.
static void look_ahead(SarSim* s, SarLagrange* p) {
  if (is_near(p)) {
    sar_index1_run_look(s, &p->passage);
    *p->clear = 0;
    return;
  }
  const double h = s->d->t - s->start.t;
  if (p->has_passage) sar_index1_remember(s, &p->passage);
  sar_index1_turn(s, h, p->grip_seen);
  *p->clear -= FALLS * sar_index1_turned(s, h);
  if (s->restart) *p->clear = 0;  // the state may be any
  if (*p->clear > 0) return;
  if (need_factor(s, p) != SAR_OK) return;
  keep_weights(s, p);
  const SarFactored G = sar_augmented_view(&p->system, s->m);
  const double grip = sar_least_grip(&G, s->d, s->row_size);
  const bool near = sar_index1_is_near(s, grip, p->grip_seen);
  *p->clear = sar_index1_clear(grip, p->grip_seen);
  if (near && p->has_passage) {  // the decomposition decides: two measures would take turns
    sar_index1_look_beside(s, &p->passage, grip, p->grip_seen);
    return;
  }
  *near_of(p) = near;
  sar_index1_mark(s, *near_of(p));
}

void sar_lagrange_look(SarSim* s) {
  SarLagrange* p = s->formulation_state;
  if (s->freedom.rank > 0) look_ahead(s, p);
  choose_rows(s);
}

void sar_lagrange_declare(SarLagrange* p, SarSim* s, bool quick) {
  if (p->has_passage)
    sar_index1_run_declare(&p->passage, s);
  else
    sar_state_ints(s, "near", &p->alone, 1, 1);
  sar_state_doubles(s, "seen", &p->grip_seen, SAR_GRIP_SEEN);
  sar_state_doubles(s, "clear", &p->clear, 1);
  sar_state_ints(s, "keep", &p->system.keep, s->m->nrow, 1);  // in place of the system's own
  if (quick) sar_state_doubles(s, "weight", &p->weight, s->m->nrow);
}

static SarStatus start(SarSim* s, SarError* err) {
  (void)err;
  SarLagrange* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  sar_lagrange_layout(p, s->m, s->row_order, s->freedom.rank, false, &b);
  sar_lagrange_declare(p, s, false);
  return SAR_OK;
}

void sar_lagrange_adopt(SarSim* s) {
  SarLagrange* p = s->formulation_state;
  if (p->has_passage)
    sar_index1_run_adopt(s, &p->passage);
  else
    sar_index1_mark(s, *p->alone);
}

// The envelope has room for all rows; those that are off put nothing into it.
void sar_lagrange_regroup(SarSim* s) {
  SarLagrange* p = s->formulation_state;
  sar_augmented_keep(&p->system, s->m, s->row_order, s->freedom.rank);
  *near_of(p) = s->freedom.rank_here < s->freedom.rank;
  p->grip_seen[SAR_GRIP_LARGEST] = p->grip_seen[SAR_GRIP_TURNED] = *p->clear = 0;
  if (p->has_passage) sar_index1_run_regroup(s, &p->passage);
  sar_index1_mark(s, *near_of(p));
  choose_rows(s);
  p->is_quick = p->quick != NULL;
  keep_weights(s, p);
}

// The rows that assembly calls independent are the first ones of the file, and may hardly be so.
void sar_lagrange_init(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
  sar_lagrange_regroup(s);
}

void sar_lagrange_update(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
}

SarStatus sar_lagrange_solve(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  sar_rnea(m, s->d, NULL, p->F);
  for (int i = 0; i < m->nv; i++) p->F[i] = s->d->tau[i] - p->F[i];
  return sar_augmented_solve(&p->system, m, s->d, p->F);
}

SarStatus sar_lagrange_accel(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarLagrange* p = s->formulation_state;
  s->bare = p->is_quick = p->is_closed = false;
  if (is_near(p)) return sar_lagrange_accel_near(s, p);
  if (p->quick && p->quick(s)) {
    p->is_quick = true;
    return SAR_OK;
  }
  s->bare = false;
  sar_lagrange_update(m, d);
  SAR_TRY(sar_augmented_factor(&p->system, m, d));
  SAR_TRY(sar_lagrange_solve(s, p));
  sar_update_constraint_work(m, d);
  return SAR_OK;
}

void sar_lagrange_filter(SarSim* s, double* x) {
  SarLagrange* p = s->formulation_state;
  double* c = p->system.c;
  const SarStatus st =
      is_near(p) ? sar_projection_filter(s->m, s->d, s->projection, x) : need_factor(s, p);
  if (st != SAR_OK) x[0] = (double)NAN;  // without a factor the step is rejected
  if (st != SAR_OK || is_near(p)) return;
  sar_constraint_multiply(s->m, s->d, x, c);
  sar_augmented_correct(&p->system, s->m, c, p->x);
  for (int i = 0; i < s->m->nv; i++) x[i] += p->x[i];
}

// Corrections beyond this share of the mechanism's size ask for another evaluation, and so do those
// that are far above the tolerance.
static const double FAR = 1e-4, ABOVE = 10;
enum { EVALUATIONS = 4 };

static bool is_far(const SarSim* s, SarViolation v) {
  const double length = s->projection->length;
  if (v.position > FAR * length) return true;
  if (!s->adaptive) return false;
  double fastest = 0;
  for (int i = 0; i < s->m->nv; i++) fastest = fmax(fastest, fabs(s->d->v[i]));
  const double tolerance = ABOVE * (s->options.atol + s->options.rtol) * length;
  return v.position > tolerance || v.velocity > tolerance * fmax(1, fastest);
}

// The dense way: onto the constraints first, then evaluated there.
static SarStatus land(SarSim* s, SarLagrange* p) {
  if (sar_lagrange_land_firm(s, p)) return SAR_OK;
  SAR_TRY(sar_project(s->m, s->d, s->projection));
  const SarViolation drift = s->projection->drift;
  s->stats.calls++;
  SAR_TRY(sar_lagrange_accel(s));
  s->projection->drift = drift;  // evaluating projects too
  return SAR_OK;
}

// What takes the residuals e away: as the other way has found it, or by the factor.
static const double* back(SarSim* s, SarLagrange* p, const double* e, const double* found) {
  if (p->is_quick) return found;
  sar_augmented_correct(&p->system, s->m, e, p->x);
  return p->x;
}

SarStatus sar_lagrange_settle(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarLagrange* p = s->formulation_state;
  if (is_near(p)) return land(s, p);
  for (int i = 0; i < EVALUATIONS; i++) {
    const SarViolation found = sar_violation(m, d);
    if (i == 0) s->projection->drift = found;
    sar_projection_move(m, back(s, p, d->Phi, p->back_q), d->q);
    const double* dv = back(s, p, d->Phi_dot, p->back_v);
    for (int k = 0; k < m->nv; k++) d->v[k] += dv[k];
    if (!is_far(s, found)) return SAR_OK;
    s->stats.calls++;
    SAR_TRY(sar_lagrange_accel(s));
  }
  return SAR_OK;
}

const SarFormulation sar_formulation_lagrange = {
    .name = "lagrange",
    .doc = "multipliers, sparse augmented matrix; the fastest for closed loops",
    .ref = "Bayo, Garcia de Jalon and Serna 1988",
    .why = "the model has constraints, and this is the fastest way",
    .shape = SAR_SHAPE_ACCEL,
    .tried = SAR_TRY_LOOPS,
    .recommended = true,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .init = sar_lagrange_init,
    .adopt = sar_lagrange_adopt,
    .regroup = sar_lagrange_regroup,
    .look = sar_lagrange_look,
    .accel = sar_lagrange_accel,
    .accelerations = {.filter = sar_lagrange_filter, .settle = sar_lagrange_settle},
};
