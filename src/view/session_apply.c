// Commands of viewers: looked at where they come in, carried out between two steps (session.h).
#include "view/session_parts.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "sim/carry.h"
#include "view/attach.h"
#include "view/bodies.h"
#include "view/session_set.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// ---- looking at them, in the thread of a viewer -------------------------------------------------

static bool refuse(char* error, size_t room, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(char* error, size_t room, const char* format, ...) {
  va_list args;
  va_start(args, format);
  sar_vsnprintf(error, room, format, args);
  va_end(args);
  return false;
}

static bool find_input(const SarSession* s, SarCommand* c, char* error, size_t room) {
  c->target = sar_model_find(s->m, SAR_ITEM_INPUT, c->name);
  return c->target >= 0 || refuse(error, room, "there is no input '%s'", c->name);
}

static bool find_parameter(const SarSession* s, SarCommand* c, char* error, size_t room) {
  for (int i = 0; i < s->source.parameter_count; i++)
    if (strcmp(s->source.parameter[i].name, c->name) == 0) c->target = i;
  return c->target >= 0 ||
         refuse(error, room, "there is no parameter '%s' that is a number of the file", c->name);
}

// A run of another process keeps its own clock and its own model.
static bool is_for_attached(const SarSession* s, SarCommand* c, char* error, size_t room) {
  if (c->kind == SAR_DO_PING || c->kind == SAR_DO_RELEASE) return true;
  if (c->kind != SAR_DO_INPUT)
    return refuse(error, room, "this run keeps its own clock: only inputs can be set from here");
  if (!find_input(s, c, error, room)) return false;
  const char* why = sar_attach_refusal(s->attached, c->target);
  return !why || refuse(error, room, "input '%s' stays: %s", c->name, why);
}

static bool is_handed_over(const SarSession* s, const SarCommand* c) {
  return s->handed && (c->kind == SAR_DO_PARAMETER || c->kind == SAR_DO_PULL);
}

static bool is_sensible(const SarSession* s, SarCommand* c, char* error, size_t room) {
  if (s->attached && !is_handed_over(s, c)) return is_for_attached(s, c, error, room);
  switch (c->kind) {
    case SAR_DO_INPUT: return find_input(s, c, error, room);
    case SAR_DO_PARAMETER: return find_parameter(s, c, error, room);
    case SAR_DO_PULL: {
      const SarModel* m = s->m;
      if (c->body >= sar_view_bodies(m)) return refuse(error, room, "there is no body %d", c->body);
      const int b = sar_holder_body(m, c->body);
      if (b < 0 || b >= m->nbody || !(m->body_inertia[b].m > 0))
        return refuse(error, room, "'%s' cannot be pulled: it is fixed, or has no mass",
                      sar_holder_name(m, c->body));
      for (int k = 0; k < 3; k++)
        if (fabs(c->point[k]) > 1e6 || fabs(c->to[k]) > 1e6)
          return refuse(error, room, "a pull reaches as far as 1e6 m");
      return true;
    }
    default: return true;
  }
}

bool sar_session_command(SarSession* s, SarCommand* c, char* error, size_t room) {
  if (s->set) return sar_set_command(s->set, c, error, room);
  pthread_mutex_lock(&s->shared);
  bool good = is_sensible(s, c, error, room);
  pthread_mutex_unlock(&s->shared);
  if (!good || c->kind == SAR_DO_PING) return good;
  pthread_mutex_lock(&s->queue);
  good = sar_ring_put(&s->commands, c);
  pthread_mutex_unlock(&s->queue);
  return good || refuse(error, room, "too many commands wait: try again");
}

// ---- carrying them out, between two steps -------------------------------------------------------

static void go_beyond_end(SarSession* s) {
  if (s->ended) s->end = 0;
  s->ended = false;
}

static void run(SarSession* s) {
  if (s->failed) {
    sar_session_tell(s, SAR_NOTE_LOG, "the run has failed: reset it first");
    return;
  }
  go_beyond_end(s);
  s->running = true;
  s->steps_wanted = 0;
  sar_session_anchor(s);
  sar_session_tell(s, SAR_NOTE_LOG, "run");
}

static void reset(SarSession* s) {
  SarError err;
  sar_error_init(&err);
  sar_pull_release(&s->pull, s->d);
  sar_data_reset(s->d);
  memcpy(s->d->input, s->input, sizeof(double) * (size_t)s->m->ninput);
  s->failed = sar_session_sim_new(s, &err) != SAR_OK;
  if (s->failed) {
    s->running = false;
    sar_session_tell(s, SAR_NOTE_LOG, "reset failed: %s", err.count ? err.items[0].text : "");
  }
  s->ended = false;
  s->end = s->end_given;
  s->steps_wanted = 0;
  s->steps = s->overruns = 0;
  sar_session_anchor(s);
  if (!s->failed) sar_session_tell(s, SAR_NOTE_LOG, "reset");
}

static void set_speed(SarSession* s, double value) {
  s->speed = value;
  sar_session_anchor(s);
  sar_session_tell(s, SAR_NOTE_LOG, "speed %g", value);
}

static void set_input(SarSession* s, const SarCommand* c) {
  s->d->input[c->target] = c->value;
  if (s->attached) sar_attach_set(s->attached, c->target, c->value);
  sar_session_tell(s, SAR_NOTE_LOG, "input %s = %.9g", c->name, c->value);
}

static void pull(SarSession* s, const SarCommand* c) {
  if (!s->s) return;
  const bool began = !s->pull.on || s->pull.body != c->body;
  const double step = s->handed        ? sar_attach_period(s->attached)
                      : s->s->adaptive ? 1.0 / 240
                                       : s->s->options.step;
  const V3 to = v3_load(c->to);
  const bool same = !began && memcmp(s->pull.point, c->point, sizeof c->point) == 0;
  s->pull.to = to;
  if (!same && !sar_pull_grasp(&s->pull, s->d, c->body, c->point, step)) return;
  if (s->handed) sar_session_hand_pull(s);
  if (began)
    sar_session_tell(s, SAR_NOTE_LOG, "pull at %s with %.3g N/m", sar_holder_name(s->m, c->body),
                     s->pull.k);
}

static void release(SarSession* s) {
  if (!s->pull.on) return;
  sar_pull_release(&s->pull, s->d);
  if (s->handed) sar_session_hand_pull(s);
  sar_session_tell(s, SAR_NOTE_LOG, "release");
}

// ---- another parameter --------------------------------------------------------------------------

// All that belongs to one model.
typedef struct Made {
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarScene* scene;
  SarFramer framer;
} Made;

static void drop(Made* x) {
  sar_sim_free(x->s);
  sar_data_free(x->d);
  sar_framer_end(&x->framer);
  sar_scene_free(x->scene);
  sar_model_free(x->m);
}

// What is attached to steps by itself: the simulation here is for what is asked of it, not to go on
// with.
static SarStatus make_simulation(const SarSession* s, Made* x, SarError* err) {
  if (!s->attached) return sar_carry_on(x->m, s->d, &s->sim, &x->d, &x->s, err);
  SAR_TRY(sar_data_new(x->m, &x->d, err));
  SAR_TRY(sar_sim_new(x->m, x->d, &s->sim, &x->s, err));
  sar_carry_over(x->d, s->d);
  return SAR_OK;
}

static SarStatus make(const SarSession* s, Made* x, SarError* err) {
  SAR_TRY(make_simulation(s, x, err));
  SAR_TRY(sar_scene_new(x->m, &x->scene));
  return sar_framer_begin(&x->framer, x->scene) && x->framer.most <= s->frames.room ? SAR_OK
                                                                                    : SAR_NO_MEMORY;
}

static void exchange(SarSession* s, Made* x) {
  const Made old = {s->m, s->d, s->s, s->scene, s->framer};
  pthread_mutex_lock(&s->shared);
  s->m = x->m, s->d = x->d, s->s = x->s, s->scene = x->scene, s->framer = x->framer;
  pthread_mutex_unlock(&s->shared);
  if (s->attached) sar_attach_become(s->attached, s->m);
  *x = old;
  s->events = 0;
}

// The value as it was, in the source of models.
static void restore(SarSession* s, int index, double value) {
  SarModel* again = NULL;
  pthread_mutex_lock(&s->shared);
  sar_view_source_change(&s->source, index, value, &again, NULL);
  pthread_mutex_unlock(&s->shared);
  sar_model_free(again);
}

// The model with another value, and all that belongs to it. *why: why not, where it is no failure.
static SarStatus make_with(SarSession* s, int index, double value, Made* x, const char** why,
                           SarError* err) {
  const double before = s->source.parameter[index].value;
  pthread_mutex_lock(&s->shared);
  SarStatus st = sar_view_source_change(&s->source, index, value, &x->m, err);
  pthread_mutex_unlock(&s->shared);
  if (st != SAR_OK) return st;
  if (!sar_model_is_like(x->m, s->m)) {
    *why = "it makes another mechanism";
    st = SAR_BAD_MODEL;
  }
  if (st == SAR_OK) st = make(s, x, err);
  if (st != SAR_OK) restore(s, index, before);
  return st;
}

static void show(SarSession* s, Made* x) {
  exchange(s, x);
  sar_session_describe(s);
  sar_session_tell(s, SAR_NOTE_SCENE, "%s", "");
}

void sar_session_show_parameter(SarSession* s, int index, double value) {
  SarError err;
  Made x = {0};
  const char* why = NULL;
  sar_error_init(&err);
  if (make_with(s, index, value, &x, &why, &err) == SAR_OK) show(s, &x);
  drop(&x);
}

static void set_parameter(SarSession* s, const SarCommand* c) {
  SarError err;
  Made x = {0};
  const char* why = NULL;
  sar_error_init(&err);
  const double before = s->source.parameter[c->target].value;
  SarStatus st = make_with(s, c->target, c->value, &x, &why, &err);
  if (st == SAR_OK && s->handed) {
    st = sar_session_hand_over(s, c, &err);
    if (st != SAR_OK) restore(s, c->target, before);
  }
  if (st == SAR_OK) {
    show(s, &x);
    if (!s->handed) sar_session_tell(s, SAR_NOTE_LOG, "parameter %s = %.9g", c->name, c->value);
  } else {
    if (!why) why = err.count ? err.items[0].text : sar_status_text(st);
    sar_session_tell(s, SAR_NOTE_LOG, "parameter %s stays %.9g: %.120s", c->name, before, why);
  }
  drop(&x);
  sar_session_anchor(s);
}

// ---- all of them --------------------------------------------------------------------------------

static void obey(SarSession* s, const SarCommand* c) {
  switch (c->kind) {
    case SAR_DO_RUN: run(s); break;
    case SAR_DO_PAUSE:
      s->running = false;
      s->steps_wanted = 0;
      sar_session_tell(s, SAR_NOTE_LOG, "pause");
      break;
    case SAR_DO_STEP:
      go_beyond_end(s);
      s->running = false;
      s->steps_wanted += s->steps_wanted < SAR_COMMAND_STEPS ? c->count : 0;
      break;
    case SAR_DO_RESET: reset(s); break;
    case SAR_DO_SPEED: set_speed(s, c->value); break;
    case SAR_DO_INPUT: set_input(s, c); break;
    case SAR_DO_PARAMETER: set_parameter(s, c); break;
    case SAR_DO_PULL: pull(s, c); break;
    case SAR_DO_RELEASE: release(s); break;
    case SAR_DO_PING:
    case SAR_DO_KINDS: break;
  }
}

// A pull that only moves on is no change of what others see.
void sar_session_obey(SarSession* s) {
  SarCommand c;
  bool others = false;
  while (sar_ring_get(&s->commands, &c)) {
    obey(s, &c);
    others = others || c.kind != SAR_DO_PULL;
    s->changed = true;
    if (c.kind == SAR_DO_INPUT) sar_session_share(s);  // a reset keeps them
  }
  if (others) sar_session_share(s);
}
