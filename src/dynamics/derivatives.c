// First derivatives of forward dynamics along directions (derivatives.h).
//
// Without constraints M = L'D L is solved by its sparse factors. With constraints, of the rows of
// Psi the farthest apart are chosen (QR with pivoting, linalg/apart.h), as many as are independent,
// as `lagrange` does where rows are redundant; the saddle point matrix over them is factored
// densely, rows scaled to the size of M.
#include "dynamics/derivatives.h"

#include "base/alloc.h"
#include "base/block.h"
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/node_derivatives.h"
#include "linalg/apart.h"
#include "linalg/lu.h"
#include "model/room.h"

#include <math.h>
#include <string.h>

// ---- life ---------------------------------------------------------------------------------------

static void lay_out(SarDerivatives* w, SarBlock* b) {
  const SarModel* m = w->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow, all = nv + nrow;
  enum { MORE = SAR_CACHE_LINE / (int)sizeof(double) };  // columns are written four at a time
  SAR_PIECE(b, w->mass, sar_mass_entries(m));
  SAR_PIECE(b, w->Tq, nv * nv + MORE);
  SAR_PIECE(b, w->Tv, nv * nv + MORE);
  SAR_PIECE(b, w->da, nv);
  SAR_PIECE(b, w->dlambda, nrow);
  SAR_PIECE(b, w->row, nrow);
  SAR_PIECE(b, w->pivot, all);
  SAR_PIECE(b, w->scale, nrow);
  SAR_PIECE(b, w->K, nrow ? all * all : 0);
  SAR_PIECE(b, w->rhs, all);
  SAR_PIECE(b, w->rows, nv * nrow);
  SAR_PIECE(b, w->body_F, m->nbody);
  sar_variation_init(m, &w->x, b);
  sar_tree_derivatives_init(m, &w->tree, b);
  SAR_BYTES(b, SAR_CACHE_LINE);  // the last piece is loaded with what follows it
}

static SarStatus refuse_forces(const SarModel* m, SarError* err) {
  for (int i = 0; i < m->nforce; i++) {
    if (m->force_kind[i]->vary) continue;
    sar_report(err, (SarLoc){0}, "take it out, or take differences of sar_forward_dynamics",
               "force '%s': kind '%s' has no derivatives", sar_text(m, m->force_name[i]),
               m->force_kind[i]->name);
    return SAR_NOT_OFFERED;
  }
  return SAR_OK;
}

SAR_API SarStatus sar_derivatives_new(const SarModel* m, SarDerivatives** out, SarError* err) {
  SAR_GIVEN(m && out);
  *out = NULL;
  SAR_TRY(refuse_forces(m, err));
  SarDerivatives w = {.m = m};
  SarStatus st;
  SarBlock b = sar_block(NULL, sizeof w);
  lay_out(&w, &b);
  SarDerivatives* p = sar_take_for(m, b.used, "taking derivatives", &st, err);
  if (!p) return st;
  b = sar_block(p, sizeof w);
  lay_out(&w, &b);
  w.has_forces = m->nforce > 0 || m->nexpr > 0 || m->nmeasure > 0 || m->has_passive ||
                 m->nrow > 0 || m->ncut > 0 || m->nrotor > 0 ||
                 m->field.kind != SAR_GRAVITY_UNIFORM;
  w.x.rates = sar_rates_new();
  if (!w.x.rates) {
    sar_free(p);
    return SAR_NO_MEMORY;
  }
  *p = w;
  *out = p;
  return SAR_OK;
}

SAR_API void sar_derivatives_free(SarDerivatives* w) {
  if (w) sar_rates_free(w->x.rates);
  sar_free(w);
}

// ---- the saddle point matrix --------------------------------------------------------------------

// Rows that are on, as columns of w->rows, each of length 1; then those that are independent.
static SarStatus choose_rows(SarDerivatives* w, const SarData* d) {
  const SarModel* m = w->m;
  const size_t nv = (size_t)m->nv;
  const int count = d->nactive;
  memset(w->rows, 0, nv * (size_t)m->nrow * sizeof *w->rows);
  for (int k = 0; k < count; k++) {
    const int row = d->active_row[k];
    double square = 0;
    for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) square += d->Psi[e] * d->Psi[e];
    w->scale[row] = square > 0 ? 1 / sqrt(square) : 0;
    for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++)
      w->rows[(size_t)k * nv + (size_t)m->row_dof[e]] = w->scale[row] * d->Psi[e];
  }
  w->rank = sar_rows_apart(count, m->nv, w->rows, w->pivot);
  if (d->assembled && w->rank < d->freedom.rank) return SAR_SINGULAR;
  for (int k = 0; k < w->rank; k++) w->row[k] = d->active_row[w->pivot[k]];
  return SAR_OK;
}

static SarStatus factor_saddle(SarDerivatives* w, SarData* d) {
  const SarModel* m = w->m;
  const int nv = m->nv;
  SAR_TRY(choose_rows(w, d));
  const size_t all = (size_t)(nv + w->rank);
  double trace = 0;
  sar_crba_dense(m, d, w->Tq);  // Tq is not needed yet
  for (int i = 0; i < nv; i++) trace += w->Tq[i * nv + i];
  const double size = trace > 0 ? trace / nv : 1;
  memset(w->K, 0, all * all * sizeof *w->K);
  for (int i = 0; i < nv; i++)
    memcpy(&w->K[(size_t)i * all], &w->Tq[(size_t)i * (size_t)nv], (size_t)nv * sizeof *w->K);
  for (int k = 0; k < w->rank; k++) {
    const int row = w->row[k];
    w->scale[row] *= size;
    for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) {
      const size_t i = (size_t)m->row_dof[e], r = (size_t)(nv + k);
      w->K[i * all + r] = w->K[r * all + i] = w->scale[row] * d->Psi[e];
    }
  }
  return sar_lu_factor((int)all, w->K, w->pivot) ? SAR_OK : SAR_SINGULAR;
}

// [a; lambda] for w->rhs = [force; rows of the list]
static void solve_saddle(SarDerivatives* w, double* a, double* lambda) {
  const int nv = w->m->nv;
  memset(lambda, 0, (size_t)w->m->nrow * sizeof *lambda);
  for (int k = 0; k < w->rank; k++) w->rhs[nv + k] *= w->scale[w->row[k]];
  sar_lu_solve(nv + w->rank, w->K, w->pivot, w->rhs);
  memcpy(a, w->rhs, (size_t)nv * sizeof *a);
  for (int k = 0; k < w->rank; k++) lambda[w->row[k]] = w->scale[w->row[k]] * w->rhs[nv + k];
}

// ---- the state ----------------------------------------------------------------------------------

static void evaluate(SarDerivatives* w, SarData* d) {
  const SarModel* m = w->m;
  sar_a_becomes(d, false);
  sar_update_kinematics(m, d);
  if (!w->has_forces) {
    if (m->nv > 0) memcpy(d->tau, d->tau_host, (size_t)m->nv * sizeof *d->tau);
    return;
  }
  sar_update_world(m, d);
  if (m->ncut > 0) sar_update_cut_joints(m, d);
  sar_update_forces(m, d);
  if (d->nactive == 0) return;
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
}

static SarStatus accelerate(SarDerivatives* w, SarData* d) {
  const SarModel* m = w->m;
  if (d->nactive == 0) {
    for (int i = 0; i < m->nrow; i++) d->lambda[i] = 0;
    w->rank = 0;
    return sar_aba(m, d);
  }
  SAR_TRY(factor_saddle(w, d));
  sar_rnea(m, d, NULL, w->rhs);
  for (int i = 0; i < m->nv; i++) w->rhs[i] = d->tau[i] - w->rhs[i];
  for (int k = 0; k < w->rank; k++) w->rhs[m->nv + k] = d->gamma[w->row[k]];
  solve_saddle(w, d->a, d->lambda);
  return SAR_OK;
}

// Forces -lambda coefficient W of all terms between bodies, also those that act through joints of
// the tree: as generalised forces they are the same.
static void constraint_forces(const SarModel* m, const SarData* d, Force* F) {
  for (int b = 0; b < m->nbody; b++) F[b] = force_zero();
  for (int i = 0; i < m->npair; i++) {
    const SarPair* p = &m->pair[i];
    Force sum = force_zero();
    if (!sar_pair_is_on(m, d, i)) continue;
    for (int k = p->term; k < p->term + p->terms; k++) {
      const double s = -d->lambda[m->term[k].row] * m->term[k].coefficient;
      sum.n = v3_axpy(s, d->term_W[k].n, sum.n);
      sum.f = v3_axpy(s, d->term_W[k].f, sum.f);
    }
    for (int end = 0; end < 2; end++) {
      const int b = p->body[end];
      if (b < 0) continue;
      const Xform* X = &d->body_X_GB[b];
      const V3 n = v3_add_cross(sum.n, v3_sub(d->pair_p[i], X->p), sum.f);
      const Force at = {m3_tmul_v(X->R, n), m3_tmul_v(X->R, sum.f)};
      F[b] = end == 1 ? force_add(F[b], at) : force_sub(F[b], at);
    }
  }
}

// Sums over subtrees, in place.
static void sum_inwards(const SarModel* m, const SarData* d, Force* F) {
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    if (p >= 0) F[p] = force_add(F[p], x_force(d->body_X_PB[b], F[b]));
  }
}

// What joints carry includes what constraints exert on the bodies beyond them.
static void take_off_constraints(SarDerivatives* w, SarData* d) {
  constraint_forces(w->m, d, w->body_F);
  sum_inwards(w->m, d, w->body_F);
  for (int b = 0; b < w->m->nbody; b++) {
    LaneForce* F = &d->body_force[b];
    F->n = l4_sub(F->n, l4_of(w->body_F[b].n));
    F->f = l4_sub(F->f, l4_of(w->body_F[b].f));
  }
}

SarStatus sar_derivatives_at(SarDerivatives* w, SarData* d, const double* a) {
  const SarModel* m = w->m;
  evaluate(w, d);
  if (a) {
    if (m->nv > 0) memcpy(d->a, a, (size_t)m->nv * sizeof *a);
    for (int i = 0; i < m->nrow; i++) d->lambda[i] = 0;
  } else {
    SAR_TRY(accelerate(w, d));
  }
  sar_rnea(m, d, d->a, w->da);
  if (d->nactive > 0 && !a) take_off_constraints(w, d);
  if (m->nnode > 0)
    sar_node_derivatives(m, d, &w->x, w->body_F, w->rhs, w->Tq, w->Tv);
  else
    sar_rnea_derivatives(m, d, d->a, &w->tree, w->mass, w->Tq, w->Tv);
  if (m->nrotor > 0 || m->nnode > 0)
    sar_crba(m, d, w->mass);  // rotors are not of the bodies' inertia
  return a || d->nactive > 0 ? SAR_OK : sar_mass_factor(m, d, w->mass);
}

// ---- directions ---------------------------------------------------------------------------------

void sar_derivatives_vary(SarDerivatives* w, SarData* d) {
  const SarModel* m = w->m;
  if (!w->has_forces) return;
  sar_vary_bodies(m, d, &w->x, d->nactive > 0 || m->nrotor > 0);
  sar_vary_coordinates(m, d, &w->x);
  sar_vary_forces(m, d, &w->x);
  if (d->nactive > 0) sar_vary_rows(m, d, &w->x);
}

void sar_derivatives_project(SarDerivatives* w, const SarData* d, double* force) {
  const SarModel* m = w->m;
  memcpy(w->body_F, w->x.body_F, (size_t)m->nbody * sizeof *w->body_F);
  sum_inwards(m, d, w->body_F);
  for (int b = 0; b < m->nbody; b++)
    for (int k = 0; k < m->joint_nv[b]; k++) {
      const int i = m->joint_vadr[b] + k;
      force[i] = w->x.tau[i] + power_of(sar_joint_axis(m, d, b, k), w->body_F[b]);
    }
  for (int k = 0; k < m->nnode; k++)
    for (int i = 0; i < m->node[k].num; i++)
      force[m->node[k].dof + i] +=
          power_of(d->node_S[m->node[k].mode + i], w->body_F[m->node[k].body]);
}

void sar_derivatives_force(SarDerivatives* w, const SarData* d, double* force) {
  for (int i = 0; i < w->m->nv; i++) force[i] = 0;
  if (w->has_forces) sar_derivatives_project(w, d, force);
}

void sar_derivatives_solve(SarDerivatives* w, const SarData* d, const double* force,
                           bool with_rows) {
  const SarModel* m = w->m;
  if (d->nactive == 0) {
    memmove(w->da, force, (size_t)m->nv * sizeof *force);  // it may be the same
    sar_mass_solve(m, d, w->mass, w->da);
    return;
  }
  memcpy(w->rhs, force, (size_t)m->nv * sizeof *force);
  for (int k = 0; k < w->rank; k++) w->rhs[m->nv + k] = with_rows ? -w->x.row[w->row[k]] : 0;
  solve_saddle(w, w->da, w->dlambda);
}
