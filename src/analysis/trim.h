// What the search for a trimmed motion (trim.c) and its trials (trim_trial.c) share.
//
//   R(p) = 0      p: unknowns;   R: left - right of each condition, averaged over a period of the
//                 motion that p leads to
#pragma once
#include "model/data.h"
#include "model/sim.h"

enum { TRIM_COLUMNS = 3 * SAR_TRIM_MOST + 1, TRIM_NAME = 32 };

// A model with values of the unknowns, and a run of it.
typedef struct SarTrimTrial {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double* values;  // of all columns
} SarTrimTrial;

// Averages over one period.
typedef struct SarTrimMeans {
  double left[SAR_TRIM_MOST], right[SAR_TRIM_MOST];
} SarTrimMeans;

struct SarTrim {
  SarTrimReport report;
  SarTrimTrial best;  // where the search stands; the next trial starts from its state
  double value[SAR_TRIM_MOST], before[SAR_TRIM_MOST];
  SarTrimMeans means;
};

typedef struct SarTrimSearch {
  const char* path;
  SarTrimOptions o;
  SarTrim* out;
  SarParameter* parameter;  // those of the load options, then the unknowns
  SarExpression* column;    // those of the load options, then sides, values and the period
  char name[TRIM_COLUMNS][TRIM_NAME];
  double size[SAR_TRIM_MOST];   // of the unknowns
  double slope[SAR_TRIM_MOST];  // how far a condition follows an unknown that changes by its size
  char why[200];                // a trial failed
  SarError* err;
} SarTrimSearch;

// Loads the model as the file has it, finds what the unknowns are before, and goes to `start`.
SarStatus sar_trim_begin(SarTrimSearch* a);
// Averages with the unknowns p, once they repeat. Takes the trial in place of the best one where
// `keep`. SAR_NOT_CONVERGED, SAR_NOT_FINITE ...: a->why says what came in between.
SarStatus sar_trim_evaluate(SarTrimSearch* a, const double* p, SarTrimMeans* out, bool keep);
void sar_trim_end_trial(SarTrimTrial* t);
// The model without columns of the search's own, in the state where the best trial ended.
SarStatus sar_trim_finish(SarTrimSearch* a, const double* p);
// What transients may have left in an average.
double sar_trim_noise(const SarTrimSearch* a, const SarTrimMeans* x, int i);
// What a condition may lack.
double sar_trim_allowed(const SarTrimSearch* a, const SarTrimMeans* x, int i);
