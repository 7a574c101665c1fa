// Contact manifolds between free bodies: what a face of points needs to know, the 3x3 diagonal
// blocks A of the Delassus operator and their inverses among it (points.h).
#include "formulations/impulse/points.h"

#include "base/block.h"

#include <math.h>
#include <string.h>

void sar_points_init(SarPoints* p, const SarModel* m, SarBlock* b) {
  *p = (SarPoints){.most = m->ncontact, .ground = m->nv};
  SAR_PIECE(b, p->point, m->ncontact);
  SAR_PIECE(b, p->face, m->ncontact);
  SAR_PIECE(b, p->p, m->ncontact);
  SAR_PIECE(b, p->last, m->ncontact);
  SAR_PIECE(b, p->way, m->ncontact);
}

// The body of a collider; -1: ground, or fixed to it.
static int body_of(const SarModel* m, int collider) {
  int body = m->collider[collider].body;
  for (int b = body; b >= 0; b = m->body_parent[b])
    if (m->joint_nv[b] > 0) return body;
  return -1;
}

static bool is_ground_or_free(const SarHeld* held, const SarModel* m, int body) {
  return body < 0 ||
         (m->joint_nv[body] == 6 && held->group[held->group_of[m->joint_vadr[body]]].body == body);
}

bool sar_is_point(const SarHeld* held, const SarModel* m, const SarContact* c) {
  const SarSurface* s =
      &m->surface[m->collider[c->a].material * m->nmaterial + m->collider[c->b].material];
  return s->rolling == 0 && s->spinning == 0 && is_ground_or_free(held, m, body_of(m, c->a)) &&
         is_ground_or_free(held, m, body_of(m, c->b));
}

// ---- faces -------------------------------------------------------------------------------------

// A [r]x, by columns: what A does to r x e of each axis e
LANES_INLINE L4x3 times_cross(L4x3 A, L4 r) {
  const double x = l4_x(r), y = l4_y(r), z = l4_z(r);
  return (L4x3){l4_axmy(y, A.z, l4_scale(z, A.y)), l4_axmy(z, A.x, l4_scale(x, A.z)),
                l4_axmy(x, A.y, l4_scale(y, A.x))};
}

// w x r of each column w of A
LANES_INLINE L4x3 crossed(L4x3 A, L4 r) {
  return (L4x3){l4_cross(A.x, r), l4_cross(A.y, r), l4_cross(A.z, r)};
}

static void add_to(SarColumns* out, L4x3 A) {
  sar_columns_store(out, l4x3_add(sar_columns(out), A));
}

// Where one body is seen from the face, and what P and L of the face do to the twist through it.
// With J its inverse inertia: w = J (L + r x P), u = P / m + w x r.
static void add_side(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                     int body, const SarFace* face, SarFaceSide* side) {
  memset(side, 0, sizeof *side);
  side->first = p->ground;
  if (body < 0) return;
  SarFaceResponse* W = &p->response;
  const Xform* X = &d->body_X_GB[body];
  const L4x3 into = sar_columns(&face->into), R = l4x3_transpose(l4x3_load_rows(&X->R));
  const L4x3 axes = {l4x3_mul(into, R.x), l4x3_mul(into, R.y), l4x3_mul(into, R.z)};
  const L4x3 own = l4x3_transpose(axes);  // axes of the face, in those of the body
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
  sar_columns_store(&side->axes, axes);
  sar_columns_store(&side->turn, turn);
  add_to(&W->wL, J);
  add_to(&W->uL, crossed(J, r));
  add_to(&W->wP, wP);
  add_to(&W->uP, l4x3_add((L4x3){l4(w, 0, 0), l4(0, w, 0), l4(0, 0, w)}, crossed(wP, r)));
}

static void open_face(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                      const SarContact* c, const double* v, const double* v0) {
  SarFace* face = &p->face[p->faces++];
  face->first = p->count;
  face->count = 0;
  p->origin = c->point;
  memset(&p->response, 0, sizeof p->response);
  const L4x3 axis = {l4_of(c->normal), l4_of(c->tangent), l4_of(sar_contact_tangent2(c))};
  sar_columns_store(&face->axis, axis);
  sar_columns_store(&face->into, l4x3_transpose(axis));
  add_side(p, held, m, d, body_of(m, c->a), face, &face->a);
  add_side(p, held, m, d, body_of(m, c->b), face, &face->b);
  p->before = sar_face_twist(face, v);
  p->start = sar_face_twist(face, v0);
}

static bool is_same(const double* x, V3 y) { return x[0] == y.x && x[1] == y.y && x[2] == y.z; }

static bool belongs_to(const SarPoints* p, const SarFace* face, const SarModel* m,
                       const SarContact* c) {
  const int a = body_of(m, c->a), b = body_of(m, c->b);
  return face->a.first == (a < 0 ? p->ground : m->joint_vadr[a]) &&
         face->b.first == (b < 0 ? p->ground : m->joint_vadr[b]) &&
         is_same(face->axis.x, c->normal) && is_same(face->axis.y, c->tangent);
}

SarPointRows* sar_points_add(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                             const SarContact* c, const double* v, const double* v0) {
  if (p->count == p->most) return NULL;
  if (p->faces == 0 || !belongs_to(p, &p->face[p->faces - 1], m, c))
    open_face(p, held, m, d, c, v, v0);
  SarFace* face = &p->face[p->faces - 1];
  face->count++;
  const SarFaceResponse* W = &p->response;
  double* impulse = p->p[p->count];
  SarPointRows* x = &p->point[p->count++];
  const L4 r = l4x3_mul(sar_columns(&face->into), l4_of(v3_sub(c->point, p->origin)));
  const L4x3 Du = l4x3_add(sar_columns(&W->uP), times_cross(sar_columns(&W->uL), r));
  const L4x3 Dw = l4x3_add(sar_columns(&W->wP), times_cross(sar_columns(&W->wL), r));
  const L4x3 A = l4x3_add(Du, crossed(Dw, r));
  l4_store(x->r, r);
  sar_columns_store(&x->Du, Du);
  sar_columns_store(&x->Dw, Dw);
  x->A[0] = l4_x(A.x), x->A[1] = l4_y(A.x), x->A[2] = l4_z(A.x);
  x->A[3] = l4_y(A.y), x->A[4] = l4_z(A.y), x->A[5] = l4_z(A.z);
  l4_store(impulse, l4_zero());
  sar_point_speeds(x, &p->before, x->before);
  sar_point_speeds(x, &p->start, x->start);
  x->shift = x->pseudo = x->speed = x->slip[0] = x->slip[1] = 0;
  x->bounces = false;
  return x;
}

// x = inverse of the symmetric A (00 10 20 11 21 22), with A00 + soft for A00; zero where there is
// none
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
