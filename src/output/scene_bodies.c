// What bodies look like.
//
// Solids that others can touch, and shapes that give the body its mass; of these not those that lie
// within the box around the solids, which tell it better. A body without either gets
//   no point where something acts   the box of its inertia (a cube where the mass is in a point)
//   one                             the same, and a bar from that point to it
//   two                             a bar from one to the other
//   more, in a plane motion         the plate that has them as corners
//   more, in space                  the box of its inertia where it reaches as far, and bars from
//                                   it to what lies outside; else bars from the mass centre to all
//                                   of them
// A bar in space is as thick as the inertia about its own line says: m r^2 / 2.
#include "output/scene.h"

#include "output/scene_points.h"

#include <math.h>

// ---- shapes ------------------------------------------------------------------------------------

static SarPart* on_body(SceneMaker* k, SarPartKind kind, int holder, Xform X_BS) {
  const SarModel* m = k->s->m;
  const int body = holder < 0 ? -1 : sar_holder_body(m, holder);
  SarPart* p = sar_scene_part(k, kind, body < 0 ? SAR_ROLE_GROUND : SAR_ROLE_BODY,
                              sar_holder_name(m, holder));
  p->holder = holder;
  p->body[0] = body;
  p->X_BS = X_BS;
  return p;
}

static SarPart* add_bar(SceneMaker* k, int body, V3 from, V3 to, double radius) {
  const V3 along = v3_sub(to, from);
  const double length = v3_norm(along);
  const Xform X = {length > 0 ? m3_frame_z(v3_scale(1 / length, along)) : m3_identity(),
                   v3_scale(0.5, v3_add(from, to))};
  SarPart* p = on_body(k, SAR_PART_CAPSULE, body, X);
  // bars of two bodies that end in one joint would share a surface there: no two are equally thick
  p->size[0] = radius * (1 - 0.03 * (body % 3));
  p->size[1] = 0.5 * length;
  return p;
}

static void set_sizes(SarPart* p, const double* size) {
  for (int i = 0; i < 3; i++) p->size[i] = size[i];
}

static void add_shape(SceneMaker* k, const SarBodyShape* s) {
  static const SarPartKind kind[] = {
      [SAR_BODY_ROD] = SAR_PART_CAPSULE,         [SAR_BODY_BOX] = SAR_PART_BOX,
      [SAR_BODY_ELLIPSOID] = SAR_PART_ELLIPSOID, [SAR_BODY_CYLINDER] = SAR_PART_CYLINDER,
      [SAR_BODY_CAPSULE] = SAR_PART_CAPSULE,     [SAR_BODY_MESH] = SAR_PART_MESH};
  SarPart* p = on_body(k, kind[s->kind], s->holder, s->X_BS);
  set_sizes(p, s->size);
  if (s->kind == SAR_BODY_ROD) p->size[0] = k->s->unit * (1 - 0.03 * (s->body % 3));
  if (s->kind != SAR_BODY_MESH) return;
  p->vertex = &k->s->m->shape_point[s->vertex], p->nvertex = s->nvertex;
  p->triangle = &k->s->m->shape_index[s->triangle], p->ntriangle = s->ntriangle;
}

// Faces of a hull as triangles: a fan in each.
static void add_hull(SceneMaker* k, const SarHull* h, SarPart* p) {
  int n = 0, corners = h->face_adr[h->nface];
  int* t = SAR_ARENA_ARRAY(&k->s->arena, int, 3 * (size_t)corners);
  if (!t) return;
  for (int f = 0; f < h->nface; f++) {
    const int* v = &h->face_vertex[h->face_adr[f]];
    for (int i = 1; i + 1 < h->face_adr[f + 1] - h->face_adr[f]; i++, n++)
      t[3 * n] = v[0], t[3 * n + 1] = v[i], t[3 * n + 2] = v[i + 1];
  }
  p->vertex = h->vertex, p->nvertex = h->nvertex;
  p->triangle = t, p->ntriangle = n;
}

static void add_solid(SceneMaker* k, const SarCollider* c) {
  const SarSolid* s = &c->solid;
  const double r[3] = {s->size[0], s->size[0], s->size[0]};
  switch (s->kind) {
    case SAR_SOLID_SPHERE: set_sizes(on_body(k, SAR_PART_ELLIPSOID, c->holder, c->X_BS), r); break;
    case SAR_SOLID_BOX: set_sizes(on_body(k, SAR_PART_BOX, c->holder, c->X_BS), s->size); break;
    case SAR_SOLID_CAPSULE:
      set_sizes(on_body(k, SAR_PART_CAPSULE, c->holder, c->X_BS), s->size);
      break;
    case SAR_SOLID_CYLINDER: {
      const double size[3] = {s->size[0], s->size[1], 0};
      set_sizes(on_body(k, SAR_PART_CYLINDER, c->holder, c->X_BS), size);
      break;
    }
    case SAR_SOLID_CONVEX:
      add_hull(k, &s->of.hull, on_body(k, SAR_PART_MESH, c->holder, c->X_BS));
      break;
    case SAR_SOLID_TRIANGLES: {
      SarPart* p = on_body(k, SAR_PART_MESH, c->holder, c->X_BS);
      p->vertex = s->of.triangles.vertex, p->nvertex = s->of.triangles.nvertex;
      p->triangle = s->of.triangles.triangle, p->ntriangle = s->of.triangles.ntriangle;
      break;
    }
    default: break;  // planes and heights: the ground
  }
}

// Corners of the box around a part, in its own frame: half lengths about a centre.
static void box_of(const SarPart* p, V3* low, V3* high) {
  const double* s = p->size;
  *high = p->kind == SAR_PART_CYLINDER  ? v3(s[0], s[0], s[1])
          : p->kind == SAR_PART_CAPSULE ? v3(s[0], s[0], s[0] + s[1])
                                        : v3(s[0], s[1], s[2]);
  *low = v3_neg(*high);
  for (int i = 0; p->kind == SAR_PART_MESH && i < p->nvertex; i++) {
    const V3 v = p->vertex[i];
    if (i == 0) *low = *high = v;
    *low = v3(fmin(low->x, v.x), fmin(low->y, v.y), fmin(low->z, v.z));
    *high = v3(fmax(high->x, v.x), fmax(high->y, v.y), fmax(high->z, v.z));
  }
}

// Box around parts [first, end) in the axes of the body.
static void box_of_parts(const SceneMaker* k, int first, int end, V3* low, V3* high) {
  *low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), *high = v3_neg(*low);
  for (int i = first; i < end; i++) {
    V3 l, h;
    box_of(&k->parts.items[i], &l, &h);
    for (int c = 0; c < 8; c++) {
      const V3 corner = v3(c & 1 ? h.x : l.x, c & 2 ? h.y : l.y, c & 4 ? h.z : l.z);
      const V3 p = x_point(k->parts.items[i].X_BS, corner);
      *low = v3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
      *high = v3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
    }
  }
}

static bool within(V3 low, V3 high, V3 inner_low, V3 inner_high) {
  const double by = 0.06 * v3_norm(v3_sub(inner_high, inner_low));
  return inner_low.x >= low.x - by && inner_low.y >= low.y - by && inner_low.z >= low.z - by &&
         inner_high.x <= high.x + by && inner_high.y <= high.y + by && inner_high.z <= high.z + by;
}

static void add_shapes(SceneMaker* k, int holder) {
  const SarModel* m = k->s->m;
  const int first = k->parts.count;
  for (int i = 0; i < m->ncollider; i++)
    if (m->collider[i].holder == holder) add_solid(k, &m->collider[i]);
  const int solids = k->parts.count;
  V3 low, high, l, h;
  box_of_parts(k, first, solids, &low, &high);
  for (int i = 0; i < m->nshape; i++) {
    if (m->shape[i].holder != holder) continue;
    const int before = k->parts.count;
    add_shape(k, &m->shape[i]);
    if (before == k->parts.count || solids == first) continue;
    box_of_parts(k, before, before + 1, &l, &h);
    if (within(low, high, l, h)) k->parts.count = before;
  }
}

// ---- stand-ins ----------------------------------------------------------------------------------

static double bar_radius(const SceneMaker* k, int body, V3 from, V3 to) {
  const SarModel* m = k->s->m;
  const Inertia I = m->body_inertia[body];
  const double unit = k->s->unit, length = v3_norm(v3_sub(to, from));
  if (m->planar != SAR_SPATIAL || !(I.m > 0) || !(length > 0)) return unit;
  const V3 n = v3_scale(1 / length, v3_sub(to, from)), com = v3_scale(1 / I.m, I.h);
  const S3 central = s3_add(I.I, s3_scale(-I.m, s3_of_point(com)));
  const double r = sqrt(fmax(0, 2 * v3_dot(n, s3_mul_v(central, n)) / I.m));
  return fmin(fmax(r, unit), fmax(unit, 0.16 * length));
}

// The box of the inertia, or a cube that grows with the mass.
static SarPart* add_mass(SceneMaker* k, int body) {
  const SarModel* m = k->s->m;
  const Inertia I = m->body_inertia[body];
  double half[3], heaviest = 0;
  Xform X;
  if (sar_inertia_box(I, &X, half)) {
    for (int i = 0; i < 3; i++) half[i] = fmin(half[i], 0.6 * k->s->reach);
  } else {
    for (int b = 0; b < m->nbody; b++) heaviest = fmax(heaviest, m->body_inertia[b].m);
    const double a = I.m > 0 ? 0.12 * k->s->reach * cbrt(I.m / heaviest) : k->s->unit;
    half[0] = half[1] = half[2] = a;
    X = (Xform){m->body_X_BU[body].R, I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero()};
  }
  SarPart* p = on_body(k, SAR_PART_BOX, body, X);
  set_sizes(p, half);
  return p;
}

static double clamp(double x, double most) { return fmin(most, fmax(-most, x)); }

// The point of a box that is nearest to another; that one itself when it is inside.
static V3 nearest_in_box(const SarPart* box, V3 p, bool* inside) {
  const V3 q = x_point_inv(box->X_BS, p);
  const V3 n = v3(clamp(q.x, box->size[0]), clamp(q.y, box->size[1]), clamp(q.z, box->size[2]));
  *inside = q.x == n.x && q.y == n.y && q.z == n.z;
  return x_point(box->X_BS, n);
}

static void add_arms(SceneMaker* k, int body, const SarPart box, const ScenePoints* at,
                     double radius) {
  for (int i = 0; i < at->count; i++) {
    bool inside;
    const V3 from = nearest_in_box(&box, at->point[i], &inside);
    if (!inside) add_bar(k, body, from, at->point[i], radius);
  }
}

// Corners in the plane z = 0 of a frame at the first point whose z is the normal of the plane.
static void add_plate(SceneMaker* k, int body, const ScenePoints* at) {
  const SarModel* m = k->s->m;
  const V3 ground =
      v3(m->planar == SAR_PLANE_YZ, m->planar == SAR_PLANE_XZ, m->planar == SAR_PLANE_XY);
  const Xform X = {m3_frame_z(m3_tmul_v(k->start[body].R, ground)), at->point[0]};
  V3* corner = SAR_ARENA_ARRAY(&k->s->arena, V3, at->count + 1);
  if (!corner) return;
  for (int i = 0; i < at->count; i++) corner[i] = x_point_inv(X, at->point[i]);
  SarPart* p = on_body(k, SAR_PART_PLATE, body, X);
  p->nvertex = scene_convex(&k->s->arena, corner, at->count);
  p->vertex = corner;
  p->size[0] = 0.6 * k->s->unit;
  p->size[1] = k->s->unit;
  p->pale = true;
}

static int inside_count(const SarPart* box, const ScenePoints* at) {
  int n = 0;
  for (int i = 0; i < at->count; i++) {
    bool inside;
    nearest_in_box(box, at->point[i], &inside);
    n += inside;
  }
  return n;
}

static void add_star(SceneMaker* k, int body, const ScenePoints* at) {
  const Inertia I = k->s->m->body_inertia[body];
  V3 centre = v3_zero();
  for (int i = 0; i < at->count; i++) centre = v3_axpy(1.0 / at->count, at->point[i], centre);
  if (I.m > 0) centre = v3_scale(1 / I.m, I.h);
  k->s->thickness[body] = k->s->unit;
  for (int i = 0; i < at->count; i++)
    if (v3_norm(v3_sub(at->point[i], centre)) > k->s->unit)
      add_bar(k, body, centre, at->point[i], bar_radius(k, body, centre, at->point[i]));
}

static void add_stand_in(SceneMaker* k, int body, const ScenePoints* at) {
  if (at->count == 2) {
    const double r = bar_radius(k, body, at->point[0], at->point[1]);
    k->s->thickness[body] = r;
    add_bar(k, body, at->point[0], at->point[1], r);
    return;
  }
  k->s->thickness[body] = k->s->unit;
  if (at->count > 2 && k->s->m->planar != SAR_SPATIAL) {
    add_plate(k, body, at);
    return;
  }
  if (at->count < 2 && !(k->s->m->body_inertia[body].m > 0)) return;
  const int before = k->parts.count;
  SarPart* made = add_mass(k, body);
  made->pale = inside_count(made, at) > 3;
  const SarPart box = *made;
  if (at->count > 2 && 2 * inside_count(&box, at) < at->count) {
    k->parts.count = before;
    add_star(k, body, at);
    return;
  }
  add_arms(k, body, box, at, k->s->unit);
}

static void add_wheels(SceneMaker* k, int body) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nforce; i++) {
    const SarForceLook* look = &k->look[i];
    if (look->body[0] != body || !(look->wheel > 0)) continue;
    SarPart* p = on_body(k, SAR_PART_CYLINDER, body,
                         (Xform){m3_frame_z(v3_unit(look->axis)), look->point[0]});
    p->role = SAR_ROLE_WHEEL;
    set_sizes(p, (double[]){look->wheel, 0.28 * look->wheel, 0.58 * look->wheel});
    p = on_body(k, SAR_PART_CYLINDER, body,
                (Xform){m3_frame_z(v3_unit(look->axis)), look->point[0]});
    set_sizes(p, (double[]){0.58 * look->wheel, 0.2 * look->wheel, 0});
  }
}

// A body with a shape has bars to what is attached far outside of it.
static void add_reaching_bars(SceneMaker* k, int body, int first, const ScenePoints* at) {
  V3 low, high;
  box_of_parts(k, first, k->parts.count, &low, &high);
  SarPart box = {.X_BS = {m3_identity(), v3_scale(0.5, v3_add(low, high))}};
  const V3 half = v3_scale(0.5, v3_sub(high, low));
  box.size[0] = half.x, box.size[1] = half.y, box.size[2] = half.z;
  for (int i = 0; i < at->count; i++) {
    bool inside;
    const V3 from = nearest_in_box(&box, at->point[i], &inside);
    if (!inside) add_bar(k, body, from, at->point[i], 0.6 * k->s->unit);
  }
}

void sar_scene_add_bodies(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nfixed; i++)
    if (m->fixed_body[i] < 0) add_shapes(k, m->nbody + i);
  sar_scene_add_blades(k, -1);
  for (int b = 0; b < m->nbody && !k->s->arena.failed; b++) {
    const int first = k->parts.count;
    add_shapes(k, b);
    for (int i = 0; i < m->nfixed; i++)
      if (m->fixed_body[i] == b) add_shapes(k, m->nbody + i);
    add_wheels(k, b);
    sar_scene_add_blades(k, b);
    // of modal bodies bars between the nodes are shown: scene_modal.c
    const bool modal = m->joint_class[b] == SAR_CLASS_MODE || m->joint_class[b] == SAR_CLASS_NODE;
    if (modal && k->parts.count == first) continue;
    ScenePoints at = scene_points(k, b);
    if (k->parts.count == first)
      add_stand_in(k, b, &at);
    else
      add_reaching_bars(k, b, first, &at);
  }
}
