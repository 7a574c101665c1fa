// What searches over parameters have in common (`optimize`, `identify`): parameters and their
// bounds, runs of the model with values of them, side by side, each kept in a journal.
//
// A search is deterministic, so that it is resumed by going through it again: runs that the journal
// has are not made again, and everything, also the state of a library's method, comes to be what it
// was.
#pragma once
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/simulate.h"
#include "base/pool.h"
#include "output/journal.h"
#include "output/table.h"

enum { SEARCH_MOST = 32 };

typedef struct SearchAxis {
  char name[64];
  double low, high, start;
  bool log;  // equal ratios are equal steps
} SearchAxis;

typedef struct SearchTrial {
  double p[SEARCH_MOST];
  double* value;  // numbers of the run; NULL: it failed
  char trouble[300];
  bool counted;  // asked for in this search
} SearchTrial;

typedef struct Search {
  const CliArgs* args;
  SimulateJob job;
  int count;
  SearchAxis axis[SEARCH_MOST];
  const SarExpression* column;  // in addition to the model's
  int columns;
  const double* times;  // rows at these times; NULL: the model's
  size_t time_count;
  int values;  // numbers of a run
  void (*measure)(const void* context, const SarTable* rows, double* values);
  const void* context;
  SarModel* base;
  SarPool* pool;
  SarJournal* journal;
  // every run that was asked for, in order; those of the journal first
  SearchTrial* trial;
  int trials, capacity, hint;
  int resumed, used, runs, failed;  // used: of those that were resumed
} Search;

// --over and --start, options of runs, and the model; an exit status. The columns are to be set
// before.
int search_read(const CliArgs* args, Search* s);
int search_load(Search* s);
// Opens --journal, whose identity has these lines besides; an exit status.
int search_open(Search* s, const char* identity);
void search_free(Search* s);
// Runs with n sets of parameters, one after the other; out[i] lives until the next call.
// SAR_STOPPED: a signal.
SarStatus search_run(Search* s, int n, const double* p, const SearchTrial** out);
// From the unit interval to a parameter and back.
double search_from_unit(const SearchAxis* a, double u);
double search_to_unit(const SearchAxis* a, double x);

// Differences for slopes in shares of the ranges: central ones over two steps, extrapolated to
// order 4 (Richardson); on a bound one-sided, of order 2.
typedef struct SearchStencil {
  double at[4], weight[4],
      middle;  // offsets, the weights of their values and of that of the point itself
  int points;
} SearchStencil;
// The point u itself and, with stencil[count] (Nullable), the points of all stencils after it; how
// many.
int search_stencils(const Search* s, const double* u, SearchStencil* stencil, double* points);
