// States of damped knots as the error estimates of implicit steps see them, and what messages say
// of knots.
//
// At given places of all else f = -C s' - K s + ...: d rate / d s = -C^-1 K, with the elastic knots
// giving way in K. So y = (1 - gain d rate / d s)^-1 x solves (C + gain K) y = C x over all knots,
// elastic ones without C.
#include "dynamics/knots.h"

#include "base/print.h"
#include "linalg/spd.h"

#include <math.h>

static void gather(const SarModel* m, const double* z, double* s) {
  for (int k = 0; k < m->nknot; k++)
    for (int i = 0; i < m->knot[k].num; i++)
      s[m->knot[k].adr + i] = m->knot[k].state < 0 ? 0 : z[m->knot[k].state + i];
}

bool sar_knots_filter(const SarModel* m, SarData* d, double gain, double* x) {
  const int n = m->nknot_dof;
  double *A = d->knot_matrix, *s = d->knot_from, *y = d->knot_step;
  gather(m, x, s);
  sar_knot_matrix(m, d, 0, 1, false, true, A);
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += (i <= j ? A[i * n + j] : A[j * n + i]) * s[j];
  }
  sar_knot_matrix(m, d, gain, 1, true, true, A);
  if (!sar_spd_factor(n, A, 0)) return false;
  sar_spd_solve(n, A, y);
  for (int k = 0; k < m->nknot; k++)
    for (int i = 0; i < m->knot[k].num && m->knot[k].state >= 0; i++)
      x[m->knot[k].state + i] = y[m->knot[k].adr + i];
  return true;
}

const char* sar_knot_words(const SarModel* m, const SarData* d, char* buf, size_t size) {
  buf[0] = '\0';
  if (m->nknot == 0 || d->knot_trouble == SAR_KNOT_FOUND) return buf;
  const char* name = sar_knot_name(m, d->knot_worst);
  switch (d->knot_trouble) {
    case SAR_KNOT_LOOSE:
      sar_snprintf(
          buf, size,
          "nothing holds knot '%s' in some direction (springs that are slack, in one line, or "
          "pressed so that they buckle): add a spring across, guide it with 'along', or give it "
          "mass",
          name);
      break;
    case SAR_KNOT_UNDAMPED:
      sar_snprintf(buf, size,
                   "dampers act on knot '%s', but not in all directions, so that its speed is not "
                   "known: guide it with 'along', add dampers across, or give it mass",
                   name);
      break;
    default:
      sar_snprintf(buf, size,
                   "no place was found where the forces on knot '%s' are in balance (springs that "
                   "go slack, or are pressed so that they buckle?): start it closer to one, guide "
                   "it with 'along', or give it mass",
                   name);
  }
  return buf;
}
