// Reading of expressions: precedence, constants, units, and the place, text and hint of every
// message.
#include "support/expr_fixture.h"

#define PI 3.14159265358979323846

static void values(void** state) {
  Fixture* f = *state;
  const struct {
    const char* text;
    double value;
  } cases[] = {
      {"1 + 2*3", 7},
      {"2*3 + 1", 7},
      {"1 - 2 - 3", -4},
      {"8/4/2", 1},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"-3 + 5", 2},
      {"2*-3", -6},
      {"+4", 4},
      {"- - 4", 4},
      {"7 % 4", 3},
      {"-1 % 4", 3},
      {"1 % -4", -3},
      {"1 < 2", 1},
      {"2 <= 1", 0},
      {"1 + 1 == 2", 1},
      {"1 != 1", 0},
      {"1 < 2 and 3 > 2", 1},
      {"0 and 1 or 1", 1},
      {"1 or 1 and 0", 1},
      {"not 1 < 2", 0},
      {"not 0 and 1", 1},
      {"not not 5", 1},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 0 ? 4 : 5", 5},
      {"1 < 2 ? 10 : 20", 10},
      {"(1 + 2)*3", 9},
      {".5 + 1.", 1.5},
      {"1e3", 1000},
      {"1.5E-2", 0.015},
      {"2e+1", 20},
      {"pi", PI},
      {"cos(pi)", -1},
      {"e", 2.71828182845904523536},
      {"true + true + false", 2},
      {"90 deg", PI / 2},
      {"90deg", PI / 2},
      {"180*deg", PI},
      {"-90 deg", -PI / 2},
      {"2 rad", 2},
      {"30 rpm", PI},
      {"15 mm", 0.015},
      {"15 cm", 0.15},
      {"2 mm*3", 0.006},
      {"1\n+\n2", 3},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 2)", 3},
      {"if(0, 1, 2)", 2},
      {"piecewise(0, 1, 1, 2, 3)", 2},
      {"piecewise(0, 1, 0, 2, 3)", 3},
      {"table(0.5, 0, 0, 1, 10)", 5},
      {"table(-1, 0, 3, 1, 10)", 3},
      {"table(9, 0, 3, 1, 10)", 10},
      {"table(1, 0, 3, 1, 10, 2, 0)", 10},
      {"clamp(5, 0, 1)", 1},
      {"clamp(-5, 0, 1)", 0},
      {"step(0)", 1},
      {"step(-1e-300)", 0},
      {"smoothstep(0.5, 0, 2, 1, 4)", 3},
      {"smoothstep(0, 0, 0.1, 1, 0.7)", 0.1},
      {"smoothstep(1, 0, 0.1, 1, 0.7)", 0.7},
      {"smoothstep(0.25, 0, 0, 1, 1)", 0.15625},   // s^2 (3 - 2 s)
      {"quintic(0.25, 0, 0, 1, 1)", 0.103515625},  // s^3 (10 - 15 s + 6 s^2)
      {"quintic(2, 0, 0.1, 1, 0.7)", 0.7},
      {"pulse(1, 1, 2)", 1},
      {"pulse(2, 1, 2)", 0},
      {"deadzone(3, 1)", 2},
      {"deadzone(-3, 1)", -2},
      {"wrap(3*pi/2)", -PI / 2},
      {"mix(1, 3, 0.5)", 2},
      {"1/0", (double)INFINITY},
      {"-1/0", -(double)INFINITY},
      {"inf", (double)INFINITY},
      {"0/0", (double)NAN},
      {"sqrt(-1)", (double)NAN},
      {"log(0)", -(double)INFINITY},
      {"0*inf", (double)NAN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double v;
    assert_true(
        sar_expr_is_number(parse(f, cases[i].text), &v));  // the parser folds what has no names
    CHECK_VALUE(cases[i].text, v, cases[i].value, 4e-16 * fabs(cases[i].value));
  }
}

static void long_sums_are_flat(void** state) {
  Fixture* f = *state;
  static char text[4 * 10000 + 1];
  for (int i = 0; i < 10000; i++) memcpy(text + 4 * i, i ? "+ x " : "  x ", 4);
  f->slots[0] = 0.5;
  CHECK_VALUE("10000 terms", value_of(f, text), 5000, 0);
}

// the place of every name
typedef struct Seen {
  int count;
  SarLoc loc[8];
  char name[8][16];
} Seen;

static void see(void* context, const char* name, SarLoc loc) {
  Seen* s = context;
  s->loc[s->count] = loc;
  snprintf(s->name[s->count++], sizeof s->name[0], "%s", name);
}

static void names_have_places(void** state) {
  Fixture* f = *state;
  const char* text = "a + elbow.q*\n  sin(a) + _b2";
  SarExpr* e = sar_expr_parse(&f->arena, text, strlen(text), (SarLoc){"m.yaml", 7, 12}, &f->err);
  Seen s = {0};
  sar_expr_visit_names(e, see, &s);
  assert_int_equal(s.count, 4);
  const struct {
    const char* name;
    int line, column;
  } expected[] = {{"a", 7, 12}, {"elbow.q", 7, 16}, {"a", 8, 7}, {"_b2", 8, 12}};
  for (int i = 0; i < 4; i++) {
    assert_string_equal(s.name[i], expected[i].name);
    assert_int_equal(s.loc[i].line, expected[i].line);
    assert_int_equal(s.loc[i].column, expected[i].column);
  }
  assert_int_equal(sar_expr_loc(e).column, 12);
}

// Parts of names may be quoted; a quoted word is a name even where it means something without.
static void names_are_quoted(void** state) {
  Fixture* f = *state;
  const char* text = "'left-knee'.q + a.'b c'.x*'pi' - 'it''s' + 'sin'";
  SarExpr* e = sar_expr_parse(&f->arena, text, strlen(text), (SarLoc){"m.yaml", 1, 1}, &f->err);
  Seen s = {0};
  assert_non_null(e);
  sar_expr_visit_names(e, see, &s);
  static const struct {
    const char* name;
    int column;
  } expected[] = {{"left-knee.q", 1}, {"a.b c.x", 17}, {"pi", 27}, {"it's", 34}, {"sin", 44}};
  assert_int_equal(s.count, 5);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(s.name[i], expected[i].name);
    assert_int_equal(s.loc[i].column, expected[i].column);
  }
  static const char* const wrong[] = {"'a", "'a'b", "a'b'", "'a' 'b'", "''''", "a.'", "1 + '"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sar_error_init(&f->err);
    const bool good =
        sar_expr_parse(&f->arena, wrong[i], strlen(wrong[i]), (SarLoc){"m.yaml", 1, 1}, &f->err);
    if (good != (f->err.errors == 0)) fail_msg("%s", wrong[i]);
    if (good && strcmp(wrong[i], "''''") != 0) fail_msg("%s is taken", wrong[i]);
  }
  sar_error_init(&f->err);
}

static void messages(void** state) {
  Fixture* f = *state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"", "test:1:1: error: expected an expression, found the end"},
      {"1 +", "test:1:4: error: expected a number, a name or '(', found the end"},
      {"1 + * 2", "test:1:5: error: expected a number, a name or '(', found '*'"},
      {"(1 + 2",
       "test:1:7: error: expected an operator or ')', found the end (it closes the '(' at 1:1)"},
      {"1 + 2)", "test:1:6: error: expected an operator, found ')' (no '(' stands before it)"},
      {"2 x",
       "test:1:3: error: expected an operator or a unit after the number, found 'x' (numbers are "
       "in SI units; deg, rad, rpm, mm, cm may follow; a product is written with *)"},
      {"x y", "test:1:3: error: expected an operator, found 'y' (a product is written with *)"},
      {"x = 1", "test:1:3: error: expected an operator, found '=' (equality is written ==)"},
      {"x ** 2", "test:1:3: error: expected an operator, found '**' (a power is written x^y)"},
      {"x && y", "test:1:3: error: expected an operator, found '&&' (write 'and')"},
      {"x || y", "test:1:3: error: expected an operator, found '||' (write 'or')"},
      {"!x", "test:1:1: error: expected a number, a name or '(', found '!' (write 'not')"},
      {"1 < x < 2", "test:1:7: error: expected one comparison, found '<' (write a < b and b < c)"},
      {"1 + not x",
       "test:1:5: error: expected a value, found 'not' (put parentheses around (not ...))"},
      {"sin(x", "test:1:6: error: expected ',' or ')', found the end"},
      {"sin(x,)", "test:1:7: error: expected an argument after ',', found ')'"},
      {"x ? 1", "test:1:6: error: expected ':', found the end (a choice is written c ? a : b)"},
      {"x +\n  @", "test:2:3: error: expected a number, a name or '(', found '@'"},
      {"1 + é", "test:1:5: error: expected a number, a name or '(', found 'é'"},
      {"1e999",
       "test:1:1: error: expected a number, a name or '(', found '1e999' (the largest number is "
       "about 1.8e308; write inf for infinity)"},
      {"1 + cosh2(x)", "test:1:5: error: unknown function 'cosh2' (did you mean 'cosh'?)"},
      {"stiffness(x)",
       "test:1:1: error: unknown function 'stiffness' (a product is written stiffness*(...))"},
      {"atan2(x)", "test:1:1: error: atan2 does not take 1 argument (write atan2(y, x))"},
      {"sin()", "test:1:1: error: sin does not take 0 arguments (write sin(x))"},
      {"x + clamp(x, 1)",
       "test:1:5: error: clamp does not take 2 arguments (write clamp(x, lo, hi))"},
      {"piecewise(x, 1)",
       "test:1:1: error: piecewise does not take 2 arguments (write piecewise(c1, v1, c2, v2, ..., "
       "v))"},
      {"table(x, 0, 0, 0, 1)",
       "test:1:16: error: table: x of point 2 is 0 and does not rise (order the points by x: "
       "table(x, x1, y1, x2, y2, ...))"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char message[1024];
    sar_error_init(&f->err);
    assert_null(try_parse(f, cases[i].text));
    assert_int_equal(f->err.errors, 1);
    assert_string_equal(sar_error_format(&f->err, 0, message, sizeof message), cases[i].message);
  }
}

static void all_mistakes_at_once(void** state) {
  Fixture* f = *state;
  assert_null(try_parse(f, "sinn(x) + cos() + table(x, 1, 1, 0, 0) + foo(1)"));
  assert_int_equal(f->err.errors, 4);
  const int columns[] = {1, 11, 34, 42};
  for (int i = 0; i < 4; i++) assert_int_equal(f->err.items[i].column, columns[i]);
}

// n times `part`, then `end`: deep nesting of every recursive rule must end in a message, not in a
// full stack
static void depth_is_bounded(void** state) {
  Fixture* f = *state;
  const char* parts[] = {"(",    "-",   "sin(",   "x^",      "x?1:", "x?",
                         "not ", "x*(", "min(x,", "x and (", "[",    "x/"};
  static char text[SAR_EXPR_MAX_LENGTH + 1];
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    size_t n = strlen(parts[i]), used = 0;
    while (used + n < sizeof text - 1) {
      memcpy(text + used, parts[i], n);
      used += n;
    }
    sar_error_init(&f->err);
    assert_null(sar_expr_parse(&f->arena, text, used, (SarLoc){"test", 1, 1}, &f->err));
    assert_true(f->err.errors > 0);
  }
}

static void length_is_bounded(void** state) {
  Fixture* f = *state;
  static char text[SAR_EXPR_MAX_LENGTH + 1];
  memset(text, ' ', sizeof text);
  text[0] = '1';
  assert_non_null(sar_expr_parse(&f->arena, text, SAR_EXPR_MAX_LENGTH, (SarLoc){0}, &f->err));
  assert_null(sar_expr_parse(&f->arena, text, SAR_EXPR_MAX_LENGTH + 1, (SarLoc){0}, &f->err));
  assert_int_equal(f->err.errors, 1);
}

static void constants(void** state) {
  Fixture* f = *state;
  const char* known[] = {"length", "mass", "x", "y", "z", "t"};
  double v = 0;
  f->slots[0] = 2;
  f->slots[1] = 3;
  assert_true(
      sar_expr_constant(parse(f, "x^2 + clamp(y, 0, 1)"), find_value, f, known, 6, &v, &f->err));
  CHECK_VALUE("x^2 + clamp(y, 0, 1)", v, 5, 0);
  assert_true(
      sar_expr_constant(parse(f, "table(1, 0, 0, x, y)"), find_value, f, known, 6, &v, &f->err));
  CHECK_VALUE("table", v, 1.5, 1e-15);

  // every unknown name, each with its place and hint
  assert_false(
      sar_expr_constant(parse(f, "lenght*2 + sin + w"), find_value, f, known, 6, &v, &f->err));
  const char* expected[] = {
      "test:1:1: error: unknown name 'lenght' (did you mean 'length'?)",
      "test:1:12: error: unknown name 'sin' (it is a function: sin(x))",
      "test:1:18: error: unknown name 'w' (known here: length, mass, x, y, z, t)"};
  assert_int_equal(f->err.errors, 3);
  char message[1024];
  for (int i = 0; i < 3; i++)
    assert_string_equal(sar_error_format(&f->err, i, message, sizeof message), expected[i]);

  sar_error_init(&f->err);
  assert_false(
      sar_expr_constant(parse(f, "table(1, y, 0, x, 1)"), find_value, f, known, 6, &v, &f->err));
  assert_string_equal(
      sar_error_format(&f->err, 0, message, sizeof message),
      "test:1:16: error: table: x of point 2 is 2 and does not rise (order the points by x: "
      "table(x, x1, y1, x2, y2, ...))");
}

static bool only_y(void* context, const char* name, double* value) {
  (void)context;
  *value = 2;
  return strcmp(name, "y") == 0;
}

static void count_symbol(void* context, const char* name) {
  assert_string_equal(name, "x");
  ++*(int*)context;
}

static void binding(void** state) {
  Fixture* f = *state;
  f->slots[0] = 3;
  f->slots[1] = 2;  // as only_y says
  const char* text = "x*(y + 1) + if(y > 1, x, z) + (y^2)";
  SarExpr* bound = sar_expr_put_values(&f->arena, parse(f, text), only_y, NULL);
  Seen s = {0};
  sar_expr_visit_names(bound, see, &s);
  assert_int_equal(s.count, 2);  // x twice; y is a number and the branch with z is gone
  CHECK_VALUE(text, run(f, bound), 16, 0);
  const SarNode n = sar_expr_enter(f->graph, parse(f, text), only_y, NULL, &f->err);
  int symbols = 0;
  assert_true(sar_sym_visit(f->graph, n, count_symbol, &symbols));
  assert_int_equal(symbols, 1);  // x is one node
  assert_int_equal(n, enter(f, bound));
  CHECK_VALUE(text, run_node(f, n), 16, 0);
}

static const char* prefixed(void* context, const char* name) {
  return sar_arena_printf(context, "left_%s", name);
}

static void renaming(void** state) {
  Fixture* f = *state;
  SarExpr* e = parse(f, "2*a + sin(b.q)*table(a, 0, 0, k, 1)");
  SarExpr* renamed = sar_expr_rename(&f->arena, e, prefixed, &f->arena);
  Seen before = {0}, after = {0};
  sar_expr_visit_names(e, see, &before);
  sar_expr_visit_names(renamed, see, &after);
  assert_int_equal(after.count, 4);
  for (int i = 0; i < 4; i++) {
    assert_memory_equal(after.name[i], "left_", 5);
    assert_string_equal(after.name[i] + 5, before.name[i]);
    assert_int_equal(after.loc[i].column,
                     before.loc[i].column);  // messages point at the text as written
  }
}

static void reserved_names(void** state) {
  (void)state;
  const char* reserved[] = {"pi", "e", "deg", "inf", "true", "false", "and", "or", "not"};
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    assert_true(sar_expr_is_reserved(reserved[i]));
  assert_false(sar_expr_is_reserved("rpm"));
  assert_false(sar_expr_is_reserved("p"));
  assert_false(sar_expr_is_reserved(""));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(values),           TEST(long_sums_are_flat), TEST(names_have_places),
      TEST(names_are_quoted), TEST(messages),           TEST(all_mistakes_at_once),
      TEST(depth_is_bounded), TEST(length_is_bounded),  TEST(constants),
      TEST(binding),          TEST(renaming),           TEST(reserved_names),

  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
