// States of the user's own in steps of the Newmark family (states.h).
#include "formulations/implicit/states.h"

#include "dynamics/states.h"

#include <string.h>

void sar_implicit_states_declare(SarSim* s) {
  if (s->m->nz > 0) sar_state_doubles(s, "states.average", &s->z_average, s->m->nz);
}

void sar_implicit_states_begin(SarSim* s) {
  const int nz = s->m->nz;
  const SarScheme* c = &s->scheme;
  const double h = s->stop - s->start.t, over = 1 / (1 - c->alpha_m);
  double* from = s->d->z_base;
  if (s->restart) memcpy(s->z_average, s->start.z_rate, (size_t)nz * sizeof *s->z_average);
  for (int i = 0; i < nz; i++) {
    const double Z0 = s->z_average[i], r0 = s->start.z_rate[i];
    const double known = (c->alpha_f * r0 - c->alpha_m * Z0) * over;  // Z1 for r1 = 0
    from[i] = s->start.z[i] + h * ((1 - c->gamma) * Z0 + c->gamma * known);
  }
  s->d->z_from = from;
  s->d->z_gain = h * c->gamma * (1 - c->alpha_f) * over;
  // a guess for the first evaluation
  for (int i = 0; i < nz; i++) s->d->z[i] = from[i] + s->d->z_gain * s->start.z_rate[i];
}

SarStatus sar_implicit_states_end(SarSim* s, SarStatus of_step) {
  const SarScheme* c = &s->scheme;
  const SarData* d = s->d;
  int worst = 0;
  const SarStatus st = sar_states_release(s->m, s->d, &worst);
  // a state that is not finite is the reason for whatever else went wrong
  if (st == SAR_NOT_FINITE || (st != SAR_OK && of_step == SAR_OK)) {
    s->worst = s->m->nv + worst;
    return st;
  }
  if (of_step != SAR_OK) return of_step;
  for (int i = 0; i < s->m->nz; i++)
    s->z_average[i] = ((1 - c->alpha_f) * d->z_rate[i] + c->alpha_f * s->start.z_rate[i] -
                       c->alpha_m * s->z_average[i]) /
                      (1 - c->alpha_m);
  return SAR_OK;
}
