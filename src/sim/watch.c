// The state of a run for those who watch it (watch.h).
#include "sim/watch.h"

#include "base/print.h"

#include <math.h>
#include <string.h>

const char* sar_watch_name(const SarModel* m, int i, char name[SAR_WATCH_NAME]) {
  const struct {
    const char* letter;
    int count;
  } part[] = {{"q", m->nq_all}, {"v", m->nv_all}, {"u", m->ninput}};
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    if (i < part[k].count) {
      sar_snprintf(name, SAR_WATCH_NAME, "@%s%d", part[k].letter, i);
      return name;
    }
    i -= part[k].count;
  }
  static const char* const MORE[SAR_WATCH_MORE] = {"@cpu",       "@overruns", "@kinetic",
                                                   "@potential", "@work",     "@error"};
  sar_snprintf(name, SAR_WATCH_NAME, "%s", MORE[i]);
  return name;
}

void sar_watch_fill(SarData* d, double cpu, double overruns, double* out) {
  const SarModel* m = d->m;
  memcpy(out, d->q, sizeof *out * (size_t)m->nq_all);
  memcpy(out += m->nq_all, d->v, sizeof *out * (size_t)m->nv_all);
  memcpy(out += m->nv_all, d->input, sizeof *out * (size_t)m->ninput);
  out += m->ninput;
  out[0] = cpu;
  out[1] = overruns;
  SarEnergy e;
  if (sar_energy(d, &e) != SAR_OK) e = (SarEnergy){.work = (double)NAN, .error = (double)NAN};
  out[2] = e.kinetic;
  out[3] = e.potential;
  out[4] = e.work;
  out[5] = e.error;
}

void sar_watch_set(SarData* d, double time, const double* x) {
  const SarModel* m = d->m;
  sar_set_time(d, time);
  memcpy(d->q, x, sizeof *x * (size_t)m->nq_all);
  memcpy(d->v, x += m->nq_all, sizeof *x * (size_t)m->nv_all);
  memcpy(d->input, x + m->nv_all, sizeof *x * (size_t)m->ninput);
}
