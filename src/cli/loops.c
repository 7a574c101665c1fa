// sarrus loops: how the dependent coordinates of a mechanism follow from the independent ones (solution
// flow of the kinematics, as in Figs. 2 and 6 of Uchida and McPhee 2012).
#include "cli/cli.h"

#include "base/error.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

#include <string.h>

static const char* const KINDS[] = {"given", "triangular", "newton"};

// "sin A.q" of a variable of the polynomials
static void variable_name(const SarModel* m, const SarLoopVariable* v, char* out, size_t size) {
  char name[SAR_LOOP_NAME];
  sar_embedding_dof_name(m, v->dof, name, sizeof name);
  snprintf(out, size, "%s%s", v->part == 's' ? "sin " : v->part == 'c' ? "cos " : "", name);
}

static void print_names(const SarModel* m, const int* dof, int count) {
  for (int i = 0; i < count; i++) {
    char name[SAR_LOOP_NAME];
    sar_embedding_dof_name(m, dof[i], name, sizeof name);
    printf("%s%s", i ? ", " : "", name);
  }
}

// Elements in the order of their use: the last variable is found first.
static void print_elements(const SarModel* m, const SarLoopBlock* k) {
  for (int v = k->variables - 1; v >= 0; v--) {
    const SarLoopElement* e = &k->element[k->choice[v]];
    char name[SAR_LOOP_NAME + 8];
    variable_name(m, &k->variable[v], name, sizeof name);
    printf("        %-24s degree %d, %3d terms, longest coefficient %d digits\n", name, e->degree,
           e->terms, e->digits);
  }
}

static void print_text(const SarModel* m, const SarSim* s, const SarLoopFlow* f, const char* path) {
  printf("%s: %d coordinates, %d dependent, %d block%s\n", cli_shown(path), m->nv, s->freedom.rank,
         f ? f->blocks : 0, f && f->blocks == 1 ? "" : "s");
  printf("  independent: ");
  bool first = true;
  for (int i = 0; i < m->nv; i++) {
    if (f && f->dof_block[i] >= 0) continue;
    printf("%s", first ? "" : ", ");
    print_names(m, &i, 1);
    first = false;
  }
  printf("%s\n", first ? "none" : "");
  for (int b = 0; f && b < f->blocks; b++) {
    const SarLoopBlock* k = &f->block[b];
    printf("  |\n  v %d. ", b + 1);
    print_names(m, k->dof, k->size);
    printf("   by");
    for (int i = 0, last = -1; i < k->size; i++) {
      const int c = m->row[k->row[i]].constraint;
      if (c != last) printf(" %s", sar_text(m, m->constraint[c].name));
      last = c;
    }
    printf("\n       %s: %s\n", KINDS[k->kind], k->reason);
    if (k->kind != SAR_LOOP_TRIANGULAR) continue;
    printf("       basis of %d elements in %.3g ms (%ld reductions), %d known quantit%s\n",
           k->basis, 1e3 * k->seconds, k->work, k->symbols, k->symbols == 1 ? "y" : "ies");
    print_elements(m, k);
  }
}

static void json_block(SarJson* j, const SarModel* m, const SarLoopBlock* k) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "kind", KINDS[k->kind]);
  sar_json_text(j, "reason", k->reason);
  sar_json_open(j, "coordinates", '[');
  for (int i = 0; i < k->size; i++) {
    char name[SAR_LOOP_NAME];
    sar_embedding_dof_name(m, k->dof[i], name, sizeof name);
    sar_json_text(j, NULL, name);
  }
  sar_json_close(j, ']');
  sar_json_number(j, "seconds", k->seconds);
  sar_json_integer(j, "known", k->symbols);
  sar_json_open(j, "polynomials", '[');
  for (int v = k->variables - 1; k->kind == SAR_LOOP_TRIANGULAR && v >= 0; v--) {
    const SarLoopElement* e = &k->element[k->choice[v]];
    char name[SAR_LOOP_NAME + 8];
    variable_name(m, &k->variable[v], name, sizeof name);
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "of", name);
    sar_json_integer(j, "degree", e->degree);
    sar_json_integer(j, "terms", e->terms);
    sar_json_integer(j, "digits", e->digits);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

static void print_json(const SarModel* m, const SarLoopFlow* f, const char* path) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_text(&j, "status", "ok");
  sar_json_open(&j, "independent", '[');
  for (int i = 0; i < m->nv; i++) {
    char name[SAR_LOOP_NAME];
    sar_embedding_dof_name(m, i, name, sizeof name);
    if (!f || f->dof_block[i] < 0) sar_json_text(&j, NULL, name);
  }
  sar_json_close(&j, ']');
  sar_json_open(&j, "blocks", '[');
  for (int b = 0; f && b < f->blocks; b++) json_block(&j, m, &f->block[b]);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int run_loops(const CliArgs* args) {
  const char* path = args->operand[0];
  int status;
  SarModel* m = cli_load(args, path, &status);
  if (!m) return status;
  SarError err;
  SarData* d = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  SarSimOptions o = sar_sim_options();
  o.formulation = "embedding";
  o.integrator = "rk4";
  o.adaptive = SAR_STEPS_FIXED;
  o.kinematics = "block";
  SarStatus st = sar_data_new(m, &d, &err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, &err);
  cli_report(args, path, st, &err);
  if (st == SAR_OK && args->json) print_json(m, sar_embedding_flow(s), path);
  if (st == SAR_OK && !args->json) print_text(m, s, sar_embedding_flow(s), path);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER",
     "Where to look for included files and package:// resources; may be repeated.", "file"},
    {0}};

const CliCommand cli_command_loops = {
    .name = "loops",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Show how loops are solved.",
    .text =
        "Chooses independent coordinates and shows the order in which the others follow from them, "
        "block by block: by a row that gives one, by polynomials one after the other (a "
        "lexicographic Groebner basis; degree, terms and longest coefficient of each), or by "
        "Newton's method, with the reason. It is what formulation 'embedding' does with "
        "--kinematics block.",
    .examples =
        "sarrus loops crank.yaml\tthe flow of a slider-crank\n"
        "sarrus loops crank.yaml --json\tfor a script",
    .options = options,
    .run = run_loops,
};
