// Numbers of the interpreter that generated code is tested with.
#pragma once
#include "cli/cli.h"
#include "codegen/generate.h"

// A simulation by the same method and integrator, d assembled.
SarStatus generate_check_start(const SarModel* m, SarData* d, const SarGenerateOptions* o,
                               SarSim** sim, SarError* err);
// What hybrid knows of the rows where the run begins; s must outlive it.
SarImplicitRows generate_check_rows(const SarSim* s);
// Accelerations at states of a run and around them, and where a run of a second ends. The data are
// left anywhere.
SarStatus generate_check_fill(SarSim* sim, const SarGenerateOptions* o, SarArena* arena,
                              SarCheck* out);
// Samples' derivatives by parameters that are kept, by extrapolated differences between models with
// other values; left out where there are none.
SarStatus generate_check_kept(const SarGeneration* g, SarArena* arena, SarCheck* check);

// ---- between the parts --------------------------------------------------------------------------
enum { GENERATE_CHECK_SAMPLES = 6 };
SarStatus generate_check_sim(const SarModel* m, SarData* d, const SarGenerateOptions* o,
                             double step, SarSim** sim, SarError* err);
// A copy of the state and of what was evaluated there last.
SarSample generate_check_state(SarArena* arena, const SarModel* m, const SarData* d);
// A clean copy of where s is, evaluated; seed: moved about for open trees, -1: not.
SarStatus generate_check_sample(SarSim* s, const SarGenerateOptions* o, SarArena* arena,
                                SarSample* out, int seed);
// The run, and samples along it where `sample` is used: with constraints.
SarStatus generate_check_run(const SarModel* m, const SarGenerateOptions* o, SarArena* arena,
                             SarSample* sample, SarCheck* out);
