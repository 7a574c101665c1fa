// Points of mass that are equivalent to all nodes of a modal body (modal_lumps.h).
//
// A point of mass k of the body moves in E as p_k = A_k (1, eta), with the 3 x (n + 1) numbers A_k
// = [r, phi_1 ... phi_n] in a vector a_k. Kinetic energy and weight are sums over the points that
// depend on
//
//   m = sum m_k,    s = sum m_k a_k,    W = sum m_k a_k a_k'
//
// alone: these are the invariants of the floating frame (Shabana 2013, sec. 5.4; Wallrapp 1994).
// Any other points with the same sums are the same body. With C = W - s s'/m = G G' of rank r
// (pivoted Cholesky), r + 1 points of equal mass are enough:
//
//   a_j = s/m + sqrt((r + 1)/m) G h_j,      h_j: columns of Helmert's matrix, orthonormal rows that
//                                           sum to zero
//
// at most 3 n + 4 points, however many nodes there are. A node's moment of inertia J is spread over
// points around it, with second moments tr(J)/2 - J, which turn with it to first order.
#include "model/modal_lumps.h"

#include "model/modal_basis.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-24;  // of the largest square: no direction of its own

typedef struct Moments {
  int n;         // 3 (modes + 1)
  double m, *s;  // n
  double* W;     // n x n
} Moments;

// Adds m a a' of a point.
static void add_point(Moments* x, double m, const double* a) {
  x->m += m;
  for (int i = 0; i < x->n; i++) {
    x->s[i] += m * a[i];
    for (int j = 0; j < x->n; j++) x->W[i * x->n + j] += m * a[i] * a[j];
  }
}

// A mass m at the place d from the node's origin (axes of E) and what its modes make of it, into a;
// d alone: without r, phi.
static void point_of(const SarModalShape* s, int k, V3 d, bool alone, double* a) {
  v3_store(a, alone ? d : v3_add(s->X[k].p, d));
  for (int i = 0; i < s->modes; i++) {
    const Motion V = s->mode[k * s->modes + i];
    const V3 turned = v3_cross(V.w, d);
    v3_store(a + 3 * (i + 1), alone ? turned : v3_add(V.v, turned));
  }
}

// The body of node k: its mass in its centre, and second moments about it along the axes of E.
static void add_node(const SarModalShape* s, int k, Moments* x, double* a) {
  const Inertia I = s->inertia[k];
  const M3 R = s->X[k].R;
  const V3 com = I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero();
  const S3 J = s3_rotate(R, s3_add(I.I, s3_scale(-I.m, s3_of_point(com))));
  const double half = 0.5 * (J.xx + J.yy + J.zz);
  // second moments P = L L', points along the columns of L
  double L[3][3] = {{half - J.xx, 0, 0}, {-J.xy, half - J.yy, 0}, {-J.xz, -J.yz, half - J.zz}};
  point_of(s, k, m3_mul_v(R, com), false, a);
  if (I.m > 0) add_point(x, I.m, a);
  for (int j = 0; j < 3; j++) {
    if (!(L[j][j] > 1e-14 * half)) {
      for (int i = j; i < 3; i++) L[i][j] = 0;
      continue;
    }
    L[j][j] = sqrt(L[j][j]);
    for (int i = j + 1; i < 3; i++) L[i][j] /= L[j][j];
    for (int i = j + 1; i < 3; i++)
      for (int l = j + 1; l <= i; l++) L[i][l] -= L[i][j] * L[l][j];
  }
  const double mass = x->m;
  for (int j = 0; j < 3; j++) {
    point_of(s, k, v3(L[0][j], L[1][j], L[2][j]), true, a);
    for (int i = 0; i < x->n; i++)
      for (int l = 0; l < x->n; l++) x->W[i * x->n + l] += a[i] * a[l];
  }
  x->m = mass;
}

// C = G G', G: n x rank, by columns of n; pivots in order of size, relative to each entry's own
// scale.
static int factor(Moments* x, double* G, double* scale) {
  const int n = x->n;
  int rank = 0;
  for (int i = 0; i < n; i++) scale[i] = x->W[i * n + i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x->W[i * n + j] -= x->s[i] * x->s[j] / x->m;
  for (; rank < n; rank++) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < n; i++) {
      const double share = scale[i] > 0 ? x->W[i * n + i] / scale[i] : 0;
      if (share > most) most = share, best = i;
    }
    if (best < 0 || !(most > NOTHING * 1e10)) break;
    const double root = sqrt(x->W[best * n + best]);
    double* g = &G[rank * n];
    for (int i = 0; i < n; i++) g[i] = x->W[i * n + best] / root;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) x->W[i * n + j] -= g[i] * g[j];
    for (int i = 0; i < n; i++) x->W[i * n + best] = x->W[best * n + i] = 0;
  }
  return rank;
}

// Row j (from 1) of Helmert's matrix at column k: (1, ..., 1, -j, 0 ...)/sqrt(j (j + 1))
static double helmert(int j, int k) {
  if (k > j) return 0;
  return (k < j ? 1 : -(double)j) / sqrt((double)j * (j + 1));
}

static void place_lump(const Moments* x, const double* G, int rank, int k, int at, double* a,
                       SarModalShape* out) {
  const double size = sqrt((rank + 1) / x->m);
  for (int i = 0; i < x->n; i++) {
    a[i] = x->s[i] / x->m;
    for (int j = 0; j < rank; j++) a[i] += size * G[j * x->n + i] * helmert(j + 1, k);
  }
  out->X[at] = (Xform){m3_identity(), v3_load(a)};
  out->inertia[at] = (Inertia){.m = x->m / (rank + 1)};
  for (int i = 0; i < out->modes; i++)
    out->mode[at * out->modes + i] = (Motion){v3_zero(), v3_load(a + 3 * (i + 1))};
}

SarModalShape* sar_modal_lumps(SarArena* arena, const SarModalShape* s, const bool* keep,
                               int* lumps) {
  const int n = 3 * (s->modes + 1);
  Moments x = {.n = n};
  x.s = SAR_ARENA_ARRAY(arena, double, n);
  x.W = SAR_ARENA_ARRAY(arena, double, (size_t)n*(size_t)n);
  double* G = SAR_ARENA_ARRAY(arena, double, (size_t)n*(size_t)n);
  double* a = SAR_ARENA_ARRAY(arena, double, 2 * (size_t)n);
  if (arena->failed) return NULL;
  int kept = 0;
  for (int k = 0; k < s->nodes; k++) {
    add_node(s, k, &x, a);
    kept += keep[k];
  }
  const int rank = x.m > 0 ? factor(&x, G, a + n) : 0;
  *lumps = x.m > 0 ? rank + 1 : 0;
  SarModalShape* out = sar_modal_shape_new(arena, kept + *lumps, s->modes, false);
  if (!out) return NULL;
  memcpy(out->stiffness, s->stiffness, (size_t)(s->modes * s->modes) * sizeof *s->stiffness);
  memcpy(out->damping, s->damping, (size_t)s->modes * sizeof *s->damping);
  int at = 0;
  for (int k = 0; k < s->nodes; k++) {
    if (!keep[k]) continue;
    out->X[at] = s->X[k];
    memcpy(&out->mode[at * s->modes], &s->mode[k * s->modes], (size_t)s->modes * sizeof *s->mode);
    at++;
  }
  for (int k = 0; k < *lumps; k++) place_lump(&x, G, rank, k, at + k, a, out);
  return out;
}
