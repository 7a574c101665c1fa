// Bilateral constraints (holonomic and rolling): residual Phi, Jacobian Psi, Phi_t and gamma.
//
// Everything is in ground axes. For a pair of bodies a and b, seen from a:
//
//   d = p_b - p_a                                 their points
//   u = v_b - v_a*                                velocity of p_b; a*: the point of a that is at
//                                                 p_b
//   Omega = w_b - w_a                             angular velocity
//   a_u = a_b - a_a* - 2 w_a x u                  acceleration of p_b
//   A = alpha_b - alpha_a - w_a x Omega           angular acceleration
//
// A term depends on the pose of b seen from a alone, so its rate is W . (Omega, u) with a force W
// at p_b, and coordinate j contributes the entry W . J_j with J_j = (Omega, u) for v_j = 1. Then
//
//   term'' = W . (A, a_u) + what is quadratic in Omega and u,  gamma = f'' - sum of term'' at a = 0
//
// x, y are directions fixed in a, w is fixed in b:
//
//   term                    W = (n; f)              quadratic part
//   x . d                   0; x                    0
//   x . w                   w x x; 0                (Omega.x)(Omega.w) - Omega^2 (x.w)
//   |d|                     0; d / |d|              (u^2 - |d|'^2) / |d|
//   atan2(s, c)             w x (c y - s x) / r; 0  (c s'' - s c'' - 2 angle' (c c' + s s')) / r
//     s = y . w, c = x . w, r = s^2 + c^2
//   y . d - g(x . d)        0; y - g' x             -g'' (x . u)^2
//   rolling                 rho x e; e              in rolling.c
//
// Cost: some 40 flops a body on the way to a pair, 20 an entry of Psi.
#include "dynamics/constraints.h"

#include "dynamics/applied.h"
#include "dynamics/cut_joints.h"
#include "dynamics/pair.h"
#include "dynamics/rolling.h"
#include "dynamics/track.h"
#include "linalg/lanes.h"
#include "math/lanes.h"

#include <string.h>

static const double TURN = 6.283185307179586477;

void sar_update_drives(const SarModel* m, SarData* d) {
  d->slot[0] = d->t;
  if (m->drives_follow) {
    if (m->needs_cuts && m->nmeasure > 0) sar_update_acting_cuts(m, d);
    sar_update_measures(m, d);
  }
  for (int i = 0; i < m->ndrive; i++) {
    const SarExprEntry* e = &m->drive[i];
    d->slot[e->slot] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
  }
}

// the angle nearest to the one before, where turns are counted
static double counted(SarData* d, const SarTerm* t, double angle) {
  if (t->q < 0) return angle;
  double* before = &d->q[t->q];
  *before = angle + TURN * rint((*before - angle) / TURN);
  return *before;
}

// Value of a term and its W.
LANES_INLINE double measure(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t,
                            V3 w_B, V3 gap, Force* W) {
  const M3 R = pair_pose(d, p->body[0])->R;
  const V3 x = m3_mul_v(R, t->x);
  *W = force_zero();
  switch (t->kind) {
    case SAR_TERM_ALONG: W->f = x; return v3_dot(x, gap);
    case SAR_TERM_PERPENDICULAR: {
      const V3 w = m3_mul_v(pair_pose(d, p->body[1])->R, w_B);
      W->n = v3_cross(w, x);
      return v3_dot(x, w);
    }
    case SAR_TERM_DISTANCE: {
      const double length = v3_norm(gap);
      if (length > 0) W->f = v3_scale(1 / length, gap);
      return length;
    }
    case SAR_TERM_ANGLE: {
      const V3 y = m3_mul_v(R, t->y), w = m3_mul_v(pair_pose(d, p->body[1])->R, w_B);
      const double c = v3_dot(x, w), s = v3_dot(y, w), r = c * c + s * s;
      if (r > 0) W->n = v3_cross(w, v3_axpy(c / r, y, v3_scale(-s / r, x)));
      return counted(d, t, atan2(s, c));
    }
    case SAR_TERM_CURVE: {
      const V3 y = m3_mul_v(R, t->y);
      const SarTrackPoint g = sar_track_calc(m, d, t->track, v3_dot(x, gap));
      W->f = v3_axpy(-g.slope, x, y);
      return v3_dot(y, gap) - g.y;
    }
    case SAR_TERM_ROLL: return sar_roll_measure(m, d, p, t, w_B, gap, W);
    default: return 0;
  }
}

// W . J for all coordinates of the pair, to where they stand in the row
LANES_INLINE void entries(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t,
                          Force W) {
  double* Psi = &d->Psi[m->row_adr[t->row]];
  const Motion* J = &d->pair_J[p->adr];
  if (t->place >= 0) {
    const int* place = &m->term_place[t->place];
    for (int k = 0; k < p->num; k++) Psi[place[k]] += t->coefficient * power_of(J[k], W);
    return;
  }
  switch (t->kind) {  // half of W is zero
    case SAR_TERM_PERPENDICULAR:
    case SAR_TERM_ANGLE:
      for (int k = 0; k < p->num; k++) Psi[k] = t->coefficient * v3_dot(J[k].w, W.n);
      break;
    case SAR_TERM_ROLL:
      for (int k = 0; k < p->num; k++) Psi[k] = t->coefficient * power_of(J[k], W);
      break;
    default:
      for (int k = 0; k < p->num; k++) Psi[k] = t->coefficient * v3_dot(J[k].v, W.f);
  }
}

// Both bodies' entries of a term, times its coefficient, to where they stand in the row.
LANES_INLINE void all_own_entries(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t,
                                  V3 p_b, Force W) {
  const int* dof = &m->pair_dof[p->adr];
  const double sign = p->a_first ? -t->coefficient : t->coefficient;
  const bool turns = t->kind == SAR_TERM_PERPENDICULAR || t->kind == SAR_TERM_ANGLE;
  double *Psi = &d->Psi[m->row_adr[t->row]], room[2 * PAIR_FREE], *out = t->place >= 0 ? room : Psi;
  if (p->num_first > 0) pair_own_entries(m, d, dof[0], sign, p_b, W, turns, out);
  if (p->num > p->num_first)
    pair_own_entries(m, d, dof[p->num_first], -sign, p_b, W, turns, out + p->num_first);
  if (t->place < 0) return;
  const int* place = &m->term_place[t->place];
  for (int k = 0; k < p->num; k++) Psi[place[k]] += room[k];
}

LANES_INLINE void update_pair(const SarModel* m, SarData* d, int i) {
  const SarPair* p = &m->pair[i];
  const Xform *X_GA = pair_pose(d, p->body[0]), *X_GB = pair_pose(d, p->body[1]);
  const V3 p_b = x_point(*X_GB, d->pair_b[i]), gap = v3_sub(p_b, x_point(*X_GA, p->point[0]));
  const int *dof = &m->pair_dof[p->adr], beyond = p->num - p->num_first;
  const bool own = pair_is_own(m, dof, p->num_first) && pair_is_own(m, dof + p->num_first, beyond);
  const double sign = p->a_first ? -1 : 1;
  d->pair_p[i] = p_b;
  d->pair_d[i] = gap;
  if (!own) {
    const int first = p->body[p->a_first ? 0 : 1], second = p->body[p->a_first ? 1 : 0];
    pair_columns(m, d, dof, p->num_first, sign, p_b, first, second, &d->pair_J[p->adr]);
    pair_columns(m, d, dof + p->num_first, beyond, -sign, p_b, second, first,
                 &d->pair_J[p->adr + p->num_first]);
  }
  for (int k = p->term; k < p->term + p->terms; k++) {
    const SarTerm* t = &m->term[k];
    Force W;
    d->Phi[t->row] += t->coefficient * measure(m, d, p, t, d->term_w[k], gap, &W);
    d->term_W[k] = W;
    if (own)
      all_own_entries(m, d, p, t, p_b, W);
    else
      entries(m, d, p, t, W);
  }
}

LANES_INLINE void update_rows(const SarModel* m, SarData* d) {
  if (m->ndrive > 0) sar_update_drives(m, d);
  for (int i = 0; i < m->nrow; i++) {
    const SarRow* row = &m->row[i];
    if (d->row_on[i])
      d->Phi[i] = (row->slot < 0 ? -row->constant : -d->slot[row->slot]) - d->row_hold[i];
  }
  if (m->nterm_place > 0 || m->ncoordinate_term > 0)  // rows of several terms add up
    memset(d->Psi, 0, (size_t)m->nrow_dof * sizeof *d->Psi);
  for (int k = 0; k < m->ncoordinate_term; k++) {
    const SarTerm* t = &m->term[k];
    if (!d->row_on[t->row]) continue;
    d->Phi[t->row] += t->coefficient * d->q[t->q];
    d->Psi[m->row_adr[t->row] + t->place] += t->coefficient;
  }
  for (int i = 0; i < m->npair; i++)
    if (sar_pair_is_on(m, d, i)) update_pair(m, d, i);
  for (int i = 0; i < m->nrow; i++) {
    const double turn = m->row[i].turn;
    if (turn > 0) d->Phi[i] -= turn * rint(d->Phi[i] / turn);
  }
}

SAR_WIDE static void rows_wide(const SarModel* m, SarData* d) { update_rows(m, d); }

void sar_update_constraints(const SarModel* m, SarData* d) {
  if (m->nrow == 0) return;
  if (sar_has_wide())
    rows_wide(m, d);
  else
    update_rows(m, d);
}

// ---- using them ---------------------------------------------------------------------------------

void sar_constraint_jacobian_dense(const SarModel* m, const SarData* d, double* Psi) {
  const size_t nv = (size_t)m->nv;
  memset(Psi, 0, (size_t)m->nrow * nv * sizeof *Psi);
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      Psi[(size_t)i * nv + (size_t)m->row_dof[k]] = d->Psi[k];
}

// Do six entries belong to coordinates one behind the other, as those of a free body are? (They
// rise.)
static inline bool is_run(const int* dof, int left) {
  return left >= PAIR_FREE && dof[PAIR_FREE - 1] == dof[0] + PAIR_FREE - 1;
}

// f += s Psi, six of them
static inline void add_run(double s, const double* Psi, double* f) {
  const SarLanes both = {s, s};
  sar_lanes_store(f, sar_lanes(f) + both * sar_lanes(Psi));
  sar_lanes_store(f + 2, sar_lanes(f + 2) + both * sar_lanes(Psi + 2));
  sar_lanes_store(f + 4, sar_lanes(f + 4) + both * sar_lanes(Psi + 4));
}

static inline SarLanes run_product(const double* Psi, const double* x) {
  return sar_lanes(Psi) * sar_lanes(x) + sar_lanes(Psi + 2) * sar_lanes(x + 2) +
         sar_lanes(Psi + 4) * sar_lanes(x + 4);
}

void sar_constraint_add_transposed(const SarModel* m, const SarData* d, double sign,
                                   const double* x, double* f) {
  for (int i = 0, k = 0; i < m->nrow; i++) {
    const double s = sign * x[i];
    const int end = m->row_adr[i + 1];
    if (end - k < PAIR_FREE) {  // no room for a free body
      for (; k < end; k++) f[m->row_dof[k]] += s * d->Psi[k];
      continue;
    }
    while (k < end) {
      const int* dof = &m->row_dof[k];
      if (is_run(dof, end - k)) {
        add_run(s, &d->Psi[k], f + dof[0]);
        k += PAIR_FREE;
      } else {
        f[dof[0]] += s * d->Psi[k++];
      }
    }
  }
}

void sar_constraint_multiply(const SarModel* m, const SarData* d, const double* x, double* y) {
  for (int i = 0, k = 0; i < m->nrow; i++) {
    const int end = m->row_adr[i + 1], *dof = &m->row_dof[k];
    SarLanes lanes = {0, 0};
    double sum = 0;
    if (end - k < PAIR_FREE) {  // no room for a free body
      for (; k < end; k++) sum += d->Psi[k] * x[m->row_dof[k]];
      y[i] = sum;
      continue;
    }
    if (end - k == 2 * PAIR_FREE && is_run(dof, PAIR_FREE) && is_run(dof + PAIR_FREE, PAIR_FREE)) {
      lanes = run_product(&d->Psi[k], x + dof[0]) +
              run_product(&d->Psi[k + PAIR_FREE], x + dof[PAIR_FREE]);
      k = end;
    }
    while (k < end) {
      dof = &m->row_dof[k];
      if (is_run(dof, end - k)) {
        lanes += run_product(&d->Psi[k], x + dof[0]);
        k += PAIR_FREE;
      } else {
        sum += d->Psi[k++] * x[dof[0]];
      }
    }
    y[i] = sum + (lanes[0] + lanes[1]);
  }
}
