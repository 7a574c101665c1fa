// Null space by the real Schur form of Psi'Psi.
//
//   H = Psi'Psi,   K' H K = U upper triangular,   V = K1                         (eqs. 27-29)
//
// with rows of length one and coordinates in units of the mechanism (sar_index1_square).
// The diagonal of U comes in no useful order, so the form is reordered to have the zero eigenvalues
// first: only then do the first columns of K span the null space.
// Source: Pennestri and Valentini 2007.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// marks the `count` smallest of |values|
static void select_smallest(int n, int count, const double* values, int* select) {
  memset(select, 0, sizeof(int) * (size_t)n);
  for (int k = 0; k < count; k++) {
    int best = -1;
    for (int i = 0; i < n; i++)
      if (!select[i] && (best < 0 || fabs(values[i]) < fabs(values[best]))) best = i;
    select[best] = 1;
  }
}

static SarStatus null_space(SarIndex1* p) {
  int n = p->n, f = n - p->rank;
  double *H = p->square, *K = p->vectors, *re = p->x, *im = p->massed;
  sar_index1_square(p);
  sar_mirror_lower(n, H, n);
  SAR_TRY(sar_schur(n, H, re, im, K, &p->dense));
  select_smallest(n, f, re, p->pivot);
  SAR_TRY(sar_schur_reorder(n, p->pivot, H, K, re, im, &p->dense));
  sar_index1_take_basis(p, K);
  return SAR_OK;
}

static SarStatus solve(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));
  sar_index1_particular(p);
  SAR_TRY(null_space(p));
  sar_index1_particular_column(p);
  SAR_TRY(sar_index1_reduced(p));
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_schur = {
    .name = "schur",
    .doc = "null space of the constraints by the ordered Schur form of Psi'Psi",
    .ref = "Pennestri and Valentini 2007",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
