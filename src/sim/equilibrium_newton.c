// Full Newton steps towards an equilibrium, and continuation where they go astray (equilibrium.c
// explains the letters).
//
// Where something soft is stiff in another direction (a beam bends easily and hardly stretches), a
// long step along the soft one ends high up the other side of a narrow curved valley, and a search
// that demands less force at every step goes down it by small ones. Newton's method without such a
// search jumps: the next step takes back what the linearisation could not know. It may also go
// astray; then the force that is out of balance at the start is let go in portions (a homotopy),
//
//   Q(q) = (1 - s) Q(q_start),    s = 1/4, 2/4, ... 1;    then by sixteenths
//
// each solved from the one before. All of it is bounded, it is tried only where the search is slow,
// and what it finds counts only if it is stable (where forces have a potential: else the search
// does not ask either).
#include "linalg/lu.h"
#include "linalg/matrix.h"
#include "sim/equilibrium_work.h"

#include <math.h>
#include <string.h>

enum { STEPS = 20, ATTEMPTS = 3 };

static const double LONGEST = 0.5;    // of a step: rad, or sizes of the mechanism
static const double ARRIVED = 1e-11;  // as in equilibrium.c
static const double NEAR = 1e-6;      // so short a step is enough on the way

// K dz = N'(Q - share Q_start); false: K is singular
static bool find_full_step(SarRestSearch* a, double share, double* size) {
  const int f = a->f;
  for (int i = 0; i < f; i++)  // K is stored by columns, LU by rows
    for (int j = 0; j < f; j++) a->LU[i * f + j] = a->K[j * f + i];
  memcpy(a->dz, a->r, (size_t)f * sizeof *a->dz);
  sar_matvec_t(a->n, f, -share, a->N, a->n, a->Q_start, 1, a->dz);
  if (!sar_lu_factor(f, a->LU, a->pivot)) return false;
  sar_lu_solve(f, a->LU, a->pivot, a->dz);
  sar_rest_along(a);
  *size = sar_rest_longest(a, a->dx);
  for (int i = 0; *size > LONGEST && i < a->n; i++) a->dx[i] *= LONGEST / *size;
  return isfinite(*size);
}

// To where `share` of the force is left; false: it does not get there.
static SarStatus go(SarRestSearch* a, double share, bool* there) {
  double size, last = HUGE_VAL;
  *there = false;
  for (int k = 0; k < STEPS; k++) {
    SAR_TRY(sar_rest_modes(a));
    if (!find_full_step(a, share, &size)) return SAR_OK;
    if (size <= (share > 0 ? NEAR : ARRIVED) || (size <= 1e3 * ARRIVED && size > 0.5 * last)) {
      *there = true;
      return SAR_OK;
    }
    last = size;
    const SarStatus st = sar_rest_move(a);
    if (st != SAR_OK) return st == SAR_NOT_CONVERGED ? SAR_OK : st;
  }
  return SAR_OK;
}

SarStatus sar_rest_newton(SarRestSearch* a, bool* found) {
  const size_t bytes = (size_t)a->m->nq_all * sizeof *a->q;
  for (int attempt = 0, portions = 1; attempt < ATTEMPTS; attempt++, portions *= 4) {
    memcpy(a->d->q, a->start, bytes);
    sar_rest_evaluate(a);
    SAR_TRY(sar_rest_reduce(a));
    memcpy(a->Q_start, a->Q, (size_t)a->n * sizeof *a->Q);
    bool there = true;
    for (int k = portions - 1; k >= 0 && there; k--) SAR_TRY(go(a, (double)k / portions, &there));
    *found = there && (a->firm || !a->symmetric);
    if (*found) return SAR_OK;
  }
  return SAR_OK;
}
