// Help, from the tables of commands and options, as are the man page and completions.
#include "cli/help.h"

#include <string.h>
#include <unistd.h>

const char* const help_text =
    "Sarrus simulates mechanisms: write the mechanism once, run it with any formulation, keep the "
    "deadline.";

const CliOption cli_common[] = {
    {"json", 0, NULL, "Print one JSON document on the standard output instead of text.", NULL},
    {"force", 0, NULL, "Write to a file even if it is one of those that are read.", NULL},
    {"limit", 0, "SIZE", "Most memory that a model may take: 500M, 2G (default 1G).", NULL},
    {"functions", 0, "FILE.so", "Shared object with functions that models call; may be repeated.",
     "file"},
    {"fmu", 0, "NAME=FILE",
     "FMU (co-simulation, FMI 2 or 3) that models call as the function NAME; may be repeated.",
     "file"},
    {"help", 'h', NULL, "Print this help.", NULL},
    {0}};

// bold on a terminal only
static const char* bold(FILE* out) { return isatty(fileno(out)) ? "\033[1m" : ""; }
static const char* plain(FILE* out) { return isatty(fileno(out)) ? "\033[0m" : ""; }

// Text wrapped at 80 columns, every line after the first indented.
static void print_wrapped(FILE* out, const char* text, int indent, int column) {
  bool fresh = true;  // no word on this line yet
  while (*text) {
    size_t n = strcspn(text, " \n");
    if (!fresh && column + 1 + (int)n > 80) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
      fresh = true;
    }
    column += fprintf(out, "%s%.*s", fresh ? "" : " ", (int)n, text);
    fresh = fresh && n == 0;
    text += n;
    if (*text == '\n') {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
      fresh = true;
    }
    text += *text != '\0';
  }
  fputc('\n', out);
}

static void print_option(FILE* out, const CliOption* o) {
  char head[80];
  snprintf(head, sizeof head, "%s%c%s --%s%s%s", o->letter ? "-" : " ", o->letter ? o->letter : ' ',
           o->letter ? "," : " ", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
  int n = fprintf(out, "  %-26s ", head);
  print_wrapped(out, o->doc, 29, n);
}

static void print_examples(FILE* out, const char* examples) {
  while (*examples) {
    size_t line = strcspn(examples, "\n"), tab = strcspn(examples, "\t\n");
    fprintf(out, "  %.*s\n", (int)tab, examples);
    if (tab < line) fprintf(out, "      %.*s\n", (int)(line - tab - 1), examples + tab + 1);
    examples += line + (examples[line] == '\n');
  }
}

void cli_print_help(FILE* out) {
  fprintf(out, "%ssarrus%s: multibody dynamics in real time\n\n", bold(out), plain(out));
  fprintf(out, "%sUsage%s\n  sarrus COMMAND [OPTIONS] ...\n\n%sCommands%s\n", bold(out), plain(out),
          bold(out), plain(out));
  int name = 0, operands = 0;
  for (int i = 0; cli_commands[i]; i++) {
    if ((int)strlen(cli_commands[i]->name) > name) name = (int)strlen(cli_commands[i]->name);
    if ((int)strlen(cli_commands[i]->operands) > operands)
      operands = (int)strlen(cli_commands[i]->operands);
  }
  for (int i = 0; cli_commands[i]; i++) {
    const int n = fprintf(out, "  %-*s %-*s  ", name, cli_commands[i]->name, operands,
                          cli_commands[i]->operands);
    print_wrapped(out, cli_commands[i]->summary, n, n);
  }
  fprintf(out, "\n%sFirst steps%s\n", bold(out), plain(out));
  print_examples(
      out,
      "sarrus run examples/pendulum.yaml\tsimulate, and see what happened to the energy\n"
      "sarrus run examples/pendulum.yaml --out p.csv && sarrus plot p.csv\tsimulate and draw\n"
      "sarrus info robot.urdf\twhat is in a model: bodies, joints, tree\n"
      "sarrus list joints\twhat can stand in a model file");
  fprintf(out,
          "\n'sarrus COMMAND --help' explains a command; every command takes --json.\n"
          "Exit status: 0 done, 1 internal error, 2 wrong usage, 3 the model is wrong,\n"
          "4 the numerics failed (results up to there are kept).\n");
}

void cli_print_command_help(FILE* out, const CliCommand* c) {
  fprintf(out, "%ssarrus %s%s: ", bold(out), c->name, plain(out));
  print_wrapped(out, c->summary, 2, 10 + (int)strlen(c->name));
  fprintf(out, "\n%sUsage%s\n  sarrus %s %s [OPTIONS]\n\n", bold(out), plain(out), c->name,
          c->operands);
  print_wrapped(out, c->text, 0, 0);
  fprintf(out, "\n%sOptions%s\n", bold(out), plain(out));
  for (const CliOption* o = c->options; o->name; o++) print_option(out, o);
  for (const CliOption* o = cli_common; o->name; o++) print_option(out, o);
  if (c->examples[0]) {
    fprintf(out, "\n%sExamples%s\n", bold(out), plain(out));
    print_examples(out, c->examples);
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_option(SarJson* j, const CliOption* o) {
  char letter[2] = {o->letter, '\0'};
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", o->name);
  sar_json_text(j, "letter", o->letter ? letter : NULL);
  sar_json_text(j, "argument", o->argument);
  sar_json_text(j, "text", o->doc);
  sar_json_close(j, '}');
}

static void json_command(SarJson* j, const CliCommand* c) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", c->name);
  sar_json_text(j, "operands", c->operands);
  sar_json_text(j, "summary", c->summary);
  sar_json_text(j, "text", c->text);
  sar_json_open(j, "options", '[');
  for (const CliOption* o = c->options; o->name; o++) json_option(j, o);
  for (const CliOption* o = cli_common; o->name; o++) json_option(j, o);
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

// all commands in a list, or the one that is asked for
static void print_json(const CliCommand* only) {
  SarJson j;
  cli_json_begin(&j);
  if (!only) sar_json_open(&j, NULL, '[');
  for (int i = 0; cli_commands[i]; i++)
    if (!only || cli_commands[i] == only) json_command(&j, cli_commands[i]);
  if (!only) sar_json_close(&j, ']');
  sar_json_end(&j);
}

// names of the commands, for completions
static const char* const* words_of_help(int* count) {
  static const char* names[64];
  for (*count = 0; cli_commands[*count] && *count < 64; (*count)++)
    names[*count] = cli_commands[*count]->name;
  return names;
}

// ---- the command --------------------------------------------------------------------------------

static int run_help(const CliArgs* args) {
  if (cli_value(args, "man")) {
    help_print_man();
    return EXIT_DONE;
  }
  const char* shell = cli_value(args, "completion");
  if (shell) {
    if (!help_print_completion(shell))
      return cli_usage_error(args->command, "--completion: expected bash, zsh or fish, found '%s'",
                             shell);
    return EXIT_DONE;
  }
  const CliCommand* command = args->operand_count ? cli_find(args->operand[0]) : NULL;
  const char* meant = args->operand_count ? cli_meant_command(args->operand[0]) : NULL;
  if (args->operand_count && !command && meant)
    return cli_usage_error(args->command, "no command '%s'; did you mean '%s'?", args->operand[0],
                           meant);
  if (args->operand_count && !command)
    return cli_usage_error(args->command, "no command '%s'", args->operand[0]);
  if (args->json)
    print_json(command);
  else if (command)
    cli_print_command_help(stdout, command);
  else
    cli_print_help(stdout);
  return EXIT_DONE;
}

static const CliOption options[] = {
    {"man", 0, NULL, "Print the manual page (roff).", NULL},
    {"completion", 0, "SHELL", "Print the completion script for bash, zsh or fish.", NULL},
    {0}};

const CliCommand cli_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .max_operands = 1,
    .summary = "Explain a command.",
    .text =
        "Prints the help of a command, the manual page, or a completion script for a shell; all of "
        "them are made from the same tables that parse the command line.",
    .examples =
        "sarrus help run\tthe same as sarrus run --help\n"
        "sarrus help --completion bash > /etc/bash_completion.d/sarrus\tinstall the completion by "
        "hand",
    .options = options,
    .words = words_of_help,
    .run = run_help,
};
