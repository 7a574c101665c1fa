// Trim as one call (sarrus.h): Broyden's method on averages over a period of the motion.
//
//   J = dR/dp              forward differences at the start, columns for changes of the unknowns by
//                          their sizes
//   J dp = -R              dp is halved as long as R does not fall, and kept within the limits
//   J += (dR - J dp) dp'/(dp' dp)                     Broyden's (good) update
//
// A J that leads nowhere is made anew by differences, once; what then does not fall ends the
// search.
#include "analysis/trim.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"
#include "linalg/lu.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 30, HALVINGS = 5, MOST = SAR_TRIM_MOST };
static const double SHIFT = 0.01;  // of an unknown's size, for differences
// first step, in sizes of the unknowns; it grows where all goes well
static const double LONGEST = 0.5;
static const double NOISY = 4;  // times what transients may leave: no slope

SAR_API void sar_trim_options_sized(SarTrimOptions* out, size_t size) {
  const SarTrimOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// ---- where the search stands --------------------------------------------------------------------

typedef struct Place {
  double p[MOST];
  SarTrimMeans means;
} Place;

typedef struct Slopes {
  double J[MOST * MOST];  // by rows: dR_i for a change of unknown j by its size
  double longest;         // step that is taken by it
} Slopes;

static double lacks(const SarTrimMeans* x, int i) { return x->left[i] - x->right[i]; }

// In shares of what is allowed at `there`, the largest. (Two places are compared by one measure:
// what is allowed follows the sides of a condition, and may fall faster than what is lacking.)
static double worst_by(const SarTrimSearch* a, const SarTrimMeans* there, const SarTrimMeans* x) {
  double most = 0;
  for (int i = 0; i < a->o.count; i++) {
    const double r = fabs(lacks(x, i)), allowed = sar_trim_allowed(a, there, i);
    if (r > 0) most = fmax(most, allowed > 0 ? r / allowed : HUGE_VAL);
    if (!isfinite(r)) return HUGE_VAL;
  }
  return most;
}

static double worst_of(const SarTrimSearch* a, const SarTrimMeans* x) { return worst_by(a, x, x); }

static void take(SarTrimSearch* a, const Place* at) {
  memcpy(a->out->value, at->p, sizeof a->out->value);
  a->out->means = at->means;
}

static void tell(const SarTrimSearch* a, const Place* at) {
  if (!a->o.on_progress) return;
  const SarTrimReport* r = &a->out->report;
  const SarTrimProgress x = {.iteration = r->iterations,
                             .trials = r->trials,
                             .periods = r->periods,
                             .count = a->o.count,
                             .value = at->p,
                             .left = at->means.left,
                             .right = at->means.right,
                             .worst = worst_of(a, &at->means)};
  a->o.on_progress(a->o.context, &x);
}

static bool is_bounded(const SarTrimUnknown* u) { return u->lower != 0 || u->upper != 0; }

static double within(const SarTrimUnknown* u, double p) {
  return is_bounded(u) ? fmin(fmax(p, u->lower), u->upper) : p;
}

// ---- messages -----------------------------------------------------------------------------------

static SarStatus say(SarTrimSearch* a, const char* hint, const char* text) {
  sar_report(a->err, (SarLoc){a->path, 0, 0}, hint, "no trim found: %s", text);
  return SAR_NOT_CONVERGED;
}

// A trial at `p` came to nothing.
static SarStatus say_failed(SarTrimSearch* a, const double* p, SarStatus st) {
  char text[600];
  int n = 0;
  if (st == SAR_STOPPED || st == SAR_NO_MEMORY) return st;
  for (int k = 0; k < a->o.count && n < (int)sizeof text; k++)
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s = %.6g", k ? ", " : "",
                      a->o.unknown[k].name, p[k]);
  if (n < (int)sizeof text) sar_snprintf(text + n, sizeof text - (size_t)n, ": %s", a->why);
  say(a, "start from other values, or allow more periods", text);
  return st == SAR_BAD_MODEL ? SAR_NOT_CONVERGED : st;
}

static SarStatus give_up(SarTrimSearch* a, const Place* at, const char* hint) {
  char text[400];
  int worst = 0;
  for (int i = 1; i < a->o.count; i++)
    if (fabs(lacks(&at->means, i)) * sar_trim_allowed(a, &at->means, worst) >
        fabs(lacks(&at->means, worst)) * sar_trim_allowed(a, &at->means, i))
      worst = i;
  for (int k = 0; k < a->o.count; k++) {
    const SarTrimUnknown* u = &a->o.unknown[k];
    if (!is_bounded(u) || (at->p[k] > u->lower && at->p[k] < u->upper)) continue;
    sar_snprintf(text, sizeof text, "'%s' stands at its limit %.6g, and '%.100s' is off by %.6g",
                 u->name, at->p[k], a->o.condition[worst].left, lacks(&at->means, worst));
    return say(a, "want less, or widen the limits", text);
  }
  sar_snprintf(text, sizeof text, "'%.100s = %.100s' is off by %.6g", a->o.condition[worst].left,
               a->o.condition[worst].right, lacks(&at->means, worst));
  return say(a, hint, text);
}

// ---- slopes -------------------------------------------------------------------------------------

static SarStatus differences(SarTrimSearch* a, const Place* at, Slopes* s) {
  const int n = a->o.count;
  for (int j = 0; j < n; j++) {
    Place x = *at;
    double share = SHIFT;
    // away from a limit that is near
    if (within(&a->o.unknown[j], x.p[j] + share * a->size[j]) != x.p[j] + share * a->size[j])
      share = -share;
    x.p[j] += share * a->size[j];
    const SarStatus st = sar_trim_evaluate(a, x.p, &x.means, false);
    if (st != SAR_OK) return say_failed(a, x.p, st);
    for (int i = 0; i < n; i++)
      s->J[i * n + j] = (lacks(&x.means, i) - lacks(&at->means, i)) / share;
  }
  for (int i = 0; i < n; i++) {
    a->slope[i] = 0;
    for (int j = 0; j < n; j++) a->slope[i] = fmax(a->slope[i], fabs(s->J[i * n + j]));
  }
  return SAR_OK;
}

static double noise_of(const SarTrimSearch* a, const Place* at, int i) {
  return NOISY * sar_trim_noise(a, &at->means, i) / SHIFT;
}

// An unknown that changes nothing, or a condition that nothing changes, is named.
static SarStatus look_for_idle(SarTrimSearch* a, const Slopes* s, const Place* at) {
  const int n = a->o.count;
  char text[200];
  for (int i = 0; i < n; i++) {
    if (a->slope[i] > noise_of(a, at, i)) continue;
    sar_snprintf(text, sizeof text, "nothing that is solved for changes '%.100s = %.60s'",
                 a->o.condition[i].left, a->o.condition[i].right);
    return say(a, "solve for something else", text);
  }
  for (int j = 0; j < n; j++) {
    bool idle = true;
    for (int i = 0; i < n; i++) idle = idle && !(fabs(s->J[i * n + j]) > noise_of(a, at, i));
    if (!idle) continue;
    sar_snprintf(text, sizeof text, "'%.60s' changes none of the conditions", a->o.unknown[j].name);
    return say(a, "solve for something else", text);
  }
  return SAR_OK;
}

// dp in sizes of the unknowns. False: J is singular.
static bool find_step(const SarTrimSearch* a, const Slopes* s, const Place* at, double* dp) {
  const int n = a->o.count;
  double LU[MOST * MOST], longest = 0;
  int pivot[MOST];
  // rows of order 1: pivoting compares them
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) LU[i * n + j] = s->J[i * n + j] / a->slope[i];
    dp[i] = -lacks(&at->means, i) / a->slope[i];
  }
  if (!sar_lu_factor(n, LU, pivot)) return false;
  sar_lu_solve(n, LU, pivot, dp);
  for (int j = 0; j < n; j++) {
    if (!isfinite(dp[j])) return false;
    longest = fmax(longest, fabs(dp[j]));
  }
  for (int j = 0; j < n && longest > s->longest; j++) dp[j] *= s->longest / longest;
  return true;
}

static void update(const SarTrimSearch* a, Slopes* s, const Place* from, const Place* to) {
  const int n = a->o.count;
  double dp[MOST], length = 0;
  for (int j = 0; j < n; j++) {
    dp[j] = (to->p[j] - from->p[j]) / a->size[j];
    length += dp[j] * dp[j];
  }
  if (!(length > 0)) return;
  for (int i = 0; i < n; i++) {
    double left = lacks(&to->means, i) - lacks(&from->means, i);
    for (int j = 0; j < n; j++) left -= s->J[i * n + j] * dp[j];
    for (int j = 0; j < n; j++) s->J[i * n + j] += left * dp[j] / length;
  }
}

// ---- the search ---------------------------------------------------------------------------------

// Could another step come through?
static bool lies_in_values(SarStatus st) {
  return st == SAR_NOT_CONVERGED || st == SAR_SINGULAR || st == SAR_NOT_FINITE ||
         st == SAR_STEP_TOO_SMALL || st == SAR_NOT_CLOSED || st == SAR_BAD_MODEL;
}

// Along dp, halved until what is lacking falls. *moved false: it did not.
static SarStatus go(SarTrimSearch* a, Slopes* s, Place* at, const double* dp, bool* moved) {
  const double before = worst_of(a, &at->means);
  double share = 1;
  SarStatus st = SAR_OK;
  *moved = false;
  for (int k = 0; k < HALVINGS && !*moved; k++, share *= 0.5) {
    Place x = *at;
    bool same = true;
    for (int j = 0; j < a->o.count; j++) {
      x.p[j] = within(&a->o.unknown[j], at->p[j] + share * dp[j] * a->size[j]);
      same = same && x.p[j] == at->p[j];
    }
    if (same) return SAR_OK;
    st = sar_trim_evaluate(a, x.p, &x.means, true);
    if (st != SAR_OK && !lies_in_values(st)) return say_failed(a, x.p, st);
    if (st != SAR_OK) continue;
    update(a, s, at, &x);
    if (!(worst_by(a, &at->means, &x.means) < before)) continue;
    *at = x;
    *moved = true;
    s->longest *= k == 0 ? 2 : 1;
  }
  return SAR_OK;
}

static SarStatus search(SarTrimSearch* a) {
  const int most = a->o.max_iterations > 0 ? a->o.max_iterations : ITERATIONS;
  SarTrimReport* r = &a->out->report;
  Slopes s = {.longest = LONGEST};
  Place at;
  double dp[MOST];
  memcpy(at.p, a->out->before, sizeof at.p);
  for (int k = 0; k < a->o.count; k++) at.p[k] = within(&a->o.unknown[k], at.p[k]);
  SarStatus st = sar_trim_evaluate(a, at.p, &at.means, true);
  if (st != SAR_OK) return say_failed(a, at.p, st);
  take(a, &at);
  SAR_TRY(differences(a, &at, &s));
  SAR_TRY(look_for_idle(a, &s, &at));
  tell(a, &at);
  for (bool renewed = true; worst_of(a, &at.means) > 1;) {
    bool moved = false;
    if (r->iterations == most) return give_up(a, &at, "allow more iterations");
    if (find_step(a, &s, &at, dp)) SAR_TRY(go(a, &s, &at, dp, &moved));
    r->iterations++;
    take(a, &at);
    tell(a, &at);
    if (!moved && renewed) return give_up(a, &at, "start from other values");
    if (!moved) SAR_TRY(differences(a, &at, &s));
    renewed = !moved;
  }
  // the state of the best trial, not of one that was tried after it
  SAR_TRY(sar_trim_evaluate(a, at.p, &at.means, true));
  return sar_trim_finish(a, at.p);
}

// ---- the call -----------------------------------------------------------------------------------

static SarStatus check(const SarTrimOptions* o, const char* path, SarError* err) {
  const SarLoc loc = {path, 0, 0};
  const int errors = err ? err->errors : 0;
  if (o->count < 1 || o->count > MOST || !o->unknown || !o->condition || !o->period) {
    sar_report(err, loc, "", "trim: expected 1 to %d unknowns, as many conditions, and a period",
               MOST);
    return SAR_BAD_ARGUMENT;
  }
  for (int k = 0; k < o->count; k++) {
    const SarTrimUnknown* u = &o->unknown[k];
    if (!u->name || !o->condition[k].left || !o->condition[k].right) return SAR_BAD_ARGUMENT;
    if (is_bounded(u) && !(u->lower < u->upper))
      sar_report(err, loc, "", "trim: the limits of '%s' are %g and %g, but must rise", u->name,
                 u->lower, u->upper);
    for (int i = 0; i < k; i++)
      if (strcmp(o->unknown[i].name, u->name) == 0)
        sar_report(err, loc, "", "trim: '%s' is solved for twice", u->name);
  }
  return err && err->errors > errors ? SAR_BAD_ARGUMENT : SAR_OK;
}

static void fill_report(SarTrim* t, int count) {
  t->report.count = count;
  t->report.value = t->value, t->report.before = t->before;
  t->report.left = t->means.left, t->report.right = t->means.right;
}

SAR_API SarStatus sar_trim(const char* path, const SarTrimOptions* o, SarTrim** out,
                           SarError* err) {
  SAR_GIVEN(path && o && out && err);
  SarTrimSearch a = {.path = path, .err = err};
  *out = NULL;
  SAR_TRY(sar_take_options(&a.o, sizeof a.o, o, "sar_trim_options", err));
  SAR_TRY(check(&a.o, path, err));
  const int parameters = a.o.load ? a.o.load->parameter_count : 0;
  const int columns = a.o.load ? a.o.load->column_count : 0;
  SarTrim* t = a.out = sar_alloc(sizeof *t);
  a.parameter = sar_alloc((size_t)(parameters + MOST) * sizeof *a.parameter);
  a.column = sar_alloc((size_t)(columns + TRIM_COLUMNS) * sizeof *a.column);
  SarStatus st = t && a.parameter && a.column ? SAR_OK : SAR_NO_MEMORY;
  bool begun = false;
  if (st == SAR_OK) st = sar_trim_begin(&a);
  begun = st == SAR_OK;
  for (int k = 0; begun && k < a.o.count; k++)
    a.size[k] = t->before[k] != 0 ? fabs(t->before[k]) : 1;
  if (begun) fill_report(t, a.o.count), st = search(&a);
  sar_free(a.parameter);
  sar_free(a.column);
  if (begun && st != SAR_NO_MEMORY && st != SAR_BAD_ARGUMENT) {
    *out = t;
    return st;
  }
  sar_trim_free(t);
  return st;
}

SAR_API const SarTrimReport* sar_trim_report(const SarTrim* trim) {
  return trim ? &trim->report : NULL;
}
SAR_API const SarModel* sar_trim_model(const SarTrim* trim) { return trim ? trim->best.m : NULL; }
SAR_API const SarData* sar_trim_data(const SarTrim* trim) { return trim ? trim->best.d : NULL; }

SAR_API void sar_trim_free(SarTrim* trim) {
  if (!trim) return;
  sar_trim_end_trial(&trim->best);
  sar_free(trim);
}
