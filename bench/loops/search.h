// The cheapest setting of an engine within a bound.
#pragma once
#include "cases.h"

typedef struct Best {
  double ms;  // CPU per simulated second; infinite: none
  Setting setting;
  int stride;  // of its samples
  Verdict verdict;
} Best;

// What takes longer than `longest` [ms/s] is given up.
Best search_best(const Engine* e, const Case* c, const Linkage* l, const Sample* should,
                 double longest, bool verbose);
// Times the winners in turn, so that what else the machine does meets all; the fastest run counts.
void search_duel(const Engine* const* engine, int engines, const Case* c, const Linkage* l,
                 Best* best);
