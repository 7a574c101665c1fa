// States that force elements own (element_states.h).
#include "dynamics/element_states.h"

#include "dynamics/states.h"
#include "dynamics/tree.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 12 };
// Relative to the size of a state: well below what sar_states_release asks for, above the rounding
// of sums of loads.
static const double SOLVED = 1e-12;
// Share of an increment that the next one repeats: where it is more the matrix is made again.
static const double MOST_ALONG = 0.5;

static int count_of(const SarModel* m, int force) {
  return m->force_kind[force]->states ? m->force_kind[force]->states(m, force) : 0;
}

int sar_state_element(const SarModel* m, int state) {
  if (m->z_rate_slot[state] >= 0) return -1;
  for (int i = 0; i < m->ncache_force; i++)
    if (m->force_state[i] >= 0 && state >= m->force_state[i] &&
        state < m->force_state[i] + count_of(m, i))
      return i;
  return -1;
}

void sar_clear_own_rates(const SarModel* m, double* z_rate) {
  for (int i = 0; i < m->ncache_force; i++)
    if (m->force_state[i] >= 0)
      memset(&z_rate[m->force_state[i]], 0, (size_t)count_of(m, i) * sizeof *z_rate);
}

// Rates of all elements; partial Nullable.
static void find_rates(const SarModel* m, SarData* d, double* partial) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_state[i] >= 0 && d->force_on[i]) m->force_kind[i]->rates(m, d, i, partial);
}

// The same, and 1 - gain d rate / d z in d->z_matrix: the identity in other rows.
static void evaluate(const SarModel* m, SarData* d, double gain) {
  const int n = m->nz;
  memset(d->z_matrix, 0, (size_t)m->nzz * sizeof *d->z_matrix);
  find_rates(m, d, d->z_matrix);
  for (int i = 0; i < n * n; i++) d->z_matrix[i] *= -gain;
  for (int i = 0; i < n; i++) d->z_matrix[i * n + i] += 1;
}

// What is open of z = z_from + z_gain rate(z), of the size of each; into step. False: not finite.
static bool open_by(const SarModel* m, const SarData* d, double* step, double* most) {
  memset(step, 0, (size_t)m->nz * sizeof *step);
  *most = 0;
  for (int i = 0; i < m->nforce; i++) {
    if (m->force_state[i] < 0) continue;
    for (int k = m->force_state[i], end = k + count_of(m, i); k < end; k++) {
      const double change = d->z_gain * d->z_rate[k];
      step[k] = d->z_from[k] + change - d->z[k];
      const double size = fabs(d->z[k]) + fabs(d->z_from[k]) + fabs(change);
      if (size > 0) *most = fmax(*most, fabs(step[k]) / size);
      if (!isfinite(step[k])) return false;
    }
  }
  return true;
}

static void lead(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->ahead) m->force_kind[i]->ahead(m, d, i);
}

// Can loads follow small changes of all states by the slopes that the matrix is made of?
static bool all_follow(const SarModel* m, const SarData* d) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_state[i] >= 0 && d->force_on[i] && !m->force_kind[i]->follow) return false;
  return true;
}

static void follow(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_state[i] >= 0 && d->force_on[i]) m->force_kind[i]->follow(m, d, i, d->z_step);
}

// Loads follow an increment by slopes, then what momentum theory leaves open of it, which costs no
// loads. False: they do not get there.
static bool follow_on(const SarModel* m, SarData* d) {
  enum { PASSES = 5 };
  static const double FOLLOWED = 1e-10;
  for (int pass = 0; pass < PASSES; pass++) {
    double left;
    follow(m, d);
    if (!open_by(m, d, d->z_step, &left)) return false;
    if (left <= FOLLOWED) return true;
    sar_lu_solve(m->nz, d->z_matrix, d->z_pivot, d->z_step);
    for (int i = 0; i < m->nz; i++) d->z[i] += d->z_step[i];
  }
  return false;
}

static double product(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Broyden's method (good update) where the matrix is that of another place: what the last
// increments have told of it, s0 .. of one iteration by the same matrix, corrects the next one, w
// at first,
//
//   w <- w + (sj.w / sj.sj) s(j+1),  j < n - 1;     sn = w / (1 - s(n-1).w / s(n-1).s(n-1))
//
// (Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995, sec. 7.3). Increments shrink
// faster from one to the next, where those of the matrix alone go on at its rate. taken: how many
// there are; the same with w.
static void correct(const SarModel* m, SarData* d, int* taken) {
  const int n = m->nz;
  double *w = d->z_step, *last = d->z_steps;
  if (*taken == SAR_STATE_STEPS) *taken = 0;
  for (int j = 0; j < *taken; j++) {
    double* s = d->z_steps + j * n;
    const double size = product(n, s, s), along = size > 0 ? product(n, s, w) / size : 0;
    last = s + n;
    if (j + 1 < *taken)
      for (int i = 0; i < n; i++) w[i] += along * last[i];
    else if (fabs(along) < MOST_ALONG)
      for (int i = 0; i < n; i++) w[i] /= 1 - along;
  }
  memcpy(last, w, (size_t)n * sizeof *w);
  ++*taken;
}

// Newton's method; the matrix of the step's first evaluation serves all of it, and is made again
// where increments shrink slowly. Rates are nearly linear over small increments: evaluating them
// where one has led would tell what the slopes do already, at the cost of all loads (but for what
// momentum theory has beside these). FRESH: times z_near, by slopes of the same place, where a step
// begins to iterate. Larger ones are corrected by those before.
static void solve(const SarModel* m, SarData* d) {
  static const double SLOW = 0.1, FRESH = 100;
  const double enough = fmax(SOLVED, d->z_rough);
  double last = (double)INFINITY;
  int taken = 0;
  bool factored = d->z_made > 0 && d->z_made == d->z_gain;
  for (int k = 0; k < ITERATIONS; k++) {
    double most;
    if (factored)
      find_rates(m, d, NULL);
    else
      d->z_made = 0, evaluate(m, d, d->z_gain);
    // sar_states_release tells what stays open
    if (!open_by(m, d, d->z_step, &most) || most <= enough) return;
    if (most < 1e3 * SOLVED && most >= 0.5 * last) return;  // as far as rounding lets
    if (!factored) {
      if (!sar_lu_factor(m->nz, d->z_matrix, d->z_pivot)) return;
      d->z_made = d->z_gain;
      taken = 0;
    }
    const bool follows = most <= d->z_near * (factored ? 1 : FRESH) && all_follow(m, d);
    sar_lu_solve(m->nz, d->z_matrix, d->z_pivot, d->z_step);
    if (follows)
      taken = 0;
    else
      correct(m, d, &taken);
    for (int i = 0; i < m->nz; i++) d->z[i] += d->z_step[i];
    if (follows && follow_on(m, d)) return;
    factored = most < SLOW * last;
    last = most;
  }
  find_rates(m, d, NULL);
}

void sar_update_element_states(const SarModel* m, SarData* d) {
  sar_clear_own_rates(m, d->z_rate);
  if (d->z_from) solve(m, d);
  lead(m, d);
}

bool sar_element_states_filter(const SarModel* m, SarData* d, double gain, double* x) {
  d->z_made = 0;
  evaluate(m, d, gain);
  if (!sar_lu_factor(m->nz, d->z_matrix, d->z_pivot)) return false;
  sar_lu_solve(m->nz, d->z_matrix, d->z_pivot, x);
  return true;
}

void sar_start_element_states(const SarModel* m, SarData* d, bool again) {
  for (int i = 0; i < m->nforce; i++) {
    const int first = m->force_state[i], count = first >= 0 ? count_of(m, i) : 0;
    bool set = false;
    for (int k = first; k < first + count; k++)
      set |= d->z[k] != (again ? d->z_start[k] : m->z0[k]);
    if (count > 0 && !set) m->force_kind[i]->start(m, d, i);
    for (int k = first; k < first + count; k++) d->z_start[k] = d->slot[m->z_slot[k]] = d->z[k];
  }
}

void sar_keep_elements(const SarModel* m, SarData* d, bool moved) {
  if (m->nforce_kept == 0) return;
  if (moved) sar_update_kinematics(m, d);
  sar_update_world(m, d);
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kept_adr[i] >= 0 && d->force_on[i]) m->force_kind[i]->keep(m, d, i);
}
