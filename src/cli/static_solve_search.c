// A damped Gauss-Newton method with differences, for least squares that parameters may not
// determine.
//
//   J = dR/dp      central differences; columns in units of the parameters' sizes
//   dp = -sum u (u' J' R) / w,   J'J u = w u     the shortest; directions with w = 0 are left alone
#include "cli/static_solve_parts.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 40, HALVINGS = 10 };
static const double SHIFT = 1e-5;     // of a parameter, for differences
static const double ARRIVED = 1e-11;  // steps, in sizes of the parameters
static const double MET = 1e-8;       // of what the two sides of a condition, or forces, amount to
static const double NOTHING = 1e-13;  // of the largest w: directions that nothing depends on
static const double VANISHED = 1e-2;  // of what a parameter was: it may be on its way to 0

static double size_of(const SolveSearch* a, const double* R) {
  double sum = 0;
  for (int i = 0; i < a->rows; i++) sum += R[i] * R[i];
  return sqrt(sum);
}

// J, columns for a change of a parameter by its size. False: not to be had here.
static bool differences(SolveSearch* a, const double* p, int* status) {
  double x[SOLVE_MOST];
  memcpy(x, p, sizeof x);
  for (int j = 0; j < a->out->count; j++) {
    double* column = &a->J[(size_t)j * (size_t)a->rows];
    const double h = SHIFT * a->size[j];
    x[j] = p[j] + h;
    if (!solve_evaluate(a, x, column, false, status)) return false;
    x[j] = p[j] - h;
    if (!solve_evaluate(a, x, a->R_new, false, status)) return false;
    x[j] = p[j];
    for (int i = 0; i < a->rows; i++) column[i] = (column[i] - a->R_new[i]) / (2 * SHIFT);
  }
  return true;
}

static double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// dp in sizes of the parameters. False: no memory.
static bool find_step(SolveSearch* a, double* dp) {
  const int n = a->out->count;
  double JJ[SOLVE_MOST * SOLVE_MOST], w[SOLVE_MOST], JR[SOLVE_MOST];
  SarDenseWork work = {0};
  sar_dense_query(n, n, &work);
  work.work = sar_alloc((size_t)(work.lwork + 1) * sizeof(double));
  work.iwork = sar_alloc((size_t)(work.liwork + 1) * sizeof(int));
  const bool room = work.work && work.iwork;
  for (int i = 0; i < n; i++) {
    const double* column = &a->J[(size_t)i * (size_t)a->rows];
    JR[i] = dot(a->rows, column, a->R);
    for (int j = 0; j < n; j++)
      JJ[i * n + j] = dot(a->rows, column, &a->J[(size_t)j * (size_t)a->rows]);
    dp[i] = 0;
  }
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, JJ[i * (n + 1)]);
  // differences know J to some 1e-6 of it
  for (int i = 0; i < n; i++) a->out->idle[i] = !(JJ[i * (n + 1)] > NOTHING * most);
  int rank = 0, idle = 0;
  for (int i = 0; i < n; i++) idle += a->out->idle[i];
  if (room && sar_eigen(n, JJ, w, &work) == SAR_OK)
    for (int k = 0; k < n; k++) {
      if (!(w[k] > NOTHING * w[n - 1]) || !(w[k] > 0)) continue;
      const double along = dot(n, &JJ[k * n], JR) / w[k];
      for (int i = 0; i < n; i++) dp[i] -= along * JJ[k * n + i];
      rank++;
    }
  a->out->shared = rank + idle < n;
  sar_free(work.work);
  sar_free(work.iwork);
  return room;
}

// What is left is rounding: of the sides, or of what the parameters' own rounding makes of them.
static bool is_met(const SolveSearch* a, int i) {
  double most = a->scale[i];
  for (int j = 0; j < a->out->count; j++)
    most = fmax(most, fabs(a->J[(size_t)j * (size_t)a->rows + (size_t)i]));
  return fabs(a->R[i]) <= MET * most;
}

static bool all_met(const SolveSearch* a) {
  for (int i = 0; i < a->rows; i++)
    if (!is_met(a, i)) return false;
  return true;
}

// p moves by dp, halved until R falls. *moved: as far as it went; 0: nowhere.
static bool step(SolveSearch* a, double* p, const double* dp, double* moved, int* status) {
  const double before = size_of(a, a->R);
  double share = 1;
  *moved = 0;
  for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
    double x[SOLVE_MOST], most = 0;
    for (int j = 0; j < a->out->count; j++) {
      x[j] = p[j] + share * dp[j] * a->size[j];
      most = fmax(most, fabs(share * dp[j]));
    }
    if (!solve_evaluate(a, x, a->R_new, false, status)) continue;
    if (!(size_of(a, a->R_new) < before)) continue;
    memcpy(p, x, (size_t)a->out->count * sizeof *p);
    *moved = most;
    return solve_evaluate(a, p, a->R, true, status);
  }
  return true;
}

// A parameter that went towards 0, where the model cannot be: no mass, no length. -1: none did.
static int vanishing(SolveSearch* a, const double* p) {
  for (int j = 0; j < a->out->count; j++) {
    if (!(fabs(p[j]) <= VANISHED * fabs(a->out->before[j])) || a->out->idle[j]) continue;
    double x[SOLVE_MOST];
    int status;
    memcpy(x, p, sizeof x);
    x[j] = 0;
    if (!solve_evaluate(a, x, a->R_new, false, &status)) return j;
  }
  return -1;
}

static int say_vanishing(const SolveSearch* a, const char* name) {
  const CliSolved* out = a->out;
  SarError err;
  sar_error_init(&err);
  const SarLoc loc = {a->args->operand[0], 0, 0};
  if (out->conditions > 0)
    sar_report(&err, loc, "solve for another parameter, or start from other values, by --set",
               "no %s found: '%s' would have to be 0, where there is no model", out->names, name);
  else
    sar_report(&err, loc,
               "the forces that are left grow with it, so it does not decide where the equilibrium "
               "is: solve for another parameter, or say by --to where it shall rest",
               "no %s found for which the position of the file is an equilibrium: '%s' would have "
               "to be 0, where there is no model",
               out->names, name);
  cli_print_messages(&err);
  return EXIT_NUMERICS;
}

// No model, or no equilibrium, around p.
static int say_lost(const SolveSearch* a, const double* p) {
  char text[256];
  int n = 0;
  for (int j = 0; j < a->out->count && n < (int)sizeof text; j++)
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s = %.6g", j ? ", " : "",
                      a->out->parameter[j].name, p[j]);
  SarError err;
  sar_error_init(&err);
  sar_report(&err, (SarLoc){a->args->operand[0], 0, 0}, "start from other values, by --set",
             "no %s found: the search came to %s, near which %s", a->out->names, text,
             a->out->conditions > 0 ? "no equilibrium is found" : "there is no model");
  cli_print_messages(&err);
  return EXIT_NUMERICS;
}

static int give_up(const SolveSearch* a) {
  const CliSolved* out = a->out;
  int worst = 0;
  for (int i = 1; i < a->rows; i++)
    if (!(fabs(a->R[i]) * a->scale[worst] <= fabs(a->R[worst]) * a->scale[i])) worst = i;
  double slope = 0;
  for (int j = 0; j < out->count; j++)
    slope = fmax(slope, fabs(a->J[(size_t)j * (size_t)a->rows + (size_t)worst]));
  const char* why =
      !(slope > MET * fmax(a->scale[worst], fabs(a->R[worst])))
          ? "nothing that is to be solved for changes that: solve for another parameter"
      : a->rows > out->count || out->conditions == 0
          ? "there are more conditions than parameters, and they contradict each other"
          : "start from other values, by --set";
  SarError err;
  sar_error_init(&err);
  const SarLoc loc = {a->args->operand[0], 0, 0};
  if (out->conditions > 0)
    sar_report(&err, loc, why, "no %s found: '%s' is off by %.6g", out->names,
               out->condition[worst], a->R[worst]);
  else
    sar_report(&err, loc, why,
               "no %s found for which the position of the file is an equilibrium: %.6g N m or N "
               "are left",
               out->names, out->force);
  cli_print_messages(&err);
  return EXIT_NUMERICS;
}

static void keep_result(SolveSearch* a, const double* p) {
  CliSolved* out = a->out;
  for (int i = 0; i < out->count; i++)
    out->parameter[i].value = out->idle[i] ? out->before[i] : p[i];
  for (int i = 0; i < out->conditions; i++) out->left[i] = a->R[i];
  out->force = 0;
  for (int i = 0; out->conditions == 0 && i < a->rows; i++)
    out->force = fmax(out->force, fabs(a->R[i]));
}

int solve_search(SolveSearch* a) {
  CliSolved* out = a->out;
  double p[SOLVE_MOST] = {0}, dp[SOLVE_MOST], moved = HUGE_VAL;
  int status = EXIT_DONE;
  memcpy(p, out->before, sizeof p);
  if (!solve_evaluate(a, p, NULL, true, &status)) return status;
  a->quiet = true;
  for (out->iterations = 0; out->iterations < ITERATIONS; out->iterations++) {
    if (!differences(a, p, &status)) {
      const int gone = vanishing(a, p);
      return gone >= 0 ? say_vanishing(a, out->parameter[gone].name) : say_lost(a, p);
    }
    if (!find_step(a, dp)) return EXIT_INTERNAL;
    double wish = 0;
    for (int j = 0; j < out->count; j++) wish = fmax(wish, fabs(dp[j]));
    if (wish <= ARRIVED || (moved <= 1e-6 && all_met(a))) break;
    if (!step(a, p, dp, &moved, &status)) return status;
    if (moved == 0) break;
    for (int j = 0; j < out->count; j++) a->size[j] = fmax(fabs(p[j]), 1e-3 * a->size[j]);
  }
  const int gone = vanishing(a, p);
  if (gone >= 0) return say_vanishing(a, out->parameter[gone].name);
  a->quiet = false;
  keep_result(a, p);
  return all_met(a) ? EXIT_DONE : give_up(a);
}
