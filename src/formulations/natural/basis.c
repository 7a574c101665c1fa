// The coordinates of a part: a point i0 and directions g_k, k = 1..3 (planar: one), each a vector
// item or the way from i0 to another point. With their components in C, g_k = G_k1 e1 + G_k2 e2 +
// G_k3 e3,
//
//   e = G^-1 g,   p = i0 - r1 e1 - r2 e2 - r3 e3,      r = i0 in C
//
// give origin and axes of C as forms; planar, with complex numbers for vectors of the plane,
// e1 = g / G, e2 = n x e1.
//
// The directions are picked from what joints left in the part, the most independent first; what is
// missing or badly conditioned is added as a unit vector of the part's own. The part stays rigid by
// g_j . g_k = const (6 equations for 12 coordinates, 1 for 4); further items of the part hang on
// these by linear equations.
#include "formulations/natural/build.h"

static const double INDEPENDENT = 0.1;  // sine of the angle to those picked before, times reach

typedef struct Basis {
  int claim[4];  // point, then directions
  V3 g[3];       // in C
  int num;       // directions needed
} Basis;

static V3 direction_of(const Build* b, int origin, int claim) {
  const Claim* c = &b->claims.items[claim];
  return c->vector ? c->local : v3_sub(c->local, b->claims.items[origin].local);
}

static int find_origin(Build* b, int part) {
  for (int k = 0; k < b->claims.count; k++)
    if (b->claims.items[k].part == part && !b->claims.items[k].vector) return k;
  // none: the mass centre of its first body
  const int body = b->p->part[part].body;
  const Inertia* I = &b->m->body_inertia[body];
  const V3 c = I->m > 0 ? v3_scale(1 / I->m, I->h) : v3_zero();
  return sar_natural_claim(b, part, false, x_point(b->p->body_X_CB[body], c));
}

static double reach_of(const Build* b, int part, int origin) {
  double reach = 0;
  for (int k = 0; k < b->claims.count; k++) {
    const Claim* c = &b->claims.items[k];
    if (c->part == part && !c->vector) reach = fmax(reach, v3_norm(direction_of(b, origin, k)));
  }
  return reach;
}

// The part of g that the orthonormal e[0..n) do not span.
static V3 residue(const V3* e, int n, V3 g) {
  for (int k = 0; k < n; k++) g = v3_axpy(-v3_dot(e[k], g), e[k], g);
  return g;
}

static V3 free_direction(const SarNatural* p, const V3* e, int n) {
  if (n == 0) return v3(1, 0, 0);
  if (n == 2) return v3_cross(e[0], e[1]);
  return p->dim == 2 ? sar_nat_turned(e[0]) : v3_perp(e[0]);
}

static Basis pick(Build* b, int part) {
  Basis s = {.claim = {find_origin(b, part), -1, -1, -1}, .num = b->p->dim == 3 ? 3 : 1};
  if (s.claim[0] < 0) return s;
  const double reach = reach_of(b, part, s.claim[0]);
  V3 e[3];
  for (int n = 0; n < s.num; n++) {
    int best = -1;
    double most = INDEPENDENT;
    for (int k = 0; k < b->claims.count; k++) {
      const Claim* c = &b->claims.items[k];
      if (c->part != part || k == s.claim[0]) continue;
      const double scale = c->vector ? 1 : reach;
      const double score = v3_norm(residue(e, n, direction_of(b, s.claim[0], k))) / scale;
      if (score > most * (1 + 1e-6)) best = k, most = score;
    }
    if (best < 0) best = sar_natural_claim(b, part, true, free_direction(b->p, e, n));
    if (best < 0) return s;
    s.claim[n + 1] = best;
    s.g[n] = direction_of(b, s.claim[0], best);
    e[n] = v3_unit(residue(e, n, s.g[n]));
  }
  return s;
}

// ---- items --------------------------------------------------------------------------------------

static void make_items(Build* b) {
  SarNatural* p = b->p;
  b->class = SAR_ARENA_ARRAY(b->arena, Class, b->nclass + 1);
  p->item = SAR_ARENA_ARRAY(&p->arena, SarNatItem, b->nclass + b->m->nv + 1);
  if (b->arena->failed || p->arena.failed) return;
  for (int k = 0; k < b->nclass; k++) b->class[k].item = -2;  // nobody's
  for (int k = 0; k < b->claims.count; k++) {
    const Claim* c = &b->claims.items[k];
    if (c->part != 0) continue;
    b->class[c->shared] = (Class){-1, c->vector ? v3_scale(c->sign, c->local) : c->local};
  }
  for (int k = 0; k < b->claims.count; k++) {
    const Claim* c = &b->claims.items[k];
    if (b->class[c->shared].item != -2) continue;
    b->class[c->shared].item = p->nitem;
    p->item[p->nitem++] = (SarNatItem){.part = c->part,
                                       .w = c->vector ? 0 : 1,
                                       .local = c->vector ? v3_scale(c->sign, c->local) : c->local,
                                       .body = p->part[c->part].body};
  }
}

static SarNatForm form_of_claim(const Build* b, int claim) {
  const Claim* c = &b->claims.items[claim];
  return sar_form_class(b, c->shared, c->vector ? c->sign : 1);
}

static SarNatForm form_of_direction(const Build* b, const Basis* s, int k) {
  SarNatForm f = form_of_claim(b, s->claim[k + 1]), origin = form_of_claim(b, s->claim[0]);
  return b->claims.items[s->claim[k + 1]].vector ? f : sar_form_difference(&f, &origin);
}

// ---- forms of a part ----------------------------------------------------------------------------

static void spatial_axes(const Basis* s, const SarNatForm* g, SarNatForm* y) {
  // rows of G are g_k; the inverse has the reciprocal vectors as columns
  const V3 r[3] = {v3_cross(s->g[1], s->g[2]), v3_cross(s->g[2], s->g[0]),
                   v3_cross(s->g[0], s->g[1])};
  const double volume = v3_dot(s->g[0], r[0]);
  for (int k = 0; k < 3; k++) {
    const double c[3] = {r[k].x / volume, r[k].y / volume, r[k].z / volume};
    for (int i = 0; i < 3; i++) sar_form_add(&y[1 + i], c[i], 0, &g[k]);
  }
}

static void planar_axes(const Basis* s, const SarNatForm* g, SarNatForm* y) {
  const V3 G = s->g[0];
  const double square = G.x * G.x + G.y * G.y;
  sar_form_add(&y[1], G.x / square, -G.y / square, &g[0]);
  y[1].constant.z = 0;
  sar_form_add(&y[2], 0, 1, &y[1]);
  y[3] = sar_form_constant(v3(0, 0, 1));
}

static void make_forms(Build* b, int part, const Basis* s) {
  SarNatForm* y = b->p->part[part].y;
  SarNatForm g[3];
  const SarNatForm origin = form_of_claim(b, s->claim[0]);
  const V3 r = b->claims.items[s->claim[0]].local;
  for (int k = 0; k < s->num; k++) g[k] = form_of_direction(b, s, k);
  if (b->p->dim == 3)
    spatial_axes(s, g, y);
  else
    planar_axes(s, g, y);
  sar_form_add(&y[0], 1, 0, &origin);
  sar_form_add(&y[0], -r.x, 0, &y[1]);
  sar_form_add(&y[0], -r.y, 0, &y[2]);
  if (b->p->dim == 3)
    sar_form_add(&y[0], -r.z, 0, &y[3]);
  else
    y[0].constant.z = b->part_X[part].p.z;
}

static void ground_forms(SarNatural* p) {
  SarNatForm* y = p->part[0].y;
  y[0] = sar_form_constant(v3_zero());
  y[1] = sar_form_constant(v3(1, 0, 0));
  y[2] = sar_form_constant(v3(0, 1, 0));
  y[3] = sar_form_constant(v3(0, 0, 1));
}

// ---- equations ----------------------------------------------------------------------------------

// What direction k measures: a class, or two.
static void key_of(const Build* b, const Basis* s, int k, int of[2]) {
  const Claim* c = &b->claims.items[s->claim[k + 1]];
  const int end = c->shared, start = c->vector ? -1 : b->claims.items[s->claim[0]].shared;
  of[0] = end > start ? end : start;
  of[1] = end > start ? start : end;
}

// Neighbours with two items in common would both demand the same.
static bool is_new(Build* b, const Basis* s, int j, int k) {
  RigidKey key;
  int a[2], c[2];
  key_of(b, s, j, a);
  key_of(b, s, k, c);
  const bool swap = a[0] < c[0] || (a[0] == c[0] && a[1] < c[1]);
  for (int i = 0; i < 2; i++) key.of[i] = swap ? c[i] : a[i], key.of[i + 2] = swap ? a[i] : c[i];
  for (int i = 0; i < b->keys.count; i++) {
    const int* of = b->keys.items[i].of;
    if (of[0] == key.of[0] && of[1] == key.of[1] && of[2] == key.of[2] && of[3] == key.of[3])
      return false;
  }
  RigidKey* added = SAR_LIST_ADD(b->arena, &b->keys);
  if (added) *added = key;
  return true;
}

static void keep_rigid(Build* b, int part, const Basis* s) {
  for (int j = 0; j < s->num; j++) {
    const SarNatForm f = form_of_direction(b, s, j);
    for (int k = 0; k <= j; k++) {
      const SarNatForm g = form_of_direction(b, s, k);
      if (is_new(b, s, j, k))
        sar_row_product(b, &f, &g, v3_dot(s->g[j], s->g[k]), b->p->part[part].body);
    }
  }
}

// Items of the part beyond its basis: item - (what the basis says) = 0, component by component.
static void hang_others(Build* b, int part, const Basis* s) {
  for (int k = 0; k < b->claims.count; k++) {
    const Claim* c = &b->claims.items[k];
    bool used = c->part != part;
    for (int i = 0; i <= s->num; i++) used = used || s->claim[i] == k;
    if (used) continue;
    const SarNatForm item = form_of_claim(b, k);
    const SarNatForm here =
        c->vector ? sar_form_direction(b->p, part, c->local) : sar_form_point(b->p, part, c->local);
    const SarNatForm gap = sar_form_difference(&item, &here);
    for (int i = 0; i < b->p->dim; i++) {
      const SarNatForm e = sar_form_constant(v3(i == 0, i == 1, i == 2));
      sar_row_product(b, &gap, &e, 0, b->p->part[part].body);
    }
  }
}

void sar_natural_bases(Build* b) {
  SarNatural* p = b->p;
  Basis* basis = SAR_ARENA_ARRAY(b->arena, Basis, p->npart + 1);
  if (!basis) return;
  for (int k = 1; k < p->npart; k++) basis[k] = pick(b, k);
  if (b->arena->failed) return;
  make_items(b);
  if (b->arena->failed || p->arena.failed) return;
  sar_natural_mode_items(b);
  if (p->arena.failed) return;
  ground_forms(p);
  for (int k = 1; k < p->npart; k++) make_forms(b, k, &basis[k]);
  for (int k = 1; k < p->npart; k++) {
    keep_rigid(b, k, &basis[k]);
    hang_others(b, k, &basis[k]);
  }
}
