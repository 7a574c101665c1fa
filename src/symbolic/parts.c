// Which nodes get names when outputs are written as text (print.h).
#include "symbolic/print.h"

#include "symbolic/graph.h"

static bool is_leaf(const SarGraph* g, SarNode n) {
  const SarOp op = op_of(g, n);
  if (op == SAR_OP_NEG) return is_leaf(g, node_of(g, n)->arg[0]);  // one level: -(-x) is x
  return op == SAR_OP_NUMBER || op == SAR_OP_SYMBOL;
}

static bool choose(SarArena* scratch, SarArena* a, SarGraph* g, int n, const SarNode* y, int least,
                   int longest, SarParts* parts) {
  SarOrder order;
  if (!sar_sym_order(scratch, g, n, y, &order)) return false;
  int* length = SAR_ARENA_ARRAY(scratch, int, order.count + 1);  // operations of its text
  parts->node = SAR_ARENA_ARRAY(a, SarNode, order.count + 1);
  if (!length || !parts->node) return false;
  for (int i = 0; i < order.count; i++) {
    const SarOrderItem* item = &order.item[i];
    if (is_leaf(g, item->node)) continue;
    length[i] = 1;
    for (int k = 0; k < 3 && item->arg[k] >= 0; k++) length[i] += length[item->arg[k]];
    if ((item->uses < 2 || length[i] < least) && length[i] < longest) continue;
    parts->node[parts->count++] = item->node;
    length[i] = 0;
  }
  return true;
}

bool sar_sym_parts(SarArena* a, SarGraph* g, int n, const SarNode* y, int least, int longest,
                   SarParts* parts) {
  SarArena scratch;
  *parts = (SarParts){0};
  sar_arena_beside(&scratch, a);
  const bool done = choose(&scratch, a, g, n, y, least, longest, parts);
  sar_arena_end(&scratch, a);
  return done;
}
