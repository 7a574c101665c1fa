// Where a file has errors. The compiler goes on with what could be read, so that a person gets to
// know everything at once; what it says at these places follows from the errors and is dropped
// (load.c).
#include "io/yaml_read.h"

#include "base/text.h"

#include <string.h>

enum { END_OF_LINE = 1 << 30 };

// A value ends where the last of its texts does.
static void find_end(const YamlNode* n, SarRange* range) {
  for (int i = 0; n->kind == YAML_LIST && i < n->count; i++) find_end(n->items[i], range);
  for (int i = 0; n->kind == YAML_MAP && i < n->count; i++) find_end(n->pairs[i].value, range);
  if (n->kind != YAML_TEXT || n->last_line < range->last_line) return;
  const int column = n->last_line > n->loc.line ? END_OF_LINE : n->loc.column + n->count;
  if (n->last_line > range->last_line || column > range->last_column) range->last_column = column;
  range->last_line = n->last_line;
}

static void note(YamlReader* r, SarLoc first, const YamlNode* last) {
  SarRange range = {r->spec->file, first.line, first.column, first.line, first.column};
  if (last) find_end(last, &range);
  SarRange* slot = SAR_LIST_ADD(r->arena, &r->source->reading->wrong);
  if (slot) *slot = range;
}

void sar_yaml_wrong(YamlReader* r, const YamlNode* n) { note(r, n->loc, n); }

YamlTrial sar_yaml_try(const YamlReader* r) {
  return (YamlTrial){sar_yaml_errors(r), r->source->reading->wrong.count};
}

bool sar_yaml_tried(YamlReader* r, YamlTrial trial, const YamlNode* key, const YamlNode* value) {
  if (sar_yaml_errors(r) == trial.errors) return true;
  const bool whole = r->source->reading->wrong.count == trial.wrong;
  note(r, key->loc, whole ? value : NULL);
  if (!whole) note(r, value->loc, NULL);
  return false;
}
