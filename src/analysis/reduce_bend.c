// Foreshortening: how far nodes of a bent beam are displaced to second order.
//
// A mode is taken to change the strains of the elements in proportion to its coordinate, also where
// it is large: the poses of the nodes are then those of the exact beam,
//
//   X_k = X_(k-1) exp(d0_k + sum delta_ki eta_i)             delta: rate of the logarithm
//                                                            (math/se3.h)
//
// and b_ij is the second derivative of the place of node k. An axial load does work on it, so that
// centrifugal forces stiffen a beam although no mode stretches it (geometric stiffening).
#include "analysis/reduce_parts.h"
#include "math/se3.h"

#include <math.h>

typedef struct Chain {
  const ReduceBeam* b;
  const Motion* d0;     // of each element
  const Motion* delta;  // element e, mode i: e modes + i
  int modes;
} Chain;

static void places(const Chain* c, int i, double eta_i, int j, double eta_j, V3* p) {
  Xform X = c->b->X[0];
  p[0] = X.p;
  for (int e = 0; e < c->b->elements; e++) {
    const Motion* delta = &c->delta[e * c->modes];
    Motion d = motion_add(c->d0[e], motion_scale(eta_i, delta[i]));
    d = motion_add(d, motion_scale(eta_j, delta[j]));
    X = x_mul(X, x_exp(d));
    p[e + 1] = X.p;
  }
}

// Mixed second difference with steps si, sj.
static void second(const Chain* c, int i, double si, int j, double sj, V3* work, V3* out) {
  const int n = c->b->elements + 1;
  for (int k = 0; k < n; k++) out[k] = v3_zero();
  for (int corner = 0; corner < 4; corner++) {
    const double a = corner & 1 ? si : -si, b = corner & 2 ? sj : -sj;
    places(c, i, a, j, b, work);
    for (int k = 0; k < n; k++) out[k] = v3_axpy(a * b > 0 ? 1 : -1, work[k], out[k]);
  }
  for (int k = 0; k < n; k++) out[k] = v3_scale(1 / (4 * si * sj), out[k]);
}

// Motion of node e + 1 against node e by mode i, at the second, in axes of the first.
static Motion element_rate(const ReduceBeam* b, const SarModalShape* s, int e, int i) {
  const Motion A = s->mode[e * s->modes + i], C = s->mode[(e + 1) * s->modes + i];
  const Xform X_AC = x_mul(x_inv(b->X[e]), b->X[e + 1]);
  const V3 r = v3_sub(b->X[e + 1].p, b->X[e].p);
  const V3 w = m3_tmul_v(b->X[e].R, v3_sub(C.w, A.w));
  const V3 v = m3_tmul_v(b->X[e].R, v3_sub(C.v, v3_add(A.v, v3_cross(A.w, r))));
  return x_log_rate(x_log(X_AC).w, X_AC.p, w, v);
}

// A coordinate that turns or bends by about a hundredth.
static double step_of(const ReduceBeam* b, const SarModalShape* s, int i) {
  double most = 0, size = 0;
  for (int k = 0; k < s->nodes; k++) {
    size = fmax(size, v3_norm(v3_sub(b->X[k].p, b->X[0].p)));
    most = fmax(most, v3_norm(s->mode[k * s->modes + i].w));
  }
  for (int k = 0; k < s->nodes; k++) most = fmax(most, v3_norm(s->mode[k * s->modes + i].v) / size);
  return most > 0 ? 0.02 / most : 1;
}

void sar_reduce_bend(const ReduceBeam* b, SarModalShape* s, SarArena* arena) {
  const int n = s->modes, elements = b->elements, nodes = s->nodes;
  Motion* d0 = SAR_ARENA_ARRAY(arena, Motion, elements);
  Motion* delta = SAR_ARENA_ARRAY(arena, Motion, (size_t)elements * (size_t)n);
  V3* room = SAR_ARENA_ARRAY(arena, V3, 3 * (size_t)nodes);
  if (arena->failed) return;
  for (int e = 0; e < elements; e++) {
    d0[e] = x_log(x_mul(x_inv(b->X[e]), b->X[e + 1]));
    for (int i = 0; i < n; i++) delta[e * n + i] = element_rate(b, s, e, i);
  }
  const Chain c = {b, d0, delta, n};
  V3 *coarse = room, *fine = room + nodes, *work = room + 2 * nodes;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const double si = step_of(b, s, i), sj = step_of(b, s, j);
      second(&c, i, si, j, sj, work, coarse);
      second(&c, i, 0.5 * si, j, 0.5 * sj, work, fine);  // Richardson
      for (int k = 0; k < nodes; k++)
        s->bend[k * sar_pairs(n) + sar_pair(i, j)] =
            v3_scale(1.0 / 3, v3_sub(v3_scale(4, fine[k]), coarse[k]));
    }
}
