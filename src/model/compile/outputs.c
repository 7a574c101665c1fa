// Columns of the result, from the outputs of the file.
#include "model/compile/outputs.h"

#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 2000000 };

static const char* const XYZ[] = {"x", "y", "z"};

bool sar_add_column(OutputJob* o, SarChannelKind kind, int index, int component, V3 point,
                    const char* prefix, const char* suffix) {
  Compile* c = o->c;
  if (c->channels.count == MOST_COLUMNS) {
    if (!c->too_many)
      sar_complain(c, o->item, o->spec->loc, "", "more than %d columns", MOST_COLUMNS);
    c->too_many = true;
    return true;
  }
  ChannelPart* p = SAR_LIST_ADD(&c->arena, &c->channels);
  if (!p) return false;
  p->channel = (SarChannel){.kind = kind, .index = index, .component = component, .point = point};
  p->loc = o->spec->loc;
  p->label = o->label;
  p->suffix = sar_arena_printf(&c->arena, "%s%s", prefix, suffix);
  return p->suffix != NULL;
}

bool sar_add_columns(OutputJob* o, SarChannelKind kind, int index, int from, int n, V3 point,
                     const char* prefix, const char* const* suffixes) {
  for (int i = 0; i < n; i++)
    if (!sar_add_column(o, kind, index, from + i, point, prefix, suffixes[i])) return false;
  return true;
}

// ---- kinds of output ------------------------------------------------------------------------

static bool out_energy(OutputJob* o) {
  static const char* const NAME[] = {"kinetic", "potential", "total", "work", "error"};
  if (!o->label) o->label = "energy";
  return sar_add_columns(o, SAR_CHANNEL_ENERGY, 0, 0, 5, v3_zero(), "", NAME);
}

static bool out_momentum(OutputJob* o) {
  static const char* const NAME[] = {"px", "py", "pz", "lx", "ly", "lz"};
  if (!o->label) o->label = "momentum";
  return sar_add_columns(o, SAR_CHANNEL_MOMENTUM, 0, 0, 6, v3_zero(), "", NAME);
}

// One column for each account: who gave how much since the start.
static bool out_work(OutputJob* o) {
  const SarModel* m = &o->c->m;
  if (!o->label) o->label = "work";
  for (int i = 0; i < m->nwork; i++) {
    const SarWorkSource* w = &m->work[i];
    const char* whole = NULL;  // of nobody in particular
    const char* of = "";
    int name = 0;
    switch (w->kind) {
      case SAR_WORK_HOST: whole = "host"; break;
      case SAR_WORK_GRAVITY: whole = "gravity"; break;
      case SAR_WORK_IMPACT: whole = "impact"; break;
      case SAR_WORK_SWITCHING: whole = "switching"; break;
      case SAR_WORK_CONTACT_NORMAL: whole = "contact.impact"; break;
      case SAR_WORK_CONTACT_FRICTION: whole = "contact.friction"; break;
      case SAR_WORK_LIMITS: whole = "limits"; break;
      case SAR_WORK_FORCE: name = m->force_name[w->index]; break;
      case SAR_WORK_CONSTRAINT: name = m->constraint[w->index].name; break;
      case SAR_WORK_DISSIPATION: name = m->joint_name[w->index], of = ".losses"; break;
      case SAR_WORK_DRIVE: name = m->joint_name[w->index], of = ".drive"; break;
    }
    const char* prefix = whole ? whole : o->c->text.items + name;
    if (!sar_add_column(o, SAR_CHANNEL_WORK, i, 0, v3_zero(), prefix, of)) return false;
  }
  return true;
}

// What motors, limits and dry friction exert on the coordinates.
static bool out_laws(OutputJob* o, const JointPart* p, unsigned with) {
  static const unsigned WORD[SAR_LAW_COLUMNS] = {SPEC_WITH_MOTOR, SPEC_WITH_LIMIT,
                                                 SPEC_WITH_FRICTION};
  char name[32];
  for (int k = 0; k < SAR_LAW_COLUMNS; k++)
    for (int i = 0; with & WORD[k] && i < p->kind->nv; i++)
      if (sar_law_suffix(p->kind, i, (SarLawColumn)k, name, sizeof name) &&
          !sar_add_column(o, SAR_CHANNEL_LAW, p->number, i * SAR_LAW_COLUMNS + k, v3_zero(), "",
                          name))
        return false;
  return true;
}

static bool out_joint(OutputJob* o, int joint) {
  char name[32];
  const JointPart* p = &o->c->joint[joint];
  const SarJointKind* kind = p->kind;
  unsigned with = o->spec->with;
  V3 none = v3_zero();
  if (p->cut >= 0) o->c->m.counts_turns = true;
  if (!(with & (SPEC_WITH_POSITION | SPEC_WITH_VELOCITY)))
    with |= SPEC_WITH_POSITION | SPEC_WITH_VELOCITY;
  if (with & SPEC_WITH_POSITION &&
      !sar_add_columns(o, SAR_CHANNEL_Q, p->number, 0, kind->nq, none, "", kind->q_suffix))
    return false;
  if (with & SPEC_WITH_VELOCITY &&
      !sar_add_columns(o, SAR_CHANNEL_V, p->number, 0, kind->nv, none, "", kind->v_suffix))
    return false;
  for (int i = 0; with & SPEC_WITH_ACCELERATION && i < kind->nv; i++)
    if (sar_acceleration_suffix(kind, i, name, sizeof name) &&
        !sar_add_column(o, SAR_CHANNEL_A, p->number, i, none, "", name))
      return false;
  return out_laws(o, p, with);
}

static bool out_motion(OutputJob* o, int body, V3 p_U, unsigned with) {
  static const char* const QUAT[] = {"qw", "qx", "qy", "qz"};
  const BodyPart* b = &o->c->body[body];
  V3 p = x_point(b->X_BU, p_U), none = v3_zero();
  int i = b->tree;
  return (!(with & SPEC_WITH_POSITION) ||
          sar_add_columns(o, SAR_CHANNEL_POINT, i, 0, 3, p, "", XYZ)) &&
         (!(with & SPEC_WITH_ORIENTATION) ||
          sar_add_columns(o, SAR_CHANNEL_QUAT, b->number, 0, 4, none, "", QUAT)) &&
         (!(with & SPEC_WITH_VELOCITY) ||
          sar_add_columns(o, SAR_CHANNEL_POINT_V, i, 0, 3, p, "v", XYZ)) &&
         (!(with & SPEC_WITH_OMEGA) ||
          sar_add_columns(o, SAR_CHANNEL_OMEGA, i, 0, 3, none, "w", XYZ)) &&
         (!(with & SPEC_WITH_ACCELERATION) ||
          sar_add_columns(o, SAR_CHANNEL_POINT_A, i, 0, 3, p, "a", XYZ));
}

static bool out_body(OutputJob* o, int body) {
  unsigned all = SPEC_WITH_POSITION | SPEC_WITH_ORIENTATION | SPEC_WITH_VELOCITY | SPEC_WITH_OMEGA;
  return out_motion(o, body, v3_zero(), o->spec->with ? o->spec->with : all);
}

static bool out_point(OutputJob* o) {
  Compile* c = o->c;
  Xform X_UP;
  int body = sar_find_point(c, o->spec->target, o->item, "point", &X_UP);
  if (body == NOWHERE) return true;
  if (!o->label) o->label = o->spec->target.text;
  V3 p = x_point(X_UP, sar_vector(c, &o->spec->point, o->item, "point", v3_zero()));
  if (body == GROUND) {
    sar_complain(c, o->item, o->spec->target.loc, "choose a point of a body",
                 "a point of the ground does not move");
    return true;
  }
  unsigned with = o->spec->with ? o->spec->with : SPEC_WITH_POSITION | SPEC_WITH_VELOCITY;
  return out_motion(o, body, p, with);
}

static bool out_reaction(OutputJob* o, int joint) {
  int i = o->c->joint[joint].number;
  return sar_add_columns(o, SAR_CHANNEL_REACTION, i, 0, 3, v3_zero(), "f", XYZ) &&
         sar_add_columns(o, SAR_CHANNEL_REACTION, i, 3, 3, v3_zero(), "t", XYZ);
}

static bool out_force(OutputJob* o, int force) {
  static const char* const NAME[] = {"power", "energy", "work"};
  const SarForceKind* kind = o->c->spec->forces.items[force].kind;
  int i = o->c->force_number[force];
  return sar_add_columns(o, SAR_CHANNEL_FORCE, i, 0, 3, v3_zero(), "", NAME) &&
         sar_add_columns(o, SAR_CHANNEL_FORCE, i, 3, kind->noutput, v3_zero(), "", kind->output);
}

// Row by row, forces and speeds (SarConstraintKind.row_force).
static bool out_rows(OutputJob* o, int constraint, const SarConstraintKind* kind) {
  for (int i = 0; i < SAR_ROW_COLUMNS; i++)
    for (int speed = 0; speed < 2; speed++) {
      const char* name = speed ? kind->row_speed[i] : kind->row_force[i];
      const int component = SAR_CONSTRAINT_ROWS + 2 * i + speed;
      if (name &&
          !sar_add_column(o, SAR_CHANNEL_CONSTRAINT, constraint, component, v3_zero(), "", name))
        return false;
    }
  return true;
}

// What a constraint exerts; a drive (its value varies in time) reports its motion and power too.
static bool out_constraint(OutputJob* o, int constraint) {
  static const char* const NAME[] = {"value", "speed", "force", "power"};
  const SarConstraintKind* kind = o->c->m.constraint[constraint].kind;
  const bool drive = o->c->m.constraint[constraint].drive;
  if (kind && kind->row_force[0]) return out_rows(o, constraint, kind);
  return sar_add_columns(o, SAR_CHANNEL_CONSTRAINT, constraint, drive ? 0 : 2, drive ? 4 : 1,
                         v3_zero(), "", drive ? NAME : &NAME[2]);
}

static bool each_state(OutputJob* o) {
  Compile* c = o->c;
  const bool all = !o->spec->target.text || strcmp(o->spec->target.text, "all") == 0;
  const int wanted = all ? -1 : sar_find_state(c, o->spec->target.text);
  char hint[128];
  if (!all && wanted < 0) {
    sar_complain(c, o->item, o->spec->target.loc,
                 sar_suggest_symbol(c, o->spec->target.text, SYMBOL_STATE, NULL, hint, sizeof hint),
                 "there is no state '%s'", o->spec->target.text);
    return true;
  }
  for (int i = all ? 0 : wanted; i < (all ? c->states.count : wanted + 1); i++) {
    if (all || !o->spec->label.text) o->label = c->states.items[i].name;
    if (!sar_add_column(o, SAR_CHANNEL_STATE, i, 0, v3_zero(), "", "")) return false;
  }
  return true;
}

static bool out_expr(OutputJob* o) {
  Compile* c = o->c;
  if (!o->label) {
    sar_complain(c, o->item, o->spec->loc, "add 'name: ...', it becomes the column",
                 "an expression needs a name");
    return true;
  }
  const SarExpr* e = sar_bound(c, o->spec->expr, o->item, "value", NULL);
  int slot = e ? sar_slot_of(c, e, false) : -1;
  if (slot < 0) return !c->arena.failed;
  return sar_add_column(o, SAR_CHANNEL_SLOT, slot, 0, v3_zero(), "", "");
}

// ---- one or all of a kind -------------------------------------------------------------------

static bool is_all(const SpecOutput* s) {
  return s->target.text && strcmp(s->target.text, "all") == 0;
}

static bool each_joint(OutputJob* o, bool (*out)(OutputJob*, int)) {
  Compile* c = o->c;
  if (!is_all(o->spec)) {
    int joint = sar_find_joint(c, o->spec->target, o->item, "joint");
    if (joint < 0) return true;
    if (!o->label) o->label = c->joint[joint].item.name;
    return out(o, joint);
  }
  for (int k = 0; k < c->njoint_order; k++) {
    int joint = c->joint_order[k];
    o->label = c->joint[joint].item.name;
    if (!out(o, joint)) return false;
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
    return out_body(o, body);
  }
  for (int k = 0; k < c->nbody; k++) {
    o->label = c->body[c->body_order[k]].item.name;
    if (!out_body(o, c->body_order[k])) return false;
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

static Item output_item(const SpecOutput* spec) {
  const char* name = spec->label.text ? spec->label.text : spec->target.text;
  return (Item){"output", name ? name : "", spec->loc};
}

static bool take_output(Compile* c, const SpecOutput* spec) {
  OutputJob o = {c, spec, output_item(spec), spec->label.text};
  switch (spec->kind) {
    case SPEC_OUT_ENERGY: return out_energy(&o);
    case SPEC_OUT_MOMENTUM: return out_momentum(&o);
    case SPEC_OUT_WORK: return out_work(&o);
    case SPEC_OUT_JOINT: return each_joint(&o, out_joint);
    case SPEC_OUT_BODY: return each_body(&o);
    case SPEC_OUT_POINT: return out_point(&o);
    case SPEC_OUT_REACTION: return each_joint(&o, out_reaction);
    case SPEC_OUT_FORCE: return each_force(&o);
    case SPEC_OUT_CONSTRAINT: return each_constraint(&o);
    case SPEC_OUT_CONTACT: return is_all(spec) ? sar_out_contacts(&o) : sar_out_contact(&o);
    case SPEC_OUT_STATE: return each_state(&o);
    case SPEC_OUT_EXPR: return out_expr(&o);
  }
  return true;
}

bool sar_compile_outputs(Compile* c) {
  const SarSpec* s = c->spec;
  // calls that keep states first: `states` shows theirs too
  for (int i = 0; i < s->outputs.count; i++)
    if (s->outputs.items[i].kind == SPEC_OUT_EXPR && s->outputs.items[i].expr.expr)
      sar_without_blocks(c, s->outputs.items[i].expr, output_item(&s->outputs.items[i]));
  for (int i = 0; i < s->outputs.count; i++)
    if (!take_output(c, &s->outputs.items[i])) return false;
  if (s->outputs.count == 0) {
    SpecOutput joints = {.kind = SPEC_OUT_JOINT, .target = {.text = "all"}};
    SpecOutput energy = {.kind = SPEC_OUT_ENERGY};
    SpecOutput states = {.kind = SPEC_OUT_STATE};
    if (!take_output(c, &joints) || !take_output(c, &states) || !take_output(c, &energy))
      return false;
  }
  return sar_compile_columns(c);
}
