// Numbers for the test of generated code (generate_check.h).
//
// States: along the run, and for open trees with positions, speeds and forces moved about as well.
#include "cli/generate_check.h"

#include "model/sim.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = GENERATE_CHECK_SAMPLES };
static const double STEP = 1e-3, ROUNDING = 1e-14, SHARE = 1e-10;

SarStatus generate_check_sim(const SarModel* m, SarData* d, const SarGenerateOptions* o,
                             double step, SarSim** sim, SarError* err) {
  SarSimOptions so = sar_sim_options();
  so.formulation = sar_generate_method_name((int)o->method);
  so.integrator = sar_generate_integrator_name((int)o->integrator);
  so.adaptive = SAR_STEPS_FIXED;
  // polynomials have numbers of the file in them
  if (o->method == SAR_GENERATE_EMBEDDING) so.kinematics = o->keeps > 0 ? "newton" : "block";
  so.step = step;
  return sar_sim_new(m, d, &so, sim, err);
}

SarStatus generate_check_start(const SarModel* m, SarData* d, const SarGenerateOptions* o,
                               SarSim** sim, SarError* err) {
  return generate_check_sim(m, d, o, STEP, sim, err);
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

SarSample generate_check_state(SarArena* arena, const SarModel* m, const SarData* d) {
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
SarStatus generate_check_sample(SarSim* s, const SarGenerateOptions* o, SarArena* arena,
                                SarSample* out, int seed) {
  SarData* d = s->d;
  const SarModel* m = s->m;
  if (seed >= 0 && m->nrow == 0) disturb(m, d, seed);
  double* output = SAR_ARENA_ARRAY(arena, double, m->nchannel + 1);
  if (!output) return SAR_NO_MEMORY;
  SAR_TRY(sar_outputs(s, output));
  SAR_TRY(s->formulation->accel(s));
  *out = generate_check_state(arena, m, d);
  out->output = output;
  SAR_TRY(find_size(s, out));
  return o->derivatives ? add_slope(m, d, arena, out, NULL) : SAR_OK;
}

SarStatus generate_check_fill(SarSim* s, const SarGenerateOptions* o, SarArena* arena,
                              SarCheck* out) {
  const SarModel* m = s->m;
  SarSample* sample = SAR_ARENA_ARRAY(arena, SarSample, SAMPLES);
  *out = (SarCheck){.sample = sample};
  if (!sample) return SAR_NO_MEMORY;
  SAR_TRY(generate_check_run(m, o, arena, sample, out));
  // the interpreter has no single precision: errors of that add up
  if (o->single) out->steps = 0;
  while (out->samples < SAMPLES && (m->nrow == 0 || out->samples == 0)) {
    SAR_TRY(generate_check_sample(s, o, arena, &sample[out->samples], 100 * out->samples));
    out->samples++;
  }
  return arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
