// The last look at what was computed (judge.h): status 0 with a wrong number is the worst there is.
//
// Methods keep constraints closed to 1e-6 and better; what has opened by a thousandth of the
// mechanism is no longer that mechanism, whatever the method says of itself. Drift that was asked
// for (project = 0) counts as well.
#include "sim/judge.h"
#include "base/print.h"

#include <math.h>
#include <stdio.h>

static bool is_finite(const double* x, int n, int* which) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) {
      *which = i;
      return false;
    }
  return true;
}

int sar_worst_row(const SarSim* s) {
  int worst = -1;
  double most = 0;
  for (int i = 0; i < s->m->nrow; i++) {
    const double open = fabs(s->d->Phi[i]) / s->row_unit[i];
    if (open <= most && worst >= 0) continue;
    most = open;
    worst = i;
  }
  return worst;
}

// Mean forces of the contacts, p / step: impulses may be numbers where they are not.
static bool contacts_are_finite(const SarData* d) {
  for (int i = 0; i < d->ncontact; i++) {
    const SarContact* c = &d->contact[i];
    double sum = 0;
    for (int k = 0; k < SAR_CONTACT_ROWS; k++) sum += fabs(c->p[k]);
    if (c->step > 0 && !isfinite(sum / c->step)) return false;
  }
  return true;
}

SarStatus sar_judge_state(SarSim* s) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  int unused;
  int state = 0;
  if (m->nz > 0 && (!is_finite(d->z, m->nz, &state) || !is_finite(d->z_rate, m->nz, &state))) {
    s->worst = m->nv + state;
    return SAR_NOT_FINITE;
  }
  if (!is_finite(d->v, m->nv, &s->worst) || !is_finite(d->a, m->nv, &s->worst) ||
      !is_finite(d->q, m->nq, &unused) || !is_finite(d->work, m->nwork, &unused) ||
      !contacts_are_finite(d))
    return SAR_NOT_FINITE;
  for (int i = 0; i < m->nrow; i++)
    if (!(fabs(d->Phi[i]) <= SAR_OPEN * s->row_unit[i])) {
      s->worst = sar_worst_row(s);
      return SAR_NOT_CLOSED;
    }
  return SAR_OK;
}

SarStatus sar_judge_row(SarSim* s, const SarChannel* channel, int count, const double* values) {
  int i;
  if (is_finite(values, count, &i)) return SAR_OK;
  sar_snprintf(
      s->trouble, sizeof s->trouble,
      "at t = %.9g: column '%s' is not finite: numbers out of range, or a division by zero",
      s->d->t, sar_text(s->m, channel[i].name));
  return SAR_NOT_FINITE;
}
