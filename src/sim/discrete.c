// Sampled data: zero-order holds, delays and relays of a hybrid system (model/discrete.h).
//
// Programs of samples and delays have all variables put in, so they read t, inputs, measured
// quantities and states alone: they are evaluated one by one, and what comes later sees what came
// before. Relays read conditions among the expressions, which are evaluated again after each
// change; as one relay may switch another, that is repeated, a bounded number of times.
#include "sim/discrete.h"

#include "dynamics/applied.h"
#include "dynamics/states.h"
#include "dynamics/tree.h"
#include "model/discrete.h"
#include "sim/kinks.h"
#include "sim/state.h"

#include <math.h>
#include <string.h>

// Instants are landed on to rounding.
static bool is_due(const SarModel* m, int i, double t) {
  const double period = m->discrete_period[i], first = m->discrete_offset[i];
  if (!(period > 0)) return false;
  const double k = nearbyint((t - first) / period);
  return k >= 0 && fabs(first + k * period - t) <= 4 * sar_kink_width(fmax(t, first));
}

static bool any_due(const SarModel* m, double t) {
  for (int i = 0; i < m->ndiscrete; i++)
    if (is_due(m, i, t)) return true;
  return false;
}

static bool has_relays(const SarModel* m) {
  return m->ndiscrete > 0 && m->discrete_kind[m->ndiscrete - 1] == SAR_RELAY;
}

static bool switch_relays(const SarModel* m, SarData* d) {
  bool changed = false;
  for (int i = 0; i < m->ndiscrete; i++) {
    if (m->discrete_kind[i] != SAR_RELAY) continue;
    const bool rise = d->slot[m->discrete_rise[i]] > 0, fall = d->slot[m->discrete_fall[i]] > 0;
    const double next = rise ? 1 : fall ? 0 : d->discrete[i];
    changed = changed || next != d->discrete[i];
    d->discrete[i] = next;
  }
  return changed;
}

static void settle_relays(const SarModel* m, SarData* d) {
  if (!has_relays(m)) return;
  for (int k = 0; k <= m->ndiscrete && switch_relays(m, d); k++) {
    sar_put_states(m, d);
    sar_update_expressions(m, d);
  }
}

static double next_of(const SarModel* m, SarData* d, int i) {
  const SarExprEntry* e = &m->discrete_next[i];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

static void take(const SarModel* m, SarData* d, int i, double value) {
  d->discrete[i] = d->slot[m->discrete_slot[i]] = value;
}

// Inputs have been sampled; a function that fails gives what is not finite, and that ends the run.
static void call(const SarModel* m, SarData* d, double t, const SarCall* c) {
  const SarUserFunction* f = &m->function[c->function];
  const int* entry = &m->call_entry[c->entry];
  const int states = c->num[SAR_CALL_INPUT], outputs = states + c->num[SAR_CALL_STATE];
  const int count = outputs + c->num[SAR_CALL_OUTPUT];
  double x[SAR_CALL_ROLES * SAR_CALL_MOST + 1];
  for (int i = 0; i < count; i++) x[i] = d->discrete[entry[i]];
  const int failed = f->call(f->context, t, x, &x[states], &x[outputs]);
  for (int i = states; i < count; i++) take(m, d, entry[i], failed ? (double)NAN : x[i]);
}

static void take_sample(const SarModel* m, SarData* d, double t, int i) {
  const int k = m->ncall > 0 ? m->call_of[i] : -1;
  if (k < 0)
    take(m, d, i, next_of(m, d, i));
  else if (i == m->call[k].lead)
    call(m, d, t, &m->call[k]);
}

static void sample(const SarModel* m, SarData* d, double t) {
  for (int i = 0; i < m->ndiscrete; i++)
    if (m->discrete_kind[i] == SAR_DELAY && is_due(m, i, t)) take(m, d, i, d->discrete_kept[i]);
  for (int i = 0; i < m->ndiscrete; i++)
    if (m->discrete_kind[i] == SAR_SAMPLE && is_due(m, i, t)) take_sample(m, d, t, i);
  for (int i = 0; i < m->ndiscrete; i++)
    if (m->discrete_kind[i] == SAR_DELAY && is_due(m, i, t)) d->discrete_kept[i] = next_of(m, d, i);
  sar_update_expressions(m, d);
}

// All that programs and conditions read is that of the far side of a kink in time: a step function
// sampled where it steps has stepped.
static void update(const SarModel* m, SarData* d) {
  const double t = d->t;
  if (sar_kink_at(m, t)) d->t = t + sar_kink_width(t);
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  settle_relays(m, d);
  if (any_due(m, t)) {
    sample(m, d, t);
    settle_relays(m, d);
  }
  d->t = t;
}

void sar_discrete_begin(const SarModel* m, SarData* d) {
  const size_t bytes = (size_t)m->ndiscrete * sizeof *d->discrete;
  if (bytes == 0) return;
  memcpy(d->discrete, m->discrete0, bytes);
  memcpy(d->discrete_kept, m->discrete0, bytes);
  update(m, d);
  memcpy(d->discrete_start, d->discrete, bytes);
  memcpy(d->discrete_kept_start, d->discrete_kept, bytes);
}

SarStatus sar_discrete_update(SarSim* s, bool* changed) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  *changed = false;
  if (!has_relays(m) && !any_due(m, d->t)) return SAR_OK;
  update(m, d);
  for (int i = 0; i < m->ndiscrete; i++) {
    *changed = *changed || d->discrete[i] != s->before->discrete[i];
    if (isfinite(d->discrete[i]) && isfinite(d->discrete_kept[i])) continue;
    s->worst = m->nv + m->nz + i;
    return SAR_NOT_FINITE;
  }
  return SAR_OK;
}
