// sarrus convert: a model file in another format.
#include "cli/cli.h"
#include "cli/files.h"

static void print_losses(const CliArgs* args, const SarConversion* c) {
  const SarLoss* loss;
  for (int i = 0; (loss = sar_conversion_loss(c, i)); i++) {
    const char* file = cli_shown(loss->file[0] ? loss->file : args->operand[0]);
    if (loss->line > 0)
      fprintf(stderr, "%s:%d:%d: lost: %s\n", file, loss->line, loss->column,
              cli_shown(loss->text));
    else
      fprintf(stderr, "%s: lost: %s\n", file, cli_shown(loss->text));
  }
}

static void print_json(const CliArgs* args, const SarConversion* c, bool written,
                       const SarError* err) {
  const SarLoss* loss;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", args->operand[0]);
  sar_json_text(&j, "output", args->operand[1]);
  sar_json_text(&j, "format", sar_conversion_format(c));
  sar_json_bool(&j, "written", written);
  sar_json_open(&j, "lost", '[');
  for (int i = 0; (loss = sar_conversion_loss(c, i)); i++) {
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "text", loss->text);
    sar_json_text(&j, "file", loss->file);
    sar_json_integer(&j, "line", loss->line);
    sar_json_integer(&j, "column", loss->column);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  cli_json_messages(&j, err);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static SarStatus write_output(const CliArgs* args, const SarConversion* c, SarError* err) {
  CliOutput out;
  SAR_TRY(cli_output_begin(args, args->operand[1], &out, err));
  const SarStatus st = sar_conversion_write(c, cli_output_path(&out), args->force, err);
  return cli_output_end(&out, st, err);
}

static int finish(const CliArgs* args, const SarConversion* c, SarError* err) {
  const int lost = sar_conversion_losses(c);
  const bool refused = lost > 0 && cli_value(args, "strict");
  print_losses(args, c);
  const SarStatus st = refused ? SAR_OK : write_output(args, c, err);
  cli_report(args, args->operand[0], st, err);
  if (st != SAR_OK) return cli_exit_status(st);
  if (args->json)
    print_json(args, c, !refused, err);
  else
    printf("%s: %s, %d %s lost\n", cli_shown(args->operand[1]),
           refused ? "not written" : sar_conversion_format(c), lost,
           cli_plural(lost, "thing", "things"));
  return refused ? EXIT_MODEL : EXIT_DONE;
}

static int run_convert(const CliArgs* args) {
  CliLoading load;
  SarConversion* c;
  SarError err;
  sar_error_init(&err);
  if (!cli_load_options(args, NULL, &load)) return EXIT_USAGE;
  SarConvertOptions o = sar_convert_options();
  o.format = cli_value(args, "to-format");
  o.load = &load.o;
  o.load_size = sizeof load.o;
  const SarStatus st = sar_convert(args->operand[0], args->operand[1], &o, &c, &err);
  if (st != SAR_OK) {
    cli_report(args, args->operand[0], st, &err);
    return cli_exit_status(st);
  }
  const int status = finish(args, c, &err);
  sar_conversion_free(c);
  return status;
}

static const CliOption options[] = {
    {"to-format", 0, "FORMAT", "yaml, urdf, sdf or mjcf, where the ending of B does not say it.",
     NULL},
    {"strict", 0, NULL, "Write nothing, and end with status 3, where anything would be lost.",
     NULL},
    CLI_SET,
    CLI_PATH,
    {0}};

const CliCommand cli_command_convert = {
    .name = "convert",
    .operands = "A B",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "Write a model file in another format.",
    .text =
        "Reads the model file A (YAML, JSON, URDF, MJCF or SDF) and writes it as B: YAML (.yaml), "
        "URDF (.urdf) or MJCF (.xml). What the format of B does not hold is told on the standard "
        "error, once for each thing, with its place in A; the exit status is 0 all the same, "
        "unless --strict is given. A file B that is there is left alone, unless --force is given.",
    .examples =
        "sarrus convert robot.urdf robot.yaml\ta URDF as a model file to edit\n"
        "sarrus convert arm.yaml arm.xml --strict\tonly if MJCF holds all of it",
    .options = options,
    .run = run_convert,
    .keep_fixed = true,
};
