// Models made in memory, without files: random trees of all joint kinds, chains, given trees.
#pragma once
#include "model/model.h"
#include "support/random.h"

// One body of a tree to build, in tree order (parent before child, subtrees contiguous).
typedef struct TreeBody {
  int parent;  // -1: ground
  const SarJointKind* kind;
  double param[SAR_JOINT_MAX_PARAM];
  Xform X_PF;
  Inertia inertia;
  double armature;  // of every coordinate
} TreeBody;

// The model of these bodies; NULL: no memory. Free with sar_model_free.
SarModel* tree_build(const TreeBody* bodies, int count, V3 gravity);

// A random tree: every kind of joint, a third of the joints with armature, bodies of about 1 kg and
// 1 m.
SarModel* tree_random(Rng* r, int nbody);
// The same with one kind only.
SarModel* tree_random_of(Rng* r, int nbody, const SarJointKind* kind);
// A chain of equal rods 0.2 m long on revolute joints about z and y in turn.
SarModel* tree_chain(int nbody);

// A body of 1/2 to 2 kg made of points within 0.3 m of a mass centre within 0.3 m of B.
Inertia tree_random_inertia(Rng* r);
// Positions anywhere (quaternions normalised), velocities and joint forces of order 1.
void tree_random_state(Rng* r, const SarModel* m, double* q, double* v, double* tau);
