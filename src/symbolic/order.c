// Passes over what outputs are made of: the order of evaluation, substitution, copies, counts.
#include "symbolic/graph.h"
#include "symbolic/rewrite.h"

// Room for marks of all nodes.
static bool mark_room(SarGraph* g) {
  if (g->marks >= g->nodes.count) return true;
  const int room = g->nodes.capacity;
  int* mark = SAR_ARENA_ARRAY(g->arena, int, 2 * room);
  if (!mark) return false;
  if (g->mark) sar_arena_release(g->arena, g->mark, sizeof(int) * 2 * (size_t)g->marks);
  g->mark = mark;
  g->place = mark + room;
  g->marks = room;
  g->walk = 0;
  return true;
}

// ---- order: depth first, with a stack of its own ------------------------------------------------

typedef struct Frame {
  SarNode node;
  int next;  // argument to look at
} Frame;

typedef struct Walk {
  SarGraph* g;
  SarArena* arena;
  SAR_LIST(SarOrderItem) items;
  SAR_LIST(Frame) stack;
} Walk;

static bool push(Walk* w, SarNode n) {
  Frame* f = SAR_LIST_ADD(w->arena, &w->stack);
  if (f) *f = (Frame){n, 0};
  return f != NULL;
}

// all arguments have their places
static bool take(Walk* w, SarNode n) {
  const SarNodeData* node = node_of(w->g, n);
  SarOrderItem* item = SAR_LIST_ADD(w->arena, &w->items);
  if (!item) return false;
  *item = (SarOrderItem){.node = n, .arg = {-1, -1, -1}};
  for (int i = 0; i < node->num; i++) {
    item->arg[i] = w->g->place[node->arg[i]];
    w->items.items[item->arg[i]].uses++;
  }
  w->g->mark[n] = w->g->walk;
  w->g->place[n] = w->items.count - 1;
  return true;
}

static bool walk(Walk* w, SarNode output) {
  const SarGraph* g = w->g;
  if (g->mark[output] == g->walk) return true;
  if (!push(w, output)) return false;
  while (w->stack.count > 0) {
    Frame* f = &w->stack.items[w->stack.count - 1];
    const SarNodeData* node = node_of(g, f->node);
    if (f->next < node->num) {
      const SarNode arg = node->arg[f->next++];
      if (g->mark[arg] != g->walk && !push(w, arg)) return false;
      continue;
    }
    w->stack.count--;
    if (g->mark[f->node] != g->walk && !take(w, f->node)) return false;
  }
  return true;
}

bool sar_sym_order(SarArena* a, SarGraph* g, int outputs, const SarNode* output, SarOrder* order) {
  *order = (SarOrder){.outputs = outputs};
  order->output = SAR_ARENA_ARRAY(a, int, outputs ? outputs : 1);
  if (!order->output || !mark_room(g)) return false;
  g->walk++;
  Walk w = {.g = g, .arena = a};
  for (int i = 0; i < outputs; i++) {
    if (output[i] < 0 || !walk(&w, output[i])) return false;
    order->output[i] = g->place[output[i]];
    w.items.items[order->output[i]].uses++;
  }
  order->item = w.items.items;
  order->count = w.items.count;
  return true;
}

// ---- building again -----------------------------------------------------------------------------

// A node of `from` in `to`, whose arguments are there.
static SarNode again(const SarGraph* from, SarNode n, SarGraph* to, const SarNode* arg) {
  const SarNodeData node = *node_of(from, n);
  int64_t num, den;
  switch ((SarOp)node.op) {
    case SAR_OP_SYMBOL: return sar_sym_symbol(to, node.name);
    case SAR_OP_NUMBER:
      if (sar_node_is_fraction(from, n) && sar_node_rational(from, n, &num, &den))
        return sar_sym_rational(to, num, den);
      return sar_sym_number(to, node.value);
    default: break;
  }
  if (from != to && is_table((SarOp)node.op)) {
    const SarPoints p = from->tables.items[node.table];
    return sar_graph_table(to, (SarOp)node.op, arg[0],
                           sar_graph_points(to, p.count, p.width, p.at));
  }
  return sar_graph_rebuild(to, &node, arg);
}

static bool rebuild(SarArena* scratch, SarGraph* from, int n, const SarNode* y, SarReplace* replace,
                    void* context, SarGraph* to, SarNode* out) {
  SarOrder order;
  if (!sar_sym_order(scratch, from, n, y, &order)) return false;
  SarNode* made = SAR_ARENA_ARRAY(scratch, SarNode, order.count + 1);
  if (!made) return false;
  for (int i = 0; i < order.count; i++) {
    const SarOrderItem* item = &order.item[i];
    SarNode arg[3] = {SAR_NONE, SAR_NONE, SAR_NONE};
    bool same = from == to;
    for (int k = 0; k < 3 && item->arg[k] >= 0; k++) {
      arg[k] = made[item->arg[k]];
      same = same && arg[k] == order.item[item->arg[k]].node;
    }
    made[i] = SAR_NONE;
    if (replace && (from != to || op_of(from, item->node) == SAR_OP_SYMBOL))
      made[i] = replace(context, item->node);
    if (made[i] < 0) made[i] = same ? item->node : again(from, item->node, to, arg);
    if (made[i] < 0) return false;
  }
  for (int i = 0; i < n; i++) out[i] = made[order.output[i]];
  return true;
}

bool sar_sym_substitute(SarGraph* g, int n, const SarNode* y, SarReplace* replace, void* context,
                        SarNode* out) {
  SarArena scratch;
  sar_arena_beside(&scratch, g->arena);
  const bool done = rebuild(&scratch, g, n, y, replace, context, g, out);
  sar_arena_end(&scratch, g->arena);
  return done;
}

bool sar_sym_copy(SarGraph* from, int n, const SarNode* y, SarGraph* to, SarNode* out) {
  return sar_sym_translate(from, n, y, to, NULL, NULL, out);
}

bool sar_sym_translate(SarGraph* from, int n, const SarNode* y, SarGraph* to, SarReplace* other,
                       void* context, SarNode* out) {
  SarArena scratch;
  sar_arena_beside(&scratch, to->arena);
  const bool done = rebuild(&scratch, from, n, y, other, context, to, out);
  sar_arena_end(&scratch, to->arena);
  return done;
}

// ---- looking ------------------------------------------------------------------------------------

bool sar_sym_visit(SarGraph* g, SarNode y, SarSymbolVisitor* visit, void* context) {
  SarArena scratch;
  SarOrder order;
  sar_arena_beside(&scratch, g->arena);
  const bool done = sar_sym_order(&scratch, g, 1, &y, &order);
  for (int i = 0; done && i < order.count; i++)
    if (op_of(g, order.item[i].node) == SAR_OP_SYMBOL)
      visit(context, node_of(g, order.item[i].node)->name);
  sar_arena_end(&scratch, g->arena);
  return done;
}

bool sar_sym_count(SarGraph* g, int n, const SarNode* y, SarOpCount* count) {
  *count = (SarOpCount){0};
  SarArena scratch;
  SarOrder order;
  sar_arena_beside(&scratch, g->arena);
  const bool done = sar_sym_order(&scratch, g, n, y, &order);
  for (int i = 0; done && i < order.count; i++) {
    switch (op_of(g, order.item[i].node)) {
      case SAR_OP_NUMBER:
      case SAR_OP_SYMBOL: break;
      case SAR_OP_NEG:
      case SAR_OP_ADD:
      case SAR_OP_SUB: count->add++; break;
      case SAR_OP_MUL: count->mul++; break;
      case SAR_OP_DIV: count->div++; break;
      case SAR_OP_SIN:
      case SAR_OP_COS: count->trig++; break;
      default: count->other++;
    }
  }
  sar_arena_end(&scratch, g->arena);
  return done;
}
