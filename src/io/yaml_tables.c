// The section `tables`: points that expressions use by name, table(t, NAME) and spline(t, NAME).
//   {name: [[x, y], ...]}   or   {name: {file: torques.csv, columns: [time, torque]}}
// A file is text: one line of column names, then rows of numbers, commas between them (RFC 4180:
// names may be quoted, and then hold commas); lines that begin with # are passed over. It must lie
// in the folder of the model or below, or in a search path.
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

// ---- text of columns ----------------------------------------------------------------------------

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

// Where the cell that begins at `at` ends: a comma between quotes is part of it.
static const char* end_of_cell(const char* at, const char* end) {
  for (bool quoted = false; at < end && (quoted || *at != ','); at++)
    if (*at == '"') quoted = !quoted;
  return at;
}

// Without blanks around it, and without quotes around that.
static Line bare(const char* at, const char* stop) {
  while (at < stop && *at == ' ') at++;
  while (stop > at && stop[-1] == ' ') stop--;
  if (stop - at >= 2 && *at == '"' && stop[-1] == '"') at++, stop--;
  return (Line){at, (size_t)(stop - at)};
}

// Cell k of a line; false when there are fewer.
static bool cell_of(Line line, int k, Line* out) {
  const char *at = line.text, *end = line.text + line.size;
  for (;; k--) {
    const char* stop = end_of_cell(at, end);
    if (k == 0) *out = bare(at, stop);
    if (k == 0 || stop == end) return k == 0;
    at = stop + 1;
  }
}

// A quote within a cell is written twice.
static bool is_named(Line cell, const char* name) {
  for (size_t i = 0; i < cell.size; i++, name++) {
    if (cell.text[i] != *name) return false;
    if (*name == '"' && i + 1 < cell.size && cell.text[i + 1] == '"') i++;
  }
  return *name == '\0';
}

static int find_column(YamlReader* r, Line header, SpecName name) {
  const char* names[64];
  char hint[128];
  int count = 0, found = -1;
  Line cell;
  for (int k = 0; k < MAX_COLUMNS && cell_of(header, k, &cell); k++) {
    const bool named = is_named(cell, name.text);
    if (named && found >= 0) {
      sar_yaml_report(r, name.loc, "give each a name of its own",
                      "the file has two columns '%.80s'", name.text);
      return -1;
    }
    if (named) found = k;
    if (count < 64) names[count] = sar_arena_strndup(r->arena, cell.text, cell.size);
    if (count < 64 && names[count]) count++;
  }
  if (found >= 0) return found;
  sar_yaml_report(r, name.loc, sar_yaml_hint(hint, sizeof hint, name.text, names, count),
                  "the file has no column '%.80s'", name.text);
  return -1;
}

// The number of a row in the column that the table takes as its k-th.
static bool number_of(YamlReader* r, const TableFile* t, Line line, int row, int column, int k,
                      double* x) {
  Line cell;
  if (!cell_of(line, column, &cell)) {
    sar_yaml_report(r, t->file.loc, "", "row %d of '%.120s' ends before column '%.80s'", row,
                    t->file.text, t->column[k].text);
    return false;
  }
  if (sar_text_to_double(cell.text, cell.size, x) && isfinite(*x)) return true;
  sar_yaml_report(r, t->file.loc, "", "row %d of '%.120s': %.80s: expected a number, found '%.*s'",
                  row, t->file.text, t->column[k].text, cell.size < 40 ? (int)cell.size : 40,
                  cell.text);
  return false;
}

// A row longer than the header is not what its columns say: a comma may stand for a decimal point.
// An empty cell behind a last comma does no harm.
static bool is_too_long(YamlReader* r, const TableFile* t, Line line, int row, int columns) {
  Line cell;
  if (!cell_of(line, columns, &cell) || cell.size == 0) return false;
  sar_yaml_report(r, t->file.loc, "numbers have a decimal point, commas part them",
                  "row %d of '%.120s' has more numbers than there are names of columns", row,
                  t->file.text);
  return true;
}

typedef SAR_LIST(SarExpr*) Points;

static bool add_point(YamlReader* r, Points* points, double value) {
  SarExpr** place = SAR_LIST_ADD(r->arena, points);
  if (place) *place = sar_expr_number(r->arena, value);
  return place && *place;
}

static void read_rows(YamlReader* r, const TableFile* t, const char* text, size_t size,
                      Points* points) {
  const bool marked = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;  // byte order mark
  const char *at = text + (marked ? 3 : 0), *end = text + size;
  Line line, cell;
  int column[2], columns = 0, rows = 0;
  double before = 0;
  if (!next_line(&at, end, &line)) {
    sar_yaml_report(r, t->file.loc, "", "the file '%.120s' is empty", t->file.text);
    return;
  }
  for (int k = 0; k < 2; k++)
    if ((column[k] = find_column(r, line, t->column[k])) < 0) return;
  while (columns < MAX_COLUMNS && cell_of(line, columns, &cell)) columns++;
  for (; next_line(&at, end, &line); rows++) {
    double x, y;
    if (is_too_long(r, t, line, rows + 1, columns) ||
        !number_of(r, t, line, rows + 1, column[0], 0, &x) ||
        !number_of(r, t, line, rows + 1, column[1], 1, &y))
      return;
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

// ---- where it is --------------------------------------------------------------------------------

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

// ---- the section --------------------------------------------------------------------------------

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

// ---- use ----------------------------------------------------------------------------------------

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
