// The life of coupled simulators: read, opened, run in one thread or in one each, reported.
#include "realtime/couple.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "io/source.h"
#include "realtime/outside.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

static const double WHOLE = 1e-9;  // of a rate: so near is a whole multiple
enum {
  MOST_FRAMES = 10000,
  ROUNDS = 10
};  // of a simulator in one of the exchange; before the first
#define USUAL_END 10.0

// ---- read ---------------------------------------------------------------------------------------

SAR_API bool sar_couple_is(const char* path) {
  SarError err;
  SarFileText file;
  if (!path) return false;
  sar_error_init(&err);
  const bool couples =
      sar_file_open(path, SAR_MAX_FILE, true, (SarLoc){0}, &file, &err) == SAR_OK &&
      sar_yaml_couples(file.text, file.size);
  sar_file_close(&file);
  return couples;
}

// How many frames of its own a simulator makes in one of the exchange.
static void take_rate(const SarCouple* c, const CoupleSimulator* s, SarMember* m, SarError* err) {
  const double n = s->rate > 0 ? s->rate / c->spec.rate : 1;
  m->frames = (int)round(fmin(fmax(n, 1), MOST_FRAMES));
  if (n < MOST_FRAMES + 0.5 && fabs(n - m->frames) <= WHOLE * n) return;
  sar_report(err, s->name.loc, "take the rate of the exchange, twice, three times, ... that",
             "simulator '%.60s': a rate of %g Hz is not a whole multiple of %g Hz, up to %d",
             s->name.text, s->rate, c->spec.rate, MOST_FRAMES);
}

// The program's parameters are those of the coupling's file, which hands on what it likes.
static SarStatus load_member(SarCouple* c, int k, const SarLoadOptions* o, SarError* err) {
  const CoupleSimulator* s = &c->spec.simulators.items[k];
  SarMember* m = &c->member[k];
  *m = (SarMember){.c = c, .name = s->name.text, .core = s->core};
  atomic_store(&m->published, -1);
  SarLoadOptions own = {0};
  if (o) own = *o;
  own.parameters = s->set.items;
  own.parameter_count = s->set.count;
  take_rate(c, s, m, err);
  SAR_TRY(sar_model_load(s->path, &own, &m->m, err));
  m->outputs = sar_model_count(m->m, SAR_ITEM_OUTPUT);
  return SAR_OK;
}

static SarStatus load(SarCouple* c, const char* path, const SarLoadOptions* o, SarError* err) {
  const int errors = err->errors;
  SAR_TRY(sar_read_couple(path, o, &c->spec, err));
  const int n = c->spec.simulators.count;
  if (n > SAR_COUPLE_MOST) {
    sar_report(err, c->spec.loc, "", "at most %d simulators, not %d", SAR_COUPLE_MOST, n);
    return SAR_BAD_MODEL;
  }
  c->member = sar_alloc(sizeof *c->member * (size_t)n);
  if (!c->member) return SAR_NO_MEMORY;
  c->members = n;
  c->rate = c->spec.rate;
  SarStatus bad = SAR_OK;
  for (int k = 0; k < n; k++) {
    const SarStatus st = load_member(c, k, o, err);
    if (bad == SAR_OK) bad = st;
  }
  SAR_TRY(bad);
  SAR_TRY(sar_couple_resolve(c, err));
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

SAR_API SarStatus sar_couple_load_sized(const char* path, const SarLoadOptions* given, size_t size,
                                        SarCouple** out, SarError* err) {
  SarError own;
  SarLoadOptions o = {0};
  if (!err) sar_error_init(err = &own);
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(path);
  if (given) sar_give(&o, sizeof o, given, size);
  SarCouple* c = sar_alloc(sizeof *c);
  if (!c) return SAR_NO_MEMORY;
  const SarStatus st = load(c, path, given ? &o : NULL, err);
  if (st == SAR_OK)
    *out = c;
  else
    sar_couple_free(c);
  return st;
}

// ---- what is in it ------------------------------------------------------------------------------

static const SarMember* member(const SarCouple* c, int k) {
  return c && k >= 0 && k < c->members ? &c->member[k] : NULL;
}

SAR_API int sar_couple_count(const SarCouple* c) { return c ? c->members : 0; }

SAR_API const char* sar_couple_name(const SarCouple* c, int k) {
  return member(c, k) ? member(c, k)->name : NULL;
}

SAR_API const SarModel* sar_couple_model(const SarCouple* c, int k) {
  return member(c, k) ? member(c, k)->m : NULL;
}

SAR_API SarRealtime* sar_couple_realtime(const SarCouple* c, int k) {
  return member(c, k) ? member(c, k)->rt : NULL;
}

SAR_API bool sar_couple_signal(const SarCouple* c, int signal, const char** to, const char** from) {
  for (int k = 0; c && signal >= 0 && k < c->members; k++) {
    const SarMember* m = &c->member[k];
    if (signal < m->inputs) {
      if (to) *to = m->input[signal].to_name;
      if (from) *from = m->input[signal].from_name;
      return true;
    }
    signal -= m->inputs;
  }
  return false;
}

// ---- opened -------------------------------------------------------------------------------------

SAR_API void sar_couple_options_sized(SarCoupleOptions* out, size_t size) {
  const SarCoupleOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

static SarStatus open_member(SarCouple* c, int k, const SarRtOptions* given, const char* record,
                             SarError* err) {
  SarMember* m = &c->member[k];
  SarRtOptions o = *given;
  o.rate = c->rate * m->frames;
  o.end = c->end;
  o.core = m->core >= 0 ? m->core : given->core;
  o.record = record;
  o.model = c->spec.simulators.items[k].path;
  o.exchange = sar_couple_exchange;
  o.on_loop = sar_couple_on_loop;
  o.context = m;
  for (int i = 0; i < SAR_COUPLE_SLOTS; i++) {
    m->slot[i] = sar_alloc(sizeof(double) * (size_t)(m->outputs + 1));
    if (!m->slot[i]) return SAR_NO_MEMORY;
    memset(m->slot[i], 0, sizeof(double) * (size_t)(m->outputs + 1));  // touched
  }
  o.ports = m->port;
  o.port_count = m->ports;
  bool* taken = sar_alloc(sizeof *taken * (size_t)(sar_model_count(m->m, SAR_ITEM_INPUT) + 1));
  if (!taken) return SAR_NO_MEMORY;
  for (int i = 0; i < m->inputs; i++) taken[m->input[i].input] = true;
  const SarRtPlace place = {m->name, taken, m->whole};
  const SarStatus st = sar_rt_new_among(m->m, &o, &place, &m->rt, err);
  sar_free(taken);
  SAR_TRY(st);
  m->rt->made = sar_couple_made;
  return SAR_OK;
}

static SarStatus refuse(SarError* err, const char* hint, const char* text) {
  sar_report(err, (SarLoc){0}, hint, "%s", text);
  return SAR_BAD_ARGUMENT;
}

// Before the first frame the inputs are those of the model files, and what follows from them (a
// reaction, say) belongs to no motion. So values are exchanged some times without a step
// (fixed-point iteration at the start): what passes straight through the simulators settles by its
// gain in every round.
static SarStatus settle(SarCouple* c) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < c->members; k++) SAR_TRY(sar_rt_fill_outputs(c->member[k].rt));
    for (int k = 0; k < c->members; k++)
      for (int i = 0; i < c->member[k].inputs; i++) {
        const SarCoupleInput* x = &c->member[k].input[i];
        const SarMember* from = &c->member[x->from];
        const double* now = from->rt->outputs;  // time first, as everywhere
        const double u = x->gain * now[x->column < from->outputs ? 1 + x->column : 0];
        if (isfinite(u)) sar_inputs(c->member[k].rt->d)[x->input] = u;
      }
  }
  // energy that follows from inputs is counted from here on
  for (int k = 0; k < c->members; k++) sar_energy_restart(c->member[k].rt->d);
  return SAR_OK;
}

SAR_API SarStatus sar_couple_open(SarCouple* c, const SarCoupleOptions* given, SarError* err) {
  SAR_GIVEN(c && !c->opened);
  SarCoupleOptions o = sar_couple_options();
  if (given) SAR_TRY(sar_take_options(&o, sizeof o, given, "sar_couple_options", err));
  SarRtOptions rt = sar_rt_options();
  if (o.rt) SAR_TRY(sar_take_options(&rt, sizeof rt, o.rt, "sar_rt_options", err));
  if (rt.policy == SAR_RT_DEGRADE)
    return refuse(err, "skip, slip, stop or catch-up",
                  "coupled simulators have no ladder to step down");
  if (rt.port_count > 0 || rt.exchange || rt.on_loop || rt.sim || rt.start)
    return refuse(
        err, "methods are said in the models",
        "coupled simulators have no hooks or methods of the program, and ports of their own");
  c->end = o.end > 0 ? o.end : c->spec.end > 0 ? c->spec.end : USUAL_END;
  c->opened = true;
  SAR_TRY(sar_couple_take_ports(c, o.ports, o.port_count, err));
  for (int k = 0; k < c->members; k++)
    SAR_TRY(open_member(c, k, &rt, o.record ? o.record[k] : NULL, err));
  return settle(c);
}

SAR_API void sar_couple_free(SarCouple* c) {
  if (!c) return;
  sar_couple_stop(c);
  // one that is still in its last frame reads what the others have
  for (int k = 0; k < c->members; k++) (void)sar_rt_wait(c->member[k].rt, -1);
  for (int k = 0; k < c->members; k++) {
    SarMember* m = &c->member[k];
    sar_rt_free(m->rt);
    for (int i = 0; i < SAR_COUPLE_SLOTS; i++) sar_free(m->slot[i]);
    sar_model_free(m->m);
  }
  sar_free(c->member);
  sar_couple_spec_free(&c->spec);
  sar_free(c);
}

// ---- in one thread ------------------------------------------------------------------------------

// The frames of a simulator up to the next exchange, or to the end.
static SarStatus advance(SarMember* m) {
  SarStatus st = SAR_OK;
  for (int j = 0; j < m->frames && st == SAR_OK && m->rt->live.number < m->rt->last; j++) {
    if (m->rt->outside) sar_outside_make_room(m->rt->outside);
    st = sar_rt_frame_freely(m->rt);
  }
  return st;
}

static bool is_done(const SarCouple* c) {
  bool done = true;
  for (int k = 0; k < c->members; k++)
    done = done && c->member[k].rt->live.number >= c->member[k].rt->last;
  return done || atomic_load(&c->member[0].rt->stop);
}

SAR_API SarStatus sar_couple_run(SarCouple* c, SarError* err) {
  SAR_GIVEN(c && c->opened && !c->begun && c->member[c->members - 1].rt);
  struct rusage before[SAR_COUPLE_MOST];
  SarStatus st[SAR_COUPLE_MOST], bad = SAR_OK;
  c->begun = true;
  for (int k = 0; k < c->members; k++) {
    st[k] = sar_rt_begin(c->member[k].rt, &before[k]);
    if (bad == SAR_OK) bad = st[k];
  }
  while (bad == SAR_OK && !is_done(c))
    for (int k = 0; k < c->members && bad == SAR_OK; k++) bad = st[k] = advance(&c->member[k]);
  for (int k = 0; k < c->members; k++) {
    sar_rt_end(c->member[k].rt, &before[k], st[k]);
    sar_rt_end_recording(c->member[k].rt);
  }
  SarCoupleReport r;
  SAR_TRY(sar_couple_report(c, &r));
  if (r.status != SAR_OK) sar_report(err, (SarLoc){0}, "", "%s", r.trouble);
  return r.status;
}

// ---- in threads of their own --------------------------------------------------------------------

SAR_API SarStatus sar_couple_start(SarCouple* c, SarError* err) {
  SAR_GIVEN(c && c->opened && !c->begun && c->member[c->members - 1].rt);
  c->begun = true;
  atomic_store(&c->beat.absent, c->members);
  for (int k = 0; k < c->members; k++) {
    c->member[k].rt->beat = &c->beat;
    const SarStatus st = sar_rt_start(c->member[k].rt, err);
    if (st == SAR_OK) continue;
    sar_couple_stop(c);
    return st;
  }
  return SAR_OK;
}

SAR_API bool sar_couple_wait(SarCouple* c, double seconds) {
  bool ended = true;
  for (int k = 0; c && k < c->members; k++)
    if (c->member[k].rt) ended = sar_rt_wait(c->member[k].rt, seconds) && ended;
  return ended;
}

SAR_API void sar_couple_stop(SarCouple* c) {
  for (int k = 0; c && k < c->members; k++) sar_rt_stop(c->member[k].rt);
}

// ---- reported -----------------------------------------------------------------------------------

// One that ended because another did is no failure of its own.
static void find_trouble(SarCouple* c, SarCoupleReport* p) {
  for (int k = 0; k < c->members; k++) {
    const SarMember* m = &c->member[k];
    if (m->rt->status == SAR_OK || m->alone || p->status != SAR_OK) continue;
    p->status = m->rt->status;
    sar_snprintf(c->trouble, sizeof c->trouble, "simulator '%.60s': %s", m->name,
                 m->rt->trouble[0] ? m->rt->trouble : sar_status_text(p->status));
  }
}

static void add_energy(const SarCouple* c, SarCoupleReport* p) {
  p->audited = c->works > 0;
  for (int i = 0; i < c->works; i++) {
    const double w = c->member[c->work[i].member].rt->outputs[1 + c->work[i].column];
    p->energy += w;
    p->exchanged += fabs(w) / 2;
  }
}

SAR_API SarStatus sar_couple_report_sized(SarCouple* c, SarCoupleReport* out, size_t size) {
  SAR_GIVEN(c && out && c->begun && sar_couple_wait(c, 0));
  SarCoupleReport p = {.trouble = c->trouble, .period = 1 / c->rate, .time = (double)INFINITY};
  c->trouble[0] = 0;
  find_trouble(c, &p);
  for (int k = 0; k < c->members; k++) p.time = fmin(p.time, c->member[k].rt->live.time);
  add_energy(c, &p);
  sar_give(out, size, &p, sizeof p);
  return SAR_OK;
}
