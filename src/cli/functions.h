// Functions that models call, from the shared objects of --functions.
#pragma once
#include "cli/cli.h"

// False after a message.
bool cli_functions(const CliArgs* args, SarUserFunction* out, int most, int* count);
