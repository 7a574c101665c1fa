// The graph of expressions: hash-consing. A draft of a node is looked up by what it says (operation,
// name, arguments); if an equal node exists it is taken, and the draft goes back to the arena. Arguments
// are nodes of the graph already, so comparing them is comparing addresses (of numbers: bits), and the
// whole costs O(arguments) per node.
//
// Hashes are of content, never of addresses, so graphs are the same in every run.
#include "expr/tree.h"

#include <string.h>

SarExprGraph sar_expr_graph(SarArena* arena) { return (SarExprGraph){.arena = arena}; }

enum { SHARES_NOTHING = -1 };

SarExprGraph sar_graph_as_written(SarArena* arena) {
  return (SarExprGraph){.arena = arena, .capacity = SHARES_NOTHING};
}

bool sar_graph_shares(const SarExprGraph* g) { return g->capacity != SHARES_NOTHING; }

// ---- what a node says -----------------------------------------------------------------------------

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// FNV-1a by words, with a fold so that low bits depend on high ones
static uint64_t mixed(uint64_t h, uint64_t word) {
  h = (h ^ word) * 1099511628211u;
  return h ^ h >> 29;
}

static uint64_t hash_of(const SarExpr* e) {
  uint64_t h = mixed(14695981039346656037u, (uint64_t)e->op);
  if (e->op == SAR_OP_SYMBOL)
    for (const char* c = e->name; *c; c++) h = mixed(h, (unsigned char)*c);
  for (int i = 0; i < e->num; i++) {
    const bool number = e->arg[i]->op == SAR_OP_NUMBER;  // may be as written, without a hash
    h = mixed(h, number ? bits_of(e->arg[i]->value) : e->arg[i]->hash);
  }
  return h;
}

// One node, or one number: each of these keeps its own place, for messages about points of tables.
static bool is_the_same(const SarExpr* x, const SarExpr* y) {
  if (x == y) return true;
  return x->op == SAR_OP_NUMBER && y->op == SAR_OP_NUMBER && bits_of(x->value) == bits_of(y->value);
}

static bool says_the_same(const SarExpr* x, const SarExpr* y) {
  if (x->hash != y->hash || x->op != y->op || x->num != y->num) return false;
  if (x->op == SAR_OP_SYMBOL) return strcmp(x->name, y->name) == 0;
  for (int i = 0; i < x->num; i++)
    if (!is_the_same(x->arg[i], y->arg[i])) return false;
  return true;
}

// ---- the unique table -----------------------------------------------------------------------------

static void place(SarExpr** bucket, int capacity, SarExpr* e) {
  int k = (int)(e->hash & (uint64_t)(capacity - 1));
  while (bucket[k]) k = (k + 1) & (capacity - 1);
  bucket[k] = e;
}

static bool grow(SarExprGraph* g) {
  const int capacity = g->capacity ? 2 * g->capacity : 64;
  SarExpr** bucket = SAR_ARENA_ARRAY(g->arena, SarExpr*, capacity);
  if (!bucket) return false;
  for (int i = 0; i < g->capacity; i++)
    if (g->bucket[i]) place(bucket, capacity, g->bucket[i]);
  g->bucket = bucket;
  g->capacity = capacity;
  return true;
}

static SarExpr* find(const SarExprGraph* g, const SarExpr* like) {
  if (g->count == 0) return NULL;
  for (int k = (int)(like->hash & (uint64_t)(g->capacity - 1)); g->bucket[k];
       k = (k + 1) & (g->capacity - 1))
    if (says_the_same(g->bucket[k], like)) return g->bucket[k];
  return NULL;
}

// Numbers are compared by value, and a table that is wrong is reported at its own place: not shared.
static bool has_a_place(const SarExpr* e) {
  return e->op == SAR_OP_NUMBER || (sar_op_is_table(e->op) && !sar_table_check(e, NULL));
}

SarExpr* sar_tree_intern(SarExprGraph* g, SarExpr* draft) {
  if (!sar_graph_shares(g)) return draft;
  draft->owner = g;
  draft->hash = hash_of(draft);
  if (has_a_place(draft)) return draft;
  SarExpr* equal = find(g, draft);
  if (equal) {
    sar_arena_drop(g->arena, draft);
    return equal;
  }
  if (2 * (g->count + 1) > g->capacity && !grow(g)) return NULL;
  place(g->bucket, g->capacity, draft);
  g->count++;
  return draft;
}
