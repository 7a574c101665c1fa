// States of the user's own in steps of the Newmark family (states.h).
#include "formulations/implicit/states.h"

#include "dynamics/states.h"

#include <string.h>

static bool is_multistep(const SarSim* s) { return s->formulation->shape == SAR_SHAPE_MULTISTEP; }

void sar_implicit_states_declare(SarSim* s) {
  const int nz = s->m->nz;
  if (nz == 0) return;
  if (is_multistep(s)) {
    sar_state_doubles(s, "states.before", &s->z_before, nz);
    sar_state_doubles(s, "states.rate_before", &s->z_rate_before, nz);
    sar_state_doubles(s, "states.length", &s->z_length, 1);
  } else {
    sar_state_doubles(s, "states.average", &s->z_average, nz);
  }
}

static void begin_newmark(SarSim* s, double h, double* from) {
  const int nz = s->m->nz;
  const SarScheme* c = &s->scheme;
  const double over = 1 / (1 - c->alpha_m);
  if (s->restart) memcpy(s->z_average, s->start.z_rate, (size_t)nz * sizeof *s->z_average);
  for (int i = 0; i < nz; i++) {
    const double Z0 = s->z_average[i], r0 = s->start.z_rate[i];
    const double known = (c->alpha_f * r0 - c->alpha_m * Z0) * over;  // Z1 for r1 = 0
    from[i] = s->start.z[i] + h * ((1 - c->gamma) * Z0 + c->gamma * known);
  }
  s->d->z_gain = h * c->gamma * (1 - c->alpha_f) * over;
}

static void begin_multistep(SarSim* s, double h, double* from) {
  if (s->restart) *s->z_length = 0;
  const SarRuleWeights w = sar_rule_weights(&s->rule, h, *s->z_length);
  for (int i = 0; i < s->m->nz; i++)
    from[i] = s->start.z[i] + w.past * (s->z_before[i] - s->start.z[i]) +
              h * (w.b1 * s->start.z_rate[i] + w.b2 * s->z_rate_before[i]);
  s->d->z_gain = h * w.b0;
}

void sar_implicit_states_begin(SarSim* s) {
  const double h = s->stop - s->start.t;
  double* from = s->d->z_base;
  if (is_multistep(s))
    begin_multistep(s, h, from);
  else
    begin_newmark(s, h, from);
  s->d->z_from = from;
  s->d->z_made = 0;
  s->d->z_near = SAR_STATES_NEAR;
  // a guess for the first evaluation
  for (int i = 0; i < s->m->nz; i++) s->d->z[i] = from[i] + s->d->z_gain * s->start.z_rate[i];
}

static void end_newmark(SarSim* s) {
  const SarScheme* c = &s->scheme;
  for (int i = 0; i < s->m->nz; i++)
    s->z_average[i] = ((1 - c->alpha_f) * s->d->z_rate[i] + c->alpha_f * s->start.z_rate[i] -
                       c->alpha_m * s->z_average[i]) /
                      (1 - c->alpha_m);
}

static void end_multistep(SarSim* s) {
  const size_t bytes = (size_t)s->m->nz * sizeof(double);
  memcpy(s->z_before, s->start.z, bytes);
  memcpy(s->z_rate_before, s->start.z_rate, bytes);
  *s->z_length = s->stop - s->start.t;
}

SarStatus sar_implicit_states_end(SarSim* s, SarStatus of_step) {
  int worst = 0;
  s->d->z_near = 0;
  const SarStatus st = sar_states_release(s->m, s->d, &worst);
  // a state that is not finite is the reason for whatever else went wrong
  if (st == SAR_NOT_FINITE || (st != SAR_OK && of_step == SAR_OK)) {
    s->worst = s->m->nv + worst;
    return st;
  }
  if (of_step != SAR_OK) return of_step;
  if (is_multistep(s))
    end_multistep(s);
  else
    end_newmark(s);
  return SAR_OK;
}
