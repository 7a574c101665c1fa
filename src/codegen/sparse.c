// Sparse L E L' over symbols (sparse.h).
#include "codegen/sparse.h"

static bool is_entry(const SarGraph* g, SarNode x) { return !s_is_zero(g, x); }

// Minimum degree: of the unknowns that are left, the one with the fewest neighbours; the last among
// equals, which in a tree is a tip.
static void choose_order(const SarGraph* g, int n, const SarNode* G, bool* joined, bool* gone,
                         int* order) {
  for (int i = 0; i < n * n; i++) joined[i] = is_entry(g, G[i]);
  for (int k = 0; k < n; k++) {
    int best = -1, fewest = n + 1;
    for (int i = 0; i < n; i++) {
      int degree = 0;
      if (gone[i]) continue;
      for (int j = 0; j < n; j++) degree += !gone[j] && joined[i * n + j];
      if (degree <= fewest) fewest = degree, best = i;
    }
    gone[best] = true;
    order[k] = best;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (!gone[i] && !gone[j] && joined[best * n + i] && joined[best * n + j])
          joined[i * n + j] = true;
  }
}

// Column by column: what a pivot's row does to the rows after it.
bool sar_sparse_factor(SarArena* arena, SarGraph* g, int n, const SarNode* G, SymSparse* out) {
  bool* joined = SAR_ARENA_ARRAY(arena, bool, n* n + 1);
  bool* gone = SAR_ARENA_ARRAY(arena, bool, n + 1);
  *out = (SymSparse){.n = n,
                     .L = SAR_ARENA_ARRAY(arena, SarNode, n * n + 1),
                     .inverse = SAR_ARENA_ARRAY(arena, SarNode, n + 1),
                     .order = SAR_ARENA_ARRAY(arena, int, n + 1)};
  if (!joined || !gone || !out->L || !out->inverse || !out->order) return false;
  choose_order(g, n, G, joined, gone, out->order);
  SarNode* L = out->L;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) L[i * n + j] = G[out->order[i] * n + out->order[j]];
  for (int k = 0; k < n; k++) {
    out->inverse[k] = s_div(g, s_num(g, 1), L[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      const SarNode row = L[i * n + k];
      if (!is_entry(g, row)) continue;
      const SarNode part = s_mul(g, row, out->inverse[k]);
      for (int j = k + 1; j <= i; j++) {
        // rows above i are divided by the pivot already: L_jk = G_jk / E_k
        if (j < i && is_entry(g, L[j * n + k]))
          L[i * n + j] = s_msc(g, L[i * n + j], row, L[j * n + k]);
        else if (j == i)
          L[i * n + i] = s_msc(g, L[i * n + i], row, part);
      }
      L[i * n + k] = part;
    }
  }
  return true;
}

void sar_sparse_solve(SarArena* arena, SarGraph* g, const SymSparse* F, SarNode* x) {
  const int n = F->n;
  SarNode* y = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  if (!y) return;
  for (int i = 0; i < n; i++) {
    y[i] = x[F->order[i]];
    for (int k = 0; k < i; k++)
      if (is_entry(g, F->L[i * n + k])) y[i] = s_msc(g, y[i], F->L[i * n + k], y[k]);
  }
  for (int i = n - 1; i >= 0; i--) {
    y[i] = s_mul(g, y[i], F->inverse[i]);
    for (int k = i + 1; k < n; k++)
      if (is_entry(g, F->L[k * n + i])) y[i] = s_msc(g, y[i], F->L[k * n + i], y[k]);
  }
  for (int i = 0; i < n; i++) x[F->order[i]] = y[i];
}
