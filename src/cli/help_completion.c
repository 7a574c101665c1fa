// Completions for shells.
#include "cli/help.h"

#include <string.h>

static void print_bash(void) {
  printf(
      "# bash completion for sarrus\n_sarrus() {\n  local cur=${COMP_WORDS[COMP_CWORD]} "
      "prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"");
  for (int i = 0; cli_commands[i]; i++) printf("%s ", cli_commands[i]->name);
  printf("--help --version\" -- \"$cur\")); return\n  fi\n  case ${COMP_WORDS[1]}:$prev in\n");
  for (int i = 0; cli_commands[i]; i++)
    for (const CliOption* o = cli_commands[i]->options; o->name; o++)
      if (o->complete && strcmp(o->complete, "file") != 0)
        printf(
            "    %s:--%s) COMPREPLY=($(compgen -W \"$(sarrus list %s --names 2>/dev/null)\" -- "
            "\"$cur\")); return ;;\n",
            cli_commands[i]->name, o->name, o->complete);
  printf("  esac\n  case ${COMP_WORDS[1]}:$cur in\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("    %s:-*) COMPREPLY=($(compgen -W \"", cli_commands[i]->name);
    for (const CliOption* o = cli_commands[i]->options; o->name; o++) printf("--%s ", o->name);
    for (const CliOption* o = cli_common; o->name; o++) printf("--%s ", o->name);
    printf("\" -- \"$cur\")); return ;;\n");
  }
  printf(
      "  esac\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _sarrus "
      "sarrus\n");
}

// quotes that would end a single-quoted word of the shell, and brackets that _arguments would read
static void zsh_text(const char* text) {
  for (const char* c = text; *c; c++) {
    if (*c == '\'')
      fputs("'\\''", stdout);
    else if (*c == '[' || *c == ']' || *c == ':')
      printf("\\%c", *c);
    else
      fputc(*c, stdout);
  }
}

static void print_zsh(void) {
  printf("#compdef sarrus\n_sarrus() {\n  local -a commands\n  commands=(\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("    '%s:", cli_commands[i]->name);
    zsh_text(cli_commands[i]->summary);
    printf("'\n");
  }
  printf(
      "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] "
      "in\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("    %s) _arguments", cli_commands[i]->name);
    for (const CliOption* o = cli_commands[i]->options; o->name; o++) {
      printf(" '--%s[", o->name);
      zsh_text(o->doc);
      printf("]");
      if (o->argument && o->complete && strcmp(o->complete, "file") != 0)
        printf(":%s:($(sarrus list %s --names))", o->argument, o->complete);
      else if (o->argument)
        printf(":%s:%s", o->argument, o->complete ? "_files" : "");
      printf("'");
    }
    printf(" '*:file:_files' ;;\n");
  }
  printf("  esac\n}\n_sarrus \"$@\"\n");
}

static void fish_text(const char* text) {
  for (const char* c = text; *c; c++) {
    if (*c == '\'' || *c == '\\') fputc('\\', stdout);
    fputc(*c, stdout);
  }
}

static void print_fish(void) {
  printf("# fish completion for sarrus\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("complete -c sarrus -n __fish_use_subcommand -a %s -d '", cli_commands[i]->name);
    fish_text(cli_commands[i]->summary);
    printf("'\n");
    for (const CliOption* o = cli_commands[i]->options; o->name; o++) {
      printf("complete -c sarrus -n '__fish_seen_subcommand_from %s' -l %s -d '",
             cli_commands[i]->name, o->name);
      fish_text(o->doc);
      printf("'%s", o->argument ? " -r" : "");
      if (o->complete && strcmp(o->complete, "file") != 0)
        printf(" -a '(sarrus list %s --names)'", o->complete);
      printf("\n");
    }
  }
}

bool help_print_completion(const char* shell) {
  if (strcmp(shell, "bash") == 0)
    print_bash();
  else if (strcmp(shell, "zsh") == 0)
    print_zsh();
  else if (strcmp(shell, "fish") == 0)
    print_fish();
  else
    return false;
  return true;
}
