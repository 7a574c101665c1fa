// Rows of impulses: unilateral and bounded constraints (what may let go: contact, friction, limits,
// motors), one scalar at a time. Together a mixed complementarity problem with the Delassus
// operator J H^-1 J', which is never formed.
//
//   J v -> wanted speed,   low <= p <= high,   v += H^-1 J' p
//
// H^-1 J' is the response of everything that J moves to a unit impulse: one pass towards the roots
// of the trees and one away from them, on the sparse factor of H = M + h C + h^2 K / 4, with the
// loops held (held.h). The effective mass is 1 / (J H^-1 J'). After that one impulse costs one dot
// product and one update over the coordinates of the groups that it moves, and a group is as a rule
// one tree: a contact of two free bodies costs 12 of each, whatever the size of the scene.
#pragma once
#include "base/block.h"
#include "formulations/impulse/points.h"

typedef struct SarIslands SarIslands;

enum {
  SAR_IMPULSE_PARTS = 4
};  // groups that a row moves: two bodies, or two joints of two bodies each

typedef struct SarImpulsePart {
  int first, num;  // coordinates of the group
  int adr;         // in the pool: J (num), then the response (num), then what the held rows answer
} SarImpulsePart;

typedef struct SarImpulseRow {
  int parts;
  int only;          // coordinate, if J has one entry, else -1
  double entry;      // that entry
  int limiter;       // row whose impulse, times `factor`, bounds this one; -1: low and high do
  bool disc;         // this row and the next one share that bound: |(p, p')| <= factor p_limiter
  bool bounces;      // its wanted speed is that of a rebound
  bool shifts;       // takes violations away by pseudo-velocities
  double factor;     // see limiter
  double lever;      // largest entry that one body of a tree has when a second one is added; else 0
  double mass;       // effective; 0: nothing moves
  double soft;       // compliance over the step: J v + soft p = wanted speed
  double speed;      // wanted J v
  double shift;      // wanted J u, u the pseudo-velocity
  double low, high;  // of p
  double p, pseudo;  // accumulated impulses
  double start;      // J v before forces and impulses,
  double before;     // and before impulses
  int owner;         // what the law that made it knows it by
  SarImpulsePart part[SAR_IMPULSE_PARTS];  // the first `parts`
} SarImpulseRow;

// A free body that is pushed apart from others, in ground axes (shift.c).
typedef struct SarLump {
  bool read;
  double m;
  V3 c;         // mass centre in its axes
  M3 R;         // of the body
  V3 x, v, w;   // of the mass centre
  V3 pushed;    // v when it was pushed
  S3 I;         // about the mass centre
  double made;  // energy that its turn has made
} SarLump;

typedef struct SarImpulses {
  SarHeld* held;
  SarPoints points;  // contacts of free bodies: rows of their own kind
  int count, most;   // rows, room for so many
  SarImpulseRow* row;
  double* pool;
  int used, room;
  double *v, *u;           // nv and six of the ground: velocities, pseudo-velocities
  const double* v_led;     // where impulses have led: v, or that before rest.h took of it
  bool impact;             // some row is hit: velocities jump
  bool bouncing;           // some row rebounds
  bool shifting;           // some row has a violation to take away
  bool falling;            // some row is friction that falls with the speed
  double *p_last, *p_way;  // rows: impulses before the last sweep, and the way they go
  double *v_last, *v_way;  // nv: velocities likewise
  double went;             // square of the last sweep's change
  const int* left;         // faces that sweeps over rows visit,
  int lefts;               // so many; others are those of islands (islands.h)
  int normal;              // row of the normal of the contact that rows are made for
  double largest;          // impulse seen in the last sweep
  // nbody: scratch of pushing apart; what each body does (contacts.h), Nullable
  SarLump* lump;
  const unsigned char* rest;
} SarImpulses;

// Room for `rows` rows: m->nrow of constraints and others between two bodies.
void sar_impulses_init(SarImpulses* p, const SarModel* m, SarHeld* held, int rows, SarBlock* b);
static inline void sar_impulses_clear(SarImpulses* p) {
  p->count = p->used = p->points.count = p->points.faces = 0;
  p->shifting = p->impact = p->bouncing = p->falling = false;
}

// A new row, empty: NULL when there is no room.
SarImpulseRow* sar_impulses_add(SarImpulses* p);
// Adds a wrench that acts on a body for every unit of the row's impulse, in ground axes at a ground
// point: J += S' W for every joint axis S between the body and ground. Body -1: nothing.
void sar_impulse_wrench(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                        int body, V3 point, Force W);
// Adds `value` to J of one coordinate.
void sar_impulse_coordinate(SarImpulses* p, SarImpulseRow* row, int dof, double value);
// J is complete: the response, the effective mass and the speeds before, v0 those before forces.
void sar_impulse_ready(SarImpulses* p, SarImpulseRow* row, const SarModel* m, const SarData* d,
                       const double* v0);

double sar_impulse_speed(const SarImpulses* p, const SarImpulseRow* row, const double* v);
// v += H^-1 J' p of a row.
void sar_impulse_apply(const SarImpulses* p, const SarImpulseRow* row, double impulse, double* v);

// All rows are made, and have seen the velocities without impulses: those they start with act.
void sar_impulses_start(SarImpulses* p);

// When to stop within a sweep: NULL: never.
typedef struct SarDeadline {
  double (*now)(void);
  double end;
} SarDeadline;
// Is it time?
bool sar_is_late(const SarDeadline* deadline);
// One sweep over all rows and the faces that are left to it; returns the largest change of an
// impulse, and whether time was up.
double sar_impulses_sweep(SarImpulses* p, const SarDeadline* deadline, bool* late);
// Between sweeps, makes the next one start further along the way that the last ones went.
void sar_impulses_accelerate(SarImpulses* p, const SarModel* m, bool first);
// What the rows' impulses did to those of the held rows.
void sar_impulses_answer(const SarImpulses* p);
