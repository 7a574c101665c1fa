// Mass properties of the bodies: from `mass`, `com` and `inertia`, from shapes, or both.
//
//   mass     body mass; else sum of the shapes (own mass, or density times volume)
//   shapes without mass or density share what the others leave of the body's mass, by volume (rods:
//   by length)
//   com      as given; else centre of the shapes; else the origin
//   inertia  as given, about the mass centre; else that of the shapes about their centre
#include "model/compile/parts.h"
#include "model/inertia.h"

#include <math.h>

const char* const sar_shape_name[SPEC_SHAPE_KINDS] = {
    "rod", "box", "cylinder", "sphere", "capsule", "ellipsoid", "tube", "convex", "hull", "mesh"};
static const char* const SIZE_NAME[SPEC_SHAPE_KINDS][3] = {
    {NULL, NULL, NULL},           {"length x", "length y", "length z"},
    {"radius", "length", NULL},   {"radius", NULL, NULL},
    {"radius", "length", NULL},   {"radius x", "radius y", "radius z"},
    {"radius", "length", "inner"}};

static bool is_round(SpecShapeKind kind) {
  return kind == SPEC_ROD || kind == SPEC_CYLINDER || kind == SPEC_CAPSULE || kind == SPEC_TUBE;
}

// from and to instead of length and place
static void solid_between(Compile* c, Item item, const SpecShape* shape, ShapePart* s) {
  V3 from = sar_vector(c, &shape->from, item, "from", v3_zero());
  V3 to = sar_vector(c, &shape->to, item, "to", v3_zero());
  V3 along = v3_sub(to, from);
  double length = v3_norm(along);
  s->size[1] = length;
  if (length > 0) {
    Xform X = {m3_frame_z(v3_scale(1 / length, along)), v3_scale(0.5, v3_add(from, to))};
    s->X_US = x_mul(s->X_US, X);
  } else if (!isnan(length)) {
    sar_complain(c, item, shape->from.c[0].expr ? shape->from.c[0].loc : shape->loc,
                 "give two different points", "%s has length zero", sar_shape_name[shape->kind]);
    s->wrong = true;
  }
}

ShapePart sar_shape_part(Compile* c, Item item, const SpecShape* shape, bool open) {
  ShapePart s = {.kind = shape->kind};
  bool between = is_round(shape->kind) && (shape->kind == SPEC_ROD || sar_given(&shape->from));
  s.X_US = sar_pose(c, &shape->pose, item, sar_shape_name[shape->kind]);
  for (int i = 0; i < 3; i++) {
    const char* key = SIZE_NAME[shape->kind][i];
    if (!key || (between && i == 1)) continue;
    bool inner = shape->kind == SPEC_TUBE && i == 2;
    if (!shape->size[i].expr) {
      sar_complain(c, item, shape->loc, "", "%s: %s is missing", sar_shape_name[shape->kind], key);
      s.wrong = true;
    }
    s.size[i] = sar_number(c, shape->size[i], item, key, inner ? NOT_NEGATIVE : POSITIVE, 1);
  }
  if (between) solid_between(c, item, shape, &s);
  if (shape->kind == SPEC_TUBE && s.size[2] >= s.size[0]) {
    sar_complain(c, item, shape->size[2].loc, "the inner radius is the smaller one",
                 "tube: inner radius %g is not below the radius %g", s.size[2], s.size[0]);
    s.wrong = true;
  }
  s.extent = s.kind == SPEC_ROD ? s.size[1] : sar_shape_volume(s.kind, s.size);
  if (sar_is_mesh(s.kind)) sar_mesh_part(c, item, shape, open, &s);
  if (isnan(s.extent) || isnan(s.X_US.p.x + s.X_US.p.y + s.X_US.p.z)) s.wrong = true;
  return s;
}

// Own mass, or density times volume; NaN when neither is given.
static void weigh_solid(Compile* c, const BodyPart* b, const SpecShape* shape, ShapePart* s) {
  SpecNum density = shape->density.expr ? shape->density : b->spec->density;
  s->mass = WRONG;
  if (shape->mass.expr && shape->density.expr)
    sar_complain(c, b->item, shape->density.loc, "leave one of them out",
                 "%s has both mass and density", sar_shape_name[shape->kind]);
  if (shape->mass.expr) {
    s->mass = sar_number(c, shape->mass, b->item, "mass", NOT_NEGATIVE, 0);
  } else if (density.expr) {
    if (shape->kind == SPEC_ROD)
      sar_complain(c, b->item, density.loc, "give the rod a mass, or use a cylinder",
                   "a slender rod has no volume, so a density says nothing");
    s->mass = s->extent * sar_number(c, density, b->item, "density", NOT_NEGATIVE, 0);
  } else {
    return;
  }
  if (isnan(s->mass)) s->wrong = true;
}

// Gives the shapes without mass their share of `rest`.
static void share_mass(Compile* c, const BodyPart* b, ShapePart* solids, int n, double rest) {
  double sum = 0;
  bool rods = false, others = false;
  for (int i = 0; i < n; i++) {
    if (!isnan(solids[i].mass)) continue;
    sum += solids[i].extent;
    *(solids[i].kind == SPEC_ROD ? &rods : &others) = true;
  }
  if (rods && others)
    sar_complain(c, b->item, b->item.loc, "give the rods their own mass",
                 "the mass cannot be shared between slender rods and solids");
  if (rest < 0)
    sar_complain(c, b->item, b->spec->mass.loc, "give each shape its mass, or a larger 'mass'",
                 "the shapes alone weigh %g more than the mass given", -rest);
  for (int i = 0; i < n; i++)
    if (isnan(solids[i].mass)) solids[i].mass = sum > 0 ? rest * solids[i].extent / sum : 0;
}

// About the shape's own frame.
static Inertia inertia_of_shape(const ShapePart* s, double m) {
  if (sar_is_mesh(s->kind)) {
    const double density = m / s->extent;
    return (Inertia){m, v3_scale(density, s->of->unit.h), s3_scale(density, s->of->unit.I)};
  }
  const V3 g = v3_scale(m, sar_shape_gyration(s->kind, s->size));
  return inertia_of(m, v3_zero(), (S3){g.x, 0, 0, g.y, 0, g.z});
}

// All shapes as one rigid body about the origin of U; masses settled. False: something is wrong.
static bool sum_solids(Compile* c, const BodyPart* b, ShapePart* solids, Inertia* sum) {
  int n = b->spec->shapes.count, open = 0;
  double known = 0, mass = sar_number(c, b->spec->mass, b->item, "mass", NOT_NEGATIVE, 0);
  bool sound = !isnan(mass) && !b->spec->wrong;
  for (int i = 0; i < n; i++) {
    const SpecShape* shape = &b->spec->shapes.items[i];
    solids[i] = sar_shape_part(c, b->item, shape, false);
    weigh_solid(c, b, shape, &solids[i]);
    if (solids[i].wrong) sound = false;
    if (isnan(solids[i].mass))
      open++;
    else
      known += solids[i].mass;
  }
  if (!sound) return false;
  if (open > 0 && b->spec->mass.expr)
    share_mass(c, b, solids, n, mass - known);
  else if (n > 0 && open == 0 && b->spec->mass.expr && fabs(mass - known) > 1e-9 * mass)
    sar_complain(c, b->item, b->spec->mass.loc, "leave out 'mass', or the shapes' masses",
                 "mass is %g, but its shapes weigh %g", mass, known);
  else if (open > 0 && !b->spec->inertia_set)
    sar_remark(c, b->item, b->item.loc, "give 'mass' or 'density'",
               "has a shape without mass, which counts for nothing");
  *sum = inertia_zero();
  for (int i = 0; i < n; i++) {
    double m = isnan(solids[i].mass) ? 0 : solids[i].mass;
    *sum = inertia_add(*sum, inertia_transform(solids[i].X_US, inertia_of_shape(&solids[i], m)));
  }
  return true;
}

// I about the mass centre from I about the origin
static S3 central(Inertia B) {
  if (B.m == 0) return B.I;
  V3 com = v3_scale(1 / B.m, B.h);
  return s3_add(B.I, s3_scale(-B.m, s3_of_point(com)));
}

static S3 given_inertia(Compile* c, BodyPart* b) {
  double v[6], moments[3];
  for (int i = 0; i < 6; i++)
    v[i] = sar_number(c, b->spec->inertia[i], b->item, "inertia", ANY_FINITE, 0);
  S3 I = {v[0], v[3], v[4], v[1], v[5], v[2]};  // file order: xx yy zz xy xz yz
  if (isnan(v[0] + v[1] + v[2] + v[3] + v[4] + v[5])) {
    c->mass_known = false;
    return s3_zero();
  }
  SarInertiaFault fault = sar_inertia_check(I, moments);
  b->unsound = fault == SAR_INERTIA_NEGATIVE;  // sar_judge_inertias
  b->moments = v3_load(moments);
  // the equations hold all the same, and published robots are full of it: not an error
  if (fault == SAR_INERTIA_TRIANGLE)
    sar_warn(c->err, b->spec->inertia[0].loc,
             "the largest may not exceed the sum of the other two; check the order xx yy zz",
             "%s '%s': no solid has the principal moments %.6g, %.6g, %.6g kg m^2", b->item.kind,
             b->item.name, moments[0], moments[1], moments[2]);
  if (!b->spec->inertia_pose) return I;
  return s3_rotate(sar_pose(c, b->spec->inertia_pose, b->item, "inertia").R, I);
}

static bool weigh_body(Compile* c, BodyPart* b) {
  const SpecBody* spec = b->spec;
  Inertia shapes = inertia_zero();
  ShapePart* solids = b->shape;
  if (spec->mass.expr && spec->density.expr && !spec->wrong)
    sar_complain(c, b->item, spec->density.loc, "leave one of them out",
                 "has both mass and density");
  if (spec->shapes.count == 0 && spec->wrong)
    sar_number(c, spec->density, b->item, "density", NOT_NEGATIVE, 0);
  else if (spec->shapes.count == 0 && spec->density.expr)
    sar_complain(c, b->item, spec->density.loc, "give a shape, for example 'box: [lx, ly, lz]'",
                 "has a density but no shape");
  // all numbers are looked at before anything is made of them
  S3 given = spec->inertia_set ? given_inertia(c, b) : s3_zero();
  V3 com = sar_vector(c, &spec->com, b->item, "com", v3_zero());
  if (isnan(com.x + com.y + com.z)) c->mass_known = false;
  if (!sum_solids(c, b, solids, &shapes)) {
    c->mass_known = false;
    return true;
  }
  b->inertia = shapes;
  bool as_shaped = spec->shapes.count > 0 && !spec->inertia_set && !sar_given(&spec->com);
  if (as_shaped) return true;  // without the detour over the mass centre, which costs digits

  double mass = shapes.m;
  if (spec->mass.expr && spec->shapes.count == 0)
    mass = sar_number(c, spec->mass, b->item, "mass", NOT_NEGATIVE, 0);
  if (sar_given(&spec->com) && mass == 0 && !spec->mass.expr)
    sar_complain(c, b->item, spec->com.c[0].loc, "give 'mass', or leave out 'com'",
                 "has a mass centre but no mass");
  if (!sar_given(&spec->com) && shapes.m > 0) com = v3_scale(1 / shapes.m, shapes.h);
  b->inertia = inertia_of(mass, com, spec->inertia_set ? given : central(shapes));
  return true;
}

// Room for the shapes of all bodies, in one piece that can be given back.
static bool make_shapes(Compile* c) {
  size_t at = 0;
  for (int i = 0; i < c->nbody; i++) c->nshape += (size_t)c->body[i].spec->shapes.count;
  c->shape = SAR_ARENA_ARRAY(&c->arena, ShapePart, c->nshape + 1);
  if (!c->shape) return false;
  for (int i = 0; i < c->nbody; i++) {
    c->body[i].shape = &c->shape[at];
    at += (size_t)c->body[i].spec->shapes.count;
  }
  return true;
}

bool sar_compile_mass(Compile* c) {
  c->mass_known = true;
  if (!make_shapes(c)) return false;
  for (int i = 0; i < c->nbody; i++)
    if (!weigh_body(c, &c->body[i])) return false;
  return true;
}

// ---- negative moments -----------------------------------------------------------------------

// Of the body that b is part of, about its mass centre; ground does not move.
static bool is_whole_sound(const Compile* c, const BodyPart* b) {
  double moments[3];
  if (b->root < 0) return true;
  return sar_inertia_check(central(c->body[b->root].whole), moments) != SAR_INERTIA_NEGATIVE;
}

// A radius of gyration of 10 nm: rounding in the file, which a body of that mass cannot have.
static bool is_rounding(const BodyPart* b) { return -b->moments.x <= 1e-16 * b->inertia.m; }

// Published robots have antennas and screws of unphysical inertia, welded to what makes up for
// them: what moves is the sum, so it is the sum that must be sound.
void sar_judge_inertias(Compile* c) {
  for (int i = 0; i < c->nbody; i++) {
    const BodyPart* b = &c->body[i];
    const V3 I = b->moments;
    if (!b->unsound) continue;
    const char* hint = "check signs and units of the products";
    const char* what = "inertia has a negative principal moment";
    const SarLoc loc = b->spec->inertia[0].loc;
    if (is_rounding(b) || (c->tree_known && is_whole_sound(c, b)))
      sar_remark(c, b->item, loc, hint, "%s: %.6g, %.6g, %.6g kg m^2; %s", what, I.x, I.y, I.z,
                 is_rounding(b) ? "as good as zero" : "with what it is fixed to: sound");
    else
      sar_complain(c, b->item, loc, hint, "%s: %.6g, %.6g, %.6g kg m^2", what, I.x, I.y, I.z);
  }
}
