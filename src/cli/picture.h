// A picture of a mechanism in motion.
#pragma once
#include "cli/cli.h"

// Simulates args->operand[0] and draws its skeleton at several instants; an exit status.
int picture_motion(const CliArgs* args, const char* out);
