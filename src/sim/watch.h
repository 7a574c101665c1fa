// What a port of kind `watch` tells besides the outputs of the model: the state, for whoever shows
// the run (sarrus view --attach). Names begin with '@', which no output's does: @q0 .. positions,
// @v0 .. velocities, @u0 .. inputs,
// @cpu CPU time of the last frame [s], @overruns so far, and the energy audit (SarEnergy) @kinetic,
// @potential, @work, @error [J]. All coordinates, those of joints that close loops too.
#pragma once
#include "model/data.h"

enum { SAR_WATCH_MORE = 6, SAR_WATCH_NAME = 16 };

static inline int sar_watch_count(const SarModel* m) {
  return m->nq_all + m->nv_all + m->ninput + SAR_WATCH_MORE;
}
// The name of one of them.
const char* sar_watch_name(const SarModel* m, int index, char name[SAR_WATCH_NAME]);
void sar_watch_fill(SarData* d, double cpu, double overruns, double* out);
// Back into data of a model that is like it: time, positions, velocities, inputs.
void sar_watch_set(SarData* d, double time, const double* values);
