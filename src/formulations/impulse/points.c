// Points of contact between free bodies (points.h).
#include "formulations/impulse/points.h"

#include "base/pieces.h"
#include "math/lanes.h"

#include <math.h>
#include <string.h>

size_t sar_points_size(const SarModel* m) {
  return sar_rounded((size_t)m->ncontact * sizeof(SarPointRows));
}

void sar_points_init(SarPoints* p, const SarModel* m, unsigned char** memory) {
  *p = (SarPoints){.most = m->ncontact, .ground = m->nv};
  p->point = sar_cut(memory, (size_t)m->ncontact * sizeof *p->point);
}

static int single_body(const SarHeld* held, const SarModel* m, int body) {
  return held->group[held->group_of[m->joint_vadr[body]]].body;
}

bool sar_is_point(const SarHeld* held, const SarModel* m, const SarContact* c) {
  const int a = m->collider[c->a].body, b = m->collider[c->b].body;
  const SarSurface* s =
      &m->surface[m->collider[c->a].material * m->nmaterial + m->collider[c->b].material];
  return s->rolling == 0 && s->spinning == 0 && (a < 0 || single_body(held, m, a) >= 0) &&
         (b < 0 || single_body(held, m, b) >= 0);
}

static void put(double* out, V3 x) {
  v3_store(out, x);
  out[3] = 0;
}

// Levers and turns of one body; `sign` of the impulse on it.
static void add_body(const SarHeld* held, const SarData* d, int body, V3 point, double sign,
                     const V3* n, double c[3][4], double turn[3][4]) {
  if (body < 0) {
    memset(c, 0, 3 * sizeof *c);
    memset(turn, 0, 3 * sizeof *turn);
    return;
  }
  const Xform* X = &d->body_X_GB[body];
  const V3 r = v3_scale(sign, v3_sub(point, X->p)), *I = &held->inverse[3 * body];
  for (int k = 0; k < 3; k++) {
    const V3 lever = m3_tmul_v(X->R, v3_cross(r, n[k]));
    put(c[k], lever);
    put(turn[k], v3(v3_dot(I[0], lever), v3_dot(I[1], lever), v3_dot(I[2], lever)));
  }
}

SarPointRows* sar_points_add(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                             const SarContact* c, const double* v, const double* v0) {
  if (p->count == p->most) return NULL;
  SarPointRows* x = &p->point[p->count++];
  const int a = m->collider[c->a].body, b = m->collider[c->b].body;
  const V3 n[3] = {c->normal, c->tangent, sar_contact_tangent2(c)};
  for (int k = 0; k < 3; k++) put(x->n[k], n[k]);
  add_body(held, d, a, c->point, -1, n, x->ca, x->da);
  add_body(held, d, b, c->point, 1, n, x->cb, x->db);
  x->a = a < 0 ? p->ground : m->joint_vadr[a];
  x->b = b < 0 ? p->ground : m->joint_vadr[b];
  x->wa = a < 0 ? 0 : 1 / m->body_inertia[a].m;
  x->wb = b < 0 ? 0 : 1 / m->body_inertia[b].m;
  double* A = x->A;
  for (int i = 0, at = 0; i < 3; i++)
    for (int k = i; k < 3; k++, at++) {
      A[at] = i == k ? x->wa + x->wb : 0;
      for (int j = 0; j < 3; j++) A[at] += x->cb[i][j] * x->db[k][j] + x->ca[i][j] * x->da[k][j];
    }
  sar_point_speeds(x, v, x->before);
  sar_point_speeds(x, v0, x->start);
  x->shift = x->pseudo = x->speed = 0;
  x->bounces = false;
  x->p[0] = x->p[1] = x->p[2] = 0;
  return x;
}

// x = inverse of the symmetric A (00 10 20 11 21 22), with A00 + soft for A00; zero where there is none
static void invert(const double* A, double soft, double* x) {
  const double a = A[0] + soft;
  const double c0 = A[3] * A[5] - A[4] * A[4], c1 = A[2] * A[4] - A[1] * A[5],
               c2 = A[1] * A[4] - A[2] * A[3];
  const double det = a * c0 + A[1] * c1 + A[2] * c2;
  const double w = det > 1e-14 * a * A[3] * A[5] ? 1 / det : 0;
  x[0] = w * c0, x[1] = w * c1, x[2] = w * c2;
  x[3] = w * (a * A[5] - A[2] * A[2]);
  x[4] = w * (A[1] * A[2] - a * A[4]);
  x[5] = w * (a * A[3] - A[1] * A[1]);
}

void sar_point_ready(SarPointRows* x, double soft, double friction, bool alone) {
  const double* A = x->A;
  const double half = 0.5 * (A[3] - A[5]);
  const double most = 0.5 * (A[3] + A[5]) + sqrt(half * half + A[4] * A[4]);
  x->soft = soft;
  x->friction = friction;
  x->mass = A[0] + soft > 0 ? 1 / (A[0] + soft) : 0;
  x->slide = most > 0 ? 1 / most : 0;  // 1 / the larger eigenvalue: never too far
  const double det = A[3] * A[5] - A[4] * A[4], w = det > 0 ? 1 / det : 0;
  x->hold[0] = w * A[5], x->hold[1] = -w * A[4], x->hold[2] = w * A[3];
  x->stick[0] = 0;
  if (!alone) return;
  invert(A, soft, x->stick);
  x->hold[0] = x->hold[2] = x->slide, x->hold[1] = 0;
}

// ---- sweeps --------------------------------------------------------------------------------------

LANES_INLINE double sum3(L4 a) { return l4_x(a) + l4_y(a) + l4_z(a); }

// s = E (v_b - v_a) + C_b w_b + C_a w_a; fourth lanes of rows are zero, so what velocities have there is no matter
LANES_INLINE L4 along(const SarPointRows* x, int k, L4 dv, L4 wa, L4 wb) {
  return l4_mul_add(l4_load(x->n[k]), dv,
                    l4_mul_add(l4_load(x->cb[k]), wb, l4_mul(l4_load(x->ca[k]), wa)));
}

LANES_INLINE L4 combined(const double rows[3][4], const double* p) {
  return l4_mul_add(
      l4_load(rows[0]), l4_all(p[0]),
      l4_mul_add(l4_load(rows[1]), l4_all(p[1]), l4_mul(l4_load(rows[2]), l4_all(p[2]))));
}

LANES_INLINE void push(const SarPointRows* x, const double* p, double* v) {
  double *a = &v[x->a], *b = &v[x->b];
  const L4 P = combined(x->n, p);
  l4_store3(b, l4_mul_add(P, l4_all(x->wb), l4_load(b)));
  l4_store3(b + 3, l4_add(combined(x->db, p), l4_load(b + 3)));
  l4_store3(a, l4_mul_sub(P, l4_all(x->wa), l4_load(a)));
  l4_store3(a + 3, l4_add(combined(x->da, p), l4_load(a + 3)));
}

LANES_INLINE void speeds(const SarPointRows* x, const double* v, double* s) {
  const L4 dv = l4_sub(l4_load(&v[x->b]), l4_load(&v[x->a]));
  const L4 wa = l4_load(&v[x->a + 3]), wb = l4_load(&v[x->b + 3]);
  for (int k = 0; k < 3; k++) s[k] = sum3(along(x, k, dv, wa, wb));
}

void sar_point_apply(const SarPointRows* x, const double* impulse, double* v) {
  push(x, impulse, v);
}

void sar_point_speeds(const SarPointRows* x, const double* v, double* speed) {
  speeds(x, v, speed);
}

static inline double larger(double a, double b) { return a > b ? a : b; }

// All three at once, as if it stuck: does the cone hold that? Where friction is high and normal and tangents move each
// other, going from one to the other does not end. Points of one face move each other more than that, and are quicker
// one row after the other.
LANES_INLINE bool sticks(const SarPointRows* x, double miss, const double* s, double* p) {
  const double* B = x->stick;
  if (B[0] == 0) return false;
  p[0] = x->p[0] + B[0] * miss - B[1] * s[1] - B[2] * s[2];
  p[1] = x->p[1] + B[1] * miss - B[3] * s[1] - B[4] * s[2];
  p[2] = x->p[2] + B[2] * miss - B[4] * s[1] - B[5] * s[2];
  const double bound = x->friction * p[0];
  return p[0] > 0 && p[1] * p[1] + p[2] * p[2] <= bound * bound;
}

// The normal first; the tangents then see what it did to them, through A. What sticks is stopped, what slides is met by
// friction against the way that it slides.
LANES_INLINE void in_turn(const SarPointRows* x, double miss, const double* s, double* p) {
  p[0] = larger(x->p[0] + x->mass * miss, 0);
  const double change = p[0] - x->p[0], bound = x->friction * p[0];
  const double s1 = s[1] + x->A[1] * change, s2 = s[2] + x->A[2] * change;
  p[1] = x->p[1] - x->hold[0] * s1 - x->hold[1] * s2;
  p[2] = x->p[2] - x->hold[1] * s1 - x->hold[2] * s2;
  if (p[1] * p[1] + p[2] * p[2] <= bound * bound) return;
  p[1] = x->p[1] - x->slide * s1;
  p[2] = x->p[2] - x->slide * s2;
  const double square = p[1] * p[1] + p[2] * p[2];
  if (square <= bound * bound) return;
  const double scale = bound / sqrt(square);
  p[1] *= scale, p[2] *= scale;
}

double sar_point_visit(SarPointRows* x, double* v) {
  double s[3], p[3];
  speeds(x, v, s);
  const double miss = x->speed - s[0] - x->soft * x->p[0];
  if (!sticks(x, miss, s, p)) in_turn(x, miss, s, p);
  const double d[3] = {p[0] - x->p[0], p[1] - x->p[1], p[2] - x->p[2]};
  if (d[0] == 0 && d[1] == 0 && d[2] == 0) return 0;
  x->p[0] = p[0], x->p[1] = p[1], x->p[2] = p[2];
  push(x, d, v);
  return larger(fabs(d[0]), larger(fabs(d[1]), fabs(d[2])));
}

double sar_point_shift(SarPointRows* x, double* u) {
  double s[3];
  speeds(x, u, s);
  const double now = larger(x->pseudo + x->mass * (x->shift - s[0]), 0);
  const double d[3] = {now - x->pseudo, 0, 0};
  if (d[0] == 0) return 0;
  x->pseudo = now;
  push(x, d, u);
  return fabs(d[0]);
}
