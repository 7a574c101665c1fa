// Two boxes by their fifteen separating axes (SAT; Gottschalk, Lin and Manocha 1996), without any
// hull tables.
//
//   R, t    pose of b in a;   g, h   half lengths of a and b
//   face i of a:   |t_i| - g_i - sum_j h_j |R_ij|             face j of b likewise, with R' t
//   edges i, j:    (|n.t| - sum over both boxes of half lengths times |n.axis|) / |n|,
//                  n = e_i x R_j,  |n|^2 = 1 - R_ij^2
//
// The largest of the fifteen is the gap if the boxes overlap, or if features face each other along
// it. Apart, with a corner nearest to a corner or an edge, no axis has the distance; then gjk finds
// it.
#include "collide/pairs.h"

static const double ROUNDING = 1e-14;  // of the size
static const double PARALLEL = 1e-7;   // sine of the angle of edges that are taken as parallel

typedef struct Axes {
  double R[3][3], A[3][3];  // pose, absolute values
  double t[3], g[3], h[3];
  double scale;
  double gap;  // best so far
  int kind;    // 0..2: face of a, 3..5: of b, from 6: edges i, j as 6 + 3 i + j
} Axes;

static void axes_init(Axes* x, const SarSolid* a, const SarSolid* b, const Xform* X) {
  const V3 row[3] = {v3(X->R.xx, X->R.xy, X->R.xz), v3(X->R.yx, X->R.yy, X->R.yz),
                     v3(X->R.zx, X->R.zy, X->R.zz)};
  v3_store(x->t, X->p);
  x->scale = 0;
  for (int i = 0; i < 3; i++) {
    v3_store(x->R[i], row[i]);
    for (int j = 0; j < 3; j++) x->A[i][j] = fabs(x->R[i][j]);
    x->g[i] = a->size[i], x->h[i] = b->size[i];
    x->scale += a->size[i] + b->size[i];
  }
  x->gap = -HUGE_VAL;
  x->kind = 0;
}

static bool faces(Axes* x, double limit) {
  for (int i = 0; i < 3; i++) {
    const double* A = x->A[i];
    double s = fabs(x->t[i]) - x->g[i] - (x->h[0] * A[0] + x->h[1] * A[1] + x->h[2] * A[2]);
    if (s > x->gap) x->gap = s, x->kind = i;
  }
  if (x->gap > limit) return false;
  for (int j = 0; j < 3; j++) {
    double along = x->t[0] * x->R[0][j] + x->t[1] * x->R[1][j] + x->t[2] * x->R[2][j];
    double s = fabs(along) - x->h[j] -
               (x->g[0] * x->A[0][j] + x->g[1] * x->A[1][j] + x->g[2] * x->A[2][j]);
    // faces of a keep a tie
    if (s > x->gap + ROUNDING * x->scale) x->gap = s, x->kind = 3 + j;
  }
  return x->gap <= limit;
}

static void edges(Axes* x) {
  static const int NEXT[3] = {1, 2, 0}, LAST[3] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    int i1 = NEXT[i], i2 = LAST[i];
    for (int j = 0; j < 3; j++) {
      double n2 = x->A[i1][j] * x->A[i1][j] + x->A[i2][j] * x->A[i2][j];
      // (e_i x R_j).t, .e_k, .R_k: components of the cross product, and the third axis of each box
      double reach = x->g[i1] * x->A[i2][j] + x->g[i2] * x->A[i1][j] +
                     x->h[NEXT[j]] * x->A[i][LAST[j]] + x->h[LAST[j]] * x->A[i][NEXT[j]];
      double s = fabs(x->t[i2] * x->R[i1][j] - x->t[i1] * x->R[i2][j]) - reach;
      if (n2 < PARALLEL * PARALLEL) continue;
      double n = sqrt(n2);
      if (s > n * x->gap + ROUNDING * x->scale) x->gap = s / n, x->kind = 6 + 3 * i + j;
    }
  }
}

static V3 column(const Axes* x, int j) { return v3(x->R[0][j], x->R[1][j], x->R[2][j]); }

static V3 unit_axis(int i) { return v3(i == 0, i == 1, i == 2); }

// Two edges face each other: the ones of the corners farthest along n. False if the lines' nearest
// points are beyond their ends.
static bool meet_edges(const Axes* x, const Xform* X, V3 n, int i, int j, Meeting* m) {
  int va = sar_box_vertex(n), vb = sar_box_vertex(m3_tmul_v(X->R, v3_neg(n)));
  V3 p = sar_box_corner(x->g, va), q = sar_box_corner(x->h, vb), d = unit_axis(i), e = column(x, j);
  m->feature = feature_cross(edge_label(va & ~(1 << i), va | 1 << i),
                             edge_label(vb & ~(1 << j), vb | 1 << j));
  // from the corners to the middles of the edges
  p = v3_axpy(va >> i & 1 ? -x->g[i] : x->g[i], d, p);
  q = v3_axpy(vb >> j & 1 ? -x->h[j] : x->h[j], e, x_point(*X, q));
  // p + s e_i and q + t R_j, nearest where the way between them is along n
  V3 r = v3_sub(q, p);
  double c = v3_dot(d, e), sine2 = 1 - c * c;
  double s = (v3_dot(r, d) - c * v3_dot(r, e)) / sine2, t = c * s - v3_dot(r, e);
  m->point = v3_scale(0.5, v3_add(v3_axpy(s, d, p), v3_axpy(t, e, q)));
  return fabs(s) <= x->g[i] && fabs(t) <= x->h[j];
}

// The axis of `kind`, turned from a to b. False: two edges that do not face each other.
static bool meeting(const Axes* x, const Xform* X, Meeting* m) {
  m->gap = x->gap;
  bool edge = x->kind >= 6;
  int i = edge ? (x->kind - 6) / 3 : x->kind, j = (x->kind - 6) % 3;
  V3 n = edge          ? v3_unit(v3_cross(unit_axis(i), column(x, j)))
         : x->kind < 3 ? unit_axis(x->kind)
                       : column(x, x->kind - 3);
  if (v3_dot(n, X->p) < 0) n = v3_neg(n);
  m->normal = n;
  if (edge) return meet_edges(x, X, n, i, j, m);
  if (x->kind < 3) {
    int vertex = sar_box_vertex(m3_tmul_v(X->R, v3_neg(n)));
    V3 q = x_point(*X, sar_box_corner(x->h, vertex));
    m->point = v3_axpy(-0.5 * x->gap, n, q);
    m->feature = feature_of_b(vertex);
  } else {
    int vertex = sar_box_vertex(n);
    V3 p = sar_box_corner(x->g, vertex);
    m->point = v3_axpy(0.5 * x->gap, n, p);
    m->feature = feature_of_a(vertex);
  }
  return true;
}

int sar_collide_box_box(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                        double margin, SarTouch* out, int most) {
  Axes x;
  axes_init(&x, a, b, X);
  if (!faces(&x, margin)) return 0;
  edges(&x);
  if (x.gap > margin) return 0;
  Core ca, cb;
  sar_core_box(&ca, a->size);
  sar_core_box(&cb, b->size);
  Meeting m;
  bool crossing = meeting(&x, X, &m);
  Spot spot[SPOT_MOST];
  bool reached;
  int n = sar_manifold(&ca, &cb, X, &m, margin, spot, &reached);
  // apart, and nothing is as near as the axis says
  if (x.gap > 0 && !reached && !(x.kind >= 6 && crossing)) {
    Meeting apart;
    MeetingKind kind = sar_meet_gjk(&ca, &cb, X, margin, &apart);
    if (kind == MEET_FAR) return 0;
    if (kind == MEET_APART) {
      m = apart;
      n = sar_manifold(&ca, &cb, X, &m, margin, spot, &reached);
    }
  }
  return sar_manifold_touches(spot, n, m.normal, 0, 0, X_a, out, most);
}
