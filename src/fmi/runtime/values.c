// Variables of an instance, read and set by their value references (description.h).
#include "fmi/runtime/instance.h"

#include <math.h>
#include <string.h>

static const SarFmiVariable* find(const SarFmu* f, unsigned vr) {
  return vr < (unsigned)f->description.count ? &f->description.variable[vr] : NULL;
}

void sar_fmu_read_states(const SarFmu* f, double* x) {
  const SarFmiDescription* p = &f->description;
  const double* const place[] = {f->d->q, f->d->v, f->d->z};
  const int num[] = {p->nq, p->nv, p->nz};
  for (int part = 0, i = 0; part < 3; i += num[part++])
    if (num[part] > 0) memcpy(&x[i], place[part], (size_t)num[part] * sizeof *x);
}

void sar_fmu_write_states(SarFmu* f, const double* x) {
  const SarFmiDescription* p = &f->description;
  double* const place[] = {f->d->q, f->d->v, f->d->z};
  const int num[] = {p->nq, p->nv, p->nz};
  for (int part = 0, i = 0; part < 3; i += num[part++])
    if (num[part] > 0) memcpy(place[part], &x[i], (size_t)num[part] * sizeof *x);
  sar_fmu_touch(f);
}

static double state_of(const SarFmu* f, int i) {
  const SarFmiDescription* p = &f->description;
  const double* const place[] = {f->d->q, f->d->v, f->d->z};
  const int num[] = {p->nq, p->nv, p->nz};
  int part = 0;
  while (i >= num[part]) i -= num[part++];
  return place[part][i];
}

// ---- reading ------------------------------------------------------------------------------------

// The columns as they are at this instant: of model exchange on the side of a kink that holds.
static SarFmuStatus update_outputs(SarFmu* f) {
  if (f->output_is_new) return FMU_OK;
  const double t = f->d->t;
  if (f->me) f->d->t = fmin(fmax(t, f->t_low), f->t_high);
  SarStatus st = f->me ? sar_fmu_settle(f) : SAR_OK;
  if (st == SAR_OK) st = sar_outputs(f->s, f->output);
  f->d->t = t;
  if (st != SAR_OK) return sar_fmu_step_failed(f, st);
  f->output_is_new = true;
  f->rates_are_new = false;  // columns of impulses show means, not this instant
  return FMU_OK;
}

static SarFmuStatus get_derivative(SarFmu* f, int index, double* value) {
  const SarFmuStatus st = sar_fmu_rates(f, f->dx);
  if (st == FMU_OK) *value = f->dx[index];
  return st;
}

static SarFmuStatus get_one(SarFmu* f, const SarFmiVariable* v, double* value) {
  switch (v->role) {
    case SAR_FMI_TIME: *value = f->s ? f->d->t : f->start; return FMU_OK;
    case SAR_FMI_INPUT: *value = f->input[v->index]; return FMU_OK;
    case SAR_FMI_PARAMETER: *value = f->value[v->index]; return FMU_OK;
    case SAR_FMI_STATE:
      *value = f->s && !f->stale ? state_of(f, v->index) : f->x[v->index];
      return FMU_OK;
    case SAR_FMI_OUTPUT:
      if (update_outputs(f) != FMU_OK) return FMU_ERROR;
      *value = f->output[f->description.column[v->index]];
      return FMU_OK;
    default: return get_derivative(f, v->index, value);
  }
}

SarFmuStatus sar_fmu_get(SarFmu* f, const unsigned* vr, size_t n, double* value) {
  for (size_t i = 0; i < n; i++) {
    const SarFmiVariable* v = find(f, vr[i]);
    if (!v) return sar_fmu_say(f, FMU_ERROR, "there is no variable with the reference %u", vr[i]);
    const bool computed = v->role == SAR_FMI_OUTPUT || v->role == SAR_FMI_DERIVATIVE;
    if (computed && f->mode == FMU_NEW)
      return sar_fmu_say(f, FMU_ERROR, "'%s' is not known before initialisation", v->name);
    if ((computed || f->mode != FMU_NEW) && !sar_fmu_ready(f)) return FMU_ERROR;
    if (get_one(f, v, &value[i]) != FMU_OK) return FMU_ERROR;
  }
  return FMU_OK;
}

// ---- setting ------------------------------------------------------------------------------------

static bool is_beginning(const SarFmu* f) { return f->mode == FMU_NEW || f->mode == FMU_STARTING; }

static SarFmuStatus set_input(SarFmu* f, int index, double value) {
  if (f->input[index] == value) return FMU_OK;
  f->input[index] = value;
  if (is_beginning(f))
    f->stale = true;
  else
    f->d->input[index] = value;
  sar_fmu_touch(f);
  return FMU_OK;
}

static SarFmuStatus set_parameter(SarFmu* f, const SarFmiVariable* v, double value) {
  if (f->value[v->index] == value) return FMU_OK;
  f->value[v->index] = value;
  f->stale = true;
  sar_fmu_touch(f);
  return FMU_OK;
}

static SarFmuStatus set_state(SarFmu* f, const SarFmiVariable* v, double value) {
  if (is_beginning(f)) {
    f->x[v->index] = value;
    f->x_given[v->index] = true;
    f->stale = true;
    sar_fmu_touch(f);
    return FMU_OK;
  }
  if (!f->me)
    return sar_fmu_say(f, FMU_ERROR, "'%s' can be set before the first step alone", v->name);
  sar_fmu_read_states(f, f->x);
  f->x[v->index] = value;
  sar_fmu_write_states(f, f->x);
  return FMU_OK;
}

SarFmuStatus sar_fmu_set(SarFmu* f, const unsigned* vr, size_t n, const double* value) {
  if (f->mode == FMU_ENDED) return sar_fmu_say(f, FMU_ERROR, "the run has ended");
  for (size_t i = 0; i < n; i++) {
    const SarFmiVariable* v = find(f, vr[i]);
    if (!v) return sar_fmu_say(f, FMU_ERROR, "there is no variable with the reference %u", vr[i]);
    if (!isfinite(value[i])) return sar_fmu_say(f, FMU_ERROR, "'%s' is set to no number", v->name);
    SarFmuStatus st = FMU_ERROR;
    if (v->role == SAR_FMI_INPUT)
      st = set_input(f, v->index, value[i]);
    else if (v->role == SAR_FMI_PARAMETER)
      st = set_parameter(f, v, value[i]);
    else if (v->role == SAR_FMI_STATE)
      st = set_state(f, v, value[i]);
    else
      sar_fmu_say(f, FMU_ERROR, "'%s' cannot be set", v->name);
    if (st != FMU_OK) return st;
  }
  return FMU_OK;
}
