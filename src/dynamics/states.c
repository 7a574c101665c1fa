// States of the user's own (states.h).
#include "dynamics/states.h"

#include "dynamics/applied.h"
#include "dynamics/element_states.h"
#include "dynamics/knots.h"
#include "dynamics/tree.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

// Linear rates take one iteration; the bound is for the others.
enum { ITERATIONS = 12 };
static const double ROUNDING = 4e-16;
// Zero in any unit: what a state decays to beside others of any size, and elimination mixes them.
static const double NOTHING = 1e-30;

void sar_put_states(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nz; i++) d->slot[m->z_slot[i]] = d->z[i];
  for (int i = 0; i < m->ndiscrete; i++) d->slot[m->discrete_slot[i]] = d->discrete[i];
}

// Those of knots and elements have no expression: knots.h and element_states.h find them.
static bool is_owned(const SarModel* m, int i) { return m->z_rate_slot[i] < 0; }

static void read_rates(const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nz; i++)
    if (!is_owned(m, i)) d->z_rate[i] = d->slot[m->z_rate_slot[i]];
}

// 1 - gain d rate / d z; and mixed_i = gain sum |d rate_i / d z_j| |z_j|: terms of a rate that has
// come to rest cancel, what is left of them is rounding of their size, not of the rate's.
static void linearise(const SarModel* m, SarData* d, double gain) {
  memset(d->z_matrix, 0, (size_t)m->nzz * sizeof *d->z_matrix);
  for (int i = 0; i < m->nz; i++) d->z_matrix[i * m->nz + i] = 1;
  memset(d->z_mixed, 0, (size_t)m->nz * sizeof *d->z_mixed);
  for (int k = 0; k < m->nz_partial; k++) {
    const SarExprEntry* e = &m->z_partial[k];
    const double slope = gain * sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
    d->z_matrix[e->slot] -= slope;
    d->z_mixed[e->slot / m->nz] += fabs(slope * d->z[e->slot % m->nz]);
  }
}

static bool factor(const SarModel* m, SarData* d, double gain) {
  linearise(m, d, gain);
  return sar_lu_factor(m->nz, d->z_matrix, d->z_pivot);
}

bool sar_states_filter(const SarModel* m, SarData* d, double gain, double* x) {
  if (m->nz == 0) return true;
  if (!factor(m, d, gain)) return false;
  sar_lu_solve(m->nz, d->z_matrix, d->z_pivot, x);
  if (m->ncache_force > 0 && !sar_element_states_filter(m, d, gain, x)) return false;
  return m->nknot == 0 || sar_knots_filter(m, d, gain, x);
}

static double open_by(const SarData* d, int i) {
  return d->z_from[i] + d->z_gain * d->z_rate[i] - d->z[i];
}

// What z, z_from and the rate's share are made of: rounding of these cannot be asked for less.
static double size_of(const SarData* d, int i) {
  return fabs(d->z[i]) + fabs(d->z_from[i]) + fabs(d->z_gain * d->z_rate[i]);
}

// What Newton's method may leave open, of the size of a state.
static const double OPEN = 1e-9;

SarStatus sar_states_release(const SarModel* m, SarData* d, int* worst) {
  SarStatus st = SAR_OK;
  bool mixed = false;
  for (int i = 0; i < m->nz && d->z_from; i++) {
    const double open = fabs(open_by(d, i));
    if (open <= OPEN * size_of(d, i) + NOTHING) continue;
    if (!mixed) linearise(m, d, d->z_gain);
    mixed = true;
    if (open <= OPEN * (size_of(d, i) + d->z_mixed[i]) + NOTHING) continue;
    if (st == SAR_OK || !isfinite(open)) *worst = i;
    st = isfinite(open) ? SAR_NOT_CONVERGED : SAR_NOT_FINITE;
    if (st == SAR_NOT_FINITE) break;
  }
  d->z_from = NULL;
  return st;
}

// mixed: there is z_mixed of this place.
static bool is_solved(const SarModel* m, const SarData* d, bool mixed) {
  for (int i = 0; i < m->nz; i++) {
    const double size = size_of(d, i) + (mixed ? d->z_mixed[i] : 0);
    if (!is_owned(m, i) && !(fabs(open_by(d, i)) <= ROUNDING * size + NOTHING)) return false;
  }
  return true;
}

void sar_update_states(const SarModel* m, SarData* d) {
  read_rates(m, d);
  if (!d->z_from) return;
  double last = (double)INFINITY;
  for (int k = 0; k < ITERATIONS && !is_solved(m, d, k > 0); k++) {
    double moved = 0;
    if (!factor(m, d, d->z_gain)) return;  // sar_states_release tells
    for (int i = 0; i < m->nz; i++) d->z_step[i] = is_owned(m, i) ? 0 : open_by(d, i);
    sar_lu_solve(m->nz, d->z_matrix, d->z_pivot, d->z_step);
    for (int i = 0; i < m->nz; i++) {
      d->z[i] += d->z_step[i];
      moved = fmax(moved, fabs(d->z_step[i]) / (size_of(d, i) + d->z_mixed[i] + NOTHING));
    }
    sar_put_states(m, d);
    sar_update_expressions(m, d);
    read_rates(m, d);
    if (!isfinite(moved) || (moved < 1e-12 && moved >= 0.5 * last))
      return;  // as far as rounding lets
    last = moved;
  }
}

// Each start after those it uses: it finds their slots filled.
void sar_start_states(const SarModel* m, SarData* d, bool again) {
  if (m->nz == 0) return;
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  for (int k = 0; k < m->nz; k++) {
    const SarExprEntry* e = &m->z_start[k];
    const int i = e->slot;
    if (sar_state_element(m, i) >= 0) continue;
    const bool set = d->z[i] != (again ? d->z_start[i] : m->z0[i]);
    if (!set) d->z[i] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
    d->z_start[i] = d->slot[m->z_slot[i]] = d->z[i];
  }
  if (m->ncache_force > 0) sar_start_element_states(m, d, again);
}
