// sarrus optimize: parameters at which an expression over the run is least (nonlinear programming).
#pragma once
#include "cli/objective.h"
#include "cli/optimize_methods.h"

typedef struct Optimize {
  const CliArgs* args;
  Search search;
  Objectives objectives;         // the first is minimized, the others are to be <= 0
  double scale[OBJECTIVE_MOST];  // of a constraint, for its tolerance: its right side, or what it
                                 // is off by at the start
  const OptimizeMethod* method;
  double tolerance;  // in shares of the ranges
  int evaluations;
  unsigned long long seed;
  // what came of it
  double best[SEARCH_MOST], value, start_value, excess[OBJECTIVE_MOST];
  bool found;
  double worst;  // of what was computed: a failed run counts as worse than that
  double slope;  // of the objective at the end, in its own size over a range: 0 at an optimum
                 // within the bounds
  bool at_bound[SEARCH_MOST];
  bool converged, stopped;
  const char* ending;
  char trouble[300];  // of the last run that failed
  bool bar;
  double shown;
} Optimize;

// optimize_solve.c: an exit status.
int optimize_solve(Optimize* o);
