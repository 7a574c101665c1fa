// What becomes of a joint when the tree runs through it from child to parent.
//
// Initial values are flipped by the kind. Springs, dampers, motors and limits stay as the file
// counts the coordinates. Reflected inertia is part of the mass matrix and must be turned: with
// v_file = J(q) v and the armature A on the diagonal,
//   v_file' A v_file = v' (J' A J) v
// so J' A J must be diagonal and the same at every position. It is tried at a few positions in
// general position, so that a new kind of joint needs no code here. (Universal: the two change
// places. Ball: three equal ones stay.) A joint where this fails is one-way: the tree avoids
// turning it.
#include "model/compile/parts.h"

#include <math.h>

enum { TRIALS = 3, NV = SAR_JOINT_MAX_NV, NQ = SAR_JOINT_MAX_NQ };

// No two components related, none small, none near a half turn.
static const double TRIAL[TRIALS][NV] = {{0.31, -0.47, 0.73, 0.59, -0.83, 0.37},
                                         {-0.67, 0.29, 0.53, -0.41, 0.71, -0.97},
                                         {0.43, 0.89, -0.61, 0.79, 0.23, 0.51}};

// M = J' A J at one position
static void turned_inertia(const SarJointKind* kind, const double* param, const double* armature,
                           const double* xi, double M[NV][NV]) {
  double zero[NQ], q[NQ], q_file[NQ], J[NV][NV];  // J[k]: column k
  int nv = kind->nv;
  sar_joint_zero(kind, zero);
  sar_joint_retract(kind, param, zero, xi, q);
  for (int k = 0; k < nv; k++) {
    double v[NV] = {0};
    v[k] = 1;
    kind->flip(param, q, v, q_file, J[k]);
  }
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) {
      M[i][k] = 0;
      for (int n = 0; n < nv; n++) M[i][k] += J[i][n] * armature[n] * J[k][n];
    }
}

bool sar_turn_armature(const JointPart* p, double* turned) {
  const SarJointKind* kind = p->kind;
  const double* A = sar_law(p, LAW_ARMATURE);
  double M[NV][NV], largest = 0;
  for (int i = 0; i < kind->nv; i++) {
    turned[i] = A[i];
    largest = fmax(largest, A[i]);
  }
  if (!kind->flip || largest == 0) return true;
  for (int n = 0; n < TRIALS; n++) {
    turned_inertia(kind, p->param, A, TRIAL[n], M);
    for (int i = 0; i < kind->nv; i++) {
      if (n == 0) turned[i] = M[i][i];
      for (int k = 0; k < kind->nv; k++)
        if (fabs(M[i][k] - (i == k ? turned[i] : 0)) > 1e-9 * largest) return false;
    }
  }
  return true;
}

SarLoc sar_armature_loc(const JointPart* p) {
  return p->spec->rotor && !p->spec->armature.count ? p->spec->rotor->loc : p->spec->armature.loc;
}

bool sar_has_armature(const JointPart* p) {
  for (int k = 0; k < p->kind->nv; k++)
    if (sar_law(p, LAW_ARMATURE)[k] != 0) return true;
  return false;
}
