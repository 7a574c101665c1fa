// Stiffness and damping of the applied forces over symbols, for implicit steps
// (dynamics/tangents.h): the same symmetric, positive semidefinite parts, or a refusal.
//
// An element notes the directions in which it resists, as wrenches B_k on its second body at a
// point p, ground axes, and the matrices K_kl, C_kl between them when it is put into symbols. With
// J_i the motion of its second body against the first at p for a unit speed of coordinate i,
//
//   T_ij += sum_kl (gain_K K_kl + gain_C C_kl) (B_k . J_i) (B_l . J_j)
//
// An element of a joint notes the coordinates and their shares in place of wrenches.
#pragma once
#include "codegen/symbols.h"

enum { SYM_DIRECTIONS = 6 };

typedef struct SymTangent {
  int force;
  int num;  // directions
  SymV3 p;
  SymMotion B[SYM_DIRECTIONS];  // (n; f)
  SarNode K[SYM_DIRECTIONS][SYM_DIRECTIONS], C[SYM_DIRECTIONS][SYM_DIRECTIONS];
} SymTangent;

// (gain_K k + gain_C c) g g' over coordinates of the file, one each of two joints (second -1: of
// one).
typedef struct SymCoordinateTangent {
  int joint[2], component[2];
  SarNode g[2];
  SarNode k, c;
} SymCoordinateTangent;

typedef struct SymTangents {
  SAR_LIST(SymTangent) bodies;
  SAR_LIST(SymCoordinateTangent) joints;
} SymTangents;

// A new one of force element `force` at p; NULL: nobody asks for it, or no memory.
SymTangent* sar_symbols_tangent(SarSymbols* s, int force, SymV3 p);
// One more direction with k and c of its own, what is negative taken for 0. t Nullable.
void sar_symbols_resist(SarSymbols* s, SymTangent* t, SymV3 n, SymV3 f, SarNode k, SarNode c);
// Coordinate i of a joint of the tree.
void sar_symbols_resist_joint(SarSymbols* s, SymCoordinateTangent t);
// -d value/d measured of a value that follows the motion of its own body at the point p_B (frame:
// ground). Refused where it follows anything else.
void sar_symbols_follow(SarSymbols* s, int force, const SarAttrValue* value, SymTangent* t, V3 p_B,
                        bool turns, bool body_axes);
// -d value/dq and -d value/dv of a value in `slot`, for its own joint's coordinate i.
void sar_symbols_follow_joint(SarSymbols* s, int slot, int joint, int i, SarNode* k, SarNode* c);
// A with dx/dt = A v of a spring that resists rotations in space, as columns (forces.c); false: A
// is 1, or there is no spring.
bool sar_symbols_spring_rates(SarSymbols* s, int joint, SarNode A[][SAR_JOINT_MAX_NV]);

// T (nv nv) += gain_K K + gain_C C of everything noted, and of springs, dampers and actuators of
// joints.
void sar_symbols_add_tangents(SarSymbols* s, SarNode gain_K, SarNode gain_C, SarNode* T);
