// The nodes of trees as written. Private to src/expr, and to what takes blocks apart.
#pragma once
#include "expr/expr.h"

struct SarExpr {
  SarOp op;
  int num;    // arguments
  int depth;  // levels below and including this node
  SarLoc loc;
  union {
    double value;
    const char* name;
  };
  SarExpr* arg[];
};

// ---- building: NULL when memory ran out, or when an argument is NULL ----------------------------
SarExpr* sar_tree_number(SarArena* a, SarLoc loc, double value);
SarExpr* sar_tree_name(SarArena* a, SarLoc loc, const char* name);  // keeps the pointer
// op(arg...); a number when all arguments are numbers.
SarExpr* sar_tree_make(SarArena* a, SarOp op, SarLoc loc, int num, SarExpr* const* arg);

// ---- remembering: node -> what a pass made of it ------------------------------------------------
typedef struct SarMemo {
  const SarExpr** node;
  void** found;
  int count, capacity;
} SarMemo;
void* sar_memo_find(const SarMemo* m, const SarExpr* node);                    // NULL: not seen yet
void sar_memo_add(SarArena* a, SarMemo* m, const SarExpr* node, void* found);  // or replaces

// ---- the function table -------------------------------------------------------------------------
typedef enum SarFunctionKind {
  SAR_KIND_UNARY,
  SAR_KIND_BINARY,
  SAR_KIND_DEFINED,
  SAR_KIND_VARIADIC,
  SAR_KIND_BLOCK
} SarFunctionKind;

typedef struct SarFunction {
  SarOp op;
  SarFunctionKind kind;
  const char* name;        // "" for operators
  const char* parameters;  // as documented: "x, lo, hi"
  const char* definition;  // of a defined function
  const char* doc;
} SarFunction;

const SarFunction* sar_function_of(SarOp op);  // NULL for numbers, names and internal operations
const SarFunction* sar_function_find(const char* name);  // Nullable: no such function

// Names of the arguments in a definition, or of a block.
enum { SAR_MAX_PARAMETERS = 5 };
typedef struct SarParameters {
  int num;
  char name[SAR_MAX_PARAMETERS][8];
} SarParameters;
SarParameters sar_function_parameters(const SarFunction* f);
int sar_parameters_find(const SarParameters* p, const char* name);  // -1: not a parameter

// ---- checks and messages ------------------------------------------------------------------------
static inline bool sar_op_is_table(SarOp op) { return op == SAR_OP_TABLE || op == SAR_OP_SPLINE; }
// The points of a table, x1 y1 x2 y2 ..., must be two at least, with rising x. False when not,
// after a report.
bool sar_table_check(const SarExpr* table, const double* point, SarError* err);
// Does a call keep states (blocks.c)? And does one of these take so many arguments?
bool sar_op_is_block(SarOp op);
bool sar_block_takes(SarOp op, int num);
void sar_block_refuse(const SarExpr* call, SarError* err);  // where none may stand
// Reports an unknown name with the best hint there is.
void sar_report_unknown(SarError* err, SarLoc loc, const char* name, const char* const* known,
                        int known_count);
