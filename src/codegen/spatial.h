// Vectors, rotations, spatial vectors and inertias over symbols: what math/vec.h and math/spatial.h
// have for doubles, by value, with nodes of a graph for numbers.
//
// The builders fold constants, so a product with a frame that is parallel to another costs nothing,
// and one with a zero offset adds nothing. All letters and orders are those of math/.
#pragma once
#include "math/spatial.h"
#include "symbolic/symbolic.h"

typedef struct SymV3 {
  SarNode x, y, z;
} SymV3;

typedef struct SymM3 {  // row by row
  SarNode xx, xy, xz, yx, yy, yz, zx, zy, zz;
} SymM3;

typedef struct SymS3 {  // symmetric
  SarNode xx, xy, xz, yy, yz, zz;
} SymS3;

typedef struct SymMotion {
  SymV3 w, v;
} SymMotion;

typedef struct SymForce {
  SymV3 n, f;
} SymForce;

typedef struct SymXform {  // X_AB: x_A = R x_B + p
  SymM3 R;
  SymV3 p;
} SymXform;

typedef struct SymInertia {  // rigid body about the frame's origin: mass m, h = m c, I
  SarNode m;
  SymV3 h;
  SymS3 I;
} SymInertia;

typedef struct SymArticulated {  // [n; f] = [A H; H' M] [w; v],  A and M symmetric
  SymS3 A;
  SymM3 H;
  SymS3 M;
} SymArticulated;

// ---- scalars ------------------------------------------------------------------------------------
static inline SarNode s_num(SarGraph* g, double x) { return sar_sym_number(g, x); }
static inline SarNode s_add(SarGraph* g, SarNode a, SarNode b) { return sar_sym_add(g, a, b); }
static inline SarNode s_sub(SarGraph* g, SarNode a, SarNode b) { return sar_sym_sub(g, a, b); }
static inline SarNode s_mul(SarGraph* g, SarNode a, SarNode b) { return sar_sym_mul(g, a, b); }
static inline SarNode s_div(SarGraph* g, SarNode a, SarNode b) { return sar_sym_div(g, a, b); }
static inline SarNode s_neg(SarGraph* g, SarNode a) { return sar_sym_neg(g, a); }
static inline SarNode s_mac(SarGraph* g, SarNode c, SarNode a, SarNode b) {  // c + a b
  return s_add(g, c, s_mul(g, a, b));
}
static inline SarNode s_msc(SarGraph* g, SarNode c, SarNode a, SarNode b) {  // c - a b
  return s_sub(g, c, s_mul(g, a, b));
}
static inline bool s_is_zero(const SarGraph* g, SarNode a) { return sar_node_is(g, a, 0); }

// ---- vectors ------------------------------------------------------------------------------------
SymV3 sv3_zero(SarGraph* g);
SymV3 sv3_of(SarGraph* g, V3 a);
SymV3 sv3_add(SarGraph* g, SymV3 a, SymV3 b);
SymV3 sv3_sub(SarGraph* g, SymV3 a, SymV3 b);
SymV3 sv3_neg(SarGraph* g, SymV3 a);
SymV3 sv3_scale(SarGraph* g, SarNode s, SymV3 a);
SymV3 sv3_axpy(SarGraph* g, SarNode s, SymV3 a, SymV3 b);  // s a + b
// p - o, without o where p is a sum that has it as a term: the way from the one point to the other
SymV3 sv3_from(SarGraph* g, SymV3 o, SymV3 p);
SarNode sv3_dot(SarGraph* g, SymV3 a, SymV3 b);
SymV3 sv3_cross(SarGraph* g, SymV3 a, SymV3 b);
SarNode sv3_norm(SarGraph* g, SymV3 a);
bool sv3_is_zero(const SarGraph* g, SymV3 a);

// ---- matrices -----------------------------------------------------------------------------------
SymM3 sm3_of(SarGraph* g, M3 R);
SymV3 sm3_mul_v(SarGraph* g, SymM3 A, SymV3 b);
SymV3 sm3_tmul_v(SarGraph* g, SymM3 A, SymV3 b);  // A' b
SymM3 sm3_mul(SarGraph* g, SymM3 A, SymM3 B);
SymM3 sm3_transpose(SymM3 A);
SymV3 sm3_col_x(SymM3 A);
SymV3 sm3_col_y(SymM3 A);
SymV3 sm3_col_z(SymM3 A);
SymM3 sm3_from_cols(SymV3 x, SymV3 y, SymV3 z);
SymM3 sm3_rot_z(SarGraph* g, SarNode c, SarNode s);
// Rotation matrix of a quaternion w x y z of any nonzero length.
SymM3 sm3_of_quaternion(SarGraph* g, const SarNode* q);
SymS3 ss3_of(SarGraph* g, S3 A);
SymS3 ss3_add(SarGraph* g, SymS3 a, SymS3 b);
SymV3 ss3_mul_v(SarGraph* g, SymS3 A, SymV3 b);
SymS3 ss3_rotate(SarGraph* g, SymM3 R, SymS3 A);  // R A R'
SymM3 sm3_rotate(SarGraph* g, SymM3 R, SymM3 A);  // R A R'

// ---- spatial ------------------------------------------------------------------------------------
SymXform sx_of(SarGraph* g, Xform X);
SymXform sx_mul(SarGraph* g, SymXform X_AB, SymXform X_BC);
SymV3 sx_point(SarGraph* g, SymXform X_AB, SymV3 p_B);
SymMotion smotion_zero(SarGraph* g);
SymMotion smotion_of(SarGraph* g, Motion m);
SymMotion smotion_add(SarGraph* g, SymMotion a, SymMotion b);
SymMotion smotion_axpy(SarGraph* g, SarNode s, SymMotion a, SymMotion b);
SymForce sforce_zero(SarGraph* g);
SymForce sforce_add(SarGraph* g, SymForce a, SymForce b);
SymForce sforce_sub(SarGraph* g, SymForce a, SymForce b);
SymForce sforce_axpy(SarGraph* g, SarNode s, SymForce a, SymForce b);
SarNode spower(SarGraph* g, SymMotion m, SymForce F);
SymInertia sinertia_of(SarGraph* g, Inertia I);
SymInertia sinertia_add(SarGraph* g, SymInertia a, SymInertia b);
SymForce sinertia_mul(SarGraph* g, SymInertia I, SymMotion a);
SymArticulated sarticulated_zero(SarGraph* g);
SymArticulated sarticulated_add(SarGraph* g, SymArticulated a, SymArticulated b);
SymArticulated sarticulated_add_inertia(SarGraph* g, SymArticulated a, SymInertia I);
SymForce sarticulated_mul(SarGraph* g, SymArticulated a, SymMotion m);
// a - F G' for parallel F and G
SymArticulated sarticulated_sub_outer(SarGraph* g, SymArticulated a, SymForce F, SymForce G);
// Axes kept, the origin moved by -p: what is at p in the new frame.
SymArticulated sarticulated_shift(SarGraph* g, SymV3 p, SymArticulated a);
SymInertia sinertia_shift(SarGraph* g, SymV3 p, SymInertia I);
