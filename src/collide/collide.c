// Narrow phase of collision detection: which pair is worked out where (dispatch by kinds).
//
// Each pair has one order; the other way round it is computed the same way and its normals are
// turned, so that both orders give the same points.
#include "collide/collide.h"

#include "collide/pairs.h"
#include "collide/surface.h"

// by kind of a and b, a's first in the order of SarSolidKind; hulls and cylinders go by their cores
static SarCollidePair* const PAIR[SAR_SOLID_KINDS][SAR_SOLID_KINDS] = {
    [SAR_SOLID_SPHERE] = {[SAR_SOLID_SPHERE] = sar_collide_sphere_sphere,
                          [SAR_SOLID_BOX] = sar_collide_sphere_box,
                          [SAR_SOLID_CAPSULE] = sar_collide_sphere_capsule,
                          [SAR_SOLID_CYLINDER] = sar_collide_sphere_cylinder,
                          [SAR_SOLID_PLANE] = sar_collide_sphere_plane,
                          [SAR_SOLID_CONVEX] = sar_collide_cores},
    [SAR_SOLID_BOX] = {[SAR_SOLID_BOX] = sar_collide_box_box,
                       [SAR_SOLID_CAPSULE] = sar_collide_box_capsule,
                       [SAR_SOLID_CYLINDER] = sar_collide_cores,
                       [SAR_SOLID_PLANE] = sar_collide_box_plane,
                       [SAR_SOLID_CONVEX] = sar_collide_cores},
    [SAR_SOLID_CAPSULE] = {[SAR_SOLID_CAPSULE] = sar_collide_capsule_capsule,
                           [SAR_SOLID_CYLINDER] = sar_collide_cores,
                           [SAR_SOLID_PLANE] = sar_collide_capsule_plane,
                           [SAR_SOLID_CONVEX] = sar_collide_cores},
    [SAR_SOLID_CYLINDER] = {[SAR_SOLID_CYLINDER] = sar_collide_cores,
                            [SAR_SOLID_PLANE] = sar_collide_cylinder_plane,
                            [SAR_SOLID_CONVEX] = sar_collide_cores},
    [SAR_SOLID_CONVEX] =
        {[SAR_SOLID_PLANE] = sar_collide_hull_plane, [SAR_SOLID_CONVEX] = sar_collide_cores},
};

// The frame of a, and the pose of b in it. A sphere looks the same from all sides: axes of ground
// will do.
static Xform frame_of(const SarSolid* a, const Xform* X_a) {
  return a->kind == SAR_SOLID_SPHERE ? (Xform){m3_identity(), X_a->p} : *X_a;
}
static Xform relative(const SarSolid* a, const Xform* X_a, const Xform* X_b) {
  V3 p = v3_sub(X_b->p, X_a->p);
  if (a->kind == SAR_SOLID_SPHERE) return (Xform){X_b->R, p};
  return (Xform){m3_tmul(X_a->R, X_b->R), m3_tmul_v(X_a->R, p)};
}

static int collide(SarCollidePair* pair, const SarSolid* a, const Xform* X_a, const SarSolid* b,
                   const Xform* X_b, double margin, SarTouch* out, int most) {
  Xform frame = frame_of(a, X_a), X = relative(a, X_a, X_b);
  return pair(a, b, &X, &frame, margin, out, most);
}

static bool has_triangles(const SarSolid* s) {
  return s->kind == SAR_SOLID_TRIANGLES || s->kind == SAR_SOLID_HEIGHTS;
}

static bool is_convex(const SarSolid* s) { return s->kind != SAR_SOLID_PLANE && !has_triangles(s); }

static int turned(SarTouch* out, int n) {
  for (int i = 0; i < n; i++) out[i].normal = v3_neg(out[i].normal);
  return n;
}

int sar_collide(const SarSolid* a, const Xform* X_a, const SarSolid* b, const Xform* X_b,
                double margin, SarTouch* out, int most) {
  SarCollidePair *pair = PAIR[a->kind][b->kind], *other = PAIR[b->kind][a->kind];
  if (pair) return collide(pair, a, X_a, b, X_b, margin, out, most);
  if (other) return turned(out, collide(other, b, X_b, a, X_a, margin, out, most));
  if (has_triangles(a) && is_convex(b))
    return sar_collide_surface(a, X_a, b, X_b, margin, out, most);
  if (has_triangles(b) && is_convex(a))
    return turned(out, sar_collide_surface(b, X_b, a, X_a, margin, out, most));
  return 0;
}
