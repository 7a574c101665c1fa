// sarrus run and sarrus rt of a file that couples several models.
#pragma once
#include "cli/cli.h"

// All in one thread, without a clock; an exit status.
int couple_run(const CliArgs* args);
// A thread each, with the options of the clock. `record`: the option that names the file.
int couple_rt(const CliArgs* args, const SarRtOptions* o);
