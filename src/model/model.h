// SarModel: the compiled mechanism. Constant, flat, one block of memory, shared by all runs.
// Every array is one line of a table, from which the struct and the allocation are made.
//
// Bodies are in tree order: parent < body, a subtree is contiguous. Joint b carries body b. Ground
// is -1. Frame B of a body is the child frame of its joint; U is the body frame of the file.
//
// A body of the file that a fixed joint joins to another is no body of the tree but a part of one
// (compile/merge.c): it has its own name, frame U and inertia. A `holder` is a body of the file, by
// the number that the public interface gives it: body b of the tree, or nbody + i for fixed body i.
#pragma once
#include "base/error.h"
#include "expr/expr.h"
#include "linalg/panels.h"
#include "math/spatial.h"
#include "model/constraint_kind.h"
#include "model/discrete.h"
#include "model/contact.h"
#include "model/force_kind.h"
#include "model/gate.h"
#include "model/joint_kind.h"
#include "model/output_kind.h"
#include "model/air.h"
#include "model/body_shape.h"
#include "model/modal.h"

typedef enum SarMeasureKind {
  SAR_MEASURE_Q,      // index: joint (or cut: nbody + k), component: coordinate (file direction)
  SAR_MEASURE_V,      // index: joint, component
  SAR_MEASURE_POINT,  // index: body, component 0..2: ground coordinate of `point` (in B)
  SAR_MEASURE_SPEED,  // index: body, component 0..2: ground velocity of `point`
  SAR_MEASURE_OMEGA,  // index: body, component 0..2: ground components
  SAR_MEASURE_QUAT,   // index: holder, component 0..3: w x y z of the file's body frame, w >= 0
  SAR_MEASURE_ANGLE,  // index: holder, component: 3 sequence + k: angle k of SAR_SEQUENCE[sequence]
  SAR_MEASURE_HELD    // index: of `held`: what the last step left
} SarMeasureKind;

// A measured quantity that expressions use.
typedef struct SarMeasure {
  SarMeasureKind kind;
  int index, component, slot;
  V3 point;
} SarMeasure;

typedef struct SarExprEntry {
  SarProgram program;
  int instr;  // first instruction in model->instr
  int slot;   // where the value goes; -1: a law, evaluated by its element
} SarExprEntry;

// A road z(x, y): features, a table or an expression; see elements/road.h.
typedef struct SarRoad {
  int name;               // offset in text
  int feature, num;       // in attr_data: SAR_FEATURE numbers each
  int table, rows;        // in attr_data: x, z, z'' of every row; 0 rows: none
  bool smooth;            // the table is a natural cubic spline; else straight between its rows
  int law;                // first of the laws z, zx, zy, zt, zxx, zxy, zyy; -1: none
  int station, stations;  // in attr_data: x of all kinks, rising
  bool moves;             // its height changes in time
  int field, nx, ny;      // in attr_data: heights over a grid (base/spline_field.h); nx 0: none
} SarRoad;

typedef enum SarFeatureShape {
  SAR_FEATURE_RAMP,
  SAR_FEATURE_SMOOTH,
  SAR_FEATURE_BUMP
} SarFeatureShape;
// Lift, drag and moment of an airfoil: smooth functions of a few numbers, or tables over angle and
// Mach number. Tables in attr_data: SarAirfoilTable; see elements/aero/airfoil.h.
typedef struct SarAirfoil {
  int name;      // offset in text
  int numbers;   // in attr_data, SAR_AIRFOIL_NUMBERS of them; -1: tables
  int table[3];  // in attr_data: lift, drag, moment
  int angles[3], machs[3];
} SarAirfoil;

typedef enum SarRoadSide {
  SAR_SIDE_BOTH,
  SAR_SIDE_LEFT,
  SAR_SIDE_RIGHT
} SarRoadSide;             // left: y > 0
enum { SAR_FEATURE = 5 };  // shape, side, from, to, height

// A point or frame named in the file, in the frame B of its body (-1: ground).
typedef struct SarPoint {
  int body;
  Xform X_BP;
  int name;  // offset in text: "body.point"
} SarPoint;

// What is reported of the contacts of a body.
typedef enum SarContactColumn {
  SAR_CONTACT_POINTS,  // how many bear a force
  SAR_CONTACT_NORMAL,  // sum of the normal forces
  SAR_CONTACT_FX,      // force on the body: normal forces and friction
  SAR_CONTACT_FY,
  SAR_CONTACT_FZ,
  SAR_CONTACT_FRICTION,  // size of the sum of all friction forces
  SAR_CONTACT_DEPTH,     // deepest overlap
  SAR_CONTACT_X,         // where the normal forces act
  SAR_CONTACT_Y,
  SAR_CONTACT_Z,
  SAR_CONTACT_COLUMNS,
  // for expressions only
  SAR_CONTACT_GAP = SAR_CONTACT_COLUMNS,  // smallest gap that the last step saw
  SAR_CONTACT_QUANTITIES
} SarContactColumn;

// Gap where the last step saw nothing near [m].
#define SAR_NO_CONTACT 1e9

enum { SAR_ANY_BODY = -2 };

// A column of the result: one component of a quantity (output_kind.h).
struct SarChannel {
  const SarOutputKind* kind;
  int index, component;  // what it is of, see SarOwner
  V3 point;
  int name;   // offset in text
  int other;  // contacts: holder, -1 ground, or SAR_ANY_BODY
  int frame;  // of quantities at_frame: the point whose axes they are in, or -1 - holder
};

// A joint that closes a loop: not in the tree. It is joint nbody + k too, with all that a joint
// has.
typedef struct SarCut {
  const SarJointKind* kind;
  int name;
  int body[2];    // parent side, child side (file direction); -1 ground
  int holder[2];  // likewise: the bodies of the file
  Xform X_BF[2];  // joint frame in each body's frame B
  double param[SAR_JOINT_MAX_PARAM];
  bool acts;  // a force, a motor or a measure needs its coordinates at every evaluation
} SarCut;

// q of joint `joint` = multiplier * q of joint `other` + offset (URDF mimic).
typedef struct SarCoupling {
  int joint, other;  // in the tree, or nbody + cut
  double multiplier, offset;
} SarCoupling;

// A rotor that turns against its carrier at n times the speed of a joint of the tree with one axis
// (gyroscopic armature). Its own inertia J n^2 is in dof_armature; the rest of it is the spin
// momentum g v in the carrier, which turns with it:
//
//   T = v g . w_carrier,   g = J n e         e: its axis; w: angular velocity, in B of the carrier
//
// The carrier is the parent of the joint's body in the tree, or that body itself; ground needs
// none.
typedef struct SarRotor {
  int joint;     // = body that the joint carries
  bool on_body;  // the carrier is that body, not its parent
  V3 g;          // in B of the carrier [kg m^2, or kg m where the joint slides]
  double twice;  // 2 g . S of a rotor on the body, which dof_armature has too, else 0
} SarRotor;

typedef enum SarMotorKind { SAR_MOTOR_SPEED, SAR_MOTOR_POSITION } SarMotorKind;

// Drives a coordinate of a joint to a speed or a position, as far as its force reaches.
typedef struct SarMotor {
  SarMotorKind kind;
  int joint;           // tree, or nbody + cut
  int component;       // coordinate of the joint, as the file counts
  int slot;            // of what it drives to
  int rate;            // POSITION: slot of how fast that changes by t itself; -1: not
  double effort;       // largest force [N m or N]; inf: as large as it takes
  double speed_limit;  // POSITION: largest speed on the way there [rad/s or m/s]; inf: none
} SarMotor;

// Who a share of the work account belongs to.
typedef enum SarWorkKind {
  SAR_WORK_HOST,         // tau_host of all joints
  SAR_WORK_FORCE,        // index: force element
  SAR_WORK_DISSIPATION,  // index: joint; damper and friction
  SAR_WORK_DRIVE,        // index: joint; actuator, motor
  SAR_WORK_CONSTRAINT,   // index: constraint; prescribed motion
  SAR_WORK_GRAVITY,      // a field without a potential, or with one that changes in time
  SAR_WORK_IMPACT,       // kinetic energy that constraints gave or took by switching on
  SAR_WORK_SWITCHING,    // potential energy that came and went with what was switched
  // booked in lumps by the formulations that know contact
  SAR_WORK_CONTACT_NORMAL,    // impacts, and surfaces with a stiffness
  SAR_WORK_CONTACT_FRICTION,  // sliding, rolling, spinning
  SAR_WORK_LIMITS,            // impacts on the limits of joints
  SAR_WORK_CONTACT_OVERLAP    // displacements that take overlaps away
} SarWorkKind;

// Gravity that is not the same everywhere. Locals of its laws: x, y, z of a mass centre, ground
// axes.
typedef enum SarGravityKind {
  SAR_GRAVITY_UNIFORM,    // uniform: SarModel.gravity
  SAR_GRAVITY_POINT,      // g = -mu r / |r|^3, r from the centre
  SAR_GRAVITY_POTENTIAL,  // g = -grad U; laws U, U_x, U_y, U_z, U_t
  SAR_GRAVITY_VECTOR      // laws g_x, g_y, g_z: no potential, its work is in an account
} SarGravityKind;

typedef struct SarGravityField {
  SarGravityKind kind;
  V3 centre;
  double mu;
  int law;      // first of its laws in model->expr
  bool works;   // the field gives energy: it has a work account
  double size;  // largest |g| of a body at the design position [m/s^2]
} SarGravityField;

typedef struct SarWorkSource {
  SarWorkKind kind;
  int index;
} SarWorkSource;

// What has a tangent: its force depends on positions or velocities (dynamics/tangents.h).
typedef enum SarTangentSource {
  SAR_TANGENT_FORCE,    // index: force element
  SAR_TANGENT_COUPLED,  // index: force element between two joints of the tree; two coordinates
  SAR_TANGENT_JOINT,    // index: joint, tree or cut; spring, damper, friction, actuator
  SAR_TANGENT_NETWORK   // index: network of knots; the coordinates of all bodies around it
} SarTangentSource;

typedef struct SarTangentBlock {
  SarTangentSource source;
  int index;
  int adr, num;   // coordinates in tangent_dof, rising: those between the bodies and their common
  int num_first;  // ancestor; the first ones move one body,
  bool a_first;   // body[0] if a_first, the others the other one, as in SarPair
  int body[2];
} SarTangentBlock;

// Coordinates that share a branch, a constraint or a force with one: the first and the last of
// them.
typedef struct SarReach {
  int low, high;
} SarReach;

// A place in the model's files, for what is found wrong after compiling.
typedef struct SarPlace {
  int file;  // offset in text
  int line, column;
} SarPlace;

// An equation of `initial`, which assembly meets at the start: program = 0.
typedef struct SarInitial {
  int expr;   // its program
  int speed;  // 1: it is about speeds, and positions are known; 0: about positions
  int text;   // as the file has it: offset in text
  SarPlace at;
} SarInitial;

// A knot: a body without mass that forces alone hold (dynamics/knots.h). It does not turn, and
// moves along `num` orthonormal directions: all three, those of the plane, or along a guide. Its
// place in the arrays of bodies is nbody + its number; frame B is its file's frame U.
//
//   x = base + sum s_j way_j,   s: its coordinates in data->knot_s, from adr on
typedef struct SarKnot {
  M3 R;  // axes of B in ground
  V3 base;
  V3 way[3];
  int num, adr;
  int state;  // first of its states: dampers act on it, s' follows from their balance; -1: s itself
              // follows from the balance of forces
  int holder;          // its number among the bodies of the public interface
  int network, local;  // which it belongs to, and first of its coordinates there
} SarKnot;

// Knots that forces tie together, with all forces on them: what the bodies around them feel of each
// other (dynamics/knot_tangents.c).
typedef struct SarNetwork {
  int adr, num;  // its forces in network_force
  int dof_adr,
      num_dof;  // coordinates that move the bodies around it, in network_dof, rising; 0: no tangent
  int num_knot_dof;  // coordinates of its knots
} SarNetwork;

typedef struct SarNetworkForce {
  int force;
  int knot[2];   // at its ends, -1: none
  int body;      // at the other end of a force on one knot, -1: ground
  int adr, num;  // the coordinates that move the body, as numbers within the network: network_place
} SarNetworkForce;

// The file's `simulation` block; numbers 0 or names -1: not given.
typedef struct SarSimDefaults {
  double end, step, output_step, rtol, atol, max_step, newton_tolerance;
  int formulation, integrator, kinematics;  // offsets in text
  SarPlace formulation_at, integrator_at, kinematics_at;
  int adaptive;  // -1: not given, 0: fixed steps, 1: error control
} SarSimDefaults;

typedef enum SarPlane { SAR_SPATIAL, SAR_PLANE_XY, SAR_PLANE_XZ, SAR_PLANE_YZ } SarPlane;

// clang-format off
#define SAR_MODEL_ARRAYS(X)                                                                             \
  /* tree */                                                                                            \
  X(int,     body_parent,    nbody, 1, "parent body, -1 = ground")                                      \
  X(int,     body_subtree,   nbody, 1, "bodies in the subtree, itself included: b .. b + n - 1")        \
  X(Inertia, body_inertia,   nbody, 1, "rigid-body inertia about B [kg, kg m, kg m^2]")                 \
  X(Xform,   body_X_PF,      nbody, 1, "joint frame F in the parent's frame B (or ground)")             \
  X(Xform,   body_X_BU,      nbody, 1, "the file's body frame U in B")                                  \
  X(int,     body_name,      nbody, 1, "offset in text")                                                \
  X(int,     body_holder,    nbody, 1, "holder of its joint: the parent, or what is fixed to it")       \
  X(int,     start_body,     nstart, 1, "bodies as the tree of relative coordinates carries them outwards") \
  X(int,     start_cut,      nstart, 1, "cut that is its joint in that tree, -1 = it has its own")         \
  /* bodies of the file that fixed joints make parts of others */                                       \
  X(int,     fixed_body,     nfixed, 1, "body of the tree that it is part of, -1 = ground")             \
  X(int,     fixed_holder,   nfixed, 1, "holder that its joint fixes it to, -1 = ground")               \
  X(Xform,   fixed_X_BU,     nfixed, 1, "its file's frame U in B of that body")                         \
  X(double,  fixed_mass,     nfixed, 1, "its own share of that body's mass [kg]")                       \
  X(int,     fixed_turned,   nfixed, 1, "1: the tree runs against the file's direction")                \
  X(int,     fixed_name,     nfixed, 1, "offset in text")                                               \
  X(int,     fixed_joint_name, nfixed, 1, "offset in text")                                             \
  /* joints: joint b carries body b; after those of the tree, joint nbody + k is cut k */               \
  X(const SarJointKind*, joint_kind, njoint, 1, "kind")                                                 \
  X(int,     joint_class,    njoint, 1, "SarJointClass, copied for the hot loops")                      \
  X(int,     joint_qadr,     njoint, 1, "first position coordinate")                                    \
  X(int,     joint_vadr,     njoint, 1, "first velocity coordinate")                                    \
  X(int,     joint_nq,       njoint, 1, "position coordinates")                                         \
  X(int,     joint_nv,       njoint, 1, "velocity coordinates")                                         \
  X(int,     joint_turned,   njoint, 1, "1: the tree runs against the file's direction")                \
  X(int,     joint_passive,  njoint, 1, "1: has a spring, damper, friction or actuator")                \
  X(int,     joint_name,     njoint, 1, "offset in text")                                               \
  X(double,  joint_param,    njoint, SAR_JOINT_MAX_PARAM, "the kind's attributes")                      \
  X(Xform,   joint_X_BF,     njoint, 2, "file's joint frame in B of the file's parent, of its child")   \
  /* coordinates: nq and nv of the tree; behind them those of the cuts, which follow (cut_joints.h); */ \
  /* * = entry i of a joint is for its i-th coordinate as the file counts it, also when the tree */     \
  /* runs the other way: the forces come from there, see sar_joint_add_force */                         \
  X(double,  q0,             nq_all, 1, "initial positions; of cuts: wanted ones")                      \
  X(double,  v0,             nv_all, 1, "initial velocities; of cuts: wanted ones")                     \
  X(int,     q0_given,       nv_all, 1, "1: the file gives the initial position of this coordinate")    \
  X(int,     v0_given,       nv_all, 1, "1: the file gives its initial velocity")                       \
  X(double,  q_zero,         nq_all, 1, "design position: zero, or where a free body is placed")        \
  X(int,     dof_body,       nv_all, 1, "joint of this velocity coordinate")                            \
  X(int,     dof_parent,     nv,    1, "previous coordinate on the path to ground, -1 = none")          \
  X(double,  dof_armature,   nv,    1, "reflected motor inertia [kg m^2 or kg]")                        \
  X(double,  dof_stiffness,  nv_all, 1, "spring [N m/rad or N/m], *")                                   \
  X(double,  dof_rest,       nv_all, 1, "displacement from zero at which the spring is at rest, *")     \
  X(double,  dof_damping,    nv_all, 1, "viscous damper [N m s/rad or N s/m], *")                       \
  X(double,  dof_friction,   nv_all, 1, "dry friction F of sliding [N m or N], *: model/friction.h")    \
  X(double,  dof_breakaway,  nv_all, 1, "at rest, not less [N m or N], *")                              \
  X(double,  dof_stribeck_speed, nv_all, 1, "speed at which it falls from one to the other, *")         \
  X(double,  dof_friction_speed, nv_all, 1, "speed scale of dry friction [rad/s or m/s], *")            \
  X(int,     dof_force_slot, nv_all, 1, "slot of the actuator force, -1 = none, *")                     \
  X(double,  dof_lower,      nv_all, 1, "limit of the coordinate, -inf = none, *")                      \
  X(double,  dof_upper,      nv_all, 1, "limit of the coordinate, inf = none, *")                       \
  X(double,  dof_effort,     nv_all, 1, "limit of the actuator force, inf = none, *")                   \
  X(double,  dof_speed_limit, nv_all, 1, "limit of the speed, inf = none, *")                           \
  /* loops */                                                                                           \
  X(SarCut,  cut,            ncut,  1, "joints that close loops")                                       \
  X(SarCoupling, coupling,   ncoupling, 1, "joints that follow others")                                 \
  X(SarRotor, rotor,         nrotor, 1, "rotors in moving bodies, joints rising")                        \
  X(int,     body_rotor,     nbody, 1, "1 + rotor of its joint, 0 = none")                              \
  X(SarMotor, motor,         nmotor, 1, "joints driven with a limited force, in the order of the joints") \
  /* constraints: cuts, couplings, elements of the file */                                              \
  X(SarConstraint, constraint, nconstraint, 1, "owners of the rows")                                    \
  X(SarPlace, constraint_at, nconstraint, 1, "where they stand in the file")                            \
  X(SarRow,  row,            nrow,  1, "scalar equations Phi = 0")                                      \
  X(int,     row_adr,        nrow + 1, 1, "first entry of the row in row_dof and Psi")                  \
  X(int,     row_dof,        nrow_dof, 1, "coordinates that move the row")                              \
  X(SarTerm, term,           nterm, 1, "what the rows measure: COORDINATE ones, then pair by pair")     \
  X(int,     term_place,     nterm_place, 1, "place in the row of each coordinate of a term's pair")    \
  X(SarPair, pair,           npair, 1, "bodies that terms measure against each other")                  \
  X(int,     pair_dof,       npair_dof, 1, "coordinates that move the pair")                            \
  X(int,     path_body,      npath_body, 1, "bodies with a pair's body in their subtree, rising")       \
  X(SarIdleTerm, idle,       nidle, 1, "terms of the rows left out of constraints that are no joints")  \
  X(SarTrack, track,         ntrack, 1, "curves that points run on")                                    \
  X(SarRoller, roller,       nroller, 1, "wheels and balls that roll")                                  \
  X(SarExprEntry, drive,     ndrive, 1, "programs of the drives: f, f', f'' of t and states")           \
  X(SarGate, gate,           ngate, 1, "what switches constraints and forces on and off")               \
  X(SarInitial, initial,     ninitial, 1, "equations that hold at the start")                           \
  /* forces */                                                                                          \
  X(const SarForceKind*, force_kind, nforce, 1, "kind")                                                 \
  X(int,     force_name,     nforce, 1, "offset in text")                                               \
  X(SarAttrValue, force_attr, nforce, SAR_FORCE_MAX_ATTR, "compiled attributes")                        \
  X(int,     force_output_adr, nforce, 1, "first entry in data->force_output")                          \
  X(int,     force_constant_adr, nforce, 1, "first of the kind's constants in attr_data")               \
  X(int,     force_work,     nforce, 1, "work account, -1 = none (conservative)")                       \
  X(int,     force_switch,   nforce, 1, "first slot of its switching functions")                        \
  X(int,     force_law_kink, nforce, 2, "first of law_kink and how many are its own")                   \
  X(int,     force_cache_adr, ncache_force, 1, "first entry in data->force_cache")                      \
  X(int,     force_state,    ncache_force, 1, "first of its states in z, -1 = none")                    \
  X(int,     force_order,    ncache_force, 1, "in which order they are applied: late ones last")        \
  X(int,     force_kept_adr, ncache_force, 1, "first entry in data->force_kept, -1 = none")             \
  X(SarAirfoil, airfoil,     nairfoil, 1, "what strips look like to the air")                           \
  X(SarAttrValue, air,       nair, 1, "density, speed of sound, wind, altitude: model/air.h; none: as usual") \
  X(SarExprEntry, law_kink,  nlaw_kink, 1, "switching functions of laws, in their locals")              \
  X(double,  attr_data,      nattr_data, 1, "numbers of the attributes")                                \
  /* modal bodies (modal.h) */                                                                          \
  X(SarModal, modal,         nmodal, 1, "modal bodies")                                                 \
  X(SarModalNode, node,      nnode, 1, "their nodes")                                                   \
  X(int,     body_node,      nbody, 1, "1 + nearest node at or above it in the tree, 0 = none")         \
  X(Motion,  node_mode,      nnode_mode, 1, "rotation and displacement of each node by each of its modes") \
  X(V3,      node_bend,      nnode_bend, 1, "second-order displacements of nodes, pairs of modes i >= j") \
  X(SarKnot, knot,           nknot, 1, "bodies without mass that forces hold")                          \
  X(double,  knot0,          nknot_dof, 1, "their coordinates at the design position")                  \
  X(int,     knot_force,     nknot_force, 1, "force elements on them, rising")                          \
  X(SarNetwork, network,     nnetwork, 1, "knots that forces tie together")                             \
  X(SarNetworkForce, network_force, nnetwork_force, 1, "the forces that do")                            \
  X(int,     network_dof,    nnetwork_dof, 1, "coordinates of the bodies around each network")          \
  X(int,     network_place,  nnetwork_place, 1, "those of each body, as numbers within network_dof")    \
  X(SarTangentBlock, tangent, ntangent, 1, "force elements and joints whose force follows the motion")  \
  X(int,     tangent_dof,    ntangent_dof, 1, "coordinates that move each of them")                     \
  /* matrices of all coordinates (fill.h); by panels: only where that is cheaper than an envelope */    \
  X(SarReach, reach,         nv, 2, "envelope: without tangents, and with them")                        \
  X(int,     fill_place,     nfill, 1, "place of each coordinate in the order of small fill")           \
  X(SarPanel, panel,         npanel, 1, "of the factor in that order (linalg/panels.h)")                \
  X(int,     panel_row,      npanel_row, 1, "rows below them")                                          \
  X(SarPanelUpdate, panel_update, npanel_update, 1, "what they change")                                 \
  X(int,     panel_place,    npanel_place, 1, "and where")                                              \
  X(SarRoad, road,           nroad, 1, "roads")                                                         \
  /* contact */                                                                                         \
  X(SarCollider, collider,   ncollider, 1, "solids that touch")                                         \
  X(SarSurface, surface,     nsurface, 1, "of material i against j: at i nmaterial + j")                \
  X(int,     material_name,  nmaterial, 1, "offset in text")                                            \
  X(SarApart, joined,        njoined, 1, "welds that joints connect: they do not touch; rising")        \
  X(SarApart, ignored,       nignored, 1, "holders that the file keeps from touching, -1 ground; rising") \
  X(V3,      solid_point,    nsolid_point, 1, "vertices and normals of hulls and meshes")               \
  X(double,  solid_number,   nsolid_number, 1, "offsets of hulls, heights")                             \
  X(int,     solid_index,    nsolid_index, 1, "faces, edges, triangles, neighbours")                    \
  X(SarTreeNode, solid_node, nsolid_node, 1, "box trees of meshes")                                     \
  X(double,  dof_restitution, nv_all, 1, "of the limits of the coordinate, *")                          \
  /* for pictures */                                                                                    \
  X(SarBodyShape, shape,         nshape, 1, "what bodies look like, in the order of the holders")           \
  X(V3,      shape_point,    nshape_point, 1, "vertices of meshes")                                     \
  X(int,     shape_index,    nshape_index, 1, "their triangles")                                        \
  /* expressions */                                                                                     \
  X(SarExprEntry, expr,      nexpr, 1, "programs, in the order of evaluation")                          \
  X(SarInstr, instr,         ninstr, 1, "their instructions")                                           \
  X(SarMeasure, measure,     nmeasure, 1, "measured quantities that expressions use")                   \
  X(SarExprEntry, partial,   npartial, 1, "derivatives of values, by slot of the value: partial.h")     \
  X(int,     partial_measure, npartial, 1, "with respect to this measure")                              \
  X(double,  input_default,  ninput, 1, "values of the inputs at the start")                            \
  X(int,     input_name,     ninput, 1, "offset in text")                                               \
  X(int,     input_unit,     ninput, 1, "offset in text; 0: not said")                                  \
  X(double,  input_range,    ninput, 2, "least and most that a user sets; infinite: not said")         \
  X(int,     key_name,       nkey, 1, "offset in text")                                                 \
  /* states of the user's own (compile/states.c) */                                                      \
  X(int,     z_slot,         nz, 1, "slot of its value")                                                \
  X(int,     z_rate_slot,    nz, 1, "slot of its rate")                                                 \
  X(double,  z0,             nz, 1, "start where that is a number, else 0")                             \
  X(SarExprEntry, z_start,   nz, 1, "starts in the order of their needs; slot: which state")            \
  X(SarExprEntry, z_partial, nz_partial, 1, "d rate / d state, where not 0; slot: row nz + column")     \
  X(int,     z_name,         nz, 1, "offset in text")                                                   \
  /* discrete-time states (discrete.h), samples first, in the order of their updates */                 \
  X(int,     discrete_kind,  ndiscrete, 1, "SarDiscreteKind")                                           \
  X(int,     discrete_slot,  ndiscrete, 1, "slot of its value")                                         \
  X(int,     discrete_rise,  ndiscrete, 1, "relay: slot of the condition that switches it on, else -1") \
  X(int,     discrete_fall,  ndiscrete, 1, "relay: slot of the one that switches it off, else -1")      \
  X(double,  discrete_period, ndiscrete, 1, "time between two instants [s]; relay: 0")                  \
  X(double,  discrete_offset, ndiscrete, 1, "the first instant [s]")                                    \
  X(double,  discrete0,      ndiscrete, 1, "value before the first instant")                            \
  X(SarExprEntry, discrete_next, ndiscrete, 1, "what it takes at an instant; slot: that of its value")  \
  X(int,     discrete_name,  ndiscrete, 1, "offset in text")                                            \
  X(SarUserFunction, function,   nfunction, 1, "of the program's own, that are called")                     \
  X(SarCall, call,           ncall, 1, "calls of them (discrete.h)")                                    \
  X(int,     call_entry,     ncall_entry, 1, "discrete-time states of calls: inputs, states, outputs")  \
  X(int,     call_of,        ncall_of, 1, "call that gives discrete-time state i, else -1; none: no calls") \
  X(double,  kink_time,      nkink, 1, "times to land on, rising")                                      \
  X(double,  kink_period,    nkink, 1, "0 = once; else it returns: time + n period")                    \
  X(int,     switch_slot,    nswitch, 1, "slots whose change of sign is a kink")                        \
  X(int,     switch_gate,    nswitch, 1, "2 gate: of its `from`, + 1: of its `until`; -1: of anything") \
  /* results */                                                                                         \
  X(SarPoint, point,         npoint, 1, "named points and frames")                                      \
  X(SarChannel, channel,     nchannel, 1, "columns of the result")                                      \
  X(SarChannel, held,        nheld, 1, "columns whose last values expressions use")                     \
  X(SarWorkSource, work,     nwork, 1, "work accounts")                                                 \
  X(char,    text,           ntext, 1, "all names, each ended by 0")

#define SAR_MODEL_SIZES(X)                                                                              \
  X(nbody, "bodies = tree joints")   X(nq, "position coordinates")   X(nv, "velocity coordinates")      \
  X(njoint, "tree joints and cuts")  X(nq_all, "nq and the cuts'")   X(nv_all, "nv and the cuts'")      \
  X(ncut, "joints closing loops")    X(ncoupling, "couplings")       X(nforce, "force elements")        \
  X(nstart, "nbody, or 0: all bodies have joints of the file")                                          \
  X(nconstraint, "constraints")      X(nrow, "constraint rows")      X(nrow_dof, "entries of Psi")      \
  X(nterm, "terms of rows")          X(nterm_place, "term places")   X(npair, "pairs of bodies")        \
  X(npair_dof, "pair coordinates")   X(npath_body, "bodies on paths") X(ntrack, "tracks")               \
  X(nidle, "terms left out")         X(nidle_row, "rows left out")                                      \
  X(ndrive, "drive programs")        X(ncoordinate_term, "pairless terms") X(ngate, "gates")            \
  X(nattr_data, "attribute numbers") X(nexpr, "expressions")         X(ninstr, "instructions")          \
  X(nmeasure, "measures")            X(ninput, "inputs")             X(nkink, "kinks in time")          \
  X(nswitch, "switching functions")  X(npoint, "named points")       X(nchannel, "output columns")      \
  X(ninitial, "initial equations")   X(nkey, "named starts")                                                                   \
  X(nwork, "work accounts")          X(ntext, "bytes of names")      X(nslot, "expression slots")       \
  X(nfill, "nv, or 0: envelopes")    X(npanel, "panels")             X(npanel_row, "their rows")           \
  X(npanel_update, "their updates")  X(npanel_place, "and places")   X(npanel_entry, "entries of panels")  \
  X(ntangent, "tangents")            X(ntangent_dof, "tangent dofs") X(npartial, "partial derivatives") \
  X(nforce_output, "force outputs")  X(nregister, "registers of the largest program")    \
  X(nlaw_kink, "kinks of laws")      X(nroad, "roads")               X(ncollider, "solids that touch")  \
  X(nsurface, "pairs of materials")  X(nmaterial, "materials")       X(ncontact, "contacts at most")    \
  X(nsolid_point, "points of solids") X(nsolid_number, "numbers of solids")                             \
  X(nsolid_index, "faces of solids") X(nsolid_node, "box tree nodes")                                   \
  X(njoined, "pairs of joined welds") X(nignored, "pairs of bodies kept apart")                        \
  X(nshape, "shapes of bodies")      X(nshape_point, "their points") X(nshape_index, "their corners")   \
  X(nrotor, "rotors")                                                                                   \
  X(nmotor, "motors")                X(nfixed, "bodies fixed to others") X(nheld, "held quantities")     \
  X(nroller, "rollers")              X(nz, "states")                 X(nzz, "nz nz")                     \
  X(nz_partial, "d rate / d state")  X(ndiscrete, "discrete-time states")                               \
  X(nfunction, "functions called")   X(ncall, "calls")               X(ncall_entry, "their states")     \
  X(ncall_of, "ndiscrete where there are calls, else 0")                                                \
  X(ncache_force, "nforce where elements read or own more than others, else 0")                         \
  X(nforce_cache, "their numbers")   X(nforce_kept, "what they keep")      \
  X(nairfoil, "airfoils")            X(nair, "attributes of the air")   \
  X(nmodal, "modal bodies")          X(nnode, "their nodes")         X(nnode_mode, "nodes times modes")  \
  X(nnode_bend, "pairs of modes of nodes") X(nmodal_matrix, "squared modes of modal bodies")             \
  X(nbody_all, "nbody and knots")    X(nknot, "knots")               X(nknot_dof, "their coordinates")  \
  X(nknot_force, "forces on knots")  X(nknot_matrix, "nknot_dof squared")                               \
  X(nnetwork, "networks of knots")   X(nnetwork_force, "their forces") X(nnetwork_dof, "and coordinates") \
  X(nnetwork_place, "coordinates of each body around them")                                             \
  X(nnetwork_motion, "of the largest: motions of its forces")
// clang-format on

struct SarModel {
#define X(field, doc) int field;
  SAR_MODEL_SIZES(X)
#undef X
  int name;    // offset in text
  V3 gravity;  // uniform, [m/s^2], ground axes; zero where there is a field
  SarGravityField field;
  Inertia ground_inertia;  // of all that is fixed to ground, about its origin
  int slot_input;          // slot 0 is t, the inputs start here,
  int slot_local;          // and the SAR_LAW_LOCALS locals of laws here
  bool needs_world;        // forces or measures need poses in the ground frame at every evaluation
  bool has_passive;        // some joint has a spring, damper, friction or actuator
  bool has_general;        // some joint is of SAR_CLASS_GENERAL,
  bool has_revolute;       // of SAR_CLASS_REVOLUTE
  bool counts_turns;       // columns show coordinates of cut joints
  bool needs_cuts;         // forces or measures need coordinates of cut joints at every evaluation
  bool drives_follow;      // some prescribed motion follows states
  bool absolute;           // every body has coordinates of its own, all joints of the file are cuts
  int platforms;           // bodies of a model in mixed coordinates that have their own
  SarPlane planar;         // all motion is in this plane
  SarSimDefaults sim;
  size_t bytes;         // of the whole block
  size_t memory_limit;  // bytes of it, one state and one simulation together; 0: none
#define X(type, field, n, columns, doc) type* field;
  SAR_MODEL_ARRAYS(X)
#undef X
};

// Takes one zeroed block for the sizes in *sizes (its arrays are ignored, its scalars copied) and
// points every array into it; NULL: no memory. sar_model_free gives it back.
SarModel* sar_model_new(const SarModel* sizes);
size_t sar_model_size(const SarModel* sizes);  // bytes of that block

static inline const char* sar_text(const SarModel* m, int offset) { return &m->text[offset]; }
// How fast bodies fall, about: a scale for thresholds [m/s^2].
static inline double sar_gravity_size(const SarModel* m) {
  return m->field.kind == SAR_GRAVITY_UNIFORM ? v3_norm(m->gravity) : m->field.size;
}
// The number of a cut among all joints.
static inline int sar_cut_joint(const SarModel* m, int cut) { return m->nbody + cut; }

// Joints as SAR_ITEM_JOINT counts them: those of the tree, the fixed ones, those that close loops.
// The number in the arrays of joints that belongs to one: SAR_NO_JOINT where it is fixed.
enum { SAR_NO_JOINT = -1 };
static inline int sar_item_joint(const SarModel* m, int item) {
  if (item < m->nbody) return item;
  return item < m->nbody + m->nfixed ? SAR_NO_JOINT : item - m->nfixed;
}
static inline int sar_joint_item(const SarModel* m, int joint) {
  return joint < m->nbody ? joint : joint + m->nfixed;
}
static inline bool sar_is_joint_item(const SarModel* m, int item) {
  return item >= 0 && item < m->nbody + m->nfixed + m->ncut;
}
// The body of the tree that a holder is (part of); its file's frame U in that body's B; its name.
static inline int sar_holder_body(const SarModel* m, int holder) {
  return holder < m->nbody ? holder : m->fixed_body[holder - m->nbody];
}
static inline Xform sar_holder_X_BU(const SarModel* m, int holder) {
  if (holder < 0) return x_identity();
  return holder < m->nbody ? m->body_X_BU[holder] : m->fixed_X_BU[holder - m->nbody];
}
static inline const char* sar_holder_name(const SarModel* m, int holder) {
  if (holder < 0) return "ground";
  return sar_text(m, holder < m->nbody ? m->body_name[holder] : m->fixed_name[holder - m->nbody]);
}
static inline bool sar_is_knot(const SarModel* m, int body) { return body >= m->nbody; }
static inline const char* sar_knot_name(const SarModel* m, int knot) {
  return sar_holder_name(m, m->knot[knot].holder);
}
// The knot that coordinate i belongs to.
static inline int sar_knot_of(const SarModel* m, int i) {
  int k = 0;
  while (k + 1 < m->nknot && m->knot[k + 1].adr <= i) k++;
  return k;
}
static inline const SarAttrValue* sar_force_attr(const SarModel* m, int force, int attr) {
  return &m->force_attr[force * SAR_FORCE_MAX_ATTR + attr];
}
static inline const double* sar_force_constants(const SarModel* m, int force) {
  return &m->attr_data[m->force_constant_adr[force]];
}
// Lets every force element compute its constants; the compiler calls it when all else is there
// (force_constant_adr has room for kind->nconstant doubles each).
void sar_forces_prepare(SarModel* m);
// May colliders i and j touch? Not those of one body or of bodies fixed to each other, nor of
// bodies that a joint connects (ground excepted), nor what the file keeps apart, nor what cannot
// move.
bool sar_may_touch(const SarModel* m, int i, int j);
// Pose of a node of a modal body in its frame E at positions q of the model; modal_pose.c.
Xform sar_node_pose(const SarModel* m, const SarModalNode* n, const double* q);
// The node of modal body `modal` that carries a body of the tree; NULL: none does.
const SarModalNode* sar_carrying_node(const SarModel* m, int body, int modal);
// The modal body that the body of a mode belongs to.
int sar_modal_of(const SarModel* m, int mode_body);
static inline const SarModalNode* sar_own_node(const SarModel* m, int body) {
  return &m->node[m->body_node[body] - 1];
}
// Poses of all bodies in ground for positions q.
void sar_poses_at(const SarModel* m, const double* q, Xform* X_GB);
// Pose of frame B of a body or knot in ground at the design position; -1: identity. Walks up the
// tree.
Xform sar_design_pose(const SarModel* m, int body);

// Do the file's coordinates of a joint differ from the tree's?
static inline bool sar_joint_is_flipped(const SarModel* m, int joint) {
  return m->joint_turned[joint] && m->joint_kind[joint]->flip;
}
// Coordinates as the file counts them from those of the tree, and back (an involution). v Nullable.
void sar_joint_flip(const SarModel* m, int joint, const double* q, const double* v, double* q_other,
                    double* v_other);
// Adds the joint force tau_file, dual to the file's velocities, to tau_tree, dual to the tree's, at
// the tree's coordinates q of the joint.
void sar_joint_add_force(const SarModel* m, int joint, const double* q, const double* tau_file,
                         double* tau_tree);
// The changes of both along a direction: xi, dv of the tree's coordinates and velocities of the
// joint (a cut joint: not looked at, its coordinates are the file's). v_change is set, change_tree
// added to.
void sar_joint_vary_flip(const SarModel* m, int joint, const double* q, const double* v,
                         const double* xi, const double* dv, double* v_change);
void sar_joint_vary_force(const SarModel* m, int joint, const double* q, const double* xi,
                          const double* tau_file, const double* change_file, double* change_tree);
