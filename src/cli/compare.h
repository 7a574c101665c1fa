// sarrus compare: the same run by several methods, judged against one reference.
#pragma once
#include "cli/cli.h"
#include "output/difference.h"

// How one model is run.
typedef struct CompareMethod {
  const SarModel* m;
  const char* coordinates;
  const char* formulation;
  const char* integrator;
  bool adaptive;
} CompareMethod;

typedef enum CompareVerdict {
  COMPARE_OK,
  COMPARE_INACCURATE,    // off the reference by more than a tenth of a column's scale
  COMPARE_WRONG_BRANCH,  // left it at once, energy kept: another way out of a singular position
  COMPARE_MISSED,        // no step or tolerance of the ladder meets the target
  COMPARE_FAILED,
  COMPARE_NOT_OFFERED
} CompareVerdict;

typedef struct CompareRun {
  CompareMethod method;
  double size;          // step [s], or tolerance of an adaptive run
  SarRunReport report;  // names and figures; `formulation` NULL: it did not begin
  SarStats stats;
  double cost;  // CPU time per simulated time, the least of the repetitions
  SarDifference difference;
  CompareVerdict verdict;
  char why[400];  // of a verdict that needs it
} CompareRun;

typedef struct CompareTarget {
  enum { TARGET_NONE, TARGET_ENERGY, TARGET_ERROR } what;
  double bound;  // J, or of the column's scale
} CompareTarget;

// What the options ask for.
typedef struct CompareWanted {
  CliNames formulations, integrators, coordinates;
  double end, output_step;  // s; 0: not given
} CompareWanted;

enum { COMPARE_MAX_RUNS = 1024 };

typedef struct Compare {
  const CliArgs* args;
  const char* path;
  CompareMethod method[COMPARE_MAX_RUNS];
  int methods;
  CliNumbers steps, tolerances;
  CompareTarget target;
  double* times;  // of the rows [s], time_count of them
  size_t time_count;
  double* some;  // room for as many: those a run lands on
  int repeat;
  double limit;                // CPU time that a run may take [s]
  const SarTable* reference;   // NULL: none
  SarTable* reference_table;   // where it was read from a file
  SarRun* reference_run;       // where it was computed
  const char* reference_file;  // NULL: computed
  const char* reference_integrator;
  double reference_step;  // of a computed one with contact, by impulses [s]; 0: by error control
  double
      uncertainty;  // of a computed reference: what a run at a hundred times the tolerance is off
  const char* columns;
  bool quiet;
  CompareRun* run;  // COMPARE_MAX_RUNS
  int runs;
} Compare;

// compare_rows.c: the times of the rows and the reference, computed, read or none; an exit status.
int compare_find_reference(Compare* c, const SarModel* m, const CompareWanted* w);

// compare_run.c
// Runs a method `repeat` times and judges it. SAR_OK also when the run failed: the verdict says so.
// The model being wrong, or no memory, is not: messages have been printed.
SarStatus compare_run(const Compare* c, const CompareMethod* method, double size, int repeat,
                      CompareRun* out);
// The reference by a run at tight tolerance, and its uncertainty by a second one.
SarStatus compare_reference(Compare* c, const SarModel* m);

// compare_target.c: the largest step or tolerance with which the method meets the target.
SarStatus compare_target(const Compare* c, const CompareMethod* method, CompareRun* out);

// compare_print.c
const char* compare_verdict_text(CompareVerdict verdict);
void compare_print_table(const Compare* c);
void compare_print_csv(const Compare* c);
void compare_print_json(const Compare* c);
// Cost over error of every method, both logarithmic.
SarStatus compare_plot(const Compare* c, const char* path, SarError* err);
