// Inputs, variables and actuator forces.
//
// Slots: 0 is t, then the inputs, then the locals of laws, then whatever is asked for: measures and
// values of expressions. Constants are put in first, so a variable that turns out constant costs
// nothing at run time.
#include "model/compile/parts.h"

#include <math.h>

static bool take_inputs(Compile* c) {
  SarModel* m = &c->m;
  int n = c->spec->inputs.count;
  m->slot_input = 1;
  m->slot_local = 1 + n;
  m->nslot = 1 + n + SAR_LAW_LOCALS;
  m->input_default = SAR_ARENA_ARRAY(&c->arena, double, n);
  m->input_name = SAR_ARENA_ARRAY(&c->arena, int, n);
  if (c->arena.failed) return false;
  const int keys = c->spec->keys.count;
  m->key_name = SAR_ARENA_ARRAY(&c->arena, int, keys);
  if (c->arena.failed) return false;
  for (int i = 0; i < keys; i++) {
    const char* name = c->spec->keys.items[i].name.text;
    m->key_name[m->nkey++] = sar_intern(c, name ? name : "");
  }
  for (int i = 0; i < c->nsymbol; i++) {
    Symbol* s = &c->symbol[i];
    if (s->kind != SYMBOL_INPUT) continue;
    s->slot = m->slot_input + m->ninput;
    m->input_default[m->ninput] = s->value;
    m->input_name[m->ninput++] = sar_intern(c, s->spec->name.text);
  }
  return true;
}

static bool take_variables(Compile* c) {
  int* order = sar_symbol_order(c, SYMBOL_VARIABLE, NULL);
  if (!order) return false;
  for (int k = 0; k < c->nsymbol; k++) {
    Symbol* s = &c->symbol[order[k]];
    if (s->kind != SYMBOL_VARIABLE || isnan(s->value)) continue;
    Item item = {"variable", s->spec->name.text, s->spec->name.loc};
    const SarNode e = sar_bound(c, s->spec->value, item, "value", NULL);
    if (sar_node_is_number(c->graph, e, &s->value))
      s->constant = true;
    else if (e >= 0)
      s->slot = sar_slot_of(c, e, true);
    s->expanded = sar_expanded(c, e);  // those it uses came before it
    if (c->arena.failed) return false;
    if (!s->constant && s->slot < 0) s->value = WRONG;
  }
  return true;
}

// Actuator forces, in the direction of the file.
static bool take_drives(Compile* c, JointPart* p) {
  const SpecDofs* d = &p->spec->force;
  int nv = p->kind->nv, slot = -1;
  if (d->count == 0) return true;
  if (nv == 0 || (d->count != 1 && d->count != nv)) {
    sar_complain(c, p->item, d->loc, "give one expression for all coordinates, or one for each",
                 "'force' has %d values, but a %s joint has %d coordinates", d->count,
                 p->kind->name, nv);
    return true;
  }
  for (int i = 0; i < nv; i++) {
    if (i < d->count) {
      const SarNode e = sar_bound(c, d->c[i], p->item, "force", NULL);
      slot = e >= 0 && !sar_node_is(c->graph, e, 0) ? sar_slot_of(c, e, true) : -1;
    }
    if (c->arena.failed) return false;
    if (slot < 0 || !c->tree_known) continue;
    c->m.dof_force_slot[c->m.joint_vadr[p->number] + i] = slot;
    c->m.joint_passive[p->number] = 1;
    c->m.has_passive = true;
    if (p->cut >= 0) c->m.needs_cuts = true;
  }
  return true;
}

bool sar_compile_expressions(Compile* c) {
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, c->njoint_spec + 1);
  if (!named || !take_inputs(c) || !sar_take_states(c) || !sar_take_discrete(c) ||
      !take_variables(c) || !sar_define_states(c) || !sar_define_discrete(c))
    return false;
  for (int j = 0; j < c->njoint_spec; j++) named[j] = (Named){c->joint[j].item.name, j};
  sar_sort_named(named, c->njoint_spec);
  for (int k = 0; k < c->njoint_spec; k++)
    if (!take_drives(c, &c->joint[named[k].index])) return false;
  return true;
}
