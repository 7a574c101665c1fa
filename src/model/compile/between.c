// The coordinates that move one body against another: for constraints and for tangents of forces.
#include "model/compile/parts.h"

// The coordinates on the way from a body to the ancestor `top`, rising; false: no memory.
static bool add_path(Compile* c, IntList* list, int body, int top) {
  const SarModel* m = &c->m;
  int first = list->count;
  for (int b = body; b != top; b = m->body_parent[b])
    for (int k = m->joint_nv[b] - 1; k >= 0; k--) {
      int* dof = SAR_LIST_ADD(&c->arena, list);
      if (!dof) return false;
      *dof = m->joint_vadr[b] + k;
    }
  int* dofs = list->items;
  for (int i = first, k = list->count - 1; i < k; i++, k--) {
    int swap = dofs[i];
    dofs[i] = dofs[k];
    dofs[k] = swap;
  }
  return true;
}

// Parents have smaller numbers: the larger of the two goes up until they meet.
static int common_ancestor(const SarModel* m, int a, int b) {
  while (a != b) {
    if (a > b)
      a = m->body_parent[a];
    else
      b = m->body_parent[b];
  }
  return a;
}

// Two nodes of one modal body, or what hangs on them: its modes move them against each other. They
// are counted once, with the first path; dynamics/pair.h looks at both bodies.
static int above_modes(const SarModel* m, int a, int b, int top) {
  bool by_node = false;
  for (int end = 0; end < 2; end++) {
    int k = end ? b : a;
    while (k != top && m->body_parent[k] != top) k = m->body_parent[k];
    by_node = by_node || (k != top && m->joint_class[k] == SAR_CLASS_NODE);
  }
  if (!by_node) return top;
  while (top >= 0 && m->joint_class[top] == SAR_CLASS_MODE) top = m->body_parent[top];
  return top;
}

// The subtrees of the ancestor's children are contiguous: one path lies wholly before the other.
bool sar_add_between(Compile* c, IntList* dofs, int a, int b, int* num_first) {
  const int top = common_ancestor(&c->m, a, b), before = dofs->count;
  if (!add_path(c, dofs, a < b ? a : b, above_modes(&c->m, a, b, top))) return false;
  *num_first = dofs->count - before;
  return add_path(c, dofs, a < b ? b : a, top);
}
