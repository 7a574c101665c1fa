// The energy audit of a whole run: E - E(0) - work at its rows, and what to think of it.
//
// Its error is that of the numerics. What counts is its share of what moved: the largest kinetic
// energy, change of potential energy or work of the run, and what went through its accounts from
// row to row, to and fro, which in a driven machine that runs for hours is more than any of these.
// What is above TOLD is told in a sentence, in text and JSON alike (docs/trust.md: which runs that
// are). It need not be the motion that is wrong: a damper that stops a body within a step has an
// account of c v^2 at both ends of the step, far more than there was, and rules that damp by design
// lose energy in no account.
//
// Energy above that of the start and all that accounts have put in is another matter. If it is a
// NOWHERE of what moved no model moves like this, and the run has failed whatever its steps say.
#include "analysis/run.h"

#include "base/error.h"
#include "base/print.h"

#include <math.h>

static const double TOLD = 0.1;      // of what moved
static const double NOWHERE = 0.5;   // of it without what accounts took
static const double DIGITS = 1e-10;  // of the terms of the account: rounding, where nothing moves

// The most that went through one account since the last row, for later; returns what those that
// have given have given.
static double look_into_accounts(SarRun* r) {
  SarRunAudit* a = &r->audit;
  double most = 0, given = 0;
  for (int i = 0; i < r->d->m->nwork; i++) {
    const double work = r->d->work[i];
    if (!a->begun) r->work_start[i] = r->work[i] = work;
    most = fmax(most, fabs(work - r->work[i]));
    given += fmax(work - r->work_start[i], 0);
    r->work[i] = work;
  }
  a->through += most;
  return given;
}

SarStatus sar_run_audit(SarRun* r) {
  SarEnergy e;
  SarRunReport* p = &r->report;
  SarRunAudit* a = &r->audit;
  const SarStatus st = sar_energy(r->d, &e);
  if (st != SAR_OK) {
    sar_snprintf(r->trouble, sizeof r->trouble, "at t = %.9g: the energy is not finite", r->d->t);
    return st;
  }
  const double given = look_into_accounts(r);
  if (!a->begun)
    *a = (SarRunAudit){.begun = true, .potential = e.potential, .error = e.error, .total = e.total};
  const double without = fmax(e.kinetic, fabs(e.potential - a->potential));
  p->energy_scale = fmax(p->energy_scale, fmax(without, fabs(e.work)));
  a->without = fmax(a->without, fmax(without, given));
  a->gained = fmax(a->gained, e.total - a->total - given);
  p->energy_end = e.total;
  p->work = e.work;
  if (!(fabs(e.error) <= p->energy_error_max)) p->energy_error_max = fabs(e.error);
  a->more = fmax(a->more, e.error - a->error);
  a->less = fmax(a->less, a->error - e.error);
  a->size = fmax(a->size, fmax(e.kinetic, fmax(fabs(e.potential), fabs(e.work))));
  return SAR_OK;
}

SarStatus sar_run_explain(SarRun* r, SarStatus status) {
  SarRunReport* p = &r->report;
  const SarRunAudit* a = &r->audit;
  const double most = fmax(a->more, a->less), digits = DIGITS * a->size;
  p->energy_scale = fmax(p->energy_scale, a->through);
  p->energy_gain_max = a->gained;
  if (most > TOLD * p->energy_scale + digits)
    sar_snprintf(r->unexplained, sizeof r->unexplained,
                 "the energy audit does not close: %.3g J %s than work explains, %.2g of what "
                 "moved; take smaller steps or error control",
                 most, a->more >= a->less ? "more" : "less", most / p->energy_scale);
  if (status != SAR_OK || !(a->gained > NOWHERE * a->without + digits)) return status;
  sar_snprintf(r->trouble, sizeof r->trouble,
               "by t = %.9g: %.3g J came from nowhere, %.2g of what moved: take smaller steps or "
               "error control",
               r->d->t, a->gained, a->gained / a->without);
  return SAR_NOT_EXPLAINED;
}
