// Pseudo-inverse of the whole system by the projected mass matrix, also when M is singular.
//
//   a = Q F + (Psi+ - Q M Psi+) gamma,   Q = (E M E)+,   E = I - Psi+ Psi        (eqs. 42-45)
//
// E = V V' with V orthonormal, so Q = V (V' M V)+ V' and, with c = Psi+ gamma,
//
//   a = c + V (V' M V)+ V' (F - M c)
//
// which is computed: the pseudo-inverse of an f x f matrix instead of an n x n one of rank f. It is
// the null-space method with a pseudo-inverse where the others have a solution, so directions
// without inertia are part of the formula and no special case.
// Source: de Falco, Pennestri and Vita 2005.
#include "formulations/index1/family.h"

#include "base/error.h"

static SarStatus solve(SarIndex1* p) {
  SAR_TRY(sar_index1_rank(p));
  sar_index1_particular(p);
  sar_index1_orthonormal(p);
  SAR_TRY(sar_index1_reduced_pinv(p));
  sar_index1_multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_falco2 = {
    .name = "falco2",
    .doc = "pseudo-inverse of the mass matrix projected on the free directions",
    .ref = "de Falco, Pennestri and Vita 2005, formulation 2",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
