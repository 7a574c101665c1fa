// Discontinuities (kinks) of the right-hand side, time and state events (zero crossings): known
// times to land on, and changes of sign of switching functions.
#pragma once
#include "model/sim.h"

// Times nearer than this to a kink count as on it [s].
double sar_kink_width(double t);
// The first kink in time after t (not on it); INFINITY: none.
double sar_kink_after(const SarModel* m, double t);
bool sar_kink_at(const SarModel* m, double t);

// The values of the switching functions in d->slot.
void sar_switch_read(const SarSim* s, double* out);
// After a step of an adaptive integrator: if a switching function changed its sign within it, the
// step is taken back and replaced by one that ends just before the change, or, when there is
// nothing left before it, by one that hops across.
// *replaced says that it did.
SarStatus sar_kink_locate(SarSim* s, bool* replaced);
