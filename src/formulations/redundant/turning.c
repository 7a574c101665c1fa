// Geometric stiffness of the constraints: how their forces turn bodies that turn (system.h).
//
// A pair of bodies has the wrench W = (n; f) = -sum of lambda coefficient W_term at p from its
// constraints, on b, and the opposite one on a. As long as W stands still in space, what it does to
// the rotations phi of a body in axes of B changes by
//
//   d (s x f + n) = s x (f x phi) + n x phi,       s = R' (p - o)
//
// which is all of it where the multipliers are free to turn W back: it turns with a, by d lambda,
// in directions that the constraint holds. So nothing couples the bodies that T would not couple
// otherwise. For a blade on its hinges this is the stiffness of the centrifugal force; without it
// an iteration leaves (gain w)^2 of an increment, 8e-4 on the Puma at 90 steps a revolution, with
// it 1e-4.
#include "dynamics/constraints.h"
#include "formulations/redundant/system.h"

// -square times the matrix of phi, at a
static void add(double* a, V3 s, V3 n, V3 f, double square) {
  const double along = v3_dot(s, f), g = -square;
  a[0] += g * (f.x * s.x - along), a[1] += g * (f.x * s.y - n.z), a[2] += g * (f.x * s.z + n.y);
  a[3] += g * (f.y * s.x + n.z), a[4] += g * (f.y * s.y - along), a[5] += g * (f.y * s.z - n.x);
  a[6] += g * (f.z * s.x - n.y), a[7] += g * (f.z * s.y + n.x), a[8] += g * (f.z * s.z - along);
}

static void turn(SarAbsoluteSystem* p, const SarData* d, int b, Force W, V3 at, double square) {
  if (b < 0 || p->turning[b] < 0) return;
  const Xform* X = &d->body_X_GB[b];
  const V3 s = m3_tmul_v(X->R, v3_sub(at, X->p));
  add(p->lu.a + p->turning[b], s, m3_tmul_v(X->R, W.n), m3_tmul_v(X->R, W.f), square);
}

void sar_absolute_fill_turning(SarAbsoluteSystem* p, const SarData* d, double gain) {
  const SarModel* m = p->m;
  const double square = gain * gain;
  for (int i = 0; i < m->npair; i++) {
    if (!sar_pair_is_on(m, d, i)) continue;
    const SarPair* pair = &m->pair[i];
    Force W = force_zero();
    for (int k = pair->term; k < pair->term + pair->terms; k++) {
      const double x = -d->lambda[m->term[k].row] * m->term[k].coefficient;
      W = (Force){v3_axpy(x, d->term_W[k].n, W.n), v3_axpy(x, d->term_W[k].f, W.f)};
    }
    turn(p, d, pair->body[1], W, d->pair_p[i], square);
    turn(p, d, pair->body[0], W, d->pair_p[i], -square);
  }
}
