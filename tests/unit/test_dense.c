// Dense matrices: products, triangular solutions, factors and decompositions, each by the identity
// it stands for, on random matrices of all small shapes.
#include "support/test.h"

#include "base/alloc.h"
#include "linalg/dense.h"
#include "linalg/householder.h"
#include "linalg/lu_complete.h"
#include "linalg/matrix.h"
#include "linalg/spd.h"

enum { MAX = 17 };
static const double tolerance = 1e-12;  // n eps and some growth; 2e-14 measured at worst

static void fill(Rng* r, int count, double* x) {
  for (int i = 0; i < count; i++) x[i] = rng_int(r, 4) ? rng_normal(r) : 0;  // zeros are skipped
}

// C = A B, written out; `t`: A transposed
static double product(const double* A, int ld, bool t, int inner, int i, const double* b) {
  double sum = 0;
  for (int k = 0; k < inner; k++) sum += (t ? A[i * ld + k] : A[k * ld + i]) * b[k];
  return sum;
}

static void multiply(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  double A[MAX * MAX], x[MAX], y[MAX], z[MAX], C[MAX * MAX];
  for (int rows = 0; rows <= MAX; rows++)
    for (int columns = 0; columns <= MAX; columns += 3) {
      fill(&r, MAX * MAX, A), fill(&r, MAX, x), fill(&r, MAX, z);
      memcpy(y, z, sizeof y);
      sar_matvec(rows, columns, 2, A, MAX, x, -3, y);
      for (int i = 0; i < rows; i++)
        EXPECT_NEAR(y[i], 2 * product(A, MAX, false, columns, i, x) - 3 * z[i], tolerance);
      memset(y, 0xff, sizeof y);  // NaN
      sar_matvec_t(rows, columns, 2, A, MAX, x, 0, y);
      for (int i = 0; i < columns; i++)
        EXPECT_NEAR(y[i], 2 * product(A, MAX, true, rows, i, x), tolerance);
      memset(C, 0, sizeof C);
      sar_gram_add(rows, columns, 0.5, A, MAX, C, MAX);
      sar_mirror_lower(rows, C, MAX);
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
          double sum = 0;
          for (int k = 0; k < columns; k++) sum += A[k * MAX + i] * A[k * MAX + j];
          EXPECT_NEAR(C[j * MAX + i], 0.5 * sum, tolerance);
        }
      sar_gram_t(columns, rows, A, MAX, C, MAX);
      sar_mirror_upper(columns, C, MAX);
      for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++)
          EXPECT_NEAR(C[j * MAX + i], product(A, MAX, true, rows, i, &A[j * MAX]), tolerance);
    }
}

typedef void Solve(int n, int columns, const double* A, int lda, double* B, int ldb);

static void solve_triangles(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  const struct {
    Solve* solve;
    bool upper, transposed, unit;
  } kinds[] = {
      {sar_upper_solve, true, false, false},     {sar_upper_solve_t, true, true, false},
      {sar_lower_solve, false, false, false},    {sar_lower_solve_t, false, true, false},
      {sar_upper_unit_solve, true, false, true}, {sar_upper_unit_solve_t, true, true, true},
  };
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
    for (int n = 0; n <= MAX; n++) {
      double A[MAX * MAX], T[MAX * MAX] = {0}, B[2 * MAX], X[2 * MAX];
      fill(&r, MAX * MAX, A), fill(&r, 2 * MAX, B);
      for (int j = 0; j < n; j++) A[j * MAX + j] += 4;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          if (kinds[kind].upper ? i < j : i > j) T[j * MAX + i] = A[j * MAX + i] /= 4;
          if (i == j) T[j * MAX + i] = kinds[kind].unit ? 1 : A[j * MAX + i];
        }
      memcpy(X, B, sizeof X);
      kinds[kind].solve(n, 2, A, MAX, X, MAX);
      for (int c = 0; c < 2; c++)
        for (int i = 0; i < n; i++)
          EXPECT_NEAR(product(T, MAX, kinds[kind].transposed, n, i, &X[c * MAX]), B[c * MAX + i],
                      tolerance * 10);
    }
}

static void factor_definite_matrices(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int n = 0; n <= MAX; n++) {
    double B[MAX * MAX], A[MAX * MAX] = {0}, U[MAX * MAX], x[MAX], b[MAX] = {0};
    fill(&r, n * n, B), fill(&r, n, b);
    sar_gram_add(n, n, 1, B, n, A, n);
    sar_mirror_lower(n, A, n);
    for (int i = 0; i < n; i++) A[i * n + i] += 1;
    memcpy(U, A, sizeof U), memcpy(x, b, sizeof x);
    assert_true(sar_spd_factor(n, U, 1e-13));
    sar_spd_solve(n, U, x);
    for (int i = 0; i < n; i++) EXPECT_NEAR(product(A, n, true, n, i, x), b[i], tolerance * 10);
    if (n < 2) continue;
    // a row twice: semidefinite
    memcpy(&A[n], A, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) A[i * n + 1] = A[i * n];
    assert_false(sar_spd_factor(n, A, 1e-13));
  }
  double none[1] = {(double)NAN};
  assert_false(sar_spd_factor(1, none, 1e-13));
}

// rank x columns factors, rows and columns in the order found
static void eliminate_with_complete_pivoting(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  for (int rows = 0; rows <= MAX; rows += 2)
    for (int n = 1; n <= MAX; n += 3)
      for (int rank = 0; rank <= (rows < n ? rows : n); rank++) {
        double A[MAX * MAX] = {0}, LU[MAX * MAX], L[MAX * MAX], R[MAX * MAX], size[MAX];
        int row[MAX], column[MAX];
        for (int i = 0; i < rows * rank; i++) L[i] = rng_normal(&r);
        for (int i = 0; i < rank * n; i++) R[i] = rng_normal(&r);
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < rank; k++) A[i * n + j] += L[i * rank + k] * R[k * n + j];
          }
        memcpy(LU, A, sizeof LU);
        assert_int_equal(sar_lu_complete(rows, n, LU, 1e-9, row, column, size), rank);
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < rank && k <= i && k <= j; k++)
              sum += (k == i ? 1 : LU[i * n + k]) * LU[k * n + j];
            EXPECT_NEAR(sum, A[row[i] * n + column[j]], tolerance * 10);
            if (i > j && j < rank) EXPECT_AT_MOST(fabs(LU[i * n + j]), 1 + 1e-9);
          }
      }
}

// A P = Q R with the columns that depend on those before them behind all others
static void triangularise_in_order(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  for (int n = 1; n <= MAX; n += 2)
    for (int m = 0; m <= MAX; m += 3) {
      double A[MAX * MAX] = {0}, QR[MAX * MAX], tau[MAX], work[MAX], x[MAX];
      int pivot[MAX], length[MAX], expected = 0;
      bool dependent[MAX];
      for (int j = 0; j < m; j++) {
        dependent[j] = expected == n || (expected > 0 && rng_int(&r, 3) == 0);
        for (int i = 0; i < n; i++) A[j * n + i] = dependent[j] ? 0 : rng_normal(&r);
        for (int k = 0; dependent[j] && k < j; k++) {
          double factor = rng_normal(&r) / n;
          for (int i = 0; i < n; i++) A[j * n + i] += factor * A[k * n + i];
        }
        expected += !dependent[j];
      }
      memcpy(QR, A, sizeof QR);
      int rank = sar_qr_in_order(n, m, QR, 1e-9, pivot, tau, work, length);
      assert_int_equal(rank, expected);
      for (int j = 0; j < m; j++) {
        assert_int_equal(dependent[pivot[j]], j >= rank);
        if (j > 0 && j != rank) assert_true(pivot[j] > pivot[j - 1]);  // order kept
        for (int i = 0; i < n; i++) x[i] = i <= j && i < rank ? QR[j * n + i] : 0;
        sar_q_mul(n, 1, rank, QR, tau, x);
        for (int i = 0; i < n; i++) EXPECT_NEAR(x[i], A[pivot[j] * n + i], 1e-11);
        sar_q_mul_t(n, 1, rank, QR, tau, x);  // and back
        for (int i = 0; i < n; i++)
          EXPECT_NEAR(x[i], i <= j && i < rank ? QR[j * n + i] : 0, 1e-11);
      }
    }
}

static SarDenseWork dense_work(int n, int m) {
  SarDenseWork w;
  sar_dense_query(n, m, &w);
  w.work = sar_alloc(sizeof(double) * (size_t)w.lwork);
  w.iwork = sar_alloc(sizeof(int) * (size_t)w.liwork);
  return w;
}

// H = B B' with `zeros` zero eigenvalues
static void semidefinite(Rng* r, int n, int zeros, double* H) {
  double B[MAX * MAX];
  for (int i = 0; i < n * n; i++) B[i] = rng_normal(r), H[i] = 0;
  sar_gram_add(n, n - zeros, 1, B, n, H, n);
  sar_mirror_lower(n, H, n);
}

static void find_null_spaces(void** state) {
  (void)state;
  Rng r = rng_seed(6);
  for (int n = 2; n <= MAX; n++)
    for (int zeros = 1; zeros <= n; zeros += 2) {
      SarDenseWork w = dense_work(n, n);
      double H[MAX * MAX], A[MAX * MAX], K[MAX * MAX], X[MAX * MAX], U[MAX * MAX], re[MAX], im[MAX];
      int select[MAX] = {0};
      semidefinite(&r, n, zeros, H);
      memcpy(X, H, sizeof X);
      EXPECT_OK(sar_eigen(n, X, re, &w));  // the lowest come first
      memcpy(A, H, sizeof A);
      EXPECT_OK(sar_svd_left(n, n, A, re, U, &w));
      memcpy(A, H, sizeof A);
      EXPECT_OK(sar_schur(n, A, re, im, K, &w));
      int found = 0;
      for (int i = 0; i < n; i++) found += select[i] = fabs(re[i]) < 1e-9;
      assert_int_equal(found, zeros);
      EXPECT_OK(sar_schur_reorder(n, select, A, K, re, im, &w));
      for (int k = 0; k < zeros; k++)
        for (int i = 0; i < n; i++) {  // |H| is up to 100
          EXPECT_NEAR(product(H, n, true, n, i, &X[k * n]), 0, 1e-11);
          EXPECT_NEAR(product(H, n, true, n, i, &K[k * n]), 0, 1e-11);
          EXPECT_NEAR(product(H, n, true, n, i, &U[(n - zeros + k) * n]), 0, 1e-11);
        }
      sar_free(w.work), sar_free(w.iwork);
    }
}

static void solve_indefinite_systems(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  for (int n = 1; n <= MAX; n++) {
    SarDenseWork w = dense_work(n, 0);
    double A[MAX * MAX], LD[MAX * MAX], x[MAX], b[MAX];
    int pivot[MAX];
    fill(&r, n * n, A), fill(&r, n, b);
    for (int i = 0; i < n; i++) A[i * n + i] = 0.1 * rng_normal(&r);
    sar_mirror_lower(n, A, n);
    memcpy(LD, A, sizeof LD), memcpy(x, b, sizeof x);
    sar_ldl_factor(n, LD, pivot, &w);
    double smallest = sar_ldl_smallest(n, LD, pivot);
    if (smallest > 1e-6) {
      sar_ldl_solve(n, LD, pivot, x);
      for (int i = 0; i < n; i++) EXPECT_NEAR(product(A, n, true, n, i, x), b[i], 1e-12 / smallest);
    }
    if (n > 2) {  // the last row and column a combination of the first two: singular
      for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++) {
          int at = pass ? i * n + n - 1 : (n - 1) * n + i, step = pass ? -1 : -n;
          A[at] = A[at + (n - 1) * step] - 2 * A[at + (n - 2) * step];
        }
      sar_ldl_factor(n, A, pivot, &w);
      EXPECT_AT_MOST(sar_ldl_smallest(n, A, pivot), 1e-13);
    }
    sar_free(w.work), sar_free(w.iwork);
  }
}

// Of a row-deficient matrix, graded so that lengths cancel.
static void graded(Rng* r, int n, int m, int rank, double* A) {
  double B[MAX * MAX], C[MAX * MAX];
  fill(r, n * rank, B);
  for (int i = 0; i < rank * m; i++) C[i] = rng_normal(r) * pow(10, -8 * rng_uniform(r, 0, 1));
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) A[j * n + i] = product(B, n, false, rank, i, &C[j * rank]);
}

// Squares of what columns have left behind row k.
static double rest(const double* R, int n, int j, int k) {
  double sum = 0;
  for (int i = k; i < n && i <= j; i++) sum += R[j * n + i] * R[j * n + i];
  return sum;
}

// A P = Q R; of the columns that were not told to come first, the longest next
static void triangularise_the_longest_first(void** state) {
  (void)state;
  Rng r = rng_seed(9);
  for (int n = 1; n <= MAX; n += 2)
    for (int m = 0; m <= MAX; m++) {
      SarDenseWork w = dense_work(n, m);
      double A[MAX * MAX], QR[MAX * MAX], tau[MAX] = {0}, x[MAX];
      int pivot[MAX], first[MAX], leading = 0, steps = n < m ? n : m;
      bool seen[MAX] = {0};
      graded(&r, n, m, 1 + rng_int(&r, steps > 0 ? steps : 1), A);
      memcpy(QR, A, sizeof QR);
      for (int j = 0; j < m; j++) first[j] = pivot[j] = m % 2 && rng_int(&r, 4) == 0;
      sar_qr_led(n, m, QR, pivot, tau, &w);
      for (int j = 0; j < m; j++)
        if (first[j]) assert_int_equal(pivot[leading++], j);
      for (int j = 0; j < m; j++) {
        assert_false(seen[pivot[j]]);
        seen[pivot[j]] = true;
        for (int i = 0; i < n; i++) x[i] = i <= j ? QR[j * n + i] : 0;
        sar_q_mul(n, 1, steps, QR, tau, x);
        for (int i = 0; i < n; i++) EXPECT_NEAR(x[i], A[pivot[j] * n + i], 1e-12);
      }
      for (int k = leading; k < steps; k++)
        for (int j = k + 1; j < m; j++)
          assert_true(sqrt(rest(QR, n, j, k)) <= (1 + 1e-6) * fabs(QR[k * n + k]) + 1e-13);
      sar_free(w.work), sar_free(w.iwork);
    }
}

// R P' = [T 0] Z: Z' keeps lengths, and takes [T' x; 0] to the transposed product
static void annihilate_from_the_right(void** state) {
  (void)state;
  Rng r = rng_seed(8);
  for (int m = 2; m <= MAX; m++)
    for (int rank = 1; rank < m; rank += 2) {
      SarDenseWork w = dense_work(m, m);
      double R[MAX * MAX] = {0}, TZ[MAX * MAX], tau[MAX], x[MAX], y[MAX], z[MAX];
      for (int j = 0; j < m; j++)
        for (int i = 0; i <= j && i < rank; i++) R[j * m + i] = rng_normal(&r);
      memcpy(TZ, R, sizeof TZ);
      sar_rz(rank, m, TZ, m, tau, &w);
      fill(&r, m, x);
      memcpy(z, x, sizeof z);
      sar_z_mul(m, rank, TZ, m, tau, z, &w);  // [T 0] Z x = R x
      for (int i = 0; i < rank; i++) {
        y[i] = 0;
        for (int j = i; j < rank; j++) y[i] += TZ[j * m + i] * z[j];
        EXPECT_NEAR(y[i], product(R, m, false, m, i, x), 1e-11);
      }
      sar_z_mul_t(m, rank, TZ, m, tau, z, &w);
      EXPECT_ARRAY_NEAR(z, x, m, 1e-12);
      sar_free(w.work), sar_free(w.iwork);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(multiply),
      cmocka_unit_test(solve_triangles),
      cmocka_unit_test(factor_definite_matrices),
      cmocka_unit_test(eliminate_with_complete_pivoting),
      cmocka_unit_test(triangularise_in_order),
      cmocka_unit_test(find_null_spaces),
      cmocka_unit_test(solve_indefinite_systems),
      cmocka_unit_test(triangularise_the_longest_first),
      cmocka_unit_test(annihilate_from_the_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
