// The recursions of dynamics/ over symbols: what SarData holds for numbers, with nodes of a graph
// in their place. Everything that the compiled model knows as a number is folded: fixed frames,
// zero offsets, axes that are parallel, point masses. What remains depends on the state.
//
//   SarSymbols s;
//   if (sar_symbols_init(&s, m, &arena, err)) ...      symbols t, q[i], v[i], z[i], input[i],
//                                                      tau[i]
//   sar_symbols_forces(&s);                            kinematics, expressions, forces, rates of
//                                                      states
//   sar_symbols_aba(&s);                               accelerations of an open tree
//   sar_symbols_constraints(&s); sar_symbols_mass(&s); ...
//
// Accelerations here are those of the body's origin as a point (conventional ones), not spatial
// ones: then no linear velocity enters the equations of motion,
//
//   f = m a + alpha x h + w x (w x h),   n = I alpha + w x I w + h x a
//   a_B = R'(a_P + alpha_P x p + w_P x (w_P x p)) + ...        revolute joint at p
//
// and a third of the arithmetic of velocities is gone. Uniform gravity is an acceleration -g of the
// ground, as everywhere; where two bodies are compared it cancels.
#pragma once
#include "codegen/families.h"
#include "codegen/spatial.h"
#include "codegen/twins.h"
#include "model/model.h"

// A joint's transform in two steps: X_PF is constant, X_FB depends on q. Turning about z costs four
// operations a vector, a constant frame that is parallel to the parent's nothing.
typedef struct SymJoint {
  SymXform X_PF;
  SymXform X_FB;  // general joints
  SarNode c, s;   // revolute: of q
  SymMotion S[SAR_JOINT_MAX_NV];
  SymMotion Sv, cJ;  // general joints: S v, (dS/dt) v
} SymJoint;

typedef struct SymBias {  // of a body for zero joint accelerations, in B
  SymV3 alpha, a;
} SymBias;

typedef struct SarSymbols {
  const SarModel* m;
  SarArena* arena;
  SarGraph* g;
  SarError* err;    // Nullable: where what cannot be generated is reported
  bool refused;     // something cannot: it has been reported
  SarTwins* twins;  // Nullable: whose numbers enter as symbols
  double size;      // largest offset of a body from its parent [m]
  // the state: symbols, named t, q[0], v[0], z[0], input[0], tau[0]
  SarNode t;
  SarNode *q, *v;  // nq_all, nv_all; of cuts: what they follow from
  SarNode *z, *input, *tau_host;
  SarNode* discrete;  // ndiscrete, w[0] ...: held between instants (model/discrete.h)
  // depends on q
  SymJoint* joint;  // nbody
  SymXform* X_GB;   // nbody
  // depends on q, v
  SymV3* w;       // nbody: angular velocity, in B
  SymV3* vel;     // nbody: velocity of the origin, in B; only where `moves` asks for it
  SymBias* bias;  // nbody: with gravity
  // forces
  SarNode* slot;  // nslot: t, inputs, measures, expressions, locals
  SymForce* F;    // nbody: applied force in B, without gravity
  SarNode* tau;   // nv_all
  SarNode *force_power, *force_output;
  SarNode *z_rate, *work_rate;
  struct SymTangents*
      tangents;  // Nullable: elements note how their forces follow the motion (tangents.h)
  // constraints
  SarNode *Phi, *Phi_t, *Phi_dot, *gamma;  // nrow
  SarNode* Psi;                            // nrow_dof
  // gates by known times (gates.h), NULL: there are none. Conditions, SAR_NONE: always on
  SarNode *force_on, *row_on;  // nforce, nrow
  SarNode* held;               // held[0] ...: where what took hold was found
  SarNode* measured;           // nrow: Phi of rows as if nothing were held
  // npair, Nullable: pairs that rows along all of these ground axes (bits) hold at a point, of a
  // closed position: then they are written in those axes (pinned.c)
  const int* pinned;
  // equations of motion
  SarNode* mass;  // nv nv, NULL until sar_symbols_mass; zero where no path joins two coordinates
  SarNode* rest;  // nv: tau less the bias forces: M a + Psi' lambda = rest
  SarNode *a, *lambda;
  SarNode open, flat;    // how good they are: by the method
  SarFamilies families;  // what is alike in them
} SarSymbols;

// Symbols and arrays; no kinematics yet. False when memory ran out.
bool sar_symbols_init(SarSymbols* s, const SarModel* m, SarArena* arena, SarError* err);
// Says that something of the model cannot be put into symbols.
void sar_symbols_refuse(SarSymbols* s, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// What may be wrong with the model as a whole: contact, motors by impulses, switches. Reports all.
bool sar_symbols_accept(SarSymbols* s);
// Where equations are to be read: discrete-time states have none.
void sar_symbols_refuse_discrete(SarSymbols* s);

// q, v -> joint, w. Then poses in ground, and velocities of origins.
void sar_symbols_kinematics(SarSymbols* s);
void sar_symbols_world(SarSymbols* s);
void sar_symbols_velocities(SarSymbols* s);
// Kinematics, measures, expressions, forces of joints and elements, rates of states and accounts.
void sar_symbols_forces(SarSymbols* s);
// a of an open tree by articulated bodies.
void sar_symbols_aba(SarSymbols* s);
// Bias accelerations with gravity (bias), then rest = tau - (bias forces).
void sar_symbols_bias(SarSymbols* s);
void sar_symbols_rest(SarSymbols* s);
// The same for joint accelerations a (nv), without the inertia of rotors (armature).
void sar_symbols_moving(SarSymbols* s, const SarNode* a);
// The mass matrix.
void sar_symbols_mass(SarSymbols* s);
// Phi and Psi; Phi_t, Phi_dot and gamma.
void sar_symbols_constraints(SarSymbols* s);
void sar_symbols_constraint_rates(SarSymbols* s);
void sar_symbols_drive_rates(SarSymbols* s);  // Phi_t alone
// Multipliers of pinned pairs, from ground axes to those of the model.
void sar_symbols_unpin(SarSymbols* s);
void sar_symbols_constraint_work(SarSymbols* s);  // work_rate of constraints, from lambda
// a = M^-1 rest of an open tree, by the factor L'DL that fills nothing in.
void sar_symbols_crba(SarSymbols* s);
// a and lambda of a model with constraints, by the augmented Lagrangian with weights of the rows
// (numbers, or symbols), and `open`, the square of what the last correction changed over that of a:
// above SAR_SYMBOLS_OPEN the position is too near to a singular one.
void sar_symbols_lagrange(SarSymbols* s, const SarNode* weight);
#define SAR_SYMBOLS_OPEN 1e-16
// dv (nv) of a plastic impact onto the constraints: M dv + Psi' L = 0, Psi (v + dv) + Phi_t = 0.
// False: no memory.
bool sar_symbols_impact(SarSymbols* s, const SarNode* weight, SarNode* dv);
// dq and dv (nv each) that bring positions and velocities back onto the constraints.
void sar_symbols_project(SarSymbols* s, const SarNode* weight, SarNode* dq, SarNode* dv);

bool sar_symbols_know_force(const char* kind);  // does a kind of force have equations?
bool sar_symbols_know_joint(const char* kind);

// ---- between the parts --------------------------------------------------------------------------
// Numbers of the model (numbers.c): X_PF, points and directions of constraints, in their bodies.
SymXform sar_symbols_frame(const SarSymbols* s, int b);
SymV3 sar_symbols_pair_point(const SarSymbols* s, int pair, int which);
SymV3 sar_symbols_direction(const SarSymbols* s, const SarTerm* t, char which);  // 'x', 'y', 'w'
// A vector of the parent in B, of B in the parent.
SymV3 sar_symbols_to_child(const SarSymbols* s, int b, SymV3 a_P);
SymV3 sar_symbols_in_frame(const SarSymbols* s, int joint, SymV3 a, bool direction);
SymV3 sar_symbols_to_parent(const SarSymbols* s, int b, SymV3 a_B);
SymV3 sar_symbols_offset(const SarSymbols* s, int b);  // p_PB, in the parent
// X_AB of a body from X_AP of its parent; NULL: A is the parent.
SymXform sar_symbols_beyond(const SarSymbols* s, int b, const SymXform* X_AP);
// X_FB, S, cJ of a general joint.
bool sar_symbols_joint(SarSymbols* s, int joint, SymJoint* out);
// The file's coordinates of a joint from the tree's; and a force from the file's to the tree's.
bool sar_symbols_flip(SarSymbols* s, int joint, const SarNode* q, const SarNode* v, SarNode* q_file,
                      SarNode* v_file);
void sar_symbols_add_joint_force(SarSymbols* s, int joint, const SarNode* tau_file);
// Value of a program, with the present slots.
SarNode sar_symbols_program(SarSymbols* s, const SarExprEntry* e);
void sar_symbols_measures(SarSymbols* s);
void sar_symbols_elements(SarSymbols* s);
void sar_symbols_field(SarSymbols* s);
// Motion of a body's points in ground axes; body -1: ground.
SymXform sar_symbols_pose(const SarSymbols* s, int body);
SymV3 sar_symbols_point_velocity(const SarSymbols* s, int body, SymV3 p_B);
SymV3 sar_symbols_omega(const SarSymbols* s, int body);
