// sarrus reduce: a beam of a model as a modal body (component mode synthesis).
#include "cli/cli.h"
#include "cli/files.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_MODES = 60, NODE_NAME = 32 };

typedef struct Attached {
  char text[CLI_MAX_LIST][NODE_NAME];
  const char* name[CLI_MAX_LIST];
  int count;
} Attached;

// Nodes that --attach names, as they stand there.
static bool split_nodes(const CliArgs* args, Attached* a) {
  const char* list = cli_value(args, "attach");
  if (!list) list = "end";
  if (strcmp(list, "none") == 0) return true;
  while (*list) {
    const size_t n = strcspn(list, ",");
    if (a->count == CLI_MAX_LIST) {
      cli_usage_error(args->command, "--attach: at most %d nodes", CLI_MAX_LIST);
      return false;
    }
    snprintf(a->text[a->count], NODE_NAME, "%.*s", n > NODE_NAME - 1 ? NODE_NAME - 1 : (int)n,
             list);
    a->name[a->count] = a->text[a->count];
    a->count++;
    list += n + (list[n] == ',');
  }
  return true;
}

static void tell(const CliArgs* args, const SarReductionReport* r, const char* path) {
  if (args->json) {
    SarJson j;
    cli_json_begin(&j);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "model", args->operand[0]);
    sar_json_text(&j, "beam", r->beam);
    sar_json_text(&j, "output", path);
    sar_json_integer(&j, "nodes", r->nodes);
    sar_json_open(&j, "frequencies", '[');
    for (int i = 0; i < r->modes; i++) sar_json_number(&j, NULL, r->frequency[i]);
    sar_json_close(&j, ']');
    sar_json_close(&j, '}');
    sar_json_end(&j);
    return;
  }
  printf("%s: beam '%s', %d nodes, %d modes, clamped at its start%s%s\n",
         cli_shown(args->operand[0]), r->beam, r->nodes, r->modes, path ? ": " : "",
         path ? cli_shown(path) : "");
  for (int i = 0; i < r->modes; i++)
    printf("  mode %2d  %12.6g Hz  damping ratio %.3g\n", i + 1, r->frequency[i], r->damping[i]);
}

static SarStatus write_output(const CliArgs* args, const char* path, const SarReduction* r,
                              SarError* err) {
  CliOutput out;
  char comment[512];
  SAR_TRY(cli_output_begin(args, path, &out, err));
  sar_snprintf(comment, sizeof comment,
               "Beam '%s' of %s, reduced to a modal body; its modal masses are 1.",
               sar_reduction_report(r)->beam, cli_shown(args->operand[0]));
  return cli_output_end(&out, sar_reduction_write(r, cli_output_path(&out), comment, err), err);
}

static SarStatus reduce(const CliArgs* args, const SarModel* m, const SarReduceOptions* o,
                        SarError* err) {
  const char* path = cli_value(args, "output");
  SarReduction* r;
  SarStatus st = sar_reduce(m, o, &r, err);
  if (st == SAR_OK && path) st = write_output(args, path, r, err);
  if (st == SAR_OK) tell(args, sar_reduction_report(r), path);
  sar_reduction_free(r);
  return st;
}

static int run_reduce(const CliArgs* args) {
  double modes = 4, keep = HUGE_VAL;
  int status = EXIT_DONE;
  Attached attached = {.count = 0};
  if (!cli_number(args, "modes", &modes) || !cli_number(args, "keep", &keep)) return EXIT_USAGE;
  if (!(modes >= 0 && modes <= MOST_MODES && modes == floor(modes)))
    return cli_usage_error(args->command, "--modes: expected a whole number from 0 to %d",
                           MOST_MODES);
  if (!(keep >= 1 && (keep == floor(keep))))
    return cli_usage_error(args->command, "--keep: expected a whole number, at least 1");
  if (!split_nodes(args, &attached)) return EXIT_USAGE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  SarReduceOptions o = sar_reduce_options();
  o.beam = cli_value(args, "beam");
  o.modes = (int)modes, o.keep = (int)fmin(keep, INT_MAX);
  o.attach = attached.name, o.attach_count = attached.count;
  o.linear = cli_value(args, "linear") != NULL;
  SarError err;
  sar_error_init(&err);
  const SarStatus st = reduce(args, m, &o, &err);
  cli_report(args, args->operand[0], st, &err);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"beam", 0, "NAME", "Which beam; not needed where there is one.", NULL},
    {"modes", 0, "N", "Normal modes with fixed ends, 0 to 60 (default 4).", NULL},
    {"attach", 0, "NODES",
     "Nodes that others will be attached to, six static modes each: end (default), 3, 3,end, none.",
     NULL},
    {"keep", 0, "N",
     "Keep the first N of all these modes, which are orthogonal (default: all): without the stiff "
     "ones.",
     NULL},
    {"linear", 0, NULL, "Leave out second-order displacements (no geometric stiffening).", NULL},
    {"output", 'o', "FILE", "Write the modal body to FILE, for models to include.", "file"},
    CLI_SET,
    CLI_PATH,
    {0}};

const CliCommand cli_command_reduce = {
    .name = "reduce",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Make a modal body from a beam.",
    .text =
        "Reduces a beam of the model to a modal body (component mode synthesis by Craig and "
        "Bampton): static modes of the nodes that others are attached to, normal modes with these "
        "and the start held fixed, made orthogonal. The frame of the body is that of the beam's "
        "first node. What it writes is a file with a section 'modal_bodies' that a model includes "
        "instead of the beam; FILE.h5 holds nodes and modes alone, for 'file' of a modal body.",
    .examples =
        "sarrus reduce flexible_arm.yaml --modes 4 -o arm_modal.yaml\tsix static, four normal "
        "modes\n"
        "sarrus reduce blade.yaml --attach none --modes 8\tfrequencies of the clamped blade",
    .options = options,
    .run = run_reduce,
    .keep_fixed = true,
};
