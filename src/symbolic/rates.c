// Derivatives of tapes along a direction (forward mode, tangent of a tape): every instruction hands
// on the rate of its value beside the value.
//
// The rules are those of functions.def: differentiated in a graph and compiled once (sar_rates_new)
// into small programs of x, y, dx, dy. An operand that does not change drops out of the rule before
// it is compiled, as it does in every symbolic derivative: x^2 has no logarithm of x.
#include "symbolic/symbolic.h"

#include "base/alloc.h"
#include "symbolic/kernels.h"
#include "symbolic/segments.h"

#include <string.h>

enum { BOTH, FIRST, SECOND, FORMS };    // which operands change
enum { X, Y, DX, DY, SLOTS };           // slots of a rule
enum { LONGEST = 32, REGISTERS = 16 };  // instructions and registers of a rule

typedef struct Rule {
  SarProgram program;
  SarInstr instr[LONGEST];
} Rule;

struct SarRates {
  Rule rule[SAR_OP_COUNT][FORMS];  // by the plain operation
  unsigned short plain[SAR_OP_COUNT];
  bool binary[SAR_OP_COUNT];
};

static const char* const NAMES[SLOTS] = {"x", "y", "dx", "dy"};

static int slot_of(void* context, const char* name) {
  (void)context;
  for (int i = 0; i < SLOTS; i++)
    if (strcmp(name, NAMES[i]) == 0) return i;
  return -1;
}

typedef struct Form {
  SarGraph* graph;
  SarNode symbol[SLOTS];
  int form;
} Form;

// dx or dy of an operand; none of one that stays as it is
static SarNode rate_of_symbol(void* context, SarNode symbol) {
  const Form* f = context;
  if (symbol == f->symbol[X] && f->form != SECOND) return f->symbol[DX];
  if (symbol == f->symbol[Y] && f->form != FIRST) return f->symbol[DY];
  return SAR_NONE;
}

static bool compile_rule(SarArena* arena, Form* f, SarOp op, Rule* out) {
  SarGraph* g = f->graph;
  SarInstr* instr = NULL;
  const SarNode y =
      sar_sym_call(g, op, f->symbol[X], sar_op_arity(op) == 2 ? f->symbol[Y] : SAR_NONE);
  SarNode dy = SAR_NONE;
  if (!sar_sym_forward(g, 1, &y, rate_of_symbol, f, &dy) ||
      !sar_program_build(arena, g, dy, slot_of, NULL, &out->program, &instr))
    return false;
  if (out->program.count > LONGEST || out->program.registers > REGISTERS) return false;
  if (out->program.count > 0) memcpy(out->instr, instr, (size_t)out->program.count * sizeof *instr);
  return true;
}

static bool compile_rules(SarArena* arena, SarRates* rates) {
  Form f = {.graph = sar_graph_new(arena)};
  if (!f.graph) return false;
  for (int i = 0; i < SLOTS; i++) f.symbol[i] = sar_sym_symbol(f.graph, NAMES[i]);
  for (int op = 0; op < SAR_OP_COUNT; op++) {
    const int arity = sar_op_arity((SarOp)op);
    // the forms with a constant follow the plain one (op.h), and have its rule
    if (arity == 0 || rates->plain[op] != 0) continue;
    const int forms = arity == 2 ? FORMS : 1;
    for (f.form = 0; f.form < forms; f.form++)
      if (!compile_rule(arena, &f, (SarOp)op, &rates->rule[op][f.form])) return false;
    for (int k = 0; k < forms; k++) {
      rates->plain[op + k] = (unsigned short)op;
      rates->binary[op + k] = arity == 2;
    }
  }
  return true;
}

SarRates* sar_rates_new(void) {
  SarRates* rates = sar_alloc(sizeof *rates);
  if (!rates) return NULL;
  SarArena arena;
  sar_arena_init(&arena);
  const bool made = compile_rules(&arena, rates);
  sar_arena_free(&arena);
  if (made) return rates;
  sar_free(rates);
  return NULL;
}

void sar_rates_free(SarRates* rates) { sar_free(rates); }

static double rate_of(const SarRates* rates, int op, double x, double y, double dx, double dy) {
  const double slots[SLOTS] = {x, y, dx, dy};
  double scratch[REGISTERS];
  if (dx == 0 && dy == 0) return 0;
  const int form = !rates->binary[op] ? BOTH : dy == 0 ? FIRST : dx == 0 ? SECOND : BOTH;
  const Rule* rule = &rates->rule[op][form];
  return sar_program_eval(&rule->program, rule->instr, slots, scratch);
}

// Operands of an operation and their rates, whichever of them is a constant.
static void apply(const SarRates* rates, const SarInstr* in, double* r, double* dr) {
  const int op = rates->plain[in->op];
  const bool left = in->op == op + 2 && rates->binary[op], right = in->op == op + 1;
  double x = left ? in->value : r[in->b], dx = left ? 0 : dr[in->b], y = 0, dy = 0;
  if (rates->binary[op]) {
    y = right ? in->value : r[in->c];
    dy = right ? 0 : dr[in->c];
  }
  const double rate = rate_of(rates, op, x, y, dx, dy);
  r[in->a] = sar_op_apply((SarOp)op, x, y);
  dr[in->a] = rate;
}

double sar_program_rate(const SarRates* rates, const SarProgram* p, const SarInstr* instrs,
                        const double* slots, const double* slot_rates, double* r, double* dr,
                        double* value) {
  if (value) *value = 0;
  if (p->count == 0) return 0;
  for (const SarInstr* in = instrs, *end = instrs + p->count; in < end; in++) {
    const double x = in->op > SAR_OP_SYMBOL ? r[in->b] : 0,
                 dx = in->op > SAR_OP_SYMBOL ? dr[in->b] : 0;
    switch (in->op) {
      case SAR_OP_NUMBER: r[in->a] = in->value, dr[in->a] = 0; break;
      case SAR_OP_SYMBOL: r[in->a] = slots[in->index], dr[in->a] = slot_rates[in->index]; break;
      case SAR_OP_SELECT: {
        const int from = x != 0 ? in->c : in->index;
        r[in->a] = r[from], dr[in->a] = dr[from];
        break;
      }
      case SAR_OP_TABLE:
      case SAR_OP_SLOPE: {
        const double slope = table_slope(in + 1, in->index, x);
        const bool table = in->op == SAR_OP_TABLE;
        r[in->a] = table ? table_value(in + 1, in->index, x) : slope;
        dr[in->a] = table && dx != 0 ? slope * dx : 0;
        in += 2 * in->index;
        break;
      }
      case SAR_OP_SPLINE:
      case SAR_OP_SPLINE_SLOPE: {
        const SarSplinePoint s = spline_at(in + 1, in->index, x);
        const bool spline = in->op == SAR_OP_SPLINE;
        r[in->a] = spline ? s.y : s.slope;
        dr[in->a] = dx == 0 ? 0 : (spline ? s.slope : s.bend) * dx;
        in += 3 * in->index;
        break;
      }
      default: apply(rates, in, r, dr);
    }
  }
  if (value) *value = r[p->result];
  return dr[p->result];
}
