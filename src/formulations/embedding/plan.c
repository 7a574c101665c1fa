// The plan of `embedding`: independent coordinates that let loops decouple, and their flow.
//
// A coordinate that many loops share is best independent (a platform, a wheel carrier), and of one
// loop the joint next to ground: pivots are weighed so. The rest is numerical: what hardly moves a
// row cannot follow from it.
#include "formulations/embedding/plan.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "dynamics/projection.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 12 };

static const char* const NAMES[] = {"triangular", "block", "newton", "newton-all"};

// One of these, or NULL (sim/options.c).
static SarEmbeddingKinematics read_option(const SarSim* s) {
  const char* name = s->options.kinematics;
  for (int i = 0; name && i < 4; i++)
    if (strcmp(name, NAMES[i]) == 0) return (SarEmbeddingKinematics)i;
  return SAR_KINEMATICS_NEWTON_ALL;
}

// Constraints that move with a coordinate.
static int constraints_of(const SarModel* m, int dof) {
  int count = 0, last = -1;
  for (int i = 0; i < m->nrow; i++)
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++)
      if (m->row_dof[e] == dof && m->row[i].constraint != last) {
        last = m->row[i].constraint;
        count++;
      }
  return count;
}

static void weigh(const SarModel* m, double* weight) {
  for (int i = 0; i < m->nv; i++) {
    const int shared = constraints_of(m, i);
    int depth = 0;
    for (int b = m->body_parent[m->dof_body[i]]; b >= 0; b = m->body_parent[b]) depth++;
    weight[i] = (1 - 0.6 / (depth + 1)) / (shared > 1 ? shared * shared : 1);
  }
}

// The choice where the file begins, in memory of its own; then the flow. column: Nullable.
static SarStatus plan(SarSim* s, const double* unit, SarEmbeddingKinematics how, SarLoopFlow** flow,
                      int* column) {
  const SarModel* m = s->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  SarArena a;
  SarData* d = NULL;
  SarSim at = *s;
  sar_arena_init(&a);
  SarPartitioning p = {.rank = s->freedom.rank, .unit = unit};
  double* weight = SAR_ARENA_ARRAY(&a, double, nv + 1);
  p.row = SAR_ARENA_ARRAY(&a, int, nrow + 1), p.column = SAR_ARENA_ARRAY(&a, int, nv + 1);
  p.order = SAR_ARENA_ARRAY(&a, int, nv + 1), p.held = SAR_ARENA_ARRAY(&a, int, nv + 1);
  p.LU = SAR_ARENA_ARRAY(&a, double, nrow* nv + 1), p.b = SAR_ARENA_ARRAY(&a, double, nrow + 1);
  SarStatus st = a.failed ? SAR_NO_MEMORY : sar_data_new(m, &d, NULL);
  if (st == SAR_OK) {
    at.d = d;
    weigh(m, weight);
    p.weight = weight;
    for (int k = 0; k < m->nv; k++) p.column[k] = k;
    sar_update_kinematics(m, d);
    sar_update_world(m, d);
    sar_update_constraints(m, d);
    sar_partitioning_choose(&p, &at, true);
    SarLoopOptions o = sar_loop_options();
    o.cancel = s->options.cancel;
    if (how == SAR_KINEMATICS_NEWTON) o.work = 0;
    sar_partitioning_adopt(&p, s);  // rows of positions alone: a slip has none
    *flow = sar_flow_new(m, d->q, p.positions, p.row, p.column, &o);
    if (column) memcpy(column, p.column, nv * sizeof *column);
    if (!*flow) st = SAR_NO_MEMORY;
  }
  sar_data_free(d);
  sar_arena_free(&a);
  return st;
}

void sar_embedding_dof_name(const SarModel* m, int dof, char* out, size_t size) {
  const int j = m->dof_body[dof];
  const SarJointKind* kind = m->joint_kind[j];
  const char* const* suffix = kind->nq == kind->nv ? kind->q_suffix : kind->v_suffix;
  sar_snprintf(out, size, "%s.%s", sar_text(m, m->joint_name[j]), suffix[dof - m->joint_vadr[j]]);
}

static SarStatus demand_triangular(const SarModel* m, const SarLoopFlow* f, SarError* err) {
  for (int b = 0; b < f->blocks; b++) {
    const SarLoopBlock* k = &f->block[b];
    if (k->kind != SAR_LOOP_NEWTON && k->kind != SAR_LOOP_TORN) continue;
    char name[SAR_LOOP_NAME];
    sar_embedding_dof_name(m, k->dof[0], name, sizeof name);
    sar_report(err, (SarLoc){0}, "kinematics 'block' takes Newton's method there",
               "kinematics 'triangular': the loop of '%s' with %d unknown%s is not: %s", name,
               k->size, k->size == 1 ? "" : "s", k->reason);
    return SAR_NOT_OFFERED;
  }
  return SAR_OK;
}

SarStatus sar_embedding_plan(SarSim* s, const double* unit, SarEmbeddingKinematics* how,
                             SarLoopFlow** flow, int* column, SarError* err) {
  *flow = NULL;
  *how = read_option(s);
  if (s->freedom.rank == 0 || *how == SAR_KINEMATICS_NEWTON_ALL) return SAR_OK;
  SAR_TRY(plan(s, unit, *how, flow, column));
  return *how == SAR_KINEMATICS_TRIANGULAR ? demand_triangular(s->m, *flow, err) : SAR_OK;
}

SarStatus sar_embedding_flow_new(SarSim* s, SarLoopFlow** flow) {
  *flow = NULL;
  if (s->freedom.rank == 0) return SAR_OK;
  double* unit = sar_alloc((size_t)(s->m->nv + 1) * sizeof *unit);
  if (!unit) return SAR_NO_MEMORY;
  sar_dof_units(s->m, unit);
  const SarStatus st = plan(s, unit, SAR_KINEMATICS_BLOCK, flow, NULL);
  sar_free(unit);
  return st;
}

// ---- Newton's method, loop by loop --------------------------------------------------------------

// Rows of the block with its own coordinates.
static void fill(const SarSim* s, const SarLoopBlock* k, double* A) {
  const SarModel* m = s->m;
  memset(A, 0, (size_t)k->size * (size_t)k->size * sizeof *A);
  for (int i = 0; i < k->size; i++)
    for (int e = m->row_adr[k->row[i]]; e < m->row_adr[k->row[i] + 1]; e++)
      for (int j = 0; j < k->size; j++)
        if (k->dof[j] == m->row_dof[e]) A[i * k->size + j] = s->d->Psi[e];
}

static void solve_block(SarSim* s, const SarLoopBlock* k, double tolerance, double* A, int* pivot,
                        double* x) {
  const SarModel* m = s->m;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double b[64], most = 0;
    if (k->size > 64) return;
    sar_update_positions(m, s->d);
    sar_update_world(m, s->d);
    sar_update_constraints(m, s->d);
    fill(s, k, A);
    if (!sar_lu_factor(k->size, A, pivot)) return;
    for (int i = 0; i < k->size; i++) b[i] = s->d->Phi[k->row[i]];
    sar_lu_solve(k->size, A, pivot, b);
    memset(x, 0, (size_t)m->nv * sizeof *x);
    for (int i = 0; i < k->size; i++) {
      x[k->dof[i]] = -b[i];
      most = fmax(most, fabs(b[i]));
    }
    sar_projection_move(m, x, s->d->q);
    if (!(most > tolerance)) return;
  }
}

void sar_embedding_newton(SarSim* s, const SarLoopFlow* f, double tolerance, double* A, int* pivot,
                          double* x) {
  for (int b = 0; b < f->blocks; b++) solve_block(s, &f->block[b], tolerance, A, pivot, x);
}
