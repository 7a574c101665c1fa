// SarSpec -> YAML: what was read of a file of any format, as one model file. Numbers read back as
// the same bits, names are quoted where YAML or expressions ask for it, and what has its default
// value is left out.
#include "convert/yaml_parts.h"

#include "expr/print.h"
#include "math/rpy.h"
#include "model/air.h"

#include <string.h>

// ---- sections --------------------------------------------------------------------------------

static void head(Convert* c, const char* key) { sar_text_addf(&c->out, "\n%s:\n", key); }

static void one_line(Convert* c, const char* key, const char* value) {
  sar_text_addf(&c->out, "%s: %s\n", key, value);
}

static void write_gravity(Convert* c) {
  const SpecGravity* g = &c->spec->gravity;
  YamlItem item = {.c = c};
  if (g->uniform.c[0].expr) one_line(c, "gravity", sar_yaml_list(c, g->uniform.c, 3));
  sar_yaml_put_vec3(&item, "centre", g->centre);
  sar_yaml_put_number(&item, "mu", g->mu);
  sar_yaml_put_number(&item, "potential", g->potential);
  sar_yaml_put_vec3(&item, "field", g->field);
  if (item.parts.count) one_line(c, "gravity", sar_yaml_braces(&item));
}

static void write_values(Convert* c, const char* key, const SpecParameter* items, int count) {
  if (count) head(c, key);
  for (int i = 0; i < count; i++) {
    char number[SAR_NUMBER_TEXT];
    double x;
    const bool given =
        items == c->spec->parameters.items && sar_given_parameter(c, items[i].name.text, &x);
    sar_text_addf(&c->out, "  %s: %s\n", sar_yaml_key(c, items[i].name.text),
                  given ? sar_number_text(number, x) : sar_yaml_number(c, items[i].value));
  }
}

static void write_states(Convert* c) {
  if (c->spec->states.count) head(c, "states");
  for (int i = 0; i < c->spec->states.count; i++) {
    const SpecState* z = &c->spec->states.items[i];
    YamlItem item = {.c = c, .name = z->rate.name.text};
    sar_yaml_put_number(&item, "rate", z->rate.value);
    sar_yaml_put_number(&item, "start", z->start);
    sar_yaml_end(&item);
  }
}

// ---- bodies ----------------------------------------------------------------------------------

const char* sar_yaml_points(Convert* c, const SpecFrame* frames, int count) {
  YamlItem points = {.c = c};
  for (int i = 0; i < count; i++) {
    const SpecPose* p = &frames[i].pose;
    YamlItem frame = {.c = c};
    sar_yaml_put_pose(&frame, *p);
    const bool bare = p->rotation == SPEC_ROT_NONE && p->at.c[0].expr;
    sar_yaml_put(&points, sar_yaml_key(c, frames[i].name.text),
                 bare ? sar_yaml_list(c, p->at.c, 3)
                      : (frame.parts.count ? sar_yaml_braces(&frame) : "[0, 0, 0]"));
  }
  return count ? sar_yaml_braces(&points) : "";
}

static bool pose_numbers(const SpecPose* p, double r[4]) {
  const int n = p->rotation == SPEC_ROT_RPY ? 3 : p->rotation == SPEC_ROT_QUAT ? 4 : 0;
  for (int i = 0; i < n; i++)
    if (!sar_expr_is_number(p->r[i].expr, &r[i])) return false;
  return n > 0;
}

// Moments about axes of their own are turned into those of the body, as the compiler turns them.
static void put_inertia(YamlItem* item, const SpecBody* b) {
  Convert* c = item->c;
  SpecNum I[6];
  double x[6], r[4];
  bool numbers = true;
  memcpy(I, b->inertia, sizeof I);
  for (int i = 0; i < 6; i++) numbers = numbers && sar_expr_is_number(I[i].expr, &x[i]);
  if (numbers && b->inertia_pose && pose_numbers(b->inertia_pose, r)) {
    const M3 R =
        b->inertia_pose->rotation == SPEC_ROT_RPY ? m3_from_rpy(r) : quat_to_m3(quat_load(r));
    const S3 S = s3_rotate(R, (S3){x[0], x[3], x[4], x[1], x[5], x[2]});
    const double turned[6] = {S.xx, S.yy, S.zz, S.xy, S.xz, S.yz};
    for (int i = 0; i < 6; i++) {
      x[i] = turned[i];
      I[i].expr = sar_expr_number(&c->arena, x[i]);
    }
  }
  const bool diagonal = numbers && x[3] == 0 && x[4] == 0 && x[5] == 0;
  sar_yaml_put(item, "inertia", sar_yaml_list(c, I, diagonal ? 3 : 6));
}

static void write_body(Convert* c, const SpecBody* b) {
  YamlItem item = {.c = c, .name = b->name.text};
  sar_yaml_put_pose(&item, b->pose);
  sar_yaml_put_name(&item, "in", b->in);
  sar_yaml_put_number(&item, "mass", b->mass);
  if (b->shapes.count || !sar_yaml_is_zero(b->com)) sar_yaml_put_vec3(&item, "com", b->com);
  if (b->inertia_set) put_inertia(&item, b);
  sar_yaml_put_number(&item, "density", b->density);
  sar_yaml_put(&item, "shapes", sar_yaml_shapes_text(c, b));
  sar_yaml_put(&item, "contact", sar_yaml_touch_text(c, &b->touch));
  sar_yaml_put(&item, "points", sar_yaml_points(c, b->frames.items, b->frames.count));
  if (b->velocity) sar_yaml_put_vec3(&item, "velocity", *b->velocity);
  if (b->angular_velocity) sar_yaml_put_vec3(&item, "angular_velocity", *b->angular_velocity);
  if (b->along) sar_yaml_put_vec3(&item, "along", *b->along);
  sar_yaml_end(&item);
}

static void write_bodies(Convert* c) {
  const SarSpec* s = c->spec;
  if (s->ground_frames.count)
    sar_text_addf(&c->out, "\npoints: %s\n",
                  sar_yaml_points(c, s->ground_frames.items, s->ground_frames.count));
  if (s->bodies.count) head(c, "bodies");
  for (int i = 0; i < s->bodies.count; i++) write_body(c, &s->bodies.items[i]);
}

// ---- the rest --------------------------------------------------------------------------------

static void write_simulation(Convert* c) {
  const SpecSimulation* s = &c->spec->simulation;
  YamlItem item = {.c = c};
  const struct {
    const char* key;
    SpecNum value;
  } numbers[] = {{"end", s->end},
                 {"step", s->step},
                 {"output_step", s->output_step},
                 {"rtol", s->rtol},
                 {"atol", s->atol},
                 {"max_step", s->max_step},
                 {"newton_tolerance", s->newton_tolerance}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sar_yaml_put_number(&item, numbers[i].key, numbers[i].value);
  double on = 0;
  if (s->adaptive.expr && sar_expr_is_number(s->adaptive.expr, &on))
    sar_yaml_put(&item, "adaptive", on != 0 ? "true" : "false");
  sar_yaml_put_name(&item, "formulation", s->formulation);
  sar_yaml_put_name(&item, "integrator", s->integrator);
  sar_yaml_put_name(&item, "kinematics", s->kinematics);
  sar_yaml_put_name(&item, "coordinates", s->coordinates);
  if (item.parts.count) sar_text_addf(&c->out, "\nsimulation: %s\n", sar_yaml_braces(&item));
}

// Of residual = 0, which the reader takes as x - 0.
static const char* equation(Convert* c, const SpecEquation* e) {
  const char* residual = sar_expr_text(&c->arena, e->residual.expr);
  const char* text = sar_arena_printf(&c->arena, "%s == 0", residual ? residual : "");
  return text ? sar_yaml_scalar(c, text) : "";
}

static void write_initial(Convert* c) {
  if (c->spec->initial.count) head(c, "initial");
  for (int i = 0; i < c->spec->initial.count; i++)
    sar_text_addf(&c->out, "  - %s\n", equation(c, &c->spec->initial.items[i]));
}

static void write_air(Convert* c) {
  const SarForm form = {"air", 0, sar_air_attr, SAR_AIR_ATTRS, NULL};
  YamlItem item = {.c = c};
  sar_yaml_put_attributes(&item, form, c->spec->air);
  if (item.parts.count) sar_text_addf(&c->out, "\nair: %s\n", sar_yaml_braces(&item));
}

// What only YAML files have, and have been taken apart when they were read.
static void lose_rest(Convert* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->discrete.count; i++)
    sar_lose(c, s->discrete.items[i].next.name.loc, "signal '%s'",
             s->discrete.items[i].next.name.text);
  for (int i = 0; i < s->fluid_nodes.count; i++)
    sar_lose(c, s->fluid_nodes.items[i].name.loc, "hydraulics: node '%s'",
             s->fluid_nodes.items[i].name.text);
  for (int i = 0; i < s->airfoils.count; i++)
    sar_lose(c, s->airfoils.items[i].name.loc, "airfoil '%s'", s->airfoils.items[i].name.text);
  for (int i = 0; i < s->beams.count; i++)
    sar_lose(c, s->beams.items[i].name.loc, "beam '%s'", s->beams.items[i].name.text);
  for (int i = 0; i < s->modals.count; i++)
    sar_lose(c, s->modals.items[i].body.name.loc, "modal body '%s'",
             s->modals.items[i].body.name.text);
}

void sar_write_yaml(Convert* c) {
  const SarSpec* s = c->spec;
  one_line(c, "sarrus", "1");
  if (s->name.text && s->name.text[0]) one_line(c, "name", sar_yaml_scalar(c, s->name.text));
  write_gravity(c);
  if (s->planar.text) one_line(c, "planar", s->planar.text);
  write_values(c, "parameters", s->parameters.items, s->parameters.count);
  sar_yaml_write_inputs(c);
  write_values(c, "variables", s->variables.items, s->variables.count);
  write_states(c);
  write_bodies(c);
  sar_yaml_write_joints(c);
  sar_yaml_write_elements(c);
  sar_yaml_write_contact(c);
  sar_yaml_write_roads(c);
  write_air(c);
  write_simulation(c);
  write_initial(c);
  sar_yaml_write_keys(c);
  sar_yaml_write_outputs(c);
  lose_rest(c);
}
