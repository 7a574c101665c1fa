// What the files of the reduction share.
#pragma once
#include "analysis/reduce.h"
#include "model/data.h"

// The beam as a linear structure, clamped at its first node, in the frame E of that node.
typedef struct ReduceBeam {
  const SarModel* m;
  SarData* d;
  int elements;
  int* body;   // of the tree, elements + 1
  int* force;  // elements
  Xform* X;    // nodes in E
  M3 R_EG;
  Xform X_GE;
} ReduceBeam;

int sar_reduce_elements(const SarModel* m, const char* beam);
// Bodies, forces and names of the nodes of a beam of b->elements. False: no memory.
bool sar_reduce_find(SarArena* arena, ReduceBeam* b, const char* beam, SarReducedBeam* out);
void sar_reduce_place(ReduceBeam* b, SarReducedBeam* out);
// K and M (n x n, n = 6 elements) of the nodes behind the first; s: inertia of the nodes. False: an
// element has no stiffness.
bool sar_reduce_assemble(const ReduceBeam* b, const SarModalShape* s, double* K, double* M);
// Tangent of an element in axes of E, and J: 6 x 12 on (motion of its first node; of its second).
// False: none.
bool sar_reduce_element(const ReduceBeam* b, int e, double K[36], double C[36], double J[72]);
// Second-order displacements of all nodes for modes that leave strains linear: shape->bend.
void sar_reduce_bend(const ReduceBeam* b, SarModalShape* s, SarArena* arena);
