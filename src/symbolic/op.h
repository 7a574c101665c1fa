// Operations: of expression trees (src/expr), of the symbolic graph, and of tapes.
#pragma once

// A graph holds numbers, symbols, choices, tables and the unary and binary operations of
// functions.def. A tape also has the forms with a constant on the right (_RK: register, constant)
// or on the left (_KR), which save loading the constant.
typedef enum SarOp {
  SAR_OP_NUMBER,  // tape: a <- value
  SAR_OP_SYMBOL,  // tape: a <- slots[index]
  SAR_OP_SELECT,  // graph: a != 0 ? b : c; tape: a <- b != 0 ? c : register `index`
  SAR_OP_TABLE,   // table(a), straight between points; tape: then `index` points as x, y pairs
  SAR_OP_SLOPE,   // the derivative of a table
  SAR_OP_SPLINE,  // tape: then `index` points as x, y, y'' triples
  SAR_OP_SPLINE_SLOPE,  // its derivative; the second one is the table of its y''
  SAR_OP_RESULT,        // tape only: results[index] <- b
  // of trees as written only, opened by the front end
  SAR_OP_SUM,     // x1 + x2 + ..., left to right; flat, so that long sums are not deep
  SAR_OP_FILTER,  // calls that keep states
  SAR_OP_INTEGRAL,
  SAR_OP_PID,
#define SAR_UNARY(id, name, parameters, value, derivative, doc) SAR_OP_##id,
#define SAR_BINARY(id, name, parameters, value, derivative, doc) \
  SAR_OP_##id, SAR_OP_##id##_RK, SAR_OP_##id##_KR,
#define SAR_DEFINED(id, name, parameters, value, doc) SAR_OP_##id,
#include "symbolic/functions.def"
  SAR_OP_COUNT
} SarOp;

// Value of a unary (y unused) or binary operation; NaN for other operations.
double sar_op_apply(SarOp op, double x, double y);
int sar_op_arity(SarOp op);         // 1 or 2; 0: no function of numbers, or opened by the front end
const char* sar_op_name(SarOp op);  // "atan2"; "" for operators
const char* sar_op_c(SarOp op);     // "atan2(x, y)"; "" where arity is 0
const char* sar_op_kernel(
    SarOp op);  // the C function that it calls, if it is not of <math.h>; else ""
