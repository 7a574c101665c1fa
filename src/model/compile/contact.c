// Solids that touch: their shapes in the frames B of the bodies, and the room for contacts.
#include "collide/store.h"
#include "collide/triangles.h"
#include "math/hypot.h"
#include "model/compile/parts.h"

#include <math.h>

enum {
  CONTACTS_EACH =
      16,  // room for contacts of a solid, where the file does not say: two boxes side by
  CONTACTS_LEAST = 64,  // side on a third need it
  CONTACTS_MOST = 1000000
};

// Where a solid comes from.
typedef struct Owner {
  int body;  // of the spec, GROUND
  Item item;
  const SpecTouch* touch;
} Owner;

// ---- shapes -----------------------------------------------------------------------------------

// A mesh that has been found sound, with a box tree. False: no memory.
static bool solid_of_mesh(Compile* c, const ShapePart* p, SarSolid* out) {
  SarTriangles triangles;
  if (sar_triangles_build(&p->of->mesh, &c->arena, &triangles).flaw != SAR_MESH_SOUND) {
    c->arena.failed = 1;
    return false;
  }
  *out = sar_solid_of_triangles(&triangles);
  return true;
}

// Half lengths, and the sphere about the origin that contains it. False: this shape cannot touch.
static bool solid_of_shape(Compile* c, const ShapePart* p, SarSolid* out) {
  const double a = p->size[0], b = p->size[1];
  *out = (SarSolid){.kind = SAR_SOLID_SPHERE, .size = {a}, .radius = a};
  switch (p->kind) {
    case SPEC_SPHERE: return true;
    case SPEC_BOX:
      out->kind = SAR_SOLID_BOX;
      for (int i = 0; i < 3; i++) out->size[i] = 0.5 * p->size[i];
      out->radius = v3_norm(v3(out->size[0], out->size[1], out->size[2]));
      return true;
    case SPEC_CAPSULE:
      out->kind = SAR_SOLID_CAPSULE;
      out->size[1] = 0.5 * b;
      out->radius = a + 0.5 * b;
      return true;
    case SPEC_CYLINDER:
      out->kind = SAR_SOLID_CYLINDER;
      out->size[1] = 0.5 * b;
      out->radius = sar_hypot(a, 0.5 * b);
      return true;
    case SPEC_CONVEX:
    case SPEC_HULL: *out = sar_solid_of_hull(&p->of->hull); return true;
    case SPEC_MESH: return solid_of_mesh(c, p, out);
    case SPEC_ROD:
    case SPEC_ELLIPSOID:
    case SPEC_TUBE:
    case SPEC_SHAPE_KINDS: break;
  }
  return false;
}

// ---- solids -----------------------------------------------------------------------------------

// Adds a solid at X_US in the body frame; the caller fills in what it is. NULL: no memory.
static ColliderPart* add_collider(Compile* c, const Owner* o, const char* name, SpecName material,
                                  const SpecNames* groups, Xform X_US) {
  ColliderPart* p = SAR_LIST_ADD(&c->arena, &c->colliders);
  if (!p) return NULL;
  if (!material.text) material = o->touch->material;
  p->body = o->body;
  p->groups = groups && groups->count ? groups : &o->touch->groups;
  p->collider = (SarCollider){
      .body = o->body < 0 ? GROUND : c->body[o->body].tree,
      .holder = o->body < 0 ? GROUND : c->body[o->body].number,
      .X_BS = o->body < 0 ? X_US : x_mul(c->body[o->body].X_BU, X_US),
      .material = sar_find_material(c, material, o->item, "contact"),
      .name = sar_intern(c, name),
  };
  return p;
}

// What a solid of a shape is called, and what of.
typedef struct Label {
  const char* name;
  SpecName material;
  const SpecNames* groups;
} Label;

static bool add_parts(Compile* c, const Owner* o, const ShapePart* shape, const SarParts* parts,
                      const Label* label) {
  for (int i = 0; i < parts->count; i++) {
    ColliderPart* p = add_collider(c, o, label->name, label->material, label->groups, shape->X_US);
    if (!p) return false;
    p->collider.solid = sar_solid_of_hull(&parts->hull[i]);
  }
  return true;
}

static bool add_shape(Compile* c, const Owner* o, const ShapePart* shape, const SpecShape* spec,
                      SarLoc loc, const Label* label) {
  SarSolid solid;
  const SarParts* parts;
  if (shape->wrong) return true;
  if (!sar_convex_parts(c, o->item, spec, o->touch->parts ? *o->touch->parts : (SpecNum){0},
                        &parts))
    return false;
  if (parts) return add_parts(c, o, shape, parts, label);
  if (!solid_of_shape(c, shape, &solid)) {
    if (c->arena.failed) return false;
    sar_complain(c, o->item, loc, "describe it by 'contact: [{capsule: ...}, ...]' instead",
                 "contact: the shape '%s' is for mass only, others cannot touch it",
                 sar_shape_name[shape->kind]);
    return true;
  }
  ColliderPart* p = add_collider(c, o, label->name, label->material, label->groups, shape->X_US);
  if (p) p->collider.solid = solid;
  return p != NULL;
}

static bool add_shapes(Compile* c, const Owner* o) {
  const BodyPart* b = o->body < 0 ? NULL : &c->body[o->body];
  if (!b || b->spec->shapes.count == 0) {
    if (o->touch->unknown) return true;  // there was a report
    sar_complain(c, o->item, o->touch->loc, "as in contact: [{sphere: 0.1, at: [0, 0, 1]}]",
                 "contact: it has no shape that could touch");
    return true;
  }
  const Label label = {.name = o->item.name};
  for (int i = 0; i < b->spec->shapes.count; i++) {
    const SpecShape* spec = &b->spec->shapes.items[i];
    if (!add_shape(c, o, &b->shape[i], spec, spec->loc, &label)) return false;
  }
  return true;
}

// The half space below the plane through the origin of its place.
static bool add_plane(Compile* c, const Owner* o, const SpecSolid* s, const char* name) {
  Xform X = sar_pose(c, &s->shape.pose, o->item, "plane");
  const V3 n = sar_direction(c, &s->normal, o->item, "plane", v3(0, 0, 1));
  if (o->body >= 0)
    sar_complain(c, o->item, s->loc, "give the plane to the ground, or use a box",
                 "contact: a plane has no end, it cannot be part of a body that moves");
  if (isnan(n.x)) return true;
  X.R = m3_mul(X.R, m3_frame_z(n));
  ColliderPart* p = add_collider(c, o, name, s->material, &s->groups, X);
  if (p) p->collider.solid = (SarSolid){.kind = SAR_SOLID_PLANE, .radius = UNLIMITED};
  return p != NULL;
}

static bool add_heights(Compile* c, const Owner* o, const SpecSolid* s, const char* name) {
  const Xform X = sar_pose(c, &s->shape.pose, o->item, "heights");
  SarSolid solid = {.kind = SAR_SOLID_KINDS};
  if (!sar_build_heights(c, s, o->item, o->body >= 0, &solid)) return false;
  if (solid.kind == SAR_SOLID_KINDS) return true;  // reported
  ColliderPart* p = add_collider(c, o, name, s->material, &s->groups, X);
  if (p) p->collider.solid = solid;
  return p != NULL;
}

static bool add_solid(Compile* c, const Owner* o, const SpecSolid* s) {
  const char* name = o->item.name;
  if (s->name.text) name = sar_arena_printf(&c->arena, "%s.%s", name, s->name.text);
  if (!name) return false;
  if (s->kind == SPEC_SOLID_PLANE) return add_plane(c, o, s, name);
  if (s->kind == SPEC_SOLID_HEIGHTS) return add_heights(c, o, s, name);
  const ShapePart shape = sar_shape_part(c, o->item, &s->shape, o->body < 0);
  return add_shape(c, o, &shape, &s->shape, s->loc, &(Label){name, s->material, &s->groups});
}

static bool add_solids(Compile* c, const Owner* o) {
  if (o->touch->shapes && !add_shapes(c, o)) return false;
  for (int i = 0; i < o->touch->solids.count; i++)
    if (!add_solid(c, o, &o->touch->solids.items[i])) return false;
  return true;
}

// ---- room -------------------------------------------------------------------------------------

static void make_room(Compile* c) {
  const SpecNum most = c->spec->contact.max_contacts;
  const Item item = {"block", "contact", most.loc};
  const double otherwise = fmax(CONTACTS_LEAST, CONTACTS_EACH * (double)c->colliders.count);
  const double n = sar_number(c, most, item, "max_contacts", POSITIVE, otherwise);
  if (isnan(n)) return;
  if (n != floor(n) || (most.expr && n > CONTACTS_MOST))
    sar_complain(c, item, most.loc, "", "max_contacts must be a whole number up to %d, but is %g",
                 CONTACTS_MOST, n);
  else if (c->colliders.count > 0)
    c->m.ncontact = (int)fmin(n, CONTACTS_MOST);
}

static bool gather(Compile* c) {
  const Owner ground = {
      GROUND, {"body", "ground", c->spec->ground_touch.loc}, &c->spec->ground_touch};
  if (!add_solids(c, &ground)) return false;
  for (int i = 0; i < c->nbody; i++) {
    const int k = c->body_order[i];
    const BodyPart* b = &c->body[k];
    const Owner owner = {k, b->item, &b->spec->touch};
    if (!add_solids(c, &owner)) return false;
  }
  return true;
}

// ---- into the model ---------------------------------------------------------------------------

// Room for the arrays of all solids. They are filled when the block of the model is there, because
// the solids point into them.
static bool take_solid_arrays(Compile* c) {
  SarModel* m = &c->m;
  for (int i = 0; i < m->ncollider; i++) {
    const SarSolidSizes size = sar_solid_sizes(&m->collider[i].solid);
    m->nsolid_point += size.point;
    m->nsolid_number += size.number;
    m->nsolid_index += size.index;
    m->nsolid_node += size.node;
  }
  m->solid_point = SAR_ARENA_ARRAY(&c->arena, V3, m->nsolid_point);
  m->solid_number = SAR_ARENA_ARRAY(&c->arena, double, m->nsolid_number);
  m->solid_index = SAR_ARENA_ARRAY(&c->arena, int, m->nsolid_index);
  m->solid_node = SAR_ARENA_ARRAY(&c->arena, SarTreeNode, m->nsolid_node);
  return !c->arena.failed;
}

void sar_store_solids(const SarModel* draft, SarModel* m) {
  SarSolidRoom room = {m->solid_point, m->solid_number, m->solid_index, m->solid_node};
  for (int i = 0; i < m->ncollider; i++)
    m->collider[i].solid = sar_solid_store(&draft->collider[i].solid, &room);
}

bool sar_compile_contact(Compile* c) {
  SarModel* m = &c->m;
  if (!sar_compile_materials(c) || !gather(c) || !sar_compile_apart(c)) return false;
  make_room(c);
  m->ncollider = c->colliders.count;
  m->collider = SAR_ARENA_ARRAY(&c->arena, SarCollider, m->ncollider);
  if (c->arena.failed) return false;
  for (int i = 0; i < m->ncollider; i++) m->collider[i] = c->colliders.items[i].collider;
  if (!take_solid_arrays(c)) return false;
  if (m->ncollider == 0) m->nmaterial = m->nsurface = 0;
  return true;
}
