// A sweep: one model with many values of its parameters. Instances are the product of a grid (every --vary is an
// axis of it) and of samples (every --random gives a column of them; sample k has number k of each).
#pragma once
#include "cli/cli.h"
#include "cli/simulate.h"

enum { SWEEP_MOST_AXES = 2 * CLI_MAX_SETS, SWEEP_MOST_INSTANCES = 10000000 };

typedef struct SweepAxis {
  const char* option;  // "vary" or "random"
  char name[64];
  int count;
  double* value;  // for sar_free
} SweepAxis;

typedef struct SweepPlan {
  int axes,
      grid_axes;  // those of the grid first, the last of them fastest; samples are faster still
  SweepAxis axis[SWEEP_MOST_AXES];
  int samples;    // 1: none are random
  int instances;  // in all
  unsigned long long seed;
} SweepPlan;

// From --vary, --random and --seed; all messages are printed. To be freed in any case.
int sweep_plan(const CliArgs* args, SweepPlan* plan);
void sweep_plan_free(SweepPlan* plan);
// The value of an axis for an instance.
double sweep_value(const SweepPlan* plan, int axis, int instance);
// Number k of a stream of standard normal numbers, or of numbers from 0 to 1, that has a name.
double sweep_normal(unsigned long long seed, const char* name, int k);
double sweep_uniform(unsigned long long seed, const char* name, int k);

enum { SWEEP_SHOWN_FAILURES = 10 };

// What a column came to over all instances that were done.
typedef struct SweepRange {
  double low, high;
  int low_at, high_at;  // instances; -1: none
} SweepRange;

typedef struct Sweep {
  const CliArgs* args;
  SweepPlan plan;
  SimulateJob job;
  SarModel* base;  // with the values of the file: names of columns
  int columns;     // of outputs that are kept
  int* column;     // their indices
  bool rows;       // over time, not the last alone
  int threads;
  // what came of it
  int done, failed;
  int failure[SWEEP_SHOWN_FAILURES];
  char trouble[SWEEP_SHOWN_FAILURES][400];
  SweepRange* range;  // by column
  double wall_s;
  bool stopped;
} Sweep;

// Runs all instances; rows go into --out in their order, whatever the threads. An exit status.
int sweep_run(Sweep* s);
