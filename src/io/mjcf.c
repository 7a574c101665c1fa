// MJCF -> SarSpec (https://mujoco.readthedocs.io/en/stable/XMLreference.html). A body's frame
// stands where the file has it in its parent's, and joints are given in the frame of their body:
// the spec's hardpoint style, with `in` the body.
//
//   body, inertial, geom  -> body with mass and inertia as given, or from its geoms
//   joint, freejoint      -> joint; several on one body: bodies without mass between them
//   geom                  -> solids that touch, by contype and conaffinity
//   site                  -> named frame of the body
//   tendon                -> forces on joints, or lines between points
//   actuator              -> input of the model, force of the joint, along the tendon, at the site
//   keyframe              -> key: named start
//   sensor                -> columns of the result
//   equality              -> joints that close loops (ideal, not MuJoCo's soft ones), coupled
//                         joints
#include "io/mjcf.h"

#include "base/text.h"
#include "base/print.h"
#include "io/reader.h"

#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180;

static void read_compiler(Mjcf* m, const XmlTag* tag) {
  MjcfCompiler* c = &m->compiler;
  const XmlAttribute* order = sar_xml_attribute(tag, "eulerseq");
  static const char* const angles[] = {"degree", "radian"};
  static const char* const from[] = {"auto", "false", "true"};
  if (sar_xml_attribute(tag, "angle"))
    c->angle = sar_mjcf_choice(m, tag, "angle", angles, 2) ? 1 : DEGREE;
  if (order && strlen(order->value) == 3 && strspn(order->value, "xyzXYZ") == 3)
    memcpy(c->order, order->value, 4);
  else if (order)
    sar_report(m->err, order->loc, "three of x y z, as in xyz", "<compiler> eulerseq '%.20s'",
               order->value);
  c->autolimits = sar_mjcf_flag(m, tag, "autolimits", c->autolimits);
  if (sar_xml_attribute(tag, "inertiafromgeom"))
    c->inertia = sar_mjcf_choice(m, tag, "inertiafromgeom", from, 3) - 1;
  double group[2];
  if (sar_mjcf_numbers(m, tag, "inertiagrouprange", 2, 2, group))
    c->group[0] = (int)group[0], c->group[1] = (int)group[1];
  c->boundmass = sar_mjcf_number(m, tag, "boundmass", c->boundmass);
  c->boundinertia = sar_mjcf_number(m, tag, "boundinertia", c->boundinertia);
  c->balance = sar_mjcf_flag(m, tag, "balanceinertia", c->balance);
  c->meshdir = sar_mjcf_word(m, tag, "meshdir", sar_mjcf_word(m, tag, "assetdir", c->meshdir));
  c->strippath = sar_mjcf_flag(m, tag, "strippath", c->strippath);
  const XmlAttribute* coordinate = sar_xml_attribute(tag, "coordinate");
  if (coordinate && strcmp(coordinate->value, "local") != 0)
    sar_report(m->err, coordinate->loc, "convert the file by a MuJoCo that still knows them",
               "global coordinates are not read");
}

static void read_flags(Mjcf* m, const XmlTag* flag) {
  const bool passive = sar_mjcf_flag(m, flag, "passive", true);
  const bool constraint = sar_mjcf_flag(m, flag, "constraint", true);
  const struct {
    const char* name;
    bool with;
    bool* off;
  } flags[] = {{"equality", constraint, &m->off.equality},
               {"limit", constraint, &m->off.limit},
               {"frictionloss", constraint, &m->off.friction},
               {"spring", passive, &m->off.spring},
               {"damper", passive, &m->off.damper},
               {"actuation", true, &m->off.actuation},
               {"clampctrl", true, &m->off.clamping}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (!sar_mjcf_flag(m, flag, flags[i].name, true) || !flags[i].with) *flags[i].off = true;
  m->touch = m->touch && sar_mjcf_flag(m, flag, "contact", true) && constraint;
}

static void read_option(Mjcf* m, const XmlTag* tag) {
  double g[3];
  if (sar_mjcf_numbers(m, tag, "gravity", 3, 3, g)) {
    m->spec->gravity.uniform = sar_mjcf_vec(m, v3(g[0], g[1], g[2]), tag->loc);
    m->spec->gravity.loc = tag->loc;
  }
  const double step = sar_mjcf_number(m, tag, "timestep", 0);
  if (step > 0) m->spec->simulation.step = sar_mjcf_num(m, step, tag->loc);
  const XmlTag* flag = sar_xml_child(tag, "flag");
  if (!flag) return;
  read_flags(m, flag);
  if (!sar_mjcf_flag(m, flag, "gravity", true)) {
    m->spec->gravity.uniform = sar_mjcf_vec(m, v3_zero(), flag->loc);
    m->spec->gravity.loc = flag->loc;
  }
}

static void each(Mjcf* m, const char* section, void (*read)(Mjcf*, const XmlTag*)) {
  for (const XmlTag* tag = m->root->first; tag; tag = tag->next)
    if (sar_mjcf_is(tag, section)) read(m, tag);
}

static void read_model(Mjcf* m) {
  const XmlAttribute* name = sar_xml_attribute(m->root, "model");
  if (name) m->spec->name = (SpecName){sar_arena_strdup(&m->spec->arena, name->value), name->loc};
  if (name && sar_has_controls(name->value))
    sar_report(m->err, name->loc, "leave it out",
               "<mujoco> model must not hold control characters");
  sar_mjcf_look(m);
  sar_mjcf_flatten(m->root);
  each(m, "compiler", read_compiler);
  each(m, "option", read_option);
  each(m, "worldbody", sar_mjcf_bodies);
  m->joints = m->spec->joints.count;
  each(m, "equality", sar_mjcf_equality);
  each(m, "tendon", sar_mjcf_tendons);
  each(m, "actuator", sar_mjcf_actuators);
  sar_mjcf_actuators_end(m);
  sar_mjcf_tendons_end(m);
  each(m, "keyframe", sar_mjcf_keys);
  each(m, "sensor", sar_mjcf_sensors);
  sar_mjcf_contact(m);
  if (m->spec->bodies.count == 0) sar_report(m->err, m->root->loc, "", "<worldbody> has no <body>");
  sar_mjcf_tell(m);
}

static SarStatus read_document(Mjcf* m, const char* text, size_t n) {
  SAR_TRY(sar_xml_read(&m->arena, text, n, m->file, &m->root, m->err));
  if (!sar_mjcf_is(m->root, "mujoco")) {
    sar_report(m->err, m->root->loc, "", "expected <mujoco> as the outermost tag, found <%s>",
               m->root->name);
    return SAR_BAD_MODEL;
  }
  SAR_TRY(sar_mjcf_include(m));
  read_model(m);
  return SAR_OK;
}

SarStatus sar_read_mjcf_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                               SarError* err) {
  SarError unheard;  // errors are counted even when nobody wants to read them
  if (!err) sar_error_init(err = &unheard);
  Mjcf m = {
      .spec = spec,
      .err = err,
      .source = source,
      .options = source->reading->options,
      .touch = true,
      .compiler = {
          .angle = DEGREE, .order = "xyz", .autolimits = true, .inertia = -1, .group = {0, 5}}};
  m.file = spec->file = sar_arena_strdup(&spec->arena, source->name ? source->name : "");
  if (!m.file) return SAR_NO_MEMORY;
  const int errors = err->errors;
  sar_arena_beside(&m.arena, &spec->arena);
  SarStatus st = read_document(&m, text, n);
  if (m.arena.failed || spec->arena.failed)
    st = SAR_NO_MEMORY;
  else if (st == SAR_OK && err->errors > errors)
    st = SAR_BAD_MODEL;
  sar_arena_free(&m.arena);
  return st;
}
