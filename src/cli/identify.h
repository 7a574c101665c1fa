// sarrus identify: parameters for which a model follows measured columns, by nonlinear least
// squares, with confidence intervals from the Jacobian.
#pragma once
#include "cli/search.h"

enum { IDENTIFY_COLUMNS = 64 };

typedef struct IdentifyColumn {
  const char* name;
  int data;                 // column of the table
  int output;               // column of a run's table; -1: not found yet
  bool given;               // --sigma
  double sigma, spread;     // of the noise; of the data about their mean
  int values;               // that are there, not nan
  double rms, correlation;  // of the residuals; from row to row
} IdentifyColumn;

typedef struct Identify {
  const CliArgs* args;
  Search search;
  const char* path;  // of the data
  SarTable* data;
  double* time;
  int rows, columns, missing;
  IdentifyColumn column[IDENTIFY_COLUMNS];
  double confidence, tolerance;
  int iterations;  // most, of each fit
  bool bar;
  // what came of it
  double x[SEARCH_MOST], deviation[SEARCH_MOST], correlation[SEARCH_MOST][SEARCH_MOST];
  double quantile, cost;
  bool bound[SEARCH_MOST], idle[SEARCH_MOST], shared[SEARCH_MOST];
  int fits, steps, rank, free;
  long freedoms;
  bool converged, stopped;
  char trouble[300];
} Identify;

// identify_data.c: the table, its times and columns; an exit status after all messages.
int identify_read(Identify* a);
// Which columns of the model they are, once it is loaded.
int identify_match(Identify* a);
// Numbers of a run: fits Search.measure.
void identify_measure(const void* identify, const SarTable* rows, double* values);
// identify_fit.c: an exit status.
int identify_fit(Identify* a);
