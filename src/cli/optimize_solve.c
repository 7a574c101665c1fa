// The search for an optimum by NLopt (optimize.h). The method sees parameters in shares of their
// ranges, u from 0 to 1.
#include "cli/optimize.h"

#include "cli/interrupt.h"

#include <math.h>
#include <string.h>

#ifdef SARRUS_HAVE_NLOPT
#include <nlopt.h>

static const double MET = 1e-6;  // constraints, in their scales

typedef struct Solve {
  Optimize* o;
  nlopt_opt opt;
  SarStatus status;
} Solve;

// ---- values -------------------------------------------------------------------------------------

static void to_parameters(const Optimize* o, const double* u, double* p) {
  for (int i = 0; i < o->search.count; i++) p[i] = search_from_unit(&o->search.axis[i], u[i]);
}

// Failed runs are worse than everything else, but finite: methods make models of what they see.
static void take(Optimize* o, const SearchTrial* t, double* f) {
  for (int k = 0; k < o->objectives.count; k++) {
    f[k] = t->value ? objective_value(&o->objectives, k, &o->search, t->p, t->value) : (double)NAN;
    if (!isfinite(f[k])) {
      snprintf(o->trouble, sizeof o->trouble, "%s",
               t->value ? "the expression is not finite" : t->trouble);
      for (int i = 0; i < o->objectives.count; i++)
        f[i] = i == 0 ? o->worst + 10 * (fabs(o->worst) + 1) : 10 * o->scale[i];
      return;
    }
  }
  o->worst = fmax(o->worst, f[0]);
}

static bool meets(const Optimize* o, const double* f, double* excess) {
  bool good = true;
  for (int k = 1; k < o->objectives.count; k++) {
    excess[k] = f[k];
    good = good && f[k] <= MET * o->scale[k];
  }
  return good;
}

static void show(Optimize* o) {
  const Search* s = &o->search;
  if (!o->bar || !o->found) return;
  fprintf(stderr, "\r  %d runs, best %.9g at", s->runs + s->used, o->value);
  for (int i = 0; i < s->count && i < 4; i++)
    fprintf(stderr, " %s = %.6g", s->axis[i].name, o->best[i]);
  fprintf(stderr, "   ");
}

static void note_best(Optimize* o, const SearchTrial* t, const double* f) {
  double excess[OBJECTIVE_MOST];
  if (!t->value || !meets(o, f, excess) || !isfinite(f[0]) || (o->found && !(f[0] < o->value)))
    return;
  o->found = true;
  o->value = f[0];
  memcpy(o->best, t->p, sizeof o->best);
  memcpy(o->excess, excess, sizeof excess);
  show(o);
}

// Objectives of n points (rows of u) into f, row by row.
static bool evaluate(Solve* v, int n, const double* u, double* f) {
  enum { MOST = 4 * SEARCH_MOST + 1 };
  Optimize* o = v->o;
  double p[MOST * SEARCH_MOST] = {0};
  const SearchTrial* t[MOST];
  const int count = o->search.count;
  for (int i = 0; i < n; i++) to_parameters(o, u + i * count, p + i * count);
  if (v->status == SAR_OK) v->status = search_run(&o->search, n, p, t);
  if (v->status != SAR_OK) return false;
  for (int i = 0; i < n; i++) {
    take(o, t[i], f + i * o->objectives.count);
    note_best(o, t[i], f + i * o->objectives.count);
  }
  return true;
}

// ---- slopes -------------------------------------------------------------------------------------

// f and its slopes, g[k * count + i]; g Nullable.
static bool values_at(Solve* v, const double* u, double* f, double* g) {
  enum { MOST = 4 * SEARCH_MOST + 1 };
  const Optimize* o = v->o;
  const int count = o->search.count, kinds = o->objectives.count;
  double points[MOST * SEARCH_MOST], all[MOST * OBJECTIVE_MOST];
  SearchStencil stencil[SEARCH_MOST];
  const int n = search_stencils(&o->search, u, g ? stencil : NULL, points);
  if (!evaluate(v, n, points, all)) return false;
  memcpy(f, all, (size_t)kinds * sizeof *f);
  int at = 1;
  for (int i = 0; i < count && g; i++)
    for (int m = 0; m < kinds; m++) {
      double slope = stencil[i].middle * all[m];
      for (int k = 0; k < stencil[i].points; k++)
        slope += stencil[i].weight[k] * all[(at + k) * kinds + m];
      g[m * count + i] = slope;
      if (m + 1 == kinds) at += stencil[i].points;
    }
  return true;
}

// ---- what NLopt calls ---------------------------------------------------------------------------

typedef struct Function {
  Solve* v;
  int which;
} Function;

static double function(unsigned n, const double* u, double* slopes, void* data) {
  const Function* a = data;
  Solve* v = a->v;
  const Search* s = &v->o->search;
  double f[OBJECTIVE_MOST] = {0}, g[OBJECTIVE_MOST * SEARCH_MOST];
  const bool over = s->runs + s->used >= v->o->evaluations;
  if (over || !values_at(v, u, f, slopes ? g : NULL)) {
    nlopt_force_stop(v->opt);
    if (slopes) memset(slopes, 0, n * sizeof *slopes);
    return v->o->worst;
  }
  if (slopes) memcpy(slopes, g + a->which * (int)n, n * sizeof *slopes);
  return f[a->which];
}

static const char* ending_of(const Optimize* o, nlopt_result r, bool* converged) {
  *converged = r == NLOPT_SUCCESS || r == NLOPT_FTOL_REACHED || r == NLOPT_XTOL_REACHED;
  if (*converged) return "converged";
  if (r == NLOPT_FORCED_STOP || r == NLOPT_MAXEVAL_REACHED)
    return o->stopped ? "stopped by a signal" : "all --evaluations are used up";
  if (r == NLOPT_ROUNDOFF_LIMITED) {
    *converged = true;
    return "converged as far as rounding allows";
  }
  return "the method failed";
}

// Where it ended: bounds, and how steep the objective still is within them.
static void judge(Solve* v) {
  Optimize* o = v->o;
  double u[SEARCH_MOST], f[OBJECTIVE_MOST], g[OBJECTIVE_MOST * SEARCH_MOST];
  const int count = o->search.count;
  for (int i = 0; i < count; i++) {
    u[i] = search_to_unit(&o->search.axis[i], o->best[i]);
    o->at_bound[i] = u[i] < 1e-6 || u[i] > 1 - 1e-6;
  }
  o->slope = (double)NAN;
  if (v->status != SAR_OK || o->objectives.count > 1 || o->objectives.jumps ||
      !values_at(v, u, f, g))
    return;
  o->slope = 0;
  for (int i = 0; i < count; i++)
    if (!o->at_bound[i]) o->slope = fmax(o->slope, fabs(g[i]));
}

static nlopt_result run(Solve* v, double* u) {
  Optimize* o = v->o;
  Function f[OBJECTIVE_MOST];
  double lowest[SEARCH_MOST], highest[SEARCH_MOST], value;
  for (int i = 0; i < o->search.count; i++) lowest[i] = 0, highest[i] = 1;
  nlopt_srand((unsigned long)o->seed);
  nlopt_set_lower_bounds(v->opt, lowest);
  nlopt_set_upper_bounds(v->opt, highest);
  for (int k = 0; k < o->objectives.count; k++) {
    f[k] = (Function){v, k};
    if (k == 0)
      nlopt_set_min_objective(v->opt, function, &f[k]);
    else if (nlopt_add_inequality_constraint(v->opt, function, &f[k], MET * o->scale[k] / 2) < 0)
      return NLOPT_INVALID_ARGS;
  }
  nlopt_set_xtol_abs1(v->opt, o->tolerance);
  nlopt_set_ftol_rel(v->opt, 1e-12);
  if (!o->method->global) nlopt_set_initial_step1(v->opt, 0.1);
  return nlopt_optimize(v->opt, u, &value);
}

int optimize_solve(Optimize* o) {
  Solve v = {.o = o,
             .opt = nlopt_create((nlopt_algorithm)o->method->id, (unsigned)o->search.count)};
  double u[SEARCH_MOST], f[OBJECTIVE_MOST];
  if (!v.opt) return EXIT_INTERNAL;
  cli_watch_signals();
  for (int i = 0; i < o->search.count; i++)
    u[i] = search_to_unit(&o->search.axis[i], o->search.axis[i].start);
  o->worst = 0;
  // the first run has to succeed, or there is nothing to compare with
  bool good = evaluate(&v, 1, u, f);
  o->start_value = f[0];
  if (good && o->trouble[0]) {
    fprintf(stderr, "sarrus: %s: the run with the first values failed: %s\n",
            cli_shown(o->search.job.path), o->trouble);
    nlopt_destroy(v.opt);
    return EXIT_NUMERICS;
  }
  o->worst = f[0];
  for (int k = 1; k < o->objectives.count; k++)
    if (!(o->scale[k] > 0)) o->scale[k] = f[k] != 0 ? fabs(f[k]) : 1;
  const nlopt_result r = good ? run(&v, u) : NLOPT_FORCED_STOP;
  o->stopped = v.status == SAR_STOPPED || cli_interrupted();
  o->ending = ending_of(o, r, &o->converged);
  if (o->found) judge(&v);
  if (o->bar) fprintf(stderr, "\r%*s\r", 110, "");
  nlopt_destroy(v.opt);
  if (v.status != SAR_OK && v.status != SAR_STOPPED) return cli_exit_status(v.status);
  return o->found && o->converged ? EXIT_DONE : EXIT_NUMERICS;
}

#else

int optimize_solve(Optimize* o) {
  return cli_usage_error(o->args->command,
                         "this build optimizes nothing: it was made without NLopt (libnlopt-dev)");
}
#endif
