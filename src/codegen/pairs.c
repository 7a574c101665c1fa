// Blocks of two unknowns (pairs.h).
#include "codegen/pairs.h"

bool sar_pairs_fit(const SarGraph* g, int n, const SarNode* A) {
  for (int i = 0; i < n * n; i++)
    if (s_is_zero(g, A[i])) return false;
  return n > 1;
}

static SarNode minor2(SarGraph* g, SarNode a, SarNode b, SarNode c, SarNode d) {  // a d - b c
  return s_msc(g, s_mul(g, a, d), b, c);
}

// Rows k and k + 1: x there becomes P^-1 x_P, the rows P^-1 A_Pj, and what comes after them loses
// its part.
static void eliminate(SarGraph* g, int n, SarNode* A, SarNode* x, int k) {
  SarNode *first = &A[k * n], *second = first + n;
  const SarNode a = first[k], b = first[k + 1], d = second[k + 1];
  const SarNode one = s_div(g, s_num(g, 1), minor2(g, a, b, b, d));
  const SarNode u = s_mul(g, one, minor2(g, x[k], b, x[k + 1], d)),
                v = s_mul(g, one, minor2(g, a, x[k], b, x[k + 1]));
  for (int j = k + 2; j < n; j++) x[j] = s_msc(g, s_msc(g, x[j], first[j], u), second[j], v);
  x[k] = u, x[k + 1] = v;
  for (int j = k + 2; j < n; j++) {
    const SarNode p = first[j], q = second[j];
    const SarNode y = minor2(g, p, b, q, d), z = minor2(g, a, p, b, q);
    for (int i = j; i < n; i++) {  // of the columns after j nothing is scaled yet
      const SarNode sum = s_mac(g, s_mul(g, first[i], y), second[i], z);
      A[i * n + j] = A[j * n + i] = s_msc(g, A[j * n + i], one, sum);
    }
    first[j] = s_mul(g, one, y), second[j] = s_mul(g, one, z);
  }
}

void sar_pairs_solve(SarGraph* g, int n, SarNode* A, SarNode* x) {
  const int even = n - n % 2;
  for (int k = 0; k < even; k += 2) eliminate(g, n, A, x, k);
  if (n % 2) x[even] = s_div(g, x[even], A[even * n + even]);
  for (int i = even - 1; i >= 0; i--) {
    const int after = i - i % 2 + 2;  // its own pair
    for (int j = n - 1; j >= after; j--) x[i] = s_msc(g, x[i], A[i * n + j], x[j]);
  }
}
