// What never lets go: rows of constraints that hold in both directions, solved together and exactly.
//
//   A = Psi H^-1 Psi',   Psi v = wanted:   p = A^-1 (wanted - Psi v),   v += H^-1 Psi' p
//
// Trees that such rows couple form a group, with one matrix A each. Every other impulse is answered by those
// of its group: its response is made so that the held rows stay as they are, so the iteration over what may
// let go does not see loops at all. Without rows to hold, each tree is a group of its own.
#pragma once
#include "dynamics/mass.h"
#include "model/sim.h"

typedef struct SarHeldGroup {
  int first, num;  // coordinates; others may lie between those of its trees, and do not move
  int row, rows;   // held rows in `order`, those that are on and independent
  int A, reply;    // places of the matrix and of the responses (num each)
  int body;        // a single free body whose mass centre is its origin; -1: none such
} SarHeldGroup;

typedef struct SarHeld {
  bool singles;  // every group is a single body: no matrix is needed
  bool direct;   // rows are held; else they are left to the sweeps
  int ngroup;
  SarHeldGroup* group;
  int* group_of;      // nv
  int* order;         // nrow: rows group by group
  int* group_of_row;  // nrow
  double *A, *reply;
  double *p, *z;      // nrow: impulses, by place in `order`; scratch
  double* block;      // of one tangent
  double* factor;     // of H, sparse rows of the tree
  double* inverse_D;  // nv: of its diagonal
  V3* inverse;        // 3 x nbody: inverse of the rotational inertia of single bodies
} SarHeld;

size_t sar_held_size(const SarModel* m);
// No group has more coordinates than this.
int sar_held_widest(const SarModel* m, bool direct);
void sar_held_init(SarHeld* p, const SarModel* m, bool direct, unsigned char** memory);

// Factors H = M + h C + h^2 K / 4 (K, C of all forces that depend on the motion) and the groups' matrices.
// slope (nv): accelerations that are expected; h C slope is added to force (nv), see held.c. Needs kinematics, forces
// and, if there are rows, constraints.
SarStatus sar_held_factor(SarHeld* p, const SarSim* s, double h, const double* slope,
                          double* force);
// x <- H^-1 x for all coordinates, rows not held.
void sar_held_respond_all(const SarHeld* p, const SarModel* m, const SarData* d, double* x);
// x <- H^-1 x for the coordinates of one group, rows not held; x counts from group->first.
void sar_held_respond(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                      double* x);
// x <- what is left of x when the held rows of the group stay as they are; z (group->rows): their impulses.
void sar_held_answer(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                     double* x, double* z);
// Moves v so that Psi v = wanted (by row) in all groups; impulses (by place in `order`) go to z.
void sar_held_solve(const SarHeld* p, const SarModel* m, const SarData* d, const double* wanted,
                    double* z, double* v);
