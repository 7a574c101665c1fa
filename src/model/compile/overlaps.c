// What overlaps at the start.
//
// Hulls around the links of a robot often reach into those of links that are not its neighbours:
// contact would press against joints that cannot give way. Two links of one mechanism that overlap
// at the start are said to, once, and do not touch from then on, unless the file says
// `contact: {overlapping: keep}`. Bodies that are free of each other are said to overlap, and
// pushed apart. Positions are those that the file asks for; where loops have yet to be closed from
// other positions than those of the design, or equations for the start to be solved, nothing is
// known and nothing is said.
#include "collide/collide.h"
#include "model/compile/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEEP = 1e-3;  // of the smaller solid: less is no overlap to speak of
enum { TOLD = 12, POINTS = 64 };

typedef struct Placed {
  int collider;
  Xform X;
  SarBounds box;
} Placed;

typedef struct Overlap {
  int a, b;  // colliders of different holders; the deepest of the pair
  double depth;
} Overlap;

typedef struct Search {
  Compile* c;
  int* up;  // a forest over the bodies of the file: those that joints connect
  SAR_LIST(Overlap) found;
} Search;

static int root_of(int* up, int i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static void connect(const Compile* c, int* up) {
  for (int i = 0; i < c->nbody; i++) up[i] = i;
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (!p->sound || p->body[0] < 0 || p->body[1] < 0 || p->kind->nv >= 6) continue;
    if (p->spec && sar_gate_given(&p->spec->gate)) continue;  // not always there
    const int a = root_of(up, c->body[p->body[0]].number),
              b = root_of(up, c->body[p->body[1]].number);
    up[a > b ? a : b] = a > b ? b : a;
  }
}

static int by_left(const void* pa, const void* pb) {
  const Placed *a = pa, *b = pb;
  if (a->box.low.x != b->box.low.x) return a->box.low.x < b->box.low.x ? -1 : 1;
  return (a->collider > b->collider) - (a->collider < b->collider);
}

static bool boxes_overlap(const SarBounds* a, const SarBounds* b) {
  return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
         b->low.z <= a->high.z;
}

static double depth_of(const SarSolid* a, const Xform* X_a, const SarSolid* b, const Xform* X_b) {
  SarTouch touch[POINTS];
  double depth = 0;
  const int n = sar_collide(a, X_a, b, X_b, 0, touch, POINTS);
  for (int i = 0; i < n; i++) depth = fmax(depth, -touch[i].gap);
  return depth > DEEP * fmin(a->radius, b->radius) ? depth : 0;
}

// One entry for two bodies, whatever number of solids they have.
static bool take(Search* s, const Placed* p, const Placed* q) {
  const SarModel* m = &s->c->m;
  const bool turned = p->collider > q->collider;
  const int i = turned ? q->collider : p->collider, j = turned ? p->collider : q->collider;
  if (!sar_may_touch(m, i, j)) return true;
  const SarCollider *a = &m->collider[i], *b = &m->collider[j];
  const double depth =
      depth_of(&a->solid, turned ? &q->X : &p->X, &b->solid, turned ? &p->X : &q->X);
  if (!(depth > 0)) return true;
  for (int k = 0; k < s->found.count; k++) {
    Overlap* o = &s->found.items[k];
    const SarCollider *c = &m->collider[o->a], *d = &m->collider[o->b];
    const bool same = (c->holder == a->holder && d->holder == b->holder) ||
                      (c->holder == b->holder && d->holder == a->holder);
    if (!same) continue;
    if (depth > o->depth) *o = (Overlap){i, j, depth};
    return true;
  }
  Overlap* o = SAR_LIST_ADD(&s->c->arena, &s->found);
  if (o) *o = (Overlap){i, j, depth};
  return o != NULL;
}

// Sweep and prune along x.
static bool search(Search* s) {
  Compile* c = s->c;
  const SarModel* m = &c->m;
  Xform* X_GB = SAR_ARENA_ARRAY(&c->arena, Xform, m->nbody + 1);
  Placed* placed = SAR_ARENA_ARRAY(&c->arena, Placed, m->ncollider);
  if (c->arena.failed) return false;
  sar_poses_at(m, m->q0, X_GB);
  int n = 0;
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* k = &m->collider[i];
    if (k->body >= m->nbody) continue;
    Placed* p = &placed[n];
    *p = (Placed){.collider = i, .X = k->body < 0 ? k->X_BS : x_mul(X_GB[k->body], k->X_BS)};
    p->box = sar_solid_bounds(&k->solid, &p->X, 0);
    n += isfinite(p->X.p.x + p->X.p.y + p->X.p.z);
  }
  qsort(placed, (size_t)n, sizeof *placed, by_left);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n && placed[j].box.low.x <= placed[i].box.high.x; j++)
      if (boxes_overlap(&placed[i].box, &placed[j].box) && !take(s, &placed[i], &placed[j]))
        return false;
  return true;
}

// Does a joint between them say `contact`? Then somebody has thought of it.
static bool is_asked_for(const Compile* c, int a, int b) {
  for (int j = 0; j < c->njoint_spec; j++) {
    const JointPart* p = &c->joint[j];
    if (!p->spec || !p->spec->contact.expr || p->body[0] < 0 || p->body[1] < 0) continue;
    const int k = c->body[p->body[0]].number, l = c->body[p->body[1]].number;
    if ((k == a && l == b) || (k == b && l == a)) return true;
  }
  return false;
}

static bool are_links(Search* s, const Overlap* o) {
  const int a = s->c->m.collider[o->a].holder, b = s->c->m.collider[o->b].holder;
  return a >= 0 && b >= 0 && root_of(s->up, a) == root_of(s->up, b) && !is_asked_for(s->c, a, b);
}

static Item item_of(const Compile* c, int holder) {
  for (int i = 0; i < c->nbody; i++)
    if (c->body[i].number == holder) return c->body[i].item;
  return (Item){"body", "ground", c->spec->ground_touch.loc};
}

static void tell(Search* s, const Overlap* o, bool apart) {
  Compile* c = s->c;
  const SarCollider *a = &c->m.collider[o->a], *b = &c->m.collider[o->b];
  const bool second = a->holder < 0;  // what is said of the ground is said of the body
  const Item item = item_of(c, second ? b->holder : a->holder),
             other = item_of(c, second ? a->holder : b->holder);
  if (apart)
    sar_remark(c, item, item.loc, "contact: {overlapping: keep} lets them touch all the same",
               "contact: at the start it overlaps '%s' by %.3g m: the two do not touch", other.name,
               o->depth);
  else
    sar_remark(c, item, item.loc, "",
               "contact: at the start it overlaps '%s' by %.3g m: they are pushed apart",
               other.name, o->depth);
}

static int by_pair(const void* pa, const void* pb) {
  const SarApart *a = pa, *b = pb;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

// The pairs of links join those that the file keeps apart.
static bool keep_apart(Search* s) {
  SarModel* m = &s->c->m;
  SarApart* list = SAR_ARENA_ARRAY(&s->c->arena, SarApart, m->nignored + s->found.count + 1);
  if (!list) return false;
  int n = m->nignored;
  if (n) memcpy(list, m->ignored, (size_t)n * sizeof *list);
  for (int k = 0; k < s->found.count; k++) {
    if (!are_links(s, &s->found.items[k])) continue;
    const int a = m->collider[s->found.items[k].a].holder,
              b = m->collider[s->found.items[k].b].holder;
    list[n++] = a < b ? (SarApart){a, b} : (SarApart){b, a};
  }
  qsort(list, (size_t)n, sizeof *list, by_pair);
  m->ignored = list;
  m->nignored = n;
  return true;
}

// False: links that overlap stay as they are.
static bool is_wanted(Compile* c) {
  const SpecName word = c->spec->contact.overlapping;
  if (!word.text || strcmp(word.text, "ignore") == 0) return true;
  if (strcmp(word.text, "keep") == 0) return false;
  const Item item = {"block", "contact", word.loc};
  sar_complain(c, item, word.loc, "write 'ignore' (default) or 'keep'",
               "overlapping: '%s' is unknown", word.text);
  return false;
}

bool sar_start_is_known(const Compile* c) {
  const SarModel* m = &c->m;
  if (c->spec->initial.count > 0) return false;
  return m->ncut == 0 || memcmp(m->q0, m->q_zero, sizeof(double) * (size_t)m->nq) == 0;
}

bool sar_compile_overlaps(Compile* c) {
  const bool apart = is_wanted(c);
  if (c->m.ncollider == 0 || !sar_compile_sound(c) || !sar_start_is_known(c)) return true;
  Search s = {.c = c, .up = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1)};
  if (!s.up) return false;
  connect(c, s.up);
  if (!search(&s)) return false;
  for (int k = 0; k < s.found.count && k < TOLD; k++)
    tell(&s, &s.found.items[k], apart && are_links(&s, &s.found.items[k]));
  if (s.found.count > TOLD) {
    const Item item = {"block", "contact", {c->spec->file, 0, 0}};
    sar_remark(c, item, item.loc, "", "%d more pairs overlap at the start", s.found.count - TOLD);
  }
  return !apart || keep_apart(&s);
}
