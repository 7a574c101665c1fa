// Numbers for the test of generated code (generate_check.h).
//
// States: along the run, and for open trees with positions, speeds and forces moved about as well.
//
// The run ends before a singular position, and before `embedding` chooses other coordinates than it
// was generated with (the errors of a step are then other ones); in single precision and with lanes
// before the first kink in time, where fixed steps of the interpreter change their length. What it
// can be compared to is found by a second run whose speeds begin 1e-13 beside: where that grows to
// more than 1e-11 (chaos, or steps that are too long for what is stiff), and where steps leave the
// constraints by more than that in all, shorter steps are tried, and where fewer than ENOUGH are
// made.
#include "cli/generate_check.h"

#include "dynamics/projection.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6, STEPS = 1000, ENOUGH = 50, ATTEMPTS = 4, PARTS = 1000 };
static const double STEP = 1e-3, END = 1, NUDGE = 1e-13, GROWN = 1e-11;
static const double ROUNDING = 1e-14, SHARE = 1e-10;

static SarStatus new_sim(const SarModel* m, SarData* d, const SarGenerateOptions* o, double step,
                         SarSim** sim, SarError* err) {
  SarSimOptions so = sar_sim_options();
  so.formulation = sar_generate_method_name((int)o->method);
  so.integrator = sar_generate_integrator_name((int)o->integrator);
  so.adaptive = SAR_STEPS_FIXED;
  if (o->method == SAR_GENERATE_EMBEDDING) so.kinematics = "block";
  so.step = step;
  return sar_sim_new(m, d, &so, sim, err);
}

SarStatus generate_check_start(const SarModel* m, SarData* d, const SarGenerateOptions* o,
                               SarSim** sim, SarError* err) {
  return new_sim(m, d, o, STEP, sim, err);
}

SarImplicitRows generate_check_rows(const SarSim* s) {
  return (SarImplicitRows){s->row_size, s->row_unit, s->freedom.rank < s->freedom.rows,
                           s->options.newton_tolerance, s->options.max_iterations};
}

static double* copy(SarArena* a, const double* x, int n) {
  double* out = SAR_ARENA_ARRAY(a, double, n + 1);
  if (out && n > 0) memcpy(out, x, (size_t)n * sizeof *x);
  return out;
}

static SarSample sample_of(SarArena* arena, const SarModel* m, const SarData* d) {
  return (SarSample){.t = d->t,
                     .q = copy(arena, d->q, m->nq),
                     .v = copy(arena, d->v, m->nv),
                     .z = copy(arena, d->z, m->nz),
                     .w = copy(arena, d->discrete, m->ndiscrete),
                     .held = sar_generation_held(arena, m, d),
                     .input = copy(arena, d->input, m->ninput),
                     .tau = copy(arena, d->tau_host, m->nv),
                     .a = copy(arena, d->a, m->nv),
                     .z_rate = copy(arena, d->z_rate, m->nz)};
}

// -1 .. 1, the same in every run
static double noise(int i) {
  const double x = sin(12.9898 * (i + 1)) * 43758.5453;
  return 2 * (x - floor(x)) - 1;
}

// A state nearby, with forces.
static void disturb(const SarModel* m, SarData* d, int seed) {
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    double xi[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ];
    for (int i = 0; i < kind->nv; i++) xi[i] = 0.5 * noise(seed + 31 * b + i);
    double* at = &d->q[m->joint_qadr[b]];
    sar_joint_retract(kind, &m->joint_param[b * SAR_JOINT_MAX_PARAM], at, xi, q);
    memcpy(at, q, (size_t)kind->nq * sizeof *q);
  }
  for (int i = 0; i < m->nv; i++) d->v[i] += noise(seed + 7 * i + 3);
  for (int i = 0; i < m->nv; i++) d->tau_host[i] = noise(seed + 11 * i + 5);
}

// What a is measured by: its size, or where forces of stiff elements cancel, 1e10 times what a
// rounding of the positions (1e-14) changes. `a` is that of the sample, and d is left as it was but
// for a.
static SarStatus find_size(SarSim* s, SarSample* x) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  x->size = 1;
  for (int i = 0; i < m->nv; i++) x->size = fmax(x->size, fabs(x->a[i]));
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    double xi[SAR_JOINT_MAX_NV];
    const double* q = &x->q[m->joint_qadr[b]];
    for (int i = 0; i < kind->nv; i++) xi[i] = ROUNDING * (1 + fabs(q[i])) * (i % 2 ? -1 : 1);
    sar_joint_retract(kind, &m->joint_param[b * SAR_JOINT_MAX_PARAM], q, xi,
                      &d->q[m->joint_qadr[b]]);
  }
  SAR_TRY(s->formulation->accel(s));
  for (int i = 0; i < m->nv; i++) x->size = fmax(x->size, fabs(d->a[i] - x->a[i]) / SHARE);
  memcpy(d->q, x->q, (size_t)m->nq * sizeof *d->q);
  return s->formulation->accel(s);
}

// Sums of columns along the test's direction.
typedef struct Along {
  double* slope;
  int at;  // in the direction
} Along;

static void add_columns(Along* x, const double* matrix, int rows, int columns, int to) {
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      x->slope[to + i] += matrix[i * columns + k] * sar_derivatives_direction(x->at + k);
}

// Exact derivatives by the library, along one direction.
static SarStatus add_slope(const SarModel* m, SarData* d, SarArena* arena, SarSample* out,
                           SarError* err) {
  const int columns[] = {m->nv, m->nv, m->ninput, m->nz, 1, m->nv};
  double *a[6], *rate[6];
  for (int k = 0; k < 6; k++) {
    a[k] = SAR_ARENA_ARRAY(arena, double, m->nv* columns[k] + 1);
    rate[k] = SAR_ARENA_ARRAY(arena, double, m->nz* columns[k] + 1);
  }
  Along x = {.slope = out->slope = SAR_ARENA_ARRAY(arena, double, m->nv + m->nz + 1)};
  if (arena->failed) return SAR_NO_MEMORY;
  SarDerivatives* w = NULL;
  SAR_TRY(sar_derivatives_new(m, &w, err));
  const SarForwardDerivatives o = {.a_q = a[0],
                                   .a_v = a[1],
                                   .a_input = a[2],
                                   .a_state = a[3],
                                   .a_time = a[4],
                                   .a_tau = a[5],
                                   .rate_q = rate[0],
                                   .rate_v = rate[1],
                                   .rate_input = rate[2],
                                   .rate_state = rate[3],
                                   .rate_time = rate[4]};
  const SarStatus st = sar_forward_dynamics_derivatives(w, d, &o);
  sar_derivatives_free(w);
  for (int k = 0; k < 6; k++) {
    add_columns(&x, a[k], m->nv, columns[k], 0);
    add_columns(&x, rate[k], m->nz, columns[k], m->nv);
    x.at += columns[k];
  }
  return st;
}

// A clean copy of where the run is, evaluated.
static SarStatus add_sample(SarSim* s, const SarGenerateOptions* o, SarArena* arena, SarSample* out,
                            int seed) {
  SarData* d = s->d;
  const SarModel* m = s->m;
  if (seed >= 0 && m->nrow == 0) disturb(m, d, seed);
  double* output = SAR_ARENA_ARRAY(arena, double, m->nchannel + 1);
  if (!output) return SAR_NO_MEMORY;
  SAR_TRY(sar_outputs(s, output));
  SAR_TRY(s->formulation->accel(s));
  *out = sample_of(arena, m, d);
  out->output = output;
  SAR_TRY(find_size(s, out));
  return o->derivatives ? add_slope(m, d, arena, out, NULL) : SAR_OK;
}

// How many steps end before the first kink, if they do not land on them.
static int steps_before_kinks(const SarModel* m, const SarGenerateOptions* o, double step) {
  double end = END;
  bool kink = false;
  if (m->sim.end > 0 && m->sim.end < end) end = m->sim.end;
  const bool lands = !o->single && o->lanes == 0;
  for (int i = 0; i < m->nkink && !lands; i++) {
    const double period = m->kink_period[i];
    const double t = period > 0 && m->kink_time[i] == 0 ? period : m->kink_time[i];
    if (t > 0 && t <= end) end = t, kink = true;
  }
  const double steps = rint(end / step) - kink;
  return steps < STEPS ? (int)steps : STEPS;
}

typedef struct Run {
  const SarModel* m;
  const SarGenerateOptions* o;
  SarArena* arena;
  double step;
  int steps;    // asked for, then made
  int samples;  // along the way, if room is given
  SarSample *sample, end;
  double drift;  // largest correction onto the constraints, as a share of the size
} Run;

// Generated code keeps the coordinates of the plan.
static bool has_coordinates_of_code(const SarGenerateOptions* o, const SarSim* s) {
  return o->method != SAR_GENERATE_EMBEDDING || !o->flow || sar_embedding_follows(s);
}

static SarStatus advance(Run* r, SarSim* s) {
  const int every = r->steps / (SAMPLES - 1) + 1;
  for (int i = 0; i < r->steps; i++) {
    if (s->near_singular || !has_coordinates_of_code(r->o, s)) {
      r->steps = i;
      break;
    }
    if (r->sample && i % every == 0)
      SAR_TRY(add_sample(s, r->o, r->arena, &r->sample[r->samples++], -1));
    const double count = (double)s->d->clock.count;
    for (int part = 0; part == 0 || ((double)s->d->clock.count <= count && part < PARTS); part++)
      SAR_TRY(sar_step(s));  // to the next kink, or to the end of the step
    // embedding evaluates closed positions, whatever the drift
    // so does hybrid, and goes on from what it left
    if (s->projection && !s->formulation->closes && r->o->method != SAR_GENERATE_HYBRID)
      r->drift = fmax(r->drift, s->projection->drift.position / s->size);
  }
  r->end = sample_of(r->arena, r->m, s->d);
  return SAR_OK;
}

static SarStatus make_run(Run* r, double nudge) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarStatus st = sar_data_new(r->m, &d, NULL);
  if (st == SAR_OK) st = new_sim(r->m, d, r->o, r->step, &s, NULL);
  if (st == SAR_OK) {
    for (int i = 0; i < r->m->nv; i++) d->v[i] += nudge * (1 + fabs(d->v[i]));
    st = advance(r, s);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

static double distance(const double* a, const double* b, int n) {
  double far = 0, size = 1;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(b[i]));
    if (!(fabs(a[i] - b[i]) <= far)) far = fabs(a[i] - b[i]);
  }
  return far / size;
}

static bool stays_near(const Run* a, const Run* b) {
  const SarModel* m = a->m;
  // rates at the start of a step: the interpreter's are those before the correction
  if (!(10 * a->steps * a->drift <= GROWN)) return false;
  return a->steps == b->steps && distance(b->end.q, a->end.q, m->nq) <= GROWN &&
         distance(b->end.v, a->end.v, m->nv) <= GROWN;
}

// Runs beside it stay near: it can be compared to. How far they come tells where samples are taken.
static bool find_run_of(Run* run) {
  const bool implicit = run->o->method == SAR_GENERATE_HYBRID;
  Run above = *run, below = *run;
  above.sample = below.sample = NULL;
  if (make_run(&above, NUDGE) != SAR_OK || above.steps <= 0) return false;
  run->steps = above.steps;
  if (make_run(run, 0) != SAR_OK || !stays_near(run, &above)) return false;
  // what rests at a kink takes one tangent or another, and iterations end elsewhere within the
  // tolerance
  return !implicit || (make_run(&below, -NUDGE) == SAR_OK && stays_near(run, &below));
}

static void find_run(const SarModel* m, const SarGenerateOptions* o, SarArena* arena,
                     SarSample* sample, SarCheck* out) {
  double step = o->method == SAR_GENERATE_HYBRID ? 10 * STEP : STEP;
  for (int i = 0; i < ATTEMPTS && !arena->failed && out->steps < ENOUGH; i++, step *= 0.1) {
    Run run = {.m = m,
               .o = o,
               .arena = arena,
               .step = step,
               .steps = steps_before_kinks(m, o, step),
               .sample = m->nrow > 0 ? sample : NULL};
    if (run.steps <= 0) continue;
    const bool found = find_run_of(&run);
    if (run.samples > 0) out->samples = run.samples;
    if (!found || run.steps <= out->steps) continue;
    out->steps = run.steps;
    out->step = step;
    out->end = run.end;
  }
}

SarStatus generate_check_fill(SarSim* s, const SarGenerateOptions* o, SarArena* arena,
                              SarCheck* out) {
  const SarModel* m = s->m;
  SarSample* sample = SAR_ARENA_ARRAY(arena, SarSample, SAMPLES);
  *out = (SarCheck){.sample = sample, .tolerance = 1e-10};
  if (!sample) return SAR_NO_MEMORY;
  find_run(m, o, arena, sample, out);
  // the interpreter has no single precision: errors of that add up
  if (o->single) out->steps = 0;
  while (out->samples < SAMPLES && (m->nrow == 0 || out->samples == 0)) {
    SAR_TRY(add_sample(s, o, arena, &sample[out->samples], 100 * out->samples));
    out->samples++;
  }
  return arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
