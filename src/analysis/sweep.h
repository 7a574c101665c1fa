// What kinematics and inverse dynamics share: a driven mechanism over a range of time.
#pragma once
#include "output/table.h"
#include "sim/follow.h"

typedef struct SarSweep {
  const SarModel* m;
  SarSweepOptions o;  // complete
  SarData* d;
  SarSim* s;
  SarFollow follow;
} SarSweep;

// Takes and completes the options, assembles at t = 0 and follows the drives to `from`. `o`
// Nullable. To be ended in any case.
SarStatus sar_sweep_begin(SarSweep* w, const SarModel* m, const SarSweepOptions* o, SarError* err);
void sar_sweep_end(SarSweep* w);
double sar_sweep_time(const SarSweep* w, int point);
// A row into the table and to the host program; SAR_STOPPED where that says so.
SarStatus sar_sweep_row(const SarSweep* w, SarTable* t, const double* row, SarError* err);
