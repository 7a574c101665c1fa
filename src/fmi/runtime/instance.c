// The life of an instance (instance.h).
#include "fmi/runtime/instance.h"

#include "base/alloc.h"
#include "base/print.h"
#include "sim/carry.h"
#include "sim/discrete.h"
#include "sim/events.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const double DRIFT = 1e-6;  // of constraints, where an importer names no tolerance

// ---- messages -----------------------------------------------------------------------------------

static const char* category_of(SarFmuStatus status) {
  return status == FMU_OK        ? "logEvents"
         : status == FMU_WARNING ? "logStatusWarning"
                                 : "logStatusError";
}

static void say(const SarFmu* f, SarFmuStatus status, const char* text) {
  if (f->log.say && (f->logging || status >= FMU_ERROR))
    f->log.say(f->log.owner, status, category_of(status), text);
}

SarFmuStatus sar_fmu_say(const SarFmu* f, SarFmuStatus status, const char* format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  say(f, status, text);
  return status;
}

SarFmuStatus sar_fmu_tell(const SarFmu* f, SarStatus status, const SarError* err,
                          const char* doing) {
  char line[1200];
  for (int i = 0; i < err->count; i++)
    say(f, err->items[i].severity == SAR_ERROR ? FMU_ERROR : FMU_WARNING,
        sar_error_format(err, i, line, sizeof line));
  if (status == SAR_OK) return FMU_OK;
  if (err->errors == 0) sar_fmu_say(f, FMU_ERROR, "%s: %s", doing, sar_status_text(status));
  return FMU_ERROR;
}

SarFmuStatus sar_fmu_step_failed(const SarFmu* f, SarStatus status) {
  const char* trouble = sar_sim_trouble(f->s);
  return sar_fmu_say(f, FMU_ERROR, "%s", trouble[0] ? trouble : sar_status_text(status));
}

void sar_fmu_tell_events(SarFmu* f) {
  const long count = sar_event_count(f->s);
  for (; f->events < count; f->events++) {
    SarEvent e;
    if (!f->logging || sar_event(f->s, f->events, &e) != SAR_OK) continue;
    sar_fmu_say(f, FMU_OK, "at t = %.9g: '%s' is switched %s", e.time, e.name, e.on ? "on" : "off");
  }
}

// ---- models -------------------------------------------------------------------------------------

SarFmuModel* sar_fmu_model_take(SarFmuModel* model) {
  model->users++;
  return model;
}

void sar_fmu_model_drop(SarFmuModel* model) {
  if (!model || --model->users > 0) return;
  sar_model_free(model->m);
  sar_free(model->value);
  sar_free(model->held);
  sar_free(model);
}

// With the values that are wanted; NULL after a message.
SarFmuModel* sar_fmu_model_make(const SarFmu* f) {
  const size_t n = (size_t)f->source.parameters.count;
  SarError err;
  sar_error_init(&err);
  SarFmuModel* model = sar_alloc(sizeof *model);
  if (model) *model = (SarFmuModel){.users = 1, .value = sar_alloc((n + 1) * sizeof(double))};
  SarStatus st = model && model->value ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    for (size_t i = 0; i < n; i++)
      model->value[i] = f->value ? f->value[i] : f->source.parameters.items[i].value;
    st = sar_fmi_source_load(&f->source, model->value, &model->m, &err);
  }
  if (st == SAR_OK) model->held = sar_alloc(((size_t)model->m->nheld + 1) * sizeof(double));
  if (st == SAR_OK && !model->held) st = SAR_NO_MEMORY;
  if (st == SAR_OK && f->model && !sar_model_is_like(f->model->m, model->m)) {
    sar_fmu_say(f, FMU_ERROR, "with these values of parameters the model has other parts");
    st = SAR_BAD_ARGUMENT;
  } else {
    sar_fmu_tell(f, st, &err, "loading the model");
  }
  if (st == SAR_OK) return model;
  sar_fmu_model_drop(model);
  return NULL;
}

static bool same_values(const SarFmu* f) {
  const size_t n = (size_t)f->source.parameters.count;
  return n == 0 || memcmp(f->model->value, f->value, n * sizeof *f->value) == 0;
}

// ---- simulations --------------------------------------------------------------------------------

void sar_fmu_touch(SarFmu* f) { f->output_is_new = f->rates_are_new = false; }

static SarStatus make_sim(SarFmu* f, const SarModel* m, SarData* d, SarSim** out, SarError* err) {
  SarSimOptions o = f->source.settings.sim;
  o.cancel = &f->pause;
  return sar_sim_new(m, d, &o, out, err);
}

static void put_inputs(const SarFmu* f, SarData* d) {
  if (d->m->ninput > 0) memcpy(d->input, f->input, (size_t)d->m->ninput * sizeof *d->input);
}

static bool begins_elsewhere(const SarFmu* f) {
  for (int i = 0; i < f->description.num[SAR_FMI_STATE]; i++)
    if (f->x_given[i]) return true;
  return f->start != 0;
}

// The initial state of the file first, loops closed and samples taken; then what was set of it, and
// the same once more.
static SarStatus begin(SarFmu* f, const SarModel* m, SarData* d, SarSim** s, SarError* err) {
  put_inputs(f, d);
  SAR_TRY(make_sim(f, m, d, s, err));
  if (!begins_elsewhere(f)) return SAR_OK;
  const SarFmiDescription* p = &f->description;
  sar_set_time(d, f->start);
  double* const place[] = {d->q, d->v, d->z};
  const int num[] = {p->nq, p->nv, p->nz};
  for (int part = 0, i = 0; part < 3; part++)
    for (int k = 0; k < num[part]; k++, i++)
      if (f->x_given[i]) place[part][k] = f->x[i];
  sar_energy_restart(d);
  sar_sim_free(*s);
  *s = NULL;
  sar_discrete_begin(m, d);
  sar_events_begin(m, d);
  return make_sim(f, m, d, s, err);
}

static void take_over(SarFmu* f, SarFmuModel* model, SarData* d, SarSim* s) {
  sar_derivatives_free(f->w);
  sar_sim_free(f->s);
  sar_data_free(f->d);
  sar_fmu_model_drop(f->model);
  f->model = model;
  f->d = d;
  f->s = s;
  f->w = NULL;
  f->events = 0;
  f->stale = false;
  f->t_low = (double)-INFINITY;
  f->t_high = (double)INFINITY;
  f->sampled = d->t;
  sar_fmu_touch(f);
}

// A new beginning; false after a message, and nothing has changed.
static bool start_anew(SarFmu* f) {
  SarFmuModel* model = same_values(f) ? sar_fmu_model_take(f->model) : sar_fmu_model_make(f);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  if (!model) return false;
  sar_error_init(&err);
  SarStatus st = sar_data_new(model->m, &d, &err);
  if (st == SAR_OK) st = begin(f, model->m, d, &s, &err);
  sar_fmu_tell(f, st, &err, "beginning");
  if (st == SAR_OK) {
    take_over(f, model, d, s);
    return true;
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_fmu_model_drop(model);
  return false;
}

bool sar_fmu_adopt(SarFmu* f, SarFmuModel* model, const SarData* from, bool same_model) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  sar_error_init(&err);
  SarStatus st = sar_data_new(model->m, &d, &err);
  if (st == SAR_OK && same_model) st = sar_data_copy(d, from);
  if (st == SAR_OK && !same_model) sar_carry_over(d, from);
  if (st == SAR_OK) st = make_sim(f, model->m, d, &s, &err);
  sar_fmu_tell(f, st, &err, "going on");
  if (st == SAR_OK) {
    take_over(f, model, d, s);
    return true;
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_fmu_model_drop(model);
  return false;
}

bool sar_fmu_ready(SarFmu* f) {
  if (f->s && !f->stale) return true;
  if (f->mode == FMU_NEW || f->mode == FMU_STARTING || !f->s) return start_anew(f);
  // a tunable parameter has changed
  SarFmuModel* model = sar_fmu_model_make(f);
  if (model && sar_fmu_adopt(f, model, f->d, false)) return true;
  const size_t n = (size_t)f->source.parameters.count;
  memcpy(f->value, f->model->value, n * sizeof *f->value);
  f->stale = false;
  return false;
}

// ---- life ---------------------------------------------------------------------------------------

static bool make_room(SarFmu* f) {
  const SarFmiDescription* d = &f->description;
  SarArena* a = &f->source.arena;
  f->value = SAR_ARENA_ARRAY(a, double, d->num[SAR_FMI_PARAMETER] + 1);
  f->input = SAR_ARENA_ARRAY(a, double, d->num[SAR_FMI_INPUT] + 1);
  f->x = SAR_ARENA_ARRAY(a, double, d->num[SAR_FMI_STATE] + 1);
  f->dx = SAR_ARENA_ARRAY(a, double, d->num[SAR_FMI_STATE] + 1);
  f->x_given = SAR_ARENA_ARRAY(a, bool, d->num[SAR_FMI_STATE] + 1);
  f->output = SAR_ARENA_ARRAY(a, double, f->model->m->nchannel + 1);
  return !a->failed;
}

static void set_defaults(SarFmu* f) {
  const SarFmiDescription* d = &f->description;
  const SarModel* m = f->model->m;
  for (int i = 0; i < d->num[SAR_FMI_PARAMETER]; i++)
    f->value[i] = f->source.parameters.items[i].value;
  for (int i = 0; i < d->num[SAR_FMI_INPUT]; i++) f->input[i] = m->input_default[i];
  for (int i = 0; i < d->num[SAR_FMI_STATE]; i++) {
    f->x[i] = d->variable[d->first[SAR_FMI_STATE] + i].start;
    f->x_given[i] = false;
  }
  f->start = 0;
  f->tolerance = DRIFT;
}

static bool build(SarFmu* f, const SarFmuMake* how) {
  SarError err;
  SarData* d = NULL;
  sar_error_init(&err);
  const SarStatus opened = sar_fmi_source_open(&f->source, how->resources, &err);
  if (sar_fmu_tell(f, opened, &err, "opening the resources") != FMU_OK) return false;
  f->model = sar_fmu_model_make(f);
  if (!f->model) return false;
  sar_error_init(&err);
  SarStatus st = sar_data_new(f->model->m, &d, &err);
  if (st == SAR_OK)
    st = sar_fmi_describe(&f->source.arena, d, &f->source.parameters, f->source.settings.exchange,
                          &f->description);
  sar_data_free(d);
  if (st == SAR_OK && !make_room(f)) st = SAR_NO_MEMORY;
  if (sar_fmu_tell(f, st, &err, "instantiating") != FMU_OK) return false;
  if (strcmp(how->token, f->description.token) != 0) {
    sar_fmu_say(f, FMU_ERROR, "the token '%.60s' is not that of this FMU, which is '%s'",
                how->token, f->description.token);
    return false;
  }
  if (f->me && !f->source.settings.exchange) {
    sar_fmu_say(f, FMU_ERROR, "this FMU is for co-simulation alone");
    return false;
  }
  set_defaults(f);
  return true;
}

SarFmu* sar_fmu_new(const SarFmuMake* how) {
  SarFmu* f = sar_alloc(sizeof *f);
  if (!f) return NULL;
  *f = (SarFmu){.log = how->log, .logging = how->logging, .me = how->me};
  if (how->token && how->resources && build(f, how)) return f;
  if (!how->token || !how->resources)
    sar_fmu_say(f, FMU_ERROR, "an instance needs a token and the folder of resources");
  sar_fmu_free(f);
  return NULL;
}

void sar_fmu_free(SarFmu* f) {
  if (!f) return;
  sar_derivatives_free(f->w);
  sar_sim_free(f->s);
  sar_data_free(f->d);
  sar_fmu_model_drop(f->model);
  sar_fmi_source_close(&f->source);
  sar_free(f);
}

SarFmuStatus sar_fmu_enter_initialization(SarFmu* f, double start) {
  if (f->mode != FMU_NEW)
    return sar_fmu_say(f, FMU_ERROR, "initialisation comes once, before anything else");
  if (!isfinite(start)) return sar_fmu_say(f, FMU_ERROR, "the start time is no number");
  f->start = start;
  f->stale = true;
  if (!sar_fmu_ready(f)) return FMU_ERROR;
  f->mode = FMU_STARTING;
  return FMU_OK;
}

SarFmuStatus sar_fmu_exit_initialization(SarFmu* f) {
  if (f->mode != FMU_STARTING) return sar_fmu_say(f, FMU_ERROR, "it is not being initialised");
  if (!sar_fmu_ready(f)) return FMU_ERROR;
  f->mode = f->me ? FMU_EVENT : FMU_STEPPING;
  return FMU_OK;
}

SarFmuStatus sar_fmu_reset(SarFmu* f) {
  set_defaults(f);
  f->mode = FMU_NEW;
  f->stale = true;  // with the values of the file where they are others
  sar_fmu_touch(f);
  return FMU_OK;
}
