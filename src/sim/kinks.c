// Kinks (kinks.h).
//
// A kink in time is landed on exactly, and the right-hand side is evaluated a few units in the last
// place to the side of it where the step lies (t_low, t_high).
//
// A kink of the state is where a switching function g(t, q, v) changes sign between the ends of a
// step. The dense output brackets the earliest change to a width delta; then the step is taken anew
// up to there, at full accuracy, and ends with every g still on its side. The next step starts
// within delta of the change: it hops across by Euler's rule, whose error there is (jump of a) delta.
// So no ordinary step has stages on both sides. Two changes within one step cancel and are not seen.
#include "sim/kinks.h"

#include "dynamics/tree.h"
#include "integrators/stage.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  BISECTIONS = 50,
  RETREATS = 8,          // attempts to end before the change
  MAX_LANDINGS = 40,     // changes in a row before the state is taken to chatter
  UNLOCATED_STEPS = 100  // then steps pass over changes, held by the error control alone
};

double sar_kink_width(double t) { return 8 * DBL_EPSILON * fabs(t) + DBL_MIN; }

double sar_kink_after(const SarModel* m, double t) {
  double first = (double)INFINITY, from = t + sar_kink_width(t);
  for (int i = 0; i < m->nkink; i++) {
    SarKink kink = {.is_time = true, .time = m->kink_time[i], .period = m->kink_period[i]};
    double next = kink.time;
    if (kink.period > 0 ? sar_kink_next(&kink, from, &next) : next > from)
      first = fmin(first, next);
  }
  return first;
}

bool sar_kink_at(const SarModel* m, double t) {
  double width = sar_kink_width(t);
  return m->nkink > 0 && sar_kink_after(m, t - 3 * width) <= t + width;
}

void sar_switch_read(const SarSim* s, double* out) {
  for (int i = 0; i < s->m->nswitch; i++) out[i] = s->d->slot[s->m->switch_slot[i]];
}

// Has any switching function in d->slot left the side it was on at the start?
static bool has_switched(const SarSim* s) {
  for (int i = 0; i < s->m->nswitch; i++)
    if (s->start_switch[i] * s->d->slot[s->m->switch_slot[i]] < 0) return true;
  return false;
}

static bool has_switched_at(SarSim* s, double theta, double h, double* y) {
  s->integrator->dense(s, theta, y);
  sar_stage_set(s, s->start.t + theta * h, y);
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return has_switched(s);
}

// The latest time found, as a share of the step h, at which nothing has switched yet.
static double earliest_switch(SarSim* s, double h, double resolution, double* y) {
  double low = 0, high = 1;
  for (int i = 0; i < BISECTIONS && (high - low) * h > resolution; i++) {
    double middle = 0.5 * (low + high);
    if (has_switched_at(s, middle, h, y))
      high = middle;
    else
      low = middle;
  }
  return low;
}

static void go_back(SarSim* s) {
  SarData* d = s->d;
  const SarInstant* p = &s->start;
  d->t = p->t;
  memcpy(d->q, p->q, (size_t)s->m->nq * sizeof(double));
  memcpy(d->v, p->v, (size_t)s->m->nv * sizeof(double));
  memcpy(d->work, p->work, (size_t)s->m->nwork * sizeof(double));
}

// The step again, ending before the change; further back when it overshoots.
static SarStatus step_before(SarSim* s, double length, double resolution) {
  double retreat = resolution;
  for (int i = 0; i < RETREATS; i++) {
    go_back(s);
    s->stop = s->start.t + length;
    SAR_TRY(s->integrator->step(s));
    if (!has_switched(s) || length - retreat <= 0) break;
    length -= retreat;
    retreat *= 4;
  }
  return SAR_OK;
}

// Euler's rule across the change
static SarStatus hop(SarSim* s, double h, double* y) {
  const SarModel* m = s->m;
  const SarInstant* p = &s->start;
  go_back(s);
  sar_stage_first(s, y, NULL);
  for (int i = 0; i < m->nv; i++) {
    y[i] = h * p->v[i];
    y[m->nv + i] += h * p->a[i];
  }
  for (int i = 0; i < m->nwork; i++) y[2 * m->nv + i] += h * p->power[i];
  s->d->clock.error = 0;
  return sar_stage_rate(s, p->t + h, y, NULL);
}

SarStatus sar_kink_locate(SarSim* s) {
  SarClock* clock = &s->d->clock;
  if (!has_switched(s)) {
    clock->landings = 0;
    return SAR_OK;
  }
  if (s->location_off > 0) {
    s->location_off--;
    return SAR_OK;
  }
  if (++clock->landings > MAX_LANDINGS) {
    clock->landings = 0;
    s->location_off = UNLOCATED_STEPS;
    return SAR_OK;
  }
  SarMark mark = sar_mark(s);
  double* y = sar_push_doubles(s, sar_stage_size(s->m));
  if (!y) return SAR_NO_SCRATCH;
  double t = s->start.t, h = s->d->t - t;
  double resolution = fmax(4 * sar_kink_width(t), 1e-10 * h);
  double length = earliest_switch(s, h, resolution, y) * h;
  SarStatus st = length > 2 * resolution ? step_before(s, length, resolution)
                                         : hop(s, fmin(8 * resolution, h), y);
  sar_pop(s, mark);
  return st;
}
