// Columns of the result, from the outputs of the file and the table of quantities (output_kind.h).
#include "model/compile/outputs.h"

#include <string.h>

enum { MOST_COLUMNS = 2000000 };

// The quantities that an item of the file asks for. Position and velocity of a joint come along
// with others of it unless one of the two is named; of a body, what is named is all there is.
static uint64_t asked_for(const SpecOutput* s) {
  const uint64_t of = sar_outputs_of_owner(s->of), usual = sar_outputs_by_default(s->of);
  uint64_t with = s->with & of;
  for (int i = 0; sar_output_kind(i); i++)
    if (sar_output_kind(i) == s->only) with |= (uint64_t)1 << i;
  if (!with || (s->of == SAR_OF_JOINT && !s->only && !(with & usual))) with |= usual;
  return with;
}

bool sar_shows_reactions(const SpecOutput* s) {
  const uint64_t asked = asked_for(s);
  for (int i = 0; sar_output_kind(i); i++)
    if (asked >> i & 1 && sar_output_kind(i)->needs & SAR_NEEDS_REACTIONS) return true;
  return false;
}

static bool add_column(OutputJob* o, SarChannel channel, const SarColumn* column) {
  Compile* c = o->c;
  const bool of_model = channel.kind->of == SAR_OF_MODEL;
  if (c->channels.count == MOST_COLUMNS) {
    if (!c->too_many)
      sar_complain(c, o->item, o->spec->loc, "", "more than %d columns", MOST_COLUMNS);
    c->too_many = true;
    return true;
  }
  ChannelPart* p = SAR_LIST_ADD(&c->arena, &c->channels);
  if (!p) return false;
  p->channel = channel;
  p->loc = o->spec->loc;
  p->label = o->label || !of_model ? o->label : channel.kind->name;
  p->suffix = sar_arena_printf(&c->arena, "%s%s", column->name, column->rest);
  return p->suffix != NULL;
}

// Accelerations of a knot are not known: forces give its place, dampers its speed.
static bool is_known(const OutputJob* o, const SarOutputKind* kind, int holder) {
  const SarModel* m = &o->c->m;
  const bool moves = kind->of == SAR_OF_BODY && kind->needs == SAR_NEEDS_ACCELERATIONS;
  if (!moves || !o->c->tree_known || holder < m->nbody) return true;
  return !sar_is_knot(m, m->fixed_body[holder - m->nbody]);
}

bool sar_add_columns(OutputJob* o, const SarOutputOwner* of, SarChannel at, int holder) {
  const uint64_t asked = asked_for(o->spec);
  SarColumn column;
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* kind = sar_output_kind(i);
    SarChannel channel = at;
    if (!(asked >> i & 1) || !is_known(o, kind, holder)) continue;
    channel.kind = kind;
    if (kind->by_holder) channel.index = holder;
    if (!kind->at_point) channel.point = v3_zero();
    for (int k = 0; sar_output_column(kind, of, k, &column); k++) {
      channel.component = column.component;
      if (!column.measured_only && !add_column(o, channel, &column)) return false;
    }
  }
  return true;
}

static bool is_all(const SpecOutput* s) {
  return s->target.text && strcmp(s->target.text, "all") == 0;
}

// ---- one owner ----------------------------------------------------------------------------------

// The label of each quantity is its name.
static bool out_model(OutputJob* o) {
  o->c->m.text = o->c->text.items;  // names of accounts
  return sar_add_columns(o, &(SarOutputOwner){.m = &o->c->m}, (SarChannel){0}, 0);
}

// The named point that a load is measured at; -1: none. false: there is no such point.
static bool frame_of_load(OutputJob* o, int* frame) {
  const SpecName at = o->spec->other;
  Xform X_UP;
  *frame = -1;
  if (!at.text) return true;
  *frame = sar_names_find(&o->c->point_names, at.text);
  if (*frame >= 0) return true;
  if (sar_find_point(o->c, at, o->item, "at", &X_UP) != NOWHERE)
    sar_complain(o->c, o->item, at.loc, "as in at: wrist.cell", "'%s' is no named point", at.text);
  return false;
}

static bool out_joint(OutputJob* o, int joint) {
  const JointPart* p = &o->c->joint[joint];
  int frame;
  if (!frame_of_load(o, &frame)) return true;
  const uint64_t asked = asked_for(o->spec);
  for (int i = 0; p->cut >= 0 && sar_output_kind(i); i++)
    if (asked >> i & 1 && sar_output_kind(i)->of_coordinates) o->c->m.counts_turns = true;
  return sar_add_columns(o, &(SarOutputOwner){.m = &o->c->m, .joint = p->kind},
                         (SarChannel){.index = p->number, .frame = frame}, 0);
}

// Of all bodies, those of knots are left out.
static bool refuse_knot(OutputJob* o, const BodyPart* b) {
  const uint64_t asked = asked_for(o->spec);
  bool refused = false;
  for (int i = 0; b->knot && sar_output_kind(i); i++)
    refused |= asked >> i & 1 && !is_known(o, sar_output_kind(i), b->number);
  refused = refused && strcmp(o->spec->target.text, "all") != 0;
  if (refused)
    sar_complain(o->c, o->item, o->spec->loc, "ask for its position or velocity",
                 "the knot '%s' has no acceleration: forces give its place at once", b->item.name);
  return refused;
}

static bool out_place(OutputJob* o, int body, V3 p_U, int frame) {
  const BodyPart* b = &o->c->body[body];
  if (refuse_knot(o, b)) return true;
  return sar_add_columns(o, &(SarOutputOwner){.m = &o->c->m},
                         (SarChannel){.index = b->tree,
                                      .point = x_point(b->X_BU, p_U),
                                      .frame = frame >= 0 ? frame : -1 - b->number},
                         b->number);
}

static bool out_point(OutputJob* o) {
  Compile* c = o->c;
  Xform X_UP;
  int body = sar_find_point(c, o->spec->target, o->item, "point", &X_UP);
  V3 p = x_point(X_UP, sar_vector(c, &o->spec->point, o->item, "point", v3_zero()));
  if (body == NOWHERE) return true;
  if (!o->label) o->label = o->spec->target.text;
  if (body == GROUND) {
    sar_complain(c, o->item, o->spec->target.loc, "choose a point of a body",
                 "a point of the ground does not move");
    return true;
  }
  return out_place(o, body, p, sar_names_find(&c->point_names, o->spec->target.text));
}

static bool out_force(OutputJob* o, int force) {
  const SpecForce* f = &o->c->spec->forces.items[force];
  const int before = o->c->channels.count;
  if (!sar_add_columns(o, &(SarOutputOwner){.m = &o->c->m, .force = f->kind},
                       (SarChannel){.index = o->c->force_number[force]}, 0))
    return false;
  if (o->c->channels.count == before && !is_all(o->spec) && !o->c->too_many)
    sar_complain(o->c, o->item, o->spec->loc, "see 'sarrus list outputs'",
                 "'with' asks for nothing that the %s '%s' has", f->kind->name, f->name.text);
  return true;
}

static bool out_constraint(OutputJob* o, int constraint) {
  const SarConstraint* of = &o->c->m.constraint[constraint];
  return sar_add_columns(
      o, &(SarOutputOwner){.m = &o->c->m, .constraint = of->kind, .drive = of->drive},
      (SarChannel){.index = constraint}, 0);
}

static bool out_expr(OutputJob* o) {
  Compile* c = o->c;
  if (!o->label) {
    sar_complain(c, o->item, o->spec->loc, "add 'name: ...', it becomes the column",
                 "an expression needs a name");
    return true;
  }
  const SarNode e = sar_bound(c, o->spec->expr, o->item, "value", NULL);
  int slot = e >= 0 ? sar_slot_of(c, e, false) : -1;
  if (slot < 0) return !c->arena.failed;
  return sar_add_columns(o, &(SarOutputOwner){.m = &c->m}, (SarChannel){.index = slot}, 0);
}

// ---- one or all of a kind -------------------------------------------------------------------

static bool each_joint(OutputJob* o) {
  Compile* c = o->c;
  if (!is_all(o->spec)) {
    int joint = sar_find_joint(c, o->spec->target, o->item, "joint");
    if (joint < 0) return true;
    if (!o->label) o->label = c->joint[joint].item.name;
    return out_joint(o, joint);
  }
  for (int k = 0; k < c->njoint_order; k++) {
    int joint = c->joint_order[k];
    o->label = c->joint[joint].item.name;
    if (!out_joint(o, joint)) return false;
  }
  return true;
}

static bool each_body(OutputJob* o) {
  Compile* c = o->c;
  if (!is_all(o->spec)) {
    int body = sar_find_body(c, o->spec->target, o->item, "body");
    if (body == GROUND)
      sar_complain(c, o->item, o->spec->target.loc, "name a body", "the ground does not move");
    if (body < 0) return true;
    if (!o->label) o->label = c->body[body].item.name;
    return out_place(o, body, v3_zero(), -1);
  }
  for (int k = 0; k < c->nbody; k++) {
    o->label = c->body[c->body_order[k]].item.name;
    if (!out_place(o, c->body_order[k], v3_zero(), -1)) return false;
  }
  return true;
}

static bool each_force(OutputJob* o) {
  Compile* c = o->c;
  if (!is_all(o->spec)) {
    int force = sar_find_force(c, o->spec->target, o->item, "force");
    if (force < 0) return true;
    if (!o->label) o->label = c->spec->forces.items[force].name.text;
    return out_force(o, force);
  }
  for (int i = 0; i < c->spec->forces.count; i++) {
    o->label = c->spec->forces.items[c->force_at[i]].name.text;
    if (!out_force(o, c->force_at[i])) return false;
  }
  return true;
}

// Those of the file's section `constraints`, not the joints that close loops: these have reactions.
static bool each_constraint(OutputJob* o) {
  Compile* c = o->c;
  const SarModel* m = &c->m;
  const char* wanted = NULL;
  if (!is_all(o->spec)) {
    int found = sar_find_constraint(c, o->spec->target, o->item, "constraint");
    if (found < 0) return true;
    wanted = c->spec->constraints.items[found].name.text;
  }
  for (int i = 0; i < m->nconstraint; i++) {
    const char* name = c->text.items + m->constraint[i].name;
    if (m->constraint[i].source != SAR_FROM_ELEMENT || (wanted && strcmp(name, wanted) != 0))
      continue;
    o->label = o->spec->label.text ? o->spec->label.text
                                   : sar_arena_strndup(&c->arena, name, strlen(name));
    if (!o->label || !out_constraint(o, i)) return false;
  }
  return true;
}

static bool each_state(OutputJob* o) {
  Compile* c = o->c;
  const bool all = is_all(o->spec) || !o->spec->target.text;
  const int wanted = all ? -1 : sar_find_state(c, o->spec->target.text);
  char hint[128];
  if (!all && wanted < 0) {
    if (c->spec->lost & SPEC_LOST_VALUES) return true;
    sar_complain(c, o->item, o->spec->target.loc,
                 sar_suggest_symbol(c, o->spec->target.text, SYMBOL_STATE, NULL, hint, sizeof hint),
                 "there is no state '%s'", o->spec->target.text);
    return true;
  }
  for (int i = all ? 0 : wanted; i < (all ? c->states.count : wanted + 1); i++) {
    if (all || !o->spec->label.text) o->label = c->states.items[i].name;
    if (!sar_add_columns(o, &(SarOutputOwner){.m = &c->m}, (SarChannel){.index = i}, 0))
      return false;
  }
  return true;
}

// Slot of a signal's value, which may be constant; -1: it is wrong, and has been reported.
static int signal_slot(Compile* c, const char* name) {
  const int i = sar_names_find(&c->symbol_names, name);
  if (i < 0 || isnan(c->symbol[i].value)) return -1;
  if (!c->symbol[i].constant) return c->symbol[i].slot;
  return sar_slot_of(c, sar_sym_number(c->graph, c->symbol[i].value), false);
}

static bool each_signal(OutputJob* o) {
  Compile* c = o->c;
  const int n = c->spec->signals.count;
  const bool all = is_all(o->spec) || !o->spec->target.text;
  bool found = all;
  for (int i = 0; i < n; i++) {
    const char* name = c->spec->signals.items[i].text;
    if (!all && strcmp(name, o->spec->target.text) != 0) continue;
    found = true;
    const int slot = signal_slot(c, name);
    if (slot < 0) continue;
    if (all || !o->spec->label.text) o->label = name;
    if (!sar_add_columns(o, &(SarOutputOwner){.m = &c->m}, (SarChannel){.index = slot}, 0))
      return false;
  }
  if (found || (c->spec->lost & SPEC_LOST_VALUES)) return true;
  char hint[128];
  sar_complain(c, o->item, o->spec->target.loc,
               sar_suggest_signal(c, o->spec->target.text, hint, sizeof hint),
               "there is no signal '%s'", o->spec->target.text);
  return true;
}

static bool each_contact(OutputJob* o) {
  return is_all(o->spec) ? sar_out_contacts(o) : sar_out_contact(o);
}

static Item output_item(const SpecOutput* spec) {
  const char* name = spec->label.text ? spec->label.text : spec->target.text;
  return (Item){"output", name ? name : "", spec->loc};
}

static bool take_output(Compile* c, const SpecOutput* spec) {
  static bool (*const TAKE[SAR_OWNERS])(OutputJob*) = {
      [SAR_OF_MODEL] = out_model,      [SAR_OF_JOINT] = each_joint,
      [SAR_OF_BODY] = each_body,       [SAR_OF_POINT] = out_point,
      [SAR_OF_FORCE] = each_force,     [SAR_OF_CONSTRAINT] = each_constraint,
      [SAR_OF_CONTACT] = each_contact, [SAR_OF_STATE] = each_state,
      [SAR_OF_SIGNAL] = each_signal,   [SAR_OF_VALUE] = out_expr,
  };
  OutputJob o = {c, spec, output_item(spec), spec->label.text};
  return TAKE[spec->of](&o);
}

// Of a file that asks for nothing.
static bool take_usual(Compile* c) {
  const SpecOutput usual[] = {
      {.of = SAR_OF_JOINT, .target = {.text = "all"}},
      {.of = SAR_OF_STATE, .target = {.text = "all"}},
      {.of = SAR_OF_MODEL, .only = sar_output_kind_find("energy")},
  };
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (!take_output(c, &usual[i])) return false;
  return true;
}

bool sar_compile_outputs(Compile* c) {
  const SarSpec* s = c->spec;
  // calls that keep states first: `states` shows theirs too
  for (int i = 0; i < s->outputs.count; i++)
    if (s->outputs.items[i].of == SAR_OF_VALUE && s->outputs.items[i].expr.expr)
      sar_without_blocks(c, s->outputs.items[i].expr, output_item(&s->outputs.items[i]));
  for (int i = 0; i < s->outputs.count; i++)
    if (!take_output(c, &s->outputs.items[i])) return false;
  if (s->outputs.count == 0 && !take_usual(c)) return false;
  return sar_compile_columns(c);
}
