// The list of commands, made from commands.def.
#include "cli/cli.h"

#include <string.h>

#define CLI_COMMAND(name) extern const CliCommand cli_command_##name;
#include "cli/commands.def"
#undef CLI_COMMAND

const CliCommand* const cli_commands[] = {
#define CLI_COMMAND(name) &cli_command_##name,
#include "cli/commands.def"
#undef CLI_COMMAND
    NULL};

const CliCommand* cli_find(const char* name) {
  for (int i = 0; cli_commands[i]; i++)
    if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
  return NULL;
}
