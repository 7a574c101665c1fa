// The expression language of model files: text -> tree as written (SarExpr) -> nodes of a symbolic
// graph (symbolic/symbolic.h), where all calculus happens -> tape.
// User's reference: docs/expressions.md.
//
// Grammar, lowest precedence first. Names are letters, digits, '_' and '.': `elbow.q` is one name.
// Parts of a name with other characters are quoted: 'left-knee'.q; a quote within quotes is written
// twice.
//   c ? a : b    a or b    a and b    not a    < <= > >= == !=    + -    * / %    -a    a ^ b
//   (one comparison at a time; ^ from right to left, all others from left to right)
//   90 deg, 3000 rpm, 15 mm     a number followed by a unit name: deg rad rpm mm cm
//   constants: pi, e, deg, inf, true, false; functions: see symbolic/functions.def
//   piecewise(t < 1, a, t < 2, b, c)   the first value whose condition holds, else the last
//   table(x, x1, y1, x2, y2, ...)      linear interpolation, constant beyond the ends
// A comparison is 1 or 0; any nonzero value is true. Division by zero and the like give infinities
// and NaN, never a trap.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "symbolic/symbolic.h"

// A tree as written, immutable, in an arena: every node has its own place in the text, for
// messages.
typedef struct SarExpr SarExpr;

// ---- reading ------------------------------------------------------------------------------------
// Parses text[0..n). `loc` is the place of text[0]; errors get their own column. NULL after an
// error (reported) or when memory ran out (arena->failed). Depth and length are bounded, so no
// input can exhaust the stack.
SarExpr* sar_expr_parse(SarArena* a, const char* text, size_t n, SarLoc loc, SarError* err);
SarExpr* sar_expr_number(SarArena* a, double value);
// True for a literal or a tree without names, which the parser has folded. value: Nullable.
bool sar_expr_is_number(const SarExpr* e, double* value);
// The name that it is, alone; NULL: something else.
const char* sar_expr_name(const SarExpr* e);
bool sar_expr_is_reserved(const char* name);  // pi, e, and, ...: cannot be the name of a parameter
SarLoc sar_expr_loc(const SarExpr* e);        // place of its first character

// Calls visit for every name (each occurrence), with its place.
typedef void SarExprVisitor(void* context, const char* name, SarLoc loc);
void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context);

// ---- trees from trees: every node keeps its place -----------------------------------------------
// lookup returns true and sets *value for names it knows.
typedef bool SarExprLookup(void* context, const char* name, double* value);
// Every known name replaced by its value, folded. Unknown names stay.
SarExpr* sar_expr_put_values(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context);
// Names replaced by trees; replace returns NULL for a name that stays.
typedef const SarExpr* SarExprReplace(void* context, const char* name);
SarExpr* sar_expr_replace(SarArena* a, const SarExpr* e, SarExprReplace* replace, void* context);
// Other names; rename returns the name to put in (NULL: memory ran out).
typedef const char* SarExprRename(void* context, const char* name);
SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* rename, void* context);

// a - b of an equation a == b; NULL: it is none, or memory ran out.
SarExpr* sar_expr_residual(SarArena* a, const SarExpr* e);
SarExpr* sar_expr_difference(SarArena* a, const SarExpr* x, const SarExpr* y);  // x - y

// The same tree with table(x, NAME) and spline(x, NAME) given the points of the table of that name.
// find sets x y pairs and how many numbers they are, and returns false for a name it does not know,
// which is reported with a suggestion from `known`; no points: the table is wrong, which has been
// reported. NULL when memory ran out or after a report.
typedef bool SarExprFindTable(void* context, const char* name, SarExpr* const** points, int* count);
SarExpr* sar_expr_put_tables(SarArena* a, const SarExpr* e, SarExprFindTable* find, void* context,
                             const char* const* known, int known_count, SarError* err);

// ---- blocks -------------------------------------------------------------------------------------
// Calls that keep states (filter, integral, pid) are taken apart into states of the model. name()
// gives the name of a state of a call (NULL: no memory; the same name where the same call is met
// again); define() its rate and start, trees as written. Inner calls come first.
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

// ---- into the graph -----------------------------------------------------------------------------
// The node of a tree, built exactly (SAR_EXACT): its value is that of the text, bit for bit. Names
// that lookup knows become numbers (Nullable), others symbols; functions that are defined in the
// language are opened. Reports tables whose points are no constants or do not rise, and calls that
// keep states. SAR_NONE after a report, when memory ran out, or when the graph is full
// (sar_graph_refused).
SarNode sar_expr_enter(SarGraph* g, const SarExpr* e, SarExprLookup* lookup, void* context,
                       SarError* err);
// Value of an expression of constants. Reports every unknown name, with a suggestion from `known`;
// false after an error.
bool sar_expr_constant(const SarExpr* e, SarExprLookup* lookup, void* context,
                       const char* const* known, int known_count, double* value, SarError* err);

// A condition as a truth, 1 or 0: n itself if it is one (a comparison, and, or, not, ...), else n >
// 0.
SarNode sar_expr_truth(SarGraph* g, SarNode n);

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
  SarNode g;      // SAR_NONE when is_time
} SarKink;
// Finds all, each once: *kinks is in the arena of the graph. Returns how many there are. `time` is
// the name of time ("t").
int sar_expr_kinks(SarGraph* g, SarNode n, const char* time, SarKink** kinks);
// The first time after t of a kink in time, once or periodic; false when there is none.
bool sar_kink_next(const SarKink* kink, double t, double* next);

// ---- programs -----------------------------------------------------------------------------------
// The tape of one node (symbolic/tape.h). False when memory ran out, or after a report: it needs
// more than SAR_EXPR_MAX_REGISTERS registers, or slot does not know a name; `loc` is the place of
// both.
bool sar_expr_program(SarArena* a, SarGraph* g, SarNode n, SarSlot* slot, void* context, SarLoc loc,
                      SarProgram* program, SarInstr** instrs, SarError* err);
// The same from a tree. Reports every unknown name at its place, with a suggestion from `known`.
bool sar_expr_compile(SarArena* a, const SarExpr* e, SarSlot* slot, void* context,
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

// Bounds: of the register file of a program (enforced by sar_expr_program), of nesting and of the
// text (by sar_expr_parse).
enum { SAR_EXPR_MAX_REGISTERS = 4096, SAR_EXPR_MAX_DEPTH = 200, SAR_EXPR_MAX_LENGTH = 65536 };
