// Assembly, consistent initial conditions (assemble.h):  Phi(q, t) = 0,  Psi v + Phi_t = 0.
//
// Positions and velocities (assemble_place.c), states that start there, and what motion is left:
// the rows are counted at the position and next to it.
#include "sim/assemble.h"

#include "base/alloc.h"
#include "base/block.h"
#include "dynamics/states.h"
#include "model/room.h"
#include "sim/assemble_work.h"
#include "sim/discrete.h"
#include "sim/events.h"

#include <math.h>
#include <string.h>

// A state other than the initial one that is open by less is left as it is, to the last bit:
// lengths over the size of the mechanism, speeds over the fastest. More than a run leaves, less
// than anybody sets.
static const double CONSISTENT = 1e-9;

enum { ROUNDS = 3 };

// ---- life ---------------------------------------------------------------------------------------

static void lay_out(Assembly* a, SarBlock* b) {
  const SarModel* m = a->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  const size_t cut = (size_t)(m->nv_all - m->nv), wishes = (size_t)m->ninitial;
  sar_projection_init(&a->p, m, NULL, 1, b);
  SAR_PIECE(b, a->given_dof, cut);
  SAR_PIECE(b, a->wish, wishes);
  SAR_PIECE(b, a->residual, nrow + cut + 3 * wishes);
  SAR_PIECE(b, a->open, nrow + cut + 3 * wishes);
  SAR_PIECE(b, a->given_row, (cut + wishes) * nv);
  SAR_PIECE(b, a->lag, cut + wishes);
  SAR_PIECE(b, a->start, cut + wishes);
  SAR_PIECE(b, a->held, nv);
  SAR_PIECE(b, a->q, m->nq);
  SAR_PIECE(b, a->from, m->nq_all);
  SAR_PIECE(b, a->kept, m->nq_all);
  SAR_PIECE(b, a->x, nv);
  SAR_PIECE(b, a->scale, nv);
  SAR_PIECE(b, a->more, nv);
  SAR_PIECE(b, a->sum, nv);
  SAR_PIECE(b, a->inertia, nv);
  SAR_PIECE(b, a->v_from, m->nv_all);
  SAR_PIECE(b, a->rate, m->nv_all);
  SAR_PIECE(b, a->V, m->nbody);
  SAR_PIECE(b, a->X_GB, m->nbody);
  SAR_PIECE(b, a->G, nv * nv);
  SAR_PIECE(b, a->rank.rows, nrow * nv);
  SAR_PIECE(b, a->rank.tau, nrow);
  SAR_PIECE(b, a->rank.work, nv);
  SAR_PIECE(b, a->rank.order, nrow);
  SAR_PIECE(b, a->rank.pivot, nrow);
  SAR_PIECE(b, a->rank.length, nrow);
}

static SarStatus begin(Assembly* a, SarError* err) {
  SarBlock b = sar_block(NULL, 0);
  SarStatus st;
  lay_out(a, &b);
  a->block = sar_take_for(a->m, b.used, "assembling the constraints", &st, err);
  if (!a->block) return st;
  b = sar_block(a->block, 0);
  lay_out(a, &b);
  return SAR_OK;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool is_consistent(Assembly* a) {
  sar_assembly_hold(a, NULL);
  return sar_open_positions(a) <= CONSISTENT &&
         sar_open_velocities(a) <= CONSISTENT * fmax(1, sar_assembly_fastest(a));
}

static bool is_initial(const SarModel* m, const SarData* d) {
  return d->t == 0 && memcmp(d->q, m->q0, (size_t)m->nq * sizeof(double)) == 0 &&
         memcmp(d->v, m->v0, (size_t)m->nv * sizeof(double)) == 0;
}

// A reset comes back to what was assembled.
static void remember(const SarModel* m, SarData* d) {
  memcpy(d->q_start, d->q, (size_t)m->nq_all * sizeof(double));
  memcpy(d->v_start, d->v, (size_t)m->nv_all * sizeof(double));
  if (m->ngate > 0) memcpy(d->gate_start, d->gate_state, (size_t)m->ngate * sizeof(int));
  if (m->ncut > 0) memcpy(d->cut_X_B_start, d->cut_X_B, (size_t)m->ncut * sizeof(Xform));
  memcpy(d->row_hold_start, d->row_hold, (size_t)m->nrow * sizeof(double));
}

// Joints that close loops have values of their own to keep, also where the loop closes at every
// position.
static bool gives_cuts(const SarModel* m) {
  for (int i = m->nv; i < m->nv_all; i++)
    if (m->q0_given[i] || m->v0_given[i]) return true;
  return false;
}

SarStatus sar_assemble_rows(const SarModel* m, SarData* d, SarFreedom* out, int* row_order,
                            double* row_size, SarError* err) {
  Assembly a = {.m = m, .d = d, .row_size = row_size};
  *out = (SarFreedom){0};
  const bool initial = is_initial(m, d);
  const bool starting = m->nz > 0 && !d->assembled;
  if (starting) sar_start_states(m, d, false);
  if (initial) sar_discrete_begin(m, d);
  if (initial) sar_events_begin(m, d);
  if (m->nrow == 0 && !(initial && (gives_cuts(m) || m->ninitial > 0))) return SAR_OK;
  SAR_TRY(begin(&a, err));
  SarStatus st = SAR_OK;
  a.carries = initial && (m->absolute || m->platforms > 0);
  if (initial || !is_consistent(&a)) {
    // states start at the assembled position; motions that follow them may move it
    for (int i = 0; st == SAR_OK; i++) {
      st = sar_assemble_positions(&a, initial, err);
      if (st == SAR_OK) st = sar_assemble_velocities(&a, initial, err);
      if (!starting || st != SAR_OK || i == ROUNDS) break;
      sar_start_states(m, d, true);
      if (!m->drives_follow) break;
    }
  }
  if (st == SAR_OK && m->nrow > 0) {
    sar_assembly_hold(&a, NULL);
    a.wishes = 0;
    sar_find_rows(&a, out, row_order);
    sar_remark_freedom(&a, out, row_order, err);
  }
  if (st == SAR_OK && initial) sar_discrete_begin(m, d);
  if (st == SAR_OK && initial) remember(m, d);
  sar_free(a.block);
  return st;
}

static void lay_out_rows(const SarModel* m, double** row_size, int** row_order, SarBlock* b) {
  SAR_PIECE(b, *row_size, m->nrow);
  SAR_PIECE(b, *row_order, m->nrow);
}

void* sar_take_rows(const SarModel* m, const char* doing, double** row_size, int** row_order,
                    SarStatus* st, SarError* err) {
  SarBlock b = sar_block(NULL, 0);
  lay_out_rows(m, row_size, row_order, &b);
  void* block = sar_take_for(m, b.used + 1, doing, st, err);
  b = sar_block(block, 0);
  lay_out_rows(m, row_size, row_order, &b);
  return block;
}

SarStatus sar_find_freedom(const SarModel* m, SarFreedom* out, char* redundant, size_t size,
                           SarError* err) {
  SarData* d;
  double* row_size;
  int* row_order;
  SarStatus st;
  *out = (SarFreedom){0};
  SAR_TRY(sar_data_new(m, &d, err));
  void* block =
      sar_take_rows(m, "counting the degrees of freedom", &row_size, &row_order, &st, err);
  if (block) {
    st = sar_assemble_rows(m, d, out, row_order, row_size, err);
    if (st == SAR_OK && redundant) sar_redundant_text(m, row_order, out, redundant, size);
  }
  sar_free(block);
  sar_data_free(d);
  return st;
}
