// sarrus info: what a model is made of, with a drawing of its tree.
#include "cli/cli.h"

#include "output/describe.h"
#include "model/model.h"
#include "sim/assemble.h"

#include <math.h>

static void json_joints(SarJson* j, const SarModel* m) {
  sar_json_open(j, "joints", '[');
  for (int b = 0; b < sar_model_count(m, SAR_ITEM_JOINT); b++) {
    SarJointInfo info;
    if (sar_joint_info(m, b, &info) != SAR_OK || info.role == SAR_JOINT_LOOP) continue;
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", info.name);
    sar_json_text(j, "kind", info.kind);
    sar_json_text(j, "parent", sar_holder_name(m, info.parent));
    sar_json_text(j, "body", sar_holder_name(m, b));
    sar_json_number(j, "mass", b < m->nbody ? m->body_inertia[b].m : m->fixed_mass[b - m->nbody]);
    sar_json_bool(j, "merged", b >= m->nbody);
    sar_json_integer(j, "qadr", info.qadr);
    sar_json_integer(j, "nq", info.nq);
    sar_json_integer(j, "vadr", info.vadr);
    sar_json_integer(j, "nv", info.nv);
    sar_json_bool(j, "turned", info.turned);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void json_cuts(SarJson* j, const SarModel* m) {
  sar_json_open(j, "cuts", '[');
  for (int i = 0; i < m->ncut; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", sar_text(m, m->cut[i].name));
    sar_json_text(j, "kind", m->cut[i].kind->name);
    sar_json_text(j, "parent", sar_holder_name(m, m->cut[i].holder[0]));
    sar_json_text(j, "child", sar_holder_name(m, m->cut[i].holder[1]));
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void json_constraints(SarJson* j, const SarModel* m) {
  sar_json_open(j, "constraints", '[');
  for (int i = 0; i < m->nconstraint; i++) {
    const SarConstraint* c = &m->constraint[i];
    const char* kind = c->kind                     ? c->kind->name
                       : c->source == SAR_FROM_CUT ? m->cut[c->index].kind->name
                                                   : "mimic";
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", sar_text(m, c->name));
    sar_json_text(j, "kind", kind);
    sar_json_integer(j, "equations", c->rows);
    sar_json_integer(j, "identical", c->identical);
    sar_json_bool(j, "drive", c->drive);
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

static const char* const PLANE[] = {"", "xy", "xz", "yz"};

// What the constraints leave of the motion. False: the mechanism cannot be put together, said so.
typedef struct Freedom {
  SarFreedom found;
  char redundant[600];
  bool known;
} Freedom;

// A lack of memory ends the command; a mechanism that cannot be put together does not.
static SarStatus find_freedom(const SarModel* m, Freedom* f) {
  SarError err;
  sar_error_init(&err);
  const SarStatus st = sar_find_freedom(m, &f->found, f->redundant, sizeof f->redundant, &err);
  f->known = st == SAR_OK;
  cli_print_messages(&err);
  return st == SAR_NO_MEMORY ? st : SAR_OK;
}

static void json_freedom(SarJson* j, const SarModel* m, const Freedom* f) {
  sar_json_integer(j, "equations", m->nrow);
  if (!f->known) return;
  sar_json_integer(j, "freedoms", m->nv - f->found.rank);
  sar_json_integer(j, "redundant", f->found.rows - f->found.rank);
  sar_json_text(j, "redundant_constraints", f->redundant);
  sar_json_bool(j, "singular_start", f->found.rank_here < f->found.rank);
}

static void print_json(const SarModel* m, const char* path, const Freedom* f) {
  SarJson j;
  double mass = m->ground_inertia.m;
  for (int b = 0; b < m->nbody; b++) mass += m->body_inertia[b].m;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_text(&j, "name", sar_text(m, m->name));
  sar_json_text(&j, "coordinates", m->absolute ? "absolute" : "relative");
  sar_json_text(&j, "planar", PLANE[m->planar]);
  sar_json_integer(&j, "bodies", sar_model_count(m, SAR_ITEM_BODY));
  sar_json_integer(&j, "nq", m->nq);
  sar_json_integer(&j, "nv", m->nv);
  json_freedom(&j, m, f);
  sar_json_number(&j, "mass", mass);
  sar_json_integer(&j, "bytes", (long)m->bytes);
  json_joints(&j, m);
  json_cuts(&j, m);
  json_constraints(&j, m);
  json_names(&j, m, "forces", SAR_ITEM_FORCE);
  json_names(&j, m, "inputs", SAR_ITEM_INPUT);
  if (m->nz > 0) json_names(&j, m, "states", SAR_ITEM_STATE);
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
    const SarDescribeFreedom freedom = {f.found.rows, f.found.rank, f.redundant,
                                        f.found.rank_here < f.found.rank};
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
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER",
     "Where to look for included files and package:// resources; may be repeated.", "file"},
    {0}};

const CliCommand cli_command_info = {
    .name = "info",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Show what a model is made of.",
    .text =
        "Prints bodies, joints and force elements, draws the tree that the model was made into, "
        "names the joints that close "
        "loops, and counts coordinates and degrees of freedom.",
    .examples = "sarrus info robot.urdf\tthe tree of a robot",
    .options = options,
    .run = run_info,
};
