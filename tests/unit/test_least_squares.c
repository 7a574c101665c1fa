// Levenberg and Marquardt's method beside certified results (NIST Statistical Reference Datasets,
// nonlinear regression: Misra1a, and MGH09 of higher difficulty, from both of their starts),
// bounds, rank, and Student's t.
#include "support/test.h"

#include "analysis/least_squares.h"
#include "analysis/student.h"

typedef struct Set {
  int n, m;
  const double *x, *y;
  double (*model)(const double* b, double x);
} Set;

static SarStatus evaluate(void* context, const double* b, double* r, double* J) {
  const Set* s = context;
  for (int i = 0; i < s->m; i++) r[i] = s->model(b, s->x[i]) - s->y[i];
  for (int k = 0; J && k < s->n; k++)
    for (int i = 0; i < s->m; i++) {
      double up[8], down[8];
      memcpy(up, b, (size_t)s->n * sizeof *b);
      memcpy(down, b, (size_t)s->n * sizeof *b);
      const double h = 1e-5 * fmax(fabs(b[k]), 1e-6);
      up[k] += h;
      down[k] -= h;
      J[k * s->m + i] = (s->model(up, s->x[i]) - s->model(down, s->x[i])) / (2 * h);
    }
  return SAR_OK;
}

static SarLsq problem(Set* s) {
  SarLsq a = {.n = s->n,
              .m = s->m,
              .context = s,
              .evaluate = evaluate,
              .tolerance = 1e-13,
              .max_iterations = 500};
  for (int i = 0; i < s->n; i++) a.low[i] = -1e12, a.high[i] = 1e12;
  return a;
}

static void expect_certified(SarLsq* a, const double* start, const double* value,
                             const double* deviation, double squares) {
  SarLsqStatistics st;
  memcpy(a->x, start, (size_t)a->n * sizeof *start);
  EXPECT_OK(sar_lsq_solve(a));
  EXPECT_OK(sar_lsq_statistics(a, &st));
  assert_int_equal(st.rank, a->n);
  EXPECT_NEAR(a->cost, squares, 1e-9 * squares);
  for (int i = 0; i < a->n; i++) {
    EXPECT_NEAR(a->x[i], value[i], 1e-6 * fabs(value[i]));
    EXPECT_NEAR(sqrt(a->cost / (a->m - a->n) * st.covariance[i][i]), deviation[i],
                1e-5 * deviation[i]);
  }
  sar_lsq_free(a);
}

static double misra(const double* b, double x) { return b[0] * (1 - exp(-b[1] * x)); }
static double mgh(const double* b, double x) {
  return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]);
}

static const double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
static const double misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
static const double mgh_x[] = {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
static const double mgh_y[] = {0.1957, 0.1947, 0.1735, 0.16,   0.0844, 0.0627,
                               0.0456, 0.0342, 0.0323, 0.0235, 0.0246};

static void certified_results_are_met(void** state) {
  (void)state;
  Set m = {2, 14, misra_x, misra_y, misra}, g = {4, 11, mgh_x, mgh_y, mgh};
  SarLsq a = problem(&m);
  const double starts[2][2] = {{500, 0.0001}, {250, 0.0005}};
  const double value[] = {2.3894212918e2, 5.5015643181e-4};
  const double deviation[] = {2.7070075241, 7.2668688436e-6};
  for (int i = 0; i < 2; i++) expect_certified(&a, starts[i], value, deviation, 0.12455138894);
  a = problem(&g);
  const double hard[2][4] = {{25, 39, 41.5, 39}, {0.25, 0.39, 0.415, 0.39}};
  const double its[] = {0.19280693458, 0.19128232873, 0.12305650693, 0.13606233068};
  const double sd[] = {1.1435312227e-2, 0.19633220911, 8.0842031232e-2, 9.0025542308e-2};
  for (int i = 0; i < 2; i++) expect_certified(&a, hard[i], its, sd, 3.0750560385e-4);
}

// Within random boxes: feasible, and no slope points into the box (first-order conditions).
static void bounds_hold(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  int held = 0;
  for (int k = 0; k < test_effort(100); k++) {
    Set m = {2, 14, misra_x, misra_y, misra};
    SarLsq a = problem(&m);
    a.low[0] = rng_uniform(&r, 150, 300), a.high[0] = a.low[0] + rng_uniform(&r, 1, 100);
    a.low[1] = rng_uniform(&r, 2e-4, 7e-4), a.high[1] = a.low[1] + rng_uniform(&r, 1e-5, 3e-4);
    for (int i = 0; i < 2; i++) a.x[i] = rng_uniform(&r, a.low[i], a.high[i]);
    EXPECT_OK(sar_lsq_solve(&a));
    for (int i = 0; i < 2; i++) {
      double slope = 0, length = 0;
      for (int j = 0; j < a.m; j++) {
        slope += a.J[i * a.m + j] * a.r[j];
        length += a.J[i * a.m + j] * a.J[i * a.m + j];
      }
      slope /= sqrt(length * a.cost);
      assert_true(a.x[i] >= a.low[i] && a.x[i] <= a.high[i]);
      held += a.bound[i];
      if (a.bound[i])
        assert_true(a.x[i] == a.low[i] ? slope > 0 : a.x[i] == a.high[i] && slope < 0);
      else
        EXPECT_NEAR(slope, 0, 1e-6);
    }
    sar_lsq_free(&a);
  }
  assert_true(held > 0);
}

static double doubled(const double* b, double x) { return b[0] * b[1] * x + b[2]; }

static void what_is_not_determined_is_named(void** state) {
  (void)state;
  Set m = {4, 14, misra_x, misra_y, doubled};
  SarLsq a = problem(&m);
  SarLsqStatistics st;
  for (int i = 0; i < 4; i++) a.x[i] = 1;
  sar_lsq_solve(&a);
  EXPECT_OK(sar_lsq_statistics(&a, &st));
  assert_true(st.shared[0] && st.shared[1] && !st.shared[2] && !st.idle[2] && st.idle[3]);
  assert_int_equal(st.rank, 2);
  assert_true(isnan(st.covariance[0][0]) && isfinite(st.covariance[2][2]));
  sar_lsq_free(&a);
}

// Tables of the distribution, to the digits that they have.
static void student_is_that_of_the_tables(void** state) {
  (void)state;
  static const struct {
    double probability;
    long n;
    double t;
  } table[] = {{0.95, 1, 12.7062},  {0.95, 2, 4.30265},         {0.95, 5, 2.57058},
               {0.95, 10, 2.22814}, {0.95, 30, 2.04227},        {0.99, 7, 3.49948},
               {0.9, 120, 1.65765}, {0.95, 1000000000, 1.95996}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    EXPECT_NEAR(sar_student_quantile(table[i].probability, table[i].n), table[i].t,
                6e-6 * table[i].t);
  EXPECT_NEAR(sar_student_quantile(0.95, 400), sar_student_quantile(0.95, 401), 2e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certified_results_are_met),
      cmocka_unit_test(bounds_hold),
      cmocka_unit_test(what_is_not_determined_is_named),
      cmocka_unit_test(student_is_that_of_the_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
