// A picture of a mechanism in motion.
#pragma once
#include "cli/cli.h"

// Simulates args->operand[0], draws it at several instants and says so; an exit status.
int picture_motion(const CliArgs* args, const char* out);
