// Running a model for `run` and `plot`: options into a job, results into a file and/or a table, a progress bar on a terminal.
#pragma once
#include "cli/cli.h"
#include "output/table.h"
#include "sim/run.h"

typedef struct SimulateJob {
  const CliArgs* args;
  const char* path;      // of the model, for messages
  const char* out;       // result file; NULL: none
  const char* contacts;  // file of contacts; NULL: none
  int digits;
  bool quiet;
  SarRunOptions run;
  SarTable* table;  // filled too when not NULL
} SimulateJob;

// Reads the options that `run` and `plot` share; an exit status.
int simulate_options(const CliArgs* args, SimulateJob* job);
// Runs; messages go to stderr. Returns the exit status. Interrupted, it ends the run early and whole:
// report->end_time < end_wanted.
int simulate(const SarModel* m, const SimulateJob* job, SarRunReport* report);
// "time" and the model's output columns, `count` of them, in one block for sar_free; NULL: no memory.
const char** simulate_columns(const SarModel* m, int* count);
