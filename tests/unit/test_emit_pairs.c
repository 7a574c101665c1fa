// Eliminations of generated code, over symbols: random matrices, whose entries move away from those
// that the order of elimination was chosen from.
#include "support/test.h"

#include "codegen/dependent.h"
#include "codegen/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9, ROOM = 4000 };

// Symbols "A3" are slots 3, "b3" those after the matrix.
static int slot_of(void* context, const char* name) {
  const int n = *(const int*)context, i = atoi(name + 1);
  return name[0] == 'A' ? i : n * n + i;
}

static SarNode symbol(SarGraph* g, char letter, int i) {
  char name[16];
  snprintf(name, sizeof name, "%c%d", letter, i);
  return sar_sym_symbol(g, name);
}

// What the nodes x are where the entries have the values A and b.
static void evaluate(SarArena* arena, SarGraph* g, int n, int outputs, const SarNode* x,
                     const double* A, const double* b, double* out) {
  SarTape tape;
  static double scratch[ROOM];
  double slots[MOST * MOST + MOST];
  memcpy(slots, A, (size_t)(n * n) * sizeof *A);
  memcpy(slots + n * n, b, (size_t)n * sizeof *b);
  assert_true(sar_tape_build(arena, g, outputs, x, slot_of, &n, &tape));
  assert_true(tape.registers <= ROOM);
  sar_tape_eval(&tape, slots, scratch, out);
}

static void expect_solution(int n, const double* A, const double* x, const double* b,
                            bool transposed) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += A[transposed ? k * n + i : i * n + k] * x[k];
    EXPECT_NEAR(sum, b[i], 1e-11);
  }
}

static double determinant(int n, const double* from) {
  double A[MOST * MOST], det = 1;
  memcpy(A, from, (size_t)(n * n) * sizeof *A);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (int j = 0; best != k && j < n; j++) {
      const double x = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = x;
    }
    det *= (best == k ? 1 : -1) * A[k * n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = n - 1; j >= k; j--) A[i * n + j] -= A[i * n + k] / A[k * n + k] * A[k * n + j];
  }
  return det;
}

typedef struct Case {
  SarArena arena;
  SarGraph* g;
  int n;
  double A[MOST * MOST], moved[MOST * MOST], b[MOST];
  SarNode node[MOST * MOST], x[MOST];
} Case;

// Diagonally heavy in a random order of the rows; some entries are none, some of the others are
// numbers.
static void draw(Case* c, Rng* r, int n, double density) {
  int order[MOST];
  sar_arena_init(&c->arena);
  c->g = sar_graph_new(&c->arena);
  c->n = n;
  for (int i = 0; i < n; i++) {
    const int k = rng_int(r, i + 1);
    order[i] = order[k], order[k] = i;
    c->b[i] = rng_uniform(r, -1, 1);
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const int e = i * n + k;
      const bool heavy = order[i] == k, none = !heavy && rng_uniform(r, 0, 1) > density;
      c->A[e] = none ? 0 : rng_uniform(r, -1, 1) + (heavy ? 4 : 0);
      c->moved[e] = c->A[e] + (none ? 0 : rng_uniform(r, -0.3, 0.3));
      c->node[e] = none ? sar_sym_number(c->g, 0) : symbol(c->g, 'A', e);
      if (none || rng_int(r, 12) > 0) continue;
      c->node[e] = sar_sym_number(c->g, c->A[e]);
      c->moved[e] = c->A[e];
    }
}

static void load(Case* c) {
  for (int i = 0; i < c->n; i++) c->x[i] = symbol(c->g, 'b', i);
}

static int solve_both(Case* c, const SymBlock* B) {
  double x[MOST];
  int paired = 0;
  for (int transposed = 0; transposed < 2; transposed++) {
    load(c);
    if (transposed)
      sar_block_solve_transposed(c->g, B, c->x);
    else
      sar_block_solve(c->g, B, c->x);
    evaluate(&c->arena, c->g, c->n, c->n, c->x, c->A, c->b, x);
    expect_solution(c->n, c->A, x, c->b, transposed);
    evaluate(&c->arena, c->g, c->n, c->n, c->x, c->moved, c->b, x);
    expect_solution(c->n, c->moved, x, c->b, transposed);
  }
  for (int k = 0; B->paired && k < c->n; k++) paired += B->paired[k];
  return paired;
}

static void blocks_are_solved_away_from_the_start(void** state) {
  (void)state;
  Rng r = rng_seed(34);
  int paired = 0, single = 0;
  for (int trial = 0; trial < 120; trial++) {
    Case c;
    SymBlock B;
    double flat;
    draw(&c, &r, 1 + trial % MOST, trial % 4 == 0 ? 1 : rng_uniform(&r, 0.1, 0.9));
    assert_true(sar_block_factor(&c.arena, c.g, c.n, c.node, c.A, NULL, &B));
    const int pairs = solve_both(&c, &B);
    paired += pairs, single += c.n > 3 && 2 * pairs < c.n;
    evaluate(&c.arena, c.g, c.n, 1, &B.flat, c.A, c.b, &flat);
    EXPECT_NEAR(flat, 1, 1e-11);
    sar_arena_free(&c.arena);
  }
  assert_true(paired > 50 && single > 20);  // both ways are tried
}

// Two rows become one: `flat` vanishes with the determinant.
static void a_singular_block_is_flat(void** state) {
  (void)state;
  Rng r = rng_seed(35);
  for (int trial = 0; trial < 30; trial++) {
    Case c;
    SymBlock B;
    double flat, near[MOST * MOST];
    draw(&c, &r, 4 + trial % (MOST - 3), 1);
    const int n = c.n;
    for (int i = 0; i < n * n; i++) c.node[i] = symbol(c.g, 'A', i);
    assert_true(sar_block_factor(&c.arena, c.g, n, c.node, c.A, NULL, &B));
    // on the way from A to a matrix with two equal rows one of the shares falls below the bound
    memcpy(near, c.A, sizeof near);
    for (int k = 0; k < n; k++) near[k] = near[n + k] + 1e-9 * (c.A[k] - near[n + k]);
    assert_true(fabs(determinant(n, near) / determinant(n, c.A)) < 1e-6);
    evaluate(&c.arena, c.g, n, 1, &B.flat, near, c.b, &flat);
    assert_true(!(flat > SYM_BLOCK_FLAT));
    sar_arena_free(&c.arena);
  }
}

static void pairs_solve_positive_definite_systems(void** state) {
  (void)state;
  Rng r = rng_seed(36);
  for (int trial = 0; trial < 60; trial++) {
    Case c;
    double x[MOST], S[MOST * MOST] = {0};
    draw(&c, &r, 2 + trial % (MOST - 1), 1);
    const int n = c.n;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) S[i * n + k] += c.A[l * n + i] * c.A[l * n + k];
        c.node[i * n + k] = symbol(c.g, 'A', i < k ? i * n + k : k * n + i);
      }
    load(&c);
    assert_true(sar_pairs_fit(c.g, n, c.node));
    sar_pairs_solve(c.g, n, c.node, c.x);
    evaluate(&c.arena, c.g, n, n, c.x, S, c.b, x);
    expect_solution(n, S, x, c.b, false);
    sar_arena_free(&c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_solved_away_from_the_start),
      cmocka_unit_test(a_singular_block_is_flat),
      cmocka_unit_test(pairs_solve_positive_definite_systems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
