// What `sarrus view` replays: a run made now, or results of earlier ones.
#pragma once
#include "cli/simulate.h"
#include "view/replay.h"

// operand[0] is the model; the others are results, of which the first is the run and the others are
// ghosts. Without results the model is run to its end. Messages go to stderr; an exit status, and
// *out for sar_replay_free in any case.
int view_replay_make(const CliArgs* args, SarReplay* out);
bool view_is_result(const char* path);
