// Expressions: text -> tree (SarExpr) -> derivative (another tree) -> program (SarProgram) -> value.
//
// Grammar, lowest precedence first (names are letters, digits, '_' and '.', so `elbow.q` is one name):
//   c ? a : b      a or b    a and b    not a    < <= > >= == !=    + -    * / %    unary -    a ^ b (right to left)
//   90 deg, 3000 rpm, 15 mm     a number followed by a unit name: deg rad rpm mm cm
//   constants: pi, e, deg, inf, true, false; functions: see functions.def
//   piecewise(t < 1, a, t < 2, b, c)   the first value whose condition holds, else the last
//   table(x, x1, y1, x2, y2, ...)      linear interpolation, constant beyond the ends
// A comparison is 1 or 0; any nonzero value is true.
#pragma once
#include "base/arena.h"
#include "base/error.h"

typedef struct SarExpr SarExpr;  // immutable tree in an arena; may be shared

// ---- reading -----------------------------------------------------------------------------------------------
// Parses text[0..n). `loc` is the place of text[0]; errors get their own column. NULL after an error (reported) or when
// memory ran out (arena->failed). Depth and length are bounded, so no input can exhaust the stack.
SarExpr* sar_expr_parse(SarArena* a, const char* text, size_t n, SarLoc loc, SarError* err);
SarExpr* sar_expr_number(SarArena* a, double value);
bool sar_expr_is_number(const SarExpr* e,
                        double* value);  // a literal or a tree without names (folded by the parser)
bool sar_expr_is_reserved(const char* name);  // pi, e, and, ...: cannot be the name of a parameter
SarLoc sar_expr_loc(const SarExpr* e);        // place of its first character

// Calls visit for every name in the tree (each occurrence), with its place.
typedef void SarExprVisitor(void* context, const char* name, SarLoc loc);
void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context);

// ---- constants ---------------------------------------------------------------------------------------------
// lookup returns true and sets *value for names it knows.
typedef bool SarExprLookup(void* context, const char* name, double* value);
// Value of an expression of constants; reports every unknown name (with a suggestion from `known`) and returns false then.
bool sar_expr_constant(const SarExpr* e, SarExprLookup* lookup, void* context,
                       const char* const* known, int known_count, double* value, SarError* err);
// The same tree with every known name replaced by its value, folded. Unknown names stay.
SarExpr* sar_expr_bind(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context);
// The same tree with other names; rename returns the name to put in (NULL: memory ran out).
typedef const char* SarExprRename(void* context, const char* name);
SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* rename, void* context);

// ---- calculus ----------------------------------------------------------------------------------------------
// d e / d name, simplified; NULL when memory ran out or when it would be absurdly large (derivatives of derivatives of giants). Kinks (abs, min, if, table) take the derivative of the branch that holds.
// rate(context, other) may give the derivative of another name with respect to `name` (a chain rule); NULL: all others are constant.
typedef SarExpr* SarExprRate(void* context, const char* name);
SarExpr* sar_expr_derivative(SarArena* a, const SarExpr* e, const char* name, SarExprRate* rate,
                             void* context);

// ---- kinks -------------------------------------------------------------------------------------------------
// Where the expression is not smooth: each kink is a switching function g, the kink is where g = 0 (for a comparison a < b,
// g = a - b; abs(x): x; min(a,b): a - b; table: x - xi; floor, %: not listed except when time alone is inside and the period is constant).
// When g = 0 is a chain of invertible operations on time (t < 1, 2*t - 1 > 0), the time is given instead (is_time), so that steps
// can land on it exactly. Kinks that return with a period (t % 0.5 < 0.1, sin(3*t) > 0) have both: the times time + n period,
// and a switching function for those who do not count periods. == and != are not listed: they follow other kinks or hold at a point.
typedef struct SarKink {
  bool is_time;   // happens once, at `time`
  double time;    // also the phase of a periodic kink, 0 <= time < period
  double period;  // s; 0: not periodic
  SarExpr* g;     // NULL when is_time
} SarKink;
// Appends to kinks (capacity `max`), returns how many there are in all (may exceed max). `time` is the name of time ("t").
// Kinks found twice count once, as long as they fit.
int sar_expr_kinks(SarArena* a, const SarExpr* e, const char* time, SarKink* kinks, int max);
// The first time after t of a kink in time, once or periodic; false when there is none.
bool sar_kink_next(const SarKink* kink, double t, double* next);

// ---- programs ----------------------------------------------------------------------------------------------
// A program is a flat list of three-address instructions over doubles; it sits in one block of memory without pointers, so that it can be
// copied into a model block. Names were replaced by slot numbers.
typedef struct SarInstr {
  unsigned short op;
  unsigned short a, b,
      c;  // registers: result a = op(b, c); LOAD a <- slots[index]; CONST a <- value
  union {
    double value;
    int index;
  };
} SarInstr;

typedef struct SarProgram {
  int count;      // instructions; 0 = the constant 0
  int registers;  // scratch doubles needed by an evaluation
  int result;     // register of the result
} SarProgram;

// slot returns the slot number of a name, or -1 (reported as unknown name with a suggestion from `known`).
typedef int SarExprSlot(void* context, const char* name);
// Compiles into instrs (in the arena). False after an error.
bool sar_expr_compile(SarArena* a, const SarExpr* e, SarExprSlot* slot, void* context,
                      const char* const* known, int known_count, SarProgram* program,
                      SarInstr** instrs, SarError* err);
// Evaluates; `scratch` holds program->registers doubles. No allocation, no loop that depends on values.
double sar_program_eval(const SarProgram* p, const SarInstr* instrs, const double* slots,
                        double* scratch);

// ---- documentation -----------------------------------------------------------------------------------------
typedef struct SarFunctionDoc {
  const char* name;
  const char* parameters;  // "x, lo, hi"
  const char* doc;
} SarFunctionDoc;
bool sar_expr_function(int index, SarFunctionDoc* out);  // false past the end

// Bounds: of the register file of a program (enforced by sar_expr_compile), of nesting and of the text (by sar_expr_parse).
enum { SAR_EXPR_MAX_REGISTERS = 4096, SAR_EXPR_MAX_DEPTH = 200, SAR_EXPR_MAX_LENGTH = 65536 };
