// Bilateral constraints (loops, drives, couplings; held rows: what never lets go), solved together
// and exactly through the Schur complement A of the mass matrix (Delassus operator).
//
//   A = Psi H^-1 Psi',   Psi v = wanted:   p = A^-1 (wanted - Psi v),   v += H^-1 Psi' p
//
// Trees that such rows couple form a group, with one matrix A each. Every other impulse is answered
// by those of its group: its response is made so that the held rows stay as they are, so the
// iteration over what may let go does not see loops at all. Without rows to hold, each tree is a
// group of its own.
#pragma once
#include "base/block.h"
#include "dynamics/mass.h"
#include "formulations/impulse/coupled.h"
#include "formulations/impulse/dampers.h"
#include "model/sim.h"

struct SarHeldGroup {
  int first, num;  // coordinates; others may lie between those of its trees, and do not move
  int row, rows;   // held rows in `order`: independent ones that are on
  int rank;        // so many of its rows are independent away from singular positions
  bool faint;      // some of them have lost their grip: weights below 1
  int A, reply;    // places of the matrix and of the responses (num each)
  int body;        // a single free body whose mass centre is its origin; -1: none such
};

typedef struct SarHeld {
  bool singles;   // every group is a single body: no matrix is needed
  bool bodies;    // every group is a free body
  bool stiff;     // some damper is strong against the step
  bool swift;     // some joint swings faster than steps can follow
  bool halfway;   // dampers of this step act halfway, however strong they are
  bool direct;    // rows are held; else they are left to the sweeps
  bool at_start;  // forces are those at the velocities of the start: damped knots (push.c)
  int ngroup;
  SarHeldGroup* group;
  int* group_of;      // nv
  int* order;         // nrow: rows group by group
  int* group_of_row;  // nrow
  double *A, *reply;
  double *p, *z;      // nrow: impulses, by place in `order`; scratch
  double* weight;     // nrow, by place in `order`: what share of a row is believed (held_rows.c)
  double* size;       // nrow, by place: square of what a row is in the metric of H at its full grip
  double* Psi_start;  // state, nrow_dof: Jacobian where the step began,
  double* open_start;     // state, nrow: and -Phi' there, what the last step left of it
  double* motion;         // nv: scratch
  double* block;          // of one tangent
  double* factor;         // of H, sparse rows of the tree
  double* inverse_D;      // nv: of its diagonal
  double* moment;         // nv: w of the damper of a joint with one axis (held.c), 0: none
  double *mass, *spring;  // nv: diagonals of M and of h^2 K / 4
  double common;          // w of all dampers beside forces between branches; 0: each has its own
  SarCoupled coupled;     // forces between branches
  SarDampers dampers;     // work of strong ones
  V3* inverse;            // 3 x nbody: inverse of the rotational inertia of single bodies
} SarHeld;

// No group has more coordinates than this.
int sar_held_widest(const SarModel* m, bool direct);
void sar_held_init(SarHeld* p, const SarModel* m, bool direct, SarBlock* b);

// Where a step ends, or a run begins, and constraints are evaluated: keeps their Jacobian and
// rates.
void sar_held_keep(SarHeld* p, const SarModel* m, const SarData* d);
// Factors H = M + w h C + h^2 K / 4 (K, C of all forces that depend on the motion) and the groups'
// matrices. slope (nv): accelerations that are expected; theta h C slope is added to force (nv),
// see held.c. Needs kinematics, forces and, if there are rows, constraints. theta: share of the
// step that has passed.
SarStatus sar_held_factor(SarHeld* p, const SarSim* s, double h, double theta, const double* slope,
                          double* force);
// Its part about the held rows.
void sar_held_factor_rows(SarHeld* p, const SarSim* s, double theta);
// Has a row lost its grip in the last step, or is it about to?
bool sar_held_is_faint(const SarHeld* p);
// x <- H^-1 x for all coordinates, rows not held.
void sar_held_respond_all(const SarHeld* p, const SarModel* m, const SarData* d, double* x);
// x <- H^-1 x for the coordinates of one group, rows not held; x counts from group->first. With
// forces between branches it is the inverse of H with all of them (coupled.h); of H alone, which
// bounds them: _bound.
void sar_held_respond(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                      double* x);
void sar_held_respond_bound(const SarHeld* p, const SarModel* m, const SarData* d,
                            const SarHeldGroup* g, double* x);
// x <- what is left of x when the held rows of the group stay as they are; z (group->rows): their
// impulses.
void sar_held_answer(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                     double* x, double* z);
// Moves v so that Psi v = wanted (by row) in all groups; impulses (by place in `order`) go to z.
// expected: what v is led to along motions that rows have lost their grip on; Nullable: v stays
// there.
void sar_held_solve(const SarHeld* p, const SarModel* m, const SarData* d, const double* wanted,
                    const double* expected, double* z, double* v);
// What of a step's change of velocities and impulses only corrects what the step before left open:
// v (nv) and z (by place in `order`).
void sar_held_corrections(const SarHeld* p, const SarModel* m, const SarData* d, double* z,
                          double* v);
