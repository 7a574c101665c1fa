// Time and state events (a hybrid system): switching constraints, joints and forces on and off
// during a run, without restarting it.
//
// Where a step ends, the triggers of the gates (model/gate.h) are looked at. Times have been landed
// on exactly, conditions located by adaptive integrators; fixed steps switch at the end of the step
// in which a condition became true. What switches does so at once, all of it at the same instant:
//
//   rows leave or join        independent ones are counted anew, the formulation is told (regroup)
//   positions                 a constraint that joins is closed if it is near to closed; else an
//                             error
//   velocities                M dv + Psi' L = 0,
//                             Psi (v + dv) + Phi_t = 0: the impact; L its impulses
//   energies                  the change of the kinetic one is booked under `impact`, that of the
//                             potential one (springs that come and go) under `switching`
//
// A simulation has one SarEvents if its model has gates; all its memory is taken with the
// simulation's.
#pragma once
#include "model/sim.h"

// At the initial state: which gates are on. d is evaluated.
void sar_events_begin(const SarModel* m, SarData* d);

size_t sar_events_size(const SarModel* m);  // bytes; 0: the model has no gates
void sar_events_init(SarSim* s, void* memory);
void sar_events_start(SarSim* s);  // once row_order and freedom of the simulation are known

// Looks at the triggers where d is and switches. *switched: something did, d->q, v and work may
// have changed. On failure nothing is switched, and sar_events_trouble says why; q, v and work are
// the caller's to restore.
SarStatus sar_events_update(SarSim* s, bool* switched);
// Before a step: what the host has done since the last one. A reset may have changed the gates;
// touched: its state or inputs may trigger some.
SarStatus sar_events_catch_up(SarSim* s, bool touched);
// Steps that will be taken back (sar_warm_up) leave no events.
void sar_events_pretend(SarSim* s, bool pretend);
// "" or what went wrong in the last update.
const char* sar_events_trouble(const SarSim* s);
