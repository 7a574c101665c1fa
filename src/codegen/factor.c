// L E L' over symbols; zeros of the matrix stay zeros and cost nothing.
#include "codegen/factor.h"

void sar_factor(SarGraph* g, SymFactor* D) {
  for (int i = 0; i < D->n; i++) {
    SarNode row[SYM_FACTOR_MAX], pivot = D->L[i][i];  // row i of L E
    for (int k = 0; k < i; k++) {
      row[k] = D->L[i][k];
      for (int j = 0; j < k; j++) row[k] = s_msc(g, row[k], row[j], D->L[k][j]);
    }
    for (int k = 0; k < i; k++) {
      D->L[i][k] = s_mul(g, row[k], D->inverse[k]);
      pivot = s_msc(g, pivot, row[k], D->L[i][k]);
    }
    D->inverse[i] = s_div(g, s_num(g, 1), pivot);
  }
}

void sar_factor_solve(SarGraph* g, const SymFactor* D, SarNode* x) {
  for (int i = 0; i < D->n; i++)
    for (int k = 0; k < i; k++) x[i] = s_msc(g, x[i], D->L[i][k], x[k]);
  for (int i = 0; i < D->n; i++) x[i] = s_mul(g, x[i], D->inverse[i]);
  for (int i = D->n - 1; i >= 0; i--)
    for (int k = i + 1; k < D->n; k++) x[i] = s_msc(g, x[i], D->L[k][i], x[k]);
}
