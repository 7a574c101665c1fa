// Derivatives of the values of actuators and controlled forces with respect to measured quantities
// of their own joint or body (model/partial.h): what a controller does to the point it acts at.
// Force from what is measured elsewhere gives entries off the diagonal without those on it, and
// with them an indefinite tangent, so it is left out.
#include "model/compile/parts.h"

#include <stdlib.h>

typedef struct Wanted {
  int slot;
  bool of_joint;  // of a joint's coordinates, else of a body's motion
  int index;      // which joint or body
} Wanted;

typedef struct Partials {
  Compile* c;
  SAR_LIST(Wanted) wanted;
  SarNode* value;  // by slot
  Wanted now;
  SarNode expanded;
  int* seen;  // by slot of a measure: 1 + the last slot whose partial was taken
  bool failed;
} Partials;

static int by_slot(const void* pa, const void* pb) {
  const Wanted *a = pa, *b = pb;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

static bool want(Partials* p, int slot, bool of_joint, int index) {
  Wanted* w = SAR_LIST_ADD(&p->c->arena, &p->wanted);
  if (w) *w = (Wanted){slot, of_joint, index};
  return w != NULL;
}

static bool want_actuators(Partials* p) {
  const SarModel* m = &p->c->m;
  for (int i = 0; i < m->nv_all; i++)
    if (m->dof_force_slot[i] >= 0 && !want(p, m->dof_force_slot[i], true, m->dof_body[i]))
      return false;
  return true;
}

// The values of a controlled force, with respect to the joint or body it acts on.
static bool want_force(Partials* p, int force) {
  const SarModel* m = &p->c->m;
  const SarForceKind* kind = m->force_kind[force];
  const bool of_joint = kind->attr[0].type == SAR_ATTR_JOINT;
  for (int k = 0; k < kind->nattr; k++) {
    const SarAttrValue* a = sar_force_attr(m, force, k);
    const SarAttrType type = kind->attr[k].type;
    const int n = type == SAR_ATTR_SCALAR ? 1 : type == SAR_ATTR_VECTOR ? 3 : 0;
    for (int i = 0; a->index >= 0 && i < n; i++)
      if (!want(p, a->index + i, of_joint, sar_force_attr(m, force, 0)->index)) return false;
  }
  return true;
}

static int measure_at(const Compile* c, int slot) {
  for (int i = 0; i < c->measures.count; i++)
    if (c->measures.items[i].slot == slot) return i;
  return -1;
}

static bool is_wanted(const Wanted* w, const SarMeasure* of) {
  const bool of_joint = of->kind == SAR_MEASURE_Q || of->kind == SAR_MEASURE_V;
  return of->index == w->index && of_joint == w->of_joint && of->kind != SAR_MEASURE_QUAT &&
         of->kind != SAR_MEASURE_ANGLE && of->kind != SAR_MEASURE_HELD;
}

static void take_partial(void* context, const char* name) {
  Partials* p = context;
  Compile* c = p->c;
  const int slot = sar_names_find(&c->measure_names, name);
  const int measure = slot >= 0 ? measure_at(c, slot) : -1;
  if (measure < 0 || p->seen[slot] == p->now.slot + 1) return;
  if (!is_wanted(&p->now, &c->measures.items[measure])) return;
  p->seen[slot] = p->now.slot + 1;
  const SarNode e = sar_sym_diff(c->graph, p->expanded, sar_sym_symbol(c->graph, name));
  if (e < 0 || sar_node_is(c->graph, e, 0)) return;  // SAR_NONE: too long, see sar_slopes_of
  ExprPart part = {.slot = p->now.slot};
  if (!sar_program_of(c, e, NULL, &part)) return;
  ExprPart* place = SAR_LIST_ADD(&c->arena, &c->partials);
  int* of = SAR_LIST_ADD(&c->arena, &c->partial_measures);
  if (!place || !of) return;
  *place = part;
  *of = measure;
}

bool sar_compile_partials(Compile* c) {
  SarModel* m = &c->m;
  Partials p = {.c = c};
  p.value = SAR_ARENA_ARRAY(&c->arena, SarNode, m->nslot + 1);
  p.seen = SAR_ARENA_ARRAY(&c->arena, int, m->nslot + 1);
  if (c->arena.failed || !want_actuators(&p)) return false;
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->controlled && !want_force(&p, i)) return false;
  for (int i = 0; i < m->nslot; i++) p.value[i] = SAR_NONE;
  for (int i = 0; i < c->slot_values.count; i++)
    p.value[c->slot_values.items[i].slot] = c->slot_values.items[i].bound;
  if (p.wanted.count > 1)
    qsort(p.wanted.items, (size_t)p.wanted.count, sizeof *p.wanted.items, by_slot);
  for (int i = 0; i < p.wanted.count; i++) {
    p.now = p.wanted.items[i];
    // one for all coordinates
    const bool again = i > 0 && p.now.slot == p.wanted.items[i - 1].slot;
    if (again || p.value[p.now.slot] < 0) continue;
    p.expanded = sar_expanded(c, p.value[p.now.slot]);
    if (p.expanded >= 0) sar_sym_visit(c->graph, p.expanded, take_partial, &p);
  }
  m->npartial = c->partials.count;
  m->partial_measure = c->partial_measures.items;
  return !c->arena.failed;
}
