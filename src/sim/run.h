// A whole run: from the initial state to the end time, with frames at output times and the figures
// that judge it.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarRunOptions {
  SarSimOptions sim;  // names and steps; zeros and NULLs: the model file's, else the defaults
  double end;         // s; 0: the model file's `end`, else 10
  double
      output_step;  // s; 0: the model file's, else end/500 (fixed steps: a multiple of the step near it)
  const double*
      times;  // s; frames at these times instead, rising, the last one is the end; Nullable
  size_t time_count;
  bool audit_steps;  // the energy after every step, not only at the frames; costs time
  bool time_steps;   // the time of every fixed step, for the figures below
  double deadline;   // s that a step may take; 0: none
  bool choose;       // where steps are fixed, "auto" makes trials (sar_choose)
  double accuracy;   // of these; 0: the default
  // Files of states (sar_data_load, sar_data_save); Nullable. `resume`: the run goes on from there,
  // with the method and the fixed step it had where `sim` names none; frames are those behind it.
  // `save`: where the run ends, also where it fails or is stopped.
  const char *resume, *save;
} SarRunOptions;

typedef struct SarRunHooks {
  void* context;
  // one row of the result: time, then every output column (1 + count values); not SAR_OK ends the
  // run
  SarStatus (*frame)(void* context, const double* values);
  // the state at each row, right after it; Nullable
  SarStatus (*state)(void* context, const SarData* d);
  // called a few hundred times a run at most; Nullable
  void (*progress)(void* context, double fraction);
  // asked after every step: true ends the run there, with a last frame, which is no failure;
  // Nullable
  bool (*stop)(void* context);
  // true: steps and rows are being computed, in which nothing is allocated, written or locked, and
  // which may therefore be left by a jump that ends everything; false: not any more; Nullable
  void (*stepping)(void* context, bool now);
} SarRunHooks;

enum { SAR_RUN_EVENTS = 24 };

typedef struct SarRunReport {
  double start_time;        // s; 0, or where it was resumed
  const char* formulation;  // chosen names
  char reason[384];         // why this formulation, if it was chosen automatically; else ""
  const char* integrator;
  SarChoice choice;  // count 0: without trials
  double step;       // s; the fixed step, or the first one of an adaptive run
  bool adaptive;
  int freedoms;       // degrees of freedom at the start: coordinates less independent constraints
  double end_time;    // s; reached
  double end_wanted;  // s
  SarStats stats;
  double cpu_s;            // CPU time of the stepping alone, without output
  double realtime_factor;  // simulated time / CPU time
  // fixed steps, if they are timed: CPU time of one, the median (to 2 %) and the worst; the
  // simulated time at which it was; how many took longer than the deadline [s]
  double step_median, step_worst, step_worst_at, deadline;
  long steps_timed, steps_late;
  double energy_start, energy_end, energy_error_max;  // J; error: largest at the output times
  double work;                                        // J; put in by all accounts together
  double
      energy_scale;  // J; largest kinetic energy, change of potential energy or work at the output times: measure of the error
  bool constrained, projected;  // there are constraints; steps are brought back onto them
  double position_violation_max, velocity_violation_max;  // of constraints; 0 for open trees
  const char*
      limit_joint;    // first joint found outside of its limits at an output time, NULL = none
  double limit_time;  // s
  long event_count;   // things switched on and off during the run, and the first of them
  SarEvent event[SAR_RUN_EVENTS];
  char ambiguous[256];  // columns of reactions that redundant constraints leave undecided; "": none
  SarStatus status;
  char trouble[400];  // "" when done
} SarRunReport;

// Runs. Frames up to a failure have been given to hooks->frame. `err`: messages about options or
// the model. Returns SAR_OK when the end was reached; the report is filled in every case where the
// run began.
SarStatus sar_run(const SarModel* m, const SarRunOptions* o, const SarRunHooks* hooks,
                  SarRunReport* report, SarError* err);
