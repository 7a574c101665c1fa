// Options that take several values, with commas between them.
#include "cli/cli.h"

#include <math.h>
#include <string.h>

static bool is_known(const char* word, const char* const* known) {
  for (int i = 0; known[i]; i++)
    if (strcmp(known[i], word) == 0) return true;
  return false;
}

static bool add(const CliArgs* args, const char* option, const char* word, CliNames* out) {
  if (out->count < CLI_MAX_LIST) {
    out->item[out->count++] = word;
    return true;
  }
  cli_usage_error(args->command, "--%s: more than %d values", option, CLI_MAX_LIST);
  return false;
}

bool cli_words(const CliArgs* args, const char* option, const char* otherwise,
               const char* const* known, CliNames* out) {
  const char* given = cli_value(args, option);
  const char* text = given ? given : otherwise;
  *out = (CliNames){0};
  if (!text) return true;
  if (strcmp(text, "all") == 0) {
    for (int i = 0; known[i]; i++)
      if (!add(args, option, known[i], out)) return false;
    return true;
  }
  if (strlen(text) >= sizeof out->text) {
    cli_usage_error(args->command, "--%s: the list is too long", option);
    return false;
  }
  strcpy(out->text, text);
  for (char* word = out->text; word;) {
    char* comma = strchr(word, ',');
    if (comma) *comma = '\0';
    if (!is_known(word, known)) {
      char hint[256];
      int count = 0;
      while (known[count]) count++;
      sar_text_offer(hint, sizeof hint, word, known, count);
      cli_usage_error(args->command, "--%s: no '%s'; %s", option, word, hint);
      return false;
    }
    if (!add(args, option, word, out)) return false;
    word = comma ? comma + 1 : NULL;
  }
  return true;
}

bool cli_names(const CliArgs* args, const char* option, const char* otherwise, const char* list,
               CliNames* out) {
  const char* known[CLI_MAX_LIST + 1] = {NULL};
  SarListEntry e;
  for (int i = 0; i < CLI_MAX_LIST && sar_list(list, i, &e) == SAR_OK; i++) known[i] = e.name;
  return cli_words(args, option, otherwise, known, out);
}

bool cli_numbers(const CliArgs* args, const char* option, CliNumbers* out) {
  const char* text = cli_value(args, option);
  out->count = 0;
  while (text) {
    size_t n = strcspn(text, ",");
    double x;
    if (!sar_text_to_double(text, n, &x) || !isfinite(x) || x <= 0) {
      cli_usage_error(args->command, "--%s: expected numbers greater than 0, found '%.*s'", option,
                      (int)n, text);
      return false;
    }
    if (out->count == CLI_MAX_LIST) {
      cli_usage_error(args->command, "--%s: more than %d values", option, CLI_MAX_LIST);
      return false;
    }
    out->item[out->count++] = x;
    text = text[n] ? text + n + 1 : NULL;
  }
  return true;
}
