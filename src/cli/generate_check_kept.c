// Numbers for the test of generated derivatives by parameters (generate_check.h).
//
// The library has no derivatives by parameters of a file: they have gone into the numbers of the
// compiled model. So models are compiled for other values, to both sides, and central differences
// of what they do at one state are extrapolated (Richardson), from steps of 8 % to half a percent.
// What is left of an error is known, and errors of the code are told as shares of no less than 1e10
// times that.
#include "cli/generate_check.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 5 };
static const double FIRST = 0.08, LESS = 0.1;
static const double SHARE = 1e-10;  // of the size: what differences may be wrong by

typedef struct Models {
  SarModel* m[LEVELS][2];
  double step;
} Models;

static void free_models(Models* x) {
  for (int i = 0; i < 2 * LEVELS; i++) sar_model_free(x->m[i / 2][i % 2]);
  *x = (Models){0};
}

static bool load_models(const SarGeneration* g, SarArena* arena, double step, Models* x) {
  double* value = SAR_ARENA_ARRAY(arena, double, g->o.keeps);
  *x = (Models){.step = step};
  for (int level = 0; level < LEVELS; level++, step *= 0.5)
    for (int side = 0; side < 2; side++) {
      for (int i = 0; value && i < g->o.keeps; i++)
        value[i] = g->kept[i] + (side ? step : -step) * sar_derivatives_kept_direction(g, i);
      if (!value || sar_kept_model(&g->o, value, &x->m[level][side]) != SAR_OK) return false;
    }
  return true;
}

// Accelerations and rates at the state of a sample.
static SarStatus evaluate(const SarModel* m, const SarSample* at, double* out) {
  SarData* d = NULL;
  SarDerivatives* w = NULL;
  const SarForwardDerivatives none = {0};
  SarStatus st = sar_data_new(m, &d, NULL);
  if (st == SAR_OK) st = sar_derivatives_new(m, &w, NULL);
  if (st == SAR_OK) {
    const size_t one = sizeof(double);
    d->t = at->t;
    if (m->nq > 0) memcpy(d->q, at->q, (size_t)m->nq * one);
    if (m->nv > 0) memcpy(d->v, at->v, (size_t)m->nv * one);
    if (m->nz > 0) memcpy(d->z, at->z, (size_t)m->nz * one);
    if (m->ninput > 0) memcpy(d->input, at->input, (size_t)m->ninput * one);
    if (m->nv > 0) memcpy(d->tau_host, at->tau, (size_t)m->nv * one);
    st = sar_forward_dynamics_derivatives(w, d, &none);
    for (int i = 0; i < m->nv; i++) out[i] = d->a[i];
    for (int i = 0; i < m->nz; i++) out[m->nv + i] = d->z_rate[i];
  }
  sar_derivatives_free(w);
  sar_data_free(d);
  return st;
}

// D(h) has an error in h^2, h^4, ...: T_k,j = T_k,j-1 + (T_k,j-1 - T_k-1,j-1) / (4^j - 1), of all
// the one that differs least from those it is made of (Ridders). Returns by how much.
static double extrapolate(const double* D, double* best) {
  double T[LEVELS][LEVELS], error = HUGE_VAL;
  for (int k = 0; k < LEVELS; k++) {
    double power = 4;
    T[k][0] = D[k];
    for (int j = 1; j <= k; j++, power *= 4) {
      T[k][j] = T[k][j - 1] + (T[k][j - 1] - T[k - 1][j - 1]) / (power - 1);
      const double here = fmax(fabs(T[k][j] - T[k][j - 1]), fabs(T[k][j] - T[k - 1][j - 1]));
      if (here < error) error = here, *best = T[k][j];
    }
  }
  return error;
}

static SarStatus fill_sample(const SarGeneration* g, SarArena* arena, const Models* x,
                             SarSample* s) {
  const int n = g->m->nv + g->m->nz;
  double* f = SAR_ARENA_ARRAY(arena, double, 2 * LEVELS * n + 1);
  double* out = SAR_ARENA_ARRAY(arena, double, n + 1);
  if (!f || !out) return SAR_NO_MEMORY;
  for (int i = 0; i < 2 * LEVELS; i++)
    if (evaluate(x->m[i / 2][i % 2], s, &f[i * n]) != SAR_OK) return SAR_OK;
  s->kept_size = 1;
  for (int i = 0; i < n; i++) {
    double D[LEVELS], step = x->step;
    for (int k = 0; k < LEVELS; k++, step *= 0.5)
      D[k] = (f[(2 * k + 1) * n + i] - f[2 * k * n + i]) / (2 * step);
    const double error = extrapolate(D, &out[i]);
    s->kept_size = fmax(s->kept_size, fmax(fabs(out[i]), error / SHARE));
  }
  s->kept = out;
  return SAR_OK;
}

SarStatus generate_check_kept(const SarGeneration* g, SarArena* arena, SarCheck* check) {
  Models x;
  SarStatus st = SAR_OK;
  bool found = load_models(g, arena, FIRST, &x);
  if (!found) {
    free_models(&x);
    found = load_models(g, arena, LESS * FIRST, &x);
  }
  for (int i = 0; found && i < check->samples && st == SAR_OK; i++)
    st = fill_sample(g, arena, &x, &check->sample[i]);
  free_models(&x);
  return arena->failed ? SAR_NO_MEMORY : st;
}
