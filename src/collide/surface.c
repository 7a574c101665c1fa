// A convex solid on a surface (triangle mesh, height field): triangle by triangle, without the
// ghosts of edges between them (internal-edge collisions).
//
// Each triangle near the solid is first met on its own (sar_collide_triangle). Where its normal is
// one that the surface has there (surface_patch.c) the contacts stay; where it is not, they are
// found again along the triangle's own normal. If that is much deeper it is the wrong way out where
// the solid hangs over an edge, and the right one where it stands on a seam: such triangles wait
// until all others are done, and count only if the others do not show a shorter way. Where an edge
// is nearest, corners of the solid above the triangle are looked at too: they may come down next. A
// triangle level with its neighbours can be touched along its normal only; unless the solid is deep
// in it, that is all there is to do. All is done in the surface's frame.
#include "collide/surface.h"

#include "collide/heights.h"
#include "collide/pairs.h"
#include "collide/surface_bundle.h"
#include "collide/surface_patch.h"
#include "collide/triangles.h"

enum { WAITING = 16 };

static const double ALIGNED = 1 - 1e-12;  // cosine: the normal is the triangle's
static const double NEAR = 1e-6;  // of the solid's size: contacts at one place, points on an edge
static const double DEEPER = 2;   // so many times as deep is much deeper
static const double ASIDE = 0.7;  // cosine: another way out

typedef struct Waiting {
  int triangle;
  double gap;
  bool other;  // its neighbour was to have the contact
} Waiting;

typedef struct Walk {
  const SarSolid *surface, *solid;
  Xform X;  // the solid in the surface's frame
  Core core;
  SarBounds box;
  double margin, near;
  SarBundles found;
  Waiting waiting[WAITING];  // the shallowest first
  int nwaiting;
} Walk;

// ---- one triangle --------------------------------------------------------------------------

// Triangle and feature of the solid in one number; collecting them sees to the rest.
static unsigned mixed(int triangle, unsigned feature) {
  unsigned x = (unsigned)triangle * 0x9e3779b1u ^ feature;
  x ^= x >> 15;
  return x * 0x85ebca6bu;
}

// A contact of the solid's point p with the plane of the triangle.
static void keep_on_face(Walk* w, const SarPatch* t, V3 p, unsigned feature, bool stays) {
  double gap = v3_dot(t->normal, v3_sub(p, t->corner[0]));
  if (!(gap <= w->margin)) return;
  sar_bundles_add(
      &w->found,
      &(SarTouch){v3_axpy(-0.5 * gap, t->normal, p), t->normal, gap, mixed(t->triangle, feature)},
      stays);
}

static bool is_over(const SarPatch* t, V3 p, double tolerance) {
  for (int i = 0; i < 3; i++) {
    V3 e = v3_sub(t->corner[(i + 1) % 3], t->corner[i]);
    V3 in = v3_cross(t->normal, v3_unit(e));
    if (v3_dot(in, v3_sub(p, t->corner[i])) < -tolerance) return false;
  }
  return true;
}

// Points of the solid over the triangle along its normal: those of the solid's lowest feature, cut
// off at the edges, and its lowest point (which a feature of a round solid may not have).
static int face_points(const Walk* w, const SarPatch* t, V3* point, unsigned* feature) {
  const Core* b = &w->core;
  V3 n = t->normal;
  int count = 0, label;
  if (w->solid->kind != SAR_SOLID_SPHERE) {
    Core a;
    sar_core_triangle(&a, t->corner);
    Xform X = {w->X.R, v3_sub(w->X.p, t->corner[0])};
    Meeting m = {.normal = n, .gap = HUGE_VAL};  // no point of its own
    Spot spot[SPOT_MOST];
    bool reached;
    count = sar_manifold(&a, b, &X, &m, w->margin + b->radius, spot, &reached);
    for (int i = 0; i < count; i++) {
      point[i] = v3_axpy(0.5 * spot[i].gap - b->radius, n, v3_add(spot[i].point, t->corner[0]));
      feature[i] = spot[i].feature;
    }
  }
  V3 lowest = x_point(w->X, sar_core_support(b, m3_tmul_v(w->X.R, v3_neg(n)), &label));
  lowest = v3_axpy(-b->radius, n, lowest);
  bool deeper = is_over(t, lowest, w->near);
  for (int i = 0; i < count && deeper; i++)
    deeper = v3_dot(n, v3_sub(point[i], lowest)) > 1e-3 * w->near;
  point[count] = lowest;
  feature[count] = feature_of_b(label);
  return count + deeper;
}

static void wait(Walk* w, int triangle, double gap, bool other) {
  if (w->nwaiting == WAITING && w->waiting[WAITING - 1].gap >= gap) return;
  int i = w->nwaiting < WAITING ? w->nwaiting++ : WAITING - 1;
  for (; i > 0 && w->waiting[i - 1].gap < gap; i--) w->waiting[i] = w->waiting[i - 1];
  w->waiting[i] = (Waiting){triangle, gap, other};
}

// Points of edges and corners of the triangle go; corners of the solid stay.
static int corners_of_solid(V3* point, unsigned* feature, int n) {
  int left = 0;
  for (int i = 0; i < n; i++)
    if (is_feature_of_b(feature[i])) point[left] = point[i], feature[left++] = feature[i];
  return left;
}

// Contacts along the triangle's own normal, if none is deeper than `least`; the deepest. corners:
// of corners of the solid alone.
static double meet_face(Walk* w, const SarPatch* t, double least, bool corners) {
  V3 point[SPOT_MOST + 1];
  unsigned feature[SPOT_MOST + 1];
  int n = face_points(w, t, point, feature);
  if (corners) n = corners_of_solid(point, feature, n);
  double deepest = HUGE_VAL;
  for (int i = 0; i < n; i++)
    deepest = fmin(deepest, v3_dot(t->normal, v3_sub(point[i], t->corner[0])));
  for (int i = 0; i < n && deepest >= least; i++) keep_on_face(w, t, point[i], feature[i], corners);
  return deepest;
}

static void meet_waiting(Walk* w) {
  for (int i = 0; i < w->nwaiting; i++) {
    SarPatch t = sar_patch_get(w->surface, w->waiting[i].triangle);
    bool shorter = false;
    for (int k = 0; k < w->found.count; k++)
      shorter = shorter || (v3_dot(w->found.bundle[k].normal, t.normal) < ASIDE &&
                            w->found.bundle[k].touch[0].gap > w->waiting[i].gap);
    if (!shorter) meet_face(w, &t, -HUGE_VAL, false);
  }
}

// The closest point of a triangle to p (by the regions of its corners, edges and face).
static V3 closest_point(const SarPatch* t, V3 p) {
  if (is_over(t, p, 0)) return v3_axpy(-v3_dot(t->normal, v3_sub(p, t->corner[0])), t->normal, p);
  V3 best = t->corner[0];
  double least = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    V3 e = v3_sub(t->corner[(i + 1) % 3], t->corner[i]), d = v3_sub(p, t->corner[i]);
    double s = fmin(fmax(v3_dot(d, e) / v3_dot(e, e), 0), 1);
    V3 q = v3_axpy(s, e, t->corner[i]), r = v3_sub(p, q);
    if (v3_dot(r, r) < least) least = v3_dot(r, r), best = q;
  }
  return best;
}

// The contact of a ball with a triangle on its own. What is behind the plane is pushed to the
// front, or sideways.
static int meet_ball(const Walk* w, const SarPatch* t, SarTouch* out) {
  double r = w->solid->size[0], height = v3_dot(t->normal, v3_sub(w->X.p, t->corner[0]));
  V3 q = closest_point(t, w->X.p), d = v3_sub(w->X.p, q);
  if (height < 0) d = v3_axpy(-height, t->normal, d);
  double distance = v3_norm(d);
  bool over = is_over(t, w->X.p, 0) || !(distance > 0);
  V3 n = over ? t->normal : v3_scale(1 / distance, d);
  double gap = (over ? height : distance) - r;
  out[0] = (SarTouch){v3_axpy(0.5 * gap, n, q), n, gap, feature_of_b(0)};
  return gap <= w->margin;
}

// Most triangles in the box around a solid are not near it.
static bool is_out_of_reach(const Walk* w, const SarPatch* t) {
  int label;
  V3 n = t->normal, down = m3_tmul_v(w->X.R, v3_neg(n));
  double radius = w->core.radius, height = v3_dot(n, v3_sub(w->X.p, t->corner[0]));
  double low = height - radius, high = height + radius;
  if (w->solid->kind == SAR_SOLID_SPHERE) {
    V3 d = v3_sub(w->X.p, closest_point(t, w->X.p));
    double most = radius + w->margin;
    return high < 0 || v3_dot(d, d) > most * most;
  }
  low -= v3_dot(down, sar_core_support(&w->core, down, &label));
  high -= v3_dot(down, sar_core_support(&w->core, v3_neg(down), &label));
  return high < 0 || low > w->margin;
}

// All contacts of a triangle on its own have one normal. The deepest says where on the triangle it
// comes from.
static int meet_alone(const Walk* w, const SarPatch* t, SarTouch* touch) {
  if (w->solid->kind == SAR_SOLID_SPHERE) return meet_ball(w, t, touch);
  int n = sar_collide_triangle(w->solid, &w->X, t->corner, w->margin, touch, SAR_TOUCH_MOST);
  for (int i = 1; i < n; i++)
    if (touch[i].gap < touch[0].gap) {
      SarTouch deeper = touch[i];
      touch[i] = touch[0];
      touch[0] = deeper;
    }
  return n;
}

static void meet_triangle(Walk* w, int triangle) {
  SarPatch t = sar_patch_get(w->surface, triangle);
  SarTouch touch[SAR_TOUCH_MOST];
  if (is_out_of_reach(w, &t)) return;
  if (sar_patch_is_level(w->surface, &t) && meet_face(w, &t, -w->margin, false) >= -w->margin)
    return;
  int n = meet_alone(w, &t, touch);
  if (n == 0) return;
  V3 normal = touch[0].normal;
  V3 on_triangle = v3_axpy(-0.5 * touch[0].gap, normal, touch[0].point);
  if (v3_dot(normal, t.normal) >= ALIGNED) {
    // of a ball the foot is known better than its contact on the triangle is
    bool ball = w->solid->kind == SAR_SOLID_SPHERE;
    if (ball) meet_face(w, &t, -HUGE_VAL, false);
    for (int i = 0; i < n && !ball; i++)
      keep_on_face(w, &t, v3_axpy(0.5 * touch[i].gap, normal, touch[i].point), touch[i].feature,
                   true);
    return;
  }
  SarPatchRule rule = sar_patch_judge(w->surface, &t, on_triangle, normal, w->near);
  if (rule == SAR_PATCH_FACE) {
    double least = DEEPER * fmin(touch[0].gap, 0) - w->margin,
           deepest = meet_face(w, &t, least, false);
    if (deepest < least) wait(w, triangle, deepest, false);
  }
  if (rule == SAR_PATCH_OTHER) {
    // two triangles that a solid hangs over may each leave it to the other
    double deepest = meet_face(w, &t, 0, false);
    if (deepest < 0) wait(w, triangle, deepest, true);
  }
  for (int i = 0; i < n && rule == SAR_PATCH_KEEP; i++) {
    touch[i].feature = mixed(triangle, touch[i].feature);
    sar_bundles_add(&w->found, &touch[i], true);
  }
  // where an edge or corner of the triangle is touched, its face can only be by corners of the
  // solid
  if (rule == SAR_PATCH_KEEP) meet_face(w, &t, 0, true);
}

// ---- which triangles -----------------------------------------------------------------------

static bool is_apart(const SarBounds* a, V3 low, V3 high) {
  return low.x > a->high.x || high.x < a->low.x || low.y > a->high.y || high.y < a->low.y ||
         low.z > a->high.z || high.z < a->low.z;
}

static bool is_near(const Walk* w, int triangle) {
  const SarTriangles* m = &w->surface->of.triangles;
  const int* v = &m->triangle[3 * triangle];
  V3 a = m->vertex[v[0]], b = m->vertex[v[1]], c = m->vertex[v[2]];
  V3 low = v3(fmin(fmin(a.x, b.x), c.x), fmin(fmin(a.y, b.y), c.y), fmin(fmin(a.z, b.z), c.z));
  V3 high = v3(fmax(fmax(a.x, b.x), c.x), fmax(fmax(a.y, b.y), c.y), fmax(fmax(a.z, b.z), c.z));
  return !is_apart(&w->box, low, high);
}

static void walk_tree(Walk* w) {
  const SarTriangles* m = &w->surface->of.triangles;
  int stack[SAR_TREE_DEPTH + 1], count = 0;
  if (m->nnode > 0) stack[count++] = 0;
  while (count > 0) {
    const SarTreeNode* node = &m->node[stack[--count]];
    if (is_apart(&w->box, node->low, node->high)) continue;
    if (node->count == 0 && count + 2 <= SAR_TREE_DEPTH + 1) {
      stack[count++] = node->first + 1;
      stack[count++] = node->first;
    }
    for (int i = 0; i < node->count; i++)
      if (is_near(w, node->first + i)) meet_triangle(w, node->first + i);
  }
}

static int clamp(double x, int high) { return x < 0 ? 0 : x > high ? high : (int)x; }

static void walk_cells(Walk* w) {
  const SarHeights* h = &w->surface->of.heights;
  double x0 = (w->box.low.x - h->x0) / h->dx, x1 = (w->box.high.x - h->x0) / h->dx;
  double y0 = (w->box.low.y - h->y0) / h->dy, y1 = (w->box.high.y - h->y0) / h->dy;
  if (!(x1 >= 0 && y1 >= 0 && x0 <= h->nx - 1 && y0 <= h->ny - 1)) return;
  if (w->box.low.z > h->high) return;
  for (int iy = clamp(y0, h->ny - 2); iy <= clamp(y1, h->ny - 2); iy++)
    for (int ix = clamp(x0, h->nx - 2); ix <= clamp(x1, h->nx - 2); ix++) {
      const double *z = &h->z[ix + (size_t)h->nx * (size_t)iy], *above = z + h->nx;
      double low = fmin(fmin(z[0], z[1]), fmin(above[0], above[1]));
      double high = fmax(fmax(z[0], z[1]), fmax(above[0], above[1]));
      if (high < w->box.low.z || low > w->box.high.z) continue;
      for (int which = 0; which < 2; which++) meet_triangle(w, 2 * (ix + (h->nx - 1) * iy) + which);
    }
}

// Ground has no underside: what is wholly below is pushed up, along the normal above a point inside
// it.
static void meet_from_below(Walk* w) {
  double z;
  V3 n;
  int label;
  V3 in = w->solid->kind == SAR_SOLID_CONVEX ? x_point(w->X, w->solid->of.hull.centre) : w->X.p;
  if (!sar_heights_at(&w->surface->of.heights, in.x, in.y, &z, &n)) return;
  V3 p = x_point(w->X, sar_core_support(&w->core, m3_tmul_v(w->X.R, v3_neg(n)), &label));
  p = v3_axpy(-w->core.radius, n, p);
  double gap = v3_dot(n, v3_sub(p, v3(in.x, in.y, z)));
  if (in.z < z && gap < 0)
    sar_bundles_add(&w->found,
                    &(SarTouch){v3_axpy(-0.5 * gap, n, p), n, gap, mixed(-1, (unsigned)label)},
                    false);
}

int sar_collide_surface(const SarSolid* surface, const Xform* X_surface, const SarSolid* solid,
                        const Xform* X_solid, double margin, SarTouch* out, int most) {
  Walk w = {.surface = surface, .solid = solid, .margin = margin};
  w.X = (Xform){m3_tmul(X_surface->R, X_solid->R), x_point_inv(*X_surface, X_solid->p)};
  w.box = sar_solid_bounds(solid, &w.X, margin);
  sar_core_init(&w.core, solid);
  w.found.near = w.near = NEAR * v3_norm(v3_sub(w.box.high, w.box.low));
  if (surface->kind == SAR_SOLID_TRIANGLES) {
    walk_tree(&w);
  } else if (surface->kind == SAR_SOLID_HEIGHTS) {
    walk_cells(&w);
  }
  meet_waiting(&w);
  if (w.found.count == 0 && surface->kind == SAR_SOLID_HEIGHTS) meet_from_below(&w);
  int n = sar_bundles_collect(&w.found, out, most);
  for (int i = 0; i < n; i++) {
    out[i].point = x_point(*X_surface, out[i].point);
    out[i].normal = m3_mul_v(X_surface->R, out[i].normal);
  }
  return n;
}
