// One model run by one formulation, and how far its twin's columns are from its own.
#pragma once
#include "support/twins/columns.h"

#include "model/sim.h"

enum { TRIAL_ROWS = 6 };
// tolerance of implicit steps, of the mechanism's size or rad
static const double TRIAL_NEWTON = 1e-10;

typedef struct Trial {
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
  double step;  // s, in the model's units
  int steps;    // between two rows
} Trial;

// What a run came to; one more row than TRIAL_ROWS, the start.
typedef struct TrialRun {
  SarStatus status;  // of setting up and of all steps
  bool set_up;
  int rows;       // that are there
  double* value;  // row by row, columns of the model
  SarStats stats;
  SarFreedom freedom;
  double balance;  // law_balance at the end
  char said[300];
} TrialRun;

// Runs t (a twin of m, or itself); columns come back as those of m. Each coordinate and speed is
// first changed by `perturbation`, relative, at random. The caller frees value.
void trial_run(const Trial* trial, const SarModel* m, Twin* t, double perturbation, TrialRun* out);
void trial_free(TrialRun* r);

// Groups of columns that are measured alike.
typedef enum TrialGroup {
  GROUP_POSITION,
  GROUP_ROTATION,
  GROUP_VELOCITY,
  GROUP_OMEGA,
  GROUP_ACCELERATION,
  GROUP_JOINT_Q,
  GROUP_JOINT_V,
  GROUP_JOINT_A,
  GROUP_REACTION_FORCE,
  GROUP_REACTION_TORQUE,
  GROUP_ENERGY,
  GROUP_WORK,
  GROUP_ELEMENT,
  GROUP_CONSTRAINT,
  GROUP_CONTACT,
  GROUP_EXPRESSION,
  GROUPS
} TrialGroup;
extern const char* const GROUP_NAME[GROUPS];

TrialGroup trial_group(const SarChannel* c);
// How large the values of a group are in a run: what differences are measured by.
void trial_scales(const SarModel* m, const Trial* trial, const TrialRun* r, double scale[GROUPS]);

typedef struct Apart {
  double most[GROUPS];  // over the group's scale
  int column[GROUPS];
} Apart;
// Of one row; columns that are not compared do not count.
void trial_apart(const TwinColumns* c, const TrialRun* a, const TrialRun* b, int row,
                 const double* scale, Apart* out);
