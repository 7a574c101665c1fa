// Distance of two cores that do not overlap, by GJK on their Minkowski difference (Gilbert, Johnson
// and Keerthi 1988).
//
// The origin's closest point v in D = {x_a - x_b} has the length of the distance and points from b
// to a. A simplex of up to four points of D holds it; each round adds the point w of D that lies
// farthest towards the origin, and drops the points that v no longer needs. For polytopes it ends
// after finitely many rounds with the exact features. With cylinders it converges slowly: it ends
// when v.v - v.w, which bounds |v - v*|^2, is LOOSE of v.v, and the direction is then improved by
// other means (curved.c).
// Near contact v is a difference of nearly equal numbers and has no direction to speak of:
// MEET_DEEP sends such pairs to methods that get the direction from faces and edges.
#include "collide/pairs.h"

enum { ROUNDS = 64 };
static const double TIGHT = 1e-14, LOOSE = 1e-8;
static const double TOO_NEAR = 1e-7;  // of the size of the cores

typedef struct Simplex {
  int n;
  V3 w[4], a[4], b[4];  // w = a - b, all in the frame of a
  int label_a[4], label_b[4];
  double weight[4];  // v = sum of weight w
} Simplex;

// The part of some corners (their indices) whose hull holds the point nearest to the origin, and
// that point.
typedef struct Part {
  int n, corner[3];
  double weight[3];
  V3 v;
} Part;

static Part part_1(const V3* w, int i) { return (Part){1, {i}, {1}, w[i]}; }

static Part part_2(const V3* w, int i, int j, double t) {
  return (Part){2, {i, j}, {1 - t, t}, v3_axpy(t, v3_sub(w[j], w[i]), w[i])};
}

static Part closest_2(const V3* w, int i, int j) {
  V3 d = v3_sub(w[j], w[i]);
  double t = -v3_dot(w[i], d), length2 = v3_dot(d, d);
  if (!(t > 0)) return part_1(w, i);
  if (t >= length2) return part_1(w, j);
  return part_2(w, i, j, t / length2);
}

// By Voronoi regions (Ericson 2005, 5.1.5): first the corners, then the edges, then the inside.
static Part closest_3(const V3* w, int i, int j, int k) {
  V3 ab = v3_sub(w[j], w[i]), ac = v3_sub(w[k], w[i]);
  double a1 = -v3_dot(ab, w[i]), a2 = -v3_dot(ac, w[i]);
  if (a1 <= 0 && a2 <= 0) return part_1(w, i);
  double b1 = -v3_dot(ab, w[j]), b2 = -v3_dot(ac, w[j]);
  if (b1 >= 0 && b2 <= b1) return part_1(w, j);
  double c1 = -v3_dot(ab, w[k]), c2 = -v3_dot(ac, w[k]);
  if (c2 >= 0 && c1 <= c2) return part_1(w, k);
  double in_c = a1 * b2 - b1 * a2, in_b = c1 * a2 - a1 * c2, in_a = b1 * c2 - c1 * b2;
  if (in_c <= 0 && a1 >= 0 && b1 <= 0 && a1 > b1) return part_2(w, i, j, a1 / (a1 - b1));
  if (in_b <= 0 && a2 >= 0 && c2 <= 0 && a2 > c2) return part_2(w, i, k, a2 / (a2 - c2));
  double bc = (b2 - b1) + (c1 - c2);
  if (in_a <= 0 && b2 >= b1 && c1 >= c2 && bc > 0) return part_2(w, j, k, (b2 - b1) / bc);
  double sum = in_a + in_b + in_c;
  if (!(sum > 0)) return closest_2(w, i, k);
  double u = in_a / sum, v = in_b / sum, x = in_c / sum;
  V3 p = v3_add(v3_add(v3_scale(u, w[i]), v3_scale(v, w[j])), v3_scale(x, w[k]));
  return (Part){3, {i, j, k}, {u, v, x}, p};
}

// The origin is inside if it lies on the same side of each face as the fourth corner (n = 0 corners
// then); else on one of the faces that have it outside. A flat tetrahedron has no inside.
static Part closest_4(const V3* w) {
  static const int FACE[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  Part best = {.n = 0};
  double least = HUGE_VAL;
  for (int f = 0; f < 4; f++) {
    V3 a = w[FACE[f][0]];
    V3 n = v3_cross(v3_sub(w[FACE[f][1]], a), v3_sub(w[FACE[f][2]], a));
    double inner = v3_dot(n, v3_sub(w[FACE[f][3]], a)), origin = -v3_dot(n, a);
    if (inner * origin > 0) continue;
    Part p = closest_3(w, FACE[f][0], FACE[f][1], FACE[f][2]);
    double d = v3_dot(p.v, p.v);
    if (d < least) least = d, best = p;
  }
  return best;
}

static Part closest(const V3* w, int n) {
  return n == 2 ? closest_2(w, 0, 1) : n == 3 ? closest_3(w, 0, 1, 2) : closest_4(w);
}

// the corners that are left move to the front
static void simplex_keep(Simplex* s, const Part* p) {
  Simplex old = *s;
  s->n = p->n;
  for (int i = 0; i < p->n; i++) {
    int k = p->corner[i];
    s->w[i] = old.w[k], s->a[i] = old.a[k], s->b[i] = old.b[k];
    s->label_a[i] = old.label_a[k], s->label_b[i] = old.label_b[k];
    s->weight[i] = p->weight[i];
  }
}

// the point of D farthest in direction d, as corner n of the simplex; false: it is there already
static bool simplex_reach(Simplex* s, const Core* a, const Core* b, const Xform* X, V3 d) {
  int k = s->n;
  V3 back = m3_tmul_v(X->R, v3_neg(d)), q;
  if (k == 0) {
    s->a[k] = sar_core_support(a, d, &s->label_a[k]);
    q = sar_core_support(b, back, &s->label_b[k]);
  } else {
    s->label_a[k] = s->label_a[k - 1], s->label_b[k] = s->label_b[k - 1];
    s->a[k] = sar_core_support_near(a, d, &s->label_a[k]);
    q = sar_core_support_near(b, back, &s->label_b[k]);
  }
  s->b[k] = x_point(*X, q);
  s->w[k] = v3_sub(s->a[k], s->b[k]);
  for (int i = 0; i < k; i++)
    if (s->w[i].x == s->w[k].x && s->w[i].y == s->w[k].y && s->w[i].z == s->w[k].z) return false;
  return true;
}

// One corner of a: that vertex touches; one of b: likewise; else two edges cross.
static unsigned simplex_feature(const Simplex* s) {
  int other_a = -1, other_b = -1;
  for (int i = 1; i < s->n; i++) {
    if (s->label_a[i] != s->label_a[0]) other_a = s->label_a[i];
    if (s->label_b[i] != s->label_b[0]) other_b = s->label_b[i];
  }
  if (other_a < 0) return feature_of_a(s->label_a[0]);
  if (other_b < 0) return feature_of_b(s->label_b[0]);
  return feature_cross(edge_label(s->label_a[0], other_a), edge_label(s->label_b[0], other_b));
}

// Directions in which the features extend: between different vertices of a core.
static int simplex_ties(const Simplex* s, V3* tie) {
  int n = 0;
  for (int i = 1; i < s->n; i++) {
    bool new_a = true, new_b = true;
    for (int k = 0; k < i; k++) {
      new_a = new_a && s->label_a[i] != s->label_a[k];
      new_b = new_b && s->label_b[i] != s->label_b[k];
    }
    if (new_a) tie[n++] = v3_sub(s->a[i], s->a[0]);
    if (new_b) tie[n++] = v3_sub(s->b[i], s->b[0]);
  }
  return n;
}

MeetingKind sar_meet_gjk(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  // the search starts along the line of the origins: for solids apart that is close to the answer
  bool curved = a->kind == CORE_CYLINDER || b->kind == CORE_CYLINDER;
  double near = TOO_NEAR * (a->extent + b->extent), progress = curved ? LOOSE : TIGHT;
  Simplex s = {.n = 0};
  simplex_reach(&s, a, b, X, X->p);
  V3 v = s.w[0];
  double vv = v3_dot(v, v);
  s.n = 1, s.weight[0] = 1;
  for (int round = 0; round < ROUNDS && vv > near * near; round++) {
    bool is_new = simplex_reach(&s, a, b, X, v3_neg(v));
    double vw = v3_dot(v, s.w[s.n]);
    if (vw > 0 && vw * vw > limit * limit * vv)
      return MEET_FAR;  // a plane that far keeps them apart
    if (!is_new || vv - vw <= progress * vv) break;
    Part p = closest(s.w, s.n + 1);
    if (p.n == 0) return MEET_DEEP;
    double next = v3_dot(p.v, p.v);
    if (!(next < vv)) break;  // rounding: no closer than before
    simplex_keep(&s, &p);
    v = p.v, vv = next;
  }
  if (!(vv > near * near)) return MEET_DEEP;
  double distance = sqrt(vv);
  V3 sum = v3_zero();
  for (int i = 0; i < s.n; i++) sum = v3_axpy(0.5 * s.weight[i], v3_add(s.a[i], s.b[i]), sum);
  *m = (Meeting){v3_scale(-1 / distance, v), distance, sum, simplex_feature(&s)};
  if (curved) {
    V3 tie[2 * 3];
    int ties = simplex_ties(&s, tie);
    sar_meet_improve(a, b, X, tie, ties, m);
  }
  return m->gap > limit ? MEET_FAR : MEET_APART;
}
