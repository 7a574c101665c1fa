// Rates of tapes (forward mode) against the symbolic derivative, operation by operation.
#include "support/test.h"
#include "symbolic/symbolic.h"

#include <math.h>

enum { SLOTS = 2 };

typedef struct World {
  SarArena arena;
  SarGraph* g;
  SarNode x, y;
  SarRates* rates;
} World;

static void world_begin(World* w) {
  sar_arena_init(&w->arena);
  w->g = sar_graph_new(&w->arena);
  w->rates = sar_rates_new();
  assert_true(w->g && w->rates);
  w->x = sar_sym_symbol(w->g, "x"), w->y = sar_sym_symbol(w->g, "y");
}

static void world_end(World* w) {
  sar_rates_free(w->rates);
  sar_arena_free(&w->arena);
}

static int slot_of(void* context, const char* name) {
  (void)context;
  return strcmp(name, "x") == 0 ? 0 : strcmp(name, "y") == 0 ? 1 : -1;
}

static double value_of(World* w, SarNode node, const double* slots) {
  SarProgram p;
  SarInstr* instr;
  double r[256];
  assert_true(sar_program_build(&w->arena, w->g, node, slot_of, NULL, &p, &instr));
  assert_true(p.registers <= 256);
  return sar_program_eval(&p, instr, slots, r);
}

// Along (dx, dy) the rate is f_x dx + f_y dy.
static void check(World* w, const char* name, SarNode f, const double* at, const double* change) {
  SarProgram p;
  SarInstr* instr;
  double r[256], dr[256], value, expected = 0;
  const SarNode symbol[SLOTS] = {w->x, w->y};
  assert_true(sar_program_build(&w->arena, w->g, f, slot_of, NULL, &p, &instr));
  for (int i = 0; i < SLOTS; i++)
    if (change[i] != 0) expected += change[i] * value_of(w, sar_sym_diff(w->g, f, symbol[i]), at);
  const double rate = sar_program_rate(w->rates, &p, instr, at, change, r, dr, &value);
  const double plain = sar_program_eval(&p, instr, at, r);
  if (!(fabs(rate - expected) <= 1e-13 * (1 + fabs(expected))) || value != plain)
    fail_msg("%s at (%g, %g): rate %.17g, not %.17g", name, at[0], at[1], rate, expected);
}

static void check_all(World* w, const char* name, SarNode f, const double* at) {
  static const double ALONG[][SLOTS] = {{1, 0}, {0, 1}, {0.7, -1.3}};
  for (size_t i = 0; i < sizeof ALONG / sizeof *ALONG; i++) check(w, name, f, at, ALONG[i]);
}

static void every_function_has_its_rate(void** state) {
  (void)state;
  World w;
  world_begin(&w);
  int count = 0;
  for (int op = 0; op < SAR_OP_COUNT; op++) {
    const int arity = sar_op_arity((SarOp)op);
    if (arity == 0) continue;
    const double at[SLOTS] = {strcmp(sar_op_name((SarOp)op), "acosh") == 0 ? 1.9 : 0.6, 0.9};
    const SarNode product = sar_sym_mul(w.g, w.x, w.y), second = arity == 2 ? w.y : SAR_NONE;
    const SarNode plain = sar_sym_call(w.g, (SarOp)op, w.x, second);
    const SarNode inner = sar_sym_call(w.g, (SarOp)op, product, second);
    if (plain == SAR_NONE || inner == SAR_NONE) continue;  // forms of tapes with a constant
    check_all(&w, sar_op_name((SarOp)op), plain, at);
    check_all(&w, sar_op_name((SarOp)op), sar_sym_add(w.g, inner, w.x), at);
    count++;
  }
  assert_true(count > 30);
  world_end(&w);
}

static void constants_choices_tables_and_splines(void** state) {
  (void)state;
  static const double POINTS[] = {0, 1, 1, 3, 2, 2, 3, 0};
  World w;
  world_begin(&w);
  SarGraph* g = w.g;
  const double at[SLOTS] = {0.6, 0.9}, below[SLOTS] = {-0.6, -0.2};
  const SarNode two = sar_sym_number(g, 2), half = sar_sym_number(g, 2.5);
  check_all(&w, "x^2.5", sar_sym_pow(g, w.x, half), at);
  check_all(&w, "2^x / y", sar_sym_div(g, sar_sym_pow(g, two, w.x), w.y), at);
  check_all(&w, "2 / x - y 2", sar_sym_sub(g, sar_sym_div(g, two, w.x), sar_sym_mul(g, w.y, two)),
            at);
  // a negative base with a whole exponent has a derivative: no logarithm of it
  check_all(&w, "x^4 of x < 0", sar_sym_pow(g, w.x, sar_sym_number(g, 4)), below);
  const SarNode less = sar_sym_call(g, SAR_OP_LT, w.x, w.y);
  check_all(&w, "choice", sar_sym_select(g, less, sar_sym_mul(g, w.x, w.y), w.y), at);
  const SarOp tables[] = {SAR_OP_TABLE, SAR_OP_SPLINE, SAR_OP_SPLINE_SLOPE};
  for (int i = 0; i < 3; i++) {
    const SarNode f = sar_sym_table(g, tables[i], sar_sym_mul(g, w.x, two), 4, POINTS);
    check_all(&w, "table", sar_sym_mul(g, f, w.y), at);
  }
  world_end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_has_its_rate),
      cmocka_unit_test(constants_choices_tables_and_splines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
