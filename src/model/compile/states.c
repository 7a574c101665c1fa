// States of the user's own: those of the file's section `states`, and those that filter, integral
// and pid make wherever they stand in an expression.
//
//   z' = rate(t, inputs, measures, z),   z = start where a run begins
//
// A state is a slot whose value is read before expressions are evaluated, and a slot that holds its
// rate after them. So expressions use it like an input, whatever integrates it. Starts are
// evaluated once, when the mechanism is assembled, each after those it uses. The derivatives d rate
// / d z, for steps that are implicit in the states, are taken here too.
//
// States of a block are named after the item it stands in: force `motor` has motor.filter1,
// motor.filter2, motor.pid1.i, ... in the order in which they are met.
#include "base/print.h"
#include "expr/tree.h"
#include "model/compile/parts.h"
#include "model/order.h"

#include <stdint.h>
#include <string.h>

enum { MOST_STATES = 1000, MOST_PARTIALS = 1 << 16, MOST_LEVELS = 8 };

int sar_find_state(const Compile* c, const char* name) {
  return sar_names_find(&c->state_names, name);
}

// ---- making them --------------------------------------------------------------------------------

static StatePart* add_state(Compile* c, const char* name, Item item) {
  if (c->states.count == MOST_STATES) {
    sar_complain(c, item, item.loc, "", "more than %d states", MOST_STATES);
    return NULL;
  }
  StatePart* p = SAR_LIST_ADD(&c->arena, &c->states);
  if (!p) return NULL;
  *p =
      (StatePart){.name = name, .item = item, .rate = SAR_NONE, .start = SAR_NONE, .rate_slot = -1};
  p->slot = sar_take_slots(c, 1);
  return sar_names_add(&c->arena, &c->state_names, name, c->states.count - 1) ? p : NULL;
}

int sar_add_own_state(Compile* c, const char* name, Item item, double start) {
  if (c->states.count == MOST_STATES) {
    sar_complain(c, item, item.loc, "", "more than %d states", MOST_STATES);
    return -1;
  }
  StatePart* p = SAR_LIST_ADD(&c->arena, &c->states);
  if (!p) return -1;
  *p = (StatePart){.name = name, .item = item, .rate = SAR_NONE, .rate_slot = -1, .own = true};
  p->defined = true;
  p->slot = sar_take_slots(c, 1);
  p->start = sar_sym_number(c->graph, start);
  return c->states.count - 1;
}

// Rate and start, once everything they may use has a slot.
static bool define(Compile* c, int state, SpecNum rate, SpecNum start) {
  const Item item = c->states.items[state].item;
  const SarNode r = sar_bound(c, rate, item, "rate", NULL);
  if (!start.expr) start = (SpecNum){sar_expr_number(&c->arena, 0), rate.loc};
  const SarNode s = start.expr ? sar_bound(c, start, item, "start", NULL) : SAR_NONE;
  StatePart* p = &c->states.items[state];
  p->defined = true;
  if (r < 0 || s < 0) return !c->arena.failed;
  const int slot = sar_slot_of(c, r, true);
  p = &c->states.items[state];
  p->rate_slot = slot;
  p->rate = sar_expanded(c, r);
  p->start = sar_written_out(c, s, item, start.loc, "start");
  return !c->arena.failed;
}

bool sar_take_states(Compile* c) {
  for (int i = 0; i < c->nsymbol; i++) {
    Symbol* s = &c->symbol[i];
    if (s->kind != SYMBOL_STATE) continue;
    Item item = {"state", s->spec->name.text, s->spec->name.loc};
    StatePart* p = add_state(c, s->spec->name.text, item);
    if (!p) return !c->arena.failed;
    p->spec = (const SpecState*)s->spec;
    s->slot = p->slot;
  }
  return true;
}

bool sar_define_states(Compile* c) {
  const int n = c->states.count;
  for (int i = 0; i < n; i++) {
    const SpecState* spec = c->states.items[i].spec;
    if (spec && spec->rate.value.expr && !define(c, i, spec->rate.value, spec->start)) return false;
  }
  return true;
}

// ---- blocks -------------------------------------------------------------------------------------

typedef struct Hoist {
  Compile* c;
  Item item;
  bool wrong;
} Hoist;

// A stem that nobody has: ITEM.filter1, ITEM.filter2; the same one where a call is met again.
static const char* stem_of(Hoist* h, const SarExpr* call, const char* function) {
  Compile* c = h->c;
  const char* stem = sar_memo_find(&c->block_names, call);
  const char* dot = h->item.name[0] ? "." : "";
  for (int n = 1; !stem; n++) {
    stem = sar_arena_printf(&c->arena, "%s%s%s%d", h->item.name, dot, function, n);
    if (!stem) return NULL;
    if (sar_names_find(&c->block_stems, stem) >= 0) {
      stem = NULL;
      continue;
    }
    sar_memo_add(&c->arena, &c->block_names, call, (void*)(uintptr_t)stem);
    if (!sar_names_add(&c->arena, &c->block_stems, stem, 0)) return NULL;
  }
  return stem;
}

static const char* name_block(void* context, const SarExpr* call, const char* function,
                              const char* state) {
  Hoist* h = context;
  const char* stem = stem_of(h, call, function);
  return stem && state[0] ? sar_arena_printf(&h->c->arena, "%s.%s", stem, state) : stem;
}

static bool define_block(void* context, const char* name, const SarExpr* call, const SarExpr* rate,
                         const SarExpr* start) {
  Hoist* h = context;
  Compile* c = h->c;
  const SarLoc loc = sar_expr_loc(call);
  if (sar_find_state(c, name) >= 0) return true;
  const SarExpr* T = call->op == SAR_OP_INTEGRAL ? NULL : call->arg[call->op == SAR_OP_PID ? 4 : 1];
  const SarNode bound = T ? sar_expr_enter(c->graph, T, sar_symbol_value, c, NULL) : SAR_NONE;
  double value;
  if (sar_node_is_number(c->graph, bound, &value) && !(value > 0)) {
    sar_complain(c, h->item, sar_expr_loc(T), "", "%s: its time constant is %g: must be positive",
                 sar_function_of(call->op)->name, value);
    h->wrong = true;
    return false;
  }
  Item item = {h->item.kind, h->item.name, loc};
  StatePart* p = add_state(c, name, item);
  const int errors = c->err->errors;
  if (!p || !define(c, (int)(p - c->states.items), (SpecNum){rate, loc}, (SpecNum){start, loc})) {
    h->wrong = true;
    return false;
  }
  h->wrong = h->wrong || c->err->errors > errors;
  return true;
}

static int levels(const SarExpr* e) {
  int most = 0;
  for (int i = 0; i < e->num; i++) {
    const int n = levels(e->arg[i]);
    if (n > most) most = n;
  }
  return most + sar_op_is_block(e->op);
}

const SarExpr* sar_without_blocks(Compile* c, SpecNum n, Item item) {
  const SarExpr* first = sar_expr_find_block(n.expr);
  if (!first) return n.expr;
  if (levels(n.expr) > MOST_LEVELS) {
    sar_complain(c, item, sar_expr_loc(first), "give a part its own name under 'variables'",
                 "more than %d calls of filter, integral or pid within each other", MOST_LEVELS);
    return NULL;
  }
  Hoist h = {c, item, false};
  const SarExprBlocks to = {&h, name_block, define_block};
  const SarExpr* e = sar_expr_put_blocks(&c->arena, n.expr, &to);
  return h.wrong ? NULL : e;
}

// ---- into the model -----------------------------------------------------------------------------

typedef struct Needs {
  Compile* c;
  int* to;  // NULL: only counted
  int count;
} Needs;

static void need(void* context, const char* name) {
  Needs* n = context;
  const int i = sar_find_state(n->c, name);
  if (i < 0) return;
  if (n->to) n->to[n->count] = i;
  n->count++;
}

static void report_circle(void* context, const int* nodes, int count) {
  Compile* c = context;
  char text[256];
  int n = 0;
  for (int i = 0; i <= count && n < (int)sizeof text - 1; i++)
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? " -> " : "",
                      c->states.items[nodes[i % count]].name);
  const StatePart* first = &c->states.items[nodes[0]];
  sar_complain(c, first->item, first->item.loc, "give one of them a number to start with",
               "starts from itself: %s", text);
}

// The states in the order of their starts' needs; NULL: no memory.
static int* start_order(Compile* c) {
  const int n = c->states.count;
  int* first = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  int* order = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  Needs needs = {.c = c};
  for (int pass = 0; pass < 2; pass++) {
    needs.count = 0;
    for (int i = 0; first && i < n; i++) {
      first[i] = needs.count;
      if (c->states.items[i].start >= 0)
        sar_sym_visit(c->graph, c->states.items[i].start, need, &needs);
    }
    if (!first || !order) return NULL;
    first[n] = needs.count;
    if (pass == 0) needs.to = SAR_ARENA_ARRAY(&c->arena, int, needs.count + 1);
    if (!needs.to) return NULL;
  }
  SarNeeds all = {.count = n, .first = first, .to = needs.to};
  return sar_order(&c->arena, &all, report_circle, c, order) ? order : NULL;
}

typedef struct Partials {
  Compile* c;
  int row;
  bool failed;
} Partials;

static void take_partial(void* context, const char* name) {
  Partials* p = context;
  Compile* c = p->c;
  const int column = sar_find_state(c, name);
  if (column < 0) return;
  const SarNode e =
      sar_sym_diff(c->graph, c->states.items[p->row].rate, sar_sym_symbol(c->graph, name));
  // one that is too long to be written out is taken as zero: Newton's iteration takes longer then
  if (e < 0 || sar_node_is(c->graph, e, 0)) return;
  ExprPart part = {.slot = p->row * c->states.count + column};
  if (c->z_partials.count == MOST_PARTIALS || !sar_program_of(c, e, NULL, &part)) return;
  ExprPart* place = SAR_LIST_ADD(&c->arena, &c->z_partials);
  if (place) *place = part;
}

// A state whose rate or start the reader could not make sense of has been reported and has none.
static bool are_whole(const Compile* c) {
  for (int i = 0; i < c->states.count; i++)
    if (c->states.items[i].start < 0 ||
        (c->states.items[i].rate_slot < 0 && !c->states.items[i].own))
      return false;
  return true;
}

bool sar_compile_states(Compile* c) {
  SarModel* m = &c->m;
  const int n = are_whole(c) ? c->states.count : 0;
  m->nz = n;
  m->nzz = n * n;
  if (n == 0) return true;
  m->z_slot = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->z_rate_slot = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->z_name = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->z0 = SAR_ARENA_ARRAY(&c->arena, double, n);
  c->z_starts = SAR_ARENA_ARRAY(&c->arena, ExprPart, n);
  if (c->arena.failed || !sar_compile_sound(c)) return !c->arena.failed;
  const int* order = start_order(c);
  if (!order) return false;
  for (int i = 0; i < n; i++) {
    const StatePart* p = &c->states.items[i];
    m->z_slot[i] = p->slot;
    m->z_rate_slot[i] = p->rate_slot;
    m->z_name[i] = sar_intern(c, p->name);
    if (!sar_node_is_number(c->graph, p->start, &m->z0[i])) m->z0[i] = 0;
    Partials partials = {.c = c, .row = i};
    if (p->rate >= 0) sar_sym_visit(c->graph, p->rate, take_partial, &partials);
    c->z_starts[i].slot = order[i];
    if (!sar_program_of(c, c->states.items[order[i]].start, NULL, &c->z_starts[i])) return false;
  }
  m->nz_partial = c->z_partials.count;
  return !c->arena.failed;
}
