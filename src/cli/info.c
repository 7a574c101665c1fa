// sarrus info: what a model is made of, with a drawing of its tree.
#include "cli/cli.h"

#include "output/describe.h"

static const char* body_name(const SarModel* m, int body) {
  return body < 0 ? "ground" : sar_model_name(m, SAR_ITEM_BODY, body);
}

static void json_joint(SarJson* j, const SarModel* m, const SarJointInfo* info) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", info->name);
  sar_json_text(j, "kind", info->kind);
  sar_json_text(j, "parent", body_name(m, info->parent));
  sar_json_text(j, "body", body_name(m, info->body));
  sar_json_number(j, "mass", sar_body_mass(m, info->body));
  sar_json_bool(j, "merged", info->role == SAR_JOINT_FIXED);
  sar_json_integer(j, "qadr", info->qadr);
  sar_json_integer(j, "nq", info->nq);
  sar_json_integer(j, "vadr", info->vadr);
  sar_json_integer(j, "nv", info->nv);
  sar_json_bool(j, "turned", info->turned);
  sar_json_close(j, '}');
}

static void json_cut(SarJson* j, const SarModel* m, const SarJointInfo* info) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", info->name);
  sar_json_text(j, "kind", info->kind);
  sar_json_text(j, "parent", body_name(m, info->parent));
  sar_json_text(j, "child", body_name(m, info->body));
  sar_json_close(j, '}');
}

// Those that carry a body, and those that close loops.
static void json_joints(SarJson* j, const SarModel* m) {
  const int count = sar_model_count(m, SAR_ITEM_JOINT);
  SarJointInfo info;
  sar_json_open(j, "joints", '[');
  for (int i = 0; i < count; i++)
    if (sar_joint_info(m, i, &info) == SAR_OK && info.role != SAR_JOINT_LOOP)
      json_joint(j, m, &info);
  sar_json_close(j, ']');
  sar_json_open(j, "cuts", '[');
  for (int i = 0; i < count; i++)
    if (sar_joint_info(m, i, &info) == SAR_OK && info.role == SAR_JOINT_LOOP) json_cut(j, m, &info);
  sar_json_close(j, ']');
}

static void json_constraints(SarJson* j, const SarModel* m) {
  SarConstraintInfo c;
  sar_json_open(j, "constraints", '[');
  for (int i = 0; sar_constraint_info(m, i, &c) == SAR_OK; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", c.name);
    sar_json_text(j, "kind", c.kind);
    sar_json_integer(j, "equations", c.equations);
    sar_json_integer(j, "identical", c.identical);
    sar_json_bool(j, "drive", c.drive);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void json_names(SarJson* j, const SarModel* m, const char* key, SarItem item) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < sar_model_count(m, item); i++)
    sar_json_text(j, NULL, sar_model_name(m, item, i));
  sar_json_close(j, ']');
}

// What the constraints leave of the motion; not known where the mechanism cannot be put together.
typedef struct Freedom {
  SarAssembly found;
  bool known;
} Freedom;

// A lack of memory ends the command; a mechanism that cannot be put together does not.
static SarStatus find_freedom(const SarModel* m, Freedom* f) {
  SarError err;
  SarData* d;
  sar_error_init(&err);
  SarStatus st = sar_data_new(m, &d, &err);
  if (st == SAR_OK) st = sar_assemble(d, &f->found, &err);
  f->known = st == SAR_OK;
  sar_data_free(d);
  cli_print_messages(&err);
  return st == SAR_NO_MEMORY ? st : SAR_OK;
}

static void json_freedom(SarJson* j, int equations, const Freedom* f) {
  sar_json_integer(j, "equations", equations);
  if (!f->known) return;
  sar_json_integer(j, "freedoms", f->found.freedoms);
  sar_json_integer(j, "redundant", f->found.equations - f->found.independent);
  sar_json_text(j, "redundant_constraints", f->found.redundant);
  sar_json_bool(j, "singular_start", f->found.singular);
}

static void print_json(const SarModel* m, const char* path, const Freedom* f) {
  SarJson j;
  SarModelInfo info;
  sar_model_info(m, &info);
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_text(&j, "name", info.name);
  sar_json_text(&j, "coordinates",
                info.absolute        ? "absolute"
                : info.platforms > 0 ? "mixed"
                                     : "relative");
  sar_json_text(&j, "planar", info.plane);
  sar_json_integer(&j, "bodies", sar_model_count(m, SAR_ITEM_BODY));
  sar_json_integer(&j, "nq", sar_model_nq(m));
  sar_json_integer(&j, "nv", sar_model_nv(m));
  json_freedom(&j, info.equations, f);
  sar_json_number(&j, "mass", info.mass);
  sar_json_integer(&j, "bytes", (long)info.bytes);
  json_joints(&j, m);
  json_constraints(&j, m);
  json_names(&j, m, "forces", SAR_ITEM_FORCE);
  json_names(&j, m, "inputs", SAR_ITEM_INPUT);
  if (sar_model_count(m, SAR_ITEM_STATE) > 0) json_names(&j, m, "states", SAR_ITEM_STATE);
  if (sar_model_count(m, SAR_ITEM_KEY) > 0) json_names(&j, m, "keys", SAR_ITEM_KEY);
  json_names(&j, m, "points", SAR_ITEM_POINT);
  json_names(&j, m, "outputs", SAR_ITEM_OUTPUT);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static void print_line(void* context, const char* line) { fprintf(context, "%s\n", line); }

static int run_info(const CliArgs* args) {
  int status = EXIT_DONE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  Freedom f = {0};
  const SarStatus st = find_freedom(m, &f);
  if (st != SAR_OK) {
    sar_model_free(m);
    return cli_exit_status(st);
  }
  if (args->json)
    print_json(m, args->operand[0], &f);
  else {
    const SarDescribeFreedom freedom = {f.found.equations, f.found.independent, f.found.redundant,
                                        f.found.singular};
    SarDescribeOptions o = {.full = cli_value(args, "full") != NULL,
                            .ascii = cli_value(args, "ascii") != NULL,
                            .freedom = f.known ? &freedom : NULL};
    sar_describe(m, &o, print_line, stdout);
  }
  sar_model_free(m);
  return EXIT_DONE;
}

static const CliOption options[] = {
    {"full", 0, NULL, "Every line; otherwise long chains and rows of like branches are shortened.",
     NULL},
    {"ascii", 0, NULL, "Draw the tree without box-drawing characters.", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_info = {
    .name = "info",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Show what a model is made of.",
    .text =
        "Prints bodies, joints and force elements, draws the tree that the model was made into, "
        "names the joints that close loops, and counts coordinates and degrees of freedom.",
    .examples = "sarrus info robot.urdf\tthe tree of a robot",
    .options = options,
    .run = run_info,
};
