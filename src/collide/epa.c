// Penetration depth of two polytopes by an expanding polytope (EPA; van den Bergen 2001).
//
// D = {x_a - x_b} holds the origin if the polytopes overlap; the depth is the distance of the
// origin from the nearest face of D. A polytope P inside D, of points of D that are farthest along
// some direction (tips), has no face farther than that. The face of P nearest to the origin either
// is one of D, then it is the nearest; or D reaches beyond it, and P gets the tip found there. So
// only what is near the answer is ever looked at, and the number of rounds hardly grows with the
// number of vertices.
//
//   n, s    normal and distance of a facet of P: n.x = s,  s < 0: the origin is in front of it
//
// The origin need not be in P, nor in D: facets are taken by s with its sign. Tips that rise above
// a facet by less than FLAT of the size are taken to be in its plane; the facet found is then off
// by as much, and snap.c takes the true axis from the features that meet there.
// Balls inside balls with nearly the same centre have as many nearest faces as there are: where
// tips run out, or rounding has its way with thin facets, sweep.c does it with no such limits.
#include "collide/pairs.h"

enum { TIPS = 96, FACETS = 2 * TIPS, ROUNDS = 2 * TIPS, RIM = TIPS };
static const double FLAT = 1e-11;  // of the size
static const double SAME = 1e-9;   // of the size: depths by P and by features agree

typedef struct Tip {
  V3 w;
  int a, b;  // labels
} Tip;

typedef struct Facet {
  V3 n;
  double s;                 // HUGE_VAL: none
  short tip[3], across[3];  // across: facet beyond the edge from tip i to the next
  short mark;
} Facet;

typedef struct Rim {  // an edge between facets that a tip sees and others
  short from, to, beyond, side;
} Rim;

typedef struct Polytope {
  const Core *a, *b;
  const Xform* X;
  double flat;
  int ntip, nfacet, nspare, nseen, nrim;
  Tip tip[TIPS];
  Facet facet[FACETS];
  short spare[FACETS], seen[FACETS], fresh[TIPS];
  Rim rim[RIM];
} Polytope;

// The tip farthest along d; `near`: one that may be near, or -1.
static Tip reach(const Polytope* p, V3 d, int near) {
  const V3 back = m3_tmul_v(p->X->R, v3_neg(d));
  Tip t = {.a = 0, .b = 0};
  V3 x, y;
  if (near >= 0) {
    t.a = p->tip[near].a, t.b = p->tip[near].b;
    x = sar_core_support_near(p->a, d, &t.a);
    y = sar_core_support_near(p->b, back, &t.b);
  } else {
    x = sar_core_support(p->a, d, &t.a);
    y = sar_core_support(p->b, back, &t.b);
  }
  t.w = v3_sub(x, x_point(*p->X, y));
  return t;
}

// False: it has no area.
static bool facet_plane(const Polytope* p, Facet* f) {
  const V3 w = p->tip[f->tip[0]].w;
  const V3 n = v3_cross(v3_sub(p->tip[f->tip[1]].w, w), v3_sub(p->tip[f->tip[2]].w, w));
  const double area = v3_norm(n);
  if (!(area > p->flat * p->flat)) return false;
  f->n = v3_scale(1 / area, n);
  f->s = v3_dot(f->n, w);
  return true;
}

static double height(const Facet* f, V3 w) { return v3_dot(f->n, w) - f->s; }

// ---- the first tetrahedron -----------------------------------------------------------------

static bool start(Polytope* p, V3 d) {
  static const short TIP[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  static const short ACROSS[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  Tip* t = p->tip;
  t[0] = reach(p, d, -1);
  t[1] = reach(p, v3_neg(d), -1);
  const V3 line = v3_sub(t[1].w, t[0].w);
  if (!(v3_dot(line, line) > p->flat * p->flat)) return false;
  const V3 side = v3_perp(v3_unit(line));
  t[2] = reach(p, side, -1);
  t[3] = reach(p, v3_neg(side), -1);
  if (-v3_dot(side, v3_sub(t[3].w, t[0].w)) > v3_dot(side, v3_sub(t[2].w, t[0].w))) t[2] = t[3];
  const V3 up = v3_unit(v3_cross(line, v3_sub(t[2].w, t[0].w)));
  t[3] = reach(p, v3_neg(up), -1);
  const Tip other = reach(p, up, -1);
  const double above = v3_dot(up, v3_sub(other.w, t[0].w)),
               below = v3_dot(up, v3_sub(t[0].w, t[3].w));
  if (!(fmax(above, below) > p->flat)) return false;
  if (above > below) {  // the fourth must be behind the first three
    const Tip first = t[0];
    t[0] = t[1], t[1] = first, t[3] = other;
  }
  p->ntip = p->nfacet = 4;
  for (int f = 0; f < 4; f++) {
    Facet* g = &p->facet[f];
    for (int i = 0; i < 3; i++) g->tip[i] = TIP[f][i], g->across[i] = ACROSS[f][i];
    g->mark = -1;
    if (!facet_plane(p, g)) return false;
  }
  return true;
}

// ---- one more tip --------------------------------------------------------------------------

// Facets that the newest tip sees, and the rim around them. False: no room.
static bool find_seen(Polytope* p, int first) {
  const short mark = (short)(p->ntip - 1);
  const V3 w = p->tip[mark].w;
  p->nseen = p->nrim = 0;
  p->seen[p->nseen++] = (short)first;
  p->facet[first].mark = mark;
  for (int k = 0; k < p->nseen; k++) {
    const int f = p->seen[k];
    for (int i = 0; i < 3; i++) {
      const short g = p->facet[f].across[i];
      Facet* other = &p->facet[g];
      if (other->mark == mark) continue;
      if (height(other, w) > p->flat) {
        other->mark = mark;
        p->seen[p->nseen++] = g;
        continue;
      }
      short side = 0;
      while (side < 2 && other->tip[(side + 1) % 3] != p->facet[f].tip[i]) side++;
      if (p->nrim == RIM) return false;
      p->rim[p->nrim++] = (Rim){p->facet[f].tip[i], p->facet[f].tip[(i + 1) % 3], g, side};
    }
  }
  return true;
}

static int new_facet(Polytope* p) {
  if (p->nspare > 0) return p->spare[--p->nspare];
  return p->nfacet < FACETS ? p->nfacet++ : -1;
}

// Joins the rim to the newest tip. False: the rim is not one loop, a facet has no area, no room.
static bool close_rim(Polytope* p) {
  const short w = (short)(p->ntip - 1);
  short made[RIM];
  for (int k = 0; k < p->ntip; k++) p->fresh[k] = -1;
  for (int k = 0; k < p->nrim; k++) {
    const Rim* r = &p->rim[k];
    const int f = new_facet(p);
    if (f < 0 || p->fresh[r->from] >= 0) return false;
    p->fresh[r->from] = made[k] = (short)f;
    Facet* g = &p->facet[f];
    *g = (Facet){.tip = {r->from, r->to, w}, .across = {r->beyond, -1, -1}, .mark = -1};
    if (!facet_plane(p, g)) return false;
    p->facet[r->beyond].across[r->side] = (short)f;
  }
  for (int k = 0; k < p->nrim; k++) {
    const short next = p->fresh[p->rim[k].to];
    if (next < 0) return false;
    p->facet[made[k]].across[1] = next;
    p->facet[next].across[2] = made[k];
  }
  return true;
}

static bool add_tip(Polytope* p, int first, const Tip* t) {
  if (p->ntip == TIPS) return false;
  p->tip[p->ntip++] = *t;
  if (!find_seen(p, first)) return false;
  for (int k = 0; k < p->nseen; k++) {
    p->facet[p->seen[k]].s = HUGE_VAL;
    p->spare[p->nspare++] = p->seen[k];
  }
  return close_rim(p);
}

static int nearest(const Polytope* p) {
  int best = 0;
  for (int f = 1; f < p->nfacet; f++)
    if (p->facet[f].s < p->facet[best].s) best = f;
  return best;
}

bool sar_meet_epa(const Core* a, const Core* b, const Xform* X, Meeting* m) {
  Polytope p;
  const double scale = a->extent + b->extent;
  p.a = a, p.b = b, p.X = X;
  p.flat = FLAT * scale;
  p.nspare = 0;
  V3 d = v3_sub(x_point(*X, b->hull.centre), a->hull.centre);
  if (!(v3_norm(d) > p.flat)) d = v3(0, 0, 1);
  if (!start(&p, v3_unit(d))) return false;
  for (int round = 0; round < ROUNDS; round++) {
    const int f = nearest(&p);
    const Facet* g = &p.facet[f];
    const Tip t = reach(&p, g->n, g->tip[0]);
    if (height(g, t.w) <= p.flat) {
      // that depth from below, the same from above by the features
      const double s = g->s;
      return sar_meet_snap(a, b, X, g->n, t.a, t.b, m) && fabs(m->gap + s) <= SAME * scale;
    }
    if (!add_tip(&p, f, &t)) return false;
  }
  return false;
}
