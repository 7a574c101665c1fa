// Block Gauss-Seidel over contact manifolds between free bodies: visits to a face, its points one
// after the other, each projected onto Coulomb's cone (points.h).
#include "formulations/impulse/points.h"

#include <math.h>

// ---- twists -------------------------------------------------------------------------------------

typedef struct Twist {
  L4 u, w;
} Twist;

LANES_INLINE Twist twist_of(const SarFace* x, const double* v) {
  const double *a = &v[x->a.first], *b = &v[x->b.first];
  const L4 wa = l4x3_mul(sar_columns(&x->a.axes), l4_load3(a + 3));
  const L4 wb = l4x3_mul(sar_columns(&x->b.axes), l4_load3(b + 3));
  const L4 u = l4x3_mul(sar_columns(&x->into), l4_sub(l4_load(b), l4_load(a)));
  return (Twist){l4_sub_cross(l4_add_cross(u, wb, l4_load(x->b.r)), wa, l4_load(x->a.r)),
                 l4_sub(wb, wa)};
}

LANES_INLINE L4 speeds_of(const SarPointRows* x, Twist t) {
  return l4_add_cross(t.u, t.w, l4_load(x->r));
}

// v += response to P and L at the origin of the face, on b; on a as much back. The ground, which
// has no inverse mass, is not even written: islands are solved side by side by several threads.
LANES_INLINE void push(const SarFace* x, L4 P, L4 L, double* v) {
  double *a = &v[x->a.first], *b = &v[x->b.first];
  const L4 G = l4x3_mul(sar_columns(&x->axis), P);
  const L4 La = l4_add_cross(L, l4_load(x->a.r), P), Lb = l4_add_cross(L, l4_load(x->b.r), P);
  if (x->b.inverse_mass > 0) {
    l4_store3(b, l4_axpy(x->b.inverse_mass, G, l4_load(b)));
    l4_store3(b + 3, l4x3_mul_add(sar_columns(&x->b.turn), Lb, l4_load3(b + 3)));
  }
  if (x->a.inverse_mass > 0) {
    l4_store3(a, l4_axmy(x->a.inverse_mass, G, l4_load(a)));
    l4_store3(a + 3, l4_sub(l4_load3(a + 3), l4x3_mul(sar_columns(&x->a.turn), La)));
  }
}

SarTwist sar_face_twist(const SarFace* face, const double* v) {
  const Twist t = twist_of(face, v);
  SarTwist out;
  l4_store(out.u, t.u);
  l4_store(out.w, t.w);
  return out;
}

void sar_point_speeds(const SarPointRows* x, const SarTwist* twist, double* speed) {
  const Twist t = {l4_load(twist->u), l4_load(twist->w)};
  l4_store3(speed, speeds_of(x, t));
}

void sar_face_push(const SarPoints* p, const SarFace* face, SarPointImpulse* impulse, double* v) {
  L4 P = l4_zero(), L = l4_zero();
  for (int i = face->first; i < face->first + face->count; i++) {
    const L4 d = l4_load(impulse[i]);
    P = l4_add(P, d);
    L = l4_add_cross(L, l4_load(p->point[i].r), d);
  }
  push(face, P, L, v);
}

void sar_face_apply(const SarPoints* p, const SarFace* face, double* v) {
  sar_face_push(p, face, p->p, v);
}

// ---- sweeps -------------------------------------------------------------------------------------

static inline double larger(double a, double b) { return a > b ? a : b; }

// Impulses of a point after a visit, and their change
typedef struct Change {
  double p[3], d[3];
} Change;

// All three at once, as if it stuck: does the cone hold that? Where friction is high and normal and
// tangents move each other, going from one to the other does not end. Points of one face move each
// other more than that, and are quicker one row after the other.
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

// What a visit to a face has come to
typedef struct Visit {
  Twist twist;
  L4 P, L;              // impulses so far
  double most, square;  // change: largest, and square by A
} Visit;

LANES_INLINE void visit(const SarPointRows* x, double* old, Visit* to) {
  const L4 speeds = speeds_of(x, to->twist);
  const double s[3] = {l4_x(speeds), l4_y(speeds) - x->slip[0], l4_z(speeds) - x->slip[1]};
  const double miss = x->speed - s[0] - x->soft * old[0];
  Change now;
  if (!sticks(x, old, miss, s, &now)) in_turn(x, old, miss, s, &now);
  const double* d = now.d;
  if (d[0] == 0 && d[1] == 0 && d[2] == 0) return;
  const L4 change = l4(d[0], d[1], d[2]);
  old[0] = now.p[0], old[1] = now.p[1], old[2] = now.p[2];
  to->twist.u = l4x3_mul_add(sar_columns(&x->Du), change, to->twist.u);
  to->twist.w = l4x3_mul_add(sar_columns(&x->Dw), change, to->twist.w);
  to->P = l4_add(to->P, change);
  to->L = l4_add_cross(to->L, l4_load(x->r), change);
  to->most = larger(to->most, larger(fabs(d[0]), larger(fabs(d[1]), fabs(d[2]))));
  to->square += d[0] * d[0] * x->A[0] + d[1] * d[1] * x->A[3] + d[2] * d[2] * x->A[5];
}

double sar_face_visit(SarPoints* p, const SarFace* face, double* v) {
  Visit now = {.twist = twist_of(face, v), .P = l4_zero(), .L = l4_zero()};
  double largest = p->largest;
  for (int i = face->first; i < face->first + face->count; i++) {
    visit(&p->point[i], p->p[i], &now);
    largest = larger(largest, p->p[i][0]);
  }
  if (now.most > 0) push(face, now.P, now.L, v);
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

double sar_face_shift(SarPoints* p, const SarFace* face, double* u) {
  Visit now = {.twist = twist_of(face, u), .P = l4_zero(), .L = l4_zero()};
  for (int i = face->first; i < face->first + face->count; i++) shift(&p->point[i], &now);
  if (now.most > 0) push(face, now.P, now.L, u);
  return now.most;
}
