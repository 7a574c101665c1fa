// The columns of functions.def as functions.
#include "symbolic/op.h"

#include "symbolic/kernels.h"

// clang-format off
double sar_op_apply(SarOp op, double x, double y) {
  switch (op) {
#define SAR_UNARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return value;
#define SAR_BINARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return value;
#define SAR_DEFINED(id, name, parameters, value, doc)
#include "symbolic/functions.def"
    default: return (double)NAN;
  }
}

int sar_op_arity(SarOp op) {
  switch (op) {
#define SAR_UNARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return 1;
#define SAR_BINARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return 2;
#define SAR_DEFINED(id, name, parameters, value, doc)
#include "symbolic/functions.def"
    default: return 0;
  }
}

const char* sar_op_name(SarOp op) {
  switch (op) {
#define SAR_UNARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return name;
#define SAR_BINARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return name;
#define SAR_DEFINED(id, name, parameters, value, doc) case SAR_OP_##id: return name;
#include "symbolic/functions.def"
    default: return "";
  }
}

const char* sar_op_c(SarOp op) {
  switch (op) {
#define SAR_UNARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return #value;
#define SAR_BINARY(id, name, parameters, value, derivative, doc) case SAR_OP_##id: return #value;
#define SAR_DEFINED(id, name, parameters, value, doc)
#include "symbolic/functions.def"
    default: return "";
  }
}

const char* sar_op_kernel(SarOp op) {
  switch (op) {
#define SAR_KERNEL(id, ...) case SAR_OP_##id: return #__VA_ARGS__;
#include "symbolic/kernels.def"
    default: return "";
  }
}
// clang-format on
