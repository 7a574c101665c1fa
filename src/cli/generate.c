// sarrus generate: a model as C.
#include "cli/files.h"
#include "cli/generate_check.h"

#include "codegen/generate.h"
#include "formulations/embedding/plan.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PATH = 1024, MOST_KEPT = 16 };

// ---- options ------------------------------------------------------------------------------------

// The place of a word in a list of names; -1: a usage error.
static int find_word(const CliArgs* args, const char* option, const char* word,
                     const char* (*name)(int)) {
  char known[160];
  size_t used = 0;
  for (int i = 0; name(i); i++) {
    if (strcmp(name(i), word) == 0) return i;
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", name(i));
  }
  cli_usage_error(args->command, "--%s: expected one of %s, found '%s'", option, known, word);
  return -1;
}

// NAME of .../NAME.yaml, unless --name says another one
static const char* name_of(const CliArgs* args, SarArena* arena) {
  const char *given = cli_value(args, "name"), *path = args->operand[0];
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  const char* dot = strrchr(base, '.');
  const char* text =
      given ? given : sar_arena_strndup(arena, base, dot ? (size_t)(dot - base) : strlen(base));
  return text ? sar_identifier(arena, text) : NULL;
}

static bool read_options(const CliArgs* args, const SarModel* m, SarArena* arena,
                         SarGenerateOptions* o) {
  const char *method = cli_value(args, "method"), *integrator = cli_value(args, "integrator");
  const bool implicit = integrator && strcmp(integrator, "trapezoidal") == 0;
  if (!method)
    method = implicit                  ? "hybrid"
             : m->nrow > 0             ? "lagrange"
             : cli_value(args, "keep") ? "crba"
                                       : "aba";
  if (!integrator) integrator = strcmp(method, "hybrid") == 0 ? "trapezoidal" : "rk4";
  const int which = find_word(args, "method", method, sar_generate_method_name);
  const int how = find_word(args, "integrator", integrator, sar_generate_integrator_name);
  *o = (SarGenerateOptions){.name = name_of(args, arena), .model = args->operand[0]};
  if (which < 0 || how < 0) return false;
  o->method = (SarGenerateMethod)which;
  o->integrator = (SarGenerateIntegrator)how;
  o->single = cli_value(args, "single") != NULL;
  o->derivatives = cli_value(args, "derivatives") != NULL;
  double lanes = 1;
  if (!cli_positive(args, "lanes", &lanes)) return false;
  if (lanes != 1 && lanes != 4 && lanes != 8) {
    cli_usage_error(args->command, "--lanes: expected 1, 4 or 8");
    return false;
  }
  o->lanes = lanes > 1 ? (int)lanes : 0;
  return true;
}

// --keep NAME,NAME...
static bool read_keep(const CliArgs* args, SarArena* arena, SarGenerateOptions* o) {
  const char* at = cli_value(args, "keep");
  const char** name = SAR_ARENA_ARRAY(arena, const char*, MOST_KEPT);
  o->keep = name;
  for (; name && at && *at; at += *at == ',') {
    const size_t n = strcspn(at, ",");
    if (n == 0 || o->keeps == MOST_KEPT) {
      cli_usage_error(args->command, "--keep: expected at most %d names with commas between",
                      MOST_KEPT);
      return false;
    }
    name[o->keeps++] = sar_arena_strndup(arena, at, n);
    at += n;
  }
  return !arena->failed;
}

// ---- files --------------------------------------------------------------------------------------

static SarStatus write_file(const CliArgs* args, const char* folder, const char* name,
                            const SarWriter* text, SarError* err) {
  char path[MOST_PATH], beside[MOST_PATH + 32];
  struct stat s;
  const SarLoc loc = {.file = path};
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
    sar_report(err, (SarLoc){0}, "", "the name of folder '%s' is too long", folder);
    return SAR_BAD_ARGUMENT;
  }
  if (stat(path, &s) == 0 && !args->force) {
    sar_report(err, loc, "name another folder, or say --force",
               "not written: there is such a file");
    return SAR_BAD_ARGUMENT;
  }
  // written beside it and renamed: a link is replaced, not what it leads to, which may be the model
  snprintf(beside, sizeof beside, "%s/.%ld-%s", folder, (long)getpid(), name);
  FILE* file = fopen(beside, "w");
  const size_t n = (size_t)text->text.count;
  bool done = file && fwrite(text->text.items, 1, n, file) == n;
  done = (!file || fclose(file) == 0) && done;
  if (!done || rename(beside, path) != 0) {
    sar_report(err, loc, "", "cannot be written: %s", strerror(errno));
    if (file) unlink(beside);
    return SAR_NO_FILE;
  }
  return SAR_OK;
}

typedef struct Texts {
  SarWriter test, cmake, readme;
  SarWriter lanes_header, lanes_source, lanes_test;
} Texts;

static SarStatus write_lanes(const CliArgs* args, const SarGeneration* g, const Texts* t,
                             SarError* err) {
  const char* folder = cli_value(args, "out");
  char name[160];
  snprintf(name, sizeof name, "%.140s_lanes.h", g->o.name);
  SAR_TRY(write_file(args, folder, name, &t->lanes_header, err));
  snprintf(name, sizeof name, "%.140s_lanes.c", g->o.name);
  SAR_TRY(write_file(args, folder, name, &t->lanes_source, err));
  snprintf(name, sizeof name, "%.140s_lanes_test.c", g->o.name);
  return write_file(args, folder, name, &t->lanes_test, err);
}

static SarStatus write_all(const CliArgs* args, const SarGeneration* g, const Texts* t,
                           SarError* err) {
  const char* folder = cli_value(args, "out");
  char header[160], source[160], test[160];
  snprintf(header, sizeof header, "%.140s.h", g->o.name);
  snprintf(source, sizeof source, "%.140s.c", g->o.name);
  snprintf(test, sizeof test, "%.140s_test.c", g->o.name);
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    sar_report(err, (SarLoc){.file = folder}, "", "cannot be made: %s", strerror(errno));
    return SAR_NO_FILE;
  }
  SAR_TRY(write_file(args, folder, header, &g->header, err));
  SAR_TRY(write_file(args, folder, source, &g->source, err));
  SAR_TRY(write_file(args, folder, test, &t->test, err));
  if (g->o.lanes > 0) SAR_TRY(write_lanes(args, g, t, err));
  SAR_TRY(write_file(args, folder, "CMakeLists.txt", &t->cmake, err));
  return write_file(args, folder, "README.md", &t->readme, err);
}

// ---- the command --------------------------------------------------------------------------------

static void print_summary(const CliArgs* args, const SarGeneration* g, const SarCheck* check) {
  const char* folder = cli_value(args, "out");
  const int statements = g->accelerations.statements + g->projection.statements +
                         g->outputs.statements + g->derivatives.statements;
  const int left = g->m->nchannel - g->names.outputs;
  if (args->json) {
    SarJson j;
    cli_json_begin(&j);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "model", g->o.model);
    sar_json_text(&j, "folder", folder);
    sar_json_text(&j, "name", g->o.name);
    sar_json_text(&j, "method", sar_generate_method_name((int)g->o.method));
    sar_json_text(&j, "integrator", sar_generate_integrator_name((int)g->o.integrator));
    sar_json_integer(&j, "statements", statements);
    sar_json_integer(&j, "acceleration_statements", g->accelerations.statements);
    sar_json_integer(&j, "outputs", g->names.outputs);
    sar_json_integer(&j, "outputs_left_out", left);
    sar_json_integer(&j, "tested_steps", check->steps);
    sar_json_close(&j, '}');
    sar_json_end(&j);
    return;
  }
  printf("%s: %s, %s: %d statements for the accelerations, %d in all\n", cli_shown(folder),
         sar_generate_method_name((int)g->o.method),
         sar_generate_integrator_name((int)g->o.integrator), g->accelerations.statements,
         statements);
  if (left > 0)
    printf("%d of %d output columns have no equations; %s.h names them\n", left, g->m->nchannel,
           g->o.name);
  printf("cmake -S %s -B %s/build && cmake --build %s/build && ctest --test-dir %s/build\n",
         cli_shown(folder), cli_shown(folder), cli_shown(folder), cli_shown(folder));
}

static SarStatus generate(const CliArgs* args, const SarModel* m, SarGenerateOptions* o,
                          SarArena* arena, SarError* err) {
  SarData* d = NULL;
  SarSim* sim = NULL;
  SarGeneration g;
  SarCheck check;
  Texts t = {.test.arena = arena, .cmake.arena = arena, .readme.arena = arena};
  t.lanes_header = t.lanes_source = t.lanes_test = t.test;
  SarStatus st = sar_data_new(m, &d, err);
  // what cannot be generated is told before anything is assembled
  if (st == SAR_OK) st = sar_generation_begin(&g, m, d, o, arena, err);
  if (st == SAR_OK) st = generate_check_start(m, d, o, &sim, err);
  if (st == SAR_OK && o->method == SAR_GENERATE_EMBEDDING) o->flow = sar_embedding_flow(sim);
  SarImplicitRows rows;
  if (st == SAR_OK && o->method == SAR_GENERATE_HYBRID) {
    rows = generate_check_rows(sim);
    o->rows = &rows;
  }
  if (st == SAR_OK) st = sar_generation_begin(&g, m, d, o, arena, err);
  if (st == SAR_OK) st = sar_generation_keep(&g, err);
  if (st == SAR_OK) st = sar_generation_write(&g);
  if (st == SAR_OK && o->lanes > 0)
    st = sar_generation_lanes(&g, false, &t.lanes_header, &t.lanes_source, &t.lanes_test);
  if (st == SAR_OK) st = generate_check_fill(sim, o, arena, &check);
  if (st == SAR_OK && o->derivatives && o->keeps > 0) st = generate_check_kept(&g, arena, &check);
  if (st == SAR_OK) {
    sar_generation_test(&g, &check, &t.test);
    sar_generation_cmake(&g, &t.cmake);
    sar_generation_readme(&g, &t.readme);
    if (arena->failed) st = SAR_NO_MEMORY;
  }
  if (st == SAR_OK) st = write_all(args, &g, &t, err);
  if (st == SAR_OK) print_summary(args, &g, &check);
  sar_sim_free(sim);
  sar_data_free(d);
  return st;
}

static int run_generate(const CliArgs* args) {
  int status;
  CliLoading load;
  if (!cli_value(args, "out"))
    return cli_usage_error(args->command, "--out: name the folder to write to");
  if (!cli_load_options(args, NULL, &load)) return EXIT_USAGE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  SarArena arena;
  SarError err;
  SarGenerateOptions o;
  sar_arena_init(&arena);
  sar_error_init(&err);
  status = EXIT_USAGE;
  if (read_options(args, m, &arena, &o) && read_keep(args, &arena, &o)) {
    o.load = &load.o;
    const SarStatus st = generate(args, m, &o, &arena, &err);
    cli_report(args, args->operand[0], st, &err);
    status = cli_exit_status(st);
  }
  sar_arena_free(&arena);
  sar_model_free(m);
  return status;
}

static const CliOption options[] = {
    {"out", 'o', "FOLDER", "Where to write; made if it is not there.", "file"},
    {"method", 0, "NAME",
     "aba or crba (open trees), lagrange or embedding (constraints), hybrid (implicit steps); "
     "default: aba (with --keep crba), or lagrange where there are constraints.",
     NULL},
    {"integrator", 0, "NAME",
     "euler, semi-implicit or rk4 (default); trapezoidal with hybrid, its default.", NULL},
    {"single", 0, NULL, "Single precision: float in place of double.", NULL},
    {"derivatives", 0, NULL,
     "Also the exact first derivatives of the accelerations by positions, speeds, forces, inputs, "
     "states, time and what --keep names.",
     NULL},
    {"lanes", 0, "N",
     "4 or 8: also code that advances so many instances at a time, by vectors (default 1: none).",
     NULL},
    {"keep", 0, "NAMES",
     "Parameters that stay parameters of the code, with commas between (default: all are numbers).",
     NULL},
    {"name", 0, "NAME", "What all names begin with (default: the model file's).", NULL},
    CLI_SET,
    CLI_PATH,
    {0}};

const CliCommand cli_command_generate = {
    .name = "generate",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Write a model's equations of motion as C.",
    .text =
        "Writes a folder with C11 that needs libm and nothing else: accelerations, a step, the "
        "model's output columns, with structs whose members have the model's names; a test program "
        "that compares with numbers of this program; a CMakeLists.txt and a README. All that is "
        "constant is folded into the numbers, but for parameters that --keep names. What has no "
        "equations (contact, motors by impulses, switches) is named, and then nothing is written.",
    .examples =
        "sarrus generate robot.urdf -o robot_c\tforward dynamics by articulated bodies\n"
        "sarrus generate suspension.yaml -o c --integrator semi-implicit\ta closed loop",
    .options = options,
    .run = run_generate,
};
