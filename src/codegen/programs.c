// The expressions of a model over symbols: their programs executed with nodes in the registers.
#include "codegen/symbols.h"

static SarNode table(SarSymbols* s, const SarInstr* in, SarNode x, int width) {
  const int n = in->index;
  double* points = SAR_ARENA_ARRAY(s->arena, double, 2 * n + 1);
  if (!points) return SAR_NONE;
  for (int i = 0; i < n; i++) {
    points[2 * i] = in[1 + width * i].value;
    points[2 * i + 1] = in[2 + width * i].value;
  }
  return sar_sym_table(s->g, (SarOp)in->op, x, n, points);
}

// clang-format off
#define SAR_UNARY(id, name, parameters, value_of_x, derivative, doc) \
  case SAR_OP_##id: r[in->a] = sar_sym_call(g, SAR_OP_##id, r[in->b], SAR_NONE); break;
#define SAR_BINARY(id, name, parameters, value_of_xy, derivative, doc)                              \
  case SAR_OP_##id:      r[in->a] = sar_sym_call(g, SAR_OP_##id, r[in->b], r[in->c]); break;         \
  case SAR_OP_##id##_RK: r[in->a] = sar_sym_call(g, SAR_OP_##id, r[in->b], s_num(g, in->value)); break; \
  case SAR_OP_##id##_KR: r[in->a] = sar_sym_call(g, SAR_OP_##id, s_num(g, in->value), r[in->c]); break;
#define SAR_DEFINED(id, name, parameters, value, doc)  // programs hold their definitions
// clang-format on

SarNode sar_symbols_program(SarSymbols* s, const SarExprEntry* e) {
  SarGraph* g = s->g;
  if (e->program.count == 0) return s_num(g, 0);
  SarNode* r = SAR_ARENA_ARRAY(s->arena, SarNode, e->program.registers + 1);
  if (!r) return SAR_NONE;
  // what a person wrote keeps its infinities: no identities of algebra
  const SarRules rules = sar_graph_rules(g, SAR_EXACT);
  const SarInstr *first = &s->m->instr[e->instr], *end = first + e->program.count;
  for (const SarInstr* in = first; in < end; in++) {
    switch (in->op) {
      case SAR_OP_NUMBER: r[in->a] = s_num(g, in->value); break;
      case SAR_OP_SYMBOL: r[in->a] = s->slot[in->index]; break;
      case SAR_OP_SELECT: r[in->a] = sar_sym_select(g, r[in->b], r[in->c], r[in->index]); break;
      case SAR_OP_TABLE:
      case SAR_OP_SLOPE:
        r[in->a] = table(s, in, r[in->b], 2);
        in += 2 * in->index;
        break;
      case SAR_OP_SPLINE:
      case SAR_OP_SPLINE_SLOPE:
        r[in->a] = table(s, in, r[in->b], 3);
        in += 3 * in->index;
        break;
#include "symbolic/functions.def"
      default: r[in->a] = SAR_NONE; break;
    }
  }
  sar_graph_rules(g, rules);
  return r[e->program.result];
}
