// How a run went: as text, as JSON.
#pragma once
#include "cli/simulate.h"

void run_print_text(const char* path, const SarRun* run, const char* out);  // out Nullable: results
void run_print_json(const SarModel* m, const SimulateJob* job, const SarRun* run);
