// A kind of joint: everything the engine knows about it.
// One const SarJointKind per file in elements/joints, one line in joints.def.
//
// Frames: F sits in the parent body, B in the child body; at zero position they coincide. The tree
// algorithms use B as the child's own frame, and each kind puts its axis where they are fastest: z.
#pragma once
#include "math/spatial.h"
#include "model/constraint.h"

enum { SAR_JOINT_MAX_PARAM = 2, SAR_JOINT_MAX_NV = 6, SAR_JOINT_MAX_NQ = 7 };

// What the tree algorithms specialise on.
typedef enum SarJointClass {
  SAR_CLASS_FIXED,      // nv = 0
  SAR_CLASS_REVOLUTE,   // rotation about z of F and B
  SAR_CLASS_PRISMATIC,  // translation along z
  SAR_CLASS_GENERAL,    // anything with S (6 x nv) from calc
  SAR_CLASS_MODE,  // coordinate of a mode of a modal body: moves nodes, not its own body; S = 0
  SAR_CLASS_NODE   // nv = 0: carried by the modes of its modal body (model/modal.h)
} SarJointClass;

// Directions the file must give: none, one axis, two perpendicular axes.
typedef enum SarJointAxes { SAR_AXES_NONE, SAR_AXES_ONE, SAR_AXES_TWO } SarJointAxes;

// What a coordinate measures: for units in lists, columns and checks.
typedef enum SarCoordinate { SAR_ANGLE, SAR_LENGTH } SarCoordinate;

typedef struct SarJointCalc {
  Xform X_FB;   // pose of B in F
  Motion S[6];  // columns: V_FB = sum S[i] v[i], in B
  Motion cJ;    // (dS/dt) v, apparent derivative in B
} SarJointCalc;

typedef struct SarJointParam {
  const char* name;
  const char* def;  // default as written in a file; NULL: must be given
  const char* doc;
} SarJointParam;

typedef struct SarJointKind {
  const char* name;
  const char* doc;  // one line
  int nq, nv;
  SarJointClass cls;
  SarJointAxes axes;
  SarCoordinate coordinate[SAR_JOINT_MAX_NV];  // of each velocity coordinate
  // The axes of the angles (S[i].w) are orthogonal to each other, those of the lengths (S[i].v)
  // too. They are unit vectors, unless they are stretched: then sar_dual_axis makes up for it.
  bool stretched;
  const char* q_suffix[SAR_JOINT_MAX_NQ];  // column names: "q"; "q1", "q2"; "px" ... "qw" ...
  const char* v_suffix[SAR_JOINT_MAX_NV];  // "v"; "v1", "v2"; "vx" ... "wx" ...
  SarJointParam param[SAR_JOINT_MAX_PARAM];
  int nparam;
  // When the joint closes a loop: what it demands, and how each velocity coordinate is measured
  // (those with no plain measure, such as rotations in space: kind COORDINATE, 0).
  SarRowPattern row[6];
  int nrow;
  SarCoordinatePattern measure[SAR_JOINT_MAX_NV];

  // The joint frame (F = B at zero position) from unit directions in a common frame, as a rotation
  // in that frame. NULL: the common frame's own axes (NONE) or z along the axis (ONE).
  M3 (*frame)(V3 axis, V3 axis2);
  void (*zero)(double* q);  // zero position; NULL: all zeros
  // X_FB, S and cJ. v Nullable: then cJ is left alone.
  void (*calc)(const double* param, const double* q, const double* v, SarJointCalc* out);
  // How S and cJ change when the joint moves by xi (nv, local coordinates). v Nullable: then dcJ is
  // left alone. NULL: S is constant in B, cJ = 0.
  void (*slope)(const double* param, const double* q, const double* v, const double* xi,
                Motion dS[6], Motion* dcJ);
  // Local coordinates xi (nv) about q0: q = retract(q0, xi), xi = 0 gives q0, always on the
  // manifold. NULL: q = q0 + xi.
  void (*retract)(const double* param, const double* q0, const double* xi, double* q);
  // d xi / dt at q = retract(q0, xi) for velocity v. NULL: v itself.
  void (*rate)(const double* param, const double* q0, const double* xi, const double* v,
               double* xi_rate);
  // xi with retract(q0, xi) = q: the displacement from q0 to q. NULL: q - q0.
  void (*displacement)(const double* param, const double* q0, const double* q, double* xi);
  // q of the pose X_FB: angles in the turn nearest to q_near, quaternions of the nearer sign. What
  // of the pose the joint does not allow is left aside. NULL: no coordinates.
  void (*coordinates)(const double* param, Xform X_FB, const double* q_near, double* q);
  // Turned round (the tree runs child -> parent): both joint frames are rotated by `turn` (columns:
  // new axes in the old frame; all zeros: identity), and `flip` (an involution; NULL: nothing to
  // do) gives the file's coordinates from the tree's.
  M3 turn;
  void (*flip)(const double* param, const double* q, const double* v, double* q_other,
               double* v_other);
  // How v_other changes when the joint moves by xi (nv, local coordinates). NULL: not at all.
  void (*flip_slope)(const double* param, const double* q, const double* v, const double* xi,
                     double* v_change);
} SarJointKind;

// ---- operations with their defaults -------------------------------------------------------------
// What is NULL in the table is filled in here, so that callers ask for it once; loops over many
// plain coordinates go by spans instead (SarSim.span).

static inline void sar_joint_zero(const SarJointKind* kind, double* q) {
  for (int i = 0; i < kind->nq; i++) q[i] = 0;
  if (kind->zero) kind->zero(q);
}

// q is another place than q0.
static inline void sar_joint_retract(const SarJointKind* kind, const double* param,
                                     const double* q0, const double* xi, double* q) {
  if (kind->retract)
    kind->retract(param, q0, xi, q);
  else
    for (int i = 0; i < kind->nq; i++) q[i] = q0[i] + xi[i];
}

static inline void sar_joint_displacement(const SarJointKind* kind, const double* param,
                                          const double* q0, const double* q, double* xi) {
  if (kind->displacement)
    kind->displacement(param, q0, q, xi);
  else
    for (int i = 0; i < kind->nv; i++) xi[i] = q[i] - q0[i];
}

// The vector d_i with v_i = d_i . V.w (an angle) or d_i . V.v (a length) for V = sum S_i v_i. A
// force tau_i on the coordinate is the moment or the force tau_i d_i between the bodies.
static inline V3 sar_dual_axis(const SarJointKind* kind, int i, const Motion* S) {
  const V3 axis = kind->coordinate[i] == SAR_ANGLE ? S->w : S->v;
  return kind->stretched ? v3_scale(1 / v3_dot(axis, axis), axis) : axis;
}

// Every kind there is, in the order of joints.def; NULL past the end. Defined in elements/joints.
const SarJointKind* sar_joint_kind(int index);
const SarJointKind* sar_joint_kind_find(const char* name);  // NULL if there is none
// Joints that modal bodies are made of, which files do not name: a mode, a node.
extern const SarJointKind sar_joint_mode, sar_joint_node;
