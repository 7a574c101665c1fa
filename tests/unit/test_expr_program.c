// Programs: the same bits as folding, sharing of common parts, few registers, messages, and a full
// heap at any moment.
#include "support/expr_fixture.h"

#include "support/alloc_count.h"

static void compile(Fixture* f, const char* text, SarProgram* p, SarInstr** instrs) {
  assert_true(sar_expr_compile(&f->arena, parse(f, text), find_slot, NULL, slot_names, SLOTS, p,
                               instrs, &f->err));
}

static int count_instrs(Fixture* f, const char* text) {
  SarProgram p;
  SarInstr* instrs;
  compile(f, text, &p, &instrs);
  return p.count;
}

static void common_parts_are_computed_once(void** state) {
  Fixture* f = *state;
  assert_int_equal(count_instrs(f, "sin(x)"), 2);           // load, sin
  assert_int_equal(count_instrs(f, "sin(x) + sin(x)"), 3);  // load, sin, add
  assert_int_equal(count_instrs(f, "(x + y)*(y + x)"), 4);  // 2 loads, add, mul
  assert_int_equal(count_instrs(f, "2*x + 1"), 3);          // load, mul and add with constants
  assert_int_equal(count_instrs(f, "x^2"), 2);              // load, mul
  assert_int_equal(count_instrs(f, "x - y"), 3);            // 2 loads, sub
  assert_int_equal(count_instrs(f, "ramp(x, 0, 1)"), 3);    // load, max, min
  assert_int_equal(count_instrs(f, "table(x, 0, 0, 1, 1)"), 2 + 4);  // load, table, 4 numbers
  assert_int_equal(count_instrs(f, "table(x,0,0,1,1) + table(x,0,0,1,1)"), 3 + 4);
  assert_int_equal(count_instrs(f, "table(x,0,0,1,1) + table(x,0,0,1,2)"), 4 + 8);
}

static void registers_are_reused(void** state) {
  Fixture* f = *state;
  SarProgram p;
  SarInstr* instrs;
  char text[2048] = "x";
  for (int i = 0; i < 150; i++) strcat(text, i % 2 ? "+y*x" : "-sin(y)");
  compile(f, text, &p, &instrs);
  assert_true(p.registers <= 5);
}

static void constants_need_no_work(void** state) {
  Fixture* f = *state;
  SarProgram p = {0};
  assert_true(sar_program_eval(&p, NULL, NULL, NULL) == 0);  // an empty program is 0
  assert_int_equal(count_instrs(f, "0"), 0);
  assert_int_equal(count_instrs(f, "2*3"), 1);
  CHECK_VALUE("-0.0", value_of(f, "-0"), -0.0, 0);
  CHECK_VALUE("2*3", value_of(f, "2*3"), 6, 0);
}

// ---- random expressions: program = folding, bit for bit -----------------------------------------

typedef struct Text {
  char s[4096];
  size_t used;
  Rng rng;
} Text;

static void put(Text* t, const char* s) {
  t->used += (size_t)snprintf(t->s + t->used, sizeof t->s - t->used, "%s", s);
}

static void put_random(Text* t, int depth) {
  static const char* const leaves[] = {"x", "y",   "z",    "t",  "0",    "1",
                                       "2", "0.3", "-1.7", "pi", "(1/0)"};
  static const char* const operators[] = {"+",  "-", "*",  "/",  "%",  "^",     "<",
                                          "<=", ">", ">=", "==", "!=", " and ", " or "};
  if (depth == 0 || t->used > sizeof t->s / 2) {
    put(t, leaves[rng_int(&t->rng, (int)(sizeof leaves / sizeof leaves[0]))]);
    return;
  }
  int kind = rng_int(&t->rng, 10);
  if (kind < 4) {
    put(t, "(");
    put_random(t, depth - 1);
    put(t, operators[rng_int(&t->rng, (int)(sizeof operators / sizeof operators[0]))]);
    put_random(t, depth - 1);
    put(t, ")");
  } else if (kind == 4) {
    put(t, rng_int(&t->rng, 2) ? "(-" : "(not ");
    put_random(t, depth - 1);
    put(t, ")");
  } else {
    SarFunctionDoc d;
    int count = 0;
    while (sar_expr_function(count, &d) && !d.keeps_state) count++;  // those come last
    sar_expr_function(rng_int(&t->rng, count), &d);
    if (strcmp(d.name, "table") == 0 || strcmp(d.name, "spline") == 0) {
      put(t, d.name);
      put(t, "(");
      put_random(t, depth - 1);
      put(t, ", -1, 2, 0, 0.1, 0.5, 7, 3, 1)");
      return;
    }
    int n = strcmp(d.name, "piecewise") == 0 ? 5 : 1;
    for (const char* c = d.parameters; *c && n != 5; c++) n += *c == ',';
    put(t, d.name);
    for (int i = 0; i < n; i++) {
      put(t, i ? ", " : "(");
      put_random(t, depth - 1);
    }
    put(t, ")");
  }
}

static void programs_fold_to_the_same_bits(void** state) {
  Fixture* f = *state;
  static Text t;
  t.rng = rng_seed(2);
  for (int trial = 0; trial < test_effort(20000); trial++) {
    t.used = 0;
    put_random(&t, 1 + trial % 4);
    for (int i = 0; i < SLOTS; i++)
      f->slots[i] = rng_int(&t.rng, 4) ? rng_uniform(&t.rng, -3, 3) : rng_int(&t.rng, 5) - 2;
    SarExpr* e = parse(f, t.s);
    double folded;
    assert_true(sar_expr_constant(e, find_value, f, NULL, 0, &folded, &f->err));
    if (!same_bits(run(f, e), folded))
      fail_msg("%s at x %.17g y %.17g z %.17g t %.17g: %.17g, folded %.17g", t.s, f->slots[0],
               f->slots[1], f->slots[2], f->slots[3], run(f, e), folded);
    sar_arena_free(&f->arena);
  }
}

static void tables(void** state) {
  Fixture* f = *state;
  char text[4096] = "table(x";
  for (int i = 0; i < 100; i++) snprintf(text + strlen(text), 32, ", %d, %d", i, i * i % 17);
  strcat(text, ")");
  SarExpr* e = parse(f, text);
  SarNode d = derivative(f, enter(f, e), "x");
  for (int i = 0; i < 99; i++) {
    double y0 = i * i % 17, y1 = (i + 1) * (i + 1) % 17;
    f->slots[0] = i;
    CHECK_VALUE("at a point", run(f, e), y0, 0);
    CHECK_VALUE("slope to the right of it", run_node(f, d), y1 - y0, 0);
    f->slots[0] = i + 0.25;
    CHECK_VALUE("between", run(f, e), 0.75 * y0 + 0.25 * y1, 1e-14);
    CHECK_VALUE("slope between", run_node(f, d), y1 - y0, 0);
  }
  const double beyond[] = {-1, 99, 1e300, -(double)INFINITY, (double)INFINITY};
  for (int i = 0; i < 5; i++) {
    f->slots[0] = beyond[i];
    CHECK_VALUE("beyond", run(f, e), beyond[i] < 0 ? 0 : 99 * 99 % 17, 0);
    CHECK_VALUE("slope beyond", run_node(f, d), 0, 0);
  }
  f->slots[0] = (double)NAN;
  assert_true(isnan(run(f, e)) && isnan(run_node(f, d)));
}

static void messages(void** state) {
  Fixture* f = *state;
  SarProgram p;
  SarInstr* instrs;
  char message[1024];
  const char* known[] = {"shoulder.q", "shoulder.v", "elbow.q", "elbow.v", "hip.q",
                         "hip.v",      "t",          "x",       "y",       "z"};
  SarExpr* e = parse(f, "elbw.q*2 + sin(\n knee.q) + table(t, 0, x, 1, 2)");
  assert_false(sar_expr_compile(&f->arena, e, find_slot, NULL, known, 10, &p, &instrs, &f->err));
  assert_null(instrs);
  const char* expected[] = {"test:1:1: error: unknown name 'elbw.q' (did you mean 'elbow.q'?)",
                            "test:2:2: error: unknown name 'knee.q' (did you mean 'elbow.q'?)",
                            ("test:2:24: error: table: point 1 is not a constant (use numbers and "
                             "parameters there; only the first argument may vary)")};
  assert_int_equal(f->err.errors, 3);
  for (int i = 0; i < 3; i++)
    if (i != 1)
      assert_string_equal(sar_error_format(&f->err, i, message, sizeof message), expected[i]);
  assert_int_equal(f->err.items[1].line, 2);
}

// a sum and the same sum backwards: all terms of the first wait for the second
static void register_file_is_bounded(void** state) {
  Fixture* f = *state;
  static char text[SAR_EXPR_MAX_LENGTH];
  enum { TERMS = 4500 };
  size_t used = (size_t)snprintf(text, sizeof text, "(y");
  for (int i = 2; i < TERMS; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "+x/%d", i);
  used += (size_t)snprintf(text + used, sizeof text - used, ")*(z");
  for (int i = TERMS - 1; i > 1; i--)
    used += (size_t)snprintf(text + used, sizeof text - used, "+x/%d", i);
  snprintf(text + used, sizeof text - used, ")");
  SarProgram p;
  SarInstr* instrs;
  char message[1024];
  SarExpr* e = parse(f, text);
  assert_false(
      sar_expr_compile(&f->arena, e, find_slot, NULL, slot_names, SLOTS, &p, &instrs, &f->err));
  assert_string_equal(
      sar_error_format(&f->err, 0, message, sizeof message),
      "test:1:1: error: expression needs more than 4096 registers (split it into several named "
      "parts)");
}

// ---- no memory ----------------------------------------------------------------------------------

static bool everything(Fixture* f) {
  static double scratch[64];
  const char* text = "smoothstep(t, 0, y, 1, x) + abs(sin(x)) + table(t, 0, 0, 1, 1) + t % 2";
  SarExpr* e = sar_expr_parse(&f->arena, text, strlen(text), (SarLoc){0}, &f->err);
  SarNode n = e && f->graph ? sar_expr_enter(f->graph, e, NULL, NULL, &f->err) : SAR_NONE;
  SarNode d = n >= 0 ? derivative(f, n, "t") : SAR_NONE;
  SarKink* kinks;
  SarProgram p;
  SarInstr* instrs;
  double v;
  if (d < 0 || !sar_expr_kinks(f->graph, n, "t", &kinks) || f->arena.failed) return false;
  if (!sar_expr_constant(e, find_value, f, slot_names, SLOTS, &v, &f->err)) return false;
  if (!sar_expr_compile(&f->arena, e, find_slot, NULL, slot_names, SLOTS, &p, &instrs, &f->err) ||
      !sar_expr_program(&f->arena, f->graph, d, find_slot, NULL, (SarLoc){0}, &p, &instrs, &f->err))
    return false;
  sar_program_eval(&p, instrs, f->slots, scratch);
  return true;
}

static void any_allocation_may_fail(void** state) {
  Fixture* f = *state;
  sar_arena_free(&f->arena);
  for (long n = 1; n < 100; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    f->graph = sar_graph_new(&f->arena);
    bool done = everything(f);
    bool refused = alloc_has_failed();
    alloc_fail_at(0);
    sar_arena_free(&f->arena);
    assert_int_equal(alloc_count_live(), 0);
    assert_true(done != refused);
    if (done) return;
  }
  fail_msg("more than 100 allocations");
}

static void evaluation_does_not_allocate(void** state) {
  Fixture* f = *state;
  static double scratch[64];
  SarProgram p;
  SarInstr* instrs;
  compile(f, "quintic(t, 0, y, 1, x) + sin(x)*table(t, 0, 0, 1, 1)", &p, &instrs);
  assert_true(p.registers <= 64);
  alloc_count_reset();
  for (int i = 0; i < 1000; i++) sar_program_eval(&p, instrs, f->slots, scratch);
  assert_int_equal(alloc_count(), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(common_parts_are_computed_once),
      TEST(registers_are_reused),
      TEST(constants_need_no_work),
      TEST(programs_fold_to_the_same_bits),
      TEST(tables),
      TEST(messages),
      TEST(register_file_is_bounded),
      TEST(any_allocation_may_fail),
      TEST(evaluation_does_not_allocate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
