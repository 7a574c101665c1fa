// Making natural coordinates: what the steps of the set-up share. Order: parts, sharing, basis,
// rows, inertia (natural.c).
#pragma once
#include "formulations/natural/natural.h"

#include "base/error.h"

// A joint between two bodies, of the tree or a cut; frames as its kind counts them.
typedef struct Link {
  const SarJointKind* kind;
  const double* param;
  int joint;
  int body[2];  // parent side, child side; -1 ground
  int part[2];
  Xform X_CF[2];  // joint frame in the frame C of each part
  bool point;     // both use the same point,
  bool axis[3];   // and the same direction x, y, z
} Link;

// A point or direction of a part that is a coordinate: `sign` times its class.
typedef struct Claim {
  int part;
  bool vector;
  V3 local;
  int shared;  // class: all claims of the same point or direction
  double sign;
} Claim;

typedef struct Class {
  int item;  // -1: constant
  V3 value;  // when constant
} Class;

// A scalar product that keeps a part rigid, by the classes that it measures: found once.
typedef struct RigidKey {
  int of[4];
} RigidKey;

typedef struct Build {
  SarNatural* p;
  const SarModel* m;
  SarArena* arena;  // dies after the set-up
  SarError* err;
  Link* link;
  int nlink;
  Xform* part_X;  // frame C in N at the design position
  double size;    // of the mechanism
  SAR_LIST(Claim) claims;
  Class* class;
  int nclass;
  SAR_LIST(RigidKey) keys;
  SAR_LIST(SarNatRow) rows;
  SAR_LIST(SarNatTerm) terms;
  SAR_LIST(SarNatForm) forms;
  SAR_LIST(int) entries;
} Build;

// Bodies into parts, joints into links.
void sar_natural_parts(Build* b);
// Claims of all links; neighbours share classes. Adds claims that a part needs of its own.
void sar_natural_share(Build* b);
int sar_natural_claim(Build* b, int part, bool vector, V3 local);  // its number, -1: no memory
// Items, the forms of all parts, and the equations that keep parts rigid.
void sar_natural_bases(Build* b);
// Rows of joints that sharing does not fulfil, and of the file's constraints.
void sar_natural_joint_rows(Build* b);
void sar_natural_file_rows(Build* b);
// Mass matrix and weights.
void sar_natural_inertia(Build* b);
// Modal bodies: items of modes, behind all others; rows of nodes; what stands for the inertia of
// frames and modes where rows are weighed.
void sar_natural_mode_items(Build* b);
void sar_natural_node_rows(Build* b);
Inertia sar_natural_nodes_inertia(const Build* b, int part);
void sar_natural_mode_scales(Build* b);

// ---- forms and rows ---------------------------------------------------------------------------
// f += (re + im n x) g
void sar_form_add(SarNatForm* f, double re, double im, const SarNatForm* g);
SarNatForm sar_form_class(const Build* b, int class, double sign);
SarNatForm sar_form_constant(V3 value);
SarNatForm sar_form_direction(const SarNatural* p, int part, V3 local);
SarNatForm sar_form_point(const SarNatural* p, int part, V3 local);
SarNatForm sar_form_difference(const SarNatForm* a, const SarNatForm* b);
static inline bool form_is_constant(const SarNatForm* f) { return f->num == 0; }

// Begins a row; terms follow, then sar_row_end, which drops it when nothing moves it.
SarNatRow* sar_row_begin(Build* b, double constant, int body);
SarNatTerm* sar_row_term(Build* b, SarNatTermKind kind, double coefficient);
void sar_term_product(Build* b, int which, const SarNatForm* f, const SarNatForm* g);
// Where an item is among the entries of the row.
int sar_row_place(Build* b, int item);
// The row has room for all items of a part, whichever its forms use now.
void sar_row_reserve(Build* b, int part);
void sar_row_end(Build* b);
// The common case: f . g - constant.
void sar_row_product(Build* b, const SarNatForm* f, const SarNatForm* g, double constant, int body);

// Is the joint of a cut switched on and off during the run? Then its bodies share nothing, and it
// acts by the model's own rows.
bool sar_natural_is_gated(const SarModel* m, int cut);

static inline int part_of(const SarNatural* p, int body) {
  return body < 0 ? 0 : p->body_part[body];
}
static inline Xform frame_of(const SarNatural* p, int body) {  // X_CB
  return body < 0 ? (Xform){p->R_NG, v3_zero()} : p->body_X_CB[body];
}
static inline V3 axis_of(M3 R, char axis) {
  return axis == 'x' ? m3_col_x(R) : axis == 'y' ? m3_col_y(R) : m3_col_z(R);
}
