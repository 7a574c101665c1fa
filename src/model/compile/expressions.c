// Inputs, variables and actuator forces.
//
// Slots: 0 is t, then the inputs, then the locals of laws, then whatever is asked for: measures and
// values of expressions. Constants are put in first, so a variable that turns out constant costs
// nothing at run time.
#include "model/compile/parts.h"

#include <math.h>

// What users are told of inputs: unit and range.
static void note_input(Compile* c, const SpecInputNote* note) {
  SarModel* m = &c->m;
  const Item item = {"input", note->input.text, note->input.loc};
  const int at = sar_names_find(&c->symbol_names, item.name);
  if (at < 0 || c->symbol[at].kind != SYMBOL_INPUT)
    return;  // its name is wrong, which has been reported
  const int i = c->symbol[at].slot - m->slot_input;
  double* range = &m->input_range[2 * i];
  if (note->unit.text) m->input_unit[i] = sar_intern(c, note->unit.text);
  range[0] = sar_number(c, note->least, item, "min", ANY_FINITE, -(double)INFINITY);
  range[1] = sar_number(c, note->most, item, "max", ANY_FINITE, (double)INFINITY);
  const double value = m->input_default[i];
  if (range[0] > range[1] || value < range[0] || value > range[1])
    sar_complain(c, item, item.loc, "", "the value %g is not between %g and %g", value, range[0],
                 range[1]);
}

static bool take_inputs(Compile* c) {
  SarModel* m = &c->m;
  int n = c->spec->inputs.count;
  m->slot_input = 1;
  m->slot_local = 1 + n;
  m->nslot = 1 + n + SAR_LAW_LOCALS;
  m->input_default = SAR_ARENA_ARRAY(&c->arena, double, n);
  m->input_name = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->input_unit = SAR_ARENA_ARRAY(&c->arena, int, n);
  m->input_range = SAR_ARENA_ARRAY(&c->arena, double, 2 * n);
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
    m->input_range[2 * m->ninput] = -(double)INFINITY;
    m->input_range[2 * m->ninput + 1] = (double)INFINITY;
    m->input_name[m->ninput++] = sar_intern(c, s->spec->name.text);
  }
  for (int i = 0; i < c->spec->input_notes.count; i++)
    note_input(c, &c->spec->input_notes.items[i]);
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
