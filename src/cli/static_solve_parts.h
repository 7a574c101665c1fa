// What the files of `sarrus static --solve` share: the search for p with R(p) = 0 (static_solve.c).
#pragma once
#include "cli/static_solve.h"

typedef struct SolveSearch {
  const CliArgs* args;
  const SarStaticsOptions* o;
  double time;
  CliSolved* out;
  char text[SOLVE_MOST][2][512];  // the two sides of each condition, as columns
  char column[SOLVE_MOST][2][32];
  double size[SOLVE_MOST];  // of the parameters
  double* q;                // where the last equilibrium was; NULL: none yet
  int nq;
  int rows;                       // of R; -1: not known yet
  double *R, *R_new, *scale, *J;  // rows; rows; rows; rows x count
  bool quiet;                     // trials say nothing
} SolveSearch;

// A model with certain parameters, and what became of it.
typedef struct SolveTrial {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double* values;
} SolveTrial;

void solve_end_trial(SolveTrial* t);

// R at p (NULL: into a->R); keep: its equilibrium is where the next ones start. False: there is
// none, and *status is the exit status of the program.
bool solve_evaluate(SolveSearch* a, const double* p, double* R, bool keep, int* status);

// From out->before on, until R vanishes. Fills in the result, prints messages; returns the exit
// status.
int solve_search(SolveSearch* a);
