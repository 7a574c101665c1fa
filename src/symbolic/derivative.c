// Derivatives. The rule of every function stands in functions.def as df of x, y, dx, dy, linear in
// dx and dy. Forward mode puts the derivatives of the arguments there; reverse mode the adjoint of
// f in place of dx, then of dy, and adds what comes out to the adjoint of x, then of y.
#include "symbolic/graph.h"

#include "base/spline.h"
#include "symbolic/rewrite.h"

// What the rules of functions.def are written with.
#define number(c) sar_sym_number(g, (c))
#define add(a, b) sar_sym_add(g, (a), (b))
#define sub(a, b) sar_sym_sub(g, (a), (b))
#define mul(a, b) sar_sym_mul(g, (a), (b))
#define div(a, b) sar_sym_div(g, (a), (b))
#define neg(a) sar_sym_neg(g, (a))
#define square(a) sar_sym_square(g, (a))
#define choose(c, a, b) sar_sym_select(g, (c), (a), (b))
#define first_of(a, ...) a
#define second_of(a, b, ...) b
#define of(id, ...) \
  sar_sym_call(g, SAR_OP_##id, first_of(__VA_ARGS__, ), second_of(__VA_ARGS__, SAR_NONE, ))

// clang-format off
#define SAR_UNARY(id, name, parameters, value, derivative, doc) \
  case SAR_OP_##id: return derivative;
#define SAR_BINARY(id, name, parameters, value, derivative, doc) \
  case SAR_OP_##id: return derivative;
#define SAR_DEFINED(id, name, parameters, value, doc)
// clang-format on

// df of f = op(x, y)
static SarNode function_rule(SarGraph* g, SarOp op, SarNode f, SarNode x, SarNode y, SarNode dx,
                             SarNode dy) {
  (void)f, (void)y, (void)dy;
  switch (op) {
#include "symbolic/functions.def"
    default: return SAR_NONE;
  }
}

// slope(x) dx; spline' = its slope, slope' = the table of y'', which is straight between the points
static SarNode table_rule(SarGraph* g, SarNodeData n, SarNode dx) {
  SarNode slope = SAR_NONE;
  if (n.op == SAR_OP_SLOPE) return number(0);
  if (n.op == SAR_OP_TABLE) slope = sar_graph_table(g, SAR_OP_SLOPE, n.arg[0], n.table);
  if (n.op == SAR_OP_SPLINE) slope = sar_graph_table(g, SAR_OP_SPLINE_SLOPE, n.arg[0], n.table);
  if (n.op == SAR_OP_SPLINE_SLOPE) {
    const SarPoints p = g->tables.items[n.table];
    double* bend = SAR_ARENA_ARRAY(g->arena, double, 2 * p.count);
    if (!bend) return SAR_NONE;
    for (int i = 0; i < p.count; i++) {
      bend[2 * i] = p.at[SPLINE_KNOT * i + SPLINE_X];
      bend[2 * i + 1] = p.at[SPLINE_KNOT * i + SPLINE_BEND];
    }
    slope = sar_sym_table(g, SAR_OP_TABLE, n.arg[0], p.count, bend);
  }
  return mul(slope, dx);
}

// Derivative of a node from those of its arguments.
static SarNode rule(SarGraph* g, SarNode f, const SarNode* d) {
  const SarNodeData n = *node_of(g, f);  // a copy: the array moves while nodes are added
  const SarOp op = (SarOp)n.op;
  if (op == SAR_OP_SELECT) return choose(n.arg[0], d[1], d[2]);
  if (is_table(op)) return table_rule(g, n, d[0]);
  return function_rule(g, op, f, n.arg[0], n.arg[1], d[0], d[1]);
}

// A derivative is not what a person wrote: zeros may go.
static SarRules begin(SarGraph* g) {
  return sar_graph_rules(g, g->rules == SAR_EXACT ? SAR_TIDY : g->rules);
}

// ---- forward ------------------------------------------------------------------------------------

// x (x x), as x^3 is built: its derivative is 3 x^2 dx in place of two products
static bool is_cube(const SarGraph* g, SarNode f, int* x) {
  const SarNodeData* n = node_of(g, f);
  for (int k = 0; k < 2 && n->op == SAR_OP_MUL; k++) {
    const SarNodeData* square = node_of(g, n->arg[1 - k]);
    *x = k;
    if (square->op == SAR_OP_MUL && square->arg[0] == n->arg[k] && square->arg[1] == n->arg[k])
      return true;
  }
  return false;
}

static SarNode cube_rule(SarGraph* g, SarNode x, SarNode dx) {
  return mul(mul(number(3), square(x)), dx);
}

typedef struct Given {
  SarRate* rate;
  void* context;
  bool of_all;  // nodes, not of symbols alone
} Given;

// d[i] of all items, 0 for those that do not depend on anything that moves
static bool forward(SarGraph* g, const SarOrder* order, const Given* given, SarNode* d) {
  const SarNode zero = number(0);
  for (int i = 0; i < order->count; i++) {
    const SarOrderItem* item = &order->item[i];
    const bool symbol = op_of(g, item->node) == SAR_OP_SYMBOL;
    d[i] = symbol || given->of_all ? given->rate(given->context, item->node) : SAR_NONE;
    if (d[i] >= 0) continue;
    d[i] = zero;
    SarNode dx[3] = {zero, zero, zero};
    bool constant = true;
    for (int k = 0; k < 3 && item->arg[k] >= 0; k++) {
      dx[k] = d[item->arg[k]];
      constant = constant && is_value(g, dx[k], 0);
    }
    int base;
    if (!constant && is_cube(g, item->node, &base))
      d[i] = cube_rule(g, node_of(g, item->node)->arg[base], dx[base]);
    else if (!constant)
      d[i] = rule(g, item->node, dx);
    if (d[i] < 0) return false;
  }
  return true;
}

static bool forward_all(SarGraph* g, int n, const SarNode* y, const Given* given, SarNode* dy) {
  SarArena scratch;
  SarOrder order;
  SarNode* d = NULL;
  const SarRules rules = begin(g);
  sar_arena_beside(&scratch, g->arena);
  bool done = sar_sym_order(&scratch, g, n, y, &order);
  if (done) d = SAR_ARENA_ARRAY(&scratch, SarNode, order.count + 1);
  done = d && forward(g, &order, given, d);
  for (int i = 0; i < n; i++) dy[i] = done ? d[order.output[i]] : SAR_NONE;
  sar_arena_end(&scratch, g->arena);
  sar_graph_rules(g, rules);
  return done;
}

bool sar_sym_forward(SarGraph* g, int n, const SarNode* y, SarRate* rate, void* context,
                     SarNode* dy) {
  return forward_all(g, n, y, &(Given){rate, context, false}, dy);
}

bool sar_sym_forward_nodes(SarGraph* g, int n, const SarNode* y, SarRate* rate, void* context,
                           SarNode* dy) {
  return forward_all(g, n, y, &(Given){rate, context, true}, dy);
}

typedef struct Partial {
  SarNode symbol, one;
} Partial;

static SarNode partial_rate(void* context, SarNode symbol) {
  const Partial* p = context;
  return symbol == p->symbol ? p->one : SAR_NONE;
}

SarNode sar_sym_diff(SarGraph* g, SarNode y, SarNode symbol) {
  SarNode dy;
  Partial p = {symbol, number(1)};
  return y >= 0 && p.one >= 0 && sar_sym_forward(g, 1, &y, partial_rate, &p, &dy) ? dy : SAR_NONE;
}

// ---- reverse ------------------------------------------------------------------------------------

// the share of the adjoint of an item that argument k gets
static SarNode share(SarGraph* g, SarNode f, int k, SarNode adjoint, SarNode zero) {
  if (k == 0 && op_of(g, f) == SAR_OP_SELECT) return zero;  // conditions have no slope
  SarNode d[3] = {zero, zero, zero};
  d[k] = adjoint;
  return rule(g, f, d);
}

// Which items depend on the symbols: others need no adjoint.
static bool* moving(SarArena* a, const SarOrder* order, int symbols, const SarNode* symbol) {
  bool* moves = SAR_ARENA_ARRAY(a, bool, order->count + 1);
  if (!moves) return NULL;
  for (int i = 0; i < order->count; i++) {
    for (int s = 0; s < symbols && order->item[i].arg[0] < 0; s++)
      moves[i] = moves[i] || order->item[i].node == symbol[s];
    for (int k = 0; k < 3 && order->item[i].arg[k] >= 0; k++)
      moves[i] = moves[i] || moves[order->item[i].arg[k]];
  }
  return moves;
}

static bool reverse(SarGraph* g, const SarOrder* order, const bool* moves, SarNode* adjoint) {
  const SarNode zero = number(0);
  for (int i = order->count - 1; i >= 0; i--) {
    const SarOrderItem* item = &order->item[i];
    if (adjoint[i] < 0 || !moves[i] || is_value(g, adjoint[i], 0)) continue;
    for (int k = 0; k < 3 && item->arg[k] >= 0; k++) {
      SarNode* to = &adjoint[item->arg[k]];
      if (!moves[item->arg[k]]) continue;
      const SarNode part = share(g, item->node, k, adjoint[i], zero);
      *to = *to < 0 ? part : add(*to, part);
      if (*to < 0) return false;
    }
  }
  return true;
}

static bool gradient_of(SarArena* scratch, SarGraph* g, int n, const SarNode* y,
                        const SarNode* weight, int symbols, const SarNode* symbol,
                        SarNode* gradient) {
  SarOrder order;
  if (!sar_sym_order(scratch, g, n, y, &order)) return false;
  const bool* moves = moving(scratch, &order, symbols, symbol);
  SarNode* adjoint = SAR_ARENA_ARRAY(scratch, SarNode, order.count + 1);
  if (!moves || !adjoint) return false;
  for (int i = 0; i < order.count; i++) adjoint[i] = SAR_NONE;
  for (int i = 0; i < n; i++) {
    const SarNode seed = weight ? weight[i] : number(1);
    SarNode* to = &adjoint[order.output[i]];
    *to = *to < 0 ? seed : add(*to, seed);
    if (*to < 0) return false;
  }
  if (!reverse(g, &order, moves, adjoint)) return false;
  const SarNode zero = number(0);
  for (int s = 0; s < symbols; s++) gradient[s] = zero;
  for (int i = 0; i < order.count; i++)
    for (int s = 0; s < symbols && order.item[i].arg[0] < 0; s++)
      if (order.item[i].node == symbol[s] && adjoint[i] >= 0) gradient[s] = adjoint[i];
  return zero >= 0;
}

bool sar_sym_reverse(SarGraph* g, int n, const SarNode* y, const SarNode* weight, int symbols,
                     const SarNode* symbol, SarNode* gradient) {
  SarArena scratch;
  const SarRules rules = begin(g);
  sar_arena_beside(&scratch, g->arena);
  const bool done = gradient_of(&scratch, g, n, y, weight, symbols, symbol, gradient);
  sar_arena_end(&scratch, g->arena);
  sar_graph_rules(g, rules);
  return done;
}

bool sar_sym_jacobian(SarGraph* g, int n, const SarNode* y, int symbols, const SarNode* symbol,
                      SarNode* J) {
  if (n < symbols) {
    for (int i = 0; i < n; i++)
      if (!sar_sym_reverse(g, 1, &y[i], NULL, symbols, symbol, &J[i * symbols])) return false;
    return true;
  }
  SarArena scratch;
  sar_arena_beside(&scratch, g->arena);
  SarNode* column = SAR_ARENA_ARRAY(&scratch, SarNode, n + 1);
  bool done = column != NULL;
  for (int k = 0; k < symbols && done; k++) {
    Partial p = {symbol[k], number(1)};
    done = p.one >= 0 && sar_sym_forward(g, n, y, partial_rate, &p, column);
    for (int i = 0; i < n && done; i++) J[i * symbols + k] = column[i];
  }
  sar_arena_end(&scratch, g->arena);
  return done;
}
