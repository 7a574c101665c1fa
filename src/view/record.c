// Filling a replay (record.h).
#include "view/record.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "model/sim.h"
#include "sim/outputs/outputs.h"

#include <math.h>
#include <string.h>

SarStatus sar_recording_begin(SarRecording* r, const SarModel* m, SarReplay* replay,
                              SarError* err) {
  *r = (SarRecording){.m = m, .replay = replay, .limit = (size_t)400 << 20};
  SAR_TRY(sar_scene_new(m, &r->scene));
  return sar_data_new(m, &r->start, err);
}

void sar_recording_end(SarRecording* r) {
  sar_scene_free(r->scene);
  sar_data_free(r->start);
}

static void widen(SarPatch* a, const SarPatch* b) {
  a->low = v3(fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z));
  a->high = v3(fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z));
}

// The frames of one more run.
static SarStatus keep(SarRecording* r, SarRecorder* recorder, const char* name, double last) {
  SarReplay* replay = r->replay;
  const int i = replay->runs;
  if (!sar_recorder_finish(recorder, &replay->frames[i])) return SAR_NO_MEMORY;
  sar_snprintf(replay->name[i], sizeof replay->name[i], "%s", name);
  if (i == 0)
    r->seen = recorder->seen, r->last = last;
  else
    widen(&r->seen, &recorder->seen);
  replay->runs++;
  return SAR_OK;
}

// ---- a run --------------------------------------------------------------------------------------

typedef struct Taking {
  SarRecording* r;
  SarRecorder recorder;
  const SarRunOptions* o;
  double* row;
  bool first;
} Taking;

static SarStatus on_row(void* context, const double* values, int count) {
  Taking* t = context;
  memcpy(t->row, values, sizeof(double) * (size_t)count);
  return t->o->on_row ? t->o->on_row(t->o->context, values, count) : SAR_OK;
}

static SarStatus on_state(void* context, const SarData* d) {
  Taking* t = context;
  if (t->first && t->r->replay->runs == 0) {
    SAR_TRY(sar_data_copy(t->r->start, d));
    t->r->first = d->t;
  }
  t->first = false;
  // the energy is looked at, which the run has just done itself: nothing of the state changes
  return sar_recorder_add(&t->recorder, (SarData*)d, t->row + 1);
}

static bool should_stop(void* context) {
  const Taking* t = context;
  return t->o->should_stop && t->o->should_stop(t->o->context);
}

static void take_events(SarRecording* r, const SarRun* run) {
  SarEvent e;
  for (long i = 0; i < sar_run_report(run)->event_count && r->events < SAR_RECORD_EVENTS; i++)
    if (sar_run_event(run, i, &e) == SAR_OK)
      r->event[r->events++] = (SarViewEvent){e.time, e.name, e.on};
}

SarStatus sar_record_run(SarRecording* r, const SarRunOptions* o, const char* name, SarRun** run,
                         SarError* err) {
  Taking t = {.r = r, .o = o, .first = true};
  SarRunOptions mine = *o;
  *run = NULL;
  if (r->replay->runs >= SAR_REPLAY_RUNS) return SAR_BAD_ARGUMENT;
  t.row = sar_alloc(sizeof(double) * (size_t)(r->m->nchannel + 1));
  SarStatus st =
      t.row && sar_recorder_begin(&t.recorder, r->scene, r->limit) ? SAR_OK : SAR_NO_MEMORY;
  mine.context = &t;
  mine.on_row = on_row;
  mine.on_state = on_state;
  mine.should_stop = should_stop;
  mine.on_progress = NULL;
  mine.on_stepping = NULL;
  mine.keep_rows = false;
  if (st == SAR_OK) st = sar_run(r->m, &mine, run, err);
  if (t.recorder.full)
    sar_report(err, (SarLoc){0}, "take a longer --output-step or an earlier --end",
               "the frames need more than %zu MB", r->limit >> 20);
  // a run that failed is worth seeing up to there
  if (*run && t.recorder.sequence > 0) {
    const SarStatus kept = keep(r, &t.recorder, name, sar_run_report(*run)->end_time);
    if (st == SAR_OK) st = kept;
    if (r->replay->runs == 1) {
      r->step = sar_run_report(*run)->adaptive ? 0 : sar_run_report(*run)->step;
      take_events(r, *run);
    }
  }
  sar_recorder_end(&t.recorder);
  sar_free(t.row);
  return st;
}

// ---- a table ------------------------------------------------------------------------------------

// Columns of a table, by channel and by coordinate of the tree; -1: not there.
typedef struct Columns {
  int time;
  int* channel;
  int *q, *v;
} Columns;

static bool find_columns(const SarModel* m, const SarTable* t, SarArena* arena, Columns* c,
                         SarResultUse* use) {
  c->channel = SAR_ARENA_ARRAY(arena, int, m->nchannel + 1);
  c->q = SAR_ARENA_ARRAY(arena, int, m->nq_all + 1);
  c->v = SAR_ARENA_ARRAY(arena, int, m->nv_all + 1);
  if (arena->failed) return false;
  for (int i = 0; i < m->nq_all; i++) c->q[i] = -1;
  for (int i = 0; i < m->nv_all; i++) c->v[i] = -1;
  c->time = sar_table_find(t, "time");
  for (int i = 0; i < m->nchannel; i++) {
    const SarChannel* ch = &m->channel[i];
    c->channel[i] = sar_table_find(t, sar_text(m, ch->name));
    use->columns += c->channel[i] >= 0;
    if (ch->kind == &sar_output_joint_position)
      c->q[m->joint_qadr[ch->index] + ch->component] = c->channel[i];
    if (ch->kind == &sar_output_joint_velocity)
      c->v[m->joint_vadr[ch->index] + ch->component] = c->channel[i];
  }
  use->coordinates = m->nq;
  for (int i = 0; i < m->nq; i++) use->missing += c->q[i] < 0;
  use->rows = sar_table_rows(t);
  return true;
}

static SarStatus set_state(SarData* d, const Columns* c, const double* row) {
  const SarModel* m = d->m;
  sar_set_time(d, row[c->time]);
  for (int j = 0; j < m->nbody; j++) {
    double q[SAR_JOINT_MAX_NQ] = {0}, v[SAR_JOINT_MAX_NV] = {0};
    for (int k = 0; k < m->joint_nq[j]; k++) q[k] = row[c->q[m->joint_qadr[j] + k]];
    for (int k = 0; k < m->joint_nv[j]; k++) {
      const int column = c->v[m->joint_vadr[j] + k];
      v[k] = column < 0 ? 0 : row[column];
    }
    SAR_TRY(sar_joint_set(d, j, q, v));
  }
  return SAR_OK;
}

static SarStatus take_rows(SarRecording* r, const SarTable* t, const Columns* c,
                           SarRecorder* recorder, double* outputs) {
  SarData* d = r->start;
  const size_t columns = (size_t)sar_table_columns(t);
  for (size_t i = 0; i < sar_table_rows(t); i++) {
    const double* row = sar_table_values(t) + i * columns;
    SAR_TRY(set_state(d, c, row));
    for (int k = 0; k < r->m->nchannel; k++)
      outputs[k] = c->channel[k] < 0 ? (double)NAN : row[c->channel[k]];
    SAR_TRY(sar_recorder_add(recorder, d, outputs));
  }
  return SAR_OK;
}

SarStatus sar_record_table(SarRecording* r, const SarTable* t, const char* name, SarResultUse* use,
                           SarError* err) {
  SarArena arena;
  SarRecorder recorder = {0};
  Columns c = {0};
  *use = (SarResultUse){0};
  if (r->replay->runs >= SAR_REPLAY_RUNS) return SAR_BAD_ARGUMENT;
  sar_arena_init(&arena);
  double* outputs = SAR_ARENA_ARRAY(&arena, double, r->m->nchannel + 1);
  SarStatus st = outputs && find_columns(r->m, t, &arena, &c, use) ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK && (use->missing > 0 || c.time < 0 || use->rows == 0)) st = SAR_NOT_OFFERED;
  if (st == SAR_OK && !sar_recorder_begin(&recorder, r->scene, r->limit)) st = SAR_NO_MEMORY;
  if (st == SAR_OK) st = take_rows(r, t, &c, &recorder, outputs);
  if (st == SAR_OK) {
    const size_t last = (use->rows - 1) * (size_t)sar_table_columns(t) + (size_t)c.time;
    if (r->replay->runs == 0) r->first = sar_table_values(t)[c.time];
    st = keep(r, &recorder, name, sar_table_values(t)[last]);
  }
  if (recorder.full) sar_report(err, (SarLoc){0}, "", "%s has more rows than fit", name);
  sar_recorder_end(&recorder);
  sar_arena_free(&arena);
  return st;
}

// ---- the scene ----------------------------------------------------------------------------------

SarStatus sar_recording_finish(SarRecording* r) {
  const double margin = 3 * r->scene->reach;
  const SarPatch seen = {v3_sub(r->seen.low, v3(margin, margin, margin)),
                         v3_add(r->seen.high, v3(margin, margin, margin))};
  const char* runs[SAR_REPLAY_RUNS];
  SarJson j;
  for (int i = 0; i < r->replay->runs; i++) runs[i] = r->replay->name[i];
  const SarViewScene v = {.scene = r->scene,
                          .d = r->start,
                          .replay = true,
                          .start = r->first,
                          .end = r->last,
                          .step = r->step,
                          .speed = 1,
                          .parameters = r->source ? r->source->parameter : NULL,
                          .parameter_count = r->source ? r->source->parameter_count : 0,
                          .events = r->event,
                          .event_count = r->events,
                          .runs = runs,
                          .run_count = r->replay->runs,
                          .seen = &seen};
  if (!sar_memory_open(&r->replay->scene)) return SAR_NO_MEMORY;
  sar_json_begin(&j, r->replay->scene.out);
  const bool done = sar_view_scene(&j, &v);
  sar_json_end(&j);
  return sar_memory_close(&r->replay->scene) && done ? SAR_OK : SAR_NO_MEMORY;
}
