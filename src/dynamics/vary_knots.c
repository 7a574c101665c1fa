// First variation of knots (implicit function theorem on the balance f = 0, knots.h):
//
//   elastic   K ds = df at ds = 0         damped   ds given with the states, C ds' = df at ds' = 0
//
// df: what the forces on a knot change by, from SarForceKind.vary. Rates of elastic knots would
// need second derivatives. No force on them follows these; columns that show them are refused
// (sim/linear_outputs.c).
#include "dynamics/knots.h"
#include "linalg/spd.h"
#include "model/variation.h"

#include <math.h>
#include <string.h>

// Changes of places and rates of the knots of one sort, from step, or from the states' dz.
static void set_shifts(const SarModel* m, SarVariation* x, bool damped, const double* step) {
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    if ((k->state >= 0) != damped) continue;
    V3 shift = v3_zero();
    for (int j = 0; j < k->num; j++) {
      const double s = damped ? x->dz[k->state + j] : step[k->adr + j];
      shift = v3_add(shift, v3_scale(s, k->way[j]));
    }
    x->body_X[m->nbody + i] = (Motion){v3_zero(), shift};
  }
}

static void set_rates(const SarModel* m, SarVariation* x, const double* step) {
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    V3 v = v3_zero();
    for (int j = 0; j < k->num && k->state >= 0; j++) {
      v = v3_add(v, v3_scale(step[k->adr + j], k->way[j]));
      x->z_rate[k->state + j] = step[k->adr + j];
    }
    x->body_V[m->nbody + i] = (Motion){v3_zero(), m3_tmul_v(k->R, v)};
  }
}

// What the forces on knots of one sort change by, along their ways; 0 for the others.
static void vary_balance(const SarModel* m, SarData* d, SarVariation* x, bool damped, double* f) {
  for (int i = 0; i < m->nknot_force; i++)
    if (d->force_on[m->knot_force[i]])
      m->force_kind[m->knot_force[i]]->vary(m, d, x, m->knot_force[i]);
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    const V3 F = m3_mul_v(k->R, x->body_F[m->nbody + i].f);
    for (int j = 0; j < k->num; j++)
      f[k->adr + j] = (k->state >= 0) == damped ? v3_dot(F, k->way[j]) : 0;
  }
  memset(x->body_F, 0, (size_t)m->nbody_all * sizeof *x->body_F);
}

static void solve(const SarModel* m, SarData* d, bool damped, double* f) {
  sar_knot_matrix(m, d, !damped, damped, !damped, damped, d->knot_matrix);
  if (sar_spd_factor(m->nknot_dof, d->knot_matrix, 0)) {
    sar_spd_solve(m->nknot_dof, d->knot_matrix, f);
    return;
  }
  for (int i = 0; i < m->nknot_dof; i++) f[i] = (double)NAN;
}

void sar_vary_knots(const SarModel* m, SarData* d, SarVariation* x) {
  double* step = d->knot_step;
  memset(x->body_X + m->nbody, 0, (size_t)m->nknot * sizeof *x->body_X);
  memset(x->body_V + m->nbody, 0, (size_t)m->nknot * sizeof *x->body_V);
  set_shifts(m, x, true, NULL);
  vary_balance(m, d, x, false, step);
  solve(m, d, false, step);
  set_shifts(m, x, false, step);
  vary_balance(m, d, x, true, step);
  solve(m, d, true, step);
  set_rates(m, x, step);
}
