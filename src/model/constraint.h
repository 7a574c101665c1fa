// Constraints: what the tree does not hold. Every constraint is a few scalar rows, and every row is one of few primitives between a
// frame on body a and a frame on body b (the joint's frames, or a point), so that one evaluation serves all: closing joints, joints
// of a model in absolute coordinates, drives, rods, couplings.
//
//   Phi(q, t) = 0,   Phi' = Psi v + Phi_t,   Phi'' = Psi a - gamma
#pragma once
#include "math/spatial.h"

typedef enum SarRowKind {
  SAR_ROW_ALONG,          // e . (p_b - p_a) - f,  e fixed in a                (displacement along an axis of a)
  SAR_ROW_PERPENDICULAR,  // u . w,  u fixed in a, w fixed in b
  SAR_ROW_DISTANCE,       // |p_b - p_a| - f
  SAR_ROW_ANGLE,          // angle of b against a about the common z axis of the joint frames, unwrapped, - f
  SAR_ROW_COORDINATES,    // coefficient[0] c_0 + coefficient[1] c_1 - f: joint coordinates in the file's direction
  SAR_ROW_TURN_ADVANCE    // z displacement - pitch * angle (screw as a closing joint)
} SarRowKind;

// What a joint kind demands when it closes a loop: rows in its own frames (F in the parent, B in the child).
typedef struct SarRowPattern {
  SarRowKind kind;
  signed char axis_a, axis_b;  // 0 x, 1 y, 2 z; -1 unused
} SarRowPattern;

typedef struct SarRow {
  SarRowKind kind;
  int body[2];         // a, b; -1 ground
  V3 point[2];         // in B of each body
  V3 axis[2];          // ALONG: axis[0] in a; PERPENDICULAR: one in each
  V3 side[2];          // ANGLE, TURN_ADVANCE: x directions of the joint frames, in each body
  int coordinate[2];   // COORDINATES: index into the coordinates of all joints, tree and cut (joint_coordinate); -1 none
  double coefficient[2];
  double constant;     // f when it does not vary
  int slot;            // f, f', f'' in slots slot .. slot + 2; -1: constant
  int constraint;      // owner
} SarRow;

typedef enum SarConstraintSource {
  SAR_FROM_CUT,       // index: cut joint
  SAR_FROM_COUPLING,  // index: coupling (mimic, gear, rack)
  SAR_FROM_ELEMENT    // index: constraint element of the file
} SarConstraintSource;

typedef struct SarConstraint {
  int name;  // offset in text
  SarConstraintSource source;
  int index;
  int row, rows;  // first row, how many
  bool drive;     // prescribes a motion: does work, reports force and power
} SarConstraint;
