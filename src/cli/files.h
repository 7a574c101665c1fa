// What a command reads must not be overwritten by what it writes.
#pragma once
#include "cli/cli.h"

#include <limits.h>

enum { CLI_MAX_OUTPUTS = 8 };

// A file to be written.
typedef struct CliOutput {
  const char* path;
  char temporary[PATH_MAX];  // written instead, until the end; "": none
} CliOutput;

// Notes a file that is read; fits SarLoadOptions.on_file.
void cli_input(void* context, const char* path);
// Of the contents of all files that were read so far, each once, in their order; false: one is
// gone.
bool cli_inputs_hash(unsigned long long* hash);
// Begins an output, which must be none of the inputs (without --force) and no other output:
// SAR_BAD_ARGUMENT after a report.
SarStatus cli_output_begin(const CliArgs* args, const char* path, CliOutput* out, SarError* err);
// Can files be made in its folder? For what is written at the end only.
SarStatus cli_output_folder(const CliOutput* out, SarError* err);
const char* cli_output_path(const CliOutput* out);  // where to write
// After it was written and closed, or not at all. A failure leaves an input as it was. Returns
// `status`, or what went wrong now.
SarStatus cli_output_end(CliOutput* out, SarStatus status, SarError* err);
