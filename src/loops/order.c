// The order of blocks: a maximum matching between rows and coordinates, then strongly connected
// components of the rows (Tarjan 1972), each after those it depends on. Together the fine
// decomposition of Dulmage and Mendelsohn for a square matrix that has a matching.
#include "loops/plan.h"

#include <string.h>

// Augmenting path from row i.
static bool match(SarLoopOrder* o, int i) {
  for (int k = 0; k < o->n; k++) {
    if (!o->entry[i * o->n + k] || o->seen[k]) continue;
    o->seen[k] = true;
    if (o->row_of[k] < 0 || match(o, o->row_of[k])) {
      o->row_of[k] = i;
      return true;
    }
  }
  return false;
}

static void visit(SarLoopOrder* o, int i) {
  o->index[i] = o->low[i] = ++o->counter;
  o->stack[o->depth++] = i;
  o->on_stack[i] = true;
  for (int k = 0; k < o->n; k++) {
    const int other = o->row_of[k];
    if (!o->entry[i * o->n + k] || other == i) continue;
    if (o->index[other] == 0) {
      visit(o, other);
      if (o->low[other] < o->low[i]) o->low[i] = o->low[other];
    } else if (o->on_stack[other] && o->index[other] < o->low[i]) {
      o->low[i] = o->index[other];
    }
  }
  if (o->low[i] != o->index[i]) return;
  for (int top = -1; top != i;) {
    top = o->stack[--o->depth];
    o->on_stack[top] = false;
    o->block[top] = o->blocks;
  }
  o->blocks++;
}

bool sar_loop_order(SarLoopOrder* o) {
  for (int k = 0; k < o->n; k++) o->row_of[k] = -1;
  for (int i = 0; i < o->n; i++) {
    memset(o->seen, 0, (size_t)o->n * sizeof *o->seen);
    if (!match(o, i)) return false;
  }
  memset(o->index, 0, (size_t)o->n * sizeof *o->index);
  memset(o->on_stack, 0, (size_t)o->n * sizeof *o->on_stack);
  for (int i = 0; i < o->n; i++)
    if (o->index[i] == 0) visit(o, i);
  return true;
}
