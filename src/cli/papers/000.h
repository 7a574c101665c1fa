// Paper 000: one run with fixed steps, and the tables that are made of such runs.
#pragma once
#include "cli/papers/papers.h"
#include "model/sim.h"

// A run, and what was found.
typedef struct FixedRun {
  const SarModel* m;
  const char* formulation;
  double step, end;  // s
  double penalty;    // 0: scaled
  int iterations;    // most in a step; 0: plenty
  bool untimed;      // only look
  bool every_step;   // find the CPU time of each
  // before every step; Nullable
  void (*before)(void* context, SarSim* s);
  // at the start and after every step, outside of the CPU time; Nullable
  void (*look)(void* context, const SarSim* s);
  void* context;

  SarStatus status;
  double reached;        // s
  double cpu;            // s; the least of several runs
  double median, worst;  // s; of a step
  double error;          // J; the energy's largest deviation, with its sign
  SarStats stats;
  char trouble[256];
} FixedRun;

// Runs. SAR_OK also where the numerics failed: r->status and r->trouble say so.
SarStatus fixed_run(FixedRun* r, SarError* err);

// One column of a tight run of the same model at multiples of `interval`, to judge others by.
typedef struct Trace {
  int column;
  double interval;
  int count;
  double* value;  // of sar_alloc
  double* row;    // room for all columns
  // of the run that is looked at
  double largest, squares;  // of the differences: the largest, the sum of their squares
  long met;                 // how many
} Trace;

// `tolerance` 0: that of reference runs. `look` Nullable: called at each of the times.
SarStatus trace_make(Trace* t, const SarModel* m, const char* column, double interval,
                     double tolerance, void (*look)(void* context, const SarSim* s), void* context,
                     SarError* err);
void trace_free(Trace* t);
// To be called after every step: notes the difference if the step ended at such a time.
void trace_look(Trace* t, const SarSim* s);
void trace_begin(Trace* t);        // before a run that is looked at
double trace_rms(const Trace* t);  // root of the mean square of the differences
// The value of a column where a run is, NaN if there is none of this name.
double trace_value(Trace* t, const SarSim* s, const char* column);

// The formulations of the paper, in its order; those that this build has.
enum { PAPER_000_FORMULATIONS = 4 };
extern const char* const paper_000_formulation[PAPER_000_FORMULATIONS];
bool paper_000_has(int formulation);

// "hybrid, 0.01 s"
const char* paper_000_row(char buf[48], int formulation, double step);

// "'no convergent' in the paper; ours at t = ...": what the paper says instead of a figure, what
// stopped us, why we differ; each Nullable or empty.
const char* paper_000_note(char buf[400], const char* theirs, const char* trouble, const char* why);

// One table each.
SarStatus paper_000_four_bar(PaperReport* r, SarError* err);
SarStatus paper_000_suspension(PaperReport* r, SarError* err);
SarStatus paper_000_robot(PaperReport* r, SarError* err);
SarStatus paper_000_vehicle(PaperReport* r, SarError* err);
