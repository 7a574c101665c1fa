// The page that the window shows: one html file, installed with the program.
#pragma once
#include "cli/cli.h"
#include "base/memory_file.h"

// Reads --page, or the page that is installed, or the one of the build; an exit status, after a
// message that says what to do.
int view_page_read(const CliArgs* args, SarMemoryFile* out);
