// Complete orthogonal decomposition: null space, least squares and shortest multipliers, all by
// orthogonal matrices.
//
//   Psi' P = Q [T 0; 0 0] Z,   V = Q2,   Psi+ = Q1 T^-T [I 0] Z P'
//
// QR with pivoting, and then the redundant columns of R are turned into its triangle from the
// right.
// Source: Vita and Pennestri 2004; Golub and Van Loan, section 5.4.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <string.h>

// [R11 R12] = [T 0] Z, in the units of Psi: the scale of its rows taken back
static void rz(SarIndex1* p) {
  SarRows* s = &p->rows;
  int n = p->n, m = p->m, r = p->rank;
  for (int j = 0; j < m; j++) {
    double inverse = 1 / s->scale[s->row[j]];
    int last = j < r ? j + 1 : r;
    for (int i = 0; i < last; i++) p->square[j * n + i] = inverse * s->QR[j * n + i];
  }
  sar_rz(r, m, p->square, n, p->vectors, &p->dense);
}

// y = T^-T [I 0] Z P' gamma
static void particular(SarIndex1* p) {
  int n = p->n, m = p->m, r = p->rank;
  for (int i = 0; i < m; i++) p->y[i] = p->gamma[p->rows.row[i]];
  if (r == 0) return;
  if (r < m) sar_z_mul(m, r, p->square, n, p->vectors, p->y, &p->dense);
  sar_upper_solve_t(r, 1, p->square, n, p->y, m);
}

// lambda = P Z' [T^-1 Q1' residual; 0]
static void multipliers(SarIndex1* p) {
  int n = p->n, m = p->m, r = p->rank;
  double* x = p->x;
  memcpy(x, p->residual, sizeof(double) * (size_t)n);
  sar_q_mul_t(n, 1, r, p->rows.QR, p->rows.tau, x);
  sar_upper_solve(r, 1, p->square, n, x, n);
  for (int i = r; i < m; i++) x[i] = 0;
  if (r > 0 && r < m) sar_z_mul_t(m, r, p->square, n, p->vectors, x, &p->dense);
  for (int i = 0; i < m; i++) p->lambda[p->rows.row[i]] = x[i];
}

static SarStatus solve(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));
  rz(p);
  particular(p);
  sar_index1_orthonormal(p);
  SAR_TRY(sar_index1_reduced(p));
  multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_qtz = {
    .name = "qtz",
    .doc = "null space of the constraints by complete orthogonal decomposition",
    .ref = "Vita and Pennestri 2004",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
