// The section `tables`: points that expressions use by name, table(t, NAME) and spline(t, NAME).
//   {name: [[x, y], ...]}   or   {name: {file: torques.csv, columns: [time, torque]}}
// A file is text: one line of column names, then rows of numbers, commas between them; lines that
// begin with # are passed over. It must lie in the folder of the model or below, or in a search
// path.
#include "io/yaml_read.h"

#include "base/text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX_COLUMNS = 4096 };

typedef struct TableFile {
  SpecName file;
  SpecName column[2];
} TableFile;

// ---- text of columns
// -----------------------------------------------------------------------------

typedef struct Line {
  const char* text;
  size_t size;
} Line;

// The next line that is no comment and not empty; false at the end.
static bool next_line(const char** at, const char* end, Line* out) {
  while (*at < end) {
    const char* stop = memchr(*at, '\n', (size_t)(end - *at));
    if (!stop) stop = end;
    *out = (Line){*at, (size_t)(stop - *at)};
    *at = stop < end ? stop + 1 : end;
    while (out->size && (out->text[out->size - 1] == '\r' || out->text[out->size - 1] == ' '))
      out->size--;
    if (out->size && out->text[0] != '#') return true;
  }
  return false;
}

// Cell k of a line; false when there are fewer.
static bool cell_of(Line line, int k, Line* out) {
  const char *at = line.text, *end = line.text + line.size;
  for (;; k--) {
    const char* comma = memchr(at, ',', (size_t)(end - at));
    const char* stop = comma ? comma : end;
    if (k == 0) {
      while (at < stop && *at == ' ') at++;
      while (stop > at && stop[-1] == ' ') stop--;
      *out = (Line){at, (size_t)(stop - at)};
      return true;
    }
    if (!comma) return false;
    at = comma + 1;
  }
}

static int find_column(YamlReader* r, Line header, SpecName name) {
  const char* names[64];
  char hint[128];
  int count = 0;
  Line cell;
  for (int k = 0; k < MAX_COLUMNS && cell_of(header, k, &cell); k++) {
    if (strlen(name.text) == cell.size && memcmp(name.text, cell.text, cell.size) == 0) return k;
    if (count < 64) names[count] = sar_arena_strndup(r->arena, cell.text, cell.size);
    if (count < 64 && names[count]) count++;
  }
  sar_yaml_report(r, name.loc, sar_yaml_hint(hint, sizeof hint, name.text, names, count),
                  "the file has no column '%.80s'", name.text);
  return -1;
}

static bool number_of(Line row, int column, double* x) {
  Line cell;
  return cell_of(row, column, &cell) && sar_text_to_double(cell.text, cell.size, x) && isfinite(*x);
}

typedef SAR_LIST(SarExpr*) Points;

static bool add_point(YamlReader* r, Points* points, double value) {
  SarExpr** place = SAR_LIST_ADD(r->arena, points);
  if (place) *place = sar_expr_number(r->arena, value);
  return place && *place;
}

static void read_rows(YamlReader* r, const TableFile* t, const char* text, size_t size,
                      Points* points) {
  const char *at = text, *end = text + size;
  Line line;
  int column[2], rows = 0;
  double before = 0;
  if (!next_line(&at, end, &line)) {
    sar_yaml_report(r, t->file.loc, "", "the file '%.120s' is empty", t->file.text);
    return;
  }
  for (int k = 0; k < 2; k++)
    if ((column[k] = find_column(r, line, t->column[k])) < 0) return;
  for (; next_line(&at, end, &line); rows++) {
    double x, y;
    if (!number_of(line, column[0], &x) || !number_of(line, column[1], &y)) {
      sar_yaml_report(r, t->file.loc, "", "row %d of '%.120s' lacks a number", rows + 1,
                      t->file.text);
      return;
    }
    if (rows > 0 && x <= before) {
      sar_yaml_report(r, t->file.loc, "order the rows by the first column",
                      "row %d of '%.120s': %s must rise, but %g follows %g", rows + 1, t->file.text,
                      t->column[0].text, x, before);
      return;
    }
    before = x;
    if (!add_point(r, points, x) || !add_point(r, points, y)) return;
  }
  if (rows < 2)
    sar_yaml_report(r, t->file.loc, "", "'%.120s' needs at least two rows", t->file.text);
}

// ---- where it is
// ---------------------------------------------------------------------------------

static void read_text(YamlReader* r, const TableFile* t, const char* text, size_t size,
                      Points* points) {
  SarReading* reading = r->source->reading;
  if (size + 1024 > reading->bytes_left) {
    sar_yaml_report(r, t->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= size + 1024;
  read_rows(r, t, text, size, points);
}

// From a text of the options, if the model is one from memory, else from a file.
static void read_file(YamlReader* r, const TableFile* t, Points* points) {
  const SarTextFile* memory = sar_yaml_find_text(r, &t->file);
  if (memory) {
    read_text(r, t, memory->size ? memory->text : "", memory->size, points);
    return;
  }
  SarFileText file;
  const char* path = sar_yaml_find_file(r, &t->file, false);
  if (!path) return;
  sar_note_file(r->source->reading->options, path);
  SarStatus st =
      sar_file_open_in(r->arena->budget, path, SAR_MAX_FILE, true, t->file.loc, &file, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  if (st == SAR_OK) read_text(r, t, file.text, file.size, points);
  sar_file_close(&file);
}

// ---- the section
// ---------------------------------------------------------------------------------

static void read_columns(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* column = into;
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "the names of two columns [x, y]", "");
    return;
  }
  for (int i = 0; i < 2; i++) sar_yaml_name(r, n->items[i], &column[i]);
}

static void read_table(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {
      {"file", offsetof(TableFile, file), sar_yaml_name},
      {"columns", offsetof(TableFile, column), read_columns},
  };
  Points points = {0};
  int errors = sar_yaml_errors(r);
  if (n->kind == YAML_MAP) {
    TableFile file = {0};
    YAML_FIELDS(r, n, fields, &file);
    if (sar_yaml_errors(r) == errors && (!file.file.text || !file.column[1].text))
      sar_yaml_report(r, n->loc, "", "expected {file: data.csv, columns: [x, y]}");
    if (sar_yaml_errors(r) == errors) read_file(r, &file, &points);
  } else {
    SpecValue rows = {0};
    sar_yaml_table(r, n, &rows);
    for (int i = 0; i < rows.count; i++) {
      SarExpr** place = SAR_LIST_ADD(r->arena, &points);
      if (place) *place = (SarExpr*)rows.numbers[i].expr;
    }
  }
  YamlTable* table = SAR_LIST_ADD(r->arena, &r->tables);
  if (table) *table = (YamlTable){name.text, points.items, points.count};
  if (sar_yaml_errors(r) != errors && table) table->count = -1;  // reported: so is not its use
}

void sar_yaml_tables(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "table", read_table);
}

// ---- use
// -----------------------------------------------------------------------------------------

static bool find_table(void* context, const char* name, SarExpr* const** points, int* count) {
  const YamlReader* r = context;
  static SarExpr* const none[1] = {NULL};
  for (int i = 0; i < r->tables.count; i++) {
    if (strcmp(r->tables.items[i].name, name) != 0) continue;
    const bool wrong = r->tables.items[i].count < 0;
    *points = wrong ? none : r->tables.items[i].points;
    *count = wrong ? 0 : r->tables.items[i].count;
    return true;
  }
  return false;
}

const SarExpr* sar_yaml_put_tables(YamlReader* r, const SarExpr* e) {
  const char* names[64];
  int count = 0;
  for (int i = 0; i < r->tables.count && count < 64; i++) names[count++] = r->tables.items[i].name;
  return sar_expr_put_tables(r->arena, e, find_table, r, names, count, r->err);
}
