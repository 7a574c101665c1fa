// Distance of two cores that do not overlap (Gilbert, Johnson and Keerthi 1988).
//
// The origin's closest point v in D = {x_a - x_b} has the length of the distance and points from b to a. A simplex of up
// to four points of D holds it; each round adds the point of D that lies farthest towards the origin, and drops the
// points that v no longer needs. For polytopes it ends after finitely many rounds with the exact features; for
// cylinders when (v.v - v.w) <= 1e-13 v.v, which bounds |v - v*|^2 and so the direction by 3e-7.
// Near contact v is a difference of nearly equal numbers and has no direction to speak of: MEET_DEEP sends such
// pairs to methods that get the direction from faces and edges.
#include "collide/pairs.h"

enum { ROUNDS = 64 };
static const double PROGRESS = 1e-13;
static const double TOO_NEAR = 1e-7;  // of the size of the cores

typedef struct Corner {
  V3 w, a, b;  // w = a - b, all in the frame of a
  int label_a, label_b;
} Corner;

typedef struct Simplex {
  int n;
  Corner corner[4];
  double weight[4];  // v = sum of weight w
} Simplex;

static void keep1(Simplex* s, int i) {
  s->corner[0] = s->corner[i];
  s->weight[0] = 1;
  s->n = 1;
}

// Each `closest` leaves the fewest corners whose hull holds the point nearest to the origin.
static void closest_2(Simplex* s) {
  V3 p = s->corner[0].w, d = v3_sub(s->corner[1].w, p);
  double length2 = v3_dot(d, d), t = -v3_dot(p, d);
  if (t <= 0 || length2 <= 0) {
    keep1(s, 0);
  } else if (t >= length2) {
    keep1(s, 1);
  } else {
    s->weight[1] = t / length2;
    s->weight[0] = 1 - s->weight[1];
  }
}

static V3 simplex_point(const Simplex* s) {
  V3 v = v3_zero();
  for (int i = 0; i < s->n; i++) v = v3_axpy(s->weight[i], s->corner[i].w, v);
  return v;
}

// the best of some faces (each a list of corners) of the simplex
static void closest_of(Simplex* s, const int (*face)[3], int nface, int corners,
                       void (*closest)(Simplex*)) {
  Simplex best = *s;
  double least = HUGE_VAL;
  for (int f = 0; f < nface; f++) {
    Simplex t = {.n = corners};
    for (int k = 0; k < corners; k++) t.corner[k] = s->corner[face[f][k]];
    closest(&t);
    V3 v = simplex_point(&t);
    double d = v3_dot(v, v);
    if (d < least) least = d, best = t;
  }
  *s = best;
}

// Inside its three edges the triangle holds the point itself: with n = e1 x e2 the weight of corner i is
// (w_j x w_k).n / n.n. A weight that is not positive means one of the edges does.
static void closest_3(Simplex* s) {
  static const int EDGE[3][3] = {{0, 1, 0}, {1, 2, 0}, {2, 0, 0}};
  V3 a = s->corner[0].w, b = s->corner[1].w, c = s->corner[2].w;
  V3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  double area2 = v3_dot(n, n);
  double u = v3_dot(v3_cross(b, c), n), v = v3_dot(v3_cross(c, a), n),
         w = v3_dot(v3_cross(a, b), n);
  if (area2 > 0 && u > 0 && v > 0 && w > 0) {
    double sum = u + v + w;
    s->weight[0] = u / sum, s->weight[1] = v / sum, s->weight[2] = w / sum;
  } else {
    closest_of(s, EDGE, 3, 2, closest_2);
  }
}

// The origin is inside if it lies on the same side of each face as the fourth corner; else on one of the faces that
// have it outside. A flat tetrahedron has no inside.
static void closest_4(Simplex* s) {
  static const int FACE[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  static const int OTHER[4] = {3, 2, 1, 0};
  int seen[4][3], nseen = 0;
  for (int f = 0; f < 4; f++) {
    V3 a = s->corner[FACE[f][0]].w, b = s->corner[FACE[f][1]].w, c = s->corner[FACE[f][2]].w;
    V3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double inner = v3_dot(n, v3_sub(s->corner[OTHER[f]].w, a)), origin = -v3_dot(n, a);
    if (inner * origin > 0) continue;
    for (int k = 0; k < 3; k++) seen[nseen][k] = FACE[f][k];
    nseen++;
  }
  if (nseen > 0) closest_of(s, (const int(*)[3])seen, nseen, 3, closest_3);
}

static bool has(const Simplex* s, const Corner* c) {
  for (int i = 0; i < s->n; i++) {
    V3 w = s->corner[i].w;
    if (w.x == c->w.x && w.y == c->w.y && w.z == c->w.z) return true;
  }
  return false;
}

// One corner of a: that vertex touches; one of b: likewise; else two edges cross.
static unsigned simplex_feature(const Simplex* s) {
  const Corner* c = s->corner;
  int other_a = -1, other_b = -1;
  for (int i = 1; i < s->n; i++) {
    if (c[i].label_a != c[0].label_a) other_a = c[i].label_a;
    if (c[i].label_b != c[0].label_b) other_b = c[i].label_b;
  }
  if (other_a < 0) return feature_of_a(c[0].label_a);
  if (other_b < 0) return feature_of_b(c[0].label_b);
  return feature_cross(edge_label(c[0].label_a, other_a), edge_label(c[0].label_b, other_b));
}

static Corner corner_towards(const Core* a, const Core* b, const Xform* X, V3 d) {
  Corner c;
  c.a = sar_core_support(a, d, &c.label_a);
  c.b = x_point(*X, sar_core_support(b, m3_tmul_v(X->R, v3_neg(d)), &c.label_b));
  c.w = v3_sub(c.a, c.b);
  return c;
}

MeetingKind sar_meet_gjk(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  double near = TOO_NEAR * (a->extent + b->extent);
  V3 start = v3_neg(X->p);
  Simplex s = {.n = 1, .weight = {1}};
  s.corner[0] = corner_towards(a, b, X, v3_neg(start));
  V3 v = s.corner[0].w;
  double vv = v3_dot(v, v);
  for (int round = 0; round < ROUNDS && vv > near * near; round++) {
    Corner c = corner_towards(a, b, X, v3_neg(v));
    double vw = v3_dot(v, c.w);
    if (vw > 0 && vw * vw > limit * limit * vv)
      return MEET_FAR;  // a plane that far keeps them apart
    if (vv - vw <= PROGRESS * vv || has(&s, &c)) break;
    Simplex t = s;
    t.corner[t.n++] = c;
    if (t.n == 2)
      closest_2(&t);
    else if (t.n == 3)
      closest_3(&t);
    else
      closest_4(&t);
    if (t.n == 4) return MEET_DEEP;
    V3 next = simplex_point(&t);
    double next2 = v3_dot(next, next);
    if (!(next2 < vv)) break;  // rounding: no closer than before
    s = t, v = next, vv = next2;
  }
  if (!(vv > near * near)) return MEET_DEEP;
  double distance = sqrt(vv);
  if (distance > limit) return MEET_FAR;
  V3 sum = v3_zero();
  for (int i = 0; i < s.n; i++)
    sum = v3_axpy(0.5 * s.weight[i], v3_add(s.corner[i].a, s.corner[i].b), sum);
  *m = (Meeting){v3_scale(-1 / distance, v), distance, sum, simplex_feature(&s)};
  return MEET_APART;
}
