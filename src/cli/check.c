// sarrus check: read, compile and assemble a model, report everything that is wrong with it.
#include "cli/cli.h"

static void print_fine(const char* path, const SarModel* m, int freedoms, bool warned) {
  const int bodies = sar_model_count(m, SAR_ITEM_BODY), joints = sar_model_count(m, SAR_ITEM_JOINT);
  const int forces = sar_model_count(m, SAR_ITEM_FORCE);
  printf("%s: fine (%d %s, %d %s, %d %s, %d %s of freedom%s)\n", cli_shown(path), bodies,
         cli_plural(bodies, "body", "bodies"), joints, cli_plural(joints, "joint", "joints"),
         forces, cli_plural(forces, "force element", "force elements"), freedoms,
         cli_plural(freedoms, "degree", "degrees"), warned ? ", with warnings" : "");
}

// Whether it can be put together, and whether the simulation block names what there is.
static SarStatus look_at(const SarModel* m, SarAssembly* found, SarError* err) {
  SarData* d;
  SarStatus st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_assemble(d, found, err);
  sar_data_free(d);
  const SarStatus names = sar_model_check(m, err);
  return names == SAR_OK ? st : names;
}

// j: where the verdict goes; NULL: as text
static int check_one(const SarLoadOptions* o, const char* path, SarJson* j) {
  SarError err;
  sar_error_init(&err);
  SarModel* m = NULL;
  SarAssembly found;
  SarStatus st = sar_model_load(path, o, &m, &err);
  if (st == SAR_OK) st = look_at(m, &found, &err);
  if (j)
    cli_json_verdict(j, path, st, &err);
  else
    cli_print_messages(&err);
  if (st == SAR_OK && !j)
    print_fine(path, m, found.freedoms, err.count > 0);
  else if (st != SAR_OK && !j)
    fprintf(stderr, "%s: %d error%s\n", cli_shown(path), err.errors, err.errors == 1 ? "" : "s");
  sar_model_free(m);
  return cli_exit_status(st);
}

static int run_check(const CliArgs* args) {
  // one model: an object; several: a list of them
  SarJson json, *j = args->json ? &json : NULL;
  bool several = args->operand_count > 1;
  int worst = EXIT_DONE;
  CliLoading load;
  const CliLoad how = {.coordinates = cli_value(args, "coordinates")};
  if (!cli_load_options(args, &how, &load)) return EXIT_USAGE;
  if (j) cli_json_begin(j);
  if (j && several) sar_json_open(j, NULL, '[');
  for (int i = 0; i < args->operand_count; i++) {
    int status = check_one(&load.o, args->operand[i], j);
    if (status > worst) worst = status;
  }
  if (j && several) sar_json_close(j, ']');
  if (j) sar_json_end(j);
  return worst;
}

static const CliOption options[] = {
    {"set", 0, "NAME=VALUE", "Set a parameter of the models; may be repeated.", NULL},
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_check = {
    .name = "check",
    .operands = "MODEL...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "Validate models without running them.",
    .text =
        "Reports every error of each file at once, with file, line, column, the name concerned, "
        "what was expected and a hint. Loops are closed and drives tried at the start, so that a "
        "mechanism that cannot be assembled, is over-driven or locked is found here too. Exit "
        "status 3 when one is wrong.",
    .examples =
        "sarrus check models/*.yaml\tall of them\n"
        "sarrus check crane.yaml --set reach=12\tdoes it close with another parameter?",
    .options = options,
    .run = run_check,
};
