// What the formulations with impulses keep from step to step (the warm start of their iteration
// among it), and their time step.
#pragma once
#include "dynamics/augmented.h"
#include "dynamics/contacts.h"
#include "formulations/impulse/balance.h"
#include "formulations/impulse/direct.h"
#include "formulations/impulse/laws.h"
#include "formulations/impulse/rest.h"
#include "formulations/impulse/row_rest.h"
#include "formulations/impulse/row_share.h"
#include "formulations/index1/family.h"

// Ends a run by sweeps before singular positions (passage.c).
typedef struct SarPassage {
  bool looks;
  SarIndex1Run run;
  double* clear;  // state: by how much the grip can fall before it need be looked at
} SarPassage;

void sar_passage_layout(SarPassage* p, const SarModel* m, SarBlock* b);
void sar_passage_declare(SarPassage* p, SarSim* s);  // its fields of the state
// As the functions of a formulation.
void sar_passage_adopt(SarPassage* p, SarSim* s);
void sar_passage_regroup(SarPassage* p, SarSim* s);
void sar_passage_look(SarPassage* p, SarSim* s);

// What the parts of a step leave until it ends (impacts.c).
typedef struct SarImpacts {
  bool possible;     // some material bounces
  int count;         // contacts that were hit
  SarContact* hit;   // ncontact
  double* impulse;   // nv_all * SAR_DOF_IMPULSES: of joints
  double* lambda;    // nrow: impulses of constraints
  SarInstant start;  // where the step began
} SarImpacts;
void sar_impacts_init(SarImpacts* x, const SarModel* m, SarBlock* b);

// How the sweeps of an island ended: impulse seen in the last one, square of its changes.
typedef struct SarIslandEnd {
  int sweeps;
  bool done, late;
  double largest, went;
} SarIslandEnd;

// Threads that solve islands side by side (island_crew.c).
typedef struct SarIslandCrew {
  int threads;                   // with the calling one
  struct SarImpulseState* view;  // threads - 1
  SarDirect* direct;             // threads - 1: rooms of factors
  SarIslandEnd* end;             // nbody: of each island
} SarIslandCrew;
void sar_island_crew_init(SarIslandCrew* p, const SarModel* m, int threads, SarBlock* b);

// Bodies that rest (sleep.c).
enum { SAR_CALM = 32 };  // steps after which what is still rests
typedef struct SarSleep {
  unsigned char* kind;  // nbody: SAR_MOVES, SAR_FIXED, SAR_RESTS
  bool* able;           // nbody: nothing but gravity and contact acts on it
  bool* seen;           // nbody: scratch
  double* extent;       // nbody: how far its solids reach
  int count;            // bodies that rest
} SarSleep;
void sar_sleep_init(SarSleep* x, const SarModel* m, SarBlock* b);

typedef struct SarImpulseState {
  SarHeld held;
  SarImpulses rows;
  SarContactSearch search;
  SarContact* seen;  // ncontact: contacts in the middle of the step
  SarAhead* ahead;   // ncontact
  SarBooks books;
  SarAugmented system;  // accelerations where a run begins
  double *v0, *x,
      *q;  // nv (and the ground): velocities at theta before forces; scratch; nq: positions
  double*
      slope;  // nv: accelerations expected of the step, then those found; of impacts, without them
  double* expected;    // nv: accelerations that velocities halfway were expected by
  double *wanted, *z;  // nrow
  // of held rows: velocities (nv) and impulses (nrow, by place in held.order) that only correct the
  // step before
  double *corrected, *corrected_p;
  bool cuts;           // laws act on coordinates of cut joints
  double* step_a;      // state, nv: mean accelerations of the last step, impulses included
  int* stepped;        // state: 1: there was one
  double* multiplier;  // state, nrow: lambda of the last step, where the next one's sweeps start
  int* unsettled;      // state: 1: the last sweeps ended long before they were good enough
  int* near;           // state, where rows are held: 1: the last step was near a singular position
  SarIslands islands;  // of contact
  SarDirect direct;    // what rests in them
  SarIslandCrew crew;  // who solves them
  SarRowSystem row_system;  // of contacts that they do not have: what rests, and its loads
  int* shared;              // state, nbody: points of its island when they shared their load
  int* stale;               // state, nbody: steps since that changed a little
  int *pause, *restless;    // state, nbody: steps to go without sharing, and how many it was last
  int *wait, *level;   // state, nbody: steps to go without direct solves, and how many it was last
  SarRest rest;        // what has nearly come to it
  SarPassage passage;  // of sweeps alone
  SarImpacts impacts;  // in the order of time
  SarBalance balance;  // of energies
  double whole;        // length of the step of which a part is made; 0: all of it is
  bool between;        // that part ends where something bounces
  bool bounces;        // something does within the part that was looked at
  bool passes;         // what was seen to hit in the step did not: it jumps in the middle
  bool trees;          // there are free ones, whose momenta are kept in flight (flight_trees.c)
  bool flying;         // some of them are
  bool* flies;         // nbody: the tree that the body is the root of
  int* calm;           // state, nbody: steps that it has been still, SAR_CALM: it rests
  SarSleep sleep;      // who does
  bool late;           // time was up in them
  bool cut;            // that, or there were too many
} SarImpulseState;

// When sweeps over an island end: change of an impulse that is nothing, absolute if it is not 0,
// else over the largest; `quiet` times that after the least number of sweeps; so many sweeps.
typedef struct SarSweepEnd {
  double tolerance, relative, quiet;
  int most;
  double h, fall;               // of the step: length, speed that gravity gives
  const SarDeadline* deadline;  // Nullable
  bool first;                   // of the step: one sweep is always whole
} SarSweepEnd;
enum { SAR_STALE = 8 };         // steps after which loads that changed a little are shared anew
enum { SAR_DIRECT_WAIT = 64 };  // most steps without a direct solve
// Solves one island; what it writes beside p->direct.factor and .x and the sums of p->rows.points
// is its own.
void sar_island_solve(SarImpulseState* p, const SarModel* m, const SarData* d,
                      const SarSweepEnd* end, int island, SarIslandEnd* out);
// Solves all islands. False: some was cut short. sweeps: the most of one, if more than there. pool:
// Nullable.
bool sar_islands_sweep(SarImpulseState* p, struct SarPool* pool, const SarModel* m,
                       const SarData* d, const SarSweepEnd* end, int* sweeps, bool* late);

// Where a simulation begins, and where a step does.
void sar_sleep_begin(SarImpulseState* p, const SarModel* m);
void sar_sleep_read(SarImpulseState* p, const SarSim* s);
// Velocities of bodies that rest: none.
void sar_sleep_hold(const SarImpulseState* p, const SarModel* m, double* v);
// Contacts being known: who is touched wakes, with others that it touches; falls: with the
// acceleration of gravity. True: somebody did.
bool sar_sleep_wake(SarImpulseState* p, const SarModel* m, const SarData* d, const SarJump* jump,
                    bool falls);
void sar_sleep_wake_all(SarImpulseState* p, const SarModel* m);
// The step has ended: who rests now? whole: it had one jump.
void sar_sleep_look(SarImpulseState* p, SarSim* s, bool whole);

// Contacts where d stands of those pairs that are fast enough for an impact, the only ones that a
// look ahead asks for; whole: length of the step.
void sar_find_hits(SarImpulseState* p, SarSim* s, double h, double whole);
// Kinematics, forces and constraints where d stands.
void sar_impulse_evaluate(SarSim* s);
// Slows down what has nearly come to rest, the impulses of the jump being known (rest.h).
void sar_rest(SarImpulseState* p, const SarModel* m, const SarData* d, const SarJump* jump);
// After an impact, its impulses being in the contacts of d: adds contacts that it causes within the
// step. d then stands at the jump, with the velocities after it. False: there are none.
bool sar_find_thrown(SarImpulseState* p, SarSim* s, const SarJump* jump);
// The sweeps were cut short: is what they left undone worth a warning? Rows of joints, of contacts
// begin there.
void sar_note_unsettled(const SarImpulseState* p, SarSim* s, int joints, int contacts);

// The parts of a step, in turn.
// To the moment of the impulses, with the velocities that are expected there.
SarJump sar_impulse_reach(SarImpulseState* p, SarSim* s);
// Velocities at that moment without unilateral constraints: rows.v; found from there again where
// strong dampers or stiff springs make velocities that are only expected useless.
SarStatus sar_impulse_push(SarImpulseState* p, SarSim* s, SarJump* jump);
// Accelerations of the step with constraints held, where these are left to the sweeps: p->slope.
void sar_impulse_foresee(SarImpulseState* p, SarSim* s, const SarJump* jump);
// The speeds that rows of constraints are to have now for Phi' = 0 a time `rest` later: p->wanted.
void sar_impulse_want_speeds(SarImpulseState* p, const SarModel* m, const SarData* d, double rest);
void sar_impulse_slope(SarImpulseState* p, const SarModel* m,
                       double h);                              // accelerations of the step
void sar_impulse_move_states(SarSim* s, const SarJump* jump);  // to the end of the step
SarStatus sar_impulse_release_states(SarSim* s);
void sar_impulse_close_loops(SarImpulseState* p, SarSim* s, const SarJump* jump);
// Impulses as lambda and in contacts. Rows of joints, of contacts begin there.
void sar_impulse_keep(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints, int contacts);
SarStatus sar_impulse_end(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints,
                          int contacts);
// Which free trees nothing moves in this step, its impulses being known; where it has ended: their
// momenta.
bool sar_has_free_trees(const SarModel* m);
void sar_find_flying(SarImpulseState* p, SarSim* s);
void sar_keep_flying(SarImpulseState* p, SarSim* s, double h);
// Where a step, a part of it or a bounce has ended: no mechanism has gained (balance.h). Rows of
// contacts begin there.
void sar_balance(SarImpulseState* p, SarSim* s, const SarJump* jump, int contacts);
// Time to the first bounce within h from where the step or a part of it begins; h: there is none.
double sar_next_bounce(SarImpulseState* p, SarSim* s, double h);
// Rows of joints begin behind those of constraints, rows of contacts behind those of joints.
typedef struct SarPlaces {
  int joints, contacts;
} SarPlaces;
// One jump: its rows, solved. first: of the step. False: no room.
bool sar_impulse_solve(SarImpulseState* p, SarSim* s, const SarJump* jump, SarPlaces* at,
                       bool first);
// From s->start to s->stop with one jump. parted (Nullable): set, and nothing done, if something
// bounces.
SarStatus sar_impulse_part(SarSim* s, bool* parted);
// The same with several of them, between bounces.
SarStatus sar_impulse_parts(SarImpulseState* p, SarSim* s);
// One step, SAR_SHAPE_IMPULSE.
SarStatus sar_impulse_step(SarSim* s);
