// Programs of expressions, the slots of their values, and their kinks.
#include "model/compile_parts.h"

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

static void note_local(void* context, const char* name, SarLoc loc) {
  Uses* u = context;
  (void)loc;
  for (int i = 0; i < u->locals->count; i++)
    if (strcmp(u->locals->name[i], name) == 0) u->found = true;
}

static bool uses_locals(const SarExpr* e, const Locals* locals) {
  if (!locals) return false;
  Uses uses = {locals, false};
  sar_expr_visit_names(e, note_local, &uses);
  return uses.found;
}

static bool same_program(const ExprPart* a, const ExprPart* b) {
  size_t bytes = (size_t)a->program.count * sizeof(SarInstr);
  return a->program.count == b->program.count && memcmp(a->instr, b->instr, bytes) == 0;
}

// A switching function of the state, unless there is an equal one.
static bool add_switch(Compile* c, const SarExpr* g) {
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

// Kinks in time are times to land on; others are watched. A law's kinks in its locals are seen by
// nobody but its element, and are left to the error control.
bool sar_add_kinks(Compile* c, const SarExpr* e, const Locals* locals) {
  SarKink few[16], *kinks = few;
  int n = sar_expr_kinks(&c->arena, e, "t", kinks, 16);
  if (n > 16) {
    kinks = SAR_ARENA_ARRAY(&c->arena, SarKink, n);
    if (!kinks) return false;
    int found = sar_expr_kinks(&c->arena, e, "t", kinks, n);
    if (found < n) n = found;
  }
  for (int i = 0; i < n; i++) {
    if (kinks[i].is_time || kinks[i].period > 0) {
      KinkPart* k = SAR_LIST_ADD(&c->arena, &c->kinks);
      if (!k) return false;
      *k = (KinkPart){kinks[i].time, kinks[i].period};
    } else if (!uses_locals(kinks[i].g, locals) && !add_switch(c, kinks[i].g)) {
      return false;
    }
  }
  return !c->arena.failed;
}

static int add_expr(Compile* c, const SarExpr* e, const Locals* locals, int slot, bool kinks) {
  ExprPart part = {.slot = slot};
  if (!sar_program_of(c, e, locals, &part)) return -1;
  ExprPart* place = SAR_LIST_ADD(&c->arena, &c->exprs);
  if (!place) return -1;
  *place = part;
  int number = c->exprs.count - 1;
  return !kinks || sar_add_kinks(c, e, locals) ? number : -1;
}

bool sar_fill_slot(Compile* c, const SarExpr* bound, int slot, bool kinks) {
  SlotValue* value = SAR_LIST_ADD(&c->arena, &c->slot_values);
  if (!value) return false;
  *value = (SlotValue){slot, bound};
  return add_expr(c, bound, NULL, slot, kinks) >= 0;
}

int sar_slot_of(Compile* c, const SarExpr* bound, bool kinks) {
  int slot = sar_take_slots(c, 1);
  return sar_fill_slot(c, bound, slot, kinks) ? slot : -1;
}

int sar_law_of(Compile* c, const SarExpr* bound, const Locals* locals) {
  return add_expr(c, bound, locals, -1, true);
}

bool sar_slopes_of(Compile* c, const SarExpr* bound, const Locals* locals) {
  for (int i = 0; i < locals->count; i++) {
    const SarExpr* slope = sar_expr_derivative(&c->arena, bound, locals->name[i], NULL, NULL);
    // one that is too long to be written out is taken as zero: Newton's iteration takes longer then
    if (!slope) slope = sar_expr_number(&c->arena, 0);
    if (!slope || add_expr(c, slope, locals, -1, false) < 0) return false;
  }
  return true;
}

// ---- into the model -------------------------------------------------------------------------

static int by_time(const void* pa, const void* pb) {
  const KinkPart *a = pa, *b = pb;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  return (a->period > b->period) - (a->period < b->period);
}

static bool seal_kinks(Compile* c) {
  SarModel* m = &c->m;
  m->kink_time = SAR_ARENA_ARRAY(&c->arena, double, c->kinks.count);
  m->kink_period = SAR_ARENA_ARRAY(&c->arena, double, c->kinks.count);
  m->switch_slot = SAR_ARENA_ARRAY(&c->arena, int, c->switches.count);
  m->switch_gate = SAR_ARENA_ARRAY(&c->arena, int, c->switches.count);
  if (c->arena.failed) return false;
  if (c->kinks.count > 1)
    qsort(c->kinks.items, (size_t)c->kinks.count, sizeof *c->kinks.items, by_time);
  m->nkink = 0;
  for (int i = 0; i < c->kinks.count; i++) {
    const KinkPart* k = &c->kinks.items[i];
    if (i > 0 && by_time(k, k - 1) == 0) continue;
    m->kink_time[m->nkink] = k->time;
    m->kink_period[m->nkink++] = k->period;
  }
  m->nswitch = c->switches.count;
  for (int i = 0; i < c->switches.count; i++) {
    ExprPart* e = SAR_LIST_ADD(&c->arena, &c->exprs);
    if (!e) return false;
    *e = c->switches.items[i];
    m->switch_slot[i] = e->slot = sar_take_slots(c, 1);
    m->switch_gate[i] = e->gate;
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
  if (!seal_kinks(c)) return false;
  m->nexpr = c->exprs.count;
  m->ndrive = c->drives.count;
  m->nmeasure = c->measures.count;
  m->measure = c->measures.items;
  for (int i = 0; i < m->nexpr; i++) m->ninstr += c->exprs.items[i].program.count;
  for (int i = 0; i < m->ndrive; i++) m->ninstr += c->drives.items[i].program.count;
  for (int i = 0; i < m->npartial; i++) m->ninstr += c->partials.items[i].program.count;
  m->instr = SAR_ARENA_ARRAY(&c->arena, SarInstr, m->ninstr);
  if (!m->instr) return false;
  m->expr = pack(c, c->exprs.items, m->nexpr, &at);
  m->drive = pack(c, c->drives.items, m->ndrive, &at);
  m->partial = pack(c, c->partials.items, m->npartial, &at);
  return !c->arena.failed;
}
