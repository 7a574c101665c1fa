// Quickhull (Barber, Dobkin and Huhdanpaa 1996) in exact arithmetic.
//
// Every point outside is in the list of one face that sees it. The farthest point of a face's list
// becomes a vertex: the faces that see it go, and their rim is joined to it; the points of their
// lists move to the new faces. On integers of 29 bits the question whether a face sees a point,
//   D = (b - a) x (c - a) . (p - a) > 0,
// is answered exactly in 128 bits (60 for a component of the cross product, 91 for D). So the faces
// seen always form a disc with a rim that is one loop, points in a plane of a face are never
// outside, and the result is closed and convex whatever the points are: no case for round-off is
// needed.
#include "collide/hull_build.h"

#include <math.h>

__extension__ typedef __int128 Wide;

typedef struct Rim {  // an edge of the rim, counter-clockwise seen from outside
  int from, to;
  int beyond, side;  // the face that stays, and which of its edges it is
} Rim;

typedef struct Quickhull {
  const SarGridPoint* point;
  int n;
  int* next;  // in the lists of points outside
  int mark;
  SarArena* arena;
  SarHullFaces* faces;
  SAR_LIST(int) seen;
  SAR_LIST(Rim) rim;
  SAR_LIST(int) spare;  // dead faces, to be used again
  int* fresh;           // by vertex: the new face whose rim edge starts there
} Quickhull;

static SarHullFace* face_at(Quickhull* h, int f) { return &h->faces->list.items[f]; }

static SarGridPoint minus(SarGridPoint a, SarGridPoint b) {
  return (SarGridPoint){a.x - b.x, a.y - b.y, a.z - b.z};
}

// Six times the volume of the tetrahedron a b c p: > 0 if p is in front of the triangle.
static Wide volume(const Quickhull* h, int a, int b, int c, int p) {
  SarGridPoint u = minus(h->point[b], h->point[a]), v = minus(h->point[c], h->point[a]),
               w = minus(h->point[p], h->point[a]);
  return (Wide)(u.y * v.z - u.z * v.y) * w.x + (Wide)(u.z * v.x - u.x * v.z) * w.y +
         (Wide)(u.x * v.y - u.y * v.x) * w.z;
}

static Wide height(const Quickhull* h, const SarHullFace* f, int p) {
  return volume(h, f->vertex[0], f->vertex[1], f->vertex[2], p);
}

// ---- the first tetrahedron -----------------------------------------------------------------

static double length2(SarGridPoint a) {
  return (double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z;
}

static double area2(SarGridPoint u, SarGridPoint v) {
  return length2(
      (SarGridPoint){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x});
}

// Points far from one another: the farthest from the first, then from the line, then from the
// plane.
static bool find_start(const Quickhull* h, int start[4]) {
  double best = 0;
  Wide most = 0;
  start[0] = 0;
  start[1] = start[2] = start[3] = -1;
  for (int i = 0; i < h->n; i++) {
    double d = length2(minus(h->point[i], h->point[0]));
    if (d > best) best = d, start[1] = i;
  }
  if (start[1] < 0) return false;
  best = 0;
  SarGridPoint u = minus(h->point[start[1]], h->point[0]);
  for (int i = 0; i < h->n; i++) {
    double d = area2(u, minus(h->point[i], h->point[0]));
    if (d > best) best = d, start[2] = i;
  }
  if (start[2] < 0) return false;
  for (int i = 0; i < h->n; i++) {
    Wide d = volume(h, start[0], start[1], start[2], i);
    if ((d < 0 ? -d : d) > (most < 0 ? -most : most)) most = d, start[3] = i;
  }
  if (most > 0) {  // the fourth must be behind the first three
    int keep = start[1];
    start[1] = start[2];
    start[2] = keep;
  }
  return start[3] >= 0;
}

static void add_outside(Quickhull* h, int p, const int* faces, int n) {
  int best = -1;
  Wide most = 0;
  // any face that sees it will do; the one that it is highest above gives fewer faces on the way
  for (int i = 0; i < n; i++) {
    Wide d = height(h, face_at(h, faces[i]), p);
    if (d > most) most = d, best = faces[i];
  }
  if (best < 0) return;
  SarHullFace* f = face_at(h, best);
  h->next[p] = f->outside;
  f->outside = p;
  f->far = fmax(f->far,
                (double)most / sqrt(area2(minus(h->point[f->vertex[1]], h->point[f->vertex[0]]),
                                          minus(h->point[f->vertex[2]], h->point[f->vertex[0]]))));
}

static int new_face(Quickhull* h, int a, int b, int c) {
  int f = h->faces->list.count;
  if (h->spare.count > 0) {
    f = h->spare.items[--h->spare.count];
  } else {
    SarHullFace* slot = SAR_LIST_ADD(h->arena, &h->faces->list);
    if (!slot) return -1;
  }
  *face_at(h, f) = (SarHullFace){{a, b, c}, {-1, -1, -1}, false, -1, 0, 0};
  return f;
}

static bool start_hull(Quickhull* h, const int s[4]) {
  static const int corner[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  static const int across[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  static const int all[4] = {0, 1, 2, 3};
  for (int f = 0; f < 4; f++) {
    if (new_face(h, s[corner[f][0]], s[corner[f][1]], s[corner[f][2]]) != f) return false;
    for (int i = 0; i < 3; i++) face_at(h, f)->across[i] = across[f][i];
  }
  for (int p = 0; p < h->n; p++) add_outside(h, p, all, 4);
  return true;
}

// ---- one more vertex -----------------------------------------------------------------------

static int farthest(const Quickhull* h, const SarHullFace* f) {
  int best = f->outside;
  Wide most = 0;
  for (int p = f->outside; p >= 0; p = h->next[p]) {
    Wide d = height(h, f, p);
    if (d > most) most = d, best = p;
  }
  return best;
}

// Faces that see p, and the rim around them.
static bool find_seen(Quickhull* h, int first, int p) {
  h->seen.count = h->rim.count = 0;
  h->mark++;
  int* slot = SAR_LIST_ADD(h->arena, &h->seen);
  if (!slot) return false;
  *slot = first;
  face_at(h, first)->mark = h->mark;
  for (int k = 0; k < h->seen.count; k++) {
    int f = h->seen.items[k];
    for (int i = 0; i < 3; i++) {
      int g = face_at(h, f)->across[i];
      SarHullFace* other = face_at(h, g);
      if (other->mark == h->mark) continue;
      if (height(h, other, p) > 0) {
        other->mark = h->mark;
        if (!(slot = SAR_LIST_ADD(h->arena, &h->seen))) return false;
        *slot = g;
      } else {
        int side = 0;
        const int* v = face_at(h, f)->vertex;
        while (other->vertex[(side + 1) % 3] != v[i]) side++;
        Rim* r = SAR_LIST_ADD(h->arena, &h->rim);
        if (!r) return false;
        *r = (Rim){v[i], v[(i + 1) % 3], g, side};
      }
    }
  }
  return true;
}

// Joins the rim to p, by one new face for each edge of it.
static bool close_rim(Quickhull* h, int p, int* made) {
  for (int k = 0; k < h->rim.count; k++) {
    const Rim* r = &h->rim.items[k];
    int f = new_face(h, r->from, r->to, p);
    if (f < 0) return false;
    face_at(h, f)->across[0] = r->beyond;
    face_at(h, r->beyond)->across[r->side] = f;
    h->fresh[r->from] = made[k] = f;
  }
  for (int k = 0; k < h->rim.count; k++) {
    int f = made[k], g = h->fresh[h->rim.items[k].to];
    face_at(h, f)->across[1] = g;
    face_at(h, g)->across[2] = f;
  }
  return true;
}

static bool add_vertex(Quickhull* h, int first) {
  int p = farthest(h, face_at(h, first)), moved = -1;
  if (!find_seen(h, first, p)) return false;
  // the points of the faces that go, as one list
  for (int k = 0; k < h->seen.count; k++) {
    SarHullFace* f = face_at(h, h->seen.items[k]);
    for (int q = f->outside; q >= 0;) {
      int after = h->next[q];
      h->next[q] = moved;
      moved = q;
      q = after;
    }
    f->dead = true;
    f->outside = -1;
    f->far = 0;
  }
  SarArena* a = h->arena;
  int* made = SAR_ARENA_ARRAY(a, int, h->rim.count);
  if (!made || !close_rim(h, p, made)) return false;
  while (moved >= 0) {
    int q = moved;
    moved = h->next[q];
    if (q != p) add_outside(h, q, made, h->rim.count);
  }
  for (int k = 0; k < h->seen.count; k++) {
    int* slot = SAR_LIST_ADD(a, &h->spare);
    if (!slot) return false;
    *slot = h->seen.items[k];
  }
  return true;
}

static SarHullResult begin(Quickhull* h) {
  int start[4];
  *h->faces = (SarHullFaces){0};
  h->next = SAR_ARENA_ARRAY(h->arena, int, h->n);
  h->fresh = SAR_ARENA_ARRAY(h->arena, int, h->n);
  if (!h->next || !h->fresh) return SAR_HULL_NO_MEMORY;
  if (!find_start(h, start)) return SAR_HULL_FLAT;
  return start_hull(h, start) ? SAR_HULL_DONE : SAR_HULL_NO_MEMORY;
}

SarHullResult sar_hull_faces(const SarGridPoint* point, int n, int most, SarArena* scratch,
                             SarHullFaces* out) {
  Quickhull h = {.point = point, .n = n, .arena = scratch, .faces = out};
  const SarHullResult begun = begin(&h);
  if (begun != SAR_HULL_DONE) return begun;
  // new faces go behind or into gaps: go round until no face has points outside
  for (bool again = true; again;) {
    again = false;
    for (int f = 0; f < out->list.count; f++) {
      if (out->list.items[f].dead || out->list.items[f].outside < 0) continue;
      if (most-- <= 0) return SAR_HULL_LARGE;
      if (!add_vertex(&h, f)) return SAR_HULL_NO_MEMORY;
      again = true;
    }
  }
  return SAR_HULL_DONE;
}

SarHullResult sar_hull_faces_within(const SarGridPoint* point, int n, int vertices, double* error,
                                    SarArena* scratch, SarHullFaces* out) {
  Quickhull h = {.point = point, .n = n, .arena = scratch, .faces = out};
  const SarHullResult begun = begin(&h);
  if (begun != SAR_HULL_DONE) return begun;
  for (int k = 4;; k++) {
    int best = 0;
    for (int f = 1; f < out->list.count; f++)
      if (out->list.items[f].far > out->list.items[best].far) best = f;
    const double far = out->list.items[best].far;
    if (k == vertices || far <= *error) {
      *error = far;
      return SAR_HULL_DONE;
    }
    if (!add_vertex(&h, best)) return SAR_HULL_NO_MEMORY;
  }
}
