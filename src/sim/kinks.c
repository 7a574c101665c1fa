// Event location for discontinuities (kinks) of the right-hand side (kinks.h).
//
// A kink in time is landed on exactly, and the right-hand side is evaluated a few units in the last
// place to the side of it where the step lies (t_low, t_high).
//
// A kink of the state is where a switching function g(t, q, v) changes sign between the ends of a
// step. Such a step is not held to the tolerance: the error control would creep up to a jump. The
// dense output brackets the earliest change to a width delta; then the step is taken anew up to
// there, at full accuracy, and ends with every g still on its side. The next step starts within
// delta of the change: it hops across by Euler's rule, whose error there is (jump of a) delta. So
// no ordinary step has stages on both sides. Two changes within one step cancel and are not seen.
#include "sim/kinks.h"

#include "dynamics/tree.h"
#include "integrators/control.h"
#include "integrators/stage.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  BISECTIONS = 50,
  RETREATS = 12,         // attempts to end before the change
  MAX_LANDINGS = 20,     // changes in a short time before the state is taken to chatter
  UNCHECKED_STEPS = 100  // then as many steps pass over changes without error control
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

static bool has_switched_at(SarSim* s, double theta, double h, double* y) {
  s->integrator->dense(s, theta, y);
  sar_stage_set(s, s->start.t + theta * h, y);
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return sar_stage_has_switched(s);
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
  if (s->m->nz > 0) memcpy(d->z, p->z, (size_t)s->m->nz * sizeof(double));
  memcpy(d->work, p->work, (size_t)s->m->nwork * sizeof(double));
}

// y a time h after the start, by Euler's rule
static void euler(const SarSim* s, double h, double* y) {
  int nv = s->m->nv;
  sar_stage_first(s, y, NULL);
  for (int i = 0; i < nv; i++) {
    y[i] = h * s->start.v[i];
    y[nv + i] += h * s->start.a[i];
  }
  for (int i = 0; i < s->m->nz; i++) y[sar_stage_states(s->m) + i] += h * s->start.z_rate[i];
  for (int i = 0; i < s->m->nwork; i++) y[sar_stage_work(s->m) + i] += h * s->start.power[i];
}

// Across the change.
static SarStatus hop(SarSim* s, double t_end, double* y) {
  go_back(s);
  euler(s, t_end - s->start.t, y);
  s->d->clock.error = 0;
  return sar_stage_land(s, t_end, y);
}

// Newton's estimate of the time to the change, from what is known on this side of it: the rate of
// each g that changed, by a difference along the motion. The dense output of a step across a jump
// has stages on both sides and may be far off. INFINITY: g does not move towards zero.
static double time_to_switch(SarSim* s, double h, double* y) {
  const SarModel* m = s->m;
  double ahead = 1e-6 * h, first = (double)INFINITY;
  sar_switch_read(s, s->end_switch);
  euler(s, ahead, y);
  sar_stage_set(s, s->start.t + ahead, y);
  sar_update_kinematics(m, s->d);
  sar_update_forces(m, s->d);
  for (int i = 0; i < m->nswitch; i++) {
    double g = s->start_switch[i], fall = g - s->d->slot[m->switch_slot[i]];
    if (g * s->end_switch[i] < 0 && g * fall > 0 && sar_switch_is_watched(m, s->d, i))
      first = fmin(first, ahead * g / fall);
  }
  return first;
}

// Repeats the step, shorter, until nothing switches within it; hops when nothing is left of it.
static SarStatus step_before(SarSim* s, double* y) {
  double t = s->start.t, t_end = s->d->t, h = t_end - t, longest = h;
  double resolution = fmax(4 * sar_kink_width(t), 1e-12 * h);
  double newton = time_to_switch(s, h, y);
  for (int i = 0; i < RETREATS; i++) {
    double length = fmin(earliest_switch(s, h, resolution, y) * h, longest);
    if (i == 0) length = fmin(length, newton);
    if (length <= 2 * resolution) return hop(s, fmin(t + 8 * resolution, t_end), y);
    go_back(s);
    s->stop = t + length;
    SAR_TRY(s->integrator->step(s));
    if (!sar_stage_has_switched(s)) return SAR_OK;
    // still across: a little less, then much less
    h = s->d->t - t;
    longest = i == 0 ? h - 8 * resolution : i == 1 ? 0.999 * h : 0.5 * h;
  }
  s->locate = false;  // not to be had: the error control alone
  go_back(s);
  return s->integrator->step(s);
}

// Too many changes within the time of one step of begin_chattering?
static bool is_chattering(SarSim* s) {
  SarClock* clock = &s->d->clock;
  if (!(s->start.t - clock->window < SAR_CHATTER_STEP * s->options.step)) {
    clock->window = s->start.t;
    clock->landings = 0;
  }
  return ++clock->landings > MAX_LANDINGS;
}

// A state that is driven back as soon as it has crossed: short steps of equal length, whose mean
// follows the motion between the two sides.
static SarStatus begin_chattering(SarSim* s) {
  s->d->clock.landings = 0;
  s->d->clock.unchecked = UNCHECKED_STEPS;
  s->locate = false;
  go_back(s);
  return s->integrator->step(s);
}

SarStatus sar_kink_locate(SarSim* s, bool* replaced) {
  SarClock* clock = &s->d->clock;
  if (clock->unchecked > 0) {
    clock->unchecked--;
    s->stats.chattering++;
    return SAR_OK;
  }
  *replaced = sar_stage_has_switched(s);
  if (!*replaced) return SAR_OK;
  if (is_chattering(s)) return begin_chattering(s);
  SarMark mark = sar_mark(s);
  double* y = sar_push_doubles(s, sar_stage_size(s->m));
  SarStatus st = y ? step_before(s, y) : SAR_NO_SCRATCH;
  sar_pop(s, mark);
  return st;
}
