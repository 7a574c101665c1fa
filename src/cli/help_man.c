// The manual page.
#include "cli/help.h"

#include <string.h>

// roff: backslashes and leading dots or quotes would be commands, dashes would become hyphens
static void roff(const char* text) {
  for (const char* c = text; *c; c++) {
    if ((c == text || c[-1] == '\n') && (*c == '.' || *c == '\'')) fputs("\\&", stdout);
    if (*c == '\\')
      fputs("\\e", stdout);
    else if (*c == '-')
      fputs("\\-", stdout);
    else
      fputc(*c, stdout);
  }
}

static void man_option(const CliOption* o) {
  printf(".TP\n\\fB");
  if (o->letter) printf("\\-%c\\fR, \\fB", o->letter);
  printf("\\-\\-");
  roff(o->name);
  printf("\\fR");
  if (o->argument) printf(" \\fI%s\\fR", o->argument);
  printf("\n");
  roff(o->doc);
  printf("\n");
}

static void man_example(const char* line, size_t n) {
  size_t tab = strcspn(line, "\t\n");
  char text[512];
  printf(".TP\n\\fB");
  snprintf(text, sizeof text, "%.*s", (int)tab, line);
  roff(text);
  printf("\\fR\n");
  snprintf(text, sizeof text, "%.*s", tab < n ? (int)(n - tab - 1) : 0, line + tab + (tab < n));
  roff(text);
  printf("\n");
}

static void man_command(const CliCommand* c) {
  printf(".SS sarrus %s %s\n", c->name, c->operands);
  roff(c->summary);
  printf("\n.PP\n");
  roff(c->text);
  printf("\n");
  for (const CliOption* o = c->options; o->name; o++) man_option(o);
  for (const char* line = c->examples; *line;) {
    size_t n = strcspn(line, "\n");
    man_example(line, n);
    line += n + (line[n] == '\n');
  }
}

void help_print_man(void) {
  printf(".TH SARRUS 1 \"\" \"sarrus %s\" \"User Commands\"\n.SH NAME\n", SARRUS_VERSION);
  printf(
      "sarrus \\- multibody dynamics in real time\n.SH SYNOPSIS\n\\fBsarrus\\fR \\fICOMMAND\\fR "
      "[\\fIOPTIONS\\fR]\n");
  printf(".SH DESCRIPTION\n");
  roff(help_text);
  printf("\n.SH COMMANDS\n");
  for (int i = 0; cli_commands[i]; i++) man_command(cli_commands[i]);
  printf(".SH OPTIONS OF EVERY COMMAND\n");
  for (const CliOption* o = cli_common; o->name; o++) man_option(o);
  printf(
      ".SH EXIT STATUS\n0 done, 1 internal error, 2 wrong usage, 3 the model is wrong, 4 the "
      "numerics failed.\n");
}
