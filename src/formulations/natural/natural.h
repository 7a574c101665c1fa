// Natural coordinates: Cartesian points and unit vectors of the bodies, shared by neighbours.
//
// A joint that keeps a point of one body on a point of the other needs no equation when both bodies
// use the same three numbers for it; the same holds for directions. What is left are quadratic
// equations (a body stays rigid, a point stays on a line) and a constant mass matrix. Everything in
// a body is linear in its coordinates, so every equation is a function of one or two scalar
// products of vectors that are linear in z (SarNatForm).
//
// Frames: N is ground, for planar models turned so that the motion is in its xy plane (n = z). A
// part is a set of bodies that fixed joints weld together; its frame C lies like N at the design
// position. Ground is part 0, C = N there. Items are the points and vectors that move; those that
// ground shares are constants.
//
// Source: Garcia de Jalon and Bayo, Kinematic and Dynamic Simulation of Multibody Systems (1994),
// ch. 2 (coordinates), ch. 4 (mass matrices).
#pragma once
#include "base/arena.h"
#include "linalg/envelope.h"
#include "model/data.h"

enum { SAR_NAT_ITEMS = 8 };  // of a form: the basis items of two parts

// L = constant + sum over its items of re x + im (n x x); im is for planar models, where a body is
// known by two points and a turn by a right angle is linear.
typedef struct SarNatForm {
  V3 constant;
  int num;
  int item[SAR_NAT_ITEMS];
  int place[SAR_NAT_ITEMS];  // in the row that uses the form
  double re[SAR_NAT_ITEMS], im[SAR_NAT_ITEMS];
} SarNatForm;

typedef enum SarNatTermKind {
  SAR_NAT_PRODUCT,     // s0
  SAR_NAT_ROOT,        // sqrt(s0)
  SAR_NAT_ANGLE,       // atan2(s1, s0)
  SAR_NAT_CURVE,       // s1 - g(s0)
  SAR_NAT_DEFORMATION  // of modes, no products (modal.c)
} SarNatTermKind;

// A function of s0 = form0 . form1 and s1 = form2 . form3.
typedef struct SarNatTerm {
  SarNatTermKind kind;
  double coefficient;
  int form[4];  // -1: none
  int q;        // ANGLE: in d->q, the turn it is in; -1: not counted
  int track;
  int source;  // term of the model whose place on b may change; -1: fixed
  // DEFORMATION: which node, which component of its place and turn, where the modes are in the row
  int node, component, place;
} SarNatTerm;

typedef struct SarNatRow {  // Phi = sum of coefficient * term - f(t)
  int term, terms;
  int entry, entries;  // items that move it
  double constant;
  int slot;  // of f, f', f''; -1: constant
  double turn;
  int row;   // of the model, which may be switched off (gate.h); -1: none
  int body;  // some body it acts on, for messages
} SarNatRow;

typedef struct SarNatPart {
  int body;         // one of its bodies
  SarNatForm y[4];  // origin and axes of C
  // where it is and how it moves, in N: sar_natural_write
  V3 p, e[3];  // axes made orthonormal
  V3 w, v;     // angular velocity, velocity of the origin
  V3 alpha, a;
} SarNatPart;

typedef struct SarNatItem {
  int part;   // that tells its value
  double w;   // 1: point, 0: vector
  V3 local;   // in C of the part
  int body;   // of the part, for messages; or of the mode
  bool mode;  // the first component is the coordinate of a mode, the others are zero
} SarNatItem;

// A node of a modal body (modal.c).
typedef struct SarNatNode {
  M3 G, H;
  M3 E;         // G exp(theta~)
  V3 r, theta;  // place in C of the frame; turn in E
} SarNatNode;

// Block (i, j) of the mass matrix, i >= j: re 1 + im n~.
typedef struct SarNatMass {
  int i, j;
  double re, im;
} SarNatMass;

typedef struct SarNatural {
  SarArena arena;    // owns all
  SarBudget budget;  // of the arena
  const SarModel* m;
  int dim;  // components that move: 3, planar 2
  M3 R_NG;
  int npart, nitem, nrow, nterm, nform, nentry, nmass;
  int* body_part;  // nbody
  Xform* body_X_CB;
  SarNatPart* part;
  SarNatItem* item;
  SarNatRow* row;
  SarNatTerm* term;
  SarNatForm* form;
  SarNatMass* mass;
  double* inertia;  // nitem: diagonal of the mass matrix, never zero
  V3* weight;       // nitem: gravity
  // modal bodies: items of the modes by coordinates, nodes, motion of node k by mode i
  int* mode_item;
  double *mode_q, *mode_v;
  SarNatNode* node;
  Motion* node_motion;
  // entries of the Jacobian: row k holds entry .. entry + entries
  int* entry_item;
  V3* entry;
  double *Phi, *Phi_t, *Phi_dot, *bias;  // nrow; Phi'' = Phi_z a + bias
} SarNatural;

// ---- set-up -------------------------------------------------------------------------------------
// Makes the coordinates of a model. SAR_NO_MEMORY, or SAR_BAD_MODEL with a message for what has no
// natural measure. sar_natural_free gives everything back (NULL is fine).
SarStatus sar_natural_new(const SarModel* m, SarNatural** out, SarError* err);
void sar_natural_free(SarNatural* p);

// Something was switched on or off: joints may have gripped at other places. Also before the first
// use.
void sar_natural_regroup(SarNatural* p, const SarData* d);

// ---- values: x, v, a hold one V3 an item --------------------------------------------------------
// d at its q and v (kinematics and world poses are updated), accelerations acc (nv) -> items.
void sar_natural_read(SarNatural* p, SarData* d, const double* acc, double* scratch, V3* x, V3* v,
                      V3* a);
// Items -> d->q and d->v of the tree, angles in the turn nearest to `near` (nq).
void sar_natural_write(SarNatural* p, SarData* d, const double* near, const V3* x, const V3* v);
// Items -> accelerations of the tree joints; after sar_natural_write and kinematics.
void sar_natural_write_accelerations(SarNatural* p, SarData* d, const V3* a, double* acc);

// Phi and its Jacobian at d->t; turns of angles are those nearest to d->q.
void sar_natural_constraints(SarNatural* p, SarData* d, const V3* x);
// Phi_t, Phi_dot and bias, after sar_natural_constraints at the same x.
void sar_natural_constraint_rates(SarNatural* p, SarData* d, const V3* x, const V3* v);
// f += Phi_z' y;  y = Phi_z v
void sar_natural_add_transposed(const SarNatural* p, const double* y, V3* f);
void sar_natural_multiply(const SarNatural* p, const V3* v, double* y);
// f += M a
void sar_natural_add_inertia(const SarNatural* p, const V3* a, V3* f);

// What a wrench on a body, at the origin of its frame B in axes of N, does to the items of its
// part, at most 4: returns how many. After sar_natural_write.
int sar_natural_wrench(const SarNatural* p, int body, Force F, int* item, V3* f);
// Pose of a body in N, after sar_natural_write.
Xform sar_natural_pose(const SarNatural* p, int body);
// What the force tau (nv of the joint) on the coordinates of a tree joint does to the items of both
// its parts, at most 8: returns how many. For tau_i = 1 it is the row of the Jacobian of v_i.
int sar_natural_joint_row(const SarNatural* p, const SarData* d, int joint, const double* tau,
                          int* item, V3* f);
// Q += body_F, tau of the tree joints and gravity; after sar_update_forces.
void sar_natural_add_forces(const SarNatural* p, const SarData* d, V3* Q);

// Modal bodies. Nodes at x, before terms of theirs; the value of a term, whose gradient is added to
// the entries of its row; its second rate for z'' = 0; the unit in which a mode is measured.
void sar_natural_deform(SarNatural* p, const V3* x);
double sar_natural_deformation(const SarNatural* p, const SarNatTerm* t, V3* entry);
double sar_natural_deformation_bias(SarNatural* p, const SarNatTerm* t, const V3* v);
double sar_natural_mode_unit(const SarNatural* p, int item);

// A form at x, and its rate.
static inline V3 sar_nat_turned(V3 x) { return v3(-x.y, x.x, 0); }  // n x x
static inline V3 sar_nat_rate(const SarNatForm* f, const V3* v) {
  V3 sum = v3_zero();
  for (int k = 0; k < f->num; k++) {
    sum = v3_axpy(f->re[k], v[f->item[k]], sum);
    if (f->im[k] != 0) sum = v3_axpy(f->im[k], sar_nat_turned(v[f->item[k]]), sum);
  }
  return sum;
}
static inline V3 sar_nat_value(const SarNatForm* f, const V3* x) {
  return v3_add(f->constant, sar_nat_rate(f, x));
}
