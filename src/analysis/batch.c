// A batch (sarrus.h): n instances of one model, advanced together by a pool of threads (embarrassingly parallel:
// instances share nothing but their constant models, so results do not depend on who computes them).
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/sized.h"
#include "model/sim.h"

#include <string.h>

typedef struct Instance {
  const SarModel* m;
  SarData* d;
  SarSim* s;
  SarStatus status;
} Instance;

struct SarBatch {
  SarPool* pool;
  SarSimOptions sim;
  int n;
  Instance* instance;
  double t_end;  // of the call that is running
};

SAR_API void sar_batch_options_sized(SarBatchOptions* out, size_t size) {
  const SarBatchOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// ---- life ------------------------------------------------------------------------------------------

static SarStatus set_up(Instance* i, const SarSimOptions* o, SarError* err) {
  SAR_TRY(sar_data_new(i->m, &i->d, err));
  return sar_sim_new(i->m, i->d, o, &i->s, err);
}

static void give_back(Instance* i) {
  sar_sim_free(i->s);
  sar_data_free(i->d);
  i->s = NULL;
  i->d = NULL;
}

static void set_up_one(void* context, int index) {
  SarBatch* b = context;
  Instance* i = &b->instance[index];
  i->status = set_up(i, &b->sim, NULL);
  if (i->status != SAR_OK) give_back(i);
}

// Messages are no business of threads: the first instance that failed, or else the first, is set up once more.
static SarStatus tell(const SarBatch* b, SarError* err) {
  int first = 0;
  while (first < b->n && b->instance[first].status == SAR_OK) first++;
  const SarStatus st = first < b->n ? b->instance[first].status : SAR_OK;
  Instance again = {.m = b->instance[st == SAR_OK ? 0 : first].m};
  const int before = err ? err->errors : 0;
  set_up(&again, &b->sim, err);
  give_back(&again);
  if (st != SAR_OK && err && err->errors == before)
    sar_report(err, (SarLoc){0}, "", "instance %d: %s", first, sar_status_text(st));
  return st;
}

static SarStatus take(SarBatch* b, const SarModel* const* models, const SarBatchOptions* given,
                      SarError* err) {
  SarBatchOptions o = sar_batch_options();
  if (given) SAR_TRY(sar_take_options(&o, sizeof o, given, "sar_batch_options", err));
  b->sim = sar_sim_options();
  if (o.sim) SAR_TRY(sar_take_options(&b->sim, sizeof b->sim, o.sim, "sar_sim_options", err));
  for (int i = 0; i < b->n; i++) {
    SAR_GIVEN(models[i]);
    if (!sar_model_is_like(models[0], models[i])) {
      sar_report(err, (SarLoc){0}, "batches are of one topology: make a batch for each",
                 "the model of instance %d is not like that of instance 0", i);
      return SAR_BAD_ARGUMENT;
    }
    b->instance[i].m = models[i];
  }
  return sar_pool_new(o.threads, &b->pool);
}

SAR_API SarStatus sar_batch_new(const SarModel* const* models, int n, const SarBatchOptions* o,
                                SarBatch** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(models && n > 0);
  SarBatch* b = sar_alloc(sizeof *b);
  if (!b) return SAR_NO_MEMORY;
  b->instance = sar_alloc((size_t)n * sizeof *b->instance);
  b->n = n;
  const SarStatus st = b->instance ? take(b, models, o, err) : SAR_NO_MEMORY;
  if (st != SAR_OK) {
    sar_batch_free(b);
    return st;
  }
  sar_pool_run(b->pool, n, set_up_one, b);
  *out = b;
  return tell(b, err);
}

SAR_API void sar_batch_free(SarBatch* b) {
  if (!b) return;
  for (int i = 0; b->instance && i < b->n; i++) give_back(&b->instance[i]);
  sar_pool_free(b->pool);
  sar_free(b->instance);
  sar_free(b);
}

// ---- advancing -------------------------------------------------------------------------------------

static void advance_one(void* context, int index) {
  SarBatch* b = context;
  Instance* i = &b->instance[index];
  if (i->status == SAR_OK || (i->status == SAR_STOPPED && i->s))
    i->status = sar_advance(i->s, b->t_end);
}

SAR_API SarStatus sar_batch_advance(SarBatch* b, double t_end) {
  SAR_GIVEN(b);
  b->t_end = t_end;
  sar_pool_run(b->pool, b->n, advance_one, b);
  for (int i = 0; i < b->n; i++)
    if (b->instance[i].status != SAR_OK) return b->instance[i].status;
  return SAR_OK;
}

// ---- what came of it -------------------------------------------------------------------------------

static const Instance* instance_of(const SarBatch* b, int i) {
  return b && i >= 0 && i < b->n ? &b->instance[i] : NULL;
}

SAR_API int sar_batch_count(const SarBatch* b) { return b ? b->n : 0; }

SAR_API SarData* sar_batch_data(SarBatch* b, int instance) {
  const Instance* i = instance_of(b, instance);
  return i ? i->d : NULL;
}

SAR_API SarStatus sar_batch_status(const SarBatch* b, int instance) {
  const Instance* i = instance_of(b, instance);
  return i ? i->status : SAR_BAD_ARGUMENT;
}

SAR_API const char* sar_batch_trouble(const SarBatch* b, int instance) {
  const Instance* i = instance_of(b, instance);
  if (!i || i->status == SAR_OK) return "";
  return i->s ? sar_sim_trouble(i->s) : sar_status_text(i->status);
}

SAR_API SarStatus sar_batch_outputs(SarBatch* b, int instance, double* values) {
  const Instance* i = instance_of(b, instance);
  SAR_GIVEN(i && i->s && values);
  return sar_outputs(i->s, values);
}

SAR_API SarStatus sar_batch_report_sized(const SarBatch* b, SarBatchReport* out, size_t size) {
  SAR_GIVEN(b && out);
  SarBatchReport r = {.threads = sar_pool_threads(b->pool)};
  for (int i = 0; i < b->n; i++)
    r.failed += b->instance[i].status != SAR_OK && b->instance[i].status != SAR_STOPPED;
  sar_give(out, size, &r, sizeof r);
  return SAR_OK;
}
