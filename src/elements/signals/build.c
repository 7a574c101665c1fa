// Blocks out of rules (build.h).
#include "elements/signals/build.h"

#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void signal_wrong(SarSignalBuild* b, int key, const char* hint, const char* format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const SarLoc loc = signal_given(b, key) ? b->s->value[key].loc : b->s->name.loc;
  sar_report(b->err, loc, hint, "%s '%s': %s", b->s->what, b->s->name.text, text);
}

// ---- rules --------------------------------------------------------------------------------------

void rule_add(SignalRule* r, const char* format, ...) {
  char piece[2048];
  va_list args;
  va_start(args, format);
  const int n = sar_vsnprintf(piece, sizeof piece, format, args);
  va_end(args);
  SAR_ASSERT(n < (int)sizeof piece - 1);
  SarArena* arena = &r->b->spec->arena;
  if (n < 0 || !sar_list_room(arena, (void**)&r->text, r->count, &r->capacity, n + 1, 1)) {
    r->b->failed = true;
    return;
  }
  memcpy(r->text + r->count, piece, (size_t)n + 1);
  r->count += n;
}

const char* rule_text(SignalRule* r) { return r->count > 0 ? r->text : "0"; }

static const char* full_name(SarSignalBuild* b, const char* local) {
  const char* name = sar_arena_printf(&b->spec->arena, "%s.%s", b->s->name.text, local);
  if (!name) b->failed = true;
  return name;
}

static const SarExpr* parse(SarSignalBuild* b, const char* text) {
  const SarExpr* e = sar_expr_parse(&b->spec->arena, text, strlen(text), b->s->name.loc, NULL);
  if (!e) b->failed = true;
  return e;
}

// fluid_density and its like: what the file says of the fluid, or that of a mineral oil.
const SarExpr* signal_fluid(SarSpec* spec, const char* name) {
  const SpecFluid* f = &spec->fluid;
  const struct {
    const char* name;
    const SpecNum* given;
    double usual;
  } list[] = {{"fluid_density", &f->density, 870},
              {"fluid_bulk", &f->bulk_modulus, 1.5e9},
              {"fluid_pressure", &f->pressure, 1e5},
              {"fluid_viscosity", &f->viscosity, 0.04},
              {"fluid_air", &f->air, 0},
              {"fluid_air_index", &f->air_index, 1.4},
              {"fluid_vapour", &f->vapour, 2000}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(list[i].name, name) == 0)
      return list[i].given->expr ? list[i].given->expr
                                 : sar_expr_number(&spec->arena, list[i].usual);
  return NULL;
}

static const SarExpr* put_in(void* context, const char* name);

static const SarExpr* expression(SarSignalBuild* b, const char* rule) {
  const SarExpr* e = parse(b, rule);
  e = e ? sar_expr_replace(&b->spec->arena, e, put_in, b) : NULL;
  if (!e) b->failed = true;
  return e;
}

// What number `at` of a key's list is written as: a_3 is the third number of key `a`.
static const SarExpr* listed(const SarSignalBuild* b, const char* name) {
  const char* line = strrchr(name, '_');
  int at = 0;
  if (!line || sscanf(line + 1, "%d", &at) != 1) return NULL;
  for (int i = 0; i < b->s->kind->nkey; i++) {
    const SarSignalKey* key = &b->s->kind->key[i];
    if (key->type == SAR_SIGNAL_NUMBER || strlen(key->name) != (size_t)(line - name)) continue;
    if (strncmp(key->name, name, (size_t)(line - name)) != 0) continue;
    return at >= 1 && at <= b->s->value[i].count ? b->s->value[i].numbers[at - 1].expr : NULL;
  }
  return NULL;
}

static const SarExpr* put_in(void* context, const char* name) {
  SarSignalBuild* b = context;
  const SarSignalKind* kind = b->s->kind;
  for (int i = 0; i < kind->nkey; i++) {
    if (kind->key[i].type != SAR_SIGNAL_NUMBER) continue;
    if (strcmp(i == 0 ? "x" : kind->key[i].name, name) != 0) continue;
    if (signal_given(b, i)) return b->s->value[i].numbers[0].expr;
    return expression(b, kind->key[i].def && kind->key[i].def[0] ? kind->key[i].def : "0");
  }
  for (int i = 0; i < b->nlocal; i++) {
    if (strcmp(b->local[i], name) != 0) continue;
    const char* full = full_name(b, name);
    return full ? parse(b, full) : NULL;
  }
  const SarExpr* number_of_list = listed(b, name);
  return number_of_list ? number_of_list : signal_fluid(b->spec, name);
}

SpecNum signal_number(SarSignalBuild* b, const char* rule) {
  return (SpecNum){expression(b, rule), b->s->name.loc};
}

// ---- parts --------------------------------------------------------------------------------------

void signal_name(SarSignalBuild* b, const char* local) {
  SAR_ASSERT(!sar_expr_is_reserved(local));
  if (b->nlocal < SAR_SIGNAL_MOST) b->local[b->nlocal++] = local;
}

void signal_state(SarSignalBuild* b, const char* local, const char* rate, const char* start) {
  SpecState* state = SAR_LIST_ADD(&b->spec->arena, &b->spec->states);
  if (!state) {
    b->failed = true;
    return;
  }
  *state = (SpecState){
      .rate = {{full_name(b, local), b->s->name.loc}, signal_number(b, rate)},
      .start = signal_number(b, start),
  };
}

static SpecDiscrete* add_discrete(SarSignalBuild* b, const char* local, SarDiscreteKind kind,
                                  const char* start) {
  SpecDiscrete* x = SAR_LIST_ADD(&b->spec->arena, &b->spec->discrete);
  if (!x) {
    b->failed = true;
    return NULL;
  }
  *x = (SpecDiscrete){.next.name = {full_name(b, local), b->s->name.loc},
                      .kind = kind,
                      .start = signal_number(b, start)};
  return x;
}

static void add_sampled(SarSignalBuild* b, const char* local, SarDiscreteKind kind,
                        const char* value, const char* start) {
  SpecDiscrete* x = add_discrete(b, local, kind, start);
  if (!x) return;
  x->next.value = signal_number(b, value);
  x->period = signal_number(b, b->period ? b->period : "period");
  x->offset = signal_number(b, b->offset ? b->offset : "offset");
}

void signal_sample(SarSignalBuild* b, const char* local, const char* value, const char* start) {
  add_sampled(b, local, SAR_SAMPLE, value, start);
}

void signal_delay(SarSignalBuild* b, const char* local, const char* value, const char* start) {
  add_sampled(b, local, SAR_DELAY, value, start);
}

void signal_called(SarSignalBuild* b, const SpecCall* call, SarCallRole role, int place,
                   const char* value) {
  static const char* const name[] = {"in%d", "x%d", "held%d"};
  const char* local = sar_arena_printf(&b->spec->arena, name[role], place + 1);
  SpecDiscrete* x =
      local ? add_discrete(b, local, SAR_SAMPLE, role == SAR_CALL_OUTPUT ? "start" : "0") : NULL;
  if (!x) {
    b->failed = true;
    return;
  }
  x->next.value = signal_number(b, value);
  x->period = signal_number(b, "period");
  x->offset = signal_number(b, "offset");
  x->call = call, x->role = role, x->place = place;
}

void signal_relay(SarSignalBuild* b, const char* local, const char* rise, const char* fall,
                  const char* start) {
  SpecDiscrete* x = add_discrete(b, local, SAR_RELAY, start);
  if (!x) return;
  x->rise = signal_number(b, rise);
  x->fall = signal_number(b, fall);
}

static void add_variable(SarSignalBuild* b, const char* name, const char* rule) {
  SpecParameter* variable = SAR_LIST_ADD(&b->spec->arena, &b->spec->variables);
  SpecName* listed_name = SAR_LIST_ADD(&b->spec->arena, &b->spec->signals);
  if (!variable || !listed_name || !name) {
    b->failed = true;
    return;
  }
  *listed_name = (SpecName){name, b->s->name.loc};
  *variable = (SpecParameter){*listed_name, signal_number(b, rule)};
}

void signal_value(SarSignalBuild* b, const char* rule) { add_variable(b, b->s->name.text, rule); }

void signal_output(SarSignalBuild* b, const char* local, const char* rule) {
  add_variable(b, full_name(b, local), rule);
}

// ---- the whole ----------------------------------------------------------------------------------

static void check_positive(SarSignalBuild* b) {
  for (int i = 0; i < b->s->kind->nkey; i++) {
    const SarSignalKey* key = &b->s->kind->key[i];
    if (!key->positive || !signal_given(b, i)) continue;
    SpecPositive* p = SAR_LIST_ADD(&b->spec->arena, &b->spec->positive);
    if (!p) {
      b->failed = true;
      return;
    }
    *p = (SpecPositive){b->s->name, key->name, b->s->value[i].numbers[0]};
  }
}

bool sar_signal_expand(SarSpec* spec, const SpecSignal* signal, SarError* err) {
  SarSignalBuild b = {.spec = spec, .s = signal, .err = err};
  check_positive(&b);
  signal->kind->build(&b);
  return !b.failed;
}
