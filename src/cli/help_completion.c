// Completions for shells, from the tables of commands and options. Names of formulations and so on
// are asked of the program when they are wanted; several of them may stand with commas between.
#include "cli/help.h"

#include <string.h>

// The list whose names the option takes; NULL: a file, or nothing that is known.
static const char* list_of(const CliOption* o) {
  return o->complete && strcmp(o->complete, "file") != 0 ? o->complete : NULL;
}

static bool takes_several(const CliOption* o) {
  return o->argument && strcmp(o->argument, "NAMES") == 0;
}

static void print_words(const CliCommand* c) {
  int count;
  const char* const* words = c->words(&count);
  for (int i = 0; i < count; i++) printf("%s%s", i ? " " : "", words[i]);
}

// ---- bash --------------------------------------------------------------------------------------

static const char bash_head[] =
    "# bash completion for sarrus\n"
    "_sarrus_names() {\n"
    "  local before=\n"
    "  case $cur in *,*) before=${cur%,*}, ;; esac\n"
    "  COMPREPLY=($(compgen -P \"$before\" -W \"$(sarrus list \"$1\" --names 2>/dev/null)\" -- "
    "\"${cur##*,}\"))\n"
    "}\n"
    "_sarrus() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
    "    COMPREPLY=($(compgen -W \"";

static void bash_values(const CliCommand* c) {
  for (const CliOption* o = c->options; o->name; o++) {
    if (!list_of(o)) continue;
    printf("    %s:--%s", c->name, o->name);
    if (o->letter) printf("|%s:-%c", c->name, o->letter);
    printf(") _sarrus_names %s; return ;;\n", list_of(o));
  }
}

static void bash_options(const CliCommand* c) {
  printf("    %s:-*) COMPREPLY=($(compgen -W \"", c->name);
  for (const CliOption* o = c->options; o->name; o++) printf("--%s ", o->name);
  for (const CliOption* o = cli_common; o->name; o++) printf("--%s ", o->name);
  printf("\" -- \"$cur\")); return ;;\n");
  if (!c->words) return;
  printf("    %s:*) COMPREPLY=($(compgen -W \"", c->name);
  print_words(c);
  printf("\" -- \"$cur\")); return ;;\n");
}

static void print_bash(void) {
  fputs(bash_head, stdout);
  for (int i = 0; cli_commands[i]; i++) printf("%s ", cli_commands[i]->name);
  printf("--help --version\" -- \"$cur\")); return\n  fi\n  case ${COMP_WORDS[1]}:$prev in\n");
  for (int i = 0; cli_commands[i]; i++) bash_values(cli_commands[i]);
  printf("  esac\n  case ${COMP_WORDS[1]}:$cur in\n");
  for (int i = 0; cli_commands[i]; i++) bash_options(cli_commands[i]);
  printf(
      "  esac\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _sarrus "
      "sarrus\n");
}

// ---- zsh ---------------------------------------------------------------------------------------

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

static void zsh_option(const CliOption* o) {
  printf(" \\\n      ");
  if (o->letter)
    printf("'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
  else
    printf("'--%s[", o->name);
  zsh_text(o->doc);
  printf("]");
  if (o->argument) printf(":");
  if (o->argument) zsh_text(o->argument);
  if (list_of(o) && takes_several(o))
    printf(":_values -s , name $(sarrus list %s --names)", list_of(o));
  else if (list_of(o))
    printf(":($(sarrus list %s --names))", list_of(o));
  else if (o->argument)
    printf(":%s", o->complete ? "_files" : "");
  printf("'");
}

static void print_zsh(void) {
  printf("#compdef sarrus\n_sarrus() {\n  local -a commands\n  commands=(\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("    '%s:", cli_commands[i]->name);
    zsh_text(cli_commands[i]->summary);
    printf("'\n");
  }
  printf(
      "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  words=($words[2,-1]); (( CURRENT-- ))  # the command is the first word of the rest\n"
      "  case $command in\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("    %s) _arguments", cli_commands[i]->name);
    for (const CliOption* o = cli_commands[i]->options; o->name; o++) zsh_option(o);
    for (const CliOption* o = cli_common; o->name; o++) zsh_option(o);
    printf(" \\\n      '*:");
    if (cli_commands[i]->words) {
      printf("word:(");
      print_words(cli_commands[i]);
      printf(")' ;;\n");
    } else {
      printf("file:_files' ;;\n");
    }
  }
  printf("  esac\n}\n_sarrus \"$@\"\n");
}

// ---- fish --------------------------------------------------------------------------------------

static void fish_text(const char* text) {
  for (const char* c = text; *c; c++) {
    if (*c == '\'' || *c == '\\') fputc('\\', stdout);
    fputc(*c, stdout);
  }
}

// `only`: of this command; NULL: of all
static void fish_option(const CliCommand* only, const CliOption* o) {
  printf("complete -c sarrus");
  if (only) printf(" -n '__fish_seen_subcommand_from %s'", only->name);
  printf(" -l %s", o->name);
  if (o->letter) printf(" -s %c", o->letter);
  printf(" -d '");
  fish_text(o->doc);
  printf("'%s", o->argument ? " -r" : "");
  if (list_of(o) && takes_several(o))
    printf(" -f -a '(__fish_complete_list , \"sarrus list %s --names\")'", list_of(o));
  else if (list_of(o))
    printf(" -f -a '(sarrus list %s --names)'", list_of(o));
  printf("\n");
}

static void print_fish(void) {
  printf("# fish completion for sarrus\n");
  for (int i = 0; cli_commands[i]; i++) {
    const CliCommand* c = cli_commands[i];
    printf("complete -c sarrus -f -n __fish_use_subcommand -a %s -d '", c->name);
    fish_text(c->summary);
    printf("'\n");
    for (const CliOption* o = c->options; o->name; o++) fish_option(c, o);
    if (!c->words) continue;
    printf("complete -c sarrus -f -n '__fish_seen_subcommand_from %s' -a '", c->name);
    print_words(c);
    printf("'\n");
  }
  for (const CliOption* o = cli_common; o->name; o++) fish_option(NULL, o);
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
