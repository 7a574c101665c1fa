// Exact derivatives against extrapolated central differences (Ridders 1982: Richardson's
// extrapolation over falling steps, with an estimate of its own error).
#pragma once
#include "dynamics/derivatives.h"
#include "dynamics/projection.h"
#include "support/test.h"

#include <math.h>

enum { RIDDERS = 9, DERIVATIVE_MOST = 512 };

// What is evaluated for a displacement: values[0 .. n).
typedef struct DerivativeCase {
  const SarModel* m;
  SarData* d;
  SarDerivatives* w;
  int n;
  double *q, *v, *z, *input, t;  // where the derivative is taken
  const double* direction;       // nv + nv + nz + ninput + 1: dq, dv, dz, du, dt
  const double* given;           // Nullable: accelerations of inverse dynamics
} DerivativeCase;

static inline int direction_size(const SarModel* m) { return 2 * m->nv + m->nz + m->ninput + 1; }

static inline void displaced(DerivativeCase* c, double h, double* values) {
  const SarModel* m = c->m;
  SarData* d = c->d;
  const double* x = c->direction;
  double xi[DERIVATIVE_MOST];
  memcpy(d->q, c->q, (size_t)m->nq_all * sizeof *d->q);
  for (int i = 0; i < m->nv; i++) {
    xi[i] = h * x[i];
    d->v[i] = c->v[i] + h * x[m->nv + i];
  }
  sar_projection_move(m, xi, d->q);
  for (int i = 0; i < m->nz; i++) d->z[i] = c->z[i] + h * x[2 * m->nv + i];
  for (int i = 0; i < m->ninput; i++) d->input[i] = c->input[i] + h * x[2 * m->nv + m->nz + i];
  d->t = c->t + h * x[direction_size(m) - 1];
  if (c->given) {
    EXPECT_OK(sar_derivatives_at(c->w, d, c->given));
    double tau[DERIVATIVE_MOST];
    sar_rnea(m, d, c->given, tau);
    for (int i = 0; i < m->nv; i++) values[i] = tau[i] - d->tau[i];
  } else {
    EXPECT_OK(sar_derivatives_at(c->w, d, NULL));
    memcpy(values, d->a, (size_t)m->nv * sizeof *values);
  }
  for (int i = 0; i < m->nz; i++) values[m->nv + i] = d->z_rate[i];
}

// slope[n] and an estimate of its error
static inline void ridders(DerivativeCase* c, double h, double* slope, double* error) {
  static double table[RIDDERS][RIDDERS][DERIVATIVE_MOST];
  double plus[DERIVATIVE_MOST], minus[DERIVATIVE_MOST];
  const double con = 1.7;
  for (int i = 0; i < c->n; i++) error[i] = HUGE_VAL;
  for (int k = 0; k < RIDDERS; k++, h /= con) {
    double factor = con * con;
    displaced(c, h, plus);
    displaced(c, -h, minus);
    for (int i = 0; i < c->n; i++) table[k][0][i] = (plus[i] - minus[i]) / (2 * h);
    for (int j = 1; j <= k; j++, factor *= con * con)
      for (int i = 0; i < c->n; i++) {
        const double better = (table[k][j - 1][i] * factor - table[k - 1][j - 1][i]) / (factor - 1);
        const double e =
            fmax(fabs(better - table[k][j - 1][i]), fabs(better - table[k - 1][j - 1][i]));
        table[k][j][i] = better;
        if (e <= error[i]) error[i] = e, slope[i] = better;
      }
  }
}

static inline DerivativeCase derivative_case(const SarModel* m, SarData* d) {
  DerivativeCase c = {.m = m, .d = d, .n = m->nv + m->nz, .t = d->t};
  SarError err;
  sar_error_init(&err);
  assert_true(m->nv + m->nz <= DERIVATIVE_MOST);
  EXPECT_OK_OR(sar_derivatives_new(m, &c.w, &err), &err);
  c.q = malloc((size_t)(m->nq_all + 1) * 8), c.v = malloc((size_t)(m->nv_all + 1) * 8);
  c.z = malloc((size_t)(m->nz + 1) * 8), c.input = malloc((size_t)(m->ninput + 1) * 8);
  assert_true(c.q && c.v && c.z && c.input);
  memcpy(c.q, d->q, (size_t)m->nq_all * 8);
  if (m->nv_all) memcpy(c.v, d->v, (size_t)m->nv_all * 8);
  if (m->nz) memcpy(c.z, d->z, (size_t)m->nz * 8);
  if (m->ninput) memcpy(c.input, d->input, (size_t)m->ninput * 8);
  return c;
}

static inline void derivative_back(DerivativeCase* c) {
  memcpy(c->d->q, c->q, (size_t)c->m->nq_all * 8);
  if (c->m->nv_all) memcpy(c->d->v, c->v, (size_t)c->m->nv_all * 8);
  if (c->m->nz) memcpy(c->d->z, c->z, (size_t)c->m->nz * 8);
  if (c->m->ninput) memcpy(c->d->input, c->input, (size_t)c->m->ninput * 8);
  c->d->t = c->t;
}

static inline void derivative_case_end(DerivativeCase* c) {
  derivative_back(c);
  sar_derivatives_free(c->w);
  free(c->q), free(c->v), free(c->z), free(c->input);
}

// The exact derivative along the direction, by the library's own way: unbalanced force, then solve.
static inline void exact_along(DerivativeCase* c, double* slope) {
  const SarModel* m = c->m;
  SarDerivatives* w = c->w;
  const double* x = c->direction;
  double force[DERIVATIVE_MOST];
  derivative_back(c);
  EXPECT_OK(sar_derivatives_at(w, c->d, c->given));
  sar_variation_clear(m, &w->x);
  memcpy(w->x.dq, x, (size_t)m->nv * 8), memcpy(w->x.dv, x + m->nv, (size_t)m->nv * 8);
  if (m->nz) memcpy(w->x.dz, x + 2 * m->nv, (size_t)m->nz * 8);
  if (m->ninput) memcpy(w->x.input, x + 2 * m->nv + m->nz, (size_t)m->ninput * 8);
  w->x.t = x[direction_size(m) - 1];
  sar_derivatives_vary(w, c->d);
  sar_derivatives_force(w, c->d, force);
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++)
      force[i] -= w->Tq[i * m->nv + j] * x[j] + w->Tv[i * m->nv + j] * x[m->nv + j];
  for (int i = 0; i < m->nz; i++) slope[m->nv + i] = w->x.z_rate[i];
  if (c->given) {
    for (int i = 0; i < m->nv; i++) slope[i] = -force[i];
    return;
  }
  sar_derivatives_solve(w, c->d, force, true);
  memcpy(slope, w->da, (size_t)m->nv * 8);
}

// The largest difference along the direction, as a share of the largest entry of the derivative (or
// of the value, or 1: differences of what does not change are rounding of these); what the
// differences cannot tell, by their own estimate, is not counted but told in *unsure.
static inline double derivative_error(DerivativeCase* c, double h, double* unsure) {
  double slope[DERIVATIVE_MOST], error[DERIVATIVE_MOST], exact[DERIVATIVE_MOST];
  double worst = 0, size = 1;
  ridders(c, h, slope, error);
  exact_along(c, exact);
  for (int i = 0; i < c->n; i++) size = fmax(size, fabs(exact[i]));
  for (int i = 0; i < c->m->nv && !c->given; i++) size = fmax(size, fabs(c->d->a[i]));
  for (int i = 0; i < c->n; i++) {
    const double off = fabs(exact[i] - slope[i]);
    *unsure = fmax(*unsure, error[i] / size);
    if (!(off <= 4 * error[i])) worst = fmax(worst, isfinite(off) ? off / size : HUGE_VAL);
  }
  return worst;
}
