// How the pairs of solids are worked out: what the files of the narrow phase share.
//
// Every pair is computed in the frame of a, with X the pose of b in it: far from the origin of
// ground nothing is lost. A solid is a core (point, segment, polytope, cylinder) grown by a radius;
// the steps are
//
//   meeting    direction, gap and one point where the cores are closest, or deepest in each other
//              (gjk, sat, ...)
//   features   the face, edge or corner of each core that looks that way
//   manifold   both features clipped against each other: the points where they face each other
//
// `limit` is the largest gap between cores that counts: the margin and both radii.
#pragma once
#include "collide/collide.h"

// ---- ids: what touches what
enum { SAR_LABELS = 32767 };  // labels are below this: two fit into an id, with its kind
static inline unsigned feature_of_a(int vertex) { return 0x40000000u | (unsigned)vertex; }
static inline unsigned feature_of_b(int vertex) { return 0x80000000u | (unsigned)vertex; }
static inline bool is_feature_of_b(unsigned feature) { return feature >> 30 == 2; }
static inline unsigned feature_cross(int edge_a, int edge_b) {
  return (unsigned)edge_a << 15 | (unsigned)edge_b;
}
// An edge by its ends, whichever way it is walked; different for different edges up to 181
// vertices.
static inline int edge_label(int v, int w) {
  int low = v < w ? v : w, high = v < w ? w : v;
  return (int)(((unsigned)low * 181u + (unsigned)high) % (unsigned)SAR_LABELS);
}

// ---- core.c: cores
typedef enum CoreKind { CORE_HULL, CORE_BOX, CORE_CYLINDER } CoreKind;

typedef struct Core {
  CoreKind kind;
  double size[3];  // box: half lengths; cylinder: radius, half length
  double radius;   // the solid is the core grown by this
  double extent;   // no point of the core is farther from its origin
  bool one_sided;  // a triangle: what it meets is pushed to the side of its normal
  SarHull hull;    // all but cylinders; fewer than four vertices: flat
  V3 vertex[8];    // room for hulls made here
  V3 normal[6];
  double offset[6];
} Core;

// Corner k of a box is at the signs of the bits of k: 1 for x, 2 for y, 4 for z.
static inline V3 sar_box_corner(const double* half, int k) {
  return v3(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]);
}
static inline int sar_box_vertex(V3 d) { return (d.x > 0) | (d.y > 0) << 1 | (d.z > 0) << 2; }

// The core points into itself: it must not be copied. A box without its hull is enough for features
// and distances.
void sar_core_box(Core* c, const double* half);
void sar_core_init(Core* c, const SarSolid* s);
void sar_core_triangle(Core* c, const V3 corner[3]);
// Whether hulls are searched by walks from neighbour to neighbour; of few vertices all are looked
// at.
enum { SAR_CLIMBED_FROM = 32 };
static inline bool sar_hull_climbed(const SarHull* h) {
  return h->ring_adr && h->nvertex > SAR_CLIMBED_FROM;
}
// The vertex farthest in direction d, by a walk from the vertex `at`; and a vertex to start from.
int sar_hull_climb(const SarHull* h, V3 d, int at);
int sar_hull_extreme(const SarHull* h, V3 d);
// The point of the core farthest in direction d, in its own frame; label: of the vertex.
V3 sar_core_support(const Core* c, V3 d, int* label);
// The same, where *label is a vertex that is probably not far from it.
V3 sar_core_support_near(const Core* c, V3 d, int* label);

// ---- meetings, on cores
typedef struct Meeting {
  V3 normal;   // unit, from a to b
  double gap;  // of the cores along it
  V3 point;    // halfway between their closest points
  unsigned feature;
} Meeting;

typedef enum MeetingKind { MEET_FAR, MEET_APART, MEET_DEEP } MeetingKind;

// gjk.c: the distance of cores that do not overlap. FAR: more than limit; DEEP: they overlap, or
// nearly.
MeetingKind sar_meet_gjk(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m);
// sat.c: gap of polytopes along the best normal of a face. False: it is more than limit.
bool sar_meet_faces(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m);
// The same with directions square to two edges: the depth of polytopes. True: two edges that do
// face each other.
bool sar_meet_edges(const Core* a, const Core* b, const Xform* X, Meeting* m);
// snap.c: the best axis of faces and edges near n, with the same numbers as the search of all of
// them; near_a, near_b: vertices near those farthest along n and -n. Of cores with rings only.
// False: there is none.
bool sar_meet_snap(const Core* a, const Core* b, const Xform* X, V3 n, int near_a, int near_b,
                   Meeting* m);
// epa.c: depth of polytopes with rings. False: it was not found (no room, rounding).
bool sar_meet_epa(const Core* a, const Core* b, const Xform* X, Meeting* m);
// sweep.c: the same by all axes.
void sar_meet_sweep(const Core* a, const Core* b, const Xform* X, Meeting* m);
// cylinder.c: depth where one of the cores is a cylinder.
bool sar_meet_curved(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m);
// curved.c: n.(q - p), p and q the points of a and b farthest along n and -n, in the frame of a.
double sar_gap_along(const Core* a, const Core* b, const Xform* X, V3 n, V3* p, V3* q);
// The best normal near that of m, square to the ties: directions in which the features extend.
void sar_meet_improve(const Core* a, const Core* b, const Xform* X, const V3* tie, int ties,
                      Meeting* m);

// ---- feature.c
enum { FEATURE_MOST = 16 };  // corners; of larger faces some are left out
typedef struct Feature {
  int n;       // 1: corner, 2: edge, more: face, counter-clockwise seen from outside
  bool round;  // a face whose edges are chords of a circle
  V3 normal;   // of a face, outward
  V3 p[FEATURE_MOST];
  int vertex[FEATURE_MOST], edge[FEATURE_MOST];  // labels; edge i goes from p[i] to p[i + 1]
} Feature;

// The face or edge of the core, which stands at X, that looks most in direction d.
void sar_feature_find(const Core* c, const Xform* X, V3 d, Feature* f);

// ---- manifold.c
typedef struct Spot {
  V3 point;  // frame of a, halfway between the cores
  double gap;
  unsigned feature;
} Spot;
enum { SPOT_MOST = 2 * FEATURE_MOST + 1 };

// Where the cores face each other along the meeting's normal with gap <= limit, the meeting's own
// point among them;
// reached: some other point is as near.
int sar_manifold(const Core* a, const Core* b, const Xform* X, const Meeting* m, double limit,
                 Spot* out, bool* reached);
// touches.c: the deepest spot and those farthest in some directions, `most` in all (at most
// SAR_TOUCH_MOST), to the front.
int sar_spots_spread(Spot* spot, int n, V3 normal, int most);
// Spots on cores to touches of solids in ground, at most `most` of them.
int sar_manifold_touches(Spot* spot, int n, V3 normal, double radius_a, double radius_b,
                         const Xform* X_a, SarTouch* out, int most);

// ---- pairs: touches in ground of a at X_a and b at X (frame of a)
typedef int SarCollidePair(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                           double margin, SarTouch* out, int most);
SarCollidePair sar_collide_sphere_sphere, sar_collide_sphere_box, sar_collide_sphere_capsule,
    sar_collide_sphere_cylinder, sar_collide_capsule_capsule, sar_collide_box_box,
    sar_collide_box_capsule, sar_collide_cores;
SarCollidePair sar_collide_sphere_plane, sar_collide_box_plane, sar_collide_capsule_plane,
    sar_collide_cylinder_plane, sar_collide_hull_plane;

// A convex solid and one triangle of a surface, corners in ground and counter-clockwise seen from
// outside. The normal goes from the triangle to the solid and never into its back; a solid wholly
// behind its plane touches nothing. Meant for one triangle among others: a normal that is not the
// triangle's own belongs to an edge or a corner, and whoever knows the neighbours decides whether
// that edge can be touched from there.
int sar_collide_triangle(const SarSolid* s, const Xform* X, const V3 corner[3], double margin,
                         SarTouch* out, int most);
