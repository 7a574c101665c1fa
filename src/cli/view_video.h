// A film of a run as a file, drawn by the program's own raster and put together by ffmpeg.
#pragma once
#include "cli/simulate.h"

int view_video(const CliArgs* args, const SimulateJob* job, const char* path);  // an exit status
