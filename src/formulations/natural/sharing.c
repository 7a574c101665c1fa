// What neighbours share, read off the equations that a kind of joint makes when it closes a loop:
//
//   x . d = y . d = z . d = 0                    the origins coincide: a point
//   x . z' = y . z' = 0                          the z axes coincide: a direction
//   three products of different axes             all axes coincide: two directions, the third
//                                                follows
//
// So a new kind of joint is met without a line here. Equal points of one part are one claim, and so
// are equal or opposite directions: parallel hinges of a chain share one vector, and when one of
// them is on ground it is no coordinate at all.
#include "formulations/natural/build.h"

static const double SAME = 1e-9;  // points, over the size of the mechanism; directions [rad]

typedef struct Demands {
  bool along[3];  // x, y, z of F with the gap
  bool across[3][3];
  int products;
} Demands;

static Demands demands_of(const SarJointKind* kind) {
  Demands d = {.products = 0};
  for (int i = 0; i < kind->nrow; i++) {
    const SarRowPattern* r = &kind->row[i];
    if (r->kind == SAR_TERM_ALONG && !r->less_turn) d.along[r->axis_a - 'x'] = true;
    if (r->kind != SAR_TERM_PERPENDICULAR || r->less_other) continue;
    d.across[r->axis_a - 'x'][r->axis_b - 'x'] = true;
    d.products++;
  }
  return d;
}

static bool is_normal(const SarNatural* p, V3 local) {
  return p->dim == 2 && fabs(local.x) + fabs(local.y) < SAME;
}

// In a planar model items lie in the plane through the origin, at whatever depth their bodies are:
// depth never changes, and belongs to the parts (basis.c).
int sar_natural_claim(Build* b, int part, bool vector, V3 local) {
  if (b->p->dim == 2 && !vector) local.z = 0;
  for (int k = 0; k < b->claims.count; k++) {
    const Claim* c = &b->claims.items[k];
    if (c->part != part || c->vector != vector) continue;
    if (v3_norm(vector ? v3_cross(c->local, local) : v3_sub(c->local, local)) <
        (vector ? SAME : SAME * b->size))
      return k;
  }
  Claim* c = SAR_LIST_ADD(b->arena, &b->claims);
  if (!c) return -1;
  *c = (Claim){.part = part, .vector = vector, .local = local, .shared = b->nclass++, .sign = 1};
  return b->claims.count - 1;
}

// Two claims, given as `local` in each part, are one thing from now on.
static void unite(Build* b, const Link* l, bool vector, const V3 local[2]) {
  int k[2];
  double side[2];
  for (int end = 0; end < 2; end++) {
    k[end] = sar_natural_claim(b, l->part[end], vector, local[end]);
    if (k[end] < 0) return;
  }
  Claim* all = b->claims.items;
  for (int end = 0; end < 2; end++) {
    const Claim* c = &all[k[end]];
    side[end] = vector && v3_dot(c->local, local[end]) < 0 ? -c->sign : c->sign;
  }
  const int keep = all[k[0]].shared, drop = all[k[1]].shared;
  if (keep == drop) return;
  for (int i = 0; i < b->claims.count; i++) {
    if (all[i].shared != drop) continue;
    all[i].shared = keep;
    all[i].sign *= side[0] * side[1];
  }
}

static void share_axis(Build* b, Link* l, int axis) {
  const V3 local[2] = {axis_of(l->X_CF[0].R, (char)('x' + axis)),
                       axis_of(l->X_CF[1].R, (char)('x' + axis))};
  l->axis[axis] = true;
  if (!is_normal(b->p, local[0])) unite(b, l, true, local);
}

static void share(Build* b, Link* l) {
  const Demands d = demands_of(l->kind);
  l->point = d.along[0] && d.along[1] && d.along[2];
  if (l->point) unite(b, l, false, (V3[2]){l->X_CF[0].p, l->X_CF[1].p});
  if (d.products == 3) {
    share_axis(b, l, 2);
    if (b->p->dim == 3 || is_normal(b->p, axis_of(l->X_CF[0].R, 'z'))) share_axis(b, l, 0);
    l->axis[0] = l->axis[1] = true;
    return;
  }
  for (int k = 0; k < 3; k++)
    if (d.across[(k + 1) % 3][k] && d.across[(k + 2) % 3][k]) share_axis(b, l, k);
}

void sar_natural_share(Build* b) {
  if (!(b->size > 0)) b->size = 1;
  for (int i = 0; i < b->nlink; i++) share(b, &b->link[i]);
}
