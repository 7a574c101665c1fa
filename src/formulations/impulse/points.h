// Points of contact between free bodies: normal and two tangents at a time.
//
// What rows.h does for any tree is done here for the most frequent case, two bodies that move freely about
// their mass centres, or one of them and the ground. All of a point is in one place in memory, its three rows are
// solved by one pass over the velocities of its two bodies, and their 3x3 matrix is at hand:
//
//   s = E (v_b - v_a) + C_b w_b + C_a w_a,      E = [n t1 t2]',  C = rows of levers, in body axes
//   A = E E' (1/m_a + 1/m_b) + C_b I_b^-1 C_b' + C_a I_a^-1 C_a'
#pragma once
#include "formulations/impulse/held.h"

typedef struct SarPointRows {
  double n[3][4];             // normal, tangents: ground axes
  double ca[3][4], cb[3][4];  // levers
  double da[3][4], db[3][4];  // turns that a unit impulse causes
  double wa, wb;              // inverse masses
  int a, b;                   // first coordinates; those of the ground do not move
  double A[6];                // 00 10 20 11 21 22
  double mass, slide;         // of the normal; of the tangents when sliding
  double hold[3];             // of the tangents when sticking: 11 21 22
  double stick[6];  // inverse of A with the compliance, 00 10 20 11 21 22; of a point that is alone
  double soft, speed, shift;  // of the normal, as in SarImpulseRow
  double friction;
  bool bounces;                // its wanted speed is that of a rebound
  double p[3], pseudo;         // impulses
  double last[3], way[3];      // before the last sweep, and the way they go
  double start[3], before[3];  // speeds before forces and impulses; before impulses
  int owner;                   // contact
} SarPointRows;

// Behind all coordinates stand those of the ground, which stay zero, with room for reading four at a time.
enum { SAR_GROUND = 8 };

typedef struct SarPoints {
  int count, most;
  SarPointRows* point;
  int ground;  // coordinates that stay zero
} SarPoints;

size_t sar_points_size(const SarModel* m);
void sar_points_init(SarPoints* p, const SarModel* m, unsigned char** memory);

// Can this contact be such a point?
bool sar_is_point(const SarHeld* held, const SarModel* m, const SarContact* c);
// Adds it; v: velocities without impulses, v0: before forces too. The normal's law is left to the caller.
SarPointRows* sar_points_add(SarPoints* p, const SarHeld* held, const SarModel* m, const SarData* d,
                             const SarContact* c, const double* v, const double* v0);
// The law of the normal is known: compliance and friction. alone: the two bodies touch here only.
void sar_point_ready(SarPointRows* x, double soft, double friction, bool alone);

// v += response of a point to three impulses.
void sar_point_apply(const SarPointRows* x, const double* impulse, double* v);
void sar_point_speeds(const SarPointRows* x, const double* v, double* speed);
// One visit; returns the largest change of an impulse.
double sar_point_visit(SarPointRows* x, double* v);
double sar_point_shift(SarPointRows* x, double* u);
