// Null space by the left singular vectors of Psi' that belong to zero singular values.
//
//   Psi' = [Wd Wi] Sigma U',   V = Wi                                            (eqs. 22-24)
//
// with rows of length one and coordinates in units of the mechanism (sar_index1_even). Only the
// left vectors are computed. How many singular values are zero is decided by the rows, as
// everywhere: V and the reduced system must speak of the same constraints. That is where the code
// printed with the paper goes wrong (tests/unit/test_index1_paper.c).
// Source: Singh and Likins 1985; Mani and Haug 1985.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <string.h>

static SarStatus solve(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));
  sar_index1_particular(p);
  size_t n = (size_t)p->n, r = (size_t)p->rank;
  sar_index1_even(p);
  memcpy(p->square, p->other, sizeof(double) * n * (size_t)p->m);
  SAR_TRY(sar_svd_left(p->n, p->m, p->square, p->x, p->vectors, &p->dense));
  sar_index1_take_basis(p, &p->vectors[n * r]);
  sar_index1_particular_column(p);
  SAR_TRY(sar_index1_reduced(p));
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_svd = {
    .name = "svd",
    .doc = "null space of the constraints by singular value decomposition",
    .ref = "Singh and Likins 1985, Mani and Haug 1985",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
