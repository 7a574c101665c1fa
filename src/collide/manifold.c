// Contact manifold by clipping: the points where two features face each other.
//
// Seen along the normal n of the meeting, the face that looks most along n is the reference; the
// other feature is cut off at its edges (Sutherland and Hodgman 1974) and every corner left has the
// gap along n to the reference face. The deepest point is then among them: a corner over a face is
// a corner of what is left, and where two edges cross seen along n, the cut has a corner. So it
// does not matter for the points which axis n came from, and a contact keeps its points when n
// changes from the normal of a face to a nearby axis of edges.
//
// A corner knows its id: a vertex of either solid, or the crossing of an edge of each; which face
// is the reference does not show. A vertex within BAND of an edge counts as inside, so that boxes
// stacked flush keep theirs.
#include "collide/pairs.h"

static const double ALIGNED = 0.99;      // cos 8 degrees: a face that far from n is not faced
static const double BAND = 1e-4;         // of the size of the solids
static const double SAME_DEPTH = 1e-10;  // of the size: the meeting's point is there already

// a corner of the cut polygon in (u, v, height along the outward direction of the reference)
typedef struct Cut {
  double x, y, z;
  unsigned feature;
  int edge;  // label of the edge that leaves it; of the reference: SAR_LABELS + index
} Cut;

typedef struct Frame {
  V3 u, v, up;
} Frame;

static Cut cut_of(const Frame* f, V3 p) {
  return (Cut){.x = v3_dot(f->u, p), .y = v3_dot(f->v, p), .z = v3_dot(f->up, p)};
}

// One edge of the reference: the outside is where nx x + ny y > offset. Not normalised: the band
// grows with its length, measured as |nx| + |ny|.
typedef struct Side {
  double nx, ny, offset, band;
} Side;

static double outside(const Side* s, const Cut* c) {
  return s->nx * c->x + s->ny * c->y - s->offset;
}

typedef struct Reference {
  const Feature* f;
  bool is_a;
  Side side[FEATURE_MOST];
  double z0, zx, zy;  // its height: z0 + zx x + zy y
} Reference;

// Its edges as half planes in (u, v), and its plane as a height over them: n.z is at least ALIGNED.
static void reference_init(Reference* r, const Feature* f, bool is_a, const Frame* frame,
                           double band) {
  r->f = f;
  r->is_a = is_a;
  Cut p[FEATURE_MOST];
  for (int i = 0; i < f->n; i++) p[i] = cut_of(frame, f->p[i]);
  for (int i = 0; i < f->n; i++) {
    const Cut *a = &p[i], *b = &p[i + 1 < f->n ? i + 1 : 0];
    double nx = b->y - a->y, ny = a->x - b->x;
    r->side[i] = (Side){nx, ny, nx * a->x + ny * a->y, band * (fabs(nx) + fabs(ny))};
  }
  V3 n = {v3_dot(frame->u, f->normal), v3_dot(frame->v, f->normal), v3_dot(frame->up, f->normal)};
  r->zx = -n.x / n.z;
  r->zy = -n.y / n.z;
  r->z0 = p[0].z - r->zx * p[0].x - r->zy * p[0].y;
}

static unsigned own_feature(bool is_a, int vertex) {
  return is_a ? feature_of_a(vertex) : feature_of_b(vertex);
}

// where the polygon's edge `edge` meets side j of the reference
static unsigned crossing_feature(const Reference* r, int edge, int j) {
  if (edge < SAR_LABELS)
    return r->is_a ? feature_cross(r->f->edge[j], edge) : feature_cross(edge, r->f->edge[j]);
  int i = edge - SAR_LABELS;  // two sides of the reference: the corner where the later one starts
  bool next = j == (i + 1 < r->f->n ? i + 1 : 0);
  return own_feature(r->is_a, r->f->vertex[next ? j : i]);
}

static Cut crossing(const Cut* a, const Cut* b, double da, double db) {
  double t = da / (da - db);
  return (Cut){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), a->z + t * (b->z - a->z), 0, 0};
}

// -1: nothing is cut off
static int cut_polygon(const Reference* r, int j, const Cut* in, int n, Cut* out) {
  double d[2 * FEATURE_MOST], band = r->side[j].band;
  bool cuts = false;
  for (int i = 0; i < n; i++) {
    d[i] = outside(&r->side[j], &in[i]);
    cuts = cuts || d[i] > band;
  }
  if (!cuts) return -1;
  int m = 0;
  for (int i = 0; i < n; i++) {
    int k = i + 1 < n ? i + 1 : 0;
    bool here = d[i] <= band, there = d[k] <= band;
    if (here && m < 2 * FEATURE_MOST) out[m++] = in[i];
    if (here == there) continue;
    int leaving = here ? SAR_LABELS + j : in[i].edge;
    if (fabs(d[here ? i : k]) <= band) {
      // the corner inside lies on the side itself and stands for the crossing
      if (here) out[m - 1].edge = leaving;
    } else if (m < 2 * FEATURE_MOST) {
      out[m] = crossing(&in[i], &in[k], d[i], d[k]);
      out[m].feature = crossing_feature(r, in[i].edge, j);
      out[m++].edge = leaving;
    }
  }
  return m;
}

// Side after side. Each cut adds at most one corner to a convex polygon.
static int clip_polygon(const Reference* r, const Feature* f, const Frame* frame, Cut* out) {
  Cut room[2][2 * FEATURE_MOST];
  int n = f->n, now = 0;
  for (int i = 0; i < n; i++) {
    room[0][i] = cut_of(frame, f->p[i]);
    room[0][i].feature = own_feature(!r->is_a, f->vertex[i]);
    room[0][i].edge = f->edge[i];
  }
  for (int j = 0; j < r->f->n && n > 0; j++) {
    int m = cut_polygon(r, j, room[now], n, room[!now]);
    if (m >= 0) n = m, now = !now;
  }
  for (int i = 0; i < n; i++) out[i] = room[now][i];
  return n;
}

// The same for an edge: its two ends move inwards.
static int clip_segment(const Reference* r, const Feature* f, const Frame* frame, Cut* out) {
  int left = 2;
  for (int i = 0; i < 2; i++) {
    out[i] = cut_of(frame, f->p[i]);
    out[i].feature = own_feature(!r->is_a, f->vertex[i]);
  }
  for (int j = 0; j < r->f->n; j++) {
    double d[2] = {outside(&r->side[j], &out[0]), outside(&r->side[j], &out[1])};
    double band = r->side[j].band;
    if (d[0] > band && d[1] > band) return 0;
    int outer = d[1] > d[0];
    if (d[outer] <= band) continue;
    if (d[!outer] > -band) {  // the other end is on the side itself: a point is left
      out[outer] = out[!outer];
      left = 1;
    } else {
      out[outer] = crossing(&out[0], &out[1], d[0], d[1]);
      out[outer].feature = crossing_feature(r, f->edge[0], j);
    }
  }
  return left;
}

// what is left of `other` over the face `ref`, with gaps along n; n = 1 leaves nothing: its point
// is the meeting's own
static int face_spots(const Feature* ref, const Feature* other, bool is_a, V3 n, double band,
                      double limit, Spot* out) {
  Frame frame = {.up = is_a ? n : v3_neg(n)};
  frame.u = v3_perp(frame.up);
  frame.v = v3_cross(frame.up, frame.u);
  Reference r;
  reference_init(&r, ref, is_a, &frame, band);
  Cut cut[2 * FEATURE_MOST];
  int num = 0, m = 0;
  if (other->n > 2)
    num = clip_polygon(&r, other, &frame, cut);
  else if (other->n == 2)
    num = clip_segment(&r, other, &frame, cut);
  for (int i = 0; i < num; i++) {
    const Cut* c = &cut[i];
    double ground = r.z0 + r.zx * c->x + r.zy * c->y, gap = c->z - ground;
    if (!(gap <= limit)) continue;
    V3 p = v3_add(v3_scale(c->x, frame.u), v3_scale(c->y, frame.v));
    out[m++] = (Spot){v3_axpy(0.5 * (c->z + ground), frame.up, p), gap, c->feature};
  }
  return m;
}

typedef struct Segment {
  V3 p[2];
  int vertex[2];
} Segment;

// the edge of a feature that looks most in direction d; false: it has none
static bool edge_towards(const Feature* f, V3 d, Segment* out) {
  if (f->n < 2 || (f->round && f->n > 2)) return false;
  int best = 0;
  double most = -HUGE_VAL;
  for (int i = 0; i < f->n; i++) {
    double reach = v3_dot(d, v3_add(f->p[i], f->p[i + 1 < f->n ? i + 1 : 0]));
    if (reach > most) most = reach, best = i;
  }
  int next = best + 1 < f->n ? best + 1 : 0;
  *out = (Segment){{f->p[best], f->p[next]}, {f->vertex[best], f->vertex[next]}};
  return true;
}

// Edges side by side touch along the stretch they share: its two ends.
static int segment_spots(const Segment* a, const Segment* b, V3 n, double limit, Spot* out) {
  V3 da = v3_sub(a->p[1], a->p[0]), db = v3_sub(b->p[1], b->p[0]);
  V3 c = v3_cross(da, db);
  double aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db);
  const double sine2 = 1 - ALIGNED * ALIGNED;
  if (!(v3_dot(c, c) <= sine2 * aa * bb) || !(aa > 0) || !(bb > 0)) return 0;
  // along a: from 0 to 1; the ends of b at e
  V3 r = v3_sub(b->p[0], a->p[0]);
  double e[2] = {v3_dot(r, da) / aa, (v3_dot(r, da) + ab) / aa};
  int first = e[0] > e[1];
  int m = 0;
  for (int k = 0; k < 2; k++) {
    int end = k == 0 ? first : !first;  // of b: the one with less of e first
    bool of_a = k == 0 ? e[end] < 0 : e[end] > 1;
    double t = of_a ? k : e[end];
    if (t < 0 || t > 1) return 0;
    V3 pa = v3_axpy(t, da, a->p[0]);
    double s = of_a ? v3_dot(v3_sub(pa, b->p[0]), db) / bb : end;
    if (!(s >= -1e-9 && s <= 1 + 1e-9)) return 0;
    V3 pb = v3_axpy(s, db, b->p[0]);
    double gap = v3_dot(n, v3_sub(pb, pa));
    if (gap <= limit)
      out[m++] = (Spot){v3_scale(0.5, v3_add(pa, pb)), gap,
                        of_a ? feature_of_a(a->vertex[k]) : feature_of_b(b->vertex[end])};
  }
  return m;
}

// Two faces, a face and an edge, or two edges: what faces each other along the normal.
static int features_facing(const Feature* a, const Feature* b, V3 normal, double scale,
                           double limit, Spot* out) {
  double along_a = a->n > 2 ? v3_dot(normal, a->normal) : -1;
  double along_b = b->n > 2 ? -v3_dot(normal, b->normal) : -1;
  // a is the reference unless b is clearly better: ties must not flicker
  if (along_a >= ALIGNED && along_a > along_b - 1e-6)
    return face_spots(a, b, true, normal, BAND * scale, limit, out);
  if (along_b >= ALIGNED) return face_spots(b, a, false, normal, BAND * scale, limit, out);
  Segment ea, eb;
  if (!edge_towards(a, normal, &ea) || !edge_towards(b, v3_neg(normal), &eb)) return 0;
  return segment_spots(&ea, &eb, normal, limit, out);
}

int sar_manifold(const Core* a, const Core* b, const Xform* X, const Meeting* m, double limit,
                 Spot* out, bool* reached) {
  Feature fa, fb;
  Xform here = x_identity();
  sar_feature_find(a, &here, m->normal, &fa);
  sar_feature_find(b, X, v3_neg(m->normal), &fb);
  double scale = a->extent + b->extent, least = HUGE_VAL;
  int n = features_facing(&fa, &fb, m->normal, scale, limit, out);
  for (int i = 0; i < n; i++)
    if (out[i].gap < least) least = out[i].gap;
  *reached = least <= m->gap + SAME_DEPTH * scale;
  if (!*reached && m->gap <= limit) out[n++] = (Spot){m->point, m->gap, m->feature};
  return n;
}
