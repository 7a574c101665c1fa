// The energy audit of a whole run: E - E(0) - work at its rows, and what to think of it.
//
// Its error is that of the numerics. What counts is its share of what moved: the largest kinetic energy, change of
// potential energy or work of the run, and what went through its accounts from row to row, to and fro, which in a driven
// machine that runs for hours is more than any of these. Examples with the steps they ask for are below TOLD
// (docs/trust.md); what is above is told in a sentence, in text and JSON alike. Rules that damp by design
// lose energy, so a loss is no more than told. A gain of NOWHERE is another matter: half of what moves comes from nowhere, no
// model moves like this, and the run has failed whatever its steps say.
#include "analysis/run.h"

#include "base/error.h"
#include "base/print.h"

#include <math.h>

static const double TOLD = 0.02;     // of what moved
static const double NOWHERE = 0.5;   // the same, gained
static const double DIGITS = 1e-10;  // of the terms of the account: rounding, where nothing moves

// The most that went through one account since the last row.
static double went_through(SarRun* r) {
  double most = 0;
  for (int i = 0; i < r->d->m->nwork; i++) {
    most = fmax(most, fabs(r->d->work[i] - r->work[i]));
    r->work[i] = r->d->work[i];
  }
  return most;
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
  const double through = went_through(r);
  if (a->begun) a->through += through;
  if (!a->begun) a->begun = true, a->potential = e.potential, a->error = e.error;
  const double moved = fmax(e.kinetic, fmax(fabs(e.potential - a->potential), fabs(e.work)));
  p->energy_scale = fmax(p->energy_scale, moved);
  p->energy_end = e.total;
  p->work = e.work;
  if (!(fabs(e.error) <= p->energy_error_max)) p->energy_error_max = fabs(e.error);
  a->gained = fmax(a->gained, e.error - a->error);
  a->lost = fmax(a->lost, a->error - e.error);
  a->size = fmax(a->size, fmax(e.kinetic, fmax(fabs(e.potential), fabs(e.work))));
  return SAR_OK;
}

SarStatus sar_run_explain(SarRun* r) {
  SarRunReport* p = &r->report;
  const SarRunAudit* a = &r->audit;
  const double most = fmax(a->gained, a->lost), moved = fmax(p->energy_scale, a->through);
  p->energy_scale = moved;
  p->energy_gain_max = a->gained;
  if (!(most > TOLD * moved + DIGITS * a->size)) return SAR_OK;
  const bool gained = a->gained >= a->lost;
  sar_snprintf(r->unexplained, sizeof r->unexplained,
               "%.3g J are %s that nothing accounts for, %.2g of what moved: take smaller steps or "
               "error control",
               most, gained ? "gained" : "lost", most / moved);
  if (!(a->gained > NOWHERE * moved)) return SAR_OK;
  if (!r->trouble[0])
    sar_snprintf(r->trouble, sizeof r->trouble, "by t = %.9g: %s", r->d->t, r->unexplained);
  return SAR_NOT_EXPLAINED;
}
