// Surfaces of parts as triangles, for whoever fills or shades them.
//
// Triangles are handed over one by one: nothing is kept. Each carries normals at its corners (not
// always of unit length, either sign) and a group: where two groups of a part meet there is an edge
// to be seen, within one the surface is smooth.
#pragma once
#include "output/scene.h"

typedef struct SarFacet {
  V3 p[3], n[3];  // ground axes
  int group;
} SarFacet;

typedef struct SarFacetSink {
  void (*take)(void* context, const SarFacet* facet);
  void* context;
  int group;
} SarFacetSink;

// A piece of the ground that is drawn: a box in ground axes.
typedef struct SarPatch {
  V3 low, high;
} SarPatch;

void sar_facet_triangle(SarFacetSink* s, V3 a, V3 b, V3 c);  // flat
void sar_facet_box(SarFacetSink* s, Xform X, const double half[3]);
void sar_facet_ellipsoid(SarFacetSink* s, Xform X, const double half[3]);
// bore 0: full.
void sar_facet_cylinder(SarFacetSink* s, Xform X, double radius, double half, double bore);
void sar_facet_capsule(SarFacetSink* s, Xform X, double radius, double half);
void sar_facet_cone(SarFacetSink* s, V3 base, V3 tip, double radius);
// A tube along a line of points, closed at its ends.
void sar_facet_tube(SarFacetSink* s, const V3* point, int count, double radius);
// A rod with round ends or, without, a cylinder.
void sar_facet_rod(SarFacetSink* s, V3 from, V3 to, double radius, bool round);

// The centre line of a coil: `turns` windings of a radius about the way from one end to the other,
// between straight ends on that way. The number of windings does not depend on the length, as with
// real springs.
enum { SAR_COIL_POINTS = 241, SAR_COIL_TURNS = 8 };
void sar_coil(V3 from, V3 to, double radius, V3 point[SAR_COIL_POINTS]);

// The surface of a part where it is. patch: of ground that has no end. d: of roads that change in
// time.
void sar_facet_part(SarFacetSink* s, const SarScene* scene, const SarData* d, int part,
                    const SarPlaced* at, const SarPatch* patch);
