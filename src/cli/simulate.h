// Running a model for `run` and `plot`: options into a job, results into a file and/or a table, a
// progress bar on a terminal.
#pragma once
#include "cli/cli.h"

typedef struct SimulateJob {
  const CliArgs* args;
  const char* path;      // of the model, for messages
  const char* out;       // result file; NULL: none
  const char* contacts;  // file of contacts; NULL: none
  int digits;
  bool quiet;
  SarSimOptions sim;
  SarRunOptions run;  // but for `sim`, which is the one above
} SimulateJob;

// Reads the options that `run` and `plot` share; an exit status.
int simulate_options(const CliArgs* args, SimulateJob* job);
// What --reference means where there is contact: steps by impulses, so much shorter than those that
// are judged.
enum { SIMULATE_REFERENCE_SHARE = 16 };
void simulate_reference_steps(SarSimOptions* sim, double step);
// Runs; messages go to stderr. Returns the exit status. Interrupted, it ends the run early and
// whole: end_time < end_wanted in its report. *out: for sar_run_free; NULL where it did not begin.
int simulate(const SarModel* m, const SimulateJob* job, SarRun** out);
