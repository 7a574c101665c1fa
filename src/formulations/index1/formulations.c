// The index-1 family in the list of formulations.
#include "formulations/index1/family.h"

#define SAR_INDEX1_METHOD(name) extern const SarIndex1Method sar_index1_##name;
#include "formulations/index1/methods.def"
#undef SAR_INDEX1_METHOD

enum {
  PLAIN = SAR_CAN_CONSTRAINTS,
  REDUNDANT = PLAIN | SAR_CAN_REDUNDANT | SAR_CAN_RANK_CHANGE,
  ALL = REDUNDANT | SAR_CAN_SINGULAR_MASS
};

// A formulation that solves by one of the methods; `rate` of its return to the constraints.
// clang-format off
#define FORMULATION(id, method, rate, ...)                  \
  static SarStatus start_##id(SarSim* s, SarError* err) {   \
    (void)err;                                              \
    return sar_index1_start(s, &sar_index1_##method, rate); \
  }                                                         \
  const SarFormulation sar_formulation_##id = {             \
      .shape = SAR_SHAPE_ACCEL,                             \
      .state_size = sar_index1_state_size,                  \
      .start = start_##id,                                  \
      .look = sar_index1_look,                              \
      .accel = sar_index1_accel,                            \
      __VA_ARGS__};
// clang-format on

FORMULATION(partition, partition, 0, .name = "partition",
            .doc = "coordinate partitioning by complete pivoting", .ref = "Wehage and Haug 1982",
            .can = ALL)
FORMULATION(zero_eigenvalue, zero_eigenvalue, 0, .name = "zero-eigenvalue",
            .doc = "null space of the constraints by zero eigenvectors of Psi'Psi",
            .ref = "Walton and Steeves 1969", .can = ALL)
FORMULATION(qr, qr, 0, .name = "qr", .doc = "null space of the constraints by pivoted QR",
            .ref = "Kim and Vanderploeg 1986", .can = ALL)
FORMULATION(svd, svd, 0, .name = "svd",
            .doc = "null space of the constraints by singular value decomposition",
            .ref = "Singh and Likins 1985, Mani and Haug 1985", .can = ALL)
FORMULATION(putd, putd, 0, .name = "putd",
            .doc = "null space of the constraints by Householder reflections, rows in their order",
            .ref = "Amirouche, Jia and Ider 1988", .can = ALL)
FORMULATION(qtz, qtz, 0, .name = "qtz",
            .doc = "null space of the constraints by complete orthogonal decomposition",
            .ref = "Vita and Pennestri 2004", .can = ALL)
FORMULATION(schur, schur, 0, .name = "schur",
            .doc = "null space of the constraints by the ordered Schur form of Psi'Psi",
            .ref = "Pennestri and Valentini 2007", .can = ALL)
FORMULATION(udwadia_kalaba, udwadia_kalaba, 0, .name = "udwadia-kalaba",
            .doc = "Gauss' principle, pseudo-inverse of Psi M^-1/2",
            .ref = "Udwadia and Kalaba 1996", .can = REDUNDANT)
FORMULATION(udwadia_phohomsiri, udwadia_phohomsiri, 0, .name = "udwadia-phohomsiri",
            .doc = "pseudo-inverse of projected motion and constraints together",
            .ref = "Udwadia and Phohomsiri 2006", .can = ALL)
FORMULATION(falco1, falco1, 0, .name = "falco1",
            .doc = "pseudo-inverse of the constraints' compliance Psi M^-1 Psi'",
            .ref = "de Falco, Pennestri and Vita 2005, formulation 1", .can = REDUNDANT)
FORMULATION(falco2, falco2, 0, .name = "falco2",
            .doc = "pseudo-inverse of the mass matrix projected on the free directions",
            .ref = "de Falco, Pennestri and Vita 2005, formulation 2", .can = ALL)
FORMULATION(penalty, penalty, sar_index1_stable_rate(s), .name = "penalty",
            .doc = "stiff springs for constraints, iterated until they hold",
            .ref = "Garcia de Jalon and Bayo 1994", .can = ALL, .stabilised = true)
FORMULATION(baumgarte, qr, sar_index1_stable_rate(s), .name = "baumgarte",
            .doc = "drift decays instead of being projected away; null space by QR",
            .ref = "Baumgarte 1972", .can = ALL, .stabilised = true)
