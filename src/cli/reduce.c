// sarrus reduce: a beam of a model as a modal body (component mode synthesis).
#include "analysis/reduce.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "output/modal_file.h"

#include <math.h>
#include <string.h>

// Numbers of the nodes that --attach names; false after a message.
static bool attached_nodes(const CliArgs* args, const SarModel* m, const char* beam, int* node,
                           int* count) {
  const char* list = cli_value(args, "attach");
  *count = 0;
  if (!list) list = "end";
  if (strcmp(list, "none") == 0) return true;
  while (*list) {
    char word[32];
    const size_t n = strcspn(list, ",");
    snprintf(word, sizeof word, "%.*s", n > 31 ? 31 : (int)n, list);
    const int k = sar_reduce_node(m, beam, word);
    if (k < 0 || *count == CLI_MAX_LIST) {
      cli_usage_error(args->command, "--attach: beam '%s' has no node '%s' behind its start", beam,
                      cli_shown(word));
      return false;
    }
    bool again = false;
    for (int i = 0; i < *count; i++) again = again || node[i] == k;
    if (!again) node[(*count)++] = k;
    list += n + (list[n] == ',');
  }
  return true;
}

static void tell(const CliArgs* args, const char* beam, const SarReduction* r, const char* path) {
  const SarModalShape* s = r->shape;
  if (args->json) {
    SarJson j;
    cli_json_begin(&j);
    sar_json_text(&j, "model", args->operand[0]);
    sar_json_text(&j, "beam", beam);
    sar_json_text(&j, "output", path);
    sar_json_integer(&j, "nodes", s->nodes);
    sar_json_open(&j, "frequencies", '[');
    for (int i = 0; i < s->modes; i++)
      sar_json_number(&j, NULL, sqrt(fmax(0, s->stiffness[i * s->modes + i])) / 6.283185307179586);
    sar_json_close(&j, ']');
    sar_json_close(&j, '}');
    sar_json_end(&j);
    return;
  }
  printf("%s: beam '%s', %d nodes, %d modes, clamped at its start%s%s\n",
         cli_shown(args->operand[0]), beam, s->nodes, s->modes, path ? ": " : "",
         path ? cli_shown(path) : "");
  for (int i = 0; i < s->modes; i++)
    printf("  mode %2d  %12.6g Hz  damping ratio %.3g\n", i + 1,
           sqrt(fmax(0, s->stiffness[i * s->modes + i])) / 6.283185307179586, s->damping[i]);
}

// Is it the name of a file in HDF5?
static bool ends_in_h5(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

static bool write_text(const char* path, const SarModalFile* file) {
  FILE* f = fopen(path, "w");
  if (f) sar_modal_write(f, file);
  const bool written = f && !ferror(f);
  return f && fclose(f) == 0 && written;
}

static SarStatus write_output(const CliArgs* args, const char* path, const char* beam,
                              const SarReduction* r, SarError* err) {
  CliOutput out;
  SAR_TRY(cli_output_begin(args, path, &out, err));
  char comment[512];
  sar_snprintf(comment, sizeof comment,
               "Beam '%s' of %s, reduced to a modal body; its modal masses are 1.", beam,
               cli_shown(args->operand[0]));
  const SarModalFile file = {comment, beam, r->holder, r->X_HE, r->node, r->shape, r->radius};
  const bool written = ends_in_h5(path) ? sar_modal_write_hdf5(cli_output_path(&out), &file)
                                        : write_text(cli_output_path(&out), &file);
  if (!written) sar_report(err, (SarLoc){path, 0, 0}, "", "the file cannot be written");
  return cli_output_end(&out, written ? SAR_OK : SAR_NO_FILE, err);
}

static SarStatus reduce(const CliArgs* args, const SarModel* m, int modes, SarArena* arena,
                        bool* usage, SarError* err) {
  int attached[CLI_MAX_LIST];
  SarReduction r;
  const char* path = cli_value(args, "output");
  SarReduceOptions o = {.beam = sar_reduce_beam(arena, m, cli_value(args, "beam"), err),
                        .modes = modes,
                        .attached = attached,
                        .linear = cli_value(args, "linear") != NULL};
  if (!o.beam) return SAR_BAD_ARGUMENT;
  *usage = !attached_nodes(args, m, o.beam, attached, &o.attached_count);
  if (*usage) return SAR_BAD_ARGUMENT;
  SAR_TRY(sar_reduce(arena, m, &o, &r, err));
  if (path) SAR_TRY(write_output(args, path, o.beam, &r, err));
  tell(args, o.beam, &r, path);
  return SAR_OK;
}

static int run_reduce(const CliArgs* args) {
  double modes = 4;
  int status = EXIT_DONE;
  bool usage = false;
  if (!cli_number(args, "modes", &modes)) return EXIT_USAGE;
  if (!(modes >= 0 && modes <= SAR_REDUCE_MOST_MODES && modes == floor(modes)))
    return cli_usage_error(args->command, "--modes: expected a whole number from 0 to %d",
                           SAR_REDUCE_MOST_MODES);
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  SarArena arena;
  SarError err;
  sar_arena_init(&arena);
  sar_error_init(&err);
  const SarStatus st = reduce(args, m, (int)modes, &arena, &usage, &err);
  if (!usage) cli_report(args, args->operand[0], st, &err);
  sar_arena_free(&arena);
  sar_model_free(m);
  return usage ? EXIT_USAGE : cli_exit_status(st);
}

static const CliOption options[] = {
    {"beam", 0, "NAME", "Which beam; not needed where there is one.", NULL},
    {"modes", 0, "N", "Normal modes with fixed ends, 0 to 60 (default 4).", NULL},
    {"attach", 0, "NODES",
     "Nodes that others will be attached to, six static modes each: end (default), 3, 3,end, none.",
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
