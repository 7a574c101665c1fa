// Collision detection of a model (contacts.h): broad phase (boxes that overlap), narrow phase
// (solids), then persistence (who was there before, for the warm start).
//
// A solid is looked at as far as it may get within the step (speculative margin), so that a contact
// is known before it closes: the step can then end at the surface instead of behind it, and nothing
// tunnels. The reach of a solid is h (|v| + |w| r) of its centre, r its radius about it, and a
// hundredth of that radius, which keeps contacts of bodies that tremble alive from step to step.
#include "dynamics/contacts.h"

#include "base/block.h"
#include "base/pool.h"

#include <math.h>
#include <string.h>

static const double DEEP = 0.5;   // of the way to the middle: farther in is too far
static const double NEAR = 0.01;  // of the radius: seen though at rest

// Boxes of a heap have some 26 neighbours at most; pairs beyond the room are found, but not looked
// at.
static int pair_room(const SarModel* m) {
  const long all = (long)m->ncollider * (m->ncollider - 1) / 2, some = 32L * m->ncollider + 64;
  return (int)(all < some ? all : some);
}

static bool is_surface(const SarSolid* s) {
  return s->kind == SAR_SOLID_PLANE || s->kind == SAR_SOLID_TRIANGLES ||
         s->kind == SAR_SOLID_HEIGHTS;
}

// Planes and height fields have no other side; a surface of triangles is as thin as can be.
static double half_of_smallest_side(const SarSolid* s) {
  if (s->kind == SAR_SOLID_PLANE || s->kind == SAR_SOLID_HEIGHTS) return HUGE_VAL;
  if (s->kind == SAR_SOLID_TRIANGLES) return 0;
  const Xform origin = {m3_identity(), v3_zero()};
  const SarBounds box = sar_solid_bounds(s, &origin, 0);
  const V3 side = v3_sub(box.high, box.low);
  return 0.5 * fmin(fmin(side.x, side.y), side.z);
}

void sar_contact_search_init(SarContactSearch* p, const SarModel* m, SarBlock* b) {
  const int n = m->ncollider, most = m->ncontact;
  *p = (SarContactSearch){0};
  if (n == 0) return;
  void* broad = SAR_BYTES(b, sar_broad_bytes(n));
  SAR_PIECE(b, p->item, n);
  SAR_PIECE(b, p->bounds, n);
  SAR_PIECE(b, p->X, n);
  SAR_PIECE(b, p->reach, n);
  SAR_PIECE(b, p->speed, n);
  SAR_PIECE(b, p->thin, n);
  SAR_PIECE(b, p->pair, pair_room(m));
  SAR_PIECE(b, p->before, most);
  SAR_PIECE(b, p->touch, most + 1);
  if (!b->memory) return;
  p->broad = sar_broad_init(broad, n);
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* c = &m->collider[i];
    p->item[i] = (SarBroadItem){c->body, c->group, c->with, is_surface(&c->solid)};
    p->thin[i] = half_of_smallest_side(&c->solid);
    if (c->body < 0) p->X[i] = c->X_BS;
  }
}

// ---- pairs --------------------------------------------------------------------------------------

static bool is_apart(const void* context, int a, int b) { return !sar_may_touch(context, a, b); }

static void place_solids(const SarModel* m, const SarData* d, SarContactSearch* p, double h) {
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* c = &m->collider[i];
    const double near = isfinite(c->solid.radius) ? c->solid.radius : 0;
    if (c->body >= 0) {
      const Motion V = d->body_V[c->body];
      const V3 centre = v3_add(V.v, v3_cross(V.w, c->X_BS.p));
      p->X[i] = x_mul(d->body_X_GB[c->body], c->X_BS);
      const double speed = v3_norm(centre) + v3_norm(V.w) * near;
      p->speed[i] = isfinite(c->solid.radius) ? speed : HUGE_VAL;
      p->reach[i] = h * speed + NEAR * near;
    } else {
      p->speed[i] = p->reach[i] = 0;
    }
    p->bounds[i] = sar_solid_bounds(&c->solid, &p->X[i], p->reach[i]);
  }
}

// ---- matching -----------------------------------------------------------------------------------

static bool is_same(V3 a, V3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Contacts of one face take the tangents of the first of them, so that they can be solved together
// (points.h); that one takes the tangent that it had, turned into the new plane. last, old:
// Nullable.
static V3 tangent_of(const SarContact* c, const SarContact* last, const SarContact* old) {
  if (last && last->a == c->a && last->b == c->b && is_same(last->normal, c->normal))
    return last->tangent;
  if (!old) return v3_perp(c->normal);
  const V3 t = v3_axpy(-v3_dot(old->tangent, c->normal), c->normal, old->tangent);
  const double length = v3_norm(t);
  return length > 0.1 ? v3_scale(1 / length, t) : v3_perp(c->normal);
}

// Three components along the old normal and tangents, along the new ones.
static void turn(const SarContact* old, const double* from, const SarContact* c, double* to) {
  const V3 x = v3_axpy(from[1], old->tangent, v3_scale(from[2], sar_contact_tangent2(old)));
  to[0] = from[0];
  to[1] = v3_dot(x, c->tangent);
  to[2] = v3_dot(x, sar_contact_tangent2(c));
}

// Impulses of the last step, along and about the normal and the new tangents, and speeds likewise.
static void remember(SarContact* c, const SarContact* old) {
  for (int k = 0; k < SAR_CONTACT_ROWS; k += 3) turn(old, &old->p[k], c, &c->p[k]);
  turn(old, old->u, c, c->u);
  c->step = old->step;
  c->rest = old->rest;
}

static bool comes_before(const SarContact* c, int a, int b) {
  return c->a < a || (c->a == a && c->b < b);
}

static void keep(const SarModel* m, SarData* d, SarContactSearch* p, SarBroadPair pair,
                 const SarTouch* touch, const SarContact* old, const SarContact* end) {
  if (d->ncontact == m->ncontact) {
    p->missed++;
    return;
  }
  SarContact* c = &d->contact[d->ncontact++];
  *c = (SarContact){.a = pair.a,
                    .b = pair.b,
                    .feature = touch->feature,
                    .point = touch->point,
                    .normal = touch->normal,
                    .gap = touch->gap};
  while (old < end && old->a == pair.a && old->b == pair.b && old->feature != touch->feature) old++;
  const bool known = old < end && old->a == pair.a && old->b == pair.b;
  c->tangent = tangent_of(c, d->ncontact > 1 ? c - 1 : NULL, known ? old : NULL);
  if (known) remember(c, old);
}

// ---- several threads ----------------------------------------------------------------------------
//
// Each takes a row of pairs; what they find is kept in the order of the pairs, as by one.

enum { WORTH_IT = 24 };  // pairs

void sar_contact_search_share(SarContactSearch* p, const SarModel* m, int threads, SarBlock* b) {
  if (threads < 2 || m->ncollider == 0) return;
  p->threads = threads;
  SAR_PIECE(b, p->share, (size_t)threads * 2 * (size_t)(m->ncontact + 1));
  SAR_PIECE(b, p->count, pair_room(m));
}

static bool rests(const SarModel* m, const SarContactSearch* p, SarBroadPair pair) {
  return sar_pair_rests(m, p->rest, pair.a, pair.b);
}

static int meet(const SarModel* m, const SarContactSearch* p, SarBroadPair pair, SarTouch* touch) {
  if (p->asked && !p->asked(p->context, pair.a, pair.b)) return 0;
  return sar_collide(&m->collider[pair.a].solid, &p->X[pair.a], &m->collider[pair.b].solid,
                     &p->X[pair.b], p->reach[pair.a] + p->reach[pair.b], touch, m->ncontact + 1);
}

typedef struct Sharing {
  const SarModel* m;
  SarContactSearch* p;
} Sharing;

static int first_of(const SarContactSearch* p, int who) {
  return (int)((long)p->pairs * who / p->threads);
}

static SarTouch* found_by(const SarModel* m, const SarContactSearch* p, int who) {
  return &p->share[((size_t)who * 2 + 1) * (size_t)(m->ncontact + 1)];
}

static void meet_share(void* context, int who) {
  const Sharing* s = context;
  SarContactSearch* p = s->p;
  const int room = s->m->ncontact + 1, end = first_of(p, who + 1);
  SarTouch *all = found_by(s->m, p, who), *touch = all - room;
  int used = 0;
  for (int i = first_of(p, who); i < end; i++) {
    const int n = rests(s->m, p, p->pair[i]) ? 0 : meet(s->m, p, p->pair[i], touch);
    p->count[i] = used + n <= room ? n : -1;
    if (p->count[i] <= 0) continue;
    memcpy(&all[used], touch, (size_t)n * sizeof *touch);
    used += n;
  }
}

// Nothing has moved: the contacts that it had.
static void keep_all(const SarModel* m, SarData* d, SarContactSearch* p, SarBroadPair pair,
                     const SarContact* old, const SarContact* end) {
  for (; old < end && old->a == pair.a && old->b == pair.b; old++) {
    if (d->ncontact == m->ncontact)
      p->missed++;
    else
      d->contact[d->ncontact++] = *old;
  }
}

// The touches of pair i, those of the pairs before it being taken: *from moves on in the share of
// *who.
static const SarTouch* touches_of(const SarModel* m, SarContactSearch* p, int i, int* who,
                                  const SarTouch** from, int* n) {
  if (!*from) {
    *n = meet(m, p, p->pair[i], p->touch);
    return p->touch;
  }
  while (i >= first_of(p, *who + 1)) *from = found_by(m, p, ++*who);
  *n = p->count[i];
  if (*n < 0) {
    *n = meet(m, p, p->pair[i], p->touch);
    return p->touch;
  }
  const SarTouch* touch = *from;
  *from += *n;
  return touch;
}

void sar_find_contacts(const SarModel* m, SarData* d, SarContactSearch* p, double h) {
  if (m->ncollider == 0) return;
  const int before = d->ncontact, room = pair_room(m);
  memcpy(p->before, d->contact, (size_t)before * sizeof *p->before);
  const SarContact *old = p->before, *end = p->before + before;
  d->ncontact = 0;
  place_solids(m, d, p, h);
  const int found = sar_broad_pairs(p->broad, p->item, p->bounds, is_apart, m, p->pair, room);
  p->pairs = found < room ? found : room;
  p->missed += found - p->pairs;
  Sharing sharing = {m, p};
  int who = 0, n;
  const bool shared = p->pool && p->pairs >= WORTH_IT;
  const SarTouch* from = shared ? found_by(m, p, 0) : NULL;
  if (shared) sar_pool_run(p->pool, p->threads, meet_share, &sharing);
  for (int i = 0; i < p->pairs; i++) {
    const SarBroadPair pair = p->pair[i];
    while (old < end && comes_before(old, pair.a, pair.b)) old++;
    if (rests(m, p, pair)) {
      keep_all(m, d, p, pair, old, end);
      continue;
    }
    const SarTouch* touch = touches_of(m, p, i, &who, &from, &n);
    for (int k = 0; k < n; k++) keep(m, d, p, pair, &touch[k], old, end);
  }
}

bool sar_may_pass(const SarContactSearch* p, double h) {
  for (int i = 0; i < p->pairs; i++) {
    const int a = p->pair[i].a, b = p->pair[i].b;
    if (h * (p->speed[a] + p->speed[b]) > DEEP * (p->thin[a] + p->thin[b])) return true;
  }
  return false;
}
