// Attributes of XML, and what neither URDF, SDF nor MJCF holds of a model file.
#include "convert/links.h"

#include "expr/print.h"

#include <string.h>

// ---- XML -------------------------------------------------------------------------------------

void sar_xml_put_text(Convert* c, const char* value) {
  for (const char* p = value ? value : ""; *p; p++) {
    const char one[2] = {*p, '\0'};
    sar_text_add(&c->out, *p == '&'    ? "&amp;"
                          : *p == '<'  ? "&lt;"
                          : *p == '"'  ? "&quot;"
                          : *p == '\n' ? "&#10;"
                                       : one);
  }
}

void sar_xml_put(Convert* c, const char* key, const char* value) {
  sar_text_addf(&c->out, " %s=\"", key);
  sar_xml_put_text(c, value);
  sar_text_add(&c->out, "\"");
}

void sar_xml_put_list(Convert* c, const double* x, int count) {
  char text[SAR_NUMBER_TEXT];
  for (int i = 0; i < count; i++)
    sar_text_addf(&c->out, "%s%s", i ? " " : "", sar_number_text(text, x[i] == 0 ? 0 : x[i]));
}

void sar_xml_put_numbers(Convert* c, const char* key, const double* x, int count) {
  sar_text_addf(&c->out, " %s=\"", key);
  sar_xml_put_list(c, x, count);
  sar_text_add(&c->out, "\"");
}

void sar_xml_put_vec(Convert* c, const char* key, V3 v) {
  double x[3];
  v3_store(x, v);
  sar_xml_put_numbers(c, key, x, 3);
}

void sar_xml_put_number(Convert* c, const char* key, double x) {
  sar_xml_put_numbers(c, key, &x, 1);
}

// ---- what is left ----------------------------------------------------------------------------

// Starts that are not the coordinates q of the file; NULL: all at 0.
void sar_lose_start(Convert* c, const double* q) {
  const SarModel* m = c->model;
  bool moved = false, moving = false;
  for (int i = 0; i < m->nq && !q; i++) moved = moved || m->q0[i] != m->q_zero[i];
  for (int b = 0; b < m->nbody; b++) {
    double zero[SAR_JOINT_MAX_NQ];
    const int adr = m->joint_qadr[b];
    sar_joint_zero(m->joint_kind[b], zero);
    for (int i = 0; i < m->joint_nq[b]; i++)
      moved = moved || m->q0[adr + i] != (q ? q[adr + i] : zero[i]);
  }
  for (int i = 0; i < m->nv; i++) moving = moving || m->v0[i] != 0;
  if (moved) sar_lose(c, (SarLoc){0}, "where joints are at the start: all coordinates are 0 there");
  if (moving) sar_lose(c, (SarLoc){0}, "speeds at the start");
}

static void lose_joint_laws(Convert* c) {
  for (int i = 0; i < c->spec->joints.count; i++) {
    const SpecJoint* j = &c->spec->joints.items[i];
    const char* name = j->name.text;
    if (j->rotor) sar_lose(c, j->rotor->loc, "joint '%s': rotor", name);
    if (j->motor) sar_lose(c, j->motor->loc, "joint '%s': motor", name);
    if (j->stribeck) sar_lose(c, j->name.loc, "joint '%s': breakaway", name);
    if (j->friction_speed.expr)
      sar_lose(c, j->friction_speed.loc, "joint '%s': friction_speed", name);
    if (j->restitution.count) sar_lose(c, j->restitution.loc, "joint '%s': restitution", name);
    if (sar_gate_given(&j->gate))
      sar_lose(c, j->name.loc, "joint '%s': when it is on; it always is", name);
  }
}

static void lose_elements(Convert* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->forces.count; i++)
    sar_lose(c, s->forces.items[i].name.loc, "force '%s' (%s)", s->forces.items[i].name.text,
             s->forces.items[i].kind->name);
  for (int i = 0; i < s->constraints.count; i++)
    sar_lose(c, s->constraints.items[i].name.loc, "constraint '%s' (%s)",
             s->constraints.items[i].name.text, s->constraints.items[i].kind->name);
  for (int i = 0; i < s->roads.count; i++)
    sar_lose(c, s->roads.items[i].name.loc, "road '%s'", s->roads.items[i].name.text);
  for (int i = 0; i < s->airfoils.count; i++)
    sar_lose(c, s->airfoils.items[i].name.loc, "airfoil '%s'", s->airfoils.items[i].name.text);
  for (int i = 0; i < s->beams.count; i++)
    sar_lose(c, s->beams.items[i].name.loc, "beam '%s': its stiffness; its nodes are bodies",
             s->beams.items[i].name.text);
  for (int i = 0; i < s->modals.count; i++)
    sar_lose(c, s->modals.items[i].body.name.loc, "modal body '%s': its modes",
             s->modals.items[i].body.name.text);
}

// Counted, not listed: they are means of the file, which numbers stand for.
static void lose_values(Convert* c, const char* format) {
  const SarSpec* s = c->spec;
  if (s->parameters.count)
    sar_lose(c, s->parameters.items[0].name.loc, "%d parameter%s: numbers stand for them",
             s->parameters.count, s->parameters.count == 1 ? "" : "s");
  for (int i = 0; i < s->variables.count; i++)
    sar_lose(c, s->variables.items[i].name.loc, "variable '%s'", s->variables.items[i].name.text);
  for (int i = 0; i < s->states.count; i++)
    sar_lose(c, s->states.items[i].rate.name.loc, "state '%s'", s->states.items[i].rate.name.text);
  for (int i = 0; i < s->discrete.count; i++)
    sar_lose(c, s->discrete.items[i].next.name.loc, "signal '%s'",
             s->discrete.items[i].next.name.text);
  for (int i = 0; i < s->initial.count; i++)
    sar_lose(c, s->initial.items[i].text.loc, "initial condition %s",
             s->initial.items[i].text.text);
  if (s->outputs.count)
    sar_lose(c, s->outputs.items[0].loc, "outputs: %s has none of its own", format);
}

static void lose_contact(Convert* c) {
  const SarSpec* s = c->spec;
  if (sar_touches(&s->ground_touch)) sar_lose(c, s->ground_touch.loc, "what of the ground touches");
  for (int i = 0; i < s->bodies.count; i++)
    if (sar_touches(&s->bodies.items[i].touch))
      sar_lose(c, s->bodies.items[i].touch.loc, "what of body '%s' touches",
               s->bodies.items[i].name.text);
}

void sar_lose_rest(Convert* c, const char* format) {
  const SarModel* m = c->model;
  lose_values(c, format);
  lose_joint_laws(c);
  lose_elements(c);
  lose_contact(c);
  for (int k = 0; k < m->nknot; k++)
    sar_lose(c, sar_body_place(c, sar_knot_name(m, k)), "body '%s', which has no mass and no joint",
             sar_knot_name(m, k));
  for (int k = 0; k < c->spec->keys.count; k++)
    sar_lose(c, c->spec->keys.items[k].name.loc, "key '%s'", c->spec->keys.items[k].name.text);
  for (int i = 0; i < c->spec->input_notes.count; i++)
    sar_lose(c, c->spec->input_notes.items[i].input.loc, "input '%s': its unit and its range",
             c->spec->input_notes.items[i].input.text);
  if (c->spec->air_at.text || c->spec->air[0].given) sar_lose(c, c->spec->air_at.loc, "air");
  if (m->field.kind != SAR_GRAVITY_UNIFORM)
    sar_lose(c, c->spec->gravity.loc, "gravity, which is not the same everywhere: there is none");
}
