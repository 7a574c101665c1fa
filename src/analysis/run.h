// What a whole run (run.c) shares with its beginning (run_setup.c).
#pragma once
#include "model/sim.h"
#include "output/table.h"
#include "sim/pace.h"
#include "sim/step_times.h"

struct SarRun {
  SarRunOptions o;
  SarSimOptions sim;
  SarRunReport report;
  SarStats stats;
  SarChoice choice;
  SarEvent event[SAR_RUN_EVENTS];
  SarTable table;
  SarData* d;
  SarSim* s;
  double* row;             // time and all columns
  double potential_start;  // J; NaN before the first row
  double end, dt;
  bool time_steps, resumed;
  char reason[384], ambiguous[256];
  char trouble[400];  // of the run itself; "": see the simulation's
  SarPace pace;
  SarStepTimes step_times;
};

// Data, method and room by r->o, in this order; what there is of them is the run's, also after a failure.
SarStatus sar_run_set_up(SarRun* r, const SarModel* m, SarError* err);
