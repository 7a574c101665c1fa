// Simplification for reading (collect.h): every node as a sum of products, from
// the leaves up.
#include "symbolic/collect.h"

#include "symbolic/terms.h"

#include <math.h>

typedef struct Collect {
  SarGraph* g;
  SarArena* arena;
  SarSum* poly;  // by place in the order
  const SarOrder* order;
  int units;
  const SarUnit* unit;
} Collect;

static SarSum arg_of(const Collect* c, int i, int k) { return c->poly[c->order->item[i].arg[k]]; }

// The operation on collected arguments, as an atom; signs come outside.
static SarSum atom_of(Collect* c, int i) {
  SarNode arg[3] = {SAR_NONE, SAR_NONE, SAR_NONE};
  const SarOrderItem* item = &c->order->item[i];
  for (int k = 0; k < 3 && item->arg[k] >= 0; k++) {
    arg[k] = sar_sum_node(c->g, arg_of(c, i, k));
    if (arg[k] < 0) return sar_sum_bad;
  }
  const SarNodeData like = *node_of(c->g, item->node);
  SarNode n = like.op == SAR_OP_SIN || like.op == SAR_OP_COS
                  ? sar_sym_circular(c->g, (SarOp)like.op, arg[0])
                  : sar_graph_rebuild(c->g, &like, arg);
  if (n < 0) return sar_sum_bad;
  const bool minus = op_of(c->g, n) == SAR_OP_NEG;
  if (minus) n = node_of(c->g, n)->arg[0];
  SarSum p = sar_sum_atom(c->arena, c->g, n, 1);
  if (minus && sar_sum_is_good(p)) p.term[0].number = sar_sym_neg(c->g, p.term[0].number);
  return p;
}

static SarSum quotient(Collect* c, int i) {
  const SarSum x = arg_of(c, i, 0), y = arg_of(c, i, 1);
  SarSum inverse =
      sar_sum_mul(c->arena, c->g, sar_sum_number(c->arena, c->g, sar_sym_number(c->g, 1)), y, 1);
  if (!sar_sum_is_good(inverse) || !sar_sum_invert(c->g, &inverse))
    inverse = sar_sum_atom(c->arena, c->g, sar_sum_node(c->g, y), -1);
  return sar_sum_mul(c->arena, c->g, x, inverse, SAR_COLLECT_MOST);
}

static SarSum power(Collect* c, int i) {
  double e;
  const SarNode exponent = node_of(c->g, c->order->item[i].node)->arg[1];
  if (!sar_node_is_number(c->g, exponent, &e) || e != rint(e) || fabs(e) > 4) return sar_sum_bad;
  SarSum p = sar_sum_number(c->arena, c->g, sar_sym_number(c->g, 1));
  for (int k = 0; k < (int)fabs(e); k++)
    p = sar_sum_mul(c->arena, c->g, p, arg_of(c, i, 0), SAR_COLLECT_MOST);
  if (sar_sum_is_good(p) && e < 0 && !sar_sum_invert(c->g, &p)) return sar_sum_bad;
  return p;
}

static SarSum sum_of_products(Collect* c, int i) {
  SarArena* a = c->arena;
  SarGraph* g = c->g;
  const SarNode n = c->order->item[i].node;
  switch (op_of(g, n)) {
    case SAR_OP_NUMBER: return sar_sum_number(a, g, n);
    case SAR_OP_SYMBOL: return sar_sum_atom(a, g, n, 1);
    case SAR_OP_NEG: return sar_sum_add(a, g, (SarSum){0, NULL}, arg_of(c, i, 0), -1);
    case SAR_OP_ADD: return sar_sum_add(a, g, arg_of(c, i, 0), arg_of(c, i, 1), 1);
    case SAR_OP_SUB: return sar_sum_add(a, g, arg_of(c, i, 0), arg_of(c, i, 1), -1);
    case SAR_OP_MUL: return sar_sum_mul(a, g, arg_of(c, i, 0), arg_of(c, i, 1), SAR_COLLECT_MOST);
    case SAR_OP_DIV: return quotient(c, i);
    case SAR_OP_POW: return power(c, i);
    default: return sar_sum_bad;
  }
}

// Relations of sines and cosines, then of quaternions.
static SarSum shortened(const Collect* c, SarSum p) {
  p = sar_sum_trig(c->arena, c->g, p);
  for (int i = 0; i < c->units && sar_sum_is_good(p); i++)
    p = sar_sum_unit(c->arena, c->g, p, c->unit[i].of);
  return p;
}

static bool collect_one(Collect c, SarNode y, SarStop* stop, void* context, SarNode* out) {
  SarArena* scratch = c.arena;
  SarGraph* g = c.g;
  SarOrder order;
  SarOpCount before, after;
  if (!sar_sym_order(scratch, g, 1, &y, &order)) return false;
  c.poly = SAR_ARENA_ARRAY(scratch, SarSum, order.count + 1);
  c.order = &order;
  if (!c.poly) return false;
  for (int i = 0; i < order.count; i++) {
    if (stop && stop(context)) return false;
    c.poly[i] = sum_of_products(&c, i);
    if (sar_sum_is_good(c.poly[i]) && c.poly[i].count > SAR_COLLECT_MOST) c.poly[i] = sar_sum_bad;
    c.poly[i] = sar_sum_is_good(c.poly[i]) ? shortened(&c, c.poly[i]) : atom_of(&c, i);
    if (!sar_sum_is_good(c.poly[i])) return false;
  }
  *out = sar_sum_node(g, c.poly[order.output[0]]);
  if (*out < 0 || !sar_sym_count(g, 1, &y, &before) || !sar_sym_count(g, 1, out, &after))
    return false;
  const int was = before.add + before.mul + before.div + 2 * before.trig;
  const int is = after.add + after.mul + after.div + 2 * after.trig;
  if (is > 2 * was + 10) *out = y;  // written out it is much longer
  return true;
}

bool sar_sym_collect(SarGraph* g, int n, const SarNode* y, int units, const SarUnit* unit,
                     SarStop* stop, void* context, SarNode* out) {
  const SarRules rules = sar_graph_rules(g, SAR_ALGEBRA);
  bool done = true;
  for (int i = 0; i < n && done; i++) {
    SarArena scratch;
    sar_arena_beside(&scratch, g->arena);
    const Collect c = {.g = g, .arena = &scratch, .units = units, .unit = unit};
    done = collect_one(c, y[i], stop, context, &out[i]);
    sar_arena_end(&scratch, g->arena);
  }
  sar_graph_rules(g, rules);
  return done;
}
