// The index-1 formulations (DAE with constraints differentiated twice) as formulations: one
// assembly of M, Psi, gamma and F for all methods.
#pragma once
#include "base/block.h"
#include "formulations/index1/index1.h"
#include "model/sim.h"

// What a run has seen of the weakest grip: the largest one, and by how much joints have turned
// meanwhile [rad].
enum { SAR_GRIP_LARGEST, SAR_GRIP_TURNED, SAR_GRIP_SEEN };

typedef struct SarIndex1Run {
  SarIndex1 problem;
  double alpha, beta;  // of Baumgarte's gamma [1/s]; 0: gamma as it is
  bool stops;          // before singular positions, which it would not pass
  double *M, *Psi, *gamma, *F;
  // near singular positions (singular.c)
  int* near;  // state: 1: the step begins near one; 2 + i: it would pass one, coordinate i let go
  double* grip;    // state: of the weakest row where the last step began
  int* first;      // state, of what keeps off the constraints: nrow, 1: the row is kept
  double* seen;    // state: SAR_GRIP_SEEN of the weakest row
  double* before;  // state: nv, accelerations where the last step began
  double* length;  // state: of that step [s]; 0: there was none
  SarRows strong;  // decomposition of Psi
  double *expected, *y;
  double* pivots;  // 2 nrow: scratch
  int* span;       // 2 nrow: scratch
  double* unit;    // nv: of each coordinate (sar_dof_units)
  double *q, *v;   // state as it was given
  double faint;    // grip below which rows are not believed in this evaluation
} SarIndex1Run;

// The entries that a formulation of the family has in common with the others.
#define SAR_INDEX1_FORMULATION(method)                                                      \
  .shape = SAR_SHAPE_ACCEL, .state_size = sar_index1_state_size, .start = sar_index1_start, \
  .init = sar_index1_regroup, .adopt = sar_index1_adopt, .regroup = sar_index1_regroup,     \
  .look = sar_index1_look, .accel = sar_index1_accel, .accelerations = {.solve = method}

// A run: its pieces of a block; its fields of the state; which rows it has, and
// the evaluation with a method for the linear problem. For formulations that take the family's way
// for some steps only.
void sar_index1_run_layout(SarIndex1Run* run, const SarModel* m, SarBlock* b);
void sar_index1_run_declare(SarIndex1Run* run, SarSim* s);
void sar_index1_run_adopt(SarSim* s, SarIndex1Run* run);
void sar_index1_run_regroup(SarSim* s, SarIndex1Run* run);
SarStatus sar_index1_evaluate(SarSim* s, SarIndex1Run* run, SarIndex1Solve* solve);

// Where a step ended: keeps the accelerations it began with, for those to expect in the next one.
void sar_index1_remember(SarSim* s, SarIndex1Run* run);
// Before a step: is it near a singular position? grip: of the weakest constraint, as seen where d
// is.
void sar_index1_look(SarSim* s);
void sar_index1_run_look(SarSim* s, SarIndex1Run* run);
// The same for who asks only where another measure finds a weak grip, and has seen larger ones:
// what this one has seen is weak throughout, and in proportion it would have seen as much. There
// are rows.
void sar_index1_look_beside(SarSim* s, SarIndex1Run* run, double grip, const double* seen);
// seen: SAR_GRIP_SEEN, of this measure of the grip. The length h of each step is told before.
bool sar_index1_is_near(const SarSim* s, double grip, double* seen);
void sar_index1_turn(const SarSim* s, double h, double* seen);
// What others are to know of *near: the projection, the judge of steps.
void sar_index1_mark(SarSim* s, int near);
// By how much a grip may fall before any step is near, and rise before a step like the next one is
// not; the angle that joints turn by in a time h, at most [rad].
double sar_index1_clear(double grip, const double* seen);
double sar_index1_deep(const SarSim* s, double grip, const double* seen);
double sar_index1_turned(const SarSim* s, double h);
// Takes the state back onto the constraints for an evaluation, and the other way. For who does it
// in another way: the state as it was given is set aside, and what lies between the two says which
// rows are not believed.
void sar_index1_set_aside(SarSim* s, SarIndex1Run* run);
void sar_index1_doubt(SarSim* s, SarIndex1Run* run);
SarStatus sar_index1_close(SarSim* s, SarIndex1Run* run);
void sar_index1_reopen(SarSim* s, SarIndex1Run* run);
// Replaces Psi and gamma of the problem by rows that are as strong as they can be made, and takes
// the multipliers back to the rows that they replace.
void sar_index1_strengthen(SarSim* s, SarIndex1Run* run);
void sar_index1_return(SarSim* s, SarIndex1Run* run);
// All of it for `qr`, whose decomposition of the strong rows is the one that made them.
SarStatus sar_index1_strong_qr(SarSim* s, SarIndex1Run* run);

size_t sar_index1_state_size(const SarModel* m, const SarSimOptions* o);
SarStatus sar_index1_start(SarSim* s, SarError* err);
// The problem has the rows that are on, in the order of s->row_order; its memory has room for all.
void sar_index1_adopt(SarSim* s);
// The same, and nothing is known of how they grip.
void sar_index1_regroup(SarSim* s);
SarStatus sar_index1_accel(SarSim* s);
// Psi of d, row by row in the order of s->row_order.
void sar_index1_fill_Psi(const SarSim* s, double* Psi);
