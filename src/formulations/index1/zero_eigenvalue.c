// Null space by the eigenvectors of Psi'Psi that belong to its zero eigenvalues.
//
//   H = Psi'Psi,   T' H T = Lambda,   V = T1                                     (eqs. 14-17)
//
// with rows of length one and coordinates in units of the mechanism (sar_index1_square). How many
// eigenvalues are zero is not asked of H: squaring hides distances below 1e-8. The count comes from
// the rows of Psi. All eigenvectors are computed although only those are used: inverse iteration
// for some of them saves a third of the time, but leaves vectors of a multiple eigenvalue at angles
// of 1e-7 from square now and then, and lets in as much of the others.
// Weak point: V is as good as H, so Psi V is about eps cond(Psi) |Psi|.
// Source: Walton and Steeves 1969; Kamman and Huston 1985.
#include "formulations/index1/family.h"

#include "base/error.h"

static SarStatus solve(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));
  sar_index1_particular(p);
  sar_index1_square(p);
  SAR_TRY(sar_eigen(p->n, p->square, p->x, &p->dense));  // values rise: zeros come first
  sar_index1_take_basis(p, p->square);
  sar_index1_particular_column(p);
  SAR_TRY(sar_index1_reduced(p));
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_zero_eigenvalue = {
    .name = "zero-eigenvalue",
    .doc = "null space of the constraints by zero eigenvectors of Psi'Psi",
    .ref = "Walton and Steeves 1969",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
