// Pivots of a semidefinite matrix against those of a QR decomposition of its root: B'B and B have
// the same ones.
#include "support/test.h"

#include "linalg/dense.h"
#include "linalg/pivoted_cholesky.h"

enum { MAX = 24, ROOM = 1 << 16 };

typedef struct {
  double A[MAX * MAX], B[MAX * MAX], tau[MAX], work[2 * MAX];
  double room[ROOM];
  int pivot[MAX], ints[ROOM];
} Room;

// n x m, column by column, mostly zeros as rows of constraints are; the last `weak` columns are
// those before them, changed by so little.
static void fill(Rng* r, int n, int m, int weak, double little, double* B) {
  for (int i = 0; i < n * m; i++) B[i] = rng_int(r, 4) == 0 ? rng_normal(r) : 0;
  for (int j = 0; j < m; j++) B[j * n + rng_int(r, n)] += 1 + rng_normal(r) * rng_normal(r);
  for (int j = m - weak; j < m; j++)
    for (int i = 0; i < n; i++)
      B[j * n + i] = B[(j - weak) * n + i] + (little > 0 ? little * rng_normal(r) : 0);
}

static void products(int n, int m, const double* B, double* A) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
      A[i * m + j] = j <= i ? sum : (double)NAN;  // not to be read
    }
}

// |R_kk| of B with pivoting
static double by_qr(Room* x, int n, int m, int rank) {
  SarDenseWork w;
  sar_dense_query(n, m, &w);
  assert_true(w.lwork <= ROOM && w.liwork <= ROOM);
  w.work = x->room, w.iwork = x->ints;
  sar_qr_pivoted(n, m, x->B, x->pivot, x->tau, &w);
  return fabs(x->B[(rank - 1) * n + rank - 1]);
}

static void last_pivots_are_those_of_the_root(void** state) {
  (void)state;
  static Room x;
  Rng r = rng_seed(3);
  for (int trial = 0; trial < 3000; trial++) {
    const int n = 1 + rng_int(&r, MAX), m = 1 + rng_int(&r, n), weak = rng_int(&r, m / 2 + 1);
    const double little = pow(10, -1 - rng_int(&r, 6));
    fill(&r, n, m, weak, little, x.B);
    products(n, m, x.B, x.A);
    const double is = sar_cholesky_pivot(m, m, x.A, x.work), should = by_qr(&x, n, m, m);
    // right to the root of rounding: 1e-16 of the largest square, which is some tens here
    EXPECT_NEAR(is * is, should * should, 1e-13);
  }
}

// Rank of copies: the pivot before them is that of the others, and theirs is rounding or nothing.
static void copies_have_none(void** state) {
  (void)state;
  static Room x;
  Rng r = rng_seed(4);
  for (int trial = 0; trial < 1000; trial++) {
    const int n = 2 + rng_int(&r, MAX - 2), m = 2 + rng_int(&r, n - 1), weak = m / 2;
    fill(&r, n, m, weak, 0, x.B);
    products(n, m, x.B, x.A);
    const double is = sar_cholesky_pivot(m, m - weak, x.A, x.work);
    products(n, m, x.B, x.A);
    const double none = sar_cholesky_pivot(m, m, x.A, x.work);
    const double should = by_qr(&x, n, m, m - weak);
    EXPECT_NEAR(is * is, should * should, 1e-13);
    EXPECT_NEAR(none, 0, 1e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(last_pivots_are_those_of_the_root),
      cmocka_unit_test(copies_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
