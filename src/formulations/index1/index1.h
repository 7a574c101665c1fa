// Accelerations and Lagrange multipliers of a constrained system at one instant, the index-1 form
// of its differential-algebraic equations (DAE):
//
//   M a + Psi' lambda = F        n equations of motion
//   Psi a = gamma                m constraints, differentiated twice
//
// Psi may have redundant rows and M may be singular, as far as the method says it can take them.
// Where gamma contradicts itself on redundant rows (drift), the constraints hold in the
// least-squares sense; where lambda is not unique, it is the shortest. Both are the same for all
// methods, so all of them solve the same problem and agree to rounding.
//
// Source: de Falco, Guida and Pennestri 2008 (their equation numbers are used); Uchida and McPhee
// 2012, section 2.2, for the penalty method and Baumgarte's gamma.
#pragma once
#include "formulations/index1/rows.h"

#include <stdbool.h>

// Lengths of rows below this fraction of the longest count as rounding: the threshold of the paper.
// It must stay above what drift leaves of redundancy (a parallelogram closed to 1e-9 has redundant
// rows to 1e-9) and below the least distance of independent rows that matters (near a singular
// position it is the angle to it, so the rank drops within a microradian of it).
#define SAR_INDEX1_TOL 1e-6
// A pivot of a mass matrix below this fraction of its diagonal entry counts as rounding.
#define SAR_INDEX1_MASS_TOL 1e-13

// Work space, for n coordinates and m constraints. X(type, name, entries, what it holds)
// clang-format off
#define SAR_INDEX1_ARRAYS(X)                                                                      \
  X(double, a,        n,               "answer: accelerations")                                   \
  X(double, lambda,   m,               "answer: multipliers")                                     \
  X(double, basis,    n * (n + 1),     "[V c]: null space of Psi and a particular solution")      \
  X(double, massed,   n * (n + 1),     "M [V c]")                                                 \
  X(double, reduced,  n * (n + 1),     "V' M [V c]")                                              \
  X(double, square,   (n + m) * (n + m), "matrix that the method decomposes")                     \
  X(double, vectors,  n * (n + 1),     "eigenvectors, Schur vectors, factor of M")                \
  X(double, other,    n * (n > m ? n : m), "Psi M^-1/2 and the like")                             \
  X(double, residual, n,               "F - M a: the constraint forces Psi' lambda")              \
  X(double, x,        n + m,           "a vector")                                                \
  X(double, y,        n + m,           "another")                                                 \
  X(double, rows_data,  sar_rows_doubles(n, m), "of rows")                                        \
  X(double, outer_data, sar_rows_doubles(n, n), "of outer")                                       \
  X(int,    rows_ints,  m,             "of rows")                                                 \
  X(int,    outer_ints, n,             "of outer")                                                \
  X(int,    pivot,    n + m,           "pivots, selections")
// clang-format on

typedef struct SarIndex1 {
  // the problem: set by the caller, not changed
  int n, m;
  const double* M;      // n x n, symmetric, both triangles
  const double* Psi;    // m x n, row by row
  const double* gamma;  // m
  const double* F;      // n
  const double* unit;  // Nullable. n: of each coordinate; methods that mix lengths and angles weigh
                       // them by it
  double tol;          // of the rank decision
  double rho;          // penalty: factor of the constraints; 0: 1e5 |M| / |Psi|^2
  int max_iterations;  // penalty: bound,
  bool counted;        // or as many as are made, whatever they leave
  // the answer
  int rank;        // of Psi; -1: the method does not find it
  int iterations;  // penalty: how many it took
  SarRows rows;    // rows.row[rank .. m): the redundant ones, where the method finds them
  // scratch
  SarRows outer;  // rows of a second matrix
  SarDenseWork dense;
#define X(type, name, entries, doc) type* name;
  SAR_INDEX1_ARRAYS(X)
#undef X
} SarIndex1;

// A method solves for a and lambda.
// SAR_SINGULAR: redundant rows or a mass matrix it cannot take, or no unique solution.
// SAR_NOT_CONVERGED: an iteration, its own or LAPACK's, reached its bound.
typedef SarStatus SarIndex1Solve(SarIndex1* p);
SarIndex1Solve sar_index1_qr;  // for those that build on it

// Bytes of work space for all methods, and laying it out: `work` is aligned to 64 bytes. Sets
// default tol, rho and max_iterations; M, Psi, gamma and F are the caller's to set.
size_t sar_index1_work_size(int n, int m);
void sar_index1_init(SarIndex1* p, int n, int m, void* work);

// Baumgarte: gamma_hat = gamma - 2 alpha Phi' - beta^2 Phi, for any method. gamma_hat may be gamma.
void sar_index1_stabilise(int m, const double* gamma, const double* Phi, const double* Phi_dot,
                          double alpha, double beta, double* gamma_hat);

// Steps that methods share, in the order of their use.
// QR with pivoting of Psi': rank, rows, and the particular solution c = Psi+ gamma = Q1 y, y in
// p->y.
SarStatus sar_index1_rank(SarIndex1* p);
void sar_index1_particular(SarIndex1* p);
// The orthonormal V = Q [0; I] and c = Q [y; 0] into the basis.
void sar_index1_orthonormal(SarIndex1* p);
// Only c, as column n - rank of the basis.
void sar_index1_particular_column(SarIndex1* p);
// S Psi U into `other`: rows of length one, coordinates in their units. Decompositions know the
// null space of the short rows to the rounding of the long ones, and nothing may be short by its
// unit alone.
void sar_index1_even(SarIndex1* p);
// H = (S Psi U)'(S Psi U) into `square`.
void sar_index1_square(SarIndex1* p);
// V = U K of the n - rank columns of K: K is the null space of S Psi U.
void sar_index1_take_basis(SarIndex1* p, const double* K);
// (V' M V) z = V'(F - M c),  a = c + V z,  residual; the second by (V' M V)+ always.
SarStatus sar_index1_reduced(SarIndex1* p);
SarStatus sar_index1_reduced_pinv(SarIndex1* p);
// lambda = (Psi')+ residual
void sar_index1_multipliers(SarIndex1* p);
// M = U'U into p->vectors.
SarStatus sar_index1_factor_mass(SarIndex1* p);
// SAR_NOT_FINITE unless all of a and lambda are finite.
SarStatus sar_index1_check(const SarIndex1* p);
