// Printing: text is read back by the front end with the same bits; C and LaTeX of known
// expressions.
#include "expr/expr.h"

#include "support/symbolic_fixture.h"

static double by_front_end(const char* text, const double* slots) {
  SarArena a;
  SarError err;
  SarProgram program;
  SarInstr* instrs;
  char message[1024];
  sar_arena_init(&a);
  sar_error_init(&err);
  SarExpr* e = sar_expr_parse(&a, text, strlen(text), (SarLoc){"printed", 1, 1}, &err);
  if (!e || !sar_expr_compile(&a, e, slot_of_symbol, NULL, symbol_names, SYMBOLS, &program, &instrs,
                              &err))
    fail_msg("%s: %s", text, sar_error_format(&err, 0, message, sizeof message));
  double* scratch = SAR_ARENA_ARRAY(&a, double, program.registers + 1);
  const double value = sar_program_eval(&program, instrs, slots, scratch);
  sar_arena_free(&a);
  return value;
}

static void text_is_read_back(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(2000); trial++) {
    const uint64_t seed = test_seed(1) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    SarArena a;
    sar_arena_init(&a);
    SarGraph* g = sar_graph_new(&a);
    sar_graph_rules(g, trial % 2 ? SAR_ALGEBRA : SAR_EXACT);
    const Draft d = draw(&r, 1 + rng_int(&r, 14), trial % 3 == 0);
    const SarNode y = build(g, &d);
    const char* text = sar_sym_print(&a, g, y, &(SarPrinter){.style = SAR_PRINT_TEXT});
    assert_non_null(text);
    double slots[SYMBOLS];
    for (int k = 0; k < SYMBOLS; k++) slots[k] = rng_uniform(&r, -2, 2);
    const double value = value_at(g, y, slots), read = by_front_end(text, slots);
    if (!equal_bits(value, read))
      fail_msg("seed %llu: %s: %a is not %a", (unsigned long long)seed, text, read, value);
    sar_arena_free(&a);
  }
}

static const char* part_name(void* context, SarNode n) {
  return n == *(const SarNode*)context ? "t1" : NULL;
}

static void known_forms(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  const SarNode x = sar_sym_symbol(g, "x"), l = sar_sym_symbol(g, "arm.l"), s = sar_sym_sin(g, x),
                square = sar_sym_square(g, l);
  SarNode named = s;
  const struct {
    SarNode node;
    const char *text, *c, *latex;
  } cases[] = {
      {sar_sym_mul(g, s, sar_sym_number(g, 2)), "2*sin(x)", "2.0 * sin(x)", "2 \\sin x"},
      {square, "arm.l^2", "arm_l * arm_l", "\\mathrm{arm.l}^{2}"},
      {sar_sym_square(g, s), "sin(x)^2", "sin(x) * sin(x)", "\\sin^{2} x"},
      {sar_sym_sub(g, x, sar_sym_mul(g, s, sar_sym_number(g, 2))), "x - 2*sin(x)",
       "x - 2.0 * sin(x)", "x - 2 \\sin x"},
      {sar_sym_div(g, x, sar_sym_add(g, x, sar_sym_number(g, 1))), "x/(x + 1)", "x / (x + 1.0)",
       "\\frac{x}{x + 1}"},
      {sar_sym_neg(g, sar_sym_mul(g, x, s)), "-x*sin(x)", "-(x * sin(x))", "-x \\sin x"},
      {sar_sym_sqrt(g, sar_sym_add(g, square, x)), "sqrt(x + arm.l^2)", "sqrt(x + arm_l * arm_l)",
       "\\sqrt{x + \\mathrm{arm.l}^{2}}"},
      {sar_sym_call(g, SAR_OP_ATAN2, x, l), "atan2(x, arm.l)", "atan2(x, arm_l)",
       "\\operatorname{atan2}\\left(x, \\mathrm{arm.l}\\right)"},
      {sar_sym_mul(g, x, sar_sym_rational(g, 1, 3)), "(1/3)*x", "(1.0 / 3.0) * x",
       "\\tfrac{1}{3} x"},
      {sar_sym_sin(g, sar_sym_add(g, x, l)), "sin(x + arm.l)", "sin(x + arm_l)",
       "\\sin \\left(x + \\mathrm{arm.l}\\right)"},
      {sar_sym_call(g, SAR_OP_POW, x, sar_sym_number(g, -2)), "x^(-2)", "power(x, -2.0)", "x^{-2}"},
      {sar_sym_number(g, 1.5e-7), "1.5e-07", "1.5e-07", "1.5 \\cdot 10^{-7}"},
      {sar_sym_select(g, sar_sym_call(g, SAR_OP_LT, x, l), x, l), "x < arm.l ? x : arm.l",
       "(x < arm_l) != 0.0 ? x : arm_l",
       "\\begin{cases}x & x < \\mathrm{arm.l} \\\\ \\mathrm{arm.l} & \\text{else}\\end{cases}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const SarPrintStyle styles[] = {SAR_PRINT_TEXT, SAR_PRINT_C, SAR_PRINT_LATEX};
    const char* expected[] = {cases[i].text, cases[i].c, cases[i].latex};
    for (int k = 0; k < 3; k++)
      assert_string_equal(sar_sym_print(&a, g, cases[i].node, &(SarPrinter){.style = styles[k]}),
                          expected[k]);
  }
  assert_string_equal(
      sar_sym_print(&a, g, cases[0].node, &(SarPrinter){SAR_PRINT_C, part_name, &named, false}),
      "2.0 * t1");
  sar_arena_free(&a);
}

static void parts_bound_the_text(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  SarNode y = sar_sym_symbol(g, "x");
  for (int i = 0; i < 100; i++) y = sar_sym_mul(g, sar_sym_sin(g, y), sar_sym_cos(g, y));
  SarParts parts;
  assert_null(sar_sym_print(&a, g, y, &(SarPrinter){.style = SAR_PRINT_C}));
  assert_true(sar_sym_parts(&a, g, 1, &y, 1, 20, &parts));
  assert_true(parts.count == 99);
  assert_true(sar_sym_parts(&a, g, 1, &y, 1, 1, &parts));
  assert_true(parts.count == 300);
  sar_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_read_back),
      cmocka_unit_test(known_forms),
      cmocka_unit_test(parts_bound_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
