// Programs of expressions, the slots of their values, and their kinks.
#include "model/compile/parts.h"

#include <stdlib.h>
#include <string.h>

int sar_take_slots(Compile* c, int num) {
  int first = c->m.nslot;
  c->m.nslot += num;
  return first;
}

// ---- programs ---------------------------------------------------------------------------------

typedef struct Uses {
  const Locals* locals;
  bool found;
} Uses;

static void note_local(void* context, const char* name) {
  Uses* u = context;
  for (int i = 0; i < u->locals->count; i++)
    if (strcmp(u->locals->name[i], name) == 0) u->found = true;
}

static bool uses_locals(Compile* c, SarNode e, const Locals* locals) {
  if (!locals) return false;
  Uses uses = {locals, false};
  sar_sym_visit(c->graph, e, note_local, &uses);
  return uses.found;
}

static bool same_program(const ExprPart* a, const ExprPart* b) {
  size_t bytes = (size_t)a->program.count * sizeof(SarInstr);
  return a->program.count == b->program.count && memcmp(a->instr, b->instr, bytes) == 0;
}

// A switching function of the state, unless there is an equal one.
static bool add_switch(Compile* c, SarNode g) {
  ExprPart part = {.slot = -1, .gate = c->kink_gate};
  if (!sar_program_of(c, g, NULL, &part)) return !c->arena.failed;
  for (int i = 0; i < c->switches.count; i++) {
    ExprPart* other = &c->switches.items[i];
    if (!same_program(other, &part)) continue;
    if (other->gate != part.gate) other->gate = -1;  // of more than one: always watched
    return true;
  }
  ExprPart* slot = SAR_LIST_ADD(&c->arena, &c->switches);
  if (!slot) return false;
  *slot = part;
  return true;
}

// A kink in the locals of a law: the force that has the law watches it. Those of constraints and
// roads are left to the error control.
static bool add_law_kink(Compile* c, SarNode g, const Locals* locals) {
  ExprPart part = {.slot = -1};
  if (c->force_in_progress < 0) return true;
  if (!sar_program_of(c, g, locals, &part)) return !c->arena.failed;
  LawKink* kink = SAR_LIST_ADD(&c->arena, &c->law_kinks);
  if (!kink) return false;
  *kink = (LawKink){c->force_in_progress, part};
  return true;
}

// Kinks in time are times to land on; others are watched.
bool sar_add_kinks(Compile* c, SarNode e, const Locals* locals) {
  SarKink* kinks;
  const int n = sar_expr_kinks(c->graph, e, "t", &kinks);
  for (int i = 0; i < n; i++) {
    if (kinks[i].is_time || kinks[i].period > 0) {
      KinkPart* k = SAR_LIST_ADD(&c->arena, &c->kinks);
      if (!k) return false;
      *k = (KinkPart){kinks[i].time, kinks[i].period};
    } else if (uses_locals(c, kinks[i].g, locals)) {
      if (!add_law_kink(c, kinks[i].g, locals)) return false;
    } else if (!add_switch(c, kinks[i].g)) {
      return false;
    }
  }
  return !c->arena.failed;
}

static int add_expr(Compile* c, SarNode e, const Locals* locals, int slot, bool kinks) {
  ExprPart part = {.slot = slot};
  if (!sar_program_of(c, e, locals, &part)) return -1;
  ExprPart* place = SAR_LIST_ADD(&c->arena, &c->exprs);
  if (!place) return -1;
  *place = part;
  int number = c->exprs.count - 1;
  return !kinks || sar_add_kinks(c, e, locals) ? number : -1;
}

bool sar_fill_slot(Compile* c, SarNode bound, int slot, bool kinks) {
  SlotValue* value = SAR_LIST_ADD(&c->arena, &c->slot_values);
  if (!value) return false;
  *value = (SlotValue){slot, bound};
  return add_expr(c, bound, NULL, slot, kinks) >= 0;
}

int sar_slot_of(Compile* c, SarNode bound, bool kinks) {
  int slot = sar_take_slots(c, 1);
  return sar_fill_slot(c, bound, slot, kinks) ? slot : -1;
}

int sar_law_of(Compile* c, SarNode bound, const Locals* locals) {
  return add_expr(c, bound, locals, -1, true);
}

int sar_idle_of(Compile* c, SarNode bound) { return add_expr(c, bound, NULL, -1, false); }

bool sar_slopes_of(Compile* c, SarNode bound, const Locals* locals) {
  for (int i = 0; i < locals->count; i++) {
    SarNode slope = sar_sym_diff(c->graph, bound, sar_sym_symbol(c->graph, locals->name[i]));
    // one that is too long to be written out is taken as zero: Newton's iteration takes longer then
    if (slope < 0) slope = sar_sym_number(c->graph, 0);
    if (slope < 0 || add_expr(c, slope, locals, -1, false) < 0) return false;
  }
  return true;
}

// ---- into the model -------------------------------------------------------------------------

static int by_time(const void* pa, const void* pb) {
  const KinkPart *a = pa, *b = pb;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  return (a->period > b->period) - (a->period < b->period);
}

// Switching functions that force elements have: of their own, then those of their laws.
static bool seal_force_switches(Compile* c) {
  SarModel* m = &c->m;
  const int laws = c->law_kinks.count;
  int own = 0;
  m->force_switch = SAR_ARENA_ARRAY(&c->arena, int, m->nforce);
  m->force_law_kink = SAR_ARENA_ARRAY(&c->arena, int, 2 * m->nforce);
  int* count = SAR_ARENA_ARRAY(&c->arena, int, m->nforce + 1);
  if (c->arena.failed) return false;
  for (int i = 0; i < m->nforce; i++) {
    const SarForceKind* kind = m->force_kind[i];
    count[i] = kind->switches && c->force_sound[i] ? kind->switches(m, i) : 0;
    own += count[i];
  }
  const int all = c->switches.count + own + laws;
  m->switch_slot = SAR_ARENA_ARRAY(&c->arena, int, all);
  m->switch_gate = SAR_ARENA_ARRAY(&c->arena, int, all);
  if (c->arena.failed) return false;
  for (int i = 0; i < all; i++) m->switch_gate[i] = -1;
  for (int i = 0; i < m->nforce; i++) {
    m->force_switch[i] = sar_take_slots(c, count[i]);
    for (int k = 0; k < count[i]; k++) m->switch_slot[m->nswitch++] = m->force_switch[i] + k;
  }
  for (int k = 0; k < laws; k++) {
    LawKink* kink = &c->law_kinks.items[k];
    int* mine = &m->force_law_kink[2 * kink->force];
    if (mine[1]++ == 0) mine[0] = k;
    kink->part.slot = m->switch_slot[m->nswitch++] = sar_take_slots(c, 1);
  }
  return true;
}

static bool seal_kinks(Compile* c) {
  SarModel* m = &c->m;
  m->kink_time = SAR_ARENA_ARRAY(&c->arena, double, c->kinks.count);
  m->kink_period = SAR_ARENA_ARRAY(&c->arena, double, c->kinks.count);
  if (c->arena.failed || !seal_force_switches(c)) return false;
  if (c->kinks.count > 1)
    qsort(c->kinks.items, (size_t)c->kinks.count, sizeof *c->kinks.items, by_time);
  m->nkink = 0;
  for (int i = 0; i < c->kinks.count; i++) {
    const KinkPart* k = &c->kinks.items[i];
    if (i > 0 && by_time(k, k - 1) == 0) continue;
    m->kink_time[m->nkink] = k->time;
    m->kink_period[m->nkink++] = k->period;
  }
  for (int i = 0; i < c->switches.count; i++) {
    ExprPart* e = SAR_LIST_ADD(&c->arena, &c->exprs);
    if (!e) return false;
    *e = c->switches.items[i];
    m->switch_gate[m->nswitch] = e->gate;
    m->switch_slot[m->nswitch++] = e->slot = sar_take_slots(c, 1);
  }
  return true;
}

// Entries of n programs, their instructions from *at on.
static SarExprEntry* pack(Compile* c, const ExprPart* parts, int n, int* at) {
  SarExprEntry* entry = SAR_ARENA_ARRAY(&c->arena, SarExprEntry, n);
  for (int i = 0; entry && i < n; i++) {
    int count = parts[i].program.count;
    entry[i] = (SarExprEntry){parts[i].program, *at, parts[i].slot};
    if (count) memcpy(&c->m.instr[*at], parts[i].instr, sizeof(SarInstr) * (size_t)count);
    *at += count;
  }
  return entry;
}

bool sar_seal_expressions(Compile* c) {
  SarModel* m = &c->m;
  int at = 0;
  if (!seal_kinks(c) || !sar_seal_held(c)) return false;
  m->nexpr = c->exprs.count;
  m->ndrive = c->drives.count;
  m->nmeasure = c->measures.count;
  m->measure = c->measures.items;
  for (int i = 0; i < m->nexpr; i++) m->ninstr += c->exprs.items[i].program.count;
  for (int i = 0; i < m->ndrive; i++) m->ninstr += c->drives.items[i].program.count;
  for (int i = 0; i < m->npartial; i++) m->ninstr += c->partials.items[i].program.count;
  for (int i = 0; i < m->nz_partial; i++) m->ninstr += c->z_partials.items[i].program.count;
  for (int i = 0; i < m->nz; i++) m->ninstr += c->z_starts[i].program.count;
  for (int i = 0; i < m->ndiscrete; i++) m->ninstr += c->discrete_nexts[i].program.count;
  m->nlaw_kink = c->law_kinks.count;
  ExprPart* law_kink = SAR_ARENA_ARRAY(&c->arena, ExprPart, m->nlaw_kink + 1);
  if (!law_kink) return false;
  for (int i = 0; i < m->nlaw_kink; i++) {
    law_kink[i] = c->law_kinks.items[i].part;
    m->ninstr += law_kink[i].program.count;
  }
  m->instr = SAR_ARENA_ARRAY(&c->arena, SarInstr, m->ninstr);
  if (!m->instr) return false;
  m->expr = pack(c, c->exprs.items, m->nexpr, &at);
  m->drive = pack(c, c->drives.items, m->ndrive, &at);
  m->partial = pack(c, c->partials.items, m->npartial, &at);
  m->law_kink = pack(c, law_kink, m->nlaw_kink, &at);
  m->z_partial = pack(c, c->z_partials.items, m->nz_partial, &at);
  m->z_start = pack(c, c->z_starts, m->nz, &at);
  m->discrete_next = pack(c, c->discrete_nexts, m->ndiscrete, &at);
  return !c->arena.failed;
}
