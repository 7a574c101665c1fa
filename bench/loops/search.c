// Every method of an engine is tried with steps (or tolerances) from coarse to fine. A ladder ends
// where it has become dearer than the best found so far, or when its steps have been fine enough a
// few times: the error of a coarse step is erratic, and the first within the bound need not be the
// cheapest.
#include "search.h"

#include "../bench.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

// h = stride / steps intervals
typedef struct Rung {
  int stride, steps;
} Rung;
static const Rung RUNGS[] = {{8, 1},   {7, 1},   {6, 1},   {5, 1},   {4, 1},   {7, 2},   {3, 1},
                             {5, 2},   {2, 1},   {9, 5},   {7, 4},   {5, 3},   {3, 2},   {4, 3},
                             {1, 1},   {5, 6},   {3, 4},   {2, 3},   {1, 2},   {2, 5},   {1, 3},
                             {1, 4},   {1, 5},   {1, 6},   {1, 8},   {1, 10},  {1, 12},  {1, 16},
                             {1, 20},  {1, 25},  {1, 32},  {1, 40},  {1, 50},  {1, 64},  {1, 80},
                             {1, 100}, {1, 128}, {1, 160}, {1, 200}, {1, 256}, {1, 320}, {1, 400},
                             {1, 512}, {1, 640}, {1, 800}, {1, 1000}};
static const double DIGITS[] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5,
                                5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 10};
// of the samples where an engine chooses its steps
enum { LANDING = 4 };
enum { ENOUGH = 3, TOO_SLOW = 2 };
// The run that is judged costs more than one that is timed: it is the first, and it is looked at.
static const double DEARER = 1.5, FIRST_RUN = 2;  // times, and [ms]

// CPU time: others may share the machine
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A run is timed alone, or judged as it goes: it ends at the first sample that breaks the bound.
typedef struct Judge {
  const Sample* should;
  double longest;  // [ms/s]
  Verdict verdict;
} Judge;

// One run: CPU ms per simulated second; NaN if it broke down, infinite if it took too long.
static double run_once(const Engine* e, const Linkage* l, Setting s, const Case* c, int stride,
                       Judge* judge) {
  const int samples = case_samples(c) / stride;
  const double interval = stride * c->interval, simulated = samples * interval;
  void* run = e->make(l, s, interval);
  if (!run) return (double)NAN;
  const double start = cpu_now();
  double ms = 0;
  // an engine that interpolates does so only where it is looked at
  for (int i = judge || e->lands ? 0 : samples - 1; i < samples && isfinite(ms); i++) {
    const bool ok = e->advance(run, i, interval);
    ms = ok ? 1e3 * (cpu_now() - start) / simulated : (double)NAN;
    if (!judge || !ok) continue;
    Sample is;
    e->look(run, &is);
    case_judge(c, l, i, stride, &is, judge->should, &judge->verdict);
    if (!case_holds(c, judge->verdict)) break;
    if (ms > judge->longest) ms = (double)INFINITY;
  }
  e->drop(run);
  return ms;
}

static void report(const Engine* e, const Case* c, Setting s, int stride, double ms, Verdict v) {
  char text[96];
  e->describe(s, stride * c->interval, text, sizeof text);
  printf("    %-44s %9.4g ms/s  error %9.3g %s\n", text, ms, v.error,
         isnan(ms)   ? "broke down"
         : isinf(ms) ? "given up"
         : v.branch  ? ""
                     : "other branch");
}

static double fastest(const Engine* e, const Linkage* l, const Best* b, const Case* c, int runs) {
  double ms = (double)INFINITY;
  for (int i = 0; i < runs; i++) ms = fmin(ms, run_once(e, l, b->setting, c, b->stride, NULL));
  return ms;
}

// The cheapest few, in order: they are timed again before one of them is chosen.
enum { FINALISTS = 4 };
static void enter(Best* finalist, Best b) {
  for (int i = 0; i < FINALISTS; i++) {
    if (!(b.ms < finalist[i].ms)) continue;
    const Best pushed = finalist[i];
    finalist[i] = b;
    b = pushed;
  }
}

static void try_method(const Engine* e, int method, const Case* c, const Linkage* l,
                       const Sample* should, double longest, bool verbose, Best* finalist) {
  const bool steps = e->counts_steps(method);
  const int count = steps ? sizeof RUNGS / sizeof *RUNGS : sizeof DIGITS / sizeof *DIGITS;
  int good = 0, slow = 0;
  for (int k = 0; k < count && good < ENOUGH && slow < TOO_SLOW; k++) {
    const Setting s = {method, steps ? RUNGS[k].steps : DIGITS[k]};
    const int stride = steps ? RUNGS[k].stride : LANDING;
    const double dear = DEARER * finalist->ms + FIRST_RUN / c->end;
    Judge judge = {should, fmin(longest, dear), {0, true}};
    const double ms = run_once(e, l, s, c, stride, &judge);
    if (verbose) report(e, c, s, stride, ms, judge.verdict);
    if (isinf(ms)) slow++;
    if (!isfinite(ms) || !case_holds(c, judge.verdict)) continue;
    good++;
    Best b = {.setting = s, .stride = stride, .verdict = judge.verdict};
    b.ms = fastest(e, l, &b, c, 3);
    enter(finalist, b);
  }
}

Best search_best(const Engine* e, const Case* c, const Linkage* l, const Sample* should,
                 double longest, bool verbose) {
  Best finalist[FINALISTS];
  for (int i = 0; i < FINALISTS; i++) finalist[i].ms = (double)INFINITY;
  for (int method = 0; method < e->methods; method++)
    try_method(e, method, c, l, should, longest, verbose, finalist);
  const Engine* same[FINALISTS] = {e, e, e, e};
  search_duel(same, FINALISTS, c, l, finalist);
  int best = 0;
  for (int i = 1; i < FINALISTS; i++)
    if (finalist[i].ms < finalist[best].ms) best = i;
  return finalist[best];
}

void search_duel(const Engine* const* engine, int engines, const Case* c, const Linkage* l,
                 Best* best) {
  enum { ROUNDS = 12 };
  static const double BUDGET = 2;  // [s]
  const double start = clock_now();
  for (int round = 0; round < ROUNDS && (round < 2 || clock_now() - start < BUDGET); round++)
    for (int e = 0; e < engines; e++)
      if (isfinite(best[e].ms))
        best[e].ms = fmin(best[e].ms, fastest(engine[e], l, &best[e], c, 2));
}
