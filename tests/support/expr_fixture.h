// What the tests of expressions share: an arena, a graph in it, an error, names in slots x y z t,
// and short ways to parse and evaluate.
#pragma once
#include "expr/expr.h"

#include "support/test.h"

static const char* const slot_names[] = {"x", "y", "z", "t"};
enum { SLOTS = 4 };

typedef struct Fixture {
  SarArena arena;
  SarGraph* graph;
  SarError err;
  double slots[SLOTS];
} Fixture;

static inline int setup(void** state) {
  static Fixture f;
  f = (Fixture){0};
  sar_arena_init(&f.arena);
  f.graph = sar_graph_new(&f.arena);
  sar_error_init(&f.err);
  *state = &f;
  return 0;
}

static inline int teardown(void** state) {
  Fixture* f = *state;
  sar_arena_free(&f->arena);
  return 0;
}

static inline int find_slot(void* context, const char* name) {
  (void)context;
  for (int i = 0; i < SLOTS; i++)
    if (strcmp(slot_names[i], name) == 0) return i;
  return -1;
}

static inline bool find_value(void* context, const char* name, double* value) {
  const Fixture* f = context;
  int i = find_slot(NULL, name);
  if (i >= 0) *value = f->slots[i];
  return i >= 0;
}

static inline SarExpr* try_parse(Fixture* f, const char* text) {
  return sar_expr_parse(&f->arena, text, strlen(text), (SarLoc){"test", 1, 1}, &f->err);
}

static inline SarExpr* parse(Fixture* f, const char* text) {
  SarExpr* e = try_parse(f, text);
  char message[1024];
  if (!e) fail_msg("%s: %s", text, sar_error_format(&f->err, 0, message, sizeof message));
  return e;
}

// value of a node by way of a program, with the slots of the fixture
static inline double run_node(Fixture* f, SarNode n) {
  static double scratch[SAR_EXPR_MAX_REGISTERS];
  SarProgram program;
  SarInstr* instrs;
  assert_true(n >= 0);
  assert_true(sar_expr_program(&f->arena, f->graph, n, find_slot, NULL, (SarLoc){0}, &program,
                               &instrs, &f->err));
  return sar_program_eval(&program, instrs, f->slots, scratch);
}

static inline SarNode enter(Fixture* f, const SarExpr* e) {
  const SarNode n = e ? sar_expr_enter(f->graph, e, NULL, NULL, &f->err) : SAR_NONE;
  assert_true(n >= 0);
  return n;
}

static inline SarNode derivative(Fixture* f, SarNode n, const char* name) {
  return sar_sym_diff(f->graph, n, sar_sym_symbol(f->graph, name));
}

// the same of a tree
static inline double run(Fixture* f, const SarExpr* e) {
  static double scratch[SAR_EXPR_MAX_REGISTERS];
  SarProgram program;
  SarInstr* instrs;
  assert_non_null(e);
  assert_true(sar_expr_compile(&f->arena, e, find_slot, NULL, slot_names, SLOTS, &program, &instrs,
                               &f->err));
  return sar_program_eval(&program, instrs, f->slots, scratch);
}

static inline double value_of(Fixture* f, const char* text) { return run(f, parse(f, text)); }

static inline bool same_bits(double x, double y) {
  return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

// equal within the tolerance, or bit for bit (infinities, NaN)
#define CHECK_VALUE(text, value, expected, tolerance) \
  check_value((text), (value), (expected), (tolerance), __FILE__, __LINE__)
static inline void check_value(const char* text, double value, double expected, double tolerance,
                               const char* file, int line) {
  if (!same_bits(value, expected)) expect_near(value, expected, tolerance, text, -1, file, line);
}
