// Motion and constraints as one system of full rank, also when M is singular.
//
//   a = Mbar+ [F; gamma],   Mbar = [E M; Psi],   E = I - Psi+ Psi                (eqs. 34-35)
//
// E is the projection on the null space of Psi: E = V V' with V orthonormal. Orthogonal rows do not
// change a pseudo-inverse solution, so E M becomes the f rows V'M, and Psi its independent rows
// with the least-squares right-hand side: n rows in place of n + m, and nothing n x n is formed of
// E.
//
//   [V'M; Psi1] a = [V'F; T+ gamma]
//
// Source: Udwadia and Phohomsiri 2006.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// p->massed = [M V, Psi1'] by columns: the rows of the system
static void assemble(SarIndex1* p, double* rhs) {
  int n = p->n, r = p->rank, f = n - r;
  sar_matmul(n, f, n, p->M, n, p->basis, n, p->massed, n);
  sar_matvec_t(n, f, 1, p->basis, n, p->F, 0, rhs);
  for (int i = 0; i < r; i++)
    memcpy(&p->massed[(f + i) * n], &p->Psi[p->rows.row[i] * n], sizeof(double) * (size_t)n);
  sar_rows_gather(&p->rows, p->gamma, rhs + f);
}

// Rank below n: does the shortest least-squares solution solve the system at all?
static SarStatus check_solved(const SarIndex1* p, const double* rhs) {
  for (int i = 0; i < p->n; i++) {
    double sum = 0, size = 0;
    for (int j = 0; j < p->n; j++) {
      double term = p->massed[i * p->n + j] * p->a[j];
      sum += term, size += fabs(term);
    }
    if (!(fabs(sum - rhs[i]) <= 1e-9 * (size + fabs(rhs[i])))) return SAR_SINGULAR;
  }
  return SAR_OK;
}

static SarStatus solve(SarIndex1* p) {
  int n = p->n;
  SarRows* s = &p->outer;
  double* rhs = p->x;
  SAR_TRY(sar_index1_rank(p));
  sar_index1_particular(p);
  sar_index1_orthonormal(p);
  assemble(p, rhs);

  SAR_TRY(sar_rows_factor(s, p->massed, SAR_INDEX1_MASS_TOL, &p->dense));
  sar_rows_redundant(s, s->QR, n);
  sar_rows_solve(s, rhs, p->y);
  memset(p->a, 0, sizeof(double) * (size_t)n);
  memcpy(p->a, p->y, sizeof(double) * (size_t)s->rank);
  sar_q_mul(n, 1, s->rank, s->QR, s->tau, p->a);
  if (s->rank < n) SAR_TRY(check_solved(p, rhs));

  memcpy(p->residual, p->F, sizeof(double) * (size_t)n);
  sar_matvec(n, n, -1, p->M, n, p->a, 1, p->residual);
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_udwadia_phohomsiri = {
    .name = "udwadia-phohomsiri",
    .doc = "pseudo-inverse of projected motion and constraints together",
    .ref = "Udwadia and Phohomsiri 2006",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
