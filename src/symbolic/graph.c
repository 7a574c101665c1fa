// The graph: nodes in one array, found again by what they say (hash-consing). Arguments are nodes
// already, so comparing two nodes costs O(1), tables aside. Hashes are of content, never of
// addresses, so graphs are the same in every run.
#include "symbolic/graph.h"

#include <string.h>

SarGraph* sar_graph_new(SarArena* arena) {
  SarGraph* g = SAR_ARENA_NEW(arena, SarGraph);
  if (!g) return NULL;
  *g = (SarGraph){.arena = arena, .max_nodes = SAR_SYM_MAX_NODES};
  return g;
}

int sar_graph_count(const SarGraph* g) { return g->nodes.count; }
SarArena* sar_graph_arena(const SarGraph* g) { return g->arena; }
bool sar_graph_refused(const SarGraph* g) { return g->refused; }
void sar_graph_bound(SarGraph* g, int max_nodes) { g->max_nodes = max_nodes; }

SarRules sar_graph_rules(SarGraph* g, SarRules rules) {
  const SarRules before = g->rules;
  g->rules = rules;
  return before;
}

// ---- what a node says ---------------------------------------------------------------------------

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

static const SarPoints* points_of(const SarGraph* g, const SarNodeData* n) {
  return &g->tables.items[n->table];
}

static uint64_t hash_of(const SarGraph* g, const SarNodeData* n) {
  uint64_t h = mixed(14695981039346656037u, n->op);
  for (int i = 0; i < n->num; i++) h = mixed(h, (uint64_t)n->arg[i]);
  if (n->op == SAR_OP_NUMBER) h = mixed(h, bits_of(n->value));
  if (n->op == SAR_OP_SYMBOL)
    for (const char* c = n->name; *c; c++) h = mixed(h, (unsigned char)*c);
  if (is_table((SarOp)n->op)) {
    const SarPoints* p = points_of(g, n);
    for (int i = 0; i < p->count * p->width; i++) h = mixed(h, bits_of(p->at[i]));
  }
  return h;
}

static bool same_points(const SarPoints* p, const SarPoints* q) {
  return p->count == q->count && p->width == q->width &&
         memcmp(p->at, q->at, sizeof(double) * (size_t)(p->count * p->width)) == 0;
}

// two doubles, or the same fraction; one of each are two numbers of the same value
static bool same_fraction(const SarGraph* g, const SarNodeData* x, const SarNodeData* y) {
  if (x->arg[0] < 0 || y->arg[0] < 0) return x->arg[0] == y->arg[0];
  const SarRational *p = &g->rationals.items[x->arg[0]], *q = &g->rationals.items[y->arg[0]];
  return p->num == q->num && p->den == q->den;
}

static bool says_the_same(const SarGraph* g, const SarNodeData* x, const SarNodeData* y) {
  if (x->op != y->op) return false;
  for (int i = 0; i < x->num; i++)
    if (x->arg[i] != y->arg[i]) return false;
  if (x->op == SAR_OP_NUMBER)
    return bits_of(x->value) == bits_of(y->value) && same_fraction(g, x, y);
  if (x->op == SAR_OP_SYMBOL) return strcmp(x->name, y->name) == 0;
  return !is_table((SarOp)x->op) || x->table == y->table ||
         same_points(points_of(g, x), points_of(g, y));
}

// ---- the unique table ---------------------------------------------------------------------------

static bool grow(SarGraph* g) {
  const int capacity = g->capacity ? 2 * g->capacity : 64;
  int* bucket = SAR_ARENA_ARRAY(g->arena, int, capacity);
  if (!bucket) return false;
  for (int i = 0; i < capacity; i++) bucket[i] = -1;
  for (int i = 0; i < g->nodes.count; i++) {
    int k = (int)(hash_of(g, node_of(g, i)) & (uint64_t)(capacity - 1));
    while (bucket[k] >= 0) k = (k + 1) & (capacity - 1);
    bucket[k] = i;
  }
  if (g->bucket) sar_arena_release(g->arena, g->bucket, sizeof(int) * (size_t)g->capacity);
  g->bucket = bucket;
  g->capacity = capacity;
  return true;
}

SarNode sar_graph_intern(SarGraph* g, SarNodeData draft) {
  if (2 * (g->nodes.count + 1) > g->capacity && !grow(g)) return SAR_NONE;
  int k = (int)(hash_of(g, &draft) & (uint64_t)(g->capacity - 1));
  for (; g->bucket[k] >= 0; k = (k + 1) & (g->capacity - 1))
    if (says_the_same(g, node_of(g, g->bucket[k]), &draft)) return g->bucket[k];
  if (g->nodes.count >= g->max_nodes) {
    g->refused = true;
    return SAR_NONE;
  }
  if (draft.op == SAR_OP_SYMBOL) {
    draft.name = sar_arena_strdup(g->arena, draft.name);
    if (!draft.name) return SAR_NONE;
  }
  SarNodeData* slot = SAR_LIST_ADD(g->arena, &g->nodes);
  if (!slot) return SAR_NONE;
  *slot = draft;
  g->bucket[k] = g->nodes.count - 1;
  return g->nodes.count - 1;
}

SarNode sar_graph_node(SarGraph* g, SarOp op, int num, SarNode x, SarNode y, SarNode z) {
  const SarNode arg[3] = {x, y, z};
  for (int i = 0; i < num; i++)
    if (arg[i] < 0) return SAR_NONE;
  SarNodeData draft = {.op = (unsigned short)op, .num = (unsigned short)num};
  for (int i = 0; i < 3; i++) draft.arg[i] = i < num ? arg[i] : SAR_NONE;
  return sar_graph_intern(g, draft);
}

// ---- leaves -------------------------------------------------------------------------------------

SarNode sar_sym_number(SarGraph* g, double value) {
  return sar_graph_intern(g,
                          (SarNodeData){.op = SAR_OP_NUMBER, .arg = {-1, -1, -1}, .value = value});
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static uint64_t size_of(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }

SarNode sar_sym_rational(SarGraph* g, int64_t num, int64_t den) {
  const double value = (double)num / (double)den;
  if (den == 0 || num == INT64_MIN || den == INT64_MIN) return sar_sym_number(g, value);
  const int64_t d = (int64_t)greatest_divisor(size_of(num), size_of(den));
  const int64_t sign = den < 0 ? -1 : 1;
  num = sign * num / d;
  den = sign * den / d;
  if (den == 1) return sar_sym_number(g, (double)num);
  SarRational* slot = SAR_LIST_ADD(g->arena, &g->rationals);
  if (!slot) return SAR_NONE;
  *slot = (SarRational){num, den};
  const int k = g->rationals.count - 1;
  const SarNode n = sar_graph_intern(
      g,
      (SarNodeData){.op = SAR_OP_NUMBER, .arg = {k, -1, -1}, .value = (double)num / (double)den});
  if (n < 0 || node_of(g, n)->arg[0] != k) g->rationals.count--;  // there was an equal one
  return n;
}

SarNode sar_sym_symbol(SarGraph* g, const char* name) {
  return sar_graph_intern(g, (SarNodeData){.op = SAR_OP_SYMBOL, .arg = {-1, -1, -1}, .name = name});
}

// ---- looking ------------------------------------------------------------------------------------

SarOp sar_node_op(const SarGraph* g, SarNode n) { return op_of(g, n); }
int sar_node_num(const SarGraph* g, SarNode n) { return node_of(g, n)->num; }

SarNode sar_node_arg(const SarGraph* g, SarNode n, int i) {
  return i < node_of(g, n)->num ? node_of(g, n)->arg[i] : SAR_NONE;
}

bool sar_node_is_number(const SarGraph* g, SarNode n, double* value) {
  if (n < 0 || !is_number(g, n)) return false;
  if (value) *value = value_of(g, n);
  return true;
}

bool sar_node_is(const SarGraph* g, SarNode n, double value) {
  return n >= 0 && is_value(g, n, value);
}

bool sar_node_is_fraction(const SarGraph* g, SarNode n) {
  return is_number(g, n) && node_of(g, n)->arg[0] >= 0;
}

bool sar_node_rational(const SarGraph* g, SarNode n, int64_t* num, int64_t* den) {
  const double whole = 9007199254740992.0;  // 2^53
  if (n < 0 || !is_number(g, n)) return false;
  if (sar_node_is_fraction(g, n)) {
    *num = g->rationals.items[node_of(g, n)->arg[0]].num;
    *den = g->rationals.items[node_of(g, n)->arg[0]].den;
    return true;
  }
  const double x = value_of(g, n);
  if (!(x >= -whole && x <= whole) || x != (double)(int64_t)x) return false;
  *num = (int64_t)x;
  *den = 1;
  return true;
}

const char* sar_node_name(const SarGraph* g, SarNode n) {
  return n >= 0 && op_of(g, n) == SAR_OP_SYMBOL ? node_of(g, n)->name : NULL;
}

int sar_node_points(const SarGraph* g, SarNode n, const double** points) {
  if (n < 0 || !is_table(op_of(g, n))) return 0;
  const SarPoints* p = points_of(g, node_of(g, n));
  *points = p->at;
  return p->count;
}
