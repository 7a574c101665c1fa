// Contact manifolds (faces) between free bodies: normal and two tangents of a point at a time, for
// a block Gauss-Seidel iteration.
//
// What rows.h does for any tree is done here for the most frequent case, two bodies that move
// freely about their mass centres, or one of them and the ground. Points of two bodies that share
// their axes E = [n t1 t2]' form a face. In those axes, with the twist (u, w) of b relative to a at
// the face's origin, a point at r has the speeds
//
//   s = u + w x r,                    u = E (v_b - v_a) + w_b x r_b - w_a x r_a,    w = w_b - w_a
//
// and its impulses d change the twist by (D_u d, D_w d), three columns each. So a visit to a face
// reads the velocities of its bodies once, goes through its points with six numbers at hand, and
// then moves both bodies by the sum P = sum d, L = sum r x d.
#pragma once
#include "base/block.h"
#include "formulations/impulse/columns.h"
#include "formulations/impulse/held.h"

// One of the two bodies. The ground has zeros.
typedef struct SarFaceSide {
  double r[4];      // from its mass centre to the face's origin
  SarColumns axes;  // its axes, in those of the face
  SarColumns turn;  // change of its angular velocity by a unit of L, in its own axes
  double inverse_mass;
  int first;  // of its coordinates
} SarFaceSide;

typedef struct SarFace {
  int first, count;  // points
  SarColumns axis;   // normal, tangents: in ground axes
  SarColumns into;   // ground axes, in those of the face
  SarFaceSide a, b;
} SarFace;

typedef struct SarPointRows {
  double r[4];         // from the face's origin, in the axes of the face
  SarColumns Du, Dw;   // what unit impulses do to the twist
  double A[6];         // and to the speeds here: 00 10 20 11 21 22
  double mass, slide;  // of the normal; of the tangents when sliding
  double hold[3];      // of the tangents when sticking: 11 21 22
  double drag[2];      // what they then take back for a unit of the normal
  double stick[6];  // inverse of A with the compliance, 00 10 20 11 21 22; of a point that is alone
  double soft, speed, shift;  // of the normal, as in SarImpulseRow
  double slip[2];             // speeds along the tangents that what sticks is to have
  double friction, pseudo;
  double start[3], before[3];  // speeds before forces and impulses; before impulses
  bool bounces;                // its wanted speed is that of a rebound
  int owner;                   // contact
} SarPointRows;

// Behind all coordinates stand those of the ground, which stay zero, with room for reading four at
// a time.
enum { SAR_GROUND = 8 };

// Impulses stand apart from what they do: the acceleration of the sweeps goes through them alone.
// Fourth lanes are zero.
typedef double SarPointImpulse[4];

// Velocities of b relative to a, at the origin of a face and in its axes.
typedef struct SarTwist {
  double u[4], w[4];
} SarTwist;

// What units of P and L at the origin of a face do to its twist, by columns.
typedef struct SarFaceResponse {
  SarColumns uP, uL, wP, wL;
} SarFaceResponse;

typedef struct SarPoints {
  int count, faces, most;
  SarPointRows* point;
  SarFace* face;
  SarPointImpulse* p;
  SarPointImpulse *last, *way;  // before the last sweep, and the way they go
  double largest, went;         // in this sweep: normal impulse; square of the changes, by A
  int ground;                   // coordinates that stay zero
  // of the face that points are being added to
  V3 origin;  // ground axes
  SarFaceResponse response;
  SarTwist start, before;
} SarPoints;

// Takes its pieces of a block.
void sar_points_init(SarPoints* p, const SarModel* m, SarBlock* b);

// Can this contact be such a point?
bool sar_is_point(const SarHeld* held, const SarModel* m, const SarContact* c);
// Adds it; v: velocities without impulses, v0: before forces too. The normal's law is left to the
// caller.
SarPointRows* sar_points_add(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                             const SarContact* c, const double* v, const double* v0);
// The law of the normal is known: compliance and friction. alone: the two bodies touch here only.
void sar_point_ready(SarPointRows* x, double soft, double friction, bool alone);

SarTwist sar_face_twist(const SarFace* face, const double* v);
void sar_point_speeds(const SarPointRows* x, const SarTwist* twist, double* speed);
// v += response of all points of a face to impulses (by point); to those that they have.
void sar_face_push(const SarPoints* p, const SarFace* face, SarPointImpulse* impulse, double* v);
void sar_face_apply(const SarPoints* p, const SarFace* face, double* v);
// One visit to each point; returns the largest change of an impulse. shift: of the
// pseudo-velocities u.
double sar_face_visit(SarPoints* p, const SarFace* face, double* v);
double sar_face_shift(SarPoints* p, const SarFace* face, double* u);
