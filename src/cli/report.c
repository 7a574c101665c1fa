// What a program that calls this one with --json can rely on: an object on the standard output in
// every case. Commands print theirs; where one ends without, for a wrong option or a model that
// cannot be read, the messages that went to stderr are put into one here.
#include "cli/cli.h"

#include <stdarg.h>
#include <string.h>

// of this run of the program
static struct {
  bool wanted, begun;
  SarError said;
  char model[256];  // the file that messages without a place are about; "": not read yet
} report;

const char* cli_shown(const char* text) {
  static char shown[4][1024];
  static int next;
  next = (next + 1) % 4;
  return sar_visible(shown[next], sizeof shown[next], text);
}

// Known before options are parsed, because parsing may fail.
void cli_json_want(int argc, char** argv) {
  sar_error_init(&report.said);
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0) report.wanted = true;
}

void cli_json_begin(SarJson* j) {
  report.begun = true;
  sar_json_begin(j, stdout);
}

void cli_is_about(const char* path) {
  snprintf(report.model, sizeof report.model, "%.255s", cli_shown(path));
}

const char* cli_about(void) { return report.model; }

void cli_keep_message(const SarDiag* message) {
  SarError* said = &report.said;
  said->errors += message->severity == SAR_ERROR;
  if (said->count < SAR_MAX_DIAGS) said->items[said->count++] = *message;
}

int cli_usage_error(const CliCommand* command, const char* format, ...) {
  va_list args;
  SarDiag message = {.severity = SAR_ERROR};
  va_start(args, format);
  char text[2 * sizeof message.text];
  vsnprintf(text, sizeof text, format, args);
  sar_visible(message.text, sizeof message.text, text);
  va_end(args);
  cli_keep_message(&message);
  const char *space = command ? " " : "", *name = command ? command->name : "";
  fprintf(stderr, "sarrus%s%s: %s\nTry 'sarrus%s%s --help'.\n", space, name, message.text, space,
          name);
  return EXIT_USAGE;
}

static void json_diag(SarJson* j, const SarDiag* item) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "severity", item->severity == SAR_ERROR ? "error" : "warning");
  sar_json_text(j, "file", item->file);
  sar_json_integer(j, "line", item->line);
  sar_json_integer(j, "column", item->column);
  sar_json_text(j, "text", item->text);
  sar_json_text(j, "hint", item->hint[0] ? item->hint : NULL);
  sar_json_close(j, '}');
}

void cli_json_messages(SarJson* j, const SarError* err) {
  sar_json_integer(j, "errors", err->errors);
  sar_json_open(j, "messages", '[');
  for (int i = 0; i < err->count; i++) json_diag(j, &err->items[i]);
  sar_json_close(j, ']');
}

// The one failure that may find no words elsewhere.
static void say_why(const char* command) {
  SarDiag message = {.severity = SAR_ERROR};
  snprintf(message.text, sizeof message.text, "out of memory");
  fprintf(stderr, "sarrus%s%s: %s\n", command ? " " : "", command ? command : "", message.text);
  cli_keep_message(&message);
}

int cli_finish(const char* command, int status) {
  if (status == EXIT_INTERNAL && report.said.errors == 0) say_why(command);
  static const char* const WORD[] = {"", "internal error", "wrong usage", "wrong model",
                                     "numerics failed"};
  if (!report.wanted || report.begun || status <= EXIT_DONE || status > EXIT_NUMERICS)
    return status;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  if (report.model[0]) sar_json_text(&j, "model", report.model);
  sar_json_bool(&j, "ok", false);
  sar_json_text(&j, "status", WORD[status]);
  sar_json_integer(&j, "exit_status", status);
  cli_json_messages(&j, &report.said);
  sar_json_close(&j, '}');
  sar_json_end(&j);
  return status;
}
