// Bilateral rows of a group, solved together through the Schur complement A = Psi H^-1 Psi'
// (held.h).
//
// Cholesky's factor A = L L' is made row by row with pivoting. In the metric of H a row is the
// vector
//
//   Psi_k = sum L_kj e_j,    e_0, e_1, ... orthonormal:    y = L^-1 (wanted - Psi v),
//                            v += H^-1 Psi' L^-T y
//
// so L_kk, over the length that the row has at its full grip, says how firmly row k holds the one
// motion e_k that those before it leave free. As many rows are taken as are independent where the
// run is not at a singular position: the others follow from them up to (omega h)^2, for at the jump
// loops are open by that much, and act no more.
//
// Rows are taken in the given order while they hold by a tenth at least; then always the one that
// holds best. At a singular position the last ones hold nothing, and next to it y_k divides by L_kk
// what a step of finite length is wrong by. Which rows these are is seen from how their grip
// changes: c_k = L^-1 Psi e_k is 1 at the jump, and was c_k0 where the step began, so that it
// passes zero about (h / 2) / |1 - c_k0| away. There the motion e_k is led over to the velocity
// expected of the step, which the inertia carries straight on:
//
//   y_k = w y_k + (1 - w) e_k' H (v_expected - v),    w = 1 / (1 + (|1 - c_k0| / c)^8)
//
// This concerns the step or two around the singular position, whatever their length. Rows that hold
// little all the time, as in long chains in absolute coordinates, are believed.
// Source: Higham 2002, sec. 10.3 (pivoted Cholesky); Mikhaylyuk et al. 2017, sec. 3 (seed paper
// 004).
#include "formulations/impulse/held.h"

#include <math.h>
#include <string.h>

static const double FIRM = 0.01;      // square of the grip down to which the given order is kept
static const double NOTHING = 1e-14;  // square of a grip that is rounding
static const double WEAK = 0.3;       // grips below are looked at
static const double CHANGE = 0.2;  // of a grip within half a step, beyond which it is not believed
static const double SOON = 0.01;   // share of a step that says nothing about what changes in it

static double row_dot(const SarModel* m, const double* Psi, int r, const double* x) {
  double sum = 0;
  for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++) sum += Psi[k] * x[m->row_dof[k]];
  return sum;
}

// ---- the matrix ---------------------------------------------------------------------------------

// Row i of the group's matrix; g->rows is their number.
static double* matrix_row(const SarHeld* p, const SarHeldGroup* g, int i) {
  return &p->A[g->A + i * (i + 1) / 2];
}

static double* reply_of(const SarHeld* p, const SarHeldGroup* g, int i) {
  return &p->reply[g->reply + i * g->num];
}

static double square_of(const SarModel* m, const SarData* d, int r) {
  double sum = 0;
  for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++) sum += d->Psi[k] * d->Psi[k];
  return sum;
}

// One more row that may be taken: its response, A_rr in z, and what A_rr is where the row is as
// long as usual.
static void add_candidate(SarHeld* p, const SarSim* s, SarHeldGroup* g, int r) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  const int at = g->row + g->rows;
  double* reply = reply_of(p, g, g->rows++);
  memset(reply, 0, (size_t)g->num * sizeof *reply);
  for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++)
    reply[m->row_dof[k] - g->first] += d->Psi[k];
  sar_held_respond(p, m, d, g, reply);
  const double length = square_of(m, d, r), usual = s->row_size[r] * s->row_size[r];
  p->order[at] = r;
  p->z[at] = row_dot(m, d->Psi, r, reply - g->first);
  p->size[at] = length > 0 ? p->z[at] * fmax(1, usual / length) : 1;  // it may vanish for a moment
}

static void swap(double* a, double* b) {
  const double x = *a;
  *a = *b, *b = x;
}

// Candidates at places k < i change places; both have k entries of the factor.
static void swap_candidates(SarHeld* p, SarHeldGroup* g, int k, int i) {
  const int a = g->row + k, b = g->row + i, row = p->order[a];
  if (k == i) return;
  p->order[a] = p->order[b], p->order[b] = row;
  swap(&p->z[a], &p->z[b]);
  swap(&p->size[a], &p->size[b]);
  for (int j = 0; j < k; j++) swap(&matrix_row(p, g, k)[j], &matrix_row(p, g, i)[j]);
  for (int j = 0; j < g->num; j++) swap(&reply_of(p, g, k)[j], &reply_of(p, g, i)[j]);
}

// The next row: the first that holds firmly, else that which holds best.
static int next_candidate(const SarHeld* p, const SarHeldGroup* g, int k) {
  int best = k;
  double most = -1;
  for (int i = k; i < g->rows; i++) {
    const double grip = p->z[g->row + i] / p->size[g->row + i];
    if (grip > FIRM) return i;
    if (grip > most) most = grip, best = i;
  }
  return best;
}

// Takes `rank` of the candidates at most.
static void factor_group(SarHeld* p, const SarModel* m, const SarData* d, SarHeldGroup* g,
                         int rank) {
  double* left = &p->z[g->row];
  int k = 0;
  for (; k < rank; k++) {
    swap_candidates(p, g, k, next_candidate(p, g, k));
    if (!(left[k] > NOTHING * p->size[g->row + k])) break;
    double* pivot = matrix_row(p, g, k);
    pivot[k] = sqrt(left[k]);
    for (int i = k + 1; i < g->rows; i++) {
      double *mine = matrix_row(p, g, i), sum;
      sum = row_dot(m, d->Psi, p->order[g->row + k], reply_of(p, g, i) - g->first);
      for (int j = 0; j < k; j++) sum -= pivot[j] * mine[j];
      mine[k] = sum / pivot[k];
      left[i] -= mine[k] * mine[k];
    }
  }
  g->rows = k;
}

// ---- triangular solutions -----------------------------------------------------------------------

// The first n entries: x <- L^-1 x
static void solve_exactly(const SarHeld* p, const SarHeldGroup* g, int n, double* x) {
  for (int i = 0; i < n; i++) {
    const double* L = matrix_row(p, g, i);
    for (int k = 0; k < i; k++) x[i] -= L[k] * x[k];
    x[i] /= L[i];
  }
}

// x <- L^-T x
static void solve_back(const SarHeld* p, const SarHeldGroup* g, int n, double* x) {
  for (int i = n - 1; i >= 0; i--) {
    const double* L = matrix_row(p, g, i);
    x[i] /= L[i];
    for (int k = 0; k < i; k++) x[k] -= L[k] * x[i];
  }
}

// x += sign times the sum of the first n rows' responses times z
static void add_replies(const SarHeld* p, const SarHeldGroup* g, int n, double sign,
                        const double* z, double* x) {
  for (int i = 0; i < n; i++) {
    const double *reply = reply_of(p, g, i), factor = sign * z[i];
    for (int k = 0; k < g->num; k++) x[k] += factor * reply[k];
  }
}

// x <- L^-1 x, each entry weighted; led (Nullable): where the rest of it comes from
static void solve_weighted(const SarHeld* p, const SarHeldGroup* g, const double* led, double* x) {
  const double* weight = &p->weight[g->row];
  for (int i = 0; i < g->rows; i++) {
    const double* L = matrix_row(p, g, i);
    for (int k = 0; k < i; k++) x[i] -= L[k] * x[k];
    x[i] /= L[i];
    if (weight[i] < 1) x[i] = weight[i] * x[i] + (led ? (1 - weight[i]) * led[i] : 0);
  }
}

// ---- grip ---------------------------------------------------------------------------------------

// The share of its grip that row k had where the step began: e_k' is held by L^-1 Psi there, and by
// 1 here.
static double grip_before(SarHeld* p, const SarModel* m, const SarHeldGroup* g, int k) {
  double *x = p->motion - g->first, *z = &p->z[g->row];
  memset(z, 0, (size_t)g->rows * sizeof *z);
  z[k] = 1;
  solve_back(p, g, k + 1, z);
  memset(p->motion, 0, (size_t)g->num * sizeof *x);
  add_replies(p, g, k + 1, 1, z, p->motion);
  for (int i = 0; i <= k; i++) z[i] = row_dot(m, p->Psi_start, p->order[g->row + i], x);
  solve_exactly(p, g, k + 1, z);
  return z[k];
}

// theta: share of the step that has passed since Psi_start
static void weigh_rows(SarHeld* p, const SarModel* m, SarHeldGroup* g, double theta) {
  g->faint = false;
  for (int k = 0; k < g->rows; k++) {
    double* weight = &p->weight[g->row + k];
    *weight = 1;
    if (theta < SOON || matrix_row(p, g, k)[k] > WEAK * sqrt(p->size[g->row + k])) continue;
    const double change = fabs(1 - grip_before(p, m, g, k)) * 0.5 / theta;
    if (change < 0.02 * CHANGE) continue;  // all of it, to rounding
    *weight = 1 / (1 + pow(change / CHANGE, 8));
    g->faint = true;
  }
}

bool sar_held_is_faint(const SarHeld* p) {
  for (int g = 0; g < p->ngroup; g++)
    if (p->group[g].rows > 0 && p->group[g].faint) return true;
  return false;
}

void sar_held_keep(SarHeld* p, const SarModel* m, const SarData* d) {
  if (!p->direct) return;
  memcpy(p->Psi_start, d->Psi, (size_t)m->nrow_dof * sizeof *d->Psi);
  for (int i = 0; i < m->nrow; i++) p->open_start[i] = -d->Phi_dot[i];
}

void sar_held_factor_rows(SarHeld* p, const SarSim* s, double theta) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  for (int g = 0; g < p->ngroup; g++) p->group[g].rows = p->group[g].rank = 0;
  for (int k = 0; k < s->freedom.rows; k++) {
    const int r = s->row_order[k], g = p->group_of_row[r];
    if (g < 0 || !d->row_on[r]) continue;
    add_candidate(p, s, &p->group[g], r);
    if (k < s->freedom.rank) p->group[g].rank++;
  }
  for (int g = 0; g < p->ngroup; g++) {
    SarHeldGroup* group = &p->group[g];
    if (group->rows == 0) continue;
    factor_group(p, m, d, group, group->rank);
    weigh_rows(p, m, group, theta);
  }
}

// ---- solutions ----------------------------------------------------------------------------------

void sar_held_answer(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                     double* x, double* z) {
  for (int i = 0; i < g->rows; i++) z[i] = row_dot(m, d->Psi, p->order[g->row + i], x - g->first);
  solve_weighted(p, g, NULL, z);
  solve_back(p, g, g->rows, z);
  add_replies(p, g, g->rows, -1, z, x);
}

void sar_held_solve(const SarHeld* p, const SarModel* m, const SarData* d, const double* wanted,
                    const double* expected, double* impulse, double* v) {
  for (int i = 0; i < p->ngroup; i++) {
    const SarHeldGroup* g = &p->group[i];
    double *z = &impulse[g->row], *led = g->faint && expected ? &p->z[g->row] : NULL;
    for (int k = 0; k < g->rows; k++) {
      const int r = p->order[g->row + k];
      const double speed = row_dot(m, d->Psi, r, v);
      z[k] = wanted[r] - speed;
      if (led) led[k] = row_dot(m, d->Psi, r, expected) - speed;
    }
    if (led) solve_exactly(p, g, g->rows, led);
    solve_weighted(p, g, led, z);
    solve_back(p, g, g->rows, z);
    add_replies(p, g, g->rows, 1, z, v + g->first);
  }
}

// Speeds that rows should not have had where the step began; a velocity, whatever the length of the
// step: it is no force.
void sar_held_corrections(const SarHeld* p, const SarModel* m, const SarData* d, double* z,
                          double* v) {
  memset(v, 0, (size_t)m->nv * sizeof *v);
  sar_held_solve(p, m, d, p->open_start, NULL, z, v);
}
