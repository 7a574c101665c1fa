// What the stages of the compiler share; private to src/model/compile*.c.
//
// Stages, in this order. Each returns false only when memory ran out; what is wrong with the model
// is reported and counted, and the work goes on so that all errors are found at once:
//   names        who is called what, duplicates
//   parameters   values of all parameters
//   bodies       design poses, named points, mass properties
//   joints       frames, attributes, initial coordinates (in the direction of the file)
//   tree         spanning tree, what fixed joints join made one, numbering, body and joint arrays
//   expressions  slots, programs, kinks
//   states       of the file (within `expressions`) and of blocks, wherever these stand
//   motors       what joints are driven to
//   forces       attributes
//   constraints  rows of cuts, couplings and elements
//   contact      solids, materials, what does not touch
//   gates        what is switched on and off during the run
//   tangents     what follows the motion, and the coordinates that move it
//   outputs      columns
// Then the draft, whose arrays lie in the arena, is copied into one block.
#pragma once
#include "base/arena.h"
#include "collide/decompose.h"
#include "expr/tree.h"
#include "math/sequence.h"
#include "model/compile.h"
#include "model/graph.h"
#include "model/names.h"

#include <math.h>

#define WRONG ((double)NAN)           // a value that has been reported
#define UNLIMITED ((double)INFINITY)  // a limit that is not given

enum { GROUND = -1, NOWHERE = -2, SAMPLES = 5 };

typedef struct Compile Compile;

// What a message is about: "body 'arm'".
typedef struct Item {
  const char* kind;
  const char* name;
  SarLoc loc;
} Item;

// What a shape of points has beside its place: the mesh at its size, the hull of CONVEX and HULL,
// and the inertia about its own frame at density 1.
typedef struct MeshPart {
  SarMesh mesh;
  SarHull hull;
  Inertia unit;
} MeshPart;

// Convex parts of a mesh file at some size, made once.
typedef struct CutPart {
  const SpecMesh* spec;
  V3 scale;
  int most;
  SarParts* parts;  // NULL: its hull stands for it
} CutPart;

// A shape of a body.
typedef struct ShapePart {
  SpecShapeKind kind;
  double size[3];
  Xform X_US;     // its own frame (centre, z along the axis) in the body frame
  double extent;  // volume, or length of a rod: what masses are shared by
  double mass;    // NaN: to be shared out
  bool wrong;
  MeshPart* of;  // of meshes and hulls; NULL: none
} ShapePart;

static inline bool sar_is_mesh(SpecShapeKind kind) {
  return kind == SPEC_CONVEX || kind == SPEC_HULL || kind == SPEC_MESH;
}

// A body of the spec, with everything worked out but its place in the tree.
typedef struct BodyPart {
  const SpecBody* spec;
  Item item;
  Xform X_GU;        // design pose of the file's body frame
  Inertia inertia;   // about U
  V3 moments;        // principal ones of the inertia given
  bool unsound;      // one of them is negative
  bool knot;         // no mass, and forces alone hold it (compile/knots.c)
  ShapePart* shape;  // those of the spec
  int placed_by;     // relative joint that places it, -1 = none
  int root;          // body of the spec that carries it: itself, or one it is fixed to; GROUND
  int fixed_by;      // joint that fixes it to another body; -1 = none
  Xform X_RU;        // U in U of the root
  Inertia whole;     // of a root: about U, with all that is fixed to it
  int tree;          // number of the root in the tree; GROUND
  int number;        // holder: its number in the model's public interface
  Xform X_BU;        // U in the frame B of the tree
} BodyPart;

typedef struct PointPart {
  const char* name;  // "body.point"
  int body;          // of the spec
  Xform X_UP;
} PointPart;

// Values of one joint at the start, in the direction of the file.
typedef struct JointValues {
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
} JointValues;

// What else a joint says about its coordinates, one number each.
typedef enum JointLaw {
  LAW_ARMATURE,
  LAW_STIFFNESS,
  LAW_REST,
  LAW_DAMPING,
  LAW_FRICTION,
  LAW_BREAKAWAY,
  LAW_LOWER,
  LAW_UPPER,
  LAW_RESTITUTION,
  LAW_EFFORT,
  LAW_SPEED_LIMIT,
  JOINT_LAWS
} JointLaw;

typedef struct JointPart {
  const SpecJoint* spec;  // NULL: the own joint of a body (sar_own_joint)
  const SarJointKind* kind;
  Item item;
  int body[2];  // parent, child in the file
  bool sound;   // both bodies exist and differ
  double param[SAR_JOINT_MAX_PARAM];
  Xform X_UF[2];  // joint frame in U of parent and child, at zero position; before the stage of
                  // joints [0]: the origin
  double zero[SAR_JOINT_MAX_NQ];            // design position
  bool q_given, v_given[SAR_JOINT_MAX_NV];  // does the file give the initial ones?
  JointValues value;
  V3 rotor_axis;      // in the joint frame
  double rotor_spin;  // J n; 0: no rotor
  double* law;        // JOINT_LAWS rows of nv, then the speeds of dry friction
  int mimic;          // joint it follows, -1 = none
  double multiplier, offset;
  bool measured;  // its coordinates are used by an expression, a force or a follower
  bool reported;  // a column shows what it carries
  bool bad_axes;  // what they are has been reported: those of the frame are made up
  int tree, cut;  // its number in the tree, among the cuts; -1 = not there
  int number;     // among all joints of the model: tree, or nbody + cut; -1: fixed, in no tree
  bool turned;
} JointPart;

static inline double* sar_law(const JointPart* p, JointLaw law) {
  return p->law + (int)law * p->kind->nv;
}
static inline double* sar_friction_speed(const JointPart* p) { return sar_law(p, JOINT_LAWS); }
static inline double* sar_stribeck_speed(const JointPart* p) { return sar_friction_speed(p) + 1; }
// Laws of a joint that says nothing; NULL: no memory.
double* sar_laws_new(Compile* c, const SarJointKind* kind, double friction_speed);

// A name that expressions may use: parameter, variable, input, state or discrete-time state.
typedef enum SymbolKind {
  SYMBOL_PARAMETER,
  SYMBOL_VARIABLE,
  SYMBOL_INPUT,
  SYMBOL_STATE,
  SYMBOL_DISCRETE
} SymbolKind;
typedef struct Symbol {
  const SpecParameter* spec;
  SymbolKind kind;
  double value;  // parameters, inputs, and variables that turned out constant; NaN: reported
  int slot;      // of a variable or input that varies, else -1
  bool constant;
  SarNode expanded;  // of a variable: without variables; SAR_NONE: wrong, or the graph is full
  int looked;        // by which search for a name
} Symbol;

// A compiled expression and its instructions, before they are put into one array.
typedef struct ExprPart {
  SarProgram program;
  SarInstr* instr;
  int slot;
  int gate;  // of a switching function: see switch_gate of the model
} ExprPart;

// A state of the user's own, or of a block in an expression (compile/states.c).
typedef struct StatePart {
  const char* name;
  Item item;
  const SpecState* spec;  // NULL: of a block
  int slot,
      rate_slot;  // of its value, of its rate; -1: that is wrong, or an element or a knot sets it
  bool own;
  SarNode rate, start;  // without variables; SAR_NONE: wrong, or rate: the graph is full
  bool defined;
} StatePart;

// A kink of a force's law, in the locals of the law.
typedef struct LawKink {
  int force;
  ExprPart part;
} LawKink;

typedef struct KinkPart {
  double time, period;
} KinkPart;

typedef struct ChannelPart {
  SarChannel channel;
  const char *label, *suffix;  // before and after the dot; no suffix: the label alone
  const char* name;            // NULL: not settled yet
  bool again;                  // asked for twice: left out
  SarLoc loc;
} ChannelPart;

// A solid that touches, and the groups it is in.
typedef struct ColliderPart {
  SarCollider collider;
  int body;  // of the spec, GROUND
  const SpecNames* groups;
} ColliderPart;

typedef SAR_LIST(int) IntList;

// The expression whose value a slot holds.
typedef struct SlotValue {
  int slot;
  SarNode bound;
} SlotValue;

// ---- beams (beams.c, beam_spans.c, beam_lumps.c) ------------------------------------------------

typedef struct BeamSpan {  // values along the span; none: columns = 0
  int rows, columns;
  bool table;
  const double* value;  // rows of s and the columns
} BeamSpan;

typedef struct BeamPart {
  const SpecBeam* spec;
  Item item;
  SpecBody* node;     // elements + 1, in the spec of this compilation
  SpecForce* force;   // elements
  double length, *s;  // of the nodes
  Xform* X;           // poses of the sections there, in the frame of the body it begins on
  BeamSpan curvature, twist, stiffness, mass, com, inertia;
  double damping[6];
} BeamPart;

// Strips on a beam: those of its node `node`.
typedef struct BeamStripsPart {
  const BeamPart* beam;
  SpecForce* force;
  int node;
} BeamStripsPart;

struct Compile {
  BeamPart* beam;
  int nbeam;
  BeamStripsPart* beam_strips;
  int nbeam_strips;
  const SarSpec* spec;
  SarArena arena;
  SarError* err;
  int errors_before;
  const SarParameter* overrides;
  int override_count;
  const char* coordinates;           // asked for from outside; NULL: as the file says
  bool mixed;                        // platforms have coordinates of their own
  const SarUserFunction* functions;  // of the program's own
  int function_count;
  bool keep_fixed;  // asked for from outside: fixed joints stay in the tree
  SarModel m;       // the draft

  NameMap body_names, joint_names, force_names, constraint_names, symbol_names, point_names;
  NameMap road_names, airfoil_names;
  BodyPart* body;
  int nbody;
  ShapePart* shape;  // of all bodies; gone when pictures have what they need of them
  size_t nshape;
  JointPart* joint;  // those of the spec, then the bodies' own
  int njoint, njoint_spec, joint_capacity;
  double* own_laws[SAR_JOINT_MAX_NV + 1];  // of joints of bodies' own, by number of coordinates
  PointPart* point;
  int npoint;
  Symbol* symbol;  // parameters, variables, inputs
  int nsymbol;
  bool tree_known;  // false: errors before; numbers are those of the spec then
  bool mass_known;  // false: a body's mass properties are wrong, which has been reported

  // expressions
  SarGraph* graph;
  int searches;  // for places of names, so far
  SAR_LIST(ExprPart) exprs;
  SAR_LIST(SarMeasure) measures;
  SAR_LIST(SarChannel) held;
  SAR_LIST(KinkPart) kinks;
  SAR_LIST(ExprPart) switches;  // switching functions, without slots until the end
  int kink_gate;                // whose trigger is being compiled, as in switch_gate; -1: none
  SAR_LIST(ExprPart) drives;    // f, f', f'' of motions
  SAR_LIST(SlotValue) slot_values;
  SAR_LIST(ExprPart) partials;  // model/partial.h
  IntList partial_measures;
  SAR_LIST(LawKink) law_kinks;  // in the order of the forces
  int force_in_progress;        // whose laws are being compiled, -1 = none
  NameMap measure_names;
  SAR_LIST(StatePart) states;
  NameMap state_names, block_stems;
  SarMemo block_names;  // calls of blocks -> names of their states
  ExprPart* z_starts;   // nz; slot: which state
  SAR_LIST(ExprPart) z_partials;
  ExprPart* discrete_nexts;  // ndiscrete

  // numbers in the model -> numbers in the spec
  int *body_at, *force_at;  // body_at: of holders
  int* joint_of;            // joints of the tree
  // of relative coordinates, parents first: bodies, and joints that other coordinates cut, -1 =
  // none
  int *carried, *carrier;
  // all bodies of the spec in the order of their tree, with those that are fixed to others; all
  // joints likewise, cuts last: the order of the columns
  int *body_order, *joint_order;
  int njoint_order;
  int* force_number;  // and back
  // by number in the model
  SarLoc* force_loc;
  bool* force_sound;  // no attribute is wrong

  // constraints
  SAR_LIST(SarConstraint) constraints;
  SAR_LIST(Item) constraint_items;  // what messages about them say
  SAR_LIST(SarRow) rows;
  SAR_LIST(SarTerm) terms;
  SAR_LIST(SarPair) pairs;
  SAR_LIST(SarIdleTerm) idle;
  int idle_rows;
  IntList pair_dofs;
  int first_pair;  // of the constraint in progress
  SAR_LIST(SarTrack) tracks;
  SAR_LIST(SarRoller) rollers;
  SAR_LIST(SarGate) gates;
  int* element_constraint;  // constraints of the spec -> their numbers, -1 = not there
  Xform* sample;            // X_GB of all bodies at SAMPLES random positions, one after the other
  double sample_size;       // a typical length of the model
  int* joint_by_number;     // numbers in the model -> numbers in the spec, cuts too

  // contact
  NameMap material_names;
  SAR_LIST(CutPart) cuts;
  SAR_LIST(ColliderPart) colliders;  // ground's, then those of the bodies in the order of the tree

  // results
  SAR_LIST(ChannelPart) channels;
  bool too_many;  // columns; has been said
  SAR_LIST(char) text;
  NameMap texts;
  SAR_LIST(double) attr_data;
};

bool sar_compile_names(Compile* c);
bool sar_compile_parameters(Compile* c);
// Parameters or variables, each after those it uses (other symbols lie in between); circles are
// reported. NULL: no memory.
int* sar_symbol_order(Compile* c, SymbolKind kind, const bool* skip);
bool sar_compile_ends(Compile* c);  // parents and children of the joints
bool sar_compile_bodies(Compile* c);
bool sar_compile_mass(Compile* c);
void sar_judge_inertias(Compile* c);  // when it is known what is one body with what
bool sar_compile_joints(Compile* c);
bool sar_compile_tree(Compile* c);
bool sar_merge_fixed(Compile* c, SarTree* tree);  // what fixed joints join becomes one body
bool sar_compile_arrays(Compile* c, const SarTree* tree);
bool sar_compile_coordinates(Compile* c);  // of which kind; false: none that there is was asked for
bool sar_compile_planar(Compile* c);       // which plane, and that all joints keep to it
bool sar_compile_absolute(Compile* c, SarTree* tree);  // tree -> every body on its own
bool sar_compile_mixed(Compile* c, SarTree* tree);     // tree -> platforms on their own
void sar_find_knots(Compile* c);                       // bodies without mass that forces hold
void sar_fill_knot(Compile* c, int body, int fixed);  // into the draft, as number `fixed` of nfixed
bool sar_compile_networks(Compile* c);  // knots that hang together, and the bodies around them
bool sar_compile_knots(Compile* c);     // when the forces are known: what acts on knots, and how
// A state whose rate no expression holds; its number, -1: no memory, or too many.
int sar_add_own_state(Compile* c, const char* name, Item item, double start);
bool sar_compile_massless(Compile* c);  // joints that carry no inertia along their motion
bool sar_compile_rotors(Compile* c);
bool sar_compile_expressions(Compile* c);
bool sar_compile_states(Compile* c);  // into the draft, when no more will come
// Discrete-time states (compile/discrete.c): slots, before any expression; then what they take.
bool sar_take_discrete(Compile* c);
bool sar_define_discrete(Compile* c);
// Calls (compile/calls.c), once the discrete-time states have their order: spec[i] is that of state
// i. False: no memory.
bool sar_define_calls(Compile* c, const SpecDiscrete* const* spec);
bool sar_compile_motors(Compile* c);
bool sar_compile_roads(Compile* c);
bool sar_compile_airfoils(Compile* c);
bool sar_compile_air(Compile* c);
bool sar_compile_element_states(Compile* c);  // when all forces are known
// Adds nodes, elements and joints of all beams to the spec that is compiled, without their numbers.
bool sar_expand_beams(Compile* c);
// Their numbers, once parameters are known.
bool sar_compile_beams(Compile* c);
// beam_strips.c: how many elements of strips on beams are to be made of those in the spec, beyond
// one each; the elements, when the nodes are there; and what they are given of the nodes, when
// these have their places.
int sar_count_beam_strips(const SarSpec* s);
bool sar_expand_beam_strips(Compile* c, SarSpec* s);
bool sar_fill_beam_strips(Compile* c);
// Reads a span; false after a report (or where memory ran out). Tables must reach from 0 to the
// length.
bool sar_beam_span(Compile* c, const BeamPart* b, const SpecSpan* span, const char* key,
                   BeamSpan* out);
// Values at s; at a jump those of the side on which `beside` lies.
void sar_span_at(const BeamSpan* span, double s, double beside, double* out);
// Calls visit for the smooth pieces between a and b.
typedef void BeamPiece(void* context, double a, double b);
void sar_beam_pieces(const BeamSpan* const* spans, int count, double a, double b, BeamPiece* visit,
                     void* context);
// Section stiffness at s as 6 x 6 on (moment; force).
void sar_beam_section(const BeamPart* b, double s, double beside, double K[36]);
// Inertias of the nodes about their frames.
bool sar_beam_lumps(Compile* c, const BeamPart* b, Inertia* node);

// Adds the body, the modes and the nodes of all modal bodies to the spec that is compiled.
bool sar_expand_modals(Compile* c);
bool sar_compile_modals(Compile* c);  // into the draft, when the tree is known

bool sar_compile_forces(Compile* c);
bool sar_compile_constraints(Compile* c);
bool sar_compile_gates(Compile* c);
bool sar_compile_initial(Compile* c);
bool sar_compile_contact(Compile* c);
bool sar_compile_shapes(Compile* c);
bool sar_compile_materials(Compile* c);  // and how any two of them touch
// Number of a material; the default one where none is named; -1 after a report.
int sar_find_material(Compile* c, SpecName name, Item item, const char* key);
// A solid from heights, in the arena; moving: it is part of a body. *out keeps its kind after a
// report. False: no memory.
bool sar_build_heights(Compile* c, const SpecSolid* s, Item item, bool moving, SarSolid* out);
// The heights of a solid: z, x first, in the arena. NULL after a report, or without memory.
typedef struct HeightGrid {
  double from[2], step[2];
  int n[2];
} HeightGrid;
const double* sar_take_heights(Compile* c, const SpecSolid* s, Item item, HeightGrid* out);
void sar_store_solids(const SarModel* draft, SarModel* m);  // into the arrays of the model itself
bool sar_compile_apart(Compile* c);     // which colliders do not touch each other
bool sar_compile_overlaps(Compile* c);  // what overlaps at the start: said, links kept apart
// Are the positions of the start those that the file gives, with nothing to be found first?
bool sar_start_is_known(const Compile* c);
bool sar_compile_limits(Compile* c);  // joints that begin beyond their limits: said
bool sar_compile_samples(Compile* c);
// Do two bodies turn against each other about one direction only? In B of body a.
bool sar_common_axis(const Compile* c, int a, int b, V3* axis);
bool sar_compile_elements(Compile* c);  // those of the file
bool sar_compile_rows(Compile* c);      // into the draft
bool sar_compile_partials(Compile* c);  // of actuators and controlled forces
bool sar_compile_tangents(Compile* c);
bool sar_compile_fill(Compile* c);  // order of elimination of matrices of all coordinates
bool sar_drop_rows(Compile* c);     // those that always hold; reports those that never can
bool sar_compile_outputs(Compile* c);
bool sar_compile_connected(Compile* c);  // remarks on bodies that nothing holds
bool sar_compile_columns(Compile* c);
bool sar_compile_gravity(Compile* c);
bool sar_compile_simulation(Compile* c);  // and name
bool sar_compile_work(Compile* c);
bool sar_seal_expressions(Compile* c);  // into the draft, when no more will come

// ---- joints of bodies' own --------------------------------------------------------------------
// A joint of its own to ground for a body: free, or planar in a planar model; B sits at the point
// `at` of U. At the design position, without a name yet.
JointPart sar_own_joint(const Compile* c, int body, V3 at);
// Room for more joints, which may move, and the laws that those of bodies' own share. False: no
// memory.
bool sar_joints_room(Compile* c, int more);
// Its initial values from the pose of U in ground, and the velocity of U in U.
void sar_start_own_joint(JointPart* p, Xform X_GU, Motion V_U);

// ---- messages -------------------------------------------------------------------------------
// "KIND 'NAME': ..." at loc, or where the item stands when loc is unknown.
void sar_complain(Compile* c, Item item, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
void sar_remark(Compile* c, Item item, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 5, 6)));  // a warning
// "there are two of this name", with where the first one stands.
void sar_report_twice(Compile* c, Item item, SarLoc first);
bool sar_compile_sound(const Compile* c);  // no error so far

// ---- names ----------------------------------------------------------------------------------
// Number of a body, joint or force of the spec; GROUND; NOWHERE after reporting that there is none.
int sar_find_body(Compile* c, SpecName name, Item item, const char* key);
int sar_find_joint(Compile* c, SpecName name, Item item, const char* key);
int sar_find_constraint(Compile* c, SpecName name, Item item, const char* key);
int sar_find_force(Compile* c, SpecName name, Item item, const char* key);
int sar_find_road(Compile* c, SpecName name, Item item, const char* key);     // -1 after a report
int sar_find_airfoil(Compile* c, SpecName name, Item item, const char* key);  // likewise
// `body` or `body.point`: the body and the point in its frame U.
int sar_find_point(Compile* c, SpecName name, Item item, const char* key, Xform* X_UP);
// Offset of a name in the model's text; 0 (the empty name) when memory ran out.
int sar_intern(Compile* c, const char* text);
// Sorting by natural order of the names.
typedef struct Named {
  const char* name;
  int index;
} Named;
void sar_sort_named(Named* named, int n);

// ---- constant numbers -----------------------------------------------------------------------
typedef enum Range { ANY_FINITE, POSITIVE, NOT_NEGATIVE, EVEN_INFINITE } Range;
// Value of a constant; `fallback` when not given; NaN after reporting that it is wrong.
double sar_number(Compile* c, SpecNum n, Item item, const char* key, Range range, double fallback);
V3 sar_vector(Compile* c, const SpecVec3* v, Item item, const char* key, V3 fallback);
// A direction, normalised; NaN after reporting.
V3 sar_direction(Compile* c, const SpecVec3* v, Item item, const char* key, V3 fallback);
Xform sar_pose(Compile* c, const SpecPose* pose, Item item, const char* key);
bool sar_pose_given(const SpecPose* pose);
static inline bool sar_given(const SpecVec3* v) { return v && v->c[0].expr != NULL; }
// A shape with its numbers; `wrong` after a report. open: a mesh need not be closed.
ShapePart sar_shape_part(Compile* c, Item item, const SpecShape* shape, bool open);
// What a mesh or hull has beside its place.
void sar_mesh_part(Compile* c, Item item, const SpecShape* shape, bool open, ShapePart* out);
// The convex parts of a hull that touches, where they are asked for by the shape or `otherwise`;
// NULL: it stands itself. False: no memory.
bool sar_convex_parts(Compile* c, Item item, const SpecShape* shape, SpecNum otherwise,
                      const SarParts** out);
extern const char* const sar_shape_name[SPEC_SHAPE_KINDS];
// One number for all coordinates of a joint, or one each. `out` keeps its values when nothing is
// given.
void sar_joint_numbers(Compile* c, const JointPart* p, const SpecDofs* d, const char* key,
                       Range range, double* out);
// Value of a symbol that is known at compile time.
bool sar_symbol_value(void* compile, const char* name, double* value);
// It has a spring, damper, friction, armature or motor.
bool sar_has_values(const JointPart* p);
// Armature of a joint that is turned round; false: it cannot be expressed.
bool sar_turn_armature(const JointPart* p, double* turned);
bool sar_has_armature(const JointPart* p);
SarLoc sar_armature_loc(const JointPart* p);  // of it, or of the rotor

// ---- attributes -----------------------------------------------------------------------------
// Names that a law may use beside the usual ones.
typedef struct Locals {
  const char* const* name;
  int count;
} Locals;
// Compiles the values of an element, in the order of form->attr; false: no memory. *sound: none of
// them is wrong, nor stands for something that is.
bool sar_compile_attributes(Compile* c, Item item, const SarForm* form, const SpecValue* values,
                            SarAttrValue* out, bool* sound);
// Room for n zeros in attr_data; the first one's place.
int sar_take_data(Compile* c, int n);
// A function of t alone: the first of three slots for it and its two derivatives. -1: it is
// constant, and *value it; or after an error.
int sar_motion_of(Compile* c, SpecNum n, Item item, const char* key, bool sine, double* value);
// A function of the first local alone: number of the first of three laws, as above; -1 after an
// error.
int sar_curve_of(Compile* c, SpecNum n, Item item, const char* key, const Locals* locals);

// ---- bodies that move against each other ------------------------------------------------------
// Appends the coordinates between a, b and their common ancestor, rising: first those that move one
// of them (a if a < b), *num_first of them, then the other's. False: no memory.
bool sar_add_between(Compile* c, IntList* dofs, int a, int b, int* num_first);

// ---- rows of constraints --------------------------------------------------------------------
// Each adds to the last one of its owner: constraint, row, term. False or -1: no memory.
bool sar_add_constraint(Compile* c, Item item, SarConstraintSource source, int index);
bool sar_add_row(Compile* c, double constant);
// Points in the frames B of the two bodies; one that is there already in this constraint is shared.
int sar_add_pair(Compile* c, int body_a, V3 point_a, int body_b, V3 point_b);
SarTerm* sar_add_term(Compile* c, SarTermKind kind, int pair, double coefficient);
// A coordinate of a joint, in the direction of the file, whether it is in the tree or closes a
// loop; joint: number in the spec. False after a report, or without memory.
bool sar_add_coordinate(Compile* c, int joint, int component, double coefficient);

// ---- expressions that may vary --------------------------------------------------------------
// A suggestion for a name: among the locals and the symbols of one kind (kind < 0: of all), or
// among the bodies, joints and points that could own a measured quantity.
// Signals of the section `signals`; returns buf.
const char* sar_suggest_signal(Compile* c, const char* word, char* buf, size_t size);
const char* sar_suggest_symbol(Compile* c, const char* word, int kind, const Locals* locals,
                               char* buf, size_t size);
const char* sar_suggest_measure(Compile* c, const char* owner, const char* suffix, char* buf,
                                size_t size);
// compile/states.c: slots of the states of the file; their rates, once variables are there; the
// number of a state (-1: none of this name); an expression without calls that keep states, which
// become states (NULL after reporting, or without memory).
bool sar_take_states(Compile* c);
bool sar_define_states(Compile* c);
int sar_find_state(const Compile* c, const char* name);
const SarExpr* sar_without_blocks(Compile* c, SpecNum n, Item item);
// The expression with all constants put in; NULL after reporting (or without memory).
SarNode sar_bound(Compile* c, SpecNum n, Item item, const char* key, const Locals* locals);
// What a name measures, its slot left out; false: it is no measured quantity.
bool sar_find_measure(Compile* c, const char* name, SarMeasure* out);
// compile/held.c: a quantity of the last step by its name; its number among those held (-1: no
// memory); their list for the model.
bool sar_find_held(Compile* c, const char* owner, const char* suffix, SarChannel* out);
int sar_hold(Compile* c, SarChannel channel);
bool sar_seal_held(Compile* c);
// compile/outputs.c: does an output show forces of constraints?
bool sar_shows_reactions(const SpecOutput* s);
// What a force has to offer to expressions.
void sar_offer_force(const Compile* c, int force, char* buf, size_t size);
// d/dt along the motion, locals held: compile/rates.c. NULL: no memory, or too long. *unknown: the
// first measured quantity in it whose rate nobody knows, taken for 0; NULL: none.
SarNode sar_rate_of(Compile* c, SarNode bound, const char** unknown);
// Compiles a bound expression; false after an error.
bool sar_program_of(Compile* c, SarNode bound, const Locals* locals, ExprPart* out);
// Slot whose value is the expression at every evaluation; -1 after an error.
int sar_slot_of(Compile* c, SarNode bound, bool kinks);
// `num` slots in a row.
int sar_take_slots(Compile* c, int num);
bool sar_fill_slot(Compile* c, SarNode bound, int slot, bool kinks);
// The expression with every variable replaced by what it stands for. NULL: no memory, or nested too
// deeply.
SarNode sar_expanded(Compile* c, SarNode bound);
// The same where it is needed: says so when it is nested too deeply.
SarNode sar_written_out(Compile* c, SarNode bound, Item item, SarLoc loc, const char* key);
// Where a name of an expanded expression stands: in the text itself, or in a variable that it uses.
SarLoc sar_place_of_name(Compile* c, SpecNum n, const char* name);
// A law: number of its entry in the model's expressions; -1 after an error.
int sar_law_of(Compile* c, SarNode bound, const Locals* locals);
// The same for an expression that no step evaluates: nobody watches its kinks.
int sar_idle_of(Compile* c, SarNode bound);
// The derivatives of a law with respect to each of its locals: entries right behind the law's own.
bool sar_slopes_of(Compile* c, SarNode bound, const Locals* locals);
// Times to land on and switching functions of an expression. locals: Nullable. False: no memory.
bool sar_add_kinks(Compile* c, SarNode bound, const Locals* locals);
// After errors: may an unknown name of an expression be one that could not be read?
bool sar_name_is_lost(const Compile* c, const char* name);
// Does a name mean something that varies in time (t, an input, a measured quantity)?
bool sar_name_varies(Compile* c, const char* name);
