// Modal bodies: a floating frame of reference, and small deformations by modes (component mode
// synthesis).
//
// Sources: Shabana, Dynamics of Multibody Systems (2013), chapter 5; Wallrapp, Standardization of
// flexible body modeling in multibody system codes, Mech. Struct. & Mach. 22 (1994); Craig and
// Bampton, AIAA J. 6 (1968).
//
// E is the frame of the body. Mode i with coordinate eta_i turns node k by psi_ki and displaces it
// by phi_ki:
//
//   theta = sum psi_i eta_i,    R_EN = exp(theta~) R_EN0
//   p_EN  = p_EN0 + sum phi_i eta_i + sum b_ij eta_i eta_j / 2
//
// b is the second-order displacement of a bent member (foreshortening): by it inertia, weight and
// every other load stiffen or soften the body (geometric stiffening); it may be left out.
//
// In the tree a mode is a joint with one coordinate that moves nothing by itself; the modes of a
// body are a chain behind it, and behind the last of them hang the nodes, without coordinates of
// their own. A node is a body like any other: what has mass, bears a joint, a force or a contact is
// on it. All inertia of the body is on its nodes, so that the invariants of the floating frame
// (mass, first and second moments, momenta of the modes, and how they depend on eta) are sums over
// them, to all orders.
#pragma once
#include "math/spatial.h"
#include "math/rotvec.h"

#include <stdbool.h>

typedef struct SarModal {
  int body, last;  // of its first and last mode; those between follow in order
  int dof, q;      // first coordinate, velocity and position
  int num;         // modes
  int matrix;      // in modal_L
} SarModal;

typedef struct SarModalNode {
  int body, modal;
  int dof, q, num;  // of its modal body's modes
  int mode;         // first of node_mode and node_S
  int bend;         // first of node_bend; -1: none
  bool turns;       // some mode turns it
} SarModalNode;

// What a modal body is made of, as read: numbers by node and mode.
typedef struct SarModalShape {
  int nodes, modes;
  Xform* X;           // pose of each node at rest, in E
  Inertia* inertia;   // of each, in its own frame
  Motion* mode;       // node k, mode i: k modes + i; axes of E
  V3* bend;           // node k, pair i >= j: k modes (modes + 1)/2 + i (i + 1)/2 + j; NULL: none
  double* stiffness;  // modes x modes
  double* damping;    // ratios of each mode
} SarModalShape;

static inline int sar_pairs(int modes) { return modes * (modes + 1) / 2; }
static inline int sar_pair(int i, int j) {
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

// a = (1 - cos)/t and b = (theta - sin)/theta^3 of t = theta^2, with first and second derivatives:
// Jr = 1 - a theta~ + b theta~^2. Entire functions, by their series up to half a turn, where closed
// forms would cancel, and by these beyond.
typedef struct TurnCoefficients {
  double a, a1, a2, b, b1, b2;
} TurnCoefficients;

// u = sin/theta:   du/dt = (cos - u)/(2t),   dcos/dt = -u/2,   a = (1 - cos)/t,   b = (1 - u)/t
static inline TurnCoefficients turn_coefficients_far(double t) {
  const double theta = sqrt(t), over = 1 / t;
  double sine, cosine;
  sar_sincos(theta, &sine, &cosine);
  const double u = sine / theta, u1 = 0.5 * (cosine - u) * over;
  const double u2 = -(0.25 * u + 1.5 * u1) * over;
  TurnCoefficients c = {.a = (1 - cosine) * over, .b = (1 - u) * over};
  c.a1 = (0.5 * u - c.a) * over, c.a2 = (0.5 * u1 - 2 * c.a1) * over;
  c.b1 = (-u1 - c.b) * over, c.b2 = (-u2 - 2 * c.b1) * over;
  return c;
}

static inline TurnCoefficients turn_coefficients(double t) {
  static const double HALF_TURN = 10;
  if (t > HALF_TURN) return turn_coefficients_far(t);
  // (-1)^k / (2k + 2)! and (-1)^k / (2k + 3)!
  enum { TERMS = 14 };
  static const double A[TERMS] = {1.0 / 2.0,
                                  -1.0 / 24.0,
                                  1.0 / 720.0,
                                  -1.0 / 40320.0,
                                  1.0 / 3628800.0,
                                  -1.0 / 479001600.0,
                                  1.0 / 87178291200.0,
                                  -1.0 / 20922789888000.0,
                                  1.0 / 6402373705728000.0,
                                  -1.0 / 2432902008176640000.0,
                                  1.0 / 1124000727777607680000.0,
                                  -1.0 / 620448401733239439360000.0,
                                  1.0 / 403291461126605635584000000.0,
                                  -1.0 / 304888344611713860501504000000.0};
  static const double B[TERMS] = {1.0 / 6.0,
                                  -1.0 / 120.0,
                                  1.0 / 5040.0,
                                  -1.0 / 362880.0,
                                  1.0 / 39916800.0,
                                  -1.0 / 6227020800.0,
                                  1.0 / 1307674368000.0,
                                  -1.0 / 355687428096000.0,
                                  1.0 / 121645100408832000.0,
                                  -1.0 / 51090942171709440000.0,
                                  1.0 / 25852016738884976640000.0,
                                  -1.0 / 15511210043330985984000000.0,
                                  1.0 / 10888869450418352160768000000.0,
                                  -1.0 / 8841761993739701954543616000000.0};
  TurnCoefficients c = {0, 0, 0, 0, 0, 0};
  for (int k = TERMS - 1; k >= 0; k--) {
    c.a2 = c.a2 * t + 2 * c.a1, c.a1 = c.a1 * t + c.a, c.a = c.a * t + A[k];
    c.b2 = c.b2 * t + 2 * c.b1, c.b1 = c.b1 * t + c.b, c.b = c.b * t + B[k];
  }
  return c;
}

// Jr(theta) x
static inline V3 turn_rate(const TurnCoefficients* c, V3 theta, V3 x) {
  const V3 y = v3_cross(theta, x);
  return v3_add(x, v3_axpy(-c->a, y, v3_scale(c->b, v3_cross(theta, y))));
}

// Its change when theta changes by xi: (dJr/dtheta . xi) x
static inline V3 turn_slope(const TurnCoefficients* c, V3 theta, V3 xi, V3 x) {
  const V3 y = v3_cross(theta, x), z = v3_cross(xi, x);
  const double s = 2 * v3_dot(theta, xi);
  V3 sum = v3_axpy(-c->a, z, v3_scale(-c->a1 * s, y));
  sum = v3_axpy(c->b1 * s, v3_cross(theta, y), sum);
  return v3_axpy(c->b, v3_add(v3_cross(xi, y), v3_cross(theta, z)), sum);
}
