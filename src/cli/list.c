// sarrus list: what there is of each kind, one line each.
#include "cli/cli.h"

#include "base/text.h"

#include <string.h>

static const char* const lists[] = {"formulations", "integrators", "joints",   "forces",
                                    "constraints",  "shapes",      "functions"};
enum { LISTS = (int)(sizeof lists / sizeof *lists) };

static void print_list(const char* name) {
  SarListEntry e;
  int widest = 0;
  for (int i = 0; sar_list(name, i, &e); i++)
    if ((int)strlen(e.name) > widest) widest = (int)strlen(e.name);
  for (int i = 0; sar_list(name, i, &e); i++)
    printf("  %-*s  %s%s%s%s%s%s\n", widest, e.name, e.doc, e.can[0] ? "; takes " : "", e.can,
           e.ref[0] ? " [" : "", e.ref, e.ref[0] ? "]" : "");
}

static void print_json(const char* only) {
  SarJson j;
  SarListEntry e;
  sar_json_begin(&j, stdout);
  sar_json_open(&j, NULL, '{');
  for (int k = 0; k < LISTS; k++) {
    if (only && strcmp(only, lists[k]) != 0) continue;
    sar_json_open(&j, lists[k], '[');
    for (int i = 0; sar_list(lists[k], i, &e); i++) {
      sar_json_open(&j, NULL, '{');
      sar_json_text(&j, "name", e.name);
      sar_json_text(&j, "doc", e.doc);
      sar_json_text(&j, "reference", e.ref[0] ? e.ref : NULL);
      if (e.can[0]) sar_json_text(&j, "takes", e.can);
      sar_json_close(&j, '}');
    }
    sar_json_close(&j, ']');
  }
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int run_list(const CliArgs* args) {
  const char* only = args->operand_count ? args->operand[0] : NULL;
  SarListEntry e;
  if (only && !sar_list(only, 0, &e)) {
    char hint[80];
    sar_text_suggest(hint, sizeof hint, only, lists, LISTS);
    return cli_usage_error(args->command, "no list '%s'; %s", only,
                           hint[0] ? hint
                                   : "there are formulations, integrators, joints, forces, "
                                     "constraints, shapes, functions");
  }
  if (args->json) {
    print_json(only);
  } else if (cli_value(args, "names")) {
    for (int k = 0; k < LISTS; k++)
      for (int i = 0; (!only || strcmp(only, lists[k]) == 0) && sar_list(lists[k], i, &e); i++)
        printf("%s\n", e.name);
  } else {
    for (int k = 0; k < LISTS; k++) {
      if (only && strcmp(only, lists[k]) != 0) continue;
      if (!only) printf("%s%s\n", k ? "\n" : "", lists[k]);
      print_list(lists[k]);
    }
  }
  return EXIT_DONE;
}

static const CliOption options[] = {{"names", 0, NULL, "Only the names, one a line.", NULL}, {0}};

const CliCommand cli_command_list = {
    .name = "list",
    .operands = "[WHAT]",
    .max_operands = 1,
    .summary = "List formulations, integrators, joints, forces, constraints, shapes or functions.",
    .text =
        "Without WHAT, everything there is. Each entry is one line: its name, what it does, and "
        "where it comes from.",
    .examples = "sarrus list joints\twhat may stand in 'joints:'",
    .options = options,
    .run = run_list,
};
