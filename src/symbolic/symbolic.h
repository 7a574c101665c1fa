// Symbolic expressions: a flat hash-consed graph, built simplified, differentiated, printed, and
// evaluated as a tape.
//
//   SarArena arena;  sar_arena_init(&arena);
//   SarGraph* g = sar_graph_new(&arena);
//   SarNode q = sar_sym_symbol(g, "q"), y = sar_sym_mul(g, sar_sym_sin(g, q), q);
//   SarNode dy = sar_sym_diff(g, y, q);                       // sin q + q cos q
//   SarTape tape;                                             // both values in one pass
//   sar_tape_build(&arena, g, 2, (SarNode[]){y, dy}, slot_of_symbol, context, &tape);
//   sar_tape_eval(&tape, slots, scratch, results);
//
// A node is a number in an array (SarNode). Its arguments have smaller numbers, so that every pass
// is a loop, whatever the depth, and none recurses. Equal expressions are one node (hash-consing;
// the table is what decision diagrams call the unique table): to compare expressions, compare
// numbers; common subexpressions are shared as soon as they are built. Nothing is ever removed from
// a graph.
//
// Failure: SAR_NONE is a node that means "could not be built". Every builder that is given one
// returns one, so a check at the end is enough; sar_graph_refused tells a passed bound from lack of
// memory (arena->failed). Order of building decides numbers, nothing else does: graphs are the same
// in every run.
#pragma once
#include "base/arena.h"
#include "symbolic/op.h"
#include "symbolic/tape.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct SarGraph SarGraph;
typedef int SarNode;
enum { SAR_NONE = -1 };

// The arena must outlive the graph, which needs no end of its own. NULL: no memory.
SarGraph* sar_graph_new(SarArena* arena);
int sar_graph_count(const SarGraph* g);  // nodes
SarArena* sar_graph_arena(const SarGraph* g);
bool sar_graph_refused(const SarGraph* g);  // more nodes were asked for than the bound allows
void sar_graph_bound(SarGraph* g, int max_nodes);  // SAR_SYM_MAX_NODES unless said

enum { SAR_SYM_MAX_NODES = 1 << 22 };

// ---- building -----------------------------------------------------------------------------------
// How much the builders may simplify.
//   SAR_ALGEBRA  identities of real numbers: 0 x = 0, x - x = 0, 2 x + x = 3 x, sin² + cos² = 1,
//                ...
//   SAR_EXACT    only what leaves every bit of every value, infinities and NaN included: for what a
//                person wrote, who must find his 0/0 again
//   SAR_TIDY     between both: 0 x = 0, 1 x = x, x - x = 0, 2 (3 x) = 6 x, but terms and factors
//                stay grouped as they are. Derivatives in an exact graph are built by it.
typedef enum SarRules { SAR_ALGEBRA, SAR_EXACT, SAR_TIDY } SarRules;
SarRules sar_graph_rules(SarGraph* g, SarRules rules);  // from here on; returns those before

SarNode sar_sym_number(SarGraph* g, double value);
// num/den, exact: kept in lowest terms as long as 64 bits hold it, then rounded. den 0: as doubles.
SarNode sar_sym_rational(SarGraph* g, int64_t num, int64_t den);
SarNode sar_sym_symbol(SarGraph* g, const char* name);  // copies the name
SarNode sar_sym_neg(SarGraph* g, SarNode x);
SarNode sar_sym_add(SarGraph* g, SarNode x, SarNode y);
SarNode sar_sym_sub(SarGraph* g, SarNode x, SarNode y);
SarNode sar_sym_mul(SarGraph* g, SarNode x, SarNode y);
SarNode sar_sym_div(SarGraph* g, SarNode x, SarNode y);
SarNode sar_sym_pow(SarGraph* g, SarNode x, SarNode y);
SarNode sar_sym_square(SarGraph* g, SarNode x);
SarNode sar_sym_sqrt(SarGraph* g, SarNode x);
SarNode sar_sym_sin(SarGraph* g, SarNode x);
SarNode sar_sym_cos(SarGraph* g, SarNode x);
SarNode sar_sym_select(SarGraph* g, SarNode condition, SarNode yes, SarNode no);
// Any operation of functions.def; y is unused by unary ones.
SarNode sar_sym_call(SarGraph* g, SarOp op, SarNode x, SarNode y);
// SAR_OP_TABLE, _SLOPE, _SPLINE or _SPLINE_SLOPE of n >= 2 points x, y with rising x (copied).
SarNode sar_sym_table(SarGraph* g, SarOp op, SarNode x, int n, const double* points);

// ---- looking ------------------------------------------------------------------------------------
SarOp sar_node_op(const SarGraph* g, SarNode n);
int sar_node_num(const SarGraph* g, SarNode n);                        // arguments, 0 to 3
SarNode sar_node_arg(const SarGraph* g, SarNode n, int i);             // SAR_NONE past the last
bool sar_node_is_number(const SarGraph* g, SarNode n, double* value);  // value: Nullable
bool sar_node_is(const SarGraph* g, SarNode n, double value);          // the number `value`
// A number that is known exactly: a whole number, or one built from sar_sym_rational.
bool sar_node_rational(const SarGraph* g, SarNode n, int64_t* num, int64_t* den);
const char* sar_node_name(const SarGraph* g, SarNode n);  // of a symbol, else NULL
// Of a table: x, y pairs; of a spline: x, y, y'' triples. Returns how many points.
int sar_node_points(const SarGraph* g, SarNode n, const double** points);

// ---- passes -------------------------------------------------------------------------------------
// What some outputs are made of: every node once, arguments before what uses them. The order is
// that of a depth-first walk from the outputs, so values are made shortly before they are used.
typedef struct SarOrderItem {
  SarNode node;
  int arg[3];  // places of the arguments in the list, -1: none
  int uses;    // by later items and by outputs
} SarOrderItem;
typedef struct SarOrder {
  int count, outputs;
  SarOrderItem* item;
  int* output;  // place of each output
} SarOrder;
// In the arena; false when memory ran out or an output is SAR_NONE. Cost: O(nodes of the outputs).
bool sar_sym_order(SarArena* a, SarGraph* g, int outputs, const SarNode* output, SarOrder* order);

// out[i] is y[i] with symbols replaced; replace returns SAR_NONE for one that stays. Built by the
// rules that hold at the time. False when memory ran out or the graph is full.
typedef SarNode SarReplace(void* context, SarNode symbol);
bool sar_sym_substitute(SarGraph* g, int n, const SarNode* y, SarReplace* replace, void* context,
                        SarNode* out);
// out[i] in graph `to` is y[i] of graph `from`.
bool sar_sym_copy(SarGraph* from, int n, const SarNode* y, SarGraph* to, SarNode* out);

// Calls visit for every symbol that y is made of, once.
typedef void SarSymbolVisitor(void* context, const char* name);
bool sar_sym_visit(SarGraph* g, SarNode y, SarSymbolVisitor* visit, void* context);

// Operations that an evaluation of the outputs takes, each node once.
typedef struct SarOpCount {
  int add, mul, div, trig, other;  // + and - and sign; *; /; sin and cos; all other functions
} SarOpCount;
bool sar_sym_count(SarGraph* g, int n, const SarNode* y, SarOpCount* count);

// ---- calculus -----------------------------------------------------------------------------------
// Built by the rules that hold, but by SAR_TIDY in place of SAR_EXACT. At a kink: the derivative of
// the branch that holds. Points of tables are constants. SAR_NONE or false when memory ran out or
// the graph is full.
SarNode sar_sym_diff(SarGraph* g, SarNode y, SarNode symbol);
// Forward mode: dy[i] from the derivatives of the symbols, which rate gives (SAR_NONE: 0). With the
// time derivatives of all symbols this is the chain rule d/dt; with rate 1 for one symbol a
// partial.
typedef SarNode SarRate(void* context, SarNode symbol);
bool sar_sym_forward(SarGraph* g, int n, const SarNode* y, SarRate* rate, void* context,
                     SarNode* dy);
// Reverse mode (adjoints): gradient[i] = sum_k weight[k] d y[k] / d symbol[i]. weight NULL: ones.
// Costs about four times the nodes of y, however many symbols there are.
bool sar_sym_reverse(SarGraph* g, int n, const SarNode* y, const SarNode* weight, int symbols,
                     const SarNode* symbol, SarNode* gradient);
// J[i * symbols + k] = d y[i] / d symbol[k], row by row in reverse or column by column in forward
// mode, whichever has fewer passes.
bool sar_sym_jacobian(SarGraph* g, int n, const SarNode* y, int symbols, const SarNode* symbol,
                      SarNode* J);

// ---- tapes --------------------------------------------------------------------------------------
// The outputs as one tape (tape.h), each node computed once. slot gives the slot of a symbol, or
// -1: not known, which ends in false. False also when memory ran out, an output is SAR_NONE, or
// more than SAR_TAPE_MAX_REGISTERS registers are needed (then tape->registers says how many).
typedef int SarSlot(void* context, const char* name);
bool sar_tape_build(SarArena* a, SarGraph* g, int outputs, const SarNode* output, SarSlot* slot,
                    void* context, SarTape* tape);
// The same for one result, which stays in a register.
bool sar_program_build(SarArena* a, SarGraph* g, SarNode output, SarSlot* slot, void* context,
                       SarProgram* program, SarInstr** instrs);
