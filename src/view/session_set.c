// The window on all simulators of a coupled set (session_set.h).
#include "view/session_set.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/print.h"
#include "io/yaml_couple.h"
#include "sarrus/couple.h"
#include "view/attach.h"
#include "view/bodies.h"
#include "view/session_parts.h"
#include "view/set_run.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double FRAMES = 60;       // per second, at most
static const double PATIENCE = 0.004;  // s: how long states of one time are waited for

typedef struct Part {
  char* name;
  SarSession* s;
  bool fresh, seen;  // there is a state that was not shown yet; one since its run began
  int first;         // of its bodies, in all
  bool old;          // its run has ended, which is not noticed yet
} Part;

struct SarSet {
  char name[120];
  Part* part;
  int parts;
  SarSetRun* run;  // of this program; NULL: of another
  SarLatest frames;
  SarRing notes;
  double last;  // wall time of the last message
  bool there;   // states of all, since their runs began
  pthread_t thread;
  bool started;
  atomic_bool stop, woken;
};

// ---- beginning and end --------------------------------------------------------------------------

static bool names_one(const SarCoupleSpec* c, const char* attach) {
  const char* dot = attach ? strrchr(attach, '.') : NULL;
  for (int i = 0; dot && i < c->simulators.count; i++)
    if (strcmp(c->simulators.items[i].name.text, dot + 1) == 0) return true;
  return false;
}

bool sar_set_is(const SarSessionOptions* o) {
  SarCoupleSpec c;
  SarError quiet;
  if (!sar_couple_is(o->path)) return false;
  sar_error_init(&quiet);
  const bool all =
      sar_read_couple(o->path, o->load, &c, &quiet) != SAR_OK || !names_one(&c, o->attach);
  sar_couple_spec_free(&c);
  return all;
}

static SarStatus add_part(SarSet* x, const SarSessionOptions* o, const char* run, const char* name,
                          SarError* err) {
  Part* p = &x->part[x->parts];
  char attach[200];
  SarSessionOptions own = *o;
  sar_snprintf(attach, sizeof attach, "%s.%s", run, name);
  own.attach = attach;
  own.paused = true;  // until its run is found
  p->name = sar_alloc(strlen(name) + 1);
  if (!p->name) return SAR_NO_MEMORY;
  strcpy(p->name, name);
  SAR_TRY(sar_session_new(&own, &p->s, err));
  x->parts++;
  return SAR_OK;
}

static SarStatus fresh_model(void* set, int simulator, SarModel** out, SarError* err) {
  return sar_session_fresh_model(((SarSet*)set)->part[simulator].s, out, err);
}

static SarStatus set_up(SarSet* x, const SarSessionOptions* o, const SarCoupleSpec* c,
                        SarError* err) {
  const char* run = o->attach;
  x->part = sar_alloc(sizeof *x->part * (size_t)(c->simulators.count + 1));
  if (!x->part) return SAR_NO_MEMORY;
  sar_snprintf(x->name, sizeof x->name, "%s", c->name.text ? c->name.text : "");
  if (!run) {
    SAR_TRY(sar_set_run_new(o, c->rate, &x->run, err));
    run = sar_set_run_name(x->run);
  }
  size_t room = 0;
  for (int i = 0, bodies = 0; i < c->simulators.count; i++) {
    SAR_TRY(add_part(x, o, run, c->simulators.items[i].name.text, err));
    SarSession* s = x->part[i].s;
    if (x->run) SAR_TRY(sar_session_take_hand(s, sar_set_run_hand(x->run, i)));
    room += sar_session_frame_room(s);
    x->part[i].first = bodies;
    bodies += sar_view_bodies(s->m);
  }
  if (x->run) sar_set_run_models(x->run, fresh_model, x);
  return sar_latest_begin(&x->frames, room) && sar_ring_begin(&x->notes, sizeof(SarNote), 256)
             ? SAR_OK
             : SAR_NO_MEMORY;
}

SarStatus sar_set_new(const SarSessionOptions* o, SarSet** out, SarError* err) {
  SarCoupleSpec c;
  SarSet* x = *out = sar_alloc(sizeof *x);
  if (!x) return SAR_NO_MEMORY;
  atomic_init(&x->stop, false);
  atomic_init(&x->woken, !o->waits);
  SarStatus st = sar_read_couple(o->path, o->load, &c, err);
  if (st == SAR_OK) st = set_up(x, o, &c, err);
  sar_couple_spec_free(&c);
  if (st == SAR_OK) return st;
  sar_set_free(x);
  *out = NULL;
  return st;
}

void sar_set_free(SarSet* x) {
  if (!x) return;
  atomic_store(&x->stop, true);
  if (x->started) pthread_join(x->thread, NULL);
  for (int k = 0; k < x->parts; k++) sar_session_free(x->part[k].s);
  for (int k = 0; x->part && k <= x->parts; k++) sar_free(x->part[k].name);
  sar_set_run_free(x->run);
  sar_latest_end(&x->frames);
  sar_ring_end(&x->notes);
  sar_free(x->part);
  sar_free(x);
}

// ---- following ----------------------------------------------------------------------------------

static void take(Part* p, bool tell) {
  const SarAttached found = sar_attach_look(p->s->attached, p->s->d, p->s->outputs);
  if (found == SAR_ATTACH_SAME || (p->old && found == SAR_ATTACH_NEW)) return;
  p->old = false;
  const bool there = found == SAR_ATTACH_NEW;
  if (tell && p->s->running != there) sar_session_tell_attached(p->s, there);
  p->fresh = p->fresh || there || p->s->running;
  p->seen = there;
  sar_session_become(p->s, there);
}

// The states that are there, and how far apart they are [s].
static double take_all(SarSet* x) {
  double first = (double)INFINITY, last = -(double)INFINITY;
  for (int k = 0; k < x->parts; k++) {
    take(&x->part[k], !x->run);
    if (!x->part[k].s->running) continue;
    first = fmin(first, x->part[k].s->d->t);
    last = fmax(last, x->part[k].s->d->t);
  }
  return last > first ? last - first : 0;
}

// Simulators publish at rates of their own, and all of them at every exchange: who is behind is
// looked at again until all are there.
static void take_together(SarSet* x) {
  const struct timespec nap = {.tv_nsec = 50000};
  for (double until = sar_clock_wall() + PATIENCE; take_all(x) > 1e-9 && sar_clock_wall() < until;)
    nanosleep(&nap, NULL);
}

static uint32_t flags_of(const SarSet* x, const SarSession* s) {
  if (!x->run) return s->running ? SAR_FRAME_RUNNING : SAR_FRAME_ENDED;
  const uint32_t slow = sar_set_run_is_slow(x->run) ? SAR_FRAME_SLOW : 0;
  return slow | (sar_set_run_runs(x->run) ? SAR_FRAME_RUNNING : s->running ? 0 : SAR_FRAME_ENDED);
}

static void publish(SarSet* x, double now) {
  unsigned char* out = sar_latest_back(&x->frames);
  size_t size = 0;
  for (int k = 0; k < x->parts; k++) {
    SarSession* s = x->part[k].s;
    size += sar_session_pack(s, now, flags_of(x, s), out + size);
    x->part[k].fresh = false;
  }
  sar_latest_publish(&x->frames, size);
  x->last = now;
}

static bool is_fresh(const SarSet* x) {
  bool fresh = false;
  for (int k = 0; k < x->parts; k++) fresh = fresh || x->part[k].fresh;
  return fresh;
}

static void operate(SarSet* x) {
  double time = (double)INFINITY;
  x->there = true;
  for (int k = 0; k < x->parts; k++) {
    x->there = x->there && x->part[k].seen;
    time = fmin(time, x->part[k].s->d->t);
  }
  if (!sar_set_run_obey(x->run, atomic_load(&x->woken), x->there, time, &x->notes)) return;
  for (int k = 0; k < x->parts; k++) {
    x->part[k].seen = x->part[k].fresh = false;
    x->part[k].old = x->part[k].s->running;
    sar_session_begun_anew(x->part[k].s);
  }
}

static void* follow(void* set) {
  SarSet* x = set;
  const struct timespec nap = {.tv_nsec = (long)(0.5e9 / FRAMES)}, brief = {.tv_nsec = 300000};
  while (!atomic_load(&x->stop)) {
    for (int k = 0; k < x->parts; k++) sar_session_obey(x->part[k].s);
    for (int k = 0; x->run && k < x->parts; k++) sar_session_hear(x->part[k].s);
    if (x->run) operate(x);
    take_together(x);
    const double now = sar_clock_wall();
    if (is_fresh(x) && now - x->last >= 0.9 / FRAMES) publish(x, now);
    nanosleep(x->run && !x->there ? &brief : &nap, NULL);  // it begins at once
  }
  return NULL;
}

bool sar_set_start(SarSet* x) {
  x->started = pthread_create(&x->thread, NULL, follow, x) == 0;
  return x->started;
}

// ---- what others see ----------------------------------------------------------------------------

void sar_set_wake(SarSet* x) { atomic_store(&x->woken, true); }
SarLatest* sar_set_frames(SarSet* x) { return &x->frames; }

static void copy(void* context, const char* text, size_t size) {
  while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r')) size--;
  fwrite(text, 1, size, context);
}

void sar_set_scene(SarSet* x, void (*use)(void* context, const char* text, size_t size),
                   void* context) {
  SarMemoryFile f;
  SarJson j;
  if (!sar_memory_open(&f)) return;
  sar_json_begin(&j, f.out);
  sar_json_open(&j, NULL, '{');
  sar_json_integer(&j, "sarrus", 1);
  sar_json_text(&j, "name", x->name);
  sar_json_text(&j, "mode", "live");
  sar_json_open(&j, "parts", '[');
  for (int k = 0; k < x->parts; k++) {
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", x->part[k].name);
    fputs(", \"scene\": ", f.out);
    sar_session_scene(x->part[k].s, copy, f.out);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
  if (sar_memory_close(&f)) use(context, f.text, f.size);
  sar_memory_free(&f);
}

void sar_set_state(SarSet* x, SarJson* j) {
  bool running = false;
  for (int k = 0; k < x->parts; k++) {
    SarSession* s = x->part[k].s;
    pthread_mutex_lock(&s->shared);
    running = running || s->shared_running;
    pthread_mutex_unlock(&s->shared);
  }
  sar_json_bool(j, "running", x->run ? sar_set_run_runs(x->run) : running);
  sar_json_number(j, "speed", x->run ? sar_set_run_speed(x->run) : 1);
  sar_json_open(j, "inputs", '[');
  for (int k = 0; k < x->parts; k++) {
    SarSession* s = x->part[k].s;
    pthread_mutex_lock(&s->shared);
    for (int i = 0; i < s->m->ninput; i++) sar_json_number(j, NULL, s->input[i]);
    pthread_mutex_unlock(&s->shared);
  }
  sar_json_close(j, ']');
  sar_json_open(j, "parameters", '[');
  for (int k = 0; k < x->parts; k++) {
    SarSession* s = x->part[k].s;
    pthread_mutex_lock(&s->shared);
    for (int i = 0; i < sar_session_parameters(s); i++)
      sar_json_number(j, NULL, s->source.parameter[i].value);
    pthread_mutex_unlock(&s->shared);
  }
  sar_json_close(j, ']');
}

bool sar_set_note(SarSet* x, SarNote* out) {
  if (sar_ring_get(&x->notes, out)) return true;
  for (int k = 0; k < x->parts; k++) {
    SarNote note;
    if (!sar_session_note(x->part[k].s, &note)) continue;
    *out = note;
    if (note.kind == SAR_NOTE_LOG)
      sar_snprintf(out->text, sizeof out->text, "%.40s: %.150s", x->part[k].name, note.text);
    return true;
  }
  return false;
}

// ---- commands -----------------------------------------------------------------------------------

// "tail.rudder": the simulator, and what it calls the input. Names may have dots themselves.
static Part* find_part(SarSet* x, const char* name, const char** rest) {
  for (int k = 0; k < x->parts; k++) {
    const size_t n = strlen(x->part[k].name);
    if (strncmp(name, x->part[k].name, n) != 0 || name[n] != '.') continue;
    *rest = name + n + 1;
    return &x->part[k];
  }
  return NULL;
}

static bool command_part(SarSet* x, const SarCommand* c, char* error, size_t room) {
  const char* rest = NULL;
  Part* p = find_part(x, c->name, &rest);
  if (!p) {
    const char* what = c->kind == SAR_DO_INPUT ? "input" : "parameter";
    sar_snprintf(error, room, "there is no %s '%s'", what, c->name);
    return false;
  }
  SarCommand own = *c;
  sar_snprintf(own.name, sizeof own.name, "%s", rest);
  return sar_session_command(p->s, &own, error, room);
}

// Bodies are counted through all simulators.
static bool pull(SarSet* x, const SarCommand* c, char* error, size_t room) {
  int k = x->parts - 1;
  while (k > 0 && x->part[k].first > c->body) k--;
  SarCommand own = *c;
  own.body -= x->part[k].first;
  if (!sar_session_command(x->part[k].s, &own, error, room)) return false;
  for (int other = 0; other < x->parts; other++) {
    SarCommand let_go = {.kind = SAR_DO_RELEASE, .id = -1};
    if (other != k) sar_session_command(x->part[other].s, &let_go, error, room);
  }
  return true;
}

static bool release(SarSet* x, SarCommand* c, char* error, size_t room) {
  bool done = true;
  for (int k = 0; k < x->parts; k++)
    done = sar_session_command(x->part[k].s, c, error, room) && done;
  return done;
}

bool sar_set_command(SarSet* x, SarCommand* c, char* error, size_t room) {
  switch (c->kind) {
    case SAR_DO_PING: return true;
    case SAR_DO_RELEASE: return !x->run || release(x, c, error, room);
    case SAR_DO_INPUT: return command_part(x, c, error, room);
    case SAR_DO_PARAMETER:
      if (x->run) return command_part(x, c, error, room);
      break;
    case SAR_DO_PULL:
      if (x->run) return pull(x, c, error, room);
      break;
    default:
      if (x->run && sar_set_run_command(x->run, c)) return true;
  }
  sar_snprintf(error, room,
               x->run ? "too many commands wait: try again"
                      : "this run keeps its own clock: only inputs can be set from here");
  return false;
}
