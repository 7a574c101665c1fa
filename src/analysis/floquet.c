// Floquet multipliers of a periodic motion: eigenvalues of the monodromy matrix, which takes small
// deviations from the motion over one period.
//
// Columns by central differences of whole runs, in all coordinates of the tree, speeds and states:
// deviations that constraints do not allow are brought back onto them where a run begins, so they
// have multipliers of zero, beside those of the motion. That is done to rounding here: a run leaves
// alone what is open by less than 1e-9, which is much beside a deviation.
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "dynamics/projection.h"
#include "linalg/dense.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

enum { LEAST_STEPS = 36 };
// rad or m; speeds in proportion to the period
static const double SHIFT = 1e-5;
static const double TIGHT = 1e-11;

struct SarFloquet {
  SarFloquetReport report;
  double* room;  // of re and im
};

typedef struct Floquet {
  const SarModel* m;
  const SarData* from;
  SarData* d;
  SarSim* s;
  double period;
  int n;
  double *q, *high, *low;  // where the motion ends; deviations from there
  SarError* err;
} Floquet;

// ---- runs ---------------------------------------------------------------------------------------

static SarStatus over_a_period(Floquet* f) {
  const SarStatus st = sar_advance(f->s, f->from->t + f->period);
  if (st != SAR_OK) sar_report(f->err, (SarLoc){0}, "", "%s", sar_sim_trouble(f->s));
  return st;
}

static double step_of(const Floquet* f, int j) {
  const SarModel* m = f->m;
  if (j < m->nv) return SHIFT;
  if (j < 2 * m->nv) return SHIFT * 6.283185307179586 / f->period;
  return SHIFT * fmax(1, fabs(f->from->z[j - 2 * m->nv]));
}

// Deviation j by h.
static void deviate(Floquet* f, int j, double h) {
  const SarModel* m = f->m;
  SarData* d = f->d;
  if (j >= 2 * m->nv) d->z[j - 2 * m->nv] += h;
  if (j >= m->nv && j < 2 * m->nv) d->v[j - m->nv] += h;
  if (j >= m->nv) return;
  for (int b = 0; b < m->nbody; b++) {
    const int v = m->joint_vadr[b], q = m->joint_qadr[b];
    if (j < v || j >= v + m->joint_nv[b]) continue;
    double xi[SAR_JOINT_MAX_NV] = {0}, moved[SAR_JOINT_MAX_NQ];
    xi[j - v] = h;
    sar_joint_retract(m->joint_kind[b], &m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[q], xi,
                      moved);
    memcpy(&d->q[q], moved, (size_t)m->joint_kind[b]->nq * sizeof *moved);
  }
}

// Where the run is against where the motion ends.
static void read_out(const Floquet* f, double* x) {
  const SarModel* m = f->m;
  const SarData* d = f->d;
  for (int b = 0; b < m->nbody; b++)
    sar_joint_displacement(m->joint_kind[b], &m->joint_param[b * SAR_JOINT_MAX_PARAM],
                           &f->q[m->joint_qadr[b]], &d->q[m->joint_qadr[b]], &x[m->joint_vadr[b]]);
  if (m->nv > 0) memcpy(x + m->nv, d->v, (size_t)m->nv * sizeof *x);
  if (m->nz > 0) memcpy(x + 2 * m->nv, d->z, (size_t)m->nz * sizeof *x);
}

static SarStatus close_loops(Floquet* f) {
  enum { TIMES = 3 };  // each is Newton's method to its own tolerance
  for (int i = 0; f->s->projection && i < TIMES; i++) {
    sar_projection_forget(f->s->projection);
    SAR_TRY(sar_project(f->m, f->d, f->s->projection));
  }
  return SAR_OK;
}

static SarStatus run(Floquet* f, int j, double h, double* x) {
  SAR_TRY(sar_data_copy(f->d, f->from));
  deviate(f, j, h);
  SAR_TRY(close_loops(f));
  SAR_TRY(over_a_period(f));
  read_out(f, x);
  return SAR_OK;
}

// ---- matrix -------------------------------------------------------------------------------------

static SarStatus motion(Floquet* f, double* off) {
  const SarModel* m = f->m;
  SAR_TRY(sar_data_copy(f->d, f->from));
  SAR_TRY(over_a_period(f));
  memcpy(f->q, f->d->q, (size_t)m->nq * sizeof *f->q);
  *off = 0;
  for (int i = 0; i < m->nv; i++) *off = fmax(*off, fabs(f->d->v[i] - f->from->v[i]));
  for (int i = 0; i < m->nz; i++) *off = fmax(*off, fabs(f->d->z[i] - f->from->z[i]));
  return SAR_OK;
}

// By columns, in units of the deviations.
static SarStatus monodromy(Floquet* f, double* M) {
  for (int j = 0; j < f->n; j++) {
    const double h = step_of(f, j);
    SAR_TRY(run(f, j, h, f->high));
    SAR_TRY(run(f, j, -h, f->low));
    for (int i = 0; i < f->n; i++)
      M[(size_t)j * (size_t)f->n + (size_t)i] = (f->high[i] - f->low[i]) / (2 * step_of(f, i));
  }
  return SAR_OK;
}

static void sort(int n, double* re, double* im) {
  for (int i = 1; i < n; i++) {
    const double a = re[i], b = im[i], size = hypot(a, b);
    int k = i;
    // of a pair, which stands together, the one with im > 0 stays first
    for (; k > 0 && hypot(re[k - 1], im[k - 1]) < size * (1 - 1e-12); k--)
      re[k] = re[k - 1], im[k] = im[k - 1];
    re[k] = a, im[k] = b;
  }
}

static SarStatus make_sim(Floquet* f, const SarSimOptions* given) {
  SarSimOptions o = given ? *given : sar_sim_options();
  if (!(o.rtol > 0)) o.rtol = TIGHT;
  if (!(o.atol > 0)) o.atol = TIGHT;
  SAR_TRY(sar_sim_new(f->m, f->d, &o, &f->s, f->err));
  if (f->s->adaptive) return SAR_OK;
  const double steps = fmax(LEAST_STEPS, ceil(f->period / f->s->options.step - 1e-6));
  o.step = f->period / steps;
  sar_sim_free(f->s);
  f->s = NULL;
  return sar_sim_new(f->m, f->d, &o, &f->s, f->err);
}

static SarStatus find(Floquet* f, const SarSimOptions* o, SarFloquet* out) {
  const SarModel* m = f->m;
  const size_t n = (size_t)f->n, work = (size_t)sar_eigen_general_size(f->n);
  double* M = sar_alloc((2 * n * n + 2 * n + (size_t)m->nq + work + 1) * sizeof *M);
  out->room = sar_alloc((2 * n + 1) * sizeof *M);
  SarStatus st = M && out->room ? sar_data_new(m, &f->d, f->err) : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    double *vectors = M + n * n, *at = vectors + n * n, *re = out->room, *im = re + n;
    f->high = at, f->low = at + n, f->q = at + 2 * n;
    out->report.re = re, out->report.im = im;
    st = sar_data_copy(f->d, f->from);
    if (st == SAR_OK) st = make_sim(f, o);
    if (st == SAR_OK) st = motion(f, &out->report.off);
    if (st == SAR_OK) st = monodromy(f, M);
    if (st == SAR_OK) st = sar_eigen_general(f->n, M, re, im, vectors, f->q + m->nq, (int)work);
    if (st == SAR_OK) sort(f->n, re, im);
  }
  sar_sim_free(f->s);
  sar_data_free(f->d);
  sar_free(M);
  return st;
}

// ---- as one call (sarrus/analyses.h) ------------------------------------------------------------

SAR_API void sar_floquet_options_sized(SarFloquetOptions* out, size_t size) {
  const SarFloquetOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

SAR_API SarStatus sar_floquet(const SarData* d, double period, const SarFloquetOptions* o,
                              SarFloquet** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(d);
  SarFloquetOptions full = sar_floquet_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_floquet_options", err));
  if (!(period > 0) || !isfinite(period)) {
    sar_report(err, (SarLoc){0}, "as in 2*pi/Omega", "the period is %g s, but must be positive",
               period);
    return SAR_BAD_ARGUMENT;
  }
  const SarModel* m = d->m;
  Floquet f = {.m = m, .from = d, .period = period, .n = 2 * m->nv + m->nz, .err = err};
  SarFloquet* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  r->report = (SarFloquetReport){.period = period, .count = f.n};
  const SarStatus st = find(&f, full.sim, r);
  if (st == SAR_OK)
    *out = r;
  else
    sar_floquet_free(r);
  return st;
}

SAR_API const SarFloquetReport* sar_floquet_report(const SarFloquet* f) {
  return f ? &f->report : NULL;
}

SAR_API void sar_floquet_free(SarFloquet* f) {
  if (!f) return;
  sar_free(f->room);
  sar_free(f);
}
