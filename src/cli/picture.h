// A picture of a mechanism in motion.
#pragma once
#include "cli/cli.h"

// Simulates args->operand[0], draws it at several instants and says so; an exit status.
int picture_motion(const CliArgs* args, const char* out);
// The same at one instant: --at, or the end.
int picture_still(const CliArgs* args, const char* out);
// --size WIDTHxHEIGHT; stays as it is where that is not given. An exit status.
int picture_size(const CliArgs* args, int* width, int* height);
