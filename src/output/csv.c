// CSV: one header line, then rows of numbers with a fixed count of significant digits. 17 digits
// restore every bit.
#include "output/csv.h"
#include "output/table.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 22, MOST_COLUMNS = 100000 };

static SarStatus file_error(const char* path, const char* what, SarError* err) {
  if (errno == ENOMEM) {
    sar_report(err, (SarLoc){.file = path}, "", "%s: out of memory", what);
    return SAR_NO_MEMORY;
  }
  sar_report(err, (SarLoc){.file = path}, "", "%s: %s", what, strerror(errno));
  return SAR_NO_FILE;
}

void sar_csv_name(FILE* f, const char* name) {
  if (!strpbrk(name, ",\"\n\r")) {
    fputs(name, f);
    return;
  }
  fputc('"', f);
  for (; *name; name++) {
    if (*name == '"') fputc('"', f);
    fputc(*name, f);
  }
  fputc('"', f);
}

static SarStatus csv_open(SarWriter* w, const char* const* names, int columns, const char* model,
                          SarError* err) {
  (void)model;
  FILE* f = fopen(w->path, "w");
  if (!f) return file_error(w->path, "cannot be written", err);
  for (int i = 0; i < columns; i++) {
    if (i) fputc(',', f);
    sar_csv_name(f, names[i]);
  }
  fputc('\n', f);
  w->file = f;
  return SAR_OK;
}

static SarStatus csv_row(SarWriter* w, const double* row) {
  FILE* f = w->file;
  // adding 0 turns -0 into 0; what is not known has no sign
  for (int i = 0; i < w->columns; i++)
    if (isnan(row[i]))
      fprintf(f, "%snan", i ? "," : "");
    else
      fprintf(f, "%s%.*g", i ? "," : "", w->digits, row[i] + 0.0);
  return fputc('\n', f) == EOF ? SAR_NO_FILE : SAR_OK;
}

static SarStatus csv_close(SarWriter* w, SarError* err) {
  FILE* f = w->file;
  int failed = ferror(f);
  failed |= fclose(f);
  return failed ? file_error(w->path, "was not written whole", err) : SAR_OK;
}

// ---- reading ------------------------------------------------------------------------------------

// The next line without its end, in w's buffer; NULL at the end of the file. Over-long lines are an
// error (line = -1).
typedef struct LineReader {
  FILE* f;
  char* text;
  size_t size;
  int line;
  bool too_long;
  bool ended;  // by a line end; the last one need not be
} LineReader;

static char* next_line(LineReader* r) {
  if (!fgets(r->text, (int)r->size, r->f)) return NULL;
  r->line++;
  size_t n = strlen(r->text);
  r->ended = n && r->text[n - 1] == '\n';
  r->too_long = n + 1 == r->size && !r->ended;
  while (n && (r->text[n - 1] == '\n' || r->text[n - 1] == '\r')) r->text[--n] = '\0';
  return r->text;
}

// Cuts off the first field of *rest in place (quotes resolved) and moves *rest behind it; *rest is
// NULL after the last.
static char* next_field(char** rest) {
  char* field = *rest;
  char* end;
  if (*field == '"') {
    char* to = field;
    char* from = field + 1;
    while (*from && !(*from == '"' && from[1] != '"')) {
      if (*from == '"') from++;
      *to++ = *from++;
    }
    end = *from ? from + 1 : from;
    bool more = *end == ',';
    *to = '\0';
    *rest = more ? end + 1 : NULL;
    return field;
  }
  end = field + strcspn(field, ",");
  *rest = *end == ',' ? end + 1 : NULL;
  *end = '\0';
  while (*field == ' ') field++;
  return field;
}

static SarStatus read_header(LineReader* r, const char* path, SarTable* t, SarError* err) {
  char* line;
  do line = next_line(r);
  while (line && line[0] == '#');
  if (!line) {
    sar_report(err, (SarLoc){path, 1, 1}, "",
               "the file is empty; expected a line with the names of the columns");
    return SAR_BAD_ARGUMENT;
  }
  if (r->line == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3;  // byte order mark
  int columns = 1;
  for (char* c = line; *c; c++) columns += *c == ',';
  if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
  const char** names = sar_alloc(sizeof *names * (size_t)columns);
  if (!names) return SAR_NO_MEMORY;
  int n = 0;
  for (char* rest = line; rest && n < columns;) names[n++] = next_field(&rest);
  SarStatus st = sar_table_init(t, names, n);
  sar_free(names);
  return st;
}

static SarStatus read_row(LineReader* r, const char* path, char* line, SarTable* t, double* row,
                          SarError* err) {
  int i = 0;
  char* rest = line;
  for (; rest && i < t->columns; i++) {
    char* field = next_field(&rest);
    if (strcmp(field, "nan") == 0) {
      row[i] = (double)NAN;
    } else if (!sar_text_to_double(field, strlen(field), &row[i])) {
      sar_report(err, (SarLoc){path, r->line, (int)(field - line) + 1}, "",
                 "column '%s': expected a number, found '%.40s'", t->names[i], field);
      return SAR_BAD_ARGUMENT;
    }
  }
  if (i < t->columns && !r->ended) {
    sar_warn(err, (SarLoc){path, r->line, 1}, "whoever wrote it was ended",
             "the last line is cut off, and left out");
    return SAR_OK;
  }
  if (i < t->columns) {
    sar_report(err, (SarLoc){path, r->line, 1}, "", "expected %d numbers, found %d", t->columns, i);
    return SAR_BAD_ARGUMENT;
  }
  if (rest && rest[strspn(rest, " ")]) {  // nothing at all may follow a last comma
    sar_report(err, (SarLoc){path, r->line, 1}, "numbers have a decimal point, commas part them",
               "expected %d numbers, found more", t->columns);
    return SAR_BAD_ARGUMENT;
  }
  return sar_table_add(t, row);
}

static SarStatus csv_read(const char* path, SarTable* t, SarError* err) {
  FILE* f = fopen(path, "r");
  if (!f) return file_error(path, "cannot be read", err);
  LineReader r = {.f = f, .text = sar_alloc(LONGEST_LINE), .size = LONGEST_LINE};
  SarStatus st = r.text ? read_header(&r, path, t, err) : SAR_NO_MEMORY;
  double* row = st == SAR_OK ? sar_alloc(sizeof *row * (size_t)t->columns) : NULL;
  if (st == SAR_OK && !row) st = SAR_NO_MEMORY;
  for (char* line; st == SAR_OK && (line = next_line(&r));) {
    const char first = line[strspn(line, " ")];
    if (first == '\0' || first == '#') continue;
    if (r.too_long) {
      sar_report(err, (SarLoc){path, r.line, 1}, "", "the line is longer than %d characters",
                 LONGEST_LINE);
      st = SAR_BAD_ARGUMENT;
    } else {
      st = read_row(&r, path, line, t, row, err);
    }
  }
  sar_free(row);
  sar_free(r.text);
  fclose(f);
  if (st != SAR_OK) sar_table_clear(t);
  return st;
}

const SarFormat sar_format_csv = {csv_open, csv_row, csv_close, csv_read};
