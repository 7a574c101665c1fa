// What a whole run (run.c) shares with its beginning (run_setup.c).
#pragma once
#include "model/sim.h"
#include "output/table.h"
#include "sim/pace.h"
#include "sim/step_times.h"

// What the energies of the rows have been so far [J] (run_audit.c).
typedef struct SarRunAudit {
  bool begun;
  double potential, error, total;  // of the first row
  double more, less;               // the most since then that work does not explain
  double gained;                   // the most above the first row and all that accounts gave
  double without;                  // what moved without what accounts took
  double size;                     // the largest of the terms that these are differences of
  double through;                  // what went through the accounts of work, from row to row
} SarRunAudit;

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
  double* row;                // time and all columns
  double *work, *work_start;  // behind it: the accounts at the last row and at the first
  SarRunAudit audit;
  double end, dt;
  bool time_steps, resumed;
  char reason[384], ambiguous[256], unexplained[256];
  char trouble[400];  // of the run itself; "": see the simulation's
  SarPace pace;
  SarStepTimes step_times;
};

// Data, method and room by r->o, in this order; what there is of them is the run's, also after a
// failure.
SarStatus sar_run_set_up(SarRun* r, const SarModel* m, SarError* err);

// The energy where d is, for the report. The last look at it, where a run has ended with this
// status: is it explained (r->unexplained if not)? SAR_NOT_EXPLAINED: what moves comes from
// nowhere.
SarStatus sar_run_audit(SarRun* r);
SarStatus sar_run_explain(SarRun* r, SarStatus status);
