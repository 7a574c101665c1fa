// Slots of the symbols (slots.h).
#include "codegen/slots.h"

#include <stdio.h>
#include <string.h>

int sar_symbols_slots(const SarModel* m) {
  return 1 + m->nq + 2 * m->nv + m->nz + m->ninput + m->ndiscrete;
}

int sar_symbols_slot(const SarModel* m, const char* name) {
  const struct {
    const char* form;
    int n;
  } groups[] = {{"q[%d]", m->nq},         {"v[%d]", m->nv},   {"z[%d]", m->nz},
                {"input[%d]", m->ninput}, {"tau[%d]", m->nv}, {"w[%d]", m->ndiscrete}};
  int at = 1, i;
  if (strcmp(name, "t") == 0) return 0;
  for (size_t k = 0; k < sizeof groups / sizeof *groups; at += groups[k].n, k++) {
    const char* bracket = strchr(groups[k].form, '[');
    const size_t n = (size_t)(bracket - groups[k].form) + 1;
    if (strncmp(name, groups[k].form, n) == 0 && sscanf(name + n, "%d", &i) == 1)
      return i >= 0 && i < groups[k].n ? at + i : -1;
  }
  return -1;
}

static double* put(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return to + n;
}

void sar_symbols_load(const SarModel* m, const SarData* d, double* slot) {
  *slot++ = d->t;
  slot = put(slot, d->q, m->nq);
  slot = put(slot, d->v, m->nv);
  slot = put(slot, d->z, m->nz);
  slot = put(slot, d->input, m->ninput);
  slot = put(slot, d->tau_host, m->nv);
  put(slot, d->discrete, m->ndiscrete);
}
