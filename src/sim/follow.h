// Kinematic analysis, following drives: where a mechanism is, how it moves and what its drives must
// do when its whole motion is prescribed. Nothing is integrated: positions come from the
// constraints at each time.
#pragma once
#include "model/sim.h"

typedef struct SarFollow {
  SarSim* s;
  double length;   // size of the mechanism [m]
  double step;     // of the continuation, next one to try [s]; 0: the whole way
  double longest;  // way asked for so far [s]
  // How firmly the constraints hold the mechanism: the least distance of a row of Psi from the span
  // of the others, at the rows' usual lengths, over the largest row. 0 at a singular position.
  double grip;
  struct SarFollowWork* work;
} SarFollow;

// Checks that the drives prescribe the motion whole, and evaluates the start. `s` stays the
// caller's.
SarStatus sar_follow_new(SarSim* s, SarFollow* out, SarError* err);
void sar_follow_free(SarFollow* f);
// After t and q of d were set to another assembly: v, a and lambda there.
SarStatus sar_follow_restart(SarFollow* f);
// Goes to time t (forth or back) on a path of closed positions, with as many steps between as it
// takes to stay on the branch; q, v, a and lambda are those at t then. SAR_NOT_CONVERGED where the
// mechanism cannot follow, with d at the last position it reached and a message that says what
// stays open.
SarStatus sar_follow_to(SarFollow* f, double t, SarError* err);

// The least grip between t_low and t_high, around a time where it was seen to be small. d is put
// back.
SarStatus sar_follow_least_grip(SarFollow* f, double t_low, double t_high, double* t, double* grip);

// What a row of a drive asks for and what it takes; rows of drives only.
typedef struct SarDriveState {
  double value, speed;  // of what is prescribed [rad or m, per s]
  double force;         // along it [N m or N]
  double power;         // put in [W]
} SarDriveState;
SarDriveState sar_drive_state(const SarModel* m, const SarData* d, int row);
