// Linearisation in independent coordinates (linear.h).
//
//   Psi_d dq_d + Psi_i dq_i = -dPhi                 dependent (d) and independent (i) positions;
//                                                   dPhi: drives that follow states
//   Psi_d dv_d + Psi_i dv_i = -dPhi' at given v     velocities likewise, on all rows; rolling
//                                                   (nonholonomic) rows bind velocities only
//   d/dt dq_i = rate of the local coordinates,   d/dt dv_i = da_i,   d/dt dz = dz'
//
// Which coordinates are dependent: linear_partition.c. One direction of x or u at a time:
// derivatives of everything along it (forward mode), then accelerations from the saddle point
// system.
#include "sim/linear.h"

#include "base/alloc.h"
#include "base/block.h"
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/derivatives.h"
#include "linalg/dense.h"
#include "model/room.h"
#include "sim/linear_outputs.h"
#include "sim/linear_partition.h"

#include <math.h>
#include <string.h>

typedef struct Work {
  SarSim* s;
  const SarModel* m;
  SarData* d;
  SarDerivatives* w;
  SarLinearPartition q, v;
  SarLinearRoom room;
  double* force;  // nv
} Work;

// ---- memory -------------------------------------------------------------------------------------

static void lay_out_work(Work* a, SarBlock* b) {
  sar_linear_partition_layout(&a->q, a->m, b);
  sar_linear_partition_layout(&a->v, a->m, b);
  sar_linear_room_layout(&a->room, a->m, b);
  SAR_PIECE(b, a->force, a->m->nv);
}

static void lay_out_result(SarLinear* l, SarBlock* b) {
  const size_t nx = (size_t)l->nx, nu = (size_t)l->nu, ny = (size_t)l->ny;
  SAR_PIECE(b, l->q, l->nq);
  SAR_PIECE(b, l->v, l->nv);
  SAR_PIECE(b, l->A, nx * nx);
  SAR_PIECE(b, l->B, nx * nu);
  SAR_PIECE(b, l->C, ny * nx);
  SAR_PIECE(b, l->D, ny * nu);
  SAR_PIECE(b, l->x0, nx);
  SAR_PIECE(b, l->f, nx);
  SAR_PIECE(b, l->u0, nu);
  SAR_PIECE(b, l->y0, ny);
  SAR_PIECE(b, l->pole_re, nx);
  SAR_PIECE(b, l->pole_im, nx);
  SAR_PIECE(b, l->zero_re, nx);
  SAR_PIECE(b, l->zero_im, nx);
}

static SarStatus take_result(SarLinear* l, const SarModel* m, SarError* err) {
  SarBlock b = sar_block(NULL, 0);
  SarStatus st;
  lay_out_result(l, &b);
  l->block = sar_take_for(m, b.used + 1, "linearising", &st, err);
  if (!l->block) return st;
  b = sar_block(l->block, 0);
  lay_out_result(l, &b);
  return SAR_OK;
}

void sar_linear_free(SarLinear* l) {
  sar_free(l->block);
  *l = (SarLinear){0};
}

// ---- directions ---------------------------------------------------------------------------------

// What drives that follow states change Phi by, at given positions.
static void open_rows(const Work* a, double* open) {
  for (int i = 0; i < a->m->nrow; i++) {
    const int slot = a->m->row[i].slot;
    open[i] = slot < 0 || !a->d->row_on[i] ? 0 : -a->w->x.slot[slot];
  }
}

// The direction whose independent parts stand in x, brought onto the constraints.
static void settle(Work* a) {
  SarVariation* x = &a->w->x;
  if (a->v.rank > 0 || a->q.rank > 0) {
    if (a->m->drives_follow) {
      sar_derivatives_vary(a->w, a->d);
      open_rows(a, a->room.full);
      sar_linear_partition_complete(a->m, &a->room, &a->q, a->room.full, x->dq);
    } else {
      sar_linear_partition_complete(a->m, &a->room, &a->q, NULL, x->dq);
    }
    sar_linear_partition_complete(a->m, &a->room, &a->v, NULL, x->dv);
    sar_derivatives_vary(a->w, a->d);
    // the speeds at which the constraints open are those of dependent velocities
    memcpy(a->room.full, x->row_speed, (size_t)a->m->nrow * sizeof *a->room.full);
    for (int k = 0; k < a->v.rank; k++) {
      double along = 0;
      for (int i = 0; i < a->m->nv; i++) along += a->v.Psi[k * a->m->nv + i] * x->dv[i];
      a->room.full[a->v.row[k]] -= along;
    }
    sar_linear_partition_complete(a->m, &a->room, &a->v, a->room.full, x->dv);
  }
  sar_derivatives_vary(a->w, a->d);
}

// d/dt of local coordinates at a displacement dq: dv, and for rotation vectors dq x w / 2 besides.
static void position_rates(const Work* a, double* rate) {
  const SarModel* m = a->m;
  const SarVariation* x = &a->w->x;
  memcpy(rate, x->dv, (size_t)m->nv * sizeof *rate);
  for (int b = 0; b < m->nbody; b++) {
    if (m->joint_nq[b] == m->joint_nv[b]) continue;
    const int i = m->joint_vadr[b] + m->joint_nv[b] - 3;
    const V3 turn = v3_scale(0.5, v3_cross(v3_load(&x->dq[i]), v3_load(&a->d->v[i])));
    v3_store(&rate[i], v3_add(v3_load(&rate[i]), turn));
  }
}

// Accelerations along the direction, and one column of [A B; C D].
static void finish(Work* a, const SarLinear* l, const int* column, double* top, double* bottom,
                   int stride) {
  const SarModel* m = a->m;
  SarDerivatives* w = a->w;
  double* force = a->force;
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++)
      force[i] -= w->Tq[i * m->nv + j] * w->x.dq[j] + w->Tv[i * m->nv + j] * w->x.dv[j];
  sar_derivatives_solve(w, a->d, force, true);
  position_rates(a, force);
  for (int i = 0; i < l->nq; i++) top[i * stride] = force[l->q[i]];
  for (int i = 0; i < l->nv; i++) top[(l->nq + i) * stride] = w->da[l->v[i]];
  for (int i = 0; i < l->nz; i++) top[(l->nq + l->nv + i) * stride] = w->x.z_rate[i];
  if (l->ny == 0) return;
  sar_vary_accelerations(w, a->d);
  for (int i = 0; i < l->ny; i++)
    bottom[i * stride] = sar_vary_column(w, a->d, &m->channel[column[i]]);
}

static void clear_changes(Work* a) {
  SarVariation* x = &a->w->x;
  const SarModel* m = a->m;
  sar_variation_clear(m, x);
  memset(x->slot, 0, (size_t)m->nslot * sizeof *x->slot);
  memset(x->row, 0, (size_t)m->nrow * sizeof *x->row);
  memset(x->row_speed, 0, (size_t)m->nrow * sizeof *x->row_speed);
  memset(x->z_rate, 0, (size_t)m->nz * sizeof *x->z_rate);
}

static void state_column(Work* a, const SarLinear* l, const int* column, int k) {
  SarVariation* x = &a->w->x;
  clear_changes(a);
  if (k < l->nq)
    x->dq[l->q[k]] = 1;
  else if (k < l->nq + l->nv)
    x->dv[l->v[k - l->nq]] = 1;
  else
    x->dz[k - l->nq - l->nv] = 1;
  settle(a);
  sar_derivatives_force(a->w, a->d, a->force);
  finish(a, l, column, &l->A[k], l->ny ? &l->C[k] : NULL, l->nx);
}

// A force on a coordinate of a joint in the direction of the file, as a generalised force.
static void joint_force(Work* a, const SarLinearInput* in) {
  const SarModel* m = a->m;
  SarVariation* x = &a->w->x;
  double tau[SAR_JOINT_MAX_NV] = {0};
  const int j = in->joint;
  tau[in->component] = 1;
  if (j < m->nbody) {
    sar_joint_add_force(m, j, &a->d->q[m->joint_qadr[j]], tau, &x->tau[m->joint_vadr[j]]);
    return;
  }
  Force F[2];
  sar_cut_wrench(m, a->d, j - m->nbody, tau, F);
  for (int end = 0; end < 2; end++) {
    const int b = m->cut[j - m->nbody].body[end];
    if (b >= 0) x->body_F[b] = force_add(x->body_F[b], F[end]);
  }
}

static void input_column(Work* a, const SarLinear* l, const SarLinearInput* in, const int* column,
                         int k) {
  SarVariation* x = &a->w->x;
  clear_changes(a);
  if (in->input >= 0) x->input[in->input] = 1;
  settle(a);
  if (in->input < 0) joint_force(a, in);
  sar_derivatives_project(a->w, a->d, a->force);
  finish(a, l, column, &l->B[k], l->ny ? &l->D[k] : NULL, l->nu);
}

// ---- the state ----------------------------------------------------------------------------------

static void read_state(Work* a, const SarLinearInput* input, SarLinear* l) {
  const SarModel* m = a->m;
  const SarData* d = a->d;
  for (int i = 0; i < l->nq; i++) {
    const int j = m->dof_body[l->q[i]], k = l->q[i] - m->joint_vadr[j];
    const bool plain = m->joint_nq[j] == m->joint_nv[j] || k < m->joint_nv[j] - 3;
    l->x0[i] = plain ? d->q[m->joint_qadr[j] + k] : 0;
    l->f[i] = d->v[l->q[i]];
  }
  for (int i = 0; i < l->nv; i++) {
    l->x0[l->nq + i] = d->v[l->v[i]];
    l->f[l->nq + i] = d->a[l->v[i]];
  }
  for (int i = 0; i < l->nz; i++) {
    l->x0[l->nq + l->nv + i] = d->z[i];
    l->f[l->nq + l->nv + i] = d->z_rate[i];
  }
  for (int i = 0; i < l->nu; i++) l->u0[i] = input[i].input >= 0 ? d->input[input[i].input] : 0;
  for (int i = 0; i < m->nv; i++) l->acceleration = fmax(l->acceleration, fabs(d->a[i]));
}

static SarStatus read_outputs(Work* a, const int* column, SarLinear* l, SarError* err) {
  SarStatus st;
  double* all =
      sar_take_for(a->m, (size_t)(a->m->nchannel + 1) * sizeof *all, "linearising", &st, err);
  if (!all) return st;
  st = sar_outputs(a->s, all);
  for (int i = 0; i < l->ny; i++) l->y0[i] = all[column[i]];
  sar_free(all);
  return st;
}

static SarStatus linearise(Work* a, const SarLinearInput* input, const int* column, SarLinear* l,
                           SarError* err) {
  const SarModel* m = a->m;
  SAR_TRY(sar_derivatives_at(a->w, a->d, NULL));
  SAR_TRY(sar_linear_partition_find(a->m, a->d, &a->room, &a->q, false));
  SAR_TRY(sar_linear_partition_find(a->m, a->d, &a->room, &a->v, true));
  l->nq = m->nv - a->q.rank, l->nv = m->nv - a->v.rank, l->nz = m->nz;
  l->nx = l->nq + l->nv + l->nz;
  SAR_TRY(take_result(l, m, err));
  memcpy(l->q, a->q.independent, (size_t)l->nq * sizeof *l->q);
  memcpy(l->v, a->v.independent, (size_t)l->nv * sizeof *l->v);
  SAR_TRY(read_outputs(a, column, l, err));
  SAR_TRY(sar_derivatives_at(a->w, a->d, NULL));
  read_state(a, input, l);
  for (int k = 0; k < l->nx; k++) state_column(a, l, column, k);
  for (int k = 0; k < l->nu; k++) input_column(a, l, &input[k], column, k);
  const size_t nx = (size_t)l->nx, nu = (size_t)l->nu, ny = (size_t)l->ny;
  const struct {
    const double* x;
    size_t n;
  } all[] = {{l->A, nx * nx}, {l->B, nx * nu}, {l->C, ny * nx}, {l->D, ny * nu}};
  for (int k = 0; k < 4; k++)
    for (size_t i = 0; i < all[k].n; i++)
      if (!isfinite(all[k].x[i])) return SAR_NOT_FINITE;
  return sar_linear_roots(m, l, err);
}

SarStatus sar_linearise(SarSim* s, const SarLinearInput* input, int nu, const int* column, int ny,
                        SarLinear* out, SarError* err) {
  Work a = {.s = s, .m = s->m, .d = s->d};
  *out = (SarLinear){.nu = nu, .ny = ny, .zeros = -1};
  SarStatus st = sar_derivatives_new(s->m, &a.w, err);
  if (st != SAR_OK) return st;
  a.w->has_forces = true;  // positions and speeds of bodies are asked for, whatever acts
  const int most = s->m->nv > s->m->nrow ? s->m->nv : s->m->nrow;
  sar_dense_query(most, most, &a.room.dense);
  SarBlock b = sar_block(NULL, 0);
  lay_out_work(&a, &b);
  void* block = sar_take_for(s->m, b.used + 1, "linearising", &st, err);
  if (block) {
    b = sar_block(block, 0);
    lay_out_work(&a, &b);
    st = linearise(&a, input, column, out, err);
  }
  sar_free(block);
  sar_derivatives_free(a.w);
  if (st == SAR_SINGULAR)
    sar_report(err, (SarLoc){0}, "linearise about a state beside it, or give bodies inertia",
               "the equations of motion are singular at this state");
  if (st != SAR_OK) sar_linear_free(out);
  return st;
}
