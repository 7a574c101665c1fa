// Bodies and joints of MJCF. A body hangs in its parent by its joints, one after the other, all of
// them in the body's frame where the file has it:  X_PB(q) = X_PB(file) J1(q1 - ref1) J2(q2 - ref2)
// ...,  so a body with several joints is a chain of bodies without mass, and one with none is fixed
// to its parent.
#include "io/mjcf.h"

#include "math/rotvec.h"

#include <math.h>
#include <string.h>

// ---- inertia ---------------------------------------------------------------------------------

static void read_moments(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  double I[6] = {0};
  if (sar_mjcf_numbers(m, tag, "fullinertia", 6, 6, I)) {
    // in the order of both: xx yy zz xy xz yz
  } else if (!sar_mjcf_numbers(m, tag, "diaginertia", 3, 3, I)) {
    sar_report(m->err, tag->loc, "", "<inertial> needs diaginertia or fullinertia");
    return;
  }
  if (m->compiler.boundinertia > 0)
    for (int i = 0; i < 3; i++) I[i] = fmax(I[i], m->compiler.boundinertia);
  if (m->compiler.balance && (I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0]))
    I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
  body->inertia_set = true;
  for (int i = 0; i < 6; i++) body->inertia[i] = sar_mjcf_num(m, I[i], tag->loc);
}

static void read_inertial(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  const Xform X = sar_mjcf_pose(m, tag);
  double mass = sar_mjcf_number(m, tag, "mass", (double)NAN);
  if (isnan(mass)) sar_report(m->err, tag->loc, "", "<inertial> needs mass=\"...\"");
  if (isnan(mass)) return;
  mass = fmax(mass, m->compiler.boundmass);
  body->mass = sar_mjcf_num(m, mass, tag->loc);
  body->com = sar_mjcf_vec(m, X.p, tag->loc);
  read_moments(m, tag, body);
  body->inertia_pose = SAR_ARENA_NEW(&m->spec->arena, SpecPose);
  if (body->inertia_pose)
    *body->inertia_pose = sar_mjcf_spec_pose(m, (Xform){X.R, v3_zero()}, tag->loc);
}

// Fixed to the ground, body upon body: what mass it has does not matter, and meshes without a
// volume do no harm.
static bool stands_still(const XmlTag* tag) {
  for (; tag && (sar_mjcf_is(tag, "body") || sar_mjcf_is(tag, "frame")); tag = tag->parent)
    for (const XmlTag* t = tag->first; t; t = t->next)
      if (sar_mjcf_is_joint(t)) return false;
  return true;
}

static void read_mass(Mjcf* m, const XmlTag* tag, SpecBody* body) {
  const XmlTag* inertial = sar_xml_child(tag, "inertial");
  const bool geoms = m->compiler.inertia > 0 || (m->compiler.inertia < 0 && !inertial);
  if (inertial && !geoms) read_inertial(m, inertial, body);
  sar_mjcf_geoms(m, tag, geoms && !stands_still(tag), body);
}

// ---- bodies ----------------------------------------------------------------------------------

static SpecBody* add_body(Mjcf* m, SpecName name, SpecName parent, Xform X, SarLoc loc) {
  SpecBody* body = SAR_LIST_ADD(&m->spec->arena, &m->spec->bodies);
  if (!body) return NULL;
  body->name = name;
  body->pose = sar_mjcf_spec_pose(m, X, loc);
  if (parent.text && strcmp(parent.text, "ground") != 0) body->in = parent;
  return body;
}

static void weld(Mjcf* m, SpecName parent, SpecName child) {
  SpecJoint* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (!out) return;
  *out = (SpecJoint){.name = {sar_arena_printf(&m->spec->arena, "%s_weld", child.text), child.loc},
                     .kind = sar_joint_kind_find("fixed"),
                     .parent = parent,
                     .child = child,
                     .in = child,
                     .at = sar_mjcf_vec(m, v3_zero(), child.loc)};
}

const MjcfSite* sar_mjcf_site(const Mjcf* m, const char* name) {
  for (int i = 0; i < m->sites.count; i++)
    if (strcmp(m->sites.items[i].name, name) == 0) return &m->sites.items[i];
  return NULL;
}

const MjcfBody* sar_mjcf_body(const Mjcf* m, const char* name) {
  for (int i = 0; i < m->bodies.count; i++)
    if (strcmp(m->bodies.items[i].name.text, name) == 0) return &m->bodies.items[i];
  return NULL;
}

static void note_site(Mjcf* m, const XmlTag* site, const char* body, Xform X) {
  MjcfSite* s = SAR_LIST_ADD(&m->arena, &m->sites);
  if (s) *s = (MjcfSite){sar_xml_attribute(site, "name")->value, body, X};
}

static void read_sites(Mjcf* m, const XmlTag* tag, SarArena* a, SpecBody* body) {
  for (const XmlTag* site = tag->first; site; site = site->next) {
    if (!sar_mjcf_is(site, "site") || !sar_xml_attribute(site, "name")) continue;
    SpecFrame* frame =
        body ? SAR_LIST_ADD(a, &body->frames) : SAR_LIST_ADD(a, &m->spec->ground_frames);
    if (!frame) return;
    frame->name = sar_mjcf_name(m, site, "site");
    Xform X = sar_mjcf_pose(m, site);
    double half;
    sar_mjcf_ends(m, site, &half, &X);
    frame->pose = sar_mjcf_spec_pose(m, X, site->loc);
    note_site(m, site, body ? body->name.text : "ground", X);
  }
}

// Tendons may wrap around them.
static void note_geoms(Mjcf* m, const XmlTag* tag, const char* body) {
  for (const XmlTag* geom = tag->first; geom; geom = geom->next) {
    const XmlAttribute* name = sar_mjcf_is(geom, "geom") ? sar_xml_attribute(geom, "name") : NULL;
    MjcfGeom* g = name ? SAR_LIST_ADD(&m->arena, &m->geoms) : NULL;
    if (g) *g = (MjcfGeom){name->value, body, geom, NULL};
  }
}

// gravcomp: a part of the weight that something holds
static void read_compensation(Mjcf* m, const XmlTag* tag, SpecName body) {
  const double fraction = sar_mjcf_number(m, tag, "gravcomp", 0);
  SpecForce* force = fraction == 0 ? NULL : SAR_LIST_ADD(&m->spec->arena, &m->spec->forces);
  if (!force) return;
  *force = (SpecForce){.kind = sar_force_kind_find("gravity_compensation")};
  force->name = (SpecName){sar_arena_printf(&m->spec->arena, "%s_gravcomp", body.text), tag->loc};
  force->values[0] = (SpecValue){.loc = tag->loc, .given = true, .name = body};
  force->values[1] = (SpecValue){.loc = tag->loc, .given = true, .count = 1};
  force->values[1].numbers = SAR_ARENA_NEW(&m->spec->arena, SpecNum);
  if (force->values[1].numbers) *force->values[1].numbers = sar_mjcf_num(m, fraction, tag->loc);
}

static void read_body(Mjcf* m, const XmlTag* tag, MjcfBody up);

static void read_children(Mjcf* m, const XmlTag* tag, MjcfBody of) {
  MjcfBody* own = SAR_LIST_ADD(&m->arena, &m->bodies);
  if (own) *own = of;
  for (const XmlTag* t = tag->first; t; t = t->next)
    if (sar_mjcf_is(t, "body")) read_body(m, t, of);
}

// All joints of a body but the last carry bodies without mass, which have its frame.
static void read_body(Mjcf* m, const XmlTag* tag, MjcfBody up) {
  const SpecName name = sar_mjcf_name(m, tag, "body");
  SpecName parent = up.name;
  Xform X = sar_mjcf_pose(m, tag);
  MjcfBody own = {name, x_mul(up.start, X), up.zero, up.spring, up.name.text};
  int joints = 0, number = 0;
  sar_budget_doing(m->arena.budget, "reading", tag->loc);
  for (const XmlTag* t = tag->first; t; t = t->next) joints += sar_mjcf_is_joint(t);
  for (const XmlTag* t = tag->first; t; t = t->next) {
    if (!sar_mjcf_is_joint(t)) continue;
    const MjcfJoint j = sar_mjcf_read_joint(m, t);
    const bool last = ++number == joints;
    SpecName child = name;
    if (!last) child.text = sar_arena_printf(&m->spec->arena, "%s_%d", name.text, number);
    const Xform at = x_mul(X, sar_mjcf_back_to_zero(&j, X));
    if (!child.text || !add_body(m, child, parent, at, tag->loc)) return;
    sar_mjcf_add_joint(m, &j, X, parent, child);
    own.zero = x_mul(own.zero, at);
    own.spring = x_mul(own.spring, x_mul(X, sar_mjcf_moved_to(&j, sar_mjcf_springref(m, &j))));
    parent = child;
    X = x_identity();
  }
  if (joints == 0) {
    if (!add_body(m, name, parent, X, tag->loc)) return;
    weld(m, parent, name);
    own.zero = x_mul(own.zero, X);
    own.spring = x_mul(own.spring, X);
  }
  if (!name.text) return;
  if (joints > 1) sar_mjcf_ignore(m, up.name, name);
  SpecBody* body = &m->spec->bodies.items[m->spec->bodies.count - 1];
  read_mass(m, tag, body);
  read_sites(m, tag, &m->spec->arena, body);
  note_geoms(m, tag, name.text);
  read_compensation(m, tag, name);
  read_children(m, tag, own);
}

void sar_mjcf_bodies(Mjcf* m, const XmlTag* world) {
  const MjcfBody ground = {{"ground", world->loc}, x_identity(), x_identity(), x_identity(), NULL};
  read_sites(m, world, &m->spec->arena, NULL);
  note_geoms(m, world, "ground");
  sar_mjcf_touch(m, world, &m->spec->ground_touch);
  read_children(m, world, ground);
}
