// What a pass has found for the nodes of trees that it has seen: node -> anything, open addressing.
// Only ever looked up, never walked through, so addresses do not influence results.
#include "expr/tree.h"

#include <stdint.h>

static int home_of(const SarExpr* node, int capacity) {
  uint64_t h = ((uint64_t)(uintptr_t)node >> 4) * 0x9E3779B97F4A7C15u;  // multiplicative hashing
  return (int)((h >> 32) & (uint64_t)(capacity - 1));
}

static void place(SarMemo* m, const SarExpr* node, void* found) {
  int i = home_of(node, m->capacity);
  while (m->node[i] && m->node[i] != node) i = (i + 1) & (m->capacity - 1);
  if (!m->node[i]) m->count++;
  m->node[i] = node;
  m->found[i] = found;
}

void* sar_memo_find(const SarMemo* m, const SarExpr* node) {
  if (m->count == 0) return NULL;
  for (int i = home_of(node, m->capacity); m->node[i]; i = (i + 1) & (m->capacity - 1))
    if (m->node[i] == node) return m->found[i];
  return NULL;
}

void sar_memo_add(SarArena* a, SarMemo* m, const SarExpr* node, void* found) {
  if (2 * (m->count + 1) > m->capacity) {
    SarMemo larger = {.capacity = m->capacity ? 2 * m->capacity : 32};
    larger.node = SAR_ARENA_ARRAY(a, const SarExpr*, larger.capacity);
    larger.found = SAR_ARENA_ARRAY(a, void*, larger.capacity);
    if (!larger.node || !larger.found) return;
    for (int i = 0; i < m->capacity; i++)
      if (m->node[i]) place(&larger, m->node[i], m->found[i]);
    *m = larger;
  }
  place(m, node, found);
}
