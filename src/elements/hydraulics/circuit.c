// Balances of hydraulic nodes (circuit.h).
#include "elements/hydraulics/circuit.h"

#include "base/text.h"

#include <string.h>

// ---- what elements say --------------------------------------------------------------------------

const char* circuit_port(SarSignalBuild* b, int port) {
  const SpecNum* n = &b->s->value[0].numbers[port];
  const char* name = sar_expr_name(n->expr);
  if (!name)
    sar_report(b->err, n->loc, "give the name of a node",
               "%s '%s': what it is connected to is no name", b->s->what, b->s->name.text);
  return name;
}

bool circuit_ports(SarSignalBuild* b, int count, const char* names) {
  if (signal_given(b, 0) && signal_count(b, 0) == count) {
    for (int i = 0; i < count; i++)
      if (!circuit_port(b, i)) return false;
    return true;
  }
  signal_wrong(b, 0, names, "is connected to %d nodes, found %d", count, signal_count(b, 0));
  return false;
}

static SpecFlow* flow_of(SarSignalBuild* b, int port) {
  const char* name = circuit_port(b, port);
  SpecFlow* f = name ? SAR_LIST_ADD(&b->spec->arena, &b->spec->flows) : NULL;
  if (!f) {
    b->failed = b->failed || name;
    return NULL;
  }
  *f = (SpecFlow){.node = {name, b->s->value[0].numbers[port].loc}};
  return f;
}

void circuit_path(SarSignalBuild* b, const char* local, int from, int to, const char* rule) {
  SignalRule out = {.b = b}, in = {.b = b};
  signal_output(b, local, rule);
  signal_name(b, local);
  rule_add(&in, "%s", local);
  rule_add(&out, "-%s", local);
  SpecFlow* f = flow_of(b, from);
  if (f) f->flow = signal_number(b, rule_text(&out));
  f = flow_of(b, to);
  if (f) f->flow = signal_number(b, rule_text(&in));
}

void circuit_holds(SarSignalBuild* b, int port, const char* volume, const char* growth,
                   const char* compliance) {
  SpecFlow* f = flow_of(b, port);
  if (!f) return;
  if (volume) f->volume = signal_number(b, volume);
  if (growth) f->growth = signal_number(b, growth);
  if (compliance) f->compliance = signal_number(b, compliance);
}

void circuit_node(SarSignalBuild* b, const char* start) {
  SpecFluidNode* node = SAR_LIST_ADD(&b->spec->arena, &b->spec->fluid_nodes);
  if (!node) {
    b->failed = true;
    return;
  }
  *node = (SpecFluidNode){.name = b->s->name, .given = !start};
  if (start) node->start = signal_number(b, start);
}

const char* circuit_opening(SarSignalBuild* b, const char* area, int from, int to) {
  const char* key = b->s->kind->name;
  SignalRule r = {.b = b};
  rule_add(&r, "cd*(%s)*sqrt(2/fluid_density)*(%s_%d - %s_%d)", area, key, from + 1, key, to + 1);
  rule_add(&r, "/sqrt(sqrt((%s_%d - %s_%d)^2 + laminar^2))", key, from + 1, key, to + 1);
  return rule_text(&r);
}

// ---- balances -----------------------------------------------------------------------------------

typedef struct Balance {
  SarSpec* spec;
  SarError* err;
  const SpecFluidNode* node;
} Balance;

// Terms of a sum are called Q7, V7, G7, K7 after entry 7 of spec->flows; p is the pressure.
static const SarExpr* term(void* context, const char* name) {
  const Balance* x = context;
  const char* digits = name + 1;
  int i = 0;
  const SarExpr* fluid = signal_fluid(x->spec, name);
  if (fluid) return fluid;
  if (strcmp(name, "p") == 0)
    return sar_expr_parse(&x->spec->arena, x->node->name.text, strlen(x->node->name.text),
                          x->node->name.loc, NULL);
  for (; *digits; digits++) i = 10 * i + *digits - '0';
  const SpecFlow* f = &x->spec->flows.items[i];
  switch (name[0]) {
    case 'Q': return f->flow.expr;
    case 'V': return f->volume.expr;
    case 'G': return f->growth.expr;
    default: return f->compliance.expr;
  }
}

static const SpecNum* number_of(const SpecFlow* f, char letter) {
  return letter == 'Q'   ? &f->flow
         : letter == 'V' ? &f->volume
         : letter == 'G' ? &f->growth
                         : &f->compliance;
}

// "(Q1 + Q4)" of a node; 0 where there are none. Returns how many.
static int add_sum(SignalRule* r, const Balance* x, char letter) {
  int count = 0;
  for (int i = 0; i < x->spec->flows.count; i++) {
    const SpecFlow* f = &x->spec->flows.items[i];
    if (strcmp(f->node.text, x->node->name.text) != 0 || !number_of(f, letter)->expr) continue;
    rule_add(r, "%s%c%d", count++ ? " + " : "(", letter, i);
  }
  rule_add(r, count ? ")" : "0");
  return count;
}

// Equation of state: r and dr/dp as rules of p. A share of air, by volume at the reference
// pressure, is compressed by its polytropic law; below the vapour pressure density falls a thousand
// times as fast.
static void add_state(SignalRule* r, const SpecFluid* f, bool slope) {
  const char* liquid = "(p - fluid_pressure)/fluid_bulk";
  if (f->vapour.expr) rule_add(r, slope ? "(1 + 999*(p < fluid_vapour))*" : "");
  if (f->air.expr) {
    static const char gas[] = "(fluid_pressure/max(p, 100))^(1/fluid_air_index)";
    rule_add(
        r,
        slope ? "((1 - fluid_air)/fluid_bulk + fluid_air*%s/(fluid_air_index*max(p, 100)))/" : "1/",
        gas);
    rule_add(r, "((1 - fluid_air)*(1 - %s) + fluid_air*%s)%s", liquid, gas, slope ? "^2" : "");
  } else {
    rule_add(r, slope ? "1/fluid_bulk" : "1 + %s", liquid);
  }
  if (f->vapour.expr && !slope) rule_add(r, " + 999*min(p - fluid_vapour, 0)/fluid_bulk");
}

static bool is_node(const SarSpec* s, const char* name) {
  for (int i = 0; i < s->fluid_nodes.count; i++)
    if (strcmp(s->fluid_nodes.items[i].name.text, name) == 0) return true;
  return false;
}

// Several flows of one element go to one port: a word of the file is told once.
static bool is_told(const SarSpec* s, int flow) {
  const SpecName* n = &s->flows.items[flow].node;
  for (int i = 0; i < flow; i++) {
    const SpecName* before = &s->flows.items[i].node;
    if (before->loc.line == n->loc.line && before->loc.column == n->loc.column &&
        strcmp(before->text, n->text) == 0)
      return true;
  }
  return false;
}

static void check_names(const Balance* x) {
  const SarSpec* s = x->spec;
  const char** names = SAR_ARENA_ARRAY(&x->spec->arena, const char*, s->fluid_nodes.count + 1);
  if (!names) return;
  for (int i = 0; i < s->fluid_nodes.count; i++) names[i] = s->fluid_nodes.items[i].name.text;
  for (int i = 0; i < s->flows.count; i++) {
    const SpecName* n = &s->flows.items[i].node;
    char hint[160] = "the file has none: add {volume: ...} or {pressure: ...}";
    if (is_node(s, n->text) || is_told(s, i)) continue;
    if (s->fluid_nodes.count)
      sar_text_offer(hint, sizeof hint, n->text, names, s->fluid_nodes.count);
    sar_report(x->err, n->loc, hint, "hydraulics: there is no node '%s'", n->text);
    // known from here on: expressions of its element would tell it again
    SpecParameter* known = SAR_LIST_ADD(&x->spec->arena, &x->spec->variables);
    if (known) *known = (SpecParameter){*n, {sar_expr_number(&x->spec->arena, 1e5), n->loc}};
  }
}

static bool put_rule(Balance* x, const char* rule, SpecNum* out) {
  SarArena* arena = &x->spec->arena;
  const SarExpr* e = sar_expr_parse(arena, rule, strlen(rule), x->node->name.loc, NULL);
  if (e) e = sar_expr_replace(arena, e, term, x);
  *out = (SpecNum){e, x->node->name.loc};
  return e != NULL;
}

static bool close_node(Balance* x) {
  SarSpec* s = x->spec;
  SarSignalBuild b = {.spec = s, .err = x->err};
  SignalRule rate = {.b = &b}, volume = {.b = &b};
  if (add_sum(&volume, x, 'V') == 0) {
    sar_report(x->err, x->node->name.loc, "", "node '%s' has no volume", x->node->name.text);
    return true;
  }
  rule_add(&rate, "(");
  add_sum(&rate, x, 'Q');
  rule_add(&rate, " - (");
  add_state(&rate, &s->fluid, false);
  rule_add(&rate, ")*");
  add_sum(&rate, x, 'G');
  rule_add(&rate, ")/(%s*(", rule_text(&volume));
  add_state(&rate, &s->fluid, true);
  rule_add(&rate, ") + (");
  add_state(&rate, &s->fluid, false);
  rule_add(&rate, ")*");
  add_sum(&rate, x, 'K');
  rule_add(&rate, ")");
  SpecState* state = b.failed ? NULL : SAR_LIST_ADD(&s->arena, &s->states);
  if (!state) return false;
  *state = (SpecState){.rate = {.name = x->node->name}, .start = x->node->start};
  return put_rule(x, rule_text(&rate), &state->rate.value);
}

// What flows into a node whose pressure is given: NAME.flow.
static bool sum_flow(Balance* x) {
  SarSpec* s = x->spec;
  SarSignalBuild b = {.spec = s, .err = x->err};
  SignalRule sum = {.b = &b};
  if (add_sum(&sum, x, 'Q') == 0) return !b.failed;
  const char* name = sar_arena_printf(&s->arena, "%s.flow", x->node->name.text);
  SpecParameter* variable = name ? SAR_LIST_ADD(&s->arena, &s->variables) : NULL;
  SpecName* listed = variable ? SAR_LIST_ADD(&s->arena, &s->signals) : NULL;
  if (!listed || b.failed) return false;
  *listed = variable->name = (SpecName){name, x->node->name.loc};
  return put_rule(x, rule_text(&sum), &variable->value);
}

bool sar_circuit_close(SarSpec* spec, SarError* err) {
  Balance x = {.spec = spec, .err = err};
  if (spec->flows.count == 0 && spec->fluid_nodes.count == 0) return true;
  check_names(&x);
  for (int i = 0; i < spec->fluid_nodes.count; i++) {
    x.node = &spec->fluid_nodes.items[i];
    if (!(x.node->given ? sum_flow(&x) : close_node(&x))) return false;
  }
  return !spec->arena.failed;
}
