// Narrow phase of collision detection: where two shapes touch, or soon will (contact manifold:
// points, normal, signed distances).
#pragma once
#include "collide/solid.h"

// One point of contact. `feature` tells what touches what (vertices, edges, faces of both shapes),
// so that a contact is known again in the next step; it is unique within a pair of shapes.
typedef struct SarTouch {
  V3 point;    // ground; halfway between the two surfaces
  V3 normal;   // ground axes, unit, from a to b
  double gap;  // distance of the surfaces along the normal [m]; negative: depth
  unsigned feature;
} SarTouch;

enum { SAR_TOUCH_MOST = 8 };  // of a pair of convex shapes; surfaces may give more

// Contacts with gap <= margin between a (at X_a in ground) and b; at most `most`, the deepest ones
// if there are more. Allocates nothing. Two surfaces (planes, triangles, heights) never touch each
// other.
int sar_collide(const SarSolid* a, const Xform* X_a, const SarSolid* b, const Xform* X_b,
                double margin, SarTouch* out, int most);

// The box around a shape at X, grown by margin on every side.
typedef struct SarBounds {
  V3 low, high;
} SarBounds;
SarBounds sar_solid_bounds(const SarSolid* s, const Xform* X, double margin);
