// What a body looks like: the shapes that give it its mass, whether others can touch them or not.
//
// The equations of motion know of them only by mass and inertia; pictures draw them.
#pragma once
#include "math/spatial.h"

typedef enum SarBodyShapeKind {
  SAR_BODY_ROD,        // size: 0, half length (along z); without thickness
  SAR_BODY_BOX,        // size: half lengths along x, y, z
  SAR_BODY_ELLIPSOID,  // size: half axes; a sphere has three equal ones
  SAR_BODY_CYLINDER,   // size: radius, half length (along z), radius of the bore (0: none)
  SAR_BODY_CAPSULE,    // size: radius, half length of the axis (along z)
  SAR_BODY_MESH        // triangles
} SarBodyShapeKind;

typedef struct SarBodyShape {
  SarBodyShapeKind kind;
  int body;    // of the tree; -1: ground
  int holder;  // body of the file
  Xform X_BS;
  double size[3];
  int vertex, nvertex;      // MESH: in shape_point of the model
  int triangle, ntriangle;  // MESH: three entries each in shape_index, numbers from 0 on
} SarBodyShape;
