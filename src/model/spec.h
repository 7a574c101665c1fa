// SarSpec: the model as written. Names, frames and expressions are kept as in the file, and every
// item knows its place. Readers (io/) fill it, sar_compile turns it into a SarModel. Everything
// lives in the spec's arena and dies with it.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "collide/mesh.h"
#include "expr/expr.h"
#include "model/constraint_kind.h"
#include "model/discrete.h"
#include "model/force_kind.h"
#include "model/air.h"
#include "model/joint_kind.h"
#include "model/modal.h"
#include "model/output_kind.h"

// A number: an expression of parameters, or of t and measured quantities too where it may vary.
typedef struct SpecNum {
  const SarExpr* expr;  // NULL: not given
  SarLoc loc;
} SpecNum;

typedef struct SpecName {
  const char* text;  // NULL: not given
  SarLoc loc;
} SpecName;

typedef SAR_LIST(SpecName) SpecNames;

typedef struct SpecVec3 {
  SpecNum c[3];  // all three given, or none
} SpecVec3;

typedef enum SpecRotation {
  SPEC_ROT_NONE,
  SPEC_ROT_RPY,   // [roll, pitch, yaw]: R = Rz(yaw) Ry(pitch) Rx(roll)
  SPEC_ROT_QUAT,  // [w, x, y, z], normalised
  SPEC_ROT_AXES,  // two of x y z, {x: [..], z: [..]}: the first exact, the second made
                  // perpendicular
  SPEC_ROT_EULER  // three angles about the axes of a sequence
} SpecRotation;

// Gravity: one of a uniform acceleration, a point mass, a potential, an acceleration field.
typedef struct SpecGravity {
  SpecVec3 uniform;   // [m/s^2]; nothing given: 0 0 -9.81
  SpecVec3 centre;    // of the point mass; not given: the origin
  SpecNum mu;         // its gravitational parameter G M [m^3/s^2]
  SpecNum potential;  // [J/kg], of x, y, z, t
  SpecVec3 field;     // [m/s^2], likewise
  SarLoc loc;
} SpecGravity;

// A frame within another one: origin `at` and orientation.
typedef struct SpecPose {
  SpecVec3 at;
  SpecRotation rotation;
  SpecNum* r;          // rpy (3), quat (4) or angles of euler (3): room for 4; NULL: none
  int axis_name[3];    // axes, sequence of euler: 0 x, 1 y, 2 z
  bool extrinsic;      // euler: about axes that stay, not about those turned already
  SpecVec3* axis_dir;  // axes: 2; NULL: none
  SarLoc loc;
} SpecPose;

typedef struct SpecParameter {
  SpecName name;
  SpecNum value;
} SpecParameter;

// What a file says of an input besides its value.
typedef struct SpecInputNote {
  SpecName input, unit;
  SpecNum least, most;
} SpecInputNote;

typedef enum SpecShapeKind {
  SPEC_ROD,        // from, to: slender, no inertia about its axis
  SPEC_BOX,        // size: lx, ly, lz
  SPEC_CYLINDER,   // size: radius, length (along z), or from/to instead of length and pose
  SPEC_SPHERE,     // size: radius
  SPEC_CAPSULE,    // size: radius, length of the cylindrical part, or from/to
  SPEC_ELLIPSOID,  // size: rx, ry, rz
  SPEC_TUBE,       // size: radius, length, inner radius, or from/to
  SPEC_CONVEX,     // mesh: closed and convex
  SPEC_HULL,       // mesh: the convex hull of it, or of points
  SPEC_MESH,       // mesh: closed (of the ground: or not)
  SPEC_SHAPE_KINDS
} SpecShapeKind;

typedef struct SpecMesh {
  SpecName file;    // not given: points
  SarMesh mesh;     // what is in the file
  SpecNum* points;  // npoint numbers, three a point
  int npoint;
  SpecNum scale[3];  // along each axis
  SpecNum parts;  // of a hull that touches: at most so many convex parts in its place; not given:
                  // itself
} SpecMesh;

// A solid that gives a body mass and inertia.
typedef struct SpecShape {
  SpecShapeKind kind;
  SpecNum size[3];
  SpecMesh* mesh;  // of meshes and hulls, or where a scale is given; NULL: none
  SpecVec3 from, to;
  SpecPose pose;          // in the body frame; the shape is centred on it
  SpecNum mass, density;  // at most one; neither: a share of the body's mass by volume
  SarLoc loc;
} SpecShape;

typedef enum SpecSolidKind {
  SPEC_SOLID_SHAPE,  // sphere, box, capsule, cylinder, convex, hull or mesh
  SPEC_SOLID_PLANE,
  SPEC_SOLID_HEIGHTS
} SpecSolidKind;

// Heights over a grid: numbers, row by row (x runs first), or an expression of x and y.
typedef struct SpecHeights {
  SpecNum* numbers;
  int columns, rows;
  SpecNum height;
  SpecNum x[3], y[3];  // from, to, and for an expression how many points
  SarLoc loc;
} SpecHeights;

// A solid that others may touch.
typedef struct SpecSolid {
  SpecSolidKind kind;
  SpecShape shape;  // SHAPE; of every kind its place, shape.pose
  SpecVec3 normal;  // PLANE: out of the solid, in the frame of its place
  SpecHeights heights;
  SpecName name;  // not given: it has its body's
  SpecName material;
  SpecNames groups;
  SarLoc loc;
} SpecSolid;

// What of a body (or of the ground) touches. Material and groups are those of solids without their
// own.
typedef struct SpecTouch {
  bool shapes;   // the shapes that give it its mass
  bool unknown;  // the body was not read to its end: shapes may be missing
  SAR_LIST(SpecSolid) solids;
  SpecName material;
  SpecNames groups;
  SpecNum* parts;  // of hulls of mesh files without their own; NULL: not given
  SarLoc loc;
} SpecTouch;

static inline bool sar_touches(const SpecTouch* t) { return t->shapes || t->solids.count > 0; }

// A material, or how two of them touch: what is not given follows from the two.
typedef struct SpecMaterial {
  SpecName name;   // of a material
  SpecName of[2];  // of a pair
  SpecNum friction, restitution, rolling, spinning, stiffness, damping;
  SarLoc loc;
} SpecMaterial;

typedef struct SpecIgnore {  // groups or bodies that do not touch each other
  SpecName of[2];
} SpecIgnore;

typedef struct SpecContact {
  SAR_LIST(SpecMaterial) materials;
  SAR_LIST(SpecMaterial) pairs;
  SAR_LIST(SpecIgnore) ignore;
  SpecNum max_contacts;
  SpecName overlapping;  // links that overlap at the start: ignore (default), keep
} SpecContact;

typedef struct SpecFrame {  // a named point or frame on a body
  SpecName name;
  SpecPose pose;
} SpecFrame;

typedef struct SpecBody {
  SpecName name;
  SpecPose pose;  // body frame in ground at the design position; default: the ground frame itself
  SpecName in;    // the body whose frame `pose` refers to; not given: ground
  SpecNum mass;
  SpecVec3 com;        // in the body frame; default: from the shapes, else the origin
  SpecNum inertia[6];  // about the mass centre: xx yy zz xy xz yz
  bool inertia_set;
  bool wrong;  // some of it could not be read: its numbers are looked at, nothing is made of them
  SpecPose* inertia_pose;  // orientation of the axes of `inertia` in the body frame (URDF); NULL:
                           // as those
  SpecNum density;         // for shapes without their own
  SAR_LIST(SpecShape) shapes;
  SpecTouch touch;
  SAR_LIST(SpecFrame) frames;
  SpecVec3* velocity;  // of a free body's frame origin at the start, ground axes; NULL: none
  SpecVec3* angular_velocity;  // of a free body at the start, ground axes; NULL: none
  SpecVec3* along;             // guide of a knot, ground axes; NULL: none
} SpecBody;

// One value for every coordinate of a joint: one number (for all) or a list.
typedef struct SpecDofs {
  SpecNum* c;
  int count;  // 0: not given; 1: for all; else nv (position: nq or nv)
  SarLoc loc;
} SpecDofs;

// When an item is on: while `active` is true, or from one moment until another; a moment is a time
// or when a condition becomes true.
typedef struct SpecGate {
  SpecNum active, from, until;
  SpecName hold;  // current or declared
} SpecGate;

static inline bool sar_gate_given(const SpecGate* g) {
  return g->active.expr || g->from.expr || g->until.expr;
}

static inline bool sar_holds_current(const SpecGate* g) {
  return g->hold.text && g->hold.text[0] == 'c';
}

// What a joint's coordinates are driven to, with a force that is limited.
typedef struct SpecMotor {
  SpecDofs speed, position;  // one of them; may vary
  SpecDofs effort, speed_limit;
  SarLoc loc;
} SpecMotor;

// Dry friction that is larger at rest: F(0) = breakaway, falling to `friction` beyond the Stribeck
// speed.
typedef struct SpecStribeck {
  SpecDofs breakaway;
  SpecNum speed;
} SpecStribeck;

// A motor's rotor that turns `ratio` times as fast as its joint, in one of its two bodies.
typedef struct SpecRotor {
  SpecNum inertia, ratio;
  SpecVec3 axis;  // as that of the joint; not given: the same
  SpecName on;    // parent (default) or child
  SarLoc loc;
} SpecRotor;

typedef struct SpecJoint {
  SpecName name;
  const SarJointKind* kind;
  SpecName parent, child;  // "ground" allowed
  // hardpoint style: point and axes in the ground frame at the design position (or in body `in`)
  SpecVec3 at, axis, axis2;
  SpecName at_point;  // `at: body.point` instead of coordinates
  SpecName in;
  // relative style: joint frame in the parent's body frame; the child's body frame coincides with
  // it
  SpecPose origin;
  bool relative;
  bool implied;  // the weld of a URDF's root to ground: gives way to a joint that carries it
  // of a joint that closes a loop: its frames in the body frames of parent and child, which need
  // not meet at the design position; NULL: they do
  SpecPose* ends;
  SpecDofs position, speed;  // at the start, in the direction parent -> child
  SpecDofs stiffness, rest, damping, friction, armature;
  SpecNum friction_speed;  // speed scale of dry friction
  SpecStribeck* stribeck;  // NULL: the same at all speeds
  SpecRotor* rotor;        // NULL: none
  SpecDofs force;          // actuator: may vary in time
  SpecDofs lower, upper, restitution, effort, speed_limit;
  SpecMotor* motor;  // NULL: none
  SpecName mimic;    // follows that joint: q = multiplier * q_other + offset
  SpecNum multiplier, offset;
  SpecNum contact;  // 1: its two bodies touch each other all the same
  SpecGate gate;
  SpecNum param[SAR_JOINT_MAX_PARAM];  // the kind's own attributes, in the order of kind->param
  const SarModalShape* shape;  // of a node of a modal body: how modes move it; NULL: another joint
} SpecJoint;

// Value of one attribute of a force or constraint, see SarAttrType.
typedef struct SpecValue {
  SarLoc loc;  // line 0 and no file: not given
  bool given;
  SpecName name;     // body, joint, choice; body of a point, or "body.point"
  SpecNum* numbers;  // scalar 1, vector 3, matrix 6 or 36, table 2 a row, point 3
  int count;
  SpecPose pose;  // frame
} SpecValue;

typedef struct SpecForce {
  SpecName name;
  const SarForceKind* kind;
  SpecValue values[SAR_FORCE_MAX_ATTR];  // in the order of kind->attr
  SpecGate gate;
} SpecForce;

typedef struct SpecConstraint {
  SpecName name;
  const SarConstraintKind* kind;
  SpecValue values[SAR_MAX_ATTR];  // in the order of kind->attr
  SpecGate gate;
} SpecConstraint;

// What varies along the span of a beam: one row of numbers, or rows [s, ...].
typedef struct SpecSpan {
  SpecNum* numbers;   // NULL: not given
  int rows, columns;  // without s
  bool table;         // every row begins with s
  SarLoc loc;
} SpecSpan;

// A flexible beam: nodes (bodies), elements (forces) and, where it is clamped, joints are made of
// it when the model is compiled (compile/beams.c). All of its geometry is in the frame of the body
// it begins on.
typedef struct SpecBeam {
  SpecName name;
  SpecName from;  // body or "body.point"; not given: a free end, in ground
  SpecNum from_at[3];
  SarLoc from_loc;
  SpecVec3 to, axis, axis2;  // other end, or direction at the beginning; y of the sections
  SpecNum length;
  SpecSpan curvature, twist;  // [1/m] about x y z of the section, without the twist [rad] about x
  SpecName clamp;             // body that the other end is clamped to
  int elements;
  SpecSpan stiffness, mass, com, inertia, damping;
  SpecNum radius;  // for pictures
  bool wrong;      // could not be read: nothing is made of it
} SpecBeam;

// A modal body: body NAME with modes and nodes, which are made of it when the model is compiled
// (compile/modal.c). Its numbers are known when it is read.
typedef struct SpecModal {
  SpecBody body;             // its frame: place and name
  SarModalShape* shape;      // of all nodes; NULL: could not be read
  SpecName* node;            // names of the nodes, shape->nodes
  bool* attached;            // of each: bodies for others to use; NULL: all
  SpecDofs position, speed;  // of the modes at the start
  SpecNum radius;            // for pictures
  bool wrong;
} SpecModal;

// A piece of road that adds its height to what lies before and after it.
typedef struct SpecFeature {
  SpecNum ramp[2], smooth[2], bump[2], step;  // one of them: from, to; or where the step is
  SpecNum width;                              // of a step
  SpecNum height;
  SpecName side;  // left (y > 0), right or both
  SarLoc loc;
} SpecFeature;

typedef struct SpecRoad {
  SpecName name;
  SAR_LIST(SpecFeature) features;
  SpecValue table;  // rows [x, z]
  SpecName interpolation;
  SpecNum height;  // expression of x, y and t
  SpecSolid grid;  // heights over a grid of its own, if that is its kind
  SpecName field;  // whose heights: ground, or the name of a solid of the ground
} SpecRoad;

// An airfoil: numbers of a smooth law, or the tables of a file.
typedef struct SpecAirfoil {
  SpecName name;
  SpecName file;                        // not given: numbers
  SarC81 tables;                        // what is in the file
  SpecNum number[SAR_AIRFOIL_NUMBERS];  // lift slope, angle of zero lift, drag, drag of separated
                                        // flow, moment
} SpecAirfoil;

// A state of the user's own: z' = rate, z = start where a run begins (0 where it is not given).
typedef struct SpecState {
  SpecParameter rate;  // with the name of the state
  SpecNum start;
} SpecState;

// A function of the program's own that is called (discrete.h).
typedef struct SpecCall {
  SpecName signal, function;
  int num[SAR_CALL_ROLES];
} SpecCall;

// A discrete-time state (discrete.h).
typedef struct SpecDiscrete {
  SpecParameter next;  // with the name of the signal; of a relay: nothing
  SarDiscreteKind kind;
  SpecNum period, offset, start;
  SpecNum rise, fall;    // of a relay: conditions
  const SpecCall* call;  // NULL: no part of one
  SarCallRole role;      // in it,
  int place;  // and which of them; `next` of states and outputs names the inputs, for the order
} SpecDiscrete;

// A number of a signal that must be more than 0.
typedef struct SpecPositive {
  SpecName signal;
  const char* key;
  SpecNum value;
} SpecPositive;

// Hydraulics, until the file is read to its end (elements/hydraulics): what flows into a node and
// what its fluid fills; each expression may be missing.
typedef struct SpecFlow {
  SpecName node;
  SpecNum flow;        // into it, at the fluid's reference density [m^3/s]
  SpecNum volume;      // that the fluid fills [m^3], and
  SpecNum growth;      // how fast that grows by motion [m^3/s]
  SpecNum compliance;  // by pressure [m^3/Pa]
} SpecFlow;

typedef struct SpecFluidNode {
  SpecName name;
  bool given;     // its pressure is
  SpecNum start;  // of one whose pressure is a state [Pa]
} SpecFluidNode;

typedef struct SpecFluid {
  SpecNum density, bulk_modulus, pressure, viscosity, air, air_index, vapour;
} SpecFluid;

// What a file asks for: quantities (output_kind.h) of one owner, or of all of its kind.
typedef struct SpecOutput {
  SarOwner of;
  const SarOutputKind* only;  // asked for by a word of its own; NULL: what `with` chooses
  SpecName target;            // body, joint, force, "body.point"; "all": every one of that kind
  SpecName other;             // contacts: the body it touches; not given: any
  SpecVec3 point;             // with coordinates in the body frame
  SpecName label;             // column prefix; default: the target's name
  uint64_t with;              // a set of quantities; 0: those that come by default
  SpecNum expr;
  SarLoc loc;
} SpecOutput;

// An equation that holds at the start: residual = 0.
typedef struct SpecEquation {
  SpecName text;  // as the file has it
  SpecNum residual;
} SpecEquation;

// A named start: what joints, inputs and states are set to before the model is compiled. What it
// does not name is as the rest of the file has it.
typedef enum SpecKeyPart {
  SPEC_KEY_POSITIONS,  // of joints
  SPEC_KEY_SPEEDS,
  SPEC_KEY_INPUTS,
  SPEC_KEY_STATES,
  SPEC_KEY_PARTS
} SpecKeyPart;

typedef struct SpecKeyValue {
  SpecName of;
  SpecDofs value;
} SpecKeyValue;

typedef struct SpecKey {
  SpecName name;
  SAR_LIST(SpecKeyValue) values[SPEC_KEY_PARTS];
} SpecKey;

typedef struct SpecSimulation {
  SpecNum end, step, output_step, rtol, atol, max_step, newton_tolerance;
  SpecName formulation, integrator, kinematics;
  SpecNum adaptive;      // 0 or 1
  SpecName coordinates;  // relative or absolute
  SarLoc loc;
} SpecSimulation;

// What an error has kept out of a spec: names of these kinds may be missing, which is no second
// error.
enum {
  SPEC_LOST_BODIES = 1,  // and their points
  SPEC_LOST_JOINTS = 2,
  SPEC_LOST_FORCES = 4,
  SPEC_LOST_CONSTRAINTS = 8,
  SPEC_LOST_ROADS = 16,
  SPEC_LOST_PARAMETERS = 32,
  SPEC_LOST_VALUES = 64,  // variables, inputs, states
  SPEC_LOST_AIRFOILS = 128,
  SPEC_LOST_NAMES = 255,
  SPEC_UNREAD = 256  // all of it: there is nothing to compile
};

typedef struct SarSpec {
  SarArena arena;
  unsigned lost;  // SPEC_LOST_...; after errors only
  bool wrong;     // there were errors: values that could not be read are NaN
  const char* file;
  SpecName name;
  SpecGravity gravity;
  SpecName planar;  // xy, xz or yz: all motion is in this plane
  SAR_LIST(SpecParameter) parameters;
  SAR_LIST(SpecParameter) variables;  // named expressions of t and measured quantities
  SAR_LIST(SpecParameter) inputs;     // set by the host program; value: at the start
  SAR_LIST(SpecInputNote) input_notes;
  SAR_LIST(SpecState) states;
  SAR_LIST(SpecDiscrete) discrete;
  SAR_LIST(SpecPositive) positive;
  SpecNames signals;  // variables that are outputs of signals, in the order of the file
  SpecFluid fluid;
  SAR_LIST(SpecFlow) flows;
  SAR_LIST(SpecFluidNode) fluid_nodes;
  SAR_LIST(SpecBody) bodies;
  SAR_LIST(SpecFrame) ground_frames;  // named points of the ground, "ground.wall"
  SpecTouch ground_touch;
  SpecContact contact;
  // asked of the reader of a URDF: its <collision> tags are solids that touch; its root stays a
  // body, also if it is called world
  bool links_touch, keep_root;
  SAR_LIST(SpecJoint) joints;
  SAR_LIST(SpecForce) forces;
  SAR_LIST(SpecConstraint) constraints;
  SAR_LIST(SpecRoad) roads;
  SAR_LIST(SpecAirfoil) airfoils;
  SpecValue air[SAR_AIR_ATTRS];  // in the order of sar_air_attr
  SpecName air_at;               // where the section stands; not given: there is none
  SAR_LIST(SpecBeam) beams;
  SAR_LIST(SpecModal) modals;
  SAR_LIST(SpecEquation) initial;
  SAR_LIST(SpecKey) keys;
  SAR_LIST(SpecOutput) outputs;  // empty: every joint and the energy
  SpecSimulation simulation;
} SarSpec;

// Says what is wrong with the keys of a spec, and sets its start to the one of that name (NULL:
// none). Reports what is not there.
void sar_spec_take_key(SarSpec* spec, const char* name, SarError* err);
void sar_spec_init(SarSpec* spec);
void sar_spec_free(SarSpec* spec);
