// Analytical first derivatives of inverse dynamics (RNEA) over symbols:
// dynamics/tree_derivatives.c, with everything constant folded, as columns from which loops of C
// make the matrices (slopes_text.c).
//
// Motions and forces of several bodies are written in one frame, that of their *home*: the first
// body of a piece of the tree. Within a piece columns need not be carried from body to body, and
// entries are plain products of columns,
//
//   M_ij = F_i . S_j,   dtau_j/dq_i = S_j . U_i,   dtau_i/dq_j = F_i . PP_j + G_i . P_j.w  j: inner
//
// Far from the frame's origin digits would be lost: pieces end where a subtree's mass at that
// distance is too much for the inertia about a joint, and at joints that shift (slopes_homes.c).
//
// Two stages: forces for zero accelerations and composite inertias, from which accelerations
// follow; then, with these as symbols acc[0], ..., what bodies and subtrees have for the
// derivatives. Columns of coordinates follow from that in loops (slopes_columns.c); only joints
// whose axes change with their coordinates have columns of their own.
#pragma once
#include "codegen/symbols.h"

// An entry of a matrix.
typedef struct SymEntry {
  int i, j;
  SarNode value;
} SymEntry;
typedef SAR_LIST(SymEntry) SymEntries;

// What a derivative may be taken by.
typedef enum SymAlong {
  SYM_ALONG_Q,
  SYM_ALONG_V,
  SYM_ALONG_INPUT,
  SYM_ALONG_STATE,
  SYM_ALONG_TIME,
  SYM_ALONGS
} SymAlong;
int sar_slopes_columns(const SarModel* m, SymAlong along);

// Inertia and its rate, added up over subtrees: dI/dt has h' = p, the linear momentum, and I' = D,
//   D = w~ I - I w~ - v h' - h v' + 2 (v.h) 1
typedef struct SymSubtree {
  SymInertia I, rate;
  SymForce momentum;  // of the body alone
  SymV3 l;            // angular momentum
} SymSubtree;

typedef struct SymSlopes {
  SarSymbols* s;
  int* home;    // nbody
  SymXform* X;  // nbody: pose in the home; of a home itself: in that of its parent
  SarNode* a;   // nv: symbols
  // in the home of the body
  SymMotion *V, *drift;  // nbody: velocity; V x S v + cJ
  SymMotion* A;          // nbody: acceleration, with gravity
  SymSubtree* subtree;   // nbody
  SymForce* N;           // nbody: what the joint carries
  SymMotion* S;          // nv
  SarNode* rest;         // nv: M a = rest
  // nv: change of velocity and acceleration beyond for a displacement, of acceleration for a speed;
  // P of joints with one axis, the others of general joints alone
  SymMotion *P, *PP, *PV;
  SymEntries own;  // dtau/dq among coordinates of one joint, beside S . U
  // by what acts: generalised forces and rates of states
  SymEntries force[SYM_ALONGS], rate[SYM_ALONGS];
} SymSlopes;

// After sar_symbols_forces. False: no memory.
bool sar_symbols_slopes(SarSymbols* s, SymSlopes* out);
// Changes of applied forces and of rates of states.
bool sar_symbols_applied_slopes(SymSlopes* w);

// ---- between the parts --------------------------------------------------------------------------
// Adds an entry that is not zero.
void sar_slopes_add(const SymSlopes* w, SymEntries* to, int i, int j, SarNode value);
bool sar_slopes_is_home(const SymSlopes* w, int b);
bool sar_slopes_choose_homes(SymSlopes* w);
bool sar_slopes_has_one_axis(const SarModel* m, int b);
// Sums of forces from home to home.
SymForce sar_slopes_force_inwards(const SymSlopes* w, int b, SymForce F);
// A force given in the axes of the body, in its home.
SymForce sar_slopes_force(const SymSlopes* w, int b, SymForce F_B);
