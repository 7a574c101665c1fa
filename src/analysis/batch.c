// A batch (sarrus.h): n instances of one model, advanced together by a pool of threads
// (embarrassingly parallel: instances share nothing but their constant models, so results do not
// depend on who computes them), each by its own simulation, or several at a time by generated code
// over lanes (batch_lanes.h).
#include "analysis/batch.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/print.h"
#include "base/sized.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

SAR_API void sar_batch_options_sized(SarBatchOptions* out, size_t size) {
  const SarBatchOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// ---- life ---------------------------------------------------------------------------------------

static SarStatus set_up(SarInstance* i, const SarSimOptions* o, SarError* err) {
  SAR_TRY(sar_data_new(i->m, &i->d, err));
  return sar_sim_new(i->m, i->d, o, &i->s, err);
}

static void give_back(SarInstance* i) {
  sar_sim_free(i->s);
  sar_data_free(i->d);
  i->s = NULL;
  i->d = NULL;
}

static void set_up_one(void* context, int index) {
  SarBatch* b = context;
  SarInstance* i = &b->instance[index];
  i->status = set_up(i, &b->sim, NULL);
  if (i->status != SAR_OK) give_back(i);
}

// Messages are no business of threads: the first instance that failed, or else the first, is set up
// once more.
static SarStatus tell(const SarBatch* b, SarError* err) {
  int first = 0;
  while (first < b->n && b->instance[first].status == SAR_OK) first++;
  const SarStatus st = first < b->n ? b->instance[first].status : SAR_OK;
  SarInstance again = {.m = b->instance[st == SAR_OK ? 0 : first].m};
  const int before = err ? err->errors : 0;
  set_up(&again, &b->sim, err);
  give_back(&again);
  if (st != SAR_OK && err && err->errors == before)
    sar_report(err, (SarLoc){0}, "", "instance %d: %s", first, sar_status_text(st));
  return st;
}

static double* values_of(const SarBatch* b, int i) {
  return b->value ? b->value + (size_t)i * (size_t)b->kept : NULL;
}

static bool have_models_of_their_own(const SarBatch* b) {
  for (int i = 0; i < b->n; i++)
    if (b->instance[i].m != b->instance[0].m) return true;
  return false;
}

// What has to be the same in all for one code to be theirs, beside what it keeps as parameters.
static const char* difference(const SarBatch* b, int of) {
  for (int i = 0; i < b->n; i++)
    if (b->instance[i].s && (b->instance[i].m->nkink > 0 ||
                             b->instance[i].s->options.step != b->instance[of].s->options.step))
      return "steps or kinks in time of the instances differ";
  return NULL;
}

// Every instance is looked at: values that are not those of its model would give another motion.
static void expect_fit(SarBatch* b) {
  for (int i = 0; i < b->n && b->lanes; i++) {
    if (!b->instance[i].s || sar_lane_groups_fit(b->lanes, b->instance[i].s, values_of(b, i)))
      continue;
    sar_snprintf(b->why, sizeof b->why,
                 "with its values of the parameters the code is not that of the model of "
                 "instance %d",
                 i);
    sar_lane_groups_free(b->lanes);
    b->lanes = NULL;
  }
}

// Generated code, where it is asked for and can be had.
static SarStatus make_lanes(SarBatch* b, const SarBatchOptions* o) {
  const bool own = have_models_of_their_own(b);
  int any = 0;
  while (any < b->n && !b->instance[any].s) any++;
  if (any == b->n) return SAR_OK;
  const char* why = !own        ? NULL
                    : !b->value ? "instances have models of their own, and their parameters "
                                  "are not named"
                                : difference(b, any);
  if (why) {
    sar_snprintf(b->why, sizeof b->why, "%s", why);
    return SAR_OK;
  }
  const SarStepperKept kept = {o->file, o->load, b->kept, o->parameters, values_of(b, any)};
  const SarStatus st = sar_lane_groups_new(b->instance[any].s, b->n, o->lanes, own ? &kept : NULL,
                                           &b->lanes, b->why, sizeof b->why);
  if (st == SAR_OK && own) expect_fit(b);
  return st == SAR_NO_MEMORY ? st : SAR_OK;
}

static SarStatus take_values(SarBatch* b, const SarBatchOptions* o) {
  const size_t n = (size_t)b->n * (size_t)o->parameter_count;
  if (o->parameter_count <= 0 || !o->generated) return SAR_OK;
  SAR_GIVEN(o->file && o->parameters && o->parameter_values);
  b->value = sar_alloc(n * sizeof *b->value);
  if (!b->value) return SAR_NO_MEMORY;
  memcpy(b->value, o->parameter_values, n * sizeof *b->value);
  b->kept = o->parameter_count;
  return SAR_OK;
}

static SarStatus take_options(SarBatch* b, const SarBatchOptions* given, SarBatchOptions* o,
                              SarError* err) {
  *o = sar_batch_options();
  if (given) SAR_TRY(sar_take_options(o, sizeof *o, given, "sar_batch_options", err));
  b->sim = sar_sim_options();
  if (o->sim) SAR_TRY(sar_take_options(&b->sim, sizeof b->sim, o->sim, "sar_sim_options", err));
  if (o->lanes == 0 || o->lanes == 1 || o->lanes == 4 || o->lanes == 8) return SAR_OK;
  sar_report(err, (SarLoc){0}, "", "lanes are %d: expected 1, 4, 8, or 0 for the processor's",
             o->lanes);
  return SAR_BAD_ARGUMENT;
}

static SarStatus take(SarBatch* b, const SarModel* const* models, int threads, SarError* err) {
  for (int i = 0; i < b->n; i++) {
    SAR_GIVEN(models[i]);
    if (!sar_model_is_like(models[0], models[i])) {
      sar_report(err, (SarLoc){0}, "batches are of one topology: make a batch for each",
                 "the model of instance %d is not like that of instance 0", i);
      return SAR_BAD_ARGUMENT;
    }
    b->instance[i].m = models[i];
  }
  return sar_pool_new(threads, &b->pool);
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
  SarBatchOptions all;
  SarStatus st = b->instance ? take_options(b, o, &all, err) : SAR_NO_MEMORY;
  if (st == SAR_OK) st = take_values(b, &all);
  if (st == SAR_OK) st = take(b, models, all.threads, err);
  if (st == SAR_OK) {
    sar_pool_run(b->pool, n, set_up_one, b);
    if (all.generated) st = make_lanes(b, &all);
  }
  if (st != SAR_OK) {
    sar_batch_free(b);
    return st;
  }
  *out = b;
  return tell(b, err);
}

SAR_API void sar_batch_free(SarBatch* b) {
  if (!b) return;
  for (int i = 0; b->instance && i < b->n; i++) give_back(&b->instance[i]);
  sar_lane_groups_free(b->lanes);
  sar_pool_free(b->pool);
  sar_free(b->instance);
  sar_free(b->value);
  sar_free(b);
}

// ---- advancing ----------------------------------------------------------------------------------

static void advance_instance(SarInstance* i, double t_end) {
  if (i->status == SAR_OK || (i->status == SAR_STOPPED && i->s))
    i->status = sar_advance(i->s, t_end);
}

// What generated code could not do, the simulations go on with.
static void hand_over(SarBatch* b, int first, int count, int bits, double t_end) {
  for (int i = 0; i < count; i++) {
    if (!(bits >> i & 1) || b->instance[first + i].status != SAR_OK) continue;
    b->instance[first + i].handed++;
    advance_instance(&b->instance[first + i], t_end);
  }
}

static void advance_lanes(SarBatch* b, int group, int first, int count, double t_end) {
  SarLaneMember member[8] = {{NULL, NULL}};
  bool together = true;
  double t = (double)NAN;
  for (int i = 0; i < count; i++) {
    const SarInstance* of = &b->instance[first + i];
    if (of->status != SAR_OK) continue;
    member[i] = (SarLaneMember){of->d, values_of(b, first + i)};
    if (isnan(t)) t = of->d->t;
    together = together && of->d->t == t;
  }
  if (together) {
    const int left = sar_lane_group_advance(b->lanes, group, member, count, t_end);
    hand_over(b, first, count, left, t_end);
    return;
  }
  for (int i = 0; i < count; i++) {
    const int left = sar_lane_group_advance(b->lanes, group, &member[i], 1, t_end);
    hand_over(b, first + i, 1, left, t_end);
  }
}

int sar_batch_group_count(const SarBatch* b) {
  return b->lanes ? sar_lane_groups_count(b->lanes) : b->n;
}

SarBatchGroup sar_batch_group(const SarBatch* b, int index) {
  const int width = b->lanes ? sar_lane_groups_width(b->lanes) : 1, first = index * width;
  return (SarBatchGroup){first, b->n - first < width ? b->n - first : width};
}

void sar_batch_group_advance(SarBatch* b, int index, double t_end) {
  const SarBatchGroup g = sar_batch_group(b, index);
  if (b->lanes && isfinite(t_end))
    advance_lanes(b, index, g.first, g.count, t_end);
  else
    for (int i = 0; i < g.count; i++) advance_instance(&b->instance[g.first + i], t_end);
}

static void advance_task(void* context, int index) {
  SarBatch* b = context;
  sar_batch_group_advance(b, index, b->t_end);
}

SarStatus sar_batch_first_trouble(const SarBatch* b) {
  for (int i = 0; i < b->n; i++)
    if (b->instance[i].status != SAR_OK) return b->instance[i].status;
  return SAR_OK;
}

SAR_API SarStatus sar_batch_advance(SarBatch* b, double t_end) {
  SAR_GIVEN(b);
  b->t_end = t_end;
  sar_pool_run(b->pool, sar_batch_group_count(b), advance_task, b);
  return sar_batch_first_trouble(b);
}

// ---- what came of it ----------------------------------------------------------------------------

static const SarInstance* instance_of(const SarBatch* b, int i) {
  return b && i >= 0 && i < b->n ? &b->instance[i] : NULL;
}

SAR_API int sar_batch_count(const SarBatch* b) { return b ? b->n : 0; }

SAR_API SarData* sar_batch_data(SarBatch* b, int instance) {
  const SarInstance* i = instance_of(b, instance);
  return i ? i->d : NULL;
}

SAR_API SarStatus sar_batch_status(const SarBatch* b, int instance) {
  const SarInstance* i = instance_of(b, instance);
  return i ? i->status : SAR_BAD_ARGUMENT;
}

SAR_API const char* sar_batch_trouble(const SarBatch* b, int instance) {
  const SarInstance* i = instance_of(b, instance);
  if (!i || i->status == SAR_OK) return "";
  return i->s ? sar_sim_trouble(i->s) : sar_status_text(i->status);
}

SAR_API SarStatus sar_batch_outputs(SarBatch* b, int instance, double* values) {
  const SarInstance* i = instance_of(b, instance);
  SAR_GIVEN(i && i->s && values);
  return sar_outputs(i->s, values);
}

SAR_API SarStatus sar_batch_report_sized(const SarBatch* b, SarBatchReport* out, size_t size) {
  SAR_GIVEN(b && out);
  SarBatchReport r = {.threads = sar_pool_threads(b->pool),
                      .lanes = b->lanes ? sar_lane_groups_width(b->lanes) : 0,
                      .why = b->why};
  for (int i = 0; i < b->n; i++) {
    r.handed += b->instance[i].handed;
    r.failed += b->instance[i].status != SAR_OK && b->instance[i].status != SAR_STOPPED;
  }
  sar_give(out, size, &r, sizeof r);
  return SAR_OK;
}
