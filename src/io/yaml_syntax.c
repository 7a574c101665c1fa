// What libyaml says about broken text, and what people usually did when it says so.
#include "io/yaml_syntax.h"

#include <string.h>

// Place of a byte: libyaml gives no line for bytes that are not text.
static SarLoc loc_of_byte(const char* text, size_t offset, const char* file) {
  SarLoc loc = {file, 1, 1};
  for (size_t i = 0; i < offset; i++) {
    loc.column++;
    if (text[i] == '\n') {
      loc.line++;
      loc.column = 1;
    }
  }
  return loc;
}

static const char* hint_for(const char* problem, char at) {
  static const struct {
    const char *problem, *hint;
  } hints[] = {
      {"mapping values are not allowed", "a text with ': ' in it must be in quotes"},
      {"expected ',' or '}'", "a ',' or the closing '}' is missing before this"},
      {"expected ',' or ']'", "a ',' or the closing ']' is missing before this"},
      {"did not find expected key", "keys of one mapping must begin in the same column"},
      {"did not find expected '-'", "items of one list must begin in the same column"},
      {"could not find expected ':'", "a key is followed by ': ', with a space"},
      {"unexpected end of stream", "a quote that was opened is never closed"},
      {"tab character", "indent with spaces, not with tabs"},
      {"alphabetic or numeric", "a text that begins with '*' or '&' must be in quotes"},
  };
  if (at == '\t') return "indent with spaces, not with tabs";
  if (at == '-') return "'- ' begins a list item: write -L, not - L";
  if (strstr(problem, "cannot start any token")) return "put the text in quotes";
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (strstr(problem, hints[i].problem)) return hints[i].hint;
  return "";
}

SarStatus sar_yaml_syntax(const yaml_parser_t* p, const char* text, size_t n, const char* file,
                          SarError* err) {
  if (p->error == YAML_MEMORY_ERROR) return SAR_NO_MEMORY;
  const char* problem = p->problem ? p->problem : "cannot be read";
  if (p->error == YAML_READER_ERROR) {
    size_t offset = p->problem_offset < n ? p->problem_offset : n;
    sar_report(err, loc_of_byte(text, offset, file), "a model file is text in UTF-8",
               "broken YAML: %s", problem);
    return SAR_BAD_MODEL;
  }
  size_t i = p->problem_mark.index;  // in characters: the byte itself in plain ASCII
  const char* hint = hint_for(problem, i < n ? text[i] : '\0');
  SarLoc loc = {file, (int)p->problem_mark.line + 1, (int)p->problem_mark.column + 1};
  int begin = (int)p->context_mark.line + 1;
  if (p->context && begin < loc.line)
    sar_report(err, loc, hint, "broken YAML: %s, %s that begins in line %d", problem, p->context,
               begin);
  else
    sar_report(err, loc, hint, "broken YAML: %s", problem);
  return SAR_BAD_MODEL;
}
