// SarData: everything that changes during a run. Copying it copies the run.
//
// The state stands first: what a step reads that does not follow from the rest (state.h visits all
// of it, for hashes and files). Behind it stands what follows from the state, grouped by what it
// depends on; each group names the function that fills it. All this is one block. What a
// formulation or an integrator remembers beyond that is a second one (SarMethod), sized when a
// simulation is made.
#pragma once
#include "math/articulated.h"
#include "model/model.h"

// Laws of single coordinates that impulses enforce.
typedef enum SarDofImpulse {
  SAR_IMPULSE_LOWER,
  SAR_IMPULSE_UPPER,
  SAR_IMPULSE_FRICTION,
  SAR_IMPULSE_MOTOR,
  SAR_DOF_IMPULSES
} SarDofImpulse;

// Increments of states that an iteration remembers (dynamics/element_states.c).
enum { SAR_STATE_STEPS = 4 };

// Where a roller touches its surface, ground axes.
typedef struct SarRoll {
  V3 rho;          // from its centre to the point of contact
  V3 way[3];       // directions of its rows: gap, forward, side
  V3 heading;      // forward is heading x normal: the disc's axis, or a direction fixed in a
  double bend[3];  // zxx, zxy, zyy of the road
} SarRoll;

// How dry friction of joints acts on the applied forces: as -F tanh(v / vs), the smooth law of
// explicit formulations; not at all, impulses do it; or as the force dof_friction_force - dof_stick
// v, which an implicit formulation finds along with the motion (Coulomb's law as it is).
typedef enum SarFrictionLaw {
  SAR_FRICTION_SMOOTH,
  SAR_FRICTION_BY_IMPULSES,
  SAR_FRICTION_FOUND
} SarFrictionLaw;

// clang-format off
// The state.
#define SAR_DATA_STATE(X)                                                                               \
  /* set by the integrator or the host program */                                                       \
  X(double, q,            nq_all, 1, "positions; of cuts: they follow, the turn is remembered")         \
  X(double, v,            nv_all, 1, "velocities")                                                      \
  X(double, z,            nz,     1, "states of the user's own")                                        \
  X(double, work,         nwork,  1, "work done so far by each account [J], integrated along")          \
  X(double, tau_host,     nv_all, 1, "joint forces added by the host program [N m or N]")               \
  X(double, input,        ninput, 1, "inputs of the host program")                                      \
  X(double, discrete,     ndiscrete, 1, "discrete-time states (discrete.h)")                            \
  X(double, discrete_kept, ndiscrete, 1, "delays: what the next instant will make of them")             \
  X(double, knot,         nknot_dof, 1, "coordinates of knots where the last step ended: their balance is sought from there") \
  X(double, force_kept,   nforce_kept, 1, "what elements keep from step to step, for outputs")          \
  X(double, held,         nheld,  1, "quantities of the last step that expressions use: compile/held.c") \
  /* what is switched on (gate.h) */                                                                    \
  X(int,    gate_state,   ngate,  1, "bits: on, and which triggers were true when last looked at")      \
  X(Xform,  cut_X_B,      ncut,   1, "joint frame in B of the child: declared, or where it gripped")    \
  X(double, row_hold,     nrow,   1, "what a row measured when it was switched on with `hold`, else 0") \
  /* what touches: impulses start the next step's iteration */                                          \
  X(double, dof_impulse,  nv_all, SAR_DOF_IMPULSES, "forces of joint laws in the last step, file's direction") \
  X(SarContact, contact,  ncontact, 1, "points of contact: the first d->ncontact")                      \
  /* constraints as the assembly found them, and as rows came and went since */                         \
  X(int,    row_order,    nrow,   1, "freedom.rows that are on, independent ones first; then the others") \
  X(double, row_size,     nrow,   1, "how long a row of Psi usually is")                                \
  X(double, row_span,     nrow,   1, "the same with coordinates in units of the mechanism (sar_dof_units)") \
  /* where the last step ended, with its rates: what differs now was set by the host program */         \
  X(double, end_q,        nq,     1, "positions")                                                       \
  X(double, end_v,        nv,     1, "velocities")                                                      \
  X(double, end_a,        nv,     1, "accelerations")                                                   \
  X(double, end_z,        nz,     1, "states")                                                          \
  X(double, end_z_rate,   nz,     1, "rates of `z`")                                                    \
  X(double, end_power,    nwork,  1, "rates of `work`")                                                 \
  X(double, end_tau,      nv_all, 1, "tau_host")                                                        \
  X(double, end_input,    ninput, 1, "input")                                                           \
  X(double, end_switch,   nswitch, 1, "switching functions")

// Where a reset goes: the model's initial state, assembled once a simulation is made.
#define SAR_DATA_START(X)                                                                               \
  X(double, q_start,      nq_all, 1, "of q")                                                            \
  X(double, v_start,      nv_all, 1, "of v")                                                            \
  X(double, z_start,      nz,     1, "of z: found where the first simulation is made")                  \
  X(double, discrete_start, ndiscrete, 1, "of discrete, at the first instant where that is the start")  \
  X(double, discrete_kept_start, ndiscrete, 1, "of discrete_kept")                                      \
  X(int,    gate_start,   ngate,  1, "of gate_state")                                                   \
  X(Xform,  cut_X_B_start, ncut,  1, "of cut_X_B")                                                      \
  X(double, row_hold_start, nrow, 1, "of row_hold")                                                     \
  X(int,    row_order_start, nrow, 1, "of row_order")

// What follows from the state.
#define SAR_DATA_CACHES(X)                                                                              \
  /* depends on what is switched on: sar_gates_apply */                                                 \
  X(int,    constraint_on, nconstraint, 1, "0: off; constraint k is that of cut k for k < ncut")        \
  X(int,    force_on,     nforce, 1, "0: off, not applied")                                             \
  X(int,    row_on,       nrow,   1, "0: off, has left the system")                                     \
  X(int,    active_row,   nrow,   1, "rows that are on, rising: the first nactive")                     \
  X(V3,     pair_b,       npair,  1, "point of b, in its frame B")                                      \
  X(V3,     term_w,       nterm,  1, "direction fixed in b, in its frame B")                            \
  /* depends on q: sar_update_positions (sar_update_kinematics does it too) */                          \
  X(Xform,  body_X_PB,    nbody,  1, "pose of B in the parent's B (constant parts: sar_data_new)")      \
  X(Motion, dof_S,        nv_all, 1, "joint axes in B (one-axis tree joints: unit z, not filled)")      \
  X(Motion, node_S,       nnode_mode, 1, "axes of nodes: their motion for unit speeds of the modes, in B") \
  X(Xform,  body_X_GB,    nbody_all, 1, "pose of B in ground: sar_update_world; of knots: sar_update_knots") \
  X(Xform,  cut_X_PB,     ncut,   1, "joint frame of the child in B of the parent: cut_joints.h")       \
  /* depends on q, v: sar_update_kinematics */                                                          \
  X(Motion, body_V,       nbody_all, 1, "velocity of B, in B; of knots: sar_update_knots")              \
  X(Motion, body_cJ,      nbody,  1, "(dS/dt) v of general joints and nodes, in B")                     \
  /* depends on t, q: sar_update_constraints */                                                         \
  X(double, Phi,          nrow,   1, "residuals of the constraint rows [m, rad or 1]")                  \
  X(double, Psi,          nrow_dof, 1, "Jacobian, entries at row_dof")                                  \
  X(Force,  term_W,       nterm,  1, "d term/dt = W . (motion of b against a), at p_b, ground axes")    \
  X(V3,     pair_p,       npair,  1, "p_b in ground")                                                   \
  X(V3,     pair_d,       npair,  1, "p_b - p_a, ground axes")                                          \
  X(SarRoll, roll,        nroller, 1, "where wheels touch: rolling.h")                                  \
  /* depends on t, q, v: sar_update_constraint_rates */                                                 \
  X(double, Phi_t,        nrow,   1, "rate of Phi at rest: minus the drives' speeds")                   \
  X(double, Phi_dot,      nrow,   1, "Psi v + Phi_t")                                                   \
  X(double, gamma,        nrow,   1, "Psi a - Phi''")                                                   \
  /* depends on t, q, v: sar_update_forces */                                                           \
  X(double, slot,         nslot,  1, "t, inputs, measures, variables, expressions, locals")             \
  X(double, reg,          nregister, 1, "scratch of the expression programs")                           \
  X(Force,  body_F,       nbody_all, 1, "applied force on the body, in B (gravity not included)")       \
  X(double, tau,          nv_all, 1, "joint forces: passive, actuators, host, elements")                \
  X(double, dof_friction_force, nv_all, 1, "dry friction on a coordinate where a formulation finds it") \
  X(double, dof_stick,    nv_all, 1, "force per speed with which a joint that sticks is held, else 0")  \
  X(double, force_power,  nforce, 1, "power of each element's non-conservative part [W]")               \
  X(double, force_output, nforce_output, 1, "what elements report (length, tension, ...)")              \
  X(double, force_cache,  nforce_cache, 1, "what elements leave for others")                            \
  X(double, work_rate,    nwork,  1, "power of each work account [W]")                                  \
  X(double, z_rate,       nz,     1, "rates of z")                                                      \
  X(double, knot_s,       nknot_dof, 1, "coordinates of the knots")                                     \
  X(double, knot_rate,    nknot_dof, 1, "their rates")                                                  \
  /* depends on accelerations: a formulation, then sar_update_accelerations */                          \
  X(double, a,            nv_all, 1, "accelerations")                                                   \
  X(double, lambda,       nrow,   1, "multipliers: M a + Psi' lambda = Q")                              \
  X(Motion, body_A,       nbody,  1, "acceleration of B, in B, with gravity as ground acceleration -g") \
  X(Force,  body_joint_F, nbody,  1, "force the tree joint exerts on body b, in B")

#define SAR_DATA_ARRAYS(X) SAR_DATA_STATE(X) SAR_DATA_START(X) SAR_DATA_CACHES(X)

// Work space of the tree algorithms: means nothing after they return, and is not copied.
#define SAR_DATA_SCRATCH(X)                                                                             \
  X(Motion, pair_J,       npair_dof, 1, "constraints: motion of b against a at p_b, ground axes")       \
  X(Motion, tangent_J,    ntangent_dof, 1, "tangents: motion of body[1] against body[0] at p, ground axes") \
  X(SarBiasMotion, body_bias, nbody, 1, "constraints: motion of B for zero joint accelerations")        \
  X(double, q_sin,        nq,     1, "sines of all q (of use only where q is an angle)")                \
  X(double, q_cos,        nq,     1, "cosines of all q")                                                \
  X(L4x3,   body_columns, nbody,  1, "columns of R_PB: sar_update_positions")                           \
  X(ArticulatedLoad, body_load, nbody, 1, "ABA: what the children hand up")                             \
  X(LaneForce, body_force, nbody, 1, "RNEA, momentum: force on the body, in B")                         \
  X(LaneForce, dof_U,     nv,     1, "ABA: one axis: IA S / D; general: IA S L^-T, D = L L'; CRBA: F_i") \
  X(double, dof_u,        nv,     1, "ABA: one axis: u / D; general: L^-1 u")                           \
  X(double, dof_L,        nv,     SAR_JOINT_MAX_NV, "ABA: rows of L of general joints")                 \
  X(double, modal_L,      nmodal_matrix, 1, "ABA: D = L L' of the modes of modal bodies")               \
  X(Composite, body_IC,   nbody,  1, "CRBA: what the children hand up")                                 \
  X(double, dof_work,     nv,     1, "mass matrix: 1/D of its factors, then bias forces")                                         \
  X(double, z_matrix,     nzz,    1, "states: 1 - gain d rate / d state")                               \
  X(double, z_step,       nz,     1, "states: Newton's increment")                                      \
  X(double, z_steps,      nz, SAR_STATE_STEPS, "states: increments of one iteration")                   \
  X(double, z_mixed,      nz,     1, "states: how much of the others enters each")                      \
  X(double, z_base,       nz,     1, "states: what z_from points to, for who needs room")               \
  X(int,    z_pivot,      nz,     1, "states: of z_matrix")                                             \
  X(double, knot_matrix,  nknot_matrix, 1, "knots: how the forces on them follow their motion")         \
  X(double, knot_factor,  nknot_matrix, 1, "knots: factors of that at the solution")                    \
  X(double, knot_schur,   nknot_matrix, 1, "knots: factors of A of one network (knot_tangents.c)")      \
  X(SarNetworkWork, network_work, nnetwork_force, 1, "knots: tangents of the forces of networks")       \
  X(V3,     network_motion, nnetwork_motion, 1, "knots: motions of the two ends of forces against each other") \
  X(V3,     network_J,    nnetwork_place, 1, "knots: motion of the points of bodies around them, ground axes") \
  X(double, knot_f,       nknot_dof, 1, "knots: forces on them, along their ways")                      \
  X(double, knot_step,    nknot_dof, 1, "knots: Newton's increment")                                    \
  X(double, knot_from,    nknot_dof, 1, "knots: where it starts")                                       \
  X(size_t, mass_row,     nv + 1, 1, "where rows of the sparse mass matrix start: mass.h, sar_data_new")
// clang-format on

// A force of a network of knots (dynamics/knot_tangents.c).
typedef struct SarNetworkWork {
  S3 K, C, B;  // how it follows shifts, ground axes; B = K + C / z_gain
  V3 p;        // where it acts on the body at its other end
  V3 u;        // motion of that
} SarNetworkWork;

// How a body moves in ground axes: its origin's v and a, with a and alpha for zero joint
// accelerations.
typedef struct SarBiasMotion {
  V3 w, v, alpha, a;
} SarBiasMotion;

// How an integrator goes on from here. Void when d->t is not `t`: the time was set from outside.
typedef struct SarClock {
  double t;                  // where the last step ended [s]
  double mark, step, count;  // fixed steps are counted: t = mark + count step
  double next;               // adaptive: proposal for the next step [s], 0 = none
  double error;              // adaptive: error of the last step over the tolerance, 0 = none
  double window;             // kinks of the state are counted since then [s]
  int landings;              // and this many were met
  int unchecked;             // steps still to be taken without error control: the state chatters
} SarClock;

// What the constraints leave of the motion, found where a run begins (sim/assemble.h) and whenever
// rows come or go.
typedef struct SarFreedom {
  int rows;       // of constraints that are on
  int rank;       // independent rows: the most found at the position and around it
  int rank_here;  // at the position itself: fewer at a singular one
  int massless;   // 1 + a coordinate of the tree whose motion has no inertia; 0: all have
} SarFreedom;

// The state block of the method that makes the steps: what its formulation and its integrator
// remember from step to step (predictor histories, multipliers, Jacobians). It describes itself, so
// that copies, hashes and files need not know the method, and no byte of it is padding. A
// simulation with another method does not believe it: it takes its place and begins anew.
enum { SAR_METHOD_FIELDS = 32, SAR_METHOD_NAME = 32 };

typedef struct SarField {
  char name[SAR_METHOD_NAME];
  int count;
  int most;  // whole numbers from 0 to this; -1: doubles
} SarField;

typedef struct SarMethod {
  char formulation[SAR_METHOD_NAME], integrator[SAR_METHOD_NAME];  // "": of nobody
  double spectral_radius;
  int project;
  int nfield;
  SarField field[SAR_METHOD_FIELDS];
  size_t bytes, room;    // of the block: used, and taken
  unsigned char* block;  // the fields in turn, each on a cache line
} SarMethod;

// Why an evaluation found no place for a knot: forces on it are not finite then (dynamics/knots.h).
typedef enum SarKnotTrouble {
  SAR_KNOT_FOUND,
  SAR_KNOT_LOST,      // Newton's iteration did not converge
  SAR_KNOT_LOOSE,     // nothing holds it in some direction, or it would buckle
  SAR_KNOT_UNDAMPED,  // dampers act on it, but not along all its ways
} SarKnotTrouble;

// A new beginning: histories do not hold. Rates at the end of the last step do not either, unless
// they were evaluated anew there (sim/setup.h).
enum { SAR_RESTART_PLAIN = 1, SAR_RESTART_PREPARED = 2 };

struct SarData {
  const SarModel* m;
  size_t bytes;         // of the whole block, this header included
  size_t copied;        // of them: header and SAR_DATA_ARRAYS
  size_t version;       // another one whenever state or method may have changed: not copied
  double t;             // [s]
  double energy_start;  // total energy when the account was opened [J]; NaN: not yet
  double end_t;         // where the last step ended; NaN: none has, or nothing of it holds
  int nactive;          // rows of constraints that are on
  int ncontact;         // points of contact; their most is m->ncontact
  int restart;          // a new beginning: SAR_RESTART_PLAIN, SAR_RESTART_PREPARED; 0: none
  int assembled;        // 1: freedom, row_order and row_size are known
  SarFreedom freedom, freedom_start;
  SarClock clock;  // all zero at the start
  SarMethod method;
  // Set by a simulation for as long as it works on the data, SAR_FRICTION_SMOOTH otherwise; and the
  // one that `a` and `lambda` go with.
  SarFrictionLaw friction, a_friction;
  // Set by a step that is implicit in the states, NULL otherwise: sar_update_forces then solves
  // z = z_from + z_gain rate(z) at the present t, q, v (dynamics/states.h).
  const double* z_from;
  double z_gain;
  double z_made;   // gain for which z_matrix has been factored in this step; 0: none
  double z_near;   // such a share that loads follow to first order (SarForceKind.follow); 0: none
  double z_rough;  // share of states of elements that may be left open; 0: none but rounding
  SarKnotTrouble knot_trouble;  // of the last evaluation
  int knot_worst;               // the knot it is about
  // a and lambda are means over the last step, with what acted by impulses: contacts, and laws of
  // joints in dof_impulse. False: they are of this instant, without those.
  bool a_of_step;
#define X(type, field, n, columns, doc) type* field;
  SAR_DATA_ARRAYS(X)
  SAR_DATA_SCRATCH(X)
#undef X
};

size_t sar_data_size(const SarModel* m);  // bytes of its block, without the method's
// Room for so many bytes in the method's block, which may move. SAR_NO_MEMORY: all is as it was.
SarStatus sar_method_reserve(SarData* d, size_t bytes);
// The block belongs to nobody: the next step is a new beginning.
void sar_method_forget(SarData* d);
// Bytes of a field in the block.
size_t sar_field_bytes(const SarField* f);
// Has nobody set time, positions or velocities since the last step ended?
bool sar_state_is_untouched(const SarData* d);

// What a and lambda will be: means over a step by impulses, or of this instant, by the law of
// friction that holds now.
static inline void sar_a_becomes(SarData* d, bool of_step) {
  d->a_of_step = of_step;
  d->a_friction = of_step                             ? SAR_FRICTION_BY_IMPULSES
                  : d->friction == SAR_FRICTION_FOUND ? SAR_FRICTION_FOUND
                                                      : SAR_FRICTION_SMOOTH;
}
// Is a joint there? One of the tree always is.
static inline bool sar_joint_is_on(const SarModel* m, const SarData* d, int joint) {
  return joint < m->nbody || d->constraint_on[joint - m->nbody];
}
// Does pair i measure for a constraint that is on?
static inline bool sar_pair_is_on(const SarModel* m, const SarData* d, int i) {
  return d->row_on[m->term[m->pair[i].term].row];
}
// Does a change of sign of switching function i matter now? That of a trigger, only where it would
// switch something.
static inline bool sar_switch_is_watched(const SarModel* m, const SarData* d, int i) {
  const int g = m->switch_gate[i];
  if (g < 0 || !m->gate[g / 2].latched) return true;
  const bool on = d->gate_state[g / 2] & SAR_GATE_ON;
  return g % 2 ? on : !on;
}
