// Parameters for an equilibrium (static_solve.h), by a damped Gauss-Newton method with differences.
//
//   R(p) = 0       p: parameters
//   R = N N' Q     forces left at the position of the file (and rates of states), without conditions
//   R = left - right  of every condition, where the mechanism rests
//   J = dR/dp      central differences; columns in units of the parameters' sizes
//   dp = -sum u (u' J' R) / w,   J'J u = w u     the shortest; directions with w = 0 are left alone
//
// Every evaluation compiles the model anew with other parameters: they may be anything, masses, lengths
// and preloads alike. Equilibria start from the last one, so that p moves along one branch.
#include "cli/static_solve.h"

#include "linalg/dense.h"
#include "model/sim.h"
#include "sim/equilibrium.h"
#include "sim/outputs.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 40, HALVINGS = 10 };
static const double SHIFT = 1e-5;     // of a parameter, for differences
static const double ARRIVED = 1e-11;  // steps, in sizes of the parameters
static const double MET = 1e-8;       // of what the two sides of a condition, or forces, amount to
static const double NOTHING = 1e-13;  // of the largest w: directions that nothing depends on
static const double VANISHED = 1e-2;  // of what a parameter was: it may be on its way to 0

typedef struct Search {
  const CliArgs* args;
  const SarStaticsOptions* o;
  double time;
  CliSolved* out;
  char text[SOLVE_MOST][2][512];  // the two sides of each condition, as columns
  char column[SOLVE_MOST][2][32];
  double size[SOLVE_MOST];  // of the parameters
  double* q;                // where the last equilibrium was; NULL: none yet
  int nq;
  int rows;                       // of R; -1: not known yet
  double *R, *R_new, *scale, *J;  // rows; rows; rows; rows x count
  bool quiet;                     // trials say nothing
} Search;

// ---- evaluation --------------------------------------------------------------------------------------

typedef struct Trial {
  SarModel* m;
  SarData* d;
  SarSim* s;
  double* values;
} Trial;

static void end_trial(Trial* t) {
  sar_free(t->values);
  sar_sim_free(t->s);
  sar_data_free(t->d);
  sar_model_free(t->m);
}

static SarModel* load(Search* a, const double* p, int* status) {
  CliSolved* out = a->out;
  SarExpression columns[2 * SOLVE_MOST];
  for (int i = 0; i < out->count; i++) out->parameter[i].value = p[i];
  for (int i = 0; i < 2 * out->conditions; i++)
    columns[i] = (SarExpression){a->column[i / 2][i % 2], a->text[i / 2][i % 2]};
  const CliLoad how = {.coordinates = cli_value(a->args, "coordinates"),
                       .parameters = out->parameter,
                       .parameter_count = out->count,
                       .columns = columns,
                       .column_count = 2 * out->conditions,
                       .quiet = a->quiet};
  return cli_load_as(a->args, a->args->operand[0], &how, status);
}

// Forces that are left where the file puts the mechanism, and rates of states.
static SarStatus forces_left(Trial* t, double* R, double* scale, SarError* err) {
  const SarModel* m = t->m;
  double largest = 0;
  SAR_TRY(sar_equilibrium_left(t->s, R, &largest, err));
  for (int i = 0; i < m->nv; i++) scale[i] = largest;
  for (int i = 0; i < m->nz; i++) {
    R[m->nv + i] = t->d->z_rate[i];
    scale[m->nv + i] = 1 + fabs(t->d->z[i]);
  }
  return SAR_OK;
}

static SarStatus conditions_left(Search* a, Trial* t, double* R, double* scale, SarError* err) {
  const SarModel* m = t->m;
  SarStatics* statics = NULL;
  t->values = sar_alloc((size_t)(m->nchannel + 1) * sizeof(double));
  SarStatus st = t->values ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = sar_statics(t->d, a->o, &statics, err);
  // twice: expressions see forces and reactions as they were held before
  for (int pass = 0; st == SAR_OK && pass < 2; pass++) {
    st = sar_hold_outputs(t->s);
    if (st == SAR_OK) st = sar_outputs(t->s, t->values);
  }
  for (int i = 0; st == SAR_OK && i < a->out->conditions; i++) {
    double side[2];
    for (int k = 0; k < 2; k++)
      side[k] = t->values[sar_model_find(m, SAR_ITEM_OUTPUT, a->column[i][k])];
    R[i] = side[0] - side[1];
    scale[i] = fmax(fabs(side[0]), fabs(side[1]));
  }
  sar_statics_free(statics);
  return st;
}

// Room for R, the first time.
static SarStatus take_room(Search* a, const SarModel* m) {
  if (a->rows >= 0) return SAR_OK;
  a->rows = a->out->conditions > 0 ? a->out->conditions : m->nv + m->nz;
  a->nq = m->nq_all;
  const size_t n = (size_t)a->rows + 1;
  a->R = sar_alloc(n * sizeof(double));
  a->R_new = sar_alloc(n * sizeof(double));
  a->scale = sar_alloc(n * sizeof(double));
  a->J = sar_alloc(n * (size_t)a->out->count * sizeof(double));
  return a->R && a->R_new && a->scale && a->J ? SAR_OK : SAR_NO_MEMORY;
}

// R at p; keep: its equilibrium is where the next ones start. *status: of the program, if it failed.
static bool evaluate(Search* a, const double* p, double* R, bool keep, int* status) {
  Trial t = {.m = load(a, p, status)};
  SarError err;
  sar_error_init(&err);
  if (!t.m) return false;
  SarStatus st = a->rows >= 0 && a->nq != t.m->nq_all ? SAR_BAD_MODEL : take_room(a, t.m);
  if (st == SAR_OK && !R) R = a->R;
  if (st == SAR_OK) st = sar_data_new(t.m, &t.d, &err);
  if (st == SAR_OK) {
    sar_set_time(t.d, a->time);
    if (a->q) memcpy(t.d->q, a->q, (size_t)a->nq * sizeof *a->q);
    st = sar_sim_new(t.m, t.d, NULL, &t.s, &err);
  }
  if (st == SAR_OK)
    st = a->out->conditions > 0 ? conditions_left(a, &t, R, a->scale, &err)
                                : forces_left(&t, R, a->scale, &err);
  for (int i = 0; st == SAR_OK && i < a->rows; i++)
    if (!isfinite(R[i])) st = SAR_NOT_FINITE;
  if (st == SAR_OK && keep && a->out->conditions > 0) {
    if (!a->q) a->q = sar_alloc((size_t)(a->nq + 1) * sizeof *a->q);
    if (a->q) memcpy(a->q, t.d->q, (size_t)a->nq * sizeof *a->q);
  }
  if (st != SAR_OK && !a->quiet) cli_print_messages(&err);
  if (st != SAR_OK && !a->quiet && err.errors == 0)
    cli_say_status("sarrus static", a->args->operand[0], st);
  if (st != SAR_OK) *status = cli_exit_status(st);
  end_trial(&t);
  return st == SAR_OK;
}

// ---- Gauss-Newton -------------------------------------------------------------------------------------

static double size_of(const Search* a, const double* R) {
  double sum = 0;
  for (int i = 0; i < a->rows; i++) sum += R[i] * R[i];
  return sqrt(sum);
}

// J, columns for a change of a parameter by its size. False: not to be had here.
static bool differences(Search* a, const double* p, int* status) {
  double x[SOLVE_MOST];
  memcpy(x, p, sizeof x);
  for (int j = 0; j < a->out->count; j++) {
    double* column = &a->J[(size_t)j * (size_t)a->rows];
    const double h = SHIFT * a->size[j];
    x[j] = p[j] + h;
    if (!evaluate(a, x, column, false, status)) return false;
    x[j] = p[j] - h;
    if (!evaluate(a, x, a->R_new, false, status)) return false;
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
static bool find_step(Search* a, double* dp) {
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
static bool is_met(const Search* a, int i) {
  double most = a->scale[i];
  for (int j = 0; j < a->out->count; j++)
    most = fmax(most, fabs(a->J[(size_t)j * (size_t)a->rows + (size_t)i]));
  return fabs(a->R[i]) <= MET * most;
}

static bool all_met(const Search* a) {
  for (int i = 0; i < a->rows; i++)
    if (!is_met(a, i)) return false;
  return true;
}

// p moves by dp, halved until R falls. *moved: as far as it went; 0: nowhere.
static bool step(Search* a, double* p, const double* dp, double* moved, int* status) {
  const double before = size_of(a, a->R);
  double share = 1;
  *moved = 0;
  for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
    double x[SOLVE_MOST], most = 0;
    for (int j = 0; j < a->out->count; j++) {
      x[j] = p[j] + share * dp[j] * a->size[j];
      most = fmax(most, fabs(share * dp[j]));
    }
    if (!evaluate(a, x, a->R_new, false, status)) continue;
    if (!(size_of(a, a->R_new) < before)) continue;
    memcpy(p, x, (size_t)a->out->count * sizeof *p);
    *moved = most;
    return evaluate(a, p, a->R, true, status);
  }
  return true;
}

// A parameter that went towards 0, where the model cannot be: no mass, no length. -1: none did.
static int vanishing(Search* a, const double* p) {
  for (int j = 0; j < a->out->count; j++) {
    if (!(fabs(p[j]) <= VANISHED * fabs(a->out->before[j])) || a->out->idle[j]) continue;
    double x[SOLVE_MOST];
    int status;
    memcpy(x, p, sizeof x);
    x[j] = 0;
    if (!evaluate(a, x, a->R_new, false, &status)) return j;
  }
  return -1;
}

static int say_vanishing(const Search* a, const char* name) {
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
static int say_lost(const Search* a, const double* p) {
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

static int give_up(const Search* a) {
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

static void keep_result(Search* a, const double* p) {
  CliSolved* out = a->out;
  for (int i = 0; i < out->count; i++)
    out->parameter[i].value = out->idle[i] ? out->before[i] : p[i];
  for (int i = 0; i < out->conditions; i++) out->left[i] = a->R[i];
  out->force = 0;
  for (int i = 0; out->conditions == 0 && i < a->rows; i++)
    out->force = fmax(out->force, fabs(a->R[i]));
}

static int search(Search* a) {
  CliSolved* out = a->out;
  double p[SOLVE_MOST] = {0}, dp[SOLVE_MOST], moved = HUGE_VAL;
  int status = EXIT_DONE;
  memcpy(p, out->before, sizeof p);
  if (!evaluate(a, p, NULL, true, &status)) return status;
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

// ---- the question --------------------------------------------------------------------------------------

static bool add_name(const CliArgs* args, CliSolved* out, const char* name) {
  if (out->count == SOLVE_MOST) {
    cli_usage_error(args->command, "--solve: more than %d parameters", SOLVE_MOST);
    return false;
  }
  for (int i = 0; i < out->count; i++)
    if (strcmp(out->parameter[i].name, name) == 0) {
      cli_usage_error(args->command, "--solve: '%s' stands there twice", name);
      return false;
    }
  out->parameter[out->count++].name = name;
  return true;
}

// k,c
static bool read_names(const CliArgs* args, CliSolved* out, char* words, size_t size) {
  const char* text = cli_value(args, "solve");
  if (strlen(text) >= size) {
    cli_usage_error(args->command, "--solve: too long");
    return false;
  }
  sar_snprintf(out->names, sizeof out->names, "%s", text);
  sar_snprintf(words, size, "%s", text);
  for (char* at = words; at;) {
    char* comma = strchr(at, ',');
    if (comma) *comma = 0;
    while (*at == ' ') at++;
    for (size_t n = strlen(at); n > 0 && at[n - 1] == ' '; n--) at[n - 1] = 0;
    if (*at == 0) {
      cli_usage_error(args->command, "--solve: expected names of parameters, as in k,c; found '%s'",
                      text);
      return false;
    }
    if (!add_name(args, out, at)) return false;
    at = comma ? comma + 1 : NULL;
  }
  return true;
}

// LEFT = RIGHT
static bool read_condition(Search* a, const char* text) {
  CliSolved* out = a->out;
  const char* equals = strchr(text, '=');
  const size_t n = equals ? (size_t)(equals - text) : 0, most = sizeof a->text[0][0];
  const bool compares = equals && (equals[1] == '=' || (n > 0 && strchr("<>!", text[n - 1])));
  if (!equals || compares || strchr(equals + 1, '=') || n == 0 || n >= most || equals[1] == 0 ||
      strlen(equals + 1) >= most) {
    cli_usage_error(a->args->command, "--to: expected an equation like 'hinge.q = 0.1', found '%s'",
                    text);
    return false;
  }
  if (out->conditions == SOLVE_MOST) {
    cli_usage_error(a->args->command, "more than %d times --to", SOLVE_MOST);
    return false;
  }
  const int i = out->conditions++;
  out->condition[i] = text;
  sar_snprintf(a->text[i][0], most, "%.*s", (int)n, text);
  sar_snprintf(a->text[i][1], most, "%s", equals + 1);
  for (int k = 0; k < 2; k++)
    sar_snprintf(a->column[i][k], sizeof a->column[i][k], "--to %d %s", i + 1,
                 k ? "right" : "left");
  return true;
}

// What the parameters are before: columns of their own.
static bool read_values(Search* a, int* status) {
  CliSolved* out = a->out;
  SarExpression columns[SOLVE_MOST];
  char name[SOLVE_MOST][32];
  SarError err;
  sar_error_init(&err);
  for (int i = 0; i < out->count; i++) {
    sar_snprintf(name[i], sizeof name[i], "--solve %d", i + 1);
    columns[i] = (SarExpression){name[i], out->parameter[i].name};
  }
  const CliLoad how = {.coordinates = cli_value(a->args, "coordinates"),
                       .columns = columns,
                       .column_count = out->count};
  Trial t = {.m = cli_load_as(a->args, a->args->operand[0], &how, status)};
  if (!t.m) return false;
  SarStatus st = sar_data_new(t.m, &t.d, &err);
  if (st == SAR_OK) st = sar_sim_new(t.m, t.d, NULL, &t.s, &err);
  t.values = sar_alloc((size_t)(t.m->nchannel + 1) * sizeof(double));
  if (st == SAR_OK) st = t.values ? sar_outputs(t.s, t.values) : SAR_NO_MEMORY;
  for (int i = 0; st == SAR_OK && i < out->count; i++) {
    out->before[i] = t.values[sar_model_find(t.m, SAR_ITEM_OUTPUT, name[i])];
    a->size[i] = out->before[i] != 0 ? fabs(out->before[i]) : 1;
  }
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus static", a->args->operand[0], st);
  if (st != SAR_OK) *status = cli_exit_status(st);
  end_trial(&t);
  return st == SAR_OK;
}

int cli_solve(const CliArgs* args, const SarStaticsOptions* o, double time, char* words,
              size_t size, CliSolved* out) {
  Search a = {.args = args, .o = o, .time = time, .out = out, .rows = -1};
  int status = EXIT_DONE;
  *out = (CliSolved){0};
  if (!cli_value(args, "solve")) {
    if (args->to_count == 0) return EXIT_DONE;
    return cli_usage_error(args->command, "--to: name the parameters to solve for, by --solve");
  }
  if (!read_names(args, out, words, size)) return EXIT_USAGE;
  for (int i = 0; i < args->to_count; i++)
    if (!read_condition(&a, args->to[i])) return EXIT_USAGE;
  if (read_values(&a, &status)) status = search(&a);
  sar_free(a.q);
  sar_free(a.R);
  sar_free(a.R_new);
  sar_free(a.scale);
  sar_free(a.J);
  return status;
}
