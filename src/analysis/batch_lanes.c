// Groups of instances in lanes (batch_lanes.h): states into rows of lanes, steps, and back.
//
// All lanes of a group make the same steps: from their common time in steps of h, the last one as
// short as it takes to land on the end.
#include "analysis/batch_lanes.h"

#include "base/alloc.h"
#include "base/print.h"
#include "dynamics/tree.h"
#include "sim/setup.h"

#include <math.h>
#include <string.h>

struct SarLaneGroups {
  const SarModel* m;
  SarStepper* stepper;
  int groups, width;
  int kept;  // parameters
  double step;
  const volatile int* cancel;  // Nullable
  size_t state, input;         // doubles of a group
  double *states, *inputs;
};

static const double WHOLE = 1e-9;      // of a step: less than that is none
static const double MOST_STEPS = 1e9;  // of a call

// ---- may it be? ---------------------------------------------------------------------------------

static int integrator_of(const SarSim* s) {
  for (int i = 0; sar_generate_integrator_name(i); i++)
    if (strcmp(sar_generate_integrator_name(i), s->integrator->name) == 0) return i;
  return -1;
}

// Columns of joints that close loops count full turns, which only the interpreter sees pass.
static bool shows_cut_joint(const SarModel* m) {
  for (int i = 0; i < m->nchannel; i++)
    if (strncmp(m->channel[i].kind->name, "joint", 5) == 0 && m->channel[i].index >= m->nbody)
      return true;
  return false;
}

static const char* objection(const SarSim* s) {
  const SarModel* m = s->m;
  if (s->adaptive) return "steps are adaptive, not fixed";
  if (integrator_of(s) < 0) return "the integrator is none of euler, semi-implicit and rk4";
  if (s->formulation->shape != SAR_SHAPE_ACCEL) return "the formulation makes its steps itself";
  if (m->nrow > 0 && !s->projection) return "generated code brings steps back onto the constraints";
  if (m->nkink > 0) return "there are kinks in time to land on";
  if (shows_cut_joint(m)) return "columns of a joint that closes a loop are asked for";
  return NULL;
}

// ---- life ---------------------------------------------------------------------------------------

SarStatus sar_lane_groups_new(const SarSim* any, int n, int lanes, const SarStepperKept* kept,
                              SarLaneGroups** out, char* note, size_t size) {
  *out = NULL;
  const char* why = objection(any);
  if (why) {
    sar_snprintf(note, size, "%s", why);
    return SAR_NOT_OFFERED;
  }
  SarLaneGroups* g = sar_alloc(sizeof *g);
  if (!g) return SAR_NO_MEMORY;
  g->m = any->m;
  g->step = any->options.step;
  g->cancel = any->options.cancel;
  g->width = lanes > 0 ? lanes : sar_stepper_lanes();
  g->groups = (n + g->width - 1) / g->width;
  g->kept = kept ? kept->count : 0;
  const SarStatus st = sar_stepper_new(any->m, any->d, (SarGenerateIntegrator)integrator_of(any),
                                       g->width, kept, &g->stepper, note, size);
  if (st != SAR_OK) {
    sar_lane_groups_free(g);
    return st;
  }
  // groups on cache lines of their own: 8 doubles
  g->state = (size_t)((sar_stepper_state_rows(g->stepper) * g->width + 7) / 8 * 8);
  g->input = (size_t)((sar_stepper_input_rows(g->stepper) * g->width + 7) / 8 * 8);
  g->states = sar_alloc((size_t)g->groups * g->state * sizeof *g->states);
  g->inputs = sar_alloc((size_t)g->groups * g->input * sizeof *g->inputs);
  *out = g;
  if (g->states && g->inputs) return SAR_OK;
  sar_lane_groups_free(g);
  *out = NULL;
  return SAR_NO_MEMORY;
}

void sar_lane_groups_free(SarLaneGroups* g) {
  if (!g) return;
  sar_stepper_free(g->stepper);
  sar_free(g->states);
  sar_free(g->inputs);
  sar_free(g);
}

int sar_lane_groups_count(const SarLaneGroups* g) { return g->groups; }
int sar_lane_groups_width(const SarLaneGroups* g) { return g->width; }

// ---- in and out ---------------------------------------------------------------------------------

static double* put(double* row, int width, int lane, const double* from, int n) {
  for (int i = 0; i < n; i++, row += width) row[lane] = from[i];
  return row;
}

static const double* take(const double* row, int width, int lane, double* to, int n) {
  for (int i = 0; i < n; i++, row += width) to[i] = row[lane];
  return row;
}

static void load(const SarLaneGroups* g, const SarLaneMember* member, int lane, double* state,
                 double* input) {
  const SarModel* m = g->m;
  const SarData* d = member->d;
  double* row = put(state, g->width, lane, &d->t, 1);
  row = put(row, g->width, lane, d->q, m->nq);
  row = put(row, g->width, lane, d->v, m->nv);
  put(row, g->width, lane, d->z, m->nz);
  row = put(input, g->width, lane, d->tau_host, m->nv);
  row = put(row, g->width, lane, d->input, m->ninput);
  if (m->nv + m->ninput == 0) row += g->width;
  put(row, g->width, lane, member->parameters, g->kept);
}

static void store(const SarLaneGroups* g, SarData* d, int lane, const double* state) {
  const SarModel* m = g->m;
  double t;
  const double* row = take(state, g->width, lane, &t, 1);
  row = take(row, g->width, lane, d->q, m->nq);
  row = take(row, g->width, lane, d->v, m->nv);
  take(row, g->width, lane, d->z, m->nz);
  sar_set_time(d, t);
  sar_energy_restart(d);
}

// ---- advancing ----------------------------------------------------------------------------------

static void set_time(const SarLaneGroups* g, double* state, double t) {
  for (int i = 0; i < g->width; i++) state[i] = t;
}

// Those that failed in a step are taken out as they were before it: what their lanes do then does
// not matter.
static void take_out(const SarLaneGroups* g, const SarLaneMember* member, int count, int bits,
                     double* state, double t) {
  set_time(g, state, t);
  for (int i = 0; i < count; i++)
    if ((bits >> i & 1) && member[i].d) store(g, member[i].d, i, state);
}

static int advance(const SarLaneGroups* g, double* state, const double* input,
                   const SarLaneMember* member, int count, double t, double t_end) {
  const double whole = floor((t_end - t) / g->step + WHOLE);
  const bool rest = t_end - t - whole * g->step > WHOLE * g->step;
  const long steps = (long)whole + rest;
  const int all = (1 << g->width) - 1;
  int failed = 0;
  for (long k = 0; k < steps && failed != all; k++) {
    const double now = t + (double)k * g->step;
    if (g->cancel && *g->cancel) {
      take_out(g, member, count, all & ~failed, state, now);
      return all;
    }
    set_time(g, state, now);
    const int bits =
        sar_stepper_step(g->stepper, state, input, rest && k == steps - 1 ? t_end - now : g->step);
    if (bits & ~failed) take_out(g, member, count, bits & ~failed, state, now);
    failed |= bits;
  }
  if (steps > 0) take_out(g, member, count, all & ~failed, state, t_end);
  return failed;
}

// Forces of the host on joints that close loops are no inputs of generated code.
static bool is_driven_at_cuts(const SarData* d) {
  for (int i = d->m->nv; i < sar_model_nv_all(d->m); i++)
    if (d->tau_host[i] != 0) return true;
  return false;
}

int sar_lane_group_advance(SarLaneGroups* g, int index, const SarLaneMember* member, int count,
                           double t_end) {
  double* state = g->states + (size_t)index * g->state;
  double* input = g->inputs + (size_t)index * g->input;
  int first = 0;
  while (first < count && !member[first].d) first++;
  if (first == count) return 0;
  const double t = member[first].d->t;
  if (!((t_end - t) / g->step < MOST_STEPS)) return (1 << count) - 1;  // the simulations say so
  for (int i = first; i < count; i++)
    if (member[i].d && is_driven_at_cuts(member[i].d)) return (1 << count) - 1;
  // lanes without a member of their own do what the first one does
  for (int i = 0; i < g->width; i++)
    load(g, i < count && member[i].d ? &member[i] : &member[first], i, state, input);
  return advance(g, state, input, member, count, t, t_end) & ((1 << count) - 1);
}

// ---- is it the right code? ----------------------------------------------------------------------

// A step that is so short that it shows accelerations. Where they change faster than that code is
// refused that would be right, which costs time and nothing else.
static const double GLANCE = 1e-8, ALIKE = 1e-5;

bool sar_lane_groups_fit(SarLaneGroups* g, SarSim* s, const double* parameters) {
  SarData* d = s->d;
  const SarModel* m = s->m;
  const SarLaneMember member = {d, parameters};
  double *state = g->states, *input = g->inputs;
  double largest = 0, speed = 0, apart = 0;
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  if (s->call.accel(s) != SAR_OK) return true;  // the simulation will say so
  for (int i = 0; i < g->width; i++) load(g, &member, i, state, input);
  if (sar_stepper_step(g->stepper, state, input, GLANCE) & 1) return true;  // handed over
  const double* v = state + (size_t)((1 + m->nq) * g->width);
  for (int i = 0; i < m->nv; i++, v += g->width) {
    largest = fmax(largest, fabs(d->a[i]));
    speed = fmax(speed, fabs(d->v[i]));
    apart = fmax(apart, fabs((v[0] - d->v[i]) / GLANCE - d->a[i]));
  }
  return apart <= ALIKE * largest + 1e-14 * (1 + speed) / GLANCE;
}
