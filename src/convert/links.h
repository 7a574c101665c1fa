// The tree of a model as other formats have it: links that hang in each other by hinges, slides,
// balls and free joints.
//
// A joint with several coordinates is so many joints in a row (a product of exponentials): with S_i
// the axes where the coordinates are r,  X(q) = X(r) J1(q1 - r1) J2(q2 - r2) ...,  all of them in
// the link's own frame at r.
#pragma once
#include "convert/convert.h"

typedef enum DofKind { DOF_HINGE, DOF_SLIDE, DOF_BALL, DOF_FREE } DofKind;

enum { MOST_DOFS = 12 };

typedef struct LinkDof {
  DofKind kind;
  const char* name;
  V3 axis, anchor;  // in the link's frame
  double ref;       // its coordinate where the links are, r
  int joint;        // of the model
  int dof;          // its first velocity coordinate; -1: it only follows another
  int q;            // its first position coordinate
  int follows;      // dof of this link that it follows; -1: none,
  double ratio;     // so many times
} LinkDof;

typedef struct Link {
  const char* name;
  int body;    // of the tree
  int parent;  // link; -1: ground
  Xform X_PL;  // where it is in its parent
  Xform X_BL;  // its frame in that of the body
  LinkDof dof[MOST_DOFS];
  int ndof;
  double mass;
  V3 com;      // in the link's frame
  S3 inertia;  // about it
} Link;

typedef struct Links {
  Link* items;
  int count;
  int* of_body;  // link of each body of the tree
} Links;

// How links are wanted.
typedef struct LinkStyle {
  bool at_joint;    // the frame of a link has its origin on its joint
  bool join;        // a body without mass and its only child are one link
  const double* q;  // where the links are; NULL: where all coordinates are 0
} LinkStyle;

// False: memory ran out. What cannot be told in this way (modal bodies, knots) is lost, and told.
bool sar_links_make(Convert* c, LinkStyle style, Links* out);

// The coordinate that a dof follows: q = ratio other + offset, within its joint or by a coupling of
// the model. NULL: it is free.
typedef struct LinkMimic {
  const char* other;
  double ratio, offset;
} LinkMimic;

LinkMimic sar_link_mimic(const Convert* c, const Link* l, const LinkDof* d);

// Where something of the file stands.
SarLoc sar_joint_place(const Convert* c, const char* name);
SarLoc sar_body_place(const Convert* c, const char* name);

// ---- XML -------------------------------------------------------------------------------------
void sar_xml_put(Convert* c, const char* key,
                 const char* value);  // key="value", with what XML wants escaped
void sar_xml_put_list(Convert* c, const double* x, int count);  // numbers with spaces between
void sar_xml_put_numbers(Convert* c, const char* key, const double* x, int count);
void sar_xml_put_vec(Convert* c, const char* key, V3 v);
void sar_xml_put_number(Convert* c, const char* key, double x);

void sar_xml_put_text(Convert* c, const char* value);  // between tags

// The start, where the format has none but the coordinates q (NULL: all at 0).
void sar_lose_start(Convert* c, const double* q);
// What of the file no such format holds, in the order of its sections; `format` is its name.
void sar_lose_rest(Convert* c, const char* format);

// Axes R of a symmetric matrix with I = R diag(moment) R'; moments are not below 0.
bool sar_is_diagonal(S3 I);
M3 sar_principal_axes(S3 I, double moment[3]);
