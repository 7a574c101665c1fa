// Small sparse LU (linalg/static_lu.h): against dense LU on random matrices, where a pivot dies,
// singular matrices.
#include "support/test.h"

#include "linalg/lu.h"
#include "linalg/static_lu.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 96 };

typedef struct Problem {
  int n, entries, row[MOST * MOST], col[MOST * MOST];
  double a[MOST * MOST], full[MOST * MOST];
  SarArena arena;
  SarStaticLu sparse;
} Problem;

static void add(Problem* p, int row, int col, double value) {
  p->row[p->entries] = row, p->col[p->entries] = col;
  p->a[p->entries++] = value;
}

static void fill(Problem* p) {
  memset(p->full, 0, sizeof p->full);
  for (int e = 0; e < p->entries; e++) p->full[p->row[e] * p->n + p->col[e]] += p->a[e];
  memcpy(p->sparse.a, p->a, (size_t)p->entries * sizeof *p->a);
}

// A few entries a row, some of them twice; diagonal: with a diagonal that outweighs them.
static void make(Problem* p, Rng* r, int n, bool diagonal) {
  p->n = n;
  p->entries = 0;
  const int more = 1 + rng_int(r, 4);
  for (int i = 0; i < n; i++) {
    if (diagonal) add(p, i, i, 12 + rng_uniform(r, 0, 4));
    for (int k = 0; k < more; k++) add(p, i, rng_int(r, n), rng_uniform(r, -1, 1));
  }
  if (!diagonal)  // a permutation, so that there are pivots somewhere
    for (int i = 0; i < n; i++) add(p, (i + n / 2) % n, (7 * i + 3) % n, rng_uniform(r, 1, 2));
  sar_arena_init(&p->arena);
  assert_true(sar_static_lu_new(&p->sparse, &p->arena, n, p->entries, p->row, p->col));
  fill(p);
}

// What dense LU with partial pivoting says; false: singular.
static bool solve_dense(const Problem* p, const double* b, double* x) {
  static double LU[MOST * MOST];
  int pivot[MOST];
  memcpy(LU, p->full, sizeof LU);
  if (!sar_lu_factor(p->n, LU, pivot)) return false;
  memcpy(x, b, (size_t)p->n * sizeof *x);
  sar_lu_solve(p->n, LU, pivot, x);
  return true;
}

static void check_solution(Problem* p, Rng* r, double bound) {
  double b[MOST], x[MOST], expected[MOST], size = 0;
  for (int i = 0; i < p->n; i++) b[i] = rng_uniform(r, -1, 1);
  memcpy(x, b, sizeof b);
  assert_true(solve_dense(p, b, expected));
  sar_static_lu_solve(&p->sparse, x);
  for (int i = 0; i < p->n; i++) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < p->n; i++) EXPECT_NEAR(x[i], expected[i], bound * size);
}

static void random_order(Rng* r, int n, int* at) {
  for (int i = 0; i < n; i++) at[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int k = rng_int(r, i + 1), x = at[i];
    at[i] = at[k], at[k] = x;
  }
}

// Diagonals that outweigh their rows: any order on them will do.
static void agrees_with_dense_in_any_order(void** state) {
  (void)state;
  static Problem p;
  for (int trial = 0; trial < test_effort(200); trial++) {
    Rng r = rng_seed(test_seed((uint64_t)trial));
    int at[MOST];
    make(&p, &r, 1 + rng_int(&r, MOST), true);
    random_order(&r, p.n, at);
    assert_true(sar_static_lu_order(&p.sparse, at, NULL));
    for (int again = 0; again < 2; again++) {
      assert_true(sar_static_lu_factor(&p.sparse));
      assert_false(p.sparse.strayed);
      check_solution(&p, &r, 1e-12);
      for (int e = 0; e < p.entries; e++) p.a[e] *= rng_uniform(&r, 0.8, 1.2);
      fill(&p);
    }
    sar_arena_free(&p.arena);
  }
}

// Chains of dense blocks of 4 to 6 as bodies and joints have them, and rows at the end that tie the
// tips of chains together.
static void make_chains(Problem* p, Rng* r) {
  int first = 0, size[2], rods = 1 + rng_int(r, 3), tip[3] = {0};
  p->entries = 0;
  for (int chain = 0; chain < rods; chain++) {
    tip[chain] = first;
    for (int block = 0, blocks = 2 + rng_int(r, 3); block < blocks; block++) {
      size[0] = 4 + rng_int(r, 3);
      for (int i = 0; i < size[0]; i++)
        for (int k = 0; k < size[0]; k++)
          add(p, first + i, first + k, (i == k ? 30 : 0) + rng_uniform(r, -1, 1));
      for (int i = 0; block > 0 && i < size[0]; i++)
        for (int k = 1; k <= size[1]; k++) {
          add(p, first + i, first - k, rng_uniform(r, -1, 1));
          add(p, first - k, first + i, rng_uniform(r, -1, 1));
        }
      first += size[0];
      size[1] = size[0];
    }
  }
  p->n = first + rods;
  for (int i = 0; i < rods; i++)
    for (int k = 0; k < rods; k++)
      add(p, first + i, first + k, i == k ? 20 : rng_uniform(r, -1, 1));
  for (int i = 0; i < rods; i++)
    for (int k = 0; k < 4; k++) {
      add(p, first + i, tip[i] + k, rng_uniform(r, -1, 1));
      add(p, tip[i] + k, first + i, rng_uniform(r, -1, 1));
    }
  sar_arena_init(&p->arena);
  assert_true(sar_static_lu_new(&p->sparse, &p->arena, p->n, p->entries, p->row, p->col));
  fill(p);
}

// With and without the wider processor's code: the same bits.
static void check_plain(Problem* p, Rng* r) {
  double wide[MOST], plain[MOST];
  for (int i = 0; i < p->n; i++) wide[i] = plain[i] = rng_uniform(r, -1, 1);
  sar_static_lu_solve(&p->sparse, wide);
  const bool has = p->sparse.blocks->wide;
  p->sparse.blocks->wide = false;
  assert_true(sar_static_lu_factor(&p->sparse) && p->sparse.by_blocks);
  sar_static_lu_solve(&p->sparse, plain);
  p->sparse.blocks->wide = has;
  assert_memory_equal(wide, plain, (size_t)p->n * sizeof *wide);
}

static void blocks_agree_with_dense(void** state) {
  (void)state;
  static Problem p;
  int by_blocks = 0, trials = test_effort(100);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(7000 + (uint64_t)trial));
    int at[MOST];
    make_chains(&p, &r);
    for (int i = 0; i < p.n; i++) at[i] = i;
    assert_true(sar_static_lu_order(&p.sparse, at, NULL));
    assert_true(sar_static_lu_factor(&p.sparse));
    check_solution(&p, &r, 1e-12);
    if (p.sparse.by_blocks) {
      by_blocks++;
      check_plain(&p, &r);
      // a pivot dies: others are found, and given up where it is back
      const double was = p.a[0];
      p.a[0] = 0;
      fill(&p);
      assert_true(sar_static_lu_factor(&p.sparse));
      assert_false(p.sparse.by_blocks);
      check_solution(&p, &r, 1e-9);
      p.a[0] = was;
      fill(&p);
      assert_true(sar_static_lu_factor(&p.sparse) && p.sparse.by_blocks);
      check_solution(&p, &r, 1e-12);
    }
    sar_arena_free(&p.arena);
  }
  assert_true(2 * by_blocks > trials);
}

// Zeros on the diagonal: pivots come from the values, once, and serve other values too.
static void finds_pivots_and_uses_them_again(void** state) {
  (void)state;
  static Problem p;
  int stayed = 0, all = 0;
  for (int trial = 0; trial < test_effort(200); trial++) {
    Rng r = rng_seed(test_seed((uint64_t)(1000 + trial)));
    double unused[MOST];
    make(&p, &r, 2 + rng_int(&r, MOST - 2), false);
    memset(unused, 0, sizeof unused);
    if (sar_static_lu_settle(&p.sparse)) {
      for (int again = 0; again < 3; again++, all++) {
        assert_true(sar_static_lu_factor(&p.sparse));
        stayed += !p.sparse.strayed;
        check_solution(&p, &r, 1e-8);
        for (int e = 0; e < p.entries; e++) p.a[e] *= rng_uniform(&r, 0.9, 1.1);
        fill(&p);
      }
    } else {
      assert_false(solve_dense(&p, unused, unused));
    }
    sar_arena_free(&p.arena);
  }
  assert_true(stayed > all * 9 / 10);
}

// [0 1; 1 0] on its diagonal: the pivot dies, the order comes from the values; after that it goes
// home again.
static void a_dead_pivot_is_found_and_mended(void** state) {
  (void)state;
  static Problem p;
  Rng r = rng_seed(3);
  p.n = 3, p.entries = 0;
  add(&p, 0, 0, 0), add(&p, 0, 1, 1), add(&p, 1, 0, 1), add(&p, 1, 1, 0), add(&p, 2, 2, 1);
  sar_arena_init(&p.arena);
  assert_true(sar_static_lu_new(&p.sparse, &p.arena, 3, p.entries, p.row, p.col));
  const int at[] = {0, 1, 2};
  assert_true(sar_static_lu_order(&p.sparse, at, NULL));
  fill(&p);
  assert_true(sar_static_lu_factor(&p.sparse));
  assert_true(p.sparse.strayed);
  check_solution(&p, &r, 1e-14);
  p.a[0] = p.a[3] = 3;
  fill(&p);
  assert_true(sar_static_lu_factor(&p.sparse));
  assert_false(p.sparse.strayed);
  check_solution(&p, &r, 1e-14);
  p.a[0] = p.a[3] = 1;  // [1 1; 1 1]
  fill(&p);
  assert_false(sar_static_lu_factor(&p.sparse));
  p.a[0] = (double)NAN;
  fill(&p);
  assert_false(sar_static_lu_factor(&p.sparse));
  sar_arena_free(&p.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_dense_in_any_order),
      cmocka_unit_test(blocks_agree_with_dense),
      cmocka_unit_test(finds_pivots_and_uses_them_again),
      cmocka_unit_test(a_dead_pivot_is_found_and_mended),
  };
  return cmocka_run_group_tests_name("static_lu", tests, NULL, NULL);
}
