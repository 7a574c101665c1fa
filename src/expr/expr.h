// Expressions: text -> tree (SarExpr) -> derivative (a tree too) -> program (SarProgram) -> value.
// User's reference: docs/expressions.md.
//
// Grammar, lowest precedence first. Names are letters, digits, '_' and '.': `elbow.q` is one name. Parts of
// a name with other characters are quoted: 'left-knee'.q; a quote within quotes is written twice.
//   c ? a : b    a or b    a and b    not a    < <= > >= == !=    + -    * / %    -a    a ^ b
//   (one comparison at a time; ^ from right to left, all others from left to right)
//   90 deg, 3000 rpm, 15 mm     a number followed by a unit name: deg rad rpm mm cm
//   constants: pi, e, deg, inf, true, false; functions: see functions.def
//   piecewise(t < 1, a, t < 2, b, c)   the first value whose condition holds, else the last
//   table(x, x1, y1, x2, y2, ...)      linear interpolation, constant beyond the ends
// A comparison is 1 or 0; any nonzero value is true. Division by zero and the like give infinities
// and NaN, never a trap.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "symbolic/tape.h"

typedef struct SarExpr SarExpr;  // immutable, in an arena

// ---- the graph ----------------------------------------------------------------------------------
// What the parser reads is a tree as written: every node has its own place in the text. All passes
// after it (binding, replacing, derivatives, kinks) build nodes of a graph in which equal expressions
// are one node (hash-consing; the table is what decision diagrams call the unique table). So a
// variable that is used a thousand times costs its nodes once, a derivative has as many new nodes as
// its source up to a factor, and two expressions are equal when their addresses are (numbers, when their
// bits are). A node keeps the place where it was first met: messages about names take the place from
// the tree as written.
typedef struct SarExprGraph {
  SarArena* arena;
  SarExpr** bucket;      // unique table, open addressing; NULL = empty
  int count, capacity;   // of nodes; of buckets, a power of two
  const SarExpr** rule;  // by operation: derivative or definition, once read
  unsigned walk;         // number of the pass that is looking at nodes
  bool refused;          // a bound was passed: depth, or SAR_EXPR_MAX_NODES
} SarExprGraph;
// The arena must outlive the graph, which needs no end of its own.
SarExprGraph sar_expr_graph(SarArena* arena);

// ---- reading ------------------------------------------------------------------------------------
// Parses text[0..n). `loc` is the place of text[0]; errors get their own column. NULL after an
// error (reported) or when memory ran out (arena->failed). Depth and length are bounded, so no
// input can exhaust the stack.
SarExpr* sar_expr_parse(SarArena* a, const char* text, size_t n, SarLoc loc, SarError* err);
SarExpr* sar_expr_number(SarArena* a, double value);
// True for a literal or a tree without names, which the parser has folded. value: Nullable.
bool sar_expr_is_number(const SarExpr* e, double* value);
bool sar_expr_is_reserved(const char* name);  // pi, e, and, ...: cannot be the name of a parameter
SarLoc sar_expr_loc(const SarExpr* e);        // place of its first character

// Calls visit for every name in a tree as written (each occurrence), with its place.
typedef void SarExprVisitor(void* context, const char* name, SarLoc loc);
void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context);
// The same for an expression of a graph: every name once.
void sar_expr_visit_graph(SarExprGraph* g, const SarExpr* e, SarExprVisitor* visit, void* context);

// ---- constants ----------------------------------------------------------------------------------
// lookup returns true and sets *value for names it knows.
typedef bool SarExprLookup(void* context, const char* name, double* value);
// Value of an expression of constants. Reports every unknown name, with a suggestion from `known`;
// false after an error.
bool sar_expr_constant(const SarExpr* e, SarExprLookup* lookup, void* context,
                       const char* const* known, int known_count, double* value, SarError* err);
// The same expression with every known name replaced by its value, folded. Unknown names stay.
// This is how a tree as written enters a graph; lookup: Nullable.
SarExpr* sar_expr_bind(SarExprGraph* g, const SarExpr* e, SarExprLookup* lookup, void* context);
// The same for a tree that stays as written: every node keeps its place.
SarExpr* sar_expr_put_values(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context);
// The same tree with other names; rename returns the name to put in (NULL: memory ran out).
typedef const char* SarExprRename(void* context, const char* name);
SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* rename, void* context);

// The same expression with names replaced by others; replace returns NULL for a name that stays.
typedef const SarExpr* SarExprReplace(void* context, const char* name);
SarExpr* sar_expr_replace(SarExprGraph* g, const SarExpr* e, SarExprReplace* replace,
                          void* context);

// a - b of an equation a == b; NULL: it is none, or memory ran out.
SarExpr* sar_expr_residual(SarArena* a, const SarExpr* e);
SarExpr* sar_expr_difference(SarArena* a, const SarExpr* x, const SarExpr* y);  // x - y

// The same tree with table(x, NAME) and spline(x, NAME) given the points of the table of that name. find sets x y
// pairs and how many numbers they are, and returns false for a name it does not know, which is reported with
// a suggestion from `known`; no points: the table is wrong, which has been reported. NULL when memory ran out or after a report.
typedef bool SarExprFindTable(void* context, const char* name, SarExpr* const** points, int* count);
SarExpr* sar_expr_put_tables(SarArena* a, const SarExpr* e, SarExprFindTable* find, void* context,
                             const char* const* known, int known_count, SarError* err);

// ---- blocks -------------------------------------------------------------------------------------
// Calls that keep states (filter, integral, pid) are taken apart into states of the model. name() gives
// the name of a state of a call (NULL: no memory; the same name where the same call is met again);
// define() its rate and start, trees as written. Inner calls come first.
typedef struct SarExprBlocks {
  void* context;
  const char* (*name)(void* context, const SarExpr* call, const char* function, const char* state);
  bool (*define)(void* context, const char* name, const SarExpr* call, const SarExpr* rate,
                 const SarExpr* start);
} SarExprBlocks;
// The same tree without such calls; e itself where there are none. NULL: no memory.
SarExpr* sar_expr_put_blocks(SarArena* a, const SarExpr* e, const SarExprBlocks* to);
// The first such call in a tree as written; NULL: there is none.
const SarExpr* sar_expr_find_block(const SarExpr* e);

// ---- calculus -----------------------------------------------------------------------------------
// d e / d name, simplified. At a kink of the expression: the derivative of the branch that holds.
// rate(context, other) may give the derivative of another name with respect to `name` (the chain
// rule); it returns NULL, or is NULL, for names that do not depend on it. Points of tables are
// constants. NULL when memory ran out, or with g->refused when the result would be nested too deeply or
// have too many nodes (high derivatives of deeply nested functions).
typedef SarExpr* SarExprRate(void* context, const char* name);
SarExpr* sar_expr_derivative(SarExprGraph* g, const SarExpr* e, const char* name, SarExprRate* rate,
                             void* context);

// A condition as a truth, 1 or 0: e itself if it is one (a comparison, and, or, not, ...), else e > 0.
// NULL when memory ran out.
const SarExpr* sar_expr_truth(SarExprGraph* g, const SarExpr* e);

// ---- kinks --------------------------------------------------------------------------------------
// Where the expression or its slope jumps. A kink is where a switching function g is 0:
//   a < b (<= > >=), min(a, b), max(a, b)   g = a - b
//   abs(x), sign(x), a condition x          g = x
//   table(x, x1, ...)                       g = x - xi, one per point
//   floor(x), ceil(x), x % p                only when x is a linear function of time
// == and != are not listed: they follow the jumps of what they compare, or hold at single points.
// When g = 0 can be solved for time (t < 1, abs(2*t - 1)), the time is given instead, so that steps
// land on it exactly. Kinks that return with a period (t % 0.5 < 0.1, sin(3*t) > 0) have both: the
// times time + n period, and a g for those who do not count periods.
typedef struct SarKink {
  bool is_time;   // happens once, at `time`
  double time;    // also the phase of a periodic kink, 0 <= time < period
  double period;  // s; 0: not periodic
  SarExpr* g;     // NULL when is_time
} SarKink;
// Finds all, each once: *kinks is in the arena of the graph. Returns how many there are. `time` is the
// name of time ("t").
int sar_expr_kinks(SarExprGraph* g, const SarExpr* e, const char* time, SarKink** kinks);
// The first time after t of a kink in time, once or periodic; false when there is none.
bool sar_kink_next(const SarKink* kink, double t, double* next);

// ---- programs -----------------------------------------------------------------------------------
// slot returns the slot number of a name, or -1: not known.
typedef int SarExprSlot(void* context, const char* name);
// Compiles into instrs (in the arena). Reports every unknown name, with a suggestion from `known`.
// False after an error or when memory ran out (arena->failed).
bool sar_expr_compile(SarArena* a, const SarExpr* e, SarExprSlot* slot, void* context,
                      const char* const* known, int known_count, SarProgram* program,
                      SarInstr** instrs, SarError* err);

// ---- documentation ------------------------------------------------------------------------------
typedef struct SarFunctionDoc {
  const char* name;
  const char* parameters;  // "x, lo, hi"
  const char* doc;
  bool keeps_state;  // in model files only: see blocks
} SarFunctionDoc;
bool sar_expr_function(int index, SarFunctionDoc* out);  // false past the end

// Bounds: of the register file of a program (enforced by sar_expr_compile), of nesting and of the
// text (by sar_expr_parse), of nodes and nesting in a graph.
enum {
  SAR_EXPR_MAX_REGISTERS = 4096,
  SAR_EXPR_MAX_DEPTH = 200,
  SAR_EXPR_MAX_LENGTH = 65536,
  SAR_EXPR_MAX_NODES = 1 << 22,
  SAR_EXPR_MAX_NESTING = 4096
};
