// One mechanism twice, in relative and in absolute coordinates, at the same state on its
// constraints.
#pragma once
#include "support/random_loops.h"

#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "linalg/dense.h"
#include "sim/assemble.h"
#include "sim/setup.h"

enum { TWIN_MAX_NV = 80, TWIN_MAX_ROWS = 120, TWIN_MAX_BODIES = 8 };

typedef struct TwinSide {
  SarModel* m;
  SarData* d;
  SarLoops loops;
  int row_order[TWIN_MAX_ROWS];
  double row_size[TWIN_MAX_ROWS];
  SarError err;
  SarStatus status;  // of loading, then of assembling
} TwinSide;

static const char* const TWIN_COORDINATES[2] = {"relative", "absolute"};

static inline void twin_load(TwinSide* s, const char* text, const char* coordinates) {
  const SarLoadOptions o = {.coordinates = coordinates};
  s->m = NULL, s->d = NULL;
  sar_error_init(&s->err);
  s->status = sar_model_parse(text, strlen(text), "yaml", "loops.yaml", &o, &s->m, &s->err);
  if (s->status == SAR_OK) s->status = sar_data_new(s->m, &s->d, &s->err);
  if (s->status == SAR_OK) assert_true(s->m->nv <= TWIN_MAX_NV && s->m->nrow <= TWIN_MAX_ROWS);
}

static inline void twin_free(TwinSide* s) {
  sar_data_free(s->d);
  sar_model_free(s->m);
}

static inline void twin_assemble(TwinSide* s) {
  s->loops.row_order = s->row_order;
  s->loops.row_size = s->row_size;
  sar_error_init(&s->err);
  s->status = sar_assemble_rows(s->m, s->d, &s->loops.freedom, s->row_order, s->row_size, &s->err);
}

static inline int twin_freedoms(const TwinSide* s) { return s->m->nv - s->loops.freedom.rank; }

// Does a message of the last call hold this text?
static inline bool twin_says(const TwinSide* s, const char* text) {
  for (int i = 0; i < s->err.count; i++)
    if (strstr(s->err.items[i].text, text)) return true;
  return false;
}

// What of their grip the independent rows keep where they have the least: the last diagonal entry
// of a pivoted QR of the rows over their usual lengths. 1 is firm, 0 a singular position.
static inline double twin_grip(const TwinSide* s) {
  static double rows[TWIN_MAX_ROWS * TWIN_MAX_NV], tau[TWIN_MAX_ROWS], work[64 * 1024];
  static int pivot[TWIN_MAX_ROWS], iwork[4096];
  const SarModel* m = s->m;
  const int rank = s->loops.freedom.rank;
  SarDenseWork w = {.work = work, .iwork = iwork};
  if (rank == 0) return 1;
  sar_dense_query(m->nv, m->nrow, &w);
  assert_true(w.lwork <= 64 * 1024 && w.liwork <= 4096);
  sar_constraint_jacobian_dense(m, s->d, rows);
  for (int i = 0; i < m->nrow; i++)
    for (int k = 0; k < m->nv; k++) rows[i * m->nv + k] /= s->row_size[i];
  sar_qr_pivoted(m->nv, m->nrow, rows, pivot, tau, &w);
  return fabs(rows[(rank - 1) * m->nv + rank - 1]);
}

// Joint coordinates of the file, wherever the joint is.
static inline void twin_copy_turns(const TwinSide* from, TwinSide* to) {
  for (int k = 0; k < to->m->ncut; k++) {
    const char* name = sar_text(to->m, to->m->cut[k].name);
    const int j = sar_model_find(from->m, SAR_ITEM_JOINT, name);
    double *q = &to->d->q[to->m->joint_qadr[to->m->nbody + k]], v[SAR_JOINT_MAX_NV];
    EXPECT_OK(sar_joint_get(from->d, j, q, v));
  }
}

// Puts the absolute side where the relative one is: poses and velocities of all bodies, turns of
// the joints, time.
static inline void twin_follow(TwinSide* from, TwinSide* to) {
  const SarModel *rm = from->m, *am = to->m;
  sar_update_kinematics(rm, from->d);
  sar_update_world(rm, from->d);
  to->d->t = from->d->t;
  assert_int_equal(am->nbody, rm->nbody);
  for (int b = 0; b < am->nbody; b++) {
    const SarJointKind* kind = am->joint_kind[b];
    double* q = &to->d->q[am->joint_qadr[b]];
    SarJointCalc calc;
    const Xform X_RB = x_mul(rm->body_X_BU[b], x_inv(am->body_X_BU[b]));
    const Xform X_GB = x_mul(from->d->body_X_GB[b], X_RB);
    assert_string_equal(sar_text(am, am->body_name[b]), sar_text(rm, rm->body_name[b]));
    kind->coordinates(NULL, x_mul(x_inv(am->body_X_PF[b]), X_GB), q, q);
    kind->calc(NULL, q, NULL, &calc);
    const Motion V = x_motion_inv(X_RB, from->d->body_V[b]);
    for (int i = 0; i < kind->nv; i++)
      to->d->v[am->joint_vadr[b] + i] = v3_dot(calc.S[i].w, V.w) + v3_dot(calc.S[i].v, V.v);
  }
  twin_copy_turns(from, to);
}

// alpha and a of the body frames' origins, ground axes, six numbers a body.
static inline void twin_accelerations(const SarModel* m, SarData* d, double* out) {
  sar_update_accelerations(m, d);
  for (int b = 0; b < m->nbody; b++) {
    const Motion A = d->body_A[b], V = d->body_V[b];
    const M3 R = d->body_X_GB[b].R;
    const V3 p = m->body_X_BU[b].p, v = v3_add(V.v, v3_cross(V.w, p));
    const V3 alpha = m3_mul_v(R, A.w);
    const V3 a =
        v3_add(m3_mul_v(R, v3_add(v3_add(A.v, v3_cross(A.w, p)), v3_cross(V.w, v))), m->gravity);
    const double six[6] = {alpha.x, alpha.y, alpha.z, a.x, a.y, a.z};
    memcpy(&out[6 * b], six, sizeof six);
  }
}

// Positions and speeds at random, put onto the constraints; where the loops do not close from
// there, at the design position, at rest as far as drives allow.
static inline void twin_put_somewhere(Rng* r, TwinSide* s) {
  const SarModel* m = s->m;
  double xi[TWIN_MAX_NV];
  const bool elsewhere = rng_int(r, 2);
  for (int i = 0; i < m->nv; i++) {
    s->d->v[i] = rng_uniform(r, -1, 1);
    xi[i] = rng_uniform(r, -0.3, 0.3);
  }
  if (elsewhere) sar_projection_move(m, xi, s->d->q);
  twin_assemble(s);
  if (s->status == SAR_OK) return;
  memcpy(s->d->q, m->q0, (size_t)m->nq_all * sizeof(double));
  memcpy(s->d->v, m->v0, (size_t)m->nv_all * sizeof(double));
  twin_assemble(s);
}

static inline void twin_text(int seed, Rng* r, ModelText* text) {
  *r = rng_seed((uint64_t)seed);
  const int bodies = 3 + rng_int(r, rng_int(r, 20) ? 3 : LOOPS_MAX_BODIES - 2);
  loops_random(text, r, (LoopFamily)(seed % LOOPS_FAMILIES), bodies);
}

// Both sides at one state. False: it cannot be put together, and both say so.
static inline bool twin_make(int seed, TwinSide side[2]) {
  static ModelText text;
  Rng r;
  twin_text(seed, &r, &text);
  for (int c = 0; c < 2; c++) {
    twin_load(&side[c], text.text, TWIN_COORDINATES[c]);
    EXPECT_OK_OR(side[c].status, &side[c].err);
  }
  twin_put_somewhere(&r, &side[0]);
  if (side[0].status == SAR_OK) twin_follow(&side[0], &side[1]);
  twin_assemble(&side[1]);
  if (side[0].status != side[1].status)
    fail_msg("mechanism %d: %s in relative, %s in absolute coordinates: %s", seed,
             sar_status_text(side[0].status), sar_status_text(side[1].status),
             side[side[0].status == SAR_OK].err.items[0].text);
  if (side[0].status == SAR_OK) return true;
  // drives that ask for what the joints do not allow: the only way in which these models go wrong
  for (int c = 0; c < 2; c++)
    if (side[c].status != SAR_BAD_MODEL || !twin_says(&side[c], "over-driven"))
      fail_msg("mechanism %d, %s: %s", seed, TWIN_COORDINATES[c], side[c].err.items[0].text);
  return false;
}

// Why the formulation does not take the model; NULL: it does.
static inline const char* twin_refusal(const SarFormulation* f, const TwinSide* s) {
  const SarFreedom* found = &s->loops.freedom;
  if (f->absolute && !s->m->absolute) return "absolute coordinates";
  if (s->m->nrow == 0) return NULL;
  if (!(f->can & SAR_CAN_CONSTRAINTS)) return "open trees only";
  if (found->rank < s->m->nrow && !(f->can & SAR_CAN_REDUNDANT)) return "redundant";
  if (found->massless && !(f->can & SAR_CAN_SINGULAR_MASS)) return "a mass matrix that is definite";
  return NULL;
}

// largest difference over the largest entry, at least 1
static inline double twin_apart(const double* x, const double* y, int n) {
  double most = 1, difference = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(y[i]));
    difference = fabs(x[i] - y[i]) <= difference ? difference : fabs(x[i] - y[i]);
  }
  return difference / most;
}
