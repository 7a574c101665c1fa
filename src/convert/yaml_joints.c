// Joints, force elements, constraints and outputs: by the tables that the reader has them from.
#include "convert/yaml_parts.h"

#include "model/output_kind.h"

#include <string.h>

static const char* pair_text(Convert* c, SpecName a, SpecName b) {
  const SpecName both[2] = {a, b};
  return sar_yaml_names(c, both, 2);
}

static void put_place(YamlItem* item, const SpecJoint* j) {
  if (j->relative) {
    YamlItem origin = {.c = item->c};
    sar_yaml_put_pose(&origin, j->origin);
    sar_yaml_put(item, "origin", sar_yaml_braces(&origin));
  }
  sar_yaml_put_name(item, "at", j->at_point);
  sar_yaml_put_vec3(item, "at", j->at);
  if (j->axis.c[0].expr) sar_yaml_put(item, "axis", sar_yaml_direction(item->c, j->axis));
  if (j->axis2.c[0].expr) sar_yaml_put(item, "axis2", sar_yaml_direction(item->c, j->axis2));
  sar_yaml_put_name(item, "in", j->in);
}

static void put_motor(YamlItem* item, const SpecMotor* m) {
  YamlItem inner = {.c = item->c};
  sar_yaml_put_dofs(&inner, "speed", m->speed);
  sar_yaml_put_dofs(&inner, "position", m->position);
  sar_yaml_put_dofs(&inner, "effort", m->effort);
  sar_yaml_put_dofs(&inner, "speed_limit", m->speed_limit);
  sar_yaml_put(item, "motor", sar_yaml_braces(&inner));
}

static void put_rotor(YamlItem* item, const SpecRotor* r) {
  YamlItem inner = {.c = item->c};
  sar_yaml_put_number(&inner, "inertia", r->inertia);
  sar_yaml_put_number(&inner, "ratio", r->ratio);
  if (r->axis.c[0].expr) sar_yaml_put(&inner, "axis", sar_yaml_direction(item->c, r->axis));
  sar_yaml_put_name(&inner, "on", r->on);
  sar_yaml_put(item, "rotor", sar_yaml_braces(&inner));
}

static void put_laws(YamlItem* item, const SpecJoint* j) {
  const struct {
    const char* key;
    SpecDofs value;
  } dofs[] = {{"position", j->position},
              {"speed", j->speed},
              {"stiffness", j->stiffness},
              {"rest", j->rest},
              {"damping", j->damping},
              {"friction", j->friction},
              {"armature", j->armature},
              {"force", j->force},
              {"lower", j->lower},
              {"upper", j->upper},
              {"restitution", j->restitution},
              {"effort", j->effort},
              {"speed_limit", j->speed_limit}};
  for (size_t i = 0; i < sizeof dofs / sizeof *dofs; i++)
    sar_yaml_put_dofs(item, dofs[i].key, dofs[i].value);
  sar_yaml_put_number(item, "friction_speed", j->friction_speed);
  if (j->stribeck) sar_yaml_put_dofs(item, "breakaway", j->stribeck->breakaway);
  if (j->stribeck) sar_yaml_put_number(item, "stribeck_speed", j->stribeck->speed);
  if (j->rotor) put_rotor(item, j->rotor);
  if (j->motor) put_motor(item, j->motor);
}

static void put_mimic(YamlItem* item, const SpecJoint* j) {
  if (!j->mimic.text) return;
  YamlItem inner = {.c = item->c};
  sar_yaml_put_name(&inner, "joint", j->mimic);
  sar_yaml_put_number(&inner, "multiplier", j->multiplier);
  sar_yaml_put_number(&inner, "offset", j->offset);
  sar_yaml_put(item, "mimic", sar_yaml_braces(&inner));
}

static void write_joint(Convert* c, const SpecJoint* j) {
  YamlItem item = {.c = c, .name = j->name.text};
  double touches = 0;
  sar_yaml_put(&item, j->kind->name, pair_text(c, j->parent, j->child));
  put_place(&item, j);
  for (int i = 0; i < j->kind->nparam; i++)
    sar_yaml_put_number(&item, j->kind->param[i].name, j->param[i]);
  put_laws(&item, j);
  put_mimic(&item, j);
  if (j->contact.expr && sar_expr_is_number(j->contact.expr, &touches) && touches != 0)
    sar_yaml_put(&item, "contact", "true");
  sar_yaml_put_gate(&item, &j->gate);
  sar_yaml_end(&item);
}

void sar_yaml_write_joints(Convert* c) {
  if (c->spec->joints.count) sar_text_add(&c->out, "\njoints:\n");
  for (int i = 0; i < c->spec->joints.count; i++) write_joint(c, &c->spec->joints.items[i]);
}

// ---- elements --------------------------------------------------------------------------------

const char* sar_yaml_rows(Convert* c, const SpecNum* numbers, int count, int columns) {
  SarTextOut t = {.arena = &c->arena};
  sar_text_add(&t, "[");
  for (int i = 0; i < count; i += columns)
    sar_text_addf(&t, "%s%s", i ? ", " : "", sar_yaml_list(c, &numbers[i], columns));
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

static const char* named_text(Convert* c, const SpecValue* v, const char* names) {
  YamlItem item = {.c = c};
  for (int i = 0; i < v->count && *names; i++) {
    const size_t n = strcspn(names, " "), length = names[n - 1] == '?' ? n - 1 : n;
    sar_yaml_put_number(&item, sar_arena_strndup(&c->arena, names, length), v->numbers[i]);
    names += n + strspn(names + n, " ");
  }
  return sar_yaml_braces(&item);
}

static const char* value_text(Convert* c, const SarAttr* attr, const SpecValue* v) {
  YamlItem frame = {.c = c};
  SpecVec3 d;
  switch (attr->type) {
    case SAR_ATTR_BODY:
    case SAR_ATTR_JOINT:
    case SAR_ATTR_CHOICE:
    case SAR_ATTR_ROAD:
    case SAR_ATTR_AIRFOIL:
    case SAR_ATTR_FORCE: return v->name.text ? sar_yaml_scalar(c, v->name.text) : "";
    case SAR_ATTR_POINT:
      return v->count == 3
                 ? sar_arena_printf(&c->arena, "[%s, %s]", sar_yaml_scalar(c, v->name.text),
                                    sar_yaml_list(c, v->numbers, 3))
                 : sar_yaml_scalar(c, v->name.text);
    case SAR_ATTR_FRAME: sar_yaml_put_pose(&frame, v->pose); return sar_yaml_braces(&frame);
    case SAR_ATTR_TABLE: return sar_yaml_rows(c, v->numbers, v->count, 2);
    case SAR_ATTR_SPAN:
      return v->count == 1 ? sar_yaml_number(c, v->numbers[0])
                           : sar_yaml_rows(c, v->numbers, v->count, 2);
    case SAR_ATTR_MATRIX6:
      return v->count == 36 ? sar_yaml_rows(c, v->numbers, v->count, 6)
                            : sar_yaml_list(c, v->numbers, v->count);
    case SAR_ATTR_DIRECTION: memcpy(d.c, v->numbers, sizeof d.c); return sar_yaml_direction(c, d);
    case SAR_ATTR_VECTOR:
    case SAR_ATTR_VECTOR6:
    case SAR_ATTR_LIST: return sar_yaml_list(c, v->numbers, v->count);
    case SAR_ATTR_NAMED: return named_text(c, v, attr->choices);
    default: return v->count ? sar_yaml_number(c, v->numbers[0]) : "";
  }
}

void sar_yaml_put_attributes(YamlItem* item, SarForm form, const SpecValue* values) {
  for (int i = form.targets; i < form.nattr; i++)
    if (values[i].given)
      sar_yaml_put(item, form.attr[i].name, value_text(item->c, &form.attr[i], &values[i]));
}

static void write_element(Convert* c, SpecName name, SarForm form, const SpecValue* values,
                          const SpecGate* gate) {
  YamlItem item = {.c = c, .name = name.text};
  SarTextOut targets = {.arena = &c->arena};
  if (form.targets > 1) sar_text_add(&targets, "[");
  for (int i = 0; i < form.targets; i++)
    sar_text_addf(&targets, "%s%s", i ? ", " : "", value_text(c, &form.attr[i], &values[i]));
  if (form.targets > 1) sar_text_add(&targets, "]");
  sar_yaml_put(&item, form.name, targets.text);
  sar_yaml_put_attributes(&item, form, values);
  sar_yaml_put_gate(&item, gate);
  sar_yaml_end(&item);
}

void sar_yaml_write_elements(Convert* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->forces.count; i++) {
    const SpecForce* f = &s->forces.items[i];
    if (i == 0) sar_text_add(&c->out, "\nforces:\n");
    write_element(c, f->name, sar_force_form(f->kind), f->values, &f->gate);
  }
  for (int i = 0; i < s->constraints.count; i++) {
    const SpecConstraint* k = &s->constraints.items[i];
    if (i == 0) sar_text_add(&c->out, "\nconstraints:\n");
    write_element(c, k->name, sar_constraint_form(k->kind), k->values, &k->gate);
  }
}

// ---- outputs ---------------------------------------------------------------------------------

static const char* owner_text(Convert* c, const SpecOutput* o) {
  if (o->of == SAR_OF_VALUE) return sar_yaml_number(c, o->expr);
  if (o->of == SAR_OF_CONTACT && o->other.text) return pair_text(c, o->target, o->other);
  if (o->of == SAR_OF_POINT && o->point.c[0].expr)
    return sar_arena_printf(&c->arena, "[%s, %s]", sar_yaml_scalar(c, o->target.text),
                            sar_yaml_list(c, o->point.c, 3));
  return sar_yaml_scalar(c, o->target.text);
}

static const char* with_text(Convert* c, uint64_t with) {
  SarTextOut t = {.arena = &c->arena};
  uint64_t said = 0;
  sar_text_add(&t, "[");
  for (int i = 0; sar_output_kind(i); i++) {
    const char* word = sar_output_kind(i)->with;
    const uint64_t set = word ? sar_outputs_with(word) : 0;
    if (!set || (set & with) != set || (set & said) == set) continue;
    sar_text_addf(&t, "%s%s", said ? ", " : "", word);
    said |= set;
  }
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

static void write_output(Convert* c, const SpecOutput* o) {
  const SarOwnerWords words = sar_owner_words(o->of);
  const bool all = o->target.text && strcmp(o->target.text, "all") == 0;
  if (o->of == SAR_OF_MODEL || (all && !o->with && !o->label.text)) {
    const char* word = o->only ? o->only->group : words.all;
    if (word) sar_text_addf(&c->out, "  - %s\n", word);
    return;
  }
  YamlItem item = {.c = c};
  sar_yaml_put(&item, o->only && o->only->key ? o->only->key : words.one, owner_text(c, o));
  if (o->of != SAR_OF_CONTACT) sar_yaml_put_name(&item, "at", o->other);
  if (o->with) sar_yaml_put(&item, "with", with_text(c, o->with));
  sar_yaml_put_name(&item, "name", o->label);
  sar_yaml_end(&item);
}

void sar_yaml_write_outputs(Convert* c) {
  if (c->spec->outputs.count) sar_text_add(&c->out, "\noutputs:\n");
  for (int i = 0; i < c->spec->outputs.count; i++) write_output(c, &c->spec->outputs.items[i]);
}
