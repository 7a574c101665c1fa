// Links of SDF: bodies with their place in the ground, mass and inertia, and what of them touches.
#include "io/sdf.h"

#include "base/print.h"

#include <math.h>
#include <string.h>

SpecName sar_sdf_body_name(Sdf* s, int link) {
  if (link < 0) return (SpecName){"ground", s->model->loc};
  const SdfFrame* f = &s->frames.items[link];
  const XmlAttribute* a = sar_xml_attribute(f->tag, "name");
  const char* name = strcmp(f->name, "ground") == 0 ? "ground_link" : f->name;
  return (SpecName){sar_arena_strdup(&s->u.spec->arena, name), a ? a->loc : f->tag->loc};
}

// ---- mass ------------------------------------------------------------------------------------

// A link without <inertial> has a mass of 1 and moments of 1, as the format says.
static void read_inertial(Sdf* s, const XmlTag* tag, const char* owner, SpecBody* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const SarLoc loc = tag ? tag->loc : body->name.loc;
  const XmlTag* moments = tag ? sar_xml_child(tag, "inertia") : NULL;
  const XmlAttribute* by_shape = tag ? sar_xml_attribute(tag, "auto") : NULL;
  if (by_shape && strcmp(by_shape->value, "true") == 0)
    sar_report(s->u.err, by_shape->loc, "write mass and inertia",
               "%s: inertia from its shapes is not taken", owner);
  const double mass = sar_sdf_number(s, tag, "mass", owner, 1);
  if (!(mass > 0 && isfinite(mass)))
    sar_report(s->u.err, loc, "", "%s: mass must be more than 0", owner);
  body->mass = sar_sdf_num(s, mass, loc);
  body->inertia_set = true;
  for (int i = 0; i < 6; i++) {
    SpecNum x;
    const bool given = sar_sdf_numbers(s, moments, names[i], owner, 1, false, &x);
    body->inertia[i] = given ? x : sar_sdf_num(s, i < 3, loc);
  }
  const Xform X = tag ? sar_sdf_pose(s, sar_xml_child(tag, "pose"), owner) : x_identity();
  body->com = sar_sdf_vec(s, X.p, loc);
  const SpecPose turn = sar_sdf_spec_pose(s, (Xform){X.R, v3_zero()}, loc);
  if (turn.rotation == SPEC_ROT_NONE) return;
  body->inertia_pose = SAR_ARENA_NEW(&s->u.spec->arena, SpecPose);
  if (body->inertia_pose) *body->inertia_pose = turn;
}

// ---- what touches ----------------------------------------------------------------------------

static void read_mesh(Sdf* s, const XmlTag* tag, const char* owner, SpecSolid* solid) {
  const XmlTag* uri = sar_xml_child(tag, "uri");
  const SpecName name = {sar_sdf_text(s, uri), uri ? uri->loc : tag->loc};
  if (!name.text[0]) {
    sar_report(s->u.err, tag->loc, "", "%s: <mesh> needs <uri>", owner);
    return;
  }
  sar_urdf_mesh(&s->u, name, tag->loc, solid);
  if (solid->shape.mesh)
    sar_sdf_numbers(s, tag, "scale", owner, 3, false, solid->shape.mesh->scale);
}

static bool read_shape(Sdf* s, const XmlTag* tag, const char* owner, SpecSolid* solid) {
  static const struct {
    const char* tag;
    SpecShapeKind kind;
  } kinds[] = {{"box", SPEC_BOX},
               {"sphere", SPEC_SPHERE},
               {"cylinder", SPEC_CYLINDER},
               {"capsule", SPEC_CAPSULE}};
  SpecNum normal[3];
  solid->shape.loc = tag->loc;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].tag, tag->name) != 0) continue;
    solid->shape.kind = kinds[k].kind;
    if (kinds[k].kind == SPEC_BOX)
      return sar_sdf_numbers(s, tag, "size", owner, 3, false, solid->shape.size);
    return sar_sdf_numbers(s, tag, "radius", owner, 1, false, &solid->shape.size[0]) &&
           (kinds[k].kind == SPEC_SPHERE ||
            sar_sdf_numbers(s, tag, "length", owner, 1, false, &solid->shape.size[1]));
  }
  if (strcmp(tag->name, "mesh") == 0) read_mesh(s, tag, owner, solid);
  if (strcmp(tag->name, "mesh") == 0) return solid->shape.mesh != NULL;
  if (strcmp(tag->name, "plane") != 0) return false;
  solid->kind = SPEC_SOLID_PLANE;
  const bool given = sar_sdf_numbers(s, tag, "normal", owner, 3, false, normal);
  for (int i = 0; i < 3; i++)
    solid->normal.c[i] = given ? normal[i] : sar_sdf_num(s, i == 2, tag->loc);
  return true;
}

static void read_collision(Sdf* s, const XmlTag* tag, int link, const char* owner,
                           SpecTouch* touch) {
  const XmlTag* geometry = sar_xml_child(tag, "geometry");
  const XmlTag* shape = geometry ? geometry->first : NULL;
  SpecSolid solid = {.loc = tag->loc};
  if (!shape || strcmp(shape->name, "empty") == 0) return;
  if (!read_shape(s, shape, owner, &solid)) {
    sar_warn(s->u.err, shape->loc, "", "%s: <%s> is not taken for contact", owner, shape->name);
    return;
  }
  const Xform X = x_mul(x_inv(sar_sdf_place(s, link)), sar_sdf_posed(s, tag, link, owner));
  solid.shape.pose = sar_sdf_spec_pose(s, X, tag->loc);
  SpecSolid* to = SAR_LIST_ADD(&s->u.spec->arena, &touch->solids);
  if (to) *to = solid;
  touch->loc = tag->loc;
}

// ---- links -----------------------------------------------------------------------------------

static void hold(Sdf* s, const SpecBody* body) {
  SpecJoint* j = SAR_LIST_ADD(&s->u.spec->arena, &s->u.spec->joints);
  if (!j) return;
  *j = (SpecJoint){
      .name = {sar_arena_printf(&s->u.spec->arena, "%s_weld", body->name.text), body->name.loc},
      .kind = sar_joint_kind_find("fixed"),
      .parent = {"ground", body->name.loc},
      .child = body->name,
      .at = body->pose.at};
}

static void read_link(Sdf* s, int link) {
  const XmlTag* tag = s->frames.items[link].tag;
  SpecBody* body = SAR_LIST_ADD(&s->u.spec->arena, &s->u.spec->bodies);
  if (!body) return;
  body->name = sar_urdf_name(&s->u, tag, "name", "link");
  if (!body->name.text) return;
  body->name = sar_sdf_body_name(s, link);
  const char* owner = sar_urdf_owner(&s->u, "link", body->name);
  body->pose = sar_sdf_spec_pose(s, sar_sdf_place(s, link), tag->loc);
  read_inertial(s, sar_xml_child(tag, "inertial"), owner, body);
  for (const XmlTag* t = tag->first; t && s->u.spec->links_touch; t = t->next)
    if (strcmp(t->name, "collision") == 0) read_collision(s, t, link, owner, &body->touch);
  if (s->still) hold(s, body);
}

// Frames of the file are points of what they move with.
static void read_point(Sdf* s, int frame) {
  const SdfFrame* f = &s->frames.items[frame];
  const int link = sar_sdf_link_of(s, frame);
  SarSpec* spec = s->u.spec;
  if (link == SDF_NONE) return;
  const Xform X = x_mul(x_inv(sar_sdf_place(s, link)), sar_sdf_place(s, frame));
  const SpecName body = sar_sdf_body_name(s, link);
  SpecFrame* point = NULL;
  for (int b = 0; b < spec->bodies.count && link >= 0; b++)
    if (spec->bodies.items[b].name.text &&
        strcmp(spec->bodies.items[b].name.text, body.text) == 0) {
      point = SAR_LIST_ADD(&spec->arena, &spec->bodies.items[b].frames);
      break;
    }
  if (link == SDF_WORLD) point = SAR_LIST_ADD(&spec->arena, &spec->ground_frames);
  if (!point) return;
  point->name = sar_urdf_name(&s->u, f->tag, "name", "frame");
  point->pose = sar_sdf_spec_pose(s, X, f->tag->loc);
}

void sar_sdf_links(Sdf* s) {
  for (int i = 0; i < s->frames.count; i++)
    if (s->frames.items[i].is_link) read_link(s, i);
  for (int i = 1; i < s->frames.count; i++)
    if (!s->frames.items[i].is_link && !s->frames.items[i].is_joint) read_point(s, i);
}
