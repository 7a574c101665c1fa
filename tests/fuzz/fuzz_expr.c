// libFuzzer target: any bytes through the whole life of an expression. The first four choose the
// values of the names, the rest is the text. Checks: no crash, no leak, no failure without a
// message, and a program gives the same bits as folding.
#include "expr/expr.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SLOTS = 4 };

static const char* const names[SLOTS] = {"t", "x", "y", "z"};

static int find_slot(void* context, const char* name) {
  (void)context;
  for (int i = 0; i < SLOTS; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static bool find_value(void* context, const char* name, double* value) {
  const double* slots = context;
  int i = find_slot(NULL, name);
  if (i >= 0) *value = slots[i];
  return i >= 0;
}

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

// value by way of a program; false when it does not compile
static bool run(SarArena* a, const SarExpr* e, const double* slots, double* value) {
  static double scratch[SAR_EXPR_MAX_REGISTERS];
  SarProgram program;
  SarInstr* instrs;
  SarError err;
  sar_error_init(&err);
  bool done = sar_expr_compile(a, e, find_slot, NULL, names, SLOTS, &program, &instrs, &err);
  require(done == (err.errors == 0));
  if (done) *value = sar_program_eval(&program, instrs, slots, scratch);
  return done;
}

static void run_node(SarArena* a, SarGraph* g, SarNode n, const double* slots, double* value) {
  static double scratch[SAR_EXPR_MAX_REGISTERS];
  SarProgram program;
  SarInstr* instrs;
  SarError err;
  sar_error_init(&err);
  if (sar_expr_program(a, g, n, find_slot, NULL, (SarLoc){0}, &program, &instrs, &err))
    *value = sar_program_eval(&program, instrs, slots, scratch);
}

static void use(SarArena* a, const SarExpr* e, double* slots) {
  double value = 0, folded = 0;
  SarError err;
  sar_error_init(&err);
  if (run(a, e, slots, &value)) {
    require(sar_expr_constant(e, find_value, slots, names, SLOTS, &folded, &err));
    require(memcmp(&value, &folded, sizeof value) == 0 || (isnan(value) && isnan(folded)));
  }
  SarKink* kinks;
  SarGraph* g = sar_graph_new(a);
  SarNode node = g ? sar_expr_enter(g, e, NULL, NULL, NULL) : SAR_NONE;
  if (node < 0) return;
  int n = sar_expr_kinks(g, node, "t", &kinks);
  for (int i = 0; i < n; i++) {
    double next;
    require(kinks[i].is_time == (kinks[i].g == SAR_NONE));
    if (kinks[i].g >= 0) run_node(a, g, kinks[i].g, slots, &value);
    require(!sar_kink_next(&kinks[i], slots[0], &next) || next > slots[0]);
  }
  for (int order = 0; order < 2 && node >= 0; order++) {
    node = sar_sym_diff(g, node, sar_sym_symbol(g, "x"));
    if (node >= 0) run_node(a, g, node, slots, &value);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const double choices[] = {0,           1, -1, 0.5, 3, 1e300, -1e-300, (double)INFINITY,
                                   (double)NAN, 2};
  double slots[SLOTS] = {0};
  for (int i = 0; i < SLOTS && size > 0; i++, data++, size--)
    slots[i] = choices[*data % (sizeof choices / sizeof choices[0])];
  SarArena a;
  SarError err;
  sar_arena_init(&a);
  sar_error_init(&err);
  SarExpr* e = sar_expr_parse(&a, (const char*)data, size, (SarLoc){"fuzz", 1, 1}, &err);
  require((e == NULL) == (err.errors > 0));
  if (e) use(&a, e, slots);
  sar_arena_free(&a);
  return 0;
}
