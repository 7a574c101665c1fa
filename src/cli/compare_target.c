// The cheapest run of a method that is good enough.
//
// Steps stand on a ladder: ten times the distance of rows divided by 1, 2, 5, 10, ..., so that no
// step is cut (tolerances: 0.1 divided by the same). The search gallops from coarse to fine, a
// factor of ten at a time, and then comes back: what was tried in vain is cheaper than the run that
// is found. A rung counts only if the next finer one is good too, for an error may vanish by luck.
#include "cli/compare.h"

#include <math.h>

enum { STRIDE = 3, RUNGS = 37 };

static double rung(const Compare* c, const CompareMethod* method, int k) {
  static const double divisor[STRIDE] = {1, 2, 5};
  const double coarsest = method->adaptive ? 0.1 : 10 * (c->times[1] - c->times[0]);
  return coarsest / (divisor[k % STRIDE] * pow(10, k / STRIDE));
}

static bool is_good(const Compare* c, const CompareRun* run) {
  const double x =
      c->target.what == TARGET_ENERGY ? run->report.energy_error_max : run->difference.largest;
  return (run->verdict == COMPARE_OK || run->verdict == COMPARE_INACCURATE) && x <= c->target.bound;
}

typedef struct Search {
  const Compare* c;
  const CompareMethod* method;
  CompareRun last;  // tried last
  bool known[RUNGS + 1], good[RUNGS + 1];
  bool over;  // finer ones are of no use: not offered, or they take too long
} Search;

static SarStatus try_rung(Search* s, int k, bool* good) {
  if (!s->known[k]) {
    SAR_TRY(compare_run(s->c, s->method, rung(s->c, s->method, k), 1, &s->last));
    s->known[k] = true;
    s->good[k] = is_good(s->c, &s->last);
    const bool late =
        s->last.verdict == COMPARE_FAILED && s->last.report.cpu_s >= 0.5 * s->c->limit;
    s->over = s->last.verdict == COMPARE_NOT_OFFERED || late;
  }
  *good = s->good[k];
  return SAR_OK;
}

// The coarsest rung k <= fine such that k .. fine are all good.
static SarStatus come_back(Search* s, int fine, int* k) {
  bool good = true;
  for (*k = fine; *k > 0; (*k)--) {
    SAR_TRY(try_rung(s, *k - 1, &good));
    if (!good) break;
  }
  return SAR_OK;
}

static void missed(const Compare* c, Search* s, CompareRun* out) {
  *out = s->last;
  if (out->verdict == COMPARE_NOT_OFFERED) return;
  const double x =
      c->target.what == TARGET_ENERGY ? out->report.energy_error_max : out->difference.largest;
  if (out->verdict == COMPARE_FAILED) return;
  out->verdict = COMPARE_MISSED;
  snprintf(out->why, sizeof out->why, "still %.3g at the finest that was tried", x);
}

SarStatus compare_target(const Compare* c, const CompareMethod* method, CompareRun* out) {
  Search s = {.c = c, .method = method};
  for (int k = 0; k < RUNGS && !s.over;) {
    bool good, next = false;
    SAR_TRY(try_rung(&s, k, &good));
    if (good) SAR_TRY(try_rung(&s, k + 1, &next));
    if (next) {
      SAR_TRY(come_back(&s, k, &k));
      return compare_run(c, method, rung(c, method, k), c->repeat, out);
    }
    k += good ? 2 : STRIDE;
  }
  missed(c, &s, out);
  return SAR_OK;
}
