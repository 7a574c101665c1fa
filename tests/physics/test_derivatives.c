// Exact first derivatives of forward and inverse dynamics against extrapolated differences: all
// examples, random trees with every joint and force, random loops with every constraint. 1e-9 of
// the largest entry of a column.
#include "support/alloc_count.h"
#include "support/derivative_check.h"
#include "support/random_loops.h"
#include "support/random_model.h"
#include "support/run.h"
#include "support/tree_builder.h"

#include <glob.h>

static const double BOUND = 1e-9;

// Kinks lie where things rest: speeds that nothing has.
static void stir(const SarModel* m, SarData* d, uint64_t seed) {
  Rng r = {test_seed(seed)};
  for (int i = 0; i < m->nv; i++) d->v[i] += rng_uniform(&r, 0.1, 0.4);
}

// Rows that follow from others: off the constraints the equations contradict each other there.
static bool is_redundant(const Run* r) { return r->d->freedom.rank < r->d->nactive; }

// The worst of all directions. A derivative that is wrong is so for every step of the differences,
// what is rounding of the values or a kink nearby is not: of several steps the best counts. Where
// none can tell, by its own estimate, the direction is counted as unsure.
static double worst_of_case(DerivativeCase* c, int* at, int* unsure) {
  static const double STEP[] = {2e-3, 2e-2, 2e-4, 6e-2, 1e-1, 2e-1};
  const SarModel* m = c->m;
  double x[DERIVATIVE_MOST], worst = 0;
  for (int j = 0; j < direction_size(m); j++) {
    const int z = j - 2 * m->nv;
    double error = HUGE_VAL;
    memset(x, 0, sizeof x);
    x[j] = z >= 0 && z < m->nz ? 1 + fabs(c->z[z]) : 1;
    c->direction = x;
    for (size_t k = 0; k < sizeof STEP / sizeof *STEP && error > BOUND; k++) {
      double doubt = 0;
      const double e = derivative_error(c, STEP[k], &doubt);
      if (doubt <= BOUND) error = fmin(error, e);
    }
    if (isinf(error))
      ++*unsure;
    else if (error > worst)
      worst = error, *at = j;
  }
  return worst;
}

static void all_examples_agree(void** state) {
  (void)state;
  glob_t files;
  int unsure = 0, directions = 0, redundant = 0;
  assert_int_equal(glob(SARRUS_SOURCE_DIR "/examples/*.yaml", 0, NULL, &files), 0);
  for (size_t f = 0; f < files.gl_pathc; f++) {
    SarModel* m;
    SarError err;
    int at = -1;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_model_load(files.gl_pathv[f], NULL, &m, &err), &err);
    Run r = run_open(m, NULL);
    const double end = m->sim.end > 0 && m->sim.end < 3 ? m->sim.end : 3;
    if (m->ncollider == 0) run_advance(&r, 0.137 * end);
    stir(m, r.d, 5);
    if (is_redundant(&r)) {
      redundant++;  // along what is allowed: reference/test_linearize.c
    } else {
      DerivativeCase c = derivative_case(m, r.d);
      const double worst = worst_of_case(&c, &at, &unsure);
      if (!(worst <= BOUND)) fail_msg("%s: off by %g, direction %d", files.gl_pathv[f], worst, at);
      directions += direction_size(m);
      derivative_case_end(&c);
    }
    run_close(&r);
  }
  globfree(&files);
  assert_true(redundant <= 2);  // Bricard
  assert_true(unsure <= directions / 100);
}

// Positions anywhere, speeds of order 1; every kind of joint, also turned round, springs in all of
// them.
static void random_trees_agree(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(6); trial++) {
    Rng r = {test_seed(700 + (uint64_t)trial)};
    ModelText* t = malloc(sizeof *t);
    double xi[DERIVATIVE_MOST], a[DERIVATIVE_MOST];
    int at = -1, unsure = 0;
    model_random(t, &r, 12);
    Run run = run_open(model_parse(t->text, NULL), NULL);
    const SarModel* m = run.m;
    for (int i = 0; i < m->nv; i++) xi[i] = rng_uniform(&r, -0.5, 0.5);
    sar_projection_move(m, xi, run.d->q);
    for (int i = 0; i < m->nv; i++) run.d->v[i] = rng_uniform(&r, -1, 1);
    for (int i = 0; i < m->nv; i++) a[i] = rng_uniform(&r, -1, 1);
    DerivativeCase c = derivative_case(m, run.d);
    for (int inverse = 0; inverse < 2; inverse++) {
      c.given = inverse ? a : NULL;
      const double worst = worst_of_case(&c, &at, &unsure);
      if (!(worst <= BOUND)) fail_msg("trial %d: off by %g, direction %d", trial, worst, at);
    }
    assert_true(unsure <= m->nv / 10);
    derivative_case_end(&c);
    run_close(&run);
    free(t);
  }
}

static void random_loops_agree(void** state) {
  (void)state;
  int done = 0;
  // not every draw has constraints to differentiate: on until one has
  for (int trial = 0; trial < test_effort(60) || (done == 0 && trial < 60); trial++) {
    Rng r = {test_seed(900 + (uint64_t)trial)};
    ModelText* t = malloc(sizeof *t);
    SarError err;
    SarData* d = NULL;
    SarSim* s = NULL;
    int at = -1, unsure = 0;
    loops_random(t, &r, (LoopFamily)(trial % LOOPS_FAMILIES), 3 + rng_int(&r, 4));
    SarModel* m = model_parse(t->text, NULL);
    sar_error_init(&err);
    EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
    if (sar_sim_new(m, d, NULL, &s, &err) == SAR_OK) {
      const Run run = {m, d, s};
      const bool firm = d->freedom.rank_here == d->freedom.rank;  // no singular position
      stir(m, d, 31 + (uint64_t)trial);
      if (firm && !is_redundant(&run) && d->nactive > 0) {
        DerivativeCase c = derivative_case(m, d);
        const double worst = worst_of_case(&c, &at, &unsure);
        if (!(worst <= BOUND)) fail_msg("trial %d: off by %g, direction %d", trial, worst, at);
        derivative_case_end(&c);
        done++;
      }
    }
    sar_sim_free(s);
    sar_data_free(d);
    sar_model_free(m);
    free(t);
  }
  assert_true(done > 0);
}

// The matrices of the public calls at d's state: the fast way of a bare tree against one direction
// at a time, and M^-1 M = 1, to `bound` of the largest entry.
static void check_matrices(const SarModel* m, SarData* d, double bound) {
  const int nv = m->nv;
  const size_t entries = (size_t)nv * (size_t)nv;
  double *all = calloc(5 * entries, sizeof *all), size = 1, largest = 0;
  SarError err;
  SarDerivatives* w;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_derivatives_new(m, &w, &err), &err);
  const SarForwardDerivatives fast = {.a_q = all, .a_v = all + entries, .a_tau = all + 2 * entries};
  const SarForwardDerivatives slow = {.a_q = all + 3 * entries, .a_v = all + 4 * entries};
  alloc_count_reset();
  EXPECT_OK(sar_forward_dynamics_derivatives(w, d, &fast));
  w->has_forces = true;
  EXPECT_OK(sar_forward_dynamics_derivatives(w, d, &slow));
  assert_int_equal(alloc_count(), 0);
  for (size_t i = 0; i < 2 * entries; i++) size = fmax(size, fabs(all[i]));
  for (size_t i = 0; i < 2 * entries; i++) EXPECT_NEAR(all[i], all[3 * entries + i], bound * size);
  double *M = all + 3 * entries, *inverse = all + 2 * entries;
  EXPECT_OK(sar_mass_matrix(d, M));
  for (size_t i = 0; i < entries; i++) largest = fmax(largest, fabs(M[i] * inverse[i]));
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) {
      double sum = 0;
      for (int k = 0; k < nv; k++) sum += M[i * nv + k] * inverse[k * nv + j];
      EXPECT_NEAR(sum, i == j, 10 * bound * fmax(1, largest));
    }
  free(all);
  sar_derivatives_free(w);
}

static void matrices_are_the_columns(void** state) {
  (void)state;
  static const char* const FILES[] = {"tests/reference/tree/humanoid36.urdf",
                                      "tests/reference/tree/arm7.urdf",
                                      "tests/reference/tree/chain10.urdf"};
  for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
    SarModel* m;
    SarError err;
    Rng r = {test_seed(77)};
    sar_error_init(&err);
    EXPECT_OK_OR(sar_model_load(FILES[f], NULL, &m, &err), &err);
    Run run = run_open(m, NULL);
    double xi[DERIVATIVE_MOST];
    for (int i = 0; i < m->nv; i++) xi[i] = rng_uniform(&r, -1, 1);
    sar_projection_move(m, xi, run.d->q);
    for (int i = 0; i < m->nv; i++) run.d->v[i] = rng_uniform(&r, -1, 1);
    check_matrices(m, run.d, 1e-11);
    run_close(&run);
  }
}

// Trees of every size up to some hundred coordinates: columns are taken in vectors and panels of
// several widths, rows by unbranched chains.
static void matrices_of_random_trees(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(60); trial++) {
    Rng r = {test_seed(1300 + (uint64_t)trial)};
    SarModel* m = tree_random(&r, 1 + trial % 40);
    SarData* d = NULL;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    tree_random_state(&r, m, d->q, d->v, d->tau_host);
    if (m->nv > 0) check_matrices(m, d, 1e-9);
    sar_data_free(d);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_examples_agree),       cmocka_unit_test(random_trees_agree),
      cmocka_unit_test(random_loops_agree),       cmocka_unit_test(matrices_are_the_columns),
      cmocka_unit_test(matrices_of_random_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
