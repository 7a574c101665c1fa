// sarrus check: read and compile a model, report everything that is wrong with it.
#include "cli/cli.h"

#include "output/json.h"

#include <string.h>

static void print_diag(SarJson* j, const SarDiag* item) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "severity", item->severity == SAR_ERROR ? "error" : "warning");
  sar_json_text(j, "file", item->file);
  sar_json_integer(j, "line", item->line);
  sar_json_integer(j, "column", item->column);
  sar_json_text(j, "text", item->text);
  sar_json_text(j, "hint", item->hint[0] ? item->hint : NULL);
  sar_json_close(j, '}');
}

static void print_json(const char* path, SarStatus st, const SarError* err) {
  SarJson j;
  sar_json_begin(&j, stdout);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_bool(&j, "ok", st == SAR_OK);
  sar_json_integer(&j, "errors", err->errors);
  sar_json_open(&j, "messages", '[');
  for (int i = 0; i < err->count; i++) print_diag(&j, &err->items[i]);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int check_one(const CliArgs* args, const char* path) {
  const char* search = cli_value(args, "path");
  SarLoadOptions o = {.search_paths = &search, .search_path_count = search ? 1 : 0};
  SarError err;
  sar_error_init(&err);
  SarModel* m = NULL;
  SarStatus st = sar_model_load(path, &o, &m, &err);
  if (args->json)
    print_json(path, st, &err);
  else
    cli_print_messages(&err);
  if (st == SAR_OK && !args->json)
    printf("%s: fine (%d bodies, %d joints, %d force elements%s)\n", path,
           sar_model_count(m, SAR_ITEM_BODY),
           sar_model_count(m, SAR_ITEM_JOINT) + sar_model_count(m, SAR_ITEM_CUT),
           sar_model_count(m, SAR_ITEM_FORCE), err.count ? ", with warnings" : "");
  else if (st != SAR_OK && !args->json)
    fprintf(stderr, "%s: %d error%s\n", path, err.errors, err.errors == 1 ? "" : "s");
  sar_model_free(m);
  return cli_exit_status(st);
}

static int run_check(const CliArgs* args) {
  int worst = EXIT_DONE;
  for (int i = 0; i < args->operand_count; i++) {
    int status = check_one(args, args->operand[i]);
    if (status > worst) worst = status;
  }
  return worst;
}

static const CliOption options[] = {
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
    {0}};

const CliCommand cli_command_check = {
    .name = "check",
    .operands = "MODEL...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "Validate models without running them.",
    .text =
        "Reports every error of each file at once, with file, line, column, the name concerned, "
        "what was expected and a "
        "hint. Exit status 3 when one of them is wrong.",
    .examples = "sarrus check models/*.yaml\tall of them",
    .options = options,
    .run = run_check,
};
