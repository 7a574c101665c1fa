// --fmu NAME=FILE[:INPUTS:OUTPUTS]: FMUs as functions that models call. As with --functions, only
// the command line names them. Each is loaded once and stays to the end of the program, which takes
// its unpacked files away.
#include "cli/fmus.h"

#include "fmi/import.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 4096 };

typedef struct Fmu {
  const char* given;  // as on the command line
  char text[MOST_TEXT];
  const char* name;
  SarImported* fmu;
} Fmu;

static Fmu* all[CLI_MAX_PATHS];
static int count_all;

static void close_all(void) {
  for (int i = 0; i < count_all; i++) {
    sar_import_close(all[i]->fmu);
    sar_free(all[i]);
  }
  count_all = 0;
}

static void say(void* context, const char* text) {
  const Fmu* f = context;
  fprintf(stderr, "FMU '%s': %s\n", f->name, cli_shown(text));
}

// NAME=FILE:INPUTS:OUTPUTS into its four parts; the last two Nullable.
static bool take_apart(Fmu* f, char* part[4]) {
  const size_t n = strlen(f->given);
  memset(part, 0, 4 * sizeof *part);
  if (n >= sizeof f->text) return false;
  memcpy(f->text, f->given, n + 1);
  part[0] = f->text;
  char* equals = strchr(f->text, '=');
  if (!equals || equals == f->text || !equals[1]) return false;
  *equals = 0;
  part[1] = equals + 1;
  for (int i = 2; i < 4; i++) {
    char* colon = strchr(part[i - 1], ':');
    if (!colon) break;
    *colon = 0;
    part[i] = colon + 1;
  }
  return true;
}

static Fmu* open_fmu(const CliArgs* args, const char* given) {
  char* part[4];
  SarError err;
  for (int i = 0; i < count_all; i++)
    if (all[i]->given == given) return all[i];
  Fmu* f = sar_alloc(sizeof *f);
  if (!f) return NULL;
  f->given = given;
  if (!take_apart(f, part)) {
    cli_usage_error(args->command,
                    "--fmu: expected NAME=FILE or NAME=FILE:INPUTS:OUTPUTS, found '%s'", given);
    sar_free(f);
    return NULL;
  }
  f->name = part[0];
  sar_error_init(&err);
  SarStatus st = sar_import_open(part[1], say, f, &f->fmu, &err);
  if (st == SAR_OK) st = sar_import_choose(f->fmu, part[2], part[3], &err);
  cli_print_messages(&err);
  if (st != SAR_OK) {
    cli_usage_error(args->command, "--fmu: '%s' cannot be taken", cli_shown(part[1]));
    sar_import_close(f->fmu);
    sar_free(f);
    return NULL;
  }
  if (count_all == 0) atexit(close_all);
  return all[count_all++] = f;
}

bool cli_fmus(const CliArgs* args, SarUserFunction* out, int most, int* count) {
  for (int i = 0; i < args->fmu_count; i++) {
    Fmu* f = open_fmu(args, args->fmu[i]);
    if (!f || *count == most) return false;
    out[(*count)++] = sar_import_function(f->fmu, f->name);
  }
  return true;
}
