// FMUs that models call, from --fmu.
#pragma once
#include "cli/cli.h"

// Adds their functions to *count others; false after a message.
bool cli_fmus(const CliArgs* args, SarUserFunction* out, int most, int* count);
