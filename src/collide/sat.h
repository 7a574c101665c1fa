// Separating axes one by one: what sat.c, snap.c and sweep.c offer to the best one so far.
#pragma once
#include "collide/pairs.h"

typedef struct SarSat {
  const Core *a, *b;
  const Xform* X;
  double scale;
  bool flat;  // one of the cores has no inside
  Meeting best;
  bool crossing;  // it is of two edges that face each other
} SarSat;

typedef struct SarSatEdge {
  V3 p, d;         // start, way to the end
  V3 left, right;  // normals of its faces
  int label;
} SarSatEdge;

// Nothing offered so far.
SarSat sar_sat_new(const Core* a, const Core* b, const Xform* X);
// The normal of a face. `near` is a vertex of the other core near the one that it will meet, and
// becomes it.
void sar_sat_face_a(SarSat* s, int face, int* near);
void sar_sat_face_b(SarSat* s, int face, int* near);
// Two edges, both in the frame of a, if their arcs on the sphere of normals cross.
void sar_sat_edges(SarSat* s, const SarSatEdge* a, const SarSatEdge* b);
SarSatEdge sar_sat_edge(const SarHull* h, int i);
SarSatEdge sar_sat_edge_turned(const SarSatEdge* e, const Xform* X);
