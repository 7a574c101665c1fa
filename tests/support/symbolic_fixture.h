// Random expressions for the tests of src/symbolic: a straight-line program over a few symbols,
// built as nodes and computed with doubles side by side.
#pragma once
#include "symbolic/print.h"
#include "symbolic/symbolic.h"

#include "support/test.h"

#include <math.h>

enum { SYMBOLS = 4, MOST_LINES = 60 };
static const char* const symbol_names[SYMBOLS] = {"x", "y", "z", "w"};

// One line: op of two earlier values (the symbols are the first ones), or of a number.
typedef struct Line {
  SarOp op;
  int a, b, c;
  double number;
} Line;

typedef struct Draft {
  int lines;
  Line line[MOST_LINES];
} Draft;

// Smooth operations that keep values of a few units, so that no trial ends in infinities.
static inline Line draw_line(Rng* r, int known, bool smooth) {
  static const SarOp gentle[] = {SAR_OP_ADD, SAR_OP_SUB,   SAR_OP_MUL,  SAR_OP_NEG,
                                 SAR_OP_SIN, SAR_OP_COS,   SAR_OP_TANH, SAR_OP_ATAN,
                                 SAR_OP_MUL, SAR_OP_ATAN2, SAR_OP_ADD,  SAR_OP_NUMBER};
  static const SarOp rough[] = {
      SAR_OP_ADD,    SAR_OP_SUB,  SAR_OP_MUL, SAR_OP_DIV,   SAR_OP_NEG, SAR_OP_SIN,  SAR_OP_COS,
      SAR_OP_ABS,    SAR_OP_MIN,  SAR_OP_MAX, SAR_OP_LT,    SAR_OP_GE,  SAR_OP_AND,  SAR_OP_NOT,
      SAR_OP_SELECT, SAR_OP_SQRT, SAR_OP_POW, SAR_OP_FLOOR, SAR_OP_MOD, SAR_OP_SIGN, SAR_OP_NUMBER};
  static const double numbers[] = {0, 1, -1, 2, 3, 0.5, -0.25, 1e-3, 7, 0.1};
  Line l = {.op = smooth ? gentle[rng_int(r, (int)(sizeof gentle / sizeof *gentle))]
                         : rough[rng_int(r, (int)(sizeof rough / sizeof *rough))],
            .a = rng_int(r, known),
            .b = rng_int(r, known),
            .c = rng_int(r, known)};
  l.number = numbers[rng_int(r, (int)(sizeof numbers / sizeof *numbers))];
  return l;
}

static inline Draft draw(Rng* r, int lines, bool smooth) {
  Draft d = {.lines = lines};
  for (int i = 0; i < lines; i++) d.line[i] = draw_line(r, SYMBOLS + i, smooth);
  return d;
}

static inline double compute(const Draft* d, const double* slots) {
  double v[SYMBOLS + MOST_LINES];
  for (int i = 0; i < SYMBOLS; i++) v[i] = slots[i];
  for (int i = 0; i < d->lines; i++) {
    const Line* l = &d->line[i];
    double* to = &v[SYMBOLS + i];
    if (l->op == SAR_OP_NUMBER)
      *to = l->number;
    else if (l->op == SAR_OP_SELECT)
      *to = v[l->a] != 0 ? v[l->b] : v[l->c];
    else
      *to = sar_op_apply(l->op, v[l->a], v[l->b]);
  }
  return v[SYMBOLS + d->lines - 1];
}

static inline SarNode build(SarGraph* g, const Draft* d) {
  SarNode v[SYMBOLS + MOST_LINES];
  for (int i = 0; i < SYMBOLS; i++) v[i] = sar_sym_symbol(g, symbol_names[i]);
  for (int i = 0; i < d->lines; i++) {
    const Line* l = &d->line[i];
    SarNode* to = &v[SYMBOLS + i];
    if (l->op == SAR_OP_NUMBER)
      *to = sar_sym_number(g, l->number);
    else if (l->op == SAR_OP_SELECT)
      *to = sar_sym_select(g, v[l->a], v[l->b], v[l->c]);
    else
      *to = sar_sym_call(g, l->op, v[l->a], v[l->b]);
  }
  return v[SYMBOLS + d->lines - 1];
}

static inline int slot_of_symbol(void* context, const char* name) {
  (void)context;
  for (int i = 0; i < SYMBOLS; i++)
    if (strcmp(name, symbol_names[i]) == 0) return i;
  return -1;
}

// values of n nodes by way of a tape
static inline void evaluate(SarGraph* g, int n, const SarNode* y, const double* slots,
                            double* values) {
  SarArena a;
  SarTape tape;
  sar_arena_init(&a);
  assert_true(sar_tape_build(&a, g, n, y, slot_of_symbol, NULL, &tape));
  double* scratch = SAR_ARENA_ARRAY(&a, double, tape.registers + 1);
  sar_tape_eval(&tape, slots, scratch, values);
  sar_arena_free(&a);
}

static inline double value_at(SarGraph* g, SarNode y, const double* slots) {
  double value;
  evaluate(g, 1, &y, slots, &value);
  return value;
}

static inline bool equal_bits(double x, double y) {
  return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}
