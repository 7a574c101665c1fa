// Evaluates tapes. Runs in every step: one pass over the instructions, no allocation, no branch
// on the shape of an expression.
#include "symbolic/op.h"
#include "symbolic/tape.h"

#include "symbolic/kernels.h"
#include "symbolic/segments.h"

#include <stdbool.h>
#include <stddef.h>

// clang-format off
#define SAR_UNARY(id, name, parameters, value_of_x, derivative, doc) \
  case SAR_OP_##id: { double x = r[in->b]; r[in->a] = value_of_x; break; }
#define SAR_BINARY(id, name, parameters, value_of_xy, derivative, doc) \
  case SAR_OP_##id:      { double x = r[in->b],  y = r[in->c];  r[in->a] = value_of_xy; break; } \
  case SAR_OP_##id##_RK: { double x = r[in->b],  y = in->value; r[in->a] = value_of_xy; break; } \
  case SAR_OP_##id##_KR: { double x = in->value, y = r[in->c];  r[in->a] = value_of_xy; break; }
#define SAR_DEFINED(id, name, parameters, value, doc)  // programs hold their definitions
// clang-format on

static void run(const SarInstr* instrs, int count, const double* slots, double* r,
                double* results) {
  const SarInstr* end = instrs + count;
  for (const SarInstr* in = instrs; in < end; in++) {
    switch (in->op) {
      case SAR_OP_NUMBER: r[in->a] = in->value; break;
      case SAR_OP_SYMBOL: r[in->a] = slots[in->index]; break;
      case SAR_OP_SELECT: r[in->a] = r[in->b] != 0 ? r[in->c] : r[in->index]; break;
      case SAR_OP_RESULT: results[in->index] = r[in->b]; break;
      case SAR_OP_TABLE:
        r[in->a] = table_value(in + 1, in->index, r[in->b]);
        in += 2 * in->index;
        break;
      case SAR_OP_SLOPE:
        r[in->a] = table_slope(in + 1, in->index, r[in->b]);
        in += 2 * in->index;
        break;
      case SAR_OP_SPLINE:
        r[in->a] = spline_at(in + 1, in->index, r[in->b]).y;
        in += 3 * in->index;
        break;
      case SAR_OP_SPLINE_SLOPE:
        r[in->a] = spline_at(in + 1, in->index, r[in->b]).slope;
        in += 3 * in->index;
        break;
#include "symbolic/functions.def"
      default: break;
    }
  }
}

double sar_program_eval(const SarProgram* p, const SarInstr* instrs, const double* slots,
                        double* scratch) {
  if (p->count == 0) return 0;
  run(instrs, p->count, slots, scratch, NULL);
  return scratch[p->result];
}

void sar_tape_eval(const SarTape* tape, const double* slots, double* scratch, double* results) {
  run(tape->instr, tape->count, slots, scratch, results);
}
