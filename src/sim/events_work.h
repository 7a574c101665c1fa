// What events (events.c) share with the impact of new constraints (impact.c).
#pragma once
#include "dynamics/augmented.h"
#include "sim/assemble_work.h"
#include "sim/events.h"

typedef struct SarEvents {
  SarProjection closing;  // of positions, and units of the rows
  SarAugmented system;    // M + Psi' w Psi: the impact
  RankWork rank;
  double* F;        // nv: zeros
  double* gap;      // nrow: Phi' before the impact
  double* impulse;  // nrow: L
  double* stored;   // ngate: energy of what switches, before and after
  int* next;        // ngate: gate_state to come
  int* kept_state;  // ngate, ncut, nrow: to go back to
  Xform* kept_X_B;
  double* kept_hold;
  int account[2];    // of impact and switching, in work
  bool conditional;  // some trigger is a condition
  bool unseen;       // what happens will be taken back, and is no event
  long count;        // events so far
  SarEvent* log;     // SAR_KEPT_EVENTS
  char trouble[256];
} SarEvents;

// Rows that came or went: new order and rank, and the formulation knows.
SarStatus sar_events_regroup(SarSim* s);
// Closes what has just been switched on. SAR_NOT_CLOSED with a message if it is far
// from closed.
SarStatus sar_events_close(SarSim* s);
// Velocities jump onto the constraints; e->impulse.
SarStatus sar_events_impact(SarSim* s);
// Is a gate's item on now, and was it when this update began?
static inline bool sar_gate_came(const SarSim* s, int g) {
  const SarEvents* e = s->events;
  return (s->d->gate_state[g] & SAR_GATE_ON) && !(e->kept_state[g] & SAR_GATE_ON);
}
