// The list of commands. A new one is one file and one line here.
#include "cli/cli.h"

#include <string.h>

#define CLI_COMMANDS(X) \
  X(run)                \
  X(compare)            \
  X(papers) X(kinematics) X(static) X(modes) X(inverse) X(info) X(check) X(list) X(plot) X(help)

#define X(name) extern const CliCommand cli_command_##name;
CLI_COMMANDS(X)
#undef X

const CliCommand* const cli_commands[] = {
#define X(name) &cli_command_##name,
    CLI_COMMANDS(X)
#undef X
        NULL};

const CliCommand* cli_find(const char* name) {
  for (int i = 0; cli_commands[i]; i++)
    if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
  return NULL;
}
