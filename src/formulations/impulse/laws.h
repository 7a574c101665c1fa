// Unilateral constraints and Coulomb friction (laws of what may let go), as rows of impulses:
// contact with friction, limits, dry friction, motors.
//
//   0 <= J v - wanted  perp  p >= 0                  complementarity, Signorini
//   |p_t| <= mu p,   p_t against the sliding         Coulomb's cone
#pragma once
#include "base/block.h"
#include "formulations/impulse/rows.h"

#include <math.h>

// The step that rows are made for, and the jump of velocities in it (impulsive motion): at the time
// of impact, or in the middle, after the share theta of the step, at the positions that d has.
typedef struct SarJump {
  double
      h;  // length of the step, or of a part of it between impacts (impacts.c) [s]; 0: of an impact
  double theta;      // share of it that has passed
  double rest;       // time left: (1 - theta) h, not quite zero
  bool fast;         // something closes fast
  double whole;      // length of the whole step [s]
  bool between;      // what bounces has its own moment, behind this part
  const double* v0;  // nv: velocities before; those with forces but without impulses: the rows' v
} SarJump;

// What a row that holds in one direction needs to know of its law.
typedef struct SarBarrier {
  double gap;          // [m or rad]
  double restitution;  // speed after over speed before
  double slop;         // violations that are left alone
  double fast;         // what closes more than this within a step is an impact
  double
      pull;  // acceleration that forces may give the gap, for an impact, which has no time [m/s2]
  double turn;  // acceleration of the gap by the turning of J [m/s2]; 0: not known, not in touch
} SarBarrier;

// What a barrier allows: the least speed, and the pseudo-speed that takes its violation away.
typedef struct SarAllowance {
  double speed, shift;
  bool impact;   // it is hit, and fast
  bool bounces;  // the speed is that of a rebound
} SarAllowance;
// start, before: speeds of the row before forces and impulses, and before impulses.
SarAllowance sar_allowance(const SarJump* jump, SarBarrier barrier, double start, double before);
// Acceleration J' v of a contact along its normal or a tangent (0, 1, 2) by the turning of J since
// the last step jumped, speed being J v before forces (turning.c); 0: not known.
double sar_turning(const SarContact* c, const SarJump* jump, int along, double start);
// The speed that leaves an impulse without work: that before it, turned round. Of J v after forces
// and impulses.
static inline double sar_idle_speed(const SarJump* jump, double start, double before) {
  return -start - (2 * jump->theta - 1) * (before - start);
}
// J v >= what the gap allows, p >= 0. The row is ready.
void sar_one_sided(SarImpulses* p, SarImpulseRow* row, const SarJump* jump, SarBarrier barrier);

// Rows of all contacts, started with the impulses that they had. False: no room.
bool sar_contact_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump);
// The impulses that rows of contacts start with, without stress of a contact's own (warm_start.c).
void sar_relax_start(const SarImpulses* p, int contacts);
// What the rows came to, back into the contacts; needs the rows of sar_contact_rows from `first`
// on.
void sar_contact_impulses(const SarImpulses* p, SarData* d, int first, const SarJump* jump);
// After that, where the step is decided: the speeds that contacts with a load are left with.
void sar_contact_speeds(const SarImpulses* p, SarData* d, int first, const SarJump* jump);

// ---- impact.c
// Of the smaller radius: approach within a step that is an impact.
#define SAR_FAST 1e-3
static inline double sar_contact_radius(const SarModel* m, const SarContact* c) {
  return fmin(m->collider[c->a].solid.radius, m->collider[c->b].solid.radius);
}
static inline const SarSurface* sar_contact_surface(const SarModel* m, const SarContact* c) {
  return &m->surface[m->collider[c->a].material * m->nmaterial + m->collider[c->b].material];
}
// Cannot close within this step and half the next one.
bool sar_contact_is_far(const SarModel* m, const SarData* d, const SarContact* c,
                        const SarJump* jump);
// A contact that is only seen where the step would end.
typedef struct SarAhead {
  SarContact contact;
  double approach;  // speed [m/s]
} SarAhead;
// Speed at which the two surfaces of a contact move apart [m/s].
double sar_contact_speed(const SarModel* m, const SarData* d, const SarContact* c);
// What of the time impacts are looked for in.
typedef enum SarWhich { SAR_ALL_IMPACTS, SAR_BOUNCES, SAR_OTHER_IMPACTS } SarWhich;
typedef struct SarSpell {
  double h;        // its length
  double whole;    // that of the step
  SarWhich which;  // impacts that are followed by a rebound, or the others
} SarSpell;
// Can contacts of two colliders, of which no point has more than these speeds, close fast?
bool sar_may_hit(const SarModel* m, const double* speed, double whole, int a, int b);
// The share of the spell after which the first fast impact happens, by the contacts and velocities
// of d at `theta`; 1 if there is none. speed: of each collider, no point of it is faster. fast:
// something near closes fast, be it too far away.
double sar_first_impact(const SarModel* m, const SarData* d, const double* speed,
                        const SarSpell* spell, double theta, bool* fast);
// Keeps the contacts of d, which stands where the step would end, that overlap by a fast impact;
// returns how many.
int sar_look_ahead(const SarModel* m, const SarData* d, const double* speed, const SarSpell* spell,
                   SarAhead* ahead);
// Adds those to the contacts of d at `theta` that are not among them.
void sar_add_ahead(const SarModel* m, SarData* d, double h, double theta, const SarAhead* ahead,
                   int count);

// After the sweeps: contacts that would add energy by bouncing bounce less. True: sweep again, then
// call this again with the next round.
bool sar_temper_impacts(SarImpulses* p, const SarJump* jump, int contacts, int round);

// After the sweeps: friction that pushes gets other speeds to have (idle.c); if it has them, it is
// left out. passive: no motor presses what it touches. True: sweep again.
bool sar_calm_friction(SarImpulses* p, int contacts, bool passive);
// The last resort after them: contacts that give energy act by less.
void sar_cap_work(SarImpulses* p, int contacts);

// Where the step has ended: takes from the velocities of d what pseudo-velocities of pairs of free
// bodies did to their momenta and energy.
void sar_keep_momentum(const SarImpulses* p, const SarModel* m, SarData* d, const SarJump* jump);

// Limits, dry friction and motors of joints; needs coordinates of cut joints. Then back into
// d->dof_impulse, from rows first .. end.
void sar_joint_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump);
// After the sweeps, rows first .. end being those: dry friction follows the speeds found. True:
// sweep again.
bool sar_friction_follows(SarImpulses* p, const SarModel* m, const SarJump* jump, int first,
                          int end);
void sar_joint_impulses(const SarImpulses* p, const SarModel* m, SarData* d, int first, int end,
                        double h);
// Where each work account stands in d->work; -1: there is none.
typedef struct SarBooks {
  int normal, friction, limits, overlap;
  int *losses, *drive;  // njoint
} SarBooks;
// Takes its pieces of a block.
void sar_books_init(SarBooks* p, const SarModel* m, SarBlock* b);
// Work of a row's impulse, and of the three of a point [J]; end: twist of its face after them.
double sar_row_work(const SarImpulses* p, const SarImpulseRow* row, const SarJump* jump);
void sar_point_work(const SarPointRows* x, const double* impulse, const SarTwist* end,
                    const SarJump* jump, double work[3]);
// Adds the work of the impulses of rows joints .. contacts (laws of joints) and onwards (contacts).
// jammed: work that they did too much, and that was taken back (balance.h).
void sar_book_impulses(const SarBooks* books, const SarImpulses* p, const SarModel* m,
                       const SarJump* jump, int joints, int contacts, double jammed, double* work);
// Most rows that these laws can need.
int sar_law_rows(const SarModel* m);
