// The index-1 family on random problems: every method solves the problem it says it can take, all
// of them give the same answer, and the others are refused.
#include "support/test.h"

#include "support/alloc_count.h"
#include "support/index1_methods.h"
#include "support/index1_problem.h"

static const SarFormulation* method_at(int i) { return index1_method(i); }

// Largest size of M a + Psi' lambda - F, relative to its terms.
static double motion_error(const Problem* s) {
  double worst = 0;
  for (int i = 0; i < s->n; i++) {
    double sum = -s->F[i], size = fabs(s->F[i]);
    for (int j = 0; j < s->n; j++) {
      double term = s->M[i * s->n + j] * s->p.a[j];
      sum += term, size += fabs(term);
    }
    for (int k = 0; k < s->m; k++) {
      double term = s->Psi[k * s->n + i] * s->p.lambda[k];
      sum += term, size += fabs(term);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

// Largest size of Psi'(Psi a - gamma), relative to its terms: zero where constraints hold as well
// as they can.
static double constraint_error(const Problem* s) {
  double sum[PROBLEM_MAX] = {0}, size[PROBLEM_MAX] = {0}, worst = 0;
  for (int k = 0; k < s->m; k++) {
    const double* row = &s->Psi[k * s->n];
    double gap = -s->gamma[k], terms = fabs(s->gamma[k]);
    for (int j = 0; j < s->n; j++) gap += row[j] * s->p.a[j], terms += fabs(row[j] * s->p.a[j]);
    for (int j = 0; j < s->n; j++) sum[j] += row[j] * gap, size[j] += fabs(row[j]) * terms;
  }
  for (int j = 0; j < s->n; j++)
    if (size[j] > 0) worst = fmax(worst, fabs(sum[j]) / size[j]);
  return worst;
}

// Largest part of lambda along a dependency of the rows: zero for the shortest lambda.
static double length_error(const Problem* s) {
  double worst = 0;
  for (int k = 0; k < s->redundant; k++) {
    double sum = 0, size = 0;
    for (int i = 0; i < s->m; i++) {
      double term = s->null[k * s->m + i] * s->p.lambda[i];
      sum += term, size += fabs(term);
    }
    if (size > 0) worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

static double largest(int n, const double* x) {
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

static bool can(const SarFormulation* method, ProblemKind k) {
  return (k.redundant == 0 || (method->can & SAR_CAN_REDUNDANT)) &&
         (k.massless == 0 || (method->can & SAR_CAN_SINGULAR_MASS));
}

static void check_kind(ProblemKind k, uint64_t seed) {
  static Problem s;
  double a[PROBLEM_MAX], lambda[PROBLEM_MAX];
  Rng r = rng_seed(seed);
  problem_init(&s, k, &r);
  EXPECT_OK(sar_formulation_find("qtz")->accelerations.solve(&s.p));
  memcpy(a, s.p.a, sizeof(double) * (size_t)s.n);
  memcpy(lambda, s.p.lambda, sizeof(double) * (size_t)s.m);
  for (int i = 0; method_at(i); i++) {
    const SarFormulation* method = method_at(i);
    if (!can(method, k)) {
      EXPECT_STATUS(method->accelerations.solve(&s.p), SAR_SINGULAR);
      continue;
    }
    memset(s.p.a, 0xff, sizeof(double) * (size_t)s.n);  // NaN: all must be written
    memset(s.p.lambda, 0xff, sizeof(double) * (size_t)s.m);
    s.p.max_iterations = 10000;  // the penalty method slows down by the square of what rows differ
    SarStatus status = method->accelerations.solve(&s.p);
    bool good = status == SAR_OK && motion_error(&s) <= 1e-10 && constraint_error(&s) <= 1e-10 &&
                length_error(&s) <= 1e-9;
    if (!good) print_error("%s, n %d, rank %d + %d:\n", method->name, k.n, k.rank, k.redundant);
    EXPECT_OK(status);
    if (s.p.rank >= 0) assert_int_equal(s.p.rank, k.rank);
    // Condition numbers go up to some 1e3. Measured at worst: the penalty method 2e-11, 4e-16 and
    // 1e-10, all others 1e-11 with unlike rows, 1e-12 with like ones.
    EXPECT_AT_MOST(motion_error(&s), 1e-10);
    EXPECT_AT_MOST(constraint_error(&s), 1e-10);
    EXPECT_AT_MOST(length_error(&s), 1e-9);
    EXPECT_ARRAY_NEAR(s.p.a, a, s.n, 1e-9 * (1 + largest(s.n, a)));
    double bound = k.spread > 0 ? 1e-8 : 1e-9;  // 2e-9 measured with unlike rows
    EXPECT_ARRAY_NEAR(s.p.lambda, lambda, s.m, bound * (1 + largest(s.m, lambda)));
  }
  problem_free(&s);
}

static const int sizes[][2] = {{2, 1}, {3, 2}, {6, 5}, {8, 3}, {12, 10}, {24, 22}, {30, 9}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void repeat(ProblemKind k) {
  for (int i = 0; i < SIZES; i++)
    for (int seed = 0; seed < test_effort(20); seed++) {
      ProblemKind one = k;
      one.n = sizes[i][0], one.rank = sizes[i][1];
      if (k.massless) one.massless = 1 + seed % one.rank;  // V'MV stays regular: massless <= rank
      if (k.redundant) one.redundant = 1 + seed % 4;
      check_kind(one, (uint64_t)(100 * i + seed));
    }
}

static void agree_on_full_rank(void** state) {
  (void)state;
  repeat((ProblemKind){0});
}
static void agree_on_redundant_rows(void** state) {
  (void)state;
  repeat((ProblemKind){.redundant = 1});
}
static void agree_on_singular_mass(void** state) {
  (void)state;
  repeat((ProblemKind){.massless = 1});
}
static void agree_on_both(void** state) {
  (void)state;
  repeat((ProblemKind){.redundant = 1, .massless = 1});
}
static void agree_on_rows_in_unlike_units(void** state) {
  (void)state;
  repeat((ProblemKind){.redundant = 1, .spread = 1});
}
// Drift makes gamma contradict itself on redundant rows: least squares, for all of them.
static void agree_on_contradictions(void** state) {
  (void)state;
  repeat((ProblemKind){.redundant = 1, .contradiction = 0.1});
}

// More rows than coordinates; none free; no rows; only rows of zeros.
static void take_the_odd_shapes(void** state) {
  (void)state;
  check_kind((ProblemKind){.n = 5, .rank = 4, .redundant = 9}, 1);
  check_kind((ProblemKind){.n = 6, .rank = 6}, 2);
  check_kind((ProblemKind){.n = 6, .rank = 6, .redundant = 3}, 3);
  check_kind((ProblemKind){.n = 6, .rank = 0}, 4);
  check_kind((ProblemKind){.n = 6, .rank = 0, .redundant = 2}, 5);
  check_kind((ProblemKind){.n = 1, .rank = 0}, 6);
  check_kind((ProblemKind){.n = 1, .rank = 1}, 7);
}

// The rows named redundant can be left out, and no others.
static void name_the_redundant_rows(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(5);
  problem_init(&s, (ProblemKind){.n = 10, .rank = 6, .redundant = 3}, &r);
  for (int i = 0; method_at(i); i++) {
    const SarFormulation* method = method_at(i);
    if (!(method->can & SAR_CAN_REDUNDANT)) continue;
    EXPECT_OK(method->accelerations.solve(&s.p));
    if (s.p.rank < 0) continue;
    int order[PROBLEM_MAX];
    memcpy(order, s.p.rows.row, sizeof(int) * (size_t)s.m);
    double Psi[PROBLEM_MAX * PROBLEM_MAX];
    for (int k = 0; k < s.p.rank; k++)
      memcpy(&Psi[k * s.n], &s.Psi[order[k] * s.n], sizeof(double) * (size_t)s.n);
    SarIndex1 p;
    void* work = sar_alloc(sar_index1_work_size(s.n, s.p.rank));
    sar_index1_init(&p, s.n, s.p.rank, work);
    double gamma[PROBLEM_MAX];
    for (int k = 0; k < s.p.rank; k++) gamma[k] = s.gamma[order[k]];
    p.M = s.M, p.Psi = Psi, p.gamma = gamma, p.F = s.F;
    EXPECT_OK(
        sar_formulation_find("lagrange-dense")->accelerations.solve(&p));  // refuses redundant rows
    EXPECT_ARRAY_NEAR(p.a, s.p.a, s.n, 1e-9 * (1 + largest(s.n, p.a)));
    sar_free(work);
  }
  problem_free(&s);
}

// The rank does not depend on the units of constraints (any) and of coordinates (m or mm).
static void decide_the_rank_in_any_unit(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(9);
  problem_init(&s, (ProblemKind){.n = 12, .rank = 8, .redundant = 2}, &r);
  for (int k = 0; k < s.m; k++)
    for (int j = 0; j < s.n; j++)
      s.Psi[k * s.n + j] *= pow(10, 2 * (k % 9) - 8) * (j % 2 ? 1000 : 1);
  const char* found[] = {"partition", "qr", "putd", "qtz", "udwadia-kalaba", "falco1"};
  for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
    sar_formulation_find(found[i])->accelerations.solve(&s.p);
    if (s.p.rank != s.rank) print_error("%s: ", found[i]);
    assert_int_equal(s.p.rank, s.rank);
  }
  problem_free(&s);
}

// Rows closer together than tol count as one, rows farther apart as two.
static void decide_the_rank_by_the_tolerance(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(11);
  problem_init(&s, (ProblemKind){.n = 8, .rank = 4}, &r);
  double direction[8], first[8];
  memcpy(first, s.Psi, sizeof first);
  for (int j = 0; j < s.n; j++) direction[j] = rng_normal(&r);
  for (int above = 0; above < 2; above++) {
    double distance = above ? 30e-6 : 0.03e-6;  // of tol = 1e-6, whatever the scale makes of it
    for (int j = 0; j < s.n; j++) s.Psi[s.n + j] = first[j] + distance * direction[j];
    for (int i = 0; method_at(i); i++) {
      SarStatus status = method_at(i)->accelerations.solve(&s.p);
      bool finds = (method_at(i)->can & SAR_CAN_REDUNDANT) && s.p.rank >= 0;
      if (finds) assert_int_equal(s.p.rank, above ? 4 : 3);
      if (!(method_at(i)->can & SAR_CAN_REDUNDANT))
        assert_int_equal(status, above ? SAR_OK : SAR_SINGULAR);
    }
  }
  problem_free(&s);
}

// A direction that neither mass nor constraints hold: a force along it has no answer, and without
// one the shortest acceleration is taken.
static void need_a_balanced_force_where_there_is_no_mass(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(13);
  problem_init(&s, (ProblemKind){.n = 7, .rank = 3, .redundant = 1}, &r);
  // no mass, no constraint along the first coordinate, in turned coordinates so that it is not
  // plain
  double u[PROBLEM_MAX], a[PROBLEM_MAX];
  double length = 0;
  for (int j = 0; j < s.n; j++) u[j] = rng_normal(&r), length += u[j] * u[j];
  for (int j = 0; j < s.n; j++) u[j] /= sqrt(length);
  for (int side = 0; side < 2; side++)  // M <- (I - uu') M (I - uu')
    for (int i = 0; i < s.n; i++) {
      double along = 0;
      for (int j = 0; j < s.n; j++) along += s.M[side ? j * s.n + i : i * s.n + j] * u[j];
      for (int j = 0; j < s.n; j++) s.M[side ? j * s.n + i : i * s.n + j] -= along * u[j];
    }
  for (int k = 0; k < s.m; k++) {
    double along = 0;
    for (int j = 0; j < s.n; j++) along += s.Psi[k * s.n + j] * u[j];
    for (int j = 0; j < s.n; j++) s.Psi[k * s.n + j] -= along * u[j];
  }
  double force = 0;
  for (int j = 0; j < s.n; j++) force += s.F[j] * u[j];

  bool first = true;
  for (int balanced = 0; balanced < 2; balanced++) {
    for (int i = 0; method_at(i); i++) {
      const SarFormulation* method = method_at(i);
      const char* regular[] = {"udwadia-kalaba", "falco1", "lagrange-dense", "penalty"};
      bool needs_regular = false;
      for (int k = 0; k < 4; k++) needs_regular |= strcmp(method->name, regular[k]) == 0;
      EXPECT_STATUS(method->accelerations.solve(&s.p),
                    balanced && !needs_regular ? SAR_OK : SAR_SINGULAR);
      if (!balanced || needs_regular) continue;
      double along = 0;
      for (int j = 0; j < s.n; j++) along += u[j] * s.p.a[j];
      EXPECT_NEAR(along, 0, 1e-10);
      if (first) memcpy(a, s.p.a, sizeof(double) * (size_t)s.n), first = false;
      EXPECT_ARRAY_NEAR(s.p.a, a, s.n, 1e-9 * (1 + largest(s.n, a)));
      EXPECT_AT_MOST(motion_error(&s), 1e-10);
    }
    for (int j = 0; j < s.n; j++) s.F[j] -= force * u[j];
  }
  assert_false(first);
  problem_free(&s);
}

static void refuse_numbers_that_are_none(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(17);
  problem_init(&s, (ProblemKind){.n = 6, .rank = 4}, &r);
  double* places[] = {&s.M[0], &s.M[7], &s.Psi[7], &s.gamma[2], &s.F[3]};
  for (int place = 0; place < 5; place++)
    for (int i = 0; method_at(i); i++)
      for (int infinite = 0; infinite < 2; infinite++) {
        double held = *places[place];
        *places[place] = infinite ? (double)INFINITY : (double)NAN;
        assert_int_not_equal(method_at(i)->accelerations.solve(&s.p), SAR_OK);
        *places[place] = held;
        EXPECT_OK(method_at(i)->accelerations.solve(&s.p));  // nothing stays behind
      }
  problem_free(&s);
}

static void allocate_nothing(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(19);
  problem_init(&s, (ProblemKind){.n = 24, .rank = 20, .redundant = 2}, &r);
  alloc_count_reset();
  for (int i = 0; method_at(i); i++) method_at(i)->accelerations.solve(&s.p);
  assert_int_equal(alloc_count(), 0);
  problem_free(&s);
}

static void bound_the_penalty_iteration(void** state) {
  (void)state;
  static Problem s;
  Rng r = rng_seed(23);
  problem_init(&s, (ProblemKind){.n = 12, .rank = 8}, &r);
  const SarFormulation* penalty = sar_formulation_find("penalty");
  EXPECT_OK(penalty->accelerations.solve(&s.p));
  assert_in_range(s.p.iterations, 2, 6);  // about five digits each
  s.p.max_iterations = 1;
  EXPECT_STATUS(penalty->accelerations.solve(&s.p), SAR_NOT_CONVERGED);
  // softer springs, more iterations, same answer
  double a[12];
  memcpy(a, s.p.a, sizeof a);
  s.p.rho = 10, s.p.max_iterations = 1000;
  EXPECT_OK(penalty->accelerations.solve(&s.p));
  assert_in_range(s.p.iterations, 7, 999);
  EXPECT_AT_MOST(motion_error(&s), 1e-10);
  EXPECT_AT_MOST(constraint_error(&s), 1e-10);
  problem_free(&s);
}

// Phi = A e^(-5 t): with alpha = beta = 5 (critical damping) it is a solution, so Psi a = Phi''.
static void stabilise_as_baumgarte(void** state) {
  (void)state;
  double Phi = 0.3, rate = -5 * Phi, gamma = 7, hat;
  sar_index1_stabilise(1, &gamma, &Phi, &rate, 5, 5, &hat);
  EXPECT_NEAR(hat - gamma, 25 * Phi, 1e-15 * 25);
}

static void have_names(void** state) {
  (void)state;
  int count = 0;
  for (; method_at(count); count++) {
    assert_ptr_equal(sar_formulation_find(method_at(count)->name), method_at(count));
    assert_true(strlen(method_at(count)->doc) > 0 && strlen(method_at(count)->ref) > 0);
  }
  assert_int_equal(count, 13);
  assert_null(index1_method(-1));
  assert_null(sar_formulation_find("cramer"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(have_names),
      cmocka_unit_test(agree_on_full_rank),
      cmocka_unit_test(agree_on_redundant_rows),
      cmocka_unit_test(agree_on_singular_mass),
      cmocka_unit_test(agree_on_both),
      cmocka_unit_test(agree_on_rows_in_unlike_units),
      cmocka_unit_test(agree_on_contradictions),
      cmocka_unit_test(take_the_odd_shapes),
      cmocka_unit_test(name_the_redundant_rows),
      cmocka_unit_test(decide_the_rank_in_any_unit),
      cmocka_unit_test(decide_the_rank_by_the_tolerance),
      cmocka_unit_test(need_a_balanced_force_where_there_is_no_mass),
      cmocka_unit_test(refuse_numbers_that_are_none),
      cmocka_unit_test(allocate_nothing),
      cmocka_unit_test(bound_the_penalty_iteration),
      cmocka_unit_test(stabilise_as_baumgarte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
