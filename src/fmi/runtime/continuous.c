// Model exchange: rates of the states for an importer's integrator, event indicators, and what
// happens in event mode.
//
//   dq/dt = v,   of quaternions Q (0, w) / 2;   dv/dt = a;   dz/dt = rate
//
// Kinks in time are time events, switching functions are event indicators (sim/kinks.h); gates,
// samples and relays are looked at in event mode, as a step looks at them where it ends
// (sim/step.c). The integrator drifts off the constraints: where that is more than its tolerance,
// event mode is asked for, and positions and velocities are projected there.
#include "fmi/runtime/instance.h"

#include "dynamics/element_states.h"
#include "dynamics/knots.h"
#include "dynamics/projection.h"
#include "sim/discrete.h"
#include "sim/events.h"
#include "sim/kinks.h"
#include "sim/state.h"

#include <math.h>
#include <string.h>

static const double CLOSED = 1e-9;  // violations that are not worth an event

// ---- rates --------------------------------------------------------------------------------------

static SarFmuStatus evaluate(SarFmu* f) {
  if (f->rates_are_new) return FMU_OK;
  SarData* d = f->d;
  const double t = d->t;
  d->t = fmin(fmax(t, f->t_low), f->t_high);
  SarStatus st = sar_fmu_settle(f);
  if (st == SAR_OK) st = sar_accelerations(f->s);
  d->t = t;
  if (st != SAR_OK) return sar_fmu_step_failed(f, st);
  f->rates_are_new = true;
  f->output_is_new = false;
  return FMU_OK;
}

static void position_rates(const SarModel* m, const SarData* d, double* rate) {
  for (int j = 0; j < m->nbody; j++) {
    const double *q = &d->q[m->joint_qadr[j]], *v = &d->v[m->joint_vadr[j]];
    double* out = &rate[m->joint_qadr[j]];
    const bool turns = m->joint_nq[j] != m->joint_nv[j];
    const int plain = m->joint_nv[j] - (turns ? 3 : 0);
    for (int k = 0; k < plain; k++) out[k] = v[k];
    if (!turns) continue;
    const V3 w = v3_load(v + plain);
    quat_store(out + plain, quat_mul(quat_load(q + plain), (Quat){0, w.x / 2, w.y / 2, w.z / 2}));
  }
}

SarFmuStatus sar_fmu_rates(SarFmu* f, double* dx) {
  if (!sar_fmu_ready(f) || evaluate(f) != FMU_OK) return FMU_ERROR;
  const SarModel* m = f->model->m;
  position_rates(m, f->d, dx);
  memcpy(dx + m->nq, f->d->a, (size_t)m->nv * sizeof *dx);
  if (m->nz > 0) memcpy(dx + m->nq + m->nv, f->d->z_rate, (size_t)m->nz * sizeof *dx);
  return FMU_OK;
}

// Of a trigger that would switch nothing there is nothing to be found.
SarFmuStatus sar_fmu_indicator(SarFmu* f, int i, double* value) {
  if (!sar_fmu_ready(f) || evaluate(f) != FMU_OK) return FMU_ERROR;
  const SarModel* m = f->model->m;
  *value = sar_switch_is_watched(m, f->d, i) ? f->d->slot[m->switch_slot[i]] : 1;
  return FMU_OK;
}

SarFmuStatus sar_fmu_indicators(SarFmu* f, double* value) {
  for (int i = 0; i < f->model->m->nswitch; i++)
    if (sar_fmu_indicator(f, i, &value[i]) != FMU_OK) return FMU_ERROR;
  return FMU_OK;
}

SarFmuStatus sar_fmu_set_time(SarFmu* f, double t) {
  if (!isfinite(t)) return sar_fmu_say(f, FMU_ERROR, "the time is no number");
  if (!sar_fmu_ready(f)) return FMU_ERROR;
  if (t != f->d->t) sar_fmu_touch(f);
  f->d->t = t;  // not sar_set_time: the run goes on
  return FMU_OK;
}

// ---- events -------------------------------------------------------------------------------------

static bool has_changed(const SarData* d, const SarTrigger* trigger, int bit, int state) {
  if (trigger->slot < 0) return false;  // times are time events
  return (d->slot[trigger->slot] > 0) != ((state & bit) != 0);
}

// Would gates or relays switch at this state, whose expressions have been evaluated?
static bool is_pending(const SarModel* m, const SarData* d) {
  for (int g = 0; g < m->ngate; g++)
    if (has_changed(d, &m->gate[g].from, SAR_GATE_FROM, d->gate_state[g]) ||
        has_changed(d, &m->gate[g].until, SAR_GATE_UNTIL, d->gate_state[g]))
      return true;
  for (int i = 0; i < m->ndiscrete; i++) {
    if (m->discrete_kind[i] != SAR_RELAY) continue;
    const bool rise = d->slot[m->discrete_rise[i]] > 0, fall = d->slot[m->discrete_fall[i]] > 0;
    if ((rise ? 1 : fall ? 0 : d->discrete[i]) != d->discrete[i]) return true;
  }
  return false;
}

static double drift(SarFmu* f) {
  const SarProjection* p = f->s->projection;
  if (!p) return 0;
  const double position = sar_position_violation(f->model->m, f->d, p);
  return fmax(position, sar_velocity_violation(f->model->m, f->d, p));
}

// What elements and expressions keep of where a step ended.
static void keep(SarFmu* f) {
  const SarModel* m = f->model->m;
  if (f->s->bare) sar_update_kinematics(m, f->d);
  f->s->bare = false;
  sar_keep_knots(m, f->d);
  sar_keep_elements(m, f->d, true);
}

SarFmuStatus sar_fmu_step_completed(SarFmu* f, bool* event) {
  *event = false;
  if (!sar_fmu_ready(f) || evaluate(f) != FMU_OK) return FMU_ERROR;
  *event = is_pending(f->model->m, f->d) || drift(f) > f->tolerance;
  keep(f);
  sar_fmu_touch(f);
  return FMU_OK;
}

static SarStatus project(SarFmu* f) {
  if (drift(f) <= CLOSED) return SAR_OK;
  sar_projection_forget(f->s->projection);
  return sar_project(f->model->m, f->d, f->s->projection);
}

// Conditions and samples see quantities of the last step as they were before it.
static SarStatus settle_before(SarFmu* f) {
  const double t = f->d->t;
  f->d->t = fmin(fmax(t, f->t_low), f->t_high);
  const SarStatus st = sar_fmu_settle(f);
  f->d->t = t;
  return st;
}

// Switching first, then samples, as where a step ends. Samples of an instant are taken once.
static SarStatus update(SarFmu* f) {
  SarSim* s = f->s;
  bool switched = false, sampled = false;
  sar_state_adopt(s);
  sar_state_keep(s);
  s->d->friction = s->formulation->friction;
  SarStatus st = project(f);
  if (st == SAR_OK) st = settle_before(f);
  s->d->friction = s->formulation->friction;
  if (st == SAR_OK && s->events) st = sar_events_update(s, &switched);
  const bool due = f->d->t != f->sampled;
  if (st == SAR_OK && f->model->m->ndiscrete > 0 && due) st = sar_discrete_update(s, &sampled);
  s->d->friction = SAR_FRICTION_SMOOTH;
  if (st != SAR_OK) {
    sar_state_restore(s);
    return st;
  }
  f->sampled = f->d->t;
  keep(f);
  return SAR_OK;
}

static bool has_moved(const SarFmu* f, const double* x) {
  sar_fmu_read_states(f, f->x);
  return memcmp(f->x, x, (size_t)f->description.num[SAR_FMI_STATE] * sizeof *x) != 0;
}

SarFmuStatus sar_fmu_update_discrete(SarFmu* f, SarFmuEvent* out) {
  *out = (SarFmuEvent){0};
  if (!sar_fmu_ready(f)) return FMU_ERROR;
  const SarModel* m = f->model->m;
  const double t = f->d->t;
  sar_fmu_read_states(f, f->dx);
  const SarStatus st = update(f);
  if (st != SAR_OK) return sar_fmu_step_failed(f, st);
  sar_fmu_tell_events(f);
  out->values_changed = has_moved(f, f->dx);
  f->t_low = sar_kink_at(m, t) ? t + sar_kink_width(t) : (double)-INFINITY;
  out->next_time = sar_kink_after(m, t);
  out->next_time_defined = isfinite(out->next_time);
  f->t_high =
      out->next_time_defined ? out->next_time - sar_kink_width(out->next_time) : (double)INFINITY;
  sar_fmu_touch(f);
  return FMU_OK;
}

void sar_fmu_enter_continuous(SarFmu* f) {
  f->mode = FMU_CONTINUOUS;
  sar_fmu_touch(f);
}
