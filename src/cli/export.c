// sarrus export: a model as an FMU.
#include "cli/beside.h"
#include "cli/files.h"
#include "cli/simulate.h"

#include "fmi/archive.h"
#include "fmi/pack.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NAME = 100 };

// NAME of .../NAME.yaml, with what C does not allow in names made _.
static void identifier_of(const CliArgs* args, char* out, size_t size) {
  const char *given = cli_value(args, "name"), *path = given ? given : args->operand[0];
  const char* slash = given ? NULL : strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  const char* dot = given ? NULL : strrchr(base, '.');
  const size_t length = dot ? (size_t)(dot - base) : strlen(base);
  size_t n = 0;
  if (length > 0 && isdigit((unsigned char)base[0])) out[n++] = '_';
  for (size_t i = 0; i < length && n + 1 < size; i++)
    out[n++] =
        (char)(isascii((unsigned char)base[i]) && isalnum((unsigned char)base[i]) ? base[i] : '_');
  if (n == 0) out[n++] = 'm';
  out[n] = 0;
}

static void print_report(const CliArgs* args, const SarFmiExport* o, const char* path,
                         const SarFmiReport* r) {
  if (args->json) {
    SarJson j;
    cli_json_begin(&j);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "model", o->model);
    sar_json_text(&j, "fmu", path);
    sar_json_integer(&j, "fmi", o->version);
    sar_json_bool(&j, "co_simulation", o->cs);
    sar_json_bool(&j, "model_exchange", o->me);
    sar_json_text(&j, "identifier", o->identifier);
    sar_json_text(&j, "formulation", r->formulation);
    sar_json_text(&j, "integrator", r->integrator);
    sar_json_integer(&j, "inputs", r->inputs);
    sar_json_integer(&j, "outputs", r->outputs);
    sar_json_integer(&j, "outputs_left_out", r->left_out);
    sar_json_integer(&j, "parameters", r->parameters);
    sar_json_integer(&j, "tunable", r->tunable);
    sar_json_integer(&j, "states", r->states);
    sar_json_integer(&j, "event_indicators", r->indicators);
    sar_json_bool(&j, "directional_derivatives", r->derivatives);
    sar_json_close(&j, '}');
    sar_json_end(&j);
    return;
  }
  printf("%s: FMI %d.0, %s%s%s\n", cli_shown(path), o->version, o->cs ? "co-simulation" : "",
         o->cs && o->me ? " and " : "", o->me ? "model exchange" : "");
  printf("%d %s, %d %s, %d %s (%d tunable), %d %s\n", r->inputs,
         cli_plural(r->inputs, "input", "inputs"), r->outputs,
         cli_plural(r->outputs, "output", "outputs"), r->parameters,
         cli_plural(r->parameters, "parameter", "parameters"), r->tunable, r->states,
         cli_plural(r->states, "state", "states"));
  if (r->left_out > 0)
    printf("%d %s left out: %s\n", r->left_out, cli_plural(r->left_out, "column", "columns"),
           o->source ? "they have no equations"
                     : "they are of the steps of a run: accounts of work, means");
}

static int export_model(const CliArgs* args, SarFmiExport* o, const char* path) {
  SarError err;
  CliOutput out = {0};
  SarFmiReport report;
  SarModel* m = NULL;
  sar_error_init(&err);
  // which files are read is known once it was loaded: none of them may be the FMU
  SarStatus st = sar_model_load(o->model, o->load, &m, &err);
  sar_model_free(m);
  if (st == SAR_OK) st = cli_output_begin(args, path, &out, &err);
  if (st == SAR_OK) {
    o->out = cli_output_path(&out);
    st = sar_fmi_export(o, &report, &err);
    st = cli_output_end(&out, st, &err);
  }
  cli_report(args, o->model, st, &err);
  if (st == SAR_OK) print_report(args, o, path, &report);
  return cli_exit_status(st);
}

static int run_export(const CliArgs* args) {
  char binary[PATH_MAX], identifier[MOST_NAME];
  const char *version = cli_value(args, "fmi"), *path = cli_value(args, "out");
  const char* formulation = cli_value(args, "formulation");
  const char* coordinates = cli_value(args, "coordinates");
  SimulateJob job = {.digits = 12};
  CliLoading load;
  if (!path) return cli_usage_error(args->command, "--out: name the FMU to write");
  if (version && strcmp(version, "2") != 0 && strcmp(version, "3") != 0)
    return cli_usage_error(args->command, "--fmi: expected 2 or 3, found '%s'", version);
  if (!sar_archive_offered())
    return cli_usage_error(args->command,
                           "this build writes no FMUs: it was made without libzip (libzip-dev)");
  if (!cli_find_beside("sarrus_fmu.so", binary, sizeof binary))
    return cli_usage_error(args->command,
                           "the binary for FMUs, sarrus_fmu.so, is not beside the program nor in "
                           "its folder lib/sarrus");
  const int status = simulate_options(args, &job);
  if (status != EXIT_DONE) return status;
  if (!coordinates && formulation && cli_needs_absolute(formulation)) coordinates = "absolute";
  if (!cli_load_options(args, &(CliLoad){.coordinates = coordinates}, &load)) return EXIT_USAGE;
  identifier_of(args, identifier, sizeof identifier);
  SarFmiExport o = {.model = args->operand[0],
                    .name = identifier,
                    .identifier = identifier,
                    .load = &load.o,
                    .sim = &job.sim,
                    .library = binary,
                    .version = version && version[0] == '2' ? 2 : 3,
                    .me = cli_value(args, "me") != NULL,
                    .source = cli_value(args, "source") != NULL};
  if (o.me && o.source)
    return cli_usage_error(args->command, "--source: source FMUs are for co-simulation");
  o.cs = cli_value(args, "cs") != NULL || !o.me;
  return export_model(args, &o, path);
}

static const CliOption options[] = {
    {"out", 'o', "FILE.fmu", "The FMU to write.", "file"},
    {"fmi", 0, "2|3", "Version of the standard (default 3).", NULL},
    {"cs", 0, NULL, "For co-simulation: it makes its own steps (default).", NULL},
    {"me", 0, NULL, "For model exchange: the importer's integrator makes them.", NULL},
    {"source", 0, NULL,
     "C of the model's equations in place of a binary, by fixed steps of rk4: needs nothing of "
     "Sarrus where it is used.",
     NULL},
    {"name", 0, "NAME", "Name of the model in the FMU (default: the file's).", NULL},
    CLI_METHOD,
    CLI_TOLERANCES,
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_export = {
    .name = "export",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Write a model as an FMU, for other simulation programs.",
    .text =
        "Writes a Functional Mock-up Unit (FMI 2.0 or 3.0) with a binary for this platform, the "
        "model and all its files. Inputs, output columns, parameters and states of the model are "
        "its variables. In co-simulation the FMU makes its own steps, bit for bit those of "
        "'sarrus run' with the same options; in model exchange the importer integrates.",
    .examples =
        "sarrus export quarter_car.yaml -o quarter_car.fmu\tco-simulation, FMI 3.0\n"
        "sarrus export arm.yaml --fmi 2 --cs --me -o arm.fmu\tboth kinds, FMI 2.0",
    .options = options,
    .run = run_export,
};
