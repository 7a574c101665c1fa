// Reading a model for a command: --set, --path and --coordinates, messages to stderr, exit
// statuses.
#include "cli/cli.h"
#include "cli/fmus.h"
#include "cli/functions.h"
#include "cli/files.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

int cli_exit_status(SarStatus status) {
  switch (status) {
    case SAR_OK: return EXIT_DONE;
    case SAR_BAD_MODEL:
    case SAR_OVER_LIMIT: return EXIT_MODEL;
    case SAR_BAD_ARGUMENT:
    case SAR_NO_FILE:
    case SAR_NOT_OFFERED: return EXIT_USAGE;
    case SAR_NOT_CONVERGED:
    case SAR_SINGULAR:
    case SAR_NOT_FINITE:
    case SAR_STEP_TOO_SMALL:
    case SAR_STOPPED:
    case SAR_NOT_EXPLAINED:
    case SAR_NOT_CLOSED: return EXIT_NUMERICS;
    case SAR_NO_MEMORY:
    case SAR_NO_SCRATCH: return EXIT_INTERNAL;
  }
  return EXIT_INTERNAL;
}

void cli_print_messages(const SarError* err) {
  char line[1200];
  for (int i = 0; i < err->count; i++) {
    const bool placed = err->items[i].file[0] || !cli_about()[0];
    fprintf(stderr, "%s%s%s\n", placed ? "" : cli_about(), placed ? "" : ": ",
            sar_error_format(err, i, line, sizeof line));
    cli_keep_message(&err->items[i]);
  }
  if (err->dropped) fprintf(stderr, "... and %d more messages\n", err->dropped);
}

void cli_json_verdict(SarJson* j, const char* path, SarStatus status, const SarError* err) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "model", path);
  sar_json_bool(j, "ok", status == SAR_OK);
  sar_json_text(j, "status", status == SAR_OK ? "ok" : sar_status_text(status));
  sar_json_integer(j, "exit_status", cli_exit_status(status));
  cli_json_messages(j, err);
  sar_json_close(j, '}');
}

void cli_say_status(const char* who, const char* path, SarStatus status) {
  SarDiag message = {.severity = SAR_ERROR};
  snprintf(message.file, sizeof message.file, "%.250s", cli_shown(path));
  snprintf(message.text, sizeof message.text, "%s", sar_status_text(status));
  fprintf(stderr, "%s: %s: %s\n", who, message.file, message.text);
  cli_keep_message(&message);
}

void cli_report(const CliArgs* args, const char* path, SarStatus status, const SarError* err) {
  cli_print_messages(err);
  if (status != SAR_OK && err->count == 0) cli_say_status("sarrus", path, status);
  if (status == SAR_OK || !args->json) return;
  SarJson j;
  cli_json_begin(&j);
  cli_json_verdict(&j, path, status, err);
  sar_json_end(&j);
}

// --set NAME=VALUE
static bool parse_set(const CliArgs* args, const char* text, char* name, size_t size,
                      double* value) {
  const char* equals = strchr(text, '=');
  size_t n = equals ? (size_t)(equals - text) : 0;
  if (!equals || n == 0 || n >= size || sar_parse_number(equals + 1, value) != SAR_OK) {
    cli_usage_error(args->command,
                    "--set: expected NAME=VALUE with a value like 2.5 or '30 deg', found '%s'",
                    text);
    return false;
  }
  memcpy(name, text, n);
  name[n] = '\0';
  return true;
}

bool cli_needs_absolute(const char* formulation) {
  SarListEntry e;
  for (int i = 0; sar_list("formulations", i, &e) == SAR_OK; i++)
    if (strcmp(e.name, formulation) == 0) return e.absolute;
  return false;
}

// Polynomials want legs to be loops of their own.
static bool wants_platforms(const CliArgs* args, const char* formulation) {
  const char* how = cli_value(args, "kinematics");
  return formulation && strcmp(formulation, "embedding") == 0 && how &&
         (strcmp(how, "block") == 0 || strcmp(how, "triangular") == 0);
}

SarModel* cli_load(const CliArgs* args, const char* path, int* status) {
  const char* coordinates = cli_value(args, "coordinates");
  const char* formulation = cli_value(args, "formulation");
  if (!coordinates && formulation && cli_needs_absolute(formulation)) coordinates = "absolute";
  if (!coordinates && wants_platforms(args, formulation)) coordinates = "auto";
  return cli_load_in(args, path, coordinates, status);
}

// Those of --set, but for what is given besides.
static bool read_parameters(const CliArgs* args, const CliLoad* how, CliLoading* out) {
  int* count = &out->o.parameter_count;
  for (int i = 0; i < args->set_count; i++) {
    SarParameter p = {.name = out->name[i]};
    bool given = false;
    if (!parse_set(args, args->set[i], out->name[i], sizeof out->name[i], &p.value)) return false;
    for (int k = 0; k < how->parameter_count; k++)
      given = given || strcmp(how->parameters[k].name, out->name[i]) == 0;
    if (!given) out->parameter[(*count)++] = p;
  }
  for (int k = 0; k < how->parameter_count; k++) out->parameter[(*count)++] = how->parameters[k];
  return true;
}

bool cli_load_options(const CliArgs* args, const CliLoad* how, CliLoading* out) {
  static const CliLoad plain = {0};
  if (!how) how = &plain;
  out->o = (SarLoadOptions){.parameters = out->parameter,
                            .columns = how->columns,
                            .column_count = how->column_count,
                            .search_paths = args->path,
                            .search_path_count = args->path_count,
                            .coordinates = how->coordinates,
                            .keep_fixed = args->command->keep_fixed,
                            .on_file = cli_input,
                            .memory_limit = args->limit,
                            .functions = out->function,
                            .key = cli_value(args, "key")};
  return read_parameters(args, how, out) &&
         cli_functions(args, out->function, CLI_MAX_FUNCTIONS, &out->o.function_count) &&
         cli_fmus(args, out->function, CLI_MAX_FUNCTIONS, &out->o.function_count);
}

SarModel* cli_load_in(const CliArgs* args, const char* path, const char* coordinates, int* status) {
  return cli_load_as(args, path, &(CliLoad){.coordinates = coordinates}, status);
}

SarModel* cli_load_as(const CliArgs* args, const char* path, const CliLoad* how, int* status) {
  CliLoading load;
  *status = EXIT_USAGE;
  if (!cli_load_options(args, how, &load)) return NULL;
  SarError err;
  sar_error_init(&err);
  SarModel* m = NULL;
  SarStatus st = sar_model_load(path, &load.o, &m, &err);
  if (!how->quiet) cli_report(args, path, st, &err);
  if (st == SAR_OK) cli_is_about(path);
  *status = cli_exit_status(st);
  return m;
}
