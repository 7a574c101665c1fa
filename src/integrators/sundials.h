// What the integrators of SUNDIALS share: differences between its versions, and the base of their local
// coordinates.
//
// They keep a history of several steps, so their local coordinates xi count from one base over many of
// ours; a new base (and a new start) is taken before rotations grow beyond where they are well behaved.
#pragma once
#include "integrators/stage.h"

#include <math.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_version.h>

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

// Has some joint with local coordinates of its own (plain ones may go anywhere) turned by more than 1.5 rad?
static inline bool sundials_has_turned_far(const SarSim* s, const double* xi) {
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    for (int i = 0; i < p->nv && p->joint >= 0; i++)
      if (s->m->joint_kind[p->joint]->coordinate[i] == SAR_ANGLE && fabs(xi[p->vadr + i]) > 1.5)
        return true;
  }
  return false;
}
