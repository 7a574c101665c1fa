// Constraints: what the tree does not hold by itself.
//
//   Phi(q, t) = 0,   Phi' = Psi v + Phi_t,   Phi'' = Psi a - gamma
//
// A constraint is a few scalar rows; a row is a weighted sum of terms less a value,
//
//   Phi_i = sum coefficient * term - f(t)
//
// and a term is one of few measures between a body a and a body b, so that one evaluation serves
// all: joints that close loops, joints of a model in absolute coordinates, drives, rods, couplings.
// Terms that measure the same pair of bodies at the same points share their kinematics.
#pragma once
#include "math/spatial.h"

typedef enum SarTermKind {
  SAR_TERM_COORDINATE,     // q[q] of a tree joint, moved by v[dof] alone
  SAR_TERM_ALONG,          // x . d,   d = p_b - p_a
  SAR_TERM_PERPENDICULAR,  // x . w
  SAR_TERM_DISTANCE,       // |d|
  SAR_TERM_ANGLE,          // atan2(y . w, x . w): from x towards y to the direction w of body b
  SAR_TERM_CURVE,          // y . d - g(x . d)
  SAR_TERM_ROLL            // a wheel or ball on a surface of a: its gap, or its slip (rolling.h)
} SarTermKind;

// What a kind of joint demands when it closes a loop, one row each. Axes 'x', 'y', 'z' are those of
// its frames F (in the parent, a) and B (in the child, b).
typedef struct SarRowPattern {
  SarTermKind kind;  // ALONG or PERPENDICULAR
  char axis_a, axis_b;
  bool less_turn;   // screw: less param[0] times the joint's angle
  bool less_other;  // gimbal: less the same with the axes exchanged, y . x' - x . y'
} SarRowPattern;

// How a coordinate of a joint is measured between its frames: ALONG axis x of F, or ANGLE from x
// towards y to w. swapped: x and y are axes of B, w of F.
typedef struct SarCoordinatePattern {
  SarTermKind kind;
  char x, y, w;
  bool swapped;
} SarCoordinatePattern;

// Two bodies, a point on each, and the coordinates that move one against the other: those between
// the bodies and their common ancestor.
typedef struct SarPair {
  int body[2];      // a, b; -1 ground
  V3 point[2];      // in B of each body
  int adr, num;     // coordinates in pair_dof, rising: first those of one body,
  int num_first;    // then those of the other (subtrees are contiguous)
  bool a_first;     // the first ones move a
  int term, terms;  // its terms
} SarPair;

typedef struct SarTerm {
  SarTermKind kind;
  int row;
  double coefficient;
  int pair;    // -1: COORDINATE
  V3 x, y;     // directions fixed in a, in its frame B
  V3 w;        // direction fixed in b, in its frame B
  int q, dof;  // COORDINATE: place in q and v. ANGLE: q of the cut joint, the memory of its turn;
               // -1: not remembered, the row counts modulo `turn`
  int joint;   // whose coordinate the pair measures, tree or cut: it carries the force; -1: none
  int track;   // CURVE: in model->track
  int roller;  // ROLL: in model->roller
  int way;     // ROLL: SarRollWay
  // Where its coordinates stand in the row. Of a pair: first in term_place, -1: in the same order,
  // the row has no other term. COORDINATE: the place itself.
  int place;
} SarTerm;

typedef struct SarRow {
  int constraint;   // owner
  double constant;  // f when it does not vary
  int slot;         // else f, f', f'' in slots slot .. slot + 2; -1: constant
  double turn;      // Phi is known up to multiples of this (an angle, up to full turns); 0: exactly
  // Nonholonomic: a condition on velocities that no condition on positions has as its rate. Phi is
  // zero at every position, Psi v = 0 and Psi a = gamma hold as for all rows.
  bool nonholonomic;
  int roller;  // whose gap it is; -1: none
} SarRow;

// A term of a row that holds at every position of the tree, and is therefore left out of the system
// (compile/identical.c): it moves nothing, but it bears its share of what redundant constraints
// carry (dynamics/sharing.h). ALONG, PERPENDICULAR or DISTANCE.
typedef struct SarIdleTerm {
  SarTermKind kind;
  int row;         // among those left out, by owners rising
  int constraint;  // owner of the row
  int joint;       // as SarTerm
  double coefficient;
  double constant;  // f of the row
  int body[2];      // a, b; -1 ground
  V3 point[2];      // in B of each body
  V3 x, w;          // as SarTerm
} SarIdleTerm;

typedef enum SarConstraintSource {
  SAR_FROM_CUT,       // index: cut
  SAR_FROM_COUPLING,  // index: coupling
  SAR_FROM_ELEMENT    // index: constraint of the file
} SarConstraintSource;

typedef struct SarConstraint {
  int name;  // offset in text
  SarConstraintSource source;
  int index;
  const struct SarConstraintKind* kind;  // of an element, else NULL
  int row, rows;                         // first row, how many
  int identical;  // rows left out because they hold at every position of the tree
  bool drive;     // prescribes a motion: does work, reports force and power
  bool held;      // switched on during the run, and then held as it is found (gate.h)
} SarConstraint;

// A wheel (disc with a sharp rim) or a ball that rolls without slip. The pair's point a lies on the
// surface, its point b is the centre.
typedef struct SarRoller {
  double radius;
  bool ball;  // else a disc about the direction w of its terms
  bool road;  // the surface is a road of the ground, else the plane through a with the normal x
  int index;  // of the road; -1: flat at z = 0
} SarRoller;

// Rows of a roller; the gap first.
typedef enum SarRollWay {
  SAR_ROLL_GAP,      // holonomic: the lowest point is on the surface
  SAR_ROLL_FORWARD,  // nonholonomic: no slip along axis x normal
  SAR_ROLL_SIDE      // nor across
} SarRollWay;

// A curve y = g(x): three laws (g, g', g'' of the local x) or a cubic spline.
typedef struct SarTrack {
  int law;       // first of three in model->expr; -1: spline
  int adr, num;  // knots in attr_data: x, y, y'' each
} SarTrack;
