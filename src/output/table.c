// Tables in memory, and the choice of a file format by the file's name.
#include "output/table.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/print.h"
#include "base/error.h"

#include <string.h>
#include <strings.h>

static char* copy_text(const char* text) {
  enum { WIDEST = 4 };  // \x1b for one character
  const size_t n = strpbrk(text, "\t\n\r") || sar_has_controls(text) ? WIDEST * strlen(text) + 1
                                                                     : strlen(text) + 1;
  char* copy = sar_alloc(n);
  if (copy) sar_visible(copy, n, text);  // what comes from a file may be printed
  return copy;
}

SarStatus sar_table_init(SarTable* t, const char* const* names, int columns) {
  *t = (SarTable){.columns = columns};
  t->names = sar_alloc(sizeof *t->names * (size_t)columns);
  if (!t->names) return SAR_NO_MEMORY;
  for (int i = 0; i < columns; i++) {
    t->names[i] = copy_text(names[i]);
    if (!t->names[i]) {
      sar_table_clear(t);
      return SAR_NO_MEMORY;
    }
  }
  return SAR_OK;
}

void sar_table_clear(SarTable* t) {
  if (!t) return;
  for (int i = 0; t->names && i < t->columns; i++) sar_free(t->names[i]);
  sar_free(t->names);
  sar_free(t->values);
  *t = (SarTable){0};
}

bool sar_table_has_room(const SarTable* t, size_t bytes) {
  return bytes <= (t->limit ? t->limit : SAR_DEFAULT_LIMIT);
}

SarStatus sar_table_add(SarTable* t, const double* row) {
  size_t width = sizeof(double) * (size_t)t->columns;
  if (t->rows == t->capacity) {
    size_t larger = t->capacity ? 2 * t->capacity : 256;
    if (!sar_table_has_room(t, (larger + t->capacity) * width)) return SAR_OVER_LIMIT;
    double* moved = sar_alloc(larger * width);
    if (!moved) return SAR_NO_MEMORY;
    if (t->rows) memcpy(moved, t->values, t->rows * width);
    sar_free(t->values);
    t->values = moved;
    t->capacity = larger;
  }
  memcpy(t->values + t->rows * (size_t)t->columns, row, width);
  t->rows++;
  return SAR_OK;
}

SAR_API int sar_table_find(const SarTable* t, const char* name) {
  for (int i = 0; t && name && i < t->columns; i++)
    if (strcmp(t->names[i], name) == 0) return i;
  return -1;
}

static const SarFormat* format_of(const char* path, SarError* err) {
  const char* dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".csv") == 0) return &sar_format_csv;
  if (dot && (strcasecmp(dot, ".h5") == 0 || strcasecmp(dot, ".hdf5") == 0))
    return &sar_format_hdf5;
  sar_report(err, (SarLoc){.file = path}, "name it FILE.csv or FILE.h5",
             "the ending does not name a result format");
  return NULL;
}

SarStatus sar_table_read(const char* path, SarTable* t, SarError* err) {
  *t = (SarTable){0};
  const SarFormat* format = format_of(path, err);
  return format ? format->read(path, t, err) : SAR_BAD_ARGUMENT;
}

SarStatus sar_writer_open(const char* path, const char* const* names, int columns, int digits,
                          const char* model, SarWriter** out, SarError* err) {
  *out = NULL;
  const SarFormat* format = format_of(path, err);
  if (!format) return SAR_BAD_ARGUMENT;
  SarWriter* w = sar_alloc(sizeof *w);
  if (!w) return SAR_NO_MEMORY;
  *w = (SarWriter){.format = format, .path = path, .columns = columns, .digits = digits};
  SarStatus st = format->open(w, names, columns, model, err);
  if (st == SAR_OK)
    *out = w;
  else
    sar_free(w);
  return st;
}

SarStatus sar_writer_row(SarWriter* w, const double* row) { return w->format->row(w, row); }

// ---- the host program ---------------------------------------------------------------------------

SAR_API void sar_table_free(SarTable* t) {
  sar_table_clear(t);
  sar_free(t);
}

SAR_API size_t sar_table_rows(const SarTable* t) { return t ? t->rows : 0; }
SAR_API int sar_table_columns(const SarTable* t) { return t ? t->columns : 0; }
SAR_API const double* sar_table_values(const SarTable* t) { return t ? t->values : NULL; }

SAR_API const char* sar_table_name(const SarTable* t, int column) {
  return t && column >= 0 && column < t->columns ? t->names[column] : NULL;
}

SAR_API SarStatus sar_table_load(const char* path, SarTable** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(path);
  SarTable* t = sar_alloc(sizeof *t);
  if (!t) return SAR_NO_MEMORY;
  const SarStatus st = sar_table_read(path, t, err);
  if (st == SAR_OK)
    *out = t;
  else
    sar_table_free(t);
  return st;
}

SAR_API SarStatus sar_table_save(const SarTable* t, const char* path, int digits, SarError* err) {
  SAR_GIVEN(t && path && digits >= 1 && digits <= 17);
  SarWriter* w;
  SAR_TRY(sar_writer_open(path, (const char* const*)t->names, t->columns, digits, "", &w, err));
  SarStatus st = SAR_OK;
  for (size_t i = 0; i < t->rows && st == SAR_OK; i++)
    st = sar_writer_row(w, &t->values[i * (size_t)t->columns]);
  const SarStatus closed = sar_writer_close(w, err);
  return st == SAR_OK ? closed : st;
}

SarStatus sar_writer_close(SarWriter* w, SarError* err) {
  if (!w) return SAR_OK;
  SarStatus st = w->format->close(w, err);
  sar_free(w);
  return st;
}
