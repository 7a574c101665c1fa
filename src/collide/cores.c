// Pairs that have no shorter way: cores, by distance if they are apart, by depth if not, then the manifold.
#include "collide/pairs.h"

// Closer than what gjk resolves the distance has no good direction, and the axes of faces and edges take over.
static bool meet_deep(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  if (a->kind == CORE_CYLINDER || b->kind == CORE_CYLINDER)
    return sar_meet_curved(a, b, X, limit, m);
  return sar_meet_sat(a, b, X, limit, m);
}

static bool meet(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  MeetingKind kind = sar_meet_gjk(a, b, X, limit, m);
  if (kind == MEET_DEEP) return meet_deep(a, b, X, limit, m);
  if (kind == MEET_FAR) return false;
  if (!a->one_sided || v3_dot(m->normal, a->normal[0]) >= 0) return true;
  // a core behind the triangle: its solid either reaches through, and is pushed to the front, or does not touch
  return m->gap <= a->radius + b->radius && meet_deep(a, b, X, limit, m);
}

static int collide(const Core* a, const Core* b, const Xform* X, const Xform* X_a, double margin,
                   SarTouch* out, int most) {
  double limit = margin + a->radius + b->radius;
  Meeting m;
  if (!meet(a, b, X, limit, &m)) return 0;
  Spot spot[SPOT_MOST];
  bool reached;
  int n = sar_manifold(a, b, X, &m, limit, spot, &reached);
  return sar_manifold_touches(spot, n, m.normal, a->radius, b->radius, X_a, out, most);
}

int sar_collide_cores(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                      double margin, SarTouch* out, int most) {
  Core ca, cb;
  sar_core_init(&ca, a);
  sar_core_init(&cb, b);
  return collide(&ca, &cb, X, X_a, margin, out, most);
}

int sar_collide_triangle(const SarSolid* s, const Xform* X, const V3 corner[3], double margin,
                         SarTouch* out, int most) {
  Core ca, cb;
  sar_core_triangle(&ca, corner);
  sar_core_init(&cb, s);
  Xform X_a = {m3_identity(), corner[0]};
  Xform relative = {X->R, v3_sub(X->p, corner[0])};
  // wholly behind the plane, or too far in front of it
  int ignored;
  V3 n = ca.normal[0], down = m3_tmul_v(X->R, v3_neg(n));
  double low = v3_dot(n, x_point(relative, sar_core_support(&cb, down, &ignored))) - cb.radius;
  double high =
      v3_dot(n, x_point(relative, sar_core_support(&cb, v3_neg(down), &ignored))) + cb.radius;
  if (low > margin || high < 0) return 0;
  return collide(&ca, &cb, &relative, &X_a, margin, out, most);
}
