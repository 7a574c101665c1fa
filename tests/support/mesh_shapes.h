// Meshes for tests: boxes, prisms, spheres, floors.
#pragma once
#include "collide/mesh.h"
#include "support/arena_fixture.h"

#include <string.h>

enum { SHAPE_VERTICES = 20000, SHAPE_TRIANGLES = 40000 };

typedef struct Shape {
  V3 vertex[SHAPE_VERTICES];
  int triangle[3 * SHAPE_TRIANGLES];
  SarMesh mesh;
} Shape;

static inline void shape_clear(Shape* s) { s->mesh = (SarMesh){0, 0, s->vertex, s->triangle}; }

// Every test gets an empty arena and an empty shape.
static Shape shape;

static inline int shape_setup(void** state) {
  shape_clear(&shape);
  return arena_setup(state);
}

static inline int shape_vertex(Shape* s, V3 p) {
  s->vertex[s->mesh.nvertex] = p;
  return s->mesh.nvertex++;
}

static inline void shape_triangle(Shape* s, int a, int b, int c) {
  int* t = &s->triangle[3 * s->mesh.ntriangle++];
  t[0] = a, t[1] = b, t[2] = c;
}

static inline void shape_quad(Shape* s, int a, int b, int c, int d) {
  shape_triangle(s, a, b, c);
  shape_triangle(s, a, c, d);
}

// A box between two corners, outside outwards.
static inline void shape_box(Shape* s, V3 low, V3 high) {
  int v[8];
  for (int i = 0; i < 8; i++)
    v[i] =
        shape_vertex(s, v3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z));
  shape_quad(s, v[0], v[2], v[3], v[1]);
  shape_quad(s, v[4], v[5], v[7], v[6]);
  shape_quad(s, v[0], v[1], v[5], v[4]);
  shape_quad(s, v[2], v[6], v[7], v[3]);
  shape_quad(s, v[0], v[4], v[6], v[2]);
  shape_quad(s, v[1], v[3], v[7], v[5]);
}

// z = f(x, y) on nx x ny cells of side d about the origin.
static inline void shape_floor(Shape* s, int nx, int ny, double d, double (*f)(double, double)) {
  int first = s->mesh.nvertex;
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      double x = (i - 0.5 * nx) * d, y = (j - 0.5 * ny) * d;
      shape_vertex(s, v3(x, y, f ? f(x, y) : 0));
    }
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int a = first + i + (nx + 1) * j;
      shape_quad(s, a, a + 1, a + nx + 2, a + nx + 1);
    }
}

// A sphere by latitudes and longitudes.
static inline void shape_sphere(Shape* s, double radius, int n) {
  const double pi = 3.14159265358979323846;
  int bottom = shape_vertex(s, v3(0, 0, -radius)), first = s->mesh.nvertex;
  for (int i = 1; i < n; i++)
    for (int k = 0; k < 2 * n; k++) {
      double t = pi * i / n, p = pi * k / n;
      shape_vertex(s, v3_scale(radius, v3(sin(t) * cos(p), sin(t) * sin(p), -cos(t))));
    }
  int top = shape_vertex(s, v3(0, 0, radius));
  for (int k = 0; k < 2 * n; k++) {
    int next = (k + 1) % (2 * n);
    shape_triangle(s, bottom, first + next, first + k);
    for (int i = 0; i + 2 < n; i++) {
      int a = first + 2 * n * i, b = a + 2 * n;
      shape_quad(s, a + k, a + next, b + next, b + k);
    }
    int last = first + 2 * n * (n - 2);
    shape_triangle(s, top, last + k, last + next);
  }
}
