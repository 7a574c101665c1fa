// Narrow phase of pairs that have no shorter way: cores, by distance (GJK) if they are apart, by
// penetration depth (SAT) if not, then the contact manifold.
//
// Which method comes first is a matter of cost: normals of faces are cheap and exact, and most
// contacts have them; pairs of edges grow with the product of their numbers; gjk needs a few
// rounds, and is only right for cores apart. Rounded solids overlap long before their cores do, so
// capsules and spheres on hulls rarely need the depth at all.
#include "collide/pairs.h"

// Where cores meet, and the points there. n = 0: they are farther apart than the limit.
typedef struct Contact {
  Meeting m;
  int n;
  Spot spot[SPOT_MOST];
} Contact;

static bool is_curved(const Core* c) { return c->kind == CORE_CYLINDER; }

static void spots_along(const Core* a, const Core* b, const Xform* X, double limit, Contact* c,
                        bool* reached) {
  c->n = sar_manifold(a, b, X, &c->m, limit, c->spot, reached);
}

// An overlap in which no features face each other may be none: edges that keep the cores apart by
// more than the faces have them overlap are not looked at (sat.c).
static void confirm(const Core* a, const Core* b, const Xform* X, double limit, Contact* c) {
  bool reached;
  Meeting apart;
  MeetingKind kind = sar_meet_gjk(a, b, X, limit, &apart);
  if (kind == MEET_DEEP) return;
  c->n = 0;
  if (kind == MEET_FAR) return;
  c->m = apart;
  spots_along(a, b, X, limit, c, &reached);
}

// Faces first: they tell most polytopes apart, and if features face each other along the best of
// them that is the distance. Else gjk, if they are apart; edges, if not or if they are so near that
// gjk has no direction.
static void polytopes(const Core* a, const Core* b, const Xform* X, double limit, Contact* c) {
  bool reached;
  c->n = 0;
  if (!sar_meet_faces(a, b, X, limit, &c->m)) return;
  if (c->m.gap > 0) {
    spots_along(a, b, X, limit, c, &reached);
    if (reached) return;
  }
  bool crossing = false;
  if (c->m.gap <= 0) crossing = sar_meet_edges(a, b, X, &c->m);
  if (c->m.gap > 0 && !crossing) {
    Meeting apart;
    MeetingKind kind = sar_meet_gjk(a, b, X, limit, &apart);
    c->n = 0;
    if (kind == MEET_FAR) return;
    if (kind == MEET_APART)
      c->m = apart;
    else
      sar_meet_edges(a, b, X, &c->m);
  }
  if (c->m.gap <= limit) spots_along(a, b, X, limit, c, &reached);
  if (c->m.gap <= 0 && !reached) confirm(a, b, X, limit, c);
}

// Pairs of edges from which on rounds of gjk and epa cost less than the axes of all faces.
enum { MANY = 1500 };

static bool are_large(const Core* a, const Core* b) {
  return a->hull.ring_adr && b->hull.ring_adr && (long)a->hull.nedge * (long)b->hull.nedge > MANY;
}

// Large polytopes: gjk tells whether they overlap, epa how deep. The axis is taken from the
// features that meet: gjk's own direction has few digits where the gap is small.
static void large(const Core* a, const Core* b, const Xform* X, double limit, Contact* c) {
  bool reached;
  c->n = 0;
  MeetingKind kind = sar_meet_gjk(a, b, X, limit, &c->m);
  if (kind == MEET_FAR) return;
  if (kind == MEET_DEEP) {
    if (!sar_meet_epa(a, b, X, &c->m)) sar_meet_sweep(a, b, X, &c->m);
  } else {
    Meeting snapped;
    double lost = 1e-12 * (a->extent + b->extent);
    if (sar_meet_snap(a, b, X, c->m.normal, 0, 0, &snapped) && snapped.gap >= c->m.gap - lost)
      c->m = snapped;
  }
  if (c->m.gap <= limit) spots_along(a, b, X, limit, c, &reached);
}

// With a cylinder gjk decides whether the cores overlap.
static void curved(const Core* a, const Core* b, const Xform* X, double limit, Contact* c) {
  bool reached;
  c->n = 0;
  MeetingKind kind = sar_meet_gjk(a, b, X, limit, &c->m);
  if (kind == MEET_FAR || (kind == MEET_DEEP && !sar_meet_curved(a, b, X, limit, &c->m))) return;
  spots_along(a, b, X, limit, c, &reached);
}

// A triangle has no inside to be deep in: what does not reach through it is apart from it, behind
// it too.
static void one_sided(const Core* a, const Core* b, const Xform* X, double limit, Contact* c) {
  bool reached;
  c->n = 0;
  if (!is_curved(b)) {
    if (!sar_meet_faces(a, b, X, limit, &c->m)) return;
    if (c->m.gap > 0) {
      spots_along(a, b, X, limit, c, &reached);
      if (reached) return;
      c->n = 0;
    }
  }
  Meeting apart;
  MeetingKind kind = sar_meet_gjk(a, b, X, limit, &apart);
  bool behind = kind == MEET_APART && v3_dot(apart.normal, a->normal[0]) < 0;
  if (kind == MEET_FAR || (behind && apart.gap > b->radius)) return;
  if (kind == MEET_APART && !behind)
    c->m = apart;
  else if (!is_curved(b))
    sar_meet_edges(a, b, X, &c->m);
  else if (!sar_meet_curved(a, b, X, limit, &c->m))
    return;
  if (c->m.gap <= limit) spots_along(a, b, X, limit, c, &reached);
}

static int collide(const Core* a, const Core* b, const Xform* X, const Xform* X_a, double margin,
                   SarTouch* out, int most) {
  double limit = margin + a->radius + b->radius;
  Contact c;
  if (a->one_sided)
    one_sided(a, b, X, limit, &c);
  else if (is_curved(a) || is_curved(b))
    curved(a, b, X, limit, &c);
  else if (are_large(a, b))
    large(a, b, X, limit, &c);
  else
    polytopes(a, b, X, limit, &c);
  return sar_manifold_touches(c.spot, c.n, c.m.normal, a->radius, b->radius, X_a, out, most);
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
  // most triangles of a surface end here: wholly behind the plane, or too far in front of it
  int ignored;
  V3 n = ca.normal[0], down = m3_tmul_v(X->R, v3_neg(n));
  double low = v3_dot(n, x_point(relative, sar_core_support(&cb, down, &ignored))) - cb.radius;
  double high =
      v3_dot(n, x_point(relative, sar_core_support(&cb, v3_neg(down), &ignored))) + cb.radius;
  if (low > margin || high < 0) return 0;
  return collide(&ca, &cb, &relative, &X_a, margin, out, most);
}
