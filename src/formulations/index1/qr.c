// Null space by QR of Psi', with pivoting: the cheapest orthonormal basis.
//
//   Psi' P = [Q1 Q2] R,   V = Q2                                                 (eqs. 18-21)
//
// Source: Kim and Vanderploeg 1986.
#include "formulations/index1/family.h"

#include "base/error.h"

SarStatus sar_index1_qr(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));     // Psi' P = Q R
  sar_index1_particular(p);        // c = Q1 y
  sar_index1_orthonormal(p);       // V = Q2
  SAR_TRY(sar_index1_reduced(p));  // a = c + V z
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_qr = {
    .name = "qr",
    .doc = "null space of the constraints by pivoted QR",
    .ref = "Kim and Vanderploeg 1986",
    .why = "the model has redundant constraints, and it shares their reactions evenly",
    .recommended = true,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(sar_index1_qr),
};
