// The parts of the URDF reader: values (urdf_values.c), connections (urdf_tree.c), what touches
// (urdf_touch.c), and what is only checked (urdf_check.c).
#pragma once
#include "io/xml.h"
#include "model/spec.h"

typedef struct Urdf {
  SarSpec* spec;  // bodies are the links, joints the joints, in the order of the file
  SarError* err;
  SarArena arena;  // the XML tree and other things that die with the reading
  const XmlTag* robot;
  const char* file;
  const SarLoadOptions* options;  // Nullable
  // numbers met last, by their bits: large files repeat few of them
  struct {
    double value;
    const SarExpr* expr;
  } number[64];
} Urdf;

// The n numbers of a text, separated by white space; infinite: whether inf is a number here. False
// after a report, which begins with `what`.
bool sar_urdf_parse_numbers(Urdf* u, const char* text, SarLoc loc, const char* what, int n,
                            bool infinite, SpecNum* out);
// The n numbers of an attribute, separated by white space. False if there is no such attribute, or
// (reported) if it is not that.
bool sar_urdf_numbers(Urdf* u, const XmlTag* tag, const char* name, const char* owner, int n,
                      SpecNum* out);
const SarExpr* sar_urdf_expr(Urdf* u, double x);
double sar_urdf_value(SpecNum n);  // 0: not given
SpecDofs sar_urdf_one(Urdf* u, SpecNum x);
// An attribute with one number. NULL tag, no such attribute or not a number: left not given.
void sar_urdf_number(Urdf* u, const XmlTag* tag, const char* name, const char* owner, SpecNum* out);
// One number for all coordinates of a joint, which must not be negative where `positive`.
void sar_urdf_dofs(Urdf* u, const XmlTag* tag, const char* name, const char* owner, bool positive,
                   SpecDofs* out);
void sar_urdf_vector(Urdf* u, const XmlTag* tag, const char* name, const char* owner,
                     SpecVec3* out);
// "link 'arm'": for messages.
const char* sar_urdf_owner(Urdf* u, const char* what, SpecName name);
// A name in an attribute: not given (and reported) if it is missing or empty.
SpecName sar_urdf_name(Urdf* u, const XmlTag* tag, const char* name, const char* owner);
// <origin xyz rpy>, either may be absent. NULL tag: left as it is.
void sar_urdf_origin(Urdf* u, const XmlTag* tag, const char* owner, SpecPose* out);
// The <collision> tags of a link.
void sar_urdf_touch(Urdf* u, const XmlTag* link, const char* owner, SpecTouch* touch);

// A mesh file as the hull of a solid; what is wrong is reported.
void sar_urdf_mesh(Urdf* u, SpecName name, SarLoc loc, SpecSolid* solid);

// Names unique, every joint between known links, one root, no loops; then the root becomes the
// ground (a massless link "world", unless it is to be kept) or is welded to it.
void sar_urdf_connect(Urdf* u);
// Tags given twice are errors where it matters; unknown tags and attributes and missing mesh files
// are warnings.
void sar_urdf_check(Urdf* u);
