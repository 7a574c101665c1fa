// What the integrators share: the state of a step, or of a Runge-Kutta stage, as a vector in local
// coordinates (Munthe-Kaas), and its rate.
//
//   y = (xi, v, z, work),   q = retract(q0, xi),   dy/dt = (rate(q0, xi, v), a, z', power)
//
// q0 = start.q is where the step began, so xi is small and zero there. Quaternions never leave the
// unit sphere, whatever an integrator does with y, and it keeps its order: y lives in a plain
// vector space.
#pragma once
#include "base/block.h"
#include "model/sim.h"

static inline int sar_stage_size(const SarModel* m) { return 2 * m->nv + m->nz + m->nwork; }
// Where the states z stand in y, and behind them the work; what lies before the work is held to the
// tolerances.
static inline int sar_stage_states(const SarModel* m) { return 2 * m->nv; }
static inline int sar_stage_work(const SarModel* m) { return 2 * m->nv + m->nz; }

// The start of the step and its rate, from s->start: nothing is evaluated. dy Nullable.
void sar_stage_first(const SarSim* s, double* y, double* dy);
// Puts d at y: q, v, z and work, and the time.
void sar_stage_set(SarSim* s, double t, const double* y);
// The same, then evaluates a, z_rate and work_rate there (seen at a time within t_low .. t_high),
// and dy. dy Nullable.
SarStatus sar_stage_rate(SarSim* s, double t, const double* y, double* dy);
// The end of a step at y: d there, moved back onto the constraints if there is a projection, and
// evaluated. The second: for a step whose end is evaluated already.
SarStatus sar_stage_land(SarSim* s, double t, const double* y);
SarStatus sar_stage_settle(SarSim* s);
// The end of a step at y, next to the state that was evaluated last, whose accelerations, rates and
// states z stand for those there (the last evaluation of a predictor-corrector method is left out:
// PEC mode); like sar_stage_land where that does not hold.
SarStatus sar_stage_reach(SarSim* s, double t, double* y);
// dy at y where d is evaluated already.
void sar_stage_read_rate(const SarSim* s, const double* y, double* dy);
// Has a switching function, evaluated in d, left the side it was on at the start of the step?
bool sar_stage_has_switched(const SarSim* s);
// rate(q0, xi, v): v itself but for curved coordinates.
void sar_stage_position_rate(const SarSim* s, const double* xi, const double* v, double* rate);
