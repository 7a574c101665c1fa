// Spanning tree of bodies and joints, rooted at ground.
//
// The tree has as few coordinates as possible: joints with the fewest freedoms are taken first, so
// those with the most are cut. Which joints, and the numbering, depend on the names alone, never on
// the order in the file.
#pragma once
#include "base/arena.h"

#include <stdbool.h>

typedef struct SarGraphJoint {
  const char* name;
  int body[2];   // parent, child in the file; -1 = ground
  int freedoms;  // nv
  bool loaded;   // has armature, which only a joint of the tree can carry: not cut if it can be
                 // helped
  bool needed;   // its coordinates mean something (spring, motor, measured): rather not cut
  bool started;  // its initial values are given: among equals, rather not cut
  bool one_way;  // rather not turned round
  bool loose;    // comes and goes: never in the tree
  bool inner;  // of a modal body: in the tree, from parent to child; nothing else carries its child
} SarGraphJoint;

typedef struct SarTree {
  int* body;     // tree number -> body
  int* number;   // body -> tree number
  int* parent;   // tree number of the parent, -1 = ground
  int* joint;    // joint that carries it; -1 = none: the body floats
  bool* turned;  // the tree runs from the joint's child to its parent
  int* cut;      // joints that are not in the tree, in natural order of their names
  int ncut;
  int count;  // bodies of the tree
} SarTree;

// False: no memory. A component without ground hangs on the body whose name comes first among those
// that are no joint's child (all of them are: first of all). Joints must join two different bodies.
bool sar_graph_tree(SarArena* a, const char* const* body_name, int nbody,
                    const SarGraphJoint* joints, int njoint, SarTree* out);
