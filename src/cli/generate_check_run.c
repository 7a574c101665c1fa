// A run by the interpreter that generated code is compared with, over a second (generate_check.h).
//
// The same integrator makes the same steps. Beside it go runs that tell by how much the code may
// differ:
// - the speeds begin 1e-13 off. What that grows to is what rounding, which the code has elsewhere,
//   may grow to;
// - every step starts with rates from after the correction onto the constraints, as the code does,
//   where the interpreter takes those from before it. How far that leads is an error of the steps.
// Steps are of 1 ms (implicit ones of 10 ms), and shorter where a run beside it leaves: steps too
// long for what is stiff. What grows whatever the steps is the motion's own, and the bound grows
// with it, as the test prints.
//
// The run ends before a singular position, and before `embedding` chooses other coordinates than it
// was generated with (the errors of a step are then other ones); with lanes before the first kink
// in time, where fixed steps of the interpreter change their length.
#include "cli/generate_check.h"

#include "dynamics/projection.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

enum { ATTEMPTS = 4, ENOUGH = 50, POINTS = 10, SAMPLES = GENERATE_CHECK_SAMPLES, PARTS = 1000 };
enum { OWN, ABOVE, BESIDE, RUNS };  // the one that counts, then those beside it
static const double STEP = 1e-3, IMPLICIT_STEP = 1e-2, END = 1, NUDGE = 1e-13;
static const double GROWN = 1e-11, CORRECTED = 2e-13;  // beyond them shorter steps are tried
static const double FORGOTTEN = 1e-4;                  // beyond it nothing can be compared
static const double MOST_WORK = 1e8;                   // of shorter steps: steps (nv + nrow)^2

typedef struct Side {
  SarData* d;
  SarSim* s;
} Side;

typedef struct Run {
  const SarModel* m;
  const SarGenerateOptions* o;
  SarArena* arena;
  double step;
  int steps;  // asked for, then made
  int sides;
  bool anew;  // the last of them starts steps with rates from after the correction
  Side side[RUNS];
  Side probe;         // evaluates what samples ask for, so that the run goes on as if not
  const char* ended;  // why it does not go on; NULL: it is whole
  bool lost;          // steps are too long, or the motion is chaotic
  double grown, corrected;
  int points, samples;
  SarCheckPoint* point;
  SarSample* sample;  // along the way; NULL: none
} Run;

// How many steps end before the first kink, if they do not land on them.
static int steps_of(const SarModel* m, const SarGenerateOptions* o, double step, bool* kink) {
  double end = END;
  *kink = false;
  if (m->sim.end > 0 && m->sim.end < end) end = m->sim.end;
  const bool lands = !o->single && o->lanes == 0;
  for (int i = 0; i < m->nkink && !lands; i++) {
    const double period = m->kink_period[i];
    const double t = period > 0 && m->kink_time[i] == 0 ? period : m->kink_time[i];
    if (t > 0 && t <= end) end = t, *kink = true;
  }
  return (int)rint(end / step) - *kink;
}

static SarStatus open_side(const Run* r, double nudge, Side* x) {
  SAR_TRY(sar_data_new(r->m, &x->d, NULL));
  SAR_TRY(generate_check_sim(r->m, x->d, r->o, r->step, &x->s, NULL));
  for (int i = 0; i < r->m->nv; i++) x->d->v[i] += nudge * (1 + fabs(x->d->v[i]));
  return SAR_OK;
}

static void close_side(Side* x) {
  sar_sim_free(x->s);
  sar_data_free(x->d);
}

static bool goes_on(Run* r) {
  for (int k = 0; k < r->sides; k++) {
    const SarSim* s = r->side[k].s;
    const bool embeds = r->o->method == SAR_GENERATE_EMBEDDING && r->o->flow;
    if (s->near_singular) r->ended = "a singular position";
    // generated code keeps the coordinates of the plan
    if (embeds && !sar_embedding_follows(s)) r->ended = "other independent coordinates";
  }
  return !r->ended;
}

// To the end of the step, past kinks within it.
static SarStatus advance(SarSim* s) {
  const double count = (double)s->d->clock.count;
  for (int part = 0; part == 0 || ((double)s->d->clock.count <= count && part < PARTS); part++)
    SAR_TRY(sar_step(s));
  return SAR_OK;
}

// The rates that the next step starts with, where the state is after its correction. At a kink they
// are found anew as it is, on its other side.
static SarStatus start_anew(SarSim* s) {
  SarData* d = s->d;
  if (d->restart) return SAR_OK;
  if (s->projection) sar_projection_forget(s->projection);
  SAR_TRY(s->formulation->accel(s));
  if (s->m->nv > 0) memcpy(d->end_a, d->a, (size_t)s->m->nv * sizeof *d->a);
  if (s->m->nz > 0) memcpy(d->end_z_rate, d->z_rate, (size_t)s->m->nz * sizeof *d->z_rate);
  return SAR_OK;
}

static double distance(const double* a, const double* b, int n) {
  double far = 0, size = 1;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(b[i]));
    if (!(fabs(a[i] - b[i]) <= far)) far = fabs(a[i] - b[i]);
  }
  return far / size;
}

// false: it cannot be gone on with
static bool measure(Run* r) {
  const SarModel* m = r->m;
  const SarData* own = r->side[OWN].d;
  double grown = r->grown, corrected = r->corrected;
  for (int k = 1; k < r->sides; k++) {
    const SarData* d = r->side[k].d;
    const double moved = fmax(distance(d->q, own->q, m->nq), distance(d->v, own->v, m->nv));
    const double far = fmax(moved, distance(d->z, own->z, m->nz));
    double* most = r->anew && k == BESIDE ? &corrected : &grown;
    if (!(far <= *most)) *most = far;
  }
  if (!(grown <= FORGOTTEN && corrected <= FORGOTTEN)) return false;
  r->grown = grown, r->corrected = corrected;
  return true;
}

static SarStatus add_point(Run* r, int steps) {
  r->point[r->points++] = (SarCheckPoint){.at = generate_check_state(r->arena, r->m, r->side[0].d),
                                          .steps = steps,
                                          .grown = r->grown,
                                          .corrected = r->corrected};
  return r->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}

static SarStatus add_sample(Run* r) {
  SAR_TRY(sar_data_copy(r->probe.d, r->side[0].d));
  return generate_check_sample(r->probe.s, r->o, r->arena, &r->sample[r->samples++], -1);
}

static bool step_all(const Run* r) {
  for (int k = 0; k < r->sides; k++)
    if (advance(r->side[k].s) != SAR_OK) return false;
  return !r->anew || start_anew(r->side[BESIDE].s) == SAR_OK;
}

static SarStatus follow(Run* r) {
  const int wanted = r->steps, every = wanted / POINTS + 1, sampled = wanted / (SAMPLES - 1) + 1;
  r->steps = 0;
  for (int i = 0; i < wanted && goes_on(r); i++) {
    if (r->sample && i % sampled == 0) SAR_TRY(add_sample(r));
    if (!step_all(r) || !measure(r)) {
      r->ended = "it is lost what it began with", r->lost = true;
      break;
    }
    r->steps = i + 1;
    if (r->steps % every == 0 && r->steps < wanted) SAR_TRY(add_point(r, r->steps));
  }
  if (r->steps > 0 && (r->points == 0 || r->point[r->points - 1].steps < r->steps))
    SAR_TRY(add_point(r, r->steps));
  return SAR_OK;
}

static SarStatus make_run(Run* r) {
  const bool implicit = r->o->method == SAR_GENERATE_HYBRID;
  // `embedding` evaluates closed positions
  r->anew = r->m->nrow > 0 && !implicit && r->o->method != SAR_GENERATE_EMBEDDING;
  r->sides = implicit || r->anew ? RUNS : BESIDE;
  // what rests at a kink takes one tangent or another, and iterations end elsewhere within the
  // tolerance: to both sides of it
  const double beside[RUNS] = {0, NUDGE, implicit ? -NUDGE : 0};
  SarStatus st = r->sample ? open_side(r, 0, &r->probe) : SAR_OK;
  for (int k = 0; k < r->sides && st == SAR_OK; k++) st = open_side(r, beside[k], &r->side[k]);
  if (st == SAR_OK) st = follow(r);
  for (int k = 0; k < r->sides; k++) close_side(&r->side[k]);
  close_side(&r->probe);
  return st;
}

static double trouble(const Run* r) {
  if (r->lost) return HUGE_VAL;
  return fmax(r->steps < ENOUGH ? 2 : 0, fmax(r->grown / GROWN, r->corrected / CORRECTED));
}

static bool has_work_for(const Run* r) {
  const double size = r->m->nv + r->m->nrow;
  return r->steps * size * size <= MOST_WORK;
}

// The first that stays near; else the one that comes farthest, and of those the nearest.
SarStatus generate_check_run(const SarModel* m, const SarGenerateOptions* o, SarArena* arena,
                             SarSample* sample, SarCheck* out) {
  double step = o->method == SAR_GENERATE_HYBRID ? IMPLICIT_STEP : STEP, end = 0, least = 0;
  for (int i = 0; i < ATTEMPTS; i++, step *= 0.1) {
    Run r = {.m = m,
             .o = o,
             .arena = arena,
             .step = step,
             .point = SAR_ARENA_ARRAY(arena, SarCheckPoint, POINTS + 2),
             .sample = m->nrow > 0 ? sample : NULL};
    bool kink;
    if (!r.point) return SAR_NO_MEMORY;
    r.steps = steps_of(m, o, step, &kink);
    if (i > 0 && !has_work_for(&r)) break;
    if (r.steps <= 0 || make_run(&r) != SAR_OK) continue;
    if (r.samples > 0) out->samples = r.samples;
    const double t = r.steps * step;
    if (t < 0.99 * end || (t <= 1.01 * end && trouble(&r) >= least)) continue;
    end = t, least = trouble(&r);
    out->steps = r.steps, out->step = step;
    out->points = r.points, out->point = r.point;
    out->ended = r.ended ? r.ended : kink ? "a kink in time" : NULL;
    if (least <= 1) break;
  }
  return arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
