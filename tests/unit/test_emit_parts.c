// Parts of generated code: angles that are computed together, lines in turn, matrices of blocks.
#include "support/test.h"

#include "codegen/angles.h"
#include "codegen/dependent.h"
#include "codegen/interleave.h"

// ---- angles -------------------------------------------------------------------------------------

static void angles_have_one_number_each(void** state) {
  (void)state;
  SarArena arena;
  SarAngles a = {0};
  sar_arena_init(&arena);
  assert_int_equal(sar_angles_find(&arena, &a, "s->q1"), 0);
  assert_int_equal(sar_angles_find(&arena, &a, "s->q2"), 1);
  assert_int_equal(sar_angles_find(&arena, &a, "s->q1"), 0);
  assert_int_equal(sar_angles_room(&a, 4), 4);
  assert_int_equal(sar_angles_room(&a, 1), 2);
  sar_arena_free(&arena);
}

static void rows_of_angles_stand_side_by_side(void** state) {
  (void)state;
  const char* const legs[] = {"a", "b", "c", "d"};
  const char* const crossed[] = {"b", "a"};
  const char* const half_new[] = {"d", "e"};
  const char* const twice[] = {"f", "f"};
  SarArena arena;
  SarAngles a = {0};
  sar_arena_init(&arena);
  sar_angles_find(&arena, &a, "t");
  assert_int_equal(sar_angles_row(&arena, &a, 4, legs), 1);
  assert_int_equal(sar_angles_row(&arena, &a, 4, legs), 1);
  assert_int_equal(sar_angles_row(&arena, &a, 2, legs + 2), 3);
  // those that have numbers otherwise keep them, and nothing is added for the others
  assert_int_equal(sar_angles_row(&arena, &a, 2, crossed), -1);
  assert_int_equal(sar_angles_row(&arena, &a, 2, half_new), -1);
  assert_int_equal(sar_angles_row(&arena, &a, 2, twice), -1);
  assert_int_equal(a.text.count, 5);
  sar_arena_free(&arena);
}

// ---- lines --------------------------------------------------------------------------------------

static void lines_come_in_turn_and_in_order(void** state) {
  (void)state;
  SarArena arena;
  sar_arena_init(&arena);
  SarWriter text[2] = {{.arena = &arena}, {.arena = &arena}}, out = {.arena = &arena};
  sar_write(&text[0], "a0\na1\na2\na3\n");
  sar_write(&text[1], "b0\nb1\n");
  sar_interleave(&out, 2, text);
  sar_write(&out, "%c", '\0');
  assert_string_equal(out.text.items, "a0\nb0\na1\na2\nb1\na3\n");
  sar_arena_free(&arena);
}

// ---- blocks -------------------------------------------------------------------------------------

enum { MOST = 7 };

static double number_of(SarGraph* g, SarNode n) {
  double x = 0;
  assert_true(sar_node_is_number(g, n, &x));
  return x;
}

// A x = b, or A'x = b: of numbers everything is folded.
static void expect_solved(SarGraph* g, const SymBlock* B, const double* A, Rng* r,
                          bool transposed) {
  SarNode x[MOST];
  double b[MOST];
  const int n = B->n;
  for (int i = 0; i < n; i++) x[i] = sar_sym_number(g, b[i] = rng_uniform(r, -1, 1));
  if (transposed)
    sar_block_solve_transposed(g, B, x);
  else
    sar_block_solve(g, B, x);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += A[transposed ? k * n + i : i * n + k] * number_of(g, x[k]);
    EXPECT_NEAR(sum, b[i], 1e-12);
  }
}

static void blocks_are_solved_by_any_form(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  for (int trial = 0; trial < 50; trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    SarGraph* g = sar_graph_new(&arena);
    const int n = 1 + trial % MOST;
    double A[MOST * MOST];
    SarNode node[MOST * MOST];
    SymBlock B;
    for (int i = 0; i < n * n; i++) {
      A[i] = rng_uniform(&r, -1, 1) + (i % (n + 1) == 0 ? 3 : 0);
      node[i] = sar_sym_number(g, A[i]);
    }
    assert_true(sar_block_factor(&arena, g, n, node, A, NULL, &B));
    EXPECT_NEAR(number_of(g, B.flat), 1, 1e-12);
    for (int few = 0; few < 2; few++) {
      B.few = few;
      expect_solved(g, &B, A, &r, false);
      expect_solved(g, &B, A, &r, true);
    }
    sar_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_have_one_number_each),
      cmocka_unit_test(rows_of_angles_stand_side_by_side),
      cmocka_unit_test(lines_come_in_turn_and_in_order),
      cmocka_unit_test(blocks_are_solved_by_any_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
