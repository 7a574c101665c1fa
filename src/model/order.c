// Depth-first search with its own stack, so that a chain of any length is fine.
#include "model/order.h"

enum { NEW, OPEN, DONE };

bool sar_order(SarArena* a, const SarNeeds* needs, SarCircle* circle, void* context, int* order) {
  int n = needs->count, placed = 0;
  if (n == 0) return true;
  int* state = SAR_ARENA_ARRAY(a, int, n);
  int* next = SAR_ARENA_ARRAY(a, int, n);   // the need to look at next
  int* stack = SAR_ARENA_ARRAY(a, int, n);  // the open nodes, each needed by the one before
  if (!state || !next || !stack) return false;

  for (int root = 0; root < n; root++) {
    if (state[root] != NEW) continue;
    int depth = 0;
    stack[depth++] = root;
    state[root] = OPEN;
    next[root] = needs->first[root];
    while (depth > 0) {
      int node = stack[depth - 1];
      if (next[node] == needs->first[node + 1]) {
        state[node] = DONE;
        order[placed++] = node;
        depth--;
        continue;
      }
      int other = needs->to[next[node]++];
      if (state[other] == NEW) {
        state[other] = OPEN;
        next[other] = needs->first[other];
        stack[depth++] = other;
      } else if (state[other] == OPEN) {
        int start = depth - 1;
        while (stack[start] != other) start--;
        circle(context, &stack[start], depth - start);
      }
    }
  }
  return true;
}
