// Baumgarte's stabilisation: constraints that return to zero instead of staying where they drifted.
//
//   Phi'' + 2 alpha Phi' + beta^2 Phi = 0   ->   Psi a = gamma - 2 alpha Phi' - beta^2 Phi
//                                                                    (paper 003, eqs. 3 and 6)
// Source: Baumgarte 1972.
#include "formulations/index1/family.h"

void sar_index1_stabilise(int m, const double* gamma, const double* Phi, const double* Phi_dot,
                          double alpha, double beta, double* gamma_hat) {
  for (int k = 0; k < m; k++)
    gamma_hat[k] = gamma[k] - 2 * alpha * Phi_dot[k] - beta * beta * Phi[k];
}

const SarFormulation sar_formulation_baumgarte = {
    .name = "baumgarte",
    .doc = "constraints that return instead of drifting, no projection; null space by QR",
    .ref = "Baumgarte 1972",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS,
    .stabilised = true,
    SAR_INDEX1_FORMULATION(sar_index1_qr),
};
