// The parts of the SDF reader: values (sdf_values.c), frames (sdf_frames.c), links (sdf_links.c),
// joints (sdf_joints.c), what is not taken (sdf_check.c). Numbers, names and meshes are read by the
// URDF reader's functions.
#pragma once
#include "io/source.h"
#include "io/urdf.h"
#include "math/spatial.h"

// Something that has a place: a link, a joint, a <frame>, or the model itself.
typedef struct SdfFrame {
  const char* name;
  const XmlTag* tag;
  int attached;   // frame that it moves with: itself for links, -1: not known yet or unknown
  int state;      // 0: X not known, 1: being looked for, 2: known
  Xform X;        // in the ground
  bool is_model;  // __model__
  bool is_link, is_joint;
} SdfFrame;

enum { SDF_WORLD = -2, SDF_NONE = -1 };

typedef struct Sdf {
  Urdf u;
  const SarSource* source;
  const XmlTag* model;
  Xform X_GM;  // of the model in the ground
  bool still;  // static: nothing moves
  int depth;   // of frames that are being placed
  bool old;    // before version 1.7: no relative_to, other axes
  SAR_LIST(SdfFrame) frames;
} Sdf;

// ---- values ----------------------------------------------------------------------------------
// The text of a tag, without blanks at its ends; "" where it has none.
const char* sar_sdf_text(Sdf* s, const XmlTag* tag);
// The n numbers of a child's text. False: there is no such child, or (reported) it is not that.
bool sar_sdf_numbers(Sdf* s, const XmlTag* tag, const char* child, const char* owner, int n,
                     bool infinite, SpecNum* out);
double sar_sdf_number(Sdf* s, const XmlTag* tag, const char* child, const char* owner,
                      double otherwise);
bool sar_sdf_flag(Sdf* s, const XmlTag* tag, const char* child, bool otherwise);
// <pose>x y z roll pitch yaw</pose>, or with rotation_format and degrees. Identity where there is
// none.
Xform sar_sdf_pose(Sdf* s, const XmlTag* pose, const char* owner);
SpecNum sar_sdf_num(Sdf* s, double x, SarLoc loc);
SpecVec3 sar_sdf_vec(Sdf* s, V3 v, SarLoc loc);
SpecPose sar_sdf_spec_pose(Sdf* s, Xform X, SarLoc loc);
SpecDofs sar_sdf_dofs(Sdf* s, const double* x, int count, SarLoc loc);

// ---- frames ----------------------------------------------------------------------------------
void sar_sdf_collect(Sdf* s);  // all that have a place
// The frame of that name, SDF_WORLD, or SDF_NONE (reported).
int sar_sdf_find(Sdf* s, const char* name, SarLoc loc, const char* owner);
// Where a frame is in the ground; a loop of frames is reported.
Xform sar_sdf_place(Sdf* s, int frame);
// The link that a frame moves with, SDF_WORLD, or SDF_NONE (reported).
int sar_sdf_link_of(Sdf* s, int frame);
// Where something with a <pose> is, which counts from `otherwise` unless it says relative_to.
Xform sar_sdf_posed(Sdf* s, const XmlTag* tag, int otherwise, const char* owner);

// ---- parts -----------------------------------------------------------------------------------
void sar_sdf_links(Sdf* s);
void sar_sdf_joints(Sdf* s);
// What of the file plays a part in the motion and is not taken: once each, with its line.
void sar_sdf_check(Sdf* s, const XmlTag* root);
SpecName sar_sdf_body_name(Sdf* s, int link);  // ground for SDF_WORLD
