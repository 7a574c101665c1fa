/* Dynamics at one instant, and their exact derivatives. */
#pragma once
#include <sarrus/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All use t, q, v, inputs and tau of d. Each evaluates what it needs; none allocates. Contact,
 * limits and motors with a largest force, and dry friction that sticks, act by impulses over a
 * step: at one instant they cannot be known, and sar_forward_dynamics and sar_inverse_dynamics
 * leave them out (dry friction is a smooth law of the speed there). What acted in a step is in
 * sar_a, sar_reaction and sar_outputs after it. */

/* Evaluates kinematics, measured quantities, expressions and forces, then the accelerations a
 * (articulated bodies).  SAR_NOT_OFFERED where constraints are on: sar_accelerations has them. */
SAR_API SarStatus sar_forward_dynamics(SarData* d);
/* tau[nv] that gives accelerations a[nv], all forces of the model taken into account.  Where
 * constraints are on, a must keep them (else SAR_NOT_CLOSED), and of the many answers this is the
 * one in which they carry nothing: Psi' lambda may be added, with Psi their Jacobian and any
 * lambda. */
SAR_API SarStatus sar_inverse_dynamics(SarData* d, const double* a, double* tau);
/* M[nv*nv], row by row, full symmetric.  SAR_NOT_OFFERED where constraints are on: inertia is not M
 * alone then.  sar_tree_mass_matrix gives M of the tree also there: M a + Psi' lambda = Q. */
SAR_API SarStatus sar_mass_matrix(SarData* d, double* M);
SAR_API SarStatus sar_tree_mass_matrix(SarData* d, double* M);
/* J[6*nv], row by row: v_point = J v.  Rows: angular x y z, linear x y z; ground axes; point in
 * body axes. */
SAR_API SarStatus sar_jacobian(SarData* d, int body, const double point[3], double* J);

/* Pose of a body's frame as the file defines it: position[3], rotation[9] (row by row, body to
 * ground). */
SAR_API SarStatus sar_body_pose(SarData* d, int body, double position[3], double rotation[9]);
/* Velocity of a body point: angular[3] and linear[3], ground axes. */
SAR_API SarStatus sar_body_velocity(SarData* d, int body, const double point[3], double angular[3],
                                    double linear[3]);

typedef struct SarEnergy {
  double kinetic, potential, total; /* J; potential = gravity + springs */
  double work;  /* J put in since the account was opened by all not in `potential` (dampers take,
                   motors give) */
  double error; /* total - total at start - work: what the numerics lost or made */
} SarEnergy;

SAR_API SarStatus sar_energy_sized(SarData* d, SarEnergy* out, size_t size);
static inline SarStatus sar_energy(SarData* d, SarEnergy* out) {
  return sar_energy_sized(d, out, sizeof *out);
}
/* The energy account begins anew with the present state, all work 0: after q or v were written by
 * hand. */
SAR_API void sar_energy_restart(SarData* d);
/* Linear p and angular momentum about the ground origin L, ground axes. */
SAR_API SarStatus sar_momentum(SarData* d, double p[3], double L[3]);
/* Force and torque that a joint exerts on its child body (in the direction of the file) at the
 * joint point: force[3], torque[3], ground axes, all six components including the joint's own
 * springs and motors. SAR_NOT_OFFERED for a fixed joint that is not of the tree
 * (SarLoadOptions.keep_fixed). Needs accelerations: call sar_forward_dynamics or sar_step before.
 * After a step by impulses it is the mean over the step, with contacts, limits, motors and dry
 * friction, in balance with sar_a. Where constraints are redundant this is one of many answers; the
 * columns of sar_outputs have the smallest. */
SAR_API SarStatus sar_reaction(SarData* d, int joint, double force[3], double torque[3]);

/* ---- derivatives -----------------------------------------------------------------------------
 * Exact first derivatives (analytical for the tree, forward mode for forces, expressions and
 * constraints: no differences) of the dynamics at one instant, of what sar_forward_dynamics,
 * sar_accelerations and sar_inverse_dynamics compute. Matrices stand row by row: a[i] by q[j] is at
 * i * columns + j.
 *
 * Columns of q are the nv local coordinates of the joints, not the nq stored numbers: position j
 * moves along v[j], q = q + dq for plain joints, and for spherical and free ones the quaternion Q
 * exp(dq) with dq a rotation vector in body axes. At a kink of a force the derivative is that of
 * the branch that holds. What acts by impulses (contact, limits, motors with a largest force,
 * sticking) is left out, as at sar_forward_dynamics; dry friction is its smooth law.
 *
 * Where constraints are on, a and the multipliers are differentiated together: M a + Psi' lambda =
 * Q, Psi a = gamma. Every column is the derivative of these equations, also along directions that
 * open a loop; where constraints are redundant it holds along what they allow, and across it for
 * the rows that were chosen (the farthest apart). */

typedef struct SarDerivatives SarDerivatives;

/* Memory for a model's derivatives; belongs to one thread at a time. SAR_NOT_OFFERED, with the name
 * of the element, where a force of the model has no derivative. */
SAR_API SarStatus sar_derivatives_new(const SarModel* m, SarDerivatives** out, SarError* err);
SAR_API void sar_derivatives_free(SarDerivatives* w); /* NULL is fine */

/* What is asked for: each array Nullable. nv coordinates, nu inputs, nz states of the file. */
typedef struct SarForwardDerivatives {
  double *a_q, *a_v, *a_tau;          /* nv x nv: accelerations by positions, velocities, sar_tau */
  double *a_input, *a_state, *a_time; /* nv x nu, nv x nz, nv */
  double *rate_q, *rate_v;            /* nz x nv: rates of states */
  double *rate_input, *rate_state, *rate_time; /* nz x nu, nz x nz, nz */
} SarForwardDerivatives;

/* Of the accelerations; sar_a is filled too. Allocates nothing. SAR_SINGULAR at a singular position
 * of the constraints. */
SAR_API SarStatus sar_forward_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const SarForwardDerivatives* out,
                                                         size_t size);
static inline SarStatus sar_forward_dynamics_derivatives(SarDerivatives* w, SarData* d,
                                                         const SarForwardDerivatives* out) {
  return sar_forward_dynamics_derivatives_sized(w, d, out, sizeof *out);
}

typedef struct SarInverseDerivatives {
  double *tau_q, *tau_v, *tau_a; /* nv x nv: by positions, velocities, accelerations (M) */
  double *tau_input, *tau_state, *tau_time; /* nv x nu, nv x nz, nv */
} SarInverseDerivatives;

/* Of the joint forces that give accelerations a[nv], constraints carrying nothing. Allocates
 * nothing. */
SAR_API SarStatus sar_inverse_dynamics_derivatives_sized(SarDerivatives* w, SarData* d,
                                                         const double* a,
                                                         const SarInverseDerivatives* out,
                                                         size_t size);
static inline SarStatus sar_inverse_dynamics_derivatives(SarDerivatives* w, SarData* d,
                                                         const double* a,
                                                         const SarInverseDerivatives* out) {
  return sar_inverse_dynamics_derivatives_sized(w, d, a, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
