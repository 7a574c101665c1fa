// Points of bodies where something acts.
#pragma once
#include "output/scene.h"

typedef struct ScenePoints {
  V3* point;  // in B
  int count;
} ScenePoints;

// Joints, ends of elements and rods, named points of a body; each place once. Empty: none, or no
// memory.
ScenePoints scene_points(SceneMaker* k, int body);
// Corners of the convex hull of points in the plane z = 0, counter-clockwise, in their place; how
// many (0: no memory).
int scene_convex(SarArena* arena, V3* point, int count);
