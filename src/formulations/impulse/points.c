// Points of contact between free bodies (points.h).
#include "formulations/impulse/points.h"

#include "base/pieces.h"
#include "math/lanes.h"

#include <math.h>
#include <string.h>

size_t sar_points_size(const SarModel* m) {
  const size_t n = (size_t)m->ncontact;
  return sar_rounded(n * sizeof(SarPointRows)) + sar_rounded(n * sizeof(SarPatch)) +
         3 * sar_rounded(n * sizeof(SarPointImpulse));
}

void sar_points_init(SarPoints* p, const SarModel* m, unsigned char** memory) {
  const size_t n = (size_t)m->ncontact, impulses = n * sizeof(SarPointImpulse);
  *p = (SarPoints){.most = m->ncontact, .ground = m->nv};
  p->point = sar_cut(memory, n * sizeof *p->point);
  p->patch = sar_cut(memory, n * sizeof *p->patch);
  p->p = sar_cut(memory, impulses);
  p->last = sar_cut(memory, impulses);
  p->way = sar_cut(memory, impulses);
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

// ---- patches -------------------------------------------------------------------------------------

LANES_INLINE L4x3 columns(const SarColumns* A) {
  return (L4x3){l4_load(A->x), l4_load(A->y), l4_load(A->z)};
}

LANES_INLINE void put(SarColumns* out, L4x3 A) {
  l4_store(out->x, A.x);
  l4_store(out->y, A.y);
  l4_store(out->z, A.z);
}

// A [r]x, by columns: what A does to r x e of each axis e
LANES_INLINE L4x3 times_cross(L4x3 A, L4 r) {
  const double x = l4_x(r), y = l4_y(r), z = l4_z(r);
  return (L4x3){l4_axmy(y, A.z, l4_scale(z, A.y)), l4_axmy(z, A.x, l4_scale(x, A.z)),
                l4_axmy(x, A.y, l4_scale(y, A.x))};
}

// A' [r]x', by columns: each column of A at r
LANES_INLINE L4x3 crossed(L4x3 A, L4 r) {
  return (L4x3){l4_cross(A.x, r), l4_cross(A.y, r), l4_cross(A.z, r)};
}

static void add_to(SarColumns* out, L4x3 A) { put(out, l4x3_add(columns(out), A)); }

// Where one body is seen from the patch, and what P and L of the patch do to the twist through it. With J its inverse
// inertia: w = J (L + r x P), u = P / m + w x r.
static void add_side(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                     int body, const SarPatch* patch, SarPatchSide* side) {
  memset(side, 0, sizeof *side);
  side->first = p->ground;
  if (body < 0) return;
  SarPatchResponse* W = &p->response;
  const Xform* X = &d->body_X_GB[body];
  const L4x3 into = columns(&patch->into), R = l4x3_transpose(l4x3_load_rows(&X->R));
  const L4x3 axes = {l4x3_mul(into, R.x), l4x3_mul(into, R.y), l4x3_mul(into, R.z)};
  const L4x3 own = l4x3_transpose(axes);  // axes of the patch, in those of the body
  const V3* I = &held->inverse[3 * body];
  const L4x3 inverse = {l4_of(I[0]), l4_of(I[1]), l4_of(I[2])};
  const L4x3 turn = {l4x3_mul(inverse, own.x), l4x3_mul(inverse, own.y), l4x3_mul(inverse, own.z)};
  const L4x3 J = {l4x3_mul(axes, turn.x), l4x3_mul(axes, turn.y), l4x3_mul(axes, turn.z)};
  const L4 r = l4x3_mul(into, l4_of(v3_sub(p->origin, X->p)));
  const L4x3 wP = times_cross(J, r);
  const double w = 1 / m->body_inertia[body].m;
  side->first = m->joint_vadr[body];
  side->inverse_mass = w;
  l4_store(side->r, r);
  put(&side->axes, axes);
  put(&side->turn, turn);
  add_to(&W->wL, J);
  add_to(&W->uL, crossed(J, r));
  add_to(&W->wP, wP);
  add_to(&W->uP, l4x3_add((L4x3){l4(w, 0, 0), l4(0, w, 0), l4(0, 0, w)}, crossed(wP, r)));
}

static void open_patch(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                       const SarContact* c, const double* v, const double* v0) {
  SarPatch* patch = &p->patch[p->patches++];
  patch->first = p->count;
  patch->count = 0;
  p->origin = c->point;
  memset(&p->response, 0, sizeof p->response);
  const L4x3 axis = {l4_of(c->normal), l4_of(c->tangent), l4_of(sar_contact_tangent2(c))};
  put(&patch->axis, axis);
  put(&patch->into, l4x3_transpose(axis));
  add_side(p, held, m, d, m->collider[c->a].body, patch, &patch->a);
  add_side(p, held, m, d, m->collider[c->b].body, patch, &patch->b);
  p->before = sar_patch_twist(patch, v);
  p->start = sar_patch_twist(patch, v0);
}

static bool is_same(const double* x, V3 y) { return x[0] == y.x && x[1] == y.y && x[2] == y.z; }

static bool belongs_to(const SarPoints* p, const SarPatch* patch, const SarModel* m,
                       const SarContact* c) {
  const int a = m->collider[c->a].body, b = m->collider[c->b].body;
  return patch->a.first == (a < 0 ? p->ground : m->joint_vadr[a]) &&
         patch->b.first == (b < 0 ? p->ground : m->joint_vadr[b]) &&
         is_same(patch->axis.x, c->normal) && is_same(patch->axis.y, c->tangent);
}

SarPointRows* sar_points_add(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                             const SarContact* c, const double* v, const double* v0) {
  if (p->count == p->most) return NULL;
  if (p->patches == 0 || !belongs_to(p, &p->patch[p->patches - 1], m, c))
    open_patch(p, held, m, d, c, v, v0);
  SarPatch* patch = &p->patch[p->patches - 1];
  patch->count++;
  const SarPatchResponse* W = &p->response;
  double* impulse = p->p[p->count];
  SarPointRows* x = &p->point[p->count++];
  const L4 r = l4x3_mul(columns(&patch->into), l4_of(v3_sub(c->point, p->origin)));
  const L4x3 Du = l4x3_add(columns(&W->uP), times_cross(columns(&W->uL), r));
  const L4x3 Dw = l4x3_add(columns(&W->wP), times_cross(columns(&W->wL), r));
  const L4x3 A = l4x3_add(Du, crossed(Dw, r));
  l4_store(x->r, r);
  put(&x->Du, Du);
  put(&x->Dw, Dw);
  x->A[0] = l4_x(A.x), x->A[1] = l4_y(A.x), x->A[2] = l4_z(A.x);
  x->A[3] = l4_y(A.y), x->A[4] = l4_z(A.y), x->A[5] = l4_z(A.z);
  l4_store(impulse, l4_zero());
  sar_point_speeds(x, &p->before, x->before);
  sar_point_speeds(x, &p->start, x->start);
  x->shift = x->pseudo = x->speed = 0;
  x->bounces = false;
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
  if (alone) {
    invert(A, soft, x->stick);
    x->hold[0] = x->hold[2] = x->slide, x->hold[1] = 0;
  }
  x->drag[0] = x->hold[0] * A[1] + x->hold[1] * A[2];
  x->drag[1] = x->hold[1] * A[1] + x->hold[2] * A[2];
}

// ---- twists --------------------------------------------------------------------------------------

typedef struct Twist {
  L4 u, w;
} Twist;

LANES_INLINE Twist twist_of(const SarPatch* x, const double* v) {
  const double *a = &v[x->a.first], *b = &v[x->b.first];
  const L4 wa = l4x3_mul(columns(&x->a.axes), l4_load(a + 3));
  const L4 wb = l4x3_mul(columns(&x->b.axes), l4_load(b + 3));
  const L4 u = l4x3_mul(columns(&x->into), l4_sub(l4_load(b), l4_load(a)));
  return (Twist){l4_sub_cross(l4_add_cross(u, wb, l4_load(x->b.r)), wa, l4_load(x->a.r)),
                 l4_sub(wb, wa)};
}

LANES_INLINE L4 speeds_of(const SarPointRows* x, Twist t) {
  return l4_add_cross(t.u, t.w, l4_load(x->r));
}

// v += response to P and L at the origin of the patch, on b; on a as much back
LANES_INLINE void push(const SarPatch* x, L4 P, L4 L, double* v) {
  double *a = &v[x->a.first], *b = &v[x->b.first];
  const L4 G = l4x3_mul(columns(&x->axis), P);
  const L4 La = l4_add_cross(L, l4_load(x->a.r), P), Lb = l4_add_cross(L, l4_load(x->b.r), P);
  l4_store3(b, l4_axpy(x->b.inverse_mass, G, l4_load(b)));
  l4_store3(b + 3, l4x3_mul_add(columns(&x->b.turn), Lb, l4_load(b + 3)));
  l4_store3(a, l4_axmy(x->a.inverse_mass, G, l4_load(a)));
  l4_store3(a + 3, l4_sub(l4_load(a + 3), l4x3_mul(columns(&x->a.turn), La)));
}

SarTwist sar_patch_twist(const SarPatch* patch, const double* v) {
  const Twist t = twist_of(patch, v);
  SarTwist out;
  l4_store(out.u, t.u);
  l4_store(out.w, t.w);
  return out;
}

void sar_point_speeds(const SarPointRows* x, const SarTwist* twist, double* speed) {
  const Twist t = {l4_load(twist->u), l4_load(twist->w)};
  l4_store3(speed, speeds_of(x, t));
}

void sar_patch_apply(const SarPoints* p, const SarPatch* patch, double* v) {
  L4 P = l4_zero(), L = l4_zero();
  for (int i = patch->first; i < patch->first + patch->count; i++) {
    const L4 d = l4_load(p->p[i]);
    P = l4_add(P, d);
    L = l4_add_cross(L, l4_load(p->point[i].r), d);
  }
  push(patch, P, L, v);
}

// ---- sweeps --------------------------------------------------------------------------------------

static inline double larger(double a, double b) { return a > b ? a : b; }

// Impulses of a point after a visit, and their change
typedef struct Change {
  double p[3], d[3];
} Change;

// All three at once, as if it stuck: does the cone hold that? Where friction is high and normal and tangents move each
// other, going from one to the other does not end. Points of one face move each other more than that, and are quicker
// one row after the other.
LANES_INLINE bool sticks(const SarPointRows* x, const double* old, double miss, const double* s,
                         Change* to) {
  const double* B = x->stick;
  if (B[0] == 0) return false;
  to->d[0] = B[0] * miss - B[1] * s[1] - B[2] * s[2];
  to->d[1] = B[1] * miss - B[3] * s[1] - B[4] * s[2];
  to->d[2] = B[2] * miss - B[4] * s[1] - B[5] * s[2];
  for (int k = 0; k < 3; k++) to->p[k] = old[k] + to->d[k];
  const double* p = to->p;
  const double bound = x->friction * p[0];
  return p[0] > 0 && p[1] * p[1] + p[2] * p[2] <= bound * bound;
}

// What slides is met by friction against the way that it slides.
LANES_INLINE void slides(const SarPointRows* x, const double* old, const double* s, double bound,
                         Change* to) {
  double p1 = old[1] - x->slide * (s[1] + x->A[1] * to->d[0]);
  double p2 = old[2] - x->slide * (s[2] + x->A[2] * to->d[0]);
  const double square = p1 * p1 + p2 * p2;
  if (square > bound * bound) {
    const double scale = bound / sqrt(square);
    p1 *= scale, p2 *= scale;
  }
  to->p[1] = p1, to->p[2] = p2;
  to->d[1] = p1 - old[1], to->d[2] = p2 - old[2];
}

// The normal first; the tangents then see what it did to them. What sticks is stopped.
LANES_INLINE void in_turn(const SarPointRows* x, const double* old, double miss, const double* s,
                          Change* to) {
  const double stop1 = x->hold[0] * s[1] + x->hold[1] * s[2];
  const double stop2 = x->hold[1] * s[1] + x->hold[2] * s[2];
  to->d[0] = larger(x->mass * miss, -old[0]);
  to->d[1] = -stop1 - x->drag[0] * to->d[0];
  to->d[2] = -stop2 - x->drag[1] * to->d[0];
  for (int k = 0; k < 3; k++) to->p[k] = old[k] + to->d[k];
  const double bound = x->friction * to->p[0];
  if (to->p[1] * to->p[1] + to->p[2] * to->p[2] > bound * bound) slides(x, old, s, bound, to);
}

// What a visit to a patch has come to
typedef struct Visit {
  Twist twist;
  L4 P, L;              // impulses so far
  double most, square;  // change: largest, and square by A
} Visit;

LANES_INLINE void visit(const SarPointRows* x, double* old, Visit* to) {
  const L4 speeds = speeds_of(x, to->twist);
  const double s[3] = {l4_x(speeds), l4_y(speeds), l4_z(speeds)};
  const double miss = x->speed - s[0] - x->soft * old[0];
  Change now;
  if (!sticks(x, old, miss, s, &now)) in_turn(x, old, miss, s, &now);
  const double* d = now.d;
  if (d[0] == 0 && d[1] == 0 && d[2] == 0) return;
  const L4 change = l4(d[0], d[1], d[2]);
  old[0] = now.p[0], old[1] = now.p[1], old[2] = now.p[2];
  to->twist.u = l4x3_mul_add(columns(&x->Du), change, to->twist.u);
  to->twist.w = l4x3_mul_add(columns(&x->Dw), change, to->twist.w);
  to->P = l4_add(to->P, change);
  to->L = l4_add_cross(to->L, l4_load(x->r), change);
  to->most = larger(to->most, larger(fabs(d[0]), larger(fabs(d[1]), fabs(d[2]))));
  to->square += d[0] * d[0] * x->A[0] + d[1] * d[1] * x->A[3] + d[2] * d[2] * x->A[5];
}

double sar_patch_visit(SarPoints* p, const SarPatch* patch, double* v) {
  Visit now = {.twist = twist_of(patch, v), .P = l4_zero(), .L = l4_zero()};
  double largest = p->largest;
  for (int i = patch->first; i < patch->first + patch->count; i++) {
    visit(&p->point[i], p->p[i], &now);
    largest = larger(largest, p->p[i][0]);
  }
  if (now.most > 0) push(patch, now.P, now.L, v);
  p->largest = largest;
  p->went += now.square;
  return now.most;
}

LANES_INLINE void shift(SarPointRows* x, Visit* to) {
  const double speed = l4_x(speeds_of(x, to->twist));
  const double now = larger(x->pseudo + x->mass * (x->shift - speed), 0), d = now - x->pseudo;
  if (d == 0) return;
  x->pseudo = now;
  to->twist.u = l4_axpy(d, l4_load(x->Du.x), to->twist.u);
  to->twist.w = l4_axpy(d, l4_load(x->Dw.x), to->twist.w);
  to->P = l4_add(to->P, l4(d, 0, 0));
  to->L = l4_add_cross(to->L, l4_load(x->r), l4(d, 0, 0));
  to->most = larger(to->most, fabs(d));
}

double sar_patch_shift(SarPoints* p, const SarPatch* patch, double* u) {
  Visit now = {.twist = twist_of(patch, u), .P = l4_zero(), .L = l4_zero()};
  for (int i = patch->first; i < patch->first + patch->count; i++) shift(&p->point[i], &now);
  if (now.most > 0) push(patch, now.P, now.L, u);
  return now.most;
}
