// Model exchange: quantities that expressions take from the last step (model/compile/held.c), such
// as accelerations, reactions and what force elements report.
//
// A run holds them over its steps. The steps of an importer are its own, as long as it likes, and
// rates must follow from time, states and inputs alone; so here the quantities are those of the
// same instant, the solution of
//
//   h = g(t, q, v, z, h)
//
// by fixed-point iteration. It is what a run comes to as its steps get shorter: each of these is
// one iteration, and where they do not converge, neither does a run. One iteration finds it, and
// the next one sees that, where no acceleration depends on h (outputs, conditions, samples).
#include "fmi/runtime/instance.h"

#include "sim/outputs.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 1000 };
// Of a quantity, or of 1; what rounding leaves of one that is a difference of larger ones.
static const double SETTLED = 1e-13, ROUNDING = 1e-10;

static double change_of(const SarModel* m, const double* from, const double* to) {
  double most = 0;
  for (int i = 0; i < m->nheld; i++)
    most = fmax(most, fabs(to[i] - from[i]) / fmax(1, fabs(from[i])));
  return most;
}

SarStatus sar_fmu_settle(SarFmu* f) {
  const SarModel* m = f->model->m;
  double *now = f->d->held, *next = f->model->held;
  double last = (double)INFINITY;
  if (m->nheld == 0) return SAR_OK;
  for (int k = 0; k < ITERATIONS; k++) {
    SAR_TRY(sar_outputs_of(f->s, m->held, m->nheld, next));
    const double change = change_of(m, now, next);
    memcpy(now, next, (size_t)m->nheld * sizeof *now);
    if (change <= SETTLED || (change <= ROUNDING && change >= last)) return SAR_OK;
    last = change;
  }
  sar_fmu_say(f, FMU_ERROR,
              "t = %g: quantities of the last step that expressions use have no values at this "
              "instant that agree with what follows from them (algebraic loop)",
              f->d->t);
  return SAR_NOT_CONVERGED;
}
