// The lines of the benchmark: a linkage, what is measured, the bound, and what is right.
#pragma once
#include "loops.h"

typedef enum Measure { ENERGY, POSITION, ANGLE, LINE } Measure;

typedef struct Case {
  const char* name;
  int linkage;  // n of n four-bars; else one of those below
  Measure measure;
  double bound, end, interval;  // interval: between the times at which results are known
  double implicit;              // times MuJoCo's time that `hybrid` may take; 0: not asked
} Case;
enum { ANDREWS = -1, BRICARD = -2, PEAUCELLIER = -3 };

extern const Case CASES[];
extern const int CASE_COUNT;

typedef struct Verdict {
  double error;
  bool branch;  // on the branch it should be on
} Verdict;

static inline int case_samples(const Case* c) { return (int)(c->end / c->interval + 0.5); }
void case_linkage(const Case* c, Linkage* l);
void case_expected(const Case* c, const Linkage* l, Sample* out);  // at every interval
// Takes sample i into the verdict, of those taken at every stride-th interval.
void case_judge(const Case* c, const Linkage* l, int i, int stride, const Sample* is,
                const Sample* should, Verdict* v);
static inline bool case_holds(const Case* c, Verdict v) { return v.branch && v.error <= c->bound; }
