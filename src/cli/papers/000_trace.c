// A column of a tight run, kept at equal intervals: what runs with fixed steps are judged by. They
// meet it at those of their own times that are multiples of the interval, so no step is cut for the
// comparison.
#include "cli/papers/000.h"

#include <math.h>

static double value_of(Trace* t, const SarSim* s, int column) {
  return sar_outputs((SarSim*)s, t->row) == SAR_OK ? t->row[column] : (double)NAN;
}

typedef void Look(void* context, const SarSim* s);

static SarStatus fill(Trace* t, SarSim* s, Look* look, void* context) {
  for (int i = 0; i < t->count; i++) {
    SAR_TRY(sar_advance(s, i * t->interval));
    t->value[i] = value_of(t, s, t->column);
    if (look) look(context, s);
  }
  return SAR_OK;
}

SarStatus trace_make(Trace* t, const SarModel* m, const char* column, double interval,
                     double tolerance, Look* look, void* context, SarError* err) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = sar_reference_options();
  if (tolerance > 0) o.rtol = o.atol = tolerance;
  *t = (Trace){.column = sar_model_find(m, SAR_ITEM_OUTPUT, column), .interval = interval};
  t->count = (int)floor(m->sim.end / interval + 1e-9) + 1;
  t->value = sar_alloc((size_t)t->count * sizeof *t->value);
  t->row = sar_alloc((size_t)(sar_model_count(m, SAR_ITEM_OUTPUT) + 1) * sizeof *t->row);
  SarStatus st = t->value && t->row ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, err);
  if (st == SAR_OK) st = fill(t, s, look, context);
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

void trace_free(Trace* t) {
  sar_free(t->value);
  sar_free(t->row);
}

void trace_look(Trace* t, const SarSim* s) {
  const double at = s->d->t / t->interval, i = round(at);
  if (fabs(at - i) > 1e-6 || i >= t->count) return;
  const double difference = value_of(t, s, t->column) - t->value[(int)i];
  t->largest = fmax(t->largest, fabs(difference));
  t->squares += difference * difference;
  t->met++;
}

void trace_begin(Trace* t) {
  t->largest = t->squares = 0;
  t->met = 0;
}

double trace_rms(const Trace* t) { return t->met > 0 ? sqrt(t->squares / (double)t->met) : 0; }

double trace_value(Trace* t, const SarSim* s, const char* column) {
  const int i = sar_model_find(s->m, SAR_ITEM_OUTPUT, column);
  return i < 0 ? (double)NAN : value_of(t, s, i);
}
