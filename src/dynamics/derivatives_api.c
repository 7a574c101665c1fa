// The public derivatives of forward and inverse dynamics, column by column (derivatives.h); those
// of a tree on which nothing but gravity and the host's forces acts come all at once.
#include "dynamics/derivatives.h"

#include "base/error.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

// 0 x is not 0 where x is not finite: a few sums tell of all at once.
static SarStatus all_finite(const double* x, size_t n) {
  size_t i = 0;
  double rest = 0, all[4];
  L4 sum[4] = {l4_zero(), l4_zero(), l4_zero(), l4_zero()};
  if (!x) return SAR_OK;
  for (; i + 32 <= n; i += 32) {
#pragma GCC unroll 8
    for (size_t k = 0; k < 8; k++)
      sum[k % 4] = l4_mul_add(l4_zero(), l4_load(&x[i + 4 * k]), sum[k % 4]);
  }
  for (; i < n; i++) rest += 0 * x[i];
  l4_store(all, l4_add(l4_add(sum[0], sum[1]), l4_add(sum[2], sum[3])));
  return all[0] + all[1] + all[2] + all[3] + rest == 0 ? SAR_OK : SAR_NOT_FINITE;
}

// What a direction leads along.
typedef enum Along { ALONG_Q, ALONG_V, ALONG_INPUT, ALONG_STATE, ALONG_TIME, DIRECTIONS } Along;

static double* place_of(SarVariation* x, Along along, int j) {
  switch (along) {
    case ALONG_Q: return &x->dq[j];
    case ALONG_V: return &x->dv[j];
    case ALONG_INPUT: return &x->input[j];
    case ALONG_STATE: return &x->dz[j];
    default: return &x->t;
  }
}

static int columns_of(const SarModel* m, Along along) {
  switch (along) {
    case ALONG_Q:
    case ALONG_V: return m->nv;
    case ALONG_INPUT: return m->ninput;
    case ALONG_STATE: return m->nz;
    default: return 1;
  }
}

static void put_column(int rows, int columns, int j, const double* from, double* to) {
  for (int i = 0; to && i < rows; i++) to[(size_t)i * (size_t)columns + (size_t)j] = from[i];
}

// Along coordinate j: what is not balanced, with the inertial part T.
static void unbalanced(SarDerivatives* w, SarData* d, Along along, int j) {
  const int nv = w->m->nv;
  const double* T = along == ALONG_Q ? w->Tq : along == ALONG_V ? w->Tv : NULL;
  sar_variation_clear(w->m, &w->x);
  *place_of(&w->x, along, j) = 1;
  sar_derivatives_vary(w, d);
  sar_derivatives_force(w, d, w->da);
  for (int i = 0; T && i < nv; i++) w->da[i] -= T[(size_t)i * (size_t)nv + (size_t)j];
}

// ---- forward ------------------------------------------------------------------------------------

static void forward_columns(SarDerivatives* w, SarData* d, Along along, double* a, double* rate) {
  const SarModel* m = w->m;
  const int columns = columns_of(m, along);
  for (int j = 0; (a || rate) && j < columns; j++) {
    unbalanced(w, d, along, j);
    put_column(m->nz, columns, j, w->x.z_rate, rate);
    if (!a) continue;
    sar_derivatives_solve(w, d, w->da, true);
    put_column(m->nv, columns, j, w->da, a);
  }
}

static void forward_tau(SarDerivatives* w, SarData* d, double* a) {
  const SarModel* m = w->m;
  if (!a) return;
  if (d->nactive == 0) {
    sar_mass_inverse(m, d, &w->tree.columns, w->mass, a);
    return;
  }
  for (int j = 0; j < m->nv; j++) {
    memset(w->da, 0, (size_t)m->nv * sizeof *w->da);
    w->da[j] = 1;
    sar_derivatives_solve(w, d, w->da, false);
    put_column(m->nv, m->nv, j, w->da, a);
  }
}

// Nothing but inertia: -M^-1 T, where T stands in the caller's own matrices.
static SarStatus forward_inertial(SarDerivatives* w, SarData* d, const SarForwardDerivatives* o) {
  double *const Tq = w->Tq, *const Tv = w->Tv;
  if (o->a_q) w->Tq = o->a_q;
  if (o->a_v) w->Tv = o->a_v;
  const SarStatus st = sar_derivatives_at(w, d, NULL);
  w->Tq = Tq, w->Tv = Tv;
  if (st == SAR_OK && o->a_q) sar_mass_solve_tree(w->m, d, &w->tree.columns, w->mass, o->a_q);
  if (st == SAR_OK && o->a_v) sar_mass_solve_tree(w->m, d, &w->tree.columns, w->mass, o->a_v);
  return st;
}

static SarStatus check_forward(const SarModel* m, const SarForwardDerivatives* o) {
  const size_t nv = (size_t)m->nv, nu = (size_t)m->ninput, nz = (size_t)m->nz;
  const struct {
    const double* x;
    size_t n;
  } all[] = {{o->a_q, nv * nv},     {o->a_v, nv * nv},       {o->a_tau, nv * nv},
             {o->a_input, nv * nu}, {o->a_state, nv * nz},   {o->a_time, nv},
             {o->rate_q, nz * nv},  {o->rate_v, nz * nv},    {o->rate_input, nz * nu},
             {o->rate_time, nz},    {o->rate_state, nz * nz}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) SAR_TRY(all_finite(all[i].x, all[i].n));
  return SAR_OK;
}

SAR_API SarStatus sar_forward_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const SarForwardDerivatives* given,
                                                         size_t size) {
  SAR_GIVEN(w && d && given);
  if (d->m != w->m) return SAR_BAD_ARGUMENT;
  SarForwardDerivatives o;
  sar_give(&o, sizeof o, given, size);
  if (w->has_forces) {
    SAR_TRY(sar_derivatives_at(w, d, NULL));
    forward_columns(w, d, ALONG_Q, o.a_q, o.rate_q);
    forward_columns(w, d, ALONG_V, o.a_v, o.rate_v);
  } else {
    SAR_TRY(forward_inertial(w, d, &o));
  }
  forward_columns(w, d, ALONG_INPUT, o.a_input, o.rate_input);
  forward_columns(w, d, ALONG_STATE, o.a_state, o.rate_state);
  forward_columns(w, d, ALONG_TIME, o.a_time, o.rate_time);
  forward_tau(w, d, o.a_tau);
  SAR_TRY(all_finite(d->a, (size_t)w->m->nv));
  return check_forward(w->m, &o);
}

// ---- inverse ------------------------------------------------------------------------------------

static SarStatus inverse_columns(SarDerivatives* w, SarData* d, Along along, double* tau) {
  const SarModel* m = w->m;
  const int columns = columns_of(m, along);
  for (int j = 0; tau && j < columns; j++) {
    unbalanced(w, d, along, j);
    for (int i = 0; i < m->nv; i++) w->da[i] = -w->da[i];
    put_column(m->nv, columns, j, w->da, tau);
  }
  return all_finite(tau, (size_t)m->nv * (size_t)columns);
}

SAR_API SarStatus sar_inverse_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const double* a,
                                                         const SarInverseDerivatives* given,
                                                         size_t size) {
  SAR_GIVEN(w && d && a && given);
  if (d->m != w->m) return SAR_BAD_ARGUMENT;
  const size_t nv = (size_t)w->m->nv;
  SarInverseDerivatives o;
  sar_give(&o, sizeof o, given, size);
  SAR_TRY(sar_derivatives_at(w, d, a));
  if (w->has_forces) {
    SAR_TRY(inverse_columns(w, d, ALONG_Q, o.tau_q));
    SAR_TRY(inverse_columns(w, d, ALONG_V, o.tau_v));
  } else {
    if (o.tau_q) memcpy(o.tau_q, w->Tq, nv * nv * sizeof *o.tau_q);
    if (o.tau_v) memcpy(o.tau_v, w->Tv, nv * nv * sizeof *o.tau_v);
    SAR_TRY(all_finite(o.tau_q, nv * nv));
    SAR_TRY(all_finite(o.tau_v, nv * nv));
  }
  SAR_TRY(inverse_columns(w, d, ALONG_INPUT, o.tau_input));
  SAR_TRY(inverse_columns(w, d, ALONG_STATE, o.tau_state));
  SAR_TRY(inverse_columns(w, d, ALONG_TIME, o.tau_time));
  if (o.tau_a) sar_crba_dense(w->m, d, o.tau_a);
  return all_finite(o.tau_a, nv * nv);
}
