// sarrus list: what there is of each kind, one line each.
#include "cli/list_elements.h"

#include "model/sim.h"

#include <string.h>

static const char* const lists[] = {"formulations", "integrators", "joints",     "forces",
                                    "constraints",  "signals",     "hydraulics", "outputs",
                                    "shapes",       "functions"};
enum { LISTS = (int)(sizeof lists / sizeof *lists) };

static const char* const* words_of_list(int* count) {
  *count = LISTS;
  return lists;
}

static void print_list(const char* name, bool full) {
  SarListEntry e;
  int widest = 0;
  for (int i = 0; sar_list(name, i, &e) == SAR_OK; i++)
    if ((int)strlen(e.name) > widest) widest = (int)strlen(e.name);
  for (int i = 0; sar_list(name, i, &e) == SAR_OK; i++) {
    printf("  %-*s  %s%s%s%s%s%s\n", widest, e.name, e.doc, e.can[0] ? "; takes " : "", e.can,
           e.ref[0] ? " [" : "", e.ref, e.ref[0] ? "]" : "");
    if (full) cli_print_element(name, i);
  }
  if (full) cli_print_keys(name);
}

// ---- pairs that are not offered -----------------------------------------------------------------

// What a model may have that not every formulation takes. docs/loops.md justifies each line.
typedef struct Demand {
  unsigned can;  // what it takes; 0: relative coordinates
  const char *what, *why;
} Demand;

static const Demand DEMANDS[] = {
    {SAR_CAN_CONSTRAINTS, "closed loops, couplings, drives", "made for open trees"},
    {SAR_CAN_REDUNDANT, "redundant constraints", "the matrix it factors is singular then"},
    {SAR_CAN_SINGULAR_MASS, "motion without inertia in the tree", "it inverts the mass matrix"},
    {SAR_CAN_RANK_CHANGE, "a start at a singular position", "it does not pass them"},
    {0, "relative coordinates", "made for absolute ones"},
    {SAR_CAN_CONTACT, "contact or motors", "they need impulses"},
};
enum { DEMAND_COUNT = sizeof DEMANDS / sizeof *DEMANDS };

// Trees have none of what has to do with constraints.
static bool is_lacking(const SarFormulation* f, const Demand* d) {
  if (d->can == 0) return f->absolute;
  const bool of_trees = d->can == SAR_CAN_CONSTRAINTS || d->can == SAR_CAN_CONTACT;
  return !(f->can & d->can) && (of_trees || f->can & SAR_CAN_CONSTRAINTS);
}

// Formulations that lack it (or do not).
static int count_lacking(const Demand* d, bool lacking) {
  int n = 0;
  for (int i = 0; sar_formulation(i); i++) n += is_lacking(sar_formulation(i), d) == lacking;
  return n;
}

static void print_not_offered(void) {
  printf("\nnot offered (a run says so before it begins; every other pair is)\n");
  for (int k = 0; k < DEMAND_COUNT; k++) {
    const Demand* d = &DEMANDS[k];
    const bool most = count_lacking(d, true) > count_lacking(d, false);
    char names[256] = "";
    size_t used = most ? (size_t)snprintf(names, sizeof names, "all but ") : 0, first = used;
    if (count_lacking(d, true) == 0) continue;
    for (int i = 0; sar_formulation(i) && used < sizeof names; i++)
      if (is_lacking(sar_formulation(i), d) != most)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 used > first ? ", " : "", sar_formulation(i)->name);
    printf("  %-22s  for models with %s: %s\n", names, d->what, d->why);
  }
}

static void json_not_offered(SarJson* j) {
  sar_json_open(j, "not_offered", '[');
  for (int k = 0; k < DEMAND_COUNT; k++)
    for (int i = 0; sar_formulation(i); i++) {
      if (!is_lacking(sar_formulation(i), &DEMANDS[k])) continue;
      sar_json_open(j, NULL, '{');
      sar_json_text(j, "formulation", sar_formulation(i)->name);
      sar_json_text(j, "models_with", DEMANDS[k].what);
      sar_json_text(j, "reason", DEMANDS[k].why);
      sar_json_close(j, '}');
    }
  sar_json_close(j, ']');
}

// ---- all ----------------------------------------------------------------------------------------

static void print_json(const char* only) {
  SarJson j;
  SarListEntry e;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  for (int k = 0; k < LISTS; k++) {
    if (only && strcmp(only, lists[k]) != 0) continue;
    sar_json_open(&j, lists[k], '[');
    for (int i = 0; sar_list(lists[k], i, &e) == SAR_OK; i++) {
      sar_json_open(&j, NULL, '{');
      sar_json_text(&j, "name", e.name);
      sar_json_text(&j, "doc", e.doc);
      sar_json_text(&j, "reference", e.ref[0] ? e.ref : NULL);
      if (e.can[0]) sar_json_text(&j, "takes", e.can);
      cli_json_element(&j, lists[k], i);
      sar_json_close(&j, '}');
    }
    sar_json_close(&j, ']');
    cli_json_keys(&j, lists[k]);
    if (k == 0) json_not_offered(&j);
  }
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int run_list(const CliArgs* args) {
  const char* only = args->operand_count ? args->operand[0] : NULL;
  SarListEntry e;
  if (only && sar_list(only, 0, &e) != SAR_OK) {
    char hint[160];
    sar_text_offer(hint, sizeof hint, only, lists, LISTS);
    return cli_usage_error(args->command, "no list '%s'; %s", only, hint);
  }
  if (args->json) {
    print_json(only);
  } else if (cli_value(args, "names")) {
    for (int k = 0; k < LISTS; k++)
      for (int i = 0; (!only || strcmp(only, lists[k]) == 0) && sar_list(lists[k], i, &e) == SAR_OK;
           i++)
        printf("%s\n", e.name);
  } else {
    for (int k = 0; k < LISTS; k++) {
      if (only && strcmp(only, lists[k]) != 0) continue;
      if (!only) printf("%s%s\n", k ? "\n" : "", lists[k]);
      print_list(lists[k], cli_value(args, "full") != NULL);
      if (k == 0) print_not_offered();
    }
  }
  return EXIT_DONE;
}

static const CliOption options[] = {
    {"names", 0, NULL, "Only the names, one a line.", NULL},
    {"full", 0, NULL,
     "With the attributes and an example of each force and constraint, and the keys of joints.",
     NULL},
    {0}};

const CliCommand cli_command_list = {
    .name = "list",
    .operands = "[WHAT]",
    .max_operands = 1,
    .summary =
        "List formulations, integrators, joints, forces, constraints, signals, hydraulics, "
        "outputs, shapes or "
        "functions.",
    .text =
        "Without WHAT, everything there is. Each entry is one line: its name, what it does, and "
        "where it comes from. With the formulations stand the pairs of formulation and model that "
        "are not offered.",
    .examples =
        "sarrus list joints\twhat may stand in 'joints:'\n"
        "sarrus list forces --full\twhat each force may be given",
    .options = options,
    .words = words_of_list,
    .run = run_list,
};
