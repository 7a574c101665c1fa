// All ways in which a mechanism can be put together: assembly modes, the solutions of Phi(q) = 0.
#pragma once
#include "model/sim.h"

typedef struct SarBranches {
  int count;   // assemblies that differ
  double* q;   // count times nq_all: positions of each; the first is the model's own
  int* found;  // count: how many of the trials led there
  int trials;  // made
  int open;    // trials that did not close
} SarBranches;

enum { SAR_MAX_BRANCHES = 64 };

// Closes the loops at time t of d from `trials` random positions; the same seed gives the same
// answer. `d` is scratch and starts from the first assembly: the state it is in.
SarStatus sar_branches_find(const SarModel* m, SarData* d, int trials, unsigned long long seed,
                            SarBranches* out, SarError* err);
void sar_branches_free(SarBranches* b);
