// Linearisation about a state and its eigenvalues, modes (modes.h).
//
//   N: orthonormal null space of Psi at the state (n x f),    q = q0 (+) N z + O(z^2),
//     N'(v - v0) = w
//   both on the constraints: positions and velocities are projected after they are displaced
//   d/dt (z, w, x) = (N' rate(q0, N z, v), N' a(t, q, v, x), rate(t, q, v, x)) = c + A (z, w, x) +
//     ...
//
// x are states of the user's own, if there are any. A ((2f + nx) x (2f + nx)) by central
// differences of the accelerations that the formulation gives, so all that acts in a run acts here:
// loops, drives, gyroscopic terms, every force. lambda and (z, w, x) are its eigenvalues and
// vectors (modes_shapes.c). About a steady motion (a car at speed) c is that motion, and lambda its
// stability.
//
// The projection displaces velocities across the constraints by the way of least mass, which has a
// part along N of first order in z; it is taken out again, so that w means what it says.
//
// In multiblade coordinates p, x = C(psi) p (multiblade.h), with W = (dC/dt) C^-1: d/dt C^-1 x =
// C^-1 (d/dt - W) x, so A loses N'WN in the blocks of z and of w, and shapes are C^-1 N z.
#include "base/block.h"
#include "sim/equilibrium.h"
#include "sim/modes_work.h"

#include "base/alloc.h"
#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "dynamics/tree.h"
#include "formulations/index1/index1.h"
#include "integrators/stage.h"
#include "linalg/dense.h"
#include "linalg/matrix.h"
#include "model/room.h"

#include <math.h>
#include <string.h>

// of displacements: rad, or sizes of the mechanism; of speeds: per second
static const double STEP = 1e-5;

// ---- memory -------------------------------------------------------------------------------------

static int most_rows(const SarModesWork* w) { return w->m->nrow + (w->held ? w->held->rows : 0); }

static void lay_out(SarModesWork* w, SarBlock* b) {
  const SarModel* m = w->m;
  const size_t n = (size_t)w->n, rows = (size_t)most_rows(w), all = 2 * n + (size_t)w->nz;
  SAR_PIECE(b, w->Psi, rows * n);
  SAR_PIECE(b, w->M, n * n);
  SAR_PIECE(b, w->zero, rows);
  SAR_PIECE(b, w->gamma, rows);
  SAR_PIECE(b, w->K, n * n);
  SAR_PIECE(b, w->K_vectors, n * n);
  SAR_PIECE(b, w->force, n);
  SAR_PIECE(b, w->N, n * n);
  SAR_PIECE(b, w->q0, m->nq_all);
  SAR_PIECE(b, w->v0, m->nv_all);
  SAR_PIECE(b, w->a0, n);
  SAR_PIECE(b, w->z0, w->nz);
  SAR_PIECE(b, w->work0, m->nwork);
  SAR_PIECE(b, w->y, all + (size_t)m->nwork);
  SAR_PIECE(b, w->rate, n);
  SAR_PIECE(b, w->across, n);
  SAR_PIECE(b, w->plus, all);
  SAR_PIECE(b, w->minus, all);
  SAR_PIECE(b, w->A, all * all);
  SAR_PIECE(b, w->vectors, all * all);
  SAR_PIECE(b, w->re, all);
  SAR_PIECE(b, w->im, all);
  SAR_PIECE(b, w->dense, w->dense_size);
  void* work = SAR_BYTES(b, sar_index1_work_size(w->n, most_rows(w)));
  if (b->memory) sar_index1_init(&w->p, w->n, most_rows(w), work);
}

static void lay_out_modes(SarModeSet* out, const SarModel* m, int freedom, SarBlock* b) {
  const size_t count = 2 * (size_t)freedom + (size_t)m->nz, shape = (size_t)(m->nv + m->nz);
  SAR_PIECE(b, out->re, count);
  SAR_PIECE(b, out->im, count);
  SAR_PIECE(b, out->shape_re, count * shape);
  SAR_PIECE(b, out->shape_im, count * shape);
  SAR_PIECE(b, out->omega2, freedom);
  SAR_PIECE(b, out->share, count * (size_t)m->nbody);
}

static SarStatus take_modes(SarModeSet* out, const SarModel* m, int freedom) {
  SarBlock b = sar_block(NULL, 0);
  lay_out_modes(out, m, freedom, &b);
  out->block = sar_alloc(b.used + 1);
  if (!out->block) return SAR_NO_MEMORY;
  b = sar_block(out->block, 0);
  lay_out_modes(out, m, freedom, &b);
  return SAR_OK;
}

void sar_mode_set_free(SarModeSet* modes) {
  sar_free(modes->block);
  *modes = (SarModeSet){0};
}

// ---- the state ----------------------------------------------------------------------------------

// Rows of constraints that are on, then of contacts that are held, and how many there are.
static int gather_rows(SarModesWork* w) {
  const size_t n = (size_t)w->n;
  SarData* d = w->d;
  if (w->m->nrow > 0) sar_constraint_jacobian_dense(w->m, d, w->Psi);
  for (int k = 0; k < d->nactive; k++) {  // rising: each moves forwards or stays
    const int row = d->active_row[k];
    memmove(&w->Psi[(size_t)k * n], &w->Psi[(size_t)row * n], n * sizeof *w->Psi);
    w->gamma[k] = d->gamma[row];
  }
  const int held = w->held ? w->held->rows : 0;
  for (int k = 0; k < held; k++) w->gamma[d->nactive + k] = 0;
  if (held > 0)
    memcpy(&w->Psi[(size_t)d->nactive * n], w->held->J, (size_t)held * n * sizeof *w->Psi);
  return d->nactive + held;
}

// M a + Psi' lambda = Q with the rows of held contacts among those of Psi. At rest and next to it
// the terms with squares of velocities in their gamma do not count.
static SarStatus accelerate_held(SarModesWork* w) {
  const SarModel* m = w->m;
  SarData* d = w->d;
  d->friction = SAR_FRICTION_BY_IMPULSES;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  d->friction = SAR_FRICTION_SMOOTH;
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  sar_rnea(m, d, NULL, w->force);
  for (int i = 0; i < w->n; i++) w->force[i] = d->tau[i] - w->force[i];
  SAR_TRY(sar_held_contacts_update(w->held, m, d, w->force));
  sar_crba_dense(m, d, w->M);
  w->p.m = w->p.rows.m = gather_rows(w);
  w->p.gamma = w->gamma;
  SAR_TRY(sar_index1_qr(&w->p));
  memcpy(d->a, w->p.a, (size_t)w->n * sizeof *d->a);
  return SAR_OK;
}

static SarStatus accelerate(SarModesWork* w) {
  return w->held ? accelerate_held(w) : w->s->call.accel(w->s);
}

// N at the state, where d is evaluated. Rows that are off do not count.
static SarStatus find_freedoms(SarModesWork* w) {
  const size_t n = (size_t)w->n;
  SarData* d = w->d;
  w->p.M = w->M, w->p.Psi = w->Psi, w->p.gamma = w->zero, w->p.F = w->force;
  if (w->m->nrow > 0) {
    w->p.m = w->p.rows.m = w->s->freedom.rows;
    w->p.rows.rank_max = w->s->freedom.rank;
    sar_update_world(w->m, d);
    sar_update_constraints(w->m, d);
  }
  const int rows = gather_rows(w);
  if (w->held) {
    w->p.m = w->p.rows.m = rows;
    w->p.rows.rank_max = rows < w->n ? rows : w->n;
  }
  SAR_TRY(sar_index1_rank(&w->p));
  sar_index1_particular(&w->p);
  sar_index1_orthonormal(&w->p);
  w->f = w->n - w->p.rank;
  w->p.rows.rank_max = w->p.rank;  // what is redundant here counts as such next to it
  memcpy(w->N, w->p.basis, n * (size_t)w->f * sizeof *w->N);
  return SAR_OK;
}

static void keep_state(SarModesWork* w) {
  const SarModel* m = w->m;
  SarInstant* start = &w->s->start;
  w->t = w->d->t;
  memcpy(w->q0, w->d->q, (size_t)m->nq_all * sizeof *w->q0);
  memcpy(w->v0, w->d->v, (size_t)m->nv_all * sizeof *w->v0);
  if (m->nz > 0) memcpy(w->z0, w->d->z, (size_t)m->nz * sizeof *w->z0);
  memcpy(w->work0, w->d->work, (size_t)m->nwork * sizeof *w->work0);
  // local coordinates count from here
  start->t = w->t;
  memcpy(start->q, w->q0, (size_t)m->nq_all * sizeof *w->q0);
  memcpy(start->v, w->v0, (size_t)m->nv_all * sizeof *w->v0);
}

static SarStatus restore_state(SarModesWork* w) {
  const SarModel* m = w->m;
  w->d->t = w->t;
  memcpy(w->d->q, w->q0, (size_t)m->nq_all * sizeof *w->q0);
  memcpy(w->d->v, w->v0, (size_t)m->nv_all * sizeof *w->v0);
  if (m->nz > 0) memcpy(w->d->z, w->z0, (size_t)m->nz * sizeof *w->z0);
  memcpy(w->d->work, w->work0, (size_t)m->nwork * sizeof *w->work0);
  if (w->s->projection) sar_projection_forget(w->s->projection);
  return w->s->call.accel(w->s);
}

// Where stiff things are light (sections of a beam that turn), |lambda| beside the largest does not
// tell rigid motion from slow modes: the stiffness does.
static bool is_at_rest(const SarModesWork* w) {
  for (int i = 0; i < w->n; i++)
    if (w->v0[i] != 0) return false;
  return !w->held && w->nz == 0;
}

// ---- A ------------------------------------------------------------------------------------------

// d onto the constraints; then what the projection has changed of w is taken out, and what that
// opens is closed, which is of second order.
static SarStatus settle(SarModesWork* w) {
  SarData* d = w->d;
  const double* v = w->y + w->n;
  if (!w->s->projection) return SAR_OK;
  for (int pass = 0; pass < 2; pass++) {
    sar_projection_forget(w->s->projection);
    SAR_TRY(sar_project(w->m, d, w->s->projection));
    for (int i = 0; i < w->n; i++) w->rate[i] = d->v[i] - v[i];
    sar_matvec_t(w->n, w->f, 1, w->N, w->n, w->rate, 0, w->across);
    sar_matvec(w->n, w->f, -1, w->N, w->n, w->across, 1, d->v);
  }
  sar_projection_forget(w->s->projection);
  return sar_project(w->m, d, w->s->projection);
}

// d/dt (z, w, x) where component k of (z, w, x) is displaced by h.
static SarStatus rate_at(SarModesWork* w, int k, double h, double* out) {
  const int n = w->n, f = w->f;
  const double* column = k < 2 * f ? &w->N[(size_t)(k % f) * (size_t)n] : NULL;
  for (int i = 0; i < n; i++) {
    w->y[i] = k < f ? h * column[i] : 0;
    w->y[n + i] = w->v0[i] + (k >= f && k < 2 * f ? h * column[i] : 0);
  }
  for (int i = 0; i < w->nz; i++) w->y[2 * n + i] = w->z0[i] + (k == 2 * f + i ? h : 0);
  memcpy(w->y + sar_stage_work(w->m), w->work0, (size_t)w->m->nwork * sizeof *w->y);
  sar_stage_set(w->s, w->t, w->y);
  SAR_TRY(settle(w));
  SAR_TRY(accelerate(w));
  sar_stage_position_rate(w->s, w->y, w->d->v, w->rate);
  sar_matvec_t(n, w->f, 1, w->N, n, w->rate, 0, out);
  sar_matvec_t(n, w->f, 1, w->N, n, w->d->a, 0, out + w->f);
  if (w->nz > 0) memcpy(out + 2 * f, w->d->z_rate, (size_t)w->nz * sizeof *out);
  return SAR_OK;
}

// The largest displacement of a column, in rad or sizes of the mechanism.
static double size_of(const SarModesWork* w, const double* column) {
  double most = 0;
  for (int i = 0; i < w->n; i++) {
    const int j = w->m->dof_body[i];
    const bool angle = w->m->joint_kind[j]->coordinate[i - w->m->joint_vadr[j]] == SAR_ANGLE;
    most = fmax(most, fabs(column[i]) / (angle ? 1 : w->length));
  }
  return most;
}

static SarStatus linearise(SarModesWork* w) {
  const int size = sar_modes_size(w);
  for (int k = 0; k < size; k++) {
    const double h = k < 2 * w->f ? STEP / size_of(w, &w->N[(size_t)(k % w->f) * (size_t)w->n])
                                  : STEP * (1 + fabs(w->z0[k - 2 * w->f]));
    SAR_TRY(rate_at(w, k, h, w->plus));
    SAR_TRY(rate_at(w, k, -h, w->minus));
    for (int i = 0; i < size; i++) w->A[k * size + i] = (w->plus[i] - w->minus[i]) / (2 * h);
  }
  return SAR_OK;
}

static void turn_with_blades(SarModesWork* w) {
  const int size = sar_modes_size(w), n = w->n, f = w->f;
  for (int k = 0; k < f; k++) {
    sar_multiblade_turn(w->blades, n, &w->N[(size_t)k * (size_t)n], w->rate);
    sar_matvec_t(n, f, 1, w->N, n, w->rate, 0, w->across);
    for (int i = 0; i < f; i++) {
      w->A[k * size + i] -= w->across[i];
      w->A[(f + k) * size + f + i] -= w->across[i];
    }
  }
}

static SarStatus find(SarModesWork* w, SarModeSet* out) {
  w->p.M = w->M, w->p.Psi = w->Psi, w->p.F = w->force;
  if (w->held) w->p.rows.rank_max = w->n;
  SAR_TRY(accelerate(w));
  for (int i = 0; i < w->n; i++) out->acceleration = fmax(out->acceleration, fabs(w->d->a[i]));
  SAR_TRY(find_freedoms(w));
  out->freedom = w->f;
  SAR_TRY(take_modes(out, w->m, w->f));
  const int size = sar_modes_size(w);
  if (size == 0) return SAR_OK;
  SAR_TRY(linearise(w));
  if (w->blades) turn_with_blades(w);
  for (int i = 0; i < size * size; i++)
    if (!isfinite(w->A[i])) return SAR_NOT_FINITE;
  return sar_modes_of_A(w, out);
}

SarStatus sar_mode_set_find(SarSim* s, SarHeldContacts* held, SarModeSet* out, SarError* err) {
  return sar_mode_set_find_of(s, held, NULL, out, err);
}

SarStatus sar_mode_set_find_of(SarSim* s, SarHeldContacts* held, const SarMultiblade* blades,
                               SarModeSet* out, SarError* err) {
  SarModesWork w = {
      .s = s, .held = held, .blades = blades, .m = s->m, .d = s->d, .n = s->m->nv, .nz = s->m->nz};
  *out = (SarModeSet){0};
  w.dense_size = sar_eigen_general_size(2 * w.n + w.nz);
  SarBlock b = sar_block(NULL, 0);
  SarStatus st;
  lay_out(&w, &b);
  void* block = sar_take_for(w.m, b.used, "computing the modes", &st, err);
  if (!block) return st;
  b = sar_block(block, 0);
  lay_out(&w, &b);
  w.length = s->projection ? s->projection->length : 1;
  if (!(w.length > 0)) w.length = 1;
  keep_state(&w);
  st = is_at_rest(&w) ? sar_equilibrium_holds(s, &w.firm, err) : SAR_OK;
  if (st == SAR_OK) st = find(&w, out);
  const SarStatus back = restore_state(&w);
  sar_free(block);
  if (st == SAR_OK) st = back;
  if (st == SAR_NOT_CONVERGED)
    sar_report(err, (SarLoc){0}, "is it at a dead point?",
               "the constraints do not hold in the neighbourhood of the state");
  if (st != SAR_OK) sar_mode_set_free(out);
  return st;
}
