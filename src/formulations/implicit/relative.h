// What the implicit formulations (index-3 DAE, Newmark family) in relative coordinates share: the
// unknown of a step, what goes with it at the end of the step, multipliers, and accelerations where
// a run begins.
#pragma once
#include "base/block.h"
#include "dynamics/augmented.h"
#include "dynamics/saddle.h"
#include "formulations/implicit/ahead.h"
#include "formulations/implicit/scheme.h"
#include "formulations/implicit/stiction.h"

typedef struct SarRelative SarRelative;

// What a formulation that iterates by sar_relative_iterate does its own way.
typedef struct SarRelativeOps {
  // x -> q, v and, if a step of the scheme has them, a of d
  void (*move)(SarRelative* p, SarSim* s);
  // p->factored at d, with G0 = M + (v_x C + K) / a_x and what else the formulation knows
  SarStatus (*factor)(SarRelative* p, SarSim* s);
  // r: what is left of the equations of motion
  void (*residual)(SarRelative* p, SarSim* s);
  // the same by d->a, whatever the scheme makes of it; NULL: by recursive Newton-Euler,
  // sar_relative_residual
  void (*balance)(SarRelative* p, SarSim* s);
  double closed,
      closed_a;       // shares of velocities and accelerations that projections may leave open
  bool multipliers;   // to be corrected where they do no work, too
  double keep;        // increments that shrink at least so fast need no new factor
  double forgetting;  // exponent: a rate not measured for a step is believed less
  double least_rate;  // what the matrix lacks may come at once: less is not believed a step later
  double share;       // times newton_tolerance: of x that an iteration may leave, where x is as
                      // large as the rule's error; 0: none
  bool leaps;         // first increments differ much from step to step, and rates with them
} SarRelativeOps;

struct SarRelative {
  SarStepRates rates;
  double *x, *r;        // nv: displacement of the step; residual, then increment
  double* A;            // nv: averaged accelerations at the end
  double* v;            // nv: velocities, while others stand in their place
  double *e, *mu;       // nrow
  double* unit;         // nv: of each coordinate, the mechanism's size for lengths, 1 for angles
  SarAugmented system;  // accelerations of index 1; the tangent of `hybrid`
  SarFactored
      factored;  // the tangent of the step; that of `system` unless the formulation has its own
  SarRelativeOps ops;
  SarSaddle saddle;
  SarStiction stiction;
  SarAhead ahead;  // of formulations that pass singular positions
  // state: of the last step its length, and the averaged accelerations with which it ended and
  // those of one and two steps before
  double *h, *A0, *A1, *A2;
  double* lag;         // of A0 (scheme.h); NULL: none
  int *known, *order;  // how many of A0, A1, A2 there are; of the predictor, less than that
  double* multiplier;  // nrow: lambda*
  double* rate;  // 2: an increment over the one before, as measured last; the size of that one
};

// Takes its pieces of a block. forces: the tangent has those of forces. row_order: Nullable where
// pieces are only counted.
void sar_relative_layout(SarRelative* p, const SarModel* m, const int* row_order, bool forces,
                         SarBlock* b);
// Declares the state, of formulations whose steps sar_relative_begin and sar_relative_finish
// enclose.
void sar_relative_declare(SarRelative* p, SarSim* s);

// d->a and d->lambda of index 1 at t, q, v; the contract of SarFormulation.accel.
SarStatus sar_relative_accel(SarRelative* p, SarSim* s);
// The contract of SarFormulation.regroup: rows that are off are zero and change nothing; the run
// begins anew with the multipliers of the others. Those of init, adopt and look: singular positions
// ahead. The memory of the formulation begins with its SarRelative.
void sar_relative_regroup(SarSim* s);
void sar_relative_init(SarSim* s);
void sar_relative_adopt(SarSim* s);
void sar_relative_look(SarSim* s);
// Rates, averaged accelerations, multipliers and the time of a step that begins; x as predicted.
// Speeds of friction that count as none, by the usual step of s.
void sar_relative_expect(SarRelative* p, const SarSim* s);
void sar_relative_begin(SarRelative* p, SarSim* s);
// The same but for x, with rates that are given: for other rules than those of s->scheme.
void sar_relative_prepare(SarRelative* p, SarSim* s, SarStepRates rates);
// Accelerations with which the step is expected to end (nv).
void sar_relative_extrapolate(const SarRelative* p, int nv, double* A);
// x -> q, v, a of d by the scheme; then kinematics, forces, Phi and Psi there.
void sar_relative_move(SarRelative* p, SarSim* s);
void sar_relative_evaluate(SarSim* s);
// r = Q - M a - Psi' lambda, of d->a and d->lambda.
void sar_relative_residual(SarRelative* p, SarSim* s);
// Increments and residuals are measured in units of the mechanism: lengths over its size, angles in
// radians. So one tolerance serves both, and a model in millimetres makes the same iterations as in
// metres.
//
// Is an error of x below what an iteration may leave? That is the option's, or less in short steps,
// for an error of x is one of a, a_x times as large.
bool sar_relative_is_small(const SarRelative* p, const SarSim* s, double error);
// Of the last increment and the one before: increments that no longer shrink are rounding, near
// singular positions more of it than that.
bool sar_relative_is_converged(const SarRelative* p, const SarSim* s, double moved, double before);
// Where d was evaluated: has friction of joints come to terms with their motion? True: there is
// more to do, and the forces in d are those of the next iteration. switched: what sticks is
// something else, and the tangent with it.
bool sar_relative_has_slipped(SarRelative* p, SarSim* s, bool* switched);
// Accelerations of what sticks are zero, those of the scheme need not be: those of index 1 take
// their place.
SarStatus sar_relative_come_to_rest(SarRelative* p, SarSim* s);
// What the next step must know, and the books.
SarStatus sar_relative_finish(SarRelative* p, SarSim* s, int iterations);
// Newton's iteration of the step: ends with the error of x below the tolerance, d evaluated there
// but for velocities and forces, which sar_relative_project finds; newton.c.
SarStatus sar_relative_iterate(SarRelative* p, SarSim* s, int* iterations);
void sar_relative_declare_rate(SarRelative* p, SarSim* s);
// Velocities, accelerations and multipliers of d onto the constraints, by the factor of the step;
// project.c.
void sar_relative_project(SarRelative* p, SarSim* s);
// Work done, time and counters of a step that took so many iterations.
void sar_relative_book(const SarRelative* p, SarSim* s, int iterations);
// The largest of n numbers, each over its unit (Nullable: 1), and its place; NaN is larger than
// all.
double sar_largest(int n, const double* x, const double* unit, int* which);
// The largest residual Phi or Phi' of the model's rows.
double sar_relative_open(const SarSim* s, const double* residual);
