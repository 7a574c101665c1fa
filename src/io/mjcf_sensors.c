// Sensors of MJCF as columns of the result, NAME or NAME.x, ..., beside joints, states and energy.
//
//   jointpos, tendonpos, actuatorpos, ...vel, actuatorfrc     expressions
//   frame..., ballquat, ballangvel, subtreecom                expressions of measured quantities
//   gyro, velocimeter, accelerometer, force, torque           quantities of the table of outputs
//   touch                                                     what presses on the whole body
//
// Those of frames are in mjcf_frames.c.
#include "io/mjcf_sensors.h"

#include <string.h>

// ---- columns ---------------------------------------------------------------------------------

static SpecOutput* add_output(Mjcf* m, const MjcfSensor* s, SarOwner of) {
  SpecOutput* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->outputs);
  if (out) *out = (SpecOutput){.of = of, .label = s->name, .loc = s->tag->loc};
  return out;
}

// A column of an expression, NAME or NAME.suffix.
static void add_expr(Mjcf* m, const MjcfSensor* s, const char* suffix, const SarExpr* e) {
  SpecOutput* out = e ? add_output(m, s, SAR_OF_VALUE) : NULL;
  if (!out) return;
  out->expr = (SpecNum){e, s->tag->loc};
  if (suffix[0]) out->label.text = sar_arena_printf(&m->spec->arena, "%s.%s", s->name.text, suffix);
}

void sar_mjcf_sensor_text(Mjcf* m, const MjcfSensor* s, const char* suffix, const char* text) {
  add_expr(m, s, suffix, sar_mjcf_parsed(m, text, s->tag->loc));
}

void sar_mjcf_sensor_vector(Mjcf* m, const MjcfSensor* s, const char* const text[3]) {
  for (int i = 0; i < 3; i++)
    sar_mjcf_sensor_text(m, s, (const char*[]){"x", "y", "z"}[i], text[i]);
}

void sar_mjcf_sensor_left(Mjcf* m, const MjcfSensor* s, const char* why) {
  sar_warn(m->err, s->tag->loc, "", "sensor '%.60s' <%s>: %s: it is left out", s->name.text,
           s->tag->name, why);
}

// ---- joints, tendons, actuators --------------------------------------------------------------

SpecName sar_mjcf_sensor_needs(Mjcf* m, const MjcfSensor* s, const char* key) {
  SpecName name = sar_mjcf_reference(m, s->tag, key);
  if (!name.text) sar_report(m->err, s->tag->loc, "", "<%s> needs %s=\"...\"", s->tag->name, key);
  return name;
}

void sar_mjcf_sensor_lacks(Mjcf* m, const MjcfSensor* s, const char* key, SpecName name) {
  if (name.text)
    sar_report(m->err, name.loc, "", "<%s>: there is no %s '%.60s'", s->tag->name, key, name.text);
}

static void read_joint(Mjcf* m, const MjcfSensor* s, const char* const* suffixes) {
  const SpecName name = sar_mjcf_sensor_needs(m, s, "joint");
  const SpecJoint* j = name.text ? sar_mjcf_joint(m, name.text) : NULL;
  const char* q = j ? sar_mjcf_quoted(m, name.text) : NULL;
  if (!j) sar_mjcf_sensor_lacks(m, s, "joint", name);
  for (int i = 0; q && suffixes[i]; i++)
    sar_mjcf_sensor_text(m, s, suffixes[1] ? suffixes[i] : "",
                         sar_arena_printf(&m->arena, "%s.%s", q, suffixes[i]));
}

static void read_tendon(Mjcf* m, const MjcfSensor* s) {
  const SpecName name = sar_mjcf_sensor_needs(m, s, "tendon");
  const MjcfTendon* t = name.text ? sar_mjcf_tendon(m, name.text) : NULL;
  if (!t)
    sar_mjcf_sensor_lacks(m, s, "tendon", name);
  else if (!t->taken)
    sar_mjcf_sensor_left(m, s, "its tendon is not taken");
  else
    sar_mjcf_sensor_text(m, s, "", sar_mjcf_is(s->tag, "tendonpos") ? t->length : t->rate);
}

static void read_actuator(Mjcf* m, const MjcfSensor* s) {
  const SpecName name = sar_mjcf_sensor_needs(m, s, "actuator");
  const MjcfActuator* a = NULL;
  for (int i = 0; i < m->actuators.count && name.text; i++) {
    const XmlAttribute* own = sar_xml_attribute(m->actuators.items[i].tag, "name");
    if (own && strcmp(own->value, name.text) == 0) a = &m->actuators.items[i];
  }
  if (!a)
    sar_mjcf_sensor_lacks(m, s, "actuator", name);
  else if (!a->input)
    sar_mjcf_sensor_left(m, s, "its actuator is not taken");
  else if (sar_mjcf_is(s->tag, "actuatorfrc"))
    add_expr(m, s, "", a->force);
  else
    sar_mjcf_sensor_text(m, s, "", sar_mjcf_is(s->tag, "actuatorpos") ? a->length : a->rate);
}

// ---- instruments -----------------------------------------------------------------------------

static const MjcfSite* site_of(Mjcf* m, const MjcfSensor* s) {
  const SpecName name = sar_mjcf_sensor_needs(m, s, "site");
  const MjcfSite* site = name.text ? sar_mjcf_site(m, name.text) : NULL;
  if (!site) sar_mjcf_sensor_lacks(m, s, "site", name);
  if (!site || strcmp(site->body, "ground") != 0) return site;
  sar_mjcf_sensor_left(m, s, "its site stands still");
  return NULL;
}

static SpecName point_of(Mjcf* m, const MjcfSensor* s, const MjcfSite* site) {
  return (SpecName){sar_arena_printf(&m->spec->arena, "%s.%s", site->body, site->name),
                    s->tag->loc};
}

static void read_instrument(Mjcf* m, const MjcfSensor* s) {
  const MjcfSite* site = site_of(m, s);
  SpecOutput* out = site ? add_output(m, s, SAR_OF_POINT) : NULL;
  if (!out) return;
  out->target = point_of(m, s, site);
  out->with = sar_outputs_with(s->tag->name);
}

// Of the joint that carries the body of the site: its last one.
static void read_load(Mjcf* m, const MjcfSensor* s) {
  const MjcfSite* site = site_of(m, s);
  const SpecJoint* joint = NULL;
  for (int i = 0; site && i < m->joints; i++)
    if (strcmp(m->spec->joints.items[i].child.text, site->body) == 0)
      joint = &m->spec->joints.items[i];
  SpecOutput* out = joint ? add_output(m, s, SAR_OF_JOINT) : NULL;
  if (!out) return;
  out->only = sar_output_kind_find("joint load");
  out->target = joint->name;
  out->other = point_of(m, s, site);
}

static void read_touch(Mjcf* m, const MjcfSensor* s) {
  const MjcfSite* site = site_of(m, s);
  const SpecBody* body = site ? sar_mjcf_spec_body(m, site->body) : NULL;
  if (!body) return;
  if (!sar_touches(&body->touch)) {
    sar_mjcf_sensor_left(m, s, "nothing of its body touches");
    return;
  }
  sar_warn(m->err, s->tag->loc, "",
           "sensor '%.60s' <touch>: all that presses on its body counts, not within the site alone",
           s->name.text);
  const char* b = sar_mjcf_quoted(m, site->body);
  if (b) sar_mjcf_sensor_text(m, s, "", sar_arena_printf(&m->arena, "%s.contact.normal", b));
}

// ---- subtrees --------------------------------------------------------------------------------

static bool hangs_in(const Mjcf* m, const MjcfBody* body, const char* root) {
  for (; body; body = body->parent ? sar_mjcf_body(m, body->parent) : NULL)
    if (strcmp(body->name.text, root) == 0) return true;
  return false;
}

// sum m p / sum m, over mass centres
static void read_subtree(Mjcf* m, const MjcfSensor* s) {
  const SpecName root = sar_mjcf_sensor_needs(m, s, "body");
  const char* which = sar_mjcf_is(s->tag, "subtreecom") ? "" : "v";
  const char* sum[3] = {"0", "0", "0"};
  double total = 0;
  if (!root.text) return;
  if (!sar_mjcf_body(m, root.text)) sar_mjcf_sensor_lacks(m, s, "body", root);
  for (int i = 0; i < m->bodies.count; i++) {
    const MjcfBody* body = &m->bodies.items[i];
    const SpecBody* spec = sar_mjcf_spec_body(m, body->name.text);
    double mass;
    Xform X = x_identity();
    MjcfSite at;
    if (!spec || !hangs_in(m, body, root.text)) continue;
    if (!sar_mjcf_mass_of(spec, &mass, &X.p)) {
      sar_mjcf_sensor_left(m, s, "mass that comes from geoms is not known here");
      return;
    }
    if (!(mass > 0) || !sar_mjcf_put_point(m, s->name.text, body->name, X, &at)) continue;
    total += mass;
    for (int k = 0; k < 3; k++) {
      const char* p = sar_mjcf_part(m, &at, which, k);
      if (sum[k] && p) sum[k] = sar_arena_printf(&m->arena, "%s + (%.17g)*%s", sum[k], mass, p);
    }
  }
  for (int k = 0; k < 3 && total > 0; k++)
    if (sum[k]) sum[k] = sar_arena_printf(&m->arena, "(%s)/(%.17g)", sum[k], total);
  if (total > 0) sar_mjcf_sensor_vector(m, s, sum);
}

// ---- the section -----------------------------------------------------------------------------

static bool is_one_of(const char* word, const char* words) {
  const size_t n = strlen(word);
  for (const char* at = strstr(words, word); at; at = strstr(at + 1, word))
    if (at[-1] == ' ' && at[n] == ' ') return true;
  return false;
}

static void read_sensor(Mjcf* m, const XmlTag* tag) {
  static const char* const q[] = {"q", NULL};
  static const char* const v[] = {"v", NULL};
  static const char* const quat[] = {"qw", "qx", "qy", "qz", NULL};
  static const char* const omega[] = {"wx", "wy", "wz", NULL};
  const MjcfSensor s = {tag, sar_mjcf_name(m, tag, tag->name)};
  if (!s.name.text) return;
  if (sar_mjcf_is(tag, "jointpos")) read_joint(m, &s, q);
  if (sar_mjcf_is(tag, "jointvel")) read_joint(m, &s, v);
  if (sar_mjcf_is(tag, "ballquat")) read_joint(m, &s, quat);
  if (sar_mjcf_is(tag, "ballangvel")) read_joint(m, &s, omega);
  if (is_one_of(tag->name, " tendonpos tendonvel ")) read_tendon(m, &s);
  if (is_one_of(tag->name, " actuatorpos actuatorvel actuatorfrc ")) read_actuator(m, &s);
  if (is_one_of(tag->name,
                " framepos framequat framexaxis frameyaxis framezaxis framelinvel "
                "frameangvel "))
    sar_mjcf_frame_sensor(m, &s);
  if (is_one_of(tag->name, " gyro velocimeter accelerometer ")) read_instrument(m, &s);
  if (is_one_of(tag->name, " force torque ")) read_load(m, &s);
  if (is_one_of(tag->name, " subtreecom subtreelinvel ")) read_subtree(m, &s);
  if (sar_mjcf_is(tag, "touch")) read_touch(m, &s);
  if (sar_mjcf_is(tag, "clock")) sar_mjcf_sensor_text(m, &s, "", "t");
}

static void add_usual(Mjcf* m, SarLoc loc) {
  const struct {
    SarOwner of;
    const char *only, *target;
  } usual[] = {
      {SAR_OF_JOINT, NULL, "all"}, {SAR_OF_STATE, NULL, "all"}, {SAR_OF_MODEL, "energy", NULL}};
  for (int i = 0; i < 3; i++) {
    SpecOutput* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->outputs);
    if (!out) return;
    *out = (SpecOutput){.of = usual[i].of, .target = {usual[i].target, loc}, .loc = loc};
    if (usual[i].only) out->only = sar_output_kind_find(usual[i].only);
  }
}

// What comes without sensors comes with them too.
void sar_mjcf_sensors(Mjcf* m, const XmlTag* section) {
  if (m->spec->outputs.count == 0) add_usual(m, section->loc);
  for (const XmlTag* tag = section->first; tag; tag = tag->next) read_sensor(m, tag);
}
