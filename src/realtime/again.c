// The CPU time of a thread also holds what is not its own: what the host of a virtual machine took
// (steal time), the interrupts and the firmware that ran in its name. So a frame whose steps took
// more of it than the period is computed again once the loop has ended, from a state that was kept
// before it and with the inputs that it had:
//
//   same state hash behind it         it was the same computation, to the bit
//   least CPU time of five passes     what that computation takes: more than the period, and the
//                                     engine is to blame
//
// A state is kept now and then, where the loop has time left before its next tick (sar_data_copy,
// no call of the system); inputs are kept in every frame. Steps that cannot be made again are not
// judged: functions of the program's own have states that nobody knows here, a budget of time and a
// ladder of methods depend on the clock.
#include "realtime/again.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 16, MOST_BYTES = 64 << 20, LOG = 128, PASSES = 5, ROOM = 4, SPARE = 20000 };

typedef struct Slot {
  SarData* state;    // before the first of its frames
  long long number;  // of that frame
  double* input;     // of all inputs, frame after frame
  int frames;        // since then
  bool valid;
  int kept;  // the overrun that its last frame is; -1: none
  unsigned long long hash;
} Slot;

typedef struct SarAgain {
  Slot slot[MOST_SLOTS];
  int slots, now;  // present one; `slots`: all are taken
  size_t inputs;   // bytes of a frame's
  long long copy;  // ns that keeping a state takes
  SarData* d;      // of the frames that are computed again
  SarSim* s;
  double* outputs;
} SarAgain;

// ---- made ---------------------------------------------------------------------------------------

static bool is_repeatable(const SarRealtime* rt) {
  return rt->clock.cpu == sar_rt_system_clock.cpu && rt->rungs == 1 &&
         rt->o.policy != SAR_RT_DEGRADE && rt->m->ncall == 0 && !(rt->sim.budget > 0);
}

static SarStatus make_slot(SarAgain* a, const SarRealtime* rt, SarError* err) {
  Slot* x = &a->slot[a->slots];
  *x = (Slot){.kept = -1};
  a->slots++;
  x->input = sar_alloc(a->inputs * LOG + 1);
  if (!x->input) return SAR_NO_MEMORY;
  memset(x->input, 0, a->inputs * LOG + 1);  // touched
  SAR_TRY(sar_data_new(rt->m, &x->state, err));
  return sar_data_copy(x->state, rt->d);
}

static SarStatus make(SarAgain* a, const SarRealtime* rt, SarError* err) {
  const size_t each = sar_data_size(rt->m) + rt->d->method.bytes + LOG * a->inputs;
  const int most = each > MOST_BYTES / MOST_SLOTS ? (int)(MOST_BYTES / each) : MOST_SLOTS;
  if (most == 0) return SAR_OVER_LIMIT;
  while (a->slots < most) SAR_TRY(make_slot(a, rt, err));
  a->outputs = sar_alloc(sizeof *a->outputs * (size_t)(rt->m->nchannel + 1));
  if (!a->outputs) return SAR_NO_MEMORY;
  SAR_TRY(sar_data_new(rt->m, &a->d, err));
  SAR_TRY(sar_data_copy(a->d, rt->d));
  return sar_sim_new(rt->m, a->d, &rt->sim, &a->s, err);
}

// A run does without where a limit leaves no room for it: what this needs is no reason to refuse
// one.
SarStatus sar_again_new(const SarRealtime* rt, SarAgain** out) {
  SarError dropped;
  sar_error_init(&dropped);
  *out = NULL;
  if (!is_repeatable(rt)) return SAR_OK;
  SarAgain* a = sar_alloc(sizeof *a);
  if (!a) return SAR_NO_MEMORY;
  a->inputs = sizeof(double) * (size_t)rt->m->ninput;
  const SarStatus st = make(a, rt, &dropped);
  if (st == SAR_OK)
    *out = a;
  else
    sar_again_free(a);
  return st == SAR_NO_MEMORY ? st : SAR_OK;
}

void sar_again_free(SarAgain* a) {
  if (!a) return;
  for (int i = 0; i < a->slots; i++) {
    sar_data_free(a->slot[i].state);
    sar_free(a->slot[i].input);
  }
  sar_sim_free(a->s);
  sar_data_free(a->d);
  sar_free(a->outputs);
  sar_free(a);
}

// ---- by the loop --------------------------------------------------------------------------------

static Slot* present(SarAgain* a) { return a && a->now < a->slots ? &a->slot[a->now] : NULL; }

static void keep_state(Slot* x, const SarRealtime* rt) {
  x->valid = sar_data_copy(x->state, rt->d) == SAR_OK;
  x->number = rt->live.number;
  x->frames = 0;
}

void sar_again_begin(SarAgain* a, const SarRealtime* rt) {
  Slot* x = present(a);
  if (!x) return;
  const long long from = rt->clock.now(rt->clock.context);
  keep_state(x, rt);
  a->copy = rt->clock.now(rt->clock.context) - from;
}

void sar_again_note(SarAgain* a, const SarRealtime* rt) {
  Slot* x = present(a);
  if (!x || !x->valid) return;
  x->valid = x->frames < LOG;
  if (!x->valid) return;
  memcpy((char*)x->input + a->inputs * (size_t)x->frames, rt->d->input, a->inputs);
  x->frames++;
}

void sar_again_keep(SarAgain* a, const SarRealtime* rt, long long left) {
  Slot* x = present(a);
  if (x && (!x->valid || x->frames >= LOG / 2) && left > ROOM * a->copy + SPARE) keep_state(x, rt);
}

void sar_again_overrun(SarAgain* a, const SarRealtime* rt, int kept) {
  Slot* x = present(a);
  if (!x || !x->valid || x->frames == 0) return;
  x->kept = kept;
  x->hash = sar_state_hash(rt->d);
  a->now++;
}

// ---- judged -------------------------------------------------------------------------------------

// CPU time of the last frame [s]; NaN: it is another computation.
static double compute(SarAgain* a, const SarRealtime* rt, const Slot* x) {
  double before = 0;
  SarStatus st = sar_data_copy(a->d, x->state);
  for (int k = 0; k < x->frames && st == SAR_OK; k++) {
    memcpy(a->d->input, (const char*)x->input + a->inputs * (size_t)k, a->inputs);
    before = sar_clock_cpu();
    st = sar_advance(a->s, sar_rt_time(rt, x->number + k + 1));
    if (st == SAR_OK && (rt->outside || rt->o.exchange)) st = sar_outputs(a->s, a->outputs);
  }
  const double took = sar_clock_cpu() - before;
  return st == SAR_OK && sar_state_hash(a->d) == x->hash ? took : (double)NAN;
}

static void judge(SarAgain* a, SarRealtime* rt, const Slot* x) {
  SarRtOverrun* o = &rt->live.overrun[x->kept];
  double least = compute(a, rt, x);
  for (int pass = 1; pass < PASSES && !isnan(least); pass++) least = fmin(least, compute(a, rt, x));
  if (isnan(least)) return;
  o->again = least;
  if (least > rt->period) return;
  o->cause = SAR_RT_STOLEN;
  rt->live.by[SAR_RT_COMPUTATION]--;
  rt->live.by[SAR_RT_STOLEN]++;
}

void sar_again_judge(SarAgain* a, SarRealtime* rt) {
  for (int i = 0; a && i < a->slots; i++) {
    if (a->slot[i].kept >= 0) judge(a, rt, &a->slot[i]);
    a->slot[i].kept = -1;
  }
}
