// Coupled simulators that the window runs by itself (set_run.h).
//
// A loop hands out the state of a tick when it begins the frame there. So the clock creeps until
// the first tick has passed in all of them, and what there is to see at the start is there; then it
// runs, or stands still. No tick is left out: where the simulators do not keep up the clock waits
// for them, so that single steps are as many as were asked for, and a pause is one.
#include "view/set_run.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "view/hand_clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { CREEP = 100000, COMMANDS = 64 };  // ns; in the queue
static const double FORGIVEN = 0.25;     // s behind the clock, at a speed of 1

struct SarSetRun {
  SarCouple* couple;
  SarHandClock hand;
  SarSetHand* of;  // each simulator
  int hands;
  SarSetModels models;
  void* models_context;
  SarRtClock clock;
  char name[64];
  const char* path;
  const SarLoadOptions* load;  // of the options; outlives it
  double end;
  long long step;    // ns
  long long wanted;  // single steps still to be made
  double offset;     // s: of the clock at time 0
  bool begun, paused;
  atomic_bool ended, slow;
  pthread_mutex_t queue;  // of those who put commands, and of `speed`
  SarRing commands;
  double speed;
};

// ---- the simulators -----------------------------------------------------------------------------

static SarStatus take_hands(SarSetRun* r, SarError* err) {
  SarCouple* c = r->couple;
  if (!r->of) r->of = sar_alloc(sizeof *r->of * (size_t)c->members);
  if (!r->of) return SAR_NO_MEMORY;
  for (int k = 0; k < c->members; k++) {
    SarModel* m = NULL;
    if (k == r->hands) {
      r->hands++;
      if (!sar_set_hand_begin(&r->of[k], c->member[k].m)) return SAR_NO_MEMORY;
    }
    sar_set_hand_reset(&r->of[k]);
    if (r->models) SAR_TRY(r->models(r->models_context, k, &m, err));
    if (m) SAR_TRY(sar_couple_change(&c->member[k], m, err));
    c->member[k].operate = sar_set_hand_operate;
    c->member[k].hand = &r->of[k];
  }
  return SAR_OK;
}

static SarStatus open_couple(SarSetRun* r, SarError* err) {
  SAR_TRY(sar_couple_load(r->path, r->load, &r->couple, err));
  SAR_TRY(take_hands(r, err));
  SarRtOptions rt = sar_rt_options();
  rt.policy = SAR_RT_CATCH_UP;
  rt.behind = 1e9;
  rt.scheduling = SAR_RT_AS_IS;
  rt.core = -2;
  rt.lock_memory = false;
  rt.clock = &r->clock;
  const SarCouplePort port = {NULL, "watch", r->name};
  SarCoupleOptions o = sar_couple_options();
  o.rt = &rt;
  o.end = r->end;
  o.ports = &port;
  o.port_count = 1;
  SAR_TRY(sar_couple_open(r->couple, &o, err));
  return sar_couple_start(r->couple, err);
}

static void close_couple(SarSetRun* r) {
  sar_hand_clock_let_go(&r->hand, true);
  sar_couple_free(r->couple);
  r->couple = NULL;
  sar_hand_clock_let_go(&r->hand, false);
}

SarStatus sar_set_run_new(const SarSessionOptions* o, double rate, SarSetRun** out, SarError* err) {
  static atomic_int number;
  SarSetRun* r = *out = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  r->path = o->path;
  r->load = o->load;
  r->end = o->end < 0 ? (double)INFINITY : o->end;
  r->speed = o->speed;
  r->step = llround(1e9 / rate);
  atomic_init(&r->ended, false);
  atomic_init(&r->slow, false);
  r->paused = o->paused;
  sar_hand_clock_begin(&r->hand, o->speed);
  r->clock = sar_hand_clock_clock(&r->hand);
  pthread_mutex_init(&r->queue, NULL);
  sar_snprintf(r->name, sizeof r->name, "view%ld-%d", (long)getpid(), atomic_fetch_add(&number, 1));
  SarStatus st =
      sar_ring_begin(&r->commands, sizeof(SarCommand), COMMANDS) ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = open_couple(r, err);
  if (st == SAR_OK) return st;
  sar_set_run_free(r);
  *out = NULL;
  return st;
}

void sar_set_run_free(SarSetRun* r) {
  if (!r) return;
  close_couple(r);
  for (int k = 0; k < r->hands; k++) sar_set_hand_end(&r->of[k]);
  sar_free(r->of);
  sar_hand_clock_end(&r->hand);
  sar_ring_end(&r->commands);
  pthread_mutex_destroy(&r->queue);
  sar_free(r);
}

const char* sar_set_run_name(const SarSetRun* r) { return r->name; }
SarSetHand* sar_set_run_hand(SarSetRun* r, int simulator) { return &r->of[simulator]; }

void sar_set_run_models(SarSetRun* r, SarSetModels models, void* context) {
  r->models = models;
  r->models_context = context;
}

bool sar_set_run_runs(SarSetRun* r) {
  return sar_hand_clock_runs(&r->hand) && !atomic_load(&r->ended);
}

bool sar_set_run_is_slow(const SarSetRun* r) { return atomic_load(&r->slow); }

double sar_set_run_speed(SarSetRun* r) {
  pthread_mutex_lock(&r->queue);
  const double speed = r->speed;
  pthread_mutex_unlock(&r->queue);
  return speed;
}

// ---- commands -----------------------------------------------------------------------------------

bool sar_set_run_command(SarSetRun* r, const SarCommand* c) {
  if (c->kind > SAR_DO_SPEED) return false;
  pthread_mutex_lock(&r->queue);
  const bool put = sar_ring_put(&r->commands, c);
  pthread_mutex_unlock(&r->queue);
  return put;
}

static void note(SarRing* notes, SarNoteKind kind, double time, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
static void note(SarRing* notes, SarNoteKind kind, double time, const char* format, ...) {
  SarNote n = {.kind = kind, .time = time};
  va_list args;
  va_start(args, format);
  sar_vsnprintf(n.text, sizeof n.text, format, args);
  va_end(args);
  sar_ring_put(notes, &n);
}

// All from the start, and goes on as it was: running or not. Inputs are those of the files again,
// parameters stay.
static void reset(SarSetRun* r, double time, SarRing* notes) {
  SarError err;
  sar_error_init(&err);
  if (r->begun) r->paused = !sar_hand_clock_runs(&r->hand);
  close_couple(r);
  r->begun = false;
  r->wanted = 0;
  atomic_store(&r->ended, false);
  const SarStatus st = open_couple(r, &err);
  note(notes, SAR_NOTE_LOG, st == SAR_OK ? 0 : time,
       st == SAR_OK ? "reset%.0s" : "reset failed: %s", err.count ? err.items[0].text : "");
  atomic_store(&r->ended, st != SAR_OK);
}

static void obey(SarSetRun* r, const SarCommand* c, double time, SarRing* notes) {
  switch (c->kind) {
    case SAR_DO_RUN:
    case SAR_DO_PAUSE:
      r->paused = c->kind == SAR_DO_PAUSE;
      if (r->begun) sar_hand_clock_run(&r->hand, !r->paused);
      note(notes, SAR_NOTE_LOG, time, "%s", r->paused ? "pause" : "run");
      return;
    case SAR_DO_STEP:
      r->paused = true;
      if (sar_hand_clock_runs(&r->hand)) sar_hand_clock_run(&r->hand, false);
      r->wanted += c->count;
      return;
    case SAR_DO_SPEED:
      pthread_mutex_lock(&r->queue);
      r->speed = c->value;
      pthread_mutex_unlock(&r->queue);
      sar_hand_clock_speed(&r->hand, c->value);
      note(notes, SAR_NOTE_LOG, time, "speed %g", c->value);
      return;
    case SAR_DO_RESET: reset(r, time, notes); return;
    default: return;
  }
}

static void look_for_end(SarSetRun* r, double time, SarRing* notes) {
  SarCoupleReport report;
  if (atomic_load(&r->ended) || !r->couple || !sar_couple_wait(r->couple, 0)) return;
  atomic_store(&r->ended, true);
  if (sar_couple_report(r->couple, &report) == SAR_OK && report.status != SAR_OK)
    note(notes, SAR_NOTE_LOG, time, "%.190s", report.trouble);
  else
    note(notes, SAR_NOTE_LOG, time, "the end at %g s is reached; reset begins anew", time);
  note(notes, SAR_NOTE_STATE, time, "%s", "");
}

static void wait_for_them(SarSetRun* r, double time) {
  const double behind = 1e-9 * (double)r->clock.now(&r->hand) - r->offset - time;
  const bool slow = behind > FORGIVEN * fmax(1, sar_set_run_speed(r));
  if (!r->begun || atomic_load(&r->ended)) return;
  sar_hand_clock_hold(&r->hand, slow);
  atomic_store(&r->slow, slow);
}

bool sar_set_run_obey(SarSetRun* r, bool woken, bool there, double time, SarRing* notes) {
  SarCommand c;
  bool any = false, other = false;
  while (sar_ring_get(&r->commands, &c)) {
    obey(r, &c, time, notes);
    any = true;
    other = other || c.kind == SAR_DO_RESET;
  }
  there = there && !other;
  if (!r->begun && !there && !atomic_load(&r->ended)) sar_hand_clock_step(&r->hand, CREEP);
  if (!r->begun && there && woken) {
    r->begun = any = true;
    r->offset = 1e-9 * (double)r->clock.now(&r->hand) - time;
    sar_hand_clock_run(&r->hand, !r->paused);
  }
  if (r->begun && r->wanted > 0) {
    sar_hand_clock_step(&r->hand, r->wanted * r->step);
    r->wanted = 0;
  }
  look_for_end(r, time, notes);
  if (!other) wait_for_them(r, time);
  if (any) note(notes, SAR_NOTE_STATE, time, "%s", "");
  return other;
}
