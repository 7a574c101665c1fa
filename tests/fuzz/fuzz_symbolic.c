// libFuzzer target: any bytes as a straight-line program over symbols. Built exactly, the tape has the bits of
// the program; built by algebra, nothing crashes, derivatives of both modes exist, copies and text too.
#include "symbolic/print.h"
#include "symbolic/symbolic.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SYMBOLS = 3, MOST = 200 };

static const char* const names[SYMBOLS] = {"x", "y", "z"};

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static int slot_of(void* context, const char* name) {
  (void)context;
  return name[0] - 'x';
}

typedef struct Program {
  SarNode node[MOST];
  double value[MOST];
  int count;
} Program;

static const double numbers[] = {
    0, 1, -1, 2, 3, 0.5, -0.0, 1e300, 0.1, -1e-300, (double)INFINITY, (double)NAN};

// One line from four bytes: operation and places of operands.
static void add_line(SarGraph* g, Program* p, const uint8_t* b) {
  const int x = b[1] % p->count, y = b[2] % p->count, z = b[3] % p->count;
  const SarOp op = (SarOp)(b[0] % SAR_OP_COUNT);
  SarNode* n = &p->node[p->count];
  double* v = &p->value[p->count];
  if (sar_op_arity(op)) {
    *n = sar_sym_call(g, op, p->node[x], p->node[y]);
    *v = sar_op_apply(op, p->value[x], p->value[y]);
  } else if (op == SAR_OP_SELECT) {
    *n = sar_sym_select(g, p->node[x], p->node[y], p->node[z]);
    *v = p->value[x] != 0 ? p->value[y] : p->value[z];
  } else if (op == SAR_OP_FILTER) {
    *n = sar_sym_rational(g, b[1] - 128, b[2]);
    *v = (double)(b[1] - 128) / b[2];
  } else {
    const double number = numbers[b[1] % (sizeof numbers / sizeof *numbers)];
    *n = sar_sym_number(g, number);
    *v = number;
  }
  p->count++;
}

static void build(SarGraph* g, Program* p, const double* slots, const uint8_t* data, size_t size) {
  p->count = SYMBOLS;
  for (int i = 0; i < SYMBOLS; i++) {
    p->node[i] = sar_sym_symbol(g, names[i]);
    p->value[i] = slots[i];
  }
  for (; size >= 4 && p->count < MOST; data += 4, size -= 4) add_line(g, p, data);
}

static double value_of(SarArena* a, SarGraph* g, SarNode n, const double* slots) {
  SarTape tape;
  double result = 0;
  require(sar_tape_build(a, g, 1, &n, slot_of, NULL, &tape));
  double* scratch = SAR_ARENA_ARRAY(a, double, tape.registers + 1);
  sar_tape_eval(&tape, slots, scratch, &result);
  return result;
}

static void use(SarArena* a, SarGraph* g, SarNode y) {
  SarNode symbol[SYMBOLS], gradient[SYMBOLS], copy;
  SarArena other;
  for (int i = 0; i < SYMBOLS; i++) symbol[i] = sar_sym_symbol(g, names[i]);
  require(sar_sym_diff(g, y, symbol[0]) >= 0);
  require(sar_sym_reverse(g, 1, &y, NULL, SYMBOLS, symbol, gradient));
  for (int style = 0; style < 3; style++)
    sar_sym_print(a, g, y, &(SarPrinter){.style = (SarPrintStyle)style});
  sar_arena_init(&other);
  SarGraph* to = sar_graph_new(&other);
  require(sar_sym_copy(g, 1, &y, to, &copy));
  sar_arena_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const double choices[] = {0.3, -1.7, 2.5, 0, 1, (double)INFINITY};
  static Program p;
  double slots[SYMBOLS] = {0};
  SarArena a;
  for (int i = 0; i < SYMBOLS && size > 0; i++, data++, size--)
    slots[i] = choices[*data % (sizeof choices / sizeof *choices)];
  for (int algebra = 0; algebra < 3; algebra++) {
    sar_arena_init(&a);
    SarGraph* g = sar_graph_new(&a);
    sar_graph_rules(g, (SarRules)algebra);
    build(g, &p, slots, data, size);
    const SarNode y = p.node[p.count - 1];
    require(y >= 0);
    const double value = value_of(&a, g, y, slots), expected = p.value[p.count - 1];
    if (algebra == SAR_EXACT)
      require(memcmp(&value, &expected, sizeof value) == 0 || (isnan(value) && isnan(expected)));
    use(&a, g, y);
    sar_arena_free(&a);
  }
  return 0;
}
