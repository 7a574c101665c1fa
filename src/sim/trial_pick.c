// Which trial wins, and why: nothing but figures in, so that the rule can be tested without a
// clock.
#include "base/print.h"
#include "sim/trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// times the least error: as accurate, where none is accurate enough
static const double AS_GOOD = 3;
static const double CHEAPER = 0.9;   // share of the time below which a later one is cheaper
static const double UNSTABLE = 0.3;  // error from which a method does not follow the motion

static bool gets_through(const SarTrial* t) { return t->status == SAR_OK && isfinite(t->error); }

// The error up to which a trial counts as accurate enough.
static double bound(const SarTrial* t, int count, double accuracy) {
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++)
    if (gets_through(&t[i])) least = fmin(least, t[i].error);
  return least <= accuracy ? accuracy : AS_GOOD * least;
}

int sar_trial_pick(const SarTrial* t, int count, double deadline, double accuracy, int* fastest) {
  const double enough = bound(t, count, accuracy);
  int best = SAR_PICK_LATE;
  *fastest = -1;
  for (int i = 0; i < count; i++) {
    if (!gets_through(&t[i]) || t[i].error > enough) continue;
    if (*fastest < 0 || t[i].worst < t[*fastest].worst) *fastest = i;
    if (deadline > 0 && t[i].worst > deadline) continue;
    if (best < 0 || t[i].median < CHEAPER * t[best].median) best = i;
  }
  return *fastest < 0 ? SAR_PICK_NONE : best;
}

// ---- words --------------------------------------------------------------------------------------

static bool is_cheaper(const SarTrial* t, const SarTrial* than) {
  return than->median == 0 || (t->median > 0 && t->median < than->median);
}

// The cheapest other formulation among those that are accurate enough; -1: none.
static int rival_of(const SarChoice* c, double enough) {
  int best = -1;
  for (int i = 0; i < c->count; i++) {
    const SarTrial* t = &c->trial[i];
    const bool other = t->formulation != c->trial[c->chosen].formulation;
    if (!other || !gets_through(t) || t->error > enough) continue;
    if (best < 0 || is_cheaper(t, &c->trial[best])) best = i;
  }
  return best;
}

// The cheapest of those that are not; -1: none.
static int poor_one(const SarChoice* c, double enough) {
  int best = -1;
  for (int i = 0; i < c->count; i++) {
    const SarTrial* t = &c->trial[i];
    if (gets_through(t) && t->error <= enough) continue;
    if (best < 0 || is_cheaper(t, &c->trial[best])) best = i;
  }
  return best;
}

static void add(char* out, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(char* out, size_t size, const char* format, ...) {
  const size_t used = strlen(out);
  va_list args;
  va_start(args, format);
  sar_vsnprintf(out + used, size - used, format, args);
  va_end(args);
}

void sar_trial_words(const SarChoice* c, double accuracy, char* out, size_t size) {
  const SarTrial* t = &c->trial[c->chosen];
  const double enough = bound(c->trial, c->count, accuracy), us = 1e6;
  sar_snprintf(out, size, "%.3g us a step of %g s, %.3g us at worst, error %.0e", us * t->median,
               c->step, us * t->worst, t->error);
  if (enough > accuracy) add(out, size, " (nothing reaches %.0e)", accuracy);
  const int rival = rival_of(c, enough), poor = poor_one(c, enough);
  if (rival >= 0)
    add(out, size, ", against %.3g us for %s with %s", us * c->trial[rival].median,
        c->trial[rival].formulation, c->trial[rival].integrator);
  if (poor < 0) return;
  const SarTrial* p = &c->trial[poor];
  if (!gets_through(p))
    add(out, size, "; %s with %s does not get through", p->formulation, p->integrator);
  else if (p->error > UNSTABLE && t->error <= UNSTABLE)
    add(out, size, "; follows the motion where %s with %s does not", p->formulation, p->integrator);
  else if (p->median < t->median)
    add(out, size, "; %s with %s takes %.3g us, but its error is %.0e", p->formulation,
        p->integrator, us * p->median, p->error);
}
