// The life of a session, and what others see of it (session.h).
#include "view/session_parts.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/print.h"
#include "view/attach.h"
#include "view/session_set.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { COMMANDS = 256, NOTES = 1024 };

void sar_session_tell(SarSession* s, SarNoteKind kind, const char* format, ...) {
  SarNote note = {.kind = kind, .time = s->d ? s->d->t : 0};
  va_list args;
  va_start(args, format);
  sar_vsnprintf(note.text, sizeof note.text, format, args);
  va_end(args);
  sar_ring_put(&s->notes, &note);  // a full ring: nobody has looked for a thousand notes
}

void sar_session_share(SarSession* s) {
  pthread_mutex_lock(&s->shared);
  memcpy(s->input, s->d->input, sizeof(double) * (size_t)s->m->ninput);
  s->shared_running = s->running;
  s->shared_speed = s->speed;
  pthread_mutex_unlock(&s->shared);
  s->changed = true;
  sar_session_tell(s, SAR_NOTE_STATE, "%s", "");
}

// Those of a run of another process are its own.
int sar_session_parameters(const SarSession* s) {
  return s->attached && !s->handed ? 0 : s->source.parameter_count;
}

SarStatus sar_session_describe(SarSession* s) {
  SarMemoryFile f;
  SarJson j;
  const SarViewScene v = {.scene = s->scene,
                          .d = s->d,
                          .start = 0,
                          .end = s->end_given,
                          .step = s->s->adaptive ? 0 : s->s->options.step,
                          .speed = s->speed,
                          .driven = s->attached ? s->driven : NULL,
                          .parameters = s->source.parameter,
                          .parameter_count = sar_session_parameters(s)};
  for (int i = 0; s->attached && i < s->m->ninput; i++)
    s->driven[i] = sar_attach_is_driven(s->attached, i);
  if (!sar_memory_open(&f)) return SAR_NO_MEMORY;
  sar_json_begin(&j, f.out);
  const bool done = sar_view_scene(&j, &v);
  sar_json_end(&j);
  if (!sar_memory_close(&f) || !done) {
    sar_memory_free(&f);
    return SAR_NO_MEMORY;
  }
  pthread_mutex_lock(&s->shared);
  sar_memory_free(&s->text);
  s->text = f;
  pthread_mutex_unlock(&s->shared);
  return SAR_OK;
}

SarStatus sar_session_sim_new(SarSession* s, SarError* err) {
  sar_sim_free(s->s);
  s->s = NULL;
  s->events = 0;
  return sar_sim_new(s->m, s->d, &s->sim, &s->s, err);
}

// ---- beginning and end --------------------------------------------------------------------------

static SarStatus make_room(SarSession* s) {
  SAR_TRY(sar_scene_new(s->m, &s->scene));
  s->outputs = sar_alloc(sizeof(double) * (size_t)(s->m->nchannel + 1));
  s->input = sar_alloc(sizeof(double) * (size_t)(s->m->ninput + 1));
  s->driven = sar_alloc(sizeof(bool) * (size_t)(s->m->ninput + 1));
  const bool room = s->outputs && s->input && s->driven && sar_framer_begin(&s->framer, s->scene) &&
                    sar_pull_begin(&s->pull, s->m) &&
                    sar_latest_begin(&s->frames, s->framer.most) &&
                    sar_ring_begin(&s->commands, sizeof(SarCommand), COMMANDS) &&
                    sar_ring_begin(&s->notes, sizeof(SarNote), NOTES);
  return room ? SAR_OK : SAR_NO_MEMORY;
}

static SarStatus set_up(SarSession* s, const SarSessionOptions* o, SarError* err) {
  SAR_TRY(sar_view_source_begin(&s->source, o->path, o->attach, o->load, &s->m, err));
  s->end = s->end_given = o->end != 0 ? fmax(o->end, 0) : s->m->sim.end;
  SAR_TRY(sar_data_new(s->m, &s->d, err));
  SAR_TRY(make_room(s));
  SAR_TRY(sar_session_sim_new(s, err));
  if (o->attach) SAR_TRY(sar_attach(s->m, o->attach, &s->attached, err));
  SAR_TRY(sar_session_describe(s));
  memcpy(s->input, s->d->input, sizeof(double) * (size_t)s->m->ninput);
  return SAR_OK;
}

SarStatus sar_session_new(const SarSessionOptions* o, SarSession** out, SarError* err) {
  SarSession* s = *out = sar_alloc(sizeof *s);
  if (!s) return SAR_NO_MEMORY;
  s->sim = o->sim ? *o->sim : sar_sim_options();
  s->speed = s->shared_speed = o->speed;
  s->running = s->shared_running = !o->paused;
  s->wall_start = sar_clock_wall();
  atomic_init(&s->stop, false);
  atomic_init(&s->waits, o->waits);
  s->waited = o->waits;
  pthread_mutex_init(&s->queue, NULL);
  pthread_mutex_init(&s->shared, NULL);
  const SarStatus st = sar_set_is(o) ? sar_set_new(o, &s->set, err) : set_up(s, o, err);
  if (st == SAR_OK) return st;
  sar_session_free(s);
  *out = NULL;
  return st;
}

bool sar_session_start(SarSession* s) {
  if (s->set) return sar_set_start(s->set);
  void* (*const loop)(void*) = s->attached ? sar_session_follow : sar_session_loop;
  s->started = pthread_create(&s->thread, NULL, loop, s) == 0;
  return s->started;
}

void sar_session_free(SarSession* s) {
  if (!s) return;
  atomic_store(&s->stop, true);
  if (s->started) pthread_join(s->thread, NULL);
  sar_set_free(s->set);
  sar_session_end_hand(s);
  sar_detach(s->attached);
  sar_sim_free(s->s);
  sar_data_free(s->d);
  sar_framer_end(&s->framer);
  sar_scene_free(s->scene);
  sar_pull_end(&s->pull);
  sar_model_free(s->m);
  sar_latest_end(&s->frames);
  sar_ring_end(&s->commands);
  sar_ring_end(&s->notes);
  sar_memory_free(&s->text);
  sar_free(s->outputs);
  sar_free(s->input);
  sar_free(s->driven);
  sar_view_source_end(&s->source);
  pthread_mutex_destroy(&s->queue);
  pthread_mutex_destroy(&s->shared);
  sar_free(s);
}

void sar_session_wake(SarSession* s) {
  if (s->set) sar_set_wake(s->set);
  atomic_store(&s->waits, false);
}

// ---- what others see ----------------------------------------------------------------------------

void sar_session_scene(SarSession* s, void (*use)(void* context, const char* text, size_t size),
                       void* context) {
  if (s->set) {
    sar_set_scene(s->set, use, context);
    return;
  }
  pthread_mutex_lock(&s->shared);
  use(context, s->text.text, s->text.size);
  pthread_mutex_unlock(&s->shared);
}

void sar_session_state(SarSession* s, SarJson* j) {
  if (s->set) {
    sar_set_state(s->set, j);
    return;
  }
  pthread_mutex_lock(&s->shared);
  sar_json_bool(j, "running", s->shared_running);
  sar_json_number(j, "speed", s->shared_speed);
  sar_json_row(j, "inputs", s->input, (size_t)s->m->ninput, 17);
  sar_json_open(j, "parameters", '[');
  for (int i = 0; i < sar_session_parameters(s); i++)
    sar_json_number(j, NULL, s->source.parameter[i].value);
  sar_json_close(j, ']');
  pthread_mutex_unlock(&s->shared);
}

const unsigned char* sar_session_frame(SarSession* s, size_t* size) {
  return sar_latest_take(s->set ? sar_set_frames(s->set) : &s->frames, size);
}

bool sar_session_note(SarSession* s, SarNote* out) {
  return s->set ? sar_set_note(s->set, out) : sar_ring_get(&s->notes, out);
}

size_t sar_session_frame_room(const SarSession* s) {
  return s->set ? sar_set_frames(s->set)->room : s->frames.room;
}

const SarData* sar_session_data(const SarSession* s) { return s->d; }
const SarSim* sar_session_sim(const SarSession* s) { return s->s; }
