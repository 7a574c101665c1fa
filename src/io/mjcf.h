// The parts of the MJCF reader: files (mjcf_include.c), defaults (mjcf_defaults.c), values and
// poses (mjcf_values.c), bodies (mjcf_bodies.c), joints (mjcf_joints.c), geoms (mjcf_geoms.c), what
// touches (mjcf_touch.c), tendons (mjcf_tendons.c, mjcf_lengths.c) that wrap around geoms
// (mjcf_wrap.c, mjcf_wrap_texts.c), actuators (mjcf_actuators.c) and what they work on
// (mjcf_drives.c), equality constraints (mjcf_equality.c), sensors (mjcf_sensors.c, mjcf_frames.c),
// keyframes (mjcf_keys.c), what is not taken (mjcf_check.c).
#pragma once
#include "io/source.h"
#include "io/xml.h"
#include "math/spatial.h"
#include "model/spec.h"

// <compiler>: how the rest is to be read.
typedef struct MjcfCompiler {
  double angle;   // rad in a unit of angle
  char order[4];  // eulerseq: small letters about turned axes, capital ones about those that stay
  bool autolimits;
  int inertia;   // from geoms: -1 where there is no <inertial>, 0 no, 1 always
  int group[2];  // inertiagrouprange
  double boundmass, boundinertia;
  bool balance;
  const char* meshdir;  // NULL: none
  bool strippath;
} MjcfCompiler;

// What the flags of <option> switch off.
typedef struct MjcfOff {
  bool equality, limit, friction, spring, damper, actuation, clamping;
} MjcfOff;

// Where the file has a body, where it is with all coordinates at zero, and where all joints are at
// their springref; in ground.
typedef struct MjcfBody {
  SpecName name;
  Xform start, zero, spring;
  const char* parent;  // NULL: of the ground
} MjcfBody;

// Where the spring of a joint rests, if it has one.
typedef struct MjcfRest {
  SpecName joint;
  double springref;  // rad or m
} MjcfRest;

typedef struct MjcfSite {
  const char *name, *body;  // "ground"
  Xform X;                  // in the body
} MjcfSite;

typedef struct MjcfGeom {
  const char *name, *body;  // "ground"
  const XmlTag* tag;
  const char* centre;  // the point of the body that is there; NULL: none yet
} MjcfGeom;

// What a piece of a tendon wraps around: a sphere or a cylinder without ends.
typedef struct MjcfWrap {
  MjcfSite centre;  // the cylinder's axis is its z
  bool cylinder;
  double radius;
  const MjcfSite* side;  // on the same body, outside; NULL: the shorter way
} MjcfWrap;

// A term of a fixed tendon, a piece of a spatial one.
typedef struct MjcfTerm {
  SpecName joint;
  double coefficient, springref;
} MjcfTerm;
typedef struct MjcfLine {
  const MjcfSite *a, *b;
  double divisor;
  const MjcfWrap* around;  // NULL: straight
} MjcfLine;

typedef struct MjcfTendon {
  const XmlTag* tag;
  SpecName name;
  bool taken;  // else it is left out, and what works on it too
  SAR_LIST(MjcfTerm) terms;
  SAR_LIST(MjcfLine) lines;
  const char *length, *rate;  // expressions
  const SarExpr* active;      // sum of its actuators; NULL: none
} MjcfTendon;

// What an actuator works on: one of three.
typedef struct MjcfDrive {
  const XmlTag* tag;
  SpecJoint* joint;
  MjcfTendon* tendon;
  const MjcfSite* site;
  const char* name;  // of it
  double gear[6];
} MjcfDrive;

// An actuator that was read, in the order of the file; one that was not taken has no input.
typedef struct MjcfActuator {
  const XmlTag* tag;
  const char *input, *state;  // names; state: of its activation, NULL where there is none
  const char *length, *rate;  // expressions
  const SarExpr* force;       // along the length
} MjcfActuator;

// What all actuators together may do to a joint.
typedef struct MjcfForceRange {
  SpecName joint;
  double low, high;
} MjcfForceRange;

typedef struct Mjcf {
  SarSpec* spec;
  SarError* err;
  SarArena arena;  // XML trees and what else dies with the reading
  const SarSource* source;
  const SarLoadOptions* options;  // Nullable
  const char* file;
  XmlTag* root;
  MjcfCompiler compiler;
  bool touch;   // geoms touch
  int joints;   // how many of the spec's joints are those of bodies: the first ones
  int unnamed;  // bodies, joints, ... that were given a name
  struct MjcfTelling* telling;
  MjcfOff off;
  SAR_LIST(MjcfBody) bodies;
  SAR_LIST(MjcfSite) sites;
  SAR_LIST(MjcfGeom) geoms;  // those with a name
  SAR_LIST(MjcfRest) rests;
  SAR_LIST(MjcfTendon) tendons;
  SAR_LIST(MjcfActuator) actuators;
  SAR_LIST(MjcfForceRange) force_ranges;
} Mjcf;

// ---- files: <include file="..."/> anywhere is the contents of that file ----
SarStatus sar_mjcf_include(Mjcf* m);

// <frame>s give way to what they hold, whose `parent` they stay.
void sar_mjcf_flatten(XmlTag* tag);

// ---- defaults ----
bool sar_mjcf_has_class(const Mjcf* m, const char* name);
// An attribute of a tag: its own, or that of its class, or of a class above.
const XmlAttribute* sar_mjcf_attribute(const Mjcf* m, const XmlTag* tag, const char* name);
const char* sar_mjcf_word(const Mjcf* m, const XmlTag* tag, const char* name,
                          const char* otherwise);

// ---- values ----
// Numbers of an attribute: how many there are of at most `most`; 0: not given, or (reported) no
// numbers.
int sar_mjcf_numbers(Mjcf* m, const XmlTag* tag, const char* name, int least, int most,
                     double* out);
double sar_mjcf_number(Mjcf* m, const XmlTag* tag, const char* name, double otherwise);
bool sar_mjcf_flag(Mjcf* m, const XmlTag* tag, const char* name, bool otherwise);
SpecNum sar_mjcf_num(Mjcf* m, double x, SarLoc loc);
SpecVec3 sar_mjcf_vec(Mjcf* m, V3 v, SarLoc loc);
SpecDofs sar_mjcf_dofs(Mjcf* m, double x, SarLoc loc);
// pos and one of quat, axisangle, euler, xyaxes, zaxis, in the body around all frames.
Xform sar_mjcf_pose(Mjcf* m, const XmlTag* tag);
Xform sar_mjcf_frame(Mjcf* m, const XmlTag* tag);  // of the frames around a tag
M3 sar_mjcf_turn_z(V3 z);                          // the least rotation that brings z there
SpecPose sar_mjcf_spec_pose(Mjcf* m, Xform X, SarLoc loc);
// The name of a tag, or one that is made: "body 'x'".
SpecName sar_mjcf_name(Mjcf* m, const XmlTag* tag, const char* owner);
SpecName sar_mjcf_reference(Mjcf* m, const XmlTag* tag, const char* name);
bool sar_mjcf_is(const XmlTag* tag, const char* name);

// One of these words, by its place among them; others are reported, and it is the first.
int sar_mjcf_choice(Mjcf* m, const XmlTag* tag, const char* name, const char* const* words,
                    int count);

// ---- joints ----
enum { MJCF_HINGE, MJCF_SLIDE, MJCF_BALL, MJCF_FREE, MJCF_JOINTS };
typedef struct MjcfJoint {
  const XmlTag* tag;
  int type;
  V3 anchor, axis;  // in the body's frame
  double ref;       // rad or m
} MjcfJoint;

bool sar_mjcf_is_joint(const XmlTag* tag);
MjcfJoint sar_mjcf_read_joint(Mjcf* m, const XmlTag* tag);
Xform sar_mjcf_moved_to(const MjcfJoint* j, double q);
Xform sar_mjcf_back_to_zero(const MjcfJoint* j, Xform X);
double sar_mjcf_springref(Mjcf* m, const MjcfJoint* j);  // rad or m
void sar_mjcf_add_joint(Mjcf* m, const MjcfJoint* j, Xform X, SpecName parent, SpecName child);

// ---- sections ----
void sar_mjcf_bodies(Mjcf* m, const XmlTag* world);
// Mass and inertia of a body from its geoms, and what of it touches.
void sar_mjcf_geoms(Mjcf* m, const XmlTag* body, bool inertia, SpecBody* out);
void sar_mjcf_touch(Mjcf* m, const XmlTag* body, SpecTouch* out);
void sar_mjcf_ignore(Mjcf* m, SpecName a, SpecName b);  // two bodies that do not touch
void sar_mjcf_contact(Mjcf* m);  // which of all geoms meet, and their friction
// The shape of a geom: false where it has none here (a plane, a height field, nothing).
bool sar_mjcf_shape(Mjcf* m, const XmlTag* geom, bool hull, SpecShape* out);
// Half length and place of what `fromto` gives; false: it is not there.
bool sar_mjcf_ends(Mjcf* m, const XmlTag* tag, double* half, Xform* X);
const MjcfSite* sar_mjcf_site(const Mjcf* m, const char* name);  // NULL: there is none
const MjcfBody* sar_mjcf_body(const Mjcf* m, const char* name);
// A point of a body, and an expression, as values of attributes.
SpecValue sar_mjcf_point_value(Mjcf* m, SpecName body, V3 p);
SpecValue sar_mjcf_value(Mjcf* m, const SarExpr* e, SarLoc loc);
// Expressions: of a text (NULL: NULL), and sum + factor x (each may be NULL: none).
const SarExpr* sar_mjcf_parsed(Mjcf* m, const char* text, SarLoc loc);
const SarExpr* sar_mjcf_sum(Mjcf* m, const SarExpr* sum, double factor, const SarExpr* x,
                            SarLoc loc);
void sar_mjcf_act(Mjcf* m, SpecJoint* joint, double factor, const SarExpr* force, SarLoc loc);
// Length and rate of a tendon (NULL: no memory), its length where all joints are at their
// springref; is a piece of it within one body?
typedef struct MjcfTexts {
  const char *length, *rate;
} MjcfTexts;
MjcfTexts sar_mjcf_tendon_texts(Mjcf* m, const MjcfTendon* t);
double sar_mjcf_length_at_springs(const Mjcf* m, const MjcfTendon* t);
bool sar_mjcf_is_rigid(const MjcfLine* l);
// NAME_suffix, a variable; as expressions have it.
const char* sar_mjcf_variable(Mjcf* m, const MjcfTendon* t, const char* suffix,
                              const SarExpr* value);
// What a <geom> of a path is: false after a message.
bool sar_mjcf_wrap_find(Mjcf* m, const MjcfTendon* t, const XmlTag* tag, MjcfWrap* out);
// Length of a path from a to b around it, with all three (and the side) in ground or in any frame.
double sar_mjcf_wrap_length(const MjcfWrap* w, V3 a, V3 b, Xform centre, V3 side);
// Piece i of a tendon: length and rate, and what pulls with a force that expressions have by name.
MjcfTexts sar_mjcf_wrap_texts(Mjcf* m, const MjcfTendon* t, int i);
void sar_mjcf_wrap_pull(Mjcf* m, const MjcfTendon* t, int i, const char* force);
void sar_mjcf_tendons(Mjcf* m, const XmlTag* section);
void sar_mjcf_tendons_act(Mjcf* m);                            // before limits of joints
void sar_mjcf_tendons_end(Mjcf* m);                            // after all actuators
MjcfTendon* sar_mjcf_tendon(const Mjcf* m, const char* name);  // NULL: there is none
// Coordinate `axis` of a site, or (which "v") of its velocity, as an expression.
const char* sar_mjcf_part(Mjcf* m, const MjcfSite* s, const char* which, int axis);
void sar_mjcf_sensors(Mjcf* m, const XmlTag* section);
// What the actuator works on, with its length and rate; false after a message.
bool sar_mjcf_drive_find(Mjcf* m, const XmlTag* tag, MjcfDrive* out);
// A component of a vector of a body (a quaternion's turn) as an expression, in ground axes.
const char* sar_mjcf_turned(Mjcf* m, const char* body, V3 a, int axis);
void sar_mjcf_drive_motion(Mjcf* m, const MjcfDrive* to, MjcfActuator* a);
void sar_mjcf_drive_act(Mjcf* m, const MjcfDrive* to, const MjcfActuator* a);
void sar_mjcf_actuators(Mjcf* m, const XmlTag* section);
void sar_mjcf_actuators_end(Mjcf* m);                    // after all of them
const char* sar_mjcf_quoted(Mjcf* m, const char* name);  // as expressions have it: 'left-knee'
SpecJoint* sar_mjcf_joint(Mjcf* m, const char* name);    // NULL: there is none
void sar_mjcf_keys(Mjcf* m, const XmlTag* section);
void sar_mjcf_equality(Mjcf* m, const XmlTag* section);
// What is not taken, or not known, is told once each; frames are still where they stand when it is
// looked for.
void sar_mjcf_look(Mjcf* m);
void sar_mjcf_tell(Mjcf* m);
