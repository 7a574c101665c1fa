// A sweep: one model with many values of its parameters. Instances are the product of a grid (every
// --vary is an axis of it) and of samples (every --random gives a column of them; sample k has
// number k of each).
#pragma once
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/simulate.h"
#include "output/table.h"

#include <stdatomic.h>

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

// What came of one instance.
typedef struct SweepOutcome {
  SarStatus status;
  bool stopped;  // from outside, before its end
  char trouble[400];
  SarModel* model;  // of generated code
  SarRun* run;      // its rows; NULL: it did not begin
  SarTable table;   // its rows by generated code
  double* last;     // time and outputs, the last row
  bool has_last;
  const atomic_bool* halt;  // ends it, like a signal; Nullable
} SweepOutcome;

// Who computes the instances of a sweep with a journal, by processes or by MPI.
typedef struct SweepTeam {
  const char* journal;  // NULL: none
  int processes;        // 0: threads of this one
  bool mpi;             // this is one rank of a job
  int rank, ranks;
  struct SarJournal* file;
  // what came of it
  int resumed;                  // instances that the journal had
  int workers, lost;            // lost: that ended before their time, and were replaced
  double worker_cpu_s, wait_s;  // of all workers; waiting: for work
  double master_cpu_s;
} SweepTeam;

typedef struct Sweep {
  const CliArgs* args;
  SweepPlan plan;
  SimulateJob job;
  SarModel* base;  // with the values of the file: names of columns
  int columns;     // of outputs that are kept
  int* column;     // their indices
  bool rows;       // over time, not the last alone
  bool generated;  // fixed steps by generated code, several instances in vector lanes
  int threads;
  // what came of it
  int done, failed;
  int failure[SWEEP_SHOWN_FAILURES];
  char trouble[SWEEP_SHOWN_FAILURES][400];
  SweepRange* range;  // by column
  double wall_s;
  bool stopped;
  bool bar;  // progress is shown
  // by workers
  SweepTeam team;
  // by generated code
  int lanes;       // 0: the interpreter
  char why[300];   // the interpreter
  SarTable times;  // rows of the first instance by the interpreter: times of all
  double apart;    // of its last row, as a share of the largest number of the column
  SarModel* lead;  // of instance 0, whose code is that of all
} Sweep;

// ---- between the parts --------------------------------------------------------------------------
// The model of an instance.
SarStatus sweep_load(const Sweep* s, int instance, SarModel** m, SarError* err);
// Loads it and runs it, in any thread.
void sweep_instance(const Sweep* s, int instance, SweepOutcome* o);
// Its rows over time; NULL: the last alone.
const SarTable* sweep_rows_of(const Sweep* s, const SweepOutcome* o);
// The first message of err, or the status, where there is no other word yet.
void sweep_note_trouble(SweepOutcome* o, const SarError* err);
// By generated code. What an instance comes to depends on itself and on instance 0 alone, not on
// who computes it beside which others: code is that of instance 0, and an instance that it does not
// fit is the interpreter's. `begin` makes it, before anything is handed out; where there is none
// s->lanes is 0, and s->why says why.
enum { SWEEP_MOST_GENERATED = 1024 };  // instances at a time
void sweep_generated_begin(Sweep* s);
void sweep_generated_end(Sweep* s);
// Instances first, first + 1, ...
void sweep_generated_batch(const Sweep* s, int threads, int first, int n, SweepOutcome* outcome);
// Columns that follow from accounts of the whole run, which generated code does not keep.
bool sweep_is_account(const char* column);

// sweep_rows.c: where rows go, in the order of the instances
typedef struct SweepSink {
  Sweep* s;
  SarWriter* writer;  // NULL: no file
  CliOutput file, failures_file;
  FILE* failures;
  double* row;
} SweepSink;
SarStatus sweep_sink_open(Sweep* s, SweepSink* k, SarError* err);
// values: the time and the columns that are kept; NULL: there are none.
SarStatus sweep_sink_row(SweepSink* k, int instance, int status, const double* values);
// After its rows: counts, failures, ranges. last: Nullable.
void sweep_sink_count(SweepSink* k, int instance, int status, const char* trouble,
                      const double* last);
SarStatus sweep_sink_close(SweepSink* k, SarStatus st, SarError* err);
void sweep_show_bar(const Sweep* s, int done, double seconds);
void sweep_clear_bar(const Sweep* s);

// Runs all instances; rows go into --out in their order, whatever the threads. An exit status.
int sweep_run(Sweep* s);

// sweep_team.c: the same with a journal, by worker processes, or in an MPI job.
bool sweep_has_team(const Sweep* s);
int sweep_run_team(Sweep* s);
// Before anything is read: is this a rank of an MPI job? Ranks but the first are silent from here
// on.
int sweep_find_ranks(Sweep* s);
// A rank that is not the first: works, or tells the first one what `status` was. An exit status.
int sweep_serve(Sweep* s, int status);
