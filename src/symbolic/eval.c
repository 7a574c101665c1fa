// Evaluates tapes. Runs in every step: one pass over the instructions, no allocation, no branch
// on the shape of an expression.
#include "symbolic/op.h"
#include "symbolic/tape.h"

#include "base/spline.h"
#include "symbolic/kernels.h"

#include <stdbool.h>
#include <stddef.h>

// Which of the n - 1 segments x is in, the first or the last beyond the ends. Every `stride` instructions hold a
// point, x_i first; n >= 2. The number of halvings depends on n alone.
static inline int find_segment(const SarInstr* point, int stride, int n, double x) {
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (x >= point[stride * mid].value)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// point[2 i] holds x_i, point[2 i + 1] holds y_i
static double table(const SarInstr* point, int n, double x) {
  if (x <= point[0].value) return point[1].value;
  if (x >= point[2 * n - 2].value) return point[2 * n - 1].value;
  const SarInstr *p = point + 2 * find_segment(point, 2, n, x), *q = p + 2;
  return segment(x, p[0].value, p[1].value, q[0].value, q[1].value);
}

// at a point: of the segment to its right; 0 beyond the ends
static double slope(const SarInstr* point, int n, double x) {
  if (x < point[0].value || x >= point[2 * n - 2].value) return 0;
  if (isnan(x)) return x;
  const SarInstr *p = point + 2 * find_segment(point, 2, n, x), *q = p + 2;
  return (q[1].value - p[1].value) / (q[0].value - p[0].value);
}

// y or y' of the spline whose knots are the values of the instructions
static double spline(const SarInstr* knot, int n, double x, bool slope) {
  enum { PAIR = 2 * SPLINE_KNOT };
  // the knots on both sides, or the last two
  const SarInstr* first = knot + SPLINE_KNOT * find_segment(knot, SPLINE_KNOT, n, x);
  double piece[PAIR];
  for (int i = 0; i < PAIR; i++) piece[i] = first[i].value;
  const double *k0 = piece, *k1 = piece + SPLINE_KNOT;
  const bool before = x <= knot[0].value, beyond = x >= knot[SPLINE_KNOT * (n - 1)].value;
  const SarSplinePoint p = before   ? sar_spline_beyond(k0, k1, x)
                           : beyond ? sar_spline_beyond(k1, k0, x)
                                    : sar_spline_between(k0, k1, x);
  return slope ? p.slope : p.y;
}

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
        r[in->a] = table(in + 1, in->index, r[in->b]);
        in += 2 * in->index;
        break;
      case SAR_OP_SLOPE:
        r[in->a] = slope(in + 1, in->index, r[in->b]);
        in += 2 * in->index;
        break;
      case SAR_OP_SPLINE:
      case SAR_OP_SPLINE_SLOPE:
        r[in->a] = spline(in + 1, in->index, r[in->b], in->op == SAR_OP_SPLINE_SLOPE);
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
