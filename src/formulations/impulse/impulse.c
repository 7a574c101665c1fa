// Time stepping with impulses on articulated bodies (Moreau and Jean; sequential impulses, paper
// 004, SIMGC): what the tree does not hold is held by impulses, bilateral constraints as equations,
// unilateral ones and friction as a complementarity problem.
//
//   q_t = q0 (+) theta h v0                             motion without forces, to the moment theta
//   v   = v0 + h H^-1 (Q - bias)                        forces of the whole step, at q_t
//   J v = wanted                                        by impulses: loops, contacts, friction,
//                                                       limits, motors
//   q1  = q_t (+) (1 - theta) h (v + u),  v1 = v
//       u takes violations away and leaves no energy
//
// With theta = 1/2 this is Moreau's midpoint rule, which is the position form of Verlet's: free
// fall is exact, springs neither gain nor lose energy in the mean, and since impulses act where the
// bodies are at the moment theta, two bodies that hit each other keep their angular momentum to
// rounding. The paper uses the semi-implicit Euler rule (theta = 0), at the same cost. A step in
// which something fast hits takes theta at that moment: the impact happens at the surface, neither
// before nor behind it.
//
// What never lets go (bilateral) is solved directly through its Schur complement (held.h), the rest
// (unilateral) by sweeps of projected Gauss-Seidel (rows.h) that start with the impulses of the
// last step (warm start) and end when none changes much, after so many sweeps, or when the step's
// budget of time is used up. `impulse-sequential` leaves loops to the sweeps too, as the paper
// does; `impulse-maximal` is the same on absolute coordinates, where every joint is constraints:
// what the paper compares itself with (SIMMC). What a step shows of itself are means over it, the
// change of velocity and the impulses over its length: velocities jump, so that no instant has
// accelerations.
// Source: Mikhaylyuk et al. 2017 (seed paper 004); Moreau 1988.
#include "formulations/impulse/impulse.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

static int most_rows(const SarModel* m) { return m->nrow + sar_law_rows(m); }

static void lay_out(SarImpulseState* p, const SarModel* m, const SarSimOptions* o, bool direct,
                    const int* row_order, SarBlock* b) {
  sar_held_init(&p->held, m, direct, b);
  sar_impulses_init(&p->rows, m, &p->held, most_rows(m), b);
  sar_islands_init(&p->islands, m, b);
  sar_direct_init(&p->direct, m, b);
  sar_island_crew_init(&p->crew, m, direct ? o->threads : 1, b);
  sar_rest_init(&p->rest, m, b);
  sar_row_system_init(&p->row_system, m, sar_law_rows(m), &p->held, b);
  sar_contact_search_init(&p->search, m, b);
  sar_contact_search_share(&p->search, m, o->threads, b);
  SAR_PIECE(b, p->seen, m->ncontact);
  SAR_PIECE(b, p->ahead, m->ncontact);
  sar_impacts_init(&p->impacts, m, b);
  sar_balance_init(&p->balance, m, &p->held, b);
  SAR_PIECE(b, p->flies, m->nbody);
  sar_books_init(&p->books, m, b);
  sar_sleep_init(&p->sleep, m, b);
  SAR_PIECE(b, p->v0, m->nv + SAR_GROUND);
  SAR_PIECE(b, p->x, m->nv);
  SAR_PIECE(b, p->slope, m->nv);
  SAR_PIECE(b, p->expected, m->nv);
  SAR_PIECE(b, p->q, m->nq_all);
  SAR_PIECE(b, p->wanted, m->nrow);
  SAR_PIECE(b, p->z, m->nrow);
  SAR_PIECE(b, p->corrected, m->nv);
  SAR_PIECE(b, p->corrected_p, m->nrow);
  if (!direct) sar_passage_layout(&p->passage, m, b);
  sar_augmented_init(&p->system, m, false, row_order, m->nrow, b);
}

static size_t size_of(const SarModel* m, const SarSimOptions* o, bool direct) {
  SarImpulseState p;
  SarBlock b = sar_block(NULL, sizeof p);
  lay_out(&p, m, o, direct, NULL, &b);
  return b.used;
}

static size_t direct_size(const SarModel* m, const SarSimOptions* o) { return size_of(m, o, true); }
static size_t sequential_size(const SarModel* m, const SarSimOptions* o) {
  return size_of(m, o, false);
}

static bool rules_cuts(const SarModel* m) {
  for (int i = m->nv; i < m->nv_all; i++)
    if (isfinite(m->dof_lower[i]) || isfinite(m->dof_upper[i]) || m->dof_friction[i] > 0)
      return true;
  for (int i = 0; i < m->nmotor; i++)
    if (m->motor[i].joint >= m->nbody) return true;
  return false;
}

static SarStatus begin(SarSim* s, bool direct) {
  const SarModel* m = s->m;
  SarImpulseState* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  lay_out(p, m, &s->options, direct, s->row_order, &b);
  memset(p->corrected, 0, (size_t)m->nv * sizeof(double));
  sar_direct_clear(&p->direct, m);
  sar_rest_clear(&p->rest, m);
  p->search.pool = m->ncollider > 0 ? s->pool : NULL;
  p->cuts = rules_cuts(m);
  p->trees = sar_has_free_trees(m);
  p->passes = false;
  if (!direct) sar_passage_declare(&p->passage, s);
  sar_state_doubles(s, "jacobian", &p->held.Psi_start, direct ? m->nrow_dof : 0);
  sar_state_doubles(s, "open speed", &p->held.open_start, direct ? m->nrow : 0);
  sar_state_doubles(s, "multiplier", &p->multiplier, m->nrow);
  sar_state_doubles(s, "mean acceleration", &p->step_a, m->nv);
  sar_state_ints(s, "stepped", &p->stepped, 1, 1);
  sar_state_ints(s, "unsettled", &p->unsettled, 1, 1);
  if (!direct) return SAR_OK;
  sar_state_ints(s, "near", &p->near, 1, 1);
  const int bodies = m->ncontact > 0 ? m->nbody : 0;
  sar_state_ints(s, "direct wait", &p->wait, bodies, SAR_DIRECT_WAIT);
  sar_state_ints(s, "shared", &p->shared, bodies, m->ncontact);
  sar_state_ints(s, "stale", &p->stale, bodies, SAR_STALE);
  sar_state_ints(s, "share pause", &p->pause, bodies, SAR_DIRECT_WAIT);
  sar_state_ints(s, "share level", &p->restless, bodies, SAR_DIRECT_WAIT);
  sar_state_ints(s, "direct level", &p->level, bodies, SAR_DIRECT_WAIT);
  sar_state_ints(s, "calm", &p->calm, bodies, SAR_CALM);
  sar_sleep_begin(p, m);
  return SAR_OK;
}

static SarStatus start_direct(SarSim* s, SarError* err) {
  (void)err;
  return begin(s, true);
}
static SarStatus start_sequential(SarSim* s, SarError* err) {
  (void)err;
  return begin(s, false);
}

static void forget(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  *((SarImpulseState*)s->formulation_state)->unsettled = 0;
  d->ncontact = 0;
  memset(d->lambda, 0, (size_t)m->nrow * sizeof *d->lambda);
  memset(d->dof_impulse, 0, (size_t)m->nv_all * SAR_DOF_IMPULSES * sizeof *d->dof_impulse);
}

// Energies of steps near singular positions are judged (sim/judge_energy.c), of those by held rows
// alone: what hits, sticks or is driven by impulses changes speeds as no order says.
static void adopt_direct(SarSim* s) {
  s->near_singular = *((SarImpulseState*)s->formulation_state)->near != 0;
}

static void init_direct(SarSim* s) {
  *((SarImpulseState*)s->formulation_state)->near = s->freedom.rank_here < s->freedom.rank;
  adopt_direct(s);
}

static void look_direct(SarSim* s) {
  const SarImpulseState* p = s->formulation_state;
  if (!s->restart) *p->near = s->m->nrow > 0 && sar_held_is_faint(&p->held);
  adopt_direct(s);
}

static void forget_direct(SarSim* s) {
  forget(s);
  init_direct(s);
}

static SarPassage* passage_of(SarSim* s) {
  return &((SarImpulseState*)s->formulation_state)->passage;
}

static void adopt_sequential(SarSim* s) { sar_passage_adopt(passage_of(s), s); }
static void init_sequential(SarSim* s) { sar_passage_regroup(passage_of(s), s); }
static void look_sequential(SarSim* s) { sar_passage_look(passage_of(s), s); }
static void forget_sequential(SarSim* s) {
  forget(s);
  sar_passage_regroup(passage_of(s), s);
}

// Where a run begins: accelerations and multipliers of index 1, nothing touching.
static SarStatus accel(SarSim* s) {
  SarImpulseState* p = s->formulation_state;
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_impulse_evaluate(s);
  SAR_TRY(sar_augmented_factor(&p->system, m, d));
  sar_rnea(m, d, NULL, p->x);
  for (int i = 0; i < m->nv; i++) p->x[i] = d->tau[i] - p->x[i];
  SAR_TRY(sar_augmented_solve(&p->system, m, d, p->x));
  sar_update_constraint_work(m, d);
  return SAR_OK;
}

static bool show(SarSim* s) {
  const SarImpulseState* p = s->formulation_state;
  if (!*p->stepped) return false;
  memcpy(s->d->a, p->step_a, (size_t)s->m->nv * sizeof *p->step_a);
  memcpy(s->d->lambda, p->multiplier, (size_t)s->m->nrow * sizeof *p->multiplier);
  return true;
}

enum { CAN = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_CONTACT };

// What the three have in common.
#define IMPULSES(sweeps) \
  { .step = sar_impulse_step, .show = show, .max_iterations = (sweeps) }
#define WITH_IMPULSES                                                                   \
  .shape = SAR_SHAPE_IMPULSE, .picks_rows = true, .friction = SAR_FRICTION_BY_IMPULSES, \
  .accel = accel
#define BY_SWEEPS                                                                               \
  .state_size = sequential_size, .start = start_sequential, .init = init_sequential,            \
  .adopt = adopt_sequential, .regroup = forget_sequential, .look = look_sequential, .can = CAN, \
  .impulses = IMPULSES(5000)

const SarFormulation sar_formulation_impulse = {
    .name = "impulse",
    .doc = "impulses on articulated bodies: contact, friction, limits by sweeps, loops directly",
    .ref = "Mikhaylyuk et al. 2017",
    .recommended = true,
    .can = CAN | SAR_CAN_RANK_CHANGE,
    .state_size = direct_size,
    .start = start_direct,
    .init = init_direct,
    .adopt = adopt_direct,
    .look = look_direct,
    .impulses = IMPULSES(60),
    .regroup = forget_direct,
    WITH_IMPULSES,
};

const SarFormulation sar_formulation_impulse_sequential = {
    .name = "impulse-sequential",
    .doc = "the same with loops left to the sweeps, as in the paper (SIMGC)",
    .ref = "Mikhaylyuk et al. 2017",
    BY_SWEEPS,
    WITH_IMPULSES,
};

const SarFormulation sar_formulation_impulse_maximal = {
    .name = "impulse-maximal",
    .doc = "the same on absolute coordinates, with all joints left to the sweeps (SIMMC)",
    .ref = "Mikhaylyuk and Strashnov 2014",
    .absolute = true,
    BY_SWEEPS,
    WITH_IMPULSES,
};
