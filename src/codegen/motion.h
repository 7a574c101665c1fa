// What articulated bodies, inverse dynamics and constraints share over symbols: velocity products.
#pragma once
#include "codegen/symbols.h"

// w_i w_j of an angular velocity: all that velocities contribute is linear in these.
typedef struct SymProducts {
  SarNode xx, xy, xz, yy, yz, zz;
} SymProducts;

SymProducts sar_symbols_products(const SarSymbols* s, SymV3 w);
// w x (w x p)
SymV3 sar_symbols_centripetal(const SarSymbols* s, SymProducts P, SymV3 p);
// n = w x I w,  f = w x (w x h): the force of a body that turns and is not accelerated
SymForce sar_symbols_gyroscopic(const SarSymbols* s, int b);
// Acceleration of body b for a parent that does not accelerate and zero joint accelerations, in B:
//   alpha = w x w_J + cJ.w,   a = R'(w_P x (w_P x p)) + (w + R'w_P) x v_J + cJ.v
SymBias sar_symbols_joint_bias(const SarSymbols* s, int b);
// The parent's acceleration at the origin of b, in B: R' alpha_P, R'(a_P + alpha_P x p)
SymBias sar_symbols_carried(const SarSymbols* s, int b, SymBias A_P);
SymBias sar_symbols_ground(const SarSymbols* s);  // alpha = 0, a = -g
SymMotion sar_symbols_motion(SymBias A);
// The same force and inertia seen from the parent.
SymForce sar_symbols_force_to_parent(const SarSymbols* s, int b, SymForce F);
SymArticulated sar_symbols_articulated_to_parent(const SarSymbols* s, int b, SymArticulated I);
SymInertia sar_symbols_inertia_to_parent(const SarSymbols* s, int b, SymInertia I);
// Inertia of body b.
SymInertia sar_symbols_inertia(const SarSymbols* s, int b);
bool sar_symbols_is_free(const SarSymbols* s, int b);  // a free joint: six coordinates

// Psi v by rows, in a short form where pairs meet in points; after the constraints.
void sar_symbols_row_speeds(const SarSymbols* s, const SarNode* v, SarNode* y);
