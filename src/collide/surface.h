// Convex solids on surfaces: triangle meshes and height fields.
#pragma once
#include "collide/collide.h"

// Contacts with gap <= margin of a convex solid on a surface of triangles or heights; the normal
// points from the surface to the solid. At most `most`, the deepest ones if there are more.
// Allocates nothing.
int sar_collide_surface(const SarSolid* surface, const Xform* X_surface, const SarSolid* solid,
                        const Xform* X_solid, double margin, SarTouch* out, int most);
