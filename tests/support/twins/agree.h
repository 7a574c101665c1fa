// Does a twin agree with its model? Differences are judged by what they may be: bit for bit where
// the same numbers are added in the same order; else by what a small change of the start does to
// the run, the amplification of rounding; and, where coordinates change, by the method's error too.
#pragma once
#include "support/twins/trial.h"

typedef enum Bound { BOUND_BITS, BOUND_ROUNDING, BOUND_METHOD, BOUNDS } Bound;
extern const char* const BOUND_NAME[BOUNDS];

// A model under one formulation, with what its twins are judged by.
typedef struct Case {
  const char* path;
  uint64_t seed;
  bool absolute;
  Twin model;
  Trial trial;
  TrialRun run, perturbed, halved;  // the last: with half the step
  double perturbation;
  double scale[GROUPS];
  bool ready;  // false: the formulation does not take the model, or `why`
  char why[320];
} Case;

void case_open(Case* c, const char* path, const SarFormulation* f, uint64_t seed, bool absolute);
void case_close(Case* c);

typedef struct Verdict {
  bool made;
  Bound bound;
  double ratio;  // worst difference over its bound; <= 1 is agreement
  double apart;  // that difference, over the scale of its group
  int rows;      // compared, before the run forgot where it began
  char where[200], why[320];
} Verdict;

void case_judge(Case* c, TwinKind kind, Verdict* out);
