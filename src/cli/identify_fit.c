// The fit of sarrus identify (identify.h): residuals weighted by the noise of their columns,
// minimized by the method of Levenberg and Marquardt (analysis/least_squares.h) over parameters in
// shares of their ranges.
//
// Noise that --sigma does not give is estimated from the residuals, and the fit repeated until it
// stays (iteratively reweighted least squares: the maximum likelihood where every column has a
// noise of its own). Standard deviations of parameters: s^2 (J'J)^-1, s^2 = r'r / (values -
// parameters); intervals by Student's t.
#include "cli/identify.h"

#include "analysis/least_squares.h"
#include "analysis/student.h"
#include "cli/interrupt.h"

#include <math.h>
#include <string.h>

enum { MOST_FITS = 12 };
static const double SETTLED = 1e-3;  // change of the noise between two fits
static const double FLOOR = 1e-9;    // noise, as a share of the spread of the data

typedef struct Fit {
  Identify* a;
  SarStatus status;
} Fit;

static double measured(const Identify* a, int row, int c) {
  return sar_table_values(
      a->data)[(size_t)row * (size_t)sar_table_columns(a->data) + (size_t)a->column[c].data];
}

// ---- residuals and their slopes -----------------------------------------------------------------

// Of values that are there, row by row. False: some are not finite.
static bool residuals(const Identify* a, const double* values, double* r) {
  int n = 0;
  for (int i = 0; i < a->rows; i++)
    for (int c = 0; c < a->columns; c++) {
      const double y = measured(a, i, c);
      if (isnan(y)) continue;
      r[n] = (values[i * a->columns + c] - y) / a->column[c].sigma;
      if (!isfinite(r[n++])) return false;
    }
  return true;
}

static void add_slopes(const Identify* a, const double* values, double weight, double* column) {
  int n = 0;
  for (int i = 0; i < a->rows; i++)
    for (int c = 0; c < a->columns; c++)
      if (!isnan(measured(a, i, c)))
        column[n++] += weight * values[i * a->columns + c] / a->column[c].sigma;
}

static SarStatus take(Fit* f, const SearchTrial* t, double* r) {
  if (t->value && residuals(f->a, t->value, r)) return SAR_OK;
  snprintf(f->a->trouble, sizeof f->a->trouble, "%s",
           t->value ? "an output is not finite" : t->trouble);
  return SAR_NOT_FINITE;
}

static SarStatus slopes(Fit* f, const SearchTrial* const* t, const SearchStencil* stencil, int m,
                        double* J) {
  const Identify* a = f->a;
  int at = 1;
  memset(J, 0, (size_t)m * (size_t)a->search.count * sizeof *J);
  for (int i = 0; i < a->search.count; i++) {
    double* column = J + (size_t)i * (size_t)m;
    for (int k = 0; k < stencil[i].points; k++, at++) {
      if (!t[at]->value) return take(f, t[at], NULL);
      add_slopes(a, t[at]->value, stencil[i].weight[k], column);
    }
    if (stencil[i].middle != 0) add_slopes(a, t[0]->value, stencil[i].middle, column);
  }
  return SAR_OK;
}

static SarStatus evaluate(void* context, const double* u, double* r, double* J) {
  enum { MOST = 4 * SEARCH_MOST + 1 };
  Fit* f = context;
  Search* s = &f->a->search;
  double points[MOST * SEARCH_MOST], p[MOST * SEARCH_MOST];
  const SearchTrial* t[MOST];
  SearchStencil stencil[SEARCH_MOST];
  int m = 0;
  for (int c = 0; c < f->a->columns; c++) m += f->a->column[c].values;
  const int n = search_stencils(s, u, J ? stencil : NULL, points);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < s->count; k++)
      p[i * s->count + k] = search_from_unit(&s->axis[k], points[i * s->count + k]);
  f->status = search_run(s, n, p, t);
  // what the file system or a signal ended is not mended by a shorter step
  if (f->status != SAR_OK) return SAR_STOPPED;
  SAR_TRY(take(f, t[0], r));
  return J ? slopes(f, t, stencil, m, J) : SAR_OK;
}

static void on_step(void* context, const double* u, double cost) {
  const Fit* f = context;
  const Search* s = &f->a->search;
  if (!f->a->bar) return;
  fprintf(stderr, "\r  %d runs, residuals %.6g at", s->runs + s->used, sqrt(cost));
  for (int i = 0; i < s->count && i < 4; i++)
    fprintf(stderr, " %s = %.6g", s->axis[i].name, search_from_unit(&s->axis[i], u[i]));
  fprintf(stderr, "   ");
}

// ---- noise --------------------------------------------------------------------------------------

// Root mean square of the residuals of every column in its own unit, and their correlation from row
// to row.
static void look_at_residuals(Identify* a, const double* r, int m) {
  double squares[IDENTIFY_COLUMNS] = {0}, products[IDENTIFY_COLUMNS] = {0},
         last[IDENTIFY_COLUMNS] = {0};
  int n = 0;
  for (int i = 0; i < a->rows; i++)
    for (int c = 0; c < a->columns; c++) {
      if (isnan(measured(a, i, c))) continue;
      const double x = r[n++] * a->column[c].sigma;
      squares[c] += x * x;
      products[c] += x * last[c];
      last[c] = x;
    }
  for (int c = 0; c < a->columns; c++) {
    IdentifyColumn* k = &a->column[c];
    const double share = 1 - (double)a->search.count / m;
    k->rms = sqrt(squares[c] / (k->values * share));
    k->correlation = squares[c] > 0 ? products[c] / squares[c] : 0;
  }
}

// Weights of the next fit; true: they are those of this one.
static bool settle(Identify* a) {
  bool settled = true;
  for (int c = 0; c < a->columns; c++) {
    IdentifyColumn* k = &a->column[c];
    if (k->given) continue;
    const double sigma = fmax(k->rms, FLOOR * k->spread);
    settled = settled && fabs(sigma - k->sigma) <= SETTLED * k->sigma;
    k->sigma = sigma;
  }
  return settled;
}

// ---- the whole ----------------------------------------------------------------------------------

static SarStatus judge(Identify* a, const SarLsq* l) {
  SarLsqStatistics s;
  SAR_TRY(sar_lsq_statistics(l, &s));
  a->rank = s.rank;
  a->free = s.free;
  a->freedoms = l->m - s.free;
  a->cost = l->cost;
  a->quantile = sar_student_quantile(a->confidence, a->freedoms);
  const double variance = l->cost / (double)a->freedoms;
  for (int i = 0; i < l->n; i++) {
    const SearchAxis* x = &a->search.axis[i];
    a->x[i] = search_from_unit(x, l->x[i]);
    a->bound[i] = l->bound[i];
    a->idle[i] = s.idle[i];
    a->shared[i] = s.shared[i];
    a->deviation[i] = (double)NAN;
  }
  for (int i = 0; i < s.free; i++) {
    const int k = s.index[i];
    const SearchAxis* x = &a->search.axis[k];
    // dx/du of the range
    const double scale = x->log ? a->x[k] * log(x->high / x->low) : x->high - x->low;
    a->deviation[k] = scale * sqrt(variance * s.covariance[i][i]);
    for (int j = 0; j < s.free; j++)
      a->correlation[k][s.index[j]] =
          s.covariance[i][j] / sqrt(s.covariance[i][i] * s.covariance[j][j]);
  }
  return SAR_OK;
}

static SarStatus fit(Identify* a, Fit* f, SarLsq* l) {
  SarStatus st = SAR_OK;
  for (a->fits = 0; a->fits < MOST_FITS;) {
    st = sar_lsq_solve(l);
    a->fits++;
    a->steps += l->iterations;
    if (st != SAR_OK && st != SAR_NOT_CONVERGED) return st;
    look_at_residuals(a, l->r, l->m);
    a->converged = st == SAR_OK;
    SAR_TRY(judge(a, l));
    if (f->status != SAR_OK || settle(a)) return st;
  }
  a->converged = false;
  return SAR_NOT_CONVERGED;
}

int identify_fit(Identify* a) {
  SarLsq* l = sar_alloc(sizeof *l);
  Fit f = {.a = a};
  const Search* s = &a->search;
  if (!l) return EXIT_INTERNAL;
  l->n = s->count;
  for (int c = 0; c < a->columns; c++) l->m += a->column[c].values;
  l->context = &f;
  l->evaluate = evaluate;
  l->on_step = on_step;
  l->tolerance = a->tolerance;
  l->max_iterations = a->iterations;
  for (int i = 0; i < s->count; i++) {
    l->high[i] = 1;
    l->x[i] = search_to_unit(&s->axis[i], s->axis[i].start);
  }
  cli_watch_signals();
  const SarStatus st = fit(a, &f, l);
  if (a->bar) fprintf(stderr, "\r%*s\r", 110, "");
  a->stopped = f.status == SAR_STOPPED;
  if (a->fits == 0 || (st != SAR_OK && st != SAR_NOT_CONVERGED && a->free == 0 && !a->stopped)) {
    if (a->trouble[0])
      fprintf(stderr, "sarrus: %s: the runs around the first values failed: %s\n",
              cli_shown(s->job.path), a->trouble);
  }
  for (int i = 0; i < s->count; i++) a->x[i] = search_from_unit(&s->axis[i], l->x[i]);
  sar_lsq_free(l);
  sar_free(l);
  if (f.status != SAR_OK && f.status != SAR_STOPPED) return cli_exit_status(f.status);
  bool determined = st == SAR_OK;
  for (int i = 0; i < s->count; i++) determined = determined && !a->idle[i] && !a->shared[i];
  return determined ? EXIT_DONE : EXIT_NUMERICS;
}
