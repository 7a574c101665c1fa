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
