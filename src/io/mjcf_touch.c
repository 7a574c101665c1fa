// Which geoms of MJCF touch: two do where one's contype and the other's conaffinity have a bit in
// common. Here solids are in groups, and groups may ignore each other: each pair of masks that
// occurs is a group. Friction of a contact is the larger one of its two geoms: a material for each
// friction that occurs, and their pairs.
#include "io/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Masks {
  unsigned type, affinity;
} Masks;

static Masks masks_of(Mjcf* m, const XmlTag* geom) {
  return (Masks){(unsigned)sar_mjcf_number(m, geom, "contype", 1),
                 (unsigned)sar_mjcf_number(m, geom, "conaffinity", 1)};
}

static bool meet(Masks a, Masks b) { return (a.type & b.affinity) || (b.type & a.affinity); }

static const char* group_name(Mjcf* m, Masks k) {
  return sar_arena_printf(&m->spec->arena, "contype_%u_conaffinity_%u", k.type, k.affinity);
}

// sliding [1], spinning [m], rolling [m]; what condim leaves out is 0
static void friction_of(Mjcf* m, const XmlTag* geom, double f[3]) {
  double given[3] = {1, 0.005, 0.0001};
  const int condim = (int)sar_mjcf_number(m, geom, "condim", 3);
  sar_mjcf_numbers(m, geom, "friction", 1, 3, given);
  f[0] = condim >= 3 ? given[0] : 0;
  f[1] = condim >= 4 ? given[1] : 0;
  f[2] = condim >= 6 ? given[2] : 0;
}

static double value(SpecNum n) {
  double x = 0;
  if (n.expr) sar_expr_is_number(n.expr, &x);
  return x;
}

static bool has_friction(const SpecMaterial* a, const double f[3]) {
  return value(a->friction) == f[0] && value(a->spinning) == f[1] && value(a->rolling) == f[2];
}

static void set_friction(Mjcf* m, SpecMaterial* a, double sliding, double spinning, double rolling,
                         SarLoc loc) {
  a->friction = sar_mjcf_num(m, sliding, loc);
  a->spinning = sar_mjcf_num(m, spinning, loc);
  a->rolling = sar_mjcf_num(m, rolling, loc);
  a->restitution = sar_mjcf_num(m, 0, loc);
  a->loc = loc;
}

static SpecName material_of(Mjcf* m, const XmlTag* geom) {
  double f[3];
  friction_of(m, geom, f);
  for (int i = 0; i < m->spec->contact.materials.count; i++)
    if (has_friction(&m->spec->contact.materials.items[i], f))
      return m->spec->contact.materials.items[i].name;
  SpecMaterial* a = SAR_LIST_ADD(&m->spec->arena, &m->spec->contact.materials);
  if (!a) return (SpecName){0};
  a->name =
      (SpecName){sar_arena_printf(&m->spec->arena, "friction_%d", m->spec->contact.materials.count),
                 geom->loc};
  set_friction(m, a, f[0], f[1], f[2], geom->loc);
  return a->name;
}

static bool read_solid(Mjcf* m, const XmlTag* geom, SpecSolid* solid) {
  const char* type = sar_mjcf_word(m, geom, "type", "sphere");
  solid->loc = geom->loc;
  if (strcmp(type, "ellipsoid") == 0 || strcmp(type, "hfield") == 0) {
    sar_warn(m->err, geom->loc, "", "<geom> of type %s is not taken for contact", type);
    return false;
  }
  if (strcmp(type, "plane") != 0) return sar_mjcf_shape(m, geom, true, &solid->shape);
  solid->kind = SPEC_SOLID_PLANE;
  solid->normal = sar_mjcf_vec(m, v3(0, 0, 1), geom->loc);
  solid->shape.pose = sar_mjcf_spec_pose(m, sar_mjcf_pose(m, geom), geom->loc);
  return true;
}

static void add_solid(Mjcf* m, const XmlTag* geom, SpecTouch* out) {
  const Masks masks = masks_of(m, geom);
  if (!masks.type && !masks.affinity) return;
  SpecSolid solid = {0};
  if (!read_solid(m, geom, &solid)) return;
  solid.material = material_of(m, geom);
  const XmlAttribute* name = sar_xml_attribute(geom, "name");
  if (name) solid.name = (SpecName){sar_arena_strdup(&m->spec->arena, name->value), name->loc};
  SpecName* group = SAR_LIST_ADD(&m->spec->arena, &solid.groups);
  if (group) *group = (SpecName){group_name(m, masks), geom->loc};
  SpecSolid* to = SAR_LIST_ADD(&m->spec->arena, &out->solids);
  if (to) *to = solid;
  out->loc = geom->loc;
}

void sar_mjcf_touch(Mjcf* m, const XmlTag* tag, SpecTouch* out) {
  for (const XmlTag* geom = tag->first; geom && m->touch; geom = geom->next)
    if (sar_mjcf_is(geom, "geom")) add_solid(m, geom, out);
}

// ---- all of them together --------------------------------------------------------------------

enum { MOST_GROUPS = 256 };
typedef struct Groups {
  Masks items[MOST_GROUPS];
  int count;
} Groups;

static void collect(Mjcf* m, const XmlTag* tag, Groups* g) {
  for (const XmlTag* t = tag->first; t; t = t->next) {
    if (sar_mjcf_is(t, "body")) collect(m, t, g);
    if (!sar_mjcf_is(t, "geom")) continue;
    const Masks k = masks_of(m, t);
    bool known = !k.type && !k.affinity;
    for (int i = 0; i < g->count && !known; i++)
      known = g->items[i].type == k.type && g->items[i].affinity == k.affinity;
    if (known) continue;
    if (g->count == MOST_GROUPS) {
      sar_report(m->err, t->loc, "", "more than %d pairs of contype and conaffinity", MOST_GROUPS);
      return;
    }
    g->items[g->count++] = k;
  }
}

static void ignore(Mjcf* m, SpecName a, SpecName b) {
  SpecIgnore* pair = SAR_LIST_ADD(&m->spec->arena, &m->spec->contact.ignore);
  if (pair) pair->of[0] = a, pair->of[1] = b;
}

void sar_mjcf_ignore(Mjcf* m, SpecName a, SpecName b) {
  if (m->touch && strcmp(a.text, "ground") != 0) ignore(m, a, b);
}

static void pair_materials(Mjcf* m) {
  const int n = m->spec->contact.materials.count;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      SpecMaterial* pair = SAR_LIST_ADD(&m->spec->arena, &m->spec->contact.pairs);
      if (!pair) return;
      const SpecMaterial *a = &m->spec->contact.materials.items[k],
                         *b = &m->spec->contact.materials.items[i];
      pair->of[0] = a->name;
      pair->of[1] = b->name;
      set_friction(m, pair, fmax(value(a->friction), value(b->friction)),
                   fmax(value(a->spinning), value(b->spinning)),
                   fmax(value(a->rolling), value(b->rolling)), a->loc);
    }
}

static void read_excludes(Mjcf* m, const XmlTag* section) {
  for (const XmlTag* t = section->first; t; t = t->next) {
    if (!sar_mjcf_is(t, "exclude")) continue;
    const SpecName a = sar_mjcf_reference(m, t, "body1"), b = sar_mjcf_reference(m, t, "body2");
    if (a.text && b.text)
      ignore(m, a, b);
    else
      sar_report(m->err, t->loc, "", "<exclude> needs body1 and body2");
  }
}

void sar_mjcf_contact(Mjcf* m) {
  Groups groups = {.count = 0};
  if (!m->touch) return;
  for (const XmlTag* t = m->root->first; t; t = t->next) {
    if (sar_mjcf_is(t, "worldbody")) collect(m, t, &groups);
    if (sar_mjcf_is(t, "contact")) read_excludes(m, t);
  }
  for (int i = 0; i < groups.count; i++)
    for (int k = 0; k <= i; k++)
      if (!meet(groups.items[i], groups.items[k]))
        ignore(m, (SpecName){group_name(m, groups.items[i]), m->root->loc},
               (SpecName){group_name(m, groups.items[k]), m->root->loc});
  pair_materials(m);
}
