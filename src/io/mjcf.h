// The parts of the MJCF reader: files (mjcf_include.c), defaults (mjcf_defaults.c), values and poses (mjcf_values.c),
// bodies and joints (mjcf_bodies.c), geoms (mjcf_geoms.c), what touches (mjcf_touch.c), actuators (mjcf_actuators.c),
// equality constraints (mjcf_equality.c), what is not taken (mjcf_check.c).
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
} MjcfCompiler;

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
  int unnamed;  // bodies, joints, ... that were given a name
} Mjcf;

// ---- files: <include file="..."/> anywhere is the contents of that file ----
SarStatus sar_mjcf_include(Mjcf* m);

// ---- defaults ----
// An attribute of a tag: its own, or that of its class, or of a class above.
const XmlAttribute* sar_mjcf_attribute(const Mjcf* m, const XmlTag* tag, const char* name);
const char* sar_mjcf_word(const Mjcf* m, const XmlTag* tag, const char* name,
                          const char* otherwise);

// ---- values ----
// Numbers of an attribute: how many there are of at most `most`; 0: not given, or (reported) no numbers.
int sar_mjcf_numbers(Mjcf* m, const XmlTag* tag, const char* name, int least, int most,
                     double* out);
double sar_mjcf_number(Mjcf* m, const XmlTag* tag, const char* name, double otherwise);
bool sar_mjcf_flag(Mjcf* m, const XmlTag* tag, const char* name, bool otherwise);
SpecNum sar_mjcf_num(Mjcf* m, double x, SarLoc loc);
SpecVec3 sar_mjcf_vec(Mjcf* m, V3 v, SarLoc loc);
SpecDofs sar_mjcf_dofs(Mjcf* m, double x, SarLoc loc);
// pos and one of quat, axisangle, euler, xyaxes, zaxis.
Xform sar_mjcf_pose(Mjcf* m, const XmlTag* tag);
M3 sar_mjcf_turn_z(V3 z);  // the least rotation that brings z there
SpecPose sar_mjcf_spec_pose(Mjcf* m, Xform X, SarLoc loc);
// The name of a tag, or one that is made: "body 'x'".
SpecName sar_mjcf_name(Mjcf* m, const XmlTag* tag, const char* owner);
SpecName sar_mjcf_reference(Mjcf* m, const XmlTag* tag, const char* name);
bool sar_mjcf_is(const XmlTag* tag, const char* name);

// ---- sections ----
void sar_mjcf_bodies(Mjcf* m, const XmlTag* world);
// Mass and inertia of a body from its geoms, and what of it touches.
void sar_mjcf_geoms(Mjcf* m, const XmlTag* body, bool inertia, SpecBody* out);
void sar_mjcf_touch(Mjcf* m, const XmlTag* body, SpecTouch* out);
void sar_mjcf_ignore(Mjcf* m, SpecName a, SpecName b);  // two bodies that do not touch
void sar_mjcf_contact(Mjcf* m);  // which of all geoms meet, and their friction
// The shape of a geom: false where it has none here (a plane, a height field, nothing).
bool sar_mjcf_shape(Mjcf* m, const XmlTag* geom, bool hull, SpecShape* out);
void sar_mjcf_actuators(Mjcf* m, const XmlTag* section);
void sar_mjcf_equality(Mjcf* m, const XmlTag* section);
// Every tag and attribute that plays a part in the motion and is not taken is told, once each.
void sar_mjcf_check(Mjcf* m);
