// Parameters of a model for which an equilibrium is what it should be (design for equilibrium):
// `sarrus static --solve`.
#pragma once
#include "cli/cli.h"

enum { SOLVE_MOST = 16 };  // parameters, conditions

typedef struct CliSolved {
  int count;  // parameters; 0: nothing was to be solved
  SarParameter parameter[SOLVE_MOST];
  double before[SOLVE_MOST];
  bool idle[SOLVE_MOST];  // it has no influence and stays what it was
  bool
      shared;  // fewer combinations matter than there are parameters: the nearest values were taken
  int conditions;
  const char* condition[SOLVE_MOST];  // as given; none: the position of the file is the equilibrium
  double left[SOLVE_MOST];            // difference of their two sides
  double force;                       // or the largest force left at the file's position [N m or N]
  int iterations;
  char names[CLI_LIST_TEXT];
} CliSolved;

// By --solve and --to, with what `o` and `time` say of the search. words: room for the names.
// Prints messages; returns the exit status.
int cli_solve(const CliArgs* args, const SarStaticsOptions* o, double time, char* words,
              size_t size, CliSolved* out);
