// Null space by Householder's pseudo-upper-triangular decomposition.
//
//   H' Psi' = [U; 0],   V = H D2',   D2 = [0 I]                                  (eqs. 25-26)
//
// Reflections take the rows of Psi in the order they are given; a row that depends on those before
// it leaves no step in U. Without pivoting, V follows the motion smoothly (no change of order from
// one instant to the next) and the redundant rows are always the later ones.
// How redundant rows follow from the others is known to how far loops are open over the distance of
// the rows that are kept, and in their order these may be close: multipliers of redundant rows are
// shared by a pivoted decomposition.
// Weak point: the rank is found in that one order, so close to the tolerance it may differ from
// that of a pivoted method.
// Source: Amirouche, Jia and Ider 1988.
#include "formulations/index1/family.h"

#include "base/error.h"

static SarStatus solve(SarIndex1* p) {
  SarRows* s = &p->rows;
  SAR_TRY(sar_rows_scale(s, p->Psi));
  s->rank = sar_qr_in_order(p->n, p->m, s->QR, p->tol, s->row, s->tau, p->x, p->pivot);
  if (s->rank > s->rank_max) s->rank = s->rank_max;
  p->rank = s->rank;
  sar_index1_particular(p);
  sar_index1_orthonormal(p);  // H [0; I]
  SAR_TRY(sar_index1_reduced(p));
  if (p->rank < p->m) {
    SAR_TRY(sar_index1_rank(p));
    sar_rows_redundant(s, s->QR, p->n);
  }
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_putd = {
    .name = "putd",
    .doc = "null space of the constraints by Householder reflections, rows in their order",
    .ref = "Amirouche, Jia and Ider 1988",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
