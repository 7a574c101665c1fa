// What the integrators of SUNDIALS share: differences between its versions, the base of their local
// coordinates, a first step that is thrown away, and their statistics.
//
// They keep a history of several steps, so their local coordinates xi count from one base over many
// of ours; a new base (and a new start) is taken before rotations grow beyond where they are well
// behaved.
#pragma once
#include "integrators/stage.h"

#include <math.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_version.h>

// What it takes from the heap by itself for n unknowns: a dense matrix, its copy, and vectors.
static inline size_t sundials_bytes(int n) {
  enum { VECTORS = 40 };
  return ((size_t)n * 2 + VECTORS) * (size_t)n * sizeof(double);
}

#if SUNDIALS_VERSION_MAJOR >= 7
static inline int sundials_open(SUNContext* out) {
  if (SUNContext_Create(SUN_COMM_NULL, out) != 0) return 1;
  return SUNContext_ClearErrHandlers(*out);
}
#else
static inline int sundials_open(SUNContext* out) { return SUNContext_Create(NULL, out); }
static inline void sundials_drop_message(int code, const char* module, const char* function,
                                         char* text, void* data) {
  (void)code, (void)module, (void)function, (void)text, (void)data;
}
#endif

// Their base takes the place of the step's own; returns that one, to be put back.
static inline double* sundials_swap_base(SarSim* s, double* base) {
  double* old = s->start.q;
  s->start.q = base;
  return old;
}

// Has some joint with local coordinates of its own (plain ones may go anywhere) turned by more
// than 1.5 rad?
static inline bool sundials_has_turned_far(const SarSim* s, const double* xi) {
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    for (int i = 0; i < p->nv && p->joint >= 0; i++)
      if (s->m->joint_kind[p->joint]->coordinate[i] == SAR_ANGLE && fabs(xi[p->vadr + i]) > 1.5)
        return true;
  }
  return false;
}

// ---- a first step, thrown away: the last of a solver's memory is taken there --------------------

// Makes the state of d the start of a step that may go anywhere.
static inline void sundials_begin_trial(SarSim* s) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  s->start.t = d->t;
  memcpy(s->start.q, d->q, (size_t)m->nq_all * sizeof(double));
  memcpy(s->start.v, d->v, (size_t)m->nv_all * sizeof(double));
  if (m->nz > 0) memcpy(s->start.z, d->z, (size_t)m->nz * sizeof(double));
  memcpy(s->start.work, d->work, (size_t)m->nwork * sizeof(double));
  s->t_low = -HUGE_VAL;
  s->t_high = HUGE_VAL;
}

// Puts d back there, as if nothing had been evaluated.
static inline void sundials_end_trial(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  d->t = s->start.t;
  memcpy(d->q, s->start.q, (size_t)m->nq_all * sizeof(double));
  memcpy(d->v, s->start.v, (size_t)m->nv_all * sizeof(double));
  if (m->nz > 0) memcpy(d->z, s->start.z, (size_t)m->nz * sizeof(double));
  memcpy(d->work, s->start.work, (size_t)m->nwork * sizeof(double));
  s->stats.calls = 0;
}

// ---- statistics ---------------------------------------------------------------------------------

typedef struct SundialsCounters {
  long iterations, rejected;  // of Newton's method; steps by the error test
} SundialsCounters;

// Adds what a solver has counted since it began to the statistics, less what they know already.
static inline void sundials_count(SarSim* s, SundialsCounters* known, SundialsCounters now) {
  const int in_step = (int)(now.iterations - known->iterations);
  s->stats.iterations += in_step;
  s->stats.rejected += now.rejected - known->rejected;
  if (in_step > s->stats.iterations_max) s->stats.iterations_max = in_step;
  *known = now;
}
