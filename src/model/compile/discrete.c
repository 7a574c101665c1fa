// Discrete-time states (model/discrete.h): their slots, what they take at their instants, and in
// which order.
//
// What a sample or a delay takes is written out, without variables, so that it can be evaluated on
// its own at an instant. Samples are ordered by their needs; a circle among them is an algebraic
// loop, which a delay opens. Conditions of relays are expressions like those of gates, with their
// kinks.
#include "base/print.h"
#include "model/compile/parts.h"
#include "model/order.h"
#include "model/times.h"

enum { MOST_DISCRETE = 1000 };

typedef struct DiscretePart {
  const SpecDiscrete* spec;
  Item item;
  int slot, symbol;
  SarNode next;  // without variables; SAR_NONE: wrong
} DiscretePart;

static Item item_of(SpecName name) { return (Item){"signal", name.text, name.loc}; }

bool sar_take_discrete(Compile* c) {
  for (int i = 0; i < c->nsymbol; i++) {
    Symbol* s = &c->symbol[i];
    if (s->kind == SYMBOL_DISCRETE) s->slot = sar_take_slots(c, 1);
  }
  if (c->spec->discrete.count > MOST_DISCRETE)
    sar_complain(c, item_of(c->spec->discrete.items[0].next.name),
                 c->spec->discrete.items[0].next.name.loc, "",
                 "the model has more than %d discrete-time states", MOST_DISCRETE);
  return true;
}

// ---- times --------------------------------------------------------------------------------------

static void check_positive(Compile* c) {
  for (int i = 0; i < c->spec->positive.count; i++) {
    const SpecPositive* p = &c->spec->positive.items[i];
    sar_number(c, p->value, item_of(p->signal), p->key, POSITIVE, 1);
  }
}

// Instants are times to land on. False: no memory.
static bool take_times(Compile* c, const SpecDiscrete* x, Item item, double* period,
                       double* offset) {
  *period = sar_number(c, x->period, item, "period", POSITIVE, WRONG);
  *offset = sar_number(c, x->offset, item, "offset", NOT_NEGATIVE, 0);
  if (isnan(*period) || isnan(*offset)) return true;
  if (!sar_time_is_sensible(*period)) {
    sar_complain(c, item, x->period.loc, "", "period is %g s: expected %g to %g s", *period,
                 SAR_SHORTEST_TIME, SAR_LONGEST_TIME);
    return true;
  }
  KinkPart* k = SAR_LIST_ADD(&c->arena, &c->kinks);
  if (!k) return false;
  *k = (KinkPart){fmod(*offset, *period), *period};
  return true;
}

// ---- relays -------------------------------------------------------------------------------------

// Slot of a condition with its kinks; -1 after a report.
static int take_condition(Compile* c, SpecNum n, Item item, const char* key) {
  const SarNode bound = sar_bound(c, n, item, key, NULL);
  const SarNode e = bound >= 0 ? sar_written_out(c, bound, item, n.loc, key) : SAR_NONE;
  const SarNode truth = e >= 0 ? sar_expr_truth(c->graph, e) : SAR_NONE;
  return truth >= 0 ? sar_slot_of(c, truth, true) : -1;
}

// ---- order --------------------------------------------------------------------------------------

typedef struct Needs {
  Compile* c;
  const DiscretePart* part;
  int count, found;
  int* to;  // NULL: only counted
} Needs;

static void need(void* context, const char* name) {
  Needs* n = context;
  const int symbol = sar_names_find(&n->c->symbol_names, name);
  for (int i = 0; symbol >= 0 && i < n->count; i++) {
    if (n->part[i].symbol != symbol || n->part[i].spec->kind != SAR_SAMPLE) continue;
    if (n->to) n->to[n->found] = i;
    n->found++;
  }
}

typedef struct Circle {
  Compile* c;
  const DiscretePart* part;
} Circle;

static void report_circle(void* context, const int* nodes, int count) {
  const Circle* x = context;
  char text[256];
  int n = 0;
  for (int i = 0; i <= count && n < (int)sizeof text - 1; i++)
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? " -> " : "",
                      x->part[nodes[i % count]].item.name);
  const Item item = x->part[nodes[0]].item;
  sar_complain(x->c, item, item.loc, "put a unit_delay between them",
               "needs its own value at the same instant: %s", text);
}

static int* order_of(Compile* c, const DiscretePart* part, int n) {
  int* first = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  int* order = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  Needs needs = {.c = c, .part = part, .count = n};
  for (int pass = 0; pass < 2; pass++) {
    needs.found = 0;
    for (int i = 0; first && i < n; i++) {
      first[i] = needs.found;
      if (part[i].next >= 0 && part[i].spec->kind == SAR_SAMPLE)
        sar_sym_visit(c->graph, part[i].next, need, &needs);
    }
    if (!first || !order) return NULL;
    first[n] = needs.found;
    if (pass == 0) needs.to = SAR_ARENA_ARRAY(&c->arena, int, needs.found + 1);
    if (!needs.to) return NULL;
  }
  const SarNeeds all = {.count = n, .first = first, .to = needs.to};
  Circle circle = {c, part};
  return sar_order(&c->arena, &all, report_circle, &circle, order) ? order : NULL;
}

// ---- into the model -----------------------------------------------------------------------------

static bool make_arrays(Compile* c, int n) {
  SarModel* m = &c->m;
  int** whole[] = {&m->discrete_kind, &m->discrete_slot, &m->discrete_rise, &m->discrete_fall,
                   &m->discrete_name};
  double** number[] = {&m->discrete_period, &m->discrete_offset, &m->discrete0};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    *whole[i] = SAR_ARENA_ARRAY(&c->arena, int, n);
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    *number[i] = SAR_ARENA_ARRAY(&c->arena, double, n);
  c->discrete_nexts = SAR_ARENA_ARRAY(&c->arena, ExprPart, n);
  return !c->arena.failed;
}

// False: no memory.
static bool add(Compile* c, const DiscretePart* p) {
  SarModel* m = &c->m;
  const SpecDiscrete* x = p->spec;
  const int i = m->ndiscrete;
  const bool relay = x->kind == SAR_RELAY;
  m->discrete_kind[i] = x->kind;
  m->discrete_slot[i] = p->slot;
  m->discrete_rise[i] = relay ? take_condition(c, x->rise, p->item, "on") : -1;
  m->discrete_fall[i] = relay ? take_condition(c, x->fall, p->item, "off") : -1;
  m->discrete_name[i] = sar_intern(c, p->item.name);
  m->discrete0[i] = sar_number(c, x->start, p->item, "start", ANY_FINITE, 0);
  if (!relay && !take_times(c, x, p->item, &m->discrete_period[i], &m->discrete_offset[i]))
    return false;
  c->discrete_nexts[i] = (ExprPart){.slot = p->slot};
  if (p->next >= 0 && !sar_program_of(c, p->next, NULL, &c->discrete_nexts[i]))
    return !c->arena.failed;
  if (p->next >= 0 || relay) m->ndiscrete++;
  return !c->arena.failed;
}

static DiscretePart part_of(Compile* c, int symbol) {
  const Symbol* s = &c->symbol[symbol];
  const SpecDiscrete* x = (const SpecDiscrete*)s->spec;  // its first member
  DiscretePart p = {x, item_of(s->spec->name), s->slot, symbol, SAR_NONE};
  if (x->kind == SAR_RELAY || !x->next.value.expr) return p;
  const SarNode bound = sar_bound(c, x->next.value, p.item, "value", NULL);
  if (bound >= 0) p.next = sar_written_out(c, bound, p.item, x->next.value.loc, "value");
  return p;
}

bool sar_define_discrete(Compile* c) {
  const int n = c->spec->discrete.count;
  check_positive(c);
  if (n == 0 || n > MOST_DISCRETE) return true;
  DiscretePart* part = SAR_ARENA_ARRAY(&c->arena, DiscretePart, n);
  if (!part || !make_arrays(c, n)) return false;
  int count = 0;
  for (int i = 0; i < c->nsymbol; i++)
    if (c->symbol[i].kind == SYMBOL_DISCRETE) part[count++] = part_of(c, i);
  const int* order = order_of(c, part, count);
  if (!order) return false;
  const SpecDiscrete** added = SAR_ARENA_ARRAY(&c->arena, const SpecDiscrete*, count + 1);
  if (!added) return false;
  for (SarDiscreteKind kind = SAR_SAMPLE; kind <= SAR_RELAY; kind++)
    for (int k = 0; k < count; k++) {
      const DiscretePart* p = &part[order[k]];
      const int at = c->m.ndiscrete;
      if (p->spec->kind == kind && !add(c, p)) return false;
      if (c->m.ndiscrete > at) added[at] = p->spec;
    }
  return sar_define_calls(c, added);
}
