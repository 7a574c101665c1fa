// Derivatives: every function of the table against finite differences, closed forms, size bounds.
#include "support/expr_fixture.h"

// A call of every function in the list with arguments that all vary with x and stay in its domain.
static void write_call(char* out, size_t size, const SarFunctionDoc* d) {
  const struct {
    const char *name, *call;
  } special[] = {
      {"acosh", "acosh(1.1 + x^2)"},
      {"if", "if(x < 0.5, x^2, x^3)"},
      {"piecewise", "piecewise(x < 0.3, x, x < 0.6, x^2, x^3)"},
      {"table", "table(sin(x), -1, 2, 0.3, 1, 0.6, 4, 2, 0)"},
      {"spline", "spline(sin(x), -1, 2, 0.3, 1, 0.6, 4, 2, 0)"},
  };
  for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
    if (strcmp(special[i].name, d->name) == 0) {
      snprintf(out, size, "%s", special[i].call);
      return;
    }
  // all arguments between 0.1 and 0.95 for 0 < x < 1, no two alike
  const char* argument[] = {"(0.1 + 0.8*x)", "(0.6 - 0.3*x^2)", "(0.15 + 0.2*x)", "(0.95 - 0.1*x)",
                            "(0.5 + 0.3*x^3)"};
  int n = 1;
  for (const char* c = d->parameters; *c; c++) n += *c == ',';
  if (strstr(d->parameters, "...")) n--;
  size_t used = (size_t)snprintf(out, size, "%s(", d->name);
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", argument[i]);
  snprintf(out + used, size - used, ")");
}

// Central differences with h = 1e-5: truncation h^2 f'''/6 and rounding eps f/h are both about
// 1e-11 for values and third derivatives near 1; 1e-7 leaves room for f''' up to 1e4.
static void check_against_differences(Fixture* f, const char* text, int samples) {
  const double h = 1e-5;
  SarExpr* e = parse(f, text);
  SarNode d = derivative(f, enter(f, e), "x");
  for (int i = 0; i < samples; i++) {
    double x = (i + 0.37) / samples;
    f->slots[0] = x - h;
    double before = run(f, e);
    f->slots[0] = x + h;
    double after = run(f, e);
    f->slots[0] = x;
    double numeric = (after - before) / (2 * h);
    if (fabs(after - before) > 0.05) continue;  // a jump of the value itself lies between
    CHECK_VALUE(text, run_node(f, d), numeric, 1e-7 * (1 + fabs(numeric)));
  }
}

static void every_function(void** state) {
  Fixture* f = *state;
  SarFunctionDoc d;
  int count = 0;
  for (; sar_expr_function(count, &d); count++) {
    char text[256];
    assert_true(d.doc[0] && d.parameters[0]);
    if (d.keeps_state) continue;  // no function of its arguments alone
    write_call(text, sizeof text, &d);
    check_against_differences(f, text, 23);
  }
  assert_true(count > 30);
  assert_false(sar_expr_function(count, &d));
}

static void every_operator(void** state) {
  Fixture* f = *state;
  const char* texts[] = {"-x",
                         "x + 2*x",
                         "x - x^2",
                         "x*sin(x)",
                         "sin(x)/(1 + x)",
                         "(2*x) % 0.7",
                         "x^3",
                         "x^2.5",
                         "2^x",
                         "x^x",
                         "x^-1",
                         "x*(x < 0.5)",
                         "x < 0.4 ? x : 1",
                         "not x",
                         "x and 1 or x",
                         "x >= 2",
                         "(x == 1) + (x != 1)"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    check_against_differences(f, texts[i], 23);
}

static void second_derivatives(void** state) {
  Fixture* f = *state;
  const struct {
    const char *text, *expected;
  } cases[] = {
      {"sin(3*x)", "-9*sin(3*x)"},
      {"x^5", "20*x^3"},
      {"exp(x^2)", "(2 + 4*x^2)*exp(x^2)"},
      {"smoothstep(x, 0, 1, 2, 5)", "4*(6 - 12*x/2)/4"},
      {"quintic(x, 0, 1, 2, 5)", "4*(60*(x/2) - 180*(x/2)^2 + 120*(x/2)^3)/4"},
      {"table(x, 0, 0, 1, 1)", "0"},
      {"abs(x - 2)^3", "6*(2 - x)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SarNode d = derivative(f, derivative(f, enter(f, parse(f, cases[i].text)), "x"), "x");
    for (f->slots[0] = 0.05; f->slots[0] < 1; f->slots[0] += 0.1)
      CHECK_VALUE(cases[i].text, run_node(f, d), value_of(f, cases[i].expected), 1e-12);
  }
}

// an input that does not vary leaves nothing: no program, not a product with 0
static void constants_vanish(void** state) {
  Fixture* f = *state;
  const char* texts[] = {"y",     "sin(y)*z^2", "smoothstep(t, 0, y, 1, z)", "3", "floor(x)",
                         "x < y", "sign(x)"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    double v = 1;
    SarNode d = derivative(f, enter(f, parse(f, texts[i])), "x");
    assert_true(sar_node_is_number(f->graph, d, &v));
    assert_true(v == 0);
  }
}

// the derivative that holds: no NaN from the branch that does not
static void branches_do_not_mix(void** state) {
  Fixture* f = *state;
  SarNode d = derivative(f, enter(f, parse(f, "x > 0 ? sqrt(x) : 0")), "x");
  f->slots[0] = -1;
  CHECK_VALUE("left", run_node(f, d), 0, 0);
  d = derivative(f, enter(f, parse(f, "min(1/x, 5)")), "x");
  f->slots[0] = 0;
  CHECK_VALUE("at the pole", run_node(f, d), 0, 0);
}

// q(t) of a driven joint: d/dt x = y, d/dt y = z
static SarNode rate_of(void* context, SarNode symbol) {
  Fixture* f = context;
  const char* name = sar_node_name(f->graph, symbol);
  if (strcmp(name, "x") == 0) return sar_sym_symbol(f->graph, "y");
  if (strcmp(name, "y") == 0) return sar_sym_symbol(f->graph, "z");
  return strcmp(name, "t") == 0 ? sar_sym_number(f->graph, 1) : SAR_NONE;
}

static void chain_rule(void** state) {
  Fixture* f = *state;
  SarNode e = enter(f, parse(f, "x^2*sin(t)")), d1, d2;
  assert_true(sar_sym_forward(f->graph, 1, &e, rate_of, f, &d1));
  assert_true(sar_sym_forward(f->graph, 1, &d1, rate_of, f, &d2));
  f->slots[0] = 1.3;
  f->slots[1] = -0.4;
  f->slots[2] = 2.1;
  f->slots[3] = 0.7;
  CHECK_VALUE("first", run_node(f, d1), value_of(f, "2*x*y*sin(t) + x^2*cos(t)"), 1e-14);
  CHECK_VALUE("second", run_node(f, d2),
              value_of(f, "2*y^2*sin(t) + 2*x*z*sin(t) + 4*x*y*cos(t) - x^2*sin(t)"), 1e-13);
}

// Written out in full, size grows fast with nesting and order; in the graph, by a factor with each
// order.
static void growth_is_bounded(void** state) {
  Fixture* f = *state;
  char text[4096] = "x";
  for (int i = 0; i < 60; i++) {
    char inner[4096];
    memcpy(inner, text, sizeof text);
    assert_true(snprintf(text, sizeof text, "quintic(%s, 0, 0, 1, 1)", inner) < (int)sizeof text);
  }
  SarNode d = enter(f, parse(f, text));
  int order = 0;
  while (d >= 0 && order < 4) {
    const int before = sar_graph_count(f->graph);
    d = derivative(f, d, "x");
    order++;
    assert_true(sar_graph_count(f->graph) < 40 * (before + 100));
  }
  assert_true(isfinite(run_node(f, d)));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(every_function),    TEST(every_operator),      TEST(second_derivatives),
      TEST(constants_vanish),  TEST(branches_do_not_mix), TEST(chain_rule),
      TEST(growth_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
