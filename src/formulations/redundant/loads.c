// Geometric stiffness: how forces between bodies turn with them (system.h).
//
// Body b at p has the wrench (n, f) from a force element, body a the opposite one; the wrench turns
// with a, and follows the motion x = (w; v) of b against a at p by dW = -K x. With rotations w_a,
// w_b and motions v_a, v_b of the origins, levers r_a, r_b from these to p, which is a point of b:
//
//   dn = -(K x)_n + w_a x n,   df = -(K x)_f + w_a x f
//   x  = (w_b - w_a;  v_b + w_b x r_b - v_a - w_a x r_a)
//   on b   df,    R_b' (dn + r_b x df + (w_b x r_b) x f - w_b x (n + r_b x f))
//   on a  -df,   -R_a' (dn + r_a x df + (v_b + w_b x r_b - v_a) x f - w_a x (n + r_a x f))
//
// For blades of beams that turn this is the stiffness of the centrifugal force: without it an
// iteration leaves gain^2 N / (m L) of an increment, 7 % on the Puma's blades at 90 steps a
// revolution.
#include "formulations/redundant/system.h"
#include "linalg/lanes.h"

enum { FREE = 6 };

typedef struct Load {
  SarBodyTangent by;
  double A[36];   // gain^2 K + gain C
  double square;  // gain^2
  V3 n, f;
  V3 r[2];  // levers of body[0] and body[1]
} Load;

static bool is_free(const SarAbsoluteSystem* p, int body) {
  return body < 0 || p->momenta->body[body].kind == SAR_OWN_FREE;
}

static V3 origin_of(const SarData* d, int body) {
  return body < 0 ? v3_zero() : d->body_X_GB[body].p;
}

static Load load_of(const SarAbsoluteSystem* p, SarData* d, int k, double gain) {
  const SarTangentBlock* t = &p->m->tangent[k];
  Load l = {.by = {.body = {t->body[0], t->body[1]}}, .square = gain * gain};
  Force W;
  p->m->force_kind[t->index]->loaded_tangent(p->m, d, t->index, &l.by, &W);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      l.A[6 * j + i] = l.square * l.by.K[6 * i + j] + gain * l.by.C[6 * i + j];
  l.n = W.n, l.f = W.f;
  for (int end = 0; end < 2; end++) l.r[end] = v3_sub(l.by.p, origin_of(d, l.by.body[end]));
  return l;
}

// -dW for the motion of one of the bodies, times gain^2
static Force respond(const Load* l, int end, V3 w, V3 v) {
  const double sign = end == 1 ? 1 : -1;
  const V3 at = v3_add_cross(v, w, l->r[end]);
  const double x[6] = {sign * w.x, sign * w.y, sign * w.z, sign * at.x, sign * at.y, sign * at.z};
  double y[6];
  SarLanes sum[3] = {{0}};
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 3 && x[j] != 0; k++)
      sum[k] += (SarLanes){x[j], x[j]} * sar_lanes(l->A + 6 * j + 2 * k);
  for (int k = 0; k < 3; k++) sar_lanes_store(y + 2 * k, sum[k]);
  Force out = {v3_load(y), v3_load(y + 3)};
  if (end == 1) return out;
  out.n = v3_axpy(-l->square, v3_cross(w, l->n), out.n);
  out.f = v3_axpy(-l->square, v3_cross(w, l->f), out.f);
  return out;
}

// Column of one coordinate, which moves body[end] by w and v: of the equations of body[on], into
// every num-th of `out`.
static void put_column(const SarModel* m, const SarData* d, const Load* l, int end, V3 w, V3 v,
                       Force change, int on, double* out, int num) {
  const int b = l->by.body[on];
  const V3 r = l->r[on];
  const double sign = on == 1 ? 1 : -1;
  // how far p goes away from the origin of the body, and what turns the body's own axes
  const V3 of_b = end == 1 ? v3_add_cross(v, w, l->r[1]) : v3_zero();
  const V3 apart =
      on == 1 ? (end == 1 ? v3_cross(w, r) : v3_zero()) : (end == 1 ? of_b : v3_neg(v));
  V3 turned = v3_cross(apart, l->f);
  if (on == end) turned = v3_sub(turned, v3_cross(w, v3_add_cross(l->n, r, l->f)));
  const V3 n = v3_axpy(-l->square, turned, v3_add_cross(change.n, r, change.f));
  double column[FREE];
  v3_store(column, v3_scale(sign, m3_tmul_v(m->body_X_PF[b].R, change.f)));
  v3_store(column + 3, v3_scale(sign, m3_tmul_v(d->body_X_GB[b].R, n)));
  for (int i = 0; i < FREE; i++) out[i * num] = column[i];
}

bool sar_absolute_load_block(const SarAbsoluteSystem* p, SarData* d, int k, double gain,
                             double* a) {
  const SarModel* m = p->m;
  const SarTangentBlock* t = &m->tangent[k];
  if (t->source != SAR_TANGENT_FORCE || !m->force_kind[t->index]->loaded_tangent) return false;
  if (!d->force_on[t->index] || !is_free(p, t->body[0]) || !is_free(p, t->body[1])) return false;
  const Load l = load_of(p, d, k, gain);
  // where the coordinates of each body begin in the block
  int at[2] = {t->a_first ? 0 : t->num_first, t->a_first ? t->num_first : 0};
  for (int end = 0; end < 2; end++) {
    const int b = l.by.body[end];
    if (b < 0) continue;
    for (int i = 0; i < FREE; i++) {
      const V3 e = v3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
      const V3 v = i < 3 ? m3_mul_v(m->body_X_PF[b].R, e) : v3_zero();
      const V3 w = i < 3 ? v3_zero() : m3_mul_v(d->body_X_GB[b].R, e);
      const Force change = respond(&l, end, w, v);
      for (int on = 0; on < 2; on++)
        if (l.by.body[on] >= 0)
          put_column(m, d, &l, end, w, v, change, on, a + at[on] * t->num + at[end] + i, t->num);
    }
  }
  return true;
}
