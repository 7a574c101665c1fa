// Words that people try: what a command or an option was meant to be.
#include "cli/cli.h"

#include <string.h>

typedef struct Other {
  const char *said, *meant;
} Other;

// Names of the same things in other programs.
static const Other COMMANDS[] = {
    {"simulate", "run"},       {"sim", "run"},           {"start", "run"},
    {"validate", "check"},     {"lint", "check"},        {"verify", "check"},
    {"draw", "plot"},          {"show", "info"},         {"view", "plot"},
    {"describe", "info"},      {"render", "plot"},       {"print", "info"},
    {"equilibrium", "static"}, {"statics", "static"},    {"eigen", "modes"},
    {"eig", "modes"},          {"modal", "modes"},       {"codegen", "generate"},
    {"optimise", "optimize"},  {"minimize", "optimize"}, {"fit", "identify"},
    {"calibrate", "identify"}, {"estimate", "identify"}, {"batch", "sweep"},
    {"version", "--version"}};

static const Other OPTIONS[] = {{"time", "end"},
                                {"duration", "end"},
                                {"t", "end"},
                                {"stop", "end"},
                                {"dt", "step"},
                                {"timestep", "step"},
                                {"h", "step"},
                                {"tol", "rtol"},
                                {"tolerance", "rtol"},
                                {"solver", "integrator"},
                                {"method", "formulation"},
                                {"output", "out"},
                                {"out", "output"},
                                {"o", "out"},
                                {"param", "set"},
                                {"parameter", "set"},
                                {"p", "set"},
                                {"column", "columns"},
                                {"include", "path"}};

static const char* find(const Other* list, size_t n, const char* word) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].said, word) == 0) return list[i].meant;
  return NULL;
}

const char* cli_meant_command(const char* word) {
  const char* names[64];
  int n = 0;
  for (; cli_commands[n] && n < 64; n++) names[n] = cli_commands[n]->name;
  const char* other = find(COMMANDS, sizeof COMMANDS / sizeof *COMMANDS, word);
  return other ? other : sar_text_nearest(word, names, n);
}

bool cli_is_file(const char* word) {
  static const char* const endings[] = {".yaml", ".yml", ".json", ".urdf", ".sdf", ".xml"};
  const size_t n = strlen(word);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (n > strlen(endings[i]) && strcmp(word + n - strlen(endings[i]), endings[i]) == 0)
      return true;
  return false;
}

const char* cli_meant_option(const CliCommand* command, const char* word) {
  const char* names[CLI_MAX_OPTIONS + CLI_MAX_COMMON];
  int n = 0;
  for (const CliOption* o = cli_common; o->name; o++) names[n++] = o->name;
  for (int i = 0; command->options[i].name; i++) names[n++] = command->options[i].name;
  char bare[64];
  snprintf(bare, sizeof bare, "%s", word + strspn(word, "-"));
  bare[strcspn(bare, "=")] = '\0';
  const char* other = find(OPTIONS, sizeof OPTIONS / sizeof *OPTIONS, bare);
  for (int i = 0; other && i < n; i++)
    if (strcmp(names[i], other) == 0) return other;
  return bare[0] && bare[1] ? sar_text_nearest(bare, names, n) : NULL;
}
