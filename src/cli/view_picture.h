// `sarrus view --png` and `--video`: drawn by the program itself, without a browser or a display.
#pragma once
#include "cli/simulate.h"

int view_picture(const CliArgs* args, const SimulateJob* job);  // an exit status
